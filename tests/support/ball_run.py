"""A ball that flies straight without weight: where it is follows from its start and its velocity."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from mannequin.analysis.files.run_folder import Run, read_run, write_run
from mannequin.engine import run as simulate
from mannequin.engine.spec import Actor, Body, Ellipsoid, Joint, Model, Scenario, Settings

NOW = datetime(2026, 3, 1, tzinfo=UTC)
START, VELOCITY, RADIUS, DURATION = (0.4, -0.3, 1.1), (0.8, 0.5, -0.2), 0.08, 0.5


def ball_model() -> Model:
    """One free body, one sphere."""
    inertia = (0.003, 0.003, 0.003, 0.0, 0.0, 0.0)
    body = Body("ball", 1.0, inertia, ellipsoids=[Ellipsoid("sphere", (RADIUS, RADIUS, RADIUS))])
    return Model("ball", [body], [Joint("root", "free", None, "ball")])


def ball_scenario(name: str = "flight", ground: bool = False) -> Scenario:
    """The ball on its way."""
    settings = Settings(duration=DURATION, gravity=(0.0, 0.0, 0.0), ground=ground)
    return Scenario(name, [Actor("ball", ball_model(), position=START, velocity=VELOCITY)], settings=settings)


def ball_run(folder: Path, scenario: Scenario | None = None) -> Run:
    """A run of it in a folder."""
    scenario = scenario or ball_scenario()
    return read_run(write_run(scenario, simulate(scenario), folder, started=NOW, ended=NOW))


def ball_place(time: float, velocity=VELOCITY) -> np.ndarray:
    """Where it is, m."""
    return np.add(START, time * np.asarray(velocity))
