"""A rigid adult headform shot at a plate or at the shipped car, and its HIC15."""

import dataclasses

import numpy as np

from mannequin.analysis.measures.hic import hic
from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Material, Model, Obstacle, Scenario
from mannequin.models.library import load_model
from mannequin.models.parts.placement import body_transforms, ellipsoid_shapes
from mannequin.sweeps.impactors import shot_settings as grid_settings

MASS, RADIUS, SPEED = 4.5, 0.0825, 40.0 / 3.6
"""Adult headform of Euro NCAP's pedestrian tests: kg, m, m/s."""
STEEL = Material("steel", loading=((0.0, 0.0), (0.001, 1.0e6)), energy_retention=1.0, source="Rigid")


def headform(material=STEEL, mass=MASS, radius=RADIUS):
    """A ball of the headform's mass and size."""
    inertia = 0.4 * mass * radius**2
    shape = Ellipsoid("ball", (radius,) * 3, material=material.name)
    body = Body("headform", mass, (inertia, inertia, inertia, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), [shape])
    return Model("headform", [body], [Joint("root", "free", None, "headform")], [material])


def shot_settings(mode="patches"):
    """Those of the command that shoots at grids."""
    return dataclasses.replace(grid_settings(), multi_contact=mode)


def hic15(recording, actor="headform"):
    """HIC15 of the headform's centre, in no gravity."""
    body = recording.body_index(actor, "headform")
    g = np.linalg.norm(recording.acceleration[:, body], axis=1) / 9.80665
    return hic(recording.times, g, 0.015).value


def plate_hic(material):
    """HIC15 of the headform on one flat plate whose curve is that of the material."""
    plate = Obstacle("plate", "plane", material=material)
    actor = Actor("headform", headform(), position=(0.0, 0.0, RADIUS + 0.01), velocity=(0.0, 0.0, -SPEED))
    return hic15(run(Scenario("plate", [actor], [plate], settings=shot_settings())))


def car_material(name):
    return next(m for m in load_model("car").materials if m.name == name)


class CarSurface:
    """Where a ray meets the ellipsoids of the shipped car, for placing headforms."""

    def __init__(self, car):
        self.names, self.centres, self.inverses = [], [], []
        for _, ellipsoid, centre, half_axes in ellipsoid_shapes(car, body_transforms(car)):
            self.names.append(ellipsoid.material)
            self.centres.append(centre)
            self.inverses.append(np.linalg.inv(half_axes))

    def first_on(self, start, direction):
        """(distance, material, outward normal) of the first surface along a ray; None where it misses."""
        best = None
        for name, centre, inverse in zip(self.names, self.centres, self.inverses, strict=True):
            o, d = inverse @ (start - centre), inverse @ direction
            a, b, c = d @ d, o @ d, o @ o - 1.0
            if b * b <= a * c:
                continue
            t = (-b - np.sqrt(b * b - a * c)) / a
            if t > 0.0 and (best is None or t < best[0]):
                normal = inverse.T @ (o + t * d)
                best = t, name, normal / np.linalg.norm(normal)
        return best


def shots_at_car(points, directions, mode="patches"):
    """(recordings, HIC15) of headforms shot along unit directions so that their middle would pass the points."""
    car = load_model("car")
    surface = CarSurface(car)
    recordings = []
    for point, direction in zip(points, directions, strict=True):
        start = np.asarray(point) - 1.0 * np.asarray(direction)
        distance = surface.first_on(start, np.asarray(direction))[0]
        place = start + (distance - RADIUS - 0.06) * np.asarray(direction)
        ball = Actor(
            "headform", headform(), position=tuple(place), velocity=tuple(SPEED * np.asarray(direction))
        )
        recordings.append(run(Scenario("shot", [Actor("car", car), ball], settings=shot_settings(mode))))
    return recordings, np.array([hic15(recording) for recording in recordings])
