"""A case folder: `case.json` with number, title and examiner, the log, and exhibits by their digests.

Whatever the command line or Blender does with files inside the folder is logged there: `find_case` looks upwards from
them. Exhibits are files with a name by which the case knows them; they stay where they are, and the log holds their
digests.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...analysis.files.manifest import sha256_of_file, utc_text, versions
from ...io_json import atomic, strict_json
from ...io_json.errors import FileError
from .log import ChainCheck, append, check_chain, read_entries

FILE_NAME, FORMAT, FORMAT_VERSION = "case.json", "mannequin-case", 1
LARGEST = 1024**2
EXHIBIT = "exhibit"
"""Member of an entry's details: the name by which the case knows a file."""


@dataclass(frozen=True)
class Case:
    """A case folder that was read."""

    folder: Path
    number: str
    title: str
    examiner: str
    start: str
    """Digest of `case.json`: what the log's first entry follows."""

    def log(
        self,
        kind: str,
        text: str,
        *,
        details: Mapping[str, Any] | None = None,
        files: Sequence[Path] = (),
        host: str = "command line",
    ) -> dict[str, Any]:
        """Add an entry. Raises FileError."""
        program = f"Mannequin {versions()['mannequin']}, {host}"
        return append(self.folder, self.start, kind, text, program=program, details=details, files=files)

    def check(self) -> ChainCheck:
        """Follow the chain of the log. Raises FileError."""
        return check_chain(self.folder, self.start)

    def entries(self) -> list[dict[str, Any]]:
        """What the log holds, up to the first entry that is wrong. Raises FileError."""
        return [json.loads(line) for line in read_entries(self.folder)[: self.check().entries]]

    def exhibits(self) -> dict[str, dict[str, Any]]:
        """Exhibits by their names: path, size and digest, as last logged."""
        return {
            entry["details"][EXHIBIT]: {**entry["files"][0], "description": entry["text"]}
            for entry in self.entries()
            if entry["kind"] == "imported" and EXHIBIT in entry["details"] and entry["files"]
        }


def new_case(folder: Path, number: str, examiner: str, title: str = "") -> Case:
    """Open a case in a new folder, or in one that holds none yet. Raises FileError."""
    path = folder / FILE_NAME
    if path.exists():
        raise FileError("holds a case already", path=folder, remedy="Choose another folder")
    if not number.strip() or not examiner.strip():
        raise FileError("a case needs its number and its examiner", remedy="Give --number and --examiner")
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "number": number,
        "title": title,
        "examiner": examiner,
        "opened": utc_text(datetime.now(UTC)),
    }
    atomic.write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    case = read_case(folder)
    case.log("opened", f"Case {number} opened by {examiner}")
    return case


def read_case(folder: Path) -> Case:
    """Read a case folder. Raises FileError."""
    path = folder / FILE_NAME
    if not path.exists():
        raise FileError("is no case folder", path=folder, remedy="Open a case with `case new`")
    data = strict_json.read_bytes(path, LARGEST)
    content = strict_json.parse(strict_json.decode(data))
    texts = ("number", "title", "examiner")
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FileError("is no case of Mannequin", path=path, remedy="Give the folder of a case")
    if not all(isinstance(content.get(name), str) for name in texts):
        raise FileError(
            "lacks number, title or examiner", path=path, remedy="Take it from a copy of the case"
        )
    return Case(folder, *(content[name] for name in texts), start=hashlib.sha256(data).hexdigest())


def find_case(path: Path) -> Case | None:
    """The case in whose folder a path lies, if any; a case that cannot be read is none."""
    for folder in [path, *path.parents] if path.is_absolute() else [path.resolve(), *path.resolve().parents]:
        if (folder / FILE_NAME).is_file():
            try:
                return read_case(folder)
            except FileError:
                return None
    return None


def add_exhibit(case: Case, path: Path, name: str, description: str = "") -> dict[str, Any]:
    """Log a file as an exhibit. Raises FileError."""
    if not path.is_file():
        raise FileError("is no file", path=path, remedy="Give the exhibit's file")
    if not name.strip() or name in case.exhibits():
        raise FileError(f"{name!r} is no new name for an exhibit", remedy="Give --name something new")
    return case.log("imported", description or path.name, details={EXHIBIT: name}, files=[path])


def case_problems(case: Case, expect: str = "") -> list[str]:
    """What is wrong with a case: the first broken entry, and exhibits in its folder that were changed. Raises
    FileError."""
    found = case.check()
    problems = [f"log: {found.problem}"] if found.problem else []
    digests = {case.start, *(entry["sha256"] for entry in case.entries())}
    if expect and not any(digest.startswith(expect.lower()) for digest in digests):
        problems.append(f"log: has no entry with the digest {expect}: it was cut, or is that of another case")
    for name, exhibit in case.exhibits().items():
        path = case.folder / exhibit["path"]
        if path.is_file() and sha256_of_file(path) != exhibit["sha256"]:
            problems.append(f"exhibit {name} ({exhibit['path']}): has been changed since it was logged")
        elif not path.is_file() and "/" in exhibit["path"]:
            problems.append(f"exhibit {name} ({exhibit['path']}): is missing")
    return problems
