"""Checks on muscles: their paths, the surfaces in the way, and what excites them."""

from fnmatch import fnmatchcase
from math import hypot

from .. import JOINT_TYPES, Actor, Joint, Model, Muscle, WrapSurface
from .fields import place_of
from .issue import Issue, error, repeated_names
from .joints import power_issues

SHORTEST_ELASTIC_TENDON = 1e-4
"""m"""


def muscle_issues(model: Model) -> list[Issue]:
    """Every problem of the muscles and wrap surfaces of a model whose fields are right one by one."""
    place = place_of(model)
    issues = repeated_names(place, "muscle", (muscle.name for muscle in model.muscles))
    issues += repeated_names(place, "wrap surface", (surface.name for surface in model.wrap_surfaces))
    bodies = {body.name: {e.name for e in body.ellipsoids} for body in model.bodies}
    for surface in model.wrap_surfaces:
        issues += surface_issues(surface, bodies)
    surfaces = {surface.name for surface in model.wrap_surfaces}
    joints = {joint.name: joint for joint in model.joints}
    for muscle in model.muscles:
        issues += path_issues(place_of(muscle), muscle, bodies)
        issues += coordinate_issues(place_of(muscle), muscle, joints)
        issues += wrap_issues(place_of(muscle), muscle, surfaces)
        issues += unit_issues(place_of(muscle), muscle)
    return issues


def surface_issues(surface: WrapSurface, bodies: dict[str, set[str]]) -> list[Issue]:
    """A surface needs a body, and where it takes an ellipsoid, one that is there."""
    place = place_of(surface)
    if surface.body not in bodies:
        return [error(place, f"unknown body '{surface.body}'", "Name a body of the model")]
    issues = []
    if surface.ellipsoid and surface.ellipsoid not in bodies[surface.body]:
        remedy = f"Name an ellipsoid of '{surface.body}', or give semi-axes"
        issues.append(error(place, f"'{surface.body}' has no ellipsoid '{surface.ellipsoid}'", remedy))
    if surface.ellipsoid and surface.shape != "ellipsoid":
        remedy = "Choose the shape ellipsoid"
        issues.append(error(place, f"it takes an ellipsoid and is a {surface.shape}", remedy))
    return issues


def path_issues(place: str, muscle: Muscle, bodies: dict[str, set[str]]) -> list[Issue]:
    """Two points or more, on bodies of the model, not all on one body."""
    if len(muscle.path) < 2:
        return [error(place, f"its path has {len(muscle.path)} points", "Give an origin and an insertion")]
    issues = []
    for i, point in enumerate(muscle.path):
        if point.body not in bodies:
            message = f"path point {i} is on the unknown body '{point.body}'"
            issues.append(error(place, message, "Name a body of the model"))
    if not issues and len({point.body for point in muscle.path}) == 1 and not muscle.wraps:
        body = muscle.path[0].body
        issues.append(error(place, f"its whole path is on '{body}'", "Put a point on another body"))
    for i, (a, b) in enumerate(zip(muscle.path, muscle.path[1:], strict=False)):
        still = not (a.shifts or b.shifts)
        if not issues and still and a.body == b.body and tuple(a.position) == tuple(b.position):
            issues.append(error(place, f"path points {i} and {i + 1} are the same", "Remove one of them"))
    return issues


def coordinate_issues(place: str, muscle: Muscle, joints: dict[str, Joint]) -> list[Issue]:
    """What moves a path point or decides on it is a coordinate of a joint; the ends of a path are always there."""
    issues = []
    for number, point in enumerate(muscle.path):
        where = f"{place}, path point {number}"
        for followed in [*point.shifts, *([point.when] if point.when is not None else [])]:
            joint = joints.get(followed.joint)
            if joint is None:
                issues.append(error(where, f"unknown joint '{followed.joint}'", "Name a joint of the model"))
            elif joint.type in JOINT_TYPES and not has_number(joint, followed.axis):
                message = (
                    f"the {joint.type} joint '{joint.name}' has no coordinate in the axis '{followed.axis}'"
                )
                issues.append(error(where, message, "Name a joint that turns or slides about single axes"))
        for shift in point.shifts:
            issues += power_issues(where, shift.terms)
            if abs(hypot(*shift.direction) - 1.0) > 1e-6:
                message = f"the direction {shift.direction} of a shift is not of unit length"
                issues.append(error(where, message, "Normalize the direction"))
        if point.when is not None and number in (0, len(muscle.path) - 1):
            message = "an end of the path is there under a condition only"
            issues.append(error(where, message, "Take the condition away, or add a point"))
    return issues


def has_number(joint: Joint, axis: str) -> bool:
    """Whether a joint has a single coordinate in an axis."""
    found = joint.kind.motion_of(axis)
    return found is not None and joint.kind.motions[found].has_one_number


def wrap_issues(place: str, muscle: Muscle, surfaces: set[str]) -> list[Issue]:
    """Wraps must name surfaces and stretches that are there."""
    issues = []
    last = len(muscle.path) - 2
    for wrap in muscle.wraps:
        if wrap.surface not in surfaces:
            message = f"unknown wrap surface '{wrap.surface}'"
            issues.append(error(place, message, "Add it to the model's wrap surfaces"))
        if wrap.segment is not None and wrap.segment > last:
            message = f"wrap '{wrap.surface}' is on stretch {wrap.segment}"
            issues.append(error(place, message, f"Choose a stretch from 0 to {last}, or leave it out"))
        if wrap.side is not None and not any(wrap.side):
            issues.append(error(place, f"side of wrap '{wrap.surface}' has no length", "Give a direction"))
    return issues


def unit_issues(place: str, muscle: Muscle) -> list[Issue]:
    """An elastic tendon has a length, and the velocity of the fibre is defined; an actuator has neither."""
    issues = []
    if muscle.form == "actuator":
        if muscle.tendon != "rigid":
            issues.append(error(place, "an actuator has no elastic tendon", "Choose a rigid tendon"))
        return issues
    if muscle.tendon == "elastic" and 0.0 <= muscle.tendon_slack_length < SHORTEST_ELASTIC_TENDON:
        message = f"tendon slack length is {muscle.tendon_slack_length:g}"
        remedy = f"Choose {SHORTEST_ELASTIC_TENDON:g} m or more, or a rigid tendon"
        issues.append(error(place, message, remedy))
    if muscle.damping == 0.0 and muscle.activation.minimum == 0.0:
        message = "without damping its fibre velocity is undefined at zero activation"
        remedy = "Give damping (0.1 is usual), or a minimum activation such as 0.01"
        issues.append(error(place, message, remedy))
    return issues


def override_issues(actor: Actor) -> list[Issue]:
    """An actor's excitations must fit a muscle of its model."""
    names = [muscle.name for muscle in actor.model.muscles]
    issues = []
    for pattern in actor.excitations:
        if not any(fnmatchcase(name, pattern) for name in names):
            remedy = "Name a muscle of the model, or use a pattern such as * that fits one"
            message = f"excitations names the unknown muscle '{pattern}'"
            issues.append(error(place_of(actor), message, remedy))
    return issues
