"""Evidence as objects: an empty on a body, with a body's axes, or on the ray of a point in a photograph."""

import json
from collections.abc import Callable

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...engine.maths.rotations import inverse_transform, matrix_from_zyx
from ...engine.spec import Scenario
from ..base.errors import SceneError
from ..base.units import time_of_frame, units_of
from ..places.camera_match import camera_of
from ..scenario.marks import KEY as MARK
from ..scenario.scenario import scenario_names
from ..show.overlay_geometry import body_matrix, center_of_mass
from ..store.actors import active_actor, active_bone, actor_of, body_bones

SIZE = 0.1
"""m: of the empties."""
POSE_TOLERANCE, POSE_ANGLE, BODY_TOLERANCE, PIXELS = 0.1, 15.0, 0.05, 5.0
"""m, degrees, m and pixels that new evidence begins with."""
DEPTH = 3.0
"""m from the camera of the empty of an image point whose pixel is given."""


def add_selected(context: bpy.types.Context) -> int:
    """A piece of evidence for each selected mark that has none yet; returns how many. Raises SceneError."""
    group = context.scene.mannequin.evidence
    listed = {item.object for item in group.targets}
    chosen = [obj for obj in context.selected_objects if MARK in obj and obj not in listed]
    if not chosen:
        raise SceneError("select marks that are not in the list yet, or add one with Add Mark")
    for obj in chosen:
        kept = json.loads(obj[MARK])
        kind = "rest_position" if kept["kind"] == "rest" else "contact_mark"
        new_item(context.scene, obj.name, kind, obj, 1.0)
    return len(chosen)


def add_body_mark(context: bpy.types.Context) -> int:
    """A mark on the active body at the 3D cursor, tied to its bone. Raises SceneError."""
    actor, bone = _body(context)
    obj = new_empty(context.scene, f"mark on {bone.name}", "SPHERE", BODY_TOLERANCE)
    tie(obj, actor, bone, context.scene.cursor.location)
    new_item(context.scene, obj.name, "contact_mark", obj, BODY_TOLERANCE)
    return 1


def add_rest_pose(context: bpy.types.Context) -> int:
    """Place and orientation of the active body as it is shown now, to be moved and turned to how it lay."""
    scene, units = context.scene, units_of(context.scene)
    actor, bone = _body(context)
    name = f"{scenario_names(scene)[actor.name]}/{bone.name}"
    obj = new_empty(scene, f"{bone.name} at rest", "ARROWS", SIZE)
    frame = body_matrix(actor, bone, units).normalized()
    frame.translation = center_of_mass(actor, bone, units)
    obj.matrix_world = frame
    for kind, what, tolerance in (
        ("rest_position", "place", POSE_TOLERANCE),
        ("rest_orientation", "turn", POSE_ANGLE),
    ):
        item = new_item(scene, f"{obj.name} {what}", kind, obj, tolerance)
        item.body, item.use_height = name, kind == "rest_position"
    return 2


def add_image_point(context: bpy.types.Context, pixel: tuple[float, float] | None = None) -> int:
    """The active body at the time of this frame as seen by the matched camera: where the 3D cursor is in its picture,
    or at a pixel. Raises SceneError."""
    scene = context.scene
    camera = scene.mannequin.camera_match.camera or scene.camera
    if camera is None:
        raise SceneError("there is no camera: match one to the photograph first")
    actor, bone = _body(context)
    place = scene.cursor.location if pixel is None else on_ray(camera, pixel, scene)
    obj = new_empty(scene, f"{bone.name} in picture", "CIRCLE", 0.5 * SIZE)
    under_camera(obj, camera, place)
    if not np.all(np.isfinite(pixel_of(obj, scene))):
        bpy.data.objects.remove(obj)
        raise SceneError("the 3D cursor is behind the camera: put it where the point is seen")
    item = new_item(scene, obj.name, "video_points", obj, PIXELS)
    item.body = f"{scenario_names(scene)[actor.name]}/{bone.name}"
    item.time = time_of_frame(scene.frame_current, scene)
    return 1


def add_number(context: bpy.types.Context) -> int:
    """A number that was found: which, and how much, is said in the panel."""
    new_item(context.scene, "number", "measure", None, 1.0)
    return 1


WAYS: dict[str, tuple[str, Callable[[bpy.types.Context], int], str]] = {
    "MARKS": ("Selected Marks", add_selected, "Marks on the ground or an obstacle, each with its ellipse"),
    "BODY_MARK": (
        "Mark on Body",
        add_body_mark,
        "A place on the active body that was touched, at the 3D cursor",
    ),
    "REST_POSE": (
        "Rest Pose",
        add_rest_pose,
        "An empty with the axes of the active body: move and turn it to how the body lay",
    ),
    "IMAGE_POINT": (
        "Image Point",
        add_image_point,
        "The active body as seen from the matched camera at this frame, where the 3D cursor is in the picture",
    ),
    "NUMBER": ("Number", add_number, "A number that was found, such as a throw distance"),
}
"""What evidence is added as, to its label, its maker and its tooltip."""


