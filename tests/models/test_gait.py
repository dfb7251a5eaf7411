"""People who walk from a gait table: the table, the feet, the speed, how well it is followed, its names."""

from dataclasses import replace

import numpy as np
import pytest
from people_data import needs_people

from mannequin.commands.overrides import apply_overrides, parse_assignment
from mannequin.engine import Actor, Scenario, Settings, run, validate
from mannequin.engine.spec import Gait, Person
from mannequin.engine.spec.person import LOAD_PLACES
from mannequin.io_json.errors import FileError
from mannequin.models.library import load_model
from mannequin.models.parts.placement import body_transforms, ellipsoid_shapes
from mannequin.models.people import gait
from mannequin.models.people.following import joint_inertia
from mannequin.models.people.gait import (
    SHOULDER,
    TABLE,
    Walk,
    over_stride,
    pelvis_turn,
    walking,
    walking_posture,
)
from mannequin.models.people.load import with_load
from mannequin.models.people.person_model import build_person
from mannequin.models.scenarios.library import SCENARIOS

STEPS = np.arange(10) / 10.0


def walker(phase: float, speed: float = 1.4, model: str = "male", heading: float = 0.0) -> Actor:
    return walking(Actor("man", load_model(model), model_reference=model, gait=Gait(speed, phase, heading)))


def foot_heights(actor: Actor) -> dict[str, float]:
    """Lowest place of each foot, m."""
    poses = body_transforms(actor.model, actor.joint_angles, actor.position, actor.orientation)
    lows: dict[str, float] = {}
    for body, _, centre, half in ellipsoid_shapes(actor.model, poses):
        if body.startswith("Foot"):
            lows[body] = min(lows.get(body, np.inf), centre[2] - np.linalg.norm(half[2]))
    return lows


def test_curves_go_through_the_table_and_repeat():
    for name, values in TABLE.items():
        np.testing.assert_allclose(over_stride(name, STEPS), values, atol=1e-9)
        np.testing.assert_allclose(over_stride(name, STEPS + 1.0), values, atol=1e-9)


def test_arms_swing_against_the_legs():
    at = walking_posture(0.0)
    assert at["shoulderrJnt"][1] == pytest.approx(SHOULDER[0] - SHOULDER[1])
    assert at["shoulderlJnt"][1] == pytest.approx(SHOULDER[0] + SHOULDER[1])
    assert at["hiprJnt"][1] > 20.0 > -10.0 > at["hiplJnt"][1]


@pytest.mark.parametrize("phase", [0.15, 0.25, 0.35, 0.45])
def test_the_foot_that_bears_is_on_the_ground_and_the_other_is_clear(phase):
    """Right foot alone from 12 to 50 % of the stride, left foot half a stride later."""
    for shift, bearing in ((0.0, "FootR"), (0.5, "FootL")):
        lows = foot_heights(walker((phase + shift) % 1.0))
        other = next(foot for foot in lows if foot != bearing)
        assert -1e-6 < lows[bearing] < 2e-5 and lows[other] > 0.003


def test_both_feet_are_near_the_ground_at_a_heel_strike():
    """By what 2.5 degrees of a hip make of the length of a leg: the angles are those of other people, whose scatter at
    a heel strike is twice that, and who had other feet."""
    for phase in (0.0, 0.5):
        man = walker(phase)
        lows = foot_heights(man)
        at = body_transforms(man.model)
        leg = float(at["ThighL"][2, 3])
        assert min(lows.values()) > -1e-6 and max(lows.values()) < np.radians(2.5) * leg


