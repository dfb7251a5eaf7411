"""Cameras of a list of shots: ordinary cameras, bound to markers of the timeline where the motion goes on from cut to
cut; what the user has changed of one stays."""

import json
import math
from collections.abc import Iterable
from dataclasses import replace

import bpy
import numpy as np

from ...jobs.protocol import FilmShot
from ..base.errors import SceneError
from .cameras import MADE, VIEWS, View, new_camera, remove_camera, state_of
from .extent import MOST_SAMPLES, motion_extent
from .parts import parts_of

PART = "shot"
MARKERS = "mannequin_shot_markers"
"""Custom property of a scene: name and frame of each marker that a list of shots has made."""
MORE_VIEWS = {
    "wide": View(-38.0, 12.0),
    "contact": View(-55.0, 12.0, moves=True, is_near=True),
}
PICTURES_PER_LOOK = 4
"""Pictures of a shot from one moment at which its motion is looked at to the next."""


def shot_camera(
    scene: bpy.types.Scene,
    number: int,
    shot: FilmShot,
    frames: np.ndarray,
    focus: tuple[bpy.types.Object, str] | None,
) -> bpy.types.Object:
    """The camera of a shot that shows these frames: the scene's own that it names, one that the user has changed, or a
    new one. focus: actor and body of a close-up."""
    if shot.kind == "camera":
        named = scene.objects.get(shot.camera)
        if named is None or named.type != "CAMERA":
            known = ", ".join(obj.name for obj in scene.objects if obj.type == "CAMERA") or "none"
            raise SceneError(f"shot {number}: the scene has no camera '{shot.camera}'. There are: {known}")
        return named
    name = f"Shot {number} {shot.kind.replace('_', ' ').title()}"
    for camera in parts_of(scene, PART):
        if camera.name == name:
            if camera.get(MADE, "") != state_of(camera):
                return camera
            remove_camera(camera)
            break
    view = {**VIEWS, **MORE_VIEWS}[shot.kind]
    view = replace(view, lens=shot.lens, f_stop=shot.f_stop, orbit=shot.orbit)
    count = min(MOST_SAMPLES, 2 + len(frames) // PICTURES_PER_LOOK)
    looks = np.linspace(frames[0], max(frames[-1], frames[0] + 1e-3), count)
    return new_camera(scene, name, PART, view, motion_extent(scene, shot.subject, looks, focus))


def remove_shot_cameras(scene: bpy.types.Scene, but: Iterable[str] = ()) -> None:
    """Remove cameras of shots that the list no longer has, but for those that the user has changed."""
    kept = set(but)
    for camera in parts_of(scene, PART):
        if camera.name not in kept and camera.get(MADE, "") == state_of(camera):
            remove_camera(camera)


def bind_markers(scene: bpy.types.Scene, shots: Iterable[tuple[bpy.types.Object, tuple[float, ...]]]) -> None:
    """Markers of the timeline that cut to the cameras of shots; a shot that shows earlier moments again has none, as a
    timeline goes on."""
    for marker in our_markers(scene):
        scene.timeline_markers.remove(marker)
    made = []
    reached = -math.inf
    for number, (camera, frames) in enumerate(shots, 1):
        if frames[0] < reached - 1e-3:
            continue
        marker = scene.timeline_markers.new(f"Shot {number}", frame=math.floor(frames[0] + 1e-6))
        marker.camera = camera
        made.append([marker.name, marker.frame])
        reached = frames[-1]
    scene[MARKERS] = json.dumps(made)


def our_markers(scene: bpy.types.Scene) -> list[bpy.types.TimelineMarker]:
    """Markers that a list of shots has made and nobody has moved or renamed since."""
    made = json.loads(scene.get(MARKERS, "[]"))
    return [marker for marker in scene.timeline_markers if [marker.name, marker.frame] in made]
