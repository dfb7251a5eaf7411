"""A tiny run that touches every kernel, so that all of them are compiled into the cache."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from ..build.system import compile_system
from ..jit.decorators import IS_COMPILED
from ..jit.late import LeftToOthers
from ..spec import Actor, Body, Ellipsoid, Joint, Model, Scenario, Settings
from ..spec.muscles import Muscle, PathPoint
from ..step.loop import advance
from .simulation import run


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


def compile_beside(scenarios: Iterable[Scenario]) -> None:
    """Compile what these scenarios need beyond the step loop, which is left to another process."""
    with advance.left_to_others():
        for scenario in scenarios:
            with suppress(LeftToOthers):
                compile_system(scenario)


def warmup(progress: Callable[[str], None] | None = None, muscles: bool = False) -> float:
    """Compile every kernel into the cache (or load it from there); returns the seconds it took.

    Those of muscles only where asked for: otherwise the first scenario with muscles compiles them.
    """
    begun = time.perf_counter()
    if progress is not None:
        progress("loading or compiling the engine" if IS_COMPILED else "the engine runs interpreted")
    run_everything(muscles)
    return time.perf_counter() - begun
