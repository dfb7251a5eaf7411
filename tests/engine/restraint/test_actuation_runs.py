"""Pulses, motors, prescribed motions and couplers in whole runs, against closed forms."""

import math

import numpy as np
import pytest
from impacts import STANDING, G, free_body, rubber, scene, sledge, term
from linkages import ROD_INERTIA, ROD_LENGTH, ROD_MASS, arm, two_arms
from scipy.optimize import brentq

from mannequin.engine import (
    Actor,
    Coupler,
    ForcePulse,
    Motor,
    Obstacle,
    PrescribedMotion,
    Scenario,
    Settings,
    TorquePulse,
    run,
)
from mannequin.engine.spec import INTEGRATORS
from mannequin.models.library import load_model

ABOUT_END = ROD_INERTIA + ROD_MASS * ROD_LENGTH**2 / 4.0
IMPULSE = 2.0 / math.pi
"""Of a half-sine of unit peak and duration."""


def floating(actor: Actor, **settings):
    chosen = {"gravity": (0.0, 0.0, 0.0), "ground": False, "duration": 0.2, **settings}
    return run(Scenario("test", [actor], settings=Settings(**chosen)))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_torque_pulse_on_a_hinge(integrator):
    """The rod's angular momentum is 2 peak T / pi: 6.366198 N m s for 100 N m over 0.1 s."""
    pulse = TorquePulse("hinge", (0.0, 100.0, 0.0), 0.0333, 0.1)
    recording = floating(Actor("arm", arm(), torque_pulses=[pulse]), integrator=integrator)
    spin = recording.angular_velocity[-1, 1, 1] * ABOUT_END
    assert spin == pytest.approx(6.366198, rel=1e-3)
    assert term(recording, "actuators")[-1] == pytest.approx(0.5 * spin**2 / ABOUT_END, rel=2e-3)


def test_torque_pulse_on_a_free_root_is_a_true_torque():
    """It turns the body about its centre of mass and moves it nowhere; several pulses add up."""
    pulses = [TorquePulse("root", (0, 0, 3.0), 0.0, 0.1), TorquePulse("root", (0, 0, 2.0), 0.05, 0.1)]
    body = free_body(rubber(), 2.0)
    recording = floating(Actor("body", body, torque_pulses=pulses))
    inertia = 0.4 * 2.0 * 0.1**2
    assert recording.angular_velocity[-1, 0] == pytest.approx(
        (0, 0, 0.5 * IMPULSE / inertia), rel=1e-3, abs=1e-12
    )
    assert np.abs(recording.velocity).max() < 1e-12


def test_torque_pulse_between_two_bodies_acts_on_both():
    """In free flight the total angular momentum stays zero, and both rods turn."""
    model = two_arms()
    model.joints[0].type = "free"
    pulse = TorquePulse("elbow", (0.0, 20.0, 0.0), 0.0, 0.05)
    recording = floating(Actor("arms", model, torque_pulses=[pulse]), time_step=2e-5)
    inertia = np.array([1.0, ROD_INERTIA, ROD_INERTIA])
    spin = (inertia * recording.angular_velocity[:, :, 1]).sum(axis=1)
    orbit = np.cross(recording.position, recording.velocity)[:, :, 1] @ recording.body_mass
    assert np.abs(spin + orbit).max() < 1e-3
    assert abs(recording.angular_velocity[-1, 2, 1]) > 1.0


@pytest.mark.parametrize("frame", ["world", "body"])
def test_force_pulse_gives_its_impulse_and_turns_by_its_arm(frame):
    """100 N over 20 ms along y, 0.1 m ahead of the centre of mass of a body that hardly turns meanwhile."""
    pulse = ForcePulse("body", (0, 100.0, 0), 0.01, 0.02, (0.1, 0, 0), frame)
    body = free_body(rubber(), 2.0, inertia=50.0)
    recording = floating(Actor("body", body, force_pulses=[pulse]))
    impulse = 100.0 * 0.02 * IMPULSE
    assert recording.velocity[-1, 0] == pytest.approx((0, impulse / 2.0, 0), rel=1e-3, abs=1e-4)
    assert recording.angular_velocity[-1, 0, 2] == pytest.approx(0.1 * impulse / 50.0, rel=1e-3)


