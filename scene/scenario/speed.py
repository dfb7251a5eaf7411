"""Speed of an actor as people give it: in their unit, along where it faces, with wheels that roll by themselves."""

from functools import lru_cache

import bpy
import numpy as np
from mathutils import Vector

from ...engine.spec.values import STANDARD_GRAVITY
from ...models.editing.braking import brake_motors
from ...models.editing.wheels import rolling_rates, wheels_of
from ..model.read import read_model
from ..store import callbacks, fields
from ..store.actors import body_bones
from .start_motion import velocity_of_heading


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


def brake(actor: bpy.types.Object, deceleration: float, begin: float) -> int:
    """Let a vehicle brake at a deceleration (g) from a time (s) on; not at all where it is 0. Returns how many
    wheels brake.

    A vehicle on tyres is braked by its driver, one without by motors of its wheels."""
    tyres = actor.data.mannequin.wheels
    if len(tyres) > 0:
        _drive_and_brake(actor, deceleration, begin)
        return len(tyres) if deceleration > 0.0 else 0
    model = read_model(actor)
    speed = Vector(actor.mannequin.actor.velocity).length
    motors = brake_motors(model, deceleration * STANDARD_GRAVITY, begin, speed) if deceleration > 0.0 else {}
    wheels = {wheel.joint for wheel in wheels_of(model)}
    for bone in body_bones(actor.data):
        name, start = bone.mannequin.joint.name, actor.pose.bones[bone.name].mannequin
        if name in wheels:
            start.use_motor = name in motors
            if start.use_motor:
                fields.write_group(start.motor, motors[name])
    return len(motors)


def _drive_and_brake(actor: bpy.types.Object, deceleration: float, begin: float) -> None:
    """The driver of an actor presses the pedal for a deceleration (g) at a time (s), or not where it is 0."""
    group = actor.mannequin.actor
    group.use_drive = True
    group.drive.use_braking = deceleration > 0.0
    if group.drive.use_braking:
        group.drive.braking = deceleration
        group.drive.brake_start = begin


def has_wheels(actor: bpy.types.Object | None) -> bool:
    """Whether an actor rolls: a revolute joint carries a body whose only ellipsoid is a disc about a level axis.

    Quick, for panels: kept with the bones, which change when the model does."""
    return actor is not None and bool(_wheel_names(actor.name, tuple(b.name for b in actor.data.bones)))


@lru_cache(maxsize=32)
def _wheel_names(name: str, bones: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(wheel.joint for wheel in wheels_of(read_model(bpy.data.objects[name])))


register, unregister = callbacks.answered({"speed": set_speed, "heading": set_heading})
