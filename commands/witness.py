"""`witness`: what somebody could see of a run from a place."""

import argparse
from typing import Any

from . import EXIT_OK

NAME = "witness"
SUMMARY = "print the share of every body part that is visible from an eye, over time, with table and strip"
EPILOG = """examples:
  mannequin witness out/fall_20260101T120000Z --eye 3 -2 1.6
  mannequin witness out/fall_20260101T120000Z --file witness.json --csv seen.csv --strip seen.png"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run, the eye, and what to write."""
    parser.add_argument("run_folder", metavar="RUN", help="run folder")
    parser.add_argument("--file", metavar="FILE", help="file of a witness")
    parser.add_argument(
        "--eye", type=float, nargs=3, metavar=("X", "Y", "Z"), help="place of the eye, m, in place of a file"
    )
    parser.add_argument(
        "--looks-at", type=float, nargs=3, metavar=("X", "Y", "Z"), help="with --eye: where it looks"
    )
    parser.add_argument("--step", type=float, default=0.05, metavar="S", help="time step (default 0.05)")
    parser.add_argument("--csv", metavar="FILE", help="write the table")
    parser.add_argument("--strip", metavar="FILE", help="write the strip (.png)")


def run(args: argparse.Namespace) -> int:
    """Look, print and write."""
    from ..analysis.files.run_folder import read_run
    from ..places.sight.strip import write_csv, write_strip
    from ..places.sight.visibility import sight_of

    read = read_run(args.run_folder)
    sight = sight_of(read.scenario, read.recording, _witness(args), args.step)
    _print(sight)
    for path, write in ((args.csv, write_csv), (args.strip, write_strip)):
        if path:
            write(path, sight)
            print(f"{NAME}: wrote {path}")
    return EXIT_OK


def _witness(args: argparse.Namespace) -> Any:
    from ..io_json.errors import FileError
    from ..places.sight.witness import Witness, read_witness

    if bool(args.file) == bool(args.eye):
        raise FileError("needs either --eye or --file", remedy="Give one of them")
    if not 1e-3 <= args.step <= 10.0:
        raise FileError(f"a step of {args.step:g} s is no use", remedy="Give 0.001 to 10 s")
    if args.file:
        return read_witness(args.file)
    return Witness("witness", tuple(args.eye), tuple(args.looks_at) if args.looks_at else None)


def _print(sight: Any) -> None:
    print(f"{sight.witness.name}: share visible, mean over the run and at its least\n")
    print(f"{'part':<28}{'mean':>7}{'least':>7}{'at (s)':>8}{'hidden (s)':>12}")
    step = float(sight.times[1] - sight.times[0]) if len(sight.times) > 1 else 0.0
    for actor in dict.fromkeys(sight.actors):
        _print_row(f"{actor} (all)", sight.of_actor(actor), sight.times, step)
    for name, share in zip(sight.names, sight.share.T, strict=True):
        _print_row(name, share, sight.times, step)


def _print_row(name: str, share: Any, times: Any, step: float) -> None:
    least = int(share.argmin())
    hidden = step * int((share < 0.005).sum())
    print(f"{name[:27]:<28}{share.mean():7.2f}{share[least]:7.2f}{times[least]:8.2f}{hidden:12.2f}")
