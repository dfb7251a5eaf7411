"""A film's list of shots as a file, and the list that is proposed for a run. No Blender."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

from ..engine.errors import UserError
from .film_choices import SHOTS
from .protocol import FilmShot

LEADS_IN = 0.6
"""Simulated s before the first impact that a first shot by itself is worth it."""
CLOSE_BEFORE, CLOSE_AFTER = 0.08, 0.14
REPLAY_BEFORE, REPLAY_AFTER = 0.15, 0.25
"""Simulated s shown before and after the peak of an impact."""
CLOSE_SLOWNESS, REPLAY_SLOWNESS = 20.0, 8.0
EASE = 0.15
ORBIT = 30.0
FIELDS = {field.name: type(field.default) for field in dataclasses.fields(FilmShot)}


class ShotListError(UserError):
    """A list of shots that cannot be used."""


@dataclasses.dataclass(frozen=True)
class Blow:
    """An impact of a run, as far as a film needs it."""

    name: str
    time: float
    """Simulated s of the largest force"""
    force: float
    """N"""
    is_between_actors: bool


def proposed_shots(blows: Sequence[Blow], end: float) -> list[FilmShot]:
    """Wide and side as the motion goes, then the first impact between actors from near, then the hardest slowly again.

    end: of the motion, s. A run with one actor has its hardest impact in both places, once.
    """
    if not blows:
        return [FilmShot("wide", end=end)]
    hardest = max(blows, key=lambda blow: blow.force)
    first = next((blow for blow in blows if blow.is_between_actors), hardest)
    cut = first.time - LEADS_IN / 2.0
    forward = [FilmShot("wide", end=end)]
    if first.time > LEADS_IN:
        forward = [FilmShot("wide", end=cut), FilmShot("side", start=cut, end=end)]
    shots = [*forward, near_shot(first, end)]
    return [*shots, replay_shot(hardest, end, REPLAY_SLOWNESS)]


def near_shot(blow: Blow, end: float) -> FilmShot:
    """An impact from near, going round it."""
    start, stop = around(blow, CLOSE_BEFORE, CLOSE_AFTER, end)
    return FilmShot(
        "contact",
        contact=blow.name,
        start=start,
        end=stop,
        slowness=CLOSE_SLOWNESS,
        hold=0.5,
        orbit=ORBIT,
        title=blow.name[:1].upper() + blow.name[1:],
    )


def replay_shot(blow: Blow, end: float, slowness: float) -> FilmShot:
    """An impact again, near and slow."""
    start, stop = around(blow, REPLAY_BEFORE, REPLAY_AFTER, end)
    return FilmShot("close", start=start, end=stop, slowness=slowness, ease=EASE, title="Replay")


def around(blow: Blow, before: float, after: float, end: float) -> tuple[float, float]:
    """Range of simulated time (s) about an impact within the motion."""
    start = min(max(0.0, blow.time - before), 0.95 * end)
    return round(start, 6), round(min(end, blow.time + after), 6)


def read_shots(path: Path) -> list[FilmShot]:
    """The shots of a file: a list of objects with the fields of `FilmShot`, all but `kind` may be left out.

    Raises ShotListError.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ShotListError(f"{path}: not a list of shots in JSON: {error}") from None
    if not isinstance(rows, list) or not rows:
        raise ShotListError(f'{path}: give a list of shots, such as [{{"kind": "wide"}}]')
    return [shot_of(row, f"{path}: shot {number}") for number, row in enumerate(rows, 1)]


def shot_of(row: object, where: str) -> FilmShot:
    """One shot of a file. Raises ShotListError."""
    if not isinstance(row, dict):
        raise ShotListError(f'{where}: give an object, such as {{"kind": "side", "start": 0.4}}')
    for name, value in row.items():
        if name not in FIELDS:
            raise ShotListError(f"{where}: there is no '{name}': use {', '.join(FIELDS)}")
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (isinstance(value, str) if FIELDS[name] is str else is_number):
            raise ShotListError(f"{where}: '{name}' is to be a {'text' if FIELDS[name] is str else 'number'}")
    made = FilmShot(**{n: float(v) if FIELDS[n] is float else v for n, v in row.items()})
    check_shot(made, where)
    return made


def check_shot(shot: FilmShot, where: str) -> None:
    """Refuse a shot that cannot be filmed. Raises ShotListError."""
    kinds = [name for name, _, _ in SHOTS]
    if shot.kind not in kinds:
        raise ShotListError(f"{where}: there is no shot '{shot.kind}': choose one of {', '.join(kinds)}")
    if shot.kind == "camera" and not shot.camera:
        raise ShotListError(f"{where}: name the 'camera' of the scene that it uses")
    if shot.start < 0.0 or 0.0 < shot.end <= shot.start:
        raise ShotListError(f"{where}: from {shot.start:g} to {shot.end:g} s: it has to end after it starts")
    limits = {
        "slowness": (0.01, 10000.0),
        "ease": (0.0, 60.0),
        "hold": (0.0, 60.0),
        "lens": (1.0, 1000.0),
        "f_stop": (0.0, 128.0),
        "orbit": (-720.0, 720.0),
    }
    for name, (low, high) in limits.items():
        if not low <= getattr(shot, name) <= high:
            raise ShotListError(f"{where}: '{name}' is {getattr(shot, name):g}: give {low:g} to {high:g}")
