"""A problem found in a spec, and the small checks that most problems come from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from numbers import Real

import numpy as np


@dataclass(frozen=True)
class Issue:
    """One problem: where it is, what is wrong, and what to do."""

    severity: str
    """"error" stops a simulation, "warning" does not."""
    place: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.place}: {self.message}. {self.remedy}."


def error(place: str, message: str, remedy: str) -> Issue:
    """An issue that stops a simulation."""
    return Issue("error", place, message, remedy)


def warning(place: str, message: str, remedy: str) -> Issue:
    """An issue that is reported with the run."""
    return Issue("warning", place, message, remedy)


def is_number(value: object) -> bool:
    """A finite real number (bool is not one)."""
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def number_issues(place: str, what: str, value: object, low: float, high: float) -> list[Issue]:
    """A number must be finite and within [low, high]."""
    if not is_number(value):
        return [error(place, f"{what} is {value!r}, not a finite number", f"Give {what} a number")]
    if not low <= value <= high:
        return [error(place, f"{what} is {value:g}", f"Choose {what} from {low:g} to {high:g}")]
    return []


def vector_issues(place: str, what: str, value: object, size: int = 3) -> list[Issue]:
    """A vector must have `size` finite numbers."""
    if isinstance(value, str) or not isinstance(value, (Sequence, np.ndarray)) or len(value) != size:
        return [error(place, f"{what} is {value!r}, not {size} numbers", f"Give {what} {size} numbers")]
    if not all(is_number(component) for component in value):
        return [
            error(place, f"{what} {value!r} holds a value that is not a finite number", f"Correct {what}")
        ]
    return []


def finite_issues(place: str, thing: object, may_be_infinite: Sequence[str] = ()) -> list[Issue]:
    """Every number in the fields of a spec, however deep, must be finite; some fields may be infinite."""
    issues = []
    for field in fields(thing):
        if not _all_finite(getattr(thing, field.name), field.name in may_be_infinite):
            what = field.name.replace("_", " ")
            issues.append(
                error(place, f"{what} holds a value that is not a finite number", f"Correct {what}")
            )
    return issues


def _all_finite(value: object, infinite: bool = False) -> bool:
    if isinstance(value, Real):
        return math.isfinite(value) or (infinite and not math.isnan(value))
    if is_dataclass(value):
        return all(_all_finite(getattr(value, field.name), infinite) for field in fields(value))
    if isinstance(value, dict):
        return all(_all_finite(item, infinite) for item in value.values())
    if isinstance(value, (list, tuple, np.ndarray)):
        return all(_all_finite(item, infinite) for item in value)
    return True


def rotation_issues(place: str, what: str, matrix: object) -> list[Issue]:
    """A (3, 3) matrix must be a rotation: orthonormal columns, right-handed, no scale."""
    remedy = f"Use a pure rotation for {what} (apply scale and mirror to the geometry)"
    try:
        m = np.array(matrix, dtype=float)
    except (TypeError, ValueError):
        return [error(place, f"{what} is not a matrix of numbers", remedy)]
    if m.shape != (3, 3):
        return [error(place, f"{what} has shape {m.shape}, not 3 by 3", remedy)]
    if not np.isfinite(m).all():
        return [error(place, f"{what} holds a value that is not finite", remedy)]
    if np.abs(m.T @ m - np.eye(3)).max() > 1e-6:
        lengths = ", ".join(f"{length:.6g}" for length in np.linalg.norm(m, axis=0))
        return [error(place, f"{what} is not orthonormal (its columns have lengths {lengths})", remedy)]
    if np.linalg.det(m) < 0.0:
        return [error(place, f"{what} mirrors (determinant -1)", remedy)]
    return []


def transform_issues(place: str, what: str, matrix: object) -> list[Issue]:
    """A (4, 4) matrix must be a rigid transform."""
    remedy = f"Use a rigid transform for {what}"
    try:
        m = np.array(matrix, dtype=float)
    except (TypeError, ValueError):
        return [error(place, f"{what} is not a matrix of numbers", remedy)]
    if m.shape != (4, 4):
        return [error(place, f"{what} has shape {m.shape}, not 4 by 4", remedy)]
    issues = rotation_issues(place, f"the rotation of {what}", m[:3, :3])
    if not np.isfinite(m[:3, 3]).all() or np.abs(m[:3, 3]).max() > 1e4:
        issues.append(error(place, f"the translation of {what} is {m[:3, 3].tolist()}", "Give it in metres"))
    if not np.array_equal(m[3], [0.0, 0.0, 0.0, 1.0]):
        issues.append(error(place, f"the last row of {what} is {m[3].tolist()}", "It must be 0, 0, 0, 1"))
    return issues


def curve_issues(place: str, what: str, curve: object) -> list[Issue]:
    """A curve needs finite (abscissa, ordinate) points with strictly increasing abscissa."""
    try:
        points = np.array(curve, dtype=float)
    except (TypeError, ValueError):
        return [error(place, f"{what} is not a list of pairs of numbers", f"Correct {what}")]
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        return [error(place, f"{what} needs two or more points of two numbers", f"Add points to {what}")]
    if not np.isfinite(points).all():
        return [error(place, f"{what} holds a value that is not finite", f"Correct {what}")]
    if (np.diff(points[:, 0]) <= 0.0).any():
        return [error(place, f"the first numbers of {what} do not increase", f"Sort the points of {what}")]
    return []


def duplicate_issues(place: str, what: str, names: Iterable[str]) -> list[Issue]:
    """Names must be unique and not empty."""
    seen: set[str] = set()
    issues = []
    for name in names:
        if not isinstance(name, str) or not name:
            issues.append(error(place, f"a {what} has no name", f"Name every {what}"))
        elif name in seen:
            issues.append(error(place, f"the {what} name '{name}' is used twice", f"Rename one {what}"))
        seen.add(name)
    return issues
