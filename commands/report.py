"""`report`: make the report of a run, and plots of any body or joint."""

import argparse
import sys

from . import EXIT_OK, EXIT_USAGE

NAME = "report"
SUMMARY = "make the report of a run: one HTML file that prints well"
EPILOG = """examples:
  mannequin report out/fall_20260101T120000Z
  mannequin report out/fall_20260101T120000Z --no-step-check
  mannequin report out/fall_20260101T120000Z --plots head neck man/hand

The report is written into the run folder. The step check simulates again at half the time step."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", metavar="RUN", help="run folder")
    parser.add_argument(
        "--no-step-check", action="store_true", help="do not simulate again at half the time step"
    )
    parser.add_argument("--risk-curves", action="store_true", help="add injury risk curves, each by its name")
    about = "write plots as PNG and SVG: of these bodies and joints, or of those in the report"
    parser.add_argument("--plots", nargs="*", metavar="NAME", help=about)


def run(args: argparse.Namespace) -> int:
    """Write the report of each run folder and print its path."""
    from ..analysis.files.run_folder import read_run
    from ..analysis.pages.report import write_report
    from ..analysis.plots.files import write_plots
    from ..engine.errors import EngineError
    from ..io_json.errors import FileError
    from .progress_bar import ProgressBar

    code = EXIT_OK
    for folder in args.runs:
        bar = ProgressBar("step check")
        try:
            read = read_run(folder)
            written = write_report(
                read, step_halving=not args.no_step_check, risk_curves=args.risk_curves, progress=bar
            )
            if args.plots is not None:
                written += write_plots(read, args.plots)
        except (FileError, EngineError) as error:
            bar.finish()
            print(f"report: {error}", file=sys.stderr)
            code = EXIT_USAGE
            continue
        bar.finish()
        for path in written:
            print(path)
    return code
