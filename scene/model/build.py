"""Build an actor from a model, and bring an actor in line with a changed model.

An actor is an armature with a bone per body. The head of a bone is the joint centre, and turning the bone is turning
the joint (see `rest_layout` for its axes). Ellipsoids are unit spheres scaled to the semi-axes, joints are empties with
arrows, display meshes are as their files say (`display_meshes` loads them); all are parented to the bone of their body,
and their own location is their place in the actor at rest.
`read_model` is the reverse.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

import bpy
import numpy as np

from ...engine.spec import Ellipsoid, Joint, Mesh, Model
from ...models.editing.rest_layout import BodyPlace, lay_out, part_frame
from ..base.errors import SceneError
from ..base.labels import set_label
from ..base.units import Units, units_of
from ..muscles.build import drop_hooks, require_known_bodies, write_muscles
from ..rig.objects import (
    JOINT_SIZE,
    PART_COLLECTIONS,
    attach,
    make_part_collections,
    new_collection,
    new_part,
    place_part,
    remove_object,
    unit_sphere,
)
from ..rig.pose import apply_joint_transforms, possible_shift, read_joint_transforms
from ..store import fields
from ..store.actors import PART_KINDS, actors_of, body_bones, bone_axes, joint_kind, parts_of, units_of_actor
from ..store.references import new_uid

COLORS = (
    (0.25, 0.55, 0.80, 1.0),
    (0.85, 0.45, 0.20, 1.0),
    (0.35, 0.65, 0.35, 1.0),
    (0.60, 0.40, 0.70, 1.0),
    (0.75, 0.65, 0.25, 1.0),
)
"""Colours of actors, in turn: distinguishable, and none of them blood or skin."""

LONGEST_NAME = 63
"""Bytes of a bone's name in Blender."""

BODY_ELSEWHERE = ("ellipsoids", "meshes", "name")
JOINT_ELSEWHERE = ("parent", "child", "name")
MODEL_ELSEWHERE = (
    "bodies", "joints", "materials", "springs", "belts", "welds", "couplers", "wheels", "contact_exclude",
    "contact_include", "muscles", "wrap_surfaces",
)  # fmt: skip
"""Fields that other Blender data hold, so that no original keeps them twice."""


def build_actor(model: Model, scene: bpy.types.Scene, name: str = "") -> bpy.types.Object:
    """New actor of a model in its own collection of the scene, at the world's origin, with all joints at zero."""
    lay_out(model)  # refuses what cannot be built before anything is made
    require_bone_names(model)
    require_known_bodies(model)
    armature = bpy.data.armatures.new(model.name)
    actor = bpy.data.objects.new(name or model.name, armature)
    home = new_collection(name or model.name, scene.collection)
    home.objects.link(actor)
    others = actors_of(scene)
    actor.mannequin.kind = "ACTOR"
    start = actor.mannequin.actor
    start.order = max((obj.mannequin.actor.order for obj in others), default=-1) + 1
    make_part_collections(actor, home, ("ELLIPSOID", "JOINT"))
    set_label(actor, start, name or model.name)
    actor.color = COLORS[len(others) % len(COLORS)]
    actor.show_in_front = True
    armature.display_type = "STICK"
    try:
        update_actor(actor, model, scene)
    except Exception:
        remove_rig(actor)
        raise
    return actor


def remove_rig(actor: bpy.types.Object) -> None:
    """Remove an armature with all its parts and the collections that are empty then."""
    start = actor.mannequin.actor
    collections = [getattr(start, attribute) for attribute, _ in PART_COLLECTIONS.values()]
    collections = [*filter(None, collections), *actor.users_collection]
    for child in list(actor.children):
        if child.mannequin.kind in PART_KINDS:
            remove_part(child)
    remove_object(actor)
    for collection in collections:
        if not collection.objects and not collection.children:
            bpy.data.collections.remove(collection)


def require_bone_names(model: Model) -> None:
    """Refuse body names that no bone can have."""
    for body in model.bodies:
        if not body.name.strip() or len(body.name.encode()) > LONGEST_NAME:
            raise SceneError(
                f"the body name '{body.name[:40]}' cannot be a bone's: give it 1 to {LONGEST_NAME} bytes"
            )


def update_actor(actor: bpy.types.Object, model: Model, scene: bpy.types.Scene) -> None:
    """Bring an actor's bones, objects and properties in line with a model. Posed joints keep their angles.

    Parts are matched by name; what the model lacks is removed, what it has more is made.
    """
    units = units_of(scene)
    places = lay_out(model)
    require_bone_names(model)
    require_known_bodies(model)
    posed = read_joint_transforms(actor, units_of_actor(actor))
    drop_hooks(actor, set(places))
    write_bones(actor, places, units)
    write_model_properties(actor, model, units)
    write_bodies(actor, model, places)
    write_connections(actor.data, model)
    write_joints(actor, places, model, units)
    write_ellipsoids(actor, model, places, units)
    write_meshes(actor, model, places, units)
    write_muscles(actor, model, places, units)
    prepare_pose_bones(actor)
    apply_joint_transforms(actor, posed, units)


