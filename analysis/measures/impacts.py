"""Impacts: contacts of the same two bodies that belong to one blow, and what each blow did to the head.

The contact log has an entry for each pair of surfaces from touch to parting. A blow to the head touches with several
ellipsoids, and each of them may part and touch again. Contacts of the same two moving bodies (bodies fixed to each
other count as one) with less than `JOIN_GAP` between them are one impact.
"""

from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ...engine.spec.names import part_label
from ..subjects import carrying_bodies
from .channels import NotMeasured, body_channel, filtered
from .clip import clip_contiguous
from .criteria import ACCELEROMETER, RIGID_HEAD, head_signal, hic_definition
from .head import Head, HeadError, find_heads
from .hic import hic
from .impact import surface_label
from .measure import Measure
from .signals import resultant

JOIN_GAP = 0.020
"""s: contacts of two bodies this close in time are one impact. Assumed: longer than a bounce of a few millimetres
within one blow, shorter than the time between two blows."""
BEFORE, AFTER = 0.005, 0.015
"""s before the touch and after the parting that belong to an impact; assumed: the filter's reach, and the longest
window of HIC15."""
LEAST_LISTED = 0.05
"""Share of an impulse from which on a surface is named."""
LEAST_SHARE = 0.05
"""Impacts of a head that are weaker than this share of its strongest one are not listed; assumed."""


@dataclass(frozen=True)
class Impact:
    """One blow between two moving bodies, or a body and an obstacle."""

    first: int
    """Moving body: index of the body that others are fixed to"""
    second: int
    """The other one; -1 for an obstacle"""
    obstacle: int
    """-1 for a body"""
    touched: tuple[tuple[int, ...], tuple[int, ...]]
    """Bodies of both sides that were touched, those of the largest share of the impulse first; none of an obstacle"""
    events: tuple[int, ...]
    """Indices into `Recording.contacts`, by start"""
    start: float
    """s"""
    end: float
    """s; the end of the run where it still touches then"""
    peak_time: float
    """s, of the largest force between the two"""
    peak_force: float
    """N: the largest sum, at one instant, of the normal forces of all their contacts"""
    approach_speed: float
    """m/s, of the first touch"""
    shares: tuple[float, ...]
    """Of each event in the sum of the sizes of their impulses"""


def find_impacts(scenario: Scenario, recording: Recording, gap: float = JOIN_GAP) -> list[Impact]:
    """All impacts of a run, by start."""
    carrier = carrying_bodies(scenario, recording)
    groups: dict[tuple[int, int, int], list[int]] = {}
    for number, event in enumerate(recording.contacts):
        first = int(carrier[event["body_a"]])
        second = int(carrier[event["body_b"]]) if event["body_b"] >= 0 else -1
        if second >= 0:
            first, second = min(first, second), max(first, second)
        groups.setdefault((first, second, int(event["obstacle_b"])), []).append(number)
    found = [
        _impact(recording, carrier, pair, events)
        for pair, numbers in groups.items()
        for events in _joined(recording, numbers, gap)
    ]
    return sorted(found, key=lambda impact: impact.start)


def _end(recording: Recording, event: int) -> float:
    end = float(recording.contacts["end"][event])
    return float(recording.times[-1]) if np.isnan(end) else end


def _joined(recording: Recording, events: list[int], gap: float) -> list[list[int]]:
    """Events, which are in the order of their starts, in groups with no gap as long as this in them."""
    groups: list[list[int]] = []
    reached = -np.inf
    for event in events:
        if not groups or float(recording.contacts["start"][event]) - reached >= gap:
            groups.append([])
        groups[-1].append(event)
        reached = max(reached, _end(recording, event))
    return groups


def _impact(
    recording: Recording, carrier: list[int], pair: tuple[int, int, int], events: list[int]
) -> Impact:
    contacts = recording.contacts[events]
    hardest = contacts[int(np.argmax(contacts["joined_force"]))]
    impulse = np.linalg.norm(contacts["impulse"], axis=-1)
    total = float(np.sum(impulse))
    shares = impulse / total if total > 0.0 else np.full(len(events), 1.0 / len(events))
    return Impact(
        *pair,
        tuple(_by_share(contacts, shares, carrier, moving) for moving in pair[:2]),
        tuple(events),
        float(contacts["start"][0]),
        max(_end(recording, event) for event in events),
        float(hardest["joined_time"]),
        float(hardest["joined_force"]),
        float(contacts["approach_speed"][0]),
        tuple(map(float, shares)),
    )


def _by_share(contacts: np.ndarray, shares: np.ndarray, carrier: list[int], moving: int) -> tuple[int, ...]:
    """Bodies fixed to a moving one that were touched, those of the largest share first."""
    found: dict[int, float] = {}
    for event, share in zip(contacts, shares, strict=True):
        for body in (int(event["body_a"]), int(event["body_b"])):
            if body >= 0 and carrier[body] == moving:
                found[body] = found.get(body, 0.0) + float(share)
    return tuple(sorted(found, key=lambda body: -found[body]))


def side_label(recording: Recording, impact: Impact, side: int) -> str:
    """Bodies that took part on side 0 or 1, or the obstacle: "car / bonnet, windscreen"."""
    bodies = impact.touched[side]
    if not bodies:
        return recording.obstacle_names[impact.obstacle]
    actor = recording.actor_names[recording.body_actor[bodies[0]]]
    return part_label(actor, ", ".join(recording.body_names[body] for body in bodies))


