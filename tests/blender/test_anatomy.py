"""Anatomical words for joint angles, against the movement itself and against the table in `models.frames`."""

import numpy as np
import openmbd_files
import pytest

FRONT, LEFT, UP = np.eye(3)


def actor_of(blender, model):
    if model == "openmbd":
        blender.ops.mannequin.import_model(filepath=str(openmbd_files.MALE))
    else:
        blender.ops.mannequin.add_actor(model=model)
    return blender.context.object


def bend(blender, actor, body, angles):
    """Set joint angles (Z, Y, X degrees; a revolute joint: the first)."""
    from mannequin.scene.base.units import Units
    from mannequin.scene.rig.pose import apply_joint_transforms, transform_from_angles

    bone = actor.data.bones[body]
    apply_joint_transforms(actor, {body: transform_from_angles(bone, angles)}, Units())
    blender.context.view_layer.update()


def words(actor, body):
    from mannequin.scene.scenario.anatomy import anatomical_angles

    return {word: size for word, size in anatomical_angles(actor, body) if size > 0.01}


def far_point(actor, body):
    """World place of the far end of a body: where its bone ends."""
    return np.array(actor.matrix_world @ actor.pose.bones[body].tail)


def joint_point(actor, body):
    return np.array(actor.matrix_world @ actor.pose.bones[body].head)


OUTWARD = {"L": LEFT, "R": -LEFT}


def expected_word(body, side, moved):
    """What the displacement of the far end of a hanging limb is called, by its direction."""
    along = {"front": moved @ FRONT, "out": moved @ OUTWARD[side]}
    name = max(along, key=lambda key: abs(along[key]))
    forward, outward = along["front"] > 0, along["out"] > 0
    if body in ("Thigh", "UpperArm"):
        return {
            "front": "Flexion" if forward else "Extension",
            "out": "Abduction" if outward else "Adduction",
        }[name]
    if body == "Forearm":
        return {"front": "Flexion" if forward else "Extension", "out": "Valgus" if outward else "Varus"}[name]
    if body == "Shank":
        return {"front": "Extension" if forward else "Flexion", "out": "Valgus" if outward else "Varus"}[name]
    return {  # hand: the palm faces the thigh, the thumb the front
        "front": "Radial Deviation" if forward else "Ulnar Deviation",
        "out": "Extension" if outward else "Flexion",
    }[name]


@pytest.mark.parametrize("model", ["male", "hybrid3_50th", "ambrosio", "openmbd"])
@pytest.mark.parametrize("side", ["L", "R"])
def test_words_say_where_the_limb_goes(blender, model, side):
    """Each joint bent by 20 degrees about each of its axes that moves the limb: the word fits the way its end goes."""
    actor = actor_of(blender, model)
    checked = 0
    for body in ("Thigh", "UpperArm", "Forearm", "Shank", "Hand"):
        name = f"{body}{side}"
        if name not in actor.data.bones:
            continue
        revolute = actor.data.bones[name].mannequin.joint.type == "revolute"
        rest = far_point(actor, name) - joint_point(actor, name)
        for index in (0,) if revolute else (1, 2):  # a turn about Z is one about the hanging limb
            for angle in (20.0, -20.0):
                angles = [0.0, 0.0, 0.0]
                angles[index] = angle
                bend(blender, actor, name, tuple(angles))
                moved = far_point(actor, name) - joint_point(actor, name) - rest
                if np.linalg.norm(moved) < 0.02:
                    continue
                found = words(actor, name)
                assert list(found) == [expected_word(body, side, moved)], (name, angles, moved, found)
                assert next(iter(found.values())) == pytest.approx(20, abs=1e-3)
                checked += 1
        bend(blender, actor, name, (0.0, 0.0, 0.0))
    assert checked >= (12 if model == "ambrosio" else 16)


TABLE = {  # joint of the shipped figures: words for a positive turn about X, Y, Z (docstring of models.frames)
    "Thigh": ("Abduction", "Flexion", "Internal Rotation"),
    "UpperArm": ("Abduction", "Flexion", "Internal Rotation"),
    "Forearm": ("Valgus", "Flexion", "Pronation"),
    "Hand": ("Radial Deviation", "Flexion", "Pronation"),
    "Shank": ("Valgus", "Flexion", "External Rotation"),
    "Foot": ("Eversion", "Dorsiflexion", "Toes Inward"),
}


@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("body", TABLE)
def test_positive_angles_of_shipped_figures_are_what_their_page_says(blender, body, side):
    actor = actor_of(blender, "male")
    for index, word in enumerate(TABLE[body]):
        angles = [0.0, 0.0, 0.0]
        angles[2 - index] = 15.0
        bend(blender, actor, f"{body}{side}", tuple(angles))
        assert words(actor, f"{body}{side}") == {word: pytest.approx(15, abs=1e-3)}


def test_the_trunk_has_no_side(blender):
    actor = actor_of(blender, "male")
    for index, word in enumerate(("Lean Right", "Flexion", "Turn Left")):
        angles = [0.0, 0.0, 0.0]
        angles[2 - index] = 15.0
        bend(blender, actor, "Neck", tuple(angles))
        assert list(words(actor, "Neck")) == [word]
    bend(blender, actor, "Neck", (0.0, 20.0, 0.0))
    assert far_point(actor, "Neck")[0] > joint_point(actor, "Neck")[0] + 0.005  # flexion leans forward


def test_no_words_for_a_wheel_or_askew_axes(blender):
    from authoring import full_model

    from mannequin.scene.model.build import build_actor
    from mannequin.scene.scenario.anatomy import anatomical_angles, region_of

    blender.ops.mannequin.add_actor(model="bicycle")
    actor = blender.context.object
    for bone in actor.data.bones:
        assert anatomical_angles(actor, bone.name) == []
    other = build_actor(full_model(), blender.context.scene)
    assert region_of("hip", "thigh") == "hip" and anatomical_angles(other, "thigh") == []
    assert region_of("steering_jnt", "handlebar") == ""


def test_panel_shows_them(blender):
    """The read-out is in words where there are any, else in the angles of the file."""
    from mannequin.panels.joint import angle_lines

    actor = actor_of(blender, "male")
    bend(blender, actor, "ThighL", (0.0, 42.0, -5.0))
    assert angle_lines(actor, "ThighL") == ["Flexion 42.0°", "Adduction 5.0°", "External Rotation 0.0°"]
    blender.ops.mannequin.add_actor(model="bicycle")
    assert angle_lines(blender.context.object, "fork") == ["Angle 0.0°"]