@contextmanager
def edit_bones(actor: bpy.types.Object) -> Iterator[bpy.types.ArmatureEditBones]:
    """The edit bones of an actor; afterwards the active object and the mode are as they were."""
    layer = bpy.context.view_layer
    layer.update()
    if actor.name not in layer.objects:
        raise SceneError(f"actor '{actor.name}' is not in this view layer: include its collection first")
    before = layer.objects.active
    mode = before.mode if before is not None else "OBJECT"
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    hidden = actor.hide_get(), actor.hide_viewport
    try:
        actor.hide_viewport = False
        actor.hide_set(False)
        layer.update()
        if not actor.visible_get():
            raise SceneError(f"actor '{actor.name}' is in a hidden collection: show it first")
        layer.objects.active = actor
        bpy.ops.object.mode_set(mode="EDIT")
        yield actor.data.edit_bones
    finally:
        if actor.mode == "EDIT":
            bpy.ops.object.mode_set(mode="OBJECT")
        actor.hide_set(hidden[0])
        actor.hide_viewport = hidden[1]
        layer.objects.active = before
        if mode != "OBJECT":
            bpy.ops.object.mode_set(mode=mode)


def write_bones(actor: bpy.types.Object, places: dict[str, BodyPlace], units: Units) -> None:
    """Make, move and remove bones so that there is one per body."""
    known = {bone.name for bone in body_bones(actor.data)}
    mirror = actor.data.use_mirror_x
    actor.data.use_mirror_x = False
    with edit_bones(actor) as bones:
        for name in known - set(places):
            bones.remove(bones[name])
        for name, place in places.items():
            bone = bones.get(name) or bones.new(name)
            bone.use_connect = False
            bone.parent = bones[place.parent] if place.parent is not None else None
            # The length goes first: a bone's direction is the difference of two 32-bit points.
            bone.head = (0.0, 0.0, 0.0)
            bone.tail = (0.0, units.length_to_blender(place.bone_length), 0.0)
            bone.matrix = units.frame_to_blender(place.bone_frame)
    actor.data.use_mirror_x = mirror


def write_model_properties(actor: bpy.types.Object, model: Model, units: Units) -> None:
    """Fill the armature's properties, materials included."""
    group = actor.data.mannequin
    group.is_model = True
    group.unit_scale = units.metres
    fields.write_group(group, model, leave_out=MODEL_ELSEWHERE)
    uids = {material.name: material.uid for material in group.materials}
    fields.write_collection(group.materials, model.materials)
    for material in group.materials:
        material.uid = uids.get(material.name) or new_uid(actor.data)


def write_bodies(actor: bpy.types.Object, model: Model, places: dict[str, BodyPlace]) -> None:
    """Fill the properties of bodies and joints on their bones."""
    joint_order = {id(joint): index for index, joint in enumerate(model.joints)}
    for order, body in enumerate(model.bodies):
        bone, place = actor.data.bones[body.name], places[body.name]
        group = bone.mannequin
        if not group.is_body:
            group.is_body, group.uid = True, new_uid(actor.data)
        group.order = order
        group.handle_name = bone.name
        group.rest_frame = json.dumps(place.frame.ravel().tolist())
        group.bone_axes = place.bone_axes.ravel().tolist()
        fields.write_group(group, body, leave_out=BODY_ELSEWHERE)
        bone.use_relative_parent = True
        bone.inherit_scale = "NONE"
        write_joint_properties(group.joint, place.joint, joint_order)


def write_joint_properties(
    group: bpy.types.PropertyGroup, joint: Joint | None, order: dict[int, int]
) -> None:
    """Fill the properties of a body's joint; a body may have none."""
    group.exists = joint is not None
    if joint is None:
        return
    group.order = order[id(joint)]
    group.name = joint.name
    fields.write_group(group, joint, leave_out=JOINT_ELSEWHERE)


def write_connections(armature: bpy.types.Armature, model: Model) -> None:
    """Fill springs, belts, welds, couplers, wheels and contact pairs."""
    group = armature.mannequin
    for name in ("springs", "welds", "couplers", "wheels"):
        fields.write_collection(getattr(group, name), getattr(model, name))
    write_belts(group.belts, model.belts)
    for name in ("contact_exclude", "contact_include"):
        pairs = getattr(group, name)
        pairs.clear()
        for first, second in getattr(model, name):
            pair = pairs.add()
            pair.first, pair.second = first, second


def write_belts(groups: bpy.types.bpy_prop_collection, belts: list) -> None:
    """Replace the items of a collection of belts."""
    groups.clear()
    for belt in belts:
        group = groups.add()
        fields.write_group(group, belt, leave_out=("points", "slip"))
        for point, slip in zip(belt.points, belt.slip, strict=True):
            item = group.path.add()
            fields.write_group(item.point, point)
            item.slip = slip


