"""Specs of muscles to `Muscles`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import nan, radians, sin

import numpy as np

from ..bodies.tree import OnBody, OnFrame
from ..maths.packing import floats, integers, starts
from ..maths.piecewise import piece_table
from ..spec import Actor, Model
from ..spec.joint_types import Motion
from ..spec.muscles import (
    MUSCLE_FORMS,
    WRAP_SHAPES,
    Excitation,
    Muscle,
    PathCondition,
    PathPoint,
    PathWrap,
    WrapSurface,
)
from .arrays import UNIT_WIDTH, Muscles

MovingOf = Callable[[int, str, str], tuple[int, Motion]]
"""(actor, joint, axis) to the moving body and the motion that has this coordinate."""
MOST_SAMPLES = 4096
"""Of the history of a reflex; with a longer delay samples are farther apart than steps."""


@dataclass(frozen=True)
class MuscleEntry:
    """A muscle of an actor, with the excitation that holds in the scenario."""

    actor: int
    muscle: Muscle
    excitation: Excitation


def chosen_excitation(actor: Actor, muscle: Muscle) -> Excitation:
    """The actor's own for this muscle, by name or by the first pattern that fits, or else the muscle's."""
    if muscle.name in actor.excitations:
        return actor.excitations[muscle.name]
    fitting = [e for pattern, e in actor.excitations.items() if fnmatchcase(muscle.name, pattern)]
    return fitting[0] if fitting else muscle.excitation


def muscle_entries(actors: Sequence[Actor]) -> list[MuscleEntry]:
    """Muscles of all actors, in the order of the actors and of each model's list."""
    return [
        MuscleEntry(a, muscle, chosen_excitation(actor, muscle))
        for a, actor in enumerate(actors)
        for muscle in actor.model.muscles
    ]


def resolved_surface(model: Model, surface: WrapSurface) -> WrapSurface:
    """The surface with shape and pose of the ellipsoid it names, if it names one."""
    if not surface.ellipsoid:
        return surface
    body = next(body for body in model.bodies if body.name == surface.body)
    own = next(e for e in body.ellipsoids if e.name == surface.ellipsoid)
    return WrapSurface(
        surface.name,
        surface.body,
        "ellipsoid",
        semi_axes=own.semi_axes,
        position=own.position,
        orientation=own.orientation,
    )


def compile_muscles(
    actors: Sequence[Actor], on_body: OnBody, on_frame: OnFrame, moving_of: MovingOf, time_step: float
) -> Muscles:
    """Flat arrays of the muscles of all actors; addresses are entered by `state.with_addresses`."""
    entries = muscle_entries(actors)
    surfaces = [(a, resolved_surface(actor.model, s)) for a, actor in enumerate(actors)
                for s in actor.model.wrap_surfaces]  # fmt: skip
    number = {(a, surface.name): j for j, (a, surface) in enumerate(surfaces)}
    stretches = [_wraps_by_stretch(entry.muscle) for entry in entries]
    wraps = [
        (entry.actor, wrap)
        for entry, by_stretch in zip(entries, stretches, strict=True)
        for own in by_stretch
        for wrap in own
    ]
    points = [(e.actor, point) for e in entries for point in e.muscle.path]
    placed = [on_body(a, point.body, np.array(point.position, dtype=float)) for a, point in points]
    return Muscles(
        forces_address=0,
        commit_address=0,
        power_address=0,
        energies_address=0,
        point_first=starts(len(entry.muscle.path) for entry in entries),
        point_body=integers([(host, b) for host, b, _ in placed], 2),
        point_local=floats([local for _, _, local in placed], 3),
        inner_length=floats(
            length
            for e, by in zip(entries, stretches, strict=True)
            for length in _inner_lengths(e.muscle, by)
        ),
        **_moved_points(points, on_frame, moving_of),
        wrap_first=starts(len(own) for by_stretch in stretches for own in by_stretch),
        wrap_surface=integers(number[a, wrap.surface] for a, wrap in wraps),
        wrap_side=floats([wrap.side or (0.0, 0.0, 0.0) for _, wrap in wraps], 3),
        piece_first=starts(
            len(entry.muscle.path) - 1 + sum(map(len, by_stretch))
            for entry, by_stretch in zip(entries, stretches, strict=True)
        ),
        **_surfaces(surfaces, on_body, on_frame),
        kind=integers([_kind(entry.muscle) for entry in entries], 4),
        unit=floats([_unit(entry, time_step) for entry in entries], UNIT_WIDTH),
        **_excitations([entry.excitation for entry in entries], time_step),
        any_torques=integers([any(entry.muscle.acts == "joint_torques" for entry in entries)]),
    )


def _wraps_by_stretch(muscle: Muscle) -> list[list[PathWrap]]:
    """Wraps per path point: those of the stretch that starts there; none at the last point."""
    last = len(muscle.path) - 1
    return [[w for w in muscle.wraps if k < last and w.segment in (None, k)] for k in range(last + 1)]


