"""How far every printed measure of the shipped scenarios is from its value at a very short time step.

    python -m mannequin.benchmarks.convergence [SCENARIO ...] [--step S] [--all]

Each scenario is run at its own step and at `FINE`; sensors sample at every step of both. Measures that differ by more
than `ALLOWED` are listed, or all of them with --all; a scenario that has any should have a shorter step of its own.
Ends with code 1 where one is listed as too far off.

Two things are no errors of the step and are left out: measures below `NEGLIGIBLE` of the largest of their name in the
run, and those that the finer run does not have (an impact too weak to be listed there).
"""

import argparse
import dataclasses
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


@dataclass(frozen=True)
class Error:
    """A measure at the scenario's own step beside its value at a short one."""

    scenario: str
    measure: str
    subject: str
    value: float
    fine: float

    @property
    def relative(self) -> float:
        """Difference as a share of the value at the short step."""
        return abs(self.value - self.fine) / abs(self.fine) if self.fine else float(self.value != 0.0)


def at_step(scenario: Scenario, step: float) -> Scenario:
    """The scenario at another time step."""
    return dataclasses.replace(scenario, settings=dataclasses.replace(scenario.settings, time_step=step))


def values(scenario: Scenario) -> dict[tuple[str, str], float]:
    """Every measure of a run that has a value, by name and subject."""
    found = evaluate(scenario, run(scenario))
    return {(m.name, m.subject): m.value for m in found if m.value == m.value}


def errors(name: str, step: float | None = None, fine: float = FINE) -> list[Error]:
    """Of every measure of a shipped scenario that is not negligible, the largest first."""
    scenario = read_scenario(scenario_path(name))
    own = values(scenario if step is None else at_step(scenario, step))
    short = values(at_step(scenario, fine))
    largest: dict[str, float] = {}
    for (measure, _), value in short.items():
        largest[measure] = max(largest.get(measure, 0.0), abs(value))
    found = [
        Error(name, *key, value, short[key])
        for key, value in own.items()
        if key in short and abs(short[key]) >= NEGLIGIBLE * largest[key[0]]
    ]
    return sorted(found, key=lambda error: -error.relative)


def main(arguments: list[str]) -> int:
    """Print what is off, scenario by scenario."""
    parser = argparse.ArgumentParser(prog="convergence", description=__doc__.split("\n")[0])
    parser.add_argument(
        "scenarios", nargs="*", metavar="SCENARIO", help="shipped scenarios; all where none is given"
    )
    parser.add_argument("--step", type=float, help="time step (s) in place of each scenario's own")
    parser.add_argument("--all", action="store_true", help="list every measure")
    args = parser.parse_args(arguments)
    is_off = False
    for name in args.scenarios or [path.stem for path in list_scenarios()]:
        found = errors(name, args.step)
        off = [error for error in found if error.relative > ALLOWED]
        is_off = is_off or bool(off)
        print(
            f"{name}: {len(off)} of {len(found)} measures differ by more than {100 * ALLOWED:g} %", flush=True
        )
        for error in found if args.all else off:
            print(
                f"  {100 * error.relative:7.2f} %  {error.measure}, {error.subject}: "
                f"{error.value:.5g}, at {FINE:g} s {error.fine:.5g}"
            )
    return 1 if is_off else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
