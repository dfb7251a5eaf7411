"""The objects of an actor: ellipsoids as unit spheres, joints as empties, display meshes, and their collections."""

from collections.abc import Iterable, Mapping

import bpy
import numpy as np
from mathutils import Matrix

from ...models.parts.shapes import sphere_geometry
from ..base.errors import SceneError
from ..base.units import Units, rotation_to_blender, rotation_to_si

SPHERE_NAME = "Mannequin Unit Sphere"
SEGMENTS, RINGS = 32, 16
JOINT_SIZE = 0.06
"""Metres: length of the axes of a joint's empty."""


def add_carriers(
    constraint: bpy.types.Constraint, actor: bpy.types.Object, shares: Mapping[str, float]
) -> None:
    """Let bodies of an actor, by their names with their shares, carry what an Armature constraint is on."""
    for body, share in shares.items():
        target = constraint.targets.new()
        target.target, target.subtarget, target.weight = actor, body, share


def remove_object(obj: bpy.types.Object) -> None:
    """Remove an object, and its data where nothing else uses it."""
    data = obj.data
    bpy.data.objects.remove(obj)
    if data is not None and data.users == 0:
        bpy.data.batch_remove([data])


def unit_sphere() -> bpy.types.Mesh:
    """The mesh all ellipsoids share: a sphere of radius one whose poles and quarter points lie exactly on the axes."""
    for mesh in bpy.data.meshes:
        if mesh.name.startswith(SPHERE_NAME) and mesh.library is None and is_unit_sphere(mesh):
            return mesh
    mesh = bpy.data.meshes.new(SPHERE_NAME)
    vertices, faces = sphere_geometry(SEGMENTS, RINGS)
    mesh.from_pydata(vertices.tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    mesh.update()
    return mesh


def mesh_points(mesh: bpy.types.Mesh) -> np.ndarray:
    """(n, 3) vertices of a mesh."""
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3).astype(float)