def test_motor_holds_a_rod_where_its_weight_says():
    """Static sag of a horizontal rod: k x = m g l / 2 cos x."""
    motor = Motor(stiffness=60.0, damping=15.0)
    recording = run(scene(Actor("arm", arm(motor=motor)), ground=False, duration=3.0, output_step=0.01))
    sag = brentq(lambda x: 60.0 * x - ROD_MASS * G * ROD_LENGTH / 2 * math.cos(x), 0.0, 1.5)
    turned = recording.joint_angle[-1, 1, 1]
    assert turned == pytest.approx(sag, abs=1e-4)


def test_motor_target_over_time_and_gain_over_time():
    """A stiff motor follows its table; with its gain at zero it lets the rod go."""
    table = ((0.0, 0, 0, 0), (0.5, 40.0, 0, 0), (1.0, 40.0, 0, 0))
    motor = Motor(
        stiffness=5e3, damping=200.0, target_over_time=table, gain_over_time=((0, 1), (1.0, 1), (1.001, 0))
    )
    recording = floating(Actor("arm", arm(motor=motor)), duration=1.2, gravity=(0, 0, -G))
    angle = np.degrees(recording.joint_angle[:, 1, 1])
    assert angle[990] == pytest.approx(40.0, abs=0.2)
    assert angle[-1] > 45.0


