"""From the click on Simulate to the motion on the rig: the operator's own work in a Blender without a window.

The scene is read and checked, the kept simulation process computes, Blender reads the recording and bakes it; meanwhile
the run folder is written, and then the results are shown. What a window adds (the timer's tick of 0.05 s, drawing) is
not in it.

python -m mannequin.benchmarks.click
"""

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
    """Seconds by the clock of each of `STEPS`, as {"median", "low", "high"}: "all_s" until the motion is baked, of it
    "simulated_s" until it can be read, and "files_s" until the files are complete and the results shown."""
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

    def click() -> dict[str, float]:
        begun = time.perf_counter()
        work = SceneRun(scene)
        work.wait_for_motion()
        simulated = time.perf_counter()
        work.bake_early(scene)
        baked = time.perf_counter()
        work.wait()
        work.finish(scene)
        ends = {"all_s": baked, "simulated_s": simulated, "files_s": time.perf_counter()}
        return {name: end - begun for name, end in ends.items()}

    found: dict = {"simulated": scenario.settings.duration, "blender": bpy.app.version_string}
    with tempfile.TemporaryDirectory(prefix="mannequin-bench-") as folder:
        scene.mannequin.runs.folder = folder
        click()
        for name, step in STEPS.items():
            scene.mannequin.settings.time_step = step or scenario.settings.time_step
            times = [click() for _ in range(repeats)]
            found[name] = {part: spread_of([time[part] for time in times]) for part in times[0]}
    return found


if __name__ == "__main__":
    print(json.dumps(measure_here(int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS)))
    sys.stdout.flush()
    os._exit(0)  # Blender's clean-up at interpreter exit can hang
