"""Specs of springs, belts and welds to `Connections`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isfinite, nan

import numpy as np

from ..errors import EngineError
from ..joints.packing import floats, integers, starts
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
    for item in every:
        _require(item.break_force is None or item.break_force > 0.0, item, "break force must be above 0 N")
    return Connections(
        point_body=integers(points.body),
        point_local=floats(points.local, 3),
        load_authored=integers(points.authored),
        break_force=floats(inf if item.break_force is None else item.break_force for item in every),
        **groups,
    )


def _require(condition: bool, item: SpringDamper | Belt | Weld, message: str) -> None:
    if not condition:
        kind = {SpringDamper: "spring", Belt: "belt", Weld: "weld"}[type(item)]
        raise EngineError(f"{kind} '{item.name}': {message}")


def _check_gains(item: SpringDamper | Belt | Weld, *gains: float) -> None:
    _require(
        all(isfinite(gain) and gain >= 0.0 for gain in gains),
        item,
        "stiffness and damping must be zero or more",
    )


def _springs(springs: Sequence[tuple[SpringDamper, int | None]], points: _Points) -> Springs:
    curves = []
    for spring, _ in springs:
        _check_gains(spring, spring.stiffness, spring.damping)
        rest = spring.rest_length
        _require(rest is None or rest >= 0.0, spring, "rest length must be zero or more")
        curve = spring.curve or ()
        _require(not spring.curve or len(curve) > 1, spring, "its force curve needs 2 or more points")
        rising = all(b[0] > a[0] for a, b in zip(curve, curve[1:], strict=False))
        _require(
            rising, spring, "its force curve must have rising extensions; sort its points and remove doubles"
        )
        curves.append(curve)
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
        _check_gains(belt, belt.stiffness, belt.damping, belt.slack)
        _require(len(belt.points) > 1, belt, "needs two points or more")
        _require(len(belt.slip) == len(belt.points), belt, "needs one slip setting per point")
        _require(not belt.slip[0] and not belt.slip[-1], belt, "its two ends must be clamped (slip off)")
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
    for weld, _ in welds:
        _check_gains(weld, weld.stiffness, weld.damping, weld.rotational_stiffness, weld.rotational_damping)
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
    )
