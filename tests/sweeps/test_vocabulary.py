"""What can be asked of a run: measures, contacts, events; and what is said where it does not exist."""

import dataclasses
import json
import math

import numpy as np
import pytest
from ball_drop import RADIUS, make_ball
from thrown_ball import make_sweep, make_throw, write_files

from mannequin.engine import run
from mannequin.engine.spec import Actor, Obstacle, Scenario, Settings
from mannequin.io_json.errors import FileError
from mannequin.sweeps.inputs import input_at, scenario_for, with_inputs
from mannequin.sweeps.outcomes import Observer
from mannequin.sweeps.plan import make_plan, plan_of_file
from mannequin.sweeps.spec import (
    Distribution,
    Event,
    Mark,
    Parameter,
    Quantity,
    Touch,
    document_of,
    load_table,
    read_sweep,
)
from mannequin.sweeps.table import CSV_NAME, header, read_table


def fall_time(height):
    return math.sqrt(2.0 * height / 9.81)


@pytest.fixture(scope="module")
def drops():
    """Two balls dropped from 0.2 and 0.5 m, one onto a box of 0.1 m; what touched when is known."""
    low = Actor("low", make_ball(), position=(0.0, 0.0, 0.2 + RADIUS))
    high = Actor("high", make_ball(), position=(2.0, 0.0, 0.5 + RADIUS))
    kerb = Obstacle("kerb", "box", position=(2.0, 0.0, 0.05), half_size=(0.5, 0.5, 0.05))
    settings = Settings(duration=0.35, time_step=1e-4, output_step=1e-3)
    scenario = Scenario("drops", [low, high], [kerb], settings=settings)
    return scenario, run(scenario)


def observed(drops, **parts):
    parts = {"measures": [], "events": [], "marks": [], "traces": None, **parts}
    observer = Observer(dataclasses.replace(make_sweep(), **parts))
    observer.check(*drops)
    *values, beyond_curve = observer.values(*drops)
    assert beyond_curve == ""
    return values


def test_contacts_are_found_by_either_side(drops):
    asked = [
        Quantity("a", contact=Touch("low/head", "ground")),
        Quantity("b", contact=Touch("ground", "low")),
        Quantity("c", contact=Touch("high", "kerb")),
        Quantity("d", contact=Touch("high", "ground")),
        Quantity("e", contact=Touch("low/head/skin"), take="approach_speed"),
        Quantity("f", contact=Touch("kerb"), take="point_z"),
        Quantity("g", contact=Touch("kerb", min_force=1e9), take="count"),
        Quantity("h", contact=Touch("low", "ground", until=0.1), take="count"),
    ]
    a, b, c, d, e, f, g, h = observed(drops, measures=asked)
    assert a == b == pytest.approx(fall_time(0.2), abs=2e-4)
    assert c == pytest.approx(fall_time(0.4), abs=2e-4)
    assert math.isnan(d)
    assert e == pytest.approx(math.sqrt(2 * 9.81 * 0.2), rel=1e-3)
    assert f == pytest.approx(0.1, abs=1e-3)
    assert (g, h) == (0.0, 0.0)


def test_events(drops):
    low, high = Touch("low", "ground"), Touch("high", "kerb")
    asked = [
        Event("low first", earlier=low, later=high),
        Event("high first", earlier=high, later=low),
        Event("high on ground", contact=Touch("high", "ground")),
        Event("both", all_of=["low first"], none_of=["high on ground"]),
        Event("either", any_of=["high first", "low first"]),
        Event("neither", none_of=["low first"]),
        Event("never before", earlier=low, later=Touch("high", "ground")),
    ]
    assert observed(drops, events=asked) == [True, False, False, True, True, False, False]


def test_motion_of_bodies_and_actors(drops):
    asked = [
        Quantity("start", body="low/head", component="z", take="start"),
        Quantity("actor", body="low", component="z", take="start"),
        Quantity("at", body="low", component="z", take="at", time=0.1),
        Quantity("speed", body="low", value="velocity", component="size", take="max"),
        Quantity("when", body="low", value="velocity", take="time_of_max"),
        Quantity("flat", body="high/head", component="horizontal"),
    ]
    start, actor, at, speed, when, flat = observed(drops, measures=asked)
    assert start == actor == pytest.approx(0.2 + RADIUS)
    assert at == pytest.approx(0.2 + RADIUS - 0.5 * 9.81 * 0.01, abs=1e-4)
    assert speed == pytest.approx(math.sqrt(2 * 9.81 * 0.2), rel=5e-3)
    assert when == pytest.approx(fall_time(0.2), abs=2e-3)
    assert flat == pytest.approx(2.0, abs=1e-6)


