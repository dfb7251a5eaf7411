"""Where people struck a vehicle: wrap-around distance and zone of their contacts, and the head's place, time and speed.

A vehicle is an actor with a body that carries a contact mesh, x forward and z up from the ground in that body's frame.
"""

from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ...engine.spec.names import part_label
from .head import HeadError, find_heads
from .impact import body_label
from .measure import Measure
from .wrap_around import skin_of, wrap_around_distance

GRID = 0.1
"""m between the lines of the test grid, along the tape and across (Euro NCAP; from memory, unverified)."""
TAPE = (
    "Along a tape pulled taut in the vehicle's lengthwise plane through the place, from the ground below the foremost "
    "point of the outline there, over the front. Of the vehicle as it stands, without dive or dents."
)
PLACES = (
    "The place on the vehicle follows from the postures and speeds given; compare ranges, not single values."
)


@dataclass(frozen=True)
class Strike:
    """One contact of a body of another actor with a vehicle."""

    event: int
    """Index into `Recording.contacts`"""
    vehicle: int
    """Index of the body that carries the mesh"""
    body: int
    """Index of the body that struck it"""
    zone: str
    place: np.ndarray
    """(3,) at the peak, in the vehicle's frame, m"""
    tape: float
    """Wrap-around distance of the place, m"""


def find_strikes(scenario: Scenario, recording: Recording) -> list[Strike]:
    """All contacts of other actors with vehicles, by start."""
    skins = _skins(scenario, recording)
    found = []
    for number, event in enumerate(recording.contacts):
        for mine, other in (("a", "b"), ("b", "a")):
            vehicle, body = int(event[f"body_{mine}"]), int(event[f"body_{other}"])
            if vehicle not in skins or body < 0 or _actor(recording, body) == _actor(recording, vehicle):
                continue
            place = np.array(event[f"point_{mine}"], dtype=float)
            zone = recording.ellipsoid_names[event[f"ellipsoid_{mine}"]]
            tape = wrap_around_distance(skins[vehicle], place)
            found.append(Strike(number, vehicle, body, zone, place, tape))
    return found


def _actor(recording: Recording, body: int) -> int:
    return int(recording.body_actor[body])


def _skins(scenario: Scenario, recording: Recording) -> dict[int, np.ndarray]:
    """Body with a contact mesh to the (n, 3) points of what is touched of it."""
    return {
        recording.body_index(actor.name, body.name): skin_of(body.surface)
        for actor in scenario.actors
        for body in actor.model.bodies
        if body.surface is not None
    }


def vehicle_measures(scenario: Scenario, recording: Recording) -> list[Measure]:
    """Wrap-around distances, forces by zone, and head impacts of every vehicle of a run."""
    strikes = find_strikes(scenario, recording)
    return [
        *_head_strikes(scenario, recording, strikes),
        *_distances(recording, strikes),
        *_zones(recording, strikes),
    ]


def _hardest(recording: Recording, strikes: list[Strike]) -> Strike:
    return max(strikes, key=lambda strike: float(recording.contacts["peak_force"][strike.event]))


def _groups(strikes: list[Strike], key) -> dict[object, list[Strike]]:
    groups: dict[object, list[Strike]] = {}
    for strike in strikes:
        groups.setdefault(key(strike), []).append(strike)
    return groups


def _zone_label(recording: Recording, strike: Strike) -> str:
    return part_label(body_label(recording, strike.vehicle), strike.zone)


def grid_place(strike: Strike) -> str:
    """The nearest point of the test grid: "WAD 1700 mm, 200 mm left"."""
    row, column = (1000.0 * GRID * round(value / GRID) for value in (strike.tape, float(strike.place[1])))
    side = "middle" if not column else f"{abs(column):.0f} mm {'left' if column > 0 else 'right'}"
    return f"WAD {row:.0f} mm, {side}"


