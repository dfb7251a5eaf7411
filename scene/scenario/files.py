"""Files into the scene and out of it."""

from pathlib import Path

import bpy

from ...engine.spec import Model
from ...io_json.any_file import read_any
from ...io_json.errors import FileError
from ...io_json.model_json import read_model as read_model_file
from ...io_json.model_json import write_model
from ...io_json.resolve import resolve_model
from ...io_json.scenario_json import read_scenario as read_scenario_file
from ...io_json.scenario_json import write_scenario
from ...models.editing.rest_layout import lay_out
from ...models.library import library_path
from ...models.people.shipped import shipped_person
from ..model.build import build_actor, require_bone_names
from ..model.display_meshes import display_meshes_of, load_display_meshes
from ..model.edit_actor import delete_actor, refresh
from ..model.read import read_model
from ..store.actors import actors_of, obstacles_of
from .actor_start import write_person
from .marks import remove_marks
from .scenario import build_scenario, read_scenario


def import_model(
    path: str, scene: bpy.types.Scene, warnings: list[str] | None = None
) -> tuple[bpy.types.Object, Model]:
    """New actor of a model file, and the model. Problems with display meshes are added to `warnings`."""
    model = read_model_file(path)
    actor = build_actor(model, scene)
    actor.mannequin.actor.model_reference = Path(path).name
    problems = load_display_meshes(actor, Path(path).parent)
    if warnings is not None:
        warnings += problems
    return actor, model


def export_model(actor: bpy.types.Object, path: str, extensions: bool = True) -> list[str]:
    """Write an actor's model; without extensions only what OpenMBD knows. Returns what the user must do next."""
    write_model(read_model(actor), path, extensions)
    was, now = actor.data.mannequin.folder, Path(path).parent
    if not display_meshes_of(actor) or (was and Path(bpy.path.abspath(was)).resolve() == now.resolve()):
        return []
    return [f"display meshes are looked for beside the file: copy theirs to {now}"]


def import_scenario(
    path: str, scene: bpy.types.Scene, replace: bool = True, warnings: list[str] | None = None
) -> None:
    """Add a scenario file's actors, obstacles and settings to a scene, in place of the present ones if asked.

    Problems with display meshes are added to `warnings`."""
    scenario = read_scenario_file(path)
    for actor in scenario.actors:  # refuse what cannot be built before anything is removed
        lay_out(actor.model)
        require_bone_names(actor.model)
    if replace:
        clear_scenario(scene)
    for actor in build_scenario(scenario, scene):
        problems = load_display_meshes(actor, model_folder(actor.mannequin.actor.model_reference, Path(path)))
        if warnings is not None:
            warnings += problems


def model_folder(reference: str, scenario_path: Path) -> Path:
    """Folder in which a scenario's model names its files: of the model file, or of the scenario that holds it."""
    try:
        return resolve_model(reference, scenario_path.parent).parent
    except FileError:
        return scenario_path.parent


def export_scenario(scene: bpy.types.Scene, path: str) -> None:
    """Write the scene's scenario."""
    refresh(scene)
    write_scenario(read_scenario(scene), path)


def import_any(path: str, scene: bpy.types.Scene, warnings: list[str] | None = None) -> str:
    """Import a model or a scenario, whichever the file holds; returns which."""
    kind, _ = read_any(path)
    if kind == "model":
        import_model(path, scene, warnings)
    else:
        import_scenario(path, scene, warnings=warnings)
    return kind


def clear_scenario(scene: bpy.types.Scene) -> None:
    """Remove the actors of a scene and the obstacles that came from a file; a person's own meshes only leave the
    scenario."""
    for actor in actors_of(scene):
        delete_actor(actor)
    remove_marks(scene)
    for obj in obstacles_of(scene):
        if obj.mannequin.obstacle.from_file:
            bpy.data.objects.remove(obj)
        else:
            obj.mannequin.kind = "NONE"


def add_library_actor(name: str, scene: bpy.types.Scene) -> tuple[bpy.types.Object, Model]:
    """New actor of a shipped model with the person that it is of, where it is one, and the model."""
    actor, model = import_model(str(library_path(name)), scene)
    actor.mannequin.actor.model_reference = name
    write_person(actor, shipped_person(name))
    return actor, model
