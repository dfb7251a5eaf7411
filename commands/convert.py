"""`convert`: read a model or scenario file of any kind and write it in our format, or a model in plain OpenMBD form."""

import argparse
import sys

from . import EXIT_OK, EXIT_USAGE

NAME = "convert"
SUMMARY = "turn an OpenMBD configuration into a scenario, or write a model with or without our extension"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where from, where to."""
    parser.add_argument("source", metavar="SOURCE", help="model, scenario or OpenMBD configuration")
    parser.add_argument("target", metavar="TARGET", help="file to write")
    parser.add_argument(
        "--plain", action="store_true", help="write a model without our extension, for OpenMBD (models only)"
    )
    parser.add_argument(
        "--allow-outside", action="store_true", help="let a scenario name files outside its own folder"
    )


def run(args: argparse.Namespace) -> int:
    """Read, write, and say what was assumed and what was left out."""
    from ..io_json.errors import FileError

    try:
        return _convert(args)
    except FileError as error:
        print(f"convert: {error}", file=sys.stderr)
        return EXIT_USAGE


def _convert(args: argparse.Namespace) -> int:
    from ..engine.spec import Model
    from ..io_json.any_file import read_any
    from ..io_json.model_json import lost_without_extensions, write_model
    from ..io_json.scenario_json import write_scenario

    kind, content = read_any(args.source, args.allow_outside)
    if isinstance(content, Model):
        for line in lost_without_extensions(content) if args.plain else ():
            print(f"convert: left out, OpenMBD has no word for it: {line}")
        write_model(content, args.target, extensions=not args.plain)
    elif args.plain:
        print("convert: --plain is for models; a scenario has no plain form. Leave it out", file=sys.stderr)
        return EXIT_USAGE
    else:
        write_scenario(content, args.target, args.allow_outside)
    for note in content.notes:
        print(f"convert: note: {note}")
    print(f"convert: {args.source} ({kind}) written to {args.target}")
    return EXIT_OK
