"""The shipped JSON Schema and the pages say what the program does."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from full_specs import full_model, full_scenario, small_model
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import mutate_document

from mannequin.io_json import model_json, scenario_json
from mannequin.io_json.errors import FileError
from mannequin.io_json.resolve import SHIPPED_FOLDER

jsonschema = pytest.importorskip("jsonschema")
referencing = pytest.importorskip("referencing")

ROOT = Path(__file__).resolve().parents[2]
SCHEMA_FOLDER = ROOT / "io_json" / "schema"
FORMATS = ROOT / "docs" / "formats"
RENEW = "run .venv/bin/python docs/formats/generate.py"


def load_generator():
    definition = importlib.util.spec_from_file_location("generate_formats", FORMATS / "generate.py")
    module = importlib.util.module_from_spec(definition)
    definition.loader.exec_module(module)
    return module


def validators():
    schemas = {path.name: json.loads(path.read_text()) for path in SCHEMA_FOLDER.glob("*.json")}
    resources = [(name, referencing.Resource.from_contents(schema)) for name, schema in schemas.items()]
    registry = referencing.Registry().with_resources(resources)
    return {
        name: jsonschema.Draft202012Validator(schema, registry=registry) for name, schema in schemas.items()
    }


VALIDATORS = validators()
MODEL = VALIDATORS["model.schema.json"]
SCENARIO = VALIDATORS["scenario.schema.json"]


@pytest.mark.parametrize("name", sorted(VALIDATORS))
def test_the_schema_is_a_schema(name):
    jsonschema.Draft202012Validator.check_schema(VALIDATORS[name].schema)


def test_the_schema_files_are_up_to_date():
    for path, text in load_generator().schema_files().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: {RENEW}"


@pytest.mark.parametrize("name", ["model.md", "scenario.md"])
def test_the_tables_are_up_to_date(name):
    page = (FORMATS / name).read_text(encoding="utf-8")
    assert load_generator().fill_tables(page) == page, f"docs/formats/{name} is out of date: {RENEW}"


def test_every_dataclass_has_a_table():
    import dataclasses

    from mannequin.engine import spec

    pages = (FORMATS / "model.md").read_text() + (FORMATS / "scenario.md").read_text()
    shown = set(re.findall(r"<!-- table: (\w+) -->", pages))
    classes = {name for name, value in vars(spec).items() if dataclasses.is_dataclass(value)}
    assert classes <= shown
    assert {f"{level}Extension" for level in ("Model", "Body", "Ellipsoid", "Joint")} <= shown


def example(name: str) -> str:
    page = (FORMATS / name).read_text(encoding="utf-8")
    (text,) = re.findall(r"<!-- example -->\n```json\n(.*?)```", page, re.DOTALL)
    return text


def test_the_examples_load_and_can_be_used(tmp_path):
    from mannequin.engine import validate

    (tmp_path / "pendulum.json").write_text(example("model.md"))
    (tmp_path / "scenario.json").write_text(example("scenario.md"))
    MODEL.validate(json.loads(example("model.md")))
    SCENARIO.validate(json.loads(example("scenario.md")))
    model = model_json.read_model(tmp_path / "pendulum.json")
    scenario = scenario_json.read_scenario(tmp_path / "scenario.json")
    assert model.joints[0].axis == (0, 1, 0)
    assert scenario.actors[0].model == model
    assert [issue for issue in validate(scenario) if issue.severity == "error"] == []


def test_what_is_written_fits_the_schema():
    MODEL.validate(json.loads(model_json.dumps(full_model())))
    MODEL.validate(json.loads(model_json.dumps(full_model(), extensions=False)))
    SCENARIO.validate(json.loads(scenario_json.dumps(full_scenario())))


def test_real_files_fit_the_schema(openmbd):
    sweeps = set((SHIPPED_FOLDER / "sweeps").glob("*.json"))
    for path in {*openmbd.glob("*.json"), *SHIPPED_FOLDER.rglob("*.json")} - sweeps:
        document = json.loads(path.read_text(encoding="utf-8"))
        (MODEL if "bodies" in document else SCENARIO).validate(document)


def small_documents():
    from mannequin.engine import spec

    model = json.loads(model_json.dumps(full_model()))
    scenario = full_scenario()
    for actor in scenario.actors:
        actor.model = small_model()
    del scenario.actors[1:]
    plain = spec.Scenario("s", [spec.Actor("a", small_model())])
    return {
        "model": (model, MODEL, model_json.loads),
        "scenario": (json.loads(scenario_json.dumps(scenario)), SCENARIO, scenario_json.loads),
        "small scenario": (json.loads(scenario_json.dumps(plain)), SCENARIO, scenario_json.loads),
    }


DOCUMENTS = small_documents()


@pytest.mark.long
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_the_program_reads_fits_the_schema(data):
    """The two rule books agree: no mutated file is read that the schema forbids."""
    document, validator, loads = DOCUMENTS[data.draw(st.sampled_from(sorted(DOCUMENTS)))]
    mutated = mutate_document(data.draw, document)
    try:
        loads(json.dumps(mutated))
    except FileError:
        return
    if "models" in mutated and mutated.get("format") != scenario_json.FORMAT:
        return  # read as an OpenMBD configuration, which has no schema
    assert validator.is_valid(mutated), next(validator.iter_errors(mutated)).message


@pytest.mark.long
@pytest.mark.parametrize("name", ["model", "scenario"])
def test_a_value_of_the_wrong_type_is_refused_by_both(name):
    """Every declared key in turn gets a value no declaration allows there."""
    document, validator, loads = DOCUMENTS[name]
    kept = {"unknown key", "metadata", "extras", "outputs", "units"}
    places = [place for place in walk(document) if not kept & set(map(str, place)) and 1 not in place]
    assert len(places) > 150
    for place in places:
        mutated = json.loads(json.dumps(document))
        target = mutated
        for key in place[:-1]:
            target = target[key]
        target[place[-1]] = {"wrong": "wrong"}
        if place[-1] in ("bodies", "model", "sources", "joint_angles", "joint_velocities", "motors"):
            target[place[-1]] = 3.5
        assert not validator.is_valid(mutated), place
        with pytest.raises(FileError):
            loads(json.dumps(mutated))


def walk(value, place=()):
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in members:
        yield (*place, key)
        yield from walk(item, (*place, key))


def test_a_key_without_explanation_is_noticed():
    import dataclasses

    from mannequin.engine.spec.description import description_of

    @dataclasses.dataclass
    class Strange:
        oddity: str = ""

    with pytest.raises(LookupError, match="Strange.oddity"):
        description_of(Strange, "oddity")
