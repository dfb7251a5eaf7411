"""What gives in a person's trunk: abdomen, shoulders and spine, against published blows and stiffness."""

import numpy as np
import pytest
from people_data import needs_people

from mannequin.analysis.measures.catalogue import evaluate
from mannequin.engine import Actor, Motor, Scenario, Settings, run
from mannequin.engine.bodies.posture import body_poses
from mannequin.engine.spec.person import Person
from mannequin.models.library import load_model
from mannequin.models.people import trunk
from mannequin.models.people.ageing import spine_factor
from mannequin.models.people.person_model import build_person
from mannequin.models.scenarios import trunk_rigs
from mannequin.models.validation.falls import fall_scenario
from mannequin.models.validation.torso import abdomen_response, hip_force, shoulder_response

PEOPLE = ("male", "female", "child_3", "child_6")


def joint(model, name):
    return next(j for j in model.joints if j.name == name)


@pytest.mark.parametrize("name", PEOPLE)
def test_people_have_an_abdomen_and_shoulders_on_sliders(name):
    model = load_model(name)
    for slider in ("abdomenJnt", "upperback-claviclelJnt", "upperback-claviclerJnt"):
        found = joint(model, slider)
        assert found.type == "prismatic" and found.springs and found.springs[0].source
    # outward is positive on both sides, so that pressing is negative
    left, right = (joint(model, f"upperback-clavicle{side}Jnt").axis for side in "lr")
    assert left == (0.0, 1.0, 0.0) and right == (0.0, -1.0, 0.0)
    spring = joint(model, "abdomenJnt").springs[0]
    ways, forces = np.array(spring.curve).T
    assert (np.diff(forces) < 0.0).all() and np.interp(0.0, ways, forces) == 0.0


@needs_people
def test_the_abdomens_front_weighs_a_kilogram_and_the_whole_what_it_did():
    """Lower back and abdomen, front included, are the middle trunk: 16.33 % of de Leva's man (73 kg, 1.741 m)."""
    model = build_person(Person(sex=1.0, age=24.0, height=1.741, mass=73.0))
    mass = {body.name: body.mass for body in model.bodies}
    assert mass["AbdomenFront"] == pytest.approx(1.0 * (1.741 / 1.753) ** 3, rel=1e-6)
    whole = mass["LowerBack"] + mass["Abdomen"] + mass["AbdomenFront"]
    assert whole == pytest.approx(0.1633 * 73.0, rel=1e-4)
    poses = body_poses(model)
    np.testing.assert_allclose(poses["Abdomen"], poses["AbdomenFront"], atol=1e-12)


def test_a_shoulder_gives_more_the_faster_it_is_struck():
    """Cadavers (Compigne et al. 2003): about 30 mm at 1.5 m/s, 60 mm at 4 to 6 m/s. A dummy's plateau is 2 to 2.5 kN
    from 40 to 70 mm, which the force at 4.5 m/s must show."""
    slow_force, slow = shoulder_response(1.5)
    force, way = shoulder_response(4.5)
    assert 0.010 < slow < 0.030
    assert 0.040 < way < 0.070
    assert 2000.0 < force < 3000.0
    assert slow_force < force


def test_an_abdomen_is_stiffer_the_faster_it_is_struck():
    """Cavanaugh et al. 1986: 20 N/mm at 6.1 m/s and 70 N/mm at 10.4 m/s; both within a factor of two, and the ratio
    well above one, which is the rate effect."""
    (slow, _), (fast, _) = abdomen_response(6.1, 0.08), abdomen_response(10.4, 0.08)
    assert 10.0 < slow < 40.0
    assert 35.0 < fast < 140.0
    assert fast / slow > 1.5


