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
    "neck_flexion": (rigs.neck_flexion, 2.0e-5),
    "neck_extension": (rigs.neck_extension, 2.0e-5),
    "head_drop": (rigs.head_drop, None),
    "thorax_pendulum": (trunk_rigs.thorax_blow, None),
}
"""Certification of a dummy, by the name of the model, and its time step, s."""

BUILDERS: dict[str, tuple[Callable[[], Scenario], float | None]] = {
    "fall_standing": (falls.fall_standing, 2.0e-5),
    "slip": (falls.slip, 1.0e-5),
    "trip": (falls.trip, 1.0e-5),
    "trip_limp": (muscles.trip_limp, 1.0e-5),
    "trip_toned": (muscles.trip_toned, 1.0e-5),
    "trip_braced": (muscles.trip_braced, 1.0e-5),
    "stairs_fall": (falls.stairs_fall, 1.0e-5),
    "ladder_fall": (falls.ladder_fall, 2.0e-5),
    "rugby_tackle": (impacts.rugby_tackle, 2.0e-5),
    "ambrosio_tackle": (impacts.ambrosio_tackle, 1.0e-5),
    "car_pedestrian": (impacts.car_pedestrian, 1.0e-5),
    "car_bicycle": (impacts.car_bicycle, 5.0e-6),
    "seated_crash": (impacts.seated_crash, 5.0e-5),
    "pendulum_chain": (falls.pendulum_chain, 5.0e-5),
    "neck_drop": (rigs.neck_drop, 1.0e-5),
    **{
        f"{rig}{rigs.ending(dummy)}": (partial(build, model_name=dummy), step)
        for dummy in ("hybrid3_50th", *rigs.CERTIFICATIONS)
        for rig, (build, step) in DUMMY_RIGS.items()
    },
    "shoulder_impact": (trunk_rigs.shoulder_blow, None),
    "abdomen_impact": (trunk_rigs.abdomen_blow, None),
    **{f"{what}_bending": (partial(leg_rigs.leg_bending, what), None) for what in leg_rigs.BENT},
    **{f"{what}_cart": (partial(leg_rigs.leg_cart, what), None) for what in leg_rigs.STRUCK},
    "legform_certification": (leg_rigs.legform_certification, None),
    "legform_car": (leg_rigs.legform_car, None),
    "shove_stairs": (active.shove_stairs, 5.0e-6),
    "trip_reach": (active.trip_reach, 2.0e-5),
    "pedestrian_response": (active.pedestrian_response, 1.0e-5),
    "trip_recovered": (active.trip_recovered, 2.0e-5),
    "stumble_recovered": (active.stumble_recovered, 2.0e-5),
    "stumble_fallen": (active.stumble_fallen, 2.0e-5),
    "pedestrian_walking": (active.pedestrian_walking, 1.0e-5),
    "driver_braces": (active.driver_braces, 2.0e-5),
    "hand_in_hand": (active.hand_in_hand, 1.0e-5),
    "carried_child": (active.carried_child, 1.0e-5),
    "saloon_braking": (driving.saloon_braking, None),
    "saloon_suv": (driving.saloon_suv, None),
    "cyclist_struck": (driving.cyclist_struck, 1.0e-5),
    "scooter_car_side": (driving.scooter_car_side, 1.0e-5),
}
"""Name to what builds the scenario and its time step, s; rigs without one have chosen theirs. A step is that of 5e-5,
2e-5, 1e-5 and 5e-6 at which every printed measure of the scenario is within 3 % of its value at 1e-5 s (at half of it
where it is that or shorter), as `python -m mannequin.benchmarks.convergence` shows; docs/physics.md says which are
sensitive whatever the step."""


def _builder(name: str) -> Callable[[], Scenario]:
    """Builds a scenario at its own time step."""
    make, step = BUILDERS[name]

    def build() -> Scenario:
        scenario = make()
        if step is None:
            return scenario
        return replace(scenario, settings=replace(scenario.settings, time_step=step))

    return build


SCENARIOS = {name: _builder(name) for name in BUILDERS}


def write_scenarios() -> list[Path]:
    """Build every scenario again and write its file. Model files must be up to date first."""
    SCENARIO_FOLDER.mkdir(exist_ok=True)
    for name, build in SCENARIOS.items():
        write_scenario(build(), scenario_path(name))
    return [scenario_path(name) for name in SCENARIOS]
