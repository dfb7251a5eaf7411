"""What of a run is in its page: motion, surfaces, contacts, measures, inputs with their origins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.colors import SERIES
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
from .animated import animated_parts
from .cameras import Camera
from .connections import connection_lines
from .encoding import Blocks
from .person_skin import person_skin
from .surfaces import Meshes, actor_parts, obstacle_entry

FORMAT, FORMAT_VERSION = "mannequin-view", 1
POSITION_UNIT, ROTATION_UNIT, TIME_UNIT = 1e-4, 1.0 / 30000.0, 1e-6
"""Metres, parts of a unit quaternion, seconds: what the motion is rounded to."""
MOST_PLACES = 1_500_000
"""Bodies times frames of one run; a longer motion is thinned, and the page states it."""
MOST_GHOST_FRAMES = 120
"""Of a run that is shown as a ghost."""
PATH_WORDS = ("head", "pelvis")
"""Bodies whose path is drawn have one of these words in their names; an actor with none shows its first body's."""


@dataclass(frozen=True)
class Ghost:
    """Another run of the same actors, drawn see-through beside the one that it belongs to."""

    label: str
    recording: Recording


@dataclass(frozen=True)
class Shown:
    """A run of a page."""

    scenario: Scenario
    recording: Recording
    facts: Mapping[str, str]
    """What it is: run, run_id, digest, digest_of, started, program."""
    label: str = ""
    """Such as a hypothesis; empty is the scenario's name."""
    ghosts: Sequence[Ghost] = ()


def shown_run(run: Run, label: str = "") -> Shown:
    """A kept run, to be shown. Raises FileError where it has nothing to show."""
    if run.recording.frames == 0:
        raise FileError("has no output time to show", path=run.folder, remedy="Run it again, for longer")
    facts = {
        "run": run.manifest["run"],
        "run_id": manifest.run_id(run.manifest),
        "digest": run.manifest["sha256"],
        "digest_of": "manifest",
        "started": run.manifest["started"],
        "program": f"Mannequin {run.manifest['versions']['mannequin']}",
    }
    return Shown(run.scenario, run.recording, facts, label)


def build_content(runs: Sequence[Shown], title: str = "", cameras: Sequence[Camera] = ()) -> dict[str, Any]:
    """Everything that the page of some runs shows, for JSON. The same runs give the same content."""
    blocks = Blocks()
    meshes = Meshes(blocks)
    entries = [run_entry(run, blocks, meshes) for run in runs]
    _tell_apart(entries)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "title": title or ", ".join(dict.fromkeys(run.label or run.scenario.name for run in runs)),
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


def run_entry(run: Shown, blocks: Blocks, meshes: Meshes) -> dict[str, Any]:
    """One run of the page; the recording has at least one output time."""
    scenario, recording = run.scenario, run.recording
    frames = shown_frames(recording)
    heads = [k for k, name in enumerate(recording.body_names) if "head" in name.lower()]
    return {
        "label": run.label or scenario.name,
        **run.facts,
        "description": scenario.description,
        "status": f"{recording.status}. {recording.message}".rstrip(". ") + ".",
        "sampling": _sampling(recording, frames),
        "warnings": all_warnings(scenario, recording),
        "ground": bool(scenario.settings.ground),
        "first_body": heads[0] if heads else 0,
        **_names(recording),
        **motion_blocks(scenario, recording, frames, blocks),
        "bones": _bones(scenario),
        "connections": connection_lines(scenario, recording),
        "animated": animated_parts(scenario, recording),
        **_surfaces(scenario, blocks, meshes),
        "obstacles": [obstacle_entry(obstacle, meshes) for obstacle in scenario.obstacles],
        "ghosts": [_ghost(ghost, blocks) for ghost in run.ghosts],
        "contacts": _contacts(recording),
        "measures": _measures(scenario, recording),
        "inputs": _inputs(scenario),
    }


def _ghost(ghost: Ghost, blocks: Blocks) -> dict[str, Any]:
    """A ghost's motion at fewer times."""
    recording = ghost.recording
    frames = thinned(recording.frames, MOST_GHOST_FRAMES)
    return {"label": ghost.label, "status": recording.status, **place_blocks(recording, frames, blocks)}


def shown_frames(recording: Recording) -> np.ndarray:
    """Numbers of the frames that the page holds: all, or evenly thinned ones, with the first and the last."""
    return thinned(recording.frames, max(2, MOST_PLACES // max(1, len(recording.body_names))))


def thinned(frames: int, most: int) -> np.ndarray:
    """Numbers of at most this many frames (and the last), evenly spread."""
    return np.unique(np.append(np.arange(0, frames, -(-frames // most)), frames - 1))


def _sampling(recording: Recording, frames: np.ndarray) -> str:
    if len(frames) < 2:
        return "one output time"
    text = f"every {1e3 * np.median(np.diff(recording.times[frames])):.4g} ms"
    return (
        text if len(frames) == recording.frames else f"{text}, thinned from {recording.frames} output times"
    )


def _names(recording: Recording) -> dict[str, Any]:
    actors = [
        {"name": name, "color": SERIES[k % len(SERIES)]} for k, name in enumerate(recording.actor_names)
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
    acceleration = np.stack([accelerometer_size(scenario, recording, body) for body in bodies], axis=1)
    return {
        **place_blocks(recording, frames, blocks),
        "speed": blocks.shortened(np.linalg.norm(recording.velocity[frames], axis=2)),
        "acceleration": blocks.shortened(acceleration[frames]),
        "forces": blocks.shortened(recording.contact_force[frames]),
        **_activation(recording, frames, blocks),
    }


def _activation(recording: Recording, frames: np.ndarray, blocks: Blocks) -> dict[str, int]:
    """Activation of every muscle, where there are any."""
    if not recording.muscle_names:
        return {}
    return {"activation": blocks.shortened(recording.muscle_channel("activation")[frames])}


def place_blocks(recording: Recording, frames: np.ndarray, blocks: Blocks) -> dict[str, int]:
    """Where all bodies are at these frames."""
    bodies = range(len(recording.body_names))
    origins = np.stack([recording.origin(body)[frames] for body in bodies], axis=1)
    return {
        "times": blocks.scaled(recording.times[frames], TIME_UNIT),
        "positions": blocks.scaled(origins, POSITION_UNIT),
        "quaternions": blocks.scaled(recording.quaternion[frames], ROTATION_UNIT, "int16"),
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
        skin = person_skin(actor, first, SERIES[number % len(SERIES)], meshes, blocks)
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
            "actors": [_actor_of(recording, event["body_a"]), _actor_of(recording, event["body_b"])],
            "approach_speed": float(event["approach_speed"]),
            "peak_force": float(event["peak_force"]),
            "point": [float(value) for value in np.round(event["point"], 4)],
            "normal": [float(value) for value in np.round(event["normal"], 4)],
        }
        for event in recording.contacts
    ]


def _actor_of(recording: Recording, body: int) -> int:
    """Number of the actor of a body; -1 for the surroundings."""
    return int(recording.body_actor[body]) if body >= 0 else -1


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