def write_joints(actor: bpy.types.Object, places: dict[str, BodyPlace], model: Model, units: Units) -> None:
    """Make, move and remove the empties of joints."""
    parts = parts_of(actor, "JOINT")
    size = units.length_to_blender(JOINT_SIZE)
    for name, place in places.items():
        found = parts.pop(name, [])
        spare = found[1:] if place.joint is not None else found
        remove_parts({name: spare})
        if place.joint is None:
            continue
        obj = found[0] if found else new_part("JOINT", place.joint.name, actor, None)
        attach(obj, actor, name)
        set_label(obj, actor.data.bones[name].mannequin.joint, place.joint.name)
        place_part(obj, place.joint_frame, (units.metres,) * 3, units)
        obj.empty_display_size = size
    remove_parts(parts)


def remove_parts(parts: dict[str, list[bpy.types.Object]]) -> None:
    """Delete the objects of parts."""
    for found in parts.values():
        for obj in found:
            remove_part(obj)


def remove_part(part: bpy.types.Object) -> None:
    """Delete an object; a display mesh and a muscle take their geometry with them where nothing else uses it."""
    if part.mannequin.kind in ("MESH", "MUSCLE"):
        remove_object(part)
    else:
        bpy.data.objects.remove(part)


def write_ellipsoids(
    actor: bpy.types.Object, model: Model, places: dict[str, BodyPlace], units: Units
) -> None:
    """Make, move and remove the spheres of ellipsoids."""
    parts, sphere = parts_of(actor, "ELLIPSOID"), unit_sphere()
    for body in model.bodies:
        spare = parts.pop(body.name, [])
        for order, ellipsoid in enumerate(body.ellipsoids):
            obj = take(spare, "ellipsoid", "name", ellipsoid.name)
            obj = obj or new_part("ELLIPSOID", ellipsoid.name, actor, sphere)
            attach(obj, actor, body.name)
            write_ellipsoid(obj, ellipsoid, places[body.name].frame, units)
            obj.mannequin.ellipsoid.order = order
        remove_parts({body.name: spare})
    remove_parts(parts)


def take(objects: list[bpy.types.Object], kind: str, key: str, value: str) -> bpy.types.Object | None:
    """Take the first object whose group of a kind has this value of a property out of a list."""
    for obj in objects:
        if getattr(getattr(obj.mannequin, kind), key) == value:
            objects.remove(obj)
            return obj
    return None


def write_ellipsoid(
    obj: bpy.types.Object, ellipsoid: Ellipsoid, body_frame: np.ndarray, units: Units
) -> None:
    """Fill and place one ellipsoid."""
    group = obj.mannequin.ellipsoid
    fields.write_group(group, ellipsoid, leave_out=("name",))
    set_label(obj, group, ellipsoid.name)
    place_part(obj, body_frame @ part_frame(ellipsoid), ellipsoid.semi_axes, units)


def write_meshes(actor: bpy.types.Object, model: Model, places: dict[str, BodyPlace], units: Units) -> None:
    """Make, move and remove the objects of display meshes; new ones show what others of the same file show."""
    parts = parts_of(actor, "MESH")
    known = {obj.mannequin.mesh.path: obj.data for found in parts.values() for obj in found}
    if actor.mannequin.actor.mesh_collection is None and any(body.meshes for body in model.bodies):
        make_part_collections(actor, actor.users_collection[0], ("MESH",))
    for body in model.bodies:
        spare = parts.pop(body.name, [])
        for order, mesh in enumerate(body.meshes):
            obj = take(spare, "mesh", "path", mesh.path)
            if obj is None:
                name = PurePosixPath(mesh.path).stem or body.name
                obj = new_part("MESH", name, actor, known.get(mesh.path) or bpy.data.meshes.new(name))
            attach(obj, actor, body.name)
            write_mesh(obj, mesh, places[body.name].frame, units)
            obj.mannequin.mesh.order = order
        remove_parts({body.name: spare})
    remove_parts(parts)


def write_mesh(obj: bpy.types.Object, mesh: Mesh, body_frame: np.ndarray, units: Units) -> None:
    """Fill and place one display mesh. Numbers of its file times `scale` are metres."""
    fields.write_group(obj.mannequin.mesh, mesh)
    place_part(obj, body_frame @ part_frame(mesh), (mesh.scale,) * 3, units)


def prepare_pose_bones(actor: bpy.types.Object) -> None:
    """Let each pose bone move only as its joint does."""
    for bone in body_bones(actor.data):
        pose_bone = actor.pose.bones[bone.name]
        kind = joint_kind(bone)
        turns = kind.turns or kind.is_free or kind.by_functions
        pose_bone.lock_location = locked_ways(bone)
        pose_bone.lock_scale = (True,) * 3
        turns_about_x_only = not turns or kind.has_axis
        pose_bone.lock_rotation = (not turns, turns_about_x_only, turns_about_x_only)
        pose_bone.lock_rotation_w = not turns
        pose_bone.lock_rotations_4d = not turns
        pose_bone.rotation_mode = "XYZ" if kind.has_axis else "QUATERNION"


def locked_ways(bone: bpy.types.Bone) -> tuple[bool, bool, bool]:
    """Axes of a bone along which its joint cannot slide."""
    if joint_kind(bone).is_free or joint_kind(bone).by_functions:
        return False, False, False
    return tuple(bool(np.linalg.norm(possible_shift(bone, axis)) < 0.5) for axis in bone_axes(bone).T)
