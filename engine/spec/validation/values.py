"""Checks of single values: a number, a vector, rows of numbers, a matrix, a word. Each returns the problems it finds.

All take (place, what, value, rule): where the value is, what messages call it, and what it may be. The first lines of
the checks that run most let the usual value through at once.
"""

from collections.abc import Callable, Sequence
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

from ..description import Choices
from ..rules import CLOSEST_POINTS, LARGEST, RigidTransform, Rotation, Rows, Within
from ..values import IDENTITY3, IDENTITY4
from .issue import Issue, error, quoted, wrong_type

Check = Callable[[str, str, Any, Any], Sequence[Issue]]

ANY_NUMBER = Within(-LARGEST, LARGEST)
SEQUENCES = (tuple, list, np.ndarray)


def is_number(value: Any, kind: type = Real) -> bool:
    """A number that fits into a float, be it infinite or NaN (bool is not one)."""
    if type(value) is float:
        return kind is Real
    if not isinstance(value, kind) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def check_number(place: str, what: str, value: Any, rule: Within) -> Sequence[Issue]:
    """A finite number in its range."""
    if type(value) is float and rule.low <= value <= rule.high:
        return ()
    if not is_number(value):
        return [wrong_type(place, f"{what} is {quoted(value)}, not a finite number", f"Give {what} a number")]
    return range_issues(place, what, value, rule)


def check_whole_number(place: str, what: str, value: Any, rule: Within) -> Sequence[Issue]:
    """A whole number in its range."""
    if not is_number(value, Integral):
        message = f"{what} is {quoted(value)}, not a whole number"
        return [wrong_type(place, message, f"Give {what} a whole number")]
    return range_issues(place, what, value, rule)


def range_issues(place: str, what: str, value: float, rule: Within) -> Sequence[Issue]:
    """The number lies within the rule's range."""
    if rule.low <= value <= rule.high or (rule.may_be_infinite and value == inf):
        return ()
    if not isfinite(value):
        return [error(place, f"{what} is {value}, not a finite number", f"Give {what} a number")]
    return [error(place, f"{what} is {value:g}", f"Choose {what} from {rule.low:g} to {rule.high:g}")]


def check_vector(place: str, what: str, value: Any, rule: Within, size: int) -> Sequence[Issue]:
    """`size` finite numbers, each in the rule's range."""
    low, high = rule.low, rule.high
    if (
        type(value) is tuple
        and len(value) == size
        and all(type(x) is float and low <= x <= high for x in value)
    ):
        return ()
    if not isinstance(value, SEQUENCES) or len(value) != size or not all(map(is_number, value)):
        return [
            wrong_type(place, f"{what} is {quoted(value)}, not {size} numbers", f"Give {what} {size} numbers")
        ]
    if not all(map(isfinite, value)):
        message = f"{what} {quoted(value)} holds a value that is not a finite number"
        return [error(place, message, f"Correct {what}")]
    found = (range_issues(place, rule.each or what, x, rule) for x in value)
    return next((issues for issues in found if issues), ())


def check_rows(place: str, what: str, value: Any, rule: Rows) -> Sequence[Issue]:
    """Rows of numbers in their ranges, the first number of each above that of the row before."""
    if not isinstance(value, SEQUENCES) or not all(map(_is_row, value)):
        return [wrong_type(place, f"{what} is not a list of rows of numbers", f"Correct {what}")]
    if len(value) == 0 and rule.may_be_empty:
        return ()
    widths = {len(row) for row in value}
    if len(value) < rule.fewest or len(widths) > 1 or not widths <= set(rule.columns):
        counts = " or ".join(map(str, rule.columns))
        is_readable = len(widths) < 2 and widths <= set(rule.columns)
        kind = error if is_readable else wrong_type
        message = f"{what} needs {rule.fewest} or more rows of {counts} numbers"
        return [kind(place, message, f"Correct {what}")]
    if rule.most is not None and len(value) > rule.most:
        return [error(place, f"{what} has {len(value)} points", f"Use at most {rule.most}")]
    issues = _row_range_issues(place, what, value, rule)
    if issues:
        return issues
    if rule.from_origin and any(value[0]):
        return [error(place, f"{what} starts at {[float(x) for x in value[0]]}", "Start it at (0, 0)")]
    return _spacing_issues(place, what, [row[0] for row in value])


def _is_row(row: Any) -> bool:
    return isinstance(row, SEQUENCES) and all(map(is_number, row))


def _row_range_issues(place: str, what: str, rows: Sequence[Sequence[float]], rule: Rows) -> Sequence[Issue]:
    """Of the first number that is out of range."""
    low, high = rule.others.low, rule.others.high
    for first, *others in rows:
        if not rule.first.low <= first <= rule.first.high:
            return _entry_issues(place, what, first, rule.first)
        for x in others:
            if not low <= x <= high:
                return _entry_issues(place, what, x, rule.others)
    return ()


def _entry_issues(place: str, what: str, x: float, rule: Within) -> Sequence[Issue]:
    if not isfinite(x):
        return [error(place, f"{what} holds a value that is not finite", f"Correct {what}")]
    one = rule.called or "value"
    return [
        error(
            place, f"a {one} of the {what} is {x:g}", f"Choose every {one} from {rule.low:g} to {rule.high:g}"
        )
    ]


