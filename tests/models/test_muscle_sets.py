"""The shipped muscles: sources, symmetry, where they pull, and what they change in the same trip."""

import numpy as np
import pytest

from mannequin.analysis.muscles.moment_arms import MomentArms, Turn
from mannequin.models.library import load_model
from mannequin.models.people.human import build_adult
from mannequin.models.people.muscle_data import LEG, LEG_JOINTS, LEG_LENGTHS, NECK
from mannequin.models.people.muscles import with_muscles

SIDES = "lr"
# (muscle, joint without side, sign about y: hip and knee flexion, dorsiflexion and neck flexion are positive)
ACTIONS = [
    ("hamstrings", "hip", -1), ("hamstrings", "knee", 1), ("biceps_femoris_short", "knee", 1),
    ("gluteus_maximus", "hip", -1), ("iliopsoas", "hip", 1), ("rectus_femoris", "hip", 1),
    ("rectus_femoris", "knee", -1), ("vasti", "knee", -1), ("gastrocnemius", "knee", 1),
    ("gastrocnemius", "ankle", -1), ("soleus", "ankle", -1), ("tibialis_anterior", "ankle", 1),
    ("sternomastoid", "neck", 1), ("cleidomastoid", "neck", 1), ("splenius_capitis", "neck", -1),
    ("semispinalis_capitis", "neck", -1), ("semispinalis_capitis", "head", -1),
]  # fmt: skip


OUTWARD = {
    "gluteus_medius_front": 1,
    "gluteus_medius_middle": 1,
    "gluteus_medius_back": 1,
    "adductor_magnus": -1,
}
"""Muscle to the sign of its moment about the hip's x axis: the leg is turned outward or inward."""


@pytest.fixture(scope="module", params=["male_muscles", "female_muscles"])
def who(request):
    return load_model(request.param)


@pytest.fixture(scope="module")
def arms(who):
    return MomentArms(who)


@pytest.mark.parametrize("name", ["male_muscles", "female_muscles"])
def test_every_muscle_has_a_source_and_is_at_rest(name):
    model = load_model(name)
    assert len(model.muscles) == 2 * (len(LEG) + len(NECK))
    for muscle in model.muscles:
        assert any(word in muscle.source for word in ("Ong", "Gait10dof18musc", "Gait2354", "Mortensen"))
        assert muscle.excitation.tone == 0.0 and muscle.excitation.curve is None


def test_left_mirrors_right(who):
    by_name = {muscle.name: muscle for muscle in who.muscles}
    for name, left in by_name.items():
        if name.endswith("_l"):
            right = by_name[name[:-1] + "r"]
            assert left.max_isometric_force == right.max_isometric_force
            for a, b in zip(left.path, right.path, strict=True):
                assert np.allclose(a.position, np.array(b.position) * [1, -1, 1], atol=1e-9)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("muscle", "joint", "sign"), ACTIONS)
def test_muscles_turn_joints_the_anatomical_way(arms, muscle, joint, sign, side):
    name = f"{joint}Jnt" if joint in ("neck", "head") else f"{joint}{side}Jnt"
    arms.place((), 0.0)
    arm = arms.moment_arm(f"{muscle}_{side}", (Turn(name),))
    assert sign * arm > 0.015
    assert abs(arm) < 0.09


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("muscle", OUTWARD)
def test_legs_are_turned_outward_and_inward(arms, muscle, side):
    """Arms of gluteus medius are 4 to 6 cm, those of adductor magnus of the same order (Delp et al. 1990)."""
    arms.place((), 0.0)
    arm = arms.moment_arm(f"{muscle}_{side}", (Turn(f"hip{side}Jnt", (1.0, 0.0, 0.0)),))
    assert 0.03 < OUTWARD[muscle] * arm < 0.08


def test_moment_arms_are_the_sources_times_the_ratio_of_lengths(arms):
    """Soleus crosses the ankle alone, and shank and foot have one ratio: so its moment arm is the source's, scaled."""
    soleus = next(muscle for muscle in LEG if muscle.name == "soleus")
    (_, origin), (_, heel) = soleus.path
    a = np.array(origin) + [0.0, LEG_LENGTHS["shank"], 0.0]  # seen from the ankle
    b = np.array(heel) - LEG_JOINTS["calcn"]
    pull = (a - b) / np.linalg.norm(a - b)
    theirs = np.cross(b, pull)[2]  # about z, to the right: dorsiflexion is positive there
    shank = -next(j for j in arms.model.joints if j.name == "anklelJnt").T1[2][3]
    arms.place((), 0.0)
    ours = arms.moment_arm("soleus_l", (Turn("anklelJnt"),))
    assert ours == pytest.approx(theirs * shank / LEG_LENGTHS["shank"], rel=1e-6)


def test_a_person_of_another_size_gets_muscles_to_measure():
    tall = with_muscles(build_adult("male", 1.95, 110.0))
    small = with_muscles(build_adult("male", 1.60, 55.0))
    for one, other in zip(tall.muscles, small.muscles, strict=True):
        assert one.optimal_fibre_length > other.optimal_fibre_length
        assert one.max_isometric_force / other.max_isometric_force == pytest.approx(2.0 ** (2 / 3), rel=1e-6)
