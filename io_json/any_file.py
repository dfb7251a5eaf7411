"""Read a file of any kind we know: model or scenario, ours or OpenMBD's."""

import os
from pathlib import Path
from typing import Any

from ..engine import spec
from . import model_json, openmbd_config, scenario_json, strict_json
from .errors import FileError, in_file
from .model_keys import EXTENSION

MODEL = "model"
PLAIN_MODEL = "OpenMBD model"
SCENARIO = "scenario"
CONFIGURATION = "OpenMBD configuration"


def kind_of_document(document: Any) -> str:
    """One of the four kinds above. Raises `FileError` for anything else."""
    if type(document) is dict:
        if document.get("format") == scenario_json.FORMAT:
            return SCENARIO
        if "bodies" in document:
            return MODEL if EXTENSION in document else PLAIN_MODEL
        if openmbd_config.is_configuration(document):
            return CONFIGURATION
    remedy = 'A model has "bodies", a scenario has "format": "mannequin-scenario"'
    raise FileError("is neither a model nor a scenario", remedy=remedy)


def read_any(path: str | os.PathLike, allow_outside: bool = False) -> tuple[str, spec.Model | spec.Scenario]:
    """(kind, model or scenario). Raises `FileError`."""
    data = strict_json.read_bytes(path)
    with in_file(path):
        text = strict_json.decode(data)
        document = strict_json.parse(text)
        kind = kind_of_document(document)
        if kind in (MODEL, PLAIN_MODEL):
            return kind, model_json.loads(text)
        base, name = Path(path).parent, Path(path).stem
        return kind, scenario_json.scenario_from_document(document, base, allow_outside, name)
