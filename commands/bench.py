"""`bench`: the benchmarks of the source checkout, beside MuJoCo in the same run."""

import argparse
import subprocess
import sys
from pathlib import Path

from . import EXIT_FAILED, EXIT_OK, EXIT_USAGE

NAME = "bench"
SUMMARY = "measure speed beside MuJoCo, from a source checkout"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments go to the benchmarks as they are."""
    parser.add_argument("--quick", action="store_true", help="short runs, to see that everything works")
    parser.add_argument(
        "--only", nargs="+", metavar="SECTION", help="only these sections (see docs/performance.md)"
    )
    parser.add_argument("--out", metavar="FOLDER", help="where to write the results (default: out/bench)")


def run(args: argparse.Namespace) -> int:
    """Run the benchmarks in a process of their own; they are not part of the installed extension."""
    folder = Path(__file__).resolve().parent.parent / "benchmarks"
    if not (folder / "__main__.py").exists():
        print(
            "bench: the benchmarks are part of the source checkout only; run `make bench` there",
            file=sys.stderr,
        )
        return EXIT_USAGE
    arguments = ["--quick"] if args.quick else []
    arguments += ["--only", *args.only] if args.only else []
    arguments += ["--out", args.out] if args.out else []
    code = subprocess.call([sys.executable, str(folder), *arguments])
    return EXIT_OK if code == 0 else EXIT_FAILED
