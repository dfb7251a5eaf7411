"""Measures taken from a whole recording: the right body, the right axes, the right signs."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from synthetic_run import make_recording, make_scenario, sense_head

from mannequin.analysis.measures import criteria, evaluate
from mannequin.analysis.measures.criteria import head_measures
from mannequin.analysis.measures.head import HeadError, find_heads, head_axes
from mannequin.analysis.measures.signals import G0, accelerometer, resultant
from mannequin.engine.spec import Sensor


def one(measures, name, subject="man / Head"):
    (found,) = [m for m in measures if m.name == name and m.subject == subject]
    return found


def still(frames=2001, step=1e-4):
    """Nothing moves and nothing turns."""
    recording = make_recording(frames, step)
    for name in ("velocity", "acceleration", "angular_velocity", "angular_acceleration", "contact_force",
                 "reaction_force", "reaction_moment"):  # fmt: skip
        getattr(recording, name)[:] = 0.0
    recording.position[:] = recording.position[:1]
    recording.quaternion[:] = (1, 0, 0, 0)
    sense_head(recording)
    return recording


def test_an_accelerometer_at_rest_shows_one_g_and_in_free_fall_none():
    scenario, recording = make_scenario(), still()
    np.testing.assert_allclose(resultant(accelerometer(scenario, recording, 1)), 9.81 / G0)
    recording.acceleration[:, 1] = (0, 0, -9.81)
    np.testing.assert_allclose(accelerometer(scenario, recording, 1), 0.0, atol=1e-15)


def test_hic_of_a_known_pulse_on_the_head():
    """A half-sine of 100 g and 10 ms on a weightless head: 414.6456 unfiltered, a little less through CFC 1000."""
    scenario, recording = make_scenario(gravity=(0, 0, 0)), still()
    t = recording.times
    pulse = np.where((t > 0.05) & (t < 0.06), 100 * G0 * np.sin(np.pi * (t - 0.05) / 0.01), 0.0)
    recording.acceleration[:, 1] = pulse[:, None] * np.array([0.6, 0.0, -0.8])
    sense_head(recording, (0.0, 0.0, 0.0))
    hic15 = one(evaluate(scenario, recording), "HIC15")
    assert hic15.value == pytest.approx(414.6456, rel=5e-3)
    assert hic15.details["from_s"] == pytest.approx(0.055 - 0.5 * 0.67023 * 0.01, abs=1e-4)
    assert hic15.warnings == () and hic15.details["filter"] == "CFC 1000"
    assert one(evaluate(scenario, recording), "GSI").value == pytest.approx(457.6559, rel=5e-3)


def test_criteria_of_the_head_that_are_asked_for_are_those_of_all_and_nothing_else_is_filtered(monkeypatch):
    scenario, recording = make_scenario(), make_recording(2001, 1e-4)
    whole = head_measures(scenario, recording)
    asked = {"HIC36", "3 ms clip, cumulative", "neck tension"}
    some = head_measures(scenario, recording, asked)
    assert [m for m in some if m.name in asked] == [m for m in whole if m.name in asked]
    assert {m.name for m in some} == asked | {"Nij", "neck compression"}
    filtered = []
    plain = criteria.filtered
    monkeypatch.setattr(criteria, "filtered", lambda *given: filtered.append(given) or plain(*given))
    head_measures(scenario, recording, {"HIC15"})
    assert len(filtered) == 1


def test_slow_sampling_is_said():
    measures = evaluate(make_scenario(), make_recording(200, 1e-3))
    assert "time_step to 0.0001" in one(measures, "HIC15").warnings[0]
    assert one(measures, "HIC15").details["filter"] == "none"
    assert one(measures, "BrIC").details["filter"] == "CFC 60"


def test_bric_is_taken_in_head_axes():
    """A turn about the head's own lateral axis counts as lateral whatever way the head faces."""
    scenario, recording = make_scenario(), still()
    facing = Rotation.from_euler("z", 90, degrees=True)
    recording.quaternion[:, 1] = facing.as_quat()[[3, 0, 1, 2]]
    recording.angular_velocity[:, 1] = facing.apply([0.0, 56.45, 0.0])
    sense_head(recording)
    bric = one(evaluate(scenario, recording), "BrIC")
    assert bric.value == pytest.approx(1.0, rel=1e-6)
    assert bric.details["peak_y_rad/s"] == pytest.approx(56.45)


@pytest.mark.parametrize(
    "force, moment, case, expected",
    [
        ((0, 0, -2000), (0, -50, 0), "NTF", 2000 / 6806 + 50 / 310),
        ((0, 0, 2000), (0, 50, 0), "NCE", 2000 / 6160 + 50 / 135),
    ],
)
def test_nij_signs(force, moment, case, expected):
    """World z up, head upright and facing x. A neck that pulls the head down is in tension. A moment of the neck on the
    head about -y (world y is to the left) lifts the chin: the answer of a neck in flexion."""
    scenario, recording = make_scenario(), still()
    recording.reaction_force[:, 1] = force
    recording.reaction_moment[:, 1] = moment
    sense_head(recording)
    measures = evaluate(scenario, recording)
    nij = one(measures, "Nij")
    assert nij.value == pytest.approx(expected, rel=1e-6)
    assert nij.details["worst"] == case
    name = "neck tension" if force[2] < 0 else "neck compression"
    assert one(measures, name).value == pytest.approx(2000)