def share_text(recording: Recording, impact: Impact) -> str:
    """Shares of the surfaces in the impulse, the largest first: "skull on bonnet 80 %, jaw on bonnet 20 %"; those below
    LEAST_LISTED only by their number."""
    shares: dict[str, float] = {}
    for event, share in zip(impact.events, impact.shares, strict=True):
        surfaces = (surface_label(recording, recording.contacts[event], side) for side in "ab")
        name = " on ".join(label.rpartition(" / ")[2] for label in surfaces)
        shares[name] = shares.get(name, 0.0) + share
    order = sorted(shares, key=lambda name: -shares[name])
    listed = [name for name in order if shares[name] >= LEAST_LISTED]
    texts = [f"{name} {100.0 * shares[name]:.0f} %" for name in listed]
    if others := len(order) - len(listed):
        texts.append(f"{others} more below {100.0 * LEAST_LISTED:.0f} % each")
    return ", ".join(texts)


def impact_measures(scenario: Scenario, recording: Recording) -> list[Measure]:
    """HIC15, 3 ms clip, peak acceleration and contact force of every impact of every head."""
    try:
        heads = find_heads(scenario, recording)
    except HeadError:
        return []
    impacts = find_impacts(scenario, recording)
    measures = []
    for head in heads:
        mine = [impact for impact in impacts if any(head.body_index in side for side in impact.touched)]
        strongest = max((impact.peak_force for impact in mine), default=0.0)
        mine = [impact for impact in mine if impact.peak_force >= LEAST_SHARE * strongest]
        measures += _head_impacts(scenario, recording, head, mine)
    return measures


def impact_window(impacts: list[Impact], number: int) -> tuple[float, float]:
    """Times (s) between which the signal belongs to one of several impacts: cut half-way between their peaks."""
    impact = impacts[number]
    start, end = impact.start - BEFORE, impact.end + AFTER
    for other in (*impacts[:number], *impacts[number + 1 :]):
        half = 0.5 * (other.peak_time + impact.peak_time)
        if other.peak_time < impact.peak_time:
            start = max(start, half)
        elif other.peak_time > impact.peak_time:
            end = min(end, half)
    return start, end


def _head_impacts(
    scenario: Scenario, recording: Recording, head: Head, impacts: list[Impact]
) -> list[Measure]:
    try:
        times, acceleration, signal = head_signal(scenario, recording, head)
    except NotMeasured:
        return []  # the criteria of the whole run say why
    force = _contact_force(scenario, recording, head)
    measures = []
    for number, impact in enumerate(impacts):
        start, end = impact_window(impacts, number)
        inside = (times >= start) & (times <= end)
        if np.count_nonzero(inside) < 2:
            continue
        details = {
            "touched": side_label(recording, impact, 1 if head.body_index in impact.touched[0] else 0),
            "time_s": impact.start,
            "peak_time_s": impact.peak_time,
            "until_s": impact.end,
            "approach_m/s": impact.approach_speed,
            "contacts": len(impact.events),
            "shares": share_text(recording, impact),
        }
        subject = f"{head.subject}, impact {number + 1}"
        t, a = times[inside], acceleration[inside]
        for name, value, unit, definition in (
            ("impact HIC15", hic(t, a, 0.015).value, "", hic_definition(0.015)),
            (
                "impact 3 ms clip",
                clip_contiguous(t, a),
                "g",
                f"Largest level held without a break for 3 ms. {ACCELEROMETER}",
            ),
            ("impact peak acceleration", float(np.max(a)), "g", f"Largest value. {ACCELEROMETER}"),
            ("impact peak force", _largest(force, start, end), "N", FORCE_DEFINITION),
        ):
            note = f"{definition} {WINDOW}"
            measures.append(Measure(name, subject, value, unit, note, RIGID_HEAD, signal.warnings, details))
    return measures


WINDOW = (
    f"Within one impact: contacts of the same two bodies less than {1e3 * JOIN_GAP:g} ms apart, from "
    f"{1e3 * BEFORE:g} ms before the first touch to {1e3 * AFTER:g} ms after the last, cut half-way between the peaks "
    "of two impacts."
)
FORCE_DEFINITION = "Largest sum of the contact forces on the head, CFC 1000."


def _contact_force(
    scenario: Scenario, recording: Recording, head: Head
) -> tuple[np.ndarray, np.ndarray] | None:
    """(times, size in N) of the sum of the contact forces on a head; None where it was not measured."""
    try:
        signal = filtered(body_channel(scenario, recording, head.body_index, "contact_force"))
    except NotMeasured:
        return None
    return signal.times, resultant(signal.values)


def _largest(series: tuple[np.ndarray, np.ndarray] | None, start: float, end: float) -> float:
    if series is None:
        return float("nan")
    times, values = series
    return float(np.max(values[(times >= start) & (times <= end)], initial=0.0))


def impact_rows(scenario: Scenario, recording: Recording) -> list[tuple[Impact, str, str]]:
    """Every impact with the labels of its two sides, by start."""
    return [
        (impact, side_label(recording, impact, 0), side_label(recording, impact, 1))
        for impact in find_impacts(scenario, recording)
    ]


def is_between_actors(recording: Recording, impact: Impact) -> bool:
    """Whether an impact is of two actors, and not of one with itself or with an obstacle."""
    actors = recording.body_actor
    return impact.second >= 0 and bool(actors[impact.first] != actors[impact.second])
