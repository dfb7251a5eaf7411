"""Checks on what the fields of a joint mean together, and on what acts in it."""

from collections.abc import Sequence
from math import hypot

import numpy as np

from .. import JOINT_TYPES, AxisLimits, ConeLimits, Joint, JointBreak, JointSpring, SlideLimits
from ..joint_functions import MOST, SHIFT, TURN, JointFunction, coordinate_names
from ..joint_types import JointType
from .fields import is_sound
from .issue import Issue, error

LEAST_LENGTH = 1e-6
"""Of a direction."""


def joint_issues(place: str, joint: Joint, bodies: set[str]) -> list[Issue]:
    """Ends and axis of a joint, its limits and its cone."""
    issues = []
    if joint.parent is not None and joint.parent not in bodies:
        message = f"its parent '{joint.parent}' is not a body"
        issues.append(error(place, message, "Name a body, or the ground"))
    if joint.child not in bodies:
        message = f"its child '{joint.child}' is not a body"
        issues.append(error(place, message, "Name a body of the model"))
    kind = joint.kind if joint.type in JOINT_TYPES else None
    if kind is not None and kind.is_free and joint.parent is not None:
        message = "a free joint has a parent body"
        issues.append(error(place, message, "Only the root may be free; use spherical"))
    if kind is not None and kind.has_axis and abs(hypot(*joint.axis) - 1.0) > 1e-6:
        issues.append(error(place, f"its axis {joint.axis} is not of unit length", "Normalize the axis"))
    if joint.type in JOINT_TYPES:
        issues += function_issues(place, joint)
    if joint.limits is not None:
        issues += limit_issues(f"{place}, limits", joint.limits)
    if joint.cone is not None:
        if kind is not None and not kind.is_ball:
            message = f"a {joint.type} joint has a cone"
            issues.append(error(place, message, "Only a spherical joint has a cone"))
        issues += cone_issues(f"{place}, cone", joint.cone)
    if kind is not None:
        issues += sliding_issues(place, joint, kind)
        for number, spring in enumerate(joint.springs):
            issues += spring_issues(f"{place}, spring {number}", spring, kind)
        for number, found in enumerate(joint.breaks):
            issues += break_issues(f"{place}, break {number}", found, kind)
    return issues


def function_issues(place: str, joint: Joint) -> list[Issue]:
    """A custom joint has functions, up to three turns and three shifts, and every coordinate moves it."""
    if not JOINT_TYPES[joint.type].by_functions:
        if not joint.functions and joint.ellipsoid is None:
            return []
        message = f"a {joint.type} joint has functions of coordinates"
        return [error(place, message, "Make it a custom joint, or take them away")]
    issues: list[Issue] = []
    if not all(map(is_sound, joint.functions)):
        return issues  # said of the fields themselves
    for motion in (TURN, SHIFT):
        if sum(function.motion == motion for function in joint.functions) > MOST:
            issues.append(error(place, f"it has more than {MOST} functions that {motion}", "Take some away"))
    for number, function in enumerate(joint.functions):
        issues += one_function_issues(f"{place}, function {number}", function)
    moved = {function.coordinate for function in joint.functions if not function.is_constant}
    for name in coordinate_names(joint.functions):
        if name not in moved:
            message = f"its coordinate '{name}' moves nothing"
            issues.append(error(place, message, "Give it a function that is not constant"))
    if not moved:
        message = "a custom joint has no coordinate"
        issues.append(error(place, message, "Give it functions of coordinates, or make it fixed"))
    return issues


def one_function_issues(place: str, function: JointFunction) -> list[Issue]:
    """Its direction is of unit length and its powers are whole; it is a polynomial or a spline, not both."""
    issues = []
    if abs(hypot(*function.direction) - 1.0) > 1e-6:
        message = f"its direction {function.direction} is not of unit length"
        issues.append(error(place, message, "Normalize the direction"))
    issues += power_issues(place, function.terms)
    if function.terms and function.points:
        issues.append(error(place, "it has a polynomial and a spline", "Keep one of them"))
    return issues


