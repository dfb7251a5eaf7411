"""Read JSON text strictly and within bounds: no duplicate key, no NaN, no absurd size, depth or number.

Python's parser does the work. What it would let pass is left in the result as a marker, which `check` finds, so that
the message can name the place as a JSON pointer.
"""

import json
import math
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import FileError, in_file, pointer

MAX_BYTES = 32 * 1024 * 1024
MAX_VALUES = 2_000_000
MAX_DEPTH = 40
MAX_INTEGER_DIGITS = 30

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True)
class _Refused:
    """Stands in the parsed document for something that JSON text must not hold."""

    message: str
    remedy: str


def read_bytes(path: str | os.PathLike, limit: int = MAX_BYTES) -> bytes:
    """The content of an ordinary file of at most `limit` bytes. Raises `FileError`."""
    with in_file(path):
        try:
            return _read_bounded(Path(path), limit)
        except (OSError, ValueError) as error:
            reason = os.strerror(error.errno) if getattr(error, "errno", None) else str(error)
            remedy = "Check the name and that you may read the file"
            raise FileError(f"cannot be read ({reason})", remedy=remedy) from error


def _read_bounded(path: Path, limit: int) -> bytes:
    """Refuse devices and pipes before opening (they may block), then read no more than the limit."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise FileError("is not an ordinary file", remedy="Name a file, not a folder or a device")
    with open(path, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        remedy = "Make it smaller: put big meshes into mesh files of their own"
        raise FileError(f"is bigger than {limit // 1024**2} MB", remedy=remedy)
    return data


def decode(data: bytes) -> str:
    """UTF-8 text, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(
            "is not UTF-8 text", place=f"byte {error.start}", remedy="Save the file as UTF-8"
        ) from error


def parse(text: str) -> Any:
    """The JSON document in `text`, checked against the bounds of this module. Raises `FileError`."""
    _refuse_if_too_many(text)
    try:
        document = json.loads(
            text,
            parse_float=_parse_float,
            parse_int=_parse_int,
            parse_constant=_refuse_constant,
            object_pairs_hook=_make_object,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        remedy = "Correct the JSON at this place (a missing comma, quote or bracket is the usual cause)"
        raise FileError(f"is not valid JSON: {error.msg}", place=place, remedy=remedy) from error
    except RecursionError as error:
        raise _too_deep("") from error
    check(document)
    return document


def check(document: Any) -> None:
    """Walk the document without recursion and raise `FileError` at the first thing that must not be in it."""
    pending = [("", iter([(None, document)]))]
    while pending:
        place, members = pending[-1]
        for key, value in members:
            if type(value) is float or type(value) is int:
                continue
            here = place if key is None else pointer(place, key)
            if isinstance(value, (dict, list)):
                if len(pending) > MAX_DEPTH:
                    raise _too_deep(here)
                pending.append((here, _members(value, here)))
                break
            if isinstance(value, str):
                _check_text(value, here)
            elif isinstance(value, _Refused):
                raise FileError(value.message, place=here, remedy=value.remedy)
        else:
            pending.pop()


def _members(value: dict | list, place: str) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, list):
        return iter(enumerate(value))
    for key in value:
        _check_text(key, place)
    return iter(value.items())


def _check_text(text: str, place: str) -> None:
    if not text.isprintable():
        found = _CONTROL.search(text)
        if found:
            remedy = "Delete the invisible character"
            raise FileError(f"holds the control character U+{ord(found[0]):04X}", place=place, remedy=remedy)


def _refuse_if_too_many(text: str) -> None:
    """Bound the number of values before any of them takes memory: every value but one follows a comma or a bracket."""
    if text.count(",") + text.count("[") + text.count("{") > MAX_VALUES:
        remedy = "Put big meshes into mesh files of their own"
        raise FileError(f"holds more than {MAX_VALUES:,} values", remedy=remedy)


def _too_deep(place: str) -> FileError:
    return FileError(
        f"is nested deeper than {MAX_DEPTH} levels",
        place=place,
        remedy="No file of ours needs this: check it",
    )


def _parse_float(text: str) -> float | _Refused:
    value = float(text)
    if math.isfinite(value):
        return value
    return _Refused(f"the number {_shorten(text)} is too big", "Write a number below 1.8e308")


def _parse_int(text: str) -> int | _Refused:
    if len(text) <= MAX_INTEGER_DIGITS:
        return int(text)
    return _Refused(
        f"the number {_shorten(text)} has too many digits", "Write it with an exponent, like 1e30"
    )


def _refuse_constant(text: str) -> _Refused:
    return _Refused(f"{text} is not a number", "Write a number, or leave the key out")


def _make_object(pairs: list[tuple[str, Any]]) -> dict | _Refused:
    document = dict(pairs)
    if len(document) == len(pairs):
        return document
    seen: set[str] = set()
    twice = next(key for key, _ in pairs if key in seen or seen.add(key))
    return _Refused(f"the key {_shorten(twice)!r} appears twice", "Keep one of the two")


def _shorten(text: str, length: int = 40) -> str:
    return text if len(text) <= length else text[:length] + "..."
