"""Injury risk curves. Off unless asked for, and always named: two curves for one criterion can differ by a factor two.

A curve gives the share of a tested population with an injury of the stated severity (AIS level or more), not the
probability that a particular person was injured.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class RiskCurve:
    """A named curve from a criterion to a probability."""

    name: str
    criterion: str
    """`Measure.name` it applies to."""
    severity: str
    probability: Callable[[float], float]


def _ncap_hic15(hic: float) -> float:
    """P = normal distribution of (ln HIC15 - 7.45231) / 0.73998."""
    if hic <= 0.0:
        return 0.0
    return 0.5 * math.erfc(-(math.log(hic) - 7.45231) / 0.73998 / math.sqrt(2.0))


def _prasad_mertz(hic: float) -> float:
    """P = 1 / (1 + exp(3.39 + 200 / HIC - 0.00372 HIC))."""
    if hic <= 0.0:
        return 0.0
    exponent = 3.39 + 200.0 / hic - 0.00372 * hic
    return 0.0 if exponent > 700.0 else 1.0 / (1.0 + math.exp(exponent))


def _bric_weibull(scale: float) -> Callable[[float], float]:
    """P = 1 - exp(-(BrIC / scale)^2.84)."""
    return lambda bric: -math.expm1(-((bric / scale) ** 2.84))


BRIC_SCALES = {1: 0.120, 2: 0.602, 3: 0.987, 4: 1.204, 5: 1.252}

CURVES = (
    RiskCurve("US NCAP log-normal", "HIC15", "AIS 3+", _ncap_hic15),
    RiskCurve("Prasad-Mertz", "HIC15", "AIS 3+", _prasad_mertz),
    *(
        RiskCurve("Takhounts 2013 Weibull", "BrIC", f"AIS {level}+", _bric_weibull(scale))
        for level, scale in BRIC_SCALES.items()
    ),
)
