"""Side, front, top, three-quarter and tracking cameras, fitted to the whole motion."""

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..base.errors import SceneError
from ..base.units import units_of
from ..rig.skins import skins_of
from ..store.actors import actors_of, body_bones, parent_body
from .stage import stage_collection

LENS = 50.0
"""Millimetres at 36 mm of film."""
FILL = 0.84
"""Share of the picture that the motion may fill."""
LOWERED = 0.045
"""Share of the picture by which cameras are lowered: the overlay covers its lower edge."""
SNAP = math.radians(30.0)
"""A direction of motion this near to a line of the grid counts as along it, so that the grid lies straight."""
SAMPLES = 16
"""Moments at which the extent of the motion is looked at."""
PREFIX = "Camera "
ELEVATION = {"side": 8.0, "front": 8.0, "top": 90.0, "three_quarter": 20.0, "tracking": 10.0}
"""Degrees above the horizon."""
AZIMUTH = {"side": -90.0, "front": 0.0, "top": -90.0, "three_quarter": -48.0, "tracking": -90.0}
"""Degrees from the direction of motion, counter-clockwise seen from above; -90 sees the motion go to the right."""


@dataclass(frozen=True)
class Extent:
    """Where the motion takes place, in Blender units."""

    clouds: tuple[np.ndarray, ...]
    """(n, 3) points of all actors at each sampled moment"""
    roots: np.ndarray
    """(moments, 3) of the first actor's root"""
    heading: float
    """Radians of the direction of motion"""


def add_cameras(scene: bpy.types.Scene) -> dict[str, bpy.types.Object]:
    """New cameras for the motion that the scene shows, by name; earlier ones are replaced."""
    if not actors_of(scene):
        raise SceneError("there is no actor to film: add one, or open a run")
    for obj in [o for o in stage_collection(scene).objects if o.name.startswith((PREFIX, "Focus"))]:
        bpy.data.objects.remove(obj)
    extent = motion_extent(scene)
    cameras = {name: add_camera(name, extent, scene) for name in AZIMUTH}
    follow(cameras["tracking"], extent, scene)
    return cameras


def camera_of(scene: bpy.types.Scene, name: str) -> bpy.types.Object:
    """A camera of the set-up by name."""
    found = next((o for o in stage_collection(scene).objects if o.name.startswith(label(name))), None)
    if found is None:
        raise SceneError(f"the scene has no camera '{name}': press Set Up Render first")
    return found


def label(name: str) -> str:
    """Object name of a camera."""
    return PREFIX + name.replace("_", " ").title()


def motion_extent(scene: bpy.types.Scene) -> Extent:
    """Look at the motion from the first to the last frame."""
    before = scene.frame_current
    actors, clouds, roots = actors_of(scene), [], []
    for frame in np.unique(np.linspace(scene.frame_start, scene.frame_end, SAMPLES).round().astype(int)):
        scene.frame_set(int(frame))
        clouds.append(np.concatenate([actor_points(actor) for actor in actors]))
        root = root_bone(actors[0])
        roots.append(np.array(actors[0].matrix_world @ actors[0].pose.bones[root].head))
    scene.frame_set(before)
    roots = np.array(roots)
    way = roots[-1] - roots[0]
    if (
        math.hypot(way[0], way[1]) < 0.15 / units_of(scene).metres
    ):  # falls on the spot: the way the actor faces
        way = np.array(actors[0].matrix_world.col[0])
    return Extent(tuple(clouds), roots, snapped(math.atan2(way[1], way[0])))


def snapped(heading: float) -> float:
    """Heading along the nearest line of the grid, where that is near."""
    nearest = math.radians(90.0) * round(heading / math.radians(90.0))
    return nearest if abs(heading - nearest) <= SNAP else heading


def root_bone(actor: bpy.types.Object) -> str:
    """Name of an actor's first body."""
    return next(bone.name for bone in body_bones(actor.data) if parent_body(bone) is None)


