"""`models`: list the shipped models, make a person, build one of a given size, and write the files and pages made of
them."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from typing import TYPE_CHECKING, TypeVar

from . import EXIT_OK
from .shared_arguments import wrong_values

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from ..engine.spec import Model
    from ..models.people.person_model import PersonModel

Result = TypeVar("Result")

NAME = "models"
SUMMARY = "list the shipped body models, or make a person of a given sex, age, height and mass"
SEXES = {"f": 0.0, "female": 0.0, "woman": 0.0, "m": 1.0, "male": 1.0, "man": 1.0}
DOCS = "docs"
MEASURES = {
    "head": "circumference of the head",
    "chest": "circumference of the chest",
    "waist": "circumference of the waist",
    "hip": "largest circumference of the hips",
    "upper-arm": "circumference of the upper arm",
    "thigh": "circumference of the thigh",
    "leg": "length of the leg inside",
}

WORN = {"helmet": ("a helmet", 0.3), "glasses": ("spectacles", 0.03), "rucksack": ("a rucksack", 5.0)}
"""What is worn, and its usual mass (kg), as `models.people.worn` has it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Actions; without one the models are listed."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action")
    actions.add_parser("list", help="list the shipped models (the default)")
    person = actions.add_parser("person", help="make a person of any sex, age, height, mass and build")
    person.add_argument(
        "--like",
        metavar="MODEL",
        help="somebody of the library as a person (male, female, child_6, child_3), where nothing else is given",
    )
    person.add_argument("--sex", type=_sex, metavar="SEX", help="f, m, or from 0 (f) to 1 (m)")
    person.add_argument("--age", type=float, metavar="YEARS", help="1 to 95")
    person.add_argument("--height", type=float, metavar="M", help="stature in metres")
    person.add_argument("--mass", type=float, metavar="KG", help="mass in kilograms")
    person.add_argument(
        "--build", type=float, default=0.5, metavar="B", help="0 slight, 0.5 ordinary, 1 athletic"
    )
    for name, text in MEASURES.items():
        person.add_argument(f"--{name}", type=float, metavar="M", help=f"{text} in metres, where measured")
    for name, (text, mass) in WORN.items():
        person.add_argument(
            f"--{name}",
            type=float,
            nargs="?",
            default=0.0,
            const=mass,
            metavar="KG",
            help=f"with {text}, in mass and contact too (kg; {mass:g} where no mass is given)",
        )
    person.add_argument(
        "--scan", metavar="FILE", help="closed mesh of this person (.obj, .stl, .ply) to take the skin of"
    )
    person.add_argument("--muscles", action="store_true", help="with muscles of legs and neck")
    person.add_argument("--name", help="name of the model (default: made from the person)")
    person.add_argument("--out", metavar="FILE", help="file to write (default: its name in this folder)")
    build = actions.add_parser("build", help="build an adult of a given size by tables alone")
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
    legs = actions.add_parser("legs", help="give a person knees, leg bones and ankles that give and break")
    legs.add_argument("model", metavar="MODEL", help="a shipped model or a model file")
    legs.add_argument("--out", required=True, metavar="FILE", help="file to write")
    actions.add_parser(
        "write", help="build all shipped model and scenario files again, in place (for developers)"
    )
    actions.add_parser("fits", help="fit the reference people again and write their table (for developers)")
    page = actions.add_parser("page", help="write models.md with pictures and mass tables")
    page.add_argument("--folder", default="docs", metavar="FOLDER", help="where to (default: docs)")
    falls = actions.add_parser("falls", help="run falls with and without a response beside published ones")
    falls.add_argument(
        "--people", type=int, default=0, metavar="N", help="so many random older adults too (default: none)"
    )
    falls.add_argument("--seed", type=int, default=1, metavar="N", help="of the random people (default: 1)")
    hands = actions.add_parser("hands", help="show where people's hands are a second after they have landed")
    hands.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="only these shipped scenarios")
    validation = actions.add_parser("validation", help="run the component checks and write validation.md")
    validation.add_argument("checks", nargs="*", metavar="CHECK", help="only these, printed and not written")
    validation.add_argument("--folder", default=DOCS, metavar="FOLDER", help="where to (default: docs)")


def run(args: argparse.Namespace) -> int:
    """Do the action."""
    action = {
        "person": _person,
        "build": _build,
        "hold": _hold,
        "legs": _legs,
        "write": _write,
        "fits": _fits,
        "page": _page,
        "falls": _falls,
        "hands": _hands,
        "validation": _validation,
    }.get(args.action, _list)
    return action(args)


def _sex(text: str) -> float:
    """0 to 1 from a word or a number."""
    if text.lower() in SEXES:
        return SEXES[text.lower()]
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(SEXES)} and no number") from None


def _person(args: argparse.Namespace) -> int:
    from ..engine.spec import Person
    from ..models.people.person_model import make_person, person_with_muscles
    from ..models.people.scan import make_person_from_scan

    taped = {name.replace("-", "_"): getattr(args, name.replace("-", "_")) for name in MEASURES}
    worn = {name: getattr(args, name) for name in WORN}
    with wrong_values(ValueError):
        person = Person(*_who(args), args.build, **taped, **worn)
        made = (
            make_person_from_scan(person, args.scan, args.name)
            if args.scan
            else make_person(person, args.name)
        )
        _write_made(person_with_muscles(made) if args.muscles else made.model, args.out)
    _print_findings(made)
    return EXIT_OK


