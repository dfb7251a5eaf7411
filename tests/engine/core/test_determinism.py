"""The same run gives the same bytes, however it is cut into calls; interpreted and compiled code agree."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from busy_scene import busy_scenario

from mannequin.engine import compile_system, run, simulate
from mannequin.engine.jit import decorators as jit
from mannequin.engine.runs.simulation import Simulation
from mannequin.engine.step.frames import FRAME_SHAPES
from mannequin.models.scenarios.every_kernel import kernel_scenarios

SUPPORT = Path(__file__).parents[2] / "support"
ARRAYS = ("times", *FRAME_SHAPES, "energy")


def same_bytes(first, second):
    for name in ARRAYS:
        a, b = getattr(first, name), getattr(second, name)
        assert a.shape == b.shape and a.tobytes() == b.tobytes(), name
    assert first.contacts.tobytes() == second.contacts.tobytes()
    assert (first.steps, first.status) == (second.steps, second.status)


@pytest.fixture(scope="module")
def once():
    recording = run(busy_scenario())
    assert recording.status == "completed"
    surfaces = {(event["ellipsoid_b"] >= 0, int(event["obstacle_b"])) for event in recording.contacts}
    # the case is worth running: both actors touch each other, the ground and the box
    assert (True, -1) in surfaces and (False, 0) in surfaces and (False, 1) in surfaces
    return recording


def test_the_same_run_gives_the_same_bytes(once):
    same_bytes(once, run(busy_scenario()))


@pytest.mark.parametrize("number", range(len(kernel_scenarios())))
def test_bytes_do_not_depend_on_what_memory_held_before(number, monkeypatch):
    """Frames, histories and samples begin in memory that nobody has cleared."""
    scenario = kernel_scenarios()[number]
    scenario.settings.duration = min(scenario.settings.duration, 0.02)
    scenario.settings.contact_history = True
    system = compile_system(scenario)
    found = run(system)
    whole = np.full

    def filled(shape, dtype=float, **_):
        return whole(shape, np.nan if np.issubdtype(dtype, np.floating) else -7, dtype)

    monkeypatch.setattr(np, "empty", filled)
    again = run(system)
    same_bytes(found, again)
    for name in ("muscle_energy", "channel_data", "channel_times", "contact_history"):
        assert getattr(found, name).tobytes() == getattr(again, name).tobytes(), name


@pytest.mark.parametrize("integrator", ["variable_step", "runge_kutta_4", "implicit"])
def test_with_other_integrators_too(integrator):
    scenario = busy_scenario(integrator=integrator, duration=0.05)
    same_bytes(run(scenario), run(scenario))


def test_bytes_do_not_depend_on_how_a_run_is_cut(once, monkeypatch):
    """One frame a call for ever, or all frames in one call."""
    module = sys.modules["mannequin.engine.runs.simulation"]
    monkeypatch.setattr(module, "SECONDS_PER_CALL", 0.0)
    same_bytes(once, run(busy_scenario()))
    monkeypatch.setattr(module, "SECONDS_PER_CALL", 1e9)
    same_bytes(once, run(busy_scenario()))


def test_bytes_do_not_depend_on_who_drains_the_generator(once):
    generator = simulate(compile_system(busy_scenario()))
    count = 0
    while True:
        try:
            next(generator)
            count += 1
        except StopIteration as stop:
            recording = stop.value
            break
    assert count == once.frames
    same_bytes(once, recording)


def test_a_simulation_is_run_by_who_looks_at_its_frames(once):
    """`run` takes the Simulation itself; its frames are there when progress is told, and a cancel keeps them."""
    simulation, seen = Simulation(compile_system(busy_scenario())), []
    recording = run(simulation, lambda state: seen.append(simulation.frames_so_far().frames >= state.frame))
    assert len(seen) == once.frames and all(seen)
    same_bytes(once, recording)
    simulation, seen = Simulation(compile_system(busy_scenario())), []
    cut = run(simulation, seen.append, lambda: len(seen) == 5)
    assert len(seen) == 5 and cut.status == "cancelled" and 5 <= cut.frames < once.frames
    assert cut.position.tobytes() == once.position[: cut.frames].tobytes()


def test_frames_do_not_depend_on_the_output_step(once):
    """Output times only look at a run: fewer of them show the same motion."""
    sparse = run(busy_scenario(output_step=1e-2))
    for name in ("position", "quaternion", "velocity", "acceleration"):
        assert getattr(sparse, name).tobytes() == getattr(once, name)[::10].tobytes(), name


SCRIPT = """
import sys
import numpy as np
from busy_scene import busy_scenario
from mannequin.engine import run
from mannequin.engine.jit import decorators as jit
assert not jit.IS_COMPILED
out, integrator, duration, *names = sys.argv[1:]
recording = run(busy_scenario(duration=float(duration), time_step=1e-3, integrator=integrator))
np.savez(out, **{name: getattr(recording, name) for name in names})
"""


@pytest.mark.long
@pytest.mark.skipif(not jit.IS_COMPILED, reason="everything runs interpreted here")
@pytest.mark.parametrize(
    ("integrator", "duration"), [("symplectic_euler", 0.1), ("runge_kutta_4", 0.06), ("implicit", 0.05)]
)
def test_interpreted_and_compiled_agree(integrator, duration, tmp_path):
    """Chaos amplifies round-off, so the run is short; it has contacts all the same."""
    out = str(tmp_path / "interpreted.npz")
    path = os.pathsep.join([str(SUPPORT), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"MANNEQUIN_INTERPRETED": "1", "PYTHONPATH": path}
    command = [sys.executable, "-c", SCRIPT, out, integrator, str(duration), *ARRAYS]
    subprocess.run(command, check=True, env=environment, timeout=250)
    compiled = run(busy_scenario(duration=duration, time_step=1e-3, integrator=integrator))
    assert len(compiled.contacts)
    with np.load(out) as interpreted:
        for name in ARRAYS:
            ours = getattr(compiled, name)
            size = np.abs(ours).max(initial=1e-300)
            assert np.abs(interpreted[name] - ours).max(initial=0.0) <= 1e-12 * size, name
