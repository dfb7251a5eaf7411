"""`channels`: write what the sensors of a run measured, as CSV or ISO 13499 (MME)."""

import argparse
import sys

from . import EXIT_OK, EXIT_USAGE

NAME = "channels"
SUMMARY = "write what the sensors of a run measured, as CSV or ISO 13499 (MME)"
EPILOG = """examples:
  mannequin channels out/fall_20260101T120000Z
  mannequin channels out/fall_20260101T120000Z --filtered
  mannequin channels out/fall_20260101T120000Z --mme

Files go into the run folder, with their digests: a table with one line for each time step, or the folder mme."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="run folder")
    parser.add_argument("--mme", action="store_true", help="the folder of ISO/TS 13499 instead of a table")
    parser.add_argument(
        "--filtered", action="store_true", help="filter the table by the channel classes of SAE J211"
    )


def run(args: argparse.Namespace) -> int:
    """Write the channels of each run folder and print the paths."""
    from ..analysis.files.channel_files import write_channels, write_mme
    from ..analysis.files.run_folder import read_run
    from ..io_json.errors import FileError

    code = EXIT_OK
    for folder in args.runs:
        try:
            read = read_run(folder)
            written = write_mme(read) if args.mme else write_channels(read, is_filtered=args.filtered)
        except FileError as error:
            print(f"channels: {error}", file=sys.stderr)
            code = EXIT_USAGE
            continue
        for path in written:
            print(path)
    return code
