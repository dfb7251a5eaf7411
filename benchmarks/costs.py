"""What sharing a force on one patch, the default sensors and responses cost: the same runs with and without, in turns.

    python -m mannequin.benchmarks.costs [SCENARIO] [ROUNDS]

Prints the time of a step of a scenario and what of it sharing (against `multi_contact` `none`) and sensors cost, what
keeping balance with steps in reserve costs a man who stands (against motors that hold him as stiffly), and whether each
is within its bound. By the CPU time of the thread that computes; the best of the rounds counts, since
other work on the machine only ever adds to a time. All run at `STEP`, whatever the scenario's own step is: the cost of
one step is asked.
"""

import sys
import time
from dataclasses import replace

from ..engine import Response, Simulation, System, compile_system
from ..engine.responses.compile import response_motors
from ..engine.spec.default_sensors import without_sensors
from ..io_json.scenario_json import read_scenario
from ..models.library import scenario_path
from ..models.validation.active_falls import fall_scenario

ROUNDS = 12
STEP = 1.0e-4
"""s"""
BOUNDS = {"patches": 0.05, "sensors": 0.08, "response": 0.10}
"""Largest share of a step that each may cost: the first two on the fall from standing, the last of a man who stands."""
STANDING = 0.5
"""s for which he stands: so short that the one whom motors hold has not yet leaned."""


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


def response_cost(rounds: int = ROUNDS) -> float:
    """Share of a step that a response costs a man who stands."""
    with_response = fall_scenario(Response("adult", balance=True, steps=4), "male", 0.0, 0.0, STANDING)
    (man,) = with_response.actors
    held = replace(man, motors=response_motors(man), response=None)
    variants = (with_response, replace(with_response, actors=[held]))
    systems = [
        compile_system(replace(variant, settings=replace(variant.settings, time_step=STEP)))
        for variant in variants
    ]
    times = [[seconds_per_step(system) for system in systems] for _ in range(rounds + 1)][1:]
    with_it, without = (min(column) for column in zip(*times, strict=True))
    return with_it / without - 1.0


def main(arguments: list[str]) -> int:
    """Print the costs; ends with code 1 where one is above its bound."""
    name = arguments[0] if arguments else "fall_standing"
    rounds = int(arguments[1]) if len(arguments) > 1 else ROUNDS
    whole, found = costs(name, rounds)
    found["response"] = response_cost(rounds)
    print(f"{name}: {1e6 * whole:.2f} us per step")
    for what, share in found.items():
        verdict = "met" if share <= BOUNDS[what] else "missed"
        print(f"{what}: {100.0 * share:+.1f} %, at most {100.0 * BOUNDS[what]:g} %: {verdict}")
    return 0 if all(share <= BOUNDS[what] for what, share in found.items()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