def test_man_on_a_stand_holds_his_posture():
    """Arms out, one knee bent, root held still by a table: stiff motors keep every joint within 1.5 degrees for 1.5 s;
    without them the limbs drop."""
    model = load_model("male")
    pose = {"shoulderrJnt": (0.0, 0.0, 60.0), "shoulderlJnt": (0.0, 0.0, 60.0), "kneerJnt": (0.0, 45.0, 0.0)}
    names = {joint.name for joint in model.joints}
    assert set(pose) <= names
    still = PrescribedMotion(None, ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    moving = [joint.name for joint in model.joints if joint.parent and joint.type != "fixed"]

    def held(tone: float):
        motors = {
            name: Motor(stiffness=3000.0, damping=60.0, target=pose.get(name, (0.0, 0.0, 0.0)))
            for name in moving
        }
        actor = Actor(
            "man",
            model,
            position=(0, 0, 3),
            joint_angles=dict(pose),
            motors=motors,
            prescribed=[still],
            tone=tone,
        )
        recording = run(Scenario("stand", [actor], settings=Settings(duration=1.5, ground=False)))
        assert recording.status == "completed"
        return np.degrees(np.linalg.norm(recording.joint_angle - recording.joint_angle[0], axis=2)).max()

    assert held(1.0) < 1.5
    assert held(0.001) > 30.0


def test_root_follows_a_velocity_table_and_flies_on_when_released():
    """From 0 to 4 m/s in 0.4 s, released at 0.5 s: a parabola from there."""
    table = ((0.0, 0.0, 0.0, 0.0), (0.4, 4.0, 0.0, 0.0), (9.0, 4.0, 0.0, 0.0))
    motion = PrescribedMotion(None, table, release_time=0.5)
    actor = Actor("body", free_body(rubber(), 2.0), position=(0, 0, 10), prescribed=[motion])
    recording = run(scene(actor, ground=False, duration=0.8))
    at = {ms: recording.position[ms, 0] for ms in (200, 400, 500, 800)}
    assert at[200] == pytest.approx((0.2, 0, 10), abs=5e-4)
    assert at[400] == pytest.approx((0.8, 0, 10), abs=5e-4)
    assert at[500] == pytest.approx((1.2, 0, 10), abs=5e-4)
    assert at[800] == pytest.approx((2.4, 0, 10 - 0.5 * G * 0.3**2), abs=2e-3)
    assert np.abs(term(recording, "residual")).max() < 0.01 * 16.0


def test_turning_root_follows_its_rates():
    table = ((0, 0, 0, 0, 0, 0, 2.0), (9, 0, 0, 0, 0, 0, 2.0))
    motion = PrescribedMotion(None, table)
    actor = Actor("body", free_body(rubber(), 2.0), angular_velocity=(0, 0, 2.0), prescribed=[motion])
    recording = floating(actor, duration=0.5)
    turned = 2 * math.atan2(recording.quaternion[-1, 0, 3], recording.quaternion[-1, 0, 0])
    assert turned == pytest.approx(1.0, abs=1e-3)


def test_root_is_released_at_first_contact_with_something_but_the_ground():
    """A driven sledge stands on the ground all along and is let go when it meets the wall: it stops there."""
    table = ((0.0, 2.0, 0.0, 0.0), (9.0, 2.0, 0.0, 0.0))
    motion = PrescribedMotion(None, table, release_at_contact=True)
    wall = Obstacle("wall", "box", (1.5, 0, 0.5), (0, 0, 0), (0.5, 1, 0.5))
    actor = Actor(
        "sledge", sledge(rubber()), position=(0, 0, STANDING - 1e-4), velocity=(2, 0, 0), prescribed=[motion]
    )
    recording = run(scene(actor, [wall], duration=1.0))
    x, v = recording.position[:, 0, 0], recording.velocity[:, 0, 0]
    assert v[300] == pytest.approx(2.0, abs=1e-6)
    hit = recording.contacts[recording.contacts["obstacle_b"] == 1][0]
    assert hit["start"] == pytest.approx((1.0 - 0.32) / 2.0, abs=1e-3)
    assert x.max() < 0.70
    assert v[-1] < 0.1


def test_prescribed_joint_follows_its_angles():
    table = ((0.0, 0.0), (0.5, 60.0), (1.0, -30.0))
    actor = Actor("arm", arm(), prescribed=[PrescribedMotion("hinge", table)])
    recording = run(scene(actor, ground=False, duration=1.0))
    angle = np.degrees(recording.joint_angle[:, 1, 1])
    expected = np.interp(recording.times, *np.array(table).T)
    assert angle == pytest.approx(expected, abs=0.05)


def test_drive_of_a_prescribed_joint_pays_for_its_damping():
    """A hinge turned at a constant rate w without gravity: the damper takes c w^2 t, the drive gives it and the kinetic
    energy of the rod, and nothing is left over."""
    rate, damping, duration = 2.0, 0.7, 0.4
    model = arm()
    next(joint for joint in model.joints if joint.name == "hinge").damping = damping
    table = ((0.0, 0.0), (duration, math.degrees(rate * duration)))
    recording = floating(
        Actor("arm", model, prescribed=[PrescribedMotion("hinge", table)]), duration=duration
    )
    taken = damping * rate**2 * duration
    assert term(recording, "joint_damping")[-1] == pytest.approx(-taken, rel=1e-3)
    assert np.abs(term(recording, "residual")).max() < 1e-3 * taken


def test_prescribed_ball_joint_follows_its_angles():
    table = ((0.0, 0.0, 0.0, 0.0), (0.5, 0.0, 40.0, 0.0), (1.0, 0.0, 40.0, 0.0))
    actor = Actor("arm", arm("spherical"), prescribed=[PrescribedMotion("hinge", table)])
    recording = run(scene(actor, ground=False, duration=1.0))
    angle = np.degrees(recording.joint_angle[:, 1])
    assert angle[250] == pytest.approx((0, 20.0, 0), abs=0.05)
    assert angle[-1] == pytest.approx((0, 40.0, 0), abs=0.05)


@pytest.mark.parametrize("ratio, offset", [(1.0, 0.0), (-0.5, 10.0)])
def test_coupled_joint_follows_its_leader(ratio, offset):
    """The leader is driven by a table; the follower is carried along by the coupler alone."""
    model = two_arms()
    model.couplers = [Coupler("bend", "hinge", "elbow", "z", ratio, offset, 3000.0, 60.0)]
    table = ((0.0, 0.0), (0.5, 50.0), (2.0, 50.0))
    start = {"elbow": (offset, 0.0, 0.0)}
    actor = Actor("arms", model, prescribed=[PrescribedMotion("hinge", table)], joint_angles=start)
    recording = run(scene(actor, ground=False, gravity=(0, 0, 0), duration=1.5))
    leader, follower = (np.degrees(recording.joint_angle[-1, k, 1]) for k in (1, 2))
    assert leader == pytest.approx(50.0, abs=0.1)
    assert follower == pytest.approx(ratio * leader + offset, abs=0.5)
