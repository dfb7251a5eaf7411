"""Thousands of broken files: nothing but `FileError` comes out, and what is read can be written and read again.

MANNEQUIN_FUZZ=20 in the environment tries twenty times as many.
"""

import json
import os
from pathlib import Path

import pytest
from full_specs import full_model, full_scenario, small_model
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import mutate_bytes, mutate_document

from mannequin.engine import spec, validate
from mannequin.io_json import model_json, scenario_json, strict_json
from mannequin.io_json.errors import FileError

MORE = int(os.environ.get("MANNEQUIN_FUZZ", "1"))
OPENMBD = Path(__file__).resolve().parent / "openmbd"
QUICK = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
}


def small_scenario_text() -> str:
    scenario = full_scenario()
    del scenario.actors[1:]
    scenario.actors[0].model = small_model()
    return scenario_json.dumps(scenario)


def configuration_text() -> str:
    torque = {"torque": [1.0, 2.0, 3.0], "t_start": 0.0, "duration": 0.1}
    model = {"id": 0, "path": "openmbd_bicycle.json", "pos": "0 0 1", "vel": "1 0 0", "ang_vel": "0 0 0"}
    model["joints"] = {"root_joint": [10.0, 0.0, 0.0], "front_wheel_jnt": [0.0, 5.0, 0.0]}
    model["joint_vels"] = {"bike_free_jnt": [0.0, 1.0, 0.0], "rear_wheel_jnt": [0.0, 9.0, 0.0]}
    model["joint_torques"] = {"root_joint": torque, "rear_wheel_jnt": torque}
    top = {"dt": "0.0001", "out_dt": "0.001", "dur": "0.5", "cof": "0.4", "contact_damping": "150"}
    return json.dumps(top | {"models": [model]})


TEXTS = {
    "own model": model_json.dumps(full_model()),
    "plain model": model_json.dumps(full_model(), extensions=False),
    "bicycle": (OPENMBD / "openmbd_bicycle.json").read_text(),
    "male": (OPENMBD / "openmbd_male.json").read_text(),
    "scenario": small_scenario_text(),
    "configuration": configuration_text(),
}
DOCUMENTS = {name: json.loads(text) for name, text in TEXTS.items()}
SMALL = ["own model", "plain model", "scenario", "configuration", "bicycle"]


def read(name: str, text: str) -> spec.Model | spec.Scenario:
    if name in ("scenario", "configuration"):
        return scenario_json.loads(text, OPENMBD)
    return model_json.loads(text)


def write(content: spec.Model | spec.Scenario) -> str:
    if isinstance(content, spec.Scenario):
        return scenario_json.dumps(content, OPENMBD)
    return model_json.dumps(content)


def try_to_read(name: str, text: str) -> spec.Model | spec.Scenario | None:
    """What is read, or None when it is refused. Any other exception fails the test."""
    try:
        return read(name, text)
    except FileError as error:
        assert error.message and error.remedy
        return None


def check_writing(name: str, text: str) -> None:
    """What is read can be checked and written, and is written the same from then on."""
    content = try_to_read(name, text)
    if content is None:
        return
    validate(content)
    written = write(content)
    again = read("scenario" if isinstance(content, spec.Scenario) else name, written)
    assert write(again) == written


@pytest.mark.long
@settings(max_examples=1500 * MORE, **QUICK)
@given(data=st.data())
def test_broken_structure(data):
    name = data.draw(st.sampled_from(SMALL))
    try_to_read(name, json.dumps(mutate_document(data.draw, DOCUMENTS[name])))


@settings(max_examples=60 * MORE, **QUICK)
@given(data=st.data())
def test_broken_structure_of_the_male(data):
    try_to_read("male", json.dumps(mutate_document(data.draw, DOCUMENTS["male"])))


@pytest.mark.long
@settings(max_examples=200 * MORE, **QUICK)
@given(data=st.data())
def test_what_is_read_can_be_written(data):
    name = data.draw(st.sampled_from(SMALL))
    check_writing(name, json.dumps(mutate_document(data.draw, DOCUMENTS[name])))


@pytest.mark.long
@settings(max_examples=1500 * MORE, **QUICK)
@given(data=st.data())
def test_broken_bytes(data):
    name = data.draw(st.sampled_from([*SMALL, "male"]))
    content = mutate_bytes(data.draw, TEXTS[name].encode())
    try:
        text = strict_json.decode(content)
    except FileError as error:
        assert error.place and error.remedy
        return
    try_to_read(name, text)


@settings(max_examples=300 * MORE, **QUICK)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_noise(content):
    try:
        document = strict_json.parse(strict_json.decode(content))
    except FileError as error:
        assert error.message and error.remedy
    else:
        for reader in (model_json.model_from_document, strict_json.check):
            try:
                reader(document)
            except FileError:
                pass


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_files_before_they_are_broken(name):
    """Without this the fuzzing could pass by never reading anything."""
    assert try_to_read(name, TEXTS[name]) is not None
    check_writing(name, TEXTS[name])
