"""Blender objects to a model: the reverse of `rig`.

A file's values are kept until someone changes them: numbers in properties by `fields`, places of objects by comparing
the object with where the original puts it (Blender holds it in 32 bits, so within `SAME_PLACE`).

Moving a joint (its empty, or the head of its bone in edit mode) leaves the bodies where they are and moves the point
they turn about: T1 and T2 both change. Changing the parent of a bone changes the parent of the body and its T1.
"""

import dataclasses

import bpy
import numpy as np

from ...engine.spec import (
    Belt,
    Body,
    Coupler,
    Ellipsoid,
    Joint,
    Material,
    Mesh,
    Model,
    Point,
    SpringDamper,
    Weld,
    Wheel,
)
from ...models.editing.names import unique_name
from ..base.errors import SceneError
from ..base.labels import label_of
from ..base.units import Units
from ..muscles.read import read_muscles, read_wrap_surfaces
from ..rig.objects import is_ellipsoid_mesh, mesh_bounds, rest_transform
from ..store import fields
from ..store.actors import (
    body_bones,
    parent_body,
    parts_of,
    require_no_orphans,
    require_object_mode,
    require_unscaled,
    rest_frame,
    units_of_actor,
)
from ..store.same_place import SAME_PLACE, near_or_new, read_semi_axes
from .build import BODY_ELSEWHERE, JOINT_ELSEWHERE, MODEL_ELSEWHERE


def read_model(actor: bpy.types.Object) -> Model:
    """Model of an actor as it is in the scene."""
    bones, units = readable_bones(actor), units_of_actor(actor)
    group = actor.data.mannequin
    model = fields.read_group(group, Model, leave_out=MODEL_ELSEWHERE)
    ellipsoid_parts = parts_of(actor, "ELLIPSOID")
    bodies = [read_body(bone, ellipsoid_parts.get(bone.name, []), actor, units) for bone in bones]
    for name, parts in parts_of(actor, "MESH").items():
        read_meshes(next(body for body in bodies if body.name == name), parts, actor, units)
    return dataclasses.replace(
        model,
        bodies=bodies,
        joints=read_joints(actor, bones, units),
        materials=[fields.read_group(item, Material) for item in group.materials],
        springs=[fields.read_group(item, SpringDamper) for item in group.springs],
        belts=[read_belt(item) for item in group.belts],
        welds=[fields.read_group(item, Weld) for item in group.welds],
        couplers=[read_coupler(item, renamed_joints(actor)) for item in group.couplers],
        wheels=[read_wheel(item, renamed_joints(actor)) for item in group.wheels],
        contact_exclude=[(pair.first, pair.second) for pair in group.contact_exclude],
        contact_include=[(pair.first, pair.second) for pair in group.contact_include],
        muscles=read_muscles(actor, units),
        wrap_surfaces=read_wrap_surfaces(actor, units),
    )


def read_skeleton(actor: bpy.types.Object) -> Model:
    """Bodies of an actor without what is on them, and its joints: in half the time of `read_model`."""
    bones, units = readable_bones(actor), units_of_actor(actor)
    bodies = [read_body(bone, [], actor, units) for bone in bones]
    return Model(actor.name, bodies, read_joints(actor, bones, units))


def readable_bones(actor: bpy.types.Object) -> list[bpy.types.Bone]:
    """Bones of an actor's bodies, refused where the actor cannot be read."""
    require_object_mode(actor)
    require_unscaled(actor)
    require_no_orphans(actor)
    bones = body_bones(actor.data)
    require_distinct(bones, actor)
    return bones


def read_joints(actor: bpy.types.Object, bones: list[bpy.types.Bone], units: Units) -> list[Joint]:
    """Joints of an actor's bodies, in their order."""
    parts = parts_of(actor, "JOINT")
    jointed = sorted(
        (bone for bone in bones if bone.mannequin.joint.exists), key=lambda b: b.mannequin.joint.order
    )
    return [read_joint(bone, parts.get(bone.name, []), actor, units) for bone in jointed]


