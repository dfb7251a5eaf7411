"""Runs that go wrong stop, say when, where and probably why, and keep what was recorded."""

import numpy as np
import pytest
from mechanisms import energies, free_space, point_pendulum, scenario_of, single_body, with_settings

from mannequin.engine import Body, Ellipsoid, Joint, Model, Motor, compile_system, run

REMEDY = "half the time step"


def stiff_motor(stiffness=5e4, step=2e-3, **settings):
    """A light limb on a motor far too stiff for the step of an explicit integrator."""
    model = Model(
        "arm",
        [
            Body("trunk", 10.0, (0.1, 0.1, 0.1, 0, 0, 0)),
            Body("hand", 0.2, (1e-3, 1e-3, 1e-3, 0, 0, 0), center_of_mass=(0.1, 0.0, 0.0)),
        ],
        [
            Joint("root", "free", None, "trunk"),
            Joint("wrist", "spherical", "trunk", "hand", motor=Motor(stiffness=stiffness)),
        ],
    )
    defaults = {"time_step": step, "output_step": step, "integrator": "forward_euler", "duration": 1.0}
    return scenario_of(model, free_space(**(defaults | settings)), joint_angles={"wrist": (5.0, 0.0, 0.0)})


def checked(recording, scenario, *words):
    """The run stopped early, its message has the words, the time of the end and a remedy; its frames are good."""
    assert recording.status == "diverged"
    assert 0 < recording.frames < scenario.settings.duration / scenario.settings.output_step
    for word in (*words, REMEDY):
        assert word in recording.message, recording.message
    stated = float(recording.message.split(" s ")[0].removeprefix("At "))
    assert recording.times[-1] - 1e-9 <= stated <= recording.times[-1] + scenario.settings.output_step + 1e-3
    assert np.isfinite(recording.position).all() and np.isfinite(recording.energy).all()
    assert len(recording.position) == recording.frames == len(recording.energy)


def test_too_stiff_a_motor():
    scenario = stiff_motor()
    checked(run(scenario), scenario, "actor/hand", "motors")


def test_the_same_motor_is_fine_with_a_short_step():
    """Half a period is 7 ms: a step that resolves it completes, so the remedy named is the right one."""
    recording = run(stiff_motor(step=1e-5, output_step=1e-2, integrator="runge_kutta_4", duration=0.1))
    assert recording.status == "completed"


def test_energy_from_nowhere():
    """A body spinning freely gains energy under forward Euler, and no force has done any work."""
    settings = free_space(time_step=2e-3, output_step=2e-3, integrator="forward_euler", duration=5.0)
    settings.gravity = (0.0, 0.0, 0.0)
    scenario = scenario_of(single_body(), settings, angular_velocity=(10.0, 12.0, 8.0))
    recording = run(scenario)
    checked(recording, scenario, "energy", "no force explains", "actor/body")
    kinetic, gravity = energies(scenario, recording)
    assert recording.energy[-1, -1] == pytest.approx((kinetic + gravity)[-1] - (kinetic + gravity)[0])
    assert recording.energy[-1, -1] > 0.2 * kinetic[-1]
    assert np.abs(recording.velocity).max() < 50.0


def test_faster_than_the_bound():
    settings = free_space(max_speed=5.0, duration=2.0)
    scenario = scenario_of(single_body(), settings, velocity=(3.0, 0.0, 0.0), angular_velocity=(0, 3.0, 0))
    recording = run(scenario)
    checked(recording, scenario, "actor/body", "faster than 5 m/s", "max_speed")
    # 3 m/s sideways and 4 m/s down make 5
    assert recording.times[-1] == pytest.approx(4.0 / 9.81, abs=1.1e-3)


@pytest.mark.parametrize(("bound", "status"), [(44.9, "diverged"), (45.2, "completed")])
def test_the_bound_is_on_centres_of_mass_and_the_fastest_is_named(bound, status):
    """A straight chain turning at 30 rad/s: masses at 0.5, 1 and 1.5 m move at 15, 30 and 45 m/s."""
    settings = free_space(max_speed=bound, duration=0.01, gravity=(0, 0, 0))
    scenario = scenario_of(
        point_pendulum("revolute", 0.5, 3), settings, joint_velocities={"joint 0": (30.0, 0.0, 0.0)}
    )
    recording = run(scenario)
    assert recording.status == status
    assert ("actor/link 2" in recording.message) == (status == "diverged")


