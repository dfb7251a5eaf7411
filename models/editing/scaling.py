"""Scaling a finished model to another stature and mass.

`human.build_adult` is the better way for adults: it builds from segment proportions, so limbs get longer and not
wider. This one takes any model with a stature as it is (a dummy, one from another program) and scales it uniformly.
"""

import copy
import warnings
from dataclasses import replace
from typing import TypeVar

from ...engine.spec import Curve, Joint, JointFunction, Model, PointShift
from ...engine.spec.joint_functions import SHIFT, coordinates_of
from ...engine.spec.muscles import Muscle, WrapSurface
from ..parts.bodies import tidy
from ..parts.materials import scale_curve
from ..people.human import SMALLEST_ADULT

Function = TypeVar("Function", JointFunction, PointShift)


def _scale_vector(vector, factor: float) -> tuple[float, ...]:
    return tuple(tidy(value * factor) for value in vector)


def _scale_transform(matrix, factor: float) -> tuple[tuple[float, ...], ...]:
    """Rotation kept, translation multiplied."""
    return tuple((*row[:3], tidy(row[3] * factor)) if i < 3 else tuple(row) for i, row in enumerate(matrix))


def _scale_curve(curve: Curve | None, length: float, force: float) -> Curve | None:
    if curve is None:
        return None
    return tuple((tidy(x), tidy(y)) for x, y in scale_curve(curve, length, force))


def _scale_joint_torques(joint, torque: float) -> None:
    if joint.damping is not None:
        joint.damping = tidy(joint.damping * torque)
    if joint.limits is not None:
        joint.limits.stiffness = tidy(joint.limits.stiffness * torque)
        joint.limits.damping = tidy(joint.limits.damping * torque)
    if joint.cone is not None:
        joint.cone.torque = tidy(joint.cone.torque * torque)
        joint.cone.twist_stiffness = tidy(joint.cone.twist_stiffness * torque)
        joint.cone.twist_damping = tidy(joint.cone.twist_damping * torque)
    if joint.friction is not None:
        joint.friction.torque = tidy(joint.friction.torque * torque)


def _scale_function(function: Function, factor: float) -> Function:
    """A function of a joint's coordinate with its value times a factor."""
    terms, points = (
        tuple((x, tidy(y * factor)) for x, y in rows) for rows in (function.terms, function.points)
    )
    return replace(function, terms=terms, points=points)


def _scale_custom_joint(joint: Joint, length: float) -> None:
    """Shifts that follow an angle, and the ellipsoid; ways are metres, and stay."""
    angles, _ = coordinates_of(joint.functions)
    joint.functions = [
        _scale_function(f, length)
        if f.motion == SHIFT and (not f.coordinate or f.coordinate in angles)
        else f
        for f in joint.functions
    ]
    if joint.ellipsoid is not None:
        joint.ellipsoid = _scale_vector(joint.ellipsoid, length)


def _scale_muscle(muscle: Muscle, length: float, force: float) -> Muscle:
    path = tuple(
        replace(
            point,
            position=_scale_vector(point.position, length),
            shifts=tuple(_scale_function(shift, length) for shift in point.shifts),
        )
        for point in muscle.path
    )
    return replace(
        muscle,
        path=path,
        max_isometric_force=tidy(muscle.max_isometric_force * force),
        optimal_fibre_length=tidy(muscle.optimal_fibre_length * length),
        tendon_slack_length=tidy(muscle.tendon_slack_length * length),
    )


def _scale_surface(surface: WrapSurface, length: float) -> WrapSurface:
    return replace(
        surface,
        radius=tidy(surface.radius * length),
        length=None if surface.length is None else tidy(surface.length * length),
        semi_axes=_scale_vector(surface.semi_axes, length),
        position=_scale_vector(surface.position, length),
    )


def scale_model(model: Model, height: float, mass: float, scale_curves: bool = True) -> Model:
    """A copy of `model` with another stature (m) and mass (kg).

    With s the ratio of statures and m that of masses: lengths x s, masses x m, inertias x m s^2. Joint torques
    (limits, cones, friction, damping) x m s, as weight times lever; so muscle forces x m and their lengths x s. With
    `scale_curves` contact curves get depth x s and force x m / s (an impact at the same speed is then similar);
    without, they stay. What was done is added to the notes. Warns below 1.40 m.
    """
    if model.height is None:
        raise ValueError(f"model '{model.name}' states no height; give it one before scaling")
    if not 0.3 <= height <= 3.0 or not 1.0 <= mass <= 500.0:
        raise ValueError(
            f"cannot scale to {height} m and {mass} kg; give metres (0.3-3) and kilograms (1-500)"
        )
    if height < SMALLEST_ADULT <= model.height:
        warnings.warn(
            f"scaled to {height:.2f} m: children are not small adults; use the models child_3 or child_6",
            stacklevel=2,
        )
    length = height / model.height
    ratio = mass / sum(body.mass for body in model.bodies)
    scaled = copy.deepcopy(model)
    scaled.height = height
    for body in scaled.bodies:
        body.mass = tidy(body.mass * ratio)
        body.inertia = _scale_vector(body.inertia, ratio * length**2)
        body.center_of_mass = _scale_vector(body.center_of_mass, length)
        for mesh in body.meshes:
            mesh.position = _scale_vector(mesh.position, length)
            mesh.scale = mesh.scale * length
        for ellipsoid in body.ellipsoids:
            ellipsoid.semi_axes = _scale_vector(ellipsoid.semi_axes, length)
            ellipsoid.position = _scale_vector(ellipsoid.position, length)
            if scale_curves:
                ellipsoid.force_curve = _scale_curve(ellipsoid.force_curve, length, ratio / length)
                ellipsoid.unload_curve = _scale_curve(ellipsoid.unload_curve, length, ratio / length)
    for joint in scaled.joints:
        joint.T1 = _scale_transform(joint.T1, length)
        joint.T2 = _scale_transform(joint.T2, length)
        _scale_joint_torques(joint, ratio * length)
        _scale_custom_joint(joint, length)
    scaled.muscles = [_scale_muscle(muscle, length, ratio) for muscle in scaled.muscles]
    scaled.wrap_surfaces = [_scale_surface(surface, length) for surface in scaled.wrap_surfaces]
    for material in scaled.materials if scale_curves else ():
        material.loading = _scale_curve(material.loading, length, ratio / length)
        material.unloading = _scale_curve(material.unloading, length, ratio / length)
    curves = (
        f"contact depth x {length:.4f}, force x {ratio / length:.4f}"
        if scale_curves
        else "contact curves kept"
    )
    scaled.notes.append(
        f"Scaled from {model.height} m: lengths x {length:.4f}, masses x {ratio:.4f}, inertias x "
        f"{ratio * length**2:.4f}, joint torques x {ratio * length:.4f}, {curves}."
    )
    return scaled
