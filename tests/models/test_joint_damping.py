"""Damping of relaxed limbs against the closed form of a pendulum; that of dummies against Ambrosio's table."""

import numpy as np
import pytest

from mannequin.engine.bodies.posture import body_poses
from mannequin.models.library import load_model
from mannequin.models.people.ambrosio_joints import AMBROSIO_TABLE_2
from mannequin.models.people.human import build_adult
from mannequin.models.people.joint_damping import DECREMENT, RELAXED, SWING_PEAKS, SWING_REST
from mannequin.models.people.range_of_motion import size_factor, weight_moment


def joint_of(model, name):
    return next(joint for joint in model.joints if joint.name == name)


def inertia_beyond(model, joint):
    """kg m2 of all beyond a joint about the axis through it across the standing body."""
    frames = body_poses(model)
    centre = (frames[joint.child] @ np.array(joint.T2, dtype=float))[:3, 3]
    beyond = {joint.child}
    for _ in model.joints:
        beyond |= {other.child for other in model.joints if other.parent in beyond}
    total = 0.0
    for body in model.bodies:
        if body.name in beyond:
            xx, yy, zz, xy, xz, yz = body.inertia
            turn = frames[body.name][:3, :3]
            own = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
            away = (frames[body.name] @ [*body.center_of_mass, 1.0])[:3] - centre
            total += own[1, 1] + body.mass * (away[0] ** 2 + away[2] ** 2)
    return total


def test_the_decrement_is_that_of_the_published_peaks():
    peaks = np.array(SWING_PEAKS) - SWING_REST
    assert pytest.approx(np.log(peaks[:-1] / peaks[1:]).mean(), abs=5e-4) == DECREMENT


@pytest.mark.parametrize("part", ["hip", "knee", "shoulder", "elbow"])
def test_hanging_limbs_swing_down_alike(part):
    """A pendulum of inertia I and moment of weight w swings in T = 2 pi sqrt(I / w) and loses exp(-c T / 2 I) of its
    angle in that time: docs/derivations.md, Damping of relaxed limbs."""
    model = build_adult("male", 1.75, 75.0)
    assert size_factor(model) == pytest.approx(1.0)
    joint = joint_of(model, f"{part}lJnt")
    inertia = inertia_beyond(model, joint)
    period = 2.0 * np.pi * np.sqrt(inertia / weight_moment(model, joint))
    assert joint.damping == RELAXED[part].value
    assert joint.damping * period / (2.0 * inertia) == pytest.approx(DECREMENT, rel=0.01)


def test_a_leg_that_swings_in_walking_is_damped_more_at_the_hip():
    """Muscle that works adds to tissue: 1.9 to 4.6 N m s/rad in the swing of nine walkers (arXiv 2112.05564)."""
    assert RELAXED["hip"].value < 1.9


@pytest.mark.parametrize("part", ["hip", "knee", "shoulder", "elbow"])
def test_dummies_and_ambrosios_man_keep_the_table(part):
    dummy = load_model("hybrid3_50th")
    value = AMBROSIO_TABLE_2[part].damping
    assert joint_of(dummy, f"{part}lJnt").damping == pytest.approx(value * size_factor(dummy), abs=1e-4)
    paper = {round(joint.damping, 4) for joint in load_model("ambrosio").joints if joint.damping}
    assert value in paper
