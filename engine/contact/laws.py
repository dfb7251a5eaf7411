"""Contact law of one surface, and of two surfaces that meet (compile time)."""

import math
from dataclasses import dataclass, replace

import numpy as np

from ..maths.hysteresis import CurvePoints
from ..spec import Curve, Material, Settings
from .curves import authored_curve, depth_at_force, power_curve, scaled_force
from .series import series_curve

REFERENCE_DEPTH = 0.01
"""m: where the stiffness of a power law is taken for the bristle of friction."""


@dataclass(frozen=True)
class Law:
    """What `normal_force` evaluates; see there for the symbols. Without `curve` the elastic force is k x^n."""

    curve: CurvePoints | None = None
    stiffness: float = 0.0
    exponent: float = 1.0
    dissipation: float = 0.0
    """s/m; the factor 1.5 of Hunt-Crossley is in it."""
    viscosity: float = 0.0
    """N s/m"""
    restitution: float | None = None
    """Lankarani-Nikravesh: asked-for restitution; None where it is a mixture of laws."""
    restitution_gain: float = 0.0
    """Lankarani-Nikravesh: y."""
    amplification: tuple[float, float, float] = (0.0, 1.0, 1.0)
    """C2 / C1, C3, C4."""

    def as_curve(self) -> CurvePoints:
        """Elastic force as a curve."""
        return self.curve if self.curve is not None else power_curve(self.stiffness, self.exponent)

    def reference_stiffness(self) -> float:
        """N/m: the steepest slope of a curve; of a power law the slope at REFERENCE_DEPTH."""
        if self.curve is not None:
            return float(np.max(self.curve.slope))
        return self.exponent * self.stiffness * REFERENCE_DEPTH ** (self.exponent - 1.0)


def restitution_gain(restitution: float) -> float:
    """y of F = k d^n (1 + y v / v0) for which the ratio of separation to approach speed is `restitution`.

    Root of y (1 + e) = ln((1 + y) / (1 - e y)), exact for every exponent (docs/derivations.md, Restitution). Written
    with w = -ln(1 - e y), which stays finite where e y comes within round-off of 1.
    """
    e = restitution
    if e >= 1.0:
        return 0.0

    def excess(w: float) -> float:
        y = -math.expm1(-w) / e
        return y * (1.0 + e) - math.log1p(y) - w

    low, high = 0.0, (1.0 + e) / e
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if excess(middle) > 0.0 else (low, middle)
    return -math.expm1(-0.5 * (low + high)) / e


def rate_factors(material: Material) -> Curve:
    """Factor over touch speed (m/s) of a surface's curve; none where it is the same at every speed."""
    return material.rate_factors if material.law == "curve" else ()


def rate_factor(material: Material, speed: float) -> float:
    """Factor on the curve of a surface at a touch speed (m/s): straight between the points, constant beyond."""
    points = rate_factors(material)
    return float(np.interp(speed, *zip(*points, strict=True))) if points else 1.0


def law_of(material: Material, settings: Settings, touch_speed: float = 0.0) -> Law:
    """Law of a surface against something rigid that touches it at a speed (m/s)."""
    c1, c2, c3, c4 = (float(c) for c in material.amplification)
    law = LAWS[material.law](material, settings)
    factor = c1 * rate_factor(material, touch_speed)
    curve = None if law.curve is None else scaled_force(law.curve, factor)
    return replace(law, curve=curve, stiffness=c1 * law.stiffness, amplification=(c2 / c1, c3, c4))


def _curve_law(material: Material, settings: Settings) -> Law:
    damping = material.damping if settings.contact_damping is None else settings.contact_damping
    curve = authored_curve(
        material.loading, material.unloading, material.energy_retention, material.beyond_last
    )
    if settings.contact_damping_mode == "constant":
        return Law(curve=curve, viscosity=float(damping))
    return Law(curve=curve, dissipation=float(damping))


def _linear(material: Material, settings: Settings) -> Law:
    return Law(stiffness=float(material.stiffness), exponent=1.0, viscosity=float(material.damping))


def _hunt_crossley(material: Material, settings: Settings) -> Law:
    dissipation = 1.5 * float(material.damping)
    return Law(
        stiffness=float(material.stiffness), exponent=float(material.exponent), dissipation=dissipation
    )


def _lankarani_nikravesh(material: Material, settings: Settings) -> Law:
    e = float(material.restitution)
    stiffness, exponent = float(material.stiffness), float(material.exponent)
    return Law(stiffness=stiffness, exponent=exponent, restitution=e, restitution_gain=restitution_gain(e))


LAWS = {
    "curve": _curve_law,
    "linear": _linear,
    "hunt_crossley": _hunt_crossley,
    "lankarani_nikravesh": _lankarani_nikravesh,
}
"""What each law of `spec.CONTACT_LAWS` is to compiled code."""


def combined_law(first: Law, second: Law) -> Law:
    """Law of two surfaces in series: both carry the same force, their penetrations add up.

    Elastic part: equal exponents give k = (k1^(-1/n) + k2^(-1/n))^(-n) (k1 k2 / (k1 + k2) for n = 1, Hyfydy's and
    Simbody's rule); anything else is combined as curves (`series_curve`), power laws by fine chords.
    With s the share of the penetration that a surface takes (of curves: at the smaller of the two highest forces):
    dissipation c = s1 c1 + s2 c2 and y likewise (Simbody's weights); dashpots d = s1^2 d1 + s2^2 d2 (equal power at
    equal shares; docs/derivations.md, Surfaces in series); two Lankarani-Nikravesh surfaces lose the share of energy
    1 - e^2 = s1 (1 - e1^2) + s2 (1 - e2^2).
    Rate amplification is that of the surface with the larger share.
    """
    if first.curve is None and second.curve is None and first.exponent == second.exponent:
        n = first.exponent
        x1, x2 = first.stiffness ** (-1.0 / n), second.stiffness ** (-1.0 / n)
        elastic = Law(stiffness=(x1 + x2) ** -n, exponent=n)
    else:
        a, b = first.as_curve(), second.as_curve()
        force = min(float(np.max(a.force)), float(np.max(b.force)))
        x1, x2 = depth_at_force(a, force), depth_at_force(b, force)
        elastic = Law(curve=series_curve(a, b))
    s1, s2 = x1 / (x1 + x2), x2 / (x1 + x2)
    restitution, gain = None, s1 * first.restitution_gain + s2 * second.restitution_gain
    if first.restitution is not None and second.restitution is not None:
        lost = s1 * (1.0 - first.restitution**2) + s2 * (1.0 - second.restitution**2)
        restitution = math.sqrt(1.0 - lost)
        gain = restitution_gain(restitution)
    return replace(
        elastic,
        dissipation=s1 * first.dissipation + s2 * second.dissipation,
        viscosity=s1 * s1 * first.viscosity + s2 * s2 * second.viscosity,
        restitution=restitution,
        restitution_gain=gain,
        amplification=first.amplification if s1 >= s2 else second.amplification,
    )
