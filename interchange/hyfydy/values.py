"""The data types of Hyfydy files (manual, section 2.2): each reads a node of the tree and writes one.

Rotations are unit quaternions (w, x, y, z); ranges are (lower, upper).
"""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...engine.maths.rotations import quaternion_from_matrix
from ..common.axes import matrix_from_unit_quaternion, matrix_from_xyz, neat, xyz_from_matrix
from ..common.bounds import is_sane
from .text import Array, Entry, Group, Word, syntax_error

Quaternion = tuple[float, float, float, float]
Range = tuple[float, float]
IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INFINITE = re.compile(r"\+?inf(inity)?")
_EULER_TOLERANCE = 1e-15


class Kind:
    """A data type: `read` raises `FileError` with line and column."""

    expected = ""

    def read(self, node: Word | Array | Group) -> Any:
        """The value of a node."""
        raise NotImplementedError

    def write(self, value: Any) -> Word | Array | Group:
        """The node of a value."""
        raise NotImplementedError

    def refuse(self, node: Word | Array | Group) -> Exception:
        """What is wrong with a node that is not of this type."""
        found = (
            f"'{node.text}'"
            if isinstance(node, Word)
            else "a group"
            if isinstance(node, Group)
            else "an array"
        )
        return syntax_error(f"{found} is not {self.expected}", node.place, f"Write {self.expected}")


class Text(Kind):
    """A name, in quotes where it needs them."""

    expected = "a name"

    def read(self, node: Word | Array | Group) -> str:
        if not isinstance(node, Word):
            raise self.refuse(node)
        return node.text

    def write(self, value: str) -> Word:
        return Word(value)


class Number(Kind):
    """A number up to 1e15, or one that may be infinite."""

    expected = "a number"

    def __init__(self, lowest: float = -math.inf, infinite: bool = False) -> None:
        self.lowest, self.infinite = lowest, infinite
        if lowest == 0.0:
            self.expected = "a number of 0 or more"

    def read(self, node: Word | Array | Group) -> float:
        if isinstance(node, Word) and self.infinite and _INFINITE.fullmatch(node.text):
            return math.inf
        if not isinstance(node, Word) or not _NUMBER.fullmatch(node.text):
            raise self.refuse(node)
        value = float(node.text)
        if not is_sane(value) or value < self.lowest:
            raise self.refuse(node)
        return value + 0.0

    def write(self, value: float) -> Word:
        return Word(number_text(value))


def number_text(value: float) -> str:
    """The shortest text that reads as the same number."""
    value = float(value)
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)


class Flag(Kind):
    """0 or 1."""

    expected = "0 or 1"

    def read(self, node: Word | Array | Group) -> bool:
        if not isinstance(node, Word) or node.text not in ("0", "1", "true", "false"):
            raise self.refuse(node)
        return node.text in ("1", "true")

    def write(self, value: bool) -> Word:
        return Word("1" if value else "0")


NUMBER = Number()


def _components(kind: Kind, node: Word | Array | Group, item: Kind, missing: Any) -> tuple:
    """Three values, from an array or from x, y and z; those not given are `missing`."""
    if isinstance(node, Array) and len(node.items) == 3:
        return tuple(item.read(part) for part in node.items)
    if not isinstance(node, Group):
        raise kind.refuse(node)
    found = _by_key(kind, node, "xyz")
    return tuple(item.read(found[key]) if key in found else missing for key in "xyz")


def _by_key(kind: Kind, node: Group, allowed: str) -> dict[str, Word | Array | Group]:
    found: dict[str, Word | Array | Group] = {}
    for entry in node.entries:
        if entry.key not in allowed or len(entry.key) != 1 or entry.key in found:
            raise syntax_error(f"unexpected '{entry.key}'", entry.place, f"Write {kind.expected}")
        found[entry.key] = entry.value
    return found


def _xyz_group(words: Sequence[str]) -> Group:
    return Group([Entry(key, Word(word)) for key, word in zip("xyz", words, strict=True)])


class Vector3(Kind):
    """[ x y z ], or any of x, y, z by name; those not named are zero."""

    expected = "three numbers, as in [ 0 1 0 ] or { x = 0 y = 1 z = 0 }"

    def __init__(self, item: Number = NUMBER) -> None:
        self.item = item

    def read(self, node: Word | Array | Group) -> tuple[float, float, float]:
        return _components(self, node, self.item, 0.0)

    def write(self, value: Sequence[float]) -> Group:
        return _xyz_group([number_text(component) for component in value])


