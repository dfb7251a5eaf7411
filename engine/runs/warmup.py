"""A tiny run that touches every kernel, so that all of them are compiled into the cache."""

from __future__ import annotations

from .simulate import run
from .spec import Actor, Body, Ellipsoid, Joint, Model, Scenario, Settings
from .spec_muscles import Muscle, PathPoint


def smallest_scenario() -> Scenario:
    """A ball above the ground."""
    ball = Ellipsoid("ball", (0.1, 0.1, 0.1), force_curve=((0.0, 0.0), (0.01, 1000.0)))
    body = Body("ball", 1.0, (0.004, 0.004, 0.004, 0.0, 0.0, 0.0), ellipsoids=[ball])
    model = Model("ball", [body], [Joint("root", "free", None, "ball")])
    settings = Settings(time_step=1e-4, output_step=1e-4, duration=1e-4)
    return Scenario("warm-up", [Actor("ball", model, position=(0.0, 0.0, 1.0))], settings=settings)


def muscle_scenario() -> Scenario:
    """A bob on a hinge that a muscle holds."""
    inertia = (0.01, 0.01, 0.01, 0.0, 0.0, 0.0)
    bodies = [Body("post", 1.0, inertia), Body("bob", 1.0, inertia, center_of_mass=(0.0, 0.0, -0.2))]
    joints = [
        Joint("root", "fixed", None, "post"),
        Joint("hinge", "revolute", "post", "bob", axis=(0.0, 1.0, 0.0)),
    ]
    path = (PathPoint("post", (0.05, 0.0, 0.15)), PathPoint("bob", (0.05, 0.0, -0.15)))
    muscle = Muscle("muscle", path, 100.0, 0.15, 0.15)
    settings = Settings(time_step=1e-4, output_step=1e-4, duration=1e-4, ground=False)
    return Scenario(
        "warm-up", [Actor("hinge", Model("hinge", bodies, joints, muscles=[muscle]))], settings=settings
    )


def run_everything(muscles: bool = False) -> None:
    """One step; the compiled loop has a single signature, so this compiles all of it.

    The kernels of muscles are compiled apart, and here only where asked for.
    """
    run(smallest_scenario())
    if muscles:
        run(muscle_scenario())
