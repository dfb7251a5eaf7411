"""What a value in a file may be: small declarations that read, write and describe it.

A node has four methods. `read(value, place)` turns parsed JSON into what the spec holds, or raises `FileError` naming
the place and the remedy. `write(value, place)` is its opposite. `schema()` is the same rule as JSON Schema (draft
2020-12). `label()` is the rule as text, for the field tables in docs/formats.
"""

import difflib
import math
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field
from typing import Any, ClassVar, Protocol

from .errors import FileError, pointer

_KINDS = {bool: "true or false", str: "a text", dict: "an object", list: "a list", type(None): "null"}


class Node(Protocol):
    """See the module docstring."""

    def read(self, value: Any, place: str) -> Any: ...

    def write(self, value: Any, place: str) -> Any: ...

    def schema(self) -> dict[str, Any]: ...

    def label(self) -> str: ...


def kind_of(value: Any) -> str:
    """Name of the type of a parsed value, for messages."""
    return _KINDS.get(type(value), "a number")


def wrong_type(wanted: str, value: Any, place: str) -> FileError:
    """The error for a value of another type than the one wanted."""
    remedy = (
        "Write it without quotes" if wanted.endswith("number") and type(value) is str else f"Write {wanted}"
    )
    return FileError(f"must be {wanted}, not {kind_of(value)}", place=place, remedy=remedy)


def nearest_hint(name: str, known: Iterable[str]) -> str:
    """Remedy for a name that is not known."""
    known = list(known)
    near = difflib.get_close_matches(name[:80], known, n=1, cutoff=0.5)
    if near:
        return f"Did you mean {near[0]!r}?"
    return f"Use one of: {', '.join(known)}" if known else "Delete it"


class Scalar:
    """A value of one JSON type. Like all nodes, two of a kind are equal."""

    python: ClassVar[type]
    json: ClassVar[str]
    words: ClassVar[str]
    wanted: ClassVar[str]
    """What is asked for where the value is of another type."""

    def read(self, value: Any, place: str) -> Any:
        if type(value) is self.python:
            return value
        raise wrong_type(self.wanted, value, place)

    def write(self, value: Any, place: str) -> Any:
        return self.read(value.item() if hasattr(value, "item") else value, place)

    def schema(self) -> dict[str, Any]:
        return {"type": self.json}

    def label(self) -> str:
        return self.words


@dataclass(frozen=True)
class Number(Scalar):
    """A finite number. An int stays an int, so that the file keeps its bytes when written again."""

    json, words, wanted = "number", "number", "a number"

    def read(self, value: Any, place: str) -> float:
        if type(value) is float or type(value) is int:
            return value
        raise wrong_type(self.wanted, value, place)

    def write(self, value: Any, place: str) -> float:
        value = self.read(value.item() if hasattr(value, "item") else value, place)
        if not math.isfinite(value):
            remedy = "Set a finite number"
            raise FileError(f"cannot be written: {value} is not a finite number", place=place, remedy=remedy)
        return value


@dataclass(frozen=True)
class Integer(Scalar):
    """A whole number."""

    python, json, words, wanted = int, "integer", "whole number", "a whole number"


@dataclass(frozen=True)
class Boolean(Scalar):
    """true or false."""

    python, json, words, wanted = bool, "boolean", "true or false", "true or false"


@dataclass(frozen=True)
class Text(Scalar):
    """Any text, the empty one too."""

    python, json, words, wanted = str, "string", "text", "a text"


@dataclass(frozen=True)
class Choice:
    """One of a few fixed texts."""

    options: tuple[str, ...]

    def read(self, value: Any, place: str) -> str:
        if type(value) is not str:
            raise wrong_type("a text", value, place)
        if value not in self.options:
            remedy = nearest_hint(value, self.options)
            raise FileError(f"{value[:60]!r} is not known here", place=place, remedy=remedy)
        return value

    write = read

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.options)}

    def label(self) -> str:
        return " or ".join(f'"{option}"' for option in self.options)


@dataclass(frozen=True)
class Optional:
    """The value, or null."""

    node: Node

    def read(self, value: Any, place: str) -> Any:
        return None if value is None else self.node.read(value, place)

    def write(self, value: Any, place: str) -> Any:
        return None if value is None else self.node.write(value, place)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.node.schema(), {"type": "null"}]}

    def label(self) -> str:
        return self.node.label()


