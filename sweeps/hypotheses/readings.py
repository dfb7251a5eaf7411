"""Targets of an evidence file as numbers that every run of a sweep has, with what was found and its error.

The tolerance of a target is the largest deviation that still agrees; here it counts as `WINDOW` standard deviations, so
that runs agree by counting where they agree with the fit of the same evidence (docs/hypotheses.md). Of a mark or a
damage the first such contact counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ...engine.maths.rotations import matrix_from_zyx
from ...engine.spec import Scenario
from ..fit.camera import seen
from ..fit.spec import Target, TrackedPoint
from ..spec import Mark, Quantity
from .ratio import WINDOW
from .spec import Evidence

AXES = "xyz"
Numbers = Mapping[str, np.ndarray]
"""Columns of a sweep's table by name, (runs,) each."""


@dataclass
class Asked:
    """What a sweep must take from its runs for some evidence, and the evidence as numbers."""

    measures: list[Quantity] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)

    def add(self, other: Asked) -> None:
        """Take in what another target asks for."""
        self.measures += other.measures
        self.marks += other.marks
        self.evidence += other.evidence


def asked_by(targets: list[Target], scenario: Scenario) -> Asked:
    """What all targets ask for."""
    asked = Asked()
    for target in targets:
        asked.add(_KINDS[target.kind](target, scenario))
    return asked


def _columns(names: list[str]) -> Callable[[Numbers], np.ndarray]:
    """(runs, names) of a table."""
    return lambda numbers: np.stack([numbers[name] for name in names], axis=-1)


def _taken(target: Target, what: str, **of_body: object) -> list[Quantity]:
    """The three components of a body's value."""
    return [Quantity(f"{target.name}: {what} {axis}", component=axis, **of_body) for axis in AXES]


def _items(
    target: Target,
    parts: list[str],
    labels: list[str],
    found: np.ndarray,
    errors: np.ndarray,
    reading: Callable[[Numbers], np.ndarray],
) -> list[Evidence]:
    """An item for each component that `reading` gives, (runs, components)."""
    return [
        Evidence(
            f"{target.name}, {label}",
            float(found[k]),
            float(errors[k]) / WINDOW,
            target.source,
            lambda numbers, k=k: reading(numbers)[..., k],
            tuple(parts),
        )
        for k, label in enumerate(labels)
    ]


def _place_items(target: Target, parts: list[str], found: np.ndarray) -> list[Evidence]:
    """Of a place (2 or 3 coordinates): along world axes, or along those of the target's ellipse, from its middle."""
    axes, tolerance, size = _columns(parts), target.tolerance, len(found)
    if target.ellipse is None:
        labels = [f"{axis} (m)" for axis in AXES[:size]]
        return _items(target, parts, labels, found, np.full(size, tolerance), axes)
    a, b, angle = target.ellipse
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    turn = np.identity(size)
    turn[:2, :2] = [[c, s], [-s, c]]
    labels = ["along its ellipse (m)", "across its ellipse (m)", "height (m)"][:size]
    errors = tolerance * np.array([a, b, np.sqrt(a * b)])[:size]
    return _items(
        target, parts, labels, np.zeros(size), errors, lambda numbers: (axes(numbers) - found) @ turn.T
    )


def _rest_position(target: Target, scenario: Scenario) -> Asked:
    found = np.asarray(target.position, dtype=float)
    measures = _taken(target, "rest", body=target.body, unit="m")[: len(found)]
    return Asked(measures, evidence=_place_items(target, [q.name for q in measures], found))


def _contact(target: Target, scenario: Scenario) -> Asked:
    """The mark is on the side `on`: the sweep's mark is where that side was touched, in its own frame."""
    touch = replace(target.contact, of=target.contact.on, on=target.contact.of)
    mark = Mark(f"{target.name}: touch", touch)
    parts = [f"{mark.name} {axis}" for axis in AXES]
    return Asked(marks=[mark], evidence=_place_items(target, parts, np.asarray(target.point, dtype=float)))


def _rotations(numbers: Numbers, first: list[str], last: list[str]) -> np.ndarray:
    """(runs, 3, 3) from the directions of a body's x and z axes."""
    x, z = _columns(first)(numbers), _columns(last)(numbers)
    return np.stack([x, np.cross(z, x), z], axis=-1)


