"""What of a run is in its page: motion, surfaces, contacts, measures, inputs with their origins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.files import manifest
from ..analysis.files.run_folder import Run
from ..analysis.measures import evaluate_families
from ..analysis.measures.channels import accelerometer_size
from ..analysis.measures.impact import surface_label
from ..analysis.measures.step_resolution import all_warnings
from ..analysis.pages.provenance import list_inputs
from ..engine.runs.recording import Recording
from ..engine.spec import Scenario
from ..io_json.errors import FileError
from .encoding import Blocks
from .person_skin import person_skin
from .surfaces import Meshes, actor_parts, obstacle_entry

FORMAT, FORMAT_VERSION = "mannequin-view", 1
POSITION_UNIT, ROTATION_UNIT, TIME_UNIT = 1e-4, 1.0 / 30000.0, 1e-6
"""Metres, parts of a unit quaternion, seconds: what the motion is rounded to."""
MOST_PLACES = 1_500_000
"""Bodies times frames of one run; a longer motion is thinned, and the page states it."""
COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
"""Of actors, in turn: different for every kind of colour vision (Okabe and Ito, 2008)."""
PATH_WORDS = ("head", "pelvis")
"""Bodies whose path is drawn have one of these words in their names; an actor with none shows its first body's."""


@dataclass(frozen=True)
class Camera:
    """A camera of the page besides its own."""

    name: str
    position: tuple[float, float, float]
    """World, m."""
    direction: tuple[float, float, float]
    """World, unit vector of the line of sight."""
    field_of_view: float
    """Vertical, degrees."""
    picture: str = ""
    """Photograph behind the view, as a data URI of an image."""

    def as_dict(self) -> dict[str, Any]:
        """For the page."""
        return {
            "name": self.name,
            "position": list(self.position),
            "direction": list(self.direction),
            "fov": self.field_of_view,
            "picture": self.picture,
        }


def build_content(runs: Sequence[Run], title: str = "", cameras: Sequence[Camera] = ()) -> dict[str, Any]:
    """Everything that the page of some runs shows, for JSON. The same runs give the same content. Raises FileError."""
    return build_entries([(run.scenario, run.recording, _facts(run)) for run in runs], title, cameras)


def build_entries(
    runs: Sequence[tuple[Scenario, Recording, Mapping[str, str]]],
    title: str = "",
    cameras: Sequence[Camera] = (),
) -> dict[str, Any]:
    """The content of a page of runs, each with what it is besides (`_facts`)."""
    blocks = Blocks()
    meshes = Meshes(blocks)
    entries = [run_entry(scenario, recording, facts, blocks, meshes) for scenario, recording, facts in runs]
    _tell_apart(entries)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "title": title or ", ".join(dict.fromkeys(scenario.name for scenario, _, _ in runs)),
        "cameras": [camera.as_dict() for camera in cameras],
        "runs": entries,
        "meshes": meshes.written,
        "blocks": blocks.written,
    }


def _tell_apart(entries: list[dict[str, Any]]) -> None:
    """Runs of one scenario are labelled by their ids too."""
    labels = [entry["label"] for entry in entries]
    for entry in entries:
        if labels.count(entry["label"]) > 1:
            entry["label"] += f" ({entry['run_id']})"


def _facts(run: Run) -> dict[str, str]:
    """What a kept run is: its name, identity and origin."""
    if run.recording.frames == 0:
        raise FileError("has no output time to show", path=run.folder, remedy="Run it again, for longer")
    return {
        "run": run.manifest["run"],
        "run_id": manifest.run_id(run.manifest),
        "digest": run.manifest["sha256"],
        "started": run.manifest["started"],
        "program": f"Mannequin {run.manifest['versions']['mannequin']}",
    }


def run_entry(
    scenario: Scenario, recording: Recording, facts: Mapping[str, str], blocks: Blocks, meshes: Meshes
) -> dict[str, Any]:
    """One run of the page; the recording has at least one output time."""
    frames = shown_frames(recording)
    heads = [k for k, name in enumerate(recording.body_names) if "head" in name.lower()]
    return {
        "label": scenario.name,
        **facts,
        "description": scenario.description,
        "status": f"{recording.status}. {recording.message}".rstrip(". ") + ".",
        "sampling": _sampling(recording, frames),
        "warnings": all_warnings(scenario, recording),
        "ground": bool(scenario.settings.ground),
        "first_body": heads[0] if heads else 0,
        **_names(recording),
        **motion_blocks(scenario, recording, frames, blocks),
        "bones": _bones(scenario),
        **_surfaces(scenario, blocks, meshes),
        "obstacles": [obstacle_entry(obstacle, meshes) for obstacle in scenario.obstacles],
        "contacts": _contacts(recording),
        "measures": _measures(scenario, recording),
        "inputs": _inputs(scenario),
    }


