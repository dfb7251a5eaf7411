"""Scenario files: actors with their start, obstacles, connections, settings. Our own format, versioned.

A model is named by reference (a shipped name, or a file in the scenario's folder) or written into the scenario. A
reference is written only when it leads to the very same model; otherwise the model itself is, so that a scenario file
never differs from the scenario. The format is described in docs/formats/scenario.md.
"""

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..engine import spec
from ..engine.spec.validation.meshes import mesh_fault
from . import atomic, layout, mesh_files, model_json, openmbd_config, strict_json
from .declarations import fields_of, record_of
from .errors import FileError, in_file, pointer
from .model_keys import require_object
from .nodes import Array, Record, Text, wrong_type
from .person_builder import model_of, vehicle_model
from .resolve import resolve_file, resolve_model

FORMAT = "mannequin-scenario"
FORMAT_VERSION = 1
TAGS = (("format", FORMAT), ("format_version", FORMAT_VERSION))
NO_TEXTS: Mapping[str, str] = MappingProxyType({})


def read_scenario(path: str | os.PathLike, allow_outside: bool = False) -> spec.Scenario:
    """Read a scenario file, or OpenMBD's saved configuration, with the models and meshes it names.

    `allow_outside` permits references that leave the folder of the file. Raises `FileError`.
    """
    data = strict_json.read_bytes(path)
    with in_file(path):
        document = strict_json.parse(strict_json.decode(data))
        return scenario_from_document(document, Path(path).parent, allow_outside, Path(path).stem)


def write_scenario(scenario: spec.Scenario, path: str | os.PathLike, allow_outside: bool = False) -> None:
    """Write a scenario file, whole or not at all. Raises `FileError`."""
    with in_file(path):
        text = dumps(scenario, Path(path).parent, allow_outside)
    atomic.write_text(path, text)


def loads(
    text: str, base_folder: str | os.PathLike | None = None, allow_outside: bool = False
) -> spec.Scenario:
    """The scenario in a text whose references are relative to `base_folder`. Raises `FileError`."""
    return scenario_from_document(strict_json.parse(text), base_folder, allow_outside, "scenario")


def dumps(
    scenario: spec.Scenario,
    base_folder: str | os.PathLike | None = None,
    allow_outside: bool = False,
    model_texts: Mapping[str, str] = NO_TEXTS,
) -> str:
    """The text of a scenario file that will lie in `base_folder`. Raises `FileError`.

    model_texts: reference to text of models that will lie there too.
    """
    return layout.compact(scenario_record(base_folder, allow_outside, model_texts).write(scenario, ""))


def scenario_from_document(
    document: Any, base_folder: str | os.PathLike | None, allow_outside: bool, name: str
) -> spec.Scenario:
    """The scenario of a parsed file, ours or OpenMBD's; `name` is for a configuration, which has none."""
    document = require_object(document, "")
    if openmbd_config.is_configuration(document):
        return openmbd_config.scenario_from_configuration(document, base_folder, allow_outside, name)
    if document.get("format") != FORMAT:
        message = f'is not a scenario file: it does not say "format": "{FORMAT}"'
        raise FileError(message, place="", remedy="Choose a scenario file, or add the format")
    model_json.check_version(document, "format_version", FORMAT_VERSION, "")
    return scenario_record(base_folder, allow_outside).read(document, "")


def scenario_record(
    base_folder: str | os.PathLike | None = None,
    allow_outside: bool = False,
    model_texts: Mapping[str, str] = NO_TEXTS,
) -> Record:
    """The declaration of the whole file, for references relative to `base_folder`."""
    nodes = {
        "actors": Array(ActorNode(base_folder, allow_outside, model_texts), container=list),
        "obstacles": Array(ObstacleNode(base_folder, allow_outside), container=list),
    }
    fields = tuple(
        dataclasses.replace(field, node=nodes.get(name, field.node), always=name == "settings")
        for name, field in fields_of(spec.Scenario).items()
    )
    return Record(spec.Scenario, fields, tags=TAGS)


