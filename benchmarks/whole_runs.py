"""From scenario to result: a fall of 1 s once the engine is loaded, a whole `run` with its files, other files."""

import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ..analysis.files.recording_file import read_recording, write_recording
from ..engine import run
from ..io_json import model_json
from ..io_json.scenario_json import read_scenario, write_scenario
from ..models.library import library_path, load_model, scenario_path
from .cases import fall
from .timing import spread

SCENARIO = "fall_standing"
ISSUE_STEP = 1e-4
"""s: the scenario's step when issue 31 was written; it takes five times as many now."""


def wall_and_cpu(action: Callable[[], object], repeats: int) -> dict:
    """Spreads of the wall and of the CPU seconds of this thread."""
    walls, cpus = [], []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.thread_time()
        action()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.thread_time() - cpu)
    return {"wall_s": vars(spread(walls)), "cpu_s": vars(spread(cpus))}


def loaded_fall(repeats: int) -> dict:
    """One second of the fall from standing: scenario compiled, stepped, recorded."""
    scenario = fall(1.0).scenario
    run(scenario)
    return wall_and_cpu(lambda: run(scenario), repeats)


def command_run(repeats: int, *options: str) -> dict:
    """`mannequin run` of a shipped scenario in a process of its own, with all its files; the engine is in the cache."""
    walls, cpus = [], []
    with tempfile.TemporaryDirectory(prefix="mannequin-bench-") as folder:
        command = [sys.executable, "-m", "mannequin", "run", SCENARIO, "--out", folder, *options]
        for _ in range(repeats):
            begun, before = time.perf_counter(), os.times()
            subprocess.run(command, check=True, capture_output=True)
            after = os.times()
            walls.append(time.perf_counter() - begun)
            cpus.append(
                after.children_user - before.children_user + after.children_system - before.children_system
            )
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / repeats
    duration = read_scenario(scenario_path(SCENARIO)).settings.duration
    return {
        "scenario": SCENARIO,
        "simulated_s": duration,
        "written_mb": size / 1e6,
        "wall_s": vars(spread(walls)),
        "cpu_s": vars(spread(cpus)),
    }


def files(repeats: int) -> dict[str, dict]:
    """CPU milliseconds of reading and writing models, scenarios and recordings."""
    model, scenario = load_model("male"), read_scenario(scenario_path(SCENARIO))
    model_text = library_path("male").read_text(encoding="utf-8")
    recording = run(fall(1.0).scenario)
    with tempfile.TemporaryDirectory(prefix="mannequin-bench-") as folder:
        stored = Path(folder) / "recording.npz"
        with stored.open("wb") as file:
            write_recording(recording, file)
        actions = {
            "read a model": lambda: model_json.loads(model_text),
            "write a model": lambda: model_json.dumps(model),
            "read a scenario with its model": lambda: read_scenario(scenario_path(SCENARIO)),
            "write a scenario": lambda: write_scenario(scenario, Path(folder) / "scenario.json", True),
            "write a recording of 1 s": lambda: write_recording(recording, io.BytesIO()),
            "read a recording of 1 s": lambda: read_recording(stored),
        }
        timed = {name: wall_and_cpu(action, repeats)["cpu_s"] for name, action in actions.items()}
    return {name: {key: 1e3 * value for key, value in entry.items()} for name, entry in timed.items()}


def measure(repeats: int) -> dict:
    """Times of whole runs and of what they consist of."""
    return {
        "loaded_fall": loaded_fall(repeats),
        "command": command_run(repeats),
        "issue_step": command_run(repeats, "--set", f"time_step={ISSUE_STEP:g}"),
        "files_ms": files(repeats),
    }
