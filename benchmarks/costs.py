"""What sharing a force on one patch and what the default sensors cost: the same runs with and without, in turns.

    python -m mannequin.benchmarks.costs [SCENARIO] [ROUNDS]

Prints the time of a step of a scenario and what of it sharing (against `multi_contact` `none`) and sensors cost, and
whether each is within its bound. By the CPU time of the thread that computes; the best of the rounds counts, since
other work on the machine only ever adds to a time. All run at `STEP`, whatever the scenario's own step is: the cost of
one step is asked.
"""

import sys
import time
from dataclasses import replace

from ..engine import Simulation, System, compile_system
from ..engine.spec.default_sensors import without_sensors
from ..io_json.scenario_json import read_scenario
from ..models.library import scenario_path

ROUNDS = 12
STEP = 1.0e-4
"""s"""
BOUNDS = {"patches": 0.05, "sensors": 0.08}
"""Largest share of a step that each may cost on the fall from standing."""


def seconds_per_step(system: System) -> float:
    """CPU time of one whole run per time step, s."""
    simulation = Simulation(system)
    begun = time.thread_time()
    for _ in simulation.advance():
        pass
    return (time.thread_time() - begun) / simulation.recording().steps


def costs(name: str = "fall_standing", rounds: int = ROUNDS) -> tuple[float, dict[str, float]]:
    """(seconds of a step as it is, share of a step that patches and sensors cost)."""
    scenario = read_scenario(scenario_path(name))
    scenario = replace(scenario, settings=replace(scenario.settings, time_step=STEP))
    apart = replace(scenario, settings=replace(scenario.settings, multi_contact="none"))
    variants = (scenario, apart, without_sensors(scenario))
    systems = [compile_system(variant) for variant in variants]
    times = [[seconds_per_step(system) for system in systems] for _ in range(rounds + 1)][1:]
    whole, no_patches, no_sensors = (min(column) for column in zip(*times, strict=True))
    return whole, {"patches": whole / no_patches - 1.0, "sensors": whole / no_sensors - 1.0}


def main(arguments: list[str]) -> int:
    """Print the costs; ends with code 1 where one is above its bound."""
    name = arguments[0] if arguments else "fall_standing"
    whole, found = costs(name, int(arguments[1]) if len(arguments) > 1 else ROUNDS)
    print(f"{name}: {1e6 * whole:.2f} us per step")
    for what, share in found.items():
        verdict = "met" if share <= BOUNDS[what] else "missed"
        print(f"{what}: {100.0 * share:+.1f} %, at most {100.0 * BOUNDS[what]:g} %: {verdict}")
    return 0 if all(share <= BOUNDS[what] for what, share in found.items()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
