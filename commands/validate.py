"""`validate`: read model and scenario files, ours or OpenMBD's, and list their problems."""

import argparse
import json
import sys
from typing import Any

from . import EXIT_OK, EXIT_USAGE
from .shared_arguments import add_allow_outside, add_hyfydy_files, refuse_hyfydy_files

NAME = "validate"
SUMMARY = "check model and scenario files, and list each problem with its remedy"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The files, and how to report."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="model or scenario file, ours or OpenMBD's, or a .hfd, .osim or .xml model",
    )
    add_hyfydy_files(parser)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    add_allow_outside(parser)


def run(args: argparse.Namespace) -> int:
    """Check every file. 0 when all can be used, 2 when one has an error."""
    reports = [_check(file, args) for file in args.files]
    if args.json:
        print(json.dumps(reports, indent=2))
    else:
        for report in reports:
            _print(report)
    return EXIT_USAGE if any(_has_error(report) for report in reports) else EXIT_OK


def _check(file: str, args: argparse.Namespace) -> dict[str, Any]:
    """{file, kind, issues, notes} of one file."""
    from ..analysis.plausibility import implausible_inputs
    from ..engine.build.validate import validate
    from ..engine.spec import Scenario
    from ..interchange import READERS, read_scenario
    from ..interchange.dispatch import ending
    from ..io_json.any_file import read_any
    from ..io_json.errors import FileError

    try:
        if ending(file) in READERS:
            kind = f"{ending(file)} model"
            content, _ = read_scenario(file, args.config, args.state)
        else:
            refuse_hyfydy_files(args, file)
            kind, content = read_any(file, args.allow_outside)
    except FileError as error:
        return {
            "file": file,
            "kind": None,
            "issues": [_issue("error", error.path or file, error)],
            "notes": [],
        }
    issues = [
        _issue(str(issue.severity), file, issue) for issue in [*validate(content), *_vehicle_issues(content)]
    ]
    if isinstance(content, Scenario) and not any(issue["severity"] == "error" for issue in issues):
        issues += [_issue(issue.severity, file, issue) for issue in implausible_inputs(content)]
    notes = list(content.notes)
    for actor in getattr(content, "actors", ()):
        notes += [f"{actor.name}: {note}" for note in actor.model.notes]
    return {"file": file, "kind": kind, "issues": issues, "notes": notes}


def _vehicle_issues(content: Any) -> list[Any]:
    """Vehicles of a model or a scenario whose dimensions cannot be those of one: nothing could draw them."""
    from ..engine.errors import EngineError
    from ..engine.spec.validation import error
    from ..models.vehicles.form.surface import make_form

    models = [("", content)] if hasattr(content, "bodies") else []
    models += [
        (f"actor '{actor.name}', ", actor.model) for actor in getattr(content, "actors", ()) if actor.model
    ]
    found = []
    for where, model in models:
        if model.vehicle is not None:
            try:
                make_form(model.vehicle)
            except (EngineError, ValueError, ArithmeticError) as problem:
                message = f"its dimensions are impossible: {problem}"
                found.append(
                    error(f"{where}model '{model.name}', vehicle", message, "Correct the dimensions")
                )
    return found


def _issue(severity: str, file: str, found: Any) -> dict[str, Any]:
    about = {"place": found.place, "message": found.message, "remedy": found.remedy}
    return {"severity": severity, "file": file, **about}


def _has_error(report: dict[str, Any]) -> bool:
    return any(issue["severity"] == "error" for issue in report["issues"])


def _print(report: dict[str, Any]) -> None:
    """One line per issue and note, then a verdict."""
    for issue in report["issues"]:
        where = ": ".join(part for part in (issue["file"], issue["place"]) if part)
        line = f"{where}: {issue['severity']}: {issue['message']}"
        stream = sys.stderr if issue["severity"] == "error" else sys.stdout
        print(f"{line.rstrip('.')}. {issue['remedy']}" if issue["remedy"] else line, file=stream)
    for note in report["notes"]:
        print(f"{report['file']}: note: {note}")
    verdict = "cannot be used" if _has_error(report) else f"{report['kind']}, can be used"
    print(f"{report['file']}: {verdict}")
