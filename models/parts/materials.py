"""Contact materials: force over penetration per body region and vehicle part, each with its source.

All are of law "curve". `energy_retention` is the share of the loading energy given back, so the restitution of an
impact on something rigid is its square root. A curve is one-sided: it is the force against a rigid counterpart, and
two soft surfaces act in series.

Where a source gives a test and not a curve (49 CFR 572 gives peak acceleration, force, deflection and hysteresis),
the curve is one that passes the test; `docs/validation.md` shows the test repeated. "Assumed" marks what no source
could be traced for.
"""

from dataclasses import replace
from math import log
from pathlib import Path

from ...engine.spec import Curve, Material
from .tables import read_table

HEAD_HERTZ = 4.83e7
"""N/m^1.5. A 4.54 kg head dropped 0.376 m (2.716 m/s) on steel peaks at 250 g, the middle of the band of 225 to 275 g
of 49 CFR 572.32: F = K d^1.5, E = (2/5) K d^2.5."""

SIDE_SHARE = 0.40
"""Hertz stiffness of the side of the head over that of the forehead. The peak force of a drop goes with K^0.4 and HIC
with K^0.6, so both lie within the 26 to 48 % of Loyd et al."""
JAW_SHARE = 0.8
TABLE = Path(__file__).resolve().parent / "body_materials.csv"
"""All but skull and jaw."""
HEAD_MATERIALS = ("head", "head_side", "face", "jaw")
SKULL_MATERIALS = ("head", "head_side")
SKULL_SLOW, SKULL_FAST = (0.0025, 812.0), (7.5, 4023.0)
"""m/s and N/mm of heads pressed slowly and struck, means of 12 (Yoganandan et al. 1995)."""
SKULL_RATE_POWER = log(SKULL_FAST[1] / SKULL_SLOW[1]) / log(SKULL_FAST[0] / SKULL_SLOW[0])
"""Exponent of stiffness over speed between them (0.20): a straight line in logarithms is assumed."""
DROP_SPEED = 2.716
"""m/s at which the head's curve holds as it is (49 CFR 572.32)."""


def skull_rates() -> Curve:
    """Factor on the head's curve over touch speed (m/s): (speed / 2.716)^0.2 from 2.5 mm/s on; 1 above 2.716 m/s, since
    skulls struck at 7.5 m/s are met without a factor."""
    speeds = (SKULL_SLOW[0], 0.025, 0.1, 0.3, 0.7, 1.4, DROP_SPEED)
    points = [(v, round((v / DROP_SPEED) ** SKULL_RATE_POWER, 4)) for v in speeds]
    return ((0.0, points[0][1]), *points)


SKULL_RATES_SOURCE = (
    " Softer to slow touches, as heads pressed at 2.5 mm/s (812 N/mm) were against those struck at 7.1 to 8 m/s (4023 "
    "N/mm; Yoganandan et al., J Neurotrauma 12(4), 1995): with the power 0.20 of the speed below 2.716 m/s, of which "
    "the form is assumed."
)


def hertz_curve(stiffness: float, depths_mm: tuple[float, ...]) -> Curve:
    """Piecewise-linear F = K d^1.5 through the given depths."""
    points = [(0.0, 0.0)]
    points += [(d / 1000.0, round(stiffness * (d / 1000.0) ** 1.5, 1)) for d in depths_mm]
    return tuple(points)


def scale_curve(curve: Curve, depth: float, force: float) -> Curve:
    """The curve with depths and forces multiplied."""
    return tuple((x * depth, y * force) for x, y in curve)


def curve_material(
    name: str,
    loading: Curve,
    retention: float,
    source: str,
    damping: float = 0.0,
    friction: float | None = None,
    rate_factors: Curve = (),
) -> Material:
    """A material of law "curve" with its source."""
    return Material(
        name=name,
        loading=tuple((float(x), float(y)) for x, y in loading),
        energy_retention=retention,
        damping=damping,
        static_friction=friction,
        rate_factors=rate_factors,
        source=source,
    )


def body_materials() -> list[Material]:
    """Materials of a person or dummy, adult size."""
    face, *others = read_table(TABLE, Material)
    return [
        curve_material(
            "head",
            hertz_curve(HEAD_HERTZ, (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 10.0)),
            0.30,
            "Forehead, crown and back of the head. Loading: Hertz stiffness implied by the head drop test of 49 CFR "
            "572.32 (225-275 g at 2.716 m/s for 4.54 kg); adult heads dropped on forehead, occiput and vertex answer "
            "alike, and as the Hybrid III head does (Loyd et al. 2014, scholars.duke.edu pub1040197). Energy retention "
            "0.30 (restitution 0.55): assumed." + SKULL_RATES_SOURCE,
            rate_factors=skull_rates(),
        ),
        curve_material(
            "head_side",
            hertz_curve(SIDE_SHARE * HEAD_HERTZ, (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0)),
            0.30,
            "Sides of the head: peak accelerations and HIC of parietal drops were 26-48 % below those on forehead, "
            "occiput and vertex (Loyd et al. 2014, scholars.duke.edu pub1040197). 0.40 of the Hertz stiffness of the "
            "head makes the peak 31 % and HIC 42 % lower. Energy retention as the head, assumed."
            + SKULL_RATES_SOURCE,
            rate_factors=skull_rates(),
        ),
        curve_material(
            "jaw",
            scale_curve(face.loading, 1.0, JAW_SHARE),
            0.15,
            "Assumed: 0.8 of the face (the jaw gives way in its joints), restitution 0.39.",
        ),
        face,
        *others,
    ]


def scaled_body_materials(
    mass_ratio: float, length_ratio: float, head_mass_ratio: float, head_length_ratio: float
) -> list[Material]:
    """Body materials for another size: depth times the length ratio, force times mass ratio over length ratio.

    Similarity of an impact at the same speed: m v^2 / 2 is force times depth, so force goes with mass over depth.
    Head and face follow the head's own mass and length.
    """
    scaled = []
    for material in body_materials():
        of_head = material.name in HEAD_MATERIALS
        depth = head_length_ratio if of_head else length_ratio
        force = (head_mass_ratio if of_head else mass_ratio) / depth
        points = scale_curve(material.loading, depth, force)
        material.loading = tuple((round(x, 6), round(y, 1)) for x, y in points)
        material.source += f" Scaled from adult size: depth x {depth:.4f}, force x {force:.4f}."
        scaled.append(material)
    return scaled


def stiffer(material: Material, factor: float, why: str) -> Material:
    """A material whose force is multiplied; why: the reason, for its source."""
    loading = tuple((x, round(factor * force, 1)) for x, force in material.loading)
    return replace(material, loading=loading, source=f"{material.source} Force x {factor:.4g}: {why}.")


def with_stiffer_head(materials: list[Material], factor: float, why: str) -> list[Material]:
    """The materials with the force of those of the head multiplied."""
    if factor == 1.0:
        return materials
    return [stiffer(m, factor, why) if m.name in HEAD_MATERIALS else m for m in materials]


def without_skull_rates(materials: list[Material]) -> list[Material]:
    """The materials of a dummy, whose head is no bone: what was measured on skulls at low speed is left out."""
    return [
        replace(m, rate_factors=(), source=m.source.replace(SKULL_RATES_SOURCE, ""))
        if m.name in SKULL_MATERIALS
        else m
        for m in materials
    ]
