"""Checks on what the fields of a joint mean together, and on what acts in it."""

from math import hypot

import numpy as np

from .. import JOINT_TYPES, AxisLimits, ConeLimits, Joint
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
    kind = JOINT_TYPES.get(joint.type)
    if kind is not None and kind.is_free and joint.parent is not None:
        message = "a free joint has a parent body"
        issues.append(error(place, message, "Only the root may be free; use spherical"))
    if kind is not None and kind.has_axis and abs(hypot(*joint.axis) - 1.0) > 1e-6:
        issues.append(error(place, f"its axis {joint.axis} is not of unit length", "Normalize the axis"))
    if joint.limits is not None:
        issues += limit_issues(f"{place}, limits", joint.limits)
    if joint.cone is not None:
        if kind is not None and not kind.is_ball:
            message = f"a {joint.type} joint has a cone"
            issues.append(error(place, message, "Only a spherical joint has a cone"))
        issues += cone_issues(f"{place}, cone", joint.cone)
    return issues


def limit_issues(place: str, limits: AxisLimits) -> list[Issue]:
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
