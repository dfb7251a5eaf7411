"""From materials to the flat table the contact kernels read: every pair of surfaces that can meet, resolved once.

How a scenario is resolved (the caller's part)::

    surfaces = Surfaces(scenario.pairs)
    for each ellipsoid:  number = surfaces.add(ellipsoid_material(ellipsoid, materials_by_name), names)
    for each obstacle:   number = surfaces.add(obstacle.material or RigidSurface(obstacle.name), names)
    for the ground:      number = surfaces.add(RigidSurface("ground", settings.ground_friction), ("ground",))
    table = build_material_table(surfaces.materials, surfaces.overrides(), settings)
    row = table.law_index[number_a, number_b]

`names` are all names under which a `PairMaterial` may mean this surface: of its material, its ellipsoid, its body and
its obstacle, bare and as "actor/name". Surfaces of equal material that the pairs cannot tell apart share one number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..maths.hysteresis import CurvePoints
from ..spec import FRICTION_LAWS, Material, PairMaterial, Settings
from .friction import (
    EXPLICIT_RELAXATION,
    HOLLARS,
    IMPLICIT_RELAXATION,
    LEAST_BRISTLE_STIFFNESS,
    MINDLIN_RATIO,
    VISCOUS,
)
from .laws import Law, combined_law, law_of, rate_factors
from .patch_friction import DRILLING_ARM, ROLLING_ARM
from .table import (
    AMPLIFICATION,
    BRISTLE_DAMPING,
    BRISTLE_STIFFNESS,
    CURVE,
    DISSIPATION,
    DRILLING,
    DYNAMIC_FRICTION,
    EXPONENT,
    FRICTION_VELOCITY,
    FRICTION_VISCOSITY,
    LAW_WIDTH,
    POWER,
    RESTITUTION,
    RESTITUTION_GAIN,
    ROLLING,
    STATIC_FRICTION,
    STIFFNESS,
    TOUCH_SPEED,
    VISCOSITY,
    VISCOUS_FRICTION,
    MaterialTable,
)

Pair = tuple[int, int]


@dataclass(frozen=True)
class RigidSurface:
    """Ground or an obstacle without material: the other surface alone decides how the contact pushes back.

    Friction: where only one of the two surfaces states a coefficient, it is that one; where both do, they are combined
    by the scenario's rule; where none does, it is `Settings.friction`.
    """

    name: str = "ground"
    static_friction: float | None = None
    dynamic_friction: float | None = None
    viscous_friction: float = 0.0


@dataclass
class FixedSurface(Material):
    """Material of an obstacle: it gives way, and its friction counts as that of a `RigidSurface` does."""


def fixed(material: Material) -> FixedSurface:
    """A material as that of an obstacle."""
    return FixedSurface(**vars(material))


class Surfaces:
    """Numbers the distinct surfaces of a scenario and resolves its pair overrides to pairs of numbers."""

    def __init__(self, pairs: Sequence[PairMaterial] = ()) -> None:
        self._pairs = list(pairs)
        self._named = {name for pair in pairs for name in (pair.first, pair.second)}
        self._numbers: dict[tuple, int] = {}
        self._names: list[frozenset[str]] = []
        self.materials: list[Material | RigidSurface] = []

    def add(self, material: Material | RigidSurface, names: Iterable[str] = ()) -> int:
        """Number of a surface with this material that answers to these names."""
        answers = frozenset(names) & self._named
        key = (_material_key(material), answers)
        if key not in self._numbers:
            self._numbers[key] = len(self.materials)
            self.materials.append(material)
            self._names.append(answers)
        return self._numbers[key]

    def copy(self) -> Surfaces:
        """The same surfaces, to which more can be added."""
        other = Surfaces(self._pairs)
        other._numbers, other._names = dict(self._numbers), list(self._names)
        other.materials = list(self.materials)
        return other

    def overrides(self) -> dict[Pair, PairMaterial]:
        """Pair of surface numbers (smaller first) to the last pair of the scenario that means it."""
        result: dict[Pair, PairMaterial] = {}
        for pair in self._pairs:
            for i, first in enumerate(self._names):
                for j, second in enumerate(self._names):
                    if pair.first in first and pair.second in second:
                        result[min(i, j), max(i, j)] = pair
        return result

    def unmatched(self) -> list[str]:
        """Names used by pairs that no surface answers to: spelling mistakes."""
        return sorted(self._named.difference(*self._names))


def _material_key(material: Material | RigidSurface) -> str:
    """Equal for materials that behave alike, whatever their name and source."""
    plain = replace(material, name="")
    if isinstance(plain, Material):
        plain = replace(plain, source="")
    return repr(plain)


def build_material_table(
    materials: Sequence[Material | RigidSurface],
    pair_overrides: Mapping[Pair, PairMaterial],
    settings: Settings,
    meeting: Iterable[Pair] | None = None,
) -> MaterialTable:
    """Table of all pairs of surfaces that can meet.

    materials: one per surface number. pair_overrides: pairs of numbers, in any order, whose `PairMaterial` replaces the
    combination (its material is the law of the pair as a whole; its friction replaces the combined coefficients).
    meeting: pairs of numbers that can meet, in any order; absent: all but two rigid surfaces.
    """
    overrides = {(min(i, j), max(i, j)): pair for (i, j), pair in pair_overrides.items()}
    count = len(materials)
    if meeting is None:
        meeting = ((i, j) for i in range(count) for j in range(i, count))
    rows = _Rows(settings)
    index = np.full((count, count), -1, dtype=np.int64)
    for i, j in sorted({(min(i, j), max(i, j)) for i, j in meeting}):
        pair = overrides.get((i, j))
        first, second = materials[i], materials[j]
        family = _pair_laws(first, second, pair, settings)
        if not family:
            continue
        index[i, j] = index[j, i] = len(rows.laws)
        friction = _pair_friction(first, second, pair, settings)
        rigid = isinstance(first, RigidSurface) or isinstance(second, RigidSurface)
        rows.add(family, friction, rigid)
    return rows.table(index)


class _Rows:
    """The rows of a table, while it is built."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._friction_law = FRICTION_LAWS.index(settings.friction_law)
        self._curves = [np.zeros((0, len(CurvePoints._fields)))]
        self._end = 0
        self._ids: list[tuple[int, ...]] = []
        self.laws: list[np.ndarray] = []

    def add(self, family: LawFamily, friction: Coefficients, rigid: bool) -> None:
        """Rows of one pair of surfaces: the first has everything, further ones the curves of higher touch speeds."""
        bristle = _bristle(max(law.reference_stiffness() for _, law in family), rigid, self._settings)
        last = len(self.laws) + len(family) - 1
        for speed, law in family:
            row = _law_values(law, friction, self._settings)
            row[BRISTLE_STIFFNESS], row[BRISTLE_DAMPING] = bristle
            row[TOUCH_SPEED] = speed
            self.laws.append(row)
            start = self._end
            if law.curve is not None:
                self._curves.append(law.curve.packed())
                self._end += len(self._curves[-1])
            faster = len(self.laws) if len(self.laws) <= last else -1
            self._ids.append(
                (POWER if law.curve is None else CURVE, start, self._end, self._friction_law, faster)
            )

    def table(self, index: np.ndarray) -> MaterialTable:
        """All rows as arrays."""
        count = len(self.laws)
        return MaterialTable(
            laws=np.array(self.laws).reshape(count, LAW_WIDTH),
            ids=np.array(self._ids, dtype=np.int64).reshape(count, 5),
            points=np.concatenate(self._curves),
            law_index=index,
        )


