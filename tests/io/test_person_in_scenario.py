"""A person in place of a model in scenario files: read, written, changed by address and by sweeps."""

import copy
import dataclasses
import json

import pytest
from people_data import needs_people

from mannequin.engine.spec import Person
from mannequin.io_json.addresses import value_at, with_values
from mannequin.io_json.errors import FileError
from mannequin.io_json.model_json import same_model
from mannequin.io_json.scenario_json import dumps, loads, read_scenario
from mannequin.models.library import load_model, scenario_path
from mannequin.models.people import base_mesh
from mannequin.models.people.legs import give_legs
from mannequin.models.people.person_model import build_person
from mannequin.sweeps.inputs import input_at, with_inputs

WOMAN = {"sex": 0, "age": 71, "height": 1.63, "mass": 58}


def text_with(person, **more) -> str:
    document = json.loads(dumps(read_scenario(scenario_path("fall_standing"))))
    del document["actors"][0]["model"]
    document["actors"][0] |= {"name": "she", "person": person, **more}
    return json.dumps(document)


@needs_people
def test_a_person_stands_where_a_model_stands():
    scenario = loads(text_with(WOMAN))
    (actor,) = scenario.actors
    assert actor.person == Person(**WOMAN)
    assert sum(body.mass for body in actor.model.bodies) == pytest.approx(58)
    written = json.loads(dumps(scenario))["actors"][0]
    assert written["person"] == WOMAN
    assert "model" not in written
    assert loads(dumps(scenario)) == scenario


@needs_people
def test_a_model_that_was_changed_is_written_beside_its_person():
    scenario = loads(text_with(WOMAN))
    actor = scenario.actors[0]
    changed = dataclasses.replace(actor, model=dataclasses.replace(actor.model, name="hers"))
    again = loads(dumps(dataclasses.replace(scenario, actors=[changed])))
    assert again.actors[0].model.name == "hers"
    assert again.actors[0].person == Person(**WOMAN)


@needs_people
def test_sweeps_and_overrides_change_the_person():
    scenario = loads(text_with(WOMAN))
    older = with_values(scenario, [("actors.she.person.age", 85.0), ("actors.she.person.mass", 50.0)])
    assert older.actors[0].person == Person(0, 85.0, 1.63, 50.0)
    assert same_model(older.actors[0].model, build_person(Person(0, 85.0, 1.63, 50.0)))
    assert value_at(older, "actors.she.person.age") == 85.0
    assert scenario.actors[0].person.age == 71
    assert with_values(scenario, [("duration", 1.0)]).actors[0] is scenario.actors[0]
    taller = with_inputs(scenario, [("actors.she.height", 1.70), ("actors.she.mass", 64.0)])
    assert taller.actors[0].person == Person(0, 71, 1.70, 64.0)
    assert input_at(taller, "actors.she.mass") == pytest.approx(64.0)
    assert taller.actors[0].model.height == 1.70


@needs_people
def test_muscles_and_legs_that_break_stay_with_a_changed_person():
    """Somebody old and light has weaker muscles of the same names, and legs that break at less where shorter."""
    strong = give_legs(copy.deepcopy(build_person(Person(**WOMAN), load_model("female_muscles"))))
    scenario = loads(text_with(WOMAN))
    actor = dataclasses.replace(scenario.actors[0], model=strong)
    scenario = dataclasses.replace(scenario, actors=[actor])
    for changed in (
        with_values(scenario, [("actors.she.person.age", 85.0), ("actors.she.person.height", 1.5)]),
        with_inputs(scenario, [("actors.she.height", 1.5), ("actors.she.mass", 50.0)]),
    ):
        model = changed.actors[0].model
        assert [muscle.name for muscle in model.muscles] == [muscle.name for muscle in strong.muscles]
        assert all(
            new.max_isometric_force < old.max_isometric_force
            for new, old in zip(model.muscles, strong.muscles, strict=True)
        )
        tibia, before = (
            next(j for j in m.joints if j.name == "tibialJnt").breaks[0] for m in (model, strong)
        )
        assert tibia.load == pytest.approx(before.load * (1.5 / 1.63) ** 3, rel=1e-4)
    assert not with_values(loads(text_with(WOMAN)), [("actors.she.person.age", 85.0)]).actors[0].model.muscles


def test_nobody_gets_a_message_with_place_and_remedy():
    with pytest.raises(FileError, match="height") as caught:
        loads(text_with(WOMAN | {"height": 163}))
    assert caught.value.place == "/actors/0/person"
    assert caught.value.remedy
    with pytest.raises(FileError, match="'model' is missing"):
        document = json.loads(text_with(WOMAN))
        del document["actors"][0]["person"]
        loads(json.dumps(document))


def test_without_the_data_files_with_models_load_and_persons_are_explained(monkeypatch, tmp_path):
    monkeypatch.setattr(base_mesh, "FILE", tmp_path / "none.npz")
    assert read_scenario(scenario_path("fall_standing")).actors[0].model.height == 1.612
    with pytest.raises(FileError, match="shape data of people is missing") as caught:
        loads(text_with(WOMAN | {"age": 70.5}))
    assert "pack_people" in str(caught.value)


def test_neither_model_nor_person_is_refused_by_name():
    document = json.loads(scenario_path("fall_standing").read_text(encoding="utf-8"))
    document["actors"] = [{"name": "somebody", "model": None}]
    with pytest.raises(FileError, match="model reference or a model"):
        loads(json.dumps(document))
