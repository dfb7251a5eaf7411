"""Make a film: set up the stage, render frame by frame, write the file."""

import math
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import bpy

from ...analysis.gif import write_gif
from ...jobs.protocol import Film
from ..base.blender_version import set_picture_output
from ..base.errors import SceneError
from ..motion.bake import playing_action, time_map_of
from ..run.simulate import open_run
from ..store.actors import actors_of
from .cameras import add_cameras, camera_of
from .caption import caption_of
from .encode import write_mp4
from .kept import kept_settings
from .overlay import add_overlay, remove_overlay
from .presets import apply_render_preset
from .shots import Shot, rate_of, shots_of, shots_of_panel, unbound_markers
from .side_by_side import add_side_by_side, halves_of, is_side_by_side, prepare_side_by_side
from .stage import set_stage


def setup_render(scene: bpy.types.Scene, width: int = 960, height: int = 540) -> None:
    """Stage and cameras for the motion that the scene shows; of both halves where it shows two."""
    if is_side_by_side(scene):
        for half in halves_of(scene):
            with active_scene(half):
                set_up(half, width // 2, height, is_still=True)
        return
    set_up(scene, width, height)


def set_up(scene: bpy.types.Scene, width: int, height: int, is_still: bool = False) -> None:
    """Stage and cameras of one scene for pictures of that size. is_still: cameras do not go along."""
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    set_stage(scene)
    add_cameras(scene, is_still)


@contextmanager
def active_scene(scene: bpy.types.Scene) -> Iterator[None]:
    """Context in which a scene is that of the window: Blender evaluates no other."""
    window = bpy.context.window or bpy.context.window_manager.windows[0]
    before = window.scene
    window.scene = scene
    try:
        yield
    finally:
        window.scene = before


def prepare_as_shown(scene: bpy.types.Scene) -> str | None:
    """Prepare a scene as its panel has it; returns a message where there is no motion for the overlay yet."""
    film = scene.mannequin.film
    shown = Film(Path(), film.format, film.camera, film.preset, film.width, film.height, film.overlay)
    if film.overlay and not is_side_by_side(scene) and not any(map(playing_action, actors_of(scene))):
        prepare(scene, replace(shown, overlay=False))
        return "There is no overlay yet, as no actor plays a simulated motion: simulate, then press it again"
    if film.use_shots and not is_side_by_side(scene) and any(map(playing_action, actors_of(scene))):
        shots_of(scene, replace(shown, shots=shots_of_panel(scene)))
    prepare(scene, shown)
    return None


def require_motion(scene: bpy.types.Scene) -> None:
    """Refuse a film whose overlay would have nothing to show."""
    for part in halves_of(scene) if is_side_by_side(scene) else (scene,):
        caption_of(part)


def open_beside(left: bpy.types.Scene, folder: Path, titles: tuple[str, str]) -> bpy.types.Scene:
    """Open a run in a scene of its own, set both up and return a new scene that shows both."""
    action = next(action for action in map(playing_action, actors_of(left)) if action is not None)
    before = set(bpy.data.scenes)
    right = bpy.data.scenes.new("Scene")
    try:
        right.render.fps, right.render.fps_base = left.render.fps, left.render.fps_base
        right.frame_start = left.frame_start
        right.unit_settings.scale_length = left.unit_settings.scale_length
        with active_scene(right):
            run = open_run(folder, right, time_map_of(action))
        right.name = run.scenario.name
        both = add_side_by_side(left, right, titles)
        film = both.mannequin.film
        setup_render(both, film.width, film.height)
        prepare_as_shown(both)
    except BaseException:
        for scene in set(bpy.data.scenes) - before:
            for obj in list(scene.objects):
                bpy.data.objects.remove(obj)
            bpy.data.scenes.remove(scene)
        raise
    return both


def film_of_scene(scene: bpy.types.Scene) -> Film:
    """The film as the panel has it."""
    film = scene.mannequin.film
    if film.output.startswith("//") and not bpy.data.filepath:
        raise SceneError(
            "save the file first, or give the film a full path: '//' is the folder of the saved file"
        )
    target = Path(bpy.path.abspath(film.output))
    suffix = {"MP4": ".mp4", "GIF": ".gif", "PNG": ""}[film.format]
    return Film(
        target.with_suffix(suffix),
        film.format,
        film.camera,
        film.preset,
        film.width,
        film.height,
        film.overlay,
        replay=film.replay,
        shots=shots_of_panel(scene),
        rate=film.rate,
        motion_blur=film.motion_blur,
    )


def render_film(
    scene: bpy.types.Scene, film: Film, progress: Callable[[int, int], None] | None = None
) -> Path:
    """Render all frames of the scene and write the film; returns its path. Render settings are put back."""
    if film.width % 2 or film.height % 2:
        raise SceneError(f"{film.width} x {film.height}: H.264 needs an even width and height")
    film.target.parent.mkdir(parents=True, exist_ok=True)
    shots = shots_of(scene, film)
    total = sum(shot.pictures * len(shot.frames) for shot in shots)
    with (
        kept_settings(scene),
        unbound_markers(scene) if film.shots is not None else nullcontext(),
        tempfile.TemporaryDirectory(prefix="mannequin-frames-") as folder,
    ):
        pictures: list[Path] = []
        for shot in shots:
            prepare(scene, replace(film, camera=shot.camera), shot)
            for number, frame in enumerate(shot.frames):
                scene.render.motion_blur_shutter = max(0.01, shot.shutter(number))
                made = render_frame(scene, film, frame, Path(folder) / f"{len(pictures):05d}.png")
                pictures += repeated(made, shot.pictures)
                if progress is not None:
                    progress(len(pictures), total)
        write_out(scene, film, pictures)
    return film.target


def repeated(picture: Path, count: int) -> list[Path]:
    """A picture so many times, as files whose numbers go on."""
    first = int(picture.stem)
    copies = [picture.with_name(f"{first + number:05d}{picture.suffix}") for number in range(count)]
    for copy in copies[1:]:
        shutil.copyfile(picture, copy)
    return copies


def prepare(scene: bpy.types.Scene, film: Film, shot: Shot | None = None) -> None:
    """Camera, size, quality and overlay; the overlay of a shot tells its speed."""
    set_picture_output(scene.render)
    if is_side_by_side(scene):
        size = (film.width, film.height)
        prepare_side_by_side(scene, film.camera, film.preset, size, film.overlay)
        return
    has_own = shot is not None and shot.own is not None
    scene.camera = shot.own if has_own else camera_of(scene, film.camera)
    scene.render.use_motion_blur = film.motion_blur
    scene.render.resolution_x, scene.render.resolution_y = film.width, film.height
    scene.render.resolution_percentage = 100
    apply_render_preset(scene, film.preset)
    if film.overlay:
        caption = caption_of(scene)
        add_overlay(scene, caption if shot is None else shot.captioned(caption))
    else:
        remove_overlay(scene)


def render_frame(scene: bpy.types.Scene, film: Film, frame: float, path: Path) -> Path:
    """Render one frame, or a moment between two, into a picture."""
    whole = math.floor(frame + 1e-6)
    scene.render.filepath = str(path.with_suffix(""))
    if frame - whole < 1e-6:
        with one_frame(scene, whole):
            # as an animation of one frame: a still of a sequence may show the frame before
            bpy.ops.render.render(animation=True, scene=scene.name)
        made = path.with_name(f"{path.stem}{whole:04d}.png")
    else:
        scene.frame_set(whole, subframe=frame - whole)
        bpy.ops.render.render(write_still=True, scene=scene.name)
        made = path
    if not made.exists():
        raise SceneError(
            f"frame {frame:g}: Blender rendered nothing with the preset '{film.preset}': try another"
        )
    os.replace(made, path)
    return path


@contextmanager
def one_frame(scene: bpy.types.Scene, frame: int) -> Iterator[None]:
    """Context in which a scene has that frame only."""
    kept = scene.frame_start, scene.frame_end
    scene.frame_start = scene.frame_end = frame
    try:
        yield
    finally:
        scene.frame_start, scene.frame_end = kept


def write_out(scene: bpy.types.Scene, film: Film, pictures: list[Path]) -> None:
    """Pictures to the wanted file."""
    rate = rate_of(scene, film) / film.frame_step
    if film.format == "MP4":
        fps = max(1, math.ceil(rate - 1e-6))
        write_mp4(pictures, film.target, fps, fps / rate, (film.width, film.height))
    elif film.format == "GIF":
        seconds = 1.0 / rate
        write_gif(film.target, pictures, [number * seconds for number in range(len(pictures))], stamped=False)
    else:
        film.target.mkdir(exist_ok=True)
        for picture in pictures:
            name = film.target / f"{film.target.name}_{picture.name}"
            shutil.copyfile(picture, name.with_suffix(".partial"))
            os.replace(name.with_suffix(".partial"), name)
