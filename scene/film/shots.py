"""Shots of a film: the motion from first to last, and where asked for its hardest impact again, near and slow."""

from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...jobs.protocol import Film
from ..base.errors import SceneError
from ..motion.bake import frame_of_simulated_time, playing_action, time_map_of
from ..store.actors import actors_of
from .overlay import Caption
from .side_by_side import is_side_by_side

REPLAY_BEFORE, REPLAY_AFTER = 0.15, 0.25
"""Simulated seconds that a replay shows before and after the peak of the impact."""
REPLAY_CAMERA = "close"


@dataclass(frozen=True)
class Shot:
    """A part of a film."""

    camera: str
    frames: tuple[float, ...]
    """Frames of the scene, also between two"""
    slowness: float = 1.0
    """How many times slower than the scene plays"""
    title: str = ""

    def captioned(self, caption: Caption) -> Caption:
        """The caption of the motion with the speed of this shot."""
        speeds = tuple((frame, self.slowness * factor) for frame, factor in caption.speeds)
        return replace(caption, speeds=speeds, title=self.title or caption.title)


def shots_of(scene: bpy.types.Scene, film: Film) -> tuple[Shot, ...]:
    """The shots of a film as it was asked for."""
    whole = Shot(film.camera, tuple(range(scene.frame_start, scene.frame_end + 1, film.frame_step)))
    if film.replay <= 0.0:
        return (whole,)
    if is_side_by_side(scene):
        raise SceneError("two runs side by side have no replay: switch Replay off, or film them one by one")
    return whole, replay_of(scene, film)


def replay_of(scene: bpy.types.Scene, film: Film) -> Shot:
    """The hardest impact again, `film.replay` times slower than it was."""
    impacts = scene.mannequin.results.contacts
    action = next((action for action in map(playing_action, actors_of(scene)) if action is not None), None)
    if action is None or not len(impacts):
        raise SceneError("there is no impact to replay: simulate, or open a run; or switch Replay off")
    peak = max(impacts, key=lambda impact: impact.peak_force).peak_time
    time_map = time_map_of(action)
    ends = (max(0.0, peak - REPLAY_BEFORE), peak + REPLAY_AFTER)
    first, last = (frame_of_simulated_time(moment, scene, time_map) for moment in ends)
    first, last = max(first, scene.frame_start), min(last, scene.frame_end)
    slowness = max(1.0, film.replay / time_map.factor_at(peak))
    frames = np.arange(first, last + 1e-9, film.frame_step / slowness)
    return Shot(REPLAY_CAMERA, tuple(float(frame) for frame in frames), slowness, "Replay")
