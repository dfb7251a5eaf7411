"""Make a film: set up the stage, render frame by frame, write the file."""

import math
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import bpy

from ...jobs.film_choices import OWN, SEQUENCES, SUFFIXES
from ...jobs.protocol import Film
from ..base.blender_version import set_picture_output
from ..base.errors import SceneError
from ..base.frames import active_scene
from ..base.paths import full_path
from ..motion.bake import playing_action, time_map_of
from ..run.simulate import open_run
from ..store.actors import actors_of
from .cameras import add_cameras, camera_of
from .caption import caption_of
from .extent import motion_extent
from .frame_store import frame_store
from .inset_view import inset_box, lay_small, seen_small
from .kept import kept_settings
from .labels import drawn_labels
from .layers import is_apart, lay_overlay, without_overlay
from .output import check_output, write_out
from .overlay import Layout, add_overlay, remove_overlay, taken_boxes
from .parts import parts_of
from .presets import apply_render_preset
from .shots import Shot, shots_of, shots_of_panel, unbound_markers
from .side_by_side import add_side_by_side, halves_of, is_side_by_side, prepare_side_by_side
from .stage import set_stage

COMPARED = "mannequin_compared"
"""Custom property of a scene of two runs: the way of comparing that its cameras were made for."""
SLOW_PICTURE = 20.0
"""Seconds that the first picture of an estimate takes where no second one is tried."""


def setup_render(scene: bpy.types.Scene, width: int = 960, height: int = 540) -> None:
    """Stage and cameras for the motion that the scene shows; of both halves where it shows two."""
    if is_side_by_side(scene):
        set_up_both(scene, width, height)
        return
    set_up(scene, width, height)
    add_cameras(scene)


def lacks_cameras(scene: bpy.types.Scene) -> bool:
    """Whether a film of the panel's view needs a set-up that nobody has made yet."""
    return scene.mannequin.film.camera != OWN and not is_side_by_side(scene) and not parts_of(scene, "camera")


