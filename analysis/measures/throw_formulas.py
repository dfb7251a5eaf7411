"""Published formulas from throw distance to impact speed of a pedestrian, to be drawn beside results.

Searle: docs/derivations.md, Throw distance and speed. `CERTAINTY` says of each formula how sure it is, for whatever
shows it. The regressions are those of Toor and Araszewski (SAE 2003-01-0883): wrap and forward projection, km/h from m.
"""

from collections.abc import Callable

import numpy as np

from .signals import G0

SCATTER = 10.0
"""km/h: how exact such regressions are, about (Batista, Promet 20 (2008), 357-368, quoting others)."""
REGRESSIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "wrap projection (Toor and Araszewski 2003)": lambda distance: 9.84 * distance**0.57,
    "forward projection (Toor and Araszewski 2003)": lambda distance: 8.25 * distance**0.61,
}
"""Name to km/h of a distance in m."""
CERTAINTY = (
    "Searle's bounds are derived in closed form, and the lower one was read in SAE 831622. They are of the speed at "
    "which a person is thrown, which is not the car's.",
    "The coefficients of the regressions are general knowledge: the paper (SAE 2003-01-0883) was not read. At 20 m "
    "they are within 1 km/h of those of Happer et al. (SAE 2000-01-0846), which were not read either. Check them "
    "before you rely on them.",
    f"The band of {SCATTER:.0f} km/h about them is what Batista (Promet 20 (2008), 357-368) says of such regressions.",
)
"""Of the formulas, in the order in which they are drawn."""


def searle_speeds(distance: np.ndarray, friction: float) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest launch speed (m/s) of a throw of this length (m) on level ground with this friction."""
    largest = np.sqrt(2.0 * friction * G0 * distance)
    return largest / np.sqrt(1.0 + friction**2), largest
