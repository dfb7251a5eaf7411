"""What the engine needs to know about the forces in its moving joints, as flat arrays.

Units: N m, rad, s; N, m, s for a motion that slides. Vectors are (x, y, z) in the child joint frame; a motion with an
axis uses the first slot. Rows `first[k]` to `first[k + 1]` of a list belong to joint (or curve) k. "Joint" is here what
has a moving body of its own: one motion of a joint of several.
"""

from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np

from ..spec import Coupler, Joint, Motor, TorquePulse
from ..spec.joint_parts import JointPart
from ..spec.joint_types import Motion

TURNED, ANCHOR = 4, 5
"""Columns of the friction history after the start orientation (4; AXIS: coordinate, 0, 0, 0): the largest turn since
(rad), and the orientation in which the friction would be at rest (4)."""
FRICTION_STATE_SIZE = 9
WHOLE = 3
"""Slot of a break by the size of the moment, and of what holds cones and friction; 0, 1 and 2 are the axes."""

AxisBoxes = namedtuple(
    "AxisBoxes",
    [
        "used",  # (n,) 1 where axis limits hold
        "lower",  # (n, 3) lowest rotation-vector component, rad; -inf where there is none
        "upper",  # (n, 3)
        "gains",  # (n, 3) stiffness, damping, damping over elastic torque (s/rad; zero: the damping before)
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
        "slope",  # (p,) N m/rad from this point to the next; a curve's last point has that of the one before
        "sides",  # (s, 3) where in `points` resistance to positive and to negative angles begins and ends; or -1
        "points",  # (r, 7) packed `CurvePoints` of springs with hysteresis, over the size of the angle
        "remembers",  # (n,) 1 where a joint has a spring with hysteresis
    ],
)

Breaks = namedtuple(
    "Breaks",
    [
        "last",  # (b,) joint that gives way; the last of `count`
        "count",  # (b,) how many joints carry the load together
        "slot",  # (b,) axis 0, 1, 2, or WHOLE: the size of the load
        "bounds",  # (b, 3) load, energy (J), share that is left
    ],
)

JointState = namedtuple(
    "JointState",
    [
        "friction",  # (n, FRICTION_STATE_SIZE)
        "deepest",  # (s, 2) largest angle of each spring so far, to the positive and to the negative side
        "path",  # (s, 2, 5) way back from there as it was worked out last: angle, and its `unloading_path`
        "hold",  # (n, 4) share of the resistance that is left: about the axes, and of cones and friction
        "broken",  # (b,) 1 where it has given way
        "event",  # (b, 3) time (s), load and energy taken up (J): of the break, or so far
    ],
)
"""What joints remember."""

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
        "follows",  # (k,) 1 where the slope of the target table is added to the target velocity
        "gain_first",  # (k + 1,)
        "gain_time",  # (g,)
        "gain_value",  # (g,)
        "target_first",  # (k + 1,)
        "target_time",  # (r,)
        "target",  # (r, 4) orientation, neighbours in the same hemisphere; AXIS: coordinate in the first slot
        "speed_first",  # (k + 1,) rows of the law of torque over speed; none: the largest torque stays
        "speed_rate",  # (s,) rad/s or m/s along the torque
        "speed_factor",  # (s,) on the largest torque
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
        "lasting",  # (r,) joints with friction or with a spring that has hysteresis: those that remember
        "has",  # (n,) 1 where a joint has limits, a cone, friction, springs or a motor: what else is to be asked
        "boxes",  # AxisBoxes
        "cones",  # Cones
        "friction",  # (n, 3) torque, drop angle (rad; 0 where the torque stays), angle at which it slips
        "springs",  # CurveSprings
        "pulses",  # TorquePulses
        "motors",  # Motors
        "couplers",  # Couplers
        "breaks",  # Breaks
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
    part: Motion | None = None
    """Which motion of the joint it is; absent: its first."""

    @property
    def motion(self) -> Motion:
        """How it moves."""
        return self.part or self.joint.kind.motions[0]

    @property
    def authored(self) -> JointPart:
        """What is authored for this motion."""
        return JointPart(self.joint, self.motion)


def new_joint_state(jf: JointForces) -> JointState:
    """What joints remember at the start; `start_friction` fills in where they stand."""
    joints, springs, breaks = len(jf.damping), len(jf.springs.axis), len(jf.breaks.slot)
    return JointState(
        friction=np.zeros((joints, FRICTION_STATE_SIZE)),
        deepest=np.zeros((springs, 2)),
        path=np.zeros((springs, 2, 5)),
        hold=np.ones((joints, 4)),
        broken=np.zeros(breaks, dtype=np.int64),
        event=np.zeros((breaks, 3)),
    )
