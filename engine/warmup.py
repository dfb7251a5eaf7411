"""A tiny run that touches every kernel, so that all of them are compiled into the cache."""

from __future__ import annotations

from .simulate import run
from .spec import Actor, Body, Ellipsoid, Joint, Model, Scenario, Settings


def smallest_scenario() -> Scenario:
    """A ball above the ground."""
    ball = Ellipsoid("ball", (0.1, 0.1, 0.1), force_curve=((0.0, 0.0), (0.01, 1000.0)))
    body = Body("ball", 1.0, (0.004, 0.004, 0.004, 0.0, 0.0, 0.0), ellipsoids=[ball])
    model = Model("ball", [body], [Joint("root", "free", None, "ball")])
    settings = Settings(time_step=1e-4, output_step=1e-4, duration=1e-4)
    return Scenario("warm-up", [Actor("ball", model, position=(0.0, 0.0, 1.0))], settings=settings)


def run_everything() -> None:
    """One step; the compiled loop has a single signature, so this compiles all of it."""
    run(smallest_scenario())
