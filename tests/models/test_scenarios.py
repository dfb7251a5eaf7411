"""The shipped scenarios: files equal to the code that builds them, fit to run, with actors where they should be."""

import numpy as np
import pytest

from mannequin.engine import validate
from mannequin.io_json import scenario_json
from mannequin.models import library
from mannequin.models.parts.placement import body_transforms, ellipsoid_shapes, lowest_point
from mannequin.models.people.posture import reach
from mannequin.models.scenarios.library import SCENARIOS

RIGS = (
    *("neck_", "head_drop", "thorax_pendulum", "shoulder_impact", "abdomen_impact"),
    *("tibia_", "femur_", "knee_", "legform_"),
)
"""What the names of test rigs begin with: their tools and specimens are no shipped models, and some hang in the air."""


@pytest.fixture(scope="module")
def built():
    return {name: build() for name, build in SCENARIOS.items()}


@pytest.mark.parametrize("name", list(SCENARIOS))
def test_file_is_what_the_code_builds(built, name):
    path = library.scenario_path(name)
    assert scenario_json.dumps(built[name], path.parent) == path.read_text(encoding="utf-8")
    assert scenario_json.read_scenario(path) == built[name]


@pytest.mark.parametrize("name", list(SCENARIOS))
def test_no_errors(built, name):
    assert [str(issue) for issue in validate(built[name]) if "error" in str(issue.severity)] == []


def test_files_and_builders_are_the_same_set():
    assert {path.stem for path in library.list_scenarios()} == set(SCENARIOS)


def test_no_scenario_has_the_name_of_a_model():
    """A bare name must mean one file."""
    assert not set(SCENARIOS) & set(library.list_models())


@pytest.mark.parametrize("name", list(SCENARIOS))
def test_models_are_named_not_copied(name):
    text = library.scenario_path(name).read_text(encoding="utf-8")
    assert '"pelvis": {' not in text, "no whole person is copied"
    if name not in ("pendulum_chain", "seated_crash", "driver_braces") and not name.startswith(RIGS):
        assert '"bodies"' not in text


def deflection(actor) -> float:
    """m by which the tyres of a vehicle give under it and what it carries, if all give alike."""
    carried = (actor.drive.load or 0.0) if actor.drive is not None else 0.0
    weight = 9.81 * (sum(body.mass for body in actor.model.bodies) + carried)
    materials = {material.name: material.stiffness for material in actor.model.materials}
    surface = {body.name: body.ellipsoids[0].material for body in actor.model.bodies if body.ellipsoids}
    return weight / sum(materials[surface[wheel.body]] for wheel in actor.model.wheels)


@pytest.mark.parametrize("name", list(SCENARIOS))
def test_nobody_starts_in_the_ground(built, name):
    if not built[name].settings.ground:
        return
    for actor in built[name].actors:
        pose = {
            "joint_angles": actor.joint_angles,
            "position": actor.position,
            "orientation": actor.orientation,
        }
        low = lowest_point(actor.model, **pose)
        if actor.model.wheels:  # tyres give by the weight over their stiffness, one axle more than the other
            assert low == pytest.approx(-deflection(actor), rel=0.2)
            continue
        assert low > -1e-6
        raised = ("ladder_fall", "stairs_fall", "shove_stairs")
        is_carried = actor.name == "rider" or (name, actor.name) == ("carried_child", "child")
        if name not in raised and not name.startswith(RIGS) and not is_carried:
            assert low < 2e-5


@pytest.mark.parametrize("name", list(SCENARIOS))
def test_postures_are_within_the_ranges_of_motion(built, name):
    """Single-axis angles against the limits; several angles at one joint are checked by each."""
    for actor in built[name].actors:
        joints = {joint.name: joint for joint in actor.model.joints}
        for joint, turn in actor.joint_angles.items():
            limits = joints[joint].limits
            if limits is None:
                continue
            count = 1 if joints[joint].type == "revolute" else 3
            for low, angle, high in list(zip(limits.lower, turn, limits.upper, strict=True))[:count]:
                assert low - 1 <= angle <= high + 1, (actor.name, joint, turn)


def test_rider_holds_the_bar_and_stands_on_the_pedals(built):
    scenario = built["car_bicycle"]
    at = {}
    for actor in scenario.actors:
        at[actor.name] = body_transforms(actor.model, actor.joint_angles, actor.position, actor.orientation)
    for weld in scenario.welds:
        start, end = (at[p.actor][p.body] @ np.array([*p.position, 1.0]) for p in (weld.start, weld.end))
        assert np.linalg.norm(start - end) < 1e-3
    bike = next(actor for actor in scenario.actors if actor.name == "bicycle")
    pedals = {e.name: c for _, e, c, _ in ellipsoid_shapes(bike.model, at["bicycle"]) if "pedal" in e.name}
    for side in "lr":
        sole = (at["rider"][f"Foot{side.upper()}"] @ [0.12, 0.0, -0.095, 1.0])[:3]
        assert np.linalg.norm(sole - pedals[f"pedal_{side}"]) < 0.005


def test_reach_finds_a_point_it_can_reach_and_keeps_the_rest():
    model = library.load_model("male")
    posture = {"shoulderlJnt": (0.0, 20.0, 0.0), "elbowlJnt": (0.0, 30.0, 0.0)}
    wanted = {"shoulderlJnt": (0.0, 70.0, 15.0), "elbowlJnt": (0.0, 50.0, 0.0)}
    point = (0.0, 0.0, -0.05)
    target = (body_transforms(model, wanted)["HandL"] @ [*point, 1.0])[:3]
    free = [("shoulderlJnt", 1), ("shoulderlJnt", 2), ("elbowlJnt", 1)]
    found = reach(model, posture, free, "HandL", point, target)
    assert np.linalg.norm((body_transforms(model, found)["HandL"] @ [*point, 1.0])[:3] - target) < 2e-3
    assert found["shoulderlJnt"][0] == 0.0


def test_crash_pulse_stops_from_20_km_h(built):
    seat = next(actor for actor in built["seated_crash"].actors if actor.name == "seat")
    rows = np.array(seat.prescribed[0].table)
    assert rows[0][1] == pytest.approx(20 / 3.6, abs=1e-4) and rows[-1][1] == 0.0
    peak = np.abs(np.diff(rows[:, 1]) / np.diff(rows[:, 0])).max()
    # half-sine of 0.1 s: peak = pi / 2 * dv / T
    assert peak == pytest.approx(np.pi / 2 * (20 / 3.6) / 0.1, rel=0.01)
