"""Where a camera of a given direction stands so that its picture is filled and nothing of the subject is cut off.

NumPy only. Points are in the camera's axes: right, up, backward; `tangents` are those of half the angle of view, across
and up. A camera stands still where that shows the subject large enough at every moment; otherwise it goes along.
"""

import math
from dataclasses import dataclass

import numpy as np

FILL = 0.84
"""Share of the picture that the motion may fill."""
LOWERED = 0.045
"""Share of the picture by which cameras are lowered: the overlay covers its lower edge."""
LEAST_SHARE = 0.30
"""Of the picture's height that the subject fills at every moment, by the longer side of its outline."""
WANTED_SHARE = 0.42
"""Share where the camera goes along."""
SMOOTH = 0.35
"""Seconds of film over which the way of a camera is smoothed."""


@dataclass(frozen=True)
class CameraWay:
    """Where a camera is at each moment."""

    places: np.ndarray
    """(moments, 3) world"""
    distances: np.ndarray
    """(moments,) from the middle of the subject along the line of sight"""
    axes: np.ndarray
    """(1 or moments, 3, 3) columns right, up and backward"""

    @property
    def is_still(self) -> bool:
        """Whether it stays where it is."""
        return len(self.places) == 1


def view_axes(azimuth: float, elevation: float) -> np.ndarray:
    """(3, 3) columns right, up and backward of a camera that looks from an azimuth and an elevation (radians)."""
    back = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    right = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    return np.stack([right, np.cross(back, right), back], axis=1)


def fitted(local: np.ndarray, middle: np.ndarray, tangents: np.ndarray, fill: float = FILL) -> float:
    """Distance at which (n, 3) points lie within `fill` of the picture of a camera that looks at `middle` (3,)."""
    off = local - middle
    return float(np.max(np.abs(off[:, :2]) / ((fill - np.array([0.0, LOWERED])) * tangents) + off[:, 2:]))


def middle_of(local: np.ndarray) -> np.ndarray:
    """(3,) middle of the box around points."""
    return (local.min(axis=0) + local.max(axis=0)) / 2.0


def share_of(local: np.ndarray, place: np.ndarray, tangents: np.ndarray) -> float:
    """Share of the picture's height that the outline of (n, 3) points has, by its longer side, for a camera at (3,)."""
    depth = np.maximum(place[2] - local[:, 2], 1e-9)
    seen = (local[:, :2] - place[:2]) / depth[:, None]
    return float(np.ptp(seen, axis=0).max() / (2.0 * tangents[1]))


def camera_way(
    subjects: list[np.ndarray],
    beside: list[np.ndarray],
    axes: np.ndarray,
    tangents: np.ndarray,
    seconds: float,
    moves: bool | None = None,
) -> CameraWay:
    """Where a camera stands for clouds of world points at moments of a film that are `seconds` apart.

    beside: points near the subjects at each moment, seen as well as far as that leaves the subjects large enough.
    moves: whether it goes along; None: where it has to, for the subjects to be large enough.
    """
    local = [cloud @ axes for cloud in subjects]
    near = [cloud @ axes for cloud in beside]
    way = still_way(local, near, tangents)
    if moves is None:
        moves = min(share_of(cloud, way.places[0], tangents) for cloud in local) < LEAST_SHARE
    if moves:
        way = moving_way(local, near, tangents, seconds)
    return CameraWay(way.places @ axes.T, way.distances, axes[None])


def orbit_way(
    subjects: list[np.ndarray], azimuths: np.ndarray, elevation: float, tangents: np.ndarray, seconds: float
) -> CameraWay:
    """A camera that goes round its subjects at one distance, at an azimuth (radians) for each moment."""
    axes = np.array([view_axes(azimuth, elevation) for azimuth in azimuths])
    middles = smoothed(np.array([middle_of(cloud) for cloud in subjects]), SMOOTH / seconds)
    distance = max(
        fitted((cloud - middle) @ turn, np.zeros(3), tangents)
        for cloud, middle, turn in zip(subjects, middles, axes, strict=True)
    )
    shift = np.array([0.0, -2.0 * LOWERED * tangents[1] * distance, distance])
    return CameraWay(middles + axes @ shift, np.full(len(axes), distance), axes)


