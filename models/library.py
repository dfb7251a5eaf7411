"""What is shipped: the model files beside this module, the code that builds most, and how to load one by name."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ..engine.spec import Model
from ..io_json.model_json import read_model, write_model
from .people import ambrosio, dummy, shipped

FOLDER = Path(__file__).resolve().parent
SCENARIO_FOLDER = FOLDER / "scenarios"


BUILDERS: dict[str, Callable[[], Model]] = {
    **{
        name: partial(shipped.build_shipped, name)
        for name in ("male", "female", "male_muscles", "female_muscles", "male_legs", "child_3", "child_6")
    },
    "hybrid3_50th": dummy.build_hybrid3_50th,
    "hybrid3_5th": dummy.build_hybrid3_5th,
    "hybrid3_6": dummy.build_hybrid3_6,
    "hybrid3_3": dummy.build_hybrid3_3,
    "ambrosio": ambrosio.build_ambrosio,
}
"""Name of a shipped model to the function that builds it; persons need the shape data (`people.base_mesh`) for that."""
KEPT = ("car", "bicycle")
"""Shipped models that are nothing but their files: a saloon of 1450 kg and a bicycle, all of ellipsoids."""


def library_path(name: str) -> Path:
    """File of a shipped model. KeyError names the models there are."""
    if name not in list_models():
        raise KeyError(f"no shipped model is called '{name}'; there are {', '.join(list_models())}")
    return FOLDER / f"{name}.json"


def list_models() -> list[str]:
    """Names of the shipped models."""
    return [*BUILDERS, *KEPT]


def load_model(name: str) -> Model:
    """Read a shipped model from its file."""
    return read_model(library_path(name))


def write_library() -> list[Path]:
    """Build every model again but those that are kept, and write its file. Returns the paths."""
    paths = []
    for name, build in BUILDERS.items():
        write_model(build(), library_path(name))
        paths.append(library_path(name))
    return paths


def list_scenarios() -> list[Path]:
    """Files of the shipped scenarios."""
    return sorted(SCENARIO_FOLDER.glob("*.json"))


def scenario_path(name: str) -> Path:
    """File of a shipped scenario."""
    return SCENARIO_FOLDER / f"{name}.json"
