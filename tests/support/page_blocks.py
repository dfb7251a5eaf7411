"""Blocks of a page of a run, read as its JavaScript does."""

import base64
import zlib
from typing import Any

import numpy as np


def decode(block: dict[str, Any]) -> np.ndarray:
    """The array of a block, as the page reads it."""
    kind = np.dtype(block["type"]).newbyteorder("<")
    planes = np.frombuffer(zlib.decompress(base64.b64decode(block["data"])), dtype=np.uint8)
    values = planes.reshape(kind.itemsize, -1).T.copy().view(kind).reshape(block["shape"])
    if block.get("differences"):
        values = np.cumsum(values, axis=0, dtype=values.dtype)
    return values * block["scale"] if "scale" in block else values
