"""The vehicle that a model of ellipsoids looks like: class and dimensions for the picture of one that has no own."""

from dataclasses import replace

import numpy as np

from ...engine.spec import Model, Vehicle
from ..parts.placement import body_transforms, ellipsoid_shapes

WHEELS = ("wheelFL", "wheelFR", "wheelRL", "wheelRR")
OFF = 0.05
"""m by which the middle of the wheelbase may be off the actor's origin: the picture stands there."""


def saloon_like(model: Model) -> Vehicle | None:
    """A saloon of the length, width, height, wheelbase, track and wheels of a model with four wheels; None: no such.

    What ellipsoids do not show (bonnet, windscreen, bumper) is that of a saloon, heights in proportion to its own.
    """
    shapes = ellipsoid_shapes(model, body_transforms(model))
    boxes = {}
    for body, _, centre, half in shapes:
        size = np.linalg.norm(half, axis=1)
        low, high = boxes.get(body, (centre - size, centre + size))
        boxes[body] = np.minimum(low, centre - size), np.maximum(high, centre + size)
    if not set(WHEELS) < set(boxes):
        return None
    low, high = (
        np.min([box[0] for box in boxes.values()], axis=0),
        np.max([b[1] for b in boxes.values()], axis=0),
    )
    centres = {name: np.mean(boxes[name], axis=0) for name in WHEELS}
    front, rear = centres["wheelFL"][0], centres["wheelRL"][0]
    if abs(front + rear) > 2.0 * OFF or abs(low[2]) > OFF or front < rear:
        return None
    usual = Vehicle("saloon")
    share = float(high[2]) / usual.height
    measured = {
        "length": high[0] - low[0],
        "width": high[1] - low[1],
        "height": high[2],
        "wheelbase": front - rear,
        "track": centres["wheelFL"][1] - centres["wheelFR"][1],
        "wheel_radius": centres["wheelFL"][2] - low[2],
        "tyre_width": np.ptp([boxes["wheelFL"][0][1], boxes["wheelFL"][1][1]]),
        "front_overhang": high[0] - front,
        "edge_height": share * usual.edge_height,
        "bumper_height": share * usual.bumper_height,
        "clearance": share * usual.clearance,
    }
    return replace(usual, **{name: round(float(value), 4) for name, value in measured.items()})