def set_up_both(both: bpy.types.Scene, width: int, height: int) -> None:
    """Stages and cameras of two runs: beside each other each fitted to its own, else both to both."""
    compare = both.mannequin.film.compare
    extents = []
    for number, half in enumerate(halves_of(both)):
        with active_scene(half):
            set_up(half, width // 2 if compare == "beside" else width, height, number)
            extents.append(motion_extent(half))
    shared = extents[0].with_other(extents[1])
    for half, own in zip(halves_of(both), extents, strict=True):
        with active_scene(half):
            add_cameras(half, True, own if compare == "beside" else shared)
    both[COMPARED] = compare


def set_up(scene: bpy.types.Scene, width: int, height: int, first: int = 0) -> None:
    """Stage of one scene for pictures of that size; people wear colours from the `first` on."""
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    set_stage(scene, first)


def prepare_as_shown(scene: bpy.types.Scene) -> str | None:
    """Prepare a scene as its panel has it; returns a message where there is no motion for the overlay yet."""
    film = scene.mannequin.film
    shown = Film(Path(), film.format, film.camera, film.preset, film.width, film.height, film.overlay)
    shown = replace(shown, inset=film.inset.strip())
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
    target = full_path(film.output)
    target = target.with_suffix(SUFFIXES[film.format])
    return Film(
        target,
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
        transparent=film.transparent,
        sheet=film.sheet,
        inset=film.inset.strip(),
        frames=target.with_name(f"{target.stem}_frames") if film.keep_frames else None,
    )


def render_film(
    scene: bpy.types.Scene, film: Film, progress: Callable[[int, int], None] | None = None
) -> Path:
    """Render all frames of the scene and write the film; returns its path. Render settings are put back.

    Pictures that a kept folder has already are not rendered again.
    """
    check_output(film)
    film.target.parent.mkdir(parents=True, exist_ok=True)
    shots = shots_of(scene, film)
    total = sum(shot.pictures * len(shot.frames) for shot in shots)
    with taking_pictures(scene, film), frame_store(scene, film, shots) as store:
        pictures: list[Path] = []
        for shot in shots:
            is_prepared = False
            for number, frame in enumerate(shot.frames):
                path = store.path(len(pictures))
                if not path.exists():
                    if not is_prepared:
                        prepare(scene, replace(film, camera=shot.camera), shot)
                        is_prepared = True
                    scene.render.motion_blur_shutter = max(0.01, shot.shutter(number))
                    render_frame(scene, film, frame, path)
                pictures += repeated(path, shot.pictures)
                if progress is not None:
                    progress(len(pictures), total)
        write_out(scene, film, pictures)
    return film.target


@contextmanager
def taking_pictures(scene: bpy.types.Scene, film: Film) -> Iterator[None]:
    """Context in which pictures of a film are rendered: settings, markers and the ground are put back afterwards."""
    with (
        kept_settings(scene),
        unbound_markers(scene, film.shots is not None),
        without_ground(scene, film) if film.transparent else nullcontext(),
    ):
        yield


@contextmanager
def without_ground(scene: bpy.types.Scene, film: Film) -> Iterator[None]:
    """Context in which the ground of the stage is not rendered; Cycles keeps the shadows on it."""
    ground = [obj for obj in parts_of(scene, "ground") if not obj.hide_render]
    for obj in ground:
        obj.is_shadow_catcher = True
        obj.hide_render = film.preset != "best"
    try:
        yield
    finally:
        for obj in ground:
            obj.is_shadow_catcher = obj.hide_render = False


@dataclass(frozen=True)
class Estimate:
    """How long a film takes, by one or two of its pictures."""

    pictures: int
    """That are rendered"""
    first: float
    """s, of the first picture: engines get ready with it"""
    each: float
    """s, of each further one"""

    @property
    def seconds(self) -> float:
        """Seconds that the whole film takes to render."""
        return self.first + (self.pictures - 1) * self.each

    @property
    def text(self) -> str:
        """What is shown to people: pictures, seconds of each, and the whole time."""
        minutes, seconds = divmod(round(self.seconds), 60)
        hours, minutes = divmod(minutes, 60)
        shown = (
            f"{hours} h {minutes} min"
            if hours
            else f"{minutes} min {seconds} s"
            if minutes
            else f"{seconds} s"
        )
        return f"{self.pictures} pictures of {self.each:.3g} s: about {shown}"


def estimate_film(scene: bpy.types.Scene, film: Film) -> Estimate:
    """Measure how long a film takes: a picture in the middle of its first shot, and the next unless that is slow."""
    check_output(film)
    shots = shots_of(scene, film)
    spent = []
    with taking_pictures(scene, film), tempfile.TemporaryDirectory(prefix="mannequin-frames-") as folder:
        prepare(scene, replace(film, camera=shots[0].camera), shots[0])
        middle = len(shots[0].frames) // 2
        for number, frame in enumerate(shots[0].frames[middle : middle + 2]):
            started = time.perf_counter()
            render_frame(
                scene, film, frame, Path(folder) / f"{number:05d}{SEQUENCES.get(film.format, '.png')}"
            )
            spent.append(time.perf_counter() - started)
            if spent[0] > SLOW_PICTURE:
                break
    return Estimate(sum(len(shot.frames) for shot in shots), spent[0], spent[-1])


def repeated(picture: Path, count: int) -> list[Path]:
    """A picture so many times, as files whose numbers go on."""
    first = int(picture.stem)
    copies = [picture.with_name(f"{first + number:05d}{picture.suffix}") for number in range(count)]
    for copy in copies[1:]:
        shutil.copyfile(picture, copy)
    return copies


def prepare(scene: bpy.types.Scene, film: Film, shot: Shot | None = None) -> None:
    """Camera, size, quality and overlay; the overlay of a shot tells its speed."""
    set_picture_output(scene.render, "EXR" if film.format == "EXR" else "PNG", film.transparent)
    if is_side_by_side(scene):
        size = (film.width, film.height)
        if scene.get(COMPARED, "beside") != scene.mannequin.film.compare:
            setup_render(scene, *size)
        prepare_side_by_side(scene, film.camera, film.preset, size, film.overlay)
        return
    has_own = shot is not None and shot.own is not None
    scene.camera = shot.own if has_own else camera_of(scene, film.camera)
    scene.render.use_motion_blur = film.motion_blur
    scene.render.resolution_x, scene.render.resolution_y = film.width, film.height
    scene.render.resolution_percentage = 100
    apply_render_preset(scene, film.preset)
    scene.render.film_transparent = film.transparent or scene.render.film_transparent
    if film.overlay:
        caption = caption_of(scene)
        frames: Sequence[float] = range(scene.frame_start, scene.frame_end + 1)
        if shot is not None:
            caption, frames = shot.captioned(caption), shot.frames
        size = Layout(film.width, film.height).size
        taken = taken_boxes(scene, caption)
        if film.inset:
            taken.append(inset_box(film.width, film.height))
        labels = drawn_labels(scene, frames, caption.times, size, taken)
        add_overlay(scene, replace(caption, labels=labels))
    else:
        remove_overlay(scene)


def render_frame(scene: bpy.types.Scene, film: Film, frame: float, path: Path) -> Path:
    """Render one frame, or a moment between two, into a picture; the overlay is sharp also where the picture blurs."""
    if is_side_by_side(scene) or not (is_apart(scene) or film.inset):
        return render_picture(scene, film, frame, path)
    plain = path.with_name(f"plain_{path.name}")
    if is_apart(scene):
        with without_overlay(scene):
            render_picture(scene, film, frame, plain)
        lay_overlay(scene, frame, plain)
    else:
        render_picture(scene, film, frame, plain)
    if film.inset:
        small = path.with_name(f"small_{path.name}")
        with seen_small(scene, film.inset):
            render_picture(scene, film, frame, small)
        lay_small(plain, small)
    os.replace(plain, path)
    return path


def render_picture(scene: bpy.types.Scene, film: Film, frame: float, path: Path) -> Path:
    """Render one frame, or a moment between two, into a picture, which appears whole or not at all."""
    whole = math.floor(frame + 1e-6)
    partial = path.with_name(f"partial_{path.name}")
    scene.render.filepath = str(partial.with_suffix(""))
    if frame - whole < 1e-6:
        with one_frame(scene, whole):
            # as an animation of one frame: a still of a sequence may show the frame before
            bpy.ops.render.render(animation=True, scene=scene.name)
        made = partial.with_name(f"{partial.stem}{whole:04d}{path.suffix}")
    else:
        with active_scene(scene):  # a still is rendered at the frame of the window's scene
            scene.frame_set(whole, subframe=frame - whole)
            bpy.ops.render.render(write_still=True, scene=scene.name)
        made = partial
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