def actor_points(actor: bpy.types.Object) -> np.ndarray:
    """(n, 3) world points of an actor as it is seen: its skin, or its ellipsoids."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    shown = skins_of(actor) or [c for c in actor.children if c.mannequin.kind == "ELLIPSOID"] or [actor]
    return np.concatenate([seen_points(obj.evaluated_get(depsgraph)) for obj in shown])


def seen_points(obj: bpy.types.Object) -> np.ndarray:
    """(n, 3) some world points of an evaluated object: vertices of a mesh, else the corners of its bounds."""
    if obj.type != "MESH":
        return np.array([tuple(obj.matrix_world @ Vector(corner)) for corner in obj.bound_box])
    points = np.empty(3 * len(obj.data.vertices), dtype=np.float32)
    obj.data.vertices.foreach_get("co", points)
    matrix = np.array(obj.matrix_world)
    return points.reshape(-1, 3)[::8] @ matrix[:3, :3].T + matrix[:3, 3]


def view_axes(azimuth: float, elevation: float) -> np.ndarray:
    """(3, 3) columns right, up and backward of a camera that looks from an azimuth and an elevation (radians)."""
    back = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    right = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    return np.stack([right, np.cross(back, right), back], axis=1)


def half_angles(scene: bpy.types.Scene) -> np.ndarray:
    """(2,) tangents of half the angle of view, across and up."""
    width, height = scene.render.resolution_x, scene.render.resolution_y
    largest = 18.0 / LENS
    return np.array([largest * min(1.0, width / height), largest * min(1.0, height / width)])


def fitted_place(points: np.ndarray, axes: np.ndarray, tangents: np.ndarray) -> tuple[np.ndarray, float]:
    """(3,) place of a camera that sees all points within `FILL` of the picture, and its distance from their middle."""
    local = points @ axes
    middle = (local.min(axis=0) + local.max(axis=0)) / 2.0
    off = local - middle
    distance = float(np.max(np.abs(off[:, :2]) / ((FILL - np.array([0.0, LOWERED])) * tangents) + off[:, 2:]))
    lower = 2.0 * LOWERED * tangents[1] * distance
    return axes @ (middle + np.array([0.0, -lower, distance])), distance


def add_camera(name: str, extent: Extent, scene: bpy.types.Scene) -> bpy.types.Object:
    """One camera, fitted to the whole motion (tracking: to the largest single moment)."""
    axes = view_axes(extent.heading + math.radians(AZIMUTH[name]), math.radians(ELEVATION[name]))
    if name == "tracking":
        points = np.concatenate(
            [
                c - np.array([*(r - extent.roots[0])[:2], 0.0])
                for c, r in zip(extent.clouds, extent.roots, strict=True)
            ]
        )
    else:
        points = np.concatenate(extent.clouds)
    place, distance = fitted_place(points, axes, half_angles(scene))
    data = bpy.data.cameras.new(label(name))
    data.lens, data.sensor_fit, data.dof.use_dof = LENS, "AUTO", False
    data.clip_end = 100.0 * distance
    camera = bpy.data.objects.new(label(name), data)
    camera["mannequin_distance"] = distance
    matrix = np.identity(4)
    matrix[:3, :3], matrix[:3, 3] = axes, place
    camera.matrix_world = Matrix(matrix.tolist())
    stage_collection(scene).objects.link(camera)
    return camera


def follow(camera: bpy.types.Object, extent: Extent, scene: bpy.types.Scene) -> None:
    """Let a camera go along with the first actor's root over the ground."""
    actor = actors_of(scene)[0]
    focus = bpy.data.objects.new("Focus", None)
    stage_collection(scene).objects.link(focus)
    hold = focus.constraints.new("COPY_LOCATION")
    hold.target, hold.subtarget = actor, root_bone(actor)
    hold.use_z = False
    camera.parent = focus
    start = np.identity(4)
    start[:2, 3] = extent.roots[0][:2]
    camera.matrix_parent_inverse = Matrix(start.tolist()).inverted()


def metres_per_pixel(camera: bpy.types.Object, scene: bpy.types.Scene) -> float:
    """Size of a pixel at the middle of the motion, m."""
    distance = units_of(scene).length_to_si(camera.get("mannequin_distance", 1.0))
    return 2.0 * distance * float(half_angles(scene)[0]) / scene.render.resolution_x
