"""What slides over the ground of a scan is braked by the friction of the region that it is on."""

import numpy as np
import pytest
from impacts import STANDING, rubber, sledge

from mannequin.engine import run
from mannequin.engine.spec import Actor, Scenario, Settings
from mannequin.io_json.scenario_json import read_scenario, write_scenario
from mannequin.models.parts.surfaces import SURFACES
from mannequin.places.scans.ground import ground_of, mesh_of
from mannequin.places.scans.regions import Region, Regions, ground_obstacles, read_regions

G, SPEED = 9.81, 6.0
REGIONS = """{"format": "mannequin-regions", "format_version": 1, "default": "asphalt_dry", "regions": [
  {"name": "pond", "surface": "ice", "outline": [[1.5, -9], [9, -9], [9, 9], [1.5, 9]]}]}"""


@pytest.fixture(scope="module")
def slide(tmp_path_factory):
    """A sledge that crosses a border of surfaces, on the ground of a scan of a plane, through the scenario's file."""
    folder = tmp_path_factory.mktemp("regions")
    (folder / "regions.json").write_text(REGIONS)
    regions = read_regions(folder / "regions.json")
    xy = np.random.default_rng(1).uniform([-1.5, -1.5], [5.0, 1.5], (40_000, 2))
    mesh = mesh_of(ground_of(np.column_stack([xy, np.zeros(len(xy))]), 0.25), closed=False)
    obstacles = ground_obstacles(mesh, regions, "scan")
    actor = Actor("sledge", sledge(rubber()), position=(0.0, 0.0, STANDING), velocity=(SPEED, 0.0, 0.0))
    settings = Settings(duration=0.9, ground=False, friction=0.9, start_overlap_limit=0.005)
    write_scenario(Scenario("slide", [actor], obstacles, settings=settings), folder / "slide.json")
    scenario = read_scenario(folder / "slide.json")
    return scenario, run(scenario)


@pytest.mark.parametrize(("kind", "low", "high"), [("asphalt_dry", 0.2, 1.1), ("ice", 1.9, 3.0)])
def test_each_region_brakes_with_its_own_friction(slide, kind, low, high):
    """Deceleration friction times g between two places, from the speeds there: v^2 falls by 2 mu g s."""
    _, recording = slide
    x, speed = recording.position[:, 0, 0], recording.velocity[:, 0, 0]
    assert x[-1] > high
    first, last = np.interp([low, high], x, speed)
    assert (first**2 - last**2) / (2.0 * G * (high - low)) == pytest.approx(SURFACES[kind].friction, rel=0.02)


def test_scenario_keeps_the_regions_with_their_sources(slide):
    scenario, _ = slide
    kinds = {o.name: o.material.static_friction for o in scenario.obstacles}
    assert kinds == {"ground": SURFACES["asphalt_dry"].friction, "pond": SURFACES["ice"].friction}
    assert all(
        "scan" in o.source and SURFACES[o.material.name].source in o.source for o in scenario.obstacles
    )


def test_last_of_overlapping_regions_counts():
    mesh = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]])
    square = [(-1.0, -1.0), (2.0, -1.0), (2.0, 2.0), (-1.0, 2.0)]
    regions = Regions("concrete", [Region("a", "grass", square), Region("b", "paint", square)])
    assert [o.name for o in ground_obstacles(mesh, regions, "scan")] == ["b"]
