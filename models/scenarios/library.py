"""The shipped scenarios: name to the function that builds it, and their files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..engine.spec import Scenario
from ..io_json.scenario_json import write_scenario
from . import scenario_falls, scenario_impacts, scenario_muscles
from .library import SCENARIO_FOLDER, scenario_path

SCENARIOS: dict[str, Callable[[], Scenario]] = {
    "fall_standing": scenario_falls.fall_standing,
    "slip": scenario_falls.slip,
    "trip": scenario_falls.trip,
    "trip_limp": scenario_muscles.trip_limp,
    "trip_toned": scenario_muscles.trip_toned,
    "trip_braced": scenario_muscles.trip_braced,
    "stairs_fall": scenario_falls.stairs_fall,
    "ladder_fall": scenario_falls.ladder_fall,
    "rugby_tackle": scenario_impacts.rugby_tackle,
    "ambrosio_tackle": scenario_impacts.ambrosio_tackle,
    "car_pedestrian": scenario_impacts.car_pedestrian,
    "car_bicycle": scenario_impacts.car_bicycle,
    "seated_crash": scenario_impacts.seated_crash,
    "pendulum_chain": scenario_falls.pendulum_chain,
}


def write_scenarios() -> list[Path]:
    """Build every scenario again and write its file. Model files must be up to date first."""
    SCENARIO_FOLDER.mkdir(exist_ok=True)
    for name, build in SCENARIOS.items():
        write_scenario(build(), scenario_path(name))
    return [scenario_path(name) for name in SCENARIOS]
