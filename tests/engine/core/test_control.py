"""The door for controllers: what is commanded acts as closed forms say, runs share nothing, and bytes do not depend on
buffers, on the language of the controller or on who drives the loop."""

import math

import numpy as np
import pytest
from impacts import term
from linkages import arm
from mechanisms import free_space, point_pendulum, scenario_of, single_body
from muscle_rigs import hinge_model, pulley_muscle
from muscle_rigs import scenario as muscle_scenario

from mannequin.engine import Actor, Motor, Simulation, compile_system, run, run_many
from mannequin.engine.errors import EngineError
from mannequin.engine.jit.late import late
from mannequin.engine.joints.commands import TORQUES
from mannequin.engine.runs import simulation
from mannequin.engine.spec import INTEGRATORS
from mannequin.models.scenarios.falls import fall_standing

WEIGHTLESS = {"gravity": (0.0, 0.0, 0.0), "duration": 0.3}


def bytes_of(recording) -> bytes:
    return recording.position.tobytes() + recording.energy.tobytes() + recording.contact_force.tobytes()


def swinging(**settings):
    """A double pendulum with a motor in its lower joint, which starts bent."""
    model = point_pendulum("revolute", count=2)
    start = {"joint 0": (40.0, 0.0, 0.0), "joint 1": (10.0, 0.0, 0.0)}
    scenario = scenario_of(model, free_space(duration=0.4, **settings), joint_angles=start)
    scenario.actors[0].motors = {"joint 1": Motor(5.0, 0.5, (10.0, 0.0, 0.0))}
    return scenario


def wave(view, commands):
    """Something that depends on time, on the state and on every kind of command that a pendulum has."""
    commands.motor("joint 1", target=(40.0 * math.sin(9.0 * view.time), 0.0, 0.0), damping=0.5 + view.time)
    commands.torque("joint 0", (-0.4 * view.speeds[1], 0.0, 0.0))
    commands.push("link 1", force=(2.0 * view.position[1, 2], 0.0, 1.0))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_commanded_force_moves_and_its_work_is_in_the_ledger(integrator):
    scenario = scenario_of(single_body(2.0), free_space(integrator=integrator, **WEIGHTLESS))
    recording = run(scenario, controller=lambda view, commands: commands.push("body", (3.0, 0.0, 0.0)))
    # it acts from the step after the first call; Runge-Kutta steps meet it within that step
    assert recording.velocity[-1, 0, 0] == pytest.approx(1.5 * 0.3, rel=1e-3)
    assert recording.position[-1, 0, 0] == pytest.approx(0.75 * 0.3**2, rel=2e-3)
    assert term(recording, "actuators")[-1] == pytest.approx(0.5 * 2.0 * 0.45**2, rel=2e-3)
    assert abs(term(recording, "residual")[-1]) < 1e-3


def test_a_commanded_moment_turns_about_the_centre_of_mass():
    model = single_body(2.0, (1.0, 2.0, 3.0, 0, 0, 0), center_of_mass=(0.3, 0.0, 0.0))
    scenario = scenario_of(model, free_space(**WEIGHTLESS))
    recording = run(scenario, controller=lambda view, commands: commands.push("body", moment=(0.0, 0.0, 6.0)))
    assert recording.angular_velocity[-1, 0, 2] == pytest.approx(2.0 * 0.3, rel=1e-3)
    assert np.abs(recording.velocity).max() < 1e-12
    assert term(recording, "actuators")[-1] == pytest.approx(0.5 * 3.0 * 0.6**2, rel=2e-3)


def test_a_commanded_torque_is_that_of_a_motor_with_a_base_torque():
    model = arm()
    free = run(
        scenario_of(model, free_space(**WEIGHTLESS)),
        controller=lambda v, c: c.torque("hinge", (2.0, 0.0, 0.0)),
    )
    scenario = scenario_of(model, free_space(**WEIGHTLESS))
    scenario.actors[0].motors = {"hinge": Motor(base_torque=(2.0, 0.0, 0.0))}
    np.testing.assert_allclose(
        free.angular_velocity[-1], run(scenario).angular_velocity[-1], rtol=1e-3, atol=1e-12
    )
    assert np.abs(free.angular_velocity[-1]).max() > 0.1


