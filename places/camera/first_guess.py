"""Where a camera may be, before least squares: many rotations and focal lengths, each with its best position."""

import numpy as np

from ...engine.maths.rotations import matrix_from_quaternion
from .lens import undistorted
from .sightings import Sightings

ROTATIONS = 1200
"""Spread evenly by chance over all rotations: about 19 degrees apart."""
FOCALS = np.geomspace(0.4, 5.0, 7)
"""Focal lengths tried, in parts of the picture's longer edge."""
MOST = 16
"""Points that are looked at."""
WIDEST = 0.3
"""rad: a point that is off by more counts as off by this, so that a wrong point does not decide."""
SEED = 26


def first_guesses(sightings: Sightings, count: int) -> list[tuple[np.ndarray, np.ndarray, float]]:
    """(axes (3, 3), position (3,), focal length px) of the `count` likeliest guesses, the best first.

    Derivation: docs/derivations.md, Matching a camera to marked points.
    """
    lens, longest = sightings.lens, max(sightings.size_px)
    focals = [lens.focal_px] if lens.focal_px else list(FOCALS * longest)
    turns = np.random.default_rng(SEED).normal(size=(ROTATIONS, 4))
    axes = matrix_from_quaternion(turns / np.linalg.norm(turns, axis=1)[:, None])
    guesses = []
    for focal in focals:
        places, scores = _place(sightings, axes, float(focal))
        best = np.argsort(scores, kind="stable")[:count]
        guesses += [(scores[i], axes[i], places[i], float(focal)) for i in best]
    guesses.sort(key=lambda guess: guess[0])
    return [guess[1:] for guess in guesses[:count]]


def _place(sightings: Sightings, axes: np.ndarray, focal: float) -> tuple[np.ndarray, np.ndarray]:
    """(k, 3) best positions of cameras with (k, 3, 3) axes, and (k,) how far their points are off, rad."""
    points = [point for point in sightings.points if not point.check][:MOST]
    positions = np.array([point.position for point in points], dtype=float)
    marked = np.array([point.pixel for point in points], dtype=float)
    rays = _rays(sightings, marked, focal) @ np.swapaxes(axes, 1, 2)
    across = np.eye(3) - rays[..., :, None] * rays[..., None, :]
    sums = across.sum(axis=1) + 1e-9 * np.eye(3)
    places = np.linalg.solve(sums, (across @ positions[:, :, None]).sum(axis=1))[..., 0]
    towards = positions - places[:, None]
    towards /= np.maximum(np.linalg.norm(towards, axis=-1, keepdims=True), 1e-9)
    angles = np.arccos(np.clip((towards * rays).sum(axis=-1), -1.0, 1.0))
    scores = np.minimum(angles, WIDEST).mean(axis=1) + _line_scores(sightings, axes, focal)
    return places, scores


def _line_scores(sightings: Sightings, axes: np.ndarray, focal: float) -> np.ndarray:
    """(k,) how far lines are off their directions, rad."""
    if not sightings.lines:
        return np.zeros(len(axes))
    ends = np.array([line.pixels for line in sightings.lines], dtype=float)
    directions = np.array([line.direction for line in sightings.lines], dtype=float)
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    first, second = (_rays(sightings, ends[:, i], focal) for i in (0, 1))
    normals = np.cross(first, second)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    off = np.abs(((normals @ np.swapaxes(axes, 1, 2)) * directions).sum(axis=-1))
    return np.minimum(off, WIDEST).mean(axis=1)


def _rays(sightings: Sightings, pixels: np.ndarray, focal: float) -> np.ndarray:
    """(n, 3) unit rays in camera axes."""
    width, height = sightings.size_px
    centre = sightings.lens.center_px or (width / 2.0, height / 2.0)
    flat = (pixels - np.asarray(centre)) / focal
    if sightings.lens.distortion:
        flat = np.nan_to_num(undistorted(flat, sightings.lens.distortion))
    rays = np.column_stack([flat[:, 0], -flat[:, 1], -np.ones(len(flat))])
    return rays / np.linalg.norm(rays, axis=1)[:, None]
