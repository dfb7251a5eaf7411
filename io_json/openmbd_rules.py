"""What a plain OpenMBD file leaves open, and how it is read. Every rule used adds a line to `model.notes`.

None of this applies to files with our extension, which are complete.
"""

import math

from ..engine import spec
from ..engine.spec.joint_types import ROOT_TYPE
from .model_keys import KEPT
from .transforms import rotate_back

DEFAULT_FORCE_CURVE: spec.Curve = ((0, 0), (0.01, 10000))
"""OpenMBD's loading curve for an ellipsoid without one (N over m)."""
THIN = 0.5
"""A disc has one semi-axis no longer than this share of the next longer one,"""
ROUND = 0.8
"""and the next longer one is at least this share of the longest."""

NO_LIMITS_NOTE = (
    "The file gives no joint limits, so the joints turn freely. Add limits, or apply a table of ranges."
)
"""Whoever gives such a model limits takes this line out of its notes."""

FLOATING_ROOTS = ("fixed", "spherical")
"""Joint types that OpenMBD lets float freely where they join a body to the ground."""
_TYPE = KEPT + "type"
_ADDED = KEPT + "added"


def apply(model: spec.Model) -> None:
    """Apply the rules in place, in this order."""
    _add_root(model)
    _free_roots(model)
    _fill_curves(model)
    wheels = _find_axes(model)
    _note_unused(model)
    if any(joint.kind.turns and joint.name not in wheels for joint in model.joints):
        model.notes.append(NO_LIMITS_NOTE)


def is_added(joint: spec.Joint) -> bool:
    """Whether this root joint is ours and not in the file."""
    return joint.extras.get(_ADDED, False)


def type_in_file(joint: spec.Joint) -> str:
    """The type as the file gives it, when it was changed on reading and not since."""
    return joint.extras.get(_TYPE, joint.type) if joint.kind.is_free else joint.type


def _add_root(model: spec.Model) -> None:
    """OpenMBD lets a tree without a joint to the ground float: its first body that no joint holds gets a free one."""
    held = {joint.child for joint in model.joints}
    roots = [body.name for body in model.bodies if body.name not in held]
    if len(roots) != 1 or any(joint.parent is None for joint in model.joints):
        return
    names = {joint.name for joint in model.joints}
    name = "root_joint" if "root_joint" not in names else f"root_joint of {roots[0]}"
    model.joints.append(spec.Joint(name, ROOT_TYPE, None, roots[0], extras={_ADDED: True}))
    model.notes.append(
        f"No joint holds the body {roots[0]!r} to the ground: it floats freely, as in OpenMBD."
    )


def _free_roots(model: spec.Model) -> None:
    """OpenMBD's rule: a fixed or spherical joint to the ground floats freely."""
    for joint in model.joints:
        if joint.parent is None and joint.type in FLOATING_ROOTS:
            joint.extras[_TYPE] = joint.type
            model.notes.append(
                f"Joint {joint.name!r}: {joint.type} to the ground in the file, read as free, as OpenMBD does."
            )
            joint.type = ROOT_TYPE


def _fill_curves(model: spec.Model) -> None:
    """OpenMBD gives an ellipsoid without a loading curve a stiffness of 1 kN/mm over its first centimetre."""
    without = [e for body in model.bodies for e in body.ellipsoids if not e.force_curve]
    for ellipsoid in without:
        ellipsoid.force_curve = DEFAULT_FORCE_CURVE
    if without:
        names = ", ".join(repr(ellipsoid.name) for ellipsoid in without[:5])
        more = f" and {len(without) - 5} more" if len(without) > 5 else ""
        model.notes.append(f"No force curve for {names}{more}: OpenMBD's default is used, 10 kN at 10 mm.")


def _find_axes(model: spec.Model) -> set[str]:
    """The format has no axis for revolute joints. A wheel turns about its axle, anything else about z of the joint.

    Returns the names of the wheels' joints.
    """
    wheels = set()
    bodies = {body.name: body for body in model.bodies}
    for joint in model.joints:
        if not joint.kind.has_axis:
            continue
        axle = _axle(bodies.get(joint.child))
        if axle is not None:
            wheels.add(joint.name)
            joint.axis = rotate_back(joint.T2, axle)
            shown = ", ".join(f"{component:g}" for component in joint.axis)
            model.notes.append(
                f"Joint {joint.name!r}: the file gives no axis. {joint.child!r} is a disc, so it turns about its axle "
                f"({shown}) of the joint frame; OpenMBD computes with z.{_doubt(bodies[joint.child], axle)}"
            )
        else:
            model.notes.append(
                f"Joint {joint.name!r}: the file gives no axis. It turns about z of the joint frame."
            )
    return wheels


def _doubt(body: spec.Body, axle: spec.Vector) -> str:
    """A disc has its largest moment of inertia about its axle. A file with other values was made for another axis."""
    xx, yy, zz, xy, yz, xz = body.inertia
    x, y, z = axle
    about_axle = xx * x * x + yy * y * y + zz * z * z - 2 * (xy * x * y + yz * y * z + xz * x * z)
    largest = max(xx, yy, zz)
    if about_axle >= 0.99 * largest:
        return ""
    return (
        f" Its inertia about the axle is {about_axle:g} kg m2, but {largest:g} about another axis: check it."
    )


def _axle(body: spec.Body | None) -> spec.Vector | None:
    """Thin direction of a body that is a disc (all its ellipsoids discs about one direction), in its frame."""
    if body is None or not body.ellipsoids:
        return None
    axles = [_thin_axis(ellipsoid) for ellipsoid in body.ellipsoids]
    first = axles[0]
    if any(axle is None or not _parallel(axle, first) for axle in axles):
        return None
    largest = max(first, key=abs)
    return first if largest > 0 else tuple(-component + 0 for component in first)


def _thin_axis(ellipsoid: spec.Ellipsoid) -> spec.Vector | None:
    """Unit direction of the short semi-axis of a disc, in the body frame."""
    small, middle, large = sorted(range(3), key=lambda i: ellipsoid.semi_axes[i])
    sizes = ellipsoid.semi_axes
    if not (
        sizes[small] > 0 and sizes[small] <= THIN * sizes[middle] and sizes[middle] >= ROUND * sizes[large]
    ):
        return None
    direction = tuple(row[small] for row in ellipsoid.orientation)
    length = math.hypot(*direction)
    if not 0.5 < length < 2.0:
        return None
    return direction if length == 1.0 else tuple(component / length for component in direction)


def _parallel(a: spec.Vector, b: spec.Vector) -> bool:
    return abs(sum(x * y for x, y in zip(a, b, strict=True))) > 0.999


def _note_unused(model: spec.Model) -> None:
    """Keys that look as if they did something, and do not: neither here nor in OpenMBD."""
    if "contact_pairs" in model.extras:
        model.notes.append(
            "'contact_pairs' is kept in the file and not used (OpenMBD does not read it either)."
        )
    for joint in model.joints:
        if "initial_velocity" in joint.extras:
            model.notes.append(
                f"Joint {joint.name!r}: 'initial_velocity' is kept in the file and not used (OpenMBD does not read it "
                "either). Give the velocity in the scenario."
            )
