"""The journal of a sweep: every finished run as one checked line, appended and never changed.

A line is the CRC-32 of its text, a space, and the text (JSON). The first line names the plan. A line cut short by a
kill or a power cut is recognised and removed when the journal is opened again; the run it held is made again. So
nothing finished is lost or repeated, and memory does not grow with the number of runs: of a row only its place in the
file is kept.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import NoneType
from typing import Any, BinaryIO

import numpy as np

from ..io_json.errors import FileError
from .bench import Row

LONGEST_LINE = 64 * 1024**2
"""Bytes; a row with paths of 100 bodies at 10,000 times has a quarter of it."""
SAFE_INTERVAL = 2.0
"""s between two times that the disk is made to hold what was written; a kill loses nothing, a power cut this much."""


class Journal:
    """Rows on disk by run number. Use as a context manager; one process at a time may have it open."""

    def __init__(self, path: Path, plan: str, runs: int) -> None:
        self.path = path
        self.offset = np.full(runs, -1, dtype=np.int64)
        """(runs,) place of each row in the file; -1 where there is none yet."""
        self.damaged = 0
        """Lines that did not pass their check, other than a last one cut short."""
        self._safe_at = time.monotonic()
        try:
            self._file = open(path, "a+b")
        except OSError as error:
            raise FileError(
                f"cannot be opened ({error.strerror})", path=path, remedy="Choose another folder"
            ) from error
        try:
            _lock(self._file, path)
            self._scan(plan)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *ignored: object) -> None:
        self.close()

    def close(self) -> None:
        """Make everything safe and give the file free."""
        if not self._file.closed:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()

    @property
    def done(self) -> int:
        """Number of runs that have a row."""
        return int(np.count_nonzero(self.offset >= 0))

    def missing(self) -> np.ndarray:
        """Numbers of the runs that have no row, rising."""
        return np.flatnonzero(self.offset < 0)

    def append(self, rows: Iterable[Row]) -> None:
        """Add finished runs."""
        for row in rows:
            if self.offset[row.index] < 0:
                self.offset[row.index] = self._end
                self._write(row.plain())
        self._file.flush()
        if time.monotonic() - self._safe_at > SAFE_INTERVAL:
            os.fsync(self._file.fileno())
            self._safe_at = time.monotonic()

    def rows(self) -> Iterator[Row]:
        """All rows by run number, read one at a time."""
        with open(self.path, "rb") as file:
            for offset in self.offset[self.offset >= 0]:
                file.seek(int(offset))
                yield Row.from_plain(_parsed(file.readline()))

    def row(self, index: int) -> Row | None:
        """One row, or None."""
        if not 0 <= index < len(self.offset) or self.offset[index] < 0:
            return None
        with open(self.path, "rb") as file:
            file.seek(int(self.offset[index]))
            return Row.from_plain(_parsed(file.readline()))

    def _write(self, content: Any) -> None:
        text = json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
        line = b"%08x %s\n" % (zlib.crc32(text), text)
        self._file.write(line)
        self._end += len(line)

    def _scan(self, plan: str) -> None:
        """Find the rows that are there, cut off what a kill left half-written, or begin a new journal."""
        self._file.seek(0)
        self._end = 0
        for number, line in enumerate(_bounded_lines(self._file)):
            content = _parsed(line)
            if content is None and not line.endswith(b"\n"):
                break
            if number == 0 and content != {"plan": plan}:
                raise FileError(
                    "belongs to another sweep",
                    path=self.path,
                    remedy="Choose another folder, or move it away",
                )
            if number and _is_row(content) and content[0] < len(self.offset):
                if self.offset[content[0]] < 0:
                    self.offset[content[0]] = self._end
            elif number:
                self.damaged += 1
            self._end += len(line)
        self._file.seek(self._end)
        self._file.truncate()
        if self._end == 0:
            self._write({"plan": plan})
            self._file.flush()


def _parsed(line: bytes) -> Any:
    """The content of a line, or None where the line does not pass its check."""
    checksum, _, text = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(text):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """Lines; one longer than any row comes in pieces, none of which passes its check."""
    return iter(lambda: file.readline(LONGEST_LINE), b"")


def _is_row(content: Any) -> bool:
    """Whether the content of a line is a row as `Row.plain` makes it."""
    kinds = (int, str, list, str, str)
    return (
        isinstance(content, list)
        and len(content) == len(kinds)
        and all(type(member) is kind for member, kind in zip(content, kinds, strict=True))
        and content[0] >= 0
        and all(isinstance(value, (float, int, str, NoneType)) for value in content[2])
    )


def _lock(file: Any, path: Path) -> None:
    """Refuse a journal that another process has open; the system takes the lock off when a process ends."""
    try:
        if os.name == "posix":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            file.seek(0)
            # a byte far behind the end: Windows locks keep others from reading what they cover
            file.seek(1 << 40)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as error:
        remedy = "Wait for it, or stop it: nothing it has finished is lost"
        raise FileError("another process is running this sweep", path=path, remedy=remedy) from error