def _axes(target: Target, **of_body: object) -> tuple[list[Quantity], Callable[[Numbers], np.ndarray]]:
    """The measures from which a body's rotation follows, and the rotation (runs, 3, 3)."""
    first, last = (_taken(target, f"{axis} axis", value=f"{axis}_axis", **of_body) for axis in "xz")
    names = [q.name for q in first], [q.name for q in last]
    return first + last, lambda numbers: _rotations(numbers, *names)


def _rest_orientation(target: Target, scenario: Scenario) -> Asked:
    """The turn from the orientation found to that of the run, as a rotation vector in degrees."""
    measures, rotation = _axes(target, body=target.body)
    found = matrix_from_zyx(target.orientation)
    labels = [f"turn about {axis} (degrees)" for axis in AXES]
    errors = np.full(3, target.tolerance)
    items = _items(
        target,
        [q.name for q in measures],
        labels,
        np.zeros(3),
        errors,
        lambda numbers: np.degrees(rotation_vectors(found.T @ rotation(numbers))),
    )
    return Asked(measures, evidence=items)


def rotation_vectors(turns: np.ndarray) -> np.ndarray:
    """(n, 3) axis times angle (radians) of (n, 3, 3) rotations (Rodrigues); NaN stays NaN."""
    from scipy.spatial.transform import Rotation

    whole = np.all(np.isfinite(turns), axis=(-2, -1))
    vectors = np.full(turns.shape[:-1], np.nan)
    if np.any(whole):
        vectors[whole] = Rotation.from_matrix(turns[whole]).as_rotvec()
    return vectors


def _throw_distance(target: Target, scenario: Scenario) -> Asked:
    return _number(
        target, Quantity("", "m", measure="throw distance", of=target.body), float(target.distance)
    )


def _measure(target: Target, scenario: Scenario) -> Asked:
    return _number(target, target.measure, float(target.value))


def _number(target: Target, quantity: Quantity, found: float) -> Asked:
    """One measure of the sweep, under the target's name."""
    item = Evidence(target.name, found, target.tolerance / WINDOW, target.source)
    return Asked([replace(quantity, name=target.name)], evidence=[item])


def _video_points(target: Target, scenario: Scenario) -> Asked:
    asked = Asked()
    for number, tracked in enumerate(target.points, start=1):
        asked.add(_pixel(replace(target, name=f"{target.name} {number}"), tracked, scenario))
    return asked


def _pixel(target: Target, tracked: TrackedPoint, scenario: Scenario) -> Asked:
    """Where a point of a body is in the picture at its time."""
    moment = {"body": tracked.body, "take": "at", "time": tracked.time}
    measures = _taken(target, "place", unit="m", **moment)
    place = _columns([q.name for q in measures])
    if tracked.point is not None:
        further, rotation = _axes(target, **moment)
        measures += further
        from_centre = np.asarray(tracked.point, dtype=float) - _centre_of_mass(scenario, tracked.body)
        middle, place = place, lambda numbers: middle(numbers) + rotation(numbers) @ from_centre
    items = _items(
        target,
        [q.name for q in measures],
        ["right (pixels)", "down (pixels)"],
        np.asarray(tracked.pixel, dtype=float),
        np.full(2, target.tolerance),
        lambda numbers: seen(target.camera, place(numbers)),
    )
    return Asked(measures, evidence=items)


def _centre_of_mass(scenario: Scenario, name: str) -> np.ndarray:
    """(3,) m in the frame of the body "actor/body"; the trial run of the plan has found that there is one."""
    actor, _, body = (part.strip() for part in name.partition("/"))
    bodies = [b for a in scenario.actors if a.name == actor for b in a.model.bodies if b.name == body]
    return np.asarray(bodies[0].center_of_mass if bodies else (0.0, 0.0, 0.0), dtype=float)


_KINDS: dict[str, Callable[[Target, Scenario], Asked]] = {
    "rest_position": _rest_position,
    "rest_orientation": _rest_orientation,
    "contact_mark": _contact,
    "damage": _contact,
    "throw_distance": _throw_distance,
    "video_points": _video_points,
    "measure": _measure,
}
