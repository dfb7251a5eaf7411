"""Headforms and limbs against generated vehicles."""

import numpy as np
from headforms import RADIUS, SPEED, headform, hic15, shot_settings

from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import Actor, Scenario
from mannequin.models.vehicles.form.meshing import unit_gradient
from mannequin.models.vehicles.form.surface import make_form
from mannequin.models.vehicles.road_vehicle import build_vehicle


def surface_point(form, x, y):
    """(point, normal) of the top of a vehicle's surface at (x, y)."""
    z = np.linspace(form.vehicle.height + 0.1, 0.4, 3000)
    inside = form.filled(np.full_like(z, x), np.full_like(z, y), z) < 0.0
    point = np.array([[x, y, z[int(np.argmax(inside))]]])
    return point[0], unit_gradient(form.filled, point)[0]


def shot(model, point, normal, mode="patches", settings=None):
    """Recording of a headform shot at a point against the normal there."""
    place = point + (RADIUS + 0.03) * normal
    ball = Actor("headform", headform(), position=tuple(place), velocity=tuple(-SPEED * normal))
    return run(Scenario("shot", [Actor("car", model), ball], settings=settings or shot_settings(mode)))


__all__ = ["build_vehicle", "hic15", "make_form", "shot", "surface_point"]
