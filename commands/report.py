"""`report`: make the report of a run, and plots of any body or joint."""

import argparse
import sys
from pathlib import Path
from typing import Any

from . import EXIT_FAILED, EXIT_OK, EXIT_USAGE

NAME = "report"
SUMMARY = "make the report of a run, as a page and as a PDF"
EPILOG = """examples:
  mannequin report out/fall_20260101T120000Z
  mannequin report out/fall_20260101T120000Z --no-step-check
  mannequin report out/fall_20260101T120000Z --plots head neck man/hand
  mannequin report out/fall_20260101T120000Z --court --sweep out/fall_sweep --texts words.json

The report is written into the run folder. The step check simulates again at half the time step. --texts is a
JSON file with your own words by their place: question, assumptions, course of events, results, conclusion."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", metavar="RUN", help="run folder")
    parser.add_argument(
        "--no-step-check", action="store_true", help="do not simulate again at half the time step"
    )
    parser.add_argument("--risk-curves", action="store_true", help="add injury risk curves, each by its name")
    about = "call it complete only if every input that matters has its origin; exit code 1 where it is not"
    parser.add_argument("--court", action="store_true", help=about)
    about = "folder of a sweep of this scenario: orders inputs by their influence, and adds its charts"
    parser.add_argument("--sweep", metavar="FOLDER", help=about)
    parser.add_argument(
        "--texts", metavar="FILE", help="JSON file with the examiner's own words by their place"
    )
    about = "folder of hypotheses whose chart is added"
    parser.add_argument("--hypotheses", metavar="FOLDER", help=about)
    about = "write plots as PNG and SVG: of these bodies and joints, or of those in the report"
    parser.add_argument("--plots", nargs="*", metavar="NAME", help=about)


def run(args: argparse.Namespace) -> int:
    """Write the report of each run folder and print its path."""
    from ..analysis.files.run_folder import read_run
    from ..analysis.pages.report import missing_origins, write_report
    from ..analysis.plots.files import write_plots
    from ..analysis.subjects import find_subjects
    from ..engine.errors import EngineError
    from ..io_json.errors import FileError
    from ..viewer.dressed import ActorLooks
    from .progress_bar import ProgressBar

    code = EXIT_OK
    for folder in args.runs:
        try:
            read = read_run(folder)
            # a wrong name is refused before the report is made
            find_subjects(read.recording, args.plots or ())
            options, charts = _options(args)
            with ProgressBar("step check") as bar:
                written = write_report(
                    read,
                    step_halving=not args.no_step_check,
                    options=options,
                    charts=charts,
                    looks=ActorLooks(read.scenario),
                    progress=bar,
                )
            if args.plots is not None:
                written += write_plots(read, args.plots)
        except (FileError, EngineError) as error:
            print(f"report: {error}", file=sys.stderr)
            code = EXIT_USAGE
            continue
        for path in written:
            print(path)
        missing = missing_origins(read, options) if args.court else []
        for text in missing:
            print(f"report: not complete: {text}", file=sys.stderr)
        code = code or (EXIT_FAILED if missing else EXIT_OK)
    return code


def _options(args: argparse.Namespace) -> tuple[Any, list[Any]]:
    """How the report is made, and the charts that go into it. Raises FileError."""
    from ..analysis.pages.report import PLACES, Chart, Options
    from ..io_json import strict_json
    from ..io_json.errors import FileError

    texts: Any = {}
    if args.texts:
        texts = strict_json.parse(strict_json.decode(strict_json.read_bytes(args.texts)))
        is_texts = isinstance(texts, dict) and all(isinstance(text, str) for text in texts.values())
        if not is_texts or set(texts) - set(PLACES):
            remedy = f"Write a JSON object with texts for: {', '.join(PLACES)}"
            raise FileError("holds no texts of the examiner", path=args.texts, remedy=remedy)
    influence, charts = {}, []
    if args.sweep:
        from ..sweeps.influence import influence_of, sweep_charts

        influence = influence_of(Path(args.sweep))
        charts += [Chart(png, caption) for png, caption in sweep_charts(Path(args.sweep))]
    if args.hypotheses:
        from ..sweeps.hypotheses.folder import read_chart

        charts.append(Chart(*read_chart(Path(args.hypotheses))))
    return Options(args.risk_curves, args.court, influence, texts), charts