def test_nij_turns_with_the_head():
    """Lying on the back, face up: a neck that pulls the head towards the feet is in tension all the same."""
    scenario, recording = make_scenario(), still()
    lying = Rotation.from_euler("y", -90, degrees=True)  # crown along -x, face along +z
    np.testing.assert_allclose(lying.apply([0, 0, 1]), [-1, 0, 0], atol=1e-12)
    recording.quaternion[:, 1] = lying.as_quat()[[3, 0, 1, 2]]
    recording.reaction_force[:, 1] = (1500.0, 0, 0)
    sense_head(recording)
    assert one(evaluate(scenario, recording), "neck tension").value == pytest.approx(1500)


def test_without_channels_no_injury_measure_is_printed_and_the_reason_is():
    """Output frames alias an impact: better no number than a wrong one."""
    recording = make_recording(20)
    recording.channel_sensor = recording.channel_quantity = recording.channel_axes = ()
    measures = evaluate(make_scenario(), recording)
    for name in ("HIC15", "HIC36", "BrIC", "Nij"):
        found = one(measures, name)
        assert np.isnan(found.value) and found.text == "not available"
        assert "sensors" in found.warnings[0] and "alias" in found.warnings[0]
    assert not [m for m in measures if m.name in ("peak acceleration", "GSI", "3 ms clip, contiguous")]


def test_a_sensor_in_world_axes_or_off_the_centre_does_not_stand_in():
    scenario, recording = make_scenario(), make_recording(20)
    scenario.sensors = [
        Sensor("man head", "man", "Head", axes="world"),
        Sensor("x", "man", "Head", point=(0, 0, 0.1)),
    ]
    hic15 = one(evaluate(scenario, recording), "HIC15")
    assert np.isnan(hic15.value) and "no sensor measures the acceleration of man / Head" in hic15.warnings[0]


def test_the_head_may_be_named():
    scenario, recording = make_scenario(), make_recording(20)
    assert [head.body for head in find_heads(scenario, recording)] == ["Head"]
    scenario.outputs = {"head": "man/hand", "head_forward": [0, 1, 0]}
    (head,) = find_heads(scenario, recording)
    assert head.body == "hand" and head.joint_index == 2 and "outputs" in head.chosen
    np.testing.assert_allclose(head_axes(scenario), [[0, 1, 0], [1, 0, 0], [0, 0, -1]])
    scenario.outputs = {"head": "skull"}
    with pytest.raises(HeadError, match="skull"):
        find_heads(scenario, recording)
    assert "skull" in evaluate(scenario, recording)[0].warnings[0]
    scenario.outputs = {"head_up": [1, 0, 0]}
    with pytest.raises(HeadError, match="two different directions"):
        find_heads(scenario, recording)


def test_head_axes_are_forward_right_down():
    np.testing.assert_allclose(head_axes(make_scenario()), np.diag([1, -1, -1]))


def test_impacts_and_energy():
    measures = evaluate(make_scenario(), make_recording(201))
    speed = one(measures, "impact speed")
    assert speed.value == pytest.approx(5.0) and speed.details["touched"] == "ground"
    assert one(measures, "peak contact force").value == 2500.0
    assert one(measures, "contact duration").value == pytest.approx(0.0201)
    open_contact = one(measures, "contact duration", "man / hand")
    assert open_contact.value == pytest.approx(0.2 - 0.1005) and "still touching" in open_contact.warnings[0]
    assert one(measures, "energy absorbed").value == 40.0


def test_throw_distance_is_that_of_the_centre_of_mass():
    recording = still(frames=301, step=1e-3)
    recording.body_mass = np.array([1.0, 2.0, 1.0])
    recording.position[:, :, 0] = np.linspace(0, 3, 301)[:, None] * np.array([1.0, 1.0, 3.0])
    recording.position[:, :, 1] = np.linspace(0, 4, 301)[:, None] * np.array([1.0, 1.0, 3.0])
    throw = one(evaluate(make_scenario(), recording), "throw distance", "man")
    assert throw.value == pytest.approx(5.0 * 1.5)
    assert throw.warnings == ()
    recording.velocity[-1, 2] = (1.0, 0, 0)
    throw = one(evaluate(make_scenario(), recording), "throw distance", "man")
    assert "not at rest" in throw.warnings[0]


def test_risk_curves_only_when_asked_for():
    scenario, recording = make_scenario(), make_recording(50)
    assert not [m for m in evaluate(scenario, recording) if m.name.startswith("risk")]
    risks = [m for m in evaluate(scenario, recording, risk_curves=True) if m.name.startswith("risk")]
    assert len(risks) == 7 and all("(" in m.name for m in risks)


def test_every_measure_says_what_it_is_and_what_it_is_good_for():
    for measure in evaluate(make_scenario(), make_recording(50), risk_curves=True):
        assert len(measure.definition) > 20 and len(measure.validity) > 20
        assert measure.as_dict()["name"] == measure.name


def test_only_people_are_thrown_where_people_take_part():
    from mannequin.analysis.measures.catalogue import THROW_FAMILY, shown_families
    from mannequin.analysis.measures.measure import Measure
    from mannequin.io_json.scenario_json import read_scenario
    from mannequin.models.library import scenario_path

    def throws(scenario):
        return [Measure("throw distance", actor.name, 1.0, "m", "", "") for actor in scenario.actors]

    car, chain = (read_scenario(scenario_path(name)) for name in ("car_bicycle", "pendulum_chain"))
    shown = shown_families(car, {THROW_FAMILY: throws(car)})[THROW_FAMILY]
    assert [m.subject for m in shown] == ["rider"] and len(car.actors) == 3
    assert shown_families(chain, {THROW_FAMILY: throws(chain)})[THROW_FAMILY] == throws(chain)