def require_distinct(bones: list[bpy.types.Bone], actor: bpy.types.Object) -> None:
    """Refuse a bone that was duplicated in edit mode: two bodies cannot be one."""
    seen: dict[int, str] = {}
    for bone in bones:
        uid = bone.mannequin.uid
        if uid in seen:
            raise SceneError(
                f"bone '{bone.name}' of '{actor.name}' is a copy of '{seen[uid]}' made in Edit Mode: "
                "delete it there and use Duplicate Body"
            )
        seen[uid] = bone.name


def renamed_joints(actor: bpy.types.Object) -> dict[str, str]:
    """New names of joints whose empties were renamed since the rig was last updated, by the name they had."""
    parts = parts_of(actor, "JOINT")
    renamed = {}
    for bone in body_bones(actor.data):
        group, found = bone.mannequin.joint, parts.get(bone.name)
        if group.exists and found and label_of(found[0], group) != group.name:
            renamed[group.name] = label_of(found[0], group)
    return renamed


def read_coupler(group: bpy.types.PropertyGroup, renamed: dict[str, str]) -> Coupler:
    """Coupler of a property group."""
    coupler = fields.read_group(group, Coupler)
    coupler.leader = renamed.get(coupler.leader, coupler.leader)
    coupler.follower = renamed.get(coupler.follower, coupler.follower)
    return coupler


def read_wheel(group: bpy.types.PropertyGroup, renamed: dict[str, str]) -> Wheel:
    """Wheel of a property group."""
    wheel = fields.read_group(group, Wheel)
    wheel.steering = renamed.get(wheel.steering, wheel.steering)
    return wheel


def read_belt(group: bpy.types.PropertyGroup) -> Belt:
    """Belt of a property group."""
    belt = fields.read_group(group, Belt, leave_out=("points", "slip"))
    belt.points = [fields.read_group(item.point, Point) for item in group.path]
    belt.slip = [item.slip for item in group.path]
    return belt


def read_body(
    bone: bpy.types.Bone, parts: list[bpy.types.Object], actor: bpy.types.Object, units: Units
) -> Body:
    """Body of a bone, with its ellipsoids."""
    body = fields.read_group(bone.mannequin, Body, leave_out=BODY_ELSEWHERE)
    body.name = bone.name
    frame = rest_frame(bone)
    body.ellipsoids = []
    seen: set[tuple[int, str]] = set()
    for part in parts:
        ellipsoid = read_ellipsoid(part, actor, frame, units)
        key = (part.mannequin.ellipsoid.order, ellipsoid.name)
        if key in seen:  # a duplicate made with Shift D, not two of one name in the file
            ellipsoid.name = unique_name(ellipsoid.name, {e.name for e in body.ellipsoids})
        seen.add(key)
        body.ellipsoids.append(ellipsoid)
    return body


def read_ellipsoid(
    obj: bpy.types.Object, actor: bpy.types.Object, body_frame: np.ndarray, units: Units
) -> Ellipsoid:
    """Ellipsoid of an object, in the frame of its body."""
    group = obj.mannequin.ellipsoid
    ellipsoid = fields.read_group(group, Ellipsoid, leave_out=("name",))
    ellipsoid.name = label_of(obj, group)
    frame, scale = rest_transform(obj, actor, units)
    centre, half = ellipsoid_shape(obj)
    ellipsoid.semi_axes = read_semi_axes(scale * half, ellipsoid.semi_axes, units)
    frame[:3, 3] += frame[:3, :3] @ units.point_to_si(scale * centre)
    read_place(ellipsoid, np.linalg.inv(body_frame) @ frame)
    return ellipsoid


def read_place(part: Ellipsoid | Mesh, seen: np.ndarray) -> None:
    """Give an ellipsoid or a display mesh the frame (4, 4) in its body that is seen, where that is not its own."""
    part.position = near_or_new(seen[:3, 3], part.position)
    if np.abs(seen[:3, :3] - np.array(part.orientation, dtype=float)).max() > SAME_PLACE:
        part.orientation = tuple(tuple(float(x) for x in row) for row in seen[:3, :3])


