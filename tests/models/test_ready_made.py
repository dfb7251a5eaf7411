"""Roads, stairs and rooms that are ready-made: where their surfaces are, and what they are made of."""

import math
from pathlib import Path

import numpy as np
import pytest

from mannequin.engine.maths.rotations import matrix_from_zyx
from mannequin.engine.spec import Scenario
from mannequin.engine.spec.validation import spec_issues
from mannequin.models.parts.surfaces import SURFACES, surface
from mannequin.models.scenarios.obstacles import OBSTACLES, junction, ladder, road, scaffold, staircase


def ends(rod) -> np.ndarray:
    """(2, 3) middles of the round ends of a capsule."""
    reach = rod.half_size[2] * matrix_from_zyx(rod.orientation)[:, 2]
    return np.array([rod.position - reach, rod.position + reach])


def top_at(obstacles, x, y):
    """Highest box over a place, m."""
    over = [
        o.position[2] + o.half_size[2]
        for o in obstacles
        if o.shape == "box"
        and abs(x - o.position[0]) <= o.half_size[0]
        and abs(y - o.position[1]) <= o.half_size[1]
    ]
    return max(over, default=0.0)


@pytest.mark.parametrize("name", OBSTACLES)
def test_every_one_is_valid_and_says_where_its_numbers_come_from(name):
    obstacles = OBSTACLES[name]()
    assert len({o.name for o in obstacles}) == len(obstacles)
    assert all("ssumed" in o.source or "Assumed" in o.source for o in obstacles)
    found = [str(issue) for issue in spec_issues(Scenario("a", [], obstacles))]
    assert not [text for text in found if any(obstacle.name in text for obstacle in obstacles)]


def test_staircase_has_its_steps_nosings_landing_and_rails():
    parts = staircase(steps=6, rise=0.2, going=0.25, landing=1.0, nosing=0.03, landing_after=3, handrail=0.9)
    middles = [-0.5, 0.125, 0.375, 1.0, 1.625, 1.875]
    assert [top_at(parts, x, 0.0) for x in middles] == pytest.approx([1.2, 1.0, 0.8, 0.6, 0.4, 0.2])
    nosing = next(p for p in parts if p.name == "tread_1_nosing")
    assert nosing.position[0] + nosing.half_size[0] == pytest.approx(0.25 + 0.03)
    assert nosing.position[2] + nosing.half_size[0] == pytest.approx(1.0)
    rail = ends(next(p for p in parts if p.name == "handrail_left_1"))
    assert sorted(rail[:, 2].tolist()) == pytest.approx([0.6 + 0.9, 1.2 + 0.9])
    assert rail[:, 1] == pytest.approx([0.5, 0.5])
    assert not [p for p in staircase(handrail=0.0, nosing=0.0) if p.shape == "capsule"]


def test_road_has_lanes_kerbs_and_a_crossing_with_their_frictions():
    parts = {p.name: p for p in road(lanes=2, lane_width=3.0, kerb_height=0.1)}
    assert top_at([parts["road"]], 0.0, 2.9) == 0.0
    assert top_at(parts.values(), 5.0, 3.05) == pytest.approx(0.1), "kerb"
    assert top_at(parts.values(), 5.0, -4.0) == pytest.approx(0.1), "pavement"
    bars = [p for name, p in parts.items() if name.startswith("bar_")]
    assert len(bars) == 6 and all(b.material.static_friction == SURFACES["paint"].friction for b in bars)
    assert all(b.position[2] + b.half_size[2] == pytest.approx(0.0005) for b in bars)
    assert parts["road"].material.static_friction == SURFACES["asphalt_dry"].friction
    assert not [p for p in road(crossing=False) if p.name.startswith("bar_")]
    corners = [(p.position, p.half_size) for p in junction() if p.name.startswith("road")]
    assert sum(4 * h[0] * h[1] for _, h in corners) == pytest.approx(
        2 * (2 * 3.25) * (2 * 18.25) - (2 * 3.25) ** 2
    )


def test_ladder_and_scaffold_stand_where_they_should():
    rails = [p for p in ladder(4.0, 75.0) if p.name.startswith("ladder")]
    tip = ends(rails[0])[1]
    assert tip == pytest.approx(
        [4 * math.cos(math.radians(75)), 0.2, 4 * math.sin(math.radians(75))], abs=1e-5
    )
    parts = scaffold(bays=1, levels=1, lift=2.0)
    assert top_at([p for p in parts if p.name == "boards_1"], 1.0, 0.4) == pytest.approx(2.0)
    guard = ends(next(p for p in parts if p.name == "guard_rail_1"))
    assert guard[:, 2] == pytest.approx([3.0, 3.0])


def test_hard_surface_is_rigid_to_a_head():
    """1 GN/m in series with a head that gives 10 kN at 3.5 mm: less than half a percent of the depth."""
    (_, _), (depth, force) = surface("asphalt_dry").loading
    assert 10e3 / (force / depth) < 0.005 * 0.0035


def test_documentation_lists_every_surface_with_its_friction():
    page = (Path(__file__).parents[2] / "docs" / "places.md").read_text()
    assert all(f"| `{name}` | {kind.friction:g} |" in page for name, kind in SURFACES.items())
    assert all(
        any(mark in kind.source for mark in ("ssumed", "from memory", "read")) for kind in SURFACES.values()
    )
