"""`disclose`: one zip with everything of a case, for the other side."""

import argparse
from pathlib import Path

from . import EXIT_OK

NAME = "disclose"
SUMMARY = "make one zip of a case: runs, exhibits' digests, reports, log, program, how to repeat it"
EPILOG = """examples:
  mannequin disclose case_17 --out case_17.zip
  mannequin verify case_17.zip --expect 4f2a...

The zip holds the whole case folder, the program with its licence, and REPEAT.md. Note the digest that is printed:
it stands for the whole package."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", metavar="CASE", help="case folder")
    parser.add_argument("--out", required=True, metavar="FILE", help="zip to write, outside the case folder")
    parser.add_argument("--without-program", action="store_true", help="leave the program itself out")


def run(args: argparse.Namespace) -> int:
    """Write the package and print its digest."""
    from ..evidence.packages.disclose import disclose

    digest = disclose(Path(args.case), Path(args.out), not args.without_program)
    print(f"{args.out}\n  digest {digest}")
    return EXIT_OK
