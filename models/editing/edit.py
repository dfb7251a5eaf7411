"""Changes to a model that a person asks for, on the spec alone: bodies, ellipsoids and joints.

Bodies stay where they are at rest whatever is changed around them. `edit_actor` applies these to an actor.
"""

import copy
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...engine.spec import IDENTITY4, JOINT_TYPES, Body, Ellipsoid, Joint, JointFunction, Model
from ...engine.spec.joint_types import LIMB_TYPE, ROOT_TYPE
from .errors import EditError
from .names import unique_name
from .rest_layout import lay_out

NEW_MASS = 1.0
NEW_RADIUS = 0.05
"""Metres: radius of a new ellipsoid."""
NEW_CURVE = ((0.0, 0.0), (0.01, 1000.0), (0.05, 10000.0))
"""Force (N) over penetration (m) of a new ellipsoid: a start to be replaced by a sourced curve."""


def find_body(model: Model, name: str) -> Body:
    """Body by name."""
    for body in model.bodies:
        if body.name == name:
            return body
    raise EditError(f"model '{model.name}' has no body '{name}'")


def joint_of(model: Model, body: str) -> Joint | None:
    """Joint that carries a body."""
    return next((joint for joint in model.joints if joint.child == body), None)


def find_joint(model: Model, body: str) -> Joint:
    """Joint that carries a body; an error where there is none."""
    joint = joint_of(model, body)
    if joint is None:
        raise EditError(f"body '{body}' has no joint: add one first")
    return joint


