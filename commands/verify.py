"""`verify`: check that a run folder is as it was written, and that a second simulation gives the same result."""

import argparse
import json
import sys

from . import EXIT_MISMATCH, EXIT_OK, EXIT_USAGE

NAME = "verify"
SUMMARY = "check a run folder byte by byte and simulate it again"
EPILOG = """examples:
  mannequin verify out/fall_20260101T120000Z
  mannequin verify out/* --no-replay

On the platform of the run the second simulation must agree to the last bit, elsewhere to the tolerance
that is printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", metavar="RUN", help="run folder")
    parser.add_argument(
        "--no-replay", action="store_true", help="check the files only, do not simulate again"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON, for scripts")


def run(args: argparse.Namespace) -> int:
    """Verify each run folder; the worst finding decides the exit code."""
    from ..analysis.files.verify import verify_run
    from ..engine.errors import EngineError
    from ..io_json.errors import FileError
    from .progress_bar import ProgressBar

    code, results = EXIT_OK, []
    for folder in args.runs:
        bar = ProgressBar("second run")
        try:
            found = verify_run(folder, replay=not args.no_replay, progress=bar)
        except (FileError, EngineError) as error:
            bar.finish()
            print(f"verify: {error}", file=sys.stderr)
            code = code or EXIT_USAGE
            continue
        bar.finish()
        _check_page(found)
        results.append(found)
        if not args.json:
            _print_result(found)
        if not found.is_sound:
            code = EXIT_MISMATCH
    if args.json:
        print(json.dumps([_describe(found) for found in results], indent=1))
    return code


def _check_page(found) -> None:
    """Make the page of the run again, where its folder holds one, and note what differs."""
    from ..analysis.files.run_folder import read_run
    from ..viewer.content import shown_run
    from ..viewer.write import differences, pages_of

    if not found.is_sound:
        return
    run = read_run(found.folder)
    for path in pages_of(found.folder, run.stem):
        found.problems += [f"{path.name}: {text}" for text in differences(path, [shown_run(run)])]


def _describe(found) -> dict:
    return {
        "folder": str(found.folder),
        "run_id": found.run_id,
        "matches": found.is_sound,
        "files": found.files,
        "replay": found.replay,
        "problems": found.problems,
        "notes": found.notes,
    }


def _print_result(found) -> None:
    from ..analysis.files.verify import TOLERANCE

    for note in found.notes:
        print(f"  note: {note}")
    for problem in found.problems:
        print(f"  DIFFERS: {problem}")
    verdict = "matches" if found.is_sound else "does not match"
    replay = (
        f"within {TOLERANCE:g} of the largest value" if found.replay == "within tolerance" else found.replay
    )
    print(f"{found.folder}: {verdict} ({found.files} files checked, second simulation {replay})")