def test_measures_of_the_catalogue(drops):
    from mannequin.analysis.measures import evaluate

    known = {(m.name, m.subject): m for m in evaluate(*drops)}
    asked = [
        Quantity("hic", measure="HIC15", of="low/head"),
        Quantity("force", measure="peak contact force", of="low / head"),
        Quantity("x", measure="throw distance", of="high", detail="x_m"),
    ]
    hic, force, x = observed(drops, measures=asked)
    assert hic == known["HIC15", "low / head"].value
    assert force == known["peak contact force", "low / head"].value
    assert x == known["throw distance", "high"].details["x_m"]


def test_measures_beyond_the_end_of_a_force_curve_are_named(drops):
    scenario, recording = drops
    deepest = recording.contacts["peak_penetration"]
    low = recording.contacts["body_a"] == recording.body_index("low", "head")
    ends = np.where(low, 0.5 * deepest, 2.0 * deepest)
    asked = [
        Quantity("hic", measure="HIC15", of="low/head"),
        Quantity("force", measure="peak contact force", of="low/head"),
        Quantity("other", measure="HIC15", of="high/head"),
        Quantity("speed", measure="impact speed", of="low/head"),
    ]
    observer = Observer(dataclasses.replace(make_sweep(), measures=asked, events=[], marks=[]))
    deep = dataclasses.replace(recording, contact_curve_end=ends)
    assert observer.values(scenario, deep)[-1] == "hic; force"
    assert observer.values(scenario, recording)[-1] == ""


WRONG = [
    ({"measures": [Quantity("a", measure="HIC16", of="low/head")]}, "/measures/0", "of low / head"),
    ({"measures": [Quantity("a")]}, "/measures/0", "does not say what to measure"),
    ({"measures": [Quantity("a", body="low/haed")]}, "/measures/0", "low/head"),
    ({"measures": [Quantity("a", contact=Touch("krb"))]}, "/measures/0", "kerb"),
    ({"measures": [Quantity("a", contact=Touch("kerb"), take="forse")]}, "/measures/0", "peak_force"),
    ({"measures": [Quantity("a", body="low", take="at")]}, "/measures/0", "needs a time"),
    ({"events": [Event("a")]}, "/events/0", "does not say what must happen"),
    ({"events": [Event("a", all_of=["b"])]}, "/events/0", "no event before this one"),
    ({"events": [Event("a", measure="x", above=1.0)]}, "/events/0", "no measure is named"),
    ({"events": [Event("a", earlier=Touch("low"))]}, "/events/0", "needs earlier and later"),
    ({"marks": [Mark("a", Touch("lo"))]}, "/marks/0", "low"),
]


@pytest.mark.parametrize(("parts", "place", "said"), WRONG)
def test_what_does_not_exist_is_named(drops, parts, place, said):
    parts = {"measures": [], "events": [], "marks": [], "traces": None, **parts}
    with pytest.raises(FileError) as refused:
        Observer(dataclasses.replace(make_sweep(), **parts)).check(*drops)
    assert refused.value.place == place
    assert said in str(refused.value)


def shipped(name):
    from mannequin.io_json.resolve import resolve_model
    from mannequin.io_json.scenario_json import read_scenario

    return read_scenario(resolve_model(name, None))


def test_speed_of_a_car_turns_its_wheels():
    base = shipped("car_pedestrian")
    changed = with_inputs(base, [("actors.car.speed", 5.0)])
    ratio = 5.0 / base.actors[0].velocity[0]
    assert changed.actors[0].velocity == pytest.approx((5.0, 0.0, 0.0))
    for name, rate in base.actors[0].joint_velocities.items():
        assert changed.actors[0].joint_velocities[name] == pytest.approx(np.array(rate) * ratio)
    assert changed.actors[1] == base.actors[1]


def test_mass_and_height_are_scaled():
    base = shipped("trip")
    heavy = with_inputs(base, [("actors.man.mass", 90.0)])
    tall = with_inputs(base, [("actors.man.height", 1.9)])
    assert input_at(heavy, "actors.man.mass") == pytest.approx(90.0)
    assert input_at(heavy, "actors.man.height") == input_at(base, "actors.man.height")
    assert input_at(tall, "actors.man.height") == 1.9
    assert input_at(tall, "actors.man.mass") == pytest.approx(input_at(base, "actors.man.mass"))
    assert base == shipped("trip"), "the scenario given is not changed"


