"""Sensors: what they sample at every step against the frames, closed forms, and themselves under other buffers."""

import dataclasses

import numpy as np
import pytest

from mannequin.engine import Actor, Body, Joint, Model, Scenario, Sensor, Settings, run, validate
from mannequin.engine.runs import simulation
from mannequin.engine.spec.body_roles import role_body
from mannequin.engine.spec.default_sensors import (
    DEFAULT_SET,
    default_sensors,
    scenario_sensors,
    without_sensors,
)
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import load_model, scenario_path

UP = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, -0.5), (0.0, 0.0, 0.0, 1.0))


def shipped(name: str, **settings) -> Scenario:
    scenario = read_scenario(scenario_path(name))
    chosen = {"time_step": 1e-4, **settings}
    return dataclasses.replace(scenario, settings=dataclasses.replace(scenario.settings, **chosen))


def spinning_bar(rate: float, **settings) -> Scenario:
    """A bar on a hinge about z at the world's origin, its centre of mass 0.5 m out along x, turning freely."""
    bar = Body("bar", 2.0, (0.01, 0.05, 0.05, 0, 0, 0), center_of_mass=(0.5, 0.0, 0.0))
    model = Model("bar", [bar], [Joint("hinge", "revolute", None, "bar", axis=(0, 0, 1), damping=0.0)])
    actor = Actor("bar", model, joint_velocities={"hinge": (rate, 0.0, 0.0)})
    chosen = {"gravity": (0.0, 0.0, 0.0), "duration": 0.1, "ground": False, "joint_damping": 0.0, **settings}
    return Scenario("spin", [actor], settings=Settings(**chosen))


@pytest.fixture(scope="module")
def fall():
    scenario = shipped("ladder_fall", duration=0.9)
    return scenario, run(scenario)


def in_body(recording, body, world):
    return np.einsum("fji,fj->fi", recording.rotation(body), world)


def agree(channel, frames, every):
    """Samples at the output times against frames, to the resolution of 32 bits of the largest value."""
    scale = float(np.max(np.abs(frames)))
    assert scale > 0.0
    np.testing.assert_allclose(channel.data[::every], frames, atol=3e-7 * scale)


def test_channels_agree_with_the_frames(fall):
    """Joint loads of the solver's articulated inertia against Newton-Euler from the leaves; motion; contacts."""
    scenario, recording = fall
    gravity = np.array(scenario.settings.gravity)
    names = {channel.quantity for channel in recording.channels.values()}
    assert names == {"acceleration", "turn_rate", "joint_force", "joint_moment", "contact_force"}
    assert np.max(recording.reaction_force[:, recording.body_index("man", "head")]) > 1000.0
    for channel in recording.channels.values():
        b = channel.body
        world = {
            "acceleration": recording.acceleration[:, b] - gravity,
            "turn_rate": recording.angular_velocity[:, b],
            "joint_force": recording.reaction_force[:, b],
            "joint_moment": recording.reaction_moment[:, b],
            "contact_force": recording.contact_force[:, b],
        }[channel.quantity]
        agree(channel, in_body(recording, b, world), 10)


def test_joint_loads_with_belts_and_a_prescribed_motion():
    recording = run(shipped("seated_crash", duration=0.12))
    for name in ("driver upper neck", "driver left femur"):
        channel = recording.channel(name, "joint_force")
        agree(channel, in_body(recording, channel.body, recording.reaction_force[:, channel.body]), 10)


def test_channels_do_not_depend_on_output_step_nor_buffers(fall, monkeypatch):
    _, coarse = fall
    monkeypatch.setattr(simulation, "LARGEST_SAMPLES", 5000)
    monkeypatch.setattr(simulation, "SECONDS_PER_CALL", 1e-9)
    fine = run(shipped("ladder_fall", duration=0.9, output_step=1e-4))
    assert fine.frames == 9001 and coarse.frames == 901
    assert fine.channel_times.tobytes() == coarse.channel_times.tobytes()
    assert fine.channel_data.tobytes() == coarse.channel_data.tobytes()


def test_sensors_do_not_change_the_motion(fall):
    scenario, recording = fall
    alone = run(without_sensors(scenario))
    assert alone.channels == {} and alone.position.tobytes() == recording.position.tobytes()


def test_every_step_is_sampled_the_last_state_too(fall):
    _, recording = fall
    assert len(recording.channel_times) == recording.steps + 1 == 9001
    np.testing.assert_allclose(recording.channel_times, np.arange(9001) * 1e-4, rtol=1e-12)


def test_a_long_run_keeps_its_channels_on_disk(monkeypatch, fall, tmp_path):
    _, recording = fall
    monkeypatch.setattr(simulation, "LARGEST_IN_MEMORY", 1000)
    stored = run(shipped("ladder_fall", duration=0.9))
    assert isinstance(stored.channel_data, np.memmap)
    assert stored.channel_data.tobytes() == recording.channel_data.tobytes()


