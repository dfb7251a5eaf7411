"""What tissue that gives costs: falls of a man as he is shipped and as he was before, in turns, by CPU time.

python -m mannequin.benchmarks.tissue [SCENARIO] [--against FOLDER] [--step SECONDS] [--duration SECONDS]

Before: sliders of neck, chest, abdomen and shoulders fixed, and neck and back held by ranges of motion and damping in
place of curves. With --against instead the same scenario by another checkout (a folder that holds the package
`mannequin`), each in processes of its own, in turns, with steps and a duration that may be given where the two files
differ in them; "free_flight" there is each checkout's own man turning in the air, without motors.
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
from mannequin.engine import Actor, Scenario, Settings, Simulation, compile_system
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import load_model
path, step, duration = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
if path.endswith("free_flight.json"):
    man = load_model("male")
    for joint in man.joints:
        joint.motor = None
    man = Actor("man", man, position=(0.0, 0.0, 50.0), angular_velocity=(1.0, 2.0, 3.0))
    scenario = Scenario("free flight", [man], settings=Settings(ground=False, duration=0.5))
else:
    scenario = read_scenario(path)
scenario.settings.time_step = step or scenario.settings.time_step
scenario.settings.duration = duration or scenario.settings.duration
system = compile_system(scenario)
best = 1e9
for _ in range(3):
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


def checkout_cost(
    folder: Path, name: str, step: float = 0.0, duration: float = 0.0, rounds: int = 3
) -> list[list[float]]:
    """Microseconds per step of the other checkout and of this one in processes taken in turns; step, duration: s, or
    0 for those of each one's own file."""
    here = Path(__file__).resolve().parents[1]
    places = [(folder, folder / "mannequin"), (None, here)]
    found: list[list[float]] = [[], []]
    for _ in range(rounds):
        for k, (path, package) in enumerate(places):
            environment = dict(os.environ, MANNEQUIN_CACHE_DIR=str(package / ".cache" / "engine"))
            if path is not None:
                environment["PYTHONPATH"] = str(path)
            scenario = package / "models" / "scenarios" / f"{name}.json"
            done = subprocess.run(
                [sys.executable, "-c", CHILD, str(scenario), str(step), str(duration)],
                env=environment,
                cwd="/",
                capture_output=True,
                text=True,
                check=True,
            )
            found[k].append(float(done.stdout))
    return found


def main(arguments: list[str]) -> None:
    """Print the cost."""
    parser = argparse.ArgumentParser(prog="mannequin.benchmarks.tissue")
    parser.add_argument("scenario", nargs="?", default="fall_standing")
    parser.add_argument("--against", type=Path, metavar="FOLDER")
    parser.add_argument("--step", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--duration", type=float, default=0.0, metavar="SECONDS")
    asked = parser.parse_args(arguments)
    if asked.against is None:
        before, now = tissue_cost(asked.scenario)
        more = 100.0 * (now / before - 1.0)
        print(f"{asked.scenario}: {before:.2f} us per step without tissue, {now:.2f} us with: {more:+.1f} %")
        return
    old, new = checkout_cost(asked.against, asked.scenario, asked.step, asked.duration)
    turns = sorted(100.0 * (b / a - 1.0) for a, b in zip(old, new, strict=True))
    print(
        f"{asked.scenario}: the other checkout {min(old):.2f} us per step, this one {min(new):.2f} us: "
        f"{100 * (min(new) / min(old) - 1):+.1f} % (turns {turns[0]:+.1f} to {turns[-1]:+.1f})"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
