"""Plain surfaces as vertices and faces, for drawing. No Blender."""

import numpy as np


def sphere_geometry(segments: int, rings: int) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """Vertices (n, 3) and faces of a unit sphere."""
    latitude = np.arange(1, rings) * np.pi / rings
    longitude = np.arange(segments) * 2.0 * np.pi / segments
    ring = np.stack([np.cos(longitude), np.sin(longitude), np.zeros(segments)], axis=1)
    body = [np.sin(a) * ring + np.array([0.0, 0.0, np.cos(a)]) for a in latitude]
    vertices = np.vstack([[[0.0, 0.0, 1.0]], *body, [[0.0, 0.0, -1.0]]])
    vertices[np.abs(vertices) < 1e-12] = 0.0
    last = len(vertices) - 1
    index = 1 + np.arange((rings - 1) * segments).reshape(rings - 1, segments)
    after = np.roll(index, -1, axis=1)
    faces = [(0, int(a), int(b)) for a, b in zip(index[0], after[0], strict=True)]
    for k in range(rings - 2):
        corners = (index[k], index[k + 1], after[k + 1], after[k])
        faces += [tuple(int(i) for i in quad) for quad in zip(*corners, strict=True)]
    faces += [(int(b), int(a), last) for a, b in zip(index[-1], after[-1], strict=True)]
    return vertices, faces
