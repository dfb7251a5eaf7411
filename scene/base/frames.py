"""Looking at a scene at other frames than the one it shows."""

from collections.abc import Iterable, Iterator

import bpy


def at_frames(scene: bpy.types.Scene, frames: Iterable[int]) -> Iterator[int]:
    """Show one frame after the other; afterwards the one that was shown before."""
    before, part = scene.frame_current, scene.frame_subframe
    try:
        for frame in frames:
            scene.frame_set(int(frame))
            yield int(frame)
    finally:
        scene.frame_set(before, subframe=part)