LawFamily = list[tuple[float, Law]]
"""Touch speeds (m/s, ascending) and the law at each; one of speed 0 where the law is the same at all."""


def _pair_laws(
    first: Material | RigidSurface,
    second: Material | RigidSurface,
    pair: PairMaterial | None,
    settings: Settings,
) -> LawFamily:
    """Laws of two surfaces at every touch speed that one of them names; none where both are rigid."""
    if pair is not None and pair.material is not None:
        soft = [pair.material]
    else:
        soft = [m for m in (first, second) if isinstance(m, Material)]
    if not soft:
        return []
    speeds = sorted({float(speed) for m in soft for speed, _ in rate_factors(m)}) or [0.0]
    family = []
    for speed in speeds:
        laws = [law_of(m, settings, speed) for m in soft]
        family.append((speed, laws[0] if len(laws) == 1 else combined_law(*laws)))
    return family


Coefficients = tuple[float, float, float]
"""Static, dynamic, viscous (s/m)."""


def combine_coefficients(first: float, second: float, rule: str) -> float:
    """Friction coefficient of two surfaces: geometric (Hyfydy), harmonic (Simbody), minimum, maximum or mean."""
    if rule == "geometric":
        return float(np.sqrt(first * second))
    if rule == "harmonic":
        return 2.0 * first * second / (first + second) if first + second > 0.0 else 0.0
    if rule == "minimum":
        return min(first, second)
    if rule == "maximum":
        return max(first, second)
    return 0.5 * (first + second)


