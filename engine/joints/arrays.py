"""What the engine needs to know about the forces in its moving joints, as flat arrays.

Units: N m, rad, s; N, m, s for a joint that slides. Vectors are (x, y, z) in the child joint frame; a joint with an
axis uses the first slot. Rows `first[k]` to `first[k + 1]` of a list belong to joint (or curve) k.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field

from ..spec import Coupler, Joint, Motor, TorquePulse

FRICTION_STATE_SIZE = 5
"""Width of the friction history: start orientation (4; AXIS: coordinate, 0, 0, 0) and the largest turn since (rad)."""

AxisBoxes = namedtuple(
    "AxisBoxes",
    [
        "used",  # (n,) 1 where axis limits hold
        "lower",  # (n, 3) lowest rotation-vector component, rad; -inf where there is none
        "upper",  # (n, 3)
        "gains",  # (n, 2) stiffness, damping
    ],
)

Cones = namedtuple(
    "Cones",
    [
        "row",  # (n,) row of the other arrays, or -1
        "angles",  # (c, 4) largest latitude at longitudes 0, 90, 180, 270 degrees, rad
        "slopes",  # (c, 4) derivative of it there
        "frame",  # (c, 9) rows: longitude 0, longitude 90, cone axis, in the parent joint frame
        "limb",  # (c, 3) limb axis in the child joint frame
        "gains",  # (c, 3) width (rad), torque, damping
        "twist",  # (c, 4) lower, upper (rad; infinite where there is none), stiffness, damping
    ],
)

CurveSprings = namedtuple(
    "CurveSprings",
    [
        "first",  # (n + 1,)
        "axis",  # (s,) component 0, 1, 2
        "damping",  # (s,)
        "curve",  # (s + 1,) first point of each curve
        "x",  # (p,) rad
        "y",  # (p,) N m
    ],
)

TorquePulses = namedtuple(
    "TorquePulses",
    [
        "first",  # (n + 1,)
        "rows",  # (m, 5) peak x, y, z, start, duration
    ],
)

Motors = namedtuple(
    "Motors",
    [
        "row",  # (n,) row of the other arrays, or -1
        "gains",  # (k, 3) stiffness, damping, largest torque
        "base",  # (k, 3) base torque
        "velocity",  # (k, 3) target velocity
        "gain_first",  # (k + 1,)
        "gain_time",  # (g,)
        "gain_value",  # (g,)
        "target_first",  # (k + 1,)
        "target_time",  # (r,)
        "target",  # (r, 4) orientation, neighbours in the same hemisphere; AXIS: coordinate in the first slot
    ],
)

Couplers = namedtuple(
    "Couplers",
    [
        "pair",  # (e, 2) leader and follower
        "axis",  # (e, 2) component of the leader's and of the follower's rotation vector
        "gains",  # (e, 4) ratio, offset (rad), stiffness, damping
    ],
)

JointForces = namedtuple(
    "JointForces",
    [
        "damping",  # (n,) viscous resistance, N m s/rad
        "boxes",  # AxisBoxes
        "cones",  # Cones
        "friction",  # (n, 2) torque, drop angle (rad; 0 where the torque stays)
        "springs",  # CurveSprings
        "pulses",  # TorquePulses
        "motors",  # Motors
        "couplers",  # Couplers
    ],
)
"""Grouped so that each compiled function is handed only what it reads, which keeps compiling quick."""


@dataclass
class JointEntry:
    """One moving joint as the compiler of joint forces sees it, in the order of the engine's moving bodies."""

    joint: Joint
    motor: Motor | None = None
    """The actor's own motor; absent: the joint's."""
    tone: float = 1.0
    """Factor on the motor's gains."""
    pulses: list[TorquePulse] = field(default_factory=list)
    couplers: list[tuple[Coupler, int]] = field(default_factory=list)
    """Couplers in which this joint follows, each with the entry index of its leader."""