def _who(args: argparse.Namespace) -> list[float]:
    """Sex, age, height and mass as given, else of the person of the library that is named. ValueError says what is
    missing."""
    from ..models.people.shipped import PEOPLE

    if args.like is not None and args.like not in PEOPLE:
        raise ValueError(f"nobody of the library is called '{args.like}'; there are {', '.join(PEOPLE)}")
    values = []
    for name in ("sex", "age", "height", "mass"):
        given = getattr(args, name)
        if given is None and args.like is None:
            raise ValueError(f"give --{name}, or --like with the name of somebody of the library")
        values.append(getattr(PEOPLE[args.like], name) if given is None else given)
    return values


def _print_findings(made: PersonModel) -> None:
    """What a tape would say, what could not be met, and how well the ellipsoids fit."""
    if made.shape is not None:
        tape = ", ".join(
            f"{name.replace('_', ' ')} {100 * v:.1f}" for name, v in made.shape.measures().items()
        )
        print(f"models: measures in cm: {tape}")
    for finding in made.findings:
        print(f"models: {finding}")


def _write_made(model: Model, out: str | None) -> None:
    from ..io_json.model_json import write_model

    path = out or f"{model.name}.json"
    write_model(model, path)
    print(f"models: wrote {path}: {model.description}")


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
    from ..models.editing.holding import set_to_hold

    found = _edit_and_write(args, lambda model: set_to_hold(model, args.share, args.joints))
    for name, torque in found.items():
        print(f"models: {name} holds {torque:.2f} N m")
    return EXIT_OK


def _legs(args: argparse.Namespace) -> int:
    from ..models.people.legs import give_legs

    print(f"models: {_edit_and_write(args, give_legs).notes[-1]}")
    return EXIT_OK


def _edit_and_write(args: argparse.Namespace, edit: Callable[[Model], Result]) -> Result:
    """Read the model asked for, change it and write its file; returns what the change returned."""
    from ..io_json.model_json import read_model, write_model
    from ..io_json.resolve import resolve_model

    with wrong_values(ValueError):
        model = read_model(resolve_model(args.model, os.getcwd(), allow_outside=True))
        result = edit(model)
        write_model(model, args.out)
    print(f"models: wrote {args.out}")
    return result


def _build(args: argparse.Namespace) -> int:
    from ..models.people.human import build_adult

    with wrong_values(ValueError):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = build_adult(args.sex, args.height, args.mass)
        for warning in caught:
            print(f"models: warning: {warning.message}", file=sys.stderr)
        _write_made(model, args.out)
    return EXIT_OK


def _write(args: argparse.Namespace) -> int:
    from ..models.library import write_library
    from ..models.scenarios.library import write_scenarios

    for path in (*write_library(), *write_scenarios()):
        print(f"models: wrote {path}")
    return EXIT_OK


def _fits(args: argparse.Namespace) -> int:
    from ..models.people.fit_layout import FILE, REFERENCE_PEOPLE, write_table
    from ..models.people.person_model import default_name, fit_from_nothing

    fits = []
    for person in REFERENCE_PEOPLE:
        fit, error = fit_from_nothing(person)
        fits.append(fit)
        print(f"models: {default_name(person)}: {error}", flush=True)
    write_table(fits)
    print(f"models: wrote {FILE}")
    return EXIT_OK


def _page(args: argparse.Namespace) -> int:
    from ..models.pages.models_page import write_page

    print(f"models: wrote {write_page(args.folder)}")
    return EXIT_OK


def _falls(args: argparse.Namespace) -> int:
    from ..io_json.errors import FileError
    from ..models.validation.active_falls import every_combination, population, run_falls, section

    if args.people < 0:
        raise FileError(f"there cannot be {args.people} people; use 0 or more")
    falls = run_falls(every_combination(), _tell)
    people = run_falls(population(args.people, args.seed), _tell) if args.people else ()
    print("\n".join(section(falls, people)))
    return EXIT_OK


def _tell(text: str) -> None:
    print(f"models: {text}", file=sys.stderr)


def _hands(args: argparse.Namespace) -> int:
    from ..models.pages.landed_hands import HIGHEST, has_people, run_on
    from ..models.scenarios.library import SCENARIOS

    _require_known("scenario", args.scenarios, SCENARIOS)
    for name in args.scenarios or SCENARIOS:
        scenario = SCENARIOS[name]()
        for hand in run_on(scenario) if has_people(scenario) else ():
            words = "touches something" if hand.touches else "touches nothing"
            high = f", above {HIGHEST:g} m" if hand.hangs else ""
            where = f"{hand.height:.2f} m over its support, {words}{high}"
            print(f"{name}: {hand.actor} {hand.hand}, landed at {hand.landed:.2f} s: {where}")
    return EXIT_OK


def _require_known(what: str, names: Iterable[str], known: Collection[str]) -> None:
    from ..io_json.errors import FileError

    for name in names:
        if name not in known:
            raise FileError(f"no {what} is called {name!r}; there are {', '.join(known)}")


def _validation(args: argparse.Namespace) -> int:
    from datetime import date

    from .. import __version__
    from ..analysis.measures.expected_error import FILE
    from ..models.validation.active_falls import every_combination, run_falls, section
    from ..models.validation.checks import CHECKS, rows_of
    from ..models.validation.errors import write_errors
    from ..models.validation.fallers import older_adults
    from ..models.validation.page import page_text, write_page
    from ..models.validation.pictures import draw_all

    _require_known("check", args.checks, CHECKS)
    rows = rows_of(args.checks, progress=lambda name: print(f"models: running {name}", file=sys.stderr))
    if args.checks:
        print(page_text(rows))
        return EXIT_OK
    today = date.today().isoformat()
    falls = section(run_falls(every_combination(), _tell), older_adults())
    written = write_page(args.folder, rows, today, __version__, falls, draw_all)
    if args.folder == DOCS:
        written.append(write_errors(FILE, rows, today, __version__))
    for path in written:
        print(f"models: wrote {path}")
    return EXIT_OK
