"""Helmet, glasses and rucksack: bodies of their own that count in mass and contact."""

import dataclasses

import numpy as np
import pytest
from people_data import needs_people

from mannequin.commands.models import WORN
from mannequin.engine import ENERGY_TERMS, Actor, Scenario, Settings, run, validate
from mannequin.engine.runs.placing import place_on_ground
from mannequin.engine.spec import Person
from mannequin.io_json.addresses import with_values
from mannequin.io_json.model_json import read_model
from mannequin.io_json.scenario_json import read_scenario, write_scenario
from mannequin.models.library import load_model, scenario_path
from mannequin.models.parts.placement import body_transforms, ellipsoid_shapes, lowest_point
from mannequin.models.people.person_model import build_person
from mannequin.models.people.worn import THINGS, put_on
from mannequin.models.scenarios.rigs import single_body
from mannequin.models.validation.head import head_acceleration

BARE = Person(0, 30, 1.68, 62)
LOADED = dataclasses.replace(BARE, helmet=0.3, glasses=0.03, rucksack=6.0)
CARRIERS = {"Helmet": "head", "Glasses": "head", "Rucksack": "UpperBack"}


def test_the_command_offers_the_same_masses():
    assert {name: mass for name, (_, mass) in WORN.items()} == {n: t.mass for n, t in THINGS.items()}


@needs_people
def test_things_count_in_mass_and_lie_outside_the_body():
    bare, loaded = build_person(BARE), build_person(LOADED)
    mass = {name: sum(body.mass for body in m.bodies) for name, m in (("bare", bare), ("loaded", loaded))}
    assert mass["loaded"] - mass["bare"] == pytest.approx(6.33, abs=1e-9)
    assert [body.name for body in loaded.bodies[: len(bare.bodies)]] == [body.name for body in bare.bodies]
    joints = {joint.child: joint for joint in loaded.joints}
    for thing, carrier in CARRIERS.items():
        assert joints[thing].type == "fixed" and joints[thing].parent == carrier
    shapes = {e.name: (c, h) for _, e, c, h in ellipsoid_shapes(loaded, body_transforms(loaded))}
    top = {name: c[2] + np.linalg.norm(h[2]) for name, (c, h) in shapes.items()}
    assert top["helmet"] == pytest.approx(BARE.height + 0.025, abs=1e-6)
    back = {name: c[0] - np.linalg.norm(h[0]) for name, (c, h) in shapes.items()}
    assert back["rucksack"] < min(back["thoracic"], back["upper_thoracic"]) - 0.05
    front = {name: c[0] + np.linalg.norm(h[0]) for name, (c, h) in shapes.items()}
    assert front["glasses"] > max(front["face"], front["forehead"])
    for material in loaded.materials:
        assert material.source, material.name
    assert sum("Wears a" in note for note in loaded.notes) == 3
    scenario = Scenario("worn", [Actor("she", loaded)], settings=Settings(duration=0.1))
    assert [str(issue) for issue in validate(scenario)] == []


@needs_people
def test_a_load_on_the_back_is_a_rucksack():
    """The same model as that of who wears one of that mass; with a rucksack already, both masses are in it."""
    worn = build_person(dataclasses.replace(BARE, rucksack=9.0))
    carried = build_person(dataclasses.replace(BARE, load=9.0, load_place="back"))
    both = build_person(dataclasses.replace(BARE, rucksack=5.0, load=4.0, load_place="back"))
    assert worn == carried == both
    in_hand = build_person(dataclasses.replace(BARE, rucksack=5.0, load=4.0))
    assert {"Rucksack": 5.0, "LoadR": 4.0} == {
        body.name: body.mass for body in in_hand.bodies if body.name in ("Rucksack", "LoadR", "Load")
    }


def headform(helmet: float) -> float:
    """Peak g of the man's head alone, dropped on its crown at 5.42 m/s onto a rigid plate."""
    model = put_on(single_body(load_model("male"), "head"), dataclasses.replace(BARE, helmet=helmet))
    turn = (0.0, 180.0, 0.0)
    height = 0.001 - lowest_point(model, orientation=turn)
    actor = Actor("head", model, position=(0, 0, height), orientation=turn, velocity=(0.0, 0.0, -5.42))
    settings = Settings(duration=0.02, time_step=1e-5, output_step=1e-4)
    return float(head_acceleration(run(Scenario("drop", [actor], settings=settings)), "head").max())


def test_a_helmet_keeps_a_head_below_the_limit_of_its_standard():
    """EN 1078: at most 250 g at 5.42 m/s on a flat anvil; a bare head has far more there."""
    assert 100.0 < headform(0.3) < 250.0
    assert headform(0.0) > 400.0


@needs_people
def test_a_person_with_a_load_falls_with_closed_energy_books_and_touches_with_it():
    base = read_scenario(scenario_path("fall_standing"))
    actor = dataclasses.replace(
        base.actors[0], model=build_person(LOADED), person=LOADED, model_reference="", position=(0, 0, 0)
    )
    recording = run(dataclasses.replace(base, actors=[place_on_ground(actor, 0.0)]))
    energy = dict(zip(ENERGY_TERMS, recording.energy.T, strict=True))
    exchanged = np.ptp(energy["kinetic"]) + np.ptp(energy["gravity"])
    assert np.abs(energy["residual"]).max() < 0.01 * exchanged


@needs_people
def test_scenario_files_and_addresses_know_what_is_worn(tmp_path):
    base = read_scenario(scenario_path("fall_standing"))
    actor = dataclasses.replace(base.actors[0], model=build_person(LOADED), person=LOADED, model_reference="")
    write_scenario(dataclasses.replace(base, actors=[actor]), tmp_path / "worn.json")
    again = read_scenario(tmp_path / "worn.json")
    assert again.actors[0].person == LOADED
    name = again.actors[0].name
    lighter = with_values(again, [(f"actors.{name}.person.rucksack", 0.0)])
    assert "Rucksack" not in {body.name for body in lighter.actors[0].model.bodies}


@needs_people
def test_the_command_puts_things_on(tmp_path, capsys):
    from mannequin.__main__ import main

    path = tmp_path / "she.json"
    command = ["models", "person", "--sex", "f", "--age", "30", "--height", "1.68", "--mass", "62"]
    assert main([*command, "--helmet", "--rucksack", "6", "--out", str(path)]) == 0
    bodies = {body.name: body.mass for body in read_model(path).bodies}
    assert bodies["Helmet"] == pytest.approx(0.3) and bodies["Rucksack"] == pytest.approx(6.0)
    assert "Glasses" not in bodies


def test_a_model_without_a_head_of_regions_is_refused():
    with pytest.raises(ValueError, match="no surface 'crown'"):
        put_on(load_model("car"), LOADED)
