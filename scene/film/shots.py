"""Shots of a film: the motion from first to last and, where asked for, its hardest impact again; or a list of shots."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...analysis.shot_times import shot_times
from ...jobs.protocol import Film, FilmShot
from ...jobs.shot_list import Blow, check_shot, proposed_shots, replay_shot
from ..base.errors import SceneError
from ..base.units import frames_per_second
from ..motion.bake import frame_of_simulated_time, playing_of, time_map_of
from ..show.results import scene_time_map
from ..show.skin import is_person
from ..store.actors import actors_of, body_bones
from .caption import time_keys
from .overlay import Caption
from .shot_cameras import bind_markers, our_markers, remove_shot_cameras, shot_camera
from .side_by_side import is_side_by_side

SHUTTER = 0.5
"""Share of the time between two pictures that each is exposed where there is motion blur: a half-open shutter disc."""


@dataclass(frozen=True)
class Shot:
    """A part of a film."""

    camera: str
    """Name of a camera of the set-up"""
    frames: tuple[float, ...]
    """Frames of the scene, also between two"""
    slowness: float = 1.0
    """How many times slower than the scene plays"""
    title: str = ""
    factors: tuple[float, ...] = ()
    """How many times slower than true each frame is shown; none: as `slowness` says"""
    own: bpy.types.Object | None = None
    """Camera of the shot, in place of one of the set-up"""
    pictures: int = 1
    """Of each frame"""

    def captioned(self, caption: Caption) -> Caption:
        """The caption of the motion with the speed of this shot."""
        speeds = tuple((frame, self.slowness * factor) for frame, factor in caption.speeds)
        if self.factors:
            speeds = changes(tuple(zip(self.frames, map(rounded, self.factors), strict=True)))
        return replace(caption, speeds=speeds, title=self.title or caption.title)

    def shutter(self, number: int) -> float:
        """Frames of the scene over which a picture is exposed: what passes in half the time to the next one."""
        if len(self.frames) < 2:
            return 0.0
        return SHUTTER * float(np.gradient(np.array(self.frames))[number])


def rounded(factor: float) -> float:
    """A factor as it is read: two digits where it changes from picture to picture."""
    return factor if math.isinf(factor) else float(f"{factor:.2g}")


def changes(keys: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Keys without those that repeat the value before."""
    return tuple(key for number, key in enumerate(keys) if number == 0 or key[1] != keys[number - 1][1])


def shots_of(scene: bpy.types.Scene, film: Film) -> tuple[Shot, ...]:
    """The shots of a film as it was asked for."""
    if film.shots is not None:
        return listed_shots(scene, film)
    step = film.frame_step * frames_per_second(scene) / rate_of(scene, film)
    frames = np.arange(scene.frame_start, scene.frame_end + 1e-6, step)
    whole = Shot(film.camera, tuple(frames.tolist()))
    if film.replay <= 0.0:
        return (whole,)
    refuse_two(scene, "replay: switch Replay off")
    return whole, replay_of(scene, film, step)


def refuse_two(scene: bpy.types.Scene, what: str) -> None:
    """Refuse what a scene of two runs does not have."""
    if is_side_by_side(scene):
        raise SceneError(f"two runs side by side have no {what}, or film them one by one")


def rate_of(scene: bpy.types.Scene, film: Film) -> float:
    """Frames per second of a film."""
    return film.rate or frames_per_second(scene)


def replay_of(scene: bpy.types.Scene, film: Film, step: float) -> Shot:
    """The hardest impact again, `film.replay` times slower than it was."""
    blows = blows_of(scene)
    playing = next(filter(None, map(playing_of, actors_of(scene))), None)
    if playing is None or not blows:
        raise SceneError("there is no impact to replay: simulate, or open a run; or switch Replay off")
    hardest = max(blows, key=lambda blow: blow.force)
    time_map = time_map_of(playing.action)
    asked = replay_shot(hardest, math.inf, film.replay)
    first, last = (frame_of_simulated_time(moment, scene, time_map) for moment in (asked.start, asked.end))
    first, last = max(first, scene.frame_start), min(last, scene.frame_end)
    slowness = max(1.0, film.replay / time_map.factor_at(hardest.time))
    frames = np.arange(first, last + 1e-9, step / slowness)
    return Shot(asked.kind, tuple(float(frame) for frame in frames), slowness, asked.title)


