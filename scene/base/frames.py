"""Looking at a scene at other frames than the one it shows, and at other scenes than the window's."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bpy


def show_frame(scene: bpy.types.Scene, frame: float) -> None:
    """Show a frame, or a moment between two."""
    whole = math.floor(frame + 1e-6)
    scene.frame_set(whole, subframe=max(0.0, float(frame) - whole))


def at_frames(scene: bpy.types.Scene, frames: Iterable[float]) -> Iterator[float]:
    """Show one frame after the other; afterwards the one that was shown before."""
    before, part = scene.frame_current, scene.frame_subframe
    try:
        for frame in frames:
            show_frame(scene, frame)
            yield frame
    finally:
        scene.frame_set(before, subframe=part)


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
