"""How far every printed measure of the shipped scenarios is from its value at a very short time step.

    python -m mannequin.benchmarks.convergence [SCENARIO ...] [--step S] [--all] [--table]

Each scenario is run at its own step and at `FINE`, or at half its own step where that is as short; sensors sample at
every step of both. Measures that differ by more than `ALLOWED` are listed, or all of them with --all; a scenario that
has any should have a shorter step of its own (`models.scenarios.library.BUILDERS`). With --table the table of
docs/physics.md is printed. Ends with code 1 where a measure is off in a scenario that is not in `SENSITIVE`.

A measure that only one of the two runs has counts as off. Left out are measures below `NEGLIGIBLE` of the largest of
their name in the run: the touch of a finger beside the blow to the head.
"""

import argparse
import dataclasses
import math
import sys
from dataclasses import dataclass

from ..analysis.measures import evaluate
from ..engine.runs.simulation import run
from ..engine.spec import Scenario
from ..io_json.scenario_json import read_scenario
from ..models.library import list_scenarios, scenario_path

FINE = 1.0e-5
"""s"""
ALLOWED = 0.03
NEGLIGIBLE = 0.05
SENSITIVE = ("car_bicycle",)
"""Scenarios whose end depends so much on their start that a first-order step cannot resolve it: see docs/physics.md."""


Measured = dict[tuple[str, str], float]
"""Values by measure and subject."""


@dataclass(frozen=True)
class Error:
    """A measure at the scenario's own step beside its value at a short one."""

    measure: str
    subject: str
    value: float
    fine: float
    """NaN where a run does not have it"""

    @property
    def relative(self) -> float:
        """Difference as a share of the value at the short step; infinite where only one of the two has it."""
        if math.isnan(self.value) or math.isnan(self.fine):
            return math.inf
        return abs(self.value - self.fine) / abs(self.fine) if self.fine else float(self.value != 0.0)


@dataclass(frozen=True)
class Comparison:
    """A scenario at its own step beside a short one."""

    scenario: str
    step: float
    """s"""
    fine: float
    """s"""
    errors: list[Error]
    """Of every measure that is not negligible, the largest first"""

    @property
    def off(self) -> list[Error]:
        """Those that differ by more than is allowed."""
        return [error for error in self.errors if error.relative > ALLOWED]


def at_step(scenario: Scenario, step: float) -> Scenario:
    """The scenario at another time step."""
    return dataclasses.replace(scenario, settings=dataclasses.replace(scenario.settings, time_step=step))


def values(scenario: Scenario) -> Measured:
    """Every measure of a run that has a value, by name and subject."""
    found = evaluate(scenario, run(scenario))
    return {(m.name, m.subject): m.value for m in found if m.value == m.value}


def compare(name: str, step: float | None = None) -> Comparison:
    """A shipped scenario at its own step, or at another one, beside the short step."""
    scenario = read_scenario(scenario_path(name))
    step = step or scenario.settings.time_step
    fine = min(FINE, 0.5 * step)
    own, short = values(at_step(scenario, step)), values(at_step(scenario, fine))
    return Comparison(name, step, fine, differences(own, short))


def differences(own: Measured, short: Measured) -> list[Error]:
    """Of every measure of two runs that is not negligible in the one that has it, the largest first."""
    floor: dict[str, float] = {}
    for (measure, _), value in short.items():
        floor[measure] = max(floor.get(measure, 0.0), NEGLIGIBLE * abs(value))
    missing = float("nan")
    found = [
        Error(*key, own.get(key, missing), short.get(key, missing))
        for key in {**short, **own}
        if abs(short.get(key, own.get(key, 0.0))) >= floor.get(key[0], 0.0)
    ]
    return sorted(found, key=lambda error: -error.relative)


def text_of(found: Comparison, whole: bool) -> list[str]:
    """Lines: how many measures are off, and which; or all."""
    count = f"{len(found.off)} of {len(found.errors)} measures"
    lines = [f"{found.scenario}: at {found.step:g} s {count} differ by more than {100 * ALLOWED:g} %"]
    for error in found.errors if whole else found.off:
        lines.append(
            f"  {100 * error.relative:7.2f} %  {error.measure}, {error.subject}: {error.value:.5g}, "
            f"at {found.fine:g} s {error.fine:.5g}"
        )
    return lines


TABLE_HEAD = """| scenario | time step | against | measures | off by over 3 % | largest difference |
| --- | --- | --- | --- | --- | --- |"""


def table_row(found: Comparison) -> str:
    """A line of the table of docs/physics.md."""
    worst = found.errors[0]
    largest = "only in one of the two runs" if math.isinf(worst.relative) else f"{100 * worst.relative:.1f} %"
    return (
        f"| {found.scenario} | {found.step:g} s | {found.fine:g} s | {len(found.errors)} | {len(found.off)} | "
        f"{largest}, {worst.measure}, {worst.subject} |"
    )


def main(arguments: list[str]) -> int:
    """Print what is off, scenario by scenario."""
    parser = argparse.ArgumentParser(prog="convergence", description=__doc__.split("\n")[0])
    parser.add_argument(
        "scenarios", nargs="*", metavar="SCENARIO", help="shipped scenarios; all where none is given"
    )
    parser.add_argument("--step", type=float, help="time step (s) in place of each scenario's own")
    parser.add_argument("--all", action="store_true", help="list every measure")
    parser.add_argument("--table", action="store_true", help="the table of docs/physics.md")
    args = parser.parse_args(arguments)
    is_off = False
    if args.table:
        print(TABLE_HEAD)
    for name in args.scenarios or [path.stem for path in list_scenarios()]:
        found = compare(name, args.step)
        is_off = is_off or bool(found.off and name not in SENSITIVE)
        print("\n".join([table_row(found)] if args.table else text_of(found, args.all)), flush=True)
    return 1 if is_off else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
