"""Class and dimensions of a vehicle from the outer surface of its mesh: the `Vehicle` its zones are laid out by."""

import math
from dataclasses import replace

import numpy as np

from ....engine.spec import Vehicle
from ..form.styles import CLASSES
from ..form.surface import EDGE_FOOT, EDGE_LEAN, EDGE_LENGTH, NOSE, WRAP_OF_FLAT
from .axes import top_profile

MIDDLE = 0.15
"""m on either side of the middle plane within which the profile is taken."""


def clearance_of(points: np.ndarray, wheelbase: float, height: float) -> float:
    """m: of the underside or the sills between the axles; points without the wheels, the ground at z = 0."""
    between = points[np.abs(points[:, 0]) < 0.3 * wheelbase]
    return float(np.clip(np.quantile(between[:, 2], 0.002), 0.10, 0.3 * height)) if len(between) else 0.2


def guess_class(length: float, height: float, bonnet: float, roof_end: float) -> str:
    """Class by length, height, length of the bonnet and how far the roof ends before the rear (all m); a proposal."""
    if length > 8.0:
        return "bus"
    if bonnet < 0.8:
        return "van" if height < 2.4 else "truck"
    if roof_end > 1.2 and height > 1.65:
        return "pickup"
    if height > 1.6:
        return "suv"
    if roof_end > 0.85:
        return "saloon"
    return "hatchback" if length < 4.5 else "estate"


def measured_vehicle(points: np.ndarray, wheels: dict[str, float], kind: str = "") -> Vehicle:
    """Dimensions from points (n, 3) of the outer surface without the wheels (m, actor frame) and from `together` of the
    wheels; kind: its class, else a guess."""
    front, rear = float(np.quantile(points[:, 0], 0.9995)), float(np.quantile(points[:, 0], 0.0005))
    height = float(np.quantile(points[:, 2], 0.999))
    lower = points[points[:, 2] < 0.55 * height]  # mirrors are above
    width = 2.0 * float(np.quantile(np.abs(lower[:, 1]), 0.998))
    near = points[np.abs(points[:, 1]) < MIDDLE]
    edge_x, edge_z = leading_edge(near)
    x, top = top_profile(points, 160)
    foot = cowl(x, top, edge_x, edge_z, height)
    screen = screen_slope(x, top, foot, height)
    roof_end = float(x[top > 0.93 * height].min() - rear)
    found = kind or guess_class(front - rear, height, front - foot[0] - NOSE, roof_end)
    usual = CLASSES[found]
    bonnet = max(0.05, front - NOSE - foot[0])
    rise = math.degrees(math.atan2(max(0.0, foot[1] - edge_z), bonnet))
    bumper = near[(near[:, 0] > front - 0.03) & (near[:, 2] < 0.85)]
    values = {
        "length": front - rear,
        "width": width,
        "height": height,
        "wheelbase": wheels["wheelbase"],
        "track": wheels["track"],
        "wheel_radius": wheels["wheel_radius"],
        "tyre_width": wheels["tyre_width"],
        "front_overhang": front - wheels["wheelbase"] / 2.0,
        "edge_height": edge_z,
        "bonnet_length": bonnet if found != "bus" else usual.bonnet_length,
        "bonnet_angle": rise if found != "bus" else usual.bonnet_angle,
        "screen_angle": min(88.0, max(20.0, screen)),
        "bumper_height": float(np.median(bumper[:, 2])) if len(bumper) else usual.bumper_height,
        "clearance": clearance_of(points, wheels["wheelbase"], height),
    }
    return replace(usual, **{name: round(float(value), 4) for name, value in values.items()})


def leading_edge(near: np.ndarray) -> tuple[float, float]:
    """(x, z) of the bonnet leading edge by the straight edge of UN Regulation 127, of points near the middle; on a flat
    front at 1 m of wrap-around distance, here of height."""
    top = EDGE_FOOT + EDGE_LENGTH * math.cos(EDGE_LEAN)
    band = near[(near[:, 2] >= EDGE_FOOT) & (near[:, 2] <= top)]
    if not len(band):
        return float(near[:, 0].max()), EDGE_FOOT
    ahead = band[:, 0] + (band[:, 2] - EDGE_FOOT) * math.tan(EDGE_LEAN)
    best = band[ahead > ahead.max() - 0.008]  # several, so that noise of the mesh does not decide
    x, z = float(best[:, 0].mean()), float(best[:, 2].mean())
    return (x, z) if z < top - 0.03 else (float(near[:, 0].max()), WRAP_OF_FLAT - 0.01)


def cowl(x: np.ndarray, top: np.ndarray, edge_x: float, edge_z: float, height: float) -> tuple[float, float]:
    """(x, z) of the foot of the windscreen: where the profile lies farthest below the line from the leading edge to the
    roof."""
    roof = x[(top > 0.97 * height) & (x < edge_x)]
    if not len(roof):
        return edge_x, edge_z
    start = float(roof.max())
    between = (x > start) & (x < edge_x)
    if not between.any():
        return edge_x, edge_z
    line = height + (x[between] - start) / (edge_x - start) * (edge_z - height)
    k = int(np.argmax(line - top[between]))
    return float(x[between][k]), float(top[between][k])


def screen_slope(x: np.ndarray, top: np.ndarray, foot: tuple[float, float], height: float) -> float:
    """Degrees of the windscreen from the horizontal, between a fifth and four fifths of its height."""
    share = (top - foot[1]) / max(0.05, height - foot[1])
    on = (x < foot[0]) & (share > 0.2) & (share < 0.8)
    on &= x > x[on].max() - 1.5 if on.any() else on
    if on.sum() < 3:
        return 60.0
    slope = np.polyfit(x[on], top[on], 1)[0]
    return math.degrees(math.atan(-slope)) if slope < 0.0 else 60.0