def mesh_bounds(mesh: bpy.types.Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Centre and half size (3,) of a mesh's bounds along its own axes."""
    points = mesh_points(mesh)
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2.0, (high - low) / 2.0


def is_unit_sphere(mesh: bpy.types.Mesh) -> bool:
    """Whether all vertices lie on the unit sphere and reach it along all axes."""
    if len(mesh.vertices) < 6:
        return False
    points = mesh_points(mesh)
    on_sphere = np.abs(np.linalg.norm(points, axis=1) - 1.0).max() < 1e-6
    return bool(on_sphere and np.abs(np.abs(points).max(axis=0) - 1.0).max() < 1e-6)


def is_ellipsoid_mesh(mesh: bpy.types.Mesh) -> bool:
    """Whether the vertices lie on an ellipsoid along the mesh's own axes (a unit sphere with its scale applied)."""
    if len(mesh.vertices) < 6:
        return False
    centre, half = mesh_bounds(mesh)
    if half.min() <= 0.0:
        return False
    return bool(np.abs(np.linalg.norm((mesh_points(mesh) - centre) / half, axis=1) - 1.0).max() < 1e-4)


def new_collection(name: str, parent: bpy.types.Collection) -> bpy.types.Collection:
    """A collection of its own inside another."""
    collection = bpy.data.collections.new(name)
    parent.children.link(collection)
    return collection


PART_COLLECTIONS = {
    "ELLIPSOID": ("ellipsoid_collection", "Ellipsoids"),
    "JOINT": ("joint_collection", "Joints"),
    "MESH": ("mesh_collection", "Meshes"),
    "MUSCLE": ("muscle_collection", "Muscles"),
    "WRAP": ("wrap_collection", "Wrap Surfaces"),
}
"""Kind of a part to the property of the actor that names its collection, and that collection's name."""


def make_part_collections(actor: bpy.types.Object, home: bpy.types.Collection, kinds: Iterable[str]) -> None:
    """Give an actor collections of its own for kinds of parts, inside another."""
    for kind in kinds:
        attribute, label = PART_COLLECTIONS[kind]
        setattr(actor.mannequin.actor, attribute, new_collection(f"{actor.name} {label}", home))


def part_collection(kind: str, actor: bpy.types.Object) -> bpy.types.Collection:
    """Collection for an actor's parts of a kind; the actor's own where it has none (any more)."""
    found = getattr(actor.mannequin.actor, PART_COLLECTIONS[kind][0])
    if found is not None:
        return found
    return actor.users_collection[0] if actor.users_collection else bpy.context.scene.collection


def new_part(kind: str, name: str, actor: bpy.types.Object, data: bpy.types.Mesh | None) -> bpy.types.Object:
    """A new ellipsoid, joint (without data) or display mesh in the actor's collection for it."""
    obj = bpy.data.objects.new(name, data)
    obj.mannequin.kind = kind
    part_collection(kind, actor).objects.link(obj)
    obj.rotation_mode = "QUATERNION"
    if data is not None:
        obj.color = actor.color
    else:
        obj.empty_display_type = "ARROWS"
        obj.show_in_front = True
    return obj


def attach(part: bpy.types.Object, actor: bpy.types.Object, bone_name: str) -> None:
    """Parent a part to the bone of its body. The bones of a rig parent by their turn from rest (`use_relative_parent`),
    so that the part's own location is its place in the actor at rest."""
    part.parent = actor
    part.parent_type = "BONE"
    part.parent_bone = bone_name
    part.matrix_parent_inverse.identity()


def place_part(part: bpy.types.Object, frame: np.ndarray, scale: tuple, units: Units) -> None:
    """Put a part at a frame of the actor (metres), with a size in metres."""
    part.location = units.point_to_blender(frame[:3, 3])
    part.rotation_mode = "QUATERNION"
    part.rotation_quaternion = rotation_to_blender(frame[:3, :3])
    part.scale = [units.length_to_blender(float(s)) for s in scale]
    part.delta_location, part.delta_scale = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    part.delta_rotation_quaternion = (1.0, 0.0, 0.0, 0.0)


def rest_transform(
    part: bpy.types.Object, actor: bpy.types.Object, units: Units
) -> tuple[np.ndarray, np.ndarray]:
    """Rigid (4, 4) frame in the actor at rest (metres) and size (3,) in Blender units of a part.

    Where Blender parents it as we do, its own channels are read: they hold all that 32 bits can, a decomposed matrix
    does not.
    """
    if is_placed_by_own_channels(part, actor):
        frame = np.identity(4)
        frame[:3, :3] = rotation_to_si(part.rotation_quaternion)
        frame[:3, 3] = units.point_to_si(part.location)
        return frame, np.abs(np.array(part.scale, dtype=float))
    matrix = rest_matrix(part, actor)
    return units.frame_to_si(matrix), np.abs(np.array(matrix.to_scale(), dtype=float))


def is_placed_by_own_channels(part: bpy.types.Object, actor: bpy.types.Object) -> bool:
    """Whether location, quaternion and scale alone say where a part is in the actor at rest."""
    return (
        actor.data.bones[part.parent_bone].use_relative_parent
        and part.rotation_mode == "QUATERNION"
        and min(part.scale) > 0.0
        and part.matrix_parent_inverse == Matrix.Identity(4)
        and tuple(part.delta_location) == (0.0, 0.0, 0.0)
        and tuple(part.delta_scale) == (1.0, 1.0, 1.0)
        and tuple(part.delta_rotation_quaternion) == (1.0, 0.0, 0.0, 0.0)
    )


def rest_matrix(part: bpy.types.Object, actor: bpy.types.Object) -> Matrix:
    """Matrix of a part in the actor at rest, as Blender parents it (scale included)."""
    bone = actor.data.bones[part.parent_bone]
    local = part.matrix_parent_inverse @ part.matrix_basis
    if bone.use_relative_parent:
        return local
    return bone.matrix_local @ Matrix.Translation((0.0, bone.length, 0.0)) @ local


def points_and_triangles(mesh: bpy.types.Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3), 32-bit, and triangles (m, 3) of a mesh in its own frame."""
    mesh.calc_loop_triangles()
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    corners = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    return points.reshape(-1, 3), corners.reshape(-1, 3)


def evaluated_geometry(obj: bpy.types.Object, units: Units) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices (n, 3) in metres in the obstacle frame, triangles (m, 3) seen counter-clockwise from outside, and the
    rigid frame (4, 4) in the world."""
    bpy.context.view_layer.update()
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    if mesh is None or not mesh.polygons:
        raise SceneError(f"obstacle '{obj.name}' has no faces: give it some, or remove it from the scenario")
    points, triangles = points_and_triangles(mesh)
    evaluated.to_mesh_clear()
    world = np.array(evaluated.matrix_world, dtype=float)
    frame = np.identity(4)
    frame[:3, :3] = rotation_to_si(evaluated.matrix_world.to_quaternion())
    frame[:3, 3] = world[:3, 3] * units.metres
    stretch = frame[:3, :3].T @ world[:3, :3]
    stretch = np.where(np.abs(stretch - np.identity(3)) < 1e-6, np.identity(3), stretch)
    if np.linalg.det(stretch) < 0.0:
        triangles = triangles[:, ::-1]
    vertices = units.points_to_si(points.astype(float) @ stretch.T)
    return vertices, triangles, frame
