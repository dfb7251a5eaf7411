"""`hypotheses`: hold sweeps of several hypotheses against the same evidence."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from . import EXIT_INTERRUPTED, EXIT_OK
from .shared_arguments import add_allow_outside, add_json

if TYPE_CHECKING:
    from ..sweeps.hypotheses.judge import Judgement

NAME = "hypotheses"
SUMMARY = "hold sweeps of several hypotheses against the same evidence: likelihood ratios"
EPILOG = """examples:
  mannequin hypotheses evidence.json --out hypotheses

  mannequin sweep pushed.json --out sweeps
  mannequin sweep tripped.json --out sweeps
  mannequin hypotheses question.json --out hypotheses

An evidence file that holds hypotheses (Blender exports one) is run and judged; the same command continues where it was
stopped. Any other file names the folders of finished sweeps. docs/hypotheses.md explains both."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from .sweep import add_batch_arguments

    parser.add_argument(
        "question", metavar="FILE", help="evidence file with hypotheses, or file that names sweeps"
    )
    add_batch_arguments(parser, runs="runs of each hypothesis", seed="seed of the runs")
    parser.set_defaults(out="hypotheses")
    about = "friction of Searle's bounds in the chart of throw results (%(default)s)"
    parser.add_argument("--friction", type=float, default=0.66, help=about)
    add_json(parser)
    add_allow_outside(parser, "the files", "their")


def run(args: argparse.Namespace) -> int:
    """Run what is missing, judge, write the folder, print the ratios."""
    from .sweep import in_batches

    return in_batches(NAME, _hypotheses, args)


def _hypotheses(args: argparse.Namespace) -> int:
    from ..sweeps.hypotheses.folder import describe, write

    judgement = _judged(args)
    if judgement is None:
        print(f"hypotheses: stopped; what was run is in {args.out}", file=sys.stderr)
        print("  the same command continues from there", file=sys.stderr)
        return EXIT_INTERRUPTED
    folder = write(judgement, Path(args.out), args.friction)
    if args.json:
        print(json.dumps({"folder": str(folder), **describe(judgement)}, indent=1))
        return EXIT_OK
    print(folder)
    for pair in judgement.pairs:
        print(
            f"  {pair.first} against {pair.second}: by counting {pair.counted.text}, by density {pair.density.text}"
        )
        print(f"  {pair.words}")
        print(f"  {pair.calibration.text}")
    if judgement.information:
        name, error, bits = judgement.information[0]
        print(f"  best separated by {name}, measured to {error:.3g}: {bits:.2f} bits")
    return EXIT_OK


def _judged(args: argparse.Namespace) -> Judgement | None:
    """The judgement of the file; None where the user stopped its runs."""
    from ..analysis.files.manifest import sha256_of_file
    from ..io_json import strict_json
    from ..sweeps.conduct import make_runner
    from ..sweeps.fit.spec import FORMAT, read_evidence
    from ..sweeps.hypotheses.conduct import compare
    from ..sweeps.hypotheses.judge import judge
    from ..sweeps.hypotheses.spec import read_question
    from .progress_bar import ProgressBar
    from .run import stop_on_interrupt
    from .sweep import where

    path = Path(args.question)
    document = strict_json.parse(strict_json.decode(strict_json.read_bytes(path)))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return judge(read_question(path))
    evidence = read_evidence(path)
    evidence.comparison.runs = args.runs or evidence.comparison.runs
    evidence.comparison.seed = evidence.comparison.seed if args.seed is None else args.seed
    with stop_on_interrupt() as pressed, ProgressBar(evidence.name) as bar:
        return compare(
            evidence,
            path,
            Path(args.out),
            lambda plan: make_runner(plan, **where(args)),
            bar.show_count,
            lambda: bool(pressed),
            args.allow_outside,
            {path.name: sha256_of_file(path)},
        )
