"""The copies that Blender keeps and child processes get: everything, exactly, whatever the file format makes of it."""

import math

import numpy as np
import pytest
from authoring import typed
from full_specs import full_model, full_scenario

from mannequin.engine import spec
from mannequin.io_json import exact_copy


@pytest.mark.parametrize("original", [full_model(), full_scenario()], ids=["model", "scenario"])
def test_every_field_comes_back_with_its_type(original):
    """1 stays an int, 1.0 a float, a tuple a tuple; arrays of no stated type come back as lists."""
    models = [actor.model for actor in getattr(original, "actors", ())] or [original]
    surfaces = [body.surface for model in models for body in model.bodies]
    for mesh in [*getattr(original, "obstacles", ()), *surfaces]:
        mesh.vertices, mesh.triangles = (list(map(list, rows)) for rows in (mesh.vertices, mesh.triangles))
    for mesh in surfaces:
        mesh.zone_of, mesh.depth = list(mesh.zone_of), list(mesh.depth)
    again = exact_copy.load(type(original), exact_copy.dump(original))
    assert typed(again) == typed(original)


def test_numbers_keep_their_last_bit():
    values = (0.1 + 0.2, math.nextafter(1.0, 2.0), 5e-324, -0.0, math.inf)
    motor = spec.Motor(*values[:2], target=values[:3], max_torque=values[4])
    again = exact_copy.load(spec.Motor, exact_copy.dump(motor))
    assert again == motor and math.copysign(1.0, values[3]) == -1.0
    minus = exact_copy.load(spec.Motor, exact_copy.dump(spec.Motor(stiffness=-0.0)))
    assert math.copysign(1.0, minus.stiffness) == -1.0


def test_arrays_are_kept_in_full():
    mesh = spec.Obstacle("stone", "mesh", vertices=np.eye(3) / 3.0, triangles=np.array([[0, 1, 2]]))
    again = exact_copy.load(spec.Obstacle, exact_copy.dump(mesh))
    assert np.array_equal(again.vertices, mesh.vertices) and again.triangles == [[0, 1, 2]]


def test_text_of_an_older_version_gets_defaults():
    """Fields that did not exist are at their defaults, fields that are gone are dropped."""
    settings = exact_copy.load(spec.Settings, '{"duration": 2, "forgotten": 1}')
    assert settings == spec.Settings(duration=2)
    assert exact_copy.load(spec.Body, "").name == ""
