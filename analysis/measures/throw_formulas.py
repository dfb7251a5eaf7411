"""Published formulas from throw distance to impact speed of a pedestrian, to be drawn beside results.

Searle: docs/derivations.md, Throw distance and speed. The regressions (Toor and Araszewski, SAE 2003-01-0883: wrap and
forward projection, km/h from m) are quoted from memory, not verified against the paper; the scatter drawn with them is
assumed.
"""

from collections.abc import Callable

import numpy as np

from .signals import G0

SCATTER = 0.15
"""Share of the speed, assumed."""
REGRESSIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "wrap projection (Toor and Araszewski 2003)": lambda distance: 9.84 * distance**0.57,
    "forward projection (Toor and Araszewski 2003)": lambda distance: 8.25 * distance**0.61,
}
"""Name to km/h of a distance in m."""


def searle_speeds(distance: np.ndarray, friction: float) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest launch speed (m/s) of a throw of this length (m) on level ground with this friction."""
    largest = np.sqrt(2.0 * friction * G0 * distance)
    return largest / np.sqrt(1.0 + friction**2), largest


def searle_distance(speed: float, angle: float, friction: float, height: float = 0.0) -> float:
    """Throw distance (m) of a body launched at a speed (m/s) and angle (rad above level) from a height (m)."""
    reach = speed * (np.cos(angle) + friction * np.sin(angle))
    return float(friction * height + reach**2 / (2.0 * friction * G0))
