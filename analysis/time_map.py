"""Time of the simulation against time of the film: slow-motion ranges. Plain arithmetic, without Blender.

A range of simulated time shown `factor` times slower takes `factor` times as long in the film. Outside the ranges the
film runs at its base speed. The map is continuous, piecewise linear and known to the overlay, so that the film never
hides how fast it plays.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TimeMap:
    """Slow motion of a film."""

    slow: tuple[tuple[float, float, float], ...] = ()
    """(start s, end s, factor) in simulated time, in order, not overlapping; factor 10 plays at a tenth of the speed"""
    base: float = 1.0
    """Factor outside the ranges"""

    def __post_init__(self) -> None:
        last = 0.0
        for start, end, factor in self.slow:
            if not (last <= start < end):
                raise ValueError(
                    f"slow motion from {start:g} to {end:g} s: ranges start at 0 or later, end after their start, and "
                    "do not overlap"
                )
            require_factor(factor)
            last = end
        require_factor(self.base)

    def _knots(self) -> tuple[np.ndarray, np.ndarray]:
        """Simulated and film time of the corners of the map, from 0 on."""
        simulated, film = [0.0], [0.0]
        for start, end, factor in self.slow:
            film.append(film[-1] + (start - simulated[-1]) * self.base)
            film.append(film[-1] + (end - start) * factor)
            simulated += [start, end]
        simulated.append(simulated[-1] + 1e6)
        film.append(film[-1] + 1e6 * self.base)
        return np.array(simulated), np.array(film)

    def film_time(self, simulated: np.ndarray | float) -> np.ndarray | float:
        """Second of the film (s) that shows the given simulated time (s)."""
        known, film = self._knots()
        return np.interp(simulated, known, film)

    def simulated_time(self, film: np.ndarray | float) -> np.ndarray | float:
        """Simulated time (s) shown at the given second of the film (s)."""
        simulated, known = self._knots()
        return np.interp(film, known, simulated)

    def factor_at(self, simulated: float) -> float:
        """How many times slower than true the film plays at a simulated time (s)."""
        for start, end, factor in self.slow:
            if start - 1e-9 <= simulated < end - 1e-9:
                return factor
        return self.base

    def dump(self) -> str:
        """JSON text, for keeping on an action."""
        return json.dumps({"slow": self.slow, "base": self.base})


def require_factor(factor: float) -> None:
    """Refuse a factor that stops or reverses time."""
    if not factor > 0.0:
        raise ValueError(f"slow motion by {factor:g}: the factor must be more than zero; 10 plays at a tenth")


def load_time_map(text: str) -> TimeMap:
    """Map of its JSON text."""
    kept = json.loads(text) if text else {}
    return TimeMap(tuple(tuple(entry) for entry in kept.get("slow", ())), kept.get("base", 1.0))


def parse_slow(text: str) -> tuple[float, float, float]:
    """Range written as START:END:FACTOR."""
    parts: Sequence[str] = text.split(":")
    try:
        start, end, factor = (float(part) for part in parts)
    except ValueError:
        raise ValueError(
            f"'{text}' is no slow-motion range: write START:END:FACTOR, such as 0.4:0.6:10"
        ) from None
    return (start, end, factor)
