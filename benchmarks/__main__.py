"""The one door to the benchmarks: `make bench`.

python benchmarks [--quick] [--only cases scaling ...] [--into] [--repeats N] [--out folder]

What is measured without --quick goes into benchmarks/history.csv and into the table of targets of docs/performance.md.
"""

import argparse
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from mannequin.benchmarks import (
    adaptive,
    answer,
    bake,
    batch,
    big_scenes,
    cases,
    click,
    fresh_process,
    history,
    openmbd,
    phases,
    report,
    roofline,
    saloon,
    scaling,
    sweeps,
    targets,
    timing,
    whole_runs,
)
from mannequin.engine.runs.warmup import warmup
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path

FOLDER = Path(__file__).resolve().parent.parent / "out" / "bench"
SHIPPED = ("fall_standing", "stairs_fall", "rugby_tackle", "car_pedestrian", "seated_crash")


def compare_cases(scale: float, repeats: int) -> list[dict]:
    """Measure our cases beside the same ones in MuJoCo."""
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


def measure_bake(_scale: float, repeats: int) -> dict:
    """Motion onto an armature, where Blender is there as a module."""
    try:
        return bake.measure(min(5, repeats))
    except RuntimeError as error:
        return {"error": str(error).splitlines()[-1]}


def measure_click(_scale: float, repeats: int) -> dict:
    """From the click to the motion, where Blender is there as a module."""
    try:
        return click.measure(min(5, repeats))
    except RuntimeError as error:
        return {"error": str(error).splitlines()[-1]}


SECTIONS: dict[str, Callable[[float, int], object]] = {
    "cases": compare_cases,
    "batch": lambda scale, repeats: batch.measure(scale, min(5, repeats)),
    "sweeps": lambda scale, repeats: sweeps.measure(max(10, round(100 * scale)), repeats),
    "shipped": time_shipped,
    "saloon": lambda _scale, repeats: saloon.measure(min(3, repeats)),
    "scaling": measure_scaling,
    "whole_runs": lambda _scale, repeats: whole_runs.measure(min(5, repeats)),
    "bake": measure_bake,
    "click": measure_click,
    "roofline": lambda _scale, repeats: roofline.measure(min(5, repeats)),
    "phases": lambda _scale, _repeats: phases.measure(),
    "openmbd": lambda _scale, repeats: openmbd.measure(min(3, repeats)),
    "start_up": lambda _scale, repeats: fresh_process.start_up(min(5, repeats)),
    "interpreted": lambda _scale, _repeats: fresh_process.ask("interpreted", MANNEQUIN_INTERPRETED="1"),
    "memory": lambda _scale, _repeats: fresh_process.ask("memory"),
    "big_scenes": lambda scale, _repeats: big_scenes.measure(scale),
    "answer": lambda scale, _repeats: answer.measure(2.0 * scale),
    "adaptive": lambda scale, repeats: adaptive.measure(scale, min(3, repeats)),
}


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks", description="Speed, measured beside MuJoCo.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the simulated time")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION")
    parser.add_argument("--repeats", type=int, default=7, help="turns of every measurement")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--into", action="store_true", help="keep the other sections of an earlier run there")
    return parser.parse_args(arguments)


def keep(measured: dict[str, object], machine: dict) -> None:
    """Add what was measured to the history, write the table of targets into the documentation, and show it."""
    known = history.append(targets.numbers(measured), f"{machine['cores']} cores, {machine['processor']}")
    history.write_section(known)
    print(history.target_table(known))
    print(f"kept in {history.HISTORY}; {history.PAGE} has the table")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, save."""
    args = parse(arguments)
    os.environ.pop(
        "PYTHONDONTWRITEBYTECODE", None
    )  # commands start as a user's do, with Python's compiled files
    results: dict[str, object] = {"machine": report.machine()}
    if args.into and (args.out / "bench.json").exists():
        results = json.loads((args.out / "bench.json").read_text(encoding="utf-8")) | results
    print(f"compiling or loading the engine: {warmup():.1f} s", flush=True)
    for name in args.only:
        print(f"{name} ...", flush=True)
        results[name] = SECTIONS[name](0.1 if args.quick else 1.0, args.repeats)
        report.save(results, args.out)
    print()
    print(report.markdown(results))
    print(f"saved in {args.out}")
    if not args.quick:
        keep({name: results[name] for name in args.only}, results["machine"])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
