"""The joint types: the one table that files, checks, the engine, the analysis and Blender read.

A type moves by one or more *motions*, one after the other from the parent to the child, each of a *group*. Compiled
code knows the groups and nothing of the types:

- FREE: six degrees of freedom against the world, for a root. Coordinates x y z and a quaternion of the joint frame;
  speeds: velocity in world axes, angular velocity in child joint axes.
- BALL: a turn about the joint centre. Coordinates: a quaternion; speeds: angular velocity in child joint axes.
- CURVE: one coordinate of a joint whose turns and shifts are functions of its coordinates (`Joint.functions`). All
  coordinates of such a joint move its child together (docs/derivations.md, Joints by functions of coordinates).
- AXIS: one coordinate s, the angle of a motion that turns about its axis, or the way of one that slides along it. The
  child turns by `turn` s (turn is 1 or 0) and slides by `slide` s: a hinge has turn 1 and slide 0, a slider turn 0
  and slide 1, a screw turn 1 and its pitch in m/rad. The axis is `Joint.axis`, or x, y or z of the joint frame.

A type without motions does not move: child and parent become one moving body. In one of several motions the engine has
a moving body without mass between two of them, which is exact (docs/derivations.md, Joints of several motions).

So a type made of these groups is one entry of `JOINT_TYPES`; CONTRIBUTING lists what else may want to know it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians

from ..errors import EngineError

FREE, BALL, AXIS, CURVE = 0, 1, 2, 3
"""AXIS and those after it have one coordinate."""
SIZES = {FREE: (7, 6), BALL: (4, 3), AXIS: (1, 1), CURVE: (1, 1)}
"""Group to its number of coordinates and of speeds."""
LETTERS = "xyz"
ALONG = "along_"
"""What the name of an axis begins with along which a joint slides."""


@dataclass(frozen=True)
class Motion:
    """One motion of a joint type."""

    group: int
    """FREE, BALL, AXIS or CURVE"""
    turn: float = 0.0
    """AXIS: rad about the axis per unit of the coordinate, 1 or 0. CURVE: 1 where the coordinate is an angle."""
    slide: float = 0.0
    """AXIS: m along the axis per unit of the coordinate. CURVE: 1 where the coordinate is a way."""
    letter: str = ""
    """AXIS: x, y or z of the joint frame. Empty: the axis is `Joint.axis`. CURVE: x, y, z for the first, second and
    third coordinate among those that are angles, or ways."""

    @property
    def has_one_number(self) -> bool:
        """Whether it has one coordinate: AXIS and CURVE."""
        return self.group >= AXIS

    @property
    def turns(self) -> bool:
        """Whether it turns against what carries it."""
        return self.group == BALL or self.turn != 0.0

    @property
    def slides(self) -> bool:
        """Whether it slides along its axis."""
        return self.slide != 0.0

    @property
    def axes(self) -> tuple[str, ...]:
        """What springs call its axes; `Joint.axis` is called z."""
        if not self.has_one_number:
            return tuple(LETTERS) if self.group == BALL else ()
        letter = self.letter or "z"
        return (letter if self.turn else ALONG + letter,)

    @property
    def place(self) -> int:
        """Of its number among three in the order x, y, z; `Joint.axis` has the first."""
        return LETTERS.index(self.letter) if self.letter else 0

    @property
    def angle_place(self) -> int:
        """Of its number among three in the order Z, Y, X; `Joint.axis` has the first, and a CURVE the place of its
        coordinate among those that are angles."""
        if self.group == CURVE:
            return self.place
        return 2 - LETTERS.index(self.letter) if self.letter else 0

    def coordinate(self, typed: float) -> float:
        """Engine unit (rad, m) of the number of a motion that has one, typed in degrees where it turns, else metres."""
        return radians(typed) if self.turn else float(typed)


@dataclass(frozen=True)
class JointType:
    """One type of joint: how it moves and what may act in it."""

    name: str
    """As files have it."""
    description: str
    """For a tooltip."""
    motions: tuple[Motion, ...] = ()
    """From the parent to the child."""

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
        return len(self.motions) > 0

    @property
    def is_free(self) -> bool:
        """Whether nothing holds it: only a root's joint, placed by the actor's own position and velocity."""
        return any(motion.group == FREE for motion in self.motions)

    @property
    def is_ball(self) -> bool:
        """Whether it turns about all axes through its centre; it may have a cone of motion."""
        return any(motion.group == BALL for motion in self.motions)

    @property
    def is_hinge(self) -> bool:
        """Whether it turns about `Joint.axis` and does nothing else."""
        return len(self.motions) == 1 and self.has_axis and self.motions[0].turns and not self.slides

    @property
    def has_axis(self) -> bool:
        """Whether it moves about or along `Joint.axis`; of angles, limits and targets it uses the first number."""
        return any(motion.group == AXIS and not motion.letter for motion in self.motions)

    @property
    def has_both(self) -> bool:
        """Whether it turns by some motions and slides by others, or its coordinates are those of functions: what acts
        on its sliding is in `Joint.slide`."""
        return self.slides and (len(self.motions) > 1 or self.by_functions)

    @property
    def by_functions(self) -> bool:
        """Whether its turns and shifts are functions of its coordinates: `Joint.functions` has them."""
        return any(motion.group == CURVE for motion in self.motions)

    @property
    def resists(self) -> bool:
        """Whether damping, limits, friction, springs and couplers act in it."""
        return self.moves and not self.is_free

    @property
    def turns(self) -> bool:
        """Whether it turns against what carries it: it has angles and a range of motion in degrees."""
        return any(motion.turns for motion in self.motions)

    @property
    def slides(self) -> bool:
        """Whether it slides."""
        return any(motion.slides for motion in self.motions)

    @property
    def axes(self) -> tuple[str, ...]:
        """What springs call its axes."""
        return tuple(axis for motion in self.motions for axis in motion.axes)

    def motion_of(self, axis: str) -> int | None:
        """Which of its motions has an axis of this name; a joint of one axis answers to any. None: no motion has."""
        if len(self.motions) == 1 and self.motions[0].has_one_number:
            return 0
        return next((k for k, motion in enumerate(self.motions) if axis in motion.axes), None)

    def typed(self, motion: Motion, angles: Sequence[float], slides: Sequence[float]) -> float:
        """Number of a motion that has one, among those that a person gives for the joint.

        angles: Z, Y, X; of a joint of one axis the first number, whatever its unit. slides: x, y, z, of a joint that
        has both. Of a joint by functions they are in the order of its coordinates.
        """
        if motion.slides and self.has_both:
            return slides[motion.place]
        return angles[motion.angle_place]

    def coordinate(self, typed: float) -> float:
        """Engine unit of the first number of a joint that has an axis: rad where it turns, else m."""
        return radians(typed) if self.turns else float(typed)


def turning(letter: str = "") -> Motion:
    """Motion of a hinge: 1 rad about its axis per unit."""
    return Motion(AXIS, turn=1.0, letter=letter)


def sliding(letter: str = "") -> Motion:
    """Motion of a slider: 1 m along its axis per unit."""
    return Motion(AXIS, slide=1.0, letter=letter)


def driven(angles: int, ways: int) -> tuple[Motion, ...]:
    """Motions of a joint by functions of so many coordinates, those that are ways first."""
    slides = [Motion(CURVE, slide=1.0, letter=letter) for letter in LETTERS[:ways]]
    return (*slides, *(Motion(CURVE, turn=1.0, letter=letter) for letter in LETTERS[:angles]))


JOINT_TYPES: dict[str, JointType] = {
    joint_type.name: joint_type
    for joint_type in (
        JointType("free", "Moves and turns freely; for the root", (Motion(FREE),)),
        JointType("spherical", "Turns about all axes", (Motion(BALL),)),
        JointType("revolute", "Turns about one axis", (turning(),)),
        JointType("fixed", "Does not move"),
        JointType("prismatic", "Slides along one axis", (sliding(),)),
        JointType("cylindrical", "Slides along one axis and turns about it", (sliding(), turning())),
        JointType(
            "planar",
            "Slides along x and y of the joint frame and turns about z",
            (sliding("x"), sliding("y"), turning("z")),
        ),
        JointType(
            "universal",
            "Turns about y of the parent's joint frame and about x of the child's",
            (turning("y"), turning("x")),
        ),
        JointType(
            "bushing",
            "Slides along all axes and turns about all axes, held by springs",
            (sliding("x"), sliding("y"), sliding("z"), Motion(BALL)),
        ),
        JointType(
            "gimbal",
            "Turns about z of the parent's joint frame, then about y, then about x of the child's",
            (turning("z"), turning("y"), turning("x")),
        ),
        JointType("custom", "Turns and slides by functions of its coordinates", driven(3, 3)),
    )
}
"""Numbers that Blender saves are places in this order: add new types at the end. The motions of a custom joint are
those of its own coordinates (`Joint.kind`); here are the most that it can have."""
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
