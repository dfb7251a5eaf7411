"""What a command did, entered into the log of the case in whose folder it worked."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

KINDS = {
    "run": "run",
    "sweep": "run",
    "fit": "run",
    "hypotheses": "run",
    "render": "exported",
    "report": "exported",
    "channels": "exported",
    "view": "exported",
    "convert": "exported",
    "disclose": "exported",
    "validate": "looked at",
    "verify": "checked",
    "sign": "signed",
}
"""Command to the kind of its entry; other commands are not logged."""
SECRET = ("passphrase", "key")


def log_command(name: str, args: argparse.Namespace, code: int, started: float) -> None:
    """Enter a command that began at `started` (seconds since 1970) and has ended, with its arguments, its exit code and
    the manifests of its runs, where a file it was given or the folder it worked in lies in a case.

    A log that cannot be written is reported, and changes nothing else.
    """
    if name not in KINDS:
        return
    from ..evidence.cases.case import find_case
    from ..io_json.errors import FileError

    given = {key: value for key, value in vars(args).items() if _is_plain(key, value)}
    cases = {}
    for path in _paths(given.values()):
        if (case := find_case(path)) is not None:
            cases[case.folder] = case
    for case in cases.values():
        try:
            text = f"{name}, exit code {code}"
            case.log(KINDS[name], text, details=given, files=_manifests(given, started))
        except FileError as error:
            print(f"case log: {error}", file=sys.stderr)


def _is_plain(key: str, value: object) -> bool:
    if key == "command":
        return False
    plain = isinstance(value, str | int | float | bool | list) and value not in ("", [], False, None)
    return plain and not any(word in key for word in SECRET)


def _manifests(given: dict[str, object], started: float) -> list[Path]:
    """Of the run folders that the command was given, and of those that it has made."""
    folders = [Path(text) for text in given.get("runs", ()) if isinstance(text, str)]
    out = Path(str(given.get("out", "")))
    if given.get("out") and out.is_dir():
        folders += [path for path in sorted(out.iterdir()) if path.is_dir()]
    found = [folder / "manifest.json" for folder in folders]
    is_given = {str(path) for path in found[: len(given.get("runs", ()))]}
    return [
        path
        for path in found
        if path.is_file() and (str(path) in is_given or path.stat().st_mtime >= started - 1.0)
    ]


def _paths(values: Iterable[object]) -> list[Path]:
    """Those of the arguments that are files or folders, and where files without a folder go."""
    texts = [text for value in values for text in (value if isinstance(value, list) else [value])]
    found = [Path(text) for text in texts if isinstance(text, str) and "=" not in text]
    return [path.resolve() for path in found if path.exists()] or [Path.cwd()]
