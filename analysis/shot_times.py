"""Time of one shot of a film: slow motion that sets in and ends softly. Plain arithmetic, without Blender.

The playback speed v goes from true speed to 1 / slowness within `ease` seconds of film, along 3 u^2 - 2 u^3, stays
there, and goes back in the same way. What is shown at a second of the film is the integral of v, in closed form.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ShotTimes:
    """What each frame of a shot shows."""

    times: np.ndarray
    """(frames,) simulated s"""
    factors: np.ndarray
    """(frames,) how many times slower than true"""


def shot_times(start: float, end: float, slowness: float, ease: float, rate: float) -> ShotTimes:
    """Frames of a shot from a simulated second to another at `rate` frames a second, `slowness` times slower than true.

    ease: seconds of film over which the speed changes, at both ends; less where the shot is too short for it.
    """
    if not end > start:
        raise ValueError(f"a shot from {start:g} to {end:g} s: it has to end after it starts")
    if not slowness > 0.0 or not rate > 0.0 or ease < 0.0:
        raise ValueError("a shot's slowness and frame rate are above zero, and its ease is not below")
    length, slow = end - start, 1.0 / slowness
    ease = min(ease, length / (1.0 + slow))
    inside = (length - ease * (1.0 + slow)) * slowness
    total = 2.0 * ease + inside
    film = np.arange(int(np.floor(total * rate + 1e-6)) + 1) / rate
    times, speeds = np.empty_like(film), np.empty_like(film)
    before, after = film < ease, film > ease + inside
    between = ~(before | after)
    times[before], speeds[before] = ramp(film[before], ease, slow)
    times[between] = 0.5 * ease * (1.0 + slow) + slow * (film[between] - ease)
    speeds[between] = slow
    left, speeds[after] = ramp(total - film[after], ease, slow)
    times[after] = length - left
    return ShotTimes(start + np.clip(times, 0.0, length), 1.0 / speeds)


def ramp(film: np.ndarray, ease: float, slow: float) -> tuple[np.ndarray, np.ndarray]:
    """Simulated time and speed after seconds of film during which the speed goes from 1 to `slow` within `ease`."""
    share = np.clip(film / ease, 0.0, 1.0) if ease > 0.0 else np.ones_like(film)
    return film + (slow - 1.0) * ease * (share**3 - 0.5 * share**4), 1.0 + (slow - 1.0) * (
        3.0 * share**2 - 2.0 * share**3
    )