@dataclasses.dataclass(frozen=True)
class ActorNode:
    """An actor. Its key "model" is a reference, or a whole model with the reference it came from beside it. It may be
    left out where the key "person" describes somebody: then the model is made. Where both are given, the model counts.
    """

    base_folder: str | os.PathLike | None = None
    allow_outside: bool = False
    model_texts: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Reference to text of models that are not in their files yet"""

    def record(self) -> Record:
        """Everything but the model."""
        fields = [f for name, f in fields_of(spec.Actor).items() if name not in ("model", "model_reference")]
        return Record(spec.Actor, tuple(fields))

    def read(self, value: Any, place: str) -> spec.Actor:
        document = dict(require_object(value, place))
        if "model" not in document and "person" not in document:
            remedy = "Name the actor's model file, or describe a person"
            raise FileError("the key 'model' is missing", place=place, remedy=remedy)
        model = document.pop("model", None)
        reference = Text().read(document.pop("model_reference", ""), pointer(place, "model_reference"))
        values = self.record().read_values(document, place)
        if model is None and values.get("person") is not None:
            made = model_of(values["person"], pointer(place, "person"))
            values |= {"model_reference": reference, "model": made}
        elif type(model) is str:
            values |= {"model_reference": model, "model": self._load(model, pointer(place, "model"))}
        elif type(model) is dict:
            values |= {"model_reference": reference, "model": _read_inline(model, pointer(place, "model"))}
        else:
            raise wrong_type("a model reference or a model", model, pointer(place, "model"))
        return spec.Actor(**values)

    def write(self, value: Any, place: str) -> dict[str, Any]:
        document = self.record().write(value, place)
        reference = Text().write(value.model_reference, pointer(place, "model_reference"))
        if reference and self._leads_to(reference, value.model):
            model = {"model": reference}
        elif value.person is not None and _makes(value.person, value.model):
            model = {}
        else:
            model = {"model": _write_inline(value.model, pointer(place, "model"))}
            model |= {"model_reference": reference} if reference else {}
        return {"name": document.pop("name")} | model | document

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/Actor"}

    def label(self) -> str:
        return "Actor"

    def _load(self, reference: str, place: str) -> spec.Model:
        if reference in self.model_texts:
            return model_json.loads(self.model_texts[reference])
        try:
            path = resolve_model(reference, self.base_folder, self.allow_outside)
        except FileError as error:
            made = vehicle_model(reference)
            if made is not None:
                return made
            error.place = place
            raise
        return model_json.read_model(path)

    def _leads_to(self, reference: str, model: spec.Model) -> bool:
        try:
            return model_json.same_model(self._load(reference, ""), model)
        except FileError:
            return False


def _makes(person: spec.Person, model: spec.Model) -> bool:
    """Whether the model is the one that is made of the person."""
    try:
        return model_json.same_model(model_of(person, ""), model)
    except FileError:
        return False


def _read_inline(document: dict[str, Any], place: str) -> spec.Model:
    with _at(place):
        return model_json.model_from_document(document)


def _write_inline(model: spec.Model, place: str) -> dict[str, Any]:
    with _at(place):
        return model_json.document_from_model(model)


class _at:
    """Puts `place` before the place of a `FileError` from a document that lies inside another."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type | None, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, FileError):
            error.place = self._place + error.place


@dataclasses.dataclass(frozen=True)
class ObstacleNode:
    """An obstacle. A mesh is given inline, or by the path of a mesh file, which is then read."""

    base_folder: str | os.PathLike | None = None
    allow_outside: bool = False

    def read(self, value: Any, place: str) -> spec.Obstacle:
        obstacle = record_of(spec.Obstacle).read(value, place)
        inline = obstacle.vertices is not None or obstacle.triangles is not None
        if obstacle.path and inline:
            remedy = "Keep the path, or the vertices and triangles"
            raise FileError("gives its mesh inline and as a file", place=place, remedy=remedy)
        if obstacle.path:
            obstacle.vertices, obstacle.triangles = self._load(obstacle.path, pointer(place, "path"))
        elif inline:
            _refuse_bad_mesh(obstacle, place)
        return obstacle

    def write(self, value: Any, place: str) -> dict[str, Any]:
        if getattr(value, "path", ""):
            value = dataclasses.replace(value, vertices=None, triangles=None)
        return record_of(spec.Obstacle).write(value, place)

    def schema(self) -> dict[str, Any]:
        return record_of(spec.Obstacle).schema()

    def label(self) -> str:
        return "Obstacle"

    def _load(self, reference: str, place: str) -> mesh_files.Mesh:
        try:
            path = resolve_file(reference, self.base_folder, self.allow_outside)
        except FileError as error:
            error.place = place
            raise
        return mesh_files.read_mesh(path)


def _refuse_bad_mesh(obstacle: spec.Obstacle, place: str) -> None:
    """An inline mesh is held against the engine's rules at once, as a mesh file is."""
    if obstacle.vertices is None or obstacle.triangles is None:
        raise FileError(
            "needs vertices and triangles", place=place, remedy="Give both, or a mesh file as 'path'"
        )
    fault = mesh_fault(obstacle.vertices, obstacle.triangles)
    if fault:
        raise FileError(f"its mesh {fault[0]}", place=pointer(place, "triangles"), remedy=fault[1])