@dataclass(frozen=True)
class LocalWay:
    """Where a camera is at each moment, in its own axes."""

    places: np.ndarray
    distances: np.ndarray


def still_way(local: list[np.ndarray], near: list[np.ndarray], tangents: np.ndarray) -> LocalWay:
    """A camera that sees all moments from one place, and what is near where the subjects then stay large enough."""
    everything = np.concatenate(local)
    together = np.concatenate([everything, *near])
    for points in (together, everything):
        middle = middle_of(points)
        distance = fitted(points, middle, tangents)
        place = middle + np.array([0.0, -2.0 * LOWERED * tangents[1] * distance, distance])
        if min(share_of(cloud, place, tangents) for cloud in local) >= LEAST_SHARE:
            break
    return LocalWay(place[None, :], np.array([distance]))


def moving_way(
    local: list[np.ndarray], near: list[np.ndarray], tangents: np.ndarray, seconds: float
) -> LocalWay:
    """A camera that goes along with the subjects, smoothly, from a distance that never cuts them off."""
    middles = smoothed(np.array([middle_of(cloud) for cloud in local]), SMOOTH / seconds)
    wanted = [
        distance_for(cloud, middle, others, tangents)
        for cloud, middle, others in zip(local, middles, near, strict=True)
    ]
    distances = smoothed(widened(np.array(wanted), SMOOTH / seconds), SMOOTH / seconds)
    least = [fitted(cloud, middle, tangents) for cloud, middle in zip(local, middles, strict=True)]
    largest = [float(np.ptp(cloud[:, :2], axis=0).max()) for cloud in local]
    farthest = np.array(largest) / (2.0 * tangents[1] * LEAST_SHARE)
    distances = np.maximum(np.minimum(distances, farthest), least)
    down = 2.0 * LOWERED * tangents[1] * distances
    shift = np.stack([np.zeros_like(down), -down, distances], axis=1)
    return LocalWay(middles + shift, distances)


def distance_for(cloud: np.ndarray, middle: np.ndarray, others: np.ndarray, tangents: np.ndarray) -> float:
    """Distance at which the subjects have the wanted share of the picture's height, or less so that what is near is
    seen as well."""
    longest = float(np.ptp(cloud[:, :2], axis=0).max())
    nearest = max(fitted(cloud, middle, tangents), longest / (2.0 * tangents[1] * WANTED_SHARE))
    farthest = max(nearest, longest / (2.0 * tangents[1] * (LEAST_SHARE + 0.03)))
    if not len(others):
        return nearest
    return float(np.clip(fitted(np.concatenate([cloud, others]), middle, tangents), nearest, farthest))


def smoothed(values: np.ndarray, width: float) -> np.ndarray:
    """Values over the moments as a Gaussian of that standard deviation (moments) smooths them; beyond the ends they
    are taken to go on as they came."""
    if len(values) < 2:
        return values
    reach = min(max(1, round(3.0 * width)), len(values) - 1)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(width, 1e-6)) ** 2)
    weights /= weights.sum()
    before, after = 2.0 * values[0] - values[reach:0:-1], 2.0 * values[-1] - values[-2 : -reach - 2 : -1]
    padded = np.concatenate([before, values, after])
    return np.array([np.tensordot(weights, padded[k : k + len(weights)], axes=1) for k in range(len(values))])


def widened(values: np.ndarray, width: float) -> np.ndarray:
    """The largest value within that many moments of each."""
    reach = max(1, round(width))
    return np.array([values[max(0, k - reach) : k + reach + 1].max() for k in range(len(values))])
