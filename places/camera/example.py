"""`python -m mannequin.places.camera.example POINTS`: marks of a made-up camera, to try the match with."""

import sys
from pathlib import Path

import numpy as np

from ...engine.maths.rotations import quaternion_from_matrix
from ...io_json import atomic, layout
from .lens import Camera
from .pictures import write_picture
from .sightings import MarkedPoint, Sightings, document_of

SIZE = (1280, 720)
WRONG, CHECKS, POINTS = 6, 4, 20
OFF = (35.0, -20.0)
"""px by which one point is marked wrong."""
SEED = 4


def example() -> tuple[Camera, Sightings]:
    """A camera, and the marks of points on a yard with one pixel of noise, one of them wrong, some for checking."""
    place, target = np.array([-3.0, -4.5, 2.4]), np.array([0.5, 0.3, 0.8])
    view = (target - place) / np.linalg.norm(target - place)
    right = np.cross(view, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    axes = np.column_stack([right, np.cross(right, view), -view])
    rotation = tuple(quaternion_from_matrix(axes).tolist())
    camera = Camera("yard", tuple(place.tolist()), rotation, 860.0, (645.0, 356.0), SIZE, "", (-0.15, 0.03))
    chance = np.random.default_rng(SEED)
    marks: list[MarkedPoint] = []
    while len(marks) < POINTS + CHECKS:
        point = np.round(chance.uniform([-4.0, -2.5, 0.0], [5.0, 7.0, 3.0]), 2)
        pixel = camera.project(point[None])[0] + chance.normal(size=2)
        if (pixel > 0.0).all() and (pixel < SIZE).all():
            pixel += np.array(OFF) * (len(marks) == WRONG)
            is_check = len(marks) >= POINTS
            name = f"{'check' if is_check else 'point'} {len(marks) + 1}"
            position, marked = tuple(point.tolist()), tuple(np.round(pixel, 1).tolist())
            marks.append(MarkedPoint(name, position, marked, check=is_check))
    return camera, Sightings("yard", SIZE, marks, picture="photograph.png")


def main() -> None:
    """Write the points and a plain picture beside them."""
    path = Path(sys.argv[1])
    atomic.write_text(path, layout.compact(document_of(example()[1])))
    write_picture(path.parent / "photograph.png", np.full((SIZE[1], SIZE[0], 3), 70, dtype=np.uint8))
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
