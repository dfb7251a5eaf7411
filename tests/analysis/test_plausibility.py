"""Inputs that can hardly be true are warned of, and shipped scenarios are not."""

import json

import pytest

from mannequin.__main__ import main
from mannequin.analysis.origins import parse_origin
from mannequin.analysis.plausibility import implausible_inputs
from mannequin.commands import EXIT_OK
from mannequin.io_json.scenario_json import read_scenario, write_scenario
from mannequin.models.scenarios.library import scenario_path


@pytest.fixture
def walker():
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.sources = {}
    return scenario


def messages(scenario):
    return [issue.message for issue in implausible_inputs(scenario)]


def test_origins_are_read_from_one_line():
    origin = parse_origin("measured: skid mark, police sketch; ± 0.3 m/s; exhibit E3")
    assert (origin.kind, origin.source, origin.uncertainty, origin.exhibit) == (
        "measured", "skid mark, police sketch", "0.3 m/s", "E3",
    )  # fmt: skip
    assert origin.is_known and origin.missing == ""
    assert parse_origin("literature: Searle 1993").missing == "has no uncertainty"
    assert parse_origin("video, camera 2").kind == "stated" and parse_origin("video, camera 2").is_known
    for text in (
        "assumed",
        "Assumed: typical",
        "assumed, measured from CCTV",
        "ASSUMED; exhibit E1",
        "walking; assumed",
        "measured: x; assumed",
    ):
        assert not parse_origin(text).is_known and "assumption" in parse_origin(text).missing
    assert not parse_origin("").is_known and parse_origin("").missing == "has no origin"
    assert not parse_origin("measured: ; ± 3").is_known


def test_somebody_who_walks_at_130_metres_a_second(walker):
    walker.actors[0].velocity = (130.0, 0.0, 0.0)
    assert "moves at 130 m/s (468 km/h) on foot" in messages(walker)[0]
    walker.actors[0].velocity = (12.0, 0.0, 0.0)
    assert messages(walker) == []


def test_somebody_who_floats(walker):
    x, y, z = walker.actors[0].position
    walker.actors[0].position = (x, y, z + 0.17)
    walker.actors[0].velocity = (1.0, 0.0, 0.0)
    assert "floats 17 cm above the ground" in messages(walker)[0]
    walker.actors[0].velocity = (1.0, 0.0, -1.8)
    assert messages(walker) == [], "somebody who falls is in the air"


def test_friction_of_five(walker):
    walker.settings.friction = 5.0
    assert "friction of 5" in messages(walker)[0]


def test_a_mass_or_height_that_nobody_has(walker):
    walker.actors[0].model.height = 2.6
    assert "2.60 m tall" in messages(walker)[0]
    walker.actors[0].model.height = 1.60
    for body in walker.actors[0].model.bodies:
        body.mass *= 4.0
    assert "body mass index" in messages(walker)[0]


def test_wheels_that_do_not_roll():
    scenario = read_scenario(scenario_path("car_bicycle"))
    assert not [text for text in messages(scenario) if "wheels" in text]
    rider = next(
        actor for actor in scenario.actors if any("wheel" in joint.child for joint in actor.model.joints)
    )
    rider.joint_velocities = {}
    rider.velocity = (6.0, 0.0, 0.0)
    assert any("wheels" in text and "at 0 m/s" in text for text in messages(scenario))


def test_an_assumed_start_is_named(walker):
    walker.sources["actors.0.velocity"] = "assumed: usual walking speed"
    (issue,) = implausible_inputs(walker)
    assert "velocity" in issue.place and issue.severity == "warning"


def test_shipped_scenarios_have_plausible_bodies_and_speeds():
    from pathlib import Path

    found = {}
    for name in sorted(path.stem for path in Path(scenario_path("fall_standing")).parent.glob("*.json")):
        flagged = [text for text in messages(read_scenario(scenario_path(name))) if "assumed" not in text]
        if flagged:
            found[name] = flagged
    assert found == {}


def test_validate_prints_them(walker, tmp_path, capsys):
    walker.actors[0].velocity = (130.0, 0.0, 0.0)
    write_scenario(walker, tmp_path / "walk.json", allow_outside=True)
    assert main(["validate", str(tmp_path / "walk.json"), "--json", "--allow-outside"]) == EXIT_OK
    (report,) = json.loads(capsys.readouterr().out)
    assert any("130 m/s" in issue["message"] and issue["severity"] == "warning" for issue in report["issues"])
