"""How far a very small change of the start moves the end: what is chaotic, and what is not.

    python -m mannequin.benchmarks.perturbation [SCENARIO ...]

Each shipped scenario is run as it is and with `CHANGE` added to the velocity of the actor that falls or is struck (the
last one), along x. Printed: how far that moves the head, or the root where there is no head, at the end of the run.
"""

import dataclasses
import sys

import numpy as np

from ..engine.runs.simulation import run
from ..engine.spec import Scenario
from ..engine.spec.default_sensors import head_body, without_sensors
from ..io_json.scenario_json import read_scenario
from ..models.library import list_scenarios, scenario_path

CHANGE = 1.0e-6
"""m/s"""


def perturbed(scenario: Scenario, change: float = CHANGE) -> Scenario:
    """The scenario with the last actor a little faster along x, and its prescribed motion with it."""
    *others, actor = scenario.actors
    velocity = (actor.velocity[0] + change, *actor.velocity[1:])
    return dataclasses.replace(scenario, actors=[*others, dataclasses.replace(actor, velocity=velocity)])


def final_shift(name: str, change: float = CHANGE) -> float:
    """m: how far the head of the last actor is at the end from where it would be without the change."""
    scenario = without_sensors(read_scenario(scenario_path(name)))
    actor = scenario.actors[-1]
    body = head_body(scenario, actor) or actor.model.bodies[0]
    ends = []
    for asked in (scenario, perturbed(scenario, change)):
        recording = run(asked)
        ends.append(recording.position[-1, recording.body_index(actor.name, body.name)])
    return float(np.linalg.norm(ends[1] - ends[0]))


def main(names: list[str]) -> None:
    """Print a line for each scenario."""
    for name in names or [path.stem for path in list_scenarios()]:
        print(f"{name}: {CHANGE:g} m/s at the start moves the end by {final_shift(name):.2g} m", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
