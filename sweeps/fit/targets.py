"""How far a run is off what was found, in tolerances: up to 1 it agrees."""

from collections.abc import Callable

import numpy as np

from ...analysis.measures.throw import throw_measures
from ...engine.maths.rotations import matrix_from_quaternion, matrix_from_zyx
from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ...io_json.errors import FileError, at_place
from ...io_json.marks import ellipses_off
from .. import contacts
from ..outcomes import Observer, body_of, motion
from ..spec import Sweep
from .camera import seen
from .spec import Evidence, Target

MISSING = 100.0
"""Tolerances that a run is off where what was found did not come about at all."""


class Judge:
    """Takes the deviations of runs from the evidence."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence

    @property
    def needs_sensors(self) -> bool:
        """Whether the evidence has a measure that is taken from channels of sensors."""
        asked = [target.measure for target in self.evidence.targets if target.measure is not None]
        return Observer(Sweep("", "", [], measures=asked)).needs_sensors

    def values(self, scenario: Scenario, recording: Recording) -> list[float]:
        """Deviation from each target, in its tolerance."""
        return [deviation(target, scenario, recording) / target.tolerance for target in self.evidence.targets]

    def check(self, scenario: Scenario, recording: Recording) -> None:
        """Try every target on a run. Raises FileError that names the target and what does not exist."""
        for index, target in enumerate(self.evidence.targets):
            with at_place(f"/targets/{index}", target.name):
                deviation(target, scenario, recording)


def deviation(target: Target, scenario: Scenario, recording: Recording) -> float:
    """In the target's unit; MISSING tolerances where the run has nothing to compare."""
    found = _DEVIATIONS[target.kind](target, scenario, recording)
    return found if np.isfinite(found) else MISSING * target.tolerance


def _rest_position(target: Target, scenario: Scenario, recording: Recording) -> float:
    """Distance (m, or ellipses) of the centre of mass at the end, in the plane where no height is given."""
    at_rest = motion(recording, target.body, "position")[-1]
    known = np.asarray(target.position, dtype=float)
    offset = at_rest[: len(known)] - known
    return float(_off(offset, target))


def _off(offset: np.ndarray, target: Target) -> np.ndarray:
    """Size of (..., 2 or 3) offsets: m, or in the ellipses of a target that has one."""
    return np.linalg.norm(offset, axis=-1) if target.ellipse is None else ellipses_off(offset, target.ellipse)


def _rest_orientation(target: Target, scenario: Scenario, recording: Recording) -> float:
    """Angle (degrees) of the turn from the orientation found to that at the end."""
    body = body_of(recording, target.body)
    found = matrix_from_zyx(target.orientation)
    turn = found.T @ matrix_from_quaternion(recording.quaternion[-1, body])
    return float(np.degrees(np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0))))


def _marks(target: Target, recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """(c, 3) points (m) of the contacts meant, at their peaks, in the frame of the side `on`; (c,) peak forces (N)."""
    chosen, of_is_a = contacts.select(recording, target.contact)
    events = recording.contacts[chosen]
    return np.where(of_is_a[:, None], events["point_b"], events["point_a"]), events["peak_force"]


def _contact_mark(target: Target, scenario: Scenario, recording: Recording) -> float:
    """Distance (m, or ellipses) of the nearest such contact from the mark."""
    marks, _ = _marks(target, recording)
    apart = _off(marks - np.asarray(target.point, dtype=float), target)
    return float(np.min(apart)) if len(apart) else np.nan


def _damage(target: Target, scenario: Scenario, recording: Recording) -> float:
    """Distance (m, or ellipses) of the hardest such contact from the damage."""
    marks, forces = _marks(target, recording)
    if not len(marks):
        return np.nan
    return float(_off(marks[int(np.argmax(forces))] - np.asarray(target.point, dtype=float), target))


def _throw_distance(target: Target, scenario: Scenario, recording: Recording) -> float:
    """Difference (m) from the throw distance of docs/measures.md."""
    for measure in throw_measures(recording):
        if measure.subject == target.body:
            return abs(measure.value - float(target.distance))
    names = ", ".join(recording.actor_names)
    raise FileError(f"there is no actor {target.body!r}", remedy=f"There are: {names}")


def _video_points(target: Target, scenario: Scenario, recording: Recording) -> float:
    """Largest distance (pixels) of a point from where it was seen."""
    places = np.array(
        [_place(recording, tracked.body, tracked.point, tracked.time) for tracked in target.points]
    )
    marked = np.array([tracked.pixel for tracked in target.points], dtype=float)
    return float(np.max(np.linalg.norm(seen(target.camera, places) - marked, axis=-1)))


def _place(recording: Recording, name: str, point: tuple | None, time: float) -> np.ndarray:
    """(3,) world position (m) of a body's point, or of its centre of mass, at a time."""
    path = motion(recording, name, "position")
    if point is not None:
        body = body_of(recording, name)
        path = recording.origin(body) + recording.rotation(body) @ np.asarray(point, dtype=float)
    return np.array([np.interp(time, recording.times, axis) for axis in path.T])


def _measure(target: Target, scenario: Scenario, recording: Recording) -> float:
    """Difference from the value found."""
    asked = Sweep("", "", [], measures=[target.measure])
    (value,) = Observer(asked).values(scenario, recording)
    return abs(value - float(target.value))


_DEVIATIONS: dict[str, Callable[[Target, Scenario, Recording], float]] = {
    "rest_position": _rest_position,
    "rest_orientation": _rest_orientation,
    "contact_mark": _contact_mark,
    "damage": _damage,
    "throw_distance": _throw_distance,
    "video_points": _video_points,
    "measure": _measure,
}
