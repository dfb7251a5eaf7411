"""`view`: make the page of a run: three-dimensional, one file, for any browser."""

import argparse
import sys
from pathlib import Path

from . import EXIT_MISMATCH, EXIT_OK, EXIT_USAGE

NAME = "view"
SUMMARY = "make one HTML file in which a run can be turned, stopped and measured, in any browser"
EPILOG = """examples:
  mannequin view out/fall_20260101T120000Z
  mannequin view out/fall_20260101T120000Z --out case.html --title "Case 17/2026"
  mannequin view out/slow out/fast --out both.html
  mannequin view out/fall_20260101T120000Z --check case.html

Without --out the page of one run is written into its folder. Nothing in the page is loaded from elsewhere.
--check makes the page again and says what of an existing one differs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="run folder; several are shown side by side")
    parser.add_argument("--out", metavar="FILE", help="file to write; an existing one is replaced")
    parser.add_argument("--title", default="", help="with --out: title of the page, such as a case number")
    parser.add_argument("--check", metavar="FILE", help="compare this page with the runs, write nothing")


def run(args: argparse.Namespace) -> int:
    """Write the page and print its path, or check one."""
    from ..io_json.errors import FileError

    try:
        return _check(args) if args.check else _write(args)
    except FileError as error:
        print(f"view: {error}", file=sys.stderr)
        return EXIT_USAGE


def _write(args: argparse.Namespace) -> int:
    from ..analysis.files.run_folder import read_run
    from ..io_json import atomic
    from ..viewer.write import page_bytes, write_page

    runs = [read_run(folder) for folder in args.runs]
    if not args.out and len(runs) > 1:
        print("view: several runs need --out FILE", file=sys.stderr)
        return EXIT_USAGE
    if args.out:
        atomic.write_bytes(Path(args.out), page_bytes(runs, args.title))
        print(args.out)
    else:
        print(write_page(runs[0]))
    return EXIT_OK


def _check(args: argparse.Namespace) -> int:
    from ..analysis.files.run_folder import read_run
    from ..viewer.write import differences

    found = differences(Path(args.check), [read_run(folder) for folder in args.runs])
    for line in found:
        print(f"  DIFFERS: {line}")
    print(f"{args.check}: {'does not match' if found else 'matches'}")
    return EXIT_MISMATCH if found else EXIT_OK
