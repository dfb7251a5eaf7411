"""Cameras that are known, and the marks of points in their pictures, for tests of the camera match."""

import numpy as np

from mannequin.engine.maths.rotations import quaternion_from_matrix
from mannequin.places.camera.lens import Camera
from mannequin.places.camera.sightings import KnownLens, MarkedLine, MarkedPoint, Sightings

SIZE = (1920, 1080)
YARD = ([-5.0, -3.0, 0.0], [5.0, 7.0, 3.2])
"""Corners of the box in which points lie, m."""


def look(position, target, roll=0.0):
    """(4,) rotation of a camera that looks at a target, its picture turned by `roll` (rad)."""
    view = np.subtract(target, position) / np.linalg.norm(np.subtract(target, position))
    right = np.cross(view, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    axes = np.column_stack([right, np.cross(right, view), -view])
    c, s = np.cos(roll), np.sin(roll)
    return quaternion_from_matrix(axes @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))


def true_camera(focal=1300.0, distortion=(-0.12, 0.03), center=(972.0, 531.0)) -> Camera:
    """A camera at a first-floor window, say, a little askew."""
    place = (-3.0, -4.5, 2.4)
    rotation = tuple(look(place, (0.5, 0.3, 0.8), 0.03).tolist())
    return Camera("yard", place, rotation, focal, center, SIZE, distortion=distortion)


def seen_points(camera, count, rng, box=YARD):
    """(count, 3) points in a box that are in the picture, and (count, 2) their pixels."""
    points, pixels = [], []
    while len(points) < count:
        point = rng.uniform(*box)
        pixel = camera.project(point[None])[0]
        if 0.0 < pixel[0] < SIZE[0] and 0.0 < pixel[1] < SIZE[1]:
            points.append(point)
            pixels.append(pixel)
    return np.array(points), np.array(pixels)


def sightings(camera, count, seed, noise=1.0, checks=8, lens=None, box=YARD) -> Sightings:
    """Marks with noise (px), and check points without."""
    rng = np.random.default_rng(seed)
    points, pixels = seen_points(camera, count + checks, rng, box)
    pixels[:count] += noise * rng.normal(size=(count, 2))
    marks = [
        MarkedPoint(f"p{i}", tuple(map(float, p)), tuple(map(float, q)), check=i >= count)
        for i, (p, q) in enumerate(zip(points, pixels, strict=True))
    ]
    return Sightings("yard", SIZE, marks, lens=lens or KnownLens())


def known(camera) -> KnownLens:
    return KnownLens(camera.focal_px, camera.center_px, camera.distortion)


def edges(camera, per_direction, seed, noise=0.5) -> list[MarkedLine]:
    """Edges of boxes along x, y and z, as marked in the picture."""
    rng = np.random.default_rng(seed)
    lines = []
    for name, direction in zip("xyz", np.eye(3), strict=True):
        while sum(line.name[0] == name for line in lines) < per_direction:
            start = rng.uniform(*YARD)
            pixels = camera.project(np.array([start, start + 1.5 * direction]))
            if np.isfinite(pixels).all() and (pixels > 0).all() and (pixels < SIZE).all():
                marked = pixels + noise * rng.normal(size=(2, 2))
                ends = tuple(tuple(map(float, end)) for end in marked)
                lines.append(MarkedLine(f"{name}{len(lines)}", ends, tuple(map(float, direction)), noise))
    return lines


def off(found: Camera, true: Camera) -> tuple[float, float, float]:
    """(m between the positions, degrees between the axes of view, degrees between the rays of the middle)."""
    middle = np.array([SIZE], dtype=float) / 2.0

    def angle(a, b):
        return float(np.degrees(2.0 * np.arcsin(min(1.0, 0.5 * np.linalg.norm(a - b)))))

    distance = float(np.linalg.norm(np.subtract(found.position, true.position)))
    return (
        distance,
        angle(found.view, true.view),
        angle(found.rays(middle)[0], true.rays(middle)[0]),
    )