def _body(context: bpy.types.Context) -> tuple[bpy.types.Object, bpy.types.Bone]:
    """The active actor and body, its root where none is active. Raises SceneError."""
    actor = active_actor(context)
    if actor is None:
        raise SceneError("select the actor, or one of its bones, that the evidence is about")
    bone = active_bone(context)
    return actor, bone if bone is not None else body_bones(actor.data)[0]


def new_empty(scene: bpy.types.Scene, name: str, shape: str, size: float) -> bpy.types.Object:
    """New empty of a size in metres."""
    obj = bpy.data.objects.new(name, None)
    obj.empty_display_type, obj.empty_display_size = shape, units_of(scene).length_to_blender(size)
    obj.show_name = True
    scene.collection.objects.link(obj)
    return obj


def new_item(
    scene: bpy.types.Scene, name: str, kind: str, obj: bpy.types.Object | None, tolerance: float
) -> bpy.types.PropertyGroup:
    """New line of the list, made the active one."""
    group = scene.mannequin.evidence
    item = group.targets.add()
    taken = {other.name for other in group.targets}
    item.name = next(n for n in (name, *(f"{name} {k}" for k in range(2, 1000))) if n not in taken)
    item.kind, item.object, item.tolerance = kind, obj, tolerance
    group.targets_index = len(group.targets) - 1
    return item


def tie(obj: bpy.types.Object, actor: bpy.types.Object, bone: bpy.types.Bone, place: Vector) -> None:
    """Hold an object by a bone, at a place in the world as the actor is posed now."""
    obj.parent, obj.parent_type, obj.parent_bone = actor, "BONE", bone.name
    bpy.context.view_layer.update()
    obj.matrix_parent_inverse = Matrix.Identity(4)
    obj.matrix_world = Matrix.Translation(place)
    bpy.context.view_layer.update()


def under_camera(obj: bpy.types.Object, camera: bpy.types.Object, place: Vector) -> None:
    """Hold an object by a camera, at a place in the world: where it is in the picture stays the same."""
    obj.parent = camera
    bpy.context.view_layer.update()
    obj.matrix_parent_inverse = Matrix.Identity(4)
    obj.matrix_world = Matrix.Translation(place) @ camera.matrix_world.to_3x3().normalized().to_4x4()
    bpy.context.view_layer.update()


def on_ray(camera: bpy.types.Object, pixel: tuple[float, float], scene: bpy.types.Scene) -> Vector:
    """A place in the world (Blender units) that a camera sees at a pixel."""
    lens = camera_of(camera, scene)
    (ray,) = lens.rays(np.array([pixel], dtype=float))
    return units_of(scene).point_to_blender(np.asarray(lens.position) + DEPTH * ray)


def pixel_of(obj: bpy.types.Object, scene: bpy.types.Scene) -> np.ndarray:
    """(2,) pixel at which the camera that holds an object sees it; NaN behind it. Raises SceneError."""
    if obj.parent is None or obj.parent.type != "CAMERA":
        raise SceneError(f"'{obj.name}' is under no camera: parent it to the camera in whose picture it is")
    place = units_of(scene).point_to_si(obj.matrix_world.translation)
    (pixel,) = camera_of(obj.parent, scene).project(place[None])
    return pixel


def bearer_of(
    obj: bpy.types.Object, on: str, scenario: Scenario, scene: bpy.types.Scene
) -> tuple[str, np.ndarray]:
    """Name of what bears a mark, and its (4, 4) frame in the world, m: the body it is tied to, an obstacle, the ground.

    Raises SceneError.
    """
    units, actor = units_of(scene), actor_of(obj.parent)
    if actor is not None and obj.parent_type == "BONE":
        bone = actor.data.bones[obj.parent_bone]
        name = f"{scenario_names(scene)[actor.name]}/{bone.name}"
        return name, units.frame_to_si(body_matrix(actor, bone, units))
    frames = surface_frames(scenario)
    if (on or GROUND) not in frames:
        raise SceneError(f"'{obj.name}' is on '{on}', which is no obstacle: choose one, or tie it to a bone")
    return on or GROUND, frames[on or GROUND]


def surface_frames(scenario: Scenario) -> dict[str, np.ndarray]:
    """(4, 4) frames at the start, m, of the ground and the obstacles of a scenario by name."""
    frames = {GROUND: np.identity(4)}
    for obstacle in scenario.obstacles:
        frame = frames[obstacle.name] = np.identity(4)
        frame[:3, :3], frame[:3, 3] = matrix_from_zyx(obstacle.orientation), obstacle.position
    return frames


GROUND = "ground"


def place_in(frame: np.ndarray, obj: bpy.types.Object, scene: bpy.types.Scene) -> np.ndarray:
    """(3,) place of an object in a frame, m."""
    place = units_of(scene).point_to_si(obj.matrix_world.translation)
    return (inverse_transform(frame) @ [*place, 1.0])[:3]
