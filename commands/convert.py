"""`convert`: read a model or scenario file of any kind and write it as another; the endings of the names decide which.

.json is ours (or OpenMBD's), .hfd Hyfydy's, .osim OpenSim's (read only), .xml MuJoCo's; .zml (written only) is the
start of a scenario's actor as a state file of SCONE.
"""

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import EXIT_OK
from .shared_arguments import add_allow_outside, add_hyfydy_files, refuse_hyfydy_files

if TYPE_CHECKING:
    from ..engine.spec import Model, Scenario

NAME = "convert"
FOREIGN = {".hfd": "Hyfydy model", ".osim": "OpenSim model", ".xml": "MuJoCo model"}
"""Kinds of files of other programs; their notes repeat the findings and are not printed."""
SUMMARY = (
    "turn a model or scenario file into another kind: .json, .hfd (Hyfydy), .osim (OpenSim), .xml (MuJoCo)"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where from, where to."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="model, scenario or OpenMBD configuration (.json), or a .hfd, .osim or .xml model",
    )
    parser.add_argument("target", metavar="TARGET", help="file to write: .json, .hfd, .xml or .zml (a start)")
    parser.add_argument(
        "--plain",
        action="store_true",
        help="write a model without our extension, for OpenMBD (.json models only)",
    )
    parser.add_argument(
        "--scenario",
        action="store_true",
        help="of a .hfd, .osim or .xml file: also its start, surroundings and gravity, as a scenario",
    )
    add_hyfydy_files(parser)
    parser.add_argument(
        "--ball-hinges",
        action="store_true",
        help="write ball joints that have limits as three hinges with the same ranges (.xml only)",
    )
    add_allow_outside(parser)


def run(args: argparse.Namespace) -> int:
    """Read, write, and report what was assumed and what was left out."""
    kind, content = _read(args)
    notes = [] if kind in FOREIGN.values() else content.notes
    _write(content, args)
    for note in notes:
        print(f"convert: note: {note}")
    print(f"convert: {args.source} ({kind}) written to {args.target}")
    return EXIT_OK


def _read(args: argparse.Namespace) -> tuple[str, "Model | Scenario"]:
    """(Kind of the source, its content)."""
    from ..interchange import READERS, read_model, read_scenario
    from ..interchange.dispatch import ending
    from ..io_json.any_file import read_any
    from ..io_json.errors import FileError

    kind = ending(args.source)
    if kind in READERS:
        read = read_scenario if args.scenario else read_model
        content, findings = read(args.source, args.config, args.state)
        _print_findings("reading", findings)
        return FOREIGN[kind], content
    refuse_hyfydy_files(args, args.source)
    if args.scenario:
        message = "--scenario is for .hfd, .osim and .xml files"
        raise FileError(message, remedy="Leave it out: a .json file states its own kind")
    return read_any(args.source, args.allow_outside)


def _write(content: "Model | Scenario", args: argparse.Namespace) -> None:
    """Write in the format that the target's name calls for; anything but .hfd and .xml is our own."""
    from ..engine.spec import Model
    from ..interchange import WRITERS, write_model, write_scenario
    from ..interchange.dispatch import ending
    from ..io_json.errors import FileError

    foreign = ending(args.target) in (*WRITERS, ".osim", ".zml")
    if args.plain and (foreign or not isinstance(content, Model)):
        remedy = "a scenario has no plain form. Leave it out" if not foreign else "leave it out"
        raise FileError(f"--plain is for models in .json files; {remedy}")
    if args.ball_hinges and ending(args.target) != ".xml":
        raise FileError("--ball-hinges is for .xml files (MuJoCo)", remedy="Leave it out")
    if not foreign:
        _write_json(content, args)
    else:
        writer = write_model if isinstance(content, Model) else write_scenario
        _print_findings("writing", writer(content, args.target, ball_hinges=args.ball_hinges))


def _write_json(content: "Model | Scenario", args: argparse.Namespace) -> None:
    from ..engine.spec import Model
    from ..io_json import model_json
    from ..io_json.scenario_json import write_scenario

    if not isinstance(content, Model):
        write_scenario(content, args.target, args.allow_outside)
        return
    for line in model_json.lost_without_extensions(content) if args.plain else ():
        print(f"convert: left out, as OpenMBD's format cannot hold it: {line}")
    model_json.write_model(content, args.target, extensions=not args.plain)


def _print_findings(doing: str, findings: Iterable[object]) -> None:
    """The report of what was not carried over exactly, one line each."""
    for finding in findings:
        print(f"convert: {doing}: {finding}")
