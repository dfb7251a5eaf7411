"""Write the JSON Schema files and the field tables of these pages.

    .venv/bin/python docs/formats/generate.py

Both are made from the declarations in `io_json` that read and write files, and from the descriptions of the fields in
`engine.spec`. Run it after a change to a field or to its description; a test says when it is due.
"""

import json
import re
from dataclasses import MISSING, replace
from pathlib import Path
from typing import Any

from mannequin.engine import spec
from mannequin.engine.spec.description import Description, description_of
from mannequin.io_json import model_json, scenario_json
from mannequin.io_json.atomic import write_text
from mannequin.io_json.declarations import record_of
from mannequin.io_json.model_keys import (
    BODY,
    CENTER_OF_MASS_KEYS,
    ELLIPSOID,
    EXTENSION,
    FORMAT,
    JOINT,
    MODEL,
    STANDARD_UNITS,
    Centimetres,
    Level,
)
from mannequin.io_json.nodes import Field, Node, Record

FOLDER = Path(__file__).resolve().parent
SCHEMA_FOLDER = FOLDER.parent.parent / "io_json" / "schema"
PAGES = ("model.md", "scenario.md")
TABLE = re.compile(r"<!-- table: (\w+) -->\n.*?<!-- end -->", re.DOTALL)
DRAFT = "https://json-schema.org/draft/2020-12/schema"
MODEL_SCHEMA = "model.schema.json"
SCENARIO_SCHEMA = "scenario.schema.json"
_EXTENSION_NAMES = {level: f"{level.cls.__name__}Extension" for level in (MODEL, BODY, ELLIPSOID, JOINT)}


def model_schema() -> dict[str, Any]:
    """JSON Schema of model files, plain or with our extension."""
    levels = (MODEL, BODY, ELLIPSOID, JOINT)
    extensions = {_EXTENSION_NAMES[level]: _extension_schema(level) for level in levels}
    records = _record_schemas([model_json.extension_record(level) for level in levels])
    plain = {level.cls.__name__: _plain_schema(level) for level in levels}
    return {
        "$schema": DRAFT,
        "$id": MODEL_SCHEMA,
        "title": "Mannequin model: OpenMBD's model format with the extension 'mannequin'",
        **plain.pop("Model"),
        "$defs": plain | extensions | records,
    }


def scenario_schema() -> dict[str, Any]:
    """JSON Schema of scenario files."""
    record = scenario_json.scenario_record()
    actor = scenario_json.ActorNode().record()
    top = _object_schema(record)
    tags = {
        "format": {"const": scenario_json.FORMAT},
        "format_version": {"type": "integer", "minimum": 1, "maximum": scenario_json.FORMAT_VERSION},
    }
    model = {
        "model": {"anyOf": [{"type": "string"}, {"$ref": MODEL_SCHEMA}]},
        "model_reference": {"type": "string"},
    }
    actor_schema = _object_schema(actor)
    actor_schema["properties"] = model | actor_schema["properties"]
    actor_schema["anyOf"] = [{"required": ["model"]}, {"required": ["person"]}]
    top["properties"] = tags | top["properties"]
    top["required"] = [*tags, *top["required"]]
    obstacle = record_of(spec.Obstacle)
    records = _record_schemas([record, actor, obstacle]) | {"Obstacle": _object_schema(obstacle)}
    return {
        "$schema": DRAFT,
        "$id": SCENARIO_SCHEMA,
        "title": "Mannequin scenario",
        **top,
        "$defs": records | {"Actor": actor_schema},
    }


def _plain_schema(level: Level) -> dict[str, Any]:
    """A level of a model file. Keys we do not know are allowed: they are kept."""
    properties = _properties(level.cls, level.plain)
    required = [field.key for field in level.plain if field.required]
    schema: dict[str, Any] = {"type": "object"}
    if level is MODEL:
        properties |= {
            "units": {"type": "object", "description": f"Always {', '.join(STANDARD_UNITS.values())}."},
            "bodies": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Body"}},
            "joints": {"type": "array", "items": {"$ref": "#/$defs/Joint"}},
        }
        required.append("bodies")
    elif level is BODY:
        properties["ellipsoids"] = {"type": "array", "items": {"$ref": "#/$defs/Ellipsoid"}}
        required.remove("center_of_mass")
        schema["anyOf"] = [{"required": [key]} for key in CENTER_OF_MASS_KEYS]
    elif level is JOINT:
        properties["T2_inv"] = properties["T2"] | {"description": "Inverse of T2."}
    properties[EXTENSION] = {"$ref": f"#/$defs/{_EXTENSION_NAMES[level]}"}
    return schema | {"required": required, "properties": properties}


