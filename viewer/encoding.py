"""Arrays as text in a page: scaled to integers, differences along time, bytes in planes, deflated, base64.

Smooth motion so takes about two bytes a number. `page/src/decode.js` reads it back.
"""

import base64
import zlib
from typing import Any

import numpy as np

LEVEL = 6
"""Of deflate. The same bytes for the same array on every machine that has the same zlib."""


class Blocks:
    """The arrays of a page, each stored once."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []

    def scaled(self, values: np.ndarray, unit: float, kind: str = "int32") -> int:
        """Number of a new block of (n, ...) values rounded to multiples of `unit`, as differences along the first axis.

        Differences wrap around in the integer type, as the sums that undo them do.
        """
        whole = np.round(np.asarray(values, dtype=np.float64) / unit).astype(np.int64)
        differences = np.diff(whole, axis=0, prepend=np.zeros_like(whole[:1]))
        return self._add(differences.astype(kind), scale=unit, differences=True)

    def plain(self, values: np.ndarray, kind: str) -> int:
        """Number of a new block of values as they are."""
        return self._add(np.asarray(values).astype(kind))

    def shortened(self, values: np.ndarray) -> int:
        """Number of a new block of values to 13 bits, a relative error of 1e-4: further bits would not deflate."""
        bits = np.ascontiguousarray(values, dtype="<f4").view(np.uint32)
        return self._add(((bits + 0x200) & np.uint32(0xFFFFFC00)).view(np.float32))

    def _add(self, values: np.ndarray, **facts: Any) -> int:
        little = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
        planes = little.reshape(-1).view(np.uint8).reshape(-1, little.itemsize).T.tobytes()
        self.written.append(
            {
                "type": values.dtype.name,
                "shape": list(values.shape),
                **facts,
                "data": base64.b64encode(zlib.compress(planes, LEVEL)).decode("ascii"),
            }
        )
        return len(self.written) - 1
