"""Pictures to a film by Blender's own encoder, through the sequencer of a scene made for it."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import bpy

from ...jobs.film import PARTIAL
from ..base.blender_version import set_video_output, strips_of
from ..base.errors import SceneError

ENCODINGS = {
    "MP4": ("MPEG4", "H264"),
    "H265": ("MPEG4", "H265"),
    "AV1": ("MPEG4", "AV1"),
    "WEBM": ("WEBM", "WEBM"),
    "PRORES": ("QUICKTIME", "PRORES"),
}
"""Formats to Blender's names of container and codec."""
LEAST_AV1 = (256, 144)
"""Pixels: the encoder cuts the picture into tiles, which smaller ones are not enough for."""


def write_video(
    pictures: Sequence[Path],
    target: Path,
    fps: int,
    fps_base: float,
    extent: tuple[int, int],
    kind: str = "MP4",
) -> None:
    """Encode pictures of one size, in order, as a film; `target` appears whole or not at all."""
    if not pictures:
        raise SceneError("there is no picture to make a film of")
    scene = bpy.data.scenes.new("Mannequin Film")
    try:
        prepare(scene, pictures, fps, fps_base, extent, kind)
        with tempfile.TemporaryDirectory(prefix=f"{PARTIAL}{os.getpid()}-", dir=target.parent) as folder:
            made = Path(folder) / f"film{target.suffix}"
            scene.render.filepath = str(made)
            scene.render.use_file_extension = False
            bpy.ops.render.render(animation=True, scene=scene.name)
            if not made.exists():
                raise SceneError(
                    f"{target}: Blender wrote no film: this build may lack FFmpeg; use a PNG sequence"
                )
            os.replace(made, target)
    finally:
        bpy.data.scenes.remove(scene)


def prepare(
    scene: bpy.types.Scene,
    pictures: Sequence[Path],
    fps: int,
    fps_base: float,
    extent: tuple[int, int],
    kind: str,
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
    set_video_output(render, *ENCODINGS[kind])
    if kind != "PRORES":
        render.ffmpeg.constant_rate_factor = "HIGH"
    render.ffmpeg.ffmpeg_preset = "GOOD"
    render.ffmpeg.gopsize = 15
    render.ffmpeg.audio_codec = "NONE"