@dataclass(frozen=True)
class Array:
    """A list of equal things, of a fixed or of any length. Read as `container`."""

    item: Node
    length: int | None = None
    container: type = tuple

    def read(self, value: Any, place: str) -> Any:
        if type(value) is not list:
            raise wrong_type(f"a list of {self._size()}", value, place)
        if self.length is not None and len(value) != self.length:
            message = f"must have {self.length} entries, not {len(value)}"
            raise FileError(message, place=place, remedy=f"Write a list of {self._size()}")
        read = self.item.read
        return self.container([read(item, f"{place}/{i}") for i, item in enumerate(value)])

    def write(self, value: Any, place: str) -> list:
        if hasattr(value, "tolist"):
            value = value.tolist()
        if not isinstance(value, (list, tuple)):
            raise wrong_type(f"a list of {self._size()}", value, place)
        if self.length is not None and len(value) != self.length:
            message = f"must have {self.length} entries, not {len(value)}"
            raise FileError(message, place=place, remedy=f"Give {self._size()}")
        return [self.item.write(item, f"{place}/{i}") for i, item in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "array", "items": self.item.schema()}
        if self.length is not None:
            schema |= {"minItems": self.length, "maxItems": self.length}
        return schema

    def label(self) -> str:
        return f"list of {self._size()}"

    def _size(self) -> str:
        label = self.item.label()
        plural = label if label.startswith("list") or " or " in label else label + "s"
        return plural if self.length is None else f"{self.length} {plural}"


@dataclass(frozen=True)
class Map:
    """An object whose member names are free."""

    item: Node

    def read(self, value: Any, place: str) -> dict[str, Any]:
        if type(value) is not dict:
            raise wrong_type("an object", value, place)
        return {key: self.item.read(item, pointer(place, key)) for key, item in value.items()}

    def write(self, value: Any, place: str) -> dict[str, Any]:
        if not isinstance(value, dict) or not all(type(key) is str for key in value):
            raise wrong_type("an object with texts as names", value, place)
        return {key: self.item.write(item, pointer(place, key)) for key, item in value.items()}

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.item.schema()}

    def label(self) -> str:
        return f"name to {self.item.label()}"


@dataclass(frozen=True)
class AnyJson:
    """Anything JSON can hold, kept as it is."""

    def read(self, value: Any, place: str) -> Any:
        return value

    def write(self, value: Any, place: str) -> Any:
        if isinstance(value, dict):
            return Map(self).write(value, place)
        if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
            return Array(self).write(value, place) if getattr(value, "shape", True) else value.item()
        if value is None or isinstance(value, (bool, str)):
            return value
        return Number().write(value, place)

    def schema(self) -> dict[str, Any]:
        return {}

    def label(self) -> str:
        return "anything"


@dataclass(frozen=True)
class Field:
    """One member of a record: a field of a dataclass under its key in the file."""

    name: str
    key: str
    node: Node
    default: Any
    """MISSING where the dataclass has none,"""
    factory: Any
    """or has a factory."""
    always: bool = False
    """Written even when at its default."""

    def is_default(self, value: Any) -> bool:
        """Whether the key may be left out, as its value is the default."""
        if hasattr(value, "shape"):
            return False
        if self.factory is not MISSING:
            return value == self.factory()
        return self.default is not MISSING and type(value) is type(self.default) and value == self.default

    @property
    def required(self) -> bool:
        return self.default is MISSING and self.factory is MISSING


@dataclass(frozen=True)
class Record:
    """An object with known keys, all of them ours: an unknown key is an error that names the nearest known one."""

    cls: type
    fields: tuple[Field, ...]
    full: bool = False
    """Write every value, defaults too: what a run was computed with stays in the file when a default changes."""
    tags: tuple[tuple[str, Any], ...] = field(default=())
    """Keys of the format that are no fields (format name and version), written first and checked by the reader."""

    def read(self, value: Any, place: str) -> Any:
        return self.cls(**self.read_values(value, place))

    def read_values(self, value: Any, place: str) -> dict[str, Any]:
        """Field name to value, for the keys that are there."""
        if type(value) is not dict:
            raise wrong_type("an object", value, place)
        known = {field.key: field for field in self.fields}
        tags = [key for key, _ in self.tags]
        values = {}
        for key, item in value.items():
            if key in tags:
                continue
            if key not in known:
                remedy = nearest_hint(key, known)
                raise FileError(f"the key {key[:60]!r} is not known here", place=place, remedy=remedy)
            values[known[key].name] = known[key].node.read(item, pointer(place, key))
        missing = [field.key for field in self.fields if field.required and field.key not in value]
        if missing:
            raise FileError(f"the key {missing[0]!r} is missing", place=place, remedy=f"Add {missing[0]!r}")
        return values

    def write(self, value: Any, place: str) -> dict[str, Any]:
        if not isinstance(value, self.cls):
            raise wrong_type(f"a {self.cls.__name__}", value, place)
        document = dict(self.tags)
        for member in self.fields:
            item = getattr(value, member.name)
            wanted = item is not None if self.full else not member.is_default(item)
            if wanted or member.required or member.always:
                document[member.key] = member.node.write(item, pointer(place, member.key))
        return document

    def schema(self) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.cls.__name__}"}

    def label(self) -> str:
        return self.cls.__name__
