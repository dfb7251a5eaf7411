"""The smallest scenario that touches something: a ball, thrown at the ground."""

import math

from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Material, Model, Scenario, Settings

MASS, RADIUS = 4.5, 0.1


def make_ball(stiffness: float = 2.0e5, friction: float = 0.4) -> Model:
    """A solid sphere on a linear spring, named as a head so that head measures apply."""
    inertia = 0.4 * MASS * RADIUS**2
    surface = Ellipsoid("skin", (RADIUS, RADIUS, RADIUS), material="rubber")
    material = Material("rubber", law="linear", stiffness=stiffness, damping=0.0, static_friction=friction)
    return Model(
        "ball",
        [Body("head", MASS, (inertia, inertia, inertia, 0.0, 0.0, 0.0), ellipsoids=[surface])],
        [Joint("root", "free", None, "head")],
        materials=[material],
    )


def make_drop(speed: float = 4.0, sideways: float = 0.0, height: float = 0.02, **settings) -> Scenario:
    """The ball flies down at `speed` from `height` above the ground; no gravity unless asked for."""
    chosen = {
        "duration": 0.05,
        "time_step": 1e-4,
        "output_step": 1e-4,
        "gravity": (0.0, 0.0, 0.0),
        **settings,
    }
    actor = Actor("man", make_ball(), position=(0.0, 0.0, RADIUS + height), velocity=(sideways, 0.0, -speed))
    return Scenario("ball drop", [actor], settings=Settings(**chosen))


def spring_pulse(speed: float, stiffness: float = 2.0e5) -> tuple[float, float]:
    """Peak acceleration (m/s2) and duration (s) of the half-sine of a mass on a linear spring."""
    omega = math.sqrt(stiffness / MASS)
    return speed * omega, math.pi / omega
