"""The start of an actor in a scenario: velocities, pulses, motors, prescribed motion; place and pose are in `pose`."""

import dataclasses

import bpy

from ...engine.spec import Actor, Model, Motor
from ...engine.spec.muscles import Excitation
from ...engine.spec.person import Person
from ...io_json import exact_copy
from ..base.labels import set_label
from ..base.units import units_of
from ..model.read import read_model, renamed_joints
from ..rig.pose import in_order, is_placed_by_root, read_start, start_of_spec, write_start
from ..store import fields
from ..store.actors import body_bones


def write_actor_start(actor: bpy.types.Object, spec: Actor, scene: bpy.types.Scene) -> None:
    """Place, pose and fill an actor as a scenario says."""
    group = actor.mannequin.actor
    fields.write_group(group, spec, leave_out=("name", "model"))
    set_label(actor, group, spec.name)
    write_excitations(group, spec.excitations)
    write_person(actor, spec.person)
    for bone in body_bones(actor.data):
        start, joint = actor.pose.bones[bone.name].mannequin, bone.mannequin.joint.name
        start.velocity = [float(x) for x in spec.joint_velocities.get(joint, (0.0, 0.0, 0.0))]
        start.use_motor = joint in spec.motors
        if start.use_motor:
            fields.write_group(start.motor, spec.motors[joint])
    write_start(actor, start_of_spec(spec), units_of(scene))


def read_actor(
    actor: bpy.types.Object, name: str, scene: bpy.types.Scene, model: Model | None = None
) -> Actor:
    """Actor of a scenario as it stands in the scene."""
    group = actor.mannequin.actor
    spec = fields.read_group(group, Actor, leave_out=("name", "model"))
    original = exact_copy.load(Actor, group.original)
    was = start_of_spec(original) if group.original else None
    renamed = renamed_joints(actor)
    start = read_start(actor, units_of(scene), was)
    for pulse in spec.torque_pulses:
        pulse.joint = renamed.get(pulse.joint, pulse.joint)
    for motion in spec.prescribed:
        motion.joint = renamed.get(motion.joint, motion.joint)
    velocities, motors = read_joint_starts(actor, original)
    return dataclasses.replace(
        spec,
        name=name,
        model=model if model is not None else read_model(actor),
        person=read_person(actor),
        position=start.position,
        orientation=start.orientation,
        joint_angles={renamed.get(key, key): value for key, value in start.joint_angles.items()},
        joint_slides={renamed.get(key, key): value for key, value in start.joint_slides.items()},
        joint_slide_velocities={
            renamed.get(key, key): value for key, value in original.joint_slide_velocities.items()
        },
        joint_velocities={renamed.get(key, key): value for key, value in velocities.items()},
        motors={renamed.get(key, key): value for key, value in motors.items()},
        excitations=read_excitations(group),
    )


def write_person(actor: bpy.types.Object, person: Person | None) -> None:
    """Keep who an actor's model is of."""
    group = actor.data.mannequin
    group.use_person = person is not None
    if person is not None:
        fields.write_group(group.person, person)


def read_person(actor: bpy.types.Object) -> Person | None:
    """Who an actor's model is of; None for models that were made otherwise."""
    group = actor.data.mannequin
    return fields.read_group(group.person, Person) if group.use_person else None


def write_excitations(group: bpy.types.PropertyGroup, excitations: dict[str, Excitation]) -> None:
    """Replace the rules by which an actor's muscles are excited."""
    group.excitation_rules.clear()
    for pattern, excitation in excitations.items():
        rule = group.excitation_rules.add()
        rule.name = pattern
        fields.write_group(rule.excitation, excitation)


def read_excitations(group: bpy.types.PropertyGroup) -> dict[str, Excitation]:
    """Rules by which an actor's muscles are excited."""
    return {rule.name: fields.read_group(rule.excitation, Excitation) for rule in group.excitation_rules}


def read_joint_starts(actor: bpy.types.Object, original: Actor) -> tuple[dict[str, tuple], dict[str, Motor]]:
    """Velocities and motors of the joints by name, in the original's order."""
    velocities, motors = {}, {}
    for bone in body_bones(actor.data):
        group, joint = actor.pose.bones[bone.name].mannequin, bone.mannequin.joint
        if not joint.exists or is_placed_by_root(bone):
            continue
        was = original.joint_velocities.get(joint.name)
        velocity = fields.read_number(group.velocity, was, group.bl_rna.properties["velocity"])
        if was is not None or any(velocity):
            velocities[joint.name] = velocity
        if group.use_motor:
            motors[joint.name] = fields.read_group(group.motor, Motor)
    return in_order(velocities, original.joint_velocities), in_order(motors, original.motors)