def _spacing_issues(place: str, what: str, firsts: Sequence[float]) -> Sequence[Issue]:
    """Each above the one before, by more than round-off could hide."""
    for before, after in zip(firsts, firsts[1:], strict=False):
        if not before < after:
            return [
                error(place, f"the first numbers of {what} do not increase", f"Sort the points of {what}")
            ]
        if after - before < CLOSEST_POINTS:
            message = f"two rows of {what} are less than {CLOSEST_POINTS:g} apart"
            return [error(place, message, f"Remove one of them from {what}")]
    return ()


def check_rotation(place: str, what: str, value: Any, rule: Rotation) -> Sequence[Issue]:
    """A (3, 3) matrix must be a rotation: orthonormal columns, right-handed, no scale."""
    if value is IDENTITY3 or value == IDENTITY3:
        return ()
    remedy = f"Use a pure rotation for {what} (apply scale and mirror to the geometry)"
    matrix = _matrix(place, what, value, 3, remedy)
    return matrix if isinstance(matrix, list) else _rotation_issues(place, what, matrix, remedy)


def check_transform(place: str, what: str, value: Any, rule: RigidTransform) -> Sequence[Issue]:
    """A (4, 4) matrix must be a rigid transform."""
    if value is IDENTITY4:
        return ()
    m = _matrix(place, what, value, 4, f"Use a rigid transform for {what}")
    if isinstance(m, list):
        return m
    remedy = f"Use a pure rotation for {what} (apply scale and mirror to the geometry)"
    issues = list(_rotation_issues(place, f"the rotation of {what}", m[:3, :3], remedy))
    shift = m[:3, 3].tolist()
    if not all(-rule.farthest <= x <= rule.farthest for x in shift):
        issues.append(error(place, f"the translation of {what} is {shift}", "Give it in metres"))
    if m[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
        issues.append(error(place, f"the last row of {what} is {m[3].tolist()}", "It must be 0, 0, 0, 1"))
    return issues


def _matrix(place: str, what: str, value: Any, size: int, remedy: str) -> np.ndarray | list[Issue]:
    """The square matrix, or why it is none."""
    if (
        not isinstance(value, SEQUENCES)
        or not all(map(_is_row, value))
        or len({len(row) for row in value}) != 1
    ):
        return [wrong_type(place, f"{what} is not a matrix of numbers", remedy)]
    matrix = np.array(value, dtype=float)
    if matrix.shape != (size, size):
        return [wrong_type(place, f"{what} has shape {matrix.shape}, not {size} by {size}", remedy)]
    return matrix


def _rotation_issues(place: str, what: str, m: np.ndarray, remedy: str) -> Sequence[Issue]:
    if not np.isfinite(m).all():
        return [error(place, f"{what} holds a value that is not finite", remedy)]
    if not np.abs(m.T @ m - np.eye(3)).max() <= 1e-6:
        lengths = ", ".join(f"{length:.6g}" for length in np.linalg.norm(m, axis=0))
        return [error(place, f"{what} is not orthonormal (its columns have lengths {lengths})", remedy)]
    if np.linalg.det(m) < 0.0:
        return [error(place, f"{what} mirrors (determinant -1)", remedy)]
    return ()


def check_word(place: str, what: str, value: Any, rule: Choices) -> Sequence[Issue]:
    """One of the words of a fixed choice."""
    if type(value) is str and value in rule:
        return ()
    remedy = f"Use one of {', '.join(rule)}"
    if type(value) is not str:
        return [wrong_type(place, f"{what} is {quoted(value)}, not a text", remedy)]
    return [error(place, f"unknown {what} '{value}'", remedy)]


def check_type(
    place: str, what: str, value: Any, rule: Any, wanted: str, types: tuple[type, ...]
) -> Sequence[Issue]:
    """A value of one of the types, called `wanted` in words."""
    if isinstance(value, types):
        return ()
    return [wrong_type(place, f"{what} is {quoted(value)}, not {wanted}", f"Give {what} {wanted}")]


def check_optional(place: str, what: str, value: Any, rule: Any, check: Check) -> Sequence[Issue]:
    """None, or a value that passes the check."""
    return () if value is None else check(place, what, value, rule)


def check_items(
    place: str, what: str, value: Any, rule: Any, check: Check, size: int | None = None
) -> Sequence[Issue]:
    """A list, of `size` items where it says so, each of which passes the check."""
    if not isinstance(value, SEQUENCES) or size not in (None, len(value)):
        wanted = "a list" if size is None else f"{size} items"
        return [wrong_type(place, f"{what} is {quoted(value)}, not {wanted}", f"Give {what} {wanted}")]
    return [issue for item in value for issue in check(place, f"an item of {what}", item, rule)]


def check_dictionary(place: str, what: str, value: Any, rule: Any, check: Check | None) -> Sequence[Issue]:
    """Names to values, each of which passes the check; those with numbers are by joint."""
    if not isinstance(value, dict) or not all(type(key) is str for key in value):
        return [wrong_type(place, f"{what} is {quoted(value)}, not names with values", f"Correct {what}")]
    if check is None:
        return ()
    by_joint = isinstance(rule, Within) and rule is not ANY_NUMBER
    return [
        issue
        for key, item in value.items()
        for issue in check(f"{place}, joint '{key}'" if by_joint else place, what, item, rule)
    ]
