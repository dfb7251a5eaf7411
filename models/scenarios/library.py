"""The shipped scenarios: name to the function that builds it, and their files."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...engine.spec import Scenario
from ...io_json.scenario_json import write_scenario
from ..library import SCENARIO_FOLDER, scenario_path
from . import active, driving, falls, impacts, leg_rigs, muscles, rigs, trunk_rigs

DUMMY_RIGS = {
    "neck_flexion": rigs.neck_flexion,
    "neck_extension": rigs.neck_extension,
    "head_drop": rigs.head_drop,
    "thorax_pendulum": trunk_rigs.thorax_blow,
}
"""Certification of a dummy, by the name of the model."""

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
    "neck_drop": rigs.neck_drop,
    **{
        f"{rig}{rigs.ending(dummy)}": partial(build, model_name=dummy)
        for dummy in ("hybrid3_50th", *rigs.CERTIFICATIONS)
        for rig, build in DUMMY_RIGS.items()
    },
    "shoulder_impact": trunk_rigs.shoulder_blow,
    "abdomen_impact": trunk_rigs.abdomen_blow,
    "tibia_bending": leg_rigs.tibia_bending,
    "femur_bending": leg_rigs.femur_bending,
    "knee_bending": leg_rigs.knee_bending,
    "tibia_cart": leg_rigs.tibia_cart,
    "femur_cart": leg_rigs.femur_cart,
    "legform_certification": leg_rigs.legform_certification,
    "legform_car": leg_rigs.legform_car,
    "shove_stairs": active.shove_stairs,
    "trip_reach": active.trip_reach,
    "pedestrian_response": active.pedestrian_response,
    "trip_recovered": active.trip_recovered,
    "stumble_recovered": active.stumble_recovered,
    "stumble_fallen": active.stumble_fallen,
    "pedestrian_walking": active.pedestrian_walking,
    "driver_braces": active.driver_braces,
    "hand_in_hand": active.hand_in_hand,
    "carried_child": active.carried_child,
    "saloon_braking": driving.saloon_braking,
    "saloon_suv": driving.saloon_suv,
    "cyclist_struck": driving.cyclist_struck,
    "scooter_car_side": driving.scooter_car_side,
}
TIME_STEPS = {
    "fall_standing": 2.0e-5,
    "slip": 1.0e-5,
    "trip": 1.0e-5,
    "trip_limp": 1.0e-5,
    "trip_toned": 1.0e-5,
    "trip_braced": 1.0e-5,
    "stairs_fall": 1.0e-5,
    "ladder_fall": 2.0e-5,
    "rugby_tackle": 2.0e-5,
    "ambrosio_tackle": 1.0e-5,
    "car_pedestrian": 1.0e-5,
    "car_bicycle": 1.0e-5,
    "seated_crash": 5.0e-5,
    "pendulum_chain": 5.0e-5,
    "neck_flexion": 2.0e-5,
    "neck_extension": 2.0e-5,
    "neck_drop": 1.0e-5,
    **{f"neck_{way}_{dummy}": 2.0e-5 for way in ("flexion", "extension") for dummy in ("3", "5th", "6")},
    "shove_stairs": 5.0e-6,
    "trip_reach": 2.0e-5,
    "pedestrian_response": 1.0e-5,
    "trip_recovered": 2.0e-5,
    "stumble_recovered": 2.0e-5,
    "stumble_fallen": 2.0e-5,
    "pedestrian_walking": 1.0e-5,
    "driver_braces": 2.0e-5,
    "hand_in_hand": 1.0e-5,
    "carried_child": 1.0e-5,
    "cyclist_struck": 1.0e-5,
    "scooter_car_side": 1.0e-5,
}
"""s: of 5e-5, 2e-5, 1e-5 and 5e-6 one at which every printed measure of the scenario is within 3 % of its value at
1e-5 s (at half of it where it is that or shorter), as `python -m mannequin.benchmarks.convergence` shows;
docs/physics.md says which are sensitive whatever the step."""


def _builder(name: str) -> Callable[[], Scenario]:
    """Builds a scenario at its own time step; rigs that are not listed have chosen theirs."""

    def build() -> Scenario:
        scenario = BUILDERS[name]()
        if name not in TIME_STEPS:
            return scenario
        return replace(scenario, settings=replace(scenario.settings, time_step=TIME_STEPS[name]))

    return build


SCENARIOS = {name: _builder(name) for name in BUILDERS}


def write_scenarios() -> list[Path]:
    """Build every scenario again and write its file. Model files must be up to date first."""
    SCENARIO_FOLDER.mkdir(exist_ok=True)
    for name, build in SCENARIOS.items():
        write_scenario(build(), scenario_path(name))
    return [scenario_path(name) for name in SCENARIOS]
