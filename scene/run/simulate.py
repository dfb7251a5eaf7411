"""Simulate a scene: read it, let the engine run beside Blender, then write the motion and the results once.

Nothing of Blender is changed before `finish`, but for the pose that shows how far the run has come; `cancel` takes
that back.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import bpy

from ...analysis.files import manifest
from ...analysis.files.forecast import require_room
from ...analysis.files.run_folder import Run, read_run
from ...analysis.measures.step_resolution import step_warnings
from ...analysis.resample import Motion
from ...analysis.time_map import TimeMap, parse_slow
from ...engine.build.validate import validate
from ...engine.spec import Scenario
from ...jobs.child import ProcessLost
from ...jobs.engine import EngineWorker, SimulationJob
from ...jobs.local_job import LocalJob
from ...jobs.worker import JobFailed
from ..base.comma_list import comma_list
from ..base.errors import SceneError
from ..base.paths import full_path
from ..base.units import units_of
from ..model.edit_actor import refreshed_models
from ..motion.bake import Provenance, bake, complete_provenance, forget_run_folder, key_frames
from ..motion.bake_muscles import bake_muscles
from ..motion.bake_obstacles import bake_obstacles
from ..motion.bone_channels import actor_channels
from ..motion.series import series_of_run
from ..rig.pose import JointTransform, apply_joint_transforms, read_joint_transforms
from ..scenario.scenario import build_scenario, read_scenario, scenario_names
from ..show.character_motion import refresh_characters
from ..show.results import show_results
from ..show.traces import refresh_traces
from ..store.actors import actors_of
from .worker import WorkerJob

SECONDS_PER_VIEW = 0.2
"""Time between two updates of the viewport."""


@dataclass
class Outcome:
    """What a finished run left behind."""

    run: Run
    actions: list[bpy.types.Action]

    @property
    def text(self) -> str:
        """Summary to report."""
        recording = self.run.recording
        summary = (
            f"{recording.times[-1]:.3g} s simulated, {len(recording.contacts)} contacts, run {self.run.stem}"
        )
        summary += "".join(f"; {warning}" for warning in step_warnings(self.run.scenario, recording))
        return (
            summary
            if recording.status == "completed"
            else f"{recording.status}: {recording.message} ({summary})"
        )


class SceneRun(WorkerJob):
    """A simulation of a scene; at the end, `finish`.

    It runs in the simulation process, in a second one where that is lost (see `WorkerJob`), and in Blender's own where
    none can be started or where people ask for it (`inside`); `warning` then says why.
    """

    remedy = " A script computes inside Blender with bpy.ops.mannequin.simulate(inside=True)"

    def __init__(self, scene: bpy.types.Scene, inside: bool = False) -> None:
        self.scenario, self._scene = checked_scenario(scene), scene.name
        self._seen = 0.0
        self._poses: dict[str, dict[str, JointTransform]] = {}
        self._baked: Early | None = None
        self._order = {
            "out": runs_folder(scene),
            "started": datetime.now(UTC),
            "host": {"blender": bpy.app.version_string},
        }
        require_room(self.scenario, self._order["out"])
        if inside:
            self.job = LocalJob(self.scenario, **self._order)
        else:
            super().__init__()

    def give(self, to: EngineWorker) -> SimulationJob:
        """Hand the run to a worker. Raises ProcessLost."""
        return to.simulate(self.scenario, **self._order)

    def here(self, error: ProcessLost) -> None:
        """Simulate in Blender's own process, as no other can be started."""
        self.job = LocalJob(self.scenario, **self._order)
        self.warning = f"{error.sentence} {self.job.pace}"

    def view(self, scene: bpy.types.Scene) -> None:
        """Pose the actors as far as the run has come."""
        if time.perf_counter() - self._seen < SECONDS_PER_VIEW:
            return
        self._seen = time.perf_counter()
        if self.job.pose is not None:
            if not self._poses:
                self._poses = {a.name: read_joint_transforms(a, units_of(scene)) for a in actors_of(scene)}
            show_pose(self.job.pose, self.scenario, scene)
        try:
            self.job.look()
        except ProcessLost:
            return  # the next poll reports it

    @property
    def _early(self) -> Early | None:
        """The motion that was baked early, where it is that of the present job and not of a process that was lost."""
        return self._baked if self._baked is not None and self._baked.job is self.job else None

    @property
    def is_kept(self) -> bool:
        """Whether the motion is there and its files are being written: there is nothing left to cancel."""
        return self._early is not None

    def cancel(self) -> None:
        """Stop computing, and show again what was seen before the run where the scene is still there. A run whose
        motion is baked already is still written."""
        super().cancel()
        scene = bpy.data.scenes.get(self._scene)
        if scene is not None and not self.is_kept:
            self.restore_view(scene)

    def wait_for_motion(self) -> None:
        """Wait until the motion can be baked."""
        while not self._see(self._motion_waited):
            pass

    def _motion_waited(self) -> bool:
        self.job.wait_for_motion()
        return True

    def bake_early(self, scene: bpy.types.Scene) -> bool:
        """Bake the motion as soon as it is computed, while its files are written; whether it was done now."""
        if not self.job.is_kept or self.is_kept:
            return False
        self.restore_view(scene)
        recording = self.job.recording()
        content = {"run": self.job.run, "versions": manifest.versions(self._order["host"]), "sha256": ""}
        run = Run(self._order["out"] / self.job.run, content, self.scenario, recording)
        self._baked = Early(self.job, run, bake_run(run, scene))
        return True

    def restore_view(self, scene: bpy.types.Scene) -> None:
        """Show again what was seen before the run."""
        for actor in actors_of(scene):
            if actor.name in self._poses:
                apply_joint_transforms(actor, self._poses[actor.name], units_of(scene))
        self._poses = {}
        scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)

    def finish(self, scene: bpy.types.Scene) -> Outcome:
        """Bake the motion of the run folder where that has not been done, and show the results."""
        early = self._early
        if early is None:
            self.restore_view(scene)
        try:
            folder = self.job.result()
        except JobFailed as error:
            if early is None:
                raise
            raise SceneError(f"{error}. {early.without_files()}") from error
        outcome = early.completed(folder) if early is not None else None
        if outcome is None:
            run = read_run(folder)
            outcome = Outcome(run, bake_run(run, scene))
        show_results(outcome.run, scene, self.job.measures())
        return outcome


