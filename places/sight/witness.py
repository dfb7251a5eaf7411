"""A witness: where the eye was, where it looked, and how wide it sees. Its file."""

import os
from dataclasses import dataclass

import numpy as np

from ...io_json.declarations import record_of
from ...io_json.documents import read_document
from ...io_json.errors import FileError, in_file

FORMAT = "mannequin-witness"
FORMAT_VERSION = 1


@dataclass
class Witness:
    """Someone who saw it, or could have."""

    name: str
    eye: tuple[float, float, float]
    """m, world."""
    looks_at: tuple[float, float, float] | None = None
    """m, world: where the eyes pointed; absent: they followed what happened, so nothing is out of the field of view."""
    across: float = 200.0
    """degrees: width of the field of view of both eyes together; assumed."""
    up: float = 130.0
    """degrees: its height; assumed."""
    source: str = ""


def read_witness(path: str | os.PathLike) -> Witness:
    """Read a witness's file. Raises FileError."""
    document = read_document(path, FORMAT, FORMAT_VERSION)
    with in_file(path):
        witness = record_of(Witness).read(document, "")
        if not (0.0 < witness.across <= 360.0 and 0.0 < witness.up <= 180.0):
            raise FileError(
                "the field of view is no angle", remedy="Give degrees: across up to 360, up to 180"
            )
        if witness.looks_at is not None and np.allclose(witness.looks_at, witness.eye):
            raise FileError("looks_at is where the eye is", place="/looks_at", remedy="Give another point")
    return witness


def in_view(witness: Witness, points: np.ndarray) -> np.ndarray:
    """(n,) whether (n, 3) points lie in the field of view, whatever stands between."""
    if witness.looks_at is None:
        return np.ones(len(points), dtype=bool)
    forward = np.subtract(witness.looks_at, witness.eye)
    heading, pitch = np.arctan2(forward[1], forward[0]), np.arctan2(forward[2], np.hypot(*forward[:2]))
    towards = np.asarray(points) - witness.eye
    turn = np.arctan2(towards[:, 1], towards[:, 0]) - heading
    turn = np.abs((turn + np.pi) % (2.0 * np.pi) - np.pi)
    lift = np.abs(np.arctan2(towards[:, 2], np.hypot(towards[:, 0], towards[:, 1])) - pitch)
    return (turn <= np.radians(witness.across) / 2.0) & (lift <= np.radians(witness.up) / 2.0)