def test_compression_of_the_abdomen_is_a_measure():
    scenario = trunk_rigs.abdomen_blow(6.1)
    recording = run(scenario)
    values = {m.name: m.value for m in evaluate(scenario, recording) if m.subject == "dummy / AbdomenFront"}
    number = recording.joint_names.index("abdomenJnt")
    assert values["abdomen deflection"] == pytest.approx(
        -1000.0 * recording.joint_slide[:, number, 0].min(), rel=1e-6
    )
    assert 0.0 < values["abdomen compression"] < 100.0
    assert values["abdomen viscous criterion"] > 0.0


def test_compression_of_the_abdomen_does_not_ask_in_which_order_an_ellipsoid_has_its_axes():
    """The same surfaces written with their axes in another order are as deep (fitted ellipsoids have any order)."""
    scenario = trunk_rigs.abdomen_blow(6.1)
    recording = run(scenario)

    def compression() -> float:
        return next(m.value for m in evaluate(scenario, recording) if m.name == "abdomen compression")

    before = compression()
    for body in next(a for a in scenario.actors if a.name == "dummy").model.bodies:
        for shape in body.ellipsoids:
            a, b, c = shape.semi_axes
            x, y, z = np.transpose(shape.orientation)
            shape.semi_axes = (b, c, a)
            shape.orientation = tuple(map(tuple, np.transpose([y, z, x])))
    assert compression() == pytest.approx(before, rel=1e-12)


def test_the_spines_stiffness_is_that_of_five_segments_in_series():
    """Miller et al. 1986: 6 to 11 N m/degree a segment. And not made from it: volunteers lying on their side bent with
    0.7 +- 0.3 N m per percent of their range at its end (Beach et al., in PMC9293810, table 2)."""
    model = load_model("male")
    spring = next(s for s in joint(model, "lowerbackJnt").springs if s.axis == "y")
    angles, moments = np.array(spring.curve).T
    slope = -np.diff(moments)[-1] / np.diff(angles)[-1]
    size = sum(b.mass for b in model.bodies) / 75.0 * 1.754 / 1.75
    assert 6.0 / 5.0 <= slope / size <= 11.0 / 5.0
    flexion = joint(model, "lowerbackJnt").limits.upper[1]
    assert 0.4 <= slope / size * flexion / 100.0 <= 1.0


def bent_trunk(model) -> float:
    """Degrees by which a man's trunk hangs forward, both joints together, when his pelvis is held and tilted by 30
    degrees and nothing else holds him; after 1.5 s."""
    actor = Actor("man", model, position=(0.0, 0.0, 1.0), orientation=(0.0, 30.0, 0.0))
    actor.motors = {"rootJoint": Motor(stiffness=1e5, damping=1e4, target=(0.0, 30.0, 0.0))}
    root = joint(model, "rootJoint")
    root.type = "spherical"
    settings = Settings(duration=1.5, time_step=2e-4, output_step=0.01, ground=False)
    recording = run(Scenario("hang", [actor], settings=settings))
    return float(
        sum(
            np.degrees(recording.joint_angle[-10:, recording.joint_names.index(name), 1]).mean()
            for name in trunk.SPINE
        )
    )


def test_a_trunk_neither_folds_up_nor_stays_straight():
    """Without springs it hangs in its stops (50 + 30 degrees); with them it comes to rest on the way there."""
    limp = load_model("male")
    for name in trunk.SPINE:
        joint(limp, name).springs = []
    assert bent_trunk(limp) > 75.0
    assert 20.0 < bent_trunk(load_model("male")) < 75.0


def test_ranges_of_the_spine_shrink_with_age():
    from mannequin.engine.spec import Person

    young, old = (Person(1.0, age, 1.75, 75.0) for age in (30.0, 80.0))
    assert spine_factor(young) == 1.0
    assert spine_factor(old) == pytest.approx(0.8)


def test_hip_impact_lies_in_the_published_spread():
    """Lim and Choi 2020: 4.0 +- 1.7 kN, here mean +- 2 sd."""
    assert 600.0 < hip_force(run(fall_scenario("female", "sideways", 5.0, None))) < 7400.0