def _pair_friction(
    first: Material | RigidSurface,
    second: Material | RigidSurface,
    pair: PairMaterial | None,
    settings: Settings,
) -> Coefficients:
    """Coefficients of two surfaces, by the rule and the override; the static one is never below the dynamic one."""
    voters = [first, second]
    if any(isinstance(m, RigidSurface | FixedSurface) for m in voters):
        stated = [m for m in voters if not _is_silent(m)]
        voters = stated or [m for m in voters if isinstance(m, Material)]
    values = [_coefficients(m, settings.friction) for m in voters]
    if len(values) == 1 or values[0] == values[1]:
        static, dynamic, viscous = values[0]
    else:
        rule = settings.friction_rule
        static, dynamic, viscous = (combine_coefficients(a, b, rule) for a, b in zip(*values, strict=True))
    if pair is not None and pair.friction is not None:
        static = dynamic = float(pair.friction)
    if pair is not None and pair.dynamic_friction is not None:
        dynamic = float(pair.dynamic_friction)
    return max(static, dynamic), dynamic, viscous


def _is_silent(surface: Material | RigidSurface) -> bool:
    return surface.static_friction is None and surface.dynamic_friction is None


def _coefficients(surface: Material | RigidSurface, default: float) -> Coefficients:
    """Coefficients of one surface; an absent static one is the default, or the dynamic one if that is more."""
    static, dynamic = surface.static_friction, surface.dynamic_friction
    if static is None:
        static = default if dynamic is None else max(default, dynamic)
    if dynamic is None:
        dynamic = static
    return float(static), float(dynamic), float(surface.viscous_friction)


def _law_values(law: Law, friction: Coefficients, settings: Settings) -> np.ndarray:
    """Row of `MaterialTable.laws` without the bristle."""
    row = np.zeros(LAW_WIDTH)
    row[STIFFNESS] = law.stiffness
    row[EXPONENT] = law.exponent
    row[DISSIPATION] = law.dissipation
    row[VISCOSITY] = law.viscosity
    row[RESTITUTION] = np.nan if law.restitution is None else law.restitution
    row[RESTITUTION_GAIN] = law.restitution_gain
    row[AMPLIFICATION : AMPLIFICATION + 3] = law.amplification
    row[STATIC_FRICTION], row[DYNAMIC_FRICTION], row[VISCOUS_FRICTION] = friction
    row[FRICTION_VELOCITY] = settings.friction_velocity
    row[FRICTION_VISCOSITY] = settings.friction_viscosity
    if settings.patch_friction:
        row[DRILLING] = DRILLING_ARM * row[DYNAMIC_FRICTION]
        row[ROLLING] = ROLLING_ARM
    return row


IMPLICIT_CONTACT = ("symplectic_euler", "implicit")
"""Integrators that treat contact with something rigid linearly implicitly."""


def _bristle(reference: float, rigid: bool, settings: Settings) -> tuple[float, float]:
    """Stiffness (N/m) and largest damper (N s/m) of the bristle; reference: N/m, of the surfaces. See `friction`."""
    if not settings.stiction or settings.friction_law in (FRICTION_LAWS[HOLLARS], FRICTION_LAWS[VISCOUS]):
        return 0.0, 0.0
    stiffness = max(LEAST_BRISTLE_STIFFNESS, MINDLIN_RATIO * reference)
    implicit = rigid and settings.integrator in IMPLICIT_CONTACT
    return stiffness, stiffness * (IMPLICIT_RELAXATION if implicit else EXPLICIT_RELAXATION)
