"""Necks and chests of the shipped models in the rigs they are certified or tested by, against published corridors.

Fitted, so that these rows show that the models repeat the test: bending of the dummy's neck, the yield of a man's neck,
and the dummy's chest at 6.71 m/s. Not fitted: a man's chest.
"""

import numpy as np
import pytest

from mannequin.analysis.measures.catalogue import evaluate
from mannequin.analysis.measures.chest import viscous
from mannequin.engine import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import list_scenarios, load_model
from mannequin.models.people import neck
from mannequin.models.people.posture import CONSCIOUS, UNCONSCIOUS, neck_motors, tone_motors
from mannequin.models.scenarios import rigs
from mannequin.models.validation.neck_response import neck_compression, neck_swing
from mannequin.models.validation.torso import thorax_curve, thorax_quantities

DUMMIES = ("hybrid3_50th", "hybrid3_5th", "hybrid3_6", "hybrid3_3")
PEOPLE = ("male", "female", "child_3", "child_6", *DUMMIES)


def inside(value, low, high):
    assert low <= value <= high


def test_neck_flexion_meets_the_corridors_of_49_cfr_572_33():
    swing = neck_swing(rigs.neck_flexion(), 1)
    inside(swing.angle, 64.0, 78.0)
    inside(swing.angle_time, 57.0, 64.0)
    inside(swing.angle_zero, 113.0, 128.0)
    inside(swing.moment, 88.0, 108.0)
    inside(swing.moment_time, 47.0, 58.0)
    inside(swing.moment_zero, 97.0, 107.0)


def test_neck_extension_meets_the_corridors_of_49_cfr_572_33():
    swing = neck_swing(rigs.neck_extension(), -1)
    inside(swing.angle, 81.0, 106.0)
    inside(swing.angle_time, 72.0, 82.0)
    inside(swing.angle_zero, 147.0, 174.0)
    inside(swing.moment, 52.9, 80.0)
    inside(swing.moment_time, 65.0, 79.0)
    inside(swing.moment_zero, 120.0, 148.0)


@pytest.mark.parametrize(
    ("pulse", "bands", "speed"),
    [
        (rigs.FLEXION_PULSE, {10: (22.5, 27.5), 20: (17.6, 22.6), 30: (12.5, 18.5)}, 7.01),
        (rigs.EXTENSION_PULSE, {10: (17.2, 21.2), 20: (14.0, 19.0), 30: (11.0, 16.0)}, 6.07),
    ],
)
def test_the_pendulum_is_stopped_as_the_regulation_asks(pulse, bands, speed):
    """The speeds that the arm is given, differentiated here, lie in the bands of deceleration."""
    times, speeds = np.array(rigs.pendulum_speeds(speed, pulse)).T
    deceleration = -np.gradient(speeds, times) / 9.80665
    for ms, (low, high) in bands.items():
        inside(np.interp(ms * 1e-3, times, deceleration), low, high)
    assert deceleration.max() < 29.0
    assert speeds[0] == speed and abs(speeds[-1]) < 0.1 * speed


def test_a_man_dropped_on_his_head_loads_the_neck_as_cadavers_were():
    """Nightingale et al. 1997: 16 kg behind head and neck at 3.2 m/s, about 2 kN; rigid necks had 16 to 20 kN."""
    man = neck_compression(rigs.neck_drop("male"))
    inside(man.lower, 1500.0, 4000.0)
    inside(man.upper, 1500.0, 4000.0)
    assert man.way < 45.0
    woman = neck_compression(rigs.neck_drop("female"))
    inside(woman.lower, 1500.0, 4000.0)
    inside(woman.upper, 1500.0, 4000.0)
    dummy = neck_compression(rigs.neck_drop("hybrid3_50th"))
    assert dummy.lower > 2.0 * man.lower  # known of the dummy: far stiffer along its axis


def test_a_finer_step_does_not_change_the_drop():
    coarse, fine = rigs.neck_drop(), rigs.neck_drop()
    fine.settings.time_step = 1e-5
    assert neck_compression(fine).lower == pytest.approx(neck_compression(coarse).lower, rel=0.02)


@pytest.mark.parametrize("name", PEOPLE)
def test_the_necks_two_parts_weigh_what_a_neck_does(name):
    """The slider carries 30 % of the neck; curves resist to both sides, more with every degree."""
    model = load_model(name)
    bodies = {body.name: body for body in model.bodies}
    share = bodies["NeckUpper"].mass / (bodies["Neck"].mass + bodies["NeckUpper"].mass)
    assert share == pytest.approx(0.3)
    joints = {joint.name: joint for joint in model.joints}
    assert joints["headJnt"].parent == "NeckUpper" and joints["neckSlideJnt"].type == "prismatic"
    for joint in (joints["neckJnt"], joints["headJnt"]):
        assert joint.limits is None and joint.damping == 0.0
        for spring in joint.springs:
            angles, torques = np.array(spring.curve).T
            assert (np.diff(torques) < 0.0).all() and np.interp(0.0, angles, torques) == 0.0
            slopes = -np.diff(torques) / np.diff(angles)
            middle = len(slopes) // 2
            assert (np.diff(slopes[middle:]) > 0.0).all() and (np.diff(slopes[:middle]) < 0.0).all()


