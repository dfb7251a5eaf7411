"""What can only be measured in a process of its own: start-up, compiling, the interpreted engine, memory.

python -m mannequin.benchmarks.fresh_process first_step | interpreted | memory
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BEGUN = time.perf_counter()

INTERPRETED_STEPS = 200
ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = ("out", "build", "dist", "docs", "tests")
"""Folders of a checkout that its program does not need, besides hidden ones."""


def first_step() -> dict:
    """Seconds from the first import to the first step of the fall, and where they went."""
    from ..engine import Simulation, compile_system

    imported = time.perf_counter()
    from .cases import fall

    scenario = fall(1.0).scenario
    read = time.perf_counter()
    system = compile_system(scenario)
    compiled = time.perf_counter()
    next(iter(Simulation(system).advance()))
    stepped = time.perf_counter()
    return {
        "import_s": imported - BEGUN,
        "read_model_s": read - imported,
        "compile_scenario_s": compiled - read,
        "first_step_s": stepped - compiled,
        "all_s": stepped - BEGUN,
        "cpu_s": time.process_time(),
    }


def interpreted() -> dict:
    """Milliseconds a step without Numba: the man standing at the start of the fall, and lying on his back."""
    from .cases import TIME_STEP, fall, lying_man
    from .timing import engine_only

    duration = INTERPRETED_STEPS * TIME_STEP
    standing = engine_only(fall(duration).scenario, 3)["engine_us"]
    lying = engine_only(lying_man(duration), 3)["engine_us"]
    return {
        "standing_ms": {key: value / 1e3 for key, value in standing.items()},
        "lying_ms": {key: value / 1e3 for key, value in lying.items()},
    }


def peak() -> float:
    """Peak resident memory of this process, MB. Linux counts the parent's into ru_maxrss, so its own figure is read."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024.0
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def memory() -> dict:
    """Peak resident memory in MB: after the imports, after a run of 2 s, after one of 20 s."""

    from .. import engine

    found = {"imported_mb": peak()}
    from .cases import fall

    for seconds in (2.0, 20.0):
        engine.run(fall(seconds).scenario)
        found[f"run_{seconds:g}_s_mb"] = peak()
    return found


MEASUREMENTS = {"first_step": first_step, "interpreted": interpreted, "memory": memory}


def ask_module(module: str, argument: str, **environment: str) -> dict:
    """What a module prints as JSON on its last line, in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-m", module, argument],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"the measurement '{module} {argument}' failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def ask(measurement: str, **environment: str) -> dict:
    """Make a measurement in a fresh process; its wall time, interpreter start included, is added as process_s."""
    begun = time.perf_counter()
    found = ask_module("mannequin.benchmarks.fresh_process", measurement, **environment)
    return found | {"process_s": time.perf_counter() - begun}


def start_up(repeats: int) -> dict:
    """Cold (nothing compiled yet) once, then from the cache several times."""
    with tempfile.TemporaryDirectory(prefix="mannequin-bench-") as folder:
        cold = ask("first_step", MANNEQUIN_CACHE_DIR=folder)
        cached = [ask("first_step", MANNEQUIN_CACHE_DIR=folder) for _ in range(repeats)]
    found = {"cold": cold, "cached": sorted(cached, key=lambda entry: entry["all_s"])}
    prepared = with_prepared_code()
    return found if prepared is None else found | {"prepared": prepared}


def _not_copied(folder: str, names: list[str]) -> list[str]:
    """Of the names in a folder of the checkout, those that are not part of the program."""
    at_top = Path(folder) == ROOT
    return [
        name
        for name in names
        if name in ("__pycache__", "prepared_code") or at_top and (name in NOT_COPIED or name.startswith("."))
    ]


def with_prepared_code() -> dict | None:
    """The first step of all on a machine whose program came with machine code, as from a zip: a copy of the program
    with code made by tools/prepare_code.py, and an empty cache. None where code cannot be prepared."""
    with tempfile.TemporaryDirectory(prefix="mannequin-bench-") as folder:
        copy, cache = Path(folder) / "mannequin", Path(folder) / "cache"
        shutil.copytree(ROOT, copy, ignore=_not_copied)
        environment = {"PYTHONPATH": folder, "MANNEQUIN_CACHE_DIR": str(cache)}
        command = [
            sys.executable,
            copy / "tools" / "prepare_code.py",
            copy / "engine" / "jit" / "prepared_code",
        ]
        if subprocess.run(command, env=os.environ | environment, check=False).returncode != 0:
            return None
        ask("first_step", **environment)  # Python's own compiled files, which a zip's installation makes
        shutil.rmtree(cache, ignore_errors=True)
        return ask("first_step", **environment)


if __name__ == "__main__":
    print(json.dumps(MEASUREMENTS[sys.argv[1]]()))