def assert_goes(actor, speed, heading):
    """Momentum over mass at the start, from the engine's own velocities, is the speed along the heading."""
    actor.prescribed = []
    settings = Settings(duration=1e-4, output_step=1e-4, reactions=False)
    recording = run(Scenario("start", [actor], settings=settings, default_sensors=False))
    mass = recording.body_mass / recording.body_mass.sum()
    velocity = mass @ recording.velocity[0]
    way = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
    assert velocity[:2] @ way == pytest.approx(speed, rel=0.02)
    assert abs(velocity[1] * way[0] - velocity[0] * way[1]) < 0.02 * speed


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "speed", "heading"), [("male", 1.4, 0.0), ("female", 0.9, 90.0), ("child_6", 1.1, 30.0)]
)
def test_the_whole_body_goes_at_the_speed(model, speed, heading):
    for phase in (0.1, 0.4, 0.7):
        assert_goes(walker(phase, speed, model, heading), speed, heading)


def test_the_stride_is_that_of_a_foot_that_does_not_slide():
    """Between 10 and 35 % of the stride the right ankle stays within 3 cm of its place on the ground."""
    walk = Walk(load_model("male"), Gait(1.4, 0.1))
    places = []
    for time in np.linspace(0.0, 0.25 * walk.stride_time, 6):
        posture = walking_posture(walk.phase_at(time), 1.4)
        poses = body_transforms(walk.model, posture, orientation=walk.orientation(time))
        places.append(poses["FootR"][0, 3] - poses["pelvis"][0, 3] + walk.pelvis(time)[0])
    assert np.ptp(places) < 0.03
    # published: 100 to 120 steps a minute; the table's steps are short
    assert 95.0 < 120.0 / walk.stride_time < 135.0


@pytest.mark.long
def test_the_walk_is_followed_within_a_degree():
    """A stride and a half with the root carried, feet on the ground, strength of people: hips and knees."""
    actor = walker(0.1)
    settings = Settings(duration=1.6, ground_friction=0.7, reactions=False)
    recording = run(Scenario("walk", [actor], settings=settings, default_sensors=False))
    walk, late = Walk(actor.model, actor.gait), recording.times > 0.2
    for name in ("hiplJnt", "hiprJnt", "kneelJnt", "kneerJnt"):
        found = np.degrees(recording.joint_angle[late, recording.joint_index("man", name), 1])
        wanted = [walking_posture(walk.phase_at(t), 1.4)[name][1] for t in recording.times[late]]
        assert np.sqrt(np.mean((found - wanted) ** 2)) < 1.0, name
    mass = recording.body_mass / recording.body_mass.sum()
    centre = np.einsum("b,fbi->fi", mass, recording.position)
    assert (centre[-1, 0] - centre[0, 0]) / 1.6 == pytest.approx(1.4, rel=0.02)


def test_inertia_of_a_joint_is_limb_and_rest_in_series():
    """Two rods on a hinge at their ends: I of each about it is m l^2 / 3."""
    from mannequin.models.scenarios.falls import chain_model

    third = 0.3**2 / 3.0
    assert joint_inertia(chain_model(2, 0.3, 1.0), "hinge_2") == pytest.approx(
        third * third / (2.0 * third), rel=1e-6
    )


def test_a_gait_is_set_by_its_names_and_makes_the_start_anew():
    scenario = SCENARIOS["pedestrian_walking"]()
    texts = ("actors.man.gait.phase=0.25", "actors.man.gait.speed=1.1")
    changed = apply_overrides(scenario, [parse_assignment(text) for text in texts])
    man = next(actor for actor in changed.actors if actor.name == "man")
    assert (man.gait.phase, man.gait.speed) == (0.25, 1.1)
    expected = walking_posture(0.25, 1.1)
    for name, turn in expected.items():
        assert man.joint_angles[name] == pytest.approx(turn, abs=1e-3)
    assert man.position[:2] == next(a for a in scenario.actors if a.name == "man").position[:2]
    assert man.response == next(a for a in scenario.actors if a.name == "man").response


def test_a_model_that_has_no_legs_to_walk_with_is_refused():
    scenario = SCENARIOS["ambrosio_tackle"]()
    with pytest.raises(FileError, match="walk"):
        apply_overrides(scenario, [("actors.player.gait", {"speed": 1.0, "phase": 0.0})])


