"""From the click on Simulate to the motion on the rig: the operator's own work in a Blender without a window.

The scene is read and checked, the kept simulation process computes and writes the run folder, Blender reads it, bakes
and shows the results. What a window adds (the timer's tick of 0.05 s, drawing) is not in it.

python -m mannequin.benchmarks.click
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time

from .bake import spread_of
from .fresh_process import ask_module

SCENARIO = "fall_standing"
STEPS = {"shipped": None, "issue": 1e-4}
"""Time step, s: of the scenario as it is, and as issue 31 knew it."""
REPEATS = 5


def measure(repeats: int = REPEATS) -> dict:
    """Seconds by the clock of each of `STEPS`, as {"median", "low", "high"}: "all_s", and of it "simulated_s" until the
    run folder is there."""
    return ask_module("mannequin.benchmarks.click", str(repeats))


def measure_here(repeats: int) -> dict:
    """The measurement itself; Blender must be loaded in no other way in this process."""
    import bpy

    import mannequin

    from ..io_json.scenario_json import read_scenario
    from ..models.library import scenario_path
    from ..scene.run.simulate import SceneRun
    from ..scene.scenario.scenario import build_scenario

    mannequin.register()
    scene = bpy.context.scene
    scenario = read_scenario(scenario_path(SCENARIO))
    build_scenario(scenario, scene)

    def click() -> tuple[float, float]:
        begun = time.perf_counter()
        work = SceneRun(scene)
        work.wait()
        simulated = time.perf_counter()
        work.finish(scene)
        return time.perf_counter() - begun, simulated - begun

    found: dict = {"simulated": scenario.settings.duration, "blender": bpy.app.version_string}
    with tempfile.TemporaryDirectory(prefix="mannequin-bench-") as folder:
        scene.mannequin.runs.folder = folder
        click()
        for name, step in STEPS.items():
            scene.mannequin.settings.time_step = step or scenario.settings.time_step
            times = [click() for _ in range(repeats)]
            found[name] = {
                "all_s": spread_of([whole for whole, _ in times]),
                "simulated_s": spread_of([part for _, part in times]),
            }
    return found


if __name__ == "__main__":
    print(json.dumps(measure_here(int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS)))
    sys.stdout.flush()
    os._exit(0)  # Blender's clean-up at interpreter exit can hang
