"""OpenMBD's saved configuration, read as a scenario."""

import json
import shutil

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.io_json.errors import FileError
from mannequin.io_json.scenario_json import read_scenario, write_scenario


@pytest.fixture
def folder(tmp_path, openmbd):
    for name in ("openmbd_male.json", "openmbd_bicycle.json"):
        shutil.copy(openmbd / name, tmp_path / name)
    return tmp_path


def configuration(**changes):
    """As OpenMBD's setup tab saves it: entry fields as texts, sliders as numbers."""
    model = {
        "id": 0,
        "path": "openmbd_male.json",
        "pos": "0.5 0.0 1.05",
        "vel": "3.0 0.0 -1.0",
        "ang_vel": "0.0 0.0 0.0",
        "joints": {
            "root_joint": [30.0, 10.0, -20.0],
            "rootJoint": [30.0, 10.0, -20.0],
            "kneelJnt": [5.0, 40.0, -3.0],
        },
        "joint_vels": {"root_joint": [1.0, 2.0, 3.0], "kneelJnt": [4.0, 5.0, 6.0]},
        "joint_torques": {"hiplJnt": {"torque": [10.0, 20.0, 30.0], "t_start": 0.05, "duration": 0.1}},
    }
    top = {"dt": "0.0001", "out_dt": "0.001", "dur": "0.5", "cof": "0.35", "contact_damping": "150"}
    return top | {"models": [model | changes]}


def load(folder, document):
    path = folder / "case.json"
    path.write_text(json.dumps(document, indent=4))
    return read_scenario(path)


def test_settings(folder):
    settings = load(folder, configuration()).settings
    assert (settings.time_step, settings.output_step, settings.duration) == (0.0001, 0.001, 0.5)
    assert (settings.friction, settings.contact_damping, settings.contact_damping_mode) == (
        0.35,
        150,
        "constant",
    )
    assert settings.absorb_ground_overlap is True


def test_contacts_add_up_and_are_points_as_in_openmbd(folder):
    scenario = load(folder, configuration())
    assert scenario.settings.multi_contact == "none"
    assert scenario.settings.patch_friction is False
    assert any("multi_contact 'none'" in note for note in scenario.notes)
    assert any("patch_friction off" in note for note in scenario.notes)


def test_absent_settings_are_openmbds(folder):
    settings = load(folder, {"models": configuration()["models"]}).settings
    assert (settings.time_step, settings.output_step, settings.duration) == (1e-5, 0.001, 0.03)
    assert (settings.friction, settings.contact_damping) == (0.4, 150)


def test_actor(folder):
    scenario = load(folder, configuration())
    (actor,) = scenario.actors
    assert (scenario.name, actor.name, actor.model_reference) == ("case", "Model A", "openmbd_male.json")
    assert actor.position == (0.5, 0.0, 1.05)
    assert actor.velocity == (3.0, 0.0, -1.0)
    assert actor.orientation == (30.0, 10.0, -20.0)
    assert actor.joint_angles == {"kneelJnt": (5.0, 40.0, -3.0)}
    assert any("ground" in note for note in scenario.notes)


def test_turn_rates_are_what_was_entered(folder):
    """OpenMBD: a ball joint's rate is along the child body's axes, the root's along the world's; entered as Z, Y, X."""
    (actor,) = load(folder, configuration()).actors
    assert actor.angular_velocity == (3.0, 2.0, 1.0)
    knee = next(joint for joint in actor.model.joints if joint.name == "kneelJnt")
    body_axes = np.array(knee.T2)[:3, :3] @ actor.joint_velocities["kneelJnt"]
    np.testing.assert_allclose(body_axes, [6.0, 5.0, 4.0])


def test_torque_pulses_are_what_was_entered(folder):
    (actor,) = load(folder, configuration()).actors
    (pulse,) = actor.torque_pulses
    hip = next(joint for joint in actor.model.joints if joint.name == "hiplJnt")
    assert (pulse.joint, pulse.start, pulse.duration) == ("hiplJnt", 0.05, 0.1)
    np.testing.assert_allclose(np.array(hip.T2)[:3, :3] @ pulse.peak, [30.0, 20.0, 10.0])


def test_a_torque_on_the_root_is_a_world_torque(folder):
    pulse = {"root_joint": {"torque": [10.0, 20.0, 30.0], "t_start": 0.0, "duration": 0.2}}
    (actor,) = load(folder, configuration(joint_torques=pulse)).actors
    body_to_world = Rotation.from_euler("ZYX", actor.orientation, degrees=True).as_matrix()
    root = actor.model.joints[0]
    world = body_to_world @ np.array(root.T2)[:3, :3] @ actor.torque_pulses[0].peak
    assert actor.torque_pulses[0].joint == "rootJoint"
    np.testing.assert_allclose(world, [30.0, 20.0, 10.0], atol=1e-12)


def test_a_pulse_of_no_duration_keeps_its_impulse(folder):
    """One step at full torque; a half-sine of peak p and length T has the impulse 2 p T / pi."""
    pulse = {"hiplJnt": {"torque": [10.0, 0.0, 0.0], "t_start": 0.0, "duration": 0.0}}
    scenario = load(folder, configuration(joint_torques=pulse))
    half_sine = 2.0 * 10.0 * scenario.actors[0].torque_pulses[0].duration / np.pi
    assert half_sine == pytest.approx(10.0 * scenario.settings.time_step, rel=1e-12)


