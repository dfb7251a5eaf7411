"""Bundles of arrays that compiled code is handed as one pointer.

Numba passes a namedtuple of arrays as nine numbers per array, to every function it calls. The engine's groups hold some
250 arrays: calls with thousands of arguments take minutes to compile and microseconds to make. A `Bundle` keeps the
descriptions of its arrays (the very structs that Numba would build) in one block of memory and is passed as the address
of that block. What compiled code makes of it is in `bundle_types`; nothing here needs Numba.
"""

from __future__ import annotations

import struct
from ctypes import addressof, c_char
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

Kind = tuple[Any, ...]
"""What compiled code takes a field for: ("array", dtype, dimensions, is writable), ("bundle", layout),
("tuple", kind, ...), ("float",) or ("int",)."""
Layout = tuple[str, tuple[tuple[str, Kind, int], ...]]
"""Of a bundle: its name, and of each field the name, the kind and the place in words of 8 bytes."""

_LAYOUTS: dict[Layout, Layout] = {}
"""One object for each layout there is, so that layouts are compared by identity, which costs nothing."""


_IN_USE: WeakValueDictionary[int, Bundle] = WeakValueDictionary()
"""Bundles by the identity of their namedtuples, which live as long as they do."""


def bundle_of(value: tuple) -> Bundle:
    """The bundle of a namedtuple: the one in use, where there is one, since many runs share the same parts."""
    known = _IN_USE.get(id(value))
    if known is None:
        known = _IN_USE[id(value)] = Bundle(value)
    return known


def address_of(array: np.ndarray) -> int:
    """Address of the first byte of a contiguous array; through its buffer, where that is open to writers, since
    NumPy makes its own description again for every question."""
    if array.flags.writeable and array.size:
        return addressof(c_char.from_buffer(array))
    return array.__array_interface__["data"][0]


class Bundle:
    """A namedtuple laid out for compiled code. Arrays are shared, not copied; `value` is the namedtuple."""

    def __init__(self, value: tuple) -> None:
        self.value = value
        self._children: list[Bundle] = []
        words: list[int] = []
        fields = []
        for name, item in zip(value._fields, value, strict=True):
            place = len(words)
            kind, item_words = self._words(item)
            fields.append((name, kind, place))
            words += item_words
        self._block = np.array(words, dtype=np.uint64)
        self.address = int(self._block.ctypes.data)
        layout = (type(value).__name__, tuple(fields))
        self.layout: Layout = _LAYOUTS.setdefault(layout, layout)

    def _words(self, item: Any) -> tuple[Kind, list[int]]:
        """Kind and memory words of one field."""
        if isinstance(item, np.ndarray):
            assert item.flags.c_contiguous, "compiled code takes contiguous arrays only"
            kind = ("array", item.dtype.str, item.ndim, item.flags.writeable)
            return kind, [0, 0, item.size, item.itemsize, address_of(item), *item.shape, *item.strides]
        if hasattr(item, "_fields"):
            child = bundle_of(item)
            self._children.append(child)
            return ("bundle", child.layout), [child.address]
        if isinstance(item, tuple):
            parts = [self._words(part) for part in item]
            return ("tuple", *[kind for kind, _ in parts]), [word for _, words in parts for word in words]
        if isinstance(item, float):
            return ("float",), list(struct.unpack("<Q", struct.pack("<d", item)))
        return ("int",), [int(item) & (2**64 - 1)]
