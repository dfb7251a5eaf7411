"""Specs of springs, belts and welds to `Connections`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, nan

import numpy as np

from ..maths.packing import floats, integers, starts
from ..spec import Belt, Point, SpringDamper, Weld
from .arrays import Belts, Connections, Springs, Welds

ResolvePoint = Callable[[Point, int | None], tuple[int, int, np.ndarray]]
"""(point, actor of the model or None) to (moving body or the world, authored body or -1, position in moving frame)."""


class _Points:
    """The points of all connections, numbered as they come."""

    def __init__(self, resolve: ResolvePoint) -> None:
        self._resolve = resolve
        self.body: list[int] = []
        self.authored: list[int] = []
        self.local: list[np.ndarray] = []

    def place(self, point: Point, actor: int | None) -> np.ndarray:
        """(3,) a point in the frame of its moving body, m."""
        return self._resolve(point, actor)[2]

    def add(self, point: Point, actor: int | None) -> int:
        body, authored, local = self._resolve(point, actor)
        self.body.append(body)
        self.authored.append(authored)
        self.local.append(local)
        return len(self.body) - 1


def compile_connections(
    springs: Sequence[tuple[SpringDamper, int | None]],
    belts: Sequence[tuple[Belt, int | None]],
    welds: Sequence[tuple[Weld, int | None]],
    resolve_point: ResolvePoint,
) -> Connections:
    """Flat arrays; each spec comes with the actor its points belong to (None: the points name their actor)."""
    points = _Points(resolve_point)
    groups = {
        "springs": _springs(springs, points),
        "belts": _belts(belts, points),
        "welds": _welds(welds, points),
    }
    every = [item for group in (springs, belts, welds) for item, _ in group]
    return Connections(
        point_body=integers(points.body),
        point_local=floats(points.local, 3),
        load_authored=integers(points.authored),
        break_force=floats(inf if item.break_force is None else item.break_force for item in every),
        break_bounds=floats(
            ([_bound(item, name) for name in ("break_torque", "break_energy")] for item in every), 2
        ),
        **groups,
    )


def _bound(item: SpringDamper | Belt | Weld, name: str) -> float:
    """Where a connection breaks, infinite where it does not."""
    value = getattr(item, name, None)
    return inf if value is None else float(value)


def _springs(springs: Sequence[tuple[SpringDamper, int | None]], points: _Points) -> Springs:
    curves = [() if spring.curve is None else spring.curve for spring, _ in springs]
    return Springs(
        points=integers(
            ([points.add(spring.start, actor), points.add(spring.end, actor)] for spring, actor in springs), 2
        ),
        gains=floats(
            (
                (spring.stiffness, spring.damping, nan if spring.rest_length is None else spring.rest_length)
                for spring, _ in springs
            ),
            3,
        ),
        pulls_only=integers(spring.tension_only for spring, _ in springs),
        curve=starts(len(curve) for curve in curves),
        x=floats(x for curve in curves for x, _ in curve),
        y=floats(y for curve in curves for _, y in curve),
    )


def _belts(belts: Sequence[tuple[Belt, int | None]], points: _Points) -> Belts:
    spans: list[list[int]] = []
    counts, gains = [], []
    for belt, actor in belts:
        numbers = [points.add(point, actor) for point in belt.points]
        clamped = [k for k, slips in enumerate(belt.slip) if not slips]
        own = [numbers[a : b + 1] for a, b in zip(clamped, clamped[1:], strict=False)]
        spans += own
        counts.append(len(own))
        gains.append((belt.stiffness, belt.damping, belt.slack))
    return Belts(
        spans=starts(counts),
        gains=floats(gains, 3),
        first=starts(len(span) for span in spans),
        points=integers(point for span in spans for point in span),
    )


def _welds(welds: Sequence[tuple[Weld, int | None]], points: _Points) -> Welds:
    return Welds(
        points=integers(
            ([points.add(weld.start, actor), points.add(weld.end, actor)] for weld, actor in welds), 2
        ),
        gains=floats(
            (
                (weld.stiffness, weld.damping, weld.rotational_stiffness, weld.rotational_damping)
                for weld, _ in welds
            ),
            4,
        ),
        release=floats(inf if weld.release_time is None else weld.release_time for weld, _ in welds),
        line=floats([_line(weld, actor, points) for weld, actor in welds], 3),
    )


def _line(weld: Weld, actor: int | None, points: _Points) -> np.ndarray:
    """(3,) unit direction of a weld's line in the moving frame of its first point; zeros where it has none."""
    if weld.line is None:
        return np.zeros(3)
    unit = np.array(weld.line, dtype=float) / np.linalg.norm(weld.line)
    far = replace(weld.start, position=tuple(np.array(weld.start.position) + unit))
    return points.place(far, actor) - points.place(weld.start, actor)
