"""`models`: list the shipped models, build one of a given size, and write the files and pages made from them."""

import argparse
import os
import sys
import warnings

from . import EXIT_OK, EXIT_USAGE

NAME = "models"
SUMMARY = "list the shipped body models, or build one of a given sex, height and mass"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Actions; without one the models are listed."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action")
    actions.add_parser("list", help="list the shipped models (the default)")
    build = actions.add_parser("build", help="build an adult of a given size")
    build.add_argument("--sex", choices=("male", "female"), required=True)
    build.add_argument("--height", type=float, required=True, metavar="M", help="stature in metres")
    build.add_argument("--mass", type=float, required=True, metavar="KG", help="mass in kilograms")
    build.add_argument("--out", metavar="FILE", help="file to write (default: its name in this folder)")
    hold = actions.add_parser("hold", help="set joint friction so that joints just hold their limbs at 1 g")
    hold.add_argument("model", metavar="MODEL", help="a shipped model or a model file")
    hold.add_argument(
        "--share", type=float, default=1.05, metavar="X", help="times the weight (default: 1.05)"
    )
    hold.add_argument(
        "--joints", default="*", metavar="PATTERN", help="only joints of this name, such as 'hip*'"
    )
    hold.add_argument("--out", required=True, metavar="FILE", help="file to write")
    actions.add_parser(
        "write", help="build all shipped model and scenario files again, in place (for developers)"
    )
    page = actions.add_parser("page", help="write models.md with pictures and mass tables")
    page.add_argument("--folder", default="docs", metavar="FOLDER", help="where to (default: docs)")
    validation = actions.add_parser("validation", help="run the component checks and write validation.md")
    validation.add_argument("checks", nargs="*", metavar="CHECK", help="only these, printed and not written")
    validation.add_argument("--folder", default="docs", metavar="FOLDER", help="where to (default: docs)")


def run(args: argparse.Namespace) -> int:
    """Do the action."""
    actions = {"build": _build, "hold": _hold, "write": _write, "page": _page, "validation": _validation}
    return actions.get(args.action, _list)(args)


def _list(args: argparse.Namespace) -> int:
    from ..models.library import list_models, list_scenarios, load_model
    from ..models.pages.models_page import SUMMARY_HEAD, summary_row

    rows = [SUMMARY_HEAD, *(summary_row(load_model(name)) for name in list_models())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(SUMMARY_HEAD) - 1)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)) + "  " + row[-1])
    scenarios = [path.stem for path in list_scenarios()]
    if scenarios:
        print("\nscenarios: " + ", ".join(scenarios))
    return EXIT_OK


def _hold(args: argparse.Namespace) -> int:
    from ..io_json.errors import FileError
    from ..io_json.model_json import read_model, write_model
    from ..io_json.resolve import resolve_model
    from ..models.editing.errors import EditError
    from ..models.editing.holding import set_to_hold

    try:
        model = read_model(resolve_model(args.model, os.getcwd(), allow_outside=True))
        found = set_to_hold(model, args.share, args.joints)
        write_model(model, args.out)
    except (EditError, FileError) as error:
        print(f"models: {error}", file=sys.stderr)
        return EXIT_USAGE
    for name, torque in found.items():
        print(f"models: {name} holds {torque:.2f} N m")
    print(f"models: wrote {args.out}")
    return EXIT_OK


def _build(args: argparse.Namespace) -> int:
    from ..io_json.errors import FileError
    from ..io_json.model_json import write_model
    from ..models.people.human import build_adult

    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = build_adult(args.sex, args.height, args.mass)
        for warning in caught:
            print(f"models: warning: {warning.message}", file=sys.stderr)
        path = args.out or f"{model.name}.json"
        write_model(model, path)
    except (ValueError, FileError) as error:
        print(f"models: {error}", file=sys.stderr)
        return EXIT_USAGE
    print(f"models: wrote {path}: {model.description}")
    return EXIT_OK


def _write(args: argparse.Namespace) -> int:
    from ..models.library import write_library
    from ..models.scenarios.library import write_scenarios

    for path in (*write_library(), *write_scenarios()):
        print(f"models: wrote {path}")
    return EXIT_OK


def _page(args: argparse.Namespace) -> int:
    from ..models.pages.models_page import write_page

    print(f"models: wrote {write_page(args.folder)}")
    return EXIT_OK


def _validation(args: argparse.Namespace) -> int:
    from ..models.pages.component_checks import CHECKS
    from ..models.pages.validation_page import page_text, rows_of, write_page

    unknown = [name for name in args.checks if name not in CHECKS]
    if unknown:
        print(f"models: no check is called {unknown[0]!r}; there are {', '.join(CHECKS)}", file=sys.stderr)
        return EXIT_USAGE
    rows = rows_of(args.checks, progress=lambda name: print(f"models: running {name}", file=sys.stderr))
    print(page_text(rows))
    if not args.checks:
        print(f"models: wrote {write_page(args.folder, rows)}")
    return EXIT_OK
