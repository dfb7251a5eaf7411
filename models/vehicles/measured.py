"""The vehicle that a model of ellipsoids looks like: class and dimensions for the picture of one that has no own."""

from dataclasses import replace

from ...engine.spec import Model, Vehicle
from ..parts.placement import body_transforms, bounds_of, ellipsoid_shapes
from .car import WHEELS

OFF = 0.05
"""m by which the middle of the wheelbase may be off the actor's origin: the picture stands there."""


def saloon_like(model: Model) -> Vehicle | None:
    """A saloon of the length, width, height, wheelbase, track and wheels of a model with four wheels; None: no such.

    What ellipsoids do not show (bonnet, windscreen, bumper) is that of a saloon, heights in proportion to its own.
    """
    shapes = ellipsoid_shapes(model, body_transforms(model))
    by_wheel = {name: [shape for shape in shapes if shape[0] == f"wheel{name}"] for name in WHEELS}
    if not all(by_wheel.values()):
        return None
    low, high = bounds_of(shapes)
    wheels = {name: bounds_of(found) for name, found in by_wheel.items()}
    centres = {name: (least + largest) / 2.0 for name, (least, largest) in wheels.items()}
    front, rear = centres["FL"][0], centres["RL"][0]
    if abs(front + rear) > 2.0 * OFF or abs(low[2]) > OFF or front < rear:
        return None
    usual = Vehicle("saloon")
    share = high[2] / usual.height
    measured = {
        "length": high[0] - low[0],
        "width": high[1] - low[1],
        "height": high[2],
        "wheelbase": front - rear,
        "track": centres["FL"][1] - centres["FR"][1],
        "wheel_radius": centres["FL"][2] - low[2],
        "tyre_width": wheels["FL"][1][1] - wheels["FL"][0][1],
        "front_overhang": high[0] - front,
        "edge_height": share * usual.edge_height,
        "bumper_height": share * usual.bumper_height,
        "clearance": share * usual.clearance,
    }
    return replace(usual, **{name: round(float(value), 4) for name, value in measured.items()})
