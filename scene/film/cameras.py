"""Cameras of the film: ordinary Blender cameras that can be edited; what the user has changed of one stays."""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Matrix

from ...jobs.film_choices import OWN
from ..base.blender_version import assign_action, fcurves_of, new_action, new_fcurve
from ..base.errors import SceneError
from ..base.units import frames_per_second, units_of
from ..rig.objects import remove_object
from .extent import Extent, motion_extent
from .framing import CameraWay, camera_way, middle_of, orbit_way, view_axes
from .parts import add_part, is_part, parts_of
from .sight import SHORT, first_hit, pulled_in

LENS = 50.0
"""Millimetres at 36 mm of film."""
PREFIX = "Camera "


@dataclass(frozen=True)
class View:
    """From where a camera looks, and how."""

    azimuth: float
    """Degrees from the direction of motion, counter-clockwise seen from above; -90 sees the motion go to the right"""
    elevation: float
    """Degrees above the horizon"""
    moves: bool | None = None
    """Whether it goes along; None: where it has to, for its subject to be large enough"""
    is_near: bool = False
    """Whether it shows a part of its subject only"""
    lens: float = LENS
    f_stop: float = 0.0
    """0: all is sharp"""
    orbit: float = 0.0
    """Degrees that it goes round its subject, from the first moment to the last"""


VIEWS = {
    "side": View(-90.0, 8.0),
    "front": View(0.0, 8.0),
    "top": View(-90.0, 90.0),
    "three_quarter": View(-48.0, 20.0),
    "tracking": View(-90.0, 10.0, moves=True),
    "close": View(-62.0, 14.0, moves=True, is_near=True),
}
TURNS = (0.0, -15.0, 15.0, -30.0, 30.0, -50.0, 50.0, 180.0, 150.0, -150.0, 90.0, -90.0)
"""Degrees by which a view is turned where something stands in the way, in this order."""
DISTANCE = "mannequin_distance"
"""Custom property: Blender units from the camera to the subject, for the scale bar."""
MADE = "mannequin_made"
"""Custom property: digest of a camera as the set-up made it."""
LOWEST = 0.15
"""Metres above the ground that a camera stays."""


def add_cameras(
    scene: bpy.types.Scene, is_still: bool = False, extent: Extent | None = None
) -> dict[str, bpy.types.Object]:
    """Cameras for the motion that the scene shows, by name; earlier ones are replaced, but for those that the user has
    changed. is_still: none of them moves. extent: what they are fitted to, in place of this motion."""
    extent = extent or motion_extent(scene)
    for obj in [
        o for o in parts_of(scene, "camera") if o.type != "CAMERA"
    ]:  # earlier set-ups hung cameras on empties
        remove_object(obj)
    return {name: kept_camera(scene, name) or add_camera(name, extent, scene, is_still) for name in VIEWS}


def kept_camera(scene: bpy.types.Scene, name: str) -> bpy.types.Object | None:
    """The camera of a name where the user has changed it; one that is as it was made is removed."""
    camera = find_camera(scene, name)
    if camera is None:
        return None
    if camera.get(MADE, "") != state_of(camera):
        return camera
    remove_camera(camera)
    return None


def remove_camera(camera: bpy.types.Object) -> None:
    """Remove a camera of the set-up with its keyframes."""
    action = camera.animation_data.action if camera.animation_data else None
    remove_object(camera)
    if action is not None and action.users == 0:
        bpy.data.actions.remove(action)


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


def half_angles(scene: bpy.types.Scene, lens: float = LENS) -> np.ndarray:
    """(2,) tangents of half the angle of view, across and up."""
    width, height = scene.render.resolution_x, scene.render.resolution_y
    largest = 18.0 / lens
    return np.array([largest * min(1.0, width / height), largest * min(1.0, height / width)])


def add_camera(name: str, extent: Extent, scene: bpy.types.Scene, is_still: bool) -> bpy.types.Object:
    """One camera of the set-up, fitted to the motion."""
    view = VIEWS[name]
    if is_still:
        view = replace(view, moves=False)
    return new_camera(scene, label(name), "camera", view, extent)


def new_camera(scene: bpy.types.Scene, name: str, part: str, view: View, extent: Extent) -> bpy.types.Object:
    """A camera of a view, fitted to the motion, from where nothing hides it as far as there is such a place."""
    way = clear_way(scene, view, extent)
    data = bpy.data.cameras.new(name)
    data.lens, data.sensor_fit, data.dof.use_dof = view.lens, "AUTO", view.f_stop > 0.0
    data.clip_end = max(100.0 * float(way.distances.max()), 1500.0 / units_of(scene).metres)
    camera = add_part(scene, bpy.data.objects.new(name, data), part)
    matrix = np.identity(4)
    matrix[:3, :3], matrix[:3, 3] = way.axes[0], way.places[0]
    camera.matrix_world = Matrix(matrix.tolist())
    camera[DISTANCE] = float(way.distances[0])
    if not way.is_still:
        key_way(camera, extent.frames, way)
    if view.f_stop > 0.0:
        focus(camera, view.f_stop)
    camera[MADE] = state_of(camera)
    return camera


