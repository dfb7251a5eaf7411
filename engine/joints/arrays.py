"""What the engine needs to know about the forces in its moving joints, as flat arrays.

Units: N m, rad, s. Vectors are (x, y, z) in the child joint frame; a revolute joint uses the first slot. Rows
`first[k]` to `first[k + 1]` of a list belong to joint (or curve) k.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field

from ..spec import Coupler, Joint, Motor, TorquePulse

FRICTION_STATE_SIZE = 5
"""Width of the friction history: start orientation (4; revolute: angle, 0, 0, 0) and the largest turn since (rad)."""

JointForces = namedtuple(
    "JointForces",
    [
        "damping",  # (n,) viscous resistance, N m s/rad
        "limited",  # (n,) 1 where axis limits hold
        "lower",  # (n, 3) lowest rotation-vector component, rad; -inf where there is none
        "upper",  # (n, 3)
        "limit_gains",  # (n, 2) stiffness, damping
        "cone",  # (n,) row of the cone arrays, or -1
        "cone_angles",  # (c, 4) largest latitude at longitudes 0, 90, 180, 270 degrees, rad
        "cone_slopes",  # (c, 4) derivative of it there
        "cone_frame",  # (c, 9) rows: longitude 0, longitude 90, cone axis, in the parent joint frame
        "cone_limb",  # (c, 3) limb axis in the child joint frame
        "cone_gains",  # (c, 3) width (rad), torque, damping
        "twist",  # (c, 4) lower, upper (rad; infinite where there is none), stiffness, damping
        "friction",  # (n, 2) torque, drop angle (rad; 0 where the torque stays)
        "spring_first",  # (n + 1,)
        "spring_axis",  # (s,) component 0, 1, 2
        "spring_damping",  # (s,)
        "spring_curve",  # (s + 1,) first point of each curve
        "curve_x",  # (p,) rad
        "curve_y",  # (p,) N m
        "pulse_first",  # (n + 1,)
        "pulses",  # (m, 5) peak x, y, z, start, duration
        "motor",  # (n,) row of the motor arrays, or -1
        "motor_gains",  # (k, 3) stiffness, damping, largest torque
        "motor_base",  # (k, 3) base torque
        "motor_velocity",  # (k, 3) target velocity
        "gain_first",  # (k + 1,)
        "gain_time",  # (g,)
        "gain_value",  # (g,)
        "target_first",  # (k + 1,)
        "target_time",  # (r,)
        "target",  # (r, 4) orientation, neighbours in the same hemisphere; revolute: angle in the first slot
        "coupled",  # (e, 2) leader and follower
        "coupler_axis",  # (e, 2) component of the leader's and of the follower's rotation vector
        "coupler_gains",  # (e, 4) ratio, offset (rad), stiffness, damping
    ],
)


@dataclass
class JointEntry:
    """One moving joint as the compiler of joint forces sees it, in the order of the engine's moving bodies."""

    joint_type: int
    """tree.FREE, SPHERICAL or REVOLUTE"""
    joint: Joint
    motor: Motor | None = None
    """The actor's own motor; absent: the joint's."""
    tone: float = 1.0
    """Factor on the motor's gains."""
    pulses: list[TorquePulse] = field(default_factory=list)
    couplers: list[tuple[Coupler, int]] = field(default_factory=list)
    """Couplers in which this joint follows, each with the entry index of its leader."""
    label: str = ""
    """How messages name the joint; absent: its own name."""

    @property
    def name(self) -> str:
        """Name for messages."""
        return self.label or self.joint.name
