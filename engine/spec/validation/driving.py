"""Checks on wheels and on what drivers do: axles and steering joints are there, and nothing is asked for twice."""

from ..drive import Wheel
from ..joint_types import JOINT_TYPES
from ..model import Joint, Model
from ..scenario import Actor
from .issue import Issue, error


def wheel_issues(wheel: Wheel, model: Model) -> list[Issue]:
    """A wheel turns on a hinge, has a tread, and is steered by a hinge."""
    place = f"wheel '{wheel.body}'"
    body = next((body for body in model.bodies if body.name == wheel.body), None)
    if body is None:
        return [error(place, "its body is not in the model", "Name a body of the model")]
    issues = []
    axle = next((joint for joint in model.joints if joint.child == wheel.body), None)
    if axle is None or not _is_hinge(axle):
        issues.append(error(place, "its body does not turn on a revolute joint", "Give it an axle"))
    if not body.ellipsoids:
        issues.append(
            error(place, "its body has no ellipsoid for a tread", "Give it the ellipsoid of a tyre")
        )
    if [other.body for other in model.wheels].count(wheel.body) > 1:
        issues.append(error(place, "it is listed twice", "Remove one"))
    if wheel.steering:
        joint = next((joint for joint in model.joints if joint.name == wheel.steering), None)
        if joint is None or not _is_hinge(joint):
            message = f"'{wheel.steering}' is no revolute joint, by which it could be steered"
            issues.append(error(place, message, "Name a joint that steers, or none"))
    return issues


def _is_hinge(joint: Joint) -> bool:
    return joint.type in JOINT_TYPES and joint.kind.is_hinge


def _steering_issues(place: str, actor: Actor, is_asked: bool) -> list[Issue]:
    """What is steered needs a motor or a rider who balances; a rider needs a bar that no motor holds."""
    joints = {wheel.steering for wheel in actor.model.wheels} - {""}
    held = {j.name for j in actor.model.joints if j.name in joints and j.motor is not None}
    held |= joints & actor.motors.keys()
    if actor.drive.balance and (not joints or held):
        message = "its drive balances it, and it is no two-wheeler whose front wheel steers freely"
        return [error(place, message, "Balance two-wheelers only")]
    if is_asked and not joints:
        return [error(place, "its drive steers, and no wheel can be steered", "Give no steering")]
    if is_asked and not actor.drive.balance and not held:
        message = "its drive steers, and nothing turns its front wheel"
        return [
            error(place, message, "Let the rider balance it (balance), or give its steering joint a motor")
        ]
    return []


def drive_issues(place: str, actor: Actor) -> list[Issue]:
    """A driver needs wheels, and one order at a time for speed and one for direction."""
    drive, model = actor.drive, actor.model
    if not model.wheels:
        message = "it has a driver, and its model has no wheels on tyres"
        return [error(place, message, "Use a vehicle with suspension, or take the drive away")]
    issues = []
    speeds = [name for name in ("braking", "pedal", "trace") if getattr(drive, name) is not None]
    has_angle = drive.trace is not None and any(len(row) > 2 for row in drive.trace)
    ways = [name for name in ("steering", "path") if getattr(drive, name) is not None]
    ways += ["trace"] if has_angle else []
    for given in (speeds, ways):
        if len(given) > 1:
            message = f"its drive gives {' and '.join(given)}, which both say the same thing"
            issues.append(error(place, message, "Keep one of them"))
    issues += _steering_issues(place, actor, bool(ways))
    if drive.keep_speed and drive.speed is None:
        issues.append(error(place, "its drive keeps a speed and gives none", "Give the speed"))
    if drive.path is not None and (len(drive.path) < 2 or _has_twins(drive.path)):
        message = "the path of its drive has less than two points, or two neighbours at one place"
        issues.append(error(place, message, "Give points apart from each other"))
    axles = {joint.name for wheel in model.wheels for joint in model.joints if joint.child == wheel.body}
    for name in sorted(axles & {*actor.motors, *(j.name for j in model.joints if j.motor is not None)}):
        message = f"joint '{name}' has a motor of its own, which would be the driver's brake"
        issues.append(error(place, message, "Take the motor away, or the drive"))
    return issues


def _has_twins(path: tuple) -> bool:
    return any(tuple(a) == tuple(b) for a, b in zip(path, path[1:], strict=False))
