"""Which actions move a data-block: its active one, and those in strips of the NLA editor."""

from collections.abc import Iterator
from dataclasses import dataclass

import bpy


@dataclass(frozen=True)
class Playing:
    """An action that plays, and when: the scene shows its frame `first` at frame `start`."""

    action: bpy.types.Action
    first: float = 0.0
    start: float = 0.0
    scale: float = 1.0
    """Frames of the scene to one of the action"""

    def scene_frame(self, frame: float) -> float:
        """Frame of the scene that shows a frame of the action."""
        return self.start + (frame - self.first) * self.scale


def played(owner: bpy.types.ID) -> Iterator[Playing]:
    """Actions that move a data-block, what counts most first."""
    data = owner.animation_data
    if data is None:
        return
    if data.action is not None:
        yield Playing(data.action)
    for _, strip in reversed(strips_that_play(owner)):
        if strip.action is not None:
            yield Playing(strip.action, strip.action_frame_start, strip.frame_start, strip.scale)


def strips_that_play(owner: bpy.types.ID) -> list[tuple[bpy.types.NlaTrack, bpy.types.NlaStrip]]:
    """Strips of tracks that are not muted, from the lowest on."""
    data = owner.animation_data
    tracks = data.nla_tracks if data is not None and data.use_nla else ()
    return [(track, strip) for track in tracks if not track.mute for strip in track.strips if not strip.mute]


def is_plain(strip: bpy.types.NlaStrip) -> bool:
    """Whether a strip plays its action once, forward and alone: at most later, or evenly slower or faster."""
    return (
        strip.action is not None
        and strip.blend_type == "REPLACE"
        and not (strip.use_animated_influence or strip.use_animated_time or strip.use_reverse)
        and not (strip.blend_in or strip.blend_out or strip.use_auto_blend)
        and abs(strip.repeat - 1.0) < 1e-6
    )
