"""The rig of the picture: the template's bones, those of the body carried by the simulated bodies.

A bone of the body has no parent and an Armature constraint with the actor's bones as targets, so that it goes where its
bodies go, in live poses and in baked motion, with or without the extension. Between two bodies (loin, upper back, neck)
both are targets. The rest pose of the rig is that of the mesh, with the arms spread; the pose of its own that such a
bone keeps takes it to the actor's rest, with the limbs hanging, and brings its head onto the joint. Fingers, toes and
face are ordinary bones, children of these, free to be posed by hand.
"""

import math

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...models.people.look.carriers import CARRIERS
from ...models.people.look.template import Template
from ..base.units import Units
from ..model.build import edit_bones
from ..rig.objects import add_carriers
from ..rig.skins import SKIN_RIG

Motion = tuple[np.ndarray, np.ndarray]
"""(3, 3) turn and (3,) shift (m) of a body from the mesh's pose to the actor's rest: x -> turn x + shift."""

JOINT_BONES = {
    "pelvis": "root",
    "LowerBack": "spine03",
    "UpperBack": "spine01",
    "Neck": "neck01",
    "head": "head",
} | {
    f"{body}{side}": f"{bone}.{side}"
    for body, bone in (
        ("UpperArm", "upperarm01"),
        ("Forearm", "lowerarm01"),
        ("Hand", "wrist"),
        ("Thigh", "upperleg01"),
        ("Shank", "lowerleg01"),
        ("Foot", "foot"),
    )
    for side in "LR"
}
"""Body to the bone of the picture whose head is on its joint."""
SHORTEST = 0.005
"""Metres: least length of a bone."""
CURL = math.radians(18.0)
"""Flexion of each finger joint of a hand at ease (assumed; the template's fingers are stretched)."""


def bone_ends(template: Template, points: np.ndarray, joints: dict[str, np.ndarray]) -> np.ndarray:
    """(bones, 2, 3) heads and tails on somebody, m; heads of bones that begin at a joint are on its centre."""
    ends = points[template.ends]
    for body, bone in JOINT_BONES.items():
        if body in joints:
            ends[template.bones.index(bone), 0] = joints[body]
    along = ends[:, 1] - ends[:, 0]
    short = np.linalg.norm(along, axis=1) < SHORTEST
    ends[short, 1] = ends[short, 0] + (0.0, 0.0, SHORTEST)
    return ends


def make_rig(actor: bpy.types.Object) -> bpy.types.Object:
    """A new armature beside an actor, without bones yet."""
    rig = bpy.data.objects.new(f"{actor.name} Rig", bpy.data.armatures.new(f"{actor.name} Rig"))
    for collection in actor.users_collection:
        collection.objects.link(rig)
    rig.parent, rig[SKIN_RIG] = actor, True
    rig.hide_render = True
    rig.data.display_type = "STICK"
    return rig


def write_bones(
    rig: bpy.types.Object, template: Template, points: np.ndarray, joints: dict[str, np.ndarray], units: Units
) -> None:
    """Make the bones, or bring them to another shape."""
    ends = bone_ends(template, points, joints) / units.metres
    with edit_bones(rig) as bones:
        for number, name in enumerate(template.bones):
            bone = bones.get(name) or bones.new(name)
            bone.head, bone.tail = Vector(ends[number, 0]), Vector(ends[number, 1])
            bone.roll = template.rolls[number]
        for number, name in enumerate(template.bones):
            parent = template.parents[number]
            if name not in CARRIERS and parent >= 0:
                bones[name].parent = bones[template.bones[parent]]


def carry(rig: bpy.types.Object, actor: bpy.types.Object, motions: dict[str, Motion], units: Units) -> None:
    """Let the actor's bodies carry the bones of the body, and pose the fingers at ease."""
    for name, carriers in CARRIERS.items():
        bone = rig.pose.bones[name]
        body = max(carriers, key=carriers.get)
        at_rest = motion_matrix(motions[body], units) @ bone.bone.matrix_local
        bone.rotation_mode = "QUATERNION"
        bone.matrix_basis = bone.bone.matrix_local.inverted() @ at_rest
        bone.lock_location = bone.lock_rotation = bone.lock_scale = (True, True, True)
        bone.lock_rotation_w = True
        constraint = bone.constraints.get("Mannequin") or bone.constraints.new("ARMATURE")
        constraint.name = "Mannequin"
        set_targets(constraint, actor, carriers)
    for bone in rig.pose.bones:
        axis = curl_axis(bone)
        if axis is not None:
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = Matrix.Rotation(CURL, 4, axis).to_quaternion()


def set_targets(
    constraint: bpy.types.Constraint, actor: bpy.types.Object, carriers: dict[str, float]
) -> None:
    """Let bodies of an actor carry what a constraint is on."""
    constraint.targets.clear()
    constraint.use_deform_preserve_volume = True
    add_carriers(constraint, actor, carriers)


def motion_matrix(motion: Motion, units: Units) -> Matrix:
    """A body's motion to the actor's rest, in Blender units."""
    frame = np.identity(4)
    frame[:3, :3], frame[:3, 3] = motion
    return units.frame_to_blender(frame)


def curl_axis(bone: bpy.types.PoseBone) -> Vector | None:
    """Axis, along the bone's own axes, about which its finger is bent already in the template; None for others."""
    name = bone.name
    if not name.startswith(("finger2", "finger3", "finger4", "finger5")):
        return None
    first, last = (bone.id_data.data.bones[f"{name[:7]}-{k}{name[-2:]}"] for k in (1, 3))
    axis = (first.tail_local - first.head_local).cross(last.tail_local - last.head_local)
    return (bone.bone.matrix_local.to_3x3().inverted() @ axis).normalized()
