"""`case`: a case with number, examiner, exhibits and an append-only log."""

import argparse
import json
from pathlib import Path

from . import EXIT_MISMATCH, EXIT_OK

NAME = "case"
SUMMARY = "keep a case: number, examiner, exhibits, and a log that cannot be edited unseen"
EPILOG = """examples:
  mannequin case new case_17 --number "4 Js 123/26" --examiner "A. Expert" --title "Fall from a ladder"
  mannequin case add case_17 case_17/photo.jpg --name E1 --about "photograph of the scene, police"
  mannequin run fall.json --out case_17/runs
  mannequin case note case_17 --kind rejected "friction 0.9 does not agree with the skid mark"
  mannequin case log case_17
  mannequin case verify case_17

Whatever a command does with files inside a case folder is logged there by itself, and so is what is done in
Blender with a file that was saved there. Note the digest of the last entry: verify --expect then shows whether
entries were cut off."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    new = actions.add_parser("new", help="open a case in a folder")
    new.add_argument("folder", metavar="FOLDER")
    new.add_argument("--number", required=True, help="number of the case")
    new.add_argument("--examiner", required=True, help="who answers for it")
    new.add_argument("--title", default="", help="what it is about")
    add = actions.add_parser("add", help="add a file as an exhibit, with its digest")
    add.add_argument("folder", metavar="FOLDER")
    add.add_argument("file", metavar="FILE")
    add.add_argument("--name", required=True, help="what the case calls it, such as E1")
    add.add_argument("--about", default="", help="what it is and where it comes from")
    note = actions.add_parser("note", help="add an entry in your own words")
    note.add_argument("folder", metavar="FOLDER")
    note.add_argument("text", metavar="TEXT", help="what to enter")
    note.add_argument("--kind", default="note", help="note, looked at, rejected, set, exported and so on")
    note.add_argument("--file", action="append", default=[], metavar="FILE", help="file that it is about")
    log = actions.add_parser("log", help="print the log")
    log.add_argument("folder", metavar="FOLDER")
    log.add_argument("--json", action="store_true", help="print the entries as JSON")
    verify = actions.add_parser("verify", help="follow the chain of the log and check the exhibits")
    verify.add_argument("folder", metavar="FOLDER")
    verify.add_argument("--expect", default="", metavar="DIGEST", help="digest of an entry, noted elsewhere")


def run(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    return {"new": _new, "add": _add, "note": _note, "log": _log, "verify": _verify}[args.action](args)


def _new(args: argparse.Namespace) -> int:
    from ..evidence.cases.case import new_case

    case = new_case(Path(args.folder), args.number, args.examiner, args.title)
    print(f"{case.folder}: case {case.number}, last entry {case.check().head}")
    return EXIT_OK


def _add(args: argparse.Namespace) -> int:
    from ..evidence.cases.case import add_exhibit, read_case

    entry = add_exhibit(read_case(Path(args.folder)), Path(args.file), args.name, args.about)
    print(f"exhibit {args.name}: SHA-256 {entry['files'][0]['sha256']}")
    return EXIT_OK


def _note(args: argparse.Namespace) -> int:
    from ..evidence.cases.case import read_case

    case = read_case(Path(args.folder))
    entry = case.log(args.kind, args.text, files=[Path(path) for path in args.file])
    print(f"entry {entry['number']}: {entry['sha256']}")
    return EXIT_OK


def _log(args: argparse.Namespace) -> int:
    from ..evidence.cases.case import read_case

    case = read_case(Path(args.folder))
    if args.json:
        print(json.dumps(case.entries(), indent=1, ensure_ascii=False))
        return EXIT_OK
    for entry in case.entries():
        about = "".join(f"\n      {file['path']}  {file['sha256']}" for file in entry["files"])
        print(
            f"{entry['number']:>4}  {entry['time']}  {entry['who']}  {entry['kind']}: {entry['text']}{about}"
        )
    return _verify(args)


def _verify(args: argparse.Namespace) -> int:
    from ..evidence.cases.case import case_problems, read_case

    case = read_case(Path(args.folder))
    found, problems = case.check(), case_problems(case, getattr(args, "expect", ""))
    for problem in problems:
        print(f"  DIFFERS: {problem}")
    verdict = "is broken" if problems else "is whole"
    print(f"case {case.number}: the log {verdict}, {found.entries} entries, last sound one {found.head}")
    return EXIT_MISMATCH if problems else EXIT_OK
