"""Match a camera to a picture: robust least squares, outliers named, uncertainty.

Derivation: docs/derivations.md, Matching a camera to marked points.
"""

from dataclasses import dataclass, field

import numpy as np

from ...engine.maths.rotations import quaternion_from_matrix
from ...io_json.errors import FileError
from ..libraries import required
from .equations import CENTRE, FOCAL, PLACE, TERMS, TURN, Equations, equations_of, slopes, turned
from .first_guess import first_guesses
from .lens import Camera
from .sightings import Sightings, check

GUESSES = 6
"""Starts of the least squares; the rest of the first guesses is dropped."""
HUBER = 2.0
"""Standard deviations beyond which an error counts linearly."""
CHANCE = 1e-3
"""A point is an outlier where a right one would be as far off with a smaller chance than this, all points together."""
SUSPECTS = 10
"""Points that are left out in turn in each round of the search for outliers: those farthest off."""
ROUGH, FINE = 1e-5, 1e-11
"""Relative changes at which the least squares stop: to choose among starts, and for the answer."""
MOST_STEPS = 100
WORST_CONDITION = 1e12
"""Condition number of the scaled normal matrix beyond which the marks do not decide the camera."""


@dataclass(frozen=True)
class Residual:
    """How far one point is off in the picture."""

    name: str
    error: tuple[float, float]
    """Projected less marked, px."""
    role: str
    """"used", "outlier" or "check"."""
    chance: float = 1.0
    """Of an outlier: how likely a right point would be as far off."""

    @property
    def size(self) -> float:
        """Length of the error, px."""
        return float(np.hypot(*self.error))


@dataclass(frozen=True)
class Uncertainty:
    """Standard deviations of a matched camera."""

    position: tuple[float, float, float]
    """m, along the world's axes."""
    direction: float
    """degrees, of the ray through the middle of the picture: what the picture shows."""
    axis: float
    """degrees, of the optical axis: the direction, and where the centre of the lens is in the picture."""
    roll: float
    """degrees, about the optical axis."""
    focal_px: float
    center_px: tuple[float, float]
    distortion: tuple[float, float]
    scale: float
    """By which the marks are worse than said; at least 1, and all of the above is multiplied by it."""
    covariance: list[list[float]] = field(repr=False)
    """(6, 6) of position (m, world) and turn (rad, camera axes: pitch, yaw, roll)."""


@dataclass(frozen=True)
class Match:
    """A camera with what speaks for and against it."""

    camera: Camera
    residuals: list[Residual]
    uncertainty: Uncertainty
    line_errors: dict[str, float]
    """Name of a line to how far its ends are off, px."""
    notes: list[str]

    @property
    def outliers(self) -> list[str]:
        """Names of the points that were left out."""
        return [residual.name for residual in self.residuals if residual.role == "outlier"]

    def rms(self, role: str) -> float:
        """Root mean square of the errors of a role, px; NaN where there is none."""
        sizes = [residual.size for residual in self.residuals if residual.role == role]
        return float(np.sqrt(np.mean(np.square(sizes)))) if sizes else float("nan")


def match_camera(sightings: Sightings) -> Match:
    """The camera of a picture. Raises FileError where the marks do not decide one."""
    check(sightings)
    required("scipy", "camera matches")
    equations, found = _first(sightings)
    names = [point.name for point in sightings.points if not point.check]
    dropped: dict[str, float] = {}
    while len(names) > _fewest(sightings):
        index, chance = _worst_point(equations, found)
        if chance * len(names) >= CHANCE:
            break
        dropped[names.pop(index)] = chance
        equations = equations.without_point(index)
        found = _solve(equations, found)
    values = equations.all_unknowns(found)
    camera = _camera(sightings, equations, values)
    if np.isnan(camera.project(equations.positions)).any():
        raise FileError("no camera sees all points in front of it", remedy="Check the points' order and axes")
    uncertainty = _uncertainty(sightings, equations, found)
    residuals = _residuals(sightings, camera, dropped)
    lines = dict(
        zip([line.name for line in sightings.lines], equations.line_errors(values).tolist(), strict=True)
    )
    return Match(camera, residuals, uncertainty, lines, _notes(sightings, residuals, uncertainty))


def _first(sightings: Sightings) -> tuple[Equations, np.ndarray]:
    """The best of many starts with a simple lens, then the whole lens."""
    best = None
    for axes, place, focal in first_guesses(sightings, GUESSES):
        simple = equations_of(sightings, axes, lens_free=False)
        start = np.concatenate([np.zeros(3), place, [np.log(focal)], np.zeros(4)])[simple.free]
        result = _least_squares(simple, start, "soft_l1", ROUGH)
        if best is None or result.cost < best[0]:
            best = result.cost, simple, result.x
    _, simple, found = best
    values = simple.all_unknowns(found)
    equations = equations_of(sightings, turned(simple.axes, values[TURN]))
    values[TURN] = 0.0
    return equations, _solve(equations, values[equations.free])


def _least_squares(equations: Equations, start: np.ndarray, loss: str, tolerance: float) -> object:
    from scipy.optimize import least_squares

    scale = np.concatenate([np.full(3, 0.1), np.full(3, 1.0), [0.1], np.full(2, 20.0), np.full(2, 0.1)])
    return least_squares(
        equations.deviations,
        start,
        loss=loss,
        f_scale=HUBER,
        x_scale=scale[equations.free],
        xtol=tolerance,
        ftol=tolerance,
        gtol=tolerance,
        max_nfev=MOST_STEPS,
    )


def _solve(equations: Equations, start: np.ndarray) -> np.ndarray:
    return _least_squares(equations, start, "huber", FINE).x


