"""Checks on a model: masses, inertias, ellipsoids, joints and the tree they make."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..spec import (
    CONTACT_LAWS,
    JOINT_TYPES,
    Belt,
    Body,
    ConeLimits,
    Coupler,
    Ellipsoid,
    Joint,
    Material,
    Model,
    Motor,
    SpringDamper,
    Weld,
)
from ..tree import inertia_matrix
from .issue import (
    Issue,
    curve_issues,
    duplicate_issues,
    error,
    finite_issues,
    is_number,
    number_issues,
    rotation_issues,
    transform_issues,
    vector_issues,
    warning,
)
from .muscles import muscle_issues

LARGEST_MASS = 1e6
"""kg"""
LARGEST_SIZE = 1e3
"""m"""


def inertia_issues(place: str, body: Body) -> list[Issue]:
    """Positive definite, and no principal moment larger than the sum of the other two (no mass is negative)."""
    issues = vector_issues(place, "inertia", body.inertia, 6)
    if issues:
        return issues
    moments = np.linalg.eigvalsh(inertia_matrix(body.inertia))
    shown = ", ".join(f"{moment:.4g}" for moment in moments)
    if moments[0] <= 0.0:
        return [
            error(
                place,
                f"inertia is not positive definite (principal moments {shown} kg m2)",
                "Check the moments and the sign of the products of inertia, or compute them from the ellipsoids",
            )
        ]
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-6):
        return [
            error(
                place,
                f"inertia breaks the triangle inequality (principal moments {shown} kg m2)",
                "No rigid body has one principal moment above the sum of the other two; correct the inertia",
            )
        ]
    return []


def material_issues(place: str, material: Material) -> list[Issue]:
    """A material must name a known law and carry sensible numbers for it."""
    if material.law not in CONTACT_LAWS:
        return [
            error(place, f"unknown contact law '{material.law}'", f"Use one of {', '.join(CONTACT_LAWS)}")
        ]
    issues = []
    if material.law == "curve":
        if material.loading:
            issues += force_curve_issues(place, "loading curve", material.loading)
        if material.unloading is not None:
            issues += force_curve_issues(place, "unloading curve", material.unloading)
        issues += number_issues(place, "energy retention", material.energy_retention, 0.0, 1.0)
        if material.beyond_last not in ("extend", "hold"):
            issues.append(error(place, f"beyond_last is '{material.beyond_last}'", "Use extend or hold"))
    else:
        issues += number_issues(place, "stiffness", material.stiffness, 1e-9, 1e15)
        issues += number_issues(place, "exponent", material.exponent, 1.0, 3.0)
        if material.law == "lankarani_nikravesh":
            issues += number_issues(place, "restitution", material.restitution, 0.01, 1.0)
    issues += number_issues(place, "damping", material.damping, 0.0, 1e9)
    for what in ("static_friction", "dynamic_friction"):
        value = getattr(material, what)
        if value is not None:
            issues += number_issues(place, what.replace("_", " "), value, 0.0, 10.0)
    return issues


def force_curve_issues(place: str, what: str, curve: object) -> list[Issue]:
    """Force over penetration: starts at (0, 0), never negative."""
    issues = curve_issues(place, what, curve)
    if issues:
        return issues
    points = np.array(curve, dtype=float)
    if points[0, 0] != 0.0 or points[0, 1] != 0.0:
        issues.append(error(place, f"{what} starts at {points[0].tolist()}", "Start it at (0, 0)"))
    if (points[:, 1] < 0.0).any():
        issues.append(
            error(place, f"{what} has a negative force", "A contact cannot pull; correct the curve")
        )
    return issues


def ellipsoid_issues(place: str, ellipsoid: Ellipsoid, materials: set[str]) -> list[Issue]:
    """Semi-axes positive, a pure rotation, curves in order, a known material."""
    issues = vector_issues(place, "semi-axes", ellipsoid.semi_axes)
    for value in ellipsoid.semi_axes if not issues else ():
        issues += number_issues(place, "a semi-axis", value, 1e-6, LARGEST_SIZE)
    issues += vector_issues(place, "position", ellipsoid.position)
    issues += rotation_issues(place, "orientation", ellipsoid.orientation)
    if ellipsoid.force_curve:
        issues += force_curve_issues(place, "force curve", ellipsoid.force_curve)
    if ellipsoid.unload_curve is not None:
        issues += force_curve_issues(place, "unload curve", ellipsoid.unload_curve)
    if ellipsoid.material and ellipsoid.material not in materials:
        issues.append(
            error(place, f"unknown material '{ellipsoid.material}'", "Add it to the model's materials")
        )
    return issues


def body_issues(model: Model, body: Body) -> list[Issue]:
    """Mass, inertia, centre of mass and ellipsoids of one body."""
    place = f"body '{body.name}'"
    issues = number_issues(place, "mass", body.mass, 1e-9, LARGEST_MASS)
    issues += inertia_issues(place, body)
    issues += vector_issues(place, "centre of mass", body.center_of_mass)
    issues += duplicate_issues(place, "ellipsoid", (ellipsoid.name for ellipsoid in body.ellipsoids))
    materials = {material.name for material in model.materials}
    for ellipsoid in body.ellipsoids:
        issues += ellipsoid_issues(f"{place}, ellipsoid '{ellipsoid.name}'", ellipsoid, materials)
    return issues


def joint_issues(model: Model, joint: Joint) -> list[Issue]:
    """Type, ends, frames and axis of one joint, and the numbers of what acts in it."""
    place = f"joint '{joint.name}'"
    issues = []
    names = {body.name for body in model.bodies}
    if joint.type not in JOINT_TYPES:
        issues.append(error(place, f"unknown type '{joint.type}'", f"Use one of {', '.join(JOINT_TYPES)}"))
    if joint.parent is not None and joint.parent not in names:
        issues.append(
            error(place, f"its parent '{joint.parent}' is not a body", "Name a body, or the ground")
        )
    if joint.child not in names:
        issues.append(error(place, f"its child '{joint.child}' is not a body", "Name a body of the model"))
    if joint.type == "free" and joint.parent is not None:
        issues.append(
            error(place, "a free joint has a parent body", "Only the root may be free; use spherical")
        )
    issues += transform_issues(place, "T1", joint.T1)
    issues += transform_issues(place, "T2", joint.T2)
    if joint.type == "revolute":
        issues += vector_issues(place, "axis", joint.axis)
        if not issues and abs(np.linalg.norm(joint.axis) - 1.0) > 1e-6:
            issues.append(error(place, f"its axis {joint.axis} is not of unit length", "Normalize the axis"))
    return issues + joint_force_issues(place, joint)


def joint_force_issues(place: str, joint: Joint) -> list[Issue]:
    """Damping, limits, friction, springs and motor of one joint."""
    issues = []
    if joint.damping is not None:
        issues += number_issues(place, "damping", joint.damping, 0.0, 1e6)
    if joint.limits is not None:
        limits = joint.limits
        issues += vector_issues(place, "lower limits", limits.lower)
        issues += vector_issues(place, "upper limits", limits.upper)
        if not issues and any(low > high for low, high in zip(limits.lower, limits.upper, strict=True)):
            issues.append(error(place, "a lower limit lies above its upper limit", "Exchange them"))
        issues += number_issues(place, "limit stiffness", limits.stiffness, 0.0, 1e7)
        issues += number_issues(place, "limit damping", limits.damping, 0.0, 1e6)
    if joint.cone is not None:
        if joint.type != "spherical":
            issues.append(
                error(place, f"a {joint.type} joint has a cone", "Only a spherical joint has a cone")
            )
        issues += vector_issues(place, "cone quadrant angles", joint.cone.quadrant_angles, 4)
        issues += number_issues(place, "cone width", joint.cone.width, 0.1, 180.0)
        issues += number_issues(place, "cone torque", joint.cone.torque, 0.0, 1e6)
        issues += cone_axis_issues(place, joint.cone)
    if joint.friction is not None:
        issues += number_issues(place, "friction torque", joint.friction.torque, 0.0, 1e6)
    for spring in joint.springs:
        issues += curve_issues(place, f"spring about {spring.axis}", spring.curve)
        if spring.axis not in ("x", "y", "z"):
            issues.append(error(place, f"a spring turns about '{spring.axis}'", "Use x, y or z"))
    if joint.motor is not None:
        issues += number_issues(place, "motor stiffness", joint.motor.stiffness, 0.0, 1e7)
        issues += number_issues(place, "motor damping", joint.motor.damping, 0.0, 1e6)
        issues += motor_issues(f"{place}, motor", joint.motor)
    return issues


def cone_axis_issues(place: str, cone: ConeLimits) -> list[Issue]:
    """The three directions of a cone must have a length, and longitude zero must not point along the axis."""
    issues = []
    for what in ("axis", "zero_longitude", "limb_axis"):
        name = f"cone {what.replace('_', ' ')}"
        bad = vector_issues(place, name, getattr(cone, what))
        if not bad and not np.linalg.norm(getattr(cone, what)) > 1e-6:
            bad = [error(place, f"{name} has no length", "Give a direction")]
        issues += bad
    if not issues and np.linalg.norm(np.cross(cone.axis, cone.zero_longitude)) < 1e-6:
        issues.append(
            error(place, "cone zero longitude points along the cone axis", "Give a direction across it")
        )
    if cone.twist is not None:
        issues += vector_issues(place, "cone twist", cone.twist, 2)
        if not issues and cone.twist[0] > cone.twist[1]:
            issues.append(error(place, "the lowest cone twist lies above the highest", "Exchange them"))
    return issues


def motor_issues(place: str, motor: Motor) -> list[Issue]:
    """What a motor aims at, its bound and its curves over time."""
    issues = []
    for what in ("target", "target_velocity", "base_torque"):
        issues += vector_issues(place, what.replace("_", " "), getattr(motor, what))
    if not is_number(motor.max_torque) and motor.max_torque != float("inf"):
        issues.append(
            error(place, f"its largest torque is {motor.max_torque!r}", "Give a number, or leave it out")
        )
    elif motor.max_torque < 0.0:
        issues.append(error(place, f"its largest torque is {motor.max_torque:g}", "Give a number above 0"))
    if motor.gain_over_time is not None:
        issues += curve_issues(place, "gain over time", motor.gain_over_time)
    if motor.target_over_time is not None:
        rows = [tuple(row)[:2] for row in motor.target_over_time]
        issues += curve_issues(place, "target over time", rows)
    return issues


def tree_issues(model: Model) -> list[Issue]:
    """The joints must make one tree: one root, one parent per body, no cycle, nothing left out."""
    place = f"model '{model.name}'"
    parents: dict[str, list[Joint]] = {}
    for joint in model.joints:
        parents.setdefault(joint.child, []).append(joint)
    issues = []
    for body in model.bodies:
        count = len(parents.get(body.name, []))
        if count == 0:
            issues.append(
                error(
                    f"body '{body.name}'",
                    "no joint carries it",
                    "Connect it, or give it a free joint to the ground",
                )
            )
        elif count > 1:
            names = ", ".join(f"'{joint.name}'" for joint in parents[body.name])
            issues.append(
                error(
                    f"body '{body.name}'",
                    f"it is the child of several joints ({names})",
                    "Keep one; close loops with a weld",
                )
            )
    roots = [joint for joint in model.joints if joint.parent is None]
    if not roots:
        issues.append(
            error(place, "no joint has the ground as parent", "Give the root body a free joint to the ground")
        )
    elif len(roots) > 1:
        names = ", ".join(f"'{joint.name}'" for joint in roots)
        issues.append(
            error(place, f"several roots ({names})", "Keep one root; make another model of the rest")
        )
    return issues + cycle_issues(model)


def cycle_issues(model: Model) -> list[Issue]:
    """Bodies from which the way to the parent, and its parent, and so on, never ends at the ground."""
    parent = {joint.child: joint.parent for joint in model.joints}
    issues = []
    for body in model.bodies:
        seen: set[str | None] = set()
        at: str | None = body.name
        while at in parent and at not in seen:
            seen.add(at)
            at = parent[at]
        if at in seen:
            issues.append(
                error(
                    f"body '{body.name}'",
                    "it is not reached from the root: its joints form a cycle",
                    "Break the cycle; close loops with a weld",
                )
            )
    return issues


def connection_number_issues(place: str, item: SpringDamper | Belt | Weld | Coupler) -> list[Issue]:
    """Numbers of a connection: finite, and stiffness, damping and the like not negative."""
    bare = replace(item, points=[]) if isinstance(item, Belt) else item
    if isinstance(item, (SpringDamper, Weld)):
        bare = replace(item, start=None, end=None)  # points have their own check
    issues = finite_issues(place, bare)
    sizes = (
        "stiffness",
        "damping",
        "rotational_stiffness",
        "rotational_damping",
        "rest_length",
        "slack",
        "break_force",
    )
    for what in sizes if not issues else ():
        value = getattr(item, what, None)
        if value is not None and value < 0.0:
            name = what.replace("_", " ")
            issues.append(error(place, f"{name} is {value:g}", f"Give {name} a number of 0 or more"))
    if isinstance(item, Belt) and (len(item.points) < 2 or len(item.slip) != len(item.points)):
        issues.append(
            error(
                place,
                f"it has {len(item.points)} points and {len(item.slip)} slip marks",
                "Give it two or more points and one mark for each",
            )
        )
    return issues


def reference_issues(model: Model) -> list[Issue]:
    """Names used by springs, belts, welds, couplers and contact lists must exist."""
    bodies = {body.name for body in model.bodies}
    joints = {joint.name for joint in model.joints}
    issues = []
    ends = [(f"spring '{item.name}'", [item.start, item.end]) for item in model.springs]
    ends += [(f"weld '{item.name}'", [item.start, item.end]) for item in model.welds]
    ends += [(f"belt '{item.name}'", item.points) for item in model.belts]
    for place, points in ends:
        for point in points:
            if point.body is not None and point.body not in bodies:
                issues.append(error(place, f"unknown body '{point.body}'", "Name a body of the model"))
            issues += vector_issues(place, "a point", point.position)
    for kind in ("spring", "belt", "weld", "coupler"):
        for item in getattr(model, f"{kind}s"):
            issues += connection_number_issues(f"{kind} '{item.name}'", item)
    for coupler in model.couplers:
        for name in (coupler.leader, coupler.follower):
            if name not in joints:
                issues.append(
                    error(f"coupler '{coupler.name}'", f"unknown joint '{name}'", "Name a joint of the model")
                )
    for pair in [*model.contact_exclude, *model.contact_include]:
        for name in pair:
            if name not in bodies:
                issues.append(error("contact pairs", f"unknown body '{name}'", "Name a body of the model"))
    return issues


def model_issues(model: Model) -> list[Issue]:
    """Every problem of a model."""
    place = f"model '{model.name}'"
    if not model.bodies:
        return [error(place, "it has no bodies", "Add a body")]
    issues = duplicate_issues(place, "body", (body.name for body in model.bodies))
    issues += duplicate_issues(place, "joint", (joint.name for joint in model.joints))
    issues += duplicate_issues(place, "material", (material.name for material in model.materials))
    for body in model.bodies:
        issues += body_issues(model, body)
    for joint in model.joints:
        issues += joint_issues(model, joint)
    for material in model.materials:
        issues += material_issues(f"material '{material.name}'", material)
    issues += tree_issues(model)
    issues += reference_issues(model)
    issues += muscle_issues(model)
    if not any(body.ellipsoids for body in model.bodies):
        issues.append(warning(place, "no body has an ellipsoid, so nothing can touch it", "Add ellipsoids"))
    return issues