def test_the_root_body_is_where_openmbd_puts_it(folder):
    """OpenMBD ignores T1 and T2 of the root joint; the bicycle's T1 is 0.337 m up."""
    document = configuration(
        path="openmbd_bicycle.json", joints={"root_joint": [20.0, 5.0, -70.0]}, joint_vels={}
    )
    (actor,) = load(folder, document | {"models": [document["models"][0] | {"joint_torques": {}}]}).actors
    frame = np.eye(4)
    frame[:3, :3] = Rotation.from_euler("ZYX", actor.orientation, degrees=True).as_matrix()
    frame[:3, 3] = actor.position
    root = actor.model.joints[0]
    body = frame @ np.array(root.T1) @ np.linalg.inv(np.array(root.T2))
    np.testing.assert_allclose(body[:3, 3], [0.5, 0.0, 1.05], atol=1e-12)
    expected = Rotation.from_euler("ZYX", [20.0, 5.0, -70.0], degrees=True).as_matrix()
    np.testing.assert_allclose(body[:3, :3], expected, atol=1e-12)


def test_a_wheel_takes_the_number_about_its_axle(folder):
    tables = {
        "joints": {"front_wheel_jnt": [0, 15.0, 0], "rear_wheel_jnt": [25.0, 0, 0]},
        "joint_vels": {"front_wheel_jnt": [0, 30.0, 0], "rear_wheel_jnt": [20.0]},
        "joint_torques": {"rear_wheel_jnt": {"torque": [0, 7.0, 0], "t_start": 0, "duration": 0.1}},
    }
    (actor,) = load(folder, configuration(path="openmbd_bicycle.json", **tables)).actors
    assert actor.joint_angles == {"front_wheel_jnt": (15.0, 0, 0), "rear_wheel_jnt": (25.0, 0, 0)}
    assert actor.joint_velocities == {"front_wheel_jnt": (30.0, 0, 0), "rear_wheel_jnt": (20.0, 0, 0)}
    assert actor.torque_pulses[0].peak == (0, 7.0, 0)


def test_an_unused_root_rate_is_used_and_noted(folder):
    scenario = load(folder, configuration(ang_vel="1 2 3", joint_vels={}))
    assert scenario.actors[0].angular_velocity == (3, 2, 1)
    assert any("ang_vel" in note for note in scenario.notes)


@pytest.mark.parametrize(
    "path", ["C:/Users/x/openmbd_male.json", "/home/x/openmbd_male.json", "..\\openmbd_male.json"]
)
def test_a_model_of_the_same_name_in_the_folder_is_used(folder, path):
    scenario = load(folder, configuration(path=path))
    assert scenario.actors[0].model_reference == "openmbd_male.json"
    assert any(repr(path) in note for note in scenario.notes)


def test_entries_for_other_joints_are_noted(folder):
    scenario = load(folder, configuration(joints={"tail": [1, 0, 0], "nothing": [0, 0, 0]}))
    assert sum("no movable joint" in note for note in scenario.notes) == 1


def test_keys_of_others_are_kept(folder):
    scenario = load(folder, configuration(colour="cyan") | {"comment": "x"})
    assert scenario.extras == {"comment": "x"}
    assert scenario.actors[0].extras == {"colour": "cyan"}


def test_it_can_be_written_as_a_scenario(folder):
    scenario = load(folder, configuration())
    write_scenario(scenario, folder / "ours.json")
    assert read_scenario(folder / "ours.json") == scenario


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"id": "0"}, "/models/0/id"),
        ({"id": 26}, "/models/0/id"),
        ({"path": "none.json"}, "/models/0/path"),
        ({"path": 7}, "/models/0/path"),
        ({"pos": "1 2"}, "/models/0/pos"),
        ({"pos": "1 2 nan"}, "/models/0/pos"),
        ({"vel": {}}, "/models/0/vel"),
        ({"joints": []}, "/models/0/joints"),
        ({"joints": {"kneelJnt": [1, 2, 3, 4]}}, "/models/0/joints/kneelJnt"),
        ({"joints": {"kneelJnt": [1, "x", 3]}}, "/models/0/joints/kneelJnt/1"),
        ({"joint_torques": {"hiplJnt": []}}, "/models/0/joint_torques/hiplJnt"),
        (
            {"joint_torques": {"hiplJnt": {"torque": [1], "duration": "-1"}}},
            "/models/0/joint_torques/hiplJnt",
        ),
        (
            {"joint_torques": {"hiplJnt": {"torque": [1], "t_start": "x"}}},
            "/models/0/joint_torques/hiplJnt/t_start",
        ),
    ],
)
def test_a_bad_entry_says_where(folder, changes, place):
    with pytest.raises(FileError) as caught:
        load(folder, configuration(**changes))
    assert caught.value.place == place
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (configuration() | {"dt": "fast"}, "/dt"),
        (configuration() | {"cof": "inf"}, "/cof"),
        (configuration() | {"models": {}}, "/models"),
        (configuration() | {"models": [1]}, "/models/0"),
        (configuration() | {"models": configuration()["models"] * 2}, "/models/1/id"),
    ],
)
def test_a_bad_configuration_says_where(folder, document, place):
    with pytest.raises(FileError) as caught:
        load(folder, document)
    assert caught.value.place == place