def test_centripetal_acceleration_turn_rate_and_joint_force_of_a_spinning_bar():
    rate = 12.0
    scenario = spinning_bar(rate)
    wanted = {"turn_rate": True, "joint_force": True, "joint_moment": True}
    scenario.sensors = [
        Sensor("tip", "bar", "bar", point=(1.0, 0.0, 0.0), **wanted),
        Sensor("centre", "bar", "bar"),
        Sensor("world", "bar", "bar", axes="world"),
    ]
    recording = run(scenario)
    tip = recording.channel("tip", "acceleration").data
    np.testing.assert_allclose(tip, np.tile([-(rate**2) * 1.0, 0, 0], (len(tip), 1)), atol=1e-4)
    np.testing.assert_allclose(recording.channel("tip", "turn_rate").data[-1], (0, 0, rate), rtol=1e-6)
    np.testing.assert_allclose(
        recording.channel("tip", "joint_force").data[-1], (-2.0 * rate**2 * 0.5, 0, 0), atol=1e-4
    )
    np.testing.assert_allclose(recording.channel("tip", "joint_moment").data, 0.0, atol=1e-4)
    centre, world = (recording.channel(name, "acceleration") for name in ("centre", "world"))
    np.testing.assert_allclose(centre.data[:, 0], -(rate**2) * 0.5, rtol=1e-6)
    angle = rate * world.times
    expected = -(rate**2) * 0.5 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], -1)
    np.testing.assert_allclose(world.data, expected, atol=2e-3)


def test_a_body_at_rest_shows_one_g_and_its_weight_at_the_joint():
    scenario = spinning_bar(0.0, gravity=(0.0, 0.0, -9.81))
    scenario.sensors = [Sensor("bar", "bar", "bar", joint_force=True, joint_moment=True)]
    recording = run(scenario)
    np.testing.assert_allclose(recording.channel("bar", "acceleration").data[0], (0, 0, 9.81), rtol=1e-6)
    np.testing.assert_allclose(recording.channel("bar", "joint_force").data[0], (0, 0, 2 * 9.81), rtol=1e-6)
    np.testing.assert_allclose(recording.channel("bar", "joint_moment").data[0], (0, -9.81, 0), atol=1e-5)


def test_the_variable_step_is_sampled_at_its_own_times():
    scenario = spinning_bar(12.0, integrator="variable_step", tolerance=1e-8, output_step=0.01)
    scenario.sensors = [Sensor("bar", "bar", "bar")]
    recording = run(scenario)
    times = recording.channel_times
    assert len(times) == recording.steps + 1 and times[-1] == pytest.approx(0.1)
    assert np.all(np.diff(times) > 0) and np.ptp(np.diff(times)) > 1e-9
    np.testing.assert_allclose(recording.channel("bar", "acceleration").data[:, 0], -72.0, rtol=1e-5)


@pytest.mark.parametrize("name", ["male", "child_3", "hybrid3_50th", "ambrosio"])
def test_people_and_dummies_have_the_whole_default_set(name):
    scenario = Scenario("s", [Actor("man", load_model(name)), Actor("car", load_model("car"))])
    sensors = list(default_sensors(scenario))
    assert [sensor.name for sensor in sensors] == [f"man {place}" for place in DEFAULT_SET]
    assert all(sensor.actor == "man" for sensor in sensors)


def test_a_foreign_model_says_which_body_is_what():
    ball = (0.01, 0.01, 0.01, 0, 0, 0)
    bodies = [
        Body("B1", 40.0, ball),
        Body("B2", 4.0, ball, role="head"),
        Body("head", 1.0, ball, role="none"),
    ]
    joints = [
        Joint("a", "free", None, "B1"),
        Joint("b", "spherical", "B1", "B2", T1=UP),
        Joint("c", "fixed", "B2", "head"),
    ]
    model = Model("m", bodies, joints)
    assert role_body(model, "head").name == "B2" and role_body(model, "pelvis") is None
    scenario = Scenario("s", [Actor("x", model)])
    assert [sensor.name for sensor in default_sensors(scenario)] == ["x head", "x upper neck"]
    scenario.sensors = [Sensor("x head", "x", "B2", cfc=600)]
    assert [s.cfc for s in scenario_sensors(scenario) if s.name == "x head"] == [600]
    scenario.default_sensors = False
    assert [sensor.name for sensor in scenario_sensors(scenario)] == ["x head"]


@pytest.mark.parametrize(
    "sensor, message",
    [
        (Sensor("a", "man", "head"), "unknown actor 'man'"),
        (Sensor("a", "bar", "tip"), "has no body 'tip'"),
        (Sensor("a", "bar", "bar", acceleration=False), "measures nothing"),
        (Sensor("a", "bar", "bar", cfc=0), "filter class"),
    ],
)
def test_a_faulty_sensor_is_refused_by_name(sensor, message):
    scenario = spinning_bar(1.0)
    scenario.sensors = [sensor]
    (issue,) = [issue for issue in validate(scenario) if issue.severity == "error"]
    assert message in str(issue) and "sensor 'a'" in issue.place


def test_the_load_of_a_fixed_or_free_joint_is_refused():
    scenario = Scenario("s", [Actor("man", load_model("male"), position=(0, 0, 3.0))])
    for body in ("pelvis", "Chest"):
        scenario.sensors = [Sensor("a", "man", body, joint_force=True)]
        assert any("free or fixed" in issue.message for issue in validate(scenario))
