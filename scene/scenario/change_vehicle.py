"""Make a vehicle of the scene another one, of a class or of the user's own mesh: place, speed and brakes are kept."""

import bpy
from mathutils import Vector

from ...engine.spec import Model, Motor
from ...engine.spec.values import STANDARD_GRAVITY
from ...models.editing.braking import deceleration_of
from ..model.build import update_actor
from ..model.read import read_model
from ..rig.skins import remove_skin
from ..store import fields
from ..store.actors import body_bones
from .new_vehicle import model_of_class, put_on_ground
from .own_vehicle import draw_parts, fit_meshes, hide
from .speed import brake, roll_wheels


def to_class(
    actor: bpy.types.Object, kind: str, scene: bpy.types.Scene, mass: float = 0.0, sprung: bool = False
) -> None:
    """Make a vehicle one of a class, without a skin; mass in kg, 0: that of the class. sprung: on suspensions."""
    brakes = brakes_of(actor)
    remove_skin(actor)
    become(actor, model_of_class(kind, {}, mass or None, sprung), scene)
    drive_on(actor, brakes)


def to_meshes(
    actor: bpy.types.Object,
    objects: list[bpy.types.Object],
    scene: bpy.types.Scene,
    mass: float = 0.0,
    sprung: bool = False,
) -> str:
    """Make a vehicle the one that objects are the mesh of, which are hidden; returns how well it fits, in words."""
    brakes = brakes_of(actor)
    fitted, model = fit_meshes(objects, scene, None, "", mass, sprung)
    remove_skin(actor)
    become(actor, model, scene)
    draw_parts(actor, objects, fitted, scene)
    hide(objects)
    drive_on(actor, brakes)
    return fitted.lines()[-1]


def become(actor: bpy.types.Object, model: Model, scene: bpy.types.Scene) -> None:
    """Bring an actor in line with another model of a vehicle, on the ground where it is."""
    update_actor(actor, model, scene)
    put_on_ground(actor, model, scene)


def brakes_of(actor: bpy.types.Object) -> tuple[float, float]:
    """Deceleration (g) that a vehicle is braked for, 0 where it is not, and the time (s) from which on."""
    group = actor.mannequin.actor
    if len(actor.data.mannequin.wheels) > 0:
        return (group.drive.braking, group.drive.brake_start) if group.drive.use_braking else (0.0, 0.0)
    motors = {
        bone.mannequin.joint.name: fields.read_group(actor.pose.bones[bone.name].mannequin.motor, Motor)
        for bone in body_bones(actor.data)
        if actor.pose.bones[bone.name].mannequin.use_motor
    }
    rate, begin = deceleration_of(read_model(actor), motors, Vector(group.velocity).length)
    return rate / STANDARD_GRAVITY, begin


def drive_on(actor: bpy.types.Object, brakes: tuple[float, float]) -> None:
    """Let the wheels of a changed vehicle roll at its speed and brake as it was braked."""
    roll_wheels(actor)
    if brakes[0] > 0.0:
        brake(actor, *brakes)
