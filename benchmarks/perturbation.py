"""How far a small change of the start moves the end of the shipped falls: what is chaotic, and what is not.

python -m mannequin.benchmarks.perturbation [scenario ...]

Every actor is given 1e-6 m/s more, in one direction after the other; the largest shift of a head at the end is printed.
"""

import sys
from dataclasses import replace

import numpy as np

from ..engine import Scenario, run
from ..io_json.scenario_json import read_scenario
from ..models.library import list_scenarios, scenario_path

CHANGE = 1e-6
"""m/s"""


def changed(scenario: Scenario, direction: int) -> Scenario:
    """The scenario with all actors faster by CHANGE along an axis."""
    shift = CHANGE * np.eye(3)[direction]
    actors = [replace(a, velocity=tuple(np.array(a.velocity, dtype=float) + shift)) for a in scenario.actors]
    return replace(scenario, actors=actors)


def shifts(name: str) -> tuple[list[float], float]:
    """(largest shift of a head's or else any body's centre at the end for each axis, m; duration, s)."""
    scenario = read_scenario(scenario_path(name))
    base = run(scenario)
    heads = [i for i, body in enumerate(base.body_names) if body == "head"] or list(
        range(len(base.body_names))
    )
    found = []
    for direction in range(3):
        end = run(changed(scenario, direction)).position[-1, heads]
        found.append(float(np.linalg.norm(end - base.position[-1, heads], axis=1).max()))
    return found, float(base.times[-1])


def main() -> None:
    """Print a line per scenario."""
    for name in sys.argv[1:] or [path.stem for path in list_scenarios()]:
        found, duration = shifts(name)
        print(f"{name}: {', '.join(f'{shift:.1e}' for shift in found)} m after {duration:g} s", flush=True)


if __name__ == "__main__":
    main()
