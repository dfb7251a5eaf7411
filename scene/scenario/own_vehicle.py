"""A vehicle from the user's own mesh: fitted, built as an actor, and drawn by the mesh itself on its bones."""

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

from ...engine.spec import Model
from ...models.vehicles.form.parts import wheel_centres
from ...models.vehicles.own.axes import DIRECTIONS, UNITS, Axes, propose_axes
from ...models.vehicles.own.fit import Fitted, fit_vehicle, own_model, samples
from ..base.errors import SceneError
from ..base.units import units_of
from ..model.build import build_actor
from ..rig.objects import attach, place_part, points_and_triangles
from ..rig.skins import SKIN
from .new_vehicle import put_on_ground

BODY = "car_body"
UNIT_ITEMS = [(unit, unit, f"The mesh is in {unit}") for unit in UNITS]


def direction_items() -> list[tuple[str, str, str]]:
    """Directions of a mesh as items of an EnumProperty."""
    return [(word, word.upper(), f"{word.upper()} of the mesh in the world") for word in DIRECTIONS]


def chosen_meshes(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Selected mesh objects."""
    return [obj for obj in context.selected_objects if obj.type == "MESH"]


def geometry_of(objects: list[bpy.types.Object], scene: bpy.types.Scene) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) points in m in the world and (m, 3) triangles of objects as they are seen, modifiers included."""
    layer = bpy.context.evaluated_depsgraph_get()
    points, triangles, count = [], [], 0
    for obj in objects:
        evaluated = obj.evaluated_get(layer)
        at, corners = points_and_triangles(evaluated.to_mesh())
        evaluated.to_mesh_clear()
        world = np.array(evaluated.matrix_world, dtype=float)
        points.append(at @ world[:3, :3].T + world[:3, 3])
        triangles.append(corners + count)
        count += len(points[-1])
    if not triangles or not sum(map(len, triangles)):
        raise SceneError("the selected objects have no faces: select the meshes of one vehicle")
    return units_of(scene).points_to_si(np.concatenate(points)), np.concatenate(triangles)


def proposed_axes(objects: list[bpy.types.Object], scene: bpy.types.Scene) -> Axes:
    """Which way the mesh looks, for a person to confirm."""
    points, triangles = geometry_of(objects, scene)
    return propose_axes(samples(points, triangles, 0.01 * float(np.ptp(points, axis=0).max())))


def vehicle_from_meshes(
    objects: list[bpy.types.Object],
    scene: bpy.types.Scene,
    axes: tuple[str, str, str] | None = None,
    kind: str = "",
    mass: float = 0.0,
    sprung: bool = False,
) -> tuple[bpy.types.Object, Fitted]:
    """Actor of the vehicle that objects are the mesh of, at the 3D cursor; the objects are hidden, and copies of faces
    are carried by its body and wheels. axes: unit, forward and up, confirmed; else the proposal."""
    fitted, model = fit_meshes(objects, scene, axes, kind, mass, sprung)
    actor = build_actor(model, scene)
    actor.location = scene.cursor.location
    draw_parts(actor, objects, fitted, scene)
    put_on_ground(actor, model, scene)
    hide(objects)
    return actor, fitted


def fit_meshes(
    objects: list[bpy.types.Object],
    scene: bpy.types.Scene,
    axes: tuple[str, str, str] | None,
    kind: str,
    mass: float,
    sprung: bool,
) -> tuple[Fitted, Model]:
    """The vehicle that objects are the mesh of, and its model, as for `vehicle_from_meshes`."""
    fitted = fit_vehicle(*geometry_of(objects, scene), Axes(*axes) if axes else None, kind)
    return fitted, own_model(fitted, mass or None, sprung, objects[0].name)


def hide(objects: list[bpy.types.Object]) -> None:
    """Show objects no more, whose copies a vehicle carries."""
    for obj in objects:
        obj.hide_set(True)
        obj.hide_render = True


def draw_parts(
    actor: bpy.types.Object, objects: list[bpy.types.Object], fitted: Fitted, scene: bpy.types.Scene
) -> None:
    """Copies of the faces of objects, with their materials, on the bones of body and wheels."""
    units = units_of(scene)
    centres = {f"wheel{name}": np.array(c) for name, c in wheel_centres(fitted.vehicle).items()}
    layer = bpy.context.evaluated_depsgraph_get()
    for obj in objects:
        evaluated = obj.evaluated_get(layer)
        for bone in (BODY, *centres):
            mesh = bpy.data.meshes.new_from_object(evaluated)
            mesh.transform(into_actor(fitted, evaluated.matrix_world, units.metres))
            if not keep_part(mesh, bone, fitted, units.metres):
                bpy.data.meshes.remove(mesh)
                continue
            frame = np.identity(4)
            frame[:3, 3] = centres.get(bone, np.zeros(3))
            mesh.transform(Matrix.Translation([-v / units.metres for v in frame[:3, 3]]))
            part = bpy.data.objects.new(f"{actor.name} {obj.name} {bone}", mesh)
            for collection in actor.users_collection:
                collection.objects.link(part)
            part[SKIN] = True
            attach(part, actor, bone)
            place_part(part, frame, (units.metres,) * 3, units)


def into_actor(fitted: Fitted, world: Matrix, metres: float) -> Matrix:
    """From an object's own coordinates to the actor at rest, both in Blender units."""
    scale = fitted.axes.scale
    turn = Matrix((scale * fitted.axes.rotation).tolist()).to_4x4()
    return Matrix.Translation([-v / metres for v in fitted.shift]) @ turn @ world


def keep_part(mesh: bpy.types.Mesh, bone: str, fitted: Fitted, metres: float) -> int:
    """Leave only the faces of a mesh (in the actor, Blender units) that a bone carries; how many there are."""
    geometry = bmesh.new()
    geometry.from_mesh(mesh)
    middle = np.array([face.calc_center_median() for face in geometry.faces]).reshape(-1, 3) * metres
    owner = np.full(len(middle), BODY, dtype=object)
    for name, wheel in fitted.wheels.items():
        owner[wheel.holds(middle)] = f"wheel{name}"
    others = [face for face, name in zip(geometry.faces, owner, strict=True) if name != bone]
    bmesh.ops.delete(geometry, geom=others, context="FACES")
    left = len(geometry.faces)
    geometry.to_mesh(mesh)
    geometry.free()
    return left
