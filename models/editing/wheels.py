"""Wheels of any model, found by their shape, and the rates at which they roll."""

from dataclasses import dataclass

import numpy as np

from ...engine.spec import Model
from ..parts.placement import body_transforms, ellipsoid_shapes
from .rest_layout import joint_by_child, lay_out

ROUND = 1e-3
"""Relative difference of two half axes, and error of a direction, up to which an ellipsoid is round about an axis."""
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Disc:
    """A wheel as it is found: a body that turns about an axis and is round about it."""

    joint: str
    body: str
    radius: float
    """m"""
    axis: np.ndarray
    """(3,) unit vector in the actor frame, at rest."""


def wheels_of(model: Model) -> list[Disc]:
    """Bodies on a revolute joint with a level axis whose only ellipsoid is a disc about that axis."""
    places, joints = lay_out(model), joint_by_child(model)
    shapes = ellipsoid_shapes(model, body_transforms(model))
    wheels = []
    for body in model.bodies:
        joint, own = joints.get(body.name), [half for name, _, _, half in shapes if name == body.name]
        if joint is None or not joint.kind.is_hinge or len(own) != 1:
            continue
        axis = places[body.name].joint_frame[:3, :3] @ np.asarray(joint.axis, dtype=float)
        axis /= np.linalg.norm(axis)
        radius = _radius(own[0], axis)
        if radius and abs(axis @ UP) < ROUND:
            wheels.append(Disc(joint.name, body.name, radius, axis))
    return wheels


def _radius(half: np.ndarray, axis: np.ndarray) -> float:
    """Radius (m) of an ellipsoid that is a disc about an axis; 0 where it is none. Columns of `half` are half axes."""
    lengths = np.linalg.norm(half, axis=0)
    along = np.abs(half.T @ axis) / lengths
    width = int(np.argmax(along))
    first, second = np.delete(lengths, width)
    is_disc = along[width] > 1.0 - ROUND and abs(first - second) < ROUND * first and lengths[width] < first
    return float(first) if is_disc else 0.0


def rolling_rates(model: Model, velocity: np.ndarray) -> dict[str, float]:
    """Turn rate (rad/s) by the name of a wheel's joint at which its tread has no speed along its own direction.

    velocity: (3,) of the model in the actor frame, m/s. A disc of radius r whose centre moves at v rolls on level
    ground with w = (z x v) / r; about its axis a that is a . (z x v) / r.
    """
    return {w.joint: float(w.axis @ np.cross(UP, velocity)) / w.radius for w in wheels_of(model)}
