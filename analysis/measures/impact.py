"""What touched what: impact speeds, contact forces and durations, energy absorbed."""

from collections.abc import Iterable

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec.names import part_label
from .measure import Measure
from .signals import resultant


def body_label(recording: Recording, body: int) -> str:
    """Label "actor / body" of a body index."""
    return part_label(recording.actor_names[recording.body_actor[body]], recording.body_names[body])


def surface_label(recording: Recording, event: np.void, side: str) -> str:
    """Label "actor / body / ellipsoid" or the obstacle's name, of side "a" or "b" of a contact event."""
    if side == "b" and event["obstacle_b"] >= 0:
        return recording.obstacle_names[event["obstacle_b"]]
    ellipsoid = recording.ellipsoid_names[event[f"ellipsoid_{side}"]]
    return part_label(body_label(recording, int(event[f"body_{side}"])), ellipsoid)


def events_of_body(recording: Recording, body: int) -> np.ndarray:
    """Indices of the contact events in which a body takes part, by start time."""
    contacts = recording.contacts
    return np.flatnonzero((contacts["body_a"] == body) | (contacts["body_b"] == body))


def touched_bodies(recording: Recording) -> Iterable[tuple[int, np.ndarray]]:
    """Each body that touched anything, with its contact events."""
    for body in range(len(recording.body_names)):
        events = events_of_body(recording, body)
        if len(events):
            yield body, events


def total_duration(starts: np.ndarray, ends: np.ndarray) -> float:
    """Length of the union of intervals: contacts that overlap in time count once."""
    order = np.argsort(starts, kind="stable")
    total, reached = 0.0, -np.inf
    for start, end in zip(starts[order], ends[order], strict=True):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return float(total)


def impact_speeds(recording: Recording) -> list[Measure]:
    """Speed of each body part at its first touch, relative to what it touched."""
    measures = []
    for body, events in touched_bodies(recording):
        event = recording.contacts[events[0]]
        normal, sliding = float(event["approach_speed"]), float(event["sliding_speed"])
        start = float(event["start"])
        velocity = np.array([np.interp(start, recording.times, v) for v in recording.velocity[:, body].T])
        in_touch = start <= recording.times[0]
        measures.append(
            Measure(
                "impact speed",
                body_label(recording, body),
                float(np.hypot(normal, sliding)),
                "m/s",
                "Relative speed of the two surfaces at the contact point at first touch: approach along the normal "
                "and sliding across it, combined.",
                "A speed of the model's rigid surface; depends on the start posture and position given.",
                ("already touching at the start of the run",) if in_touch else (),
                {
                    "time_s": start,
                    "approach_m/s": normal,
                    "sliding_m/s": sliding,
                    "centre_of_mass_speed_m/s": float(np.linalg.norm(velocity)),
                    "touched": _other_side(recording, event, body),
                },
            )
        )
    return measures


def _other_side(recording: Recording, event: np.void, body: int) -> str:
    return surface_label(recording, event, "b" if event["body_a"] == body else "a")


def contact_forces(recording: Recording) -> list[Measure]:
    """Peak contact force of each body part."""
    measures = []
    for body, events in touched_bodies(recording):
        contacts = recording.contacts[events]
        largest = contacts[int(np.argmax(contacts["peak_force"]))]
        sampled = resultant(recording.contact_force[:, body])
        frame = int(np.argmax(sampled))
        measures.append(
            Measure(
                "peak contact force",
                body_label(recording, body),
                float(largest["peak_force"]),
                "N",
                "Largest normal force of any single contact of the body part, taken at every time step. Beside it, the "
                "largest sum of all its contact forces, friction included, at the output times.",
                "Follows from the contact curves of the model, which are not those of a particular person or surface.",
                details={
                    "time_s": float(largest["peak_time"]),
                    "touched": _other_side(recording, largest, body),
                    "penetration_m": float(largest["peak_penetration"]),
                    "largest_sum_N": float(sampled[frame]),
                    "at_s": float(recording.times[frame]),
                },
            )
        )
    return measures


def contact_durations(recording: Recording) -> list[Measure]:
    """How long each body part touched anything."""
    return [
        _duration(recording, body, recording.contacts[events]) for body, events in touched_bodies(recording)
    ]


def _duration(recording: Recording, body: int, contacts: np.ndarray) -> Measure:
    is_open = np.isnan(contacts["end"])
    ends = np.where(is_open, recording.times[-1], contacts["end"])
    warnings = ("still touching at the end of the run",) if np.any(is_open) else ()
    return Measure(
        "contact duration",
        body_label(recording, body),
        total_duration(contacts["start"], ends),
        "s",
        "Time in which the body part touches anything; contacts at the same time count once.",
        "Depends on the contact stiffness of the model.",
        warnings,
        {"contacts": len(contacts), "longest_s": float(np.max(ends - contacts["start"]))},
    )


def absorbed_energy(recording: Recording) -> list[Measure]:
    """Energy that the contacts of each body part took out of the motion."""
    measures = []
    for body, events in touched_bodies(recording):
        contacts = recording.contacts[events]
        shared = contacts["obstacle_b"] < 0
        measures.append(
            Measure(
                "energy absorbed",
                body_label(recording, body),
                float(np.sum(contacts["energy"])),
                "J",
                "Energy taken out of the bodies by the contacts of this body part, friction included, up to the end of "
                "the run.",
                "A contact between two body parts is listed under both, since how they share it is not determined: "
                "the values of several body parts must not be added up.",
                ("a contact still closed at the end may hold energy it would give back",)
                if np.any(np.isnan(contacts["end"]))
                else (),
                {"in_contact_with_other_bodies_J": float(np.sum(contacts["energy"][shared]))}
                if np.any(shared)
                else {},
            )
        )
    return measures
