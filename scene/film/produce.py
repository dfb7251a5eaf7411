"""Make a film: set up the stage, render frame by frame, write the file."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import bpy

from ...analysis.gif import write_gif
from ..blender_version import set_picture_output
from ..errors import SceneError
from .cameras import add_cameras, camera_of
from .caption import caption_of
from .encode import write_mp4
from .overlay import add_overlay, remove_overlay
from .presets import apply_render_preset
from .stage import set_stage

FORMAT_OF_SUFFIX = {".mp4": "MP4", ".gif": "GIF", ".png": "PNG", "": "PNG"}


@dataclass(frozen=True)
class Film:
    """What to render, and into which file (a folder for a PNG sequence)."""

    target: Path
    format: str = "MP4"
    camera: str = "side"
    preset: str = "draft"
    width: int = 960
    height: int = 540
    overlay: bool = True
    frame_step: int = 1


def set_up_film(scene: bpy.types.Scene, width: int = 960, height: int = 540) -> None:
    """Stage and cameras for the motion that the scene shows."""
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    set_stage(scene)
    add_cameras(scene)


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
    )


def render_film(
    scene: bpy.types.Scene, film: Film, progress: Callable[[int, int], None] | None = None
) -> Path:
    """Render all frames of the scene and write the film; returns its path. Render settings are put back."""
    if film.width % 2 or film.height % 2:
        raise SceneError(f"{film.width} x {film.height}: H.264 needs an even width and height")
    film.target.parent.mkdir(parents=True, exist_ok=True)
    frames = list(range(scene.frame_start, scene.frame_end + 1, film.frame_step))
    with (
        kept_settings(scene),
        tempfile.TemporaryDirectory(prefix="mannequin-frames-") as folder,
    ):
        prepare(scene, film)
        pictures = []
        for number, frame in enumerate(frames):
            pictures.append(render_frame(scene, film, frame, Path(folder) / f"{number:05d}.png"))
            if progress is not None:
                progress(number + 1, len(frames))
        write_out(scene, film, frames, pictures)
    return film.target


@contextmanager
def kept_settings(scene: bpy.types.Scene) -> Iterator[None]:
    """Frame, camera and output path as they were before."""
    kept = scene.frame_current, scene.camera, scene.render.filepath
    try:
        yield
    finally:
        scene.frame_set(kept[0])
        scene.camera, scene.render.filepath = kept[1], kept[2]


def prepare(scene: bpy.types.Scene, film: Film) -> None:
    """Camera, size and quality."""
    scene.camera = camera_of(scene, film.camera)
    scene.render.resolution_x, scene.render.resolution_y = film.width, film.height
    scene.render.resolution_percentage = 100
    apply_render_preset(scene, film.preset)
    set_picture_output(scene.render)
    if film.overlay:
        add_overlay(scene, caption_of(scene))
    else:
        remove_overlay(scene)


def render_frame(scene: bpy.types.Scene, film: Film, frame: int, path: Path) -> Path:
    """Render one frame into a picture."""
    scene.frame_set(frame)
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True, scene=scene.name)
    if not path.exists():
        raise SceneError(
            f"frame {frame}: Blender rendered nothing with the preset '{film.preset}': try another"
        )
    return path


def write_out(scene: bpy.types.Scene, film: Film, frames: list[int], pictures: list[Path]) -> None:
    """Pictures to the wanted file."""
    fps, base = scene.render.fps, scene.render.fps_base
    if film.format == "MP4":
        write_mp4(pictures, film.target, fps, base * film.frame_step, (film.width, film.height))
    elif film.format == "GIF":
        write_gif(
            film.target, pictures, [(frame - frames[0]) * base / fps for frame in frames], stamped=False
        )
    else:
        film.target.mkdir(exist_ok=True)
        for picture in pictures:
            name = film.target / f"{film.target.name}_{picture.name}"
            shutil.copyfile(picture, name.with_suffix(".partial"))
            os.replace(name.with_suffix(".partial"), name)
