"""The declarations put into words: JSON Schema files and the field tables of docs/formats.

Both are made from the same declarations that read and write files, and from the docstrings of the fields in
`engine.spec`. A test compares what is shipped with what is made here; `python docs/formats/generate.py` writes it anew.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import MISSING
from functools import cache
from typing import Any

from ..engine import spec, spec_muscles
from . import model_json, scenario_json
from .declarations import record_of
from .meanings import BY_KEY, COMMON, SPECIFIC
from .model_keys import (
    BODY,
    CENTER_OF_MASS_KEYS,
    ELLIPSOID,
    EXTENSION,
    FORMAT,
    JOINT,
    MODEL,
    STANDARD_UNITS,
    Level,
)
from .nodes import Field, Node, Record

SPEC_MODULES = (spec, spec_muscles)
DRAFT = "https://json-schema.org/draft/2020-12/schema"
MODEL_SCHEMA = "model.schema.json"
SCENARIO_SCHEMA = "scenario.schema.json"
_EXTENSION_NAMES = {level: f"{level.cls.__name__}Extension" for level in (MODEL, BODY, ELLIPSOID, JOINT)}


@cache
def field_docs() -> dict[str, dict[str, str]]:
    """Class name to field name to the docstring under the field in `engine.spec`, on one line."""
    docs: dict[str, dict[str, str]] = {}
    classes = [item for module in SPEC_MODULES for item in ast.parse(inspect.getsource(module)).body]
    for cls in classes:
        if isinstance(cls, ast.ClassDef):
            docs[cls.name] = {
                before.target.id: " ".join(after.value.value.split())
                for before, after in zip(cls.body, cls.body[1:], strict=False)
                if isinstance(before, ast.AnnAssign) and _is_text(after)
            }
    return docs


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def schema_texts() -> dict[str, dict[str, Any]]:
    """File name to schema."""
    return {MODEL_SCHEMA: model_schema(), SCENARIO_SCHEMA: scenario_schema()}


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
    actor_schema["required"] = ["model", *actor_schema["required"]]
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
    return {field.key: field.node.schema() | {"description": meaning(cls, field)} for field in fields}


def meaning(cls: type, field: Field) -> str:
    """What a key means and its unit. A key nobody explained is an error of ours, not of a file."""
    name = cls.__name__
    said = BY_KEY.get(field.key) if field.key != field.name else None
    said = said or field_docs().get(name, {}).get(field.name) or SPECIFIC.get((name, field.name))
    said = said or COMMON.get(field.name)
    if not said:
        raise LookupError(
            f"give {name}.{field.name} a docstring in engine/spec.py that says meaning and unit"
        )
    return said


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
    cls = next(vars(module)[name] for module in SPEC_MODULES if name in vars(module))
    return _rows(cls, record_of(cls).fields)


def _rows(cls: type, fields: tuple[Field, ...]) -> str:
    lines = ["| key | value | default | meaning and unit |", "| --- | --- | --- | --- |"]
    for field in fields:
        cells = (f"`{field.key}`", field.node.label(), _default(field), meaning(cls, field))
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
