"""The summary of a run as plain text."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...engine import ENERGY_TERMS, Recording
from ...engine.spec import Actor, Scenario
from ..measures import Measure
from ..measures.impact import surface_label
from ..measures.impacts import impact_rows
from ..measures.step_resolution import all_warnings

LISTED_CONTACTS = 40
LISTED_IMPACTS = 20


def residual_share(recording: Recording) -> float:
    """Largest numerical energy error as a share of the energy in the run; NaN for a run without frames.

    The energy in the run is the largest kinetic energy, or the largest change of gravity energy, whichever is greater.
    """
    if recording.frames == 0:
        return float("nan")
    energy = dict(zip(ENERGY_TERMS, recording.energy.T, strict=True))
    scale = max(np.max(np.abs(energy["kinetic"])), np.ptp(energy["gravity"]))
    residual = np.max(np.abs(energy["residual"]))
    return float(residual / scale) if scale > 0.0 else (0.0 if residual == 0.0 else float("inf"))


def summary_text(scenario: Scenario, recording: Recording, measures: Sequence[Measure], stem: str) -> str:
    """What was run and what came out, for a person to read. `statements` is what comes after it."""
    sections = [
        _section("Run", _run_lines(scenario, recording, stem)),
        _section("Settings", _pairs(vars(scenario.settings).items())),
        *(_section(f"Actor {actor.name}", _actor_lines(actor)) for actor in scenario.actors),
        _section("Warnings and notes", _note_lines(scenario, recording)),
        _section("Impacts", _impact_lines(scenario, recording)),
        _section("Contacts", _contact_lines(recording)),
        _section("Measures", _measure_lines(measures)),
        _section("Energy", _energy_lines(recording)),
    ]
    return "\n".join(sections)


def statements(content: Mapping[str, Any]) -> str:
    """The last section of the summary: what the manifest states and no second simulation can show.

    It stands here a second time so that a change in one of the two places is seen.
    """
    code = hashlib.sha256(json.dumps(content["compiled_code"], sort_keys=True).encode("utf-8")).hexdigest()
    lines = _pairs(
        [
            ("started", content["started"]),
            ("ended", content["ended"]),
            *content["versions"].items(),
            *content["platform"].items(),
            ("compiled code", f"{len(content['compiled_code'])} functions, SHA-256 {code}"),
        ]
    )
    lines += [
        f"input: {entry['path']}, {entry['bytes']} bytes, SHA-256 {entry['sha256']}"
        for entry in content["inputs"]
    ]
    changed = content["overrides"].items()
    lines += [
        f"changed for this run: {name} = {json.dumps(value, ensure_ascii=False)}" for name, value in changed
    ]
    return "\n" + _section("As stated by whoever made the run", lines)


def _section(title: str, lines: Iterable[str]) -> str:
    return "\n".join([title, "-" * len(title), *lines, ""])


def _pairs(items: Iterable[tuple[str, object]]) -> list[str]:
    return [f"{name + ':':<26} {value}" for name, value in items]


def _run_lines(scenario: Scenario, recording: Recording, stem: str) -> list[str]:
    simulated = float(recording.times[-1]) if recording.frames else 0.0
    status = f"{recording.status} ({recording.message})" if recording.message else recording.status
    return _pairs(
        [
            ("run", stem),
            ("scenario", scenario.name),
            ("description", scenario.description or "none"),
            ("status", status),
            ("simulated time", f"{simulated:.6g} s of {scenario.settings.duration:g} s"),
            ("time steps", _steps_taken(recording)),
            ("output times", recording.frames),
            ("actors", ", ".join(recording.actor_names)),
            ("bodies", len(recording.body_names)),
            ("contact events", len(recording.contacts)),
        ]
    )


def _steps_taken(recording: Recording) -> str:
    """How many, and of adaptive ones from which size to which."""
    sizes = recording.step_tally[:, 0]
    return f"{recording.steps}" + (f", of {sizes[0]:g} to {sizes[-1]:g} s" if len(sizes) else "")


def _actor_lines(actor: Actor) -> list[str]:
    model = actor.model
    mass = sum(body.mass for body in model.bodies)
    return _pairs(
        [
            ("model", f"{model.name} {model.version}".strip()),
            ("model file", actor.model_reference or "none"),
            ("mass", f"{mass:.6g} kg in {len(model.bodies)} bodies"),
            ("position", f"{_numbers(actor.position)} m"),
            ("orientation (Z, Y, X)", f"{_numbers(actor.orientation)} deg"),
            ("velocity", f"{_numbers(actor.velocity)} m/s"),
            ("angular velocity", f"{_numbers(actor.angular_velocity)} rad/s"),
            ("joints with start angles", len(actor.joint_angles)),
            ("joints with start rates", len(actor.joint_velocities)),
        ]
    )


def _numbers(values: Iterable[float]) -> str:
    return "(" + ", ".join(f"{value:g}" for value in values) + ")"


def _note_lines(scenario: Scenario, recording: Recording) -> list[str]:
    lines = [f"warning: {text}" for text in all_warnings(scenario, recording)]
    lines += [f"note: {text}" for text in scenario.notes]
    lines += [f"{actor.name}: {text}" for actor in scenario.actors for text in actor.model.notes]
    return lines or ["none"]


def _impact_lines(scenario: Scenario, recording: Recording) -> list[str]:
    """Contacts of the same two bodies joined to impacts, the hardest first."""
    if recording.frames == 0:
        return ["none"]
    rows = sorted(impact_rows(scenario, recording), key=lambda row: -row[0].peak_force)
    lines = [
        f"{impact.start:.4f} s to {impact.end:.4f} s: {first} on {second}, {len(impact.events)} contacts, approach "
        f"{impact.approach_speed:.3g} m/s, largest force {impact.peak_force:.4g} N at "
        f"{impact.peak_time:.4f} s"
        for impact, first, second in rows[:LISTED_IMPACTS]
    ]
    if len(rows) > LISTED_IMPACTS:
        lines.append(f"and {len(rows) - LISTED_IMPACTS} weaker ones")
    return lines or ["none"]


def _contact_lines(recording: Recording) -> list[str]:
    lines = []
    for event in recording.contacts[:LISTED_CONTACTS]:
        end = "still touching" if np.isnan(event["end"]) else f"{event['end']:.4f} s"
        lines.append(
            f"{event['start']:.4f} s to {end}: {surface_label(recording, event, 'a')} on "
            f"{surface_label(recording, event, 'b')}, approach {event['approach_speed']:.3g} m/s, "
            f"peak {event['peak_force']:.4g} N"
        )
    if len(recording.contacts) > LISTED_CONTACTS:
        lines.append(f"and {len(recording.contacts) - LISTED_CONTACTS} more: see the contacts table")
    return lines or ["none"]


def _measure_lines(measures: Sequence[Measure]) -> list[str]:
    """A line for each measure, (!) where it is flagged; a note that several share is printed once, below, with its
    number."""
    notes = list(dict.fromkeys(remark for measure in measures for remark in measure.remarks))
    lines = []
    for measure in measures:
        marks = "".join(f" [{notes.index(remark) + 1}]" for remark in measure.remarks)
        lines.append(f"{measure.name:<24} {measure.subject:<30} {measure.text}{marks}")
    lines += [f"[{number}] {note}" for number, note in enumerate(notes, start=1)]
    return lines or ["none"]


def _energy_lines(recording: Recording) -> list[str]:
    if recording.frames == 0:
        return ["no output times"]
    lines = _pairs(
        (term, f"{value:.6g} J") for term, value in zip(ENERGY_TERMS, recording.energy[-1], strict=True)
    )
    lines.append(
        f"largest numerical error: {100.0 * residual_share(recording):.3g} % of the energy in the run"
    )
    return lines
