"""What road vehicles have alike: the root, wheels on axles, and brakes."""

import numpy as np
from numpy.typing import ArrayLike

from ...engine.spec import Joint, Motor
from ..parts import frames
from ..parts.rigid import Piece

BRAKE_TORQUE = 1800.0
"""N m at one wheel; more than the road can take (friction 0.9 on 4.1 kN at 0.316 m: 1170 N m), so the wheel locks."""
WHEELS = ("FL", "FR", "RL", "RR")


def wheel_joint(wheel: str) -> str:
    """Name of the axle joint of a wheel ("FL", "FR", "RL", "RR")."""
    return f"wheel{wheel}Jnt"


def brake_motors(torque: float = BRAKE_TORQUE) -> dict[str, Motor]:
    """Brakes on all wheels for `Actor.motors`: each holds its wheel's turning at zero with at most `torque` (N m)."""
    return {
        wheel_joint(wheel): Motor(damping=500.0, max_torque=torque, source="Brake, torque assumed")
        for wheel in WHEELS
    }


def disc_wheel(mass: float, radius: float, width: float, centre: ArrayLike) -> Piece:
    """A wheel: half of its mass as a disc, half as a ring at the radius (assumed): I = 0.75 m r^2 about the axle."""
    axle = 0.75 * mass * radius**2
    across = axle / 2.0 + mass * width**2 / 12.0
    return Piece(mass, np.asarray(centre, float), np.diag([across, axle, across]))


def free_root() -> Joint:
    """Joint by which a vehicle moves freely."""
    return Joint("carRoot", "free", None, "car_body")


def axle_joint(wheel: str, centre: ArrayLike) -> Joint:
    """Axle of a wheel ("FL", "FR", "RL", "RR") with its centre (m)."""
    return Joint(
        wheel_joint(wheel),
        "revolute",
        "car_body",
        f"wheel{wheel}",
        T1=frames.transform(frames.CENTRAL, centre),
        axis=(0.0, 1.0, 0.0),
        damping=0.5,
        note="Positive turns roll the car forward. Brakes: a motor that holds the rate at zero with a torque cap.",
        source="Bearing drag assumed",
    )
