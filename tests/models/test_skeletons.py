"""Names of bones of further programs, without Blender: which body each stands for, and what its rest pose is."""

import math

import numpy as np
import pytest
from foreign_rigs import NAMINGS, Naming, body_points, bone_rows

from mannequin.models.library import load_model
from mannequin.models.parts.placement import body_transforms
from mannequin.models.people.skeletons.driven import driven_bones
from mannequin.models.people.skeletons.names import map_skeleton, side_of
from mannequin.models.people.skeletons.rest_match import least_turn, match_rest
from mannequin.models.people.skeletons.skeleton import Skeleton

MORE = {
    "CMU": Naming(
        ("root", "lowerback", "upperback", "thorax"),
        ("lowerneck", "upperneck", "head"),
        tuple(
            f"{{s}}{n}"
            for n in ("clavicle", "humerus", "radius", "hand", "fingers", "femur", "tibia", "foot", "toes")
        ),
        hip="{s}hipjoint",
    ),
    "Biped": Naming(
        ("Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1"),
        ("Bip01 Neck", "Bip01 Head"),
        tuple(
            f"Bip01 {{X}} {n}"
            for n in ("Clavicle", "UpperArm", "Forearm", "Hand", "Finger2", "Thigh", "Calf", "Foot", "Toe0")
        ),
    ),
    "VRM": Naming(
        ("J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest"),
        ("J_Bip_C_Neck", "J_Bip_C_Head"),
        tuple(
            f"J_Bip_{{X}}_{n}"
            for n in (
                "Shoulder", "UpperArm", "LowerArm", "Hand", "Middle1", "UpperLeg", "LowerLeg", "Foot", "ToeBase",
            )
        ),
    ),
    "names of joints": Naming(
        ("Pelvis", "Spine1", "Spine2", "Spine3"),
        ("Neck", "Head"),
        tuple(f"{{X}}_{n}" for n in ("Collar", "Shoulder", "Elbow", "Wrist", "Palm", "Hip", "Knee", "Ankle", "Toes")),
    ),
}  # fmt: skip


def skeleton_of(naming, arms=90.0, **proportions):
    """(skeleton, body to bone) of a naming, x forward and z up, in metres."""
    rows = bone_rows(naming, body_points(math.radians(arms), **proportions))
    names = tuple(row[0] for row in rows)
    parents = tuple(names.index(row[1]) if row[1] else -1 for row in rows)
    bones = Skeleton(names, parents, np.array([row[2] for row in rows]), np.array([row[3] for row in rows]))
    return bones, {row[4]: row[0] for row in rows if row[4]}


@pytest.mark.parametrize("convention", MORE)
def test_further_programs_are_known(convention):
    skeleton, bones = skeleton_of(MORE[convention])
    assert map_skeleton(skeleton) == (bones, convention)


@pytest.mark.parametrize(
    "name, side",
    [
        ("LeftArm", "L"),
        ("rThigh", "R"),
        ("lfemur", "L"),
        ("hand.R", "R"),
        ("arm_l", "L"),
        ("leg", ""),
        ("Collar", ""),
    ],
)
def test_sides(name, side):
    assert side_of(name) == side


def test_a_tree_that_is_no_person_is_not_taken_for_one():
    names = tuple(f"b{n}" for n in range(8))
    places = np.column_stack([np.zeros(8), np.zeros(8), np.arange(8.0)])
    assert map_skeleton(Skeleton(names, (-1, *range(7)), places, places + 0.5)) == ({}, "")


def test_the_turn_of_a_rest_pose_is_the_spread_it_was_made_with():
    """Arms spread by 70 degrees about the fore-aft axis, legs plumb: known by construction."""
    skeleton, bones = skeleton_of(NAMINGS["Unreal"], 70.0, thigh=1.1, shank=1.1)
    down = np.array([0.0, 0.0, -1.0])
    at = {body: pose[:3, 3] for body, pose in body_transforms(load_model("hybrid3_50th")).items()}
    long = {
        "Thigh": at["ThighL"][2] - at["ShankL"][2],
        "Shank": at["ShankL"][2] - at["FootL"][2],
        "Foot": 0.1,
    }
    reaches = {body: long.get(body[:-1], 0.3) * down for body in bones}
    reaches |= {f"Foot{side}": np.array([0.1, 0.0, -0.02]) for side in "LR"}
    match = match_rest(skeleton, bones, reaches)
    assert match.axes == pytest.approx(np.identity(3), abs=1e-9)
    assert match.scale == pytest.approx(1.0 / 1.1, rel=2e-3)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        c, s = math.cos(math.radians(70.0)), sign * math.sin(math.radians(70.0))
        wanted = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
        for limb in ("UpperArm", "Forearm", "Hand"):
            assert match.turns[f"{limb}{side}"] == pytest.approx(wanted, abs=1e-9)
        assert match.turns[f"Thigh{side}"] == pytest.approx(np.identity(3), abs=1e-9)


def test_the_least_turn_is_the_least():
    chance = np.random.default_rng(3)
    for _ in range(20):
        a, b = chance.normal(size=(2, 3))
        turn = least_turn(a, b)
        assert turn @ a / np.linalg.norm(a) == pytest.approx(b / np.linalg.norm(b))
        angle = math.acos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
        assert np.trace(turn) == pytest.approx(1.0 + 2.0 * math.cos(angle)), (
            "no more than the angle between them"
        )


def test_bones_of_the_back_belong_to_bodies_by_where_they_lie():
    """Those between the joints of lower and upper back turn with the lower back, each carried by the one below it."""
    skeleton, bones = skeleton_of(NAMINGS["MakeHuman"])
    driven = driven_bones(skeleton, bones, (0.28, 0.70))
    assert (
        driven["root"].above == ""
        and driven["spine05"].above == "root"
        and driven["spine01"].above == "spine02"
    )
    assert driven["spine03"].bodies == {"LowerBack": 1.0} and driven["spine01"].bodies == {"UpperBack": 1.0}
    assert driven["wrist.L"].above == "lowerarm01.L" and driven["upperleg01.R"].above == "root"
    for bone in driven.values():
        assert sum(bone.bodies.values()) == pytest.approx(1.0)
