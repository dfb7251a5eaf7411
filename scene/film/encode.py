"""Pictures to a film: H.264 in MP4 by Blender's own encoder, through the sequencer of a scene made for it."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import bpy

from ...jobs.film import PARTIAL
from ..base.blender_version import set_video_output, strips_of
from ..base.errors import SceneError


def write_mp4(
    pictures: Sequence[Path], target: Path, fps: int, fps_base: float, extent: tuple[int, int]
) -> None:
    """Encode pictures of one size, in order, as a film; `target` appears whole or not at all."""
    if not pictures:
        raise SceneError("there is no picture to make a film of")
    scene = bpy.data.scenes.new("Mannequin Film")
    try:
        prepare(scene, pictures, fps, fps_base, extent)
        with tempfile.TemporaryDirectory(prefix=f"{PARTIAL}{os.getpid()}-", dir=target.parent) as folder:
            scene.render.filepath = str(Path(folder) / "film.mp4")
            scene.render.use_file_extension = False
            bpy.ops.render.render(animation=True, scene=scene.name)
            made = Path(folder) / "film.mp4"
            if not made.exists():
                raise SceneError(
                    f"{target}: Blender wrote no film: this build may lack FFmpeg; use a PNG sequence"
                )
            os.replace(made, target)
    finally:
        bpy.data.scenes.remove(scene)


def prepare(
    scene: bpy.types.Scene, pictures: Sequence[Path], fps: int, fps_base: float, extent: tuple[int, int]
) -> None:
    """Pictures as one strip, sound off, colours untouched."""
    strip = strips_of(scene).new_image(
        name="film", filepath=str(pictures[0]), channel=1, frame_start=1, fit_method="ORIGINAL"
    )
    for picture in pictures[1:]:
        strip.elements.append(picture.name)
    render = scene.render
    scene.frame_start, scene.frame_end = 1, len(pictures)
    render.fps, render.fps_base = fps, fps_base
    render.resolution_x, render.resolution_y, render.resolution_percentage = *extent, 100
    render.use_sequencer, render.use_compositing = True, False
    scene.view_settings.view_transform = "Standard"
    set_video_output(render)
    render.ffmpeg.constant_rate_factor = "HIGH"
    render.ffmpeg.ffmpeg_preset = "GOOD"
    render.ffmpeg.gopsize = 15
    render.ffmpeg.audio_codec = "NONE"
