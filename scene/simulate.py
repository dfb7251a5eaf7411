"""Simulate a scene: read it, run the engine bit by bit, then write the run folder, the motion and the results once.

Nothing of Blender is changed before `finish`, but for the pose that shows how far the run has come; `restore_view`
takes that back.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import bpy

from ..analysis import manifest
from ..analysis.run_folder import Run, read_run, write_run
from ..engine.recording import Recording
from ..engine.simulate import Progress, Simulation
from ..engine.spec import Scenario
from ..engine.system import compile_system
from ..engine.validation import validate
from .actors import actors_of
from .bake import Provenance, actor_channels, actors_by_name, bake, bodies_of
from .edit_actor import refresh
from .errors import SceneError
from .pose import JointTransform, apply_joint_transforms, read_joint_transforms
from .resample import resample
from .results import show_results
from .scenario import build_scenario, read_scenario
from .time_map import TimeMap
from .units import units_of

SECONDS_PER_TICK = 0.03
"""Time spent computing between two events of the interface."""
SECONDS_PER_VIEW = 0.2
"""Time between two updates of the viewport."""


@dataclass
class Outcome:
    """What a finished run left behind."""

    run: Run
    actions: list[bpy.types.Action]

    @property
    def text(self) -> str:
        """What to tell."""
        recording = self.run.recording
        told = (
            f"{recording.times[-1]:.3g} s simulated, {len(recording.contacts)} contacts, run {self.run.stem}"
        )
        return (
            told if recording.status == "completed" else f"{recording.status}: {recording.message} ({told})"
        )


class SceneRun:
    """A simulation of a scene, pumped by whoever owns it: `tick` until it is true, then `finish`; or `restore_view`."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        self.scenario = checked_scenario(scene)
        self.started = datetime.now(UTC)
        self.simulation = Simulation(compile_system(self.scenario))
        self.steps = self.simulation.advance()
        self.progress: Progress | None = None
        self._seen = 0.0
        self._poses: dict[str, dict[str, JointTransform]] = {}

    @property
    def share(self) -> float:
        """Share that is done."""
        return self.progress.frame / self.progress.frames if self.progress else 0.0

    @property
    def text(self) -> str:
        """Progress in words."""
        if self.progress is None:
            return "Starting the simulation"
        return f"Simulating {self.progress.time:.3f} of {self.progress.duration:g} s"

    def tick(self, seconds: float = SECONDS_PER_TICK) -> bool:
        """Compute for about so long; true when the run has ended."""
        until = time.perf_counter() + seconds
        for progress in self.steps:
            self.progress = progress
            if time.perf_counter() > until:
                return False
        return True

    def view(self, scene: bpy.types.Scene) -> None:
        """Pose the actors as far as the run has come."""
        if time.perf_counter() - self._seen < SECONDS_PER_VIEW or self.progress is None:
            return
        units = units_of(scene)
        if not self._poses:
            self._poses = {a.name: read_joint_transforms(a, units) for a in actors_of(scene)}
        show_sample(self.simulation.recording(), scene)
        self._seen = time.perf_counter()

    def restore_view(self, scene: bpy.types.Scene) -> None:
        """Show again what was seen before the run."""
        for actor in actors_of(scene):
            if actor.name in self._poses:
                apply_joint_transforms(actor, self._poses[actor.name], units_of(scene))
        self._poses = {}
        scene.frame_set(scene.frame_current)

    def finish(self, scene: bpy.types.Scene) -> Outcome:
        """Write the run folder, bake the motion and show the results."""
        self.restore_view(scene)
        recording = self.simulation.recording()
        folder = write_run(
            self.scenario,
            recording,
            runs_folder(scene),
            started=self.started,
            ended=datetime.now(UTC),
            host={"blender": bpy.app.version_string},
        )
        run = read_run(folder)
        actions = bake_run(run, scene)
        show_results(run, scene)
        return Outcome(run, actions)


def checked_scenario(scene: bpy.types.Scene) -> Scenario:
    """The scene's scenario, rigs brought up to date; errors are refused in words."""
    refresh(scene)
    scenario = read_scenario(scene)
    errors = [issue for issue in validate(scenario) if issue.severity == "error"]
    if errors:
        first = errors[0]
        more = f" ({len(errors) - 1} more: press Validate)" if len(errors) > 1 else ""
        raise SceneError(f"{first.place}: {first.message}. {first.remedy}{more}")
    return scenario


def show_sample(recording: Recording, scene: bpy.types.Scene) -> None:
    """Pose the actors as in the last sample of a recording."""
    if recording.frames == 0:
        return
    motion = resample(recording, recording.times[-1:])
    objects = actors_by_name(scene, recording)
    for number, name in enumerate(recording.actor_names):
        actor, bodies = objects[name], bodies_of(recording, number)
        for channel in actor_channels(actor, motion, bodies, units_of(scene)):
            getattr(actor.pose.bones[channel.bone], channel.path)[channel.index] = channel.values[0]


def simulate_scene(scene: bpy.types.Scene) -> Outcome:
    """Simulate to the end at once, for scripts and background mode."""
    job = SceneRun(scene)
    job.tick(float("inf"))
    return job.finish(scene)


def runs_folder(scene: bpy.types.Scene) -> Path:
    """Where run folders go; for a file that was never saved, Blender's folder for the session."""
    chosen = scene.mannequin.film.runs_folder
    if chosen.startswith("//") and not bpy.data.filepath:
        return Path(bpy.app.tempdir) / chosen.lstrip("/")
    return Path(bpy.path.abspath(chosen))


def time_map_of_scene(scene: bpy.types.Scene) -> TimeMap:
    """Slow motion as the panel has it."""
    film = scene.mannequin.film
    slow = ((film.slow_start, film.slow_end, film.slow_factor),) if film.use_slow_range else ()
    try:
        return TimeMap(slow, film.slowness)
    except ValueError as error:
        raise SceneError(str(error)) from None


def provenance_of(run: Run, case: str = "") -> Provenance:
    """What is kept on the actions of a run."""
    versions = run.manifest["versions"]
    settings = json.dumps(manifest.plain(run.scenario.settings), sort_keys=True)
    return Provenance(
        run=run.stem,
        engine_version=f"{versions['mannequin']} ({versions['engine_sources']})",
        settings_sha256=hashlib.sha256(settings.encode()).hexdigest(),
        manifest_sha256=run.manifest["sha256"],
        run_folder=str(run.folder),
        case=case,
    )


def bake_run(run: Run, scene: bpy.types.Scene, time_map: TimeMap | None = None) -> list[bpy.types.Action]:
    """Bake a run as the panel says."""
    film = scene.mannequin.film
    return bake(
        run.recording,
        scene,
        provenance_of(run, film.case),
        time_map or time_map_of_scene(scene),
        film.every_sample,
        film.fit_timeline,
    )


def open_run(folder: Path, scene: bpy.types.Scene, time_map: TimeMap | None = None) -> Run:
    """Add the actors and obstacles of a run folder to a scene, with its motion and its results."""
    run = read_run(folder)
    build_scenario(run.scenario, scene)
    bake_run(run, scene, time_map)
    show_results(run, scene)
    return run
