"""PLY meshes: text, little-endian and big-endian binary."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import BinaryIO

import numpy as np

from .errors import FileError

_TYPES = {
    **{"char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2"},
    **{"ushort": "u2", "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4"},
    **{"float": "f4", "float32": "f4", "double": "f8", "float64": "f8"},
}
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": ""}
_AGAIN = "Export the mesh again"
_MAX_HEADER = 64 * 1024
_MAX_ROWS = 2_000_000


def fan(corners: list) -> Iterator[tuple]:
    """Triangles of a convex polygon."""
    for second, third in zip(corners[1:], corners[2:], strict=False):
        yield corners[0], second, third


@dataclass
class _Property:
    name: str
    type: str
    count_type: str = ""
    """Of a list: the type of its length."""


@dataclass
class _Element:
    name: str
    count: int
    properties: list[_Property] = field(default_factory=list)


def read_ply(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """((n, 3) points, (m, 3) indices)."""
    order, elements, start = _read_header(data)
    source = _TextRows(data[start:]) if order == "" else _BinaryRows(data, start, order)
    points, triangles = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
    for element in elements:
        columns = source.read(element)
        if element.name == "vertex":
            points = _points(columns)
        elif element.name == "face":
            triangles = _triangles(columns)
    return points, triangles


def ply_rows(path: str | os.PathLike, at_once: int, most: int) -> Iterator[dict[str, np.ndarray]]:
    """Columns of the points of a PLY file, `at_once` rows at a time; up to `most` are read. Raises `FileError`.

    Points must be the first element, as they are in every file of points.
    """
    with open(path, "rb") as file:
        order, elements, start = _read_header(file.read(_MAX_HEADER), most)
        if not elements or elements[0].name != "vertex" or not elements[0].properties:
            raise FileError("does not begin with points", remedy=_AGAIN)
        points = elements[0]
        if any(member.count_type for member in points.properties):
            raise FileError("has points with lists", remedy=_AGAIN)
        file.seek(start)
        take = _text_table if order == "" else _packed_table
        for begin in range(0, points.count, at_once):
            yield take(file, points, order, min(at_once, points.count - begin))


def _packed_table(file: BinaryIO, element: _Element, order: str, rows: int) -> dict[str, np.ndarray]:
    kind = np.dtype([(f"{i}", order + member.type) for i, member in enumerate(element.properties)])
    data = file.read(rows * kind.itemsize)
    if len(data) < rows * kind.itemsize:
        raise FileError("is cut short", place=f"byte {file.tell()}", remedy=_AGAIN)
    table = np.frombuffer(data, kind, rows)
    return {member.name: table[f"{i}"] for i, member in enumerate(element.properties)}


def _text_table(file: BinaryIO, element: _Element, order: str, rows: int) -> dict[str, np.ndarray]:
    lines = [line for line in (file.readline(_MAX_HEADER) for _ in range(rows)) if line]
    width = len(element.properties)
    try:
        table = np.array(b" ".join(lines).split(), dtype=float).reshape(-1, width)
    except ValueError:
        table = np.zeros((0, width))
    if len(table) != rows:
        raise FileError(f"has a broken row of {element.name!r}, or is cut short", remedy=_AGAIN)
    return {member.name: table[:, i] for i, member in enumerate(element.properties)}


def _read_header(data: bytes, most: int = _MAX_ROWS) -> tuple[str, list[_Element], int]:
    """(byte order, elements, where the rows begin)."""
    end = data.find(b"end_header", 0, _MAX_HEADER)
    start = data.find(b"\n", end) + 1
    if data[:3] != b"ply" or end < 0 or start == 0:
        raise FileError("has no PLY header", place="line 1", remedy=_AGAIN)
    order, elements = None, []
    for number, line in enumerate(data[:end].decode("ascii", errors="replace").splitlines(), start=1):
        words = line.split()
        try:
            if words[:1] == ["format"]:
                order = _ORDERS[words[1]]
            elif words[:1] == ["element"]:
                elements.append(_Element(words[1], int(words[2])))
            elif words[:1] == ["property"]:
                elements[-1].properties.append(_read_property(words[1:]))
        except (KeyError, IndexError, ValueError):
            raise FileError("is not a PLY header line", place=f"line {number}", remedy=_AGAIN) from None
    if order is None or any(not 0 <= element.count <= most for element in elements):
        raise FileError("has a PLY header without format or with absurd counts", remedy=_AGAIN)
    return order, elements, start


def _read_property(words: list[str]) -> _Property:
    if words[0] == "list":
        return _Property(words[3], _TYPES[words[2]], _TYPES[words[1]])
    return _Property(words[1], _TYPES[words[0]])


Columns = dict[str, list]
"""Property name to its values over the rows: numbers, or lists of numbers."""


class _TextRows:
    """Rows of numbers, one row per line."""

    def __init__(self, data: bytes) -> None:
        self._lines = iter(data.decode("ascii", errors="replace").splitlines())

    def read(self, element: _Element) -> Columns:
        columns: Columns = {member.name: [] for member in element.properties}
        for _ in range(element.count):
            try:
                numbers = iter([float(word) for word in next(self._lines).split()])
                for member in element.properties:
                    columns[member.name].append(self._value(member, numbers))
            except (StopIteration, ValueError, OverflowError):
                raise FileError(f"has a broken row of {element.name!r}", remedy=_AGAIN) from None
        return columns

    @staticmethod
    def _value(member: _Property, numbers: Iterator[float]) -> float | list[float]:
        if not member.count_type:
            return next(numbers)
        size = int(next(numbers))
        values = list(islice(numbers, max(size, 0)))
        if len(values) != size:
            raise ValueError("fewer numbers than the list says")
        return values


class _BinaryRows:
    """Rows of numbers, packed."""

    def __init__(self, data: bytes, offset: int, order: str) -> None:
        self._data, self._offset, self._order = data, offset, order

    def read(self, element: _Element) -> Columns:
        if not any(member.count_type for member in element.properties):
            return self._read_fixed(element)
        columns: Columns = {member.name: [] for member in element.properties}
        for _ in range(element.count):
            for member in element.properties:
                size = int(self._take(member.count_type, 1)[0]) if member.count_type else 1
                values = self._take(member.type, size).tolist()
                columns[member.name].append(values if member.count_type else values[0])
        return columns

    def _read_fixed(self, element: _Element) -> Columns:
        """All rows at once, where every row has the same size."""
        kinds = [(f"{i}", self._order + member.type) for i, member in enumerate(element.properties)]
        table = self._take(kinds, element.count)
        return {member.name: table[f"{i}"] for i, member in enumerate(element.properties)}

    def _take(self, kind: str | list[tuple[str, str]], count: int) -> np.ndarray:
        kind = np.dtype(self._order + kind if isinstance(kind, str) else kind)
        if count < 0 or count * kind.itemsize > len(self._data) - self._offset:
            raise FileError("is cut short", place=f"byte {self._offset}", remedy=_AGAIN)
        values = np.frombuffer(self._data, kind, count, self._offset) if kind.itemsize else np.zeros(0)
        self._offset += count * kind.itemsize
        return values


def _points(columns: Columns) -> np.ndarray:
    axes = [columns.get(axis) for axis in "xyz"]
    if any(axis is None or (len(axis) and isinstance(axis[0], list)) for axis in axes):
        raise FileError("has points without x, y, z", remedy=_AGAIN)
    return np.stack([np.asarray(axis, dtype=np.float64) for axis in axes], axis=1)


def _triangles(columns: Columns) -> np.ndarray:
    faces = columns.get("vertex_indices", columns.get("vertex_index"))
    if faces is None or (len(faces) and not isinstance(faces[0], list)):
        raise FileError("has faces without vertex_indices", remedy=_AGAIN)
    if any(not abs(index) <= 2**31 for face in faces for index in face):
        raise FileError("has a face with a point that is not there", remedy=_AGAIN)
    triangles = [corners for face in faces for corners in fan(face)]
    return np.array(triangles, dtype=np.int64).reshape(-1, 3)
