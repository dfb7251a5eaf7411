"""The joint types: the one table that files, checks, the engine, the analysis and Blender read.

A type moves by one *group* of motions. Compiled code knows the groups and nothing of the types:

- FREE: six degrees of freedom against the world, for a root. Coordinates x y z and a quaternion of the joint frame;
  speeds: velocity in world axes, angular velocity in child joint axes.
- BALL: a turn about the joint centre. Coordinates: a quaternion; speeds: angular velocity in child joint axes.
- AXIS: one coordinate s, the angle of a joint that turns about `Joint.axis`, or the way of one that slides along it.
  The child turns by `turn` s (turn is 1 or 0) and slides by `slide` s: a hinge has turn 1 and slide 0, a slider turn 0
  and slide 1, a screw turn 1 and its pitch in m/rad.
- NONE: it does not move. Child and parent become one moving body.

So a type made of these groups is one entry of `JOINT_TYPES`; CONTRIBUTING lists what else may want to know it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

from ..errors import EngineError

FREE, BALL, AXIS, NONE = 0, 1, 2, 3
SIZES = {FREE: (7, 6), BALL: (4, 3), AXIS: (1, 1), NONE: (0, 0)}
"""Group to its number of coordinates and of speeds."""


@dataclass(frozen=True)
class JointType:
    """One type of joint: how it moves and what may act in it."""

    name: str
    """As files have it."""
    description: str
    """For a tooltip."""
    group: int
    """FREE, BALL, AXIS or NONE"""
    turn: float = 0.0
    """AXIS: rad about the axis per unit of the coordinate, 1 or 0."""
    slide: float = 0.0
    """AXIS: m along the axis per unit of the coordinate."""

    @property
    def label(self) -> str:
        """Name for a person to read."""
        return self.name.replace("_", " ").title()

    @property
    def item(self) -> tuple[str, str, str]:
        """Entry of a menu: identifier, name, tooltip."""
        return self.name, self.label, self.description

    @property
    def moves(self) -> bool:
        """Whether it has coordinates: motors, torque pulses and prescribed motion act on it."""
        return self.group != NONE

    @property
    def is_free(self) -> bool:
        """Whether nothing holds it: only a root's joint, placed by the actor's own position and velocity."""
        return self.group == FREE

    @property
    def is_ball(self) -> bool:
        """Whether it turns about all axes through its centre; it may have a cone of motion."""
        return self.group == BALL

    @property
    def has_axis(self) -> bool:
        """Whether it moves about or along `Joint.axis`; of angles, limits and targets it uses the first number."""
        return self.group == AXIS

    @property
    def resists(self) -> bool:
        """Whether damping, limits, friction, springs and couplers act in it."""
        return self.moves and not self.is_free

    @property
    def turns(self) -> bool:
        """Whether it turns against what carries it: it has angles and a range of motion in degrees."""
        return self.is_ball or self.turn != 0.0

    @property
    def slides(self) -> bool:
        """Whether it slides along its axis."""
        return self.slide != 0.0

    def coordinate(self, typed: float) -> float:
        """Engine unit (rad, m) of an AXIS joint's number as typed: degrees where it turns, metres where it slides."""
        return radians(typed) if self.turn else float(typed)


JOINT_TYPES: dict[str, JointType] = {
    joint_type.name: joint_type
    for joint_type in (
        JointType("free", "Moves and turns freely; for the root", FREE),
        JointType("spherical", "Turns about all axes", BALL),
        JointType("revolute", "Turns about one axis", AXIS, turn=1.0),
        JointType("prismatic", "Slides along one axis", AXIS, slide=1.0),
        JointType("fixed", "Does not move", NONE),
    )
}
ROOT_TYPE, LIMB_TYPE, RIGID_TYPE = "free", "spherical", "fixed"
"""What a new body gets: on nothing, on another body, and where it must not move."""


def joint_type(name: str) -> JointType:
    """The type of this name. EngineError names the types there are."""
    if name not in JOINT_TYPES:
        raise EngineError(f"'{name}' is no joint type; use one of {', '.join(JOINT_TYPES)}")
    return JOINT_TYPES[name]


def group_sizes(group: int) -> tuple[int, int]:
    """(coordinates, speeds) of a group. EngineError for a number that is none."""
    if group not in SIZES:
        raise EngineError(f"{group} is no group of joint motions; use one of {', '.join(map(str, SIZES))}")
    return SIZES[group]