def test_the_bound_is_on_bodies_and_not_on_the_links_inside_a_joint():
    """A body at rest 6 m beside a trunk that turns at 100 rad/s, in a bushing without springs: the bushing's massless
    links turn with the trunk, at 600 m/s out there, and no body is faster than 1 m/s."""
    model = Model(
        "apart",
        [Body("trunk", 10.0, (0.1, 0.1, 0.1, 0, 0, 0)), Body("shank", 2.0, (0.1, 0.1, 0.1, 0, 0, 0))],
        [Joint("root", "free", None, "trunk"), Joint("knee", "bushing", "trunk", "shank")],
    )
    settings = free_space(
        max_speed=1.0, duration=0.01, gravity=(0, 0, 0), integrator="runge_kutta_4", time_step=1e-4
    )
    scenario = scenario_of(
        model,
        settings,
        angular_velocity=(0.0, 0.0, 100.0),
        joint_slides={"knee": (6.0, 0.0, 0.0)},
        joint_slide_velocities={"knee": (0.0, -600.0, 0.0)},
        joint_velocities={"knee": (0.0, 0.0, -100.0)},
    )
    recording = run(scenario)
    assert recording.status == "completed", recording.message
    shank = recording.body_names.index("shank")
    np.testing.assert_allclose(recording.position[:, shank] - recording.position[0, shank], 0.0, atol=1e-6)


def test_not_finite():
    """A state that has gone bad (here by hand) is found at the next step, and the body is named."""
    scenario = scenario_of(point_pendulum("revolute", 0.5, 3))
    system = compile_system(scenario)
    system.u_start[1] = np.nan
    recording = run(system)
    assert recording.status == "diverged" and recording.frames == 0
    assert "no longer finite" in recording.message and "actor/link 1" in recording.message
    assert recording.position.shape == (0, 3, 3)


def test_too_stiff_a_contact():
    """A ball on a very stiff ground with long explicit steps: stopped, with the frames until then."""
    skin = Ellipsoid("ball", (0.05, 0.05, 0.05), force_curve=((0.0, 0.0), (1e-4, 1e5)))
    ball = single_body(0.1, (1e-4, 1e-4, 1e-4, 0, 0, 0), ellipsoids=[skin])
    settings = free_space(
        ground=True, time_step=5e-3, output_step=5e-3, integrator="forward_euler", duration=2.0
    )
    scenario = scenario_of(ball, settings, position=(0.0, 0.0, 0.3), velocity=(0.0, 0.0, -2.0))
    recording = run(scenario)
    checked(recording, scenario, "actor/body", "contact")
    exact = run(with_settings(scenario, duration=0.05))
    assert recording.position[:11].tobytes() == exact.position.tobytes()


@pytest.mark.parametrize("integrator", ["symplectic_euler", "runge_kutta_4", "variable_step", "implicit"])
def test_sound_runs_are_not_stopped(integrator):
    """A hard drop with a bounce and damped joints: nothing to complain of."""
    skin = Ellipsoid("skin", (0.1, 0.1, 0.1), force_curve=((0.0, 0.0), (0.01, 3000.0)))
    bodies = [Body(name, 2.0, (0.01, 0.01, 0.01, 0, 0, 0), ellipsoids=[skin]) for name in "ab"]
    joints = [Joint("root", "free", None, "a"), Joint("ball", "spherical", "a", "b", damping=1.0)]
    joints[1].T1 = ((1, 0, 0, 0.3), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    settings = free_space(ground=True, joint_damping=1.0, integrator=integrator, duration=0.8)
    recording = run(scenario_of(Model("pair", bodies, joints), settings, position=(0.0, 0.0, 2.0)))
    assert recording.status == "completed" and recording.message == ""
    assert len(recording.contacts) >= 2