def _covariance(equations: Equations, found: np.ndarray) -> tuple[np.ndarray, float]:
    """Covariance of what was found as the marks' standard deviations have it, and the scale of those (at least 1)."""
    design = slopes(equations.deviations, found)
    normal = design.T @ design
    size = np.sqrt(np.diag(normal))
    if not np.all(size > 0.0) or np.linalg.cond(normal / np.outer(size, size)) > WORST_CONDITION:
        raise FileError(
            "the points do not decide the camera",
            remedy="Mark points that are not all on one line or in one plane, or give the focal length",
        )
    covariance = np.linalg.inv(normal / np.outer(size, size)) / np.outer(size, size)
    deviations = equations.deviations(found)
    spare = len(deviations) - len(found)
    chi2 = float(deviations @ deviations)
    return covariance, max(1.0, float(np.sqrt(chi2 / spare))) if spare > 0 else 1.0


def _worst_point(equations: Equations, found: np.ndarray) -> tuple[int, float]:
    """The point that a match without it predicts worst, and the chance of a right point to be as far off."""
    from scipy.stats import chi2

    errors = equations.point_errors(equations.all_unknowns(found))
    suspects = np.argsort(-np.linalg.norm(errors, axis=1), kind="stable")[:SUSPECTS]
    chances = {int(i): float(chi2.sf(_surprise(equations, found, int(i)), 2)) for i in suspects}
    index = min(chances, key=chances.get)
    return index, chances[index]


def _surprise(equations: Equations, found: np.ndarray, index: int) -> float:
    """Square of how far a point is off a match without it, in standard deviations of that prediction."""
    others = equations.without_point(index)
    without = _solve(others, found)
    covariance, scale = _covariance(others, without)

    def error(unknowns: np.ndarray) -> np.ndarray:
        return equations.point_errors(equations.all_unknowns(unknowns))[index]

    design = slopes(error, without)
    sigma = equations.point_sigma(equations.all_unknowns(without))[index]
    predicted = scale**2 * (design @ covariance @ design.T + sigma**2 * np.eye(2))
    off = error(without)
    return float(off @ np.linalg.solve(predicted, off))


def _fewest(sightings: Sightings) -> int:
    """Points that must remain."""
    if sightings.lines:
        return 2
    return 4 if sightings.lens.focal_px is not None else 6


def _camera(sightings: Sightings, equations: Equations, values: np.ndarray) -> Camera:
    return Camera(
        name=sightings.name,
        position=tuple(values[PLACE].tolist()),
        rotation=tuple(quaternion_from_matrix(turned(equations.axes, values[TURN])).tolist()),
        focal_px=float(np.exp(values[FOCAL])),
        center_px=tuple(values[CENTRE].tolist()),
        size_px=sightings.size_px,
        picture=sightings.picture,
        distortion=tuple(values[TERMS].tolist()),
    )


def _middle_sigma(
    sightings: Sightings, equations: Equations, found: np.ndarray, covariance: np.ndarray
) -> float:
    """Standard deviation, degrees, of the ray through the middle of the picture."""
    middle = np.array([sightings.size_px], dtype=float) / 2.0

    def ray(unknowns: np.ndarray) -> np.ndarray:
        return _camera(sightings, equations, equations.all_unknowns(unknowns)).rays(middle)[0]

    design = slopes(ray, found)
    return float(np.degrees(np.sqrt(np.trace(design @ covariance @ design.T))))


def _uncertainty(sightings: Sightings, equations: Equations, found: np.ndarray) -> Uncertainty:
    inner, scale = _covariance(equations, found)
    whole = np.zeros((len(equations.free), len(equations.free)))
    whole[np.ix_(equations.free, equations.free)] = scale**2 * inner
    sigma = np.sqrt(np.diag(whole))
    order = [3, 4, 5, 0, 1, 2]
    pose = whole[np.ix_(order, order)]
    return Uncertainty(
        position=tuple(sigma[PLACE].tolist()),
        direction=_middle_sigma(sightings, equations, found, scale**2 * inner),
        axis=float(np.degrees(np.hypot(sigma[0], sigma[1]))),
        roll=float(np.degrees(sigma[2])),
        focal_px=float(np.exp(equations.all_unknowns(found)[FOCAL]) * sigma[FOCAL]),
        center_px=tuple(sigma[CENTRE].tolist()),
        distortion=tuple(sigma[TERMS].tolist()),
        scale=scale,
        covariance=pose.tolist(),
    )


def _residuals(sightings: Sightings, camera: Camera, dropped: dict[str, float]) -> list[Residual]:
    projected = camera.project(np.array([point.position for point in sightings.points], dtype=float))
    residuals = []
    for point, pixel in zip(sightings.points, projected, strict=True):
        role = "check" if point.check else "outlier" if point.name in dropped else "used"
        error = tuple((pixel - point.pixel).tolist())
        residuals.append(Residual(point.name, error, role, dropped.get(point.name, 1.0)))
    return residuals


def _notes(sightings: Sightings, residuals: list[Residual], uncertainty: Uncertainty) -> list[str]:
    notes = [
        f"{r.name} is an outlier, off by {r.size:.1f} px: left out. Check its mark and its position"
        for r in residuals
        if r.role == "outlier"
    ]
    if uncertainty.scale > 2.0:
        notes.append(
            f"the marks are {uncertainty.scale:.1f} times worse than their standard deviations say; "
            "the uncertainties are widened accordingly"
        )
    if len([r for r in residuals if r.role == "used"]) == _fewest(sightings):
        notes.append("there is no point to spare: a wrong one would not be found")
    return notes
