"""Largest voluntary torque of joints over their turn rate, as a share of the isometric torque.

Muscles push less the faster they shorten (Hill 1938) and hold more when they are stretched. A motor has one largest
torque for all axes and both directions: of legs it is that of the extensors, which bear the body, of arms and trunk the
mean of extensors and flexors.
Formulas: docs/derivations.md, Torque over speed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import pi

from .values import Curve

RATES = (
    -16.0,
    -8.0,
    -4.0,
    -2.0,
    -pi / 3.0,
    -0.5,
    0.0,
    0.5,
    1.0,
    2.0,
    3.0,
    4.0,
    6.0,
    8.0,
    12.0,
    16.0,
    20.0,
    28.0,
    37.0,
)
"""rad/s at which curves are sampled; negative: the joint gives way."""
MEASURED = pi / 3.0
"""rad/s: the one rate at which Anderson et al. measured legs that give way; beyond it their factor stays (assumed)."""
ANDERSON = (
    "torque, and over speed: extensors, Anderson, Madigan and Nussbaum 2007, table 3 quoted in source of RBDL"
)
GYMNAST = (
    "torque over speed: Jackson 2010 (shoulder, wrist) and Kentel et al. 2011 (elbow), one athlete each, as quoted in "
    "the source of RBDL"
)
LUMBAR = (
    "torque over speed: estimated from fibre lengths and moment arms of erector spinae and rectus abdominis, as quoted "
    "in the source of RBDL"
)


@dataclass(frozen=True)
class Fitted:
    """Of Anderson et al. 2007: rates (rad/s) at which 3/4 and 1/2 of the isometric torque are left while shortening
    (C4, C5), and what is gained per rad/s while giving way (C6, s/rad)."""

    three_quarters: float
    half: float
    gain: float

    def share(self, rate: float) -> float:
        """Share of the isometric torque at a rate (rad/s)."""
        a, b = self.three_quarters, self.half
        size = abs(rate) if rate > 0.0 else min(-rate, MEASURED)
        left = (2.0 * a * b + size * (b - 3.0 * a)) / (2.0 * a * b + size * (2.0 * b - 4.0 * a))
        return max(0.0, left if rate > 0.0 else left * (1.0 + self.gain * size))


@dataclass(frozen=True)
class Hill:
    """Hill's hyperbola through 1 at rest, `middle` at half of the rate `fastest` (rad/s) and 0 at it; while giving way
    a hyperbola of the same slope at rest towards `most`."""

    fastest: float
    most: float
    middle: float

    @property
    def curvature(self) -> float:
        """Hill's a / F0."""
        return 0.5 * self.middle / (0.5 - self.middle)

    def share(self, rate: float) -> float:
        """Share of the isometric torque at a rate (rad/s)."""
        k, x = self.curvature, rate / self.fastest
        if x >= 0.0:
            return max(0.0, (1.0 - x) / (1.0 + x / k))
        steep = -(1.0 + 1.0 / k) * x
        return 1.0 + (self.most - 1.0) * steep / (self.most - 1.0 + steep)


LEGS: dict[str, dict[tuple[str, bool], Fitted]] = {
    "hip": {
        ("male", False): Fitted(1.578, 3.19, 0.242),
        ("female", False): Fitted(1.567, 3.164, 0.164),
        ("male", True): Fitted(1.561, 3.152, 0.477),
        ("female", True): Fitted(1.613, 3.256, 0.36),
    },
    "knee": {
        ("male", False): Fitted(1.517, 3.952, 0.095),
        ("female", False): Fitted(1.393, 3.623, 0.173),
        ("male", True): Fitted(1.141, 3.152, 0.386),
        ("female", True): Fitted(1.066, 2.855, 0.464),
    },
    "ankle": {
        ("male", False): Fitted(0.987, 3.558, 0.295),
        ("female", False): Fitted(0.862, 3.109, 0.189),
        ("male", True): Fitted(0.49, 1.767, 0.571),
        ("female", True): Fitted(0.587, 1.819, 0.348),
    },
}
"""Extensors of people of 18 to 25 years, and (True) above 65: `ANDERSON`."""
ARMS_AND_TRUNK = {
    "shoulder": (Hill(16.249, 1.1, 0.250134), Hill(19.0764, 1.23011, 0.249656)),
    "elbow": (Hill(18.45, 1.31709, 0.189676), Hill(18.1, 1.37223, 0.189909)),
    "wrist": (Hill(36.5472, 1.16875, 0.115356), Hill(36.3901, 1.14, 0.115456)),
    "back": (Hill(7.98695, 1.1, 0.150907), Hill(19.231, 1.1, 0.150907)),
}
"""Extensors and flexors: `GYMNAST`, and of the back `LUMBAR`."""


def _curve(*shares: Callable[[float], float]) -> Curve:
    """(rate, factor) of the mean of several shares, to the first rate at which nothing is left."""
    points = [(rate, sum(share(rate) for share in shares) / len(shares)) for rate in RATES]
    ends = [k for k, (_, factor) in enumerate(points) if factor == 0.0]
    return tuple(points[: ends[0] + 1] if ends else points)


def torque_over_speed(joint: str, sex: str, is_old: bool) -> Curve | None:
    """`Motor.torque_over_speed` of a joint: hip, knee, ankle (by sex, "female" or another, and age), shoulder, elbow,
    wrist or back; of others, such as the neck, none is known."""
    if joint in LEGS:
        return _curve(LEGS[joint]["female" if sex == "female" else "male", is_old].share)
    if joint in ARMS_AND_TRUNK:
        return _curve(*(muscles.share for muscles in ARMS_AND_TRUNK[joint]))
    return None
