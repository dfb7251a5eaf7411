"""The shipped scenarios: name to the function that builds it, and their files."""

from collections.abc import Callable
from pathlib import Path

from ...engine.spec import Scenario
from ...io_json.scenario_json import write_scenario
from ..library import SCENARIO_FOLDER, scenario_path
from . import active, falls, impacts, muscles, rigs

SCENARIOS: dict[str, Callable[[], Scenario]] = {
    "fall_standing": falls.fall_standing,
    "slip": falls.slip,
    "trip": falls.trip,
    "trip_limp": muscles.trip_limp,
    "trip_toned": muscles.trip_toned,
    "trip_braced": muscles.trip_braced,
    "stairs_fall": falls.stairs_fall,
    "ladder_fall": falls.ladder_fall,
    "rugby_tackle": impacts.rugby_tackle,
    "ambrosio_tackle": impacts.ambrosio_tackle,
    "car_pedestrian": impacts.car_pedestrian,
    "car_bicycle": impacts.car_bicycle,
    "seated_crash": impacts.seated_crash,
    "pendulum_chain": falls.pendulum_chain,
    "neck_flexion": rigs.neck_flexion,
    "neck_extension": rigs.neck_extension,
    "neck_drop": rigs.neck_drop,
    "shove_stairs": active.shove_stairs,
    "trip_reach": active.trip_reach,
    "pedestrian_response": active.pedestrian_response,
}


def write_scenarios() -> list[Path]:
    """Build every scenario again and write its file. Model files must be up to date first."""
    SCENARIO_FOLDER.mkdir(exist_ok=True)
    for name, build in SCENARIOS.items():
        write_scenario(build(), scenario_path(name))
    return [scenario_path(name) for name in SCENARIOS]
