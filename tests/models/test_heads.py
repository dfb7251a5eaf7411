"""Regions of the head: what they look like and how they answer a drop."""

import numpy as np
import pytest

from mannequin.analysis.measures.hic import hic
from mannequin.engine import Actor, Scenario, Settings, run
from mannequin.models.library import load_model
from mannequin.models.parts.placement import lowest_point
from mannequin.models.people.ellipsoids import SKULL_REGIONS, skull_region
from mannequin.models.scenarios.rigs import single_body
from mannequin.models.validation.head import head_acceleration
from mannequin.models.validation.torso import thorax_pendulum

SIDES = {
    "forehead": (0.0, 120.0, 0.0),
    "occiput": (0.0, -90.0, 0.0),
    "crown": (0.0, 180.0, 0.0),
    "parietal_l": (0.0, 0.0, -90.0),
    "parietal_r": (0.0, 0.0, 90.0),
}
"""Region to the turn (degrees Z, Y, X) that puts it lowest."""


def drop(name: str, region: str, height: float) -> tuple[float, float]:
    """(peak g, HIC15) of the head alone, dropped on a region from a height (m) onto a rigid plate."""
    model = single_body(load_model(name), "head")
    turn = SIDES[region]
    low = lowest_point(model, orientation=turn)
    actor = Actor("head", model, position=(0.0, 0.0, height - low), orientation=turn)
    duration = round(float(np.sqrt(2.0 * height / 9.81)) + 0.01, 3)
    settings = Settings(duration=duration, time_step=2e-5, output_step=2e-5, friction=0.3)
    recording = run(Scenario("drop", [actor], settings=settings))
    first = recording.contacts[0]
    assert recording.ellipsoid_names[first["ellipsoid_a"]] == region
    g = head_acceleration(recording, "head")
    return float(g.max()), hic(recording.channel_times, g, 0.015).value


@pytest.mark.parametrize("height", [0.15, 0.30])
@pytest.mark.parametrize("name", ["male", "female", "hybrid3_50th"])
def test_sides_answer_26_to_48_percent_below_the_middle(name, height):
    """Loyd et al. 2014: parietal drops of adult heads from 15 and 30 cm against forehead, occiput and vertex."""
    found = {region: drop(name, region, height) for region in SIDES}
    middle = np.mean([found[region] for region in ("forehead", "occiput", "crown")], axis=0)
    side = np.mean([found["parietal_l"], found["parietal_r"]], axis=0)
    lower = 1.0 - side / middle
    assert (lower > 0.26).all() and (lower < 0.48).all()
    assert found["parietal_l"] == pytest.approx(found["parietal_r"], rel=1e-6)


def test_regions_follow_the_skull():
    """Reach of the regions in any upward direction against that of the ellipsoid they stand for: within 2 %."""
    half = np.array([0.098, 0.077, 0.098])
    regions = [skull_region(np.zeros(3), half, towards) for _, towards, _ in SKULL_REGIONS]
    rng = np.random.default_rng(5)
    for direction in rng.normal(size=(300, 3)):
        n = direction / np.linalg.norm(direction)
        n[2] = abs(n[2])
        reach = max(centre @ n + np.linalg.norm(semi * n) for centre, semi in regions)
        assert reach == pytest.approx(np.linalg.norm(half * n), rel=0.02)
    for (_, towards, _), (centre, semi) in zip(SKULL_REGIONS, regions, strict=True):
        for other in (o for _, o, _ in SKULL_REGIONS if o != towards):
            n = np.array(other, dtype=float)
            assert centre @ n + np.linalg.norm(semi * n) < 0.87 * np.linalg.norm(half * n)


def test_the_thorax_meets_both_speeds_with_one_law():
    """49 CFR 572.34 at 6.71 m/s, and the range of Yoganandan et al. 1996 at 4.3 m/s; its factors are made from both."""
    rows = thorax_pendulum()
    assert len(rows) == 5
    assert all(row.inside for row in rows), [
        f"{row.quantity}: {row.measured}" for row in rows if not row.inside
    ]
