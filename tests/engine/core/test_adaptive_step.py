"""Adaptive steps: what they keep, what they take back, and that nothing but the scenario decides on them."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from busy_scene import busy_scenario
from impacts import free_body, scene
from mechanisms import energies, free_space, momenta, scenario_of, single_body
from tumbling import trunk_turns, tumbling

from mannequin.analysis.files.recording_file import compare_recordings
from mannequin.engine import Actor, Joint, Material, Obstacle, Sensor, compile_system, run, run_many, validate
from mannequin.engine.runs.simulation import Simulation
from mannequin.engine.spec import ForcePulse
from mannequin.engine.spec.muscles import Muscle, PathPoint
from mannequin.engine.step.adaptive import TAKEN_BACK

G = 9.81
TIME_STEP = 1e-4
ADAPTIVE = {"time_step": TIME_STEP, "output_step": 1e-2, "largest_step": 5e-3}


def sizes(recording) -> np.ndarray:
    return recording.step_tally[:, 0]


class TestFlight:
    """docs/derivations.md, Adaptive steps: the error of free fall is that of the time step, whatever the sizes."""

    @pytest.fixture(scope="class")
    def recording(self):
        start = {"position": (0.0, 0.0, 2.0), "velocity": (3.0, -1.0, 4.0)}
        return run(scenario_of(single_body(), free_space(**ADAPTIVE), **start))

    def test_places_have_the_error_of_the_time_step_alone(self, recording):
        t = recording.times
        expected = 2.0 + 4.0 * t - G * t**2 / 2 - G * TIME_STEP * t / 2
        assert recording.position[:, 0, 2] == pytest.approx(expected, abs=1e-11)
        assert recording.position[:, 0, :2] == pytest.approx(np.outer(t, [3.0, -1.0]), abs=1e-11)

    def test_speeds_lag_by_half_of_what_a_step_is_longer(self, recording):
        lag = (sizes(recording)[-1] - TIME_STEP) / 2
        assert recording.velocity[-1, 0, 2] == pytest.approx(4.0 - G * (recording.times[-1] - lag), abs=1e-11)

    def test_few_steps_are_taken_and_they_fill_the_time(self, recording):
        assert sizes(recording)[0] == TIME_STEP
        assert sizes(recording)[-1] == pytest.approx(5e-3)
        assert recording.step_tally.prod(axis=1).sum() == pytest.approx(recording.times[-1], rel=1e-12)
        assert recording.step_tally[:, 1].sum() == recording.steps < 250

    def test_output_times_are_those_of_fixed_steps(self, recording):
        assert recording.times == pytest.approx(np.arange(101) * 1e-2, abs=0.0)


def test_a_tumbling_man_keeps_his_momenta_to_round_off():
    """Without gravity, whose impulse the recorded speeds lag behind."""
    scenario = tumbling(time_step=1e-5, largest_step=1e-3, gravity=(0.0, 0.0, 0.0))
    recording = run(scenario)
    assert recording.steps < 0.25 * 0.5 / 1e-5
    linear, angular = momenta(scenario, recording)
    assert np.abs(linear - linear[0]).max() < 1e-12 * np.linalg.norm(linear[0])
    assert np.abs(angular - angular[0]).max() < 1e-12 * np.linalg.norm(angular[0])


def test_the_energy_error_of_flight_goes_with_the_step():
    """First order, as with fixed steps, and less than the angle (rad) by which the trunk turns in a step. The tolerance
    is wide, so that the largest step decides."""

    def drift(largest_step: float) -> float:
        scenario = tumbling(
            time_step=1e-5, largest_step=largest_step, tolerance=1e-2, gravity=(0.0, 0.0, 0.0)
        )
        kinetic, _ = energies(scenario, run(scenario))
        return np.abs(kinetic - kinetic[0]).max() / kinetic[0]

    coarse, fine = drift(4e-4), drift(2e-4)
    turns = trunk_turns(run(tumbling(time_step=1e-5, largest_step=4e-4, gravity=(0.0, 0.0, 0.0))))
    assert coarse < 4e-4 * turns
    assert coarse / fine == pytest.approx(2.0, rel=0.15)


# IFToMM A01: (t, x, y) of the mass, y up, released from the horizontal
PENDULUM = [(0.5, -0.3910487916, -0.9203699488), (1.0, 0.9862917511, -0.1650108531)]


@pytest.mark.parametrize("tolerance, within", [(1e-6, 2e-3), (1e-8, 3e-4)])
def test_a_pendulum_is_where_the_benchmark_has_it(tolerance, within):
    joint = Joint("pivot", "revolute", None, "body", axis=(0.0, 1.0, 0.0))
    body = single_body(1.0, (0.09, 0.09, 0.09, 0, 0, 0), joint, center_of_mass=(0.0, 0.0, -0.9))
    settings = free_space(**(ADAPTIVE | {"duration": 1.0, "tolerance": tolerance}))
    recording = run(scenario_of(body, settings, joint_angles={"pivot": (90.0, 0.0, 0.0)}))
    assert recording.steps < 0.5 * 1.0 / TIME_STEP
    for t, x, y in PENDULUM:
        place = recording.position[round(t / 1e-2), 0] / 0.9
        assert [place[0], place[2]] == pytest.approx([x, y], abs=within)


class TestBounce:
    """A ball of a law whose restitution is known (docs/derivations.md, Restitution), from half a metre."""

    HEIGHT, RADIUS, MASS = 0.5, 0.1, 4.5
    SPEED = np.sqrt(2 * G * HEIGHT)

    def scenario(self, **settings):
        material = Material(
            "m", law="hunt_crossley", stiffness=5e7, exponent=1.5, damping=0.5 / (1.5 * self.SPEED)
        )
        actor = Actor("ball", free_body(material, self.MASS), position=(0, 0, self.RADIUS + self.HEIGHT))
        settings = {"time_step": 1e-5, "output_step": 1e-3, "duration": 0.6} | settings
        return scene(actor, **settings)

    @pytest.fixture(scope="class")
    def recording(self):
        return run(self.scenario(largest_step=1e-3))

    def test_the_touch_is_met_by_the_time_step(self, recording):
        event = recording.contacts[0]
        assert event["approach_speed"] == pytest.approx(self.SPEED, abs=2 * G * 1e-5)
        assert event["start"] == pytest.approx(np.sqrt(2 * self.HEIGHT / G), abs=2e-5)

    def test_restitution(self, recording):
        assert len(recording.contacts) == 1
        after = recording.velocity[-1, 0, 2] + G * (recording.times[-1] - recording.contacts["end"][0])
        assert after / self.SPEED == pytest.approx(0.748435, rel=2e-3)

    def test_the_impulse_is_the_change_of_momentum(self, recording):
        event = recording.contacts[0]
        lag = (1e-3 - 1e-5) / 2
        change = recording.velocity[-1, 0, 2] + G * (recording.times[-1] - lag)
        assert sizes(recording)[-1] == pytest.approx(1e-3)
        assert event["impulse"][2] == pytest.approx(self.MASS * change, rel=1e-10)

    def test_it_costs_the_impact(self, recording):
        event = recording.contacts[0]
        inside = (event["end"] - event["start"]) / 1e-5
        flown = recording.times[-1] / 1e-3
        assert recording.steps < inside + flown + 60

    def test_peaks_are_those_of_the_fixed_step(self, recording):
        fixed = run(self.scenario())
        assert fixed.step_tally.shape == (0, 2)
        for name in ("peak_force", "peak_penetration"):
            assert recording.contacts[name] == pytest.approx(fixed.contacts[name], rel=1e-4)


def test_ten_seconds_with_two_impacts_cost_two_impacts():
    """A ball that flies without weight onto the ground and from there, three quarters as fast, under a ceiling."""
    step, largest = 1e-5, 1e-3
    material = Material("m", law="hunt_crossley", stiffness=5e5, exponent=1.5, damping=0.5 / 1.5)
    actor = Actor("ball", free_body(material, 4.5), position=(0, 0, 3.1), velocity=(0, 0, -1.0))
    ceiling = Obstacle("ceiling", "box", position=(0.0, 0.0, 3.7), half_size=(1.0, 1.0, 0.5))
    settings = {"gravity": (0.0, 0.0, 0.0), "duration": 10.0, "time_step": step, "largest_step": largest}
    recording = run(scene(actor, [ceiling], **settings))
    assert len(recording.contacts) == 2
    inside = (recording.contacts["end"] - recording.contacts["start"]).sum() / step
    # before a touch the step is halved to its last, and behind it doubled from there
    changes = 2 * 2 * np.log2(largest / step)
    assert recording.steps < inside + 10.0 / largest + 2 * changes
    assert recording.steps < 0.02 * 10.0 / step


class TestTakenBack:
    """Two actors, the ground, a box, a spring and a weld, with stiction and patches: trials are taken back there."""

    TIME_STEP = 1e-5

    @pytest.fixture(scope="class")
    def simulation(self):
        simulation = Simulation(compile_system(busy_scenario(time_step=self.TIME_STEP, largest_step=1e-3)))
        for _ in simulation.advance():
            pass
        return simulation

    def test_steps_are_taken_back_and_leave_no_trace(self, simulation):
        assert simulation._step_work.steps.choice[TAKEN_BACK] > 10
        recording = simulation.recording()
        assert recording.status == "completed"
        done = recording.step_tally.prod(axis=1).sum()
        assert done == pytest.approx(recording.times[-1], rel=1e-9)
        # the ledger holds the work of the steps that were kept and of no other
        moved = np.abs(recording.energy[-1, 2:-1]).sum()
        assert abs(recording.energy[-1, -1]) < 0.02 * moved

    def test_first_touches_are_those_of_fixed_steps(self, simulation):
        fixed = run(busy_scenario(time_step=self.TIME_STEP))
        first, other = fixed.contacts[:3], simulation.recording().contacts[:3]
        assert other["start"] == pytest.approx(first["start"], abs=1e-4)
        assert list(other["ellipsoid_a"]) == list(first["ellipsoid_a"])


class TestSameBytes:
    def test_however_a_run_is_cut(self, monkeypatch):
        once = run(busy_scenario(largest_step=1e-3))
        module = sys.modules["mannequin.engine.runs.simulation"]
        for seconds in (0.0, 1e9):
            monkeypatch.setattr(module, "SECONDS_PER_CALL", seconds)
            again = run(busy_scenario(largest_step=1e-3))
            assert compare_recordings(once, again) == {}

    def test_in_a_batch(self):
        scenario = busy_scenario(largest_step=1e-3)
        for outcome in run_many([scenario] * 3, workers=2):
            assert compare_recordings(run(scenario), outcome.result) == {}

    def test_with_a_controller_that_is_asked(self):
        """Calls come at the same times as with fixed steps."""

        def times(**settings):
            seen = []
            run(busy_scenario(**settings), controller=lambda view, _: seen.append(view.time), period=5e-3)
            return seen

        assert times(largest_step=1e-3) == pytest.approx(times(), abs=1e-12)


def test_the_impulse_of_a_constant_push_is_exact():
    """Though it begins and ends between output times, and steps change their size around it."""
    model = single_body(2.0)
    push = ForcePulse("body", (30.0, 0.0, 0.0), 0.2034, 0.0512, shape="constant")
    scenario = scenario_of(model, free_space(**ADAPTIVE, gravity=(0.0, 0.0, 0.0)), force_pulses=[push])
    recording = run(scenario)
    assert recording.steps < 2000
    assert recording.velocity[-1, 0, 0] == pytest.approx(30.0 * 0.0512 / 2.0, rel=1e-12)


def test_sensors_have_a_sample_at_every_time_step():
    """A spinning rod: the point feels w^2 r, constant along the rod; the samples between two steps lie on that line."""
    model = single_body(1.0, (0.01, 0.01, 0.01, 0, 0, 0))
    scenario = scenario_of(model, free_space(**ADAPTIVE), angular_velocity=(0.0, 0.0, 5.0))
    sensor = Sensor("tip", scenario.actors[0].name, "body", point=(0.3, 0.0, 0.0))
    recording = run(replace(scenario, sensors=[sensor], default_sensors=False))
    assert recording.steps < 500
    count = round(recording.times[-1] / TIME_STEP) + 1
    assert recording.channel_times == pytest.approx(np.arange(count) * TIME_STEP, abs=1e-12)
    assert recording.channel_data[:, 0] == pytest.approx(
        np.tile([-(5.0**2) * 0.3, 0.0, 0.0], (count, 1)), abs=1e-4
    )


class TestValidation:
    @staticmethod
    def findings(**settings):
        scenario = scenario_of(single_body(), free_space(**(ADAPTIVE | settings)))
        return [(issue.severity, issue.message) for issue in validate(scenario) if "step" in issue.message]

    def test_other_integrators_are_refused(self):
        assert self.findings(integrator="midpoint") == [
            ("error", "the adaptive step is not for the integrator midpoint")
        ]

    def test_a_step_that_could_not_grow_is_told(self):
        ((severity, message),) = self.findings(largest_step=1.5e-4)
        assert severity == "warning" and "less than two time steps" in message

    def test_a_sound_choice_finds_nothing(self):
        assert self.findings() == []

    def test_muscles_keep_the_time_step(self):
        bodies = single_body(1.0)
        path = (PathPoint("body", (0.0, 0.0, 0.0)), PathPoint("body", (0.1, 0.0, 0.0)))
        muscle = Muscle("m", path, 100.0, 0.05, 0.05)
        scenario = scenario_of(replace(bodies, muscles=[muscle]), free_space(**ADAPTIVE))
        assert any("muscles, so every step" in issue.message for issue in validate(scenario))
