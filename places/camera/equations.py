"""The equations of a camera match: its eleven unknowns, and how far marks are off, in standard deviations.

Unknowns: turn of the camera from where it was first thought to be (3, rad, camera axes), position (3, m), logarithm of
the focal length, centre (2, px), k1, k2. Derivation: docs/derivations.md, Matching a camera to marked points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...engine.maths.rotations import cross_matrix
from .lens import distorted, undistorted
from .sightings import Sightings

TURN, PLACE, FOCAL, CENTRE, TERMS = slice(0, 3), slice(3, 6), 6, slice(7, 9), slice(9, 11)
UNKNOWNS = 11
CENTRE_SIGMA = 0.02
"""Assumed: standard deviation of the lens's centre from the middle of the picture, in parts of its longer edge."""
TERM_SIGMA = 0.3
"""Assumed: standard deviation of each radial term from zero. Wide-angle lenses have k1 of -0.3 or so."""
NEAREST = 1e-3
"""m: points nearer than this to the plane of the lens, or behind it, are taken to be as near as this."""


def turned(axes: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """(3, 3) axes of the camera after a turn (3,) about them, rad: Rodrigues' formula."""
    angle = float(np.linalg.norm(turn))
    cross = cross_matrix(turn)
    first = np.sinc(angle / np.pi)
    second = 0.5 * np.sinc(0.5 * angle / np.pi) ** 2
    return axes @ (np.eye(3) + first * cross + second * cross @ cross)


def slopes(function: Callable[[np.ndarray], np.ndarray], at: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """(m, k) derivatives of a function of (k,) numbers by central differences."""
    columns = []
    for index in range(len(at)):
        shift = np.zeros(len(at))
        shift[index] = step * max(1.0, abs(at[index]))
        columns.append((function(at + shift) - function(at - shift)) / (2.0 * shift[index]))
    return np.column_stack(columns)


@dataclass(frozen=True)
class Equations:
    """Marks as arrays, and what is known beforehand. All of a camera match that the least squares need."""

    axes: np.ndarray
    """(3, 3) of the camera as first thought; the turn starts there."""
    free: np.ndarray
    """(11,) which unknowns are to be found."""
    known: np.ndarray
    """(11,) values of those that are not, and what the others are assumed to be about."""
    spread: np.ndarray
    """(11,) standard deviations of what is assumed; infinite where nothing is."""
    positions: np.ndarray
    """(n, 3) m, world."""
    pixels: np.ndarray
    """(n, 2)"""
    sigma_px: np.ndarray
    """(n,)"""
    sigma_m: np.ndarray
    """(n,)"""
    ends: np.ndarray
    """(m, 2, 2) pixels of the ends of lines."""
    directions: np.ndarray
    """(m, 3) unit, world."""
    line_sigma: np.ndarray
    """(m,)"""

    def all_unknowns(self, found: np.ndarray) -> np.ndarray:
        """(11,) unknowns, those that are known filled in."""
        values = self.known.copy()
        values[self.free] = found
        return values

    def point_errors(self, values: np.ndarray) -> np.ndarray:
        """(n, 2) projected less marked, px."""
        inside = (self.positions - values[PLACE]) @ turned(self.axes, values[TURN])
        depth = np.maximum(-inside[:, 2], NEAREST)
        flat = np.column_stack([inside[:, 0], -inside[:, 1]]) / depth[:, None]
        return values[CENTRE] + np.exp(values[FOCAL]) * distorted(flat, tuple(values[TERMS])) - self.pixels

    def point_sigma(self, values: np.ndarray) -> np.ndarray:
        """(n,) standard deviation of the marks, px: marking, and the position as seen from the camera."""
        distance = np.maximum(np.linalg.norm(self.positions - values[PLACE], axis=1), NEAREST)
        return np.hypot(self.sigma_px, np.exp(values[FOCAL]) * self.sigma_m / distance)

    def line_errors(self, values: np.ndarray) -> np.ndarray:
        """(m,) distance of an end from the line through the middle and the vanishing point, px, undistorted."""
        if not len(self.ends):
            return np.zeros(0)
        focal, centre = np.exp(values[FOCAL]), values[CENTRE]
        flat = undistorted((self.ends.reshape(-1, 2) - centre) / focal, tuple(values[TERMS]))
        ends = np.nan_to_num(flat, nan=1e3).reshape(-1, 2, 2)
        inside = self.directions @ turned(self.axes, values[TURN])
        vanishing = np.column_stack([inside[:, 0], -inside[:, 1], -inside[:, 2]])
        middle = np.column_stack([ends.mean(axis=1), np.ones(len(ends))])
        line = np.cross(vanishing, middle)
        length = np.maximum(np.linalg.norm(line[:, :2], axis=1), 1e-12)
        end = np.column_stack([ends[:, 0], np.ones(len(ends))])
        return focal * (line * end).sum(axis=1) / length

    def deviations(self, found: np.ndarray) -> np.ndarray:
        """All errors in standard deviations: points (2 n), lines (m), then what is assumed of the lens."""
        values = self.all_unknowns(found)
        points = self.point_errors(values) / self.point_sigma(values)[:, None]
        lines = self.line_errors(values) / (self.line_sigma / np.sqrt(2.0))
        assumed = self.free & np.isfinite(self.spread)
        return np.concatenate(
            [points.ravel(), lines, (values[assumed] - self.known[assumed]) / self.spread[assumed]]
        )

    def without_point(self, index: int) -> Equations:
        """The same with one point left out."""
        kept = np.arange(len(self.positions)) != index
        names = ("positions", "pixels", "sigma_px", "sigma_m")
        return Equations(**(vars(self) | {name: getattr(self, name)[kept] for name in names}))


def equations_of(sightings: Sightings, axes: np.ndarray, lens_free: bool = True) -> Equations:
    """The equations of a picture, check points left out; with `lens_free` false the lens is a pinhole in the middle."""
    points = [point for point in sightings.points if not point.check]
    width, height = sightings.size_px
    lens = sightings.lens
    known, spread, free = np.zeros(UNKNOWNS), np.full(UNKNOWNS, np.inf), np.ones(UNKNOWNS, dtype=bool)
    known[CENTRE] = lens.center_px or (width / 2.0, height / 2.0)
    spread[CENTRE] = CENTRE_SIGMA * max(width, height)
    known[TERMS] = lens.distortion or (0.0, 0.0)
    spread[TERMS] = TERM_SIGMA
    free[CENTRE] = lens_free and lens.center_px is None
    free[TERMS] = lens_free and lens.distortion is None
    if lens.focal_px is not None:
        known[FOCAL], free[FOCAL] = np.log(lens.focal_px), False
    directions = np.array([line.direction for line in sightings.lines], dtype=float).reshape(-1, 3)
    return Equations(
        axes=axes,
        free=free,
        known=known,
        spread=spread,
        positions=np.array([point.position for point in points], dtype=float).reshape(-1, 3),
        pixels=np.array([point.pixel for point in points], dtype=float).reshape(-1, 2),
        sigma_px=np.array([point.sigma_px for point in points], dtype=float),
        sigma_m=np.array([point.sigma_m for point in points], dtype=float),
        ends=np.array([line.pixels for line in sightings.lines], dtype=float).reshape(-1, 2, 2),
        directions=directions / np.linalg.norm(directions, axis=1, keepdims=True),
        line_sigma=np.array([line.sigma_px for line in sightings.lines], dtype=float),
    )
