"""The shipped scenarios: name to the function that builds it, and their files."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ...engine.spec import Scenario
from ...io_json.scenario_json import write_scenario
from ..library import SCENARIO_FOLDER, scenario_path
from . import falls, impacts, muscles, rigs

BUILDERS: dict[str, Callable[[], Scenario]] = {
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
}
TIME_STEPS = {
    "fall_standing": 2.0e-5,
    "slip": 5.0e-5,
    "trip": 1.0e-5,
    "trip_limp": 2.0e-5,
    "trip_toned": 5.0e-5,
    "trip_braced": 5.0e-5,
    "stairs_fall": 1.0e-5,
    "ladder_fall": 2.0e-5,
    "rugby_tackle": 2.0e-5,
    "ambrosio_tackle": 1.0e-5,
    "car_pedestrian": 2.0e-5,
    "car_bicycle": 1.0e-5,
    "seated_crash": 5.0e-5,
    "pendulum_chain": 5.0e-5,
    "neck_flexion": 2.0e-5,
    "neck_extension": 2.0e-5,
    "neck_drop": 2.0e-5,
}
"""s: of 5e-5, 2e-5 and 1e-5 one at which every printed measure of the scenario is within 3 % of its value at 1e-5 s (at
5e-6 s where it is that), as `python -m mannequin.benchmarks.convergence` shows; docs/physics.md says what is left of
car_bicycle."""


def _builder(name: str) -> Callable[[], Scenario]:
    """Builds a scenario at its own time step."""

    def build() -> Scenario:
        scenario = BUILDERS[name]()
        return replace(scenario, settings=replace(scenario.settings, time_step=TIME_STEPS[name]))

    return build


SCENARIOS = {name: _builder(name) for name in BUILDERS}


def write_scenarios() -> list[Path]:
    """Build every scenario again and write its file. Model files must be up to date first."""
    SCENARIO_FOLDER.mkdir(exist_ok=True)
    for name, build in SCENARIOS.items():
        write_scenario(build(), scenario_path(name))
    return [scenario_path(name) for name in SCENARIOS]