def test_sizes_follow_the_published_critical_values():
    """FMVSS 208: flexion 310, 155, 93, 68 N m and compression 6160, 3880, 2800, 2120 N for the mid-size man, small
    woman, six and three years."""
    for sex, stature, moment, force in (
        ("", 1.753, 310, 6160),
        ("female", 1.510, 155, 3880),
        ("", 1.143, 93, 2800),
        ("", 0.945, 68, 2120),
    ):
        factors = neck.size_factors(sex, stature)
        assert factors == pytest.approx((moment / 310, force / 6160), rel=0.02)


def test_tone_of_the_neck_is_a_capped_motor_apart_from_the_tissue():
    """No motor in the models themselves; strength 30 +- 6 to 51 +- 11 N m of men caps a conscious man's."""
    model = load_model("male")
    assert all(joint.motor is None for joint in model.joints)
    awake, asleep = neck_motors(model, {}), neck_motors(model, {}, UNCONSCIOUS)
    assert set(awake) == set(asleep) == {"neckJnt", "headJnt"}
    inside(awake["neckJnt"].max_torque, 24.0, 62.0)
    assert asleep["neckJnt"].max_torque == pytest.approx(UNCONSCIOUS * awake["neckJnt"].max_torque, rel=1e-3)
    whole = tone_motors(model, {}, strength=0.5)
    assert whole["neckJnt"] == awake["neckJnt"] and CONSCIOUS == 1.0


def test_dummys_chest_meets_49_cfr_572_34():
    force, deflection, hysteresis = thorax_quantities(*thorax_curve(6.71, "hybrid3_50th"))
    inside(force, 5160.0, 5894.0)
    inside(deflection, 0.0635, 0.0726)
    inside(hysteresis, 69.0, 85.0)


def test_a_mans_chest_gives_as_cadavers_did_at_low_speed():
    """Yoganandan et al. 1996: 1.9 to 2.7 kN and 34 to 85 mm at 4.3 m/s. Predicted: Lobdell's numbers are older."""
    force, deflection, _ = thorax_quantities(*thorax_curve(4.3, "male"))
    inside(force, 1900.0, 2700.0)
    inside(deflection, 0.034, 0.085)


def test_viscous_criterion_of_a_known_motion():
    """50 mm at a constant 4 m/s: 1.3 * 50 / 229 * 4 = 1.135371 m/s."""
    assert viscous(np.array([0.05]), np.array([4.0]), 0.229)[0] == pytest.approx(1.135371, rel=1e-6)


def test_the_chests_measures_are_those_of_its_slider():
    """Of the seated crash, against sternum and spine in the world: how far apart along the spine's forward axis."""
    path = next(path for path in list_scenarios() if path.stem == "seated_crash")
    scenario = read_scenario(path)
    recording = run(scenario)
    values = {m.name: m.value for m in evaluate(scenario, recording) if m.subject == "driver / Sternum"}
    front, spine = (recording.body_index("driver", name) for name in ("Sternum", "UpperBack"))
    w, x, y, z = recording.quaternion[:, spine].T
    forward = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)
    apart = np.einsum("ij,ij->i", recording.position[:, front] - recording.position[:, spine], forward)
    assert values["chest deflection"] == pytest.approx(1000.0 * (apart[0] - apart.min()), rel=1e-3)
    assert values["chest deflection"] > 10.0
    assert values["chest compression"] == pytest.approx(values["chest deflection"] / 229.0 * 100.0)
    d = apart[0] - apart
    worked = 1.3 * d / 0.229 * np.gradient(d, recording.times)
    assert values["viscous criterion"] == pytest.approx(worked.max(), rel=0.05)


@pytest.mark.parametrize("name", ["male", "female", "child_3", "child_6", "male_legs", *DUMMIES])
def test_whatever_resists_in_a_joint_has_a_source(name):
    """Damping, limits, cones, friction, springs and breaks: where it comes from, or "assumed"."""
    for joint in load_model(name).joints:
        if not joint.kind.resists:
            continue
        assert joint.damping is not None, f"{joint.name} would get the scenario's default"
        assert joint.damping == 0.0 or "amping" in joint.source, joint.name
        parts = [joint.limits, joint.cone, joint.friction, *joint.springs, *joint.breaks]
        for part in (part for part in parts if part is not None):
            assert part.source, (joint.name, part)
