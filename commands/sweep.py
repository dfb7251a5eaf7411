"""`sweep`: run a scenario many times over the ranges of its inputs, and say what the ranges do."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK
from .shared_arguments import add_allow_outside, add_json

NAME = "sweep"
SUMMARY = "run a scenario over ranges of its inputs"
DEFAULT_OUT = "out"
EPILOG = """examples:
  mannequin sweep trip_sweep.json
  mannequin sweep trip_sweep.json --runs 1024 --processes 2
  mannequin sweep trip_sweep.json --scheduler tcp://node1:8786
  mannequin sweep trip_sweep.json --bake-run 17

The results go to a folder named after the sweep and a digest of everything it depends on. The same command finds that
folder again: after Ctrl-C, a kill or a power cut it continues where it stopped, and no run is lost or made twice.
The file format is described in docs/sweeps.md."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sweep", metavar="SWEEP", help="sweep file, or the name of a shipped one")
    add_batch_arguments(parser, runs="number of runs", seed="seed of the design")
    parser.add_argument(
        "--bake-run", type=int, metavar="I", help="write run number I as an ordinary run folder, too"
    )
    parser.add_argument("--no-report", action="store_true", help="leave the report out")
    add_json(parser)
    add_allow_outside(parser, "the files", "their")


def add_batch_arguments(parser: argparse.ArgumentParser, runs: str, seed: str) -> None:
    """Declare what `sweep` and `fit` share: where results go, how many runs, on what they run."""
    parser.add_argument(
        "--out", default=DEFAULT_OUT, metavar="FOLDER", help="where its folder goes (%(default)s)"
    )
    parser.add_argument("--runs", type=int, metavar="N", help=f"{runs}, in place of the file's")
    parser.add_argument("--seed", type=int, metavar="N", help=f"{seed}, in place of the file's")
    parser.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help="seconds that one run may take (3600)",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--processes", type=int, metavar="N", help="processes on this machine (one per core)")
    where.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="run on the Dask cluster of a scheduler"
    )
    tls = parser.add_argument_group("encryption of the cluster, all three or none")
    tls.add_argument("--tls-ca", metavar="FILE", help="certificate of the authority")
    tls.add_argument("--tls-cert", metavar="FILE", help="certificate of this machine")
    tls.add_argument("--tls-key", metavar="FILE", help="key of this machine")


def where(args: argparse.Namespace) -> dict[str, Any]:
    """What the arguments say of where to run, as `make_runner` takes it. Warns of a cluster that is open to others."""
    from ..sweeps.cluster import Tls, warning_of

    tls = Tls(args.tls_ca, args.tls_cert, args.tls_key) if args.tls_ca else None
    if args.scheduler and warning_of(args.scheduler, tls):
        print(f"warning: {warning_of(args.scheduler, tls)}", file=sys.stderr)
    limit = {} if args.time_limit is None else {"time_limit": args.time_limit}
    return {"processes": args.processes, "scheduler": args.scheduler, "tls": tls, **limit}


def run(args: argparse.Namespace) -> int:
    """Check the sweep, make the runs that are missing, write the table and the report."""
    return in_batches(NAME, _sweep, args)


def in_batches(name: str, work: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    """Do the work of `sweep` or `fit`, if anything can be run with these arguments; a lost process is a failure."""
    from ..io_json.errors import FileError
    from ..jobs.child import ProcessLost
    from ..sweeps.availability import missing

    if missing():
        raise FileError(missing(), remedy="Install SciPy into this Python: pip install scipy")
    if args.processes is not None and args.processes < 1:
        raise FileError("--processes must be at least 1")
    if args.time_limit is not None and not args.time_limit > 0.0:
        raise FileError("--time-limit must be above 0")
    if 0 < sum(map(bool, (args.tls_ca, args.tls_cert, args.tls_key))) < 3:
        raise FileError("give --tls-ca, --tls-cert and --tls-key together")
    if args.tls_ca and not args.scheduler:
        raise FileError("--tls-ca, --tls-cert and --tls-key belong to --scheduler")
    if args.runs is not None and args.runs < 1:
        raise FileError("--runs must be at least 1")
    try:
        return work(args)
    except ProcessLost as error:
        print(f"{name}: {error}", file=sys.stderr)
        return EXIT_FAILED


def _sweep(args: argparse.Namespace) -> int:
    from ..analysis.files.manifest import sha256_of_file
    from ..io_json.resolve import find_file
    from ..sweeps.conduct import open_journal
    from ..sweeps.folder import read_summary, write_single_run
    from ..sweeps.plan import plan_of_file, write_plan
    from ..sweeps.spec import read_sweep

    path = find_file(args.sweep, "scenario")
    sweep = read_sweep(path)
    sweep.design.runs = args.runs or sweep.design.runs
    sweep.design.seed = sweep.design.seed if args.seed is None else args.seed
    plan = plan_of_file(sweep, path, args.allow_outside)
    folder = write_plan(plan, args.out, {path.name: sha256_of_file(path)})
    with open_journal(plan, folder) as journal:
        if not _complete(args, plan, journal, folder):
            print(f"sweep: stopped with {journal.done} of {plan.runs} runs in {folder}", file=sys.stderr)
            print("  the same command continues from there", file=sys.stderr)
            return EXIT_INTERRUPTED
    if args.bake_run is not None:
        print(write_single_run(plan, args.bake_run, folder))
    _print_result(folder, read_summary(folder), args.json)
    return EXIT_OK


def _complete(args: argparse.Namespace, plan: Any, journal: Any, folder: Path) -> bool:
    from ..sweeps.conduct import complete, make_runner
    from .progress_bar import ProgressBar
    from .run import stop_on_interrupt

    if 0 < journal.done < plan.runs and sys.stderr.isatty():
        print(f"  {journal.done} of {plan.runs} runs are there already", file=sys.stderr)
    with stop_on_interrupt() as pressed, ProgressBar(plan.sweep.name) as bar:
        return complete(
            plan, journal, folder, lambda: make_runner(plan, **where(args)), not args.no_report,
            bar.show_count, lambda: bool(pressed),
        )  # fmt: skip


def _print_result(folder: Path, summary: dict[str, Any], as_json: bool) -> None:
    """The folder on standard output; what went wrong on standard error; on a terminal the main figures."""
    counts = summary["statuses"]
    bad = {status: count for status, count in counts.items() if status != "completed"}
    if bad:
        counts = ", ".join(f"{count} {status}" for status, count in bad.items())
        print(f"sweep: {counts} of {summary['runs']} runs; the table says why for each", file=sys.stderr)
    if coarse := summary.get("coarse"):
        share = f"{coarse} of {summary['runs']} runs ({100 * coarse / summary['runs']:.0f} %)"
        print(
            f"sweep: warning: the time step is long for the impacts of {share}; see the table",
            file=sys.stderr,
        )
    if as_json:
        print(json.dumps({"folder": str(folder), **summary}, indent=1, allow_nan=False))
        return
    print(folder)
    if not sys.stdout.isatty():
        return
    for name, entry in (*summary["measures"].items(), *summary["events"].items()):
        print(f"  {name}: {entry['text']}")
    if not summary["parquet"]:
        print("  no Parquet table: pyarrow is not installed")