def test_commands_of_what_is_authored_change_no_byte():
    scenario = swinging()

    def same(view, commands):
        commands.motor("joint 1", target=(10.0, 0.0, 0.0), stiffness=5.0, damping=0.5)

    assert bytes_of(run(scenario, controller=same)) == bytes_of(run(scenario))


def test_runs_of_one_system_share_nothing():
    system = compile_system(swinging())
    alone = bytes_of(run(system))
    moved = bytes_of(run(system, controller=wave))
    assert moved != alone
    assert bytes_of(run(system)) == alone and bytes_of(run(system, controller=wave)) == moved


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_bytes_do_not_depend_on_buffers(integrator, monkeypatch):
    scenario = swinging(integrator=integrator, time_step=5e-4, output_step=1e-3)
    whole = bytes_of(run(scenario, controller=wave, period=0.004))
    monkeypatch.setattr(Simulation, "_buffer", lambda self, frames, make=Simulation._buffer: make(self, 1))
    assert bytes_of(run(scenario, controller=wave, period=0.004)) == whole


def test_contacts_with_room_to_grow_and_samples_in_pieces(monkeypatch):
    scenario = fall_standing()
    scenario.settings.duration = 0.9

    def hold(view, commands):
        commands.motor("elbowlJnt", target=(0.0, 60.0 * view.time, 0.0), stiffness=30.0)

    whole = run(scenario, controller=hold)
    monkeypatch.setattr(simulation, "LARGEST_SAMPLES", 5000)
    pieces = run(scenario, controller=hold)
    assert bytes_of(pieces) == bytes_of(whole) and len(whole.contacts) > 4
    assert pieces.channel_data.tobytes() == whole.channel_data.tobytes()


@late(3, 2)
def brake(k, s, w, t, period):
    """Resists the first joint of a pendulum, growing with time."""
    s.commands.torque[0, 0] = -(0.5 + t) * s.u[0]
    s.commands.used[TORQUES] = 1


def brake_in_python(view, commands):
    commands.arrays.torque[0, 0] = -(0.5 + view.time) * view.speeds[0]
    commands.arrays.used[TORQUES] = 1


def test_a_compiled_controller_gives_the_bytes_of_the_same_in_python():
    scenario = scenario_of(
        point_pendulum("revolute"), free_space(duration=0.5), joint_angles={"joint 0": (30.0, 0.0, 0.0)}
    )
    compiled = run(scenario, controller=brake)
    assert bytes_of(compiled) == bytes_of(run(scenario, controller=brake_in_python))
    assert bytes_of(compiled) != bytes_of(run(scenario))


def test_a_loop_of_ones_own_gives_the_same_bytes():
    system = compile_system(swinging())
    own = Simulation(system)
    times = []
    view = own.step(period=0.004)
    while view is not None:
        times.append(view.time)
        wave(view, own.commands)
        view = own.step(own.commands, period=0.004)
    assert bytes_of(own.recording()) == bytes_of(run(system, controller=wave, period=0.004))
    np.testing.assert_allclose(times, 0.004 * np.arange(len(times)), atol=1e-9)
    assert len(times) == 100 and own.recording().status == "completed"


def test_commands_may_come_from_another_run():
    system = compile_system(swinging())
    leader, follower = Simulation(system), Simulation(system)
    while (view := leader.step()) is not None:
        wave(view, leader.commands)
        follower.step(leader.commands)
    assert follower.step() is None
    assert follower.recording().frames == leader.recording().frames
    # the follower hears of a command one period late
    assert bytes_of(follower.recording()) != bytes_of(leader.recording())


@pytest.mark.parametrize("integrator", ("symplectic_euler", "variable_step"))
def test_calls_come_at_every_period(integrator):
    times = []
    scenario = swinging(integrator=integrator, output_step=0.01, time_step=1e-3)
    run(scenario, controller=lambda view, commands: times.append(view.time), period=0.003)
    np.testing.assert_allclose(times, 0.003 * np.arange(134), atol=1e-9)


