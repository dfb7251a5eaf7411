"""`verify`: prove a run folder: every file made again from its scenario, and a second simulation."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from . import EXIT_MISMATCH, EXIT_OK, EXIT_USAGE
from .shared_arguments import add_json

NAME = "verify"
SUMMARY = "prove a run folder: simulate again, make every file again, and compare"
EPILOG = """examples:
  mannequin verify out/fall_20260101T120000Z
  mannequin verify out/fall_20260101T120000Z --expect 4f2a...
  mannequin verify out/* --no-replay
  mannequin verify package.zip --expect 4f2a...

The second simulation must agree to the last bit. With other machine code it may differ by the share that is
printed, but only where the digest noted elsewhere (--expect) or a signature (--signer) shows that the run is
its author's."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", metavar="RUN", help="run folder, or package.zip")
    parser.add_argument(
        "--no-replay", action="store_true", help="check the files only, do not simulate again"
    )
    about = "digest of the manifest as it was noted elsewhere, 32 to 64 hexadecimal digits"
    parser.add_argument("--expect", default="", metavar="DIGEST", help=about)
    about = "fingerprint of the key whose signature the run must have, 32 to 64 hexadecimal digits"
    parser.add_argument("--signer", default="", metavar="FINGERPRINT", help=about)
    about = "certificate of a time stamp authority, PEM or DER, that time stamps must lead to"
    parser.add_argument("--authority", action="append", default=[], metavar="FILE", help=about)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Verify each run folder; the worst finding decides the exit code."""
    from ..engine.errors import EngineError
    from ..io_json.errors import FileError
    from .progress_bar import ProgressBar

    code, results = EXIT_OK, []
    for folder in args.runs:
        bar = ProgressBar("second run")
        if folder.lower().endswith(".zip"):
            code = _verify_package(Path(folder), args, bar) or code
            continue
        try:
            found = _verify(folder, args, bar)
        except (FileError, EngineError) as error:
            bar.finish()
            print(f"verify: {error}", file=sys.stderr)
            code = code or EXIT_USAGE
            continue
        if found.is_sound and not args.no_replay:
            found.problems += _report_problems(found, bar)
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


def _verify(folder: str, args: argparse.Namespace, bar: Any) -> Any:
    """Check who vouches for a run folder, then the folder. Raises FileError or EngineError."""
    from ..analysis.files.verify import verify_run
    from ..evidence.signing.check import check_vouchers

    vouched = check_vouchers(Path(folder), args.signer, [Path(path) for path in args.authority])
    found = verify_run(
        folder,
        replay=not args.no_replay,
        expect=args.expect,
        is_authentic=vouched.is_authentic,
        progress=bar,
    )
    found.problems += vouched.problems
    found.notes += vouched.notes
    return found


def _report_problems(found: Any, bar: Any) -> list[str]:
    """Make the report of the run again, where its folder holds one, and say what differs."""
    from ..analysis.files.run_folder import read_run
    from ..analysis.pages.report_check import report_problems
    from ..viewer.dressed import ActorLooks

    run = read_run(found.folder)
    return list(report_problems(run, bar, ActorLooks(run.scenario)))


def _verify_package(path: Path, args: argparse.Namespace, bar: Any) -> int:
    """Check a package that `disclose` made, and print what was found."""
    from ..evidence.packages.check import verify_package

    with bar:
        found = verify_package(
            path, replay=not args.no_replay, expect=args.expect, signer=args.signer, progress=bar
        )
    for note in found.notes:
        print(f"  note: {note}")
    for name, result in found.runs.items():
        print(f"  {name}: second simulation {result}")
    verdict = _tell_problems(found)
    print(f"{path}: {verdict} ({found.files} files, {len(found.runs)} runs), digest {found.digest}")
    return EXIT_OK if found.is_sound else EXIT_MISMATCH


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
        "digest": found.digest,
        "authentic": found.is_authentic,
        "matches": found.is_sound,
        "files": found.files,
        "replay": found.replay,
        "problems": found.problems,
        "notes": found.notes,
    }


def _tell_problems(found) -> str:
    """Print what differs; returns the verdict."""
    for problem in found.problems:
        print(f"  DIFFERS: {problem}")
    return "matches" if found.is_sound else "does not match"


def _print_result(found) -> None:
    for note in found.notes:
        print(f"  note: {note}")
    verdict = _tell_problems(found)
    print(f"{found.folder}: {verdict} ({found.files} files checked, second simulation {found.replay})")
    if found.is_sound:
        print(f"  manifest {found.digest}")
        if not found.is_authentic:
            print(
                "  who made it, when, from which sources and on which machine is as stated there: note this digest "
                "elsewhere (--expect), or sign the run"
            )
