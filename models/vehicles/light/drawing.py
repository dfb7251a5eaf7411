"""The whole two-wheeler, wheelchair or pram as it is drawn: a surface for every body that carries one."""

from functools import lru_cache

import numpy as np

from ....engine.spec import LightVehicle
from ..form.assembly import Assembly, Drawn
from .draw_bicycle import draw_bicycle
from .draw_chairs import draw_pram, draw_wheelchair
from .draw_motorcycle import draw_motorcycle
from .draw_scooter import draw_scooter
from .layout import layout

DRAW = {
    "motorcycle": draw_motorcycle,
    "scooter": draw_scooter,
    "wheelchair": draw_wheelchair,
    "pram": draw_pram,
}
"""Kind to what draws it; all others are bicycles."""


@lru_cache(maxsize=16)
def draw_light_vehicle(vehicle: LightVehicle) -> dict[str, Drawn]:
    """Body of the model to its surface at rest, in the actor frame (m)."""
    parts = DRAW.get(vehicle.kind, draw_bicycle)(vehicle, layout(vehicle))
    return {body: _at(out, place) for body, (out, place) in parts.items()}


def _at(out: Assembly, place: np.ndarray | None) -> Drawn:
    """What was put together, about a place of the actor (a wheel about its axle) or as it is."""
    made = out.drawn()
    if place is None:
        return made
    return Drawn(made.points + place, made.normals, made.faces, made.finishes)
