"""Checks on a model: inertias, materials, joints and the tree they make, and what hangs on them."""

import numpy as np

from ...maths.inertia import inertia_matrix
from .. import Body, Joint, Model, Point
from .connections import connection_issues, coupler_issues
from .contact_meshes import contact_mesh_issues
from .driving import wheel_issues
from .fields import field_issues, place_of
from .issue import Issue, WrongType, error, repeated_names, warning
from .joints import joint_issues
from .materials import ellipsoid_issues, material_issues
from .muscles import muscle_issues

LEAST_INERTIA = 1e-24
"""kg m2: of a body of a microgram and a micrometre it is more."""


def model_issues(model: Model) -> list[Issue]:
    """Every problem of a model."""
    place = place_of(model)
    issues = field_issues(model, place, prefix="")
    if any(isinstance(issue, WrongType) for issue in issues):
        return issues
    if not model.bodies:
        return [*issues, error(place, "it has no bodies", "Add a body")]
    for kind, parts in (("body", model.bodies), ("joint", model.joints), ("material", model.materials)):
        issues += repeated_names(place, kind, (part.name for part in parts))
    materials = {material.name: material for material in model.materials}
    for material in model.materials:
        issues += material_issues(place_of(material), material)
    for body in model.bodies:
        issues += inertia_issues(place_of(body), body)
        issues += repeated_names(
            place_of(body), "ellipsoid", (ellipsoid.name for ellipsoid in body.ellipsoids)
        )
        for ellipsoid in body.ellipsoids:
            issues += ellipsoid_issues(f"{place_of(body)}, {place_of(ellipsoid)}", ellipsoid, materials)
        if body.surface is not None:
            issues += contact_mesh_issues(f"{place_of(body)}, contact mesh", body.surface, materials)
    bodies = {body.name for body in model.bodies}
    for joint in model.joints:
        issues += joint_issues(place_of(joint), joint, bodies)
    issues += tree_issues(model)
    issues += reference_issues(model, bodies)
    issues += muscle_issues(model)
    if not any(body.ellipsoids or body.surface for body in model.bodies):
        issues.append(warning(place, "no body has an ellipsoid, so nothing can touch it", "Add ellipsoids"))
    return issues


def inertia_issues(place: str, body: Body) -> list[Issue]:
    """Positive definite, and no principal moment larger than the sum of the other two (no mass is negative)."""
    matrix = inertia_matrix(body.inertia)
    if not np.isfinite(matrix).all():
        return []
    moments = np.linalg.eigvalsh(matrix)
    shown = ", ".join(f"{moment:.4g}" for moment in moments)
    if moments[0] < LEAST_INERTIA:
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


def tree_issues(model: Model) -> list[Issue]:
    """The joints must make one tree: one root, one parent per body, no cycle, nothing left out."""
    place = place_of(model)
    parents: dict[str, list[Joint]] = {}
    for joint in model.joints:
        parents.setdefault(joint.child, []).append(joint)
    issues = []
    for body in model.bodies:
        count = len(parents.get(body.name, []))
        if count == 0:
            remedy = "Connect it, or give it a free joint to the ground"
            issues.append(error(place_of(body), "no joint carries it", remedy))
        elif count > 1:
            names = ", ".join(f"'{joint.name}'" for joint in parents[body.name])
            message = f"it is the child of several joints ({names})"
            issues.append(error(place_of(body), message, "Keep one; close loops with a weld"))
    roots = [joint for joint in model.joints if joint.parent is None]
    if not roots:
        remedy = "Give the root body a free joint to the ground"
        issues.append(error(place, "no joint has the ground as parent", remedy))
    elif len(roots) > 1:
        names = ", ".join(f"'{joint.name}'" for joint in roots)
        remedy = "Keep one root; make another model of the rest"
        issues.append(error(place, f"several roots ({names})", remedy))
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
            message = "it is not reached from the root: its joints form a cycle"
            issues.append(error(place_of(body), message, "Break the cycle; close loops with a weld"))
    return issues


def reference_issues(model: Model, bodies: set[str]) -> list[Issue]:
    """Names used by springs, belts, welds, couplers and contact lists must exist."""

    def point_issues(place: str, point: Point) -> list[Issue]:
        if point.body is None or point.body in bodies:
            return []
        return [error(place, f"unknown body '{point.body}'", "Name a body of the model")]

    issues = connection_issues(model, point_issues)
    joints = {joint.name: joint for joint in model.joints}
    for coupler in model.couplers:
        issues += coupler_issues(coupler, joints)
    for wheel in model.wheels:
        issues += wheel_issues(wheel, model)
    for pair in [*model.contact_exclude, *model.contact_include]:
        for name in pair:
            if name not in bodies:
                issues.append(error("contact pairs", f"unknown body '{name}'", "Name a body of the model"))
    return issues
