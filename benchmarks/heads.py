"""Numbers of the head in shipped scenarios, and what the neck's tone does to a standing fall (docs/physics.md).

    python -m mannequin.benchmarks.heads SCENARIO ...
    python -m mannequin.benchmarks.heads --tone

The second runs `fall_standing` with the neck of somebody conscious, of twice that strength, unconscious, and passive.
"""

import argparse
import dataclasses
import sys

from ..analysis.measures import evaluate
from ..engine.runs.simulation import run
from ..engine.spec import Scenario
from ..io_json.scenario_json import read_scenario
from ..models.library import scenario_path
from ..models.people.posture import CONSCIOUS, NECK_TONE, UNCONSCIOUS, neck_motors

NAMES = ("impact speed", "HIC15", "peak acceleration", "Nij", "neck compression")
HEADINGS = ("head strikes at, m/s", "HIC15", "peak of the head, g", "Nij", "neck compression, kN")
NECKS = {
    "conscious (shipped)": CONSCIOUS,
    "twice the strength": 2.0,
    "unconscious": UNCONSCIOUS,
    "passive: cadaver": 0.0,
}
"""Shares of the neck's strength."""


def head_numbers(scenario: Scenario) -> dict[str, dict[str, float]]:
    """Values of `NAMES` that a run has, by head."""
    found: dict[str, dict[str, float]] = {}
    for measure in evaluate(scenario, run(scenario)):
        if (
            measure.name in NAMES
            and measure.subject.lower().endswith("/ head")
            and measure.value == measure.value
        ):
            found.setdefault(measure.subject, {})[measure.name] = measure.value
    return found


def with_neck(scenario: Scenario, strength: float) -> Scenario:
    """The same with a share of the neck's strength; 0: without motors there."""
    actor = scenario.actors[0]
    posture = {joint: motor.target for joint, motor in actor.motors.items()}
    neck = neck_motors(actor.model, posture, strength) if strength else {}
    motors = {joint: motor for joint, motor in actor.motors.items() if joint not in NECK_TONE} | neck
    return dataclasses.replace(
        scenario, actors=[dataclasses.replace(actor, motors=motors), *scenario.actors[1:]]
    )


def row(title: str, numbers: dict[str, float]) -> str:
    """A line of the table; what a run does not have is a dash."""
    digits = {"impact speed": ".1f", "Nij": ".2f", "neck compression": ".2f"}
    scale = {"neck compression": 1e-3}
    cells = [
        f"{numbers[name] * scale.get(name, 1.0):{digits.get(name, '.0f')}}" if name in numbers else "-"
        for name in NAMES
    ]
    return f"| {title} | {' | '.join(cells)} |"


def main(arguments: list[str]) -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="heads", description=__doc__.split("\n")[0])
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="shipped scenarios")
    parser.add_argument("--tone", action="store_true", help="fall_standing with four necks")
    args = parser.parse_args(arguments)
    print(f"| {'neck' if args.tone else 'scenario, head'} | {' | '.join(HEADINGS)} |")
    print("| --- " * (1 + len(HEADINGS)) + "|")
    runs = {name: read_scenario(scenario_path(name)) for name in args.scenarios}
    if args.tone:
        fall = read_scenario(scenario_path("fall_standing"))
        runs |= {title: with_neck(fall, strength) for title, strength in NECKS.items()}
    for title, scenario in runs.items():
        for head, numbers in head_numbers(scenario).items():
            print(row(title if args.tone else f"{title}, {head.split(' / ')[0]}", numbers), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
