"""Armatures as other programs name and orient them, made by hand: any rest pose, any proportions, any unit.

Joints are those of the shipped man, his limbs stretched by some factors, his arms spread by an angle about the
fore-aft axis. Each convention has the names of its program, its own bones in between (twist bones, hip joints,
several bones of the back) and its own directions of bones.
"""

import math
from dataclasses import dataclass

import numpy as np

from mannequin.models.editing.rest_layout import lay_out
from mannequin.models.library import load_model

SIDES = {"L": ("Left", "l"), "R": ("Right", "r")}


@dataclass(frozen=True)
class Naming:
    """Names of one program: trunk from the pelvis up, and the limbs of one side."""

    trunk: tuple[str, ...]
    neck: tuple[str, ...]
    limbs: tuple[str, ...]
    """Clavicle, upper arm, forearm, hand, finger, thigh, shank, foot, toe; {S} is Left, {s} is l, {X} is L"""
    hip: str = ""
    """Bone between pelvis and thigh"""
    twist: str = ""
    """Bone beside the forearm"""
    scale: float = 1.0
    y_up: bool = False
    slanted: bool = False
    """Bones do not point to the next joint"""


NAMINGS = {
    "Mixamo": Naming(
        ("mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"),
        ("mixamorig:Neck", "mixamorig:Head"),
        tuple(
            f"mixamorig:{{S}}{name}"
            for name in ("Shoulder", "Arm", "ForeArm", "Hand", "HandMiddle1", "UpLeg", "Leg", "Foot", "ToeBase")
        ),
        scale=0.01,
        y_up=True,
    ),
    "Rigify metarig": Naming(
        ("spine", "spine.001", "spine.002", "spine.003"),
        ("spine.004", "spine.005", "spine.006"),
        tuple(
            f"{name}.{{X}}"
            for name in ("shoulder", "upper_arm", "forearm", "hand", "f_middle.01", "thigh", "shin", "foot", "toe")
        ),
    ),
    "CMU": Naming(
        ("Hips", "LowerBack", "Spine", "Spine1"),
        ("Neck", "Neck1", "Head"),
        tuple(
            f"{{S}}{name}"
            for name in ("Shoulder", "Arm", "ForeArm", "Hand", "HandIndex1", "UpLeg", "Leg", "Foot", "ToeBase")
        ),
        hip="{X}HipJoint",
        scale=0.056,
        y_up=True,
    ),
    "Unreal": Naming(
        ("pelvis", "spine_01", "spine_02", "spine_03"),
        ("neck_01", "head"),
        tuple(
            f"{name}_{{s}}"
            for name in (
                "clavicle", "upperarm", "lowerarm", "hand", "middle_01", "thigh", "calf", "foot", "ball",
            )
        ),
        twist="lowerarm_twist_01_{s}",
        scale=0.01,
        slanted=True,
    ),
    "MakeHuman": Naming(
        ("root", "spine05", "spine04", "spine03", "spine02", "spine01"),
        ("neck01", "neck02", "neck03", "head"),
        tuple(
            f"{name}.{{X}}"
            for name in (
                "clavicle", "upperarm01", "lowerarm01", "wrist", "finger3-1", "upperleg01", "lowerleg01", "foot",
                "toe1-1",
            )
        ),
        hip="pelvis.{X}",
        scale=0.1,
    ),
    "plain names": Naming(
        ("Pelvis", "Chest"),
        ("Neck", "Head"),
        tuple(
            f"{{S}} {name}"
            for name in ("Collar", "Arm", "Forearm", "Hand", "Finger", "Thigh", "Shin", "Foot", "Toe")
        ),
    ),
    "the shape of the tree": Naming(
        tuple(f"bone{n}" for n in range(4)),
        tuple(f"bone{n}" for n in range(4, 6)),
        tuple(f"x{{X}}{n}".replace("x{X}", "q{h}") for n in range(9)),
        slanted=False,
    ),
}  # fmt: skip
BODIES = ("Clavicle", "UpperArm", "Forearm", "Hand", "finger", "Thigh", "Shank", "Foot", "toe")


