"""A generated vehicle as objects: its body and its wheels, carried by the bones of the actor.

The wheels share one mesh. Each object is parented to its bone, so wheels turn and steer with their bodies.
"""

import bpy
import numpy as np

from ...engine.spec import LightVehicle, Vehicle
from ...models.vehicles.finishes import FINISHES
from ...models.vehicles.form.assembly import Drawn
from ...models.vehicles.form.drawing import CARRIER, HALF_TURN, draw_vehicle
from ...models.vehicles.light.drawing import draw_light_vehicle
from ..base.errors import SceneError
from ..base.units import Units, units_of
from ..rig.objects import attach, place_part
from ..rig.skins import SKIN
from ..store.actors import body_bones
from .materials import vehicle_finish, vehicle_paint


def make_vehicle_skin(actor: bpy.types.Object, vehicle: Vehicle, scene: bpy.types.Scene) -> bpy.types.Object:
    """New objects of a vehicle's body and wheels on the bones of an actor; returns that of the body."""
    known = {bone.name for bone in body_bones(actor.data)}
    if CARRIER not in known:
        raise SceneError(
            f"actor '{actor.name}' has no body '{CARRIER}' to carry its vehicle: name its body so"
        )
    drawn = draw_vehicle(vehicle)
    units = units_of(scene)
    body = new_object(
        actor, f"{actor.name} Skin", new_mesh(f"{actor.name} Skin", drawn.body, vehicle), vehicle
    )
    carry(body, actor, CARRIER, np.identity(4), units)
    wheel = new_mesh(f"{actor.name} Wheel", drawn.wheel, vehicle)
    for name, centre in drawn.centres.items():
        bone = f"wheel{name}"
        obj = new_object(actor, f"{actor.name} Wheel {name}", wheel, vehicle)
        frame = np.identity(4)
        frame[:3, 3] = centre
        if centre[1] < 0.0:
            frame[:3, :3] = HALF_TURN
        carry(obj, actor, bone if bone in known else CARRIER, frame, units)
    return body


def make_light_skin(
    actor: bpy.types.Object, vehicle: LightVehicle, scene: bpy.types.Scene
) -> bpy.types.Object:
    """New objects of a two-wheeler, wheelchair or pram on the bones of an actor, one for each body; returns that of
    the frame. What no bone carries goes with the frame."""
    known = {bone.name for bone in body_bones(actor.data)}
    drawn = draw_light_vehicle(vehicle)
    carrier = next(iter(drawn))
    if carrier not in known:
        raise SceneError(
            f"actor '{actor.name}' has no body '{carrier}' to carry its vehicle: name its body so"
        )
    made = []
    for body, surface in drawn.items():
        label = f"{actor.name} Skin" if body == carrier else f"{actor.name} {body.replace('_', ' ').title()}"
        obj = new_object(actor, label, new_mesh(label, surface, vehicle), vehicle)
        carry(obj, actor, body if body in known else carrier, np.identity(4), units_of(scene))
        made.append(obj)
    return made[0]


def carry(obj: bpy.types.Object, actor: bpy.types.Object, bone: str, frame: np.ndarray, units: Units) -> None:
    """Let a bone carry an object that is at a frame (m) of the actor at rest."""
    attach(obj, actor, bone)
    place_part(obj, frame, (1.0, 1.0, 1.0), units)


def new_object(
    actor: bpy.types.Object, name: str, mesh: bpy.types.Mesh, vehicle: Vehicle | LightVehicle
) -> bpy.types.Object:
    """New object of a mesh beside an actor, marked as its skin."""
    obj = bpy.data.objects.new(name, mesh)
    for collection in actor.users_collection:
        collection.objects.link(obj)
    obj[SKIN], obj.color = True, (*vehicle.color, 1.0)
    return obj


def new_mesh(name: str, drawn: Drawn, vehicle: Vehicle | LightVehicle) -> bpy.types.Mesh:
    """Mesh of a drawn surface with its normals and a material per finish."""
    mesh = bpy.data.meshes.new(name)
    sizes = np.where(drawn.faces[:, 3] < 0, 3, 4)
    corners = drawn.faces[drawn.faces >= 0].astype(np.int32)
    mesh.vertices.add(len(drawn.points))
    mesh.vertices.foreach_set("co", drawn.points.astype(np.float32).ravel())
    mesh.loops.add(len(corners))
    mesh.loops.foreach_set("vertex_index", corners)
    mesh.polygons.add(len(sizes))
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int32)
    mesh.polygons.foreach_set("loop_start", starts)
    mesh.polygons.foreach_set("material_index", drawn.finishes.astype(np.int32))
    for finish in FINISHES:
        mesh.materials.append(vehicle_finish(finish) or vehicle_paint((*vehicle.color, 1.0)))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(sizes), dtype=bool))
    mesh.update(calc_edges=True)
    mesh.normals_split_custom_set_from_vertices(drawn.normals.astype(np.float32))
    return mesh
