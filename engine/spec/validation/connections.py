"""Checks on springs, belts, welds and couplers: what they hang on is there, and their fields fit each other."""

from collections.abc import Callable

from .. import JOINT_TYPES, Belt, Coupler, Joint, Model, Point, Scenario
from .fields import place_of
from .issue import Issue, error, warning


def connection_issues(
    owner: Model | Scenario, point_issues: Callable[[str, Point], list[Issue]]
) -> list[Issue]:
    """Of the springs, belts and welds of a model or a scenario; `point_issues` knows their bodies."""
    issues = []
    for spring in owner.springs:
        issues += point_issues(place_of(spring), spring.start) + point_issues(place_of(spring), spring.end)
    for weld in owner.welds:
        issues += point_issues(place_of(weld), weld.start) + point_issues(place_of(weld), weld.end)
        if weld.line is not None and not any(weld.line):
            issues.append(error(place_of(weld), "its line has no direction", "Give a direction"))
    for belt in owner.belts:
        issues += belt_issues(place_of(belt), belt)
        for point in belt.points:
            issues += point_issues(place_of(belt), point)
    return issues


def belt_issues(place: str, belt: Belt) -> list[Issue]:
    """Two points or more, a mark for each, both ends clamped."""
    if len(belt.points) < 2 or len(belt.slip) != len(belt.points):
        message = f"it has {len(belt.points)} points and {len(belt.slip)} slip marks"
        return [error(place, message, "Give it two or more points and one mark for each")]
    if belt.slip[0] or belt.slip[-1]:
        return [error(place, "one of its ends slips", "Clamp both ends (slip off)")]
    return []


def coupler_issues(coupler: Coupler, joints: dict[str, Joint]) -> list[Issue]:
    """Two different joints of the model, neither of them free."""
    place = place_of(coupler)
    names = (coupler.leader, coupler.follower)
    unknown = [name for name in names if name not in joints]
    if unknown:
        return [error(place, f"unknown joint '{name}'", "Name a joint of the model") for name in unknown]
    if coupler.leader == coupler.follower:
        return [error(place, f"it ties joint '{coupler.leader}' to itself", "Name another leader")]
    kinds = [(name, joints[name].kind) for name in names if joints[name].type in JOINT_TYPES]
    remedy = "Name a joint that turns"
    free = [name for name, kind in kinds if kind.is_free]
    still = [name for name, kind in kinds if not kind.moves]
    issues = [error(place, f"it cannot hold the free joint '{name}'", remedy) for name in free]
    for name, kind in kinds:
        if kind.resists and kind.motion_of(coupler.axis) is None:
            message = f"the {kind.name} joint '{name}' does not move in the axis '{coupler.axis}'"
            issues.append(error(place, message, f"Use one of {', '.join(kind.axes)}"))
    return issues + [
        warning(place, f"it has no effect on the fixed joint '{name}'", remedy) for name in still
    ]
