"""A marker trial: what a motion laboratory's cameras and force plates saw."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...io_json.errors import FileError
from ..common.axes import Z_UP_FROM_Y_UP

UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "meters": 1.0, "millimeters": 1e-3}
"""Unit of length as files name it, to m."""


@dataclass(frozen=True)
class ForcePlate:
    """What one force plate measured, in the laboratory's axes."""

    name: str
    times: np.ndarray
    """(N,) s"""
    force: np.ndarray
    """(N, 3) N, of the plate on what stands on it"""
    moment: np.ndarray
    """(N, 3) N m about the centre of the plate's surface"""
    corners: np.ndarray
    """(4, 3) m"""


@dataclass(frozen=True)
class Trial:
    """Markers over time, and force plates where there were any."""

    name: str
    markers: tuple[str, ...]
    times: np.ndarray
    """(F,) s"""
    positions: np.ndarray
    """(F, M, 3) m in the laboratory's axes; NaN where a marker was not seen"""
    plates: tuple[ForcePlate, ...] = field(default_factory=tuple)

    def turned(self, rotation: np.ndarray) -> Trial:
        """The trial in other axes. rotation (3, 3): laboratory to world."""
        rotation = np.asarray(rotation, dtype=float)
        plates = tuple(
            ForcePlate(
                plate.name,
                plate.times,
                plate.force @ rotation.T,
                plate.moment @ rotation.T,
                plate.corners @ rotation.T,
            )
            for plate in self.plates
        )
        return Trial(self.name, self.markers, self.times, self.positions @ rotation.T, plates)


Y_UP = Z_UP_FROM_Y_UP
"""From axes with y up (OpenSim, many laboratories) to ours, z up: x stays, y becomes z, z becomes -y."""


def unit_factor(unit: str, place: str) -> float:
    """m of a file's unit of length. Raises FileError."""
    factor = UNITS.get(unit.strip().lower())
    if factor is None:
        raise FileError(f"has the unit '{unit[:20]}'", place=place, remedy=f"Use one of {', '.join(UNITS)}")
    return factor