def as_rows(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """(4, 4) matrix as a spec has it."""
    return tuple(tuple(float(x) + 0.0 for x in row) for row in np.round(matrix, 12))


def solid_sphere_inertia(mass: float, radius: float) -> tuple[float, ...]:
    """Inertia of a solid sphere, 2/5 m r^2 about every axis."""
    moment = 0.4 * mass * radius**2
    return (moment, moment, moment, 0.0, 0.0, 0.0)


def add_body(
    model: Model, name: str, parent: str | None, position: Sequence[float], joint_type: str = ""
) -> Body:
    """New body with one ellipsoid at a point of the actor at rest (metres), joined there to its parent."""
    wanted = unique_name(name, {body.name for body in model.bodies})
    ellipsoid = Ellipsoid(wanted, (NEW_RADIUS,) * 3, force_curve=NEW_CURVE)
    body = Body(wanted, NEW_MASS, solid_sphere_inertia(NEW_MASS, NEW_RADIUS), ellipsoids=[ellipsoid])
    base = np.identity(4)
    if parent is not None:
        find_body(model, parent)
        base = lay_out(model)[parent].frame
    place = np.identity(4)
    place[:3, 3] = [float(x) for x in position]
    kind = joint_type or (LIMB_TYPE if parent is not None else ROOT_TYPE)
    joint_name = unique_name(f"{wanted}_joint", {joint.name for joint in model.joints})
    model.bodies.append(body)
    model.joints.append(
        Joint(joint_name, kind, parent, wanted, as_rows(np.linalg.inv(base) @ place), IDENTITY4)
    )
    return body


def duplicate_body(model: Model, name: str, shift: Sequence[float]) -> Body:
    """Copy of a body, its ellipsoids and its joint, shifted in the actor at rest; it has the same parent."""
    body = copy.deepcopy(find_body(model, name))
    frame = lay_out(model)[name].frame
    body.name = unique_name(name, {b.name for b in model.bodies})
    joint = copy.deepcopy(find_joint(model, name))
    base = lay_out(model)[joint.parent].frame if joint.parent is not None else np.identity(4)
    frame = frame.copy()
    frame[:3, 3] += [float(x) for x in shift]
    joint.name = unique_name(joint.name, {j.name for j in model.joints})
    joint.child = body.name
    joint.T1 = as_rows(np.linalg.inv(base) @ frame @ np.array(joint.T2, dtype=float))
    model.bodies.append(body)
    model.joints.append(joint)
    return body


def remove_body(model: Model, name: str) -> None:
    """Take a body out, with its joint and everything that refers to it; its children are joined to its parent."""
    find_body(model, name)
    joint = joint_of(model, name)
    parent = joint.parent if joint is not None else None
    for child in [j for j in model.joints if j.parent == name]:
        if parent is None:
            child.type = ROOT_TYPE
        set_parent(model, child.child, parent)
    model.bodies = [body for body in model.bodies if body.name != name]
    model.joints = [j for j in model.joints if j.child != name]
    gone = joint.name if joint is not None else None
    model.couplers = [c for c in model.couplers if gone not in (c.leader, c.follower)]
    model.springs = [s for s in model.springs if name not in (s.start.body, s.end.body)]
    model.welds = [w for w in model.welds if name not in (w.start.body, w.end.body)]
    model.belts = [b for b in model.belts if name not in [point.body for point in b.points]]
    model.contact_exclude = [pair for pair in model.contact_exclude if name not in pair]
    model.contact_include = [pair for pair in model.contact_include if name not in pair]
    model.muscles = [m for m in model.muscles if name not in [point.body for point in m.path]]
    remove_wrap_surfaces(model, {surface.name for surface in model.wrap_surfaces if surface.body == name})


def remove_wrap_surfaces(model: Model, names: set[str]) -> None:
    """Take wrap surfaces out; muscles pass where they were."""
    model.wrap_surfaces = [surface for surface in model.wrap_surfaces if surface.name not in names]
    model.muscles = [
        replace(muscle, wraps=tuple(wrap for wrap in muscle.wraps if wrap.surface not in names))
        for muscle in model.muscles
    ]


def set_parent(model: Model, body: str, parent: str | None) -> None:
    """Hang a body on another one (or on the ground) without moving it."""
    places = lay_out(model)
    ancestor = parent
    while ancestor is not None:
        if ancestor == body:
            raise EditError(f"'{parent}' is below '{body}' in the tree: choose another parent")
        ancestor = places[ancestor].parent
    joint = find_joint(model, body)
    base = places[parent].frame if parent is not None else np.identity(4)
    joint.parent = parent
    joint.T1 = as_rows(np.linalg.inv(base) @ places[body].joint_frame)
    if parent is not None and joint.kind.is_free:
        joint.type = LIMB_TYPE


def set_joint_type(model: Model, body: str, kind: str, axis: Sequence[float] | None = None) -> None:
    """Change the type of a body's joint, and the axis of one that has an axis."""
    joint = find_joint(model, body)
    if kind not in JOINT_TYPES:
        raise EditError(f"'{kind}' is no joint type: choose one of {', '.join(JOINT_TYPES)}")
    if JOINT_TYPES[kind].is_free and joint.parent is not None:
        raise EditError(f"joint '{joint.name}' has a parent body: only the root may be {kind}")
    joint.type = kind
    if axis is not None and joint.kind.has_axis:
        length = float(np.linalg.norm(np.array(axis, dtype=float)))
        if length < 1e-9:
            raise EditError(f"the axis of joint '{joint.name}' has no length: give it a direction")
        joint.axis = tuple(float(a) / length for a in axis)
    if not JOINT_TYPES[kind].by_functions:
        joint.functions, joint.ellipsoid = [], None
    elif not joint.functions:
        joint.functions = [JointFunction(coordinate="angle")]
    if not joint.kind.is_ball:
        joint.cone = None
    if not joint.kind.has_both:
        joint.slide = None


def add_joint(model: Model, body: str, parent: str, kind: str = LIMB_TYPE) -> Joint:
    """Join a body that is free, or that no joint carries, to another body where it stands."""
    joint = joint_of(model, body)
    if joint is not None and joint.parent is not None:
        raise EditError(f"body '{body}' is joined to '{joint.parent}' already: change its parent instead")
    if joint is None:
        name = unique_name(f"{body}_joint", {j.name for j in model.joints})
        joint = Joint(name, ROOT_TYPE, None, body, as_rows(lay_out(model)[body].frame), IDENTITY4)
        model.joints.append(joint)
    find_body(model, parent)
    set_parent(model, body, parent)
    set_joint_type(model, body, kind)
    return joint


def remove_joint(model: Model, body: str) -> None:
    """Take the joint between a body and its parent away: the body stays where it is and is free."""
    joint = find_joint(model, body)
    if joint.parent is None:
        raise EditError(f"body '{body}' has no parent body: delete the body, or give it a parent")
    set_parent(model, body, None)
    set_joint_type(model, body, ROOT_TYPE)
    joint.limits = joint.friction = joint.motor = joint.slide = None
    joint.springs, joint.breaks = [], []
    model.couplers = [c for c in model.couplers if joint.name not in (c.leader, c.follower)]


def copy_joint_properties(model: Model, source: str, targets: Sequence[str]) -> None:
    """Give joints the resistance, limits, springs and motor of another."""
    given = find_joint(model, source)
    for name in targets:
        joint = find_joint(model, name)
        for attribute in (
            *("damping", "limits", "cone", "friction", "springs", "motor", "slide", "breaks", "source"),
        ):
            setattr(joint, attribute, copy.deepcopy(getattr(given, attribute)))
        if not joint.kind.is_ball:
            joint.cone = None
        if not joint.kind.has_both:
            joint.slide = None


def add_ellipsoid(
    model: Model, body: str, name: str = "", position: Sequence[float] | None = None
) -> Ellipsoid:
    """New ellipsoid on a body, at its centre of mass or at a point of the body frame."""
    owner = find_body(model, body)
    wanted = unique_name(name or body, {ellipsoid.name for ellipsoid in owner.ellipsoids})
    centre = tuple(float(x) for x in (position if position is not None else owner.center_of_mass))
    ellipsoid = Ellipsoid(wanted, (NEW_RADIUS,) * 3, centre, force_curve=NEW_CURVE)
    owner.ellipsoids.append(ellipsoid)
    return ellipsoid
