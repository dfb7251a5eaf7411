"""What tissue that gives costs: falls of a man as he is shipped and as he was before, in turns, by CPU time.

python -m mannequin.benchmarks.tissue [SCENARIO] [--against FOLDER]

Before: sliders of neck, chest, abdomen and shoulders fixed, and neck and back held by ranges of motion and damping in
place of curves. With --against also the same scenario by another checkout (a folder that holds the package
`mannequin`), each in processes of its own, in turns.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from ..engine import Scenario, Simulation, System, compile_system
from ..io_json.scenario_json import read_scenario
from ..models.library import scenario_path
from ..models.people.joint_damping import apply_joint_damping
from ..models.people.range_of_motion import apply_range_of_motion

ROUNDS = 9
PIECE = 0.02
"""s of simulated time whose CPU time is taken by itself."""
CURVED = ("neckJnt", "headJnt", "lowerbackJnt", "upperbackJnt")
CHILD = """
import sys, time
from mannequin.engine import Simulation, compile_system
from mannequin.io_json.scenario_json import read_scenario
system = compile_system(read_scenario(sys.argv[1]))
best = 1e9
for _ in range(4):
    simulation = Simulation(system)
    begun = time.thread_time()
    for _ in simulation.advance():
        pass
    best = min(best, 1e6 * (time.thread_time() - begun) / simulation.recording().steps)
print(best)
"""


def without_tissue(scenario: Scenario) -> Scenario:
    """The scenario with people who do not give; changes it."""
    for actor in scenario.actors:
        for joint in actor.model.joints:
            if joint.type == "prismatic" and joint.parent is not None:
                joint.type, joint.springs = "fixed", []
            elif joint.name in CURVED:
                joint.springs, joint.damping = [], None
        apply_range_of_motion(actor.model)
        apply_joint_damping(actor.model)
    return scenario


def piece_times(system: System) -> tuple[list[float], int]:
    """(CPU time in s of each piece of one whole run, steps)."""
    simulation = Simulation(system)
    times, begun = [], time.thread_time()
    is_on = True
    while is_on:
        is_on = simulation.step(period=PIECE) is not None
        now = time.thread_time()
        times.append(now - begun)
        begun = now
    return times, simulation.recording().steps


def tissue_cost(name: str, rounds: int = ROUNDS) -> tuple[float, float]:
    """(microseconds per step without, with tissue): the best of rounds taken in turns, for each piece of the run by
    itself, so that other work on the machine counts as little as can be."""
    systems = [
        compile_system(without_tissue(read_scenario(scenario_path(name)))),
        compile_system(read_scenario(scenario_path(name))),
    ]
    best: list[list[float]] = [[], []]
    steps = [1, 1]
    for _ in range(rounds):
        for k, system in enumerate(systems):
            times, steps[k] = piece_times(system)
            best[k] = [min(pair) for pair in zip(best[k] or times, times, strict=True)]
    before, now = (1e6 * sum(times) / count for times, count in zip(best, steps, strict=True))
    return before, now


def checkout_cost(folder: Path, name: str, rounds: int = 3) -> tuple[float, float]:
    """(microseconds per step of the other checkout, of this one), best of processes taken in turns."""
    here = Path(__file__).resolve().parents[1]
    places = [(folder, folder / "mannequin"), (None, here)]
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for k, (path, package) in enumerate(places):
            environment = dict(os.environ, MANNEQUIN_CACHE_DIR=str(package / ".cache" / "engine"))
            if path is not None:
                environment["PYTHONPATH"] = str(path)
            scenario = package / "models" / "scenarios" / f"{name}.json"
            done = subprocess.run(
                [sys.executable, "-c", CHILD, str(scenario)],
                env=environment,
                cwd="/",
                capture_output=True,
                text=True,
                check=True,
            )
            best[k] = min(best[k], float(done.stdout))
    return best[0], best[1]


def main(arguments: list[str]) -> None:
    """Print the cost."""
    parser = argparse.ArgumentParser(prog="mannequin.benchmarks.tissue")
    parser.add_argument("scenario", nargs="?", default="fall_standing")
    parser.add_argument("--against", type=Path, metavar="FOLDER")
    asked = parser.parse_args(arguments)
    before, now = tissue_cost(asked.scenario)
    more = 100.0 * (now / before - 1.0)
    print(f"{asked.scenario}: {before:.2f} us per step without tissue, {now:.2f} us with: {more:+.1f} %")
    if asked.against is not None:
        old, new = checkout_cost(asked.against, asked.scenario)
        print(f"the other checkout {old:.2f} us, this one {new:.2f} us: {100 * (new / old - 1):+.1f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
