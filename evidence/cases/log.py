"""The log of a case: lines of JSON that are only ever added, each with the digest of the line before.

An entry's digest covers its content and the digest of the entry before it, the first one's that of the case's head, so
that no entry can be changed, taken out, put in or moved without breaking the chain there. Entries cut off at the end
leave a chain that is whole in itself; the digest of the last entry, noted elsewhere or signed, shows that.
"""

import getpass
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...analysis.files.manifest import describe_file, utc_text
from ...io_json import strict_json
from ...io_json.errors import FileError

LOG, LOCK = "log.jsonl", ".log.lock"
LARGEST = 256 * 1024**2
SECONDS_TO_WAIT = 10.0
STALE_AFTER = 60.0
"""Seconds after which a lock is that of a process that was killed."""
KINDS = ("opened", "imported", "set", "run", "looked at", "rejected", "exported", "signed", "checked", "note")
MEMBERS = ("number", "time", "who", "program", "kind", "text", "details", "files", "before", "sha256")


@dataclass(frozen=True)
class ChainCheck:
    """What the check of a log found."""

    entries: int
    """That are sound, from the first on."""
    head: str
    """Digest of the last sound entry."""
    problem: str = ""
    """The first entry that is wrong, and how; "" where all are sound."""


def entry_digest(entry: Mapping[str, Any]) -> str:
    """Digest of an entry without its own."""
    body = {name: value for name, value in entry.items() if name != "sha256"}
    spelled = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(spelled.encode("utf-8")).hexdigest()


def append(
    folder: Path,
    start: str,
    kind: str,
    text: str,
    *,
    program: str,
    details: Mapping[str, Any] | None = None,
    files: Sequence[Path] = (),
    now: datetime | None = None,
) -> dict[str, Any]:
    """Add an entry to the log of a case folder and return it; `start` is the digest of the case's head. Raises
    FileError, also where the log is broken already: nothing is added to such a log."""
    if kind not in KINDS:
        raise FileError(f"{kind!r} is no kind of entry", remedy=f"Use one of: {', '.join(KINDS)}")
    with _locked(folder):
        found = check_chain(folder, start)
        if found.problem:
            raise FileError(
                found.problem, path=folder / LOG, remedy="Keep the folder as it is and open a new case"
            )
        entry = {
            "number": found.entries + 1,
            "time": utc_text(now or datetime.now(UTC)),
            "who": _user(),
            "program": program,
            "kind": kind,
            "text": text,
            "details": dict(details or {}),
            "files": [describe_file(path, _name(path, folder)) for path in files],
            "before": found.head,
        }
        entry["sha256"] = entry_digest(entry)
        with open(folder / LOG, "ab") as file:
            file.write((json.dumps(entry, ensure_ascii=False) + "\n").encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
    return entry


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "unknown"


def _name(path: Path, folder: Path) -> str:
    """Relative to the case where it lies inside, else the file's name alone."""
    path, folder = path.resolve(), folder.resolve()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One writer at a time, whichever program it is."""
    path, until = folder / LOCK, time.monotonic() + SECONDS_TO_WAIT
    while True:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except FileExistsError as error:
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > STALE_AFTER:
                    path.unlink()
                    continue
            if time.monotonic() > until:
                raise FileError("another program writes to the log", path=path, remedy="Try again") from error
            time.sleep(0.02)
        except OSError as error:
            raise FileError(
                f"cannot be written to ({error.strerror})", path=folder, remedy="Choose another place"
            ) from error
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()


def read_entries(folder: Path) -> list[str]:
    """The lines of the log as they stand. Raises FileError."""
    path = folder / LOG
    if not path.exists():
        return []
    text = strict_json.read_bytes(path, LARGEST).decode("utf-8", errors="replace")
    *lines, rest = text.split("\n")
    return [*lines, rest] if rest else lines


def check_chain(folder: Path, start: str) -> ChainCheck:
    """Follow the chain from the case's head; the first wrong entry ends it. Raises FileError."""
    return chain_of(read_entries(folder), start)


def chain_of(lines: Sequence[str], start: str) -> ChainCheck:
    """`check_chain` of the lines of a log."""
    head, last_time = start, ""
    for number, line in enumerate(lines, start=1):
        problem = _problem(line, number, head, last_time)
        if problem:
            return ChainCheck(number - 1, head, f"entry {number}: {problem}")
        entry = json.loads(line)
        head, last_time = entry["sha256"], entry["time"]
    return ChainCheck(len(lines), head)


def _problem(line: str, number: int, before: str, last_time: str) -> str:
    """What is wrong with an entry; "" where nothing is."""
    try:
        entry = json.loads(line)
    except ValueError:
        return "is no entry, or was cut"
    if not isinstance(entry, dict) or tuple(entry) != MEMBERS:
        return "does not have the members of an entry"
    if entry["before"] != before:
        return "does not follow the entry before it: one was changed, taken out, put in or moved"
    if entry_digest(entry) != entry["sha256"] or json.dumps(entry, ensure_ascii=False) != line:
        return f"was changed ({entry.get('kind')}: {str(entry.get('text'))[:60]})"
    if entry["number"] != number:
        return f"has the number {entry['number']}"
    return "is earlier than the entry before it" if entry["time"] < last_time else ""
