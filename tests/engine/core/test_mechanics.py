"""A system asked for its mechanics again and again: every answer is that of a system that was asked nothing before."""

import numpy as np
import pytest
from mechanisms import free_space, scenario_of

from mannequin.engine import (
    Actor,
    Body,
    Ellipsoid,
    EngineError,
    Joint,
    JointFriction,
    Mechanics,
    Model,
    Scenario,
    accelerations,
    compile_system,
)

SKIN = Ellipsoid("skin", (0.1, 0.1, 0.1), force_curve=((0, 0), (0.01, 2000)))
BALL = Body("ball", 2.0, (0.008, 0.008, 0.008, 0, 0, 0), ellipsoids=[SKIN])


def ball_at(height):
    model = Model("ball", [BALL], [Joint("root", "free", None, "ball")])
    return compile_system(Scenario("drop", [Actor("ball", model, position=(0, 0, height))]))


def test_contact_is_looked_for_in_every_state():
    """A ball asked about in the air, in the ground by 2 mm, in the air: its weight, and 400 N against it."""
    system = ball_at(0.6)
    mechanics = Mechanics(system)
    for height, expected in ((0.6, -9.81), (0.098, 190.19), (3.0, -9.81), (0.098, 190.19), (0.11, -9.81)):
        q = system.q_start.copy()
        q[2] = height
        assert mechanics.accelerations(q)[2] == pytest.approx(expected, rel=1e-9)
        assert accelerations(system, q)[2] == pytest.approx(expected, rel=1e-9)


def test_what_is_remembered_at_the_start_is_that_of_the_state_asked_about():
    """Friction in a hinge starts from rest there, wherever it is: it resists a rate and not an angle."""
    bodies = [Body("post", 1.0, (1, 1, 1, 0, 0, 0)), Body("arm", 1.0, (0.5, 0.5, 0.5, 0, 0, 0))]
    hinge = Joint("hinge", "revolute", "post", "arm", axis=(0, 1, 0), friction=JointFriction(2.0))
    model = Model("hinge", bodies, [Joint("root", "fixed", None, "post"), hinge])
    system = compile_system(scenario_of(model, free_space()))
    mechanics = Mechanics(system)
    for angle in (0.0, 1.0, -2.0):
        assert mechanics.accelerations([angle])[0] == pytest.approx(0.0, abs=1e-12)


def test_a_state_of_the_wrong_size_is_refused_by_name():
    with pytest.raises(EngineError, match=r"q has shape \(3,\); this system needs \(7,\)"):
        Mechanics(ball_at(0.6)).mass_matrix(np.zeros(3))