def _extension_schema(level: Level) -> dict[str, Any]:
    schema = _object_schema(model_json.extension_record(level))
    if level is MODEL:
        schema["properties"] = {
            "format": {"type": "integer", "minimum": 1, "maximum": FORMAT},
            "inertia_sign": {"enum": ["products", "matrix"]},
        } | schema["properties"]
        schema["required"] = ["format"]
    return schema


def _object_schema(record: Record) -> dict[str, Any]:
    """An object all of whose keys are ours."""
    return {
        "type": "object",
        "required": [field.key for field in record.fields if field.required],
        "properties": _properties(record.cls, record.fields),
        "additionalProperties": False,
    }


def _properties(cls: type, fields: tuple[Field, ...]) -> dict[str, Any]:
    return {
        field.key: field.node.schema() | {"description": _with_unit(_description(cls, field))}
        for field in fields
    }


def _description(cls: type, field: Field) -> Description:
    """What is known of a key. The height is in another unit in a plain file."""
    about = description_of(cls, field.name)
    return replace(about, unit="cm") if isinstance(field.node, Centimetres) else about


def _with_unit(about: Description) -> str:
    return f"{about.text} Unit: {about.unit}." if about.unit else about.text


def _record_schemas(nodes: list[Node]) -> dict[str, Any]:
    """Schemas of all records below some nodes, by class name; the nodes themselves not included."""
    found: dict[str, Record] = {}
    for node in nodes:
        for field in node.fields:
            _collect(field.node, found)
    return {name: _object_schema(record) for name, record in sorted(found.items())}


def _collect(node: Node, found: dict[str, Record]) -> None:
    if isinstance(node, Record):
        if node.cls.__name__ not in found:
            found[node.cls.__name__] = node
            for field in node.fields:
                _collect(field.node, found)
    for inner in (getattr(node, "node", None), getattr(node, "item", None)):
        if inner is not None:
            _collect(inner, found)


# ---------------------------------------------------------------- field tables


def table(name: str) -> str:
    """Markdown table of the keys of one object, by the name used in the documents' table markers."""
    levels = {"Model": MODEL, "Body": BODY, "Ellipsoid": ELLIPSOID, "Joint": JOINT}
    by_extension = {_EXTENSION_NAMES[level]: level for level in levels.values()}
    if name == "Scenario":
        return _rows(spec.Scenario, scenario_json.scenario_record().fields)
    if name == "Actor":
        return _rows(spec.Actor, scenario_json.ActorNode().record().fields)
    if name in levels:
        return _rows(levels[name].cls, levels[name].plain)
    if name in by_extension:
        level = by_extension[name]
        return _rows(level.cls, model_json.extension_record(level).fields)
    return _rows(getattr(spec, name), record_of(getattr(spec, name)).fields)


def _rows(cls: type, fields: tuple[Field, ...]) -> str:
    lines = ["| key | value | unit | default | meaning |", "| --- | --- | --- | --- | --- |"]
    for field in fields:
        about = _description(cls, field)
        cells = (f"`{field.key}`", field.node.label(), about.unit, _default(field), about.text)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def _default(field: Field) -> str:
    if field.required:
        return "required"
    value = field.factory() if field.factory is not MISSING else field.default
    if value in (None, "", (), [], {}):
        return "absent"
    if value in (spec.IDENTITY3, spec.IDENTITY4):
        return "identity"
    if not isinstance(value, (int, float, str, tuple)):
        return "its defaults"
    shown = str(list(value)) if isinstance(value, tuple) else str(value)
    return shown.replace("True", "true").replace("False", "false").replace("inf", "unlimited")


# ---------------------------------------------------------------- files


def fill_tables(page: str) -> str:
    """The page with every table between its markers renewed."""
    return TABLE.sub(lambda m: f"<!-- table: {m[1]} -->\n{table(m[1])}\n<!-- end -->", page)


def schema_files() -> dict[Path, str]:
    """Path to text of every schema file."""
    schemas = {MODEL_SCHEMA: model_schema(), SCENARIO_SCHEMA: scenario_schema()}
    return {
        SCHEMA_FOLDER / name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in schemas.items()
    }


def main() -> None:
    """Write the schema files and the tables of the pages."""
    for path, text in schema_files().items():
        write_text(path, text)
    for name in PAGES:
        write_text(FOLDER / name, fill_tables((FOLDER / name).read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
