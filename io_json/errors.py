"""The one error that leaves `io_json` for bad content."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from ..engine.errors import UserError


class FileError(UserError):
    """A file that cannot be used, with a message of one line: which file, where in it, what is wrong, what to do.

    message: what is wrong. path: the file, or None for text that has none. place: JSON pointer ("/bodies/head/mass"),
    "line 3, column 7", "byte 80", or "" for the file as a whole. remedy: what to do about it.
    """

    def __init__(
        self, message: str, *, path: str | os.PathLike | None = None, place: str = "", remedy: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = None if path is None else os.fspath(path)
        self.place = place
        self.remedy = remedy

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.path, self.place) if part)
        problem = f"{where}: {self.message}" if where else self.message
        return f"{problem}. {self.remedy}" if self.remedy else problem


@contextmanager
def in_file(path: str | os.PathLike | None) -> Iterator[None]:
    """Name the file in every `FileError` raised inside that does not name one yet."""
    try:
        yield
    except FileError as error:
        if error.path is None and path is not None:
            error.path = os.fspath(path)
        raise


@contextmanager
def at_place(place: str, about: str = "") -> Iterator[None]:
    """Give every `FileError` raised inside a place, and say what it is about."""
    try:
        yield
    except FileError as error:
        message = f"{about}: {error.message}" if about else error.message
        raise FileError(message, place=place, remedy=error.remedy) from error


def pointer(place: str, *keys: str | int) -> str:
    """Extend a JSON pointer (RFC 6901) by member names or positions."""
    for key in keys:
        place += "/" + str(key).replace("~", "~0").replace("/", "~1")
    return place