@pytest.fixture
def short(monkeypatch):
    """Gaits that last for a few rows: their starts are the same, and made quickly."""
    monkeypatch.setattr(gait, "LASTS", 0.02)


@pytest.mark.long
@pytest.mark.parametrize(("manner", "speed"), [("walk", 1.4), ("run", 2.4), ("run", 4.0)])
def test_no_foot_is_below_the_ground_at_any_moment(short, manner, speed):
    """At 0 to 100 % of the stride; somebody who walks always has a foot on the ground, who runs flies after 37 %."""
    for percent in range(0, 101, 4):
        phase = percent / 100.0
        actor = walking(Actor("man", load_model("male"), gait=Gait(speed, phase, manner=manner)))
        lowest = min(foot_heights(actor).values())
        flies = manner == "run" and phase % 0.5 > 0.37
        assert lowest > -1e-6 and (flies or lowest < 3e-5), percent
        if manner == "run" and phase % 0.5 == pytest.approx(0.44):
            assert lowest > 0.003


@pytest.mark.parametrize(("speed", "heading"), [(3.2, 0.0), (5.0, 40.0)])
def test_the_whole_body_of_a_runner_goes_at_the_speed(short, speed, heading):
    for phase in (0.0, 0.2, 0.44, 0.7, 1.0):
        actor = walking(Actor("man", load_model("male"), gait=Gait(speed, phase, heading, manner="run")))
        assert_goes(actor, speed, heading)


MEASURED_RUN = {
    "hip": (20.9, 21.0, 12.2, -5.5, -14.2, -9.6, 2.4, 21.3, 31.2, 26.6),
    "knee": (8.5, 32.8, 37.3, 20.3, 14.7, 40.1, 73.6, 86.9, 65.9, 21.4),
    "ankle": (4.0, 11.0, 22.1, 9.2, -15.4, -20.1, -10.2, 0.9, 5.8, 3.7),
}
"""Degrees of flexion at 0, 10 .. 90 % of the stride, from the foot's strike: means of five recreational runners at 2.5
m/s on a treadmill (BMC01 to BMC04 and BMC06 of Fukuchi, Duarte and Ferber, Three-dimensional kinematics dataset of
running - interlaboratory comparison; measured as in Fukuchi, Fukuchi and Duarte, PeerJ 5 (2017) e3298)."""


@pytest.mark.parametrize("name", ["hip", "knee", "ankle"])
def test_a_run_goes_as_other_people_run(name):
    """The run of one man at 3.96 m/s, made slower, against five others at 2.5 m/s of another laboratory; means are
    taken off, as a joint's zero is the laboratory's. Runners differ from each other by more than 8 degrees: at 60 % of
    the stride the five bend their knees by 58 to 92."""
    joint = {"hip": "hiprJnt", "knee": "kneerJnt", "ankle": "anklerJnt"}[name]
    made = np.array([walking_posture(at, 2.5, "run")[joint][1] for at in STEPS])
    made, measured = (values - np.mean(values) for values in (made, np.array(MEASURED_RUN[name])))
    assert np.corrcoef(made, measured)[0, 1] > 0.95
    assert np.sqrt(np.mean((made - measured) ** 2)) < 8.0


RUN_ROWS = {
    0.1: (-12.085, -68.065, -19.902, 32.793, -31.424, 9.974),
    0.2: (22.357, -103.366, -0.624, 18.637, -52.399, 25.486),
    0.3: (45.308, -69.304, 10.439, -20.348, -16.289, -2.176),
    0.4: (33.370, -20.370, 2.256, -24.712, -41.427, -29.860),
    0.5: (29.525, -58.006, 20.603, -2.274, -88.065, -15.663),
    0.6: (-2.871, -37.937, 17.688, 36.887, -82.285, 7.485),
    0.7: (-28.160, -23.757, -21.375, 34.750, -23.331, 3.752),
}
"""Rows of subject02_running_ik.mot: time (s) to hip_flexion, knee_angle, ankle_angle, right and left, degrees."""
STRIKES, STRIDE = {"r": 0.400, "l": 0.070}, 0.6845
"""s at which the feet strike in subject02_running_grf.mot, and to the left foot's next strike."""


