"""Lists of numbers to the contiguous arrays that compiled code takes, right in shape and type when empty."""

from collections.abc import Iterable

import numpy as np


def floats(rows: Iterable, width: int | None = None) -> np.ndarray:
    """Float array, (len,) or (len, width)."""
    array = np.array(list(rows), dtype=float)
    return np.ascontiguousarray(array.reshape(-1) if width is None else array.reshape(-1, width))


def integers(rows: Iterable, width: int | None = None) -> np.ndarray:
    """Integer array, (len,) or (len, width)."""
    array = np.array(list(rows), dtype=np.int64)
    return np.ascontiguousarray(array.reshape(-1) if width is None else array.reshape(-1, width))


def starts(counts: Iterable[int]) -> np.ndarray:
    """First index of each group of this many entries, and one past the last."""
    return np.concatenate([[0], np.cumsum(integers(counts))]).astype(np.int64)