def power_issues(place: str, terms: Sequence[Sequence[float]]) -> list[Issue]:
    """The powers of a polynomial's terms (power, factor) are whole numbers; neither NaN nor infinity is one."""
    if any(power % 1 != 0 for power, _ in terms):
        return [error(place, "a power is not a whole number", "Use powers 0, 1, 2 and so on")]
    return []


def sliding_issues(place: str, joint: Joint, kind: JointType) -> list[Issue]:
    """What acts on sliding is given where it counts, and in order."""
    if joint.slide is None:
        return []
    if not kind.has_both:
        message = f"a {joint.type} joint has values for its sliding apart"
        remedy = "Give a prismatic joint its damping, limits, friction and motor as its own; others here do not slide"
        return [error(place, message, remedy)]
    limits = joint.slide.limits
    return limit_issues(f"{place}, slide, limits", limits) if limits is not None else []


def axis_issues(place: str, axis: str, kind: JointType) -> list[Issue]:
    """The joint moves about, or along, the axis."""
    if not kind.resists or kind.motion_of(axis) is not None:
        return []
    message = f"a {kind.name} joint does not move in the axis '{axis}'"
    return [error(place, message, f"Use one of {', '.join(kind.axes)}")]


def spring_issues(place: str, spring: JointSpring, kind: JointType) -> list[Issue]:
    """Its axis is one of the joint's; with hysteresis the curve goes through zero at zero and resists on both sides."""
    issues = axis_issues(place, spring.axis, kind)
    if spring.retention is None or len(spring.curve) < 2:
        return issues
    if (0.0, 0.0) not in [(float(x), float(y)) for x, y in spring.curve]:
        issues.append(error(place, "its curve with hysteresis has no point (0, 0)", "Add the point (0, 0)"))
    elif any(x * y > 0.0 for x, y in spring.curve):
        message = "its curve with hysteresis drives the joint away from zero"
        issues.append(error(place, message, "Give torques against the angle: negative for positive angles"))
    return issues


def break_issues(place: str, found: JointBreak, kind: JointType) -> list[Issue]:
    """It has a bound, and its axis is one of the joint's."""
    issues = [] if found.axis is None else axis_issues(place, found.axis, kind)
    if found.load is None and found.energy is None:
        issues.append(error(place, "nothing says when it gives way", "Give a load or an energy"))
    if not kind.resists:
        issues.append(
            error(
                place, f"a {kind.name} joint cannot give way", "Use one that springs hold, such as a bushing"
            )
        )
    return issues


def limit_issues(place: str, limits: AxisLimits | SlideLimits) -> list[Issue]:
    """No lower limit lies above its upper one."""
    if any(low > high for low, high in zip(limits.lower, limits.upper, strict=True)):
        return [error(place, "a lower limit lies above its upper limit", "Exchange them")]
    return []


def cone_issues(place: str, cone: ConeLimits) -> list[Issue]:
    """The three directions have a length, longitude zero does not point along the axis, the twist is in order."""
    issues = []
    for what in ("axis", "zero_longitude", "limb_axis"):
        if hypot(*getattr(cone, what)) <= LEAST_LENGTH:
            issues.append(error(place, f"{what.replace('_', ' ')} has no length", "Give a direction"))
    across = hypot(*np.cross(cone.axis, cone.zero_longitude))
    if not issues and across <= LEAST_LENGTH * hypot(*cone.axis) * hypot(*cone.zero_longitude):
        message = "zero longitude points along the cone axis"
        issues.append(error(place, message, "Give a direction across it"))
    if cone.twist is not None and cone.twist[0] > cone.twist[1]:
        issues.append(error(place, "the lowest twist lies above the highest", "Exchange them"))
    return issues
