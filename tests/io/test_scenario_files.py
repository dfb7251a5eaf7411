"""Scenario files: round trips, references, versions, meshes."""

import copy
import dataclasses
import json
import os

import numpy as np
import pytest
from full_specs import Filler, full_model, full_scenario, small_model

from mannequin.engine import spec
from mannequin.io_json import model_json, scenario_json
from mannequin.io_json.errors import FileError
from mannequin.io_json.resolve import SHIPPED_FOLDER, resolve_file, resolve_model, shipped_models


def small_scenario(reference: str = "small.json") -> spec.Scenario:
    return spec.Scenario("s", [spec.Actor("one", small_model(), reference)])


@pytest.fixture
def folder(tmp_path):
    """A folder `inside` with a model, and another model beside the folder."""
    (tmp_path / "inside").mkdir()
    model_json.write_model(small_model(), tmp_path / "inside" / "small.json")
    model_json.write_model(small_model(), tmp_path / "outside.json")
    return tmp_path / "inside"


# ---------------------------------------------------------------- round trips


def test_every_field_survives():
    scenario = full_scenario()
    text = scenario_json.dumps(scenario)
    assert scenario_json.loads(text) == scenario
    assert scenario_json.dumps(scenario_json.loads(text)) == text


@pytest.mark.parametrize(
    ("cls", "name"),
    [
        (cls, field.name)
        for cls in (spec.Scenario, spec.Actor, spec.Settings)
        for field in dataclasses.fields(cls)
        if field.name not in ("actors", "model")
    ],
)
def test_each_field_survives_alone(cls, name):
    scenario, full = small_scenario(""), full_scenario()
    source = {spec.Scenario: full, spec.Actor: full.actors[0], spec.Settings: full.settings}[cls]
    target = {spec.Scenario: scenario, spec.Actor: scenario.actors[0], spec.Settings: scenario.settings}[cls]
    setattr(target, name, getattr(source, name))
    assert scenario_json.loads(scenario_json.dumps(scenario)) == scenario


def test_files_come_back_byte_for_byte(folder):
    scenario_json.write_scenario(small_scenario(), folder / "a.json")
    scenario_json.write_scenario(scenario_json.read_scenario(folder / "a.json"), folder / "b.json")
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


def test_settings_are_written_in_full():
    """What a run was computed with must not change with a default."""
    document = json.loads(scenario_json.dumps(small_scenario("")))
    given = {field.name for field in dataclasses.fields(spec.Settings) if field.default is not None}
    assert given <= set(document["settings"])


# ---------------------------------------------------------------- models of actors


def test_a_reference_is_kept_when_it_leads_to_the_same_model(folder):
    scenario_json.write_scenario(small_scenario(), folder / "a.json")
    document = json.loads((folder / "a.json").read_text())
    assert document["actors"][0]["model"] == "small.json"
    assert scenario_json.read_scenario(folder / "a.json") == small_scenario()


def test_a_changed_model_is_written_into_the_scenario(folder):
    scenario = small_scenario()
    scenario.actors[0].model.bodies[0].mass = 7.5
    scenario_json.write_scenario(scenario, folder / "a.json")
    read = scenario_json.read_scenario(folder / "a.json")
    assert read.actors[0].model.bodies[0].mass == 7.5
    assert read == scenario
    assert model_json.read_model(folder / "small.json").bodies[0].mass == 1.0


def test_a_scenario_moved_away_from_its_model_carries_it(folder, tmp_path):
    scenario_json.write_scenario(small_scenario(), folder / "a.json")
    scenario = scenario_json.read_scenario(folder / "a.json")
    (tmp_path / "elsewhere").mkdir()
    scenario_json.write_scenario(scenario, tmp_path / "elsewhere" / "a.json")
    assert scenario_json.read_scenario(tmp_path / "elsewhere" / "a.json") == scenario


def test_an_error_in_a_written_in_model_names_its_place():
    document = json.loads(scenario_json.dumps(small_scenario("")))
    document["actors"][0]["model"]["bodies"]["body a"]["mass"] = "heavy"
    with pytest.raises(FileError) as caught:
        scenario_json.loads(json.dumps(document))
    assert caught.value.place == "/actors/0/model/bodies/body a/mass"


def test_an_error_in_a_model_file_names_that_file(folder):
    scenario_json.write_scenario(small_scenario(), folder / "a.json")
    (folder / "small.json").write_text('{"name": "x"}')
    with pytest.raises(FileError) as caught:
        scenario_json.read_scenario(folder / "a.json")
    assert caught.value.path == str((folder / "small.json").resolve())


# ---------------------------------------------------------------- references


@pytest.mark.parametrize("name", ["male", "male.json"])
def test_shipped_models_need_no_path(name, tmp_path):
    assert resolve_model(name, tmp_path) == SHIPPED_FOLDER / "male.json"
    assert resolve_model(name, None) == SHIPPED_FOLDER / "male.json"


def test_a_file_beside_the_scenario_goes_before_a_shipped_one(folder):
    model_json.write_model(small_model(), folder / "male.json")
    assert resolve_model("male.json", folder) == (folder / "male.json").resolve()


def test_shipped_names_are_listed():
    assert {"male.json", "female.json"} <= set(shipped_models())


def references_outside(folder):
    os.symlink(folder.parent / "outside.json", folder / "link.json")
    os.symlink(folder.parent, folder / "linked")
    return ["../outside.json", str(folder.parent / "outside.json"), "link.json", "linked/outside.json"]


