"""What motorcycles and scooters have alike: number plate, lamps, mirrors, grips and levers."""

import numpy as np

from ..form.lettering import lettering
from .tubes import Sketch, smooth

PLATE = np.array([0.20, 0.16])
"""m: width and height of the number plate of a motorcycle."""


def add_plate(out: Sketch, at: np.ndarray, text: str) -> None:
    """Number plate that looks backward, its middle at a point."""
    half = PLATE / 2.0
    out.box("trim", at, (0.004, half[0] + 0.008, half[1] + 0.008), flat=True)
    out.box("plate", at - (0.004, 0.0, 0.0), (0.003, *half), flat=True)
    words = text.split(" ", 1)
    for row, word in enumerate(words):
        flat, faces = lettering(word, PLATE[0] - 0.05)
        lift = 0.0 if len(words) == 1 else 0.037 - 0.074 * row
        shrink = 1.0 if len(words) == 1 else min(1.0, 0.055 / max(1e-6, float(np.ptp(flat[:, 1]))))
        points = np.stack(
            [np.full(len(flat), at[0] - 0.0078), -shrink * flat[:, 0], at[2] + lift + shrink * flat[:, 1]],
            axis=1,
        )
        out.add(points, faces, "letters", flat=True)


def add_indicators(out: Sketch, at: np.ndarray) -> None:
    """A pair of indicators on stalks, the left one at a point."""
    out.tube("dark", [at * (1.0, 0.45, 1.0), at], 0.009, 8, mirror=True)
    out.pebble("indicator", at + (0.0, 0.022, 0.0), (0.022, 0.026, 0.018), 2.4, 10, mirror=True)


def add_mirrors(out: Sketch, foot: np.ndarray, head: np.ndarray) -> None:
    """A pair of mirrors on bent stalks, the left one from its foot to its head."""
    knee = 0.55 * foot + 0.45 * head + np.array([0.05, 0.0, 0.02])
    out.tube("dark", smooth([foot, knee, head]), 0.0055, 8, mirror=True)
    out.pebble("plastic", head + (0.008, 0.03, 0.012), (0.020, 0.062, 0.040), 2.6, 12, mirror=True)
    out.pebble("chrome", head + (-0.009, 0.03, 0.012), (0.006, 0.055, 0.034), 2.6, 12, mirror=True)


def add_grips(out: Sketch, grip: np.ndarray, back: float) -> None:
    """Grips, levers and switches, the middle of the left grip at a point; back: m by which its end lies behind."""
    start, end = grip + np.array([0.5 * back, -0.065, 0.003]), grip + np.array([-0.5 * back, 0.065, -0.003])
    way = end - start
    path = np.array([start + f * way for f in (0.0, 0.06, 0.5, 0.94, 1.0)])
    out.tube("rubber", path, [0.021, 0.0175, 0.0185, 0.0175, 0.020], 16, mirror=True)
    out.pebble("metal", end + 0.12 * way, (0.013, 0.012, 0.013), 2.4, 8, mirror=True)
    out.pebble("dark", start - 0.28 * way, (0.024, 0.026, 0.024), 3.0, 10, mirror=True)
    lever = smooth(
        [start - 0.30 * way + (0.035, 0.0, -0.004), start + (0.075, 0.0, -0.012), end + (0.062, 0.0, -0.016)]
    )
    out.tube("metal", lever, np.linspace(0.0085, 0.0065, len(lever)), 8, mirror=True)


def add_headlamp(out: Sketch, at: np.ndarray, wide: float, high: float) -> None:
    """Lamp that looks forward: bowl, reflector and lens."""
    out.pebble("chrome", at - (0.004, 0.0, 0.0), (0.028, wide, high), 2.6, 18)
    out.pebble("lens", at + (0.006, 0.0, 0.0), (0.026, 0.93 * wide, 0.90 * high), 2.6, 18)
    out.pebble("lamp", at + (0.016, 0.0, 0.0), (0.006, 0.35 * wide, 0.35 * high), 2.2, 12)
