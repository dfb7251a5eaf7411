"""`hypotheses`: hold finished sweeps of several hypotheses against the same evidence."""

import argparse
import json
import sys
from pathlib import Path

from . import EXIT_OK, EXIT_USAGE

NAME = "hypotheses"
SUMMARY = "hold sweeps of several hypotheses against the same evidence: likelihood ratios"
EPILOG = """examples:
  mannequin sweep pushed.json --out sweeps
  mannequin sweep tripped.json --out sweeps
  mannequin hypotheses question.json --out hypotheses

The file names the folders of the sweeps and the evidence with its errors; docs/hypotheses.md explains it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="FILE", help="file of hypotheses and evidence")
    parser.add_argument(
        "--out", default="hypotheses", metavar="FOLDER", help="where results go (%(default)s)"
    )
    about = "friction of Searle's bounds in the chart of throw results (%(default)s)"
    parser.add_argument("--friction", type=float, default=0.66, help=about)
    parser.add_argument("--json", action="store_true", help="print the result as JSON, for scripts")


def run(args: argparse.Namespace) -> int:
    """Judge, write the folder, print the ratios."""
    from ..sweeps.availability import missing

    if why := missing():
        print(f"hypotheses: {why}", file=sys.stderr)
        return EXIT_USAGE
    from ..sweeps.hypotheses.folder import describe, write
    from ..sweeps.hypotheses.judge import judge
    from ..sweeps.hypotheses.spec import read_question

    judgement = judge(read_question(Path(args.question)))
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
