"""Mirror the left side of a model to the right, or the other way, in the plane y = 0 of the actor at rest.

With M = diag(1, -1, 1) a frame F goes to M F M (a rotation again), a point p to M p, and a turn w (an axial vector) to
(-w_x, w_y, -w_z). So angles about y keep their sign and those about z and x change it, limits exchange their ends, and
the products of inertia with y change sign.
"""

import copy
from dataclasses import replace

import numpy as np

from ...engine.spec import (
    AxisLimits,
    Body,
    ConeLimits,
    Ellipsoid,
    Joint,
    JointFunction,
    JointSlide,
    JointSpring,
    Model,
    Motor,
)
from ...engine.spec.joint_functions import TURN
from ...engine.spec.joint_types import ALONG
from .edit import as_rows
from .errors import EditError
from .mirror_muscles import mirror_muscles, replace_named
from .rest_layout import lay_out
from .sides import MIRROR4, flip_angles, flip_turn, flip_y, is_on_side, other_side


def mirror_model(model: Model, side: str = "left") -> list[str]:
    """Make the other side of a model the mirror image of `side`; missing bodies are made. Returns what was written."""
    names = {body.name for body in model.bodies}
    sources = [name for name in names if is_on_side(name, side) and other_side(name, names)]
    if not sources:
        raise EditError(
            f"model '{model.name}' has no body on the {side}: name bodies with L and R, _l and _r, or left and right"
        )
    partner = {name: other_side(name, names) for name in sources}
    order = [name for name in lay_out(model) if name in partner]
    for name in order:
        mirror_body(model, name, partner)
    mirror_muscles(model, side)
    return [partner[name] for name in order]


def mirror_body(model: Model, name: str, partner: dict[str, str]) -> None:
    """Write the mirror image of one body and its joint. Parents come first, so the partner's parent is done."""
    places = lay_out(model)
    body = next(b for b in model.bodies if b.name == name)
    image = mirrored_body(body, partner[name])
    other = next((b for b in model.bodies if b.name == image.name), None)
    image.meshes = other.meshes if other is not None else []  # no file of a model can hold a mirrored mesh
    replace_named(model.bodies, image)
    joint = places[name].joint
    if joint is None:
        return
    old = next((j for j in model.joints if j.child == image.name), None)
    parent = partner.get(joint.parent, joint.parent)
    base = places[parent].frame if parent is not None else np.identity(4)
    new = mirrored_joint(joint)
    new.name = old.name if old is not None else (other_side(joint.name) or f"{image.name}_joint")
    new.parent, new.child = parent, image.name
    new.T1 = as_rows(np.linalg.inv(base) @ MIRROR4 @ places[name].joint_frame @ MIRROR4)
    new.T2 = as_rows(MIRROR4 @ np.array(joint.T2, dtype=float) @ MIRROR4)
    replace_named(model.joints, new)


def mirrored_body(body: Body, name: str) -> Body:
    """Mirror image of a body in its own frame."""
    image = copy.deepcopy(body)
    xx, yy, zz, xy, yz, xz = body.inertia
    image.name = name
    image.role = other_side(body.role) or body.role
    image.inertia = (xx, yy, zz, -xy if xy else xy, -yz if yz else yz, xz)
    image.center_of_mass = flip_y(body.center_of_mass)
    image.ellipsoids = [mirrored_ellipsoid(ellipsoid) for ellipsoid in body.ellipsoids]
    return image


def mirrored_ellipsoid(ellipsoid: Ellipsoid) -> Ellipsoid:
    """Mirror image of an ellipsoid: M O M has the same axes up to sign."""
    image = copy.deepcopy(ellipsoid)
    image.name = other_side(ellipsoid.name) or ellipsoid.name
    image.position = flip_y(ellipsoid.position)
    image.orientation = tuple(
        tuple(-x if (i == 1) != (j == 1) and x else x for j, x in enumerate(row))
        for i, row in enumerate(ellipsoid.orientation)
    )
    return image


