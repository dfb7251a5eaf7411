"""Cameras of the film: ordinary Blender cameras that can be edited; what the user has changed of one stays."""

import hashlib
import math

import bpy
import numpy as np
from mathutils import Matrix

from ...jobs.film_choices import OWN
from ..base.blender_version import assign_action, fcurves_of, new_action, new_fcurve
from ..base.errors import SceneError
from ..base.units import frames_per_second, units_of
from .extent import Extent, motion_extent
from .framing import CameraWay, camera_way, view_axes
from .parts import add_part, is_part, parts_of, remove_object

LENS = 50.0
"""Millimetres at 36 mm of film."""
PREFIX = "Camera "
ELEVATION = {"side": 8.0, "front": 8.0, "top": 90.0, "three_quarter": 20.0, "tracking": 10.0, "close": 14.0}
"""Degrees above the horizon."""
AZIMUTH = {
    "side": -90.0,
    "front": 0.0,
    "top": -90.0,
    "three_quarter": -48.0,
    "tracking": -90.0,
    "close": -62.0,
}
"""Degrees from the direction of motion, counter-clockwise seen from above; -90 sees the motion go to the right."""
FOLLOWING = ("tracking", "close")
"""Cameras that go along whatever the motion."""
DISTANCE = "mannequin_distance"
"""Custom property: Blender units from the camera to the subject, for the scale bar."""
MADE = "mannequin_made"
"""Custom property: digest of a camera as the set-up made it."""
LOWEST = 0.15
"""Metres above the ground that a camera stays."""


def add_cameras(scene: bpy.types.Scene, is_still: bool = False) -> dict[str, bpy.types.Object]:
    """Cameras for the motion that the scene shows, by name; earlier ones are replaced, but for those that the user has
    changed. is_still: none of them moves."""
    extent = motion_extent(scene)
    for obj in [
        o for o in parts_of(scene, "camera") if o.type != "CAMERA"
    ]:  # earlier set-ups hung cameras on empties
        remove_object(obj)
    return {name: kept_camera(scene, name) or add_camera(name, extent, scene, is_still) for name in AZIMUTH}


def kept_camera(scene: bpy.types.Scene, name: str) -> bpy.types.Object | None:
    """The camera of a name where the user has changed it; one that is as it was made is removed."""
    camera = find_camera(scene, name)
    if camera is None:
        return None
    if camera.get(MADE, "") != state_of(camera):
        return camera
    action = camera.animation_data.action if camera.animation_data else None
    remove_object(camera)
    if action is not None and action.users == 0:
        bpy.data.actions.remove(action)
    return None


def state_of(camera: bpy.types.Object) -> str:
    """Digest of all that a set-up decides of a camera."""
    action = camera.animation_data.action if camera.animation_data else None
    keys = [
        tuple(key.co) for curve in (fcurves_of(action) if action else []) for key in curve.keyframe_points
    ]
    place = [] if keys else [round(value, 6) for value in camera.location]
    turn = [round(value, 6) for value in camera.rotation_euler]
    lens = [
        camera.data.lens,
        camera.data.type,
        camera.data.dof.use_dof,
        camera.data.shift_x,
        camera.data.shift_y,
    ]
    hung = [camera.parent.name if camera.parent else "", len(camera.constraints)]
    return hashlib.sha256(repr((place, turn, lens, hung, keys)).encode()).hexdigest()


def find_camera(scene: bpy.types.Scene, name: str) -> bpy.types.Object | None:
    """A camera of the set-up by name."""
    return next((o for o in parts_of(scene, "camera") if o.name.startswith(label(name))), None)


def camera_of(scene: bpy.types.Scene, name: str) -> bpy.types.Object:
    """A camera of the set-up by name; the scene's own where the user has chosen one."""
    own = scene.camera is not None and not is_part(scene.camera)
    if name == OWN or (own and parts_of(scene, "camera")):
        if scene.camera is None:
            raise SceneError(
                "the scene has no active camera: choose one, or another view in the panel Render"
            )
        return scene.camera
    found = find_camera(scene, name)
    if found is None:
        raise SceneError(f"the scene has no camera '{name}': press Set Up Render first")
    return found


def label(name: str) -> str:
    """Object name of a camera."""
    return PREFIX + name.replace("_", " ").title()


def half_angles(scene: bpy.types.Scene) -> np.ndarray:
    """(2,) tangents of half the angle of view, across and up."""
    width, height = scene.render.resolution_x, scene.render.resolution_y
    largest = 18.0 / LENS
    return np.array([largest * min(1.0, width / height), largest * min(1.0, height / width)])


def add_camera(name: str, extent: Extent, scene: bpy.types.Scene, is_still: bool) -> bpy.types.Object:
    """One camera, fitted to the motion."""
    axes = view_axes(extent.heading + math.radians(AZIMUTH[name]), math.radians(ELEVATION[name]))
    seen = extent.heads if name == "close" else extent.subjects
    seconds = (
        float(np.diff(extent.frames).mean()) / frames_per_second(scene) if len(extent.frames) > 1 else 1.0
    )
    beside = [cloud[:0] for cloud in extent.beside] if name == "close" else extent.beside
    moves = False if is_still else True if name in FOLLOWING else None
    way = camera_way(list(seen), list(beside), axes, half_angles(scene), seconds, moves)
    way.places[:, 2] = np.maximum(way.places[:, 2], LOWEST / units_of(scene).metres)
    data = bpy.data.cameras.new(label(name))
    data.lens, data.sensor_fit, data.dof.use_dof = LENS, "AUTO", False
    data.clip_end = max(100.0 * float(way.distances.max()), 1500.0 / units_of(scene).metres)
    camera = add_part(scene, bpy.data.objects.new(label(name), data), "camera")
    matrix = np.identity(4)
    matrix[:3, :3], matrix[:3, 3] = axes, way.places[0]
    camera.matrix_world = Matrix(matrix.tolist())
    camera[DISTANCE] = float(way.distances[0])
    if not way.is_still:
        key_way(camera, extent.frames, way)
    camera[MADE] = state_of(camera)
    return camera


def key_way(camera: bpy.types.Object, frames: np.ndarray, way: CameraWay) -> None:
    """Keyframes of a camera that goes along."""
    action, curves = new_action(camera.name, camera)
    tracks = [("location", axis, way.places[:, axis]) for axis in range(3)]
    for path, index, values in (*tracks, (f'["{DISTANCE}"]', 0, way.distances)):
        curve = new_fcurve(curves, path, index, "Way")
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", np.stack([frames, values], axis=1).astype(np.float32).ravel())
        for key in curve.keyframe_points:
            key.interpolation, key.handle_left_type, key.handle_right_type = (
                "BEZIER",
                "AUTO_CLAMPED",
                "AUTO_CLAMPED",
            )
        curve.update()
    assign_action(camera, action)


def metres_per_pixel(camera: bpy.types.Object, scene: bpy.types.Scene) -> float:
    """Size of a pixel at the middle of the motion, m."""
    distance = units_of(scene).length_to_si(camera.get(DISTANCE, 1.0))
    return 2.0 * distance * float(half_angles(scene)[0]) / scene.render.resolution_x
