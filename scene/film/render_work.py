"""What the process that renders can do (jobs/film.py): films of a Blender file, and films of run folders."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import bpy

from ...analysis.files.run_folder import read_run
from ...analysis.time_map import TimeMap
from ...jobs import protocol
from ...jobs.film import remove_partial
from ...jobs.server import Task, Work
from ..motion.bake import distinct_keys, sample_frames
from ..run.simulate import open_run
from .produce import Film, estimate_film, prepare, render_film, setup_render
from .side_by_side import add_side_by_side

MOST_FRAMES = 1000
"""Frames per second of a scene, up to which they are doubled."""
_targets: list[Path] = []
"""Films that this process was asked for"""


def render_scene(request: protocol.RenderScene, task: Task) -> Path:
    """Render a scene of a Blender file."""
    bpy.ops.wm.open_mainfile(filepath=str(request.blend))
    scene = bpy.data.scenes[request.scene]
    if bpy.context.window is not None:
        bpy.context.window.scene = scene
    return film_of(scene, request.film, task)


def render_runs(request: protocol.RenderRuns, task: Task) -> Path:
    """Open runs in an empty file, prepare their film, save the file and render, as asked."""
    scene = scene_of_runs(request)
    prepare(scene, request.film)
    if request.is_estimated:
        task.tell(0, 1, estimate_film(scene, request.film).text, now=True)
        return request.film.target
    if request.blend is not None:
        save(request.blend)
    return film_of(scene, request.film, task) if request.is_filmed else request.blend


def film_of(scene: bpy.types.Scene, film: Film, task: Task) -> Path:
    """Render a film, telling of every frame."""
    _targets.append(film.target)
    return render_film(scene, film, frame_counter(film, task))


def frame_counter(film: Film, task: Task) -> Callable[[int, int], None]:
    """Callback that reports rendered frames. It raises Dropped between two of them where the film was cancelled."""

    def tell(done: int, total: int) -> None:
        is_last = done == total
        text = f"Writing {film.target.name}" if is_last else f"Rendering frame {done} of {total}"
        task.tell(done, total, text, now=True)

    return tell


def scene_of_runs(request: protocol.RenderRuns) -> bpy.types.Scene:
    """The scene of a run, or of two side by side, set up for a film."""
    time_map = TimeMap(tuple(tuple(part) for part in request.slow), request.slowness)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scenes = [bpy.context.scene] + [bpy.data.scenes.new("Scene") for _ in request.runs[1:]]
    for scene, folder in zip(scenes, request.runs, strict=True):
        bpy.context.window.scene = scene
        scene.render.fps, scene.mannequin.film.case = request.fps, request.case
        for name, text in zip(("readout", "second_readout"), request.readouts, strict=False):
            setattr(scene.mannequin.film, name, text)
        scene.mannequin.film.plot = request.plot
        scene.mannequin.film.labels = ", ".join(request.labels)
        for name in ("stage", "ground", "subject"):
            setattr(scene.mannequin.film, name, getattr(request, name))
        if request.film.shots is not None or request.film.replay > 0.0:
            make_room_for_samples(folder, scene, time_map)
        scene.name = open_run(folder, scene, time_map).scenario.name
    bpy.context.window.scene = scenes[0]
    shown = add_side_by_side(*scenes, titles=tuple(request.titles)) if len(scenes) == 2 else scenes[0]
    shown.mannequin.film.compare, shown.mannequin.film.wipe = request.compare, request.wipe
    setup_render(shown, request.film.width, request.film.height)
    return shown


def make_room_for_samples(folder: Path, scene: bpy.types.Scene, time_map: TimeMap) -> None:
    """Let each sample of a run have a keyframe of its own, for slow motion: at few frames a second the scene gets more,
    and the film keeps its own rate."""
    recording = read_run(folder).recording
    while (
        not distinct_keys(sample_frames(recording, scene, time_map)).all() and scene.render.fps < MOST_FRAMES
    ):
        scene.render.fps *= 2
    scene.mannequin.bake.every_sample = bool(distinct_keys(sample_frames(recording, scene, time_map)).all())


def save(path: Path) -> None:
    """Save the open file, without a backup copy beside it."""
    bpy.context.preferences.filepaths.save_version = 0
    bpy.ops.wm.save_as_mainfile(filepath=str(path))


def remove_partial_film() -> None:
    """Of films that are cut off because the parent has ended nothing is left."""
    for target in _targets:
        remove_partial(target, os.getpid())


WORK: Mapping[type, Work] = {protocol.RenderScene: render_scene, protocol.RenderRuns: render_runs}
