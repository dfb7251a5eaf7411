"""A person falls on the ground of a scan as on the true surface."""

import copy
import functools

import numpy as np
import pytest

from mannequin.analysis.measures.impact import impact_speeds
from mannequin.engine import run
from mannequin.engine.spec import Obstacle
from mannequin.models.scenarios.falls import fall_standing
from mannequin.places.scans.ground import ground_of, mesh_of

HALF = 3.0
TRUE = Obstacle(
    "ground",
    "mesh",
    vertices=[(-HALF, -HALF, 0), (HALF, -HALF, 0), (HALF, HALF, 0), (-HALF, HALF, 0)],
    triangles=[(0, 1, 2), (0, 2, 3)],
)


def head_speed(ground: Obstacle) -> float:
    """m/s of the woman's head at its first touch, falling from standing."""
    scenario = fall_standing()
    scenario.settings.ground, scenario.settings.friction = False, 0.6
    scenario.settings.duration = 1.6
    scenario.obstacles.append(copy.deepcopy(ground))
    speeds = impact_speeds(run(scenario))
    return next(measure.value for measure in speeds if "head" in measure.subject)


@functools.cache
def true_speed() -> float:
    return head_speed(TRUE)


def scanned(seed: int, cell: float) -> Obstacle:
    """The ground of a scan with 5 mm of noise, thinned to a point per 3 cm square."""
    rng = np.random.default_rng(seed)
    xy = rng.uniform(-HALF, HALF, (120_000, 2))
    points = np.column_stack([xy, 0.005 * rng.normal(size=len(xy))])
    vertices, triangles = mesh_of(ground_of(points, cell))
    return Obstacle("ground", "mesh", vertices=vertices, triangles=triangles)


@pytest.mark.parametrize(("seed", "cell"), [(1, 0.1), (2, 0.2)])
def test_head_strikes_as_on_the_true_surface(seed, cell):
    assert head_speed(scanned(seed, cell)) == pytest.approx(true_speed(), rel=0.01)
