"""Other programs' files into the scene and out of it (`interchange` knows their formats)."""

from pathlib import Path

import bpy

from ...engine.spec import Model
from ...interchange import read_model as read_foreign_model
from ...interchange import read_scenario as read_foreign_scenario
from ...interchange import write_model as write_foreign_model
from ...models.editing.rest_layout import lay_out
from ..model.build import build_actor, require_bone_names
from ..model.display_meshes import load_display_meshes
from ..model.read import read_model
from .files import clear_scenario
from .scenario import build_scenario


def import_foreign_model(path: str, scene: bpy.types.Scene) -> tuple[bpy.types.Object, list[str]]:
    """New actor of a Hyfydy or OpenSim model, and what of the file was not carried over."""
    model, findings = read_foreign_model(path)
    _require_buildable(model)
    actor = build_actor(model, scene)
    return actor, [*map(str, findings), *load_display_meshes(actor, Path(path).parent)]


def import_foreign_scenario(path: str, scene: bpy.types.Scene) -> tuple[bpy.types.Object, list[str]]:
    """The same with the file's start, surroundings and gravity, in place of the scenario there is."""
    scenario, findings = read_foreign_scenario(path)
    _require_buildable(scenario.actors[0].model)
    clear_scenario(scene)
    (actor,) = build_scenario(scenario, scene)
    return actor, [*map(str, findings), *load_display_meshes(actor, Path(path).parent)]


def export_foreign_model(actor: bpy.types.Object, path: str, ball_hinges: bool = False) -> list[str]:
    """Write an actor's model; returns what was not carried over exactly. ball_hinges: see `write_model`."""
    return [str(finding) for finding in write_foreign_model(read_model(actor), path, ball_hinges)]


def _require_buildable(model: Model) -> None:
    """Refuse what cannot be built before anything is added or removed."""
    lay_out(model)
    require_bone_names(model)
