"""Wheels of two-wheelers, chairs and prams about y, with spokes of wire, cast or moulded."""

import math

import numpy as np

from ..form.wheel import paired_spokes
from .tubes import Sketch, both_sides, flat_ring

STEPS = 64


def tyre(out: Sketch, radius: float, width: float, has_grooves: bool = False) -> float:
    """Add a round tyre; returns the radius of its rim."""
    half = width / 2.0
    high = min(0.9 * width, 0.30 * radius) if has_grooves else 0.92 * width
    angle = np.linspace(-0.50 * math.pi, 0.50 * math.pi, 17)
    crown = [(radius - high / 2.0 + high / 2.0 * math.cos(a), half * math.sin(a)) for a in angle]
    if has_grooves:
        crown = [(r - (0.004 if k % 4 == 2 and 2 < k < 14 else 0.0), y) for k, (r, y) in enumerate(crown)]
    rim = radius - high
    profile = [(rim, -0.72 * half), *crown, (rim, 0.72 * half)]
    out.revolve("rubber", profile[::-1], STEPS)
    return rim


def wire_wheel(
    radius: float,
    width: float,
    spokes: int = 32,
    hub: float = 0.045,
    rim_finish: str = "metal",
    push_rim: float = 0.0,
) -> Sketch:
    """Tyre, rim, hub and crossed spokes; push_rim: m beside the wheel on its left where it has one."""
    out = Sketch()
    rim = tyre(out, radius, width)
    half = max(0.42 * width, 0.008)
    deep = 0.016
    profile = [(rim + 0.003, half), (rim - 0.004, half), (rim - deep, 0.4 * half), (rim - deep, -0.4 * half)]
    out.revolve(rim_finish, [*profile, (rim - 0.004, -half), (rim + 0.003, -half)], STEPS)
    flange = hub * 0.75
    barrel = [
        (0.004, hub),
        (0.010, hub),
        (0.010, 0.8 * hub),
        (flange / 2.0, 0.78 * hub),
        (flange / 2.0, 0.70 * hub),
        (0.013, 0.6 * hub),
    ]
    out.revolve("metal", both_sides(barrel), 24)
    for k in range(spokes):
        side = 1.0 if k % 2 else -1.0
        turn = 2.0 * math.pi * k / spokes
        lead = turn + (0.42 if (k // 2) % 2 else -0.42)
        start = np.array([0.5 * flange * math.cos(lead), 0.74 * hub * side, 0.5 * flange * math.sin(lead)])
        end = np.array([(rim - deep) * math.cos(turn), 0.0, (rim - deep) * math.sin(turn)])
        out.tube("chrome", [start, end], 0.0011, 5)
    out.tube("dark", [(rim * 0.97, 0.0, 0.0), (rim * 0.97 - 0.045, 0.0, 0.0)], 0.0035, 6)
    if push_rim:
        _push_rim(out, rim - 0.03, push_rim, half)
    return out


def _push_rim(out: Sketch, radius: float, beside: float, half: float) -> None:
    angle = np.linspace(0.0, 2.0 * math.pi, 49)
    ring = np.stack([radius * np.cos(angle), np.full(49, beside), radius * np.sin(angle)], axis=1)
    out.tube("chrome", ring, 0.0095, 10)
    for k in range(6):
        a = math.pi * k / 3.0
        at = np.array([math.cos(a), 0.0, math.sin(a)])
        out.tube(
            "metal", [(radius + 0.012) * at + (0.0, half, 0.0), radius * at + (0.0, beside, 0.0)], 0.004, 6
        )


def cast_wheel(radius: float, width: float, spokes: int, disc: float, finish: str = "dark") -> Sketch:
    """A wheel of cast metal with a brake disc of a radius on either side."""
    out = Sketch()
    rim = tyre(out, radius, width, has_grooves=True)
    half = 0.40 * width
    lip = [(rim + 0.006, half), (rim + 0.002, half + 0.004), (rim - 0.008, half), (rim - 0.018, 0.6 * half)]
    out.revolve(finish, [*lip, (rim - 0.022, 0.0), *both_sides(lip)[len(lip) :]], STEPS)
    hub = [(0.006, 0.055), (0.030, 0.055), (0.034, 0.045), (0.030, 0.03)]
    out.revolve(finish, both_sides(hub), 32)
    for inner, outer, across in paired_spokes(spokes, (0.028, rim - 0.014), (0.06, 0.20)):
        path = np.array([(inner[0], 0.0, inner[1]), (outer[0], 0.0, outer[1])])
        out.strip(finish, path, across * 0.011, (0.0, 0.014, 0.0))
    for side in (1.0, -1.0):
        y = 0.062 * side
        out.revolve("steel", flat_ring(disc, 0.62 * disc, 0.002), 48, (0.0, y, 0.0))
        carrier = [(0.64 * disc, y + 0.001), (0.64 * disc, y - 0.001), (0.03, y - 0.001)]
        out.revolve("dark", carrier[:: int(side)], 32)
    return out


def moulded_wheel(radius: float, width: float, spokes: int = 6) -> Sketch:
    """A small wheel of plastic with a rubber tread, as castors and prams have."""
    out = Sketch()
    rim = tyre(out, radius, min(width, 0.55 * radius))
    half = 0.40 * width
    profile = [(rim + 0.002, half), (0.84 * rim, half), (0.84 * rim, -half), (rim + 0.002, -half)]
    out.revolve("dark", profile, 48)
    hub = [(0.004, 0.6 * width), (0.20 * radius, 0.55 * width), (0.22 * radius, 0.0)]
    out.revolve("metal", both_sides(hub), 24)
    for k in range(spokes):
        a = 2.0 * math.pi * k / spokes
        at = np.array([math.cos(a), 0.0, math.sin(a)])
        across = np.array([-at[2], 0.0, at[0]]) * 0.055 * radius
        path = np.array([0.16 * radius * at, 0.86 * rim * at])
        out.strip("dark", path, across, (0.0, 0.32 * width, 0.0))
    return out