def _inner_lengths(muscle: Muscle, by_stretch: list[list[PathWrap]]) -> list[float]:
    """Per path point: length of the stretch that starts there where it never changes, or -1."""
    lengths = []
    for a, b, wraps in zip(muscle.path, muscle.path[1:], by_stretch, strict=False):
        steady = not (a.shifts or b.shifts or a.when or b.when)
        on_one = a.body == b.body and not wraps and steady
        lengths.append(float(np.linalg.norm(np.subtract(b.position, a.position))) if on_one else -1.0)
    return [*lengths, -1.0]


def _moved_points(
    points: list[tuple[int, PathPoint]], on_frame: OnFrame, moving_of: MovingOf
) -> dict[str, object]:
    """What moves path points, and what decides whether they are on the path."""
    rows = [(a, point, shift) for a, point in points for shift in point.shifts]
    directions = [
        on_frame(a, point.body, np.array(shift.direction, dtype=float)[:, None]).ravel()
        for a, point, shift in rows
    ]
    deciding = [
        (-1, (0.0, 0.0)) if point.when is None else _condition(a, point.when, moving_of)
        for a, point in points
    ]
    return {
        "shift_first": starts(len(point.shifts) for _, point in points),
        "shift_body": integers(moving_of(a, shift.joint, shift.axis)[0] for a, _, shift in rows),
        "shift_axis": floats(directions, 3),
        "shift_function": piece_table([shift.pieces for _, _, shift in rows]),
        "when_body": integers(body for body, _ in deciding),
        "when_range": floats([ends for _, ends in deciding], 2),
    }


def _condition(actor: int, when: PathCondition, moving_of: MovingOf) -> tuple[int, tuple[float, float]]:
    """(moving body, range of its coordinate in rad or m)"""
    body, motion = moving_of(actor, when.joint, when.axis)
    return body, (motion.coordinate(when.lower), motion.coordinate(when.upper))


def _surfaces(surfaces: list[tuple[int, WrapSurface]], on_body: OnBody, on_frame: OnFrame) -> dict:
    placed = [on_body(a, s.body, np.array(s.position, dtype=float)) for a, s in surfaces]
    turned = [on_frame(a, s.body, np.array(s.orientation, dtype=float)) for a, s in surfaces]
    return {
        "surface_shape": integers(WRAP_SHAPES.index(s.shape) for _, s in surfaces),
        "surface_body": integers([(host, b) for host, b, _ in placed], 2),
        "surface_local": floats([local for _, _, local in placed], 3),
        "surface_rotation": floats([rotation.ravel() for rotation in turned], 9),
        "surface_size": floats([_size(s) for _, s in surfaces], 3),
    }


def _size(surface: WrapSurface) -> tuple[float, ...]:
    if surface.shape == "ellipsoid":
        return surface.semi_axes
    half = np.inf if surface.length is None else 0.5 * surface.length
    return (surface.radius, half, 0.0)


def _kind(muscle: Muscle) -> tuple[int, int, int, int]:
    return (
        MUSCLE_FORMS.index(muscle.form),
        int(muscle.tendon == "rigid"),
        int(muscle.acts == "joint_torques"),
        int(muscle.activation.form == "rate"),
    )


def _unit(entry: MuscleEntry, time_step: float) -> list[float]:
    """Row of `Muscles.unit`, in the order of its columns."""
    muscle, activation = entry.muscle, entry.muscle.activation
    by_rate = activation.form == "rate"
    return [
        muscle.max_isometric_force,
        muscle.optimal_fibre_length,
        muscle.tendon_slack_length,
        muscle.optimal_fibre_length * sin(radians(muscle.pennation)),
        muscle.max_contraction_velocity * muscle.optimal_fibre_length,
        muscle.damping,
        muscle.stiffness_factor,
        time_step,
        activation.rise_rate if by_rate else activation.rise_time,
        activation.fall_rate if by_rate else activation.fall_time,
        activation.minimum,
        nan if activation.start is None else activation.start,
        entry.excitation.tone,
    ]


def _excitations(excitations: list[Excitation], time_step: float) -> dict:
    """Curves, reflexes and the spacing of their history."""
    curves = [excitation.curve or () for excitation in excitations]
    reflexes = [excitation.reflex for excitation in excitations]
    used = [reflex for reflex in reflexes if reflex is not None]
    longest = max((reflex.delay for reflex in used), default=0.0)
    row = iter(range(len(used)))
    return {
        "curve_first": starts(map(len, curves)),
        "curve_time": floats(t for curve in curves for t, _ in curve),
        "curve_value": floats(value for curve in curves for _, value in curve),
        "reflex_row": integers(-1 if reflex is None else next(row) for reflex in reflexes),
        "reflex": floats(
            [
                (0, 0, 0, 0) if r is None else (r.gain, r.threshold, r.delay, r.velocity_gain)
                for r in reflexes
            ],
            4,
        ),
        "sample_time": floats([max(time_step, longest / MOST_SAMPLES)]),
    }