def test_the_table_of_the_run_is_its_file():
    """Rows that were read again, not those of the fit: both legs are near the one curve that stands for both."""
    off: dict[str, list[float]] = {"hip": [], "knee": [], "ankle": []}
    for time, row in RUN_ROWS.items():
        for side, values in (("r", row[:3]), ("l", row[3:])):
            phase = (time - STRIKES[side]) / STRIDE
            for name, value, sign in zip(off, values, (1.0, -1.0, 1.0), strict=True):
                off[name].append(float(over_stride(name, phase, "run")) - sign * value)
    assert {name: np.sqrt(np.mean(np.square(o))) < 6.0 for name, o in off.items()} == dict.fromkeys(off, True)


def test_a_stride_takes_as_long_as_the_measured_one():
    """Its time follows from the speed and from how far the foot goes back under this man's pelvis; at 3.96 m/s it was
    0.6845 s, of a man whose legs are longer (1.83 m in all; the model's is 1.77 m)."""
    walk = Walk(load_model("male"), Gait(3.96, manner="run", phase=0.0))
    assert walk.stride_time == pytest.approx(STRIDE, rel=0.1)


def test_the_trunk_of_a_runner_leans_forward_and_arms_are_bent():
    """Pelvis and lower back together, means over the stride: forward, as runners do; arms never hang."""
    lean = np.mean(
        [pelvis_turn(at, "run")[1] + walking_posture(at, 3.96, "run")["lowerbackJnt"][1] for at in STEPS]
    )
    assert 3.0 < lean < 12.0
    assert min(walking_posture(at, 3.96, "run")["elbowrJnt"][1] for at in STEPS) > 60.0


@needs_people
def test_a_load_counts_in_mass_and_inertia():
    """Each place: the total is the person's and the load's, and the inertia is that of a solid ellipsoid."""
    person = Person(1.0, 40.0, 1.78, 78.0)
    bare = build_person(person)
    for place in set(LOAD_PLACES.meanings) - {"back"}:
        carrying = with_load(bare, replace(person, load=12.0, load_place=place))
        loads = [body for body in carrying.bodies if body.name.startswith("Load")]
        assert sum(body.mass for body in carrying.bodies) == pytest.approx(
            sum(body.mass for body in bare.bodies) + 12.0
        )
        assert len(loads) == (2 if place == "both_hands" else 1)
        for load in loads:
            a, b, c = load.ellipsoids[0].semi_axes
            assert load.mass == pytest.approx(250.0 * 4.0 / 3.0 * np.pi * a * b * c)
            assert load.inertia[:3] == pytest.approx(
                [load.mass / 5.0 * x for x in (b * b + c * c, a * a + c * c, a * a + b * b)]
            )
        assert not [
            issue
            for issue in validate(Scenario("standing", [Actor("man", carrying, position=(0, 0, 0.01))]))
            if issue.severity == "error"
        ], place
    assert build_person(replace(person, load=12.0)).bodies[-1].name == "LoadR"


def test_where_loads_are():
    """Seen from the person: hands hang at their sides, a bag beside the right hip; on the back is a rucksack, which
    is worn (test_worn)."""
    person = Person(1.0, 40.0, 1.78, 78.0, load=10.0)
    bare = load_model("male")
    poses = {
        place: body_transforms(with_load(bare, replace(person, load_place=place)))
        for place in LOAD_PLACES.meanings
    }
    assert poses["right_hand"]["LoadR"][2, 3] < poses["right_hand"]["HandR"][2, 3] - 0.1
    assert poses["left_hand"]["LoadL"][1, 3] > 0.1 > -0.1 > poses["both_hands"]["LoadR"][1, 3]
    assert not [body for body in poses["back"] if body.startswith("Load")]
    assert poses["shoulder"]["Load"][1, 3] < -0.15
