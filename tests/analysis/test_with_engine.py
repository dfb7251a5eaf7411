"""Results of real runs: tables that follow from each other, measures against closed forms, exact replay."""

from datetime import UTC, datetime

import numpy as np
import pytest
from ball_drop import make_drop, spring_pulse

from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.analysis.files.verify import verify_run
from mannequin.analysis.measures import evaluate
from mannequin.analysis.measures.signals import G0
from mannequin.analysis.pages.step_check import check_step

engine = pytest.importorskip("mannequin.engine.runs.simulation")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def differences(values, step):
    return (values[2:] - values[:-2]) / (2 * step)


def test_columns_follow_from_each_other_in_contact_too():
    """Central differences over two output steps of a bounce that slides and spins up.

    At 20 m/s sideways the ball slides throughout; where sliding ends, friction and with it acceleration jump.
    """
    step = 2e-5
    recording = engine.run(
        make_drop(sideways=20.0, time_step=step, output_step=step, duration=0.03, gravity=(0.0, 0.0, -9.81))
    )
    assert np.max(recording.contact_force) > 1000.0
    for rate, value in (
        (recording.velocity, recording.position),
        (recording.acceleration, recording.velocity),
        (recording.angular_acceleration, recording.angular_velocity),
    ):
        error = np.abs(differences(value, step) - rate[1:-1])
        assert np.max(error) < 0.02 * np.max(np.abs(rate)) + 1e-9
        assert np.median(error) < 1e-3 * np.max(np.abs(rate)) + 1e-9


def test_hic_of_a_mass_on_a_spring():
    """Half-sine of known peak and duration (Chou and Nyquist): HIC = 0.4146456495 A^2.5 T.

    The default integrator is of first order: from two steps, the value at step zero.
    """
    speed = 4.0
    peak, duration = spring_pulse(speed)
    assert duration * 0.67 < 0.015
    values = []
    for step in (2e-5, 1e-5):
        scenario = make_drop(speed, time_step=step, output_step=2e-5, duration=0.03)
        values.append(next(m for m in evaluate(scenario, engine.run(scenario)) if m.name == "HIC15").value)
    extrapolated = 2.0 * values[1] - values[0]
    assert extrapolated == pytest.approx(0.4146456495 * (peak / G0) ** 2.5 * duration, rel=5e-4)


def test_impact_speed_and_contact_time():
    speed, sideways = 4.0, 3.0
    recording = engine.run(make_drop(speed, sideways, time_step=1e-5))
    measures = {m.name: m for m in evaluate(make_drop(), recording)}
    assert measures["impact speed"].value == pytest.approx(np.hypot(speed, sideways), rel=1e-6)
    assert measures["impact speed"].details["approach_m/s"] == pytest.approx(speed, rel=1e-6)
    assert measures["contact duration"].value == pytest.approx(spring_pulse(speed)[1], rel=0.01)
    peak = spring_pulse(speed)[0] * 4.5
    assert measures["peak contact force"].value == pytest.approx(peak, rel=2e-3)


def test_a_run_verifies_to_the_last_bit(tmp_path):
    scenario = make_drop(sideways=2.0)
    folder = write_run(scenario, engine.run(scenario), tmp_path, started=NOW, ended=NOW)
    found = verify_run(folder)
    assert found.problems == [] and found.replay == "identical"


def test_a_cancelled_run_verifies_up_to_where_it_came(tmp_path):
    scenario = make_drop(duration=0.5)
    seen = []
    recording = engine.run(scenario, progress=seen.append, cancel=lambda: len(seen) >= 200)
    assert recording.status == "cancelled" and 200 <= recording.frames < 5001
    found = verify_run(write_run(scenario, recording, tmp_path, started=NOW, ended=NOW))
    assert found.problems == [] and found.replay == "identical"


def test_an_edited_scenario_with_new_digests_is_still_found_out(tmp_path, monkeypatch):
    """Somebody who changes the start speed and recomputes every digest meets the second simulation."""
    scenario = make_drop(4.0)
    recording = engine.run(scenario)
    reported = make_drop(3.9)
    found = verify_run(write_run(reported, recording, tmp_path, started=NOW, ended=NOW))
    assert found.replay == "differs"
    assert any("velocity" in problem for problem in found.problems)


def test_step_check_of_a_real_run(tmp_path):
    scenario = make_drop(4.0)
    run = read_run(write_run(scenario, engine.run(scenario), tmp_path, started=NOW, ended=NOW))
    check = check_step(run.scenario, run.recording)
    assert check.refined_status == "completed"
    reported = {(d.name, d.subject): d for d in check.differences}
    assert reported["HIC15", "man / head"].relative < 0.02
    assert reported["impact speed", "man / head"].relative < 1e-9


def test_the_manifest_names_the_machine_code_that_ran(tmp_path):
    """The digest of the step loop, and of nothing that this process did not run."""
    from mannequin.engine.jit import decorators as jit

    scenario = make_drop(duration=0.01)
    run = read_run(write_run(scenario, engine.run(scenario), tmp_path, started=NOW, ended=NOW))
    code = run.manifest["compiled_code"]
    assert code == jit.code_digests()
    assert [name for name in code if name.startswith("step.loop.advance-")] or not jit.IS_COMPILED
