"""Somebody else's character: the skin and the weights of a person of ours on an armature of its own with other names.

A real surface of a human with real weights, fingers and face, in the pose it was modelled in, or with its arms
brought to a T and that made its rest pose, as people do it in Blender.
"""

import math

import numpy as np

MIXAMO = {
    "root": "mixamorig:Hips", "spine05": "mixamorig:Spine0", "spine04": "mixamorig:Spine",
    "spine03": "mixamorig:Spine1",
    "spine02": "mixamorig:Spine15", "spine01": "mixamorig:Spine2", "neck01": "mixamorig:Neck", "head": "mixamorig:Head",
} | {
    f"{ours}.{side}": f"mixamorig:{word}{theirs}"
    for side, word in (("L", "Left"), ("R", "Right"))
    for ours, theirs in (
        ("clavicle", "Shoulder"), ("upperarm01", "Arm"), ("lowerarm01", "ForeArm"), ("wrist", "Hand"),
        ("upperleg01", "UpLeg"), ("lowerleg01", "Leg"), ("foot", "Foot"),
    )
}  # fmt: skip


def make_character(bpy, names=None, pose=0.0, scale=1.0, place=(0.0, 0.0, 0.0), turn=0.0, **person):
    """(armature, mesh) of a character that stands for itself. names: of some bones in place of MakeHuman's; pose:
    degrees by which the arms are raised before the rest pose is taken."""
    from mannequin.engine.spec.person import Person
    from mannequin.models.people.look.template import load_template
    from mannequin.scene.people.change import new_person
    from mannequin.scene.rig.skins import remove_skin, skin_rigs_of, skins_of

    scene, template = bpy.context.scene, load_template()
    actor, _ = new_person(Person(**person), scene, on_ground=False)
    actor.location = (0.0, 0.0, 0.0)
    skin, rig = skins_of(actor)[0].copy(), skin_rigs_of(actor)[0].copy()
    skin.data, rig.data = skin.data.copy(), rig.data.copy()
    skin.data.name = skin.name = "Hero"
    rig.data.name = rig.name = "Hero Rig"
    for obj in (skin, rig):
        scene.collection.objects.link(obj)
        obj.parent = None
        for key in list(obj.keys()):
            if key.startswith("mannequin"):
                del obj[key]
    remove_skin(actor)
    from mannequin.scene.model.edit_actor import delete_actor

    delete_actor(actor)
    for modifier in list(skin.modifiers):
        if modifier.type != "ARMATURE":
            skin.modifiers.remove(modifier)
    skin.modifiers[0].object, skin.modifiers[0].name = rig, "Armature"
    skin.modifiers[0].use_deform_preserve_volume = False
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for number, name in enumerate(template.bones):
        parent = template.parents[number]
        if parent >= 0:
            rig.data.edit_bones[name].parent = rig.data.edit_bones[template.bones[parent]]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        for constraint in list(bone.constraints):
            bone.constraints.remove(constraint)
        bone.matrix_basis = np.identity(4).tolist()
        bone.lock_location = bone.lock_rotation = bone.lock_scale = (False,) * 3
    rig.hide_render = False
    skin.parent = rig
    if pose:
        raise_arms(bpy, rig, skin, math.radians(pose))
    for old, new in (names or {}).items():
        rig.data.bones[old].name = new  # vertex groups are renamed with their bones
    rig.scale, rig.location = (scale,) * 3, place
    rig.rotation_euler = (0.0, 0.0, turn)
    bpy.context.view_layer.update()
    return rig, skin


def raise_arms(bpy, rig, skin, angle):
    """Turn both arms outward about the fore-aft axis, and make that the rest pose of armature and mesh."""
    from mathutils import Matrix

    bpy.context.view_layer.update()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        bone = rig.pose.bones[f"upperarm01.{side}"]
        about = (
            Matrix.Translation(bone.head)
            @ Matrix.Rotation(sign * angle, 4, "X")
            @ Matrix.Translation(-bone.head)
        )
        bone.matrix = about @ bone.matrix
        bpy.context.view_layer.update()
    seen = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(3 * len(seen.data.vertices), dtype=np.float32)
    seen.data.vertices.foreach_get("co", points)
    skin.data.vertices.foreach_set("co", points)
    skin.data.update()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.armature_apply(selected=False)
    bpy.ops.object.mode_set(mode="OBJECT")


def seen_points(bpy, obj):
    """(n, 3) vertices as seen, in the world."""
    seen = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(3 * len(seen.data.vertices), dtype=np.float32)
    seen.data.vertices.foreach_get("co", points)
    matrix = np.array(seen.matrix_world)
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
