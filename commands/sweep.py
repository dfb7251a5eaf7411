"""`sweep`: run a scenario many times over the ranges of its inputs, and say what the ranges do."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from . import EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE

NAME = "sweep"
SUMMARY = "run a scenario over ranges of its inputs"
DEFAULT_OUT = "out"
EPILOG = """examples:
  mannequin sweep trip_sweep.json
  mannequin sweep trip_sweep.json --runs 1024 --processes 2
  mannequin sweep trip_sweep.json --scheduler tcp://node1:8786
  mannequin sweep trip_sweep.json --bake-run 17

The results go to a folder named after the sweep and a digest of everything it depends on. The same command finds that
folder again: after Ctrl-C, a kill or a power cut it goes on where it stopped, and no run is lost or made twice.
The file format is described in docs/sweeps.md."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("sweep", metavar="SWEEP", help="sweep file, or the name of a shipped one")
    add_batch_arguments(parser, runs="number of runs", seed="seed of the design")
    parser.add_argument(
        "--bake-run", type=int, metavar="I", help="write run number I as an ordinary run folder, too"
    )
    parser.add_argument("--no-report", action="store_true", help="leave the report out")
    parser.add_argument("--json", action="store_true", help="print the result as JSON, for scripts")
    parser.add_argument(
        "--allow-outside", action="store_true", help="let the files name files outside their own folder"
    )


def add_batch_arguments(parser: argparse.ArgumentParser, runs: str, seed: str) -> None:
    """Declare what `sweep` and `fit` share: where results go, how many runs, on what they run."""
    parser.add_argument(
        "--out", default=DEFAULT_OUT, metavar="FOLDER", help="where its folder goes (%(default)s)"
    )
    parser.add_argument("--runs", type=int, metavar="N", help=f"{runs}, in place of the file's")
    parser.add_argument("--seed", type=int, metavar="N", help=f"{seed}, in place of the file's")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--processes", type=int, metavar="N", help="processes on this machine (one per core)")
    where.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="run on the Dask cluster of a scheduler"
    )


def run(args: argparse.Namespace) -> int:
    """Check the sweep, make the runs that are missing, write the table and the report."""
    from ..engine.errors import EngineError
    from ..io_json.errors import FileError

    if refusal(args):
        print(f"sweep: {refusal(args)}", file=sys.stderr)
        return EXIT_USAGE
    try:
        return _sweep(args)
    except (FileError, EngineError) as error:
        print(f"sweep: {error}", file=sys.stderr)
        return EXIT_USAGE


def refusal(args: argparse.Namespace) -> str:
    """Why nothing can be run with these arguments, or ""."""
    from ..sweeps.availability import missing

    if missing():
        return f"{missing()}. Install SciPy into this Python: pip install scipy"
    if args.processes is not None and args.processes < 1:
        return "--processes must be at least 1"
    return "--runs must be at least 1" if args.runs is not None and args.runs < 1 else ""


def _sweep(args: argparse.Namespace) -> int:
    from ..analysis.manifest import sha256_of_file
    from ..sweeps.conduct import open_journal
    from ..sweeps.folder import finish, is_finished, read_summary
    from ..sweeps.plan import plan_of_file, write_plan
    from ..sweeps.spec import read_sweep
    from .run import find_scenario

    path = find_scenario(args.sweep)
    sweep = read_sweep(path)
    sweep.design.runs = args.runs or sweep.design.runs
    sweep.design.seed = sweep.design.seed if args.seed is None else args.seed
    plan = plan_of_file(sweep, path, args.allow_outside)
    folder = write_plan(plan, args.out, {path.name: sha256_of_file(path)})
    with open_journal(plan, folder) as journal:
        if not is_finished(folder, not args.no_report):
            if not _make_runs(args, plan, journal):
                print(f"sweep: stopped with {journal.done} of {plan.runs} runs in {folder}", file=sys.stderr)
                print("  the same command goes on from there", file=sys.stderr)
                return EXIT_INTERRUPTED
            finish(plan, journal, folder, report=not args.no_report)
    if args.bake_run is not None:
        _write_run(plan, args.bake_run, folder)
    _tell(folder, read_summary(folder), args.json)
    return EXIT_OK


def _make_runs(args: argparse.Namespace, plan: Any, journal: Any) -> bool:
    from ..sweeps.conduct import conduct, make_runner
    from .progress_bar import ProgressBar
    from .run import stop_on_interrupt

    if journal.done and sys.stderr.isatty():
        print(f"  {journal.done} of {plan.runs} runs are there already", file=sys.stderr)
    bar = ProgressBar(plan.sweep.name)
    with stop_on_interrupt() as pressed:
        runner = make_runner(plan, args.processes, args.scheduler)
        try:
            return conduct(plan, journal, runner, bar.show_count, lambda: bool(pressed))
        finally:
            bar.finish()


def _write_run(plan: Any, index: int, folder: Path) -> None:
    from ..sweeps.folder import write_single_run

    print(write_single_run(plan, index, folder))


def _tell(folder: Path, summary: dict[str, Any], as_json: bool) -> None:
    """The folder on standard output; what went wrong on standard error; on a terminal the main figures."""
    counts = summary["statuses"]
    bad = {status: count for status, count in counts.items() if status != "completed"}
    if bad:
        told = ", ".join(f"{count} {status}" for status, count in bad.items())
        print(f"sweep: {told} of {summary['runs']} runs; the table says why for each", file=sys.stderr)
    if as_json:
        print(json.dumps({"folder": str(folder), **summary}, indent=1, allow_nan=False))
        return
    print(folder)
    if not sys.stdout.isatty():
        return
    for name, entry in summary["measures"].items():
        print(f"  {name}: {entry['text']}")
    for name, entry in summary["events"].items():
        print(f"  {name}: {entry['text']}")
    if not summary["parquet"]:
        print("  no Parquet table: pyarrow is not installed")
