"""What is kept of a run: the measures asked for, the events, the marks and the traces."""

import base64
from collections.abc import Mapping, Sequence

import numpy as np

from ..analysis.measures.catalogue import FAMILIES, WITHOUT_SENSORS, family_of
from ..analysis.measures.measure import Measure
from ..analysis.measures.throw import actor_centre
from ..analysis.measures.trust import curve_flags, of_curve
from ..engine.runs.recording import Recording
from ..engine.spec import Scenario
from ..io_json.errors import FileError, at_place
from ..io_json.nodes import nearest_hint
from . import contacts
from .spec import BEYOND_CURVE, BODY_TAKES, Event, Quantity, Sweep, Traces

NAN = float("nan")
SEPARATOR = "; "
"""Between the names of measures in the column BEYOND_CURVE."""
AXES = {"x_axis": 0, "z_axis": 2}
"""Values that are directions of a body's axes: the column of its rotation matrix."""
DEPENDS_ON_TOUCH = {
    "impact speed": "Impact speed at first touch",
    "peak contact force": "Contact forces",
    "contact duration": "Contact durations",
    "energy absorbed": "Energy absorbed",
}
"""Measures that are there only for body parts that touched something, and their family."""


class Observer:
    """Takes the outcomes of runs of one sweep. Remembers in which family of the catalogue a measure is found."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self._family = dict(DEPENDS_ON_TOUCH)
        self._wanted = {quantity.measure for quantity in sweep.measures}

    @property
    def needs_sensors(self) -> bool:
        """Whether a measure is asked for that is taken from channels of sensors."""
        asked = {quantity.measure for quantity in self.sweep.measures} - {""}
        return bool(asked - set(WITHOUT_SENSORS))

    def values(self, scenario: Scenario, recording: Recording) -> list[float | bool | str]:
        """Measures, events and marks of a run, in the order of `columns`, and which measures are beyond a curve."""
        families: dict[str, list[Measure]] = {}
        measured = {
            quantity.name: self._quantity(quantity, scenario, recording, families)
            for quantity in self.sweep.measures
        }
        happened: dict[str, bool] = {}
        for event in self.sweep.events:
            happened[event.name] = has_happened(event, recording, measured, happened)
        marks: list[float | str] = []
        for mark in self.sweep.marks:
            name, point = contacts.mark(recording, mark.contact)
            marks += [name, *point]
        return [
            *measured.values(),
            *happened.values(),
            *marks,
            self._beyond_curve(scenario, recording, families),
        ]

    def _beyond_curve(
        self, scenario: Scenario, recording: Recording, families: dict[str, list[Measure]]
    ) -> str:
        """Names of the measures whose body touched something deeper than its force curve has data."""
        flags = curve_flags(recording)
        names = []
        for quantity in self.sweep.measures if flags else ():
            found = self._find(quantity, scenario, recording, families) if quantity.measure else None
            if found is not None and of_curve(found, flags):
                names.append(quantity.name)
        return SEPARATOR.join(names)

    def _quantity(
        self, quantity: Quantity, scenario: Scenario, recording: Recording, families: dict[str, list[Measure]]
    ) -> float:
        if quantity.contact is not None:
            return contacts.taken(recording, quantity.contact, quantity.take or "start")
        if quantity.body:
            return of_body(quantity, recording)
        found = self._find(quantity, scenario, recording, families)
        if found is None:
            return NAN
        return float(found.details[quantity.detail] if quantity.detail else found.value)

    def _find(
        self, quantity: Quantity, scenario: Scenario, recording: Recording, families: dict[str, list[Measure]]
    ) -> Measure | None:
        """A measure of the catalogue; its families are taken once per run, and only those that are needed."""
        subject = " / ".join(part.strip() for part in quantity.of.split("/"))
        known = self._family.get(quantity.measure)
        for name in [known] if known else FAMILIES:
            if name not in families:
                families[name] = family_of(name, scenario, recording, self._wanted)
            for found in families[name]:
                if found.name == quantity.measure and found.subject == subject:
                    self._family[quantity.measure] = name
                    return found
        return None

    def check(self, scenario: Scenario, recording: Recording) -> None:
        """Try everything on a run of the scenario as it is. Raises FileError that names what does not exist."""
        for index, quantity in enumerate(self.sweep.measures):
            with at_place(f"/measures/{index}"):
                self._check(quantity, scenario, recording)
        known: dict[str, bool] = {}
        names = [quantity.name for quantity in self.sweep.measures]
        for index, event in enumerate(self.sweep.events):
            with at_place(f"/events/{index}"):
                _check_event(event, recording, names, known)
            known[event.name] = False
        for index, mark in enumerate(self.sweep.marks):
            with at_place(f"/marks/{index}"):
                contacts.mark(recording, mark.contact)
        if self.sweep.traces is not None:
            with at_place("/traces"):
                trace(recording, self.sweep.traces)

    def _check(self, quantity: Quantity, scenario: Scenario, recording: Recording) -> None:
        given = [bool(quantity.measure), bool(quantity.body), quantity.contact is not None]
        if sum(given) != 1:
            remedy = "Give one of: measure (with of), body, contact"
            raise FileError(f"{quantity.name!r} does not say what to measure", remedy=remedy)
        try:
            value = self._quantity(quantity, scenario, recording, {})
        except KeyError as error:
            raise FileError(
                f"{quantity.measure} has no detail {error}", remedy="See docs/measures.md"
            ) from error
        if quantity.measure and np.isnan(value) and quantity.measure not in self._family:
            found = {
                f"{m.name} of {m.subject}"
                for family in FAMILIES.values()
                for m in family(scenario, recording)
            }
            wanted = f"{quantity.measure} of {quantity.of}"
            raise FileError(f"there is no measure {wanted!r}", remedy=nearest_hint(wanted, sorted(found)))


def columns(sweep: Sweep) -> list[str]:
    """Names of the values of a run, in the order of `Observer.values`."""
    names = [entry.name for entry in (*sweep.measures, *sweep.events)]
    names += [f"{mark.name} {part}" for mark in sweep.marks for part in ("body", "x", "y", "z")]
    return [*names, BEYOND_CURVE]


def body_of(recording: Recording, name: str) -> int:
    """Index of the body "actor/body". Raises FileError."""
    actor, _, body = (part.strip() for part in name.partition("/"))
    try:
        return recording.body_index(actor, body)
    except KeyError as error:
        known = [
            f"{recording.actor_names[a]}/{b}"
            for a, b in zip(recording.body_actor, recording.body_names, strict=True)
        ]
        raise FileError(f"there is no body {name!r}", remedy=nearest_hint(name, known)) from error


def motion(recording: Recording, name: str, value: str) -> np.ndarray:
    """(F, 3) position, velocity and so on of a body's, or of an actor's, centre of mass; or directions of axes."""
    if name in recording.actor_names:
        if value not in ("position", "velocity"):
            raise FileError(f"{value} is of a body, not of an actor", remedy='Name "actor/body"')
        return actor_centre(recording, recording.actor_names.index(name), value)
    body = body_of(recording, name)
    if value in AXES:
        return recording.rotation(body)[:, :, AXES[value]]
    return getattr(recording, value)[:, body]


def of_body(quantity: Quantity, recording: Recording) -> float:
    """A number of the motion of a body, at or over the output times."""
    vectors = motion(recording, quantity.body, quantity.value)
    series = component(vectors, quantity.component)
    take = quantity.take or "end"
    if take not in BODY_TAKES:
        raise FileError(f"{take!r} cannot be taken from a body", remedy=nearest_hint(take, BODY_TAKES))
    if take == "at":
        if quantity.time is None:
            raise FileError('"take": "at" needs a time', remedy="Add time, in seconds")
        return float(np.interp(quantity.time, recording.times, series))
    if take == "time_of_max":
        return float(recording.times[int(np.argmax(series))])
    if take in ("start", "end"):
        return float(series[0 if take == "start" else -1])
    return float({"min": np.min, "max": np.max, "mean": np.mean}[take](series))


def component(vectors: np.ndarray, name: str) -> np.ndarray:
    """(F,) a component of (F, 3) vectors, their size, or their horizontal size."""
    if name in "xyz":
        return vectors[:, "xyz".index(name)]
    return np.linalg.norm(vectors if name == "size" else vectors[:, :2], axis=-1)


def has_happened(
    event: Event, recording: Recording, measured: Mapping[str, float], happened: Mapping[str, bool]
) -> bool:
    """Whether an event happened in a run; a measure that is NaN is neither above nor below anything."""
    if event.contact is not None:
        return len(contacts.select(recording, event.contact)[0]) > 0
    if event.earlier is not None and event.later is not None:
        first, second = (contacts.first_touch(recording, touch) for touch in (event.earlier, event.later))
        return first < second
    if event.measure:
        value = measured[event.measure]
        above = event.above is None or value > event.above
        below = event.below is None or value < event.below
        return bool(above and below and not np.isnan(value))
    return (
        all(happened[name] for name in event.all_of)
        and (not event.any_of or any(happened[name] for name in event.any_of))
        and not any(happened[name] for name in event.none_of)
    )


def _check_event(
    event: Event, recording: Recording, measures: Sequence[str], known: Mapping[str, bool]
) -> None:
    order = event.earlier is not None or event.later is not None
    named = [*event.all_of, *event.any_of, *event.none_of]
    given = [event.contact is not None, order, bool(event.measure), bool(named)]
    if sum(given) != 1:
        remedy = (
            "Give one of: contact; earlier and later; measure with above or below; all_of, any_of, none_of"
        )
        raise FileError(f"{event.name!r} does not say what must happen", remedy=remedy)
    if order and (event.earlier is None or event.later is None):
        raise FileError(f"{event.name!r} needs earlier and later", remedy="Give both")
    if event.measure and event.measure not in measures:
        raise FileError(
            f"no measure is named {event.measure!r}", remedy=nearest_hint(event.measure, measures)
        )
    if event.measure and event.above is None and event.below is None:
        raise FileError(f"{event.name!r} has no limit", remedy="Give above or below")
    for name in named:
        if name not in known:
            raise FileError(f"no event before this one is named {name!r}", remedy=nearest_hint(name, known))
    has_happened(event, recording, dict.fromkeys(measures, NAN), known)


def trace_shape(traces: Traces | None) -> tuple[int, int, int]:
    """(bodies, times, 3)"""
    return (0, 0, 3) if traces is None else (len(traces.bodies), traces.times, 3)


def trace(recording: Recording, traces: Traces) -> np.ndarray:
    """(bodies, times, 3) paths of the bodies' centres of mass, m, float32, at moments spread over the whole run."""
    moments = np.linspace(recording.times[0], recording.times[-1], traces.times)
    paths = [motion(recording, name, "position") for name in traces.bodies]
    return np.array(
        [np.column_stack([np.interp(moments, recording.times, axis) for axis in path.T]) for path in paths],
        dtype="<f4",
    )


def packed(array: np.ndarray) -> str:
    """A float32 array as text for the journal."""
    return base64.b64encode(np.ascontiguousarray(array, dtype="<f4").tobytes()).decode("ascii")


def unpacked(text: str, shape: tuple[int, ...]) -> np.ndarray:
    """The opposite of `packed`. Raises ValueError where the text is none of this shape."""
    return np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4").reshape(shape)