def shown_frames(recording: Recording) -> np.ndarray:
    """Numbers of the frames that the page holds: all, or evenly thinned ones, with the first and the last."""
    most = max(2, MOST_PLACES // max(1, len(recording.body_names)))
    step = -(-recording.frames // most)
    return np.unique(np.append(np.arange(0, recording.frames, step), recording.frames - 1))


def _sampling(recording: Recording, frames: np.ndarray) -> str:
    if len(frames) < 2:
        return "one output time"
    text = f"every {1e3 * np.median(np.diff(recording.times[frames])):.4g} ms"
    return (
        text if len(frames) == recording.frames else f"{text}, thinned from {recording.frames} output times"
    )


def _names(recording: Recording) -> dict[str, Any]:
    actors = [
        {"name": name, "color": COLORS[k % len(COLORS)]} for k, name in enumerate(recording.actor_names)
    ]
    bodies = [
        {"name": name, "actor": int(actor)}
        for name, actor in zip(recording.body_names, recording.body_actor, strict=True)
    ]
    return {"actors": actors, "bodies": bodies, "paths": _paths(recording)}


def _paths(recording: Recording) -> list[int]:
    """Bodies whose path is drawn."""
    chosen = []
    for actor in range(len(recording.actor_names)):
        own = np.flatnonzero(recording.body_actor == actor)
        named = [k for k in own if any(word in recording.body_names[k].lower() for word in PATH_WORDS)]
        chosen += named or list(own[:1])
    return [int(k) for k in chosen]


def motion_blocks(
    scenario: Scenario, recording: Recording, frames: np.ndarray, blocks: Blocks
) -> dict[str, int]:
    """Where all bodies are at these frames, and their curves, each as the number of its block."""
    bodies = range(len(recording.body_names))
    origins = np.stack([recording.origin(body)[frames] for body in bodies], axis=1)
    acceleration = np.stack([accelerometer_size(scenario, recording, body) for body in bodies], axis=1)
    return {
        "times": blocks.scaled(recording.times[frames], TIME_UNIT),
        "positions": blocks.scaled(origins, POSITION_UNIT),
        "quaternions": blocks.scaled(recording.quaternion[frames], ROTATION_UNIT, "int16"),
        "speed": blocks.shortened(np.linalg.norm(recording.velocity[frames], axis=2)),
        "acceleration": blocks.shortened(acceleration[frames]),
        "forces": blocks.shortened(recording.contact_force[frames]),
    }


def _bones(scenario: Scenario) -> list[list[int]]:
    """Pairs of bodies that a joint holds together."""
    pairs, first = [], 0
    for actor in scenario.actors:
        number = {body.name: first + k for k, body in enumerate(actor.model.bodies)}
        pairs += [
            [number[joint.parent], number[joint.child]]
            for joint in actor.model.joints
            if joint.parent in number and joint.child in number
        ]
        first += len(number)
    return pairs


def _surfaces(scenario: Scenario, blocks: Blocks, meshes: Meshes) -> dict[str, Any]:
    """Rigid parts on bodies, and skins that follow several."""
    parts, skins, first = [], [], 0
    for number, actor in enumerate(scenario.actors):
        skin = person_skin(actor, first, COLORS[number % len(COLORS)], meshes, blocks)
        skins += [skin] if skin else []
        parts += actor_parts(actor, first, meshes, is_dressed=skin is not None)
        first += len(actor.model.bodies)
    return {"parts": parts, "skins": skins}


def _contacts(recording: Recording) -> list[dict[str, Any]]:
    return [
        {
            "start": float(event["start"]),
            "a": surface_label(recording, event, "a"),
            "b": surface_label(recording, event, "b"),
            "approach_speed": float(event["approach_speed"]),
            "peak_force": float(event["peak_force"]),
            "point": [float(value) for value in np.round(event["point"], 4)],
            "normal": [float(value) for value in np.round(event["normal"], 4)],
        }
        for event in recording.contacts
    ]


def _measures(scenario: Scenario, recording: Recording) -> list[dict[str, Any]]:
    return [
        {
            "family": family,
            "rows": [
                {
                    "name": measure.name,
                    "of": measure.subject,
                    "value": measure.text,
                    "definition": measure.definition,
                    "notes": list(measure.remarks),
                }
                for measure in measures
            ],
        }
        for family, measures in evaluate_families(scenario, recording).items()
    ]


def _inputs(scenario: Scenario) -> list[dict[str, Any]]:
    return [
        {
            "name": entry.name,
            "value": entry.value,
            "unit": entry.unit,
            "origin": f"assumed: {entry.origin}" if entry.is_assumed else entry.source,
            "assumed": entry.is_assumed,
        }
        for entry in list_inputs(scenario)
    ]