def _details(recording: Recording, strike: Strike) -> dict[str, object]:
    event = recording.contacts[strike.event]
    return {
        "zone": _zone_label(recording, strike),
        "across_m": float(strike.place[1]),
        "height_m": float(strike.place[2]),
        "grid": grid_place(strike),
        "peak_force_N": float(event["peak_force"]),
        "peak_time_s": float(event["peak_time"]),
    }


def _distances(recording: Recording, strikes: list[Strike]) -> list[Measure]:
    """Wrap-around distance of the hardest contact of every body part with every zone."""
    measures = []
    for mine in _groups(strikes, lambda s: (s.body, s.vehicle, s.zone)).values():
        strike = _hardest(recording, mine)
        subject = f"{body_label(recording, strike.body)}, {strike.zone}"
        details = _details(recording, strike) | {"contacts": len(mine)}
        definition = f"Of the hardest contact of the body part with the zone, at its peak. {TAPE}"
        measures.append(
            Measure("wrap-around distance", subject, strike.tape, "m", definition, PLACES, (), details)
        )
    return measures


def _zones(recording: Recording, strikes: list[Strike]) -> list[Measure]:
    """Largest force on every zone that was struck, and what struck it."""
    measures = []
    for mine in _groups(strikes, lambda s: (s.vehicle, s.zone)).values():
        strike, events = _hardest(recording, mine), recording.contacts[[s.event for s in mine]]
        details = {
            "struck_by": body_label(recording, strike.body),
            "time_s": float(recording.contacts["peak_time"][strike.event]),
            "first_touch_s": float(events["start"].min()),
            "depth_m": float(events["peak_penetration"].max()),
            "energy_J": float(events["energy"].sum()),
            "contacts": len(mine),
            "from_wrap_around_m": min(s.tape for s in mine),
            "to_wrap_around_m": max(s.tape for s in mine),
        }
        measures.append(
            Measure(
                "zone peak force",
                _zone_label(recording, strike),
                float(recording.contacts["peak_force"][strike.event]),
                "N",
                "Largest normal force of any single contact of another actor with the zone, taken at every time step.",
                "Follows from the zone's force curve, which is that of a class of vehicles and not of a make.",
                (),
                details,
            )
        )
    return measures


def _head_strikes(scenario: Scenario, recording: Recording, strikes: list[Strike]) -> list[Measure]:
    """Time, relative speed and place of the first touch of every head with every vehicle."""
    try:
        heads = {head.body_index: head.subject for head in find_heads(scenario, recording)}
    except HeadError:
        return []
    measures = []
    for (body, vehicle), mine in _groups(strikes, lambda s: (s.body, s.vehicle)).items():
        if body in heads:
            person = [
                s
                for s in strikes
                if s.vehicle == vehicle and _actor(recording, s.body) == _actor(recording, body)
            ]
            measures += _head_strike(recording, heads[body], mine, person)
    return measures


def _head_strike(
    recording: Recording, subject: str, mine: list[Strike], person: list[Strike]
) -> list[Measure]:
    starts = recording.contacts["start"]
    first = min(mine, key=lambda s: float(starts[s.event]))
    begin = min(float(starts[s.event]) for s in person)
    event = recording.contacts[first.event]
    normal, sliding = float(event["approach_speed"]), float(event["sliding_speed"])
    details = _details(recording, first) | {
        "time_s": float(event["start"]),
        "first_touch_of_the_person_s": begin,
        "approach_m/s": normal,
        "sliding_m/s": sliding,
    }
    values = (
        (
            "head impact time",
            float(event["start"]) - begin,
            "s",
            "From the first touch of the person and the vehicle to the first touch of the head and the vehicle.",
        ),
        (
            "head impact speed",
            float(np.hypot(normal, sliding)),
            "m/s",
            "Of the surfaces of head and vehicle relative to each other at their first touch.",
        ),
        (
            "head wrap-around distance",
            first.tape,
            "m",
            f"Of the first contact of the head with the vehicle, at its peak. {TAPE}",
        ),
    )
    return [
        Measure(name, subject, value, unit, definition, PLACES, (), details)
        for name, value, unit, definition in values
    ]