class Scale(Vector3):
    """One number, or one for each axis."""

    expected = "a number, or three"

    def read(self, node: Word | Array | Group) -> tuple[float, float, float]:
        if isinstance(node, Word):
            value = NUMBER.read(node)
            return (value, value, value)
        return super().read(node)

    def write(self, value: Sequence[float]) -> Word | Group:
        return Word(number_text(value[0])) if len(set(value)) == 1 else super().write(value)


class NamedColor(tuple):
    """The numbers of a colour that is written with names, and the names: r, g, b or h, s, v (hue, saturation, value),
    and a for opacity."""

    names: tuple[str, ...]

    def __new__(cls, names: Sequence[str], numbers: Sequence[float]) -> "NamedColor":
        made = super().__new__(cls, numbers)
        made.names = tuple(names)
        return made


class Color(Kind):
    """[ r g b ], [ r g b a ], { r g b } or { h s v }, each with a or without."""

    expected = "three or four numbers, as in [ 0.8 0.8 0.8 ], { r = 1 g = 0 b = 0 } or { h = 0 s = 1 v = 1 }"

    def read(self, node: Word | Array | Group) -> tuple[float, ...]:
        if isinstance(node, Group):
            found = _by_key(self, node, "rgbahsv")
            if set(found) - {"a"} not in ({"r", "g", "b"}, {"h", "s", "v"}):
                raise self.refuse(node)
            return NamedColor(found, [NUMBER.read(value) for value in found.values()])
        if not isinstance(node, Array) or len(node.items) not in (3, 4):
            raise self.refuse(node)
        return tuple(NUMBER.read(item) for item in node.items)

    def write(self, value: Sequence[float]) -> Array | Group:
        words = [Word(number_text(component)) for component in value]
        if isinstance(value, NamedColor):
            return Group([Entry(name, word) for name, word in zip(value.names, words, strict=True)])
        return Array(words)


class Rotation(Kind):
    """Unit quaternion from w, x, y, z, or from x-y-z Euler angles in degrees: [ 45 0 90 ] turns about x, then about z.

    The angles are body-fixed, R = Rx Ry Rz (the order of Hyfydy's own library).
    """

    expected = "three angles in degrees, as in [ 0 0 90 ] or { z = 90 }, or w, x, y and z of a quaternion"

    def read(self, node: Word | Array | Group) -> Quaternion:
        if isinstance(node, Group) and any(entry.key == "w" for entry in node.entries):
            found = _by_key(self, node, "wxyz")
            q = np.array([NUMBER.read(found[key]) if key in found else 0.0 for key in "wxyz"])
            if not 1e-150 < np.linalg.norm(q) < 1e150:
                raise syntax_error("this quaternion has no length", node.place, "Write one of length 1")
            q = q / np.linalg.norm(q)
            return tuple(float(component) + 0.0 for component in q)
        angles = np.radians(_components(self, node, NUMBER, 0.0))
        return tuple(float(component) for component in quaternion_from_matrix(matrix_from_xyz(angles)))

    def write(self, value: Quaternion) -> Group:
        """Angles in degrees where 15 digits of them are exact, else the quaternion."""
        matrix = matrix_from_unit_quaternion(value)
        angles = [neat(round(angle, 12)) + 0.0 for angle in np.degrees(xyz_from_matrix(matrix))]
        if np.abs(matrix_from_xyz(np.radians(angles)) - matrix).max() <= _EULER_TOLERANCE:
            return _xyz_group([number_text(angle) for angle in angles])
        words = [number_text(component) for component in value]
        return Group([Entry(key, Word(word)) for key, word in zip("wxyz", words, strict=True)])


class Interval(Kind):
    """A range, written lower..upper."""

    expected = "a range, as in -10..10"

    def read(self, node: Word | Array | Group) -> Range:
        if not isinstance(node, Word):
            raise self.refuse(node)
        lower, dots, upper = node.text.partition("..")
        if not dots:
            raise self.refuse(node)
        low, high = NUMBER.read(Word(lower, node.place)), NUMBER.read(Word(upper, node.place))
        if low > high:
            raise syntax_error(
                f"the range {node.text} has its ends exchanged", node.place, "Put the lower number first"
            )
        return low, high

    def write(self, value: Range) -> Word:
        return Word(interval_text(value))


def interval_text(value: Range) -> str:
    """lower..upper; a dot after a number would be read as part of the dots, so none is left at the end."""
    return "..".join(number_text(end) for end in value)


class Intervals(Kind):
    """Three ranges; those not named are 0..0, as numbers not named are 0."""

    expected = "three ranges, as in [ -10..10 0..0 -45..90 ]"

    def read(self, node: Word | Array | Group) -> tuple[Range, Range, Range]:
        return _components(self, node, Interval(), (0.0, 0.0))

    def write(self, value: Sequence[Range]) -> Group:
        return _xyz_group([interval_text(interval) for interval in value])