def test_what_a_controller_sees_is_what_is_recorded():
    scenario = fall_standing()
    scenario.settings.duration = 0.5
    seen = []

    def look(view, commands):
        seen.append((view.position, view.velocity, view.rotation, view.contact_force))

    recording = run(scenario, controller=look, period=0.05)
    for k, (position, velocity, rotation, force) in enumerate(seen):
        frame = 50 * k
        np.testing.assert_allclose(position, recording.position[frame], atol=1e-12)
        np.testing.assert_allclose(velocity, recording.velocity[frame], atol=1e-12)
        np.testing.assert_allclose(rotation[3], recording.rotation(3)[frame], atol=1e-12)
        np.testing.assert_allclose(force, recording.contact_force[frame], atol=1e-9)
    assert len(seen) == 10 and np.abs(seen[-1][3]).max() > 100.0


def test_many_runs_have_a_controller_each():
    scenarios = [swinging() for _ in range(4)]
    made = []

    def controller(system):
        made.append(system)
        gain = 0.1 * len(made)
        return lambda view, commands: commands.torque("joint 0", (gain, 0.0, 0.0))

    outcomes = list(run_many(scenarios, controller=controller, workers=1))
    ends = {o.index: o.result.position[-1].tobytes() for o in outcomes}
    assert len(set(ends.values())) == 4 and all(o.error is None for o in outcomes)
    alone = run(scenarios[1], controller=lambda view, commands: commands.torque("joint 0", (0.2, 0.0, 0.0)))
    assert ends[1] == alone.position[-1].tobytes()
    together = run_many([swinging()] * 4, controller=lambda system: wave, workers=2)
    assert {bytes_of(o.result) for o in together} == {bytes_of(run(swinging(), controller=wave))}


def test_a_commanded_excitation_is_reached_as_the_activation_says():
    scenario = muscle_scenario(hinge_model(pulley_muscle()), duration=0.2)
    own = run(scenario)
    recording = run(scenario, controller=lambda view, commands: commands.excite("muscle", 0.7))
    name = recording.muscle_names[0]
    assert name == "muscle"
    assert recording.muscle_channel("excitation")[-1, 0] == pytest.approx(0.7)
    assert recording.muscle_channel("activation")[-1, 0] == pytest.approx(0.7, abs=0.02)
    given_back = run(scenario, controller=lambda view, commands: commands.excite("muscle", None))
    assert bytes_of(given_back) == bytes_of(own)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda view, commands: commands.motor("joint 0", stiffness=1.0), "no motor"),
        (lambda view, commands: commands.torque("knee", (0, 0, 0)), "there is none"),
        (lambda view, commands: commands.push("arm"), "there is none"),
        (lambda view, commands: commands.excite("biceps", 1.0), "there is none"),
    ],
)
def test_wrong_names_are_told(wrong, said):
    with pytest.raises(EngineError, match=said):
        run(swinging(), controller=wrong)


def test_a_name_that_two_actors_have_needs_the_actor():
    scenario = swinging()
    other = Actor("other", scenario.actors[0].model, position=(3.0, 0.0, 0.0))
    scenario.actors.append(other)
    with pytest.raises(EngineError, match="2 actors"):
        run(scenario, controller=lambda view, commands: commands.push("link 1", (1.0, 0.0, 0.0)))
    run(scenario, controller=lambda view, commands: commands.push("other/link 1", (1.0, 0.0, 0.0)))


def test_a_period_must_be_above_zero():
    with pytest.raises(EngineError, match="period"):
        run(swinging(), controller=wave, period=0.0)


def test_a_motor_that_follows_its_table_does_not_lag():
    """A ramp of 90 degrees in a second: without the rate a motor lags by damping / stiffness seconds of it."""
    table = ((0.0, 0.0, 0.0, 0.0), (1.0, 90.0, 0.0, 0.0))
    lag = {}
    for follows in (False, True):
        scenario = scenario_of(point_pendulum("revolute"), free_space(gravity=(0, 0, 0), duration=0.8))
        motor = Motor(400.0, 40.0, target_over_time=table, follows=follows)
        scenario.actors[0].motors = {"joint 0": motor}
        scenario.actors[0].joint_velocities = {"joint 0": (math.pi / 2, 0.0, 0.0)}
        angle = np.degrees(run(scenario).joint_angle[-1, 0, 1])
        lag[follows] = 0.8 * 90.0 - angle
    assert lag[False] == pytest.approx(9.0, rel=0.02) and abs(lag[True]) < 0.05