@dataclass
class Early:
    """A motion that was baked before its files were written."""

    job: SimulationJob
    run: Run
    """With what is known of its manifest"""
    actions: list[bpy.types.Action]

    def completed(self, folder: Path) -> Outcome | None:
        """The run with its files; None where these hold less than was computed, for lack of room."""
        content = manifest.read(folder)
        if content["frames"] != self.run.recording.frames:
            return None
        run = dataclasses.replace(self.run, folder=folder, manifest=content)
        for action in self.actions:
            complete_provenance(action, content["sha256"])
        return Outcome(run, self.actions)

    def without_files(self) -> str:
        """Take note that there will be no files; returns what to tell."""
        for action in self.actions:
            forget_run_folder(action)
        return (
            "The motion is baked, but there are no files of this run: make room or choose another folder, and simulate "
            "again"
        )


def checked_scenario(scene: bpy.types.Scene) -> Scenario:
    """The scene's scenario, rigs brought up to date; raises SceneError with the first error."""
    scenario = read_scenario(scene, refreshed_models(scene))
    errors = [issue for issue in validate(scenario) if issue.severity == "error"]
    if errors:
        first = errors[0]
        more = f" ({len(errors) - 1} more: press Validate)" if len(errors) > 1 else ""
        raise SceneError(f"{first.place}: {first.message}. {first.remedy}{more}")
    return scenario


def show_pose(pose: Motion, scenario: Scenario, scene: bpy.types.Scene) -> None:
    """Pose the actors as at the only time of a motion, whose bodies stand in the scenario's order."""
    objects, first = {name: scene.objects[obj] for obj, name in scenario_names(scene).items()}, 0
    for spec in scenario.actors:
        bodies = {body.name: first + number for number, body in enumerate(spec.model.bodies)}
        first += len(bodies)
        actor = objects.get(spec.name)
        if actor is None:  # renamed or deleted meanwhile
            continue
        for channel in actor_channels(actor, pose, bodies, units_of(scene)):
            getattr(actor.pose.bones[channel.bone], channel.path)[channel.index] = channel.values[0]


def simulate_scene(scene: bpy.types.Scene) -> Outcome:
    """Simulate to the end at once, for scripts and background mode."""
    job = SceneRun(scene)
    job.wait()
    return job.finish(scene)


def runs_folder(scene: bpy.types.Scene) -> Path:
    """Where run folders go; for a file that was never saved, Blender's folder for the session."""
    return full_path(scene.mannequin.runs.folder)


def time_map_of_scene(scene: bpy.types.Scene) -> TimeMap:
    """Slow motion as the panel has it."""
    bake, slow = scene.mannequin.bake, []
    try:
        if bake.use_slow_range:
            slow.append((bake.slow_start, bake.slow_end, bake.slow_factor))
            slow += map(parse_slow, comma_list(bake.more_slow))
        return TimeMap(tuple(sorted(slow)), bake.slowness)
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
    """Bake a run as the panel says: the actors and their muscles, and the obstacles that move."""
    chosen = scene.mannequin.bake
    time_map = time_map or time_map_of_scene(scene)
    actions = bake(
        run.recording,
        scene,
        provenance_of(run, scene.mannequin.film.case),
        time_map,
        chosen.every_sample,
        chosen.fit_timeline,
        series_of_run(run) if chosen.series else None,
    )
    frames, times = key_frames(run.recording, scene, time_map, chosen.every_sample)
    actions += bake_obstacles(run.scenario.obstacles, scene, run.stem, frames, times)
    actions += bake_muscles(run.recording, scene, run.stem, frames, times)
    refresh_characters(scene)
    refresh_traces(run, scene, time_map)
    return actions


def open_run(folder: Path, scene: bpy.types.Scene, time_map: TimeMap | None = None) -> Run:
    """Add the actors and obstacles of a run folder to a scene, with its motion and its results."""
    run = read_run(folder)
    build_scenario(run.scenario, scene)
    bake_run(run, scene, time_map)
    show_results(run, scene)
    return run
