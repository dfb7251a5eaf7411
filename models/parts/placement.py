"""Where the bodies of a model are in a posture: forward kinematics on specs, for pictures, tests and placing actors."""

from collections.abc import Sequence

import numpy as np

from ...engine.bodies.posture import body_poses, ellipsoid_bottoms
from ...engine.maths.rotations import matrix_from_zyx
from ...engine.spec import Ellipsoid, Model

Posture = dict[str, tuple[float, float, float]]
"""Joint name to (Z, Y, X) degrees."""
Shape = tuple[str, Ellipsoid, np.ndarray, np.ndarray]


def body_transforms(
    model: Model,
    joint_angles: Posture | None = None,
    position: Sequence[float] = (0.0, 0.0, 0.0),
    orientation: Sequence[float] = (0.0, 0.0, 0.0),
    joint_slides: Posture | None = None,
) -> dict[str, np.ndarray]:
    """Body name to its (4, 4) world transform, for an actor at `position` with `orientation` (Z, Y, X degrees).

    joint_slides: joint name to ways along x, y, z in m, of joints that slide and turn."""
    base = np.eye(4)
    base[:3, :3] = matrix_from_zyx(orientation)
    base[:3, 3] = position
    return body_poses(model, joint_angles, base, joint_slides)


def ellipsoid_shapes(model: Model, transforms: dict[str, np.ndarray]) -> list[Shape]:
    """Per ellipsoid: (body name, ellipsoid, centre (3,), half-axis matrix (3, 3)) in the world; columns of the matrix
    are the half axes, so the surface is centre + matrix @ unit vector."""
    shapes = []
    for body in model.bodies:
        transform = transforms[body.name]
        for ellipsoid in body.ellipsoids:
            centre = transform[:3, :3] @ np.array(ellipsoid.position) + transform[:3, 3]
            half = transform[:3, :3] @ np.array(ellipsoid.orientation) @ np.diag(ellipsoid.semi_axes)
            shapes.append((body.name, ellipsoid, centre, half))
    return shapes


def bounds_of(shapes: Sequence[Shape]) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest coordinates (3,), m, of ellipsoids as `ellipsoid_shapes` gives them."""
    reach = [np.linalg.norm(half, axis=1) for _, _, _, half in shapes]
    low = np.min([c - r for (_, _, c, _), r in zip(shapes, reach, strict=True)], axis=0)
    high = np.max([c + r for (_, _, c, _), r in zip(shapes, reach, strict=True)], axis=0)
    return low, high


def lowest_point(model: Model, **pose) -> float:
    """Smallest z (m) of any ellipsoid of the model in a posture (arguments of `body_transforms`)."""
    return min(ellipsoid_bottoms(model, body_transforms(model, **pose)))


def volume(model: Model, cell: float = 0.005) -> float:
    """Volume (m3) of the union of all ellipsoids in the rest pose, by counting cells of a grid."""
    shapes = ellipsoid_shapes(model, body_transforms(model))
    reach = [np.linalg.norm(half, axis=1) for _, _, _, half in shapes]
    low, high = bounds_of(shapes)
    axes = [np.arange(a + cell / 2, b, cell) for a, b in zip(low, high, strict=True)]
    filled = np.zeros([len(a) for a in axes], bool)
    for (_, _, centre, half), r in zip(shapes, reach, strict=True):
        box = [np.searchsorted(a, [c - s, c + s]) for a, c, s in zip(axes, centre, r, strict=True)]
        part = tuple(slice(*b) for b in box)
        points = np.stack(np.meshgrid(*(a[s] for a, s in zip(axes, part, strict=True)), indexing="ij"), -1)
        unit = (points - centre) @ np.linalg.inv(half).T
        filled[part] |= (unit * unit).sum(-1) <= 1.0
    return float(filled.sum()) * cell**3


def dimensions(model: Model) -> np.ndarray:
    """(2, 3) smallest and largest x, y, z of all ellipsoids in the rest pose, m."""
    return np.array(bounds_of(ellipsoid_shapes(model, body_transforms(model))))