def mirrored_joint(joint: Joint) -> Joint:
    """Mirror image of a joint, its frames not yet placed. An angle about an own axis keeps its anatomical sign."""
    image = copy.deepcopy(joint)
    if joint.kind.by_functions:
        image.functions = [mirrored_function(function) for function in joint.functions]
        return image
    image.axis = flip_turn(joint.axis) if joint.kind.turns else flip_y(joint.axis)
    if joint.kind.has_both:
        image.slide = mirrored_slide(joint.slide, joint.kind.has_axis) if joint.slide is not None else None
    if joint.limits is not None and not joint.kind.has_axis:
        image.limits = mirrored_limits(joint.limits)
    if joint.cone is not None:
        image.cone = mirrored_cone(joint.cone)
    if joint.kind.has_axis and joint.kind.has_both:
        image.springs = [
            turned_round(s) if s.axis.startswith(ALONG) else copy.deepcopy(s) for s in joint.springs
        ]
    if not joint.kind.has_axis:
        image.springs = [mirrored_spring(spring) for spring in joint.springs]
        image.motor = mirrored_motor(joint.motor) if joint.motor is not None else None
    return image


def mirrored_function(function: JointFunction) -> JointFunction:
    """Mirror image of a turn or shift of a custom joint, whose coordinates keep their anatomical sign."""
    flip = flip_turn if function.motion == TURN else flip_y
    name = other_side(function.coordinate) or function.coordinate
    return replace(function, direction=flip(function.direction), coordinate=name)


def mirrored_limits(limits: AxisLimits) -> AxisLimits:
    """Mirror image of a range of motion."""
    image = copy.deepcopy(limits)
    (lz, ly, lx), (uz, uy, ux) = limits.lower, limits.upper
    image.lower, image.upper = (-uz, ly, -ux), (-lz, uy, -lx)
    return image


def mirrored_cone(cone: ConeLimits) -> ConeLimits:
    """Mirror image of a cone: longitudes run the other way."""
    image = copy.deepcopy(cone)
    a0, a90, a180, a270 = cone.quadrant_angles
    image.quadrant_angles = (a0, a270, a180, a90)
    image.axis, image.zero_longitude = flip_y(cone.axis), flip_y(cone.zero_longitude)
    image.limb_axis = flip_y(cone.limb_axis)
    if cone.twist is not None:
        image.twist = (-cone.twist[1], -cone.twist[0])
    return image


def mirrored_spring(spring: JointSpring) -> JointSpring:
    """Mirror image of a passive spring: turns about x and z, and ways along y, change their sign."""
    return turned_round(spring) if spring.axis in ("x", "z", f"{ALONG}y") else copy.deepcopy(spring)


def turned_round(spring: JointSpring) -> JointSpring:
    """The spring with the sign of its coordinate changed."""
    image = copy.deepcopy(spring)
    image.curve = tuple((-x if x else x, -y if y else y) for x, y in reversed(spring.curve))
    return image


def mirrored_slide(slide: JointSlide, own_axis: bool) -> JointSlide:
    """Mirror image of what acts on sliding: ways along y change their sign, and those along an own axis, which is
    mirrored as the axis of a turn."""
    image = copy.deepcopy(slide)
    flip = (lambda v: tuple(-x if x else x for x in v)) if own_axis else flip_y
    if slide.limits is not None:
        ends = list(zip(flip(slide.limits.lower), flip(slide.limits.upper), strict=True))
        image.limits.lower, image.limits.upper = tuple(map(min, ends)), tuple(map(max, ends))
    if slide.motor is not None:
        for name in ("target", "target_velocity", "base_torque"):
            setattr(image.motor, name, flip(getattr(slide.motor, name)))
        if slide.motor.target_over_time is not None:
            image.motor.target_over_time = tuple((r[0], *flip(r[1:])) for r in slide.motor.target_over_time)
    return image


def mirrored_motor(motor: Motor) -> Motor:
    """Mirror image of a motor."""
    image = copy.deepcopy(motor)
    image.target = flip_angles(motor.target)
    image.target_velocity, image.base_torque = flip_turn(motor.target_velocity), flip_turn(motor.base_torque)
    if motor.target_over_time is not None:
        image.target_over_time = tuple((row[0], *flip_angles(row[1:])) for row in motor.target_over_time)
    return image
