"""Springs, belts, welds and muscles as lines through points of bodies."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..engine.runs.recording import Recording
from ..engine.spec import Actor, Point, Scenario

WORLD = -1
"""In place of the number of a body: the point stands still."""
KINDS = ("springs", "belts", "welds")
"""In the order of `Recording.connection_names`; each kind first of the scenario, then of all actors."""


def connection_lines(scenario: Scenario, recording: Recording) -> list[dict[str, Any]]:
    """Each line: its kind, name, points as [body, x, y, z] in the body's frame (m), and when it gave way, if it did."""
    numbers = _body_numbers(scenario)
    lines = []
    for kind in KINDS:
        owners: list[Actor | None] = [None, *scenario.actors]
        for owner in owners:
            for spec in getattr(scenario if owner is None else owner.model, kind):
                points = spec.points if kind == "belts" else (spec.start, spec.end)
                places = [_place(point, owner, numbers) for point in points]
                until = _end(recording, len(lines), getattr(spec, "release_time", None))
                lines.append({"kind": kind, "name": spec.name, "points": places, "until": until})
    return [*lines, *_muscles(scenario, numbers)]


def _body_numbers(scenario: Scenario) -> dict[tuple[str, str], int]:
    """(actor, body) to the number of the body in the recording."""
    names = [(actor.name, body.name) for actor in scenario.actors for body in actor.model.bodies]
    return {name: number for number, name in enumerate(names)}


def _place(point: Point, owner: Actor | None, numbers: dict[tuple[str, str], int]) -> list[float]:
    position = [float(round(value, 5)) for value in point.position]
    if point.body is None:
        return [WORLD, *position]
    return [numbers[owner.name if owner else point.actor, point.body], *position]


def _end(recording: Recording, number: int, release: float | None) -> float | None:
    """When a connection gave way or was let go, s; None where it held."""
    times = recording.breaks["time"][recording.breaks["connection"] == number].tolist()
    times += [] if release is None else [release]
    return min(map(float, times), default=None)


def _muscles(scenario: Scenario, numbers: dict[tuple[str, str], int]) -> Iterator[dict[str, Any]]:
    """Straight from point to point: surfaces that a path wraps round are left out."""
    for actor in scenario.actors:
        for muscle in actor.model.muscles:
            places = [
                [numbers[actor.name, point.body], *np.round(point.position, 5).tolist()]
                for point in muscle.path
            ]
            yield {"kind": "muscles", "name": muscle.name, "points": places, "until": None}
