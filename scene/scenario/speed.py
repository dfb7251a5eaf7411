"""Speed of an actor as people give it: in their unit, along where it faces, with wheels that roll by themselves."""

import bpy
import numpy as np
from mathutils import Vector

from ...models.editing.wheels import rolling_rates
from ..model.read import read_model
from ..store import callbacks
from ..store.actors import body_bones
from .start_motion import velocity_of_heading


def register() -> None:
    """Answer for the property that shows the speed."""
    callbacks.given["speed"] = set_speed
    callbacks.given["heading"] = set_heading


def unregister() -> None:
    """Answer no more."""
    callbacks.given.pop("speed", None)
    callbacks.given.pop("heading", None)


def set_heading(actor: bpy.types.Object, heading: float) -> dict[str, float]:
    """Turn an actor's level velocity to a heading (radians from x, counter-clockwise); wheels roll with it."""
    group = actor.mannequin.actor
    speed = Vector(group.velocity).xy.length
    group.velocity = (*velocity_of_heading(speed, heading)[:2], group.velocity[2])
    return roll_wheels(actor)


def facing(actor: bpy.types.Object) -> Vector:
    """Level direction in which an actor faces: its x axis, as people look and vehicles drive; unit vector."""
    ahead = actor.matrix_world.to_3x3() @ Vector((1.0, 0.0, 0.0))
    ahead.z = 0.0
    return ahead.normalized() if ahead.length > 1e-6 else Vector((1.0, 0.0, 0.0))


def set_speed(actor: bpy.types.Object, speed: float) -> dict[str, float]:
    """Let an actor start at a speed (m/s) along its present velocity, or along where it faces; wheels roll with it.

    Returns the rates (rad/s) of the wheels' joints."""
    group = actor.mannequin.actor
    velocity = Vector(group.velocity)
    ahead = velocity.normalized() if velocity.length > 1e-9 else facing(actor)
    group.velocity = ahead * speed
    return roll_wheels(actor)


def roll_wheels(actor: bpy.types.Object) -> dict[str, float]:
    """Let the wheels of an actor roll at its velocity; returns the rates (rad/s) of their joints."""
    turn = np.array(actor.matrix_world.to_quaternion().to_matrix())
    velocity = turn.T @ np.array(actor.mannequin.actor.velocity)
    rates = rolling_rates(read_model(actor), velocity)
    for bone in body_bones(actor.data):
        if bone.mannequin.joint.name in rates:
            actor.pose.bones[bone.name].mannequin.velocity = (rates[bone.mannequin.joint.name], 0.0, 0.0)
    return rates