def listed_shots(scene: bpy.types.Scene, film: Film) -> tuple[Shot, ...]:
    """The shots of a list, with their cameras; an empty list is proposed."""
    refuse_two(scene, "list of shots: switch Shots off")
    end, rate = end_of(scene), rate_of(scene, film)
    asked = film.shots or proposed_shots(blows_of(scene), end)
    names = []
    made: list[Shot] = []
    for number, shot in enumerate(asked, 1):
        check_shot(shot, f"shot {number}")
        if shot.start >= end:
            raise SceneError(f"shot {number} starts at {shot.start:g} s: the motion ends at {end:.4g} s")
        shown = shot_times(shot.start, min(shot.end or end, end), shot.slowness, shot.ease, rate)
        frames = [frame_of_simulated_time(float(time), scene, scene_time_map(scene)) for time in shown.times]
        focus = focus_of(scene, shot.contact) if shot.kind == "contact" else None
        camera = shot_camera(scene, number, shot, np.array(frames), focus)
        names.append(camera.name)
        made.append(Shot("", tuple(frames), 1.0, shot.title, tuple(shown.factors.tolist()), camera))
        if shot.hold > 0.0:
            pictures = max(1, round(shot.hold * rate))
            made.append(Shot("", (frames[-1],), 1.0, shot.title, (math.inf,), camera, pictures))
    remove_shot_cameras(scene, but=names)
    bind_markers(scene, [(shot.own, shot.frames) for shot in made if not math.isinf(shot.factors[0])])
    return tuple(made)


def end_of(scene: bpy.types.Scene) -> float:
    """Simulated s at which the motion that the scene plays ends."""
    playing = next(filter(None, map(playing_of, actors_of(scene))), None)
    if playing is None:
        raise SceneError("there is no motion for a list of shots: simulate, or open a run")
    return time_keys(playing, scene)[-1][1]


def blows_of(scene: bpy.types.Scene) -> list[Blow]:
    """The impacts of the last run, by time."""
    return [
        Blow(
            row.name,
            row.peak_time,
            row.peak_force,
            len({actor.name for actor, _ in bodies_of(scene, row.name)}) > 1,
        )
        for row in scene.mannequin.results.contacts
    ]


def bodies_of(scene: bpy.types.Scene, contact: str) -> list[tuple[bpy.types.Object, str]]:
    """Actors and bodies that the name of an impact names, such as "car / bonnet on man / head"; obstacles are none."""
    found = []
    for side in contact.split(" on "):
        actor_name, _, bodies = side.rpartition(" / ")
        body = bodies.partition(",")[0].strip()
        for actor in actors_of(scene):
            is_meant = not actor_name or actor.name == actor_name
            if is_meant and any(bone.name == body for bone in body_bones(actor.data)):
                found.append((actor, body))
                break
    return found


def focus_of(scene: bpy.types.Scene, contact: str) -> tuple[bpy.types.Object, str]:
    """Actor and body that a close-up of an impact shows: a person's where one is struck."""
    blows = blows_of(scene)
    if not blows:
        raise SceneError("there is no impact to show from near: simulate, or open a run")
    wanted = [blow for blow in blows if blow.name.lower().startswith(contact.strip().lower())]
    if not wanted:
        known = "; ".join(blow.name for blow in blows[:6])
        raise SceneError(f"there is no impact '{contact}' to show. There are: {known}")
    if not contact.strip():
        between = [blow for blow in blows if blow.is_between_actors]
        wanted = between or [max(blows, key=lambda blow: blow.force)]
    bodies = bodies_of(scene, wanted[0].name)
    if not bodies:
        raise SceneError(f"no body of the scene is named in the impact '{wanted[0].name}'")
    return next((pair for pair in bodies if is_person(pair[0])), bodies[0])


def shots_of_panel(scene: bpy.types.Scene) -> list[FilmShot] | None:
    """The list of shots as the panel has it; None where the film has none."""
    film = scene.mannequin.film
    if not film.use_shots:
        return None
    names = FilmShot.__dataclass_fields__
    return [FilmShot(**{name: getattr(row, name) for name in names}) for row in film.shots]


def propose(scene: bpy.types.Scene) -> int:
    """Fill the panel's list with shots for the motion that plays; returns how many."""
    film, shots = scene.mannequin.film, proposed_shots(blows_of(scene), end_of(scene))
    film.shots.clear()
    for number, shot in enumerate(shots, 1):
        row = film.shots.add()
        row.name = f"Shot {number}"
        for name in FilmShot.__dataclass_fields__:
            setattr(row, name, getattr(shot, name))
    film.shots_index, film.use_shots = 0, True
    return len(shots)


@contextmanager
def unbound_markers(scene: bpy.types.Scene, has_shots: bool) -> Iterator[None]:
    """Context in which no marker switches cameras: a film of shots does, also where it shows a moment again. A film
    without shots follows the user's own markers."""
    markers = list(scene.timeline_markers) if has_shots else our_markers(scene)
    bound = [(marker, marker.camera) for marker in markers if marker.camera is not None]
    for marker, _ in bound:
        marker.camera = None
    try:
        yield
    finally:
        for marker, camera in bound:
            marker.camera = camera
