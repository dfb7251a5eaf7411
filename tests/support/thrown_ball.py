"""A sweep with a closed solution: a ball thrown from a height, and where it first touches the ground."""

import math
from pathlib import Path

import numpy as np
from ball_drop import RADIUS, make_ball

from mannequin.engine.spec import Actor, Scenario, Settings
from mannequin.io_json.scenario_json import write_scenario
from mannequin.sweeps.plan import Plan, make_plan
from mannequin.sweeps.spec import Design, Distribution, Event, Mark, Parameter, Quantity, Sweep, Touch, Traces

GRAVITY = 9.81
HEIGHT = 1.0
"""m of the ball's lowest point at the start."""
ANGLE = math.radians(30.0)
SLOW, FAST = 2.0, 6.0
"""m/s"""


def throw_range(speed: np.ndarray) -> np.ndarray:
    """Horizontal way (m) to the first touch of a body thrown at ANGLE from HEIGHT: the parabola of the books."""
    up, along = speed * math.sin(ANGLE), speed * math.cos(ANGLE)
    return along * (up + np.sqrt(up**2 + 2.0 * GRAVITY * HEIGHT)) / GRAVITY


def make_throw(time_step: float = 2e-4, **settings) -> Scenario:
    """The throw at 4 m/s."""
    velocity = (4.0 * math.cos(ANGLE), 0.0, 4.0 * math.sin(ANGLE))
    actor = Actor("man", make_ball(), position=(0.0, 0.0, RADIUS + HEIGHT), velocity=velocity)
    chosen = {"duration": 1.0, "time_step": time_step, "output_step": 0.01, **settings}
    return Scenario("throw", [actor], settings=Settings(**chosen))


def make_sweep(kind: str = "latin_hypercube", runs: int = 12, **changes) -> Sweep:
    """Speed uniform from SLOW to FAST, and a friction that does nothing before the touch."""
    touch = Touch("man/head", "ground")
    parts = {
        "parameters": [
            Parameter(
                "speed", "actors.man.speed", Distribution("uniform", low=SLOW, high=FAST), source="test"
            ),
            Parameter("friction", "friction", Distribution("triangular", low=0.2, mode=0.4, high=0.8)),
        ],
        "design": Design(kind, runs, seed=7),
        "measures": [
            Quantity("range", "m", contact=touch, take="point_x"),
            Quantity("top", "m", body="man/head", component="z", take="max"),
        ],
        "events": [
            Event("landed", contact=touch),
            Event("far", measure="range", above=float(throw_range(np.array(5.0)))),
        ],
        "marks": [Mark("touch", touch)],
        "traces": Traces(["man/head"], 5),
        **changes,
    }
    return Sweep("throw", "throw.json", **parts)


def make_throw_plan(kind: str = "latin_hypercube", runs: int = 12, **changes) -> Plan:
    """The plan of it."""
    return make_plan(make_sweep(kind, runs, **changes), make_throw())


def write_files(folder: Path, **changes) -> Path:
    """The scenario and the sweep as files; returns the sweep file."""
    from mannequin.io_json import layout
    from mannequin.sweeps.spec import document_of

    write_scenario(make_throw(), folder / "throw.json")
    path = folder / "throw_sweep.json"
    path.write_text(layout.compact(document_of(make_sweep(**changes))))
    return path
