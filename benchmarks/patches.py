"""What sharing a force on one patch costs: the same runs with and without it, in turns, by CPU time.

python -m mannequin.benchmarks.patches [fall_standing ...]
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from ..engine import Simulation, compile_system
from ..io_json.scenario_json import read_scenario
from ..models.library import scenario_path

REPEATS = 9
MODES = ("none", "patches")


def cost(name: str, repeats: int = REPEATS) -> dict[str, float]:
    """Least CPU time per step of a shipped scenario in either mode, microseconds, over runs taken in turns."""
    scenario = read_scenario(scenario_path(name))
    systems = {
        mode: compile_system(replace(scenario, settings=replace(scenario.settings, multi_contact=mode)))
        for mode in MODES
    }
    least = dict.fromkeys(MODES, float("inf"))
    for _ in range(repeats):
        for mode, system in systems.items():
            simulation = Simulation(system)
            begun = time.thread_time()
            for _ in simulation.advance():
                pass
            spent = time.thread_time() - begun
            least[mode] = min(least[mode], 1e6 * spent / simulation.recording().steps)
    return least


def main() -> None:
    """Print a line per scenario."""
    for name in sys.argv[1:] or ["fall_standing"]:
        least = cost(name)
        ratio = least["patches"] / least["none"]
        print(f"{name}: none {least['none']:.2f}, patches {least['patches']:.2f} us/step, ratio {ratio:.3f}")


if __name__ == "__main__":
    main()