def clear_way(scene: bpy.types.Scene, view: View, extent: Extent) -> CameraWay:
    """Way of a view, turned as little as it has to be for nothing to stand between the camera and its subject.

    Where no turn is clear at all moments, the one that is clear at most of them; a camera that goes along then goes
    before what is in the way.
    """
    metres = units_of(scene).metres
    best: tuple[int, CameraWay] | None = None
    for turn in TURNS:
        way = fitted_way(scene, view, extent, math.radians(turn))
        hidden = sum(
            first_hit(place, middle_of(cloud), solids, SHORT / metres) is not None
            for place, cloud, solids in moments_of(way, view, extent)
        )
        if best is None or hidden < best[0]:
            best = hidden, way
        if hidden == 0:
            break
    hidden, way = best
    if hidden and not way.is_still:
        for number, (place, cloud, solids) in enumerate(moments_of(way, view, extent)):
            way.places[number] = pulled_in(place, middle_of(cloud), solids, metres)
    return way


def moments_of(way: CameraWay, view: View, extent: Extent) -> Iterator[tuple[np.ndarray, np.ndarray, tuple]]:
    """Place of the camera, points of the subject and what may hide it, at each moment."""
    seen = extent.parts if view.is_near else extent.subjects
    for number, (cloud, solids) in enumerate(zip(seen, extent.solids, strict=True)):
        yield way.places[0 if way.is_still else number], cloud, solids


def fitted_way(scene: bpy.types.Scene, view: View, extent: Extent, turn: float) -> CameraWay:
    """Way of a view that is turned about the vertical (radians)."""
    azimuth = extent.heading + math.radians(view.azimuth) + turn
    elevation, tangents = math.radians(view.elevation), half_angles(scene, view.lens)
    rate = frames_per_second(scene)
    seconds = float(np.diff(extent.frames).mean()) / rate if len(extent.frames) > 1 else 1.0
    seen = list(extent.parts if view.is_near else extent.subjects)
    if view.orbit:
        half = math.radians(view.orbit) / 2.0
        azimuths = azimuth + np.linspace(-half, half, len(seen))
        way = orbit_way(seen, azimuths, elevation, tangents, seconds)
    else:
        beside = [cloud[:0] for cloud in extent.beside] if view.is_near else list(extent.beside)
        axes = view_axes(azimuth, elevation)
        way = camera_way(seen, beside, axes, tangents, seconds, view.moves)
    floors = [ground.location.z for ground in parts_of(scene, "ground")]
    if floors or scene.mannequin.settings.ground:
        way.places[:, 2] = np.maximum(
            way.places[:, 2], min(floors, default=0.0) + LOWEST / units_of(scene).metres
        )
    return way


def focus(camera: bpy.types.Object, f_stop: float) -> None:
    """Keep a camera sharp at its subject, whose distance is a property of the camera."""
    depth = camera.data.dof
    depth.aperture_fstop = f_stop
    driver = depth.driver_add("focus_distance").driver
    driver.type = "AVERAGE"
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = camera, f'["{DISTANCE}"]'


def key_way(camera: bpy.types.Object, frames: np.ndarray, way: CameraWay) -> None:
    """Keyframes of a camera that goes along."""
    action, curves = new_action(camera.name, camera)
    tracks = [("location", axis, way.places[:, axis]) for axis in range(3)]
    if len(way.axes) > 1:
        turns = continuous_turns(way.axes)
        tracks += [("rotation_euler", axis, turns[:, axis]) for axis in range(3)]
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


def continuous_turns(axes: np.ndarray) -> np.ndarray:
    """(moments, 3) Euler angles of (moments, 3, 3) axes, each near the one before."""
    turns = [Matrix(axes[0].tolist()).to_euler()]
    for matrix in axes[1:]:
        turns.append(Matrix(matrix.tolist()).to_euler("XYZ", turns[-1]))
    return np.array([tuple(turn) for turn in turns])


def metres_per_pixel(camera: bpy.types.Object, scene: bpy.types.Scene) -> float:
    """Size of a pixel at the middle of the motion, m."""
    distance = units_of(scene).length_to_si(camera.get(DISTANCE, 1.0))
    return 2.0 * distance * float(half_angles(scene)[0]) / scene.render.resolution_x
