"""The one door to the benchmarks: `make bench`.

python benchmarks [--quick] [--only cases scaling ...] [--repeats N] [--out folder]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from mannequin.benchmarks import answer, cases, fresh_process, report, scaling, timing
from mannequin.engine import jit
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path

FOLDER = Path(__file__).resolve().parent.parent / "out" / "bench"
SHIPPED = ("fall_standing", "stairs_fall", "rugby_tackle", "car_pedestrian", "seated_crash")


def compare_cases(scale: float, repeats: int) -> list[dict]:
    """Beside MuJoCo."""
    return [timing.compare(make(seconds * scale), repeats) for make, seconds in cases.CASES.values()]


def time_shipped(_scale: float, repeats: int) -> list[dict]:
    """Shipped scenarios as they are."""
    return [
        {"name": name} | timing.engine_only(read_scenario(scenario_path(name)), min(3, repeats))
        for name in SHIPPED
    ]


def measure_scaling(scale: float, repeats: int) -> list[dict]:
    """Growth of the cost."""
    return [scaling.measure(family, min(3, repeats)) for family in scaling.families(scale)]


SECTIONS: dict[str, Callable[[float, int], object]] = {
    "cases": compare_cases,
    "shipped": time_shipped,
    "scaling": measure_scaling,
    "start_up": lambda _scale, repeats: fresh_process.start_up(min(5, repeats)),
    "interpreted": lambda _scale, _repeats: fresh_process.ask("interpreted", MANNEQUIN_INTERPRETED="1"),
    "memory": lambda _scale, _repeats: fresh_process.ask("memory"),
    "answer": lambda scale, _repeats: answer.measure(2.0 * scale),
}


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Command line."""
    parser = argparse.ArgumentParser(prog="benchmarks", description="Speed, measured beside MuJoCo.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the simulated time")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION")
    parser.add_argument("--repeats", type=int, default=7, help="turns of every measurement")
    parser.add_argument("--out", type=Path, default=FOLDER)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, save."""
    args = parse(arguments)
    results: dict[str, object] = {"machine": report.machine()}
    print(f"compiling or loading the engine: {jit.warmup():.1f} s", flush=True)
    for name in args.only:
        print(f"{name} ...", flush=True)
        results[name] = SECTIONS[name](0.1 if args.quick else 1.0, args.repeats)
        report.save(results, args.out)
    print()
    print(report.markdown(results))
    print(f"saved in {args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