def test_a_reference_that_leaves_the_folder_is_refused_unless_allowed(folder):
    for reference in references_outside(folder):
        for resolve in (resolve_model, resolve_file):
            with pytest.raises(FileError, match="refused") as caught:
                resolve(reference, folder)
            assert "allow" in caught.value.remedy
            assert (
                resolve(reference, folder, allow_outside=True) == (folder.parent / "outside.json").resolve()
            )


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "a\0b",
        "..\\outside.json",
        "C:/outside.json",
        "none.json",
        "sub",
        pytest.param("x" * 5000, id="long"),
    ],
)
def test_a_useless_reference_is_an_error(folder, reference):
    (folder / "sub").mkdir()
    for resolve in (resolve_model, resolve_file):
        with pytest.raises(FileError) as caught:
            resolve(reference, folder)
        assert caught.value.remedy


def test_a_loop_of_links_is_an_error(folder):
    os.symlink(folder / "loop.json", folder / "loop.json")
    with pytest.raises(FileError):
        resolve_model("loop.json", folder)


def test_a_reference_inside_the_folder_may_go_up_and_down(folder):
    (folder / "sub").mkdir()
    assert resolve_model("sub/../small.json", folder) == (folder / "small.json").resolve()


def test_a_scenario_that_reaches_outside_says_where(folder):
    scenario_json.write_scenario(small_scenario(), folder / "a.json")
    text = (folder / "a.json").read_text().replace('"small.json"', '"../outside.json"')
    (folder / "a.json").write_text(text)
    with pytest.raises(FileError, match="refused") as caught:
        scenario_json.read_scenario(folder / "a.json")
    assert caught.value.place == "/actors/0/model"
    assert caught.value.path == str(folder / "a.json")
    assert len(scenario_json.read_scenario(folder / "a.json", allow_outside=True).actors) == 1


# ---------------------------------------------------------------- meshes


OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def test_a_mesh_file_is_read_and_its_path_written(folder):
    (folder / "wall.obj").write_text(OBJ)
    scenario = small_scenario()
    scenario.obstacles = [spec.Obstacle("wall", "mesh", path="wall.obj")]
    scenario_json.write_scenario(scenario, folder / "a.json")
    read = scenario_json.read_scenario(folder / "a.json")
    np.testing.assert_array_equal(read.obstacles[0].vertices, [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(read.obstacles[0].triangles, [[0, 1, 2]])
    scenario_json.write_scenario(read, folder / "b.json")
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


def test_arrays_are_written_inline(folder):
    scenario = small_scenario("")
    scenario.obstacles = [
        spec.Obstacle("wall", "mesh", vertices=np.eye(3), triangles=np.array([[0, 1, 2]], dtype=np.int32))
    ]
    read = scenario_json.loads(scenario_json.dumps(scenario))
    np.testing.assert_array_equal(read.obstacles[0].vertices, np.eye(3))
    np.testing.assert_array_equal(read.obstacles[0].triangles, [[0, 1, 2]])


@pytest.mark.parametrize(
    ("obstacle", "place"),
    [
        ({"path": "wall.obj", "vertices": [[0, 0, 0]], "triangles": [[0, 0, 0]]}, "/obstacles/0"),
        ({"vertices": [[0, 0, 0]]}, "/obstacles/0"),
        ({"vertices": [[0, 0, 0]], "triangles": [[0, 0, 1]]}, "/obstacles/0/triangles"),
        ({"vertices": [[0, 0, 0]], "triangles": [[0, 0, -1]]}, "/obstacles/0/triangles"),
        ({"vertices": [[0, 0, 0]], "triangles": [[0, 0, 0.0]]}, "/obstacles/0/triangles/0/2"),
        ({"path": "../wall.obj"}, "/obstacles/0/path"),
    ],
)
def test_a_bad_mesh_says_where(folder, obstacle, place):
    document = json.loads(scenario_json.dumps(small_scenario("")))
    document["obstacles"] = [{"name": "w", "shape": "mesh"} | obstacle]
    with pytest.raises(FileError) as caught:
        scenario_json.loads(json.dumps(document), folder)
    assert caught.value.place == place


# ---------------------------------------------------------------- versions and keys


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format_version": 2}, "version 2"),
        ({"format_version": 0}, "from 1 on"),
        ({"format_version": True}, "from 1 on"),
        ({"format": "other"}, "not a scenario file"),
        ({"acters": []}, "'acters' is not known"),
    ],
)
def test_other_files_are_refused(changes, words):
    document = json.loads(scenario_json.dumps(small_scenario(""))) | changes
    with pytest.raises(FileError, match=words) as caught:
        scenario_json.loads(json.dumps(document))
    assert caught.value.remedy


def test_the_nearest_key_is_named():
    document = json.loads(scenario_json.dumps(small_scenario("")))
    document["settings"]["time_stepp"] = document["settings"].pop("time_step")
    with pytest.raises(FileError) as caught:
        scenario_json.loads(json.dumps(document))
    assert (caught.value.place, caught.value.remedy) == ("/settings", "Did you mean 'time_step'?")


def test_reading_does_not_share_models_between_actors(folder):
    scenario = small_scenario()
    scenario.actors.append(spec.Actor("two", small_model(), "small.json"))
    scenario_json.write_scenario(scenario, folder / "a.json")
    read = scenario_json.read_scenario(folder / "a.json")
    before = copy.deepcopy(read.actors[1])
    read.actors[0].model.bodies[0].mass = 99.0
    assert read.actors[1] == before


def test_the_full_model_is_carried(folder):
    scenario = spec.Scenario("s", [dataclasses.replace(Filler().fill(spec.Actor), model=full_model())])
    scenario_json.write_scenario(scenario, folder / "a.json")
    assert scenario_json.read_scenario(folder / "a.json") == scenario
