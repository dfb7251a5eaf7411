"""`fit`: find the starts of a scenario that agree with the evidence, and report what it cannot decide."""

import argparse
import json
import sys

from . import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK
from .shared_arguments import add_allow_outside, add_json

NAME = "fit"
SUMMARY = "find the starts that agree with the evidence"
EPILOG = """examples:
  mannequin fit pedestrian_evidence.json
  mannequin fit pedestrian_evidence.json --runs 3000 --processes 2

The answer is a set: every start that agrees with all of the evidence within its tolerances. The same command continues
where a fit was stopped or killed. Ends with code 1 where nothing agrees. The file format is described in
docs/sweeps.md."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from .sweep import add_batch_arguments

    parser.add_argument("evidence", metavar="EVIDENCE", help="evidence file, or the name of a shipped one")
    add_batch_arguments(parser, runs="most runs", seed="seed of the search")
    add_json(parser, "the answer")
    add_allow_outside(parser, "the files", "their")


def run(args: argparse.Namespace) -> int:
    """Check the evidence, search, write the answer."""
    from .sweep import in_batches

    return in_batches(NAME, _fit, args)


def _fit(args: argparse.Namespace) -> int:
    from ..analysis.files.manifest import sha256_of_file
    from ..io_json.resolve import find_file
    from ..sweeps.conduct import make_runner
    from ..sweeps.fit.answer import plain, statements
    from ..sweeps.fit.conduct import complete_fit
    from ..sweeps.fit.plan import fit_plan_of_file, write_fit_plan
    from ..sweeps.fit.spec import read_evidence
    from .progress_bar import ProgressBar
    from .run import stop_on_interrupt
    from .sweep import where

    path = find_file(args.evidence, "scenario")
    evidence = read_evidence(path)
    evidence.search.runs = args.runs or evidence.search.runs
    evidence.search.seed = evidence.search.seed if args.seed is None else args.seed
    plan = fit_plan_of_file(evidence, path, args.allow_outside)
    folder = write_fit_plan(plan, args.out, {path.name: sha256_of_file(path)})
    with stop_on_interrupt() as pressed, ProgressBar(evidence.name) as bar:
        answer = complete_fit(
            plan, folder, lambda: make_runner(plan, **where(args)), bar.show_count, lambda: bool(pressed)
        )
    if answer is None:
        print(f"fit: stopped; what was run is in {folder}", file=sys.stderr)
        print("  the same command continues from there", file=sys.stderr)
        return EXIT_INTERRUPTED
    if args.json:
        print(json.dumps({"folder": str(folder), **plain(answer, evidence)}, indent=1, allow_nan=False))
    else:
        print(folder)
        for line in statements(answer):
            print(f"  {line}")
    return EXIT_OK if answer.is_consistent else EXIT_FAILED