def turned_about_x(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def named(pattern, side):
    word, letter = SIDES[side]
    return pattern.format(S=word, s=letter, X=side, h="17" if side == "L" else "48")


def body_points(arms, thigh=1.0, shank=1.0, arm=1.0):
    """Joint centres (m) of a man with his arms spread by an angle (rad) and his limbs stretched; feet stay on the
    ground."""
    places = lay_out(load_model("hybrid3_50th"))
    joint = {name: place.joint_frame[:3, 3] for name, place in places.items()}
    points = {}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        lengths = {
            name: np.linalg.norm(joint[f"{b}{side}"] - joint[f"{a}{side}"])
            for name, a, b in (
                ("upper", "UpperArm", "Forearm"), ("fore", "Forearm", "Hand"), ("thigh", "Thigh", "Shank"),
                ("shank", "Shank", "Foot"),
            )
        }  # fmt: skip
        out = turned_about_x(sign * arms) @ np.array([0.0, 0.0, -1.0])
        shoulder, ankle = joint[f"UpperArm{side}"], joint[f"Foot{side}"]
        points[f"Clavicle{side}"] = np.array([0.0, 0.02 * sign, shoulder[2] - 0.02])
        points[f"UpperArm{side}"] = shoulder
        points[f"Forearm{side}"] = shoulder + arm * lengths["upper"] * out
        points[f"Hand{side}"] = points[f"Forearm{side}"] + arm * lengths["fore"] * out
        points[f"finger{side}"] = points[f"Hand{side}"] + 0.09 * out
        points[f"Foot{side}"] = ankle
        points[f"toe{side}"] = ankle + np.array([0.13, 0.0, -0.05])
        points[f"Shank{side}"] = ankle + np.array([0.0, 0.0, shank * lengths["shank"]])
        points[f"Thigh{side}"] = points[f"Shank{side}"] + np.array([0.0, 0.0, thigh * lengths["thigh"]])
    raise_by = points["ThighL"][2] - joint["ThighL"][2]
    for name in [
        name for name in points if name[:-1] in ("Clavicle", "UpperArm", "Forearm", "Hand", "finger")
    ]:
        points[name] = points[name] + np.array([0.0, 0.0, raise_by])
    up = np.array([0.0, 0.0, raise_by])
    return points | {name: joint[name] + up for name in ("pelvis", "LowerBack", "UpperBack", "Neck", "head")}


def bone_rows(naming, points):
    """(name, parent, head, tail, body) of all bones, parents first; body is None of bones in between."""
    rows = []
    trunk = [points["pelvis"], *evenly(points["LowerBack"], points["UpperBack"], len(naming.trunk) - 1)]
    necks = evenly(points["Neck"], points["head"], len(naming.neck))
    line = [*trunk, *necks, points["head"] + np.array([0.0, 0.0, 0.2])]
    names = [*naming.trunk, *naming.neck]
    bodies = {naming.trunk[0]: "pelvis", naming.trunk[-1]: "UpperBack", naming.neck[-1]: "head"}
    if len(naming.trunk) > 2:
        bodies[naming.trunk[len(naming.trunk) // 2]] = "LowerBack"
    if len(naming.neck) > 1:
        bodies[naming.neck[0]] = "Neck"
    for number, name in enumerate(names):
        parent = names[number - 1] if number else None
        rows.append((name, parent, line[number], line[number + 1], bodies.get(name)))
    for side in "LR":
        limb = dict(zip(BODIES, (named(pattern, side) for pattern in naming.limbs), strict=True))
        parents = {"Clavicle": naming.trunk[-1], "Thigh": naming.trunk[0]}
        if naming.hip:
            parents["Thigh"] = named(naming.hip, side)
            rows.append((parents["Thigh"], naming.trunk[0], points["pelvis"], points[f"Thigh{side}"], None))
        order = list(BODIES)
        for number, body in enumerate(order):
            parent = parents.get(body) or limb[order[number - 1]]
            head = points[f"{body}{side}"]
            ends = body in ("finger", "toe")
            after = head + (0.1 * (head - points[f"{order[number - 1]}{side}"]) if ends else 0.0)
            tail = after if ends else points[f"{order[number + 1]}{side}"]
            rows.append((limb[body], parent, head, tail, None if ends else f"{body}{side}"))
        if naming.twist:
            fore, hand = points[f"Forearm{side}"], points[f"Hand{side}"]
            rows.append((named(naming.twist, side), limb["Forearm"], (fore + hand) / 2.0, hand, None))
    return rows


def evenly(first, last, count):
    """Points from one to another; the last alone where there is one."""
    return [last] if count == 1 else list(np.linspace(first, last, count))


def make_rig(bpy, convention, arms, turn=0.0, place=(0.0, 0.0, 0.0), **proportions):
    """(armature object, body to bone, points) of one convention with its arms spread by an angle (degrees)."""
    naming, spread = NAMINGS[convention], math.radians(arms)
    points = body_points(spread, **proportions)
    rows = bone_rows(naming, points)
    data = bpy.data.armatures.new(convention)
    rig = bpy.data.objects.new(convention, data)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    # from x forward, z up to z forward, y up; or to -y forward as Blender's characters face
    axes = (
        np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
        if naming.y_up
        else np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    )
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, tail, _ in rows:
        bone = data.edit_bones.new(name)
        bone.head = axes @ head / naming.scale
        end = head + (np.array([0.03, 0.0, 0.05]) if naming.slanted else tail - head)
        bone.tail = axes @ end / naming.scale
        bone.parent = data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.scale = (naming.scale,) * 3
    rig.rotation_euler = (math.pi / 2.0 if naming.y_up else 0.0, 0.0, turn)
    rig.location = place
    bpy.context.view_layer.update()
    return rig, {body: name for name, _, _, _, body in rows if body}, points
