"""Small triangle meshes for the tests of contact geometry: vertices (n, 3) and counter-clockwise triangles (m, 3)."""

import numpy as np


def floor_mesh(cells: int, size: float = 1.0, height=None, seed: int | None = None):
    """Square from -size to size in `cells` x `cells` quads, each split along a diagonal.

    With a seed, inner vertices are shifted sideways and diagonals chosen at random. `height(x, y)` lifts the vertices.
    """
    line = np.linspace(-size, size, cells + 1)
    x, y = (a.copy() for a in np.meshgrid(line, line, indexing="ij"))
    flips = np.zeros(cells * cells, dtype=bool)
    if seed is not None:
        rng = np.random.default_rng(seed)
        shift = 0.5 * size / cells
        x[1:-1, 1:-1] += rng.uniform(-shift, shift, (cells - 1, cells - 1))
        y[1:-1, 1:-1] += rng.uniform(-shift, shift, (cells - 1, cells - 1))
        flips = rng.random(cells * cells) < 0.5
    z = np.zeros_like(x) if height is None else height(x, y)
    a = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).reshape(-1)
    b, c, d = a + cells + 1, a + cells + 2, a + 1
    first = np.where(flips[:, None], np.stack([a, b, d], axis=1), np.stack([a, b, c], axis=1))
    second = np.where(flips[:, None], np.stack([b, c, d], axis=1), np.stack([a, c, d], axis=1))
    return np.stack([x, y, z], axis=2).reshape(-1, 3), np.concatenate([first, second])


def stair_mesh(steps: int, strips: int, tread: float = 0.28, riser: float = 0.17, width: float = 1.2):
    """Stair rising along x from the origin, treads and risers split into `strips` across."""
    profile = [(0.0, 0.0)]
    for i in range(steps):
        profile += [(i * tread, (i + 1) * riser), ((i + 1) * tread, (i + 1) * riser)]
    profile = np.array(profile)
    y = np.linspace(-0.5 * width, 0.5 * width, strips + 1)
    vertices = np.array([(px, py, pz) for px, pz in profile for py in y])
    a = (np.arange(len(profile) - 1)[:, None] * (strips + 1) + np.arange(strips)).reshape(-1)
    b = a + strips + 1
    return vertices, np.concatenate([np.stack([a, b, b + 1], axis=1), np.stack([a, b + 1, a + 1], axis=1)])


def box_mesh(half_size, cells: int = 1):
    """Closed box, every face in `cells` x `cells` quads with their own vertices (to be welded)."""
    square, triangles = floor_mesh(cells)
    vertices, faces = [], []
    for axis in range(3):
        for side in (1.0, -1.0):
            face = np.empty_like(square)
            face[:, axis] = side
            face[:, (axis + 1) % 3] = square[:, 0]
            face[:, (axis + 2) % 3] = square[:, 1]
            faces.append((triangles if side > 0.0 else triangles[:, ::-1]) + len(square) * len(vertices))
            vertices.append(face * half_size)
    return np.concatenate(vertices), np.concatenate(faces)


def ball_mesh(radius: float, rings: int = 12):
    """Closed ball of latitude rings, convex."""
    polar = np.linspace(0.0, np.pi, rings + 1)[1:-1]
    around = np.arange(2 * rings) * np.pi / rings
    ring = np.stack(
        [np.outer(np.sin(polar), np.cos(around)), np.outer(np.sin(polar), np.sin(around))], axis=2
    )
    z = np.repeat(np.cos(polar)[:, None, None], 2 * rings, axis=1)
    vertices = np.concatenate([ring, z], axis=2).reshape(-1, 3)
    vertices = np.concatenate([vertices, [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]]) * radius
    m, top, bottom = 2 * rings, len(vertices) - 2, len(vertices) - 1
    triangles = []
    for j in range(m):
        k = (j + 1) % m
        triangles += [(top, j, k), (bottom, (rings - 2) * m + k, (rings - 2) * m + j)]
        for i in range(rings - 2):
            a, b = i * m + j, i * m + k
            triangles += [(a, a + m, b + m), (a, b + m, b)]
    return vertices, np.array(triangles)
