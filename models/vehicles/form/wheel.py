"""A road wheel: tyre with grooves, rim with spokes, brake disc. Axle along y, outer face at +y."""

import math
from collections.abc import Iterator

import numpy as np

from .assembly import Assembly, Drawn, strip

TYRE_STEPS, RIM_STEPS, HUB_STEPS = 72, 48, 32


def wheel(radius: float, width: float, spokes: int) -> Drawn:
    """A wheel about y of a radius and tyre width (m)."""
    w, rim = width / 2.0, 0.70 * radius
    out = Assembly()
    out.revolve("rubber", tyre_profile(radius, w, rim), TYRE_STEPS)
    lip = [
        (rim + 0.006, w - 0.012),
        (rim + 0.004, w - 0.001),
        (rim - 0.006, w - 0.001),
        (rim - 0.012, w - 0.010),
    ]
    lip += [(rim - 0.020, w - 0.05), (rim - 0.035, -w + 0.02), (rim, -w + 0.01)]
    out.revolve("metal", lip, RIM_STEPS)
    out.revolve("dark", [(rim - 0.02, -0.01), (0.02, -0.01)], RIM_STEPS)
    out.revolve("dark", [(0.02, -w + 0.012), (rim - 0.02, -w + 0.012)], RIM_STEPS)
    out.revolve("steel", [(0.62 * rim, 0.012), (0.30 * rim, 0.012)], RIM_STEPS)
    face = w - 0.022
    hub = [(0.001, face + 0.004), (0.03, face + 0.003), (0.034, face - 0.002), (0.078, face - 0.006)]
    out.revolve("metal", [*hub, (0.088, face - 0.016), (0.088, face - 0.06)], HUB_STEPS)
    for points, faces in spoke_bars(rim, face, spokes):
        out.add(points, faces, "metal", flat=True)
    return out.drawn()


def tyre_profile(radius: float, w: float, rim: float) -> list[tuple[float, float]]:
    """Profile (radius, y) of a tyre: bead, side wall, shoulder, tread with three grooves."""
    half = [(rim - 0.005, w - 0.010), (rim + 0.012, w - 0.002), (0.5 * (rim + radius), w + 0.002)]
    half += [(radius - 0.026, w - 0.007), (radius - 0.008, w - 0.022), (radius - 0.001, w - 0.040)]
    tread = []
    for y in (0.42 * w, 0.0, -0.42 * w):
        tread += [
            (radius, y + 0.006),
            (radius - 0.008, y + 0.005),
            (radius - 0.008, y - 0.005),
            (radius, y - 0.006),
        ]
    return half + tread + [(r, -y) for r, y in reversed(half)]


def spoke_bars(rim: float, face: float, spokes: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Points and faces of spokes in pairs that part towards the rim."""
    bars = []
    for inner, outer, across in paired_spokes(spokes, (0.06, rim - 0.012), (0.16, 0.27)):
        middle = 0.5 * (inner + outer)
        path = [(inner[0], face - 0.022, inner[1]), (middle[0], face - 0.015, middle[1])]
        path.append((outer[0], face - 0.014, outer[1]))
        bars.append(strip(np.array(path), across * 0.019, np.array([0.0, 0.018, 0.0])))
    return bars


def paired_spokes(
    spokes: int, radii: tuple[float, float], spreads: tuple[float, float]
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Inner and outer end (x, z) of spokes in pairs, and the unit vector across each.

    radii: of the ends, m. spreads: of the ends to either side of the middle of a pair, as shares of the angle between
    two pairs.
    """
    for k in range(2 * spokes):
        side = 1.0 if k % 2 else -1.0
        a, b = (2.0 * math.pi * (k // 2 + spread * side) / spokes for spread in spreads)
        inner = radii[0] * np.array([math.cos(a), math.sin(a)])
        outer = radii[1] * np.array([math.cos(b), math.sin(b)])
        along = (outer - inner) / np.linalg.norm(outer - inner)
        yield inner, outer, np.array([-along[1], 0.0, along[0]])
