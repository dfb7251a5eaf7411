"""Checks on muscles: their paths, the surfaces in the way, the numbers of the unit, and what excites it."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from ..spec import Actor, Model
from ..spec_muscles import (
    ACTIVATION_FORMS,
    MUSCLE_ACTIONS,
    MUSCLE_FORMS,
    TENDONS,
    WRAP_SHAPES,
    Activation,
    Excitation,
    Muscle,
    StretchReflex,
    WrapSurface,
)
from .issue import (
    Issue,
    curve_issues,
    duplicate_issues,
    error,
    number_issues,
    rotation_issues,
    vector_issues,
)

LONGEST_DELAY = 1.0
"""s: of a reflex."""


def muscle_issues(model: Model) -> list[Issue]:
    """Every problem of the muscles and wrap surfaces of a model."""
    place = f"model '{model.name}'"
    issues = duplicate_issues(place, "muscle", (muscle.name for muscle in model.muscles))
    issues += duplicate_issues(place, "wrap surface", (surface.name for surface in model.wrap_surfaces))
    bodies = {body.name: {e.name for e in body.ellipsoids} for body in model.bodies}
    for surface in model.wrap_surfaces:
        issues += surface_issues(surface, bodies)
    surfaces = {surface.name for surface in model.wrap_surfaces}
    for muscle in model.muscles:
        place = f"muscle '{muscle.name}'"
        issues += path_issues(place, muscle, bodies)
        issues += wrap_issues(place, muscle, surfaces)
        issues += unit_issues(place, muscle)
        issues += activation_issues(place, muscle)
        issues += excitation_issues(place, muscle.excitation)
    return issues


def _choice_issues(place: str, what: str, value: object, options: Iterable[str]) -> list[Issue]:
    options = tuple(options)
    return (
        []
        if value in options
        else [error(place, f"unknown {what} {value!r}", f"Use one of {', '.join(options)}")]
    )


def surface_issues(surface: WrapSurface, bodies: dict[str, set[str]]) -> list[Issue]:
    """A surface needs a body, a shape, sizes and a rigid pose, or the name of an ellipsoid of its body."""
    place = f"wrap surface '{surface.name}'"
    if surface.body not in bodies:
        return [error(place, f"unknown body '{surface.body}'", "Name a body of the model")]
    issues = _choice_issues(place, "shape", surface.shape, WRAP_SHAPES)
    if surface.ellipsoid:
        if surface.ellipsoid not in bodies[surface.body]:
            remedy = f"Name an ellipsoid of '{surface.body}', or give semi-axes"
            issues.append(error(place, f"'{surface.body}' has no ellipsoid '{surface.ellipsoid}'", remedy))
        if surface.shape != "ellipsoid":
            remedy = "Choose the shape ellipsoid"
            issues.append(error(place, f"it takes an ellipsoid and is a {surface.shape}", remedy))
        return issues
    issues += vector_issues(place, "position", surface.position)
    issues += rotation_issues(place, "orientation", surface.orientation)
    if surface.shape == "ellipsoid":
        bad = vector_issues(place, "semi-axes", surface.semi_axes)
        for value in surface.semi_axes if not bad else ():
            bad += number_issues(place, "a semi-axis", value, 1e-4, 10.0)
        return issues + bad
    issues += number_issues(place, "radius", surface.radius, 1e-4, 10.0)
    if surface.length is not None:
        issues += number_issues(place, "length", surface.length, 1e-4, 1e3)
    return issues


def path_issues(place: str, muscle: Muscle, bodies: dict[str, set[str]]) -> list[Issue]:
    """Two points or more, on bodies of the model, not all on one body."""
    if len(muscle.path) < 2:
        return [error(place, f"its path has {len(muscle.path)} points", "Give an origin and an insertion")]
    issues = []
    for i, point in enumerate(muscle.path):
        if point.body not in bodies:
            issues.append(
                error(
                    place, f"path point {i} is on the unknown body '{point.body}'", "Name a body of the model"
                )
            )
        issues += vector_issues(place, f"path point {i}", point.position)
    if not issues and len({point.body for point in muscle.path}) == 1 and not muscle.wraps:
        body = muscle.path[0].body
        issues.append(error(place, f"its whole path is on '{body}'", "Put a point on another body"))
    for i, (a, b) in enumerate(zip(muscle.path, muscle.path[1:], strict=False)):
        if not issues and a.body == b.body and tuple(a.position) == tuple(b.position):
            issues.append(error(place, f"path points {i} and {i + 1} are the same", "Remove one of them"))
    return issues


def wrap_issues(place: str, muscle: Muscle, surfaces: set[str]) -> list[Issue]:
    """Wraps must name surfaces and stretches that are there."""
    issues = []
    for wrap in muscle.wraps:
        if wrap.surface not in surfaces:
            issues.append(
                error(place, f"unknown wrap surface '{wrap.surface}'", "Add it to the model's wrap surfaces")
            )
        last = len(muscle.path) - 2
        if wrap.segment is not None and (type(wrap.segment) is not int or not 0 <= wrap.segment <= last):
            message = f"wrap '{wrap.surface}' is on stretch {wrap.segment!r}"
            issues.append(error(place, message, f"Choose a stretch from 0 to {last}, or leave it out"))
        if wrap.side is not None:
            bad = vector_issues(place, f"side of wrap '{wrap.surface}'", wrap.side)
            if not bad and not any(wrap.side):
                bad = [error(place, f"side of wrap '{wrap.surface}' has no length", "Give a direction")]
            issues += bad
    return issues


def unit_issues(place: str, muscle: Muscle) -> list[Issue]:
    """Force, lengths, pennation, speed and form of the muscle-tendon unit."""
    issues = number_issues(place, "max isometric force", muscle.max_isometric_force, 1e-6, 1e6)
    issues += number_issues(place, "optimal fibre length", muscle.optimal_fibre_length, 1e-4, 10.0)
    shortest = 0.0 if muscle.tendon == "rigid" else 1e-4
    issues += number_issues(place, "tendon slack length", muscle.tendon_slack_length, shortest, 10.0)
    issues += number_issues(place, "pennation", muscle.pennation, 0.0, 80.0)
    issues += number_issues(place, "max contraction velocity", muscle.max_contraction_velocity, 0.1, 100.0)
    issues += number_issues(place, "damping", muscle.damping, 0.0, 10.0)
    issues += number_issues(place, "stiffness factor", muscle.stiffness_factor, 1e-3, 1e3)
    issues += _choice_issues(place, "form", muscle.form, MUSCLE_FORMS)
    issues += _choice_issues(place, "tendon", muscle.tendon, TENDONS)
    issues += _choice_issues(place, "way to act", muscle.acts, MUSCLE_ACTIONS)
    if not issues and muscle.damping == 0.0 and muscle.activation.minimum == 0.0:
        issues.append(
            error(
                place,
                "without damping its fibre velocity is undefined at zero activation",
                "Give damping (0.1 is usual), or a minimum activation such as 0.01",
            )
        )
    return issues


def activation_issues(place: str, muscle: Muscle) -> list[Issue]:
    """Times, rates and bounds of the activation."""
    activation: Activation = muscle.activation
    issues = _choice_issues(place, "activation form", activation.form, ACTIVATION_FORMS)
    for what in ("rise_time", "fall_time"):
        issues += number_issues(place, what.replace("_", " "), getattr(activation, what), 1e-4, 100.0)
    for what in ("rise_rate", "fall_rate"):
        issues += number_issues(place, what.replace("_", " "), getattr(activation, what), 1e-2, 1e4)
    issues += number_issues(place, "minimum activation", activation.minimum, 0.0, 1.0)
    if activation.start is not None:
        issues += number_issues(place, "activation at the start", activation.start, 0.0, 1.0)
    return issues


def excitation_issues(place: str, excitation: Excitation) -> list[Issue]:
    """Tone, curve and reflex within their ranges."""
    issues = number_issues(place, "tone", excitation.tone, 0.0, 1.0)
    if excitation.curve is not None:
        bad = curve_issues(place, "excitation curve", excitation.curve)
        for _, value in excitation.curve if not bad else ():
            bad += number_issues(place, "a value of the excitation curve", value, 0.0, 1.0)
        issues += bad
    reflex: StretchReflex | None = excitation.reflex
    if reflex is not None:
        issues += number_issues(place, "reflex gain", reflex.gain, 0.0, 1e3)
        issues += number_issues(place, "reflex threshold", reflex.threshold, 0.0, 5.0)
        issues += number_issues(place, "reflex velocity gain", reflex.velocity_gain, 0.0, 1e3)
        issues += number_issues(place, "reflex delay", reflex.delay, 0.0, LONGEST_DELAY)
    return issues


def override_issues(actor: Actor) -> list[Issue]:
    """An actor's excitations must fit a muscle of its model."""
    place = f"actor '{actor.name}'"
    names = [muscle.name for muscle in actor.model.muscles]
    issues = []
    for pattern, excitation in actor.excitations.items():
        if not any(fnmatchcase(name, pattern) for name in names):
            remedy = "Name a muscle of the model, or use a pattern such as * that fits one"
            issues.append(error(place, f"excitations names the unknown muscle '{pattern}'", remedy))
        issues += excitation_issues(f"{place}, excitation '{pattern}'", excitation)
    return issues