def read_meshes(body: Body, parts: list[bpy.types.Object], actor: bpy.types.Object, units: Units) -> None:
    """Give a body the display meshes of its objects (after those a file of an older version kept as text)."""
    to_body = np.linalg.inv(rest_frame(actor.data.bones[body.name]))
    for part in parts:
        mesh = fields.read_group(part.mannequin.mesh, Mesh)
        frame, size = rest_transform(part, actor, units)
        if np.ptp(size) > 1e-5 * size.max():
            raise SceneError(
                f"display mesh '{part.name}' is scaled unevenly, which model files do not know: scale it evenly, or "
                "clear its scale (Alt S)"
            )
        mesh.scale = read_semi_axes(size, (mesh.scale,) * 3, units)[0]
        read_place(mesh, to_body @ frame)
        body.meshes.append(mesh)


def ellipsoid_shape(obj: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
    """Centre and semi-axes (3,) of an ellipsoid's mesh in its own axes; one for the unit sphere."""
    if obj.type != "MESH" or not is_ellipsoid_mesh(obj.data):
        raise SceneError(
            f"the mesh of ellipsoid '{obj.name}' is no ellipsoid along its own axes any more "
            "(edited, or rotation applied): use Reset Ellipsoid Mesh"
        )
    centre, half = mesh_bounds(obj.data)
    if max(np.abs(half - 1.0).max(), np.abs(centre).max()) < 1e-6:
        return np.zeros(3), np.ones(3)
    return centre, half


def read_joint(
    bone: bpy.types.Bone, parts: list[bpy.types.Object], actor: bpy.types.Object, units: Units
) -> Joint:
    """Joint of a bone's body to its parent body."""
    group = bone.mannequin.joint
    joint = fields.read_group(group, Joint, leave_out=JOINT_ELSEWHERE)
    joint.name = label_of(parts[0], group) if parts else group.name
    parent = parent_body(bone)
    joint.child, joint.parent = bone.name, parent.name if parent is not None else None
    child_frame = rest_frame(bone)
    parent_frame = rest_frame(parent) if parent is not None else np.identity(4)
    original = child_frame @ np.array(joint.T2, dtype=float)
    seen = seen_joint_frame(bone, parts, actor, original, units)
    if seen is not original:
        joint.T2 = rows(np.linalg.inv(child_frame) @ seen)
    if np.abs(parent_frame @ np.array(joint.T1, dtype=float) - seen).max() > SAME_PLACE:
        joint.T1 = rows(np.linalg.inv(parent_frame) @ seen)
    return joint


def seen_joint_frame(
    bone: bpy.types.Bone,
    parts: list[bpy.types.Object],
    actor: bpy.types.Object,
    original: np.ndarray,
    units: Units,
) -> np.ndarray:
    """(4, 4) joint frame in the actor at rest: of the empty if that was moved, else of a moved bone's head, else as it
    was."""
    if parts:
        seen, _ = rest_transform(parts[0], actor, units)
        if not same_place(seen, original):
            return seen
    head = units.point_to_si(bone.head_local)
    if np.abs(head - original[:3, 3]).max() > SAME_PLACE * max(1.0, np.abs(head).max()):
        moved = original.copy()
        moved[:3, 3] = head
        return moved
    return original


def same_place(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two frames are one within 32-bit rounding."""
    return bool(np.abs(first - second).max() < SAME_PLACE * max(1.0, np.abs(second).max()))


def rows(matrix: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """Rigid transform as a spec has it, its translation tidied."""
    tidy = np.array(matrix, dtype=float)
    tidy[:3, 3] = np.round(tidy[:3, 3], 7)
    tidy[:3, :3] = np.where(
        np.abs(tidy[:3, :3] - np.round(tidy[:3, :3])) < 1e-7, np.round(tidy[:3, :3]), tidy[:3, :3]
    )
    tidy[3] = (0.0, 0.0, 0.0, 1.0)
    return tuple(tuple(float(x) + 0.0 for x in row) for row in tidy)