def test_heading_turns_the_velocity():
    changed = with_inputs(make_throw(), [("actors.0.heading", 90.0)])
    flat = 4.0 * math.sqrt(0.75)
    assert changed.actors[0].velocity == pytest.approx((0.0, flat, 2.0), abs=1e-12)
    assert input_at(changed, "actors.man.heading") == pytest.approx(90.0)


def test_posture_that_the_scenario_leaves_out_can_be_set_and_feet_stay_on_the_ground():
    from mannequin.engine.runs.placing import lowest_point

    base = shipped("fall_standing")
    joint = next(j.name for j in base.actors[0].model.joints if j.name.startswith("knee"))
    name = base.actors[0].name
    bend = Parameter("bend", f"actors.{name}.joint_angles.{joint}.1", Distribution("uniform", low=0, high=60))
    bent = scenario_for(base, [bend], [50.0], keep_on_ground=[name])
    assert bent.actors[0].joint_angles[joint][1] == 50.0
    assert lowest_point(bent.actors[0]) == pytest.approx(lowest_point(base.actors[0]), abs=1e-9)


@pytest.mark.parametrize(
    ("mode", "value", "expected"), [("set", 0.7, 0.7), ("add", 0.1, 0.5), ("multiply", 2.0, 0.8)]
)
def test_modes(mode, value, expected):
    friction = Parameter("f", "friction", Distribution("uniform", low=0, high=1), mode=mode)
    assert scenario_for(make_throw(), [friction], [value]).settings.friction == pytest.approx(expected)


# --- the file -----------------------------------------------------------------------------------------------------


def test_sweep_file_comes_back(tmp_path):
    path = write_files(tmp_path)
    assert read_sweep(path) == make_sweep()
    assert plan_of_file(read_sweep(path), path).digest == make_plan(make_sweep(), make_throw()).digest


def test_table_file_is_read(tmp_path):
    (tmp_path / "speeds.csv").write_text("day,speed\n1,2.5\n2,3.5\n")
    document = document_of(make_sweep())
    document["parameters"][0]["distribution"] = {"kind": "table", "path": "speeds.csv", "column": "speed"}
    (tmp_path / "s.json").write_text(json.dumps(document))
    assert read_sweep(tmp_path / "s.json").parameters[0].distribution.values == [2.5, 3.5]


def test_a_field_of_any_length_is_an_error_of_the_file(tmp_path):
    """The reader of CSV gives up at 131,072 characters; the message is about the file."""
    (tmp_path / "speeds.csv").write_text(f"day,speed\n1,{'9' * 200_000}\n")
    with pytest.raises(FileError, match=r"speeds.csv: is no table \(field larger"):
        load_table(Distribution("table", path="speeds.csv", column="speed"), tmp_path / "s.json")
    plan = make_plan(make_sweep(), make_throw())
    names = ",".join(header(plan))
    (tmp_path / CSV_NAME).write_text(f"{names}\n{'x' * 200_000}\n")
    with pytest.raises(FileError, match=r"table.csv: cannot be read \(field larger"):
        read_table(plan, tmp_path)


BAD_FILES = [
    (lambda d: d.update(format="x"), "mannequin-sweep"),
    (lambda d: d.update(format_version=9), "9"),
    (lambda d: d.update(designs={}), "Did you mean 'design'"),
    (lambda d: d["design"].update(kind="sobl"), "Did you mean 'sobol'"),
    (lambda d: d["parameters"][0]["distribution"].update(kind="unifrom"), "Did you mean 'uniform'"),
    (lambda d: d["parameters"].append(d["parameters"][0]), "is taken"),
    (lambda d: d.update(parameters=[]), "no parameter"),
    (lambda d: d["parameters"][0]["distribution"].update(kind="table", path="none.csv"), "is not there"),
    (lambda d: d["parameters"][0].update(address="actors.boy.speed"), "man"),
    (lambda d: d["parameters"][0].update(address="actors.man.velocity"), "no single number"),
    (lambda d: d.update(changes={"durration": 1}), "duration"),
    (lambda d: d.update(scenario="nothing"), "nothing"),
]


@pytest.mark.parametrize(("spoil", "said"), BAD_FILES)
def test_bad_file_is_refused_in_one_line(tmp_path, spoil, said):
    path = write_files(tmp_path)
    document = json.loads(path.read_text())
    spoil(document)
    path.write_text(json.dumps(document))
    with pytest.raises(FileError) as refused:
        plan_of_file(read_sweep(path), path)
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_shipped_sweep_is_sound():
    from mannequin.io_json.resolve import SHIPPED_FOLDER

    files = sorted((SHIPPED_FOLDER / "sweeps").glob("*sweep*.json"))
    assert files
    for path in files:
        assert plan_of_file(read_sweep(path), path).runs > 1
