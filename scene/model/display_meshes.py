"""Load the display meshes of an actor: surfaces for drawing that ride on bones and take no part in the simulation.

A model names mesh files (OBJ, STL, PLY) relative to its own file. `rig` makes an object of each, empty at first. Here
the files are read by Blender's own importers, which bring materials along. A file that is not there leaves its object
empty: nothing of the model is lost, and the message names the file and where it was looked for.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

from ...io_json.errors import FileError
from ...io_json.resolve import resolve_file
from ..store.actors import parts_of

IMPORTERS = {
    ".obj": ("obj_import", {"use_split_objects": False, "use_split_groups": False}),
    ".stl": ("stl_import", {}),
    ".ply": ("ply_import", {}),
}
"""Suffix of a mesh file to Blender's importer under `bpy.ops.wm` and its options."""


def display_meshes_of(actor: bpy.types.Object) -> list[bpy.types.Object]:
    """Display meshes of an actor, body by body."""
    return [part for parts in parts_of(actor, "MESH").values() for part in parts]


def load_display_meshes(actor: bpy.types.Object, folder: str | Path) -> list[str]:
    """Read the files of an actor's display meshes from a folder, which is kept; returns what could not be read."""
    folder = Path(bpy.path.abspath(str(folder)))
    actor.data.mannequin.folder = str(folder)
    loaded: dict[str, bpy.types.Mesh] = {}
    problems = []
    for part in display_meshes_of(actor):
        path = part.mannequin.mesh.path
        try:
            if path not in loaded:
                loaded[path] = read_mesh_file(resolve_file(path, folder))
            show(part, loaded[path])
        except FileError as error:
            problems.append(f"display mesh of body '{part.parent_bone}' in {folder}: {error}")
    return problems


def show(part: bpy.types.Object, mesh: bpy.types.Mesh) -> None:
    """Let a display mesh show another geometry; the old one is removed where nothing else uses it."""
    before = part.data
    part.data = mesh
    if before != mesh and before.users == 0:
        bpy.data.meshes.remove(before)


def read_mesh_file(path: Path) -> bpy.types.Mesh:
    """Geometry of a mesh file, its axes as they are in the file. Raises `FileError`."""
    if path.suffix.lower() not in IMPORTERS:
        raise FileError("is not a mesh file we can read", path=path, remedy="Save it as .obj, .stl or .ply")
    operator, options = IMPORTERS[path.suffix.lower()]
    with imported_objects() as found:
        try:
            getattr(bpy.ops.wm, operator)(filepath=str(path), forward_axis="Y", up_axis="Z", **options)
        except RuntimeError as error:
            raise FileError(
                f"Blender cannot import it ({str(error).strip()})", path=path, remedy="Export the mesh again"
            ) from error
    meshes = [obj.data for obj in found if obj.type == "MESH" and len(obj.data.vertices)]
    for obj in found:
        bpy.data.objects.remove(obj)
    if not meshes:
        raise FileError("holds no mesh", path=path, remedy="Export the surface as a mesh")
    meshes[0].name = path.stem
    return meshes[0]


@contextmanager
def imported_objects() -> Iterator[list[bpy.types.Object]]:
    """List that is filled with the objects made inside; what was selected and active stays so."""
    layer, found = bpy.context.view_layer, []
    selected = [obj for obj in layer.objects if obj.select_get()]
    active, before = layer.objects.active, set(bpy.data.objects)
    try:
        yield found
    finally:
        found.extend(obj for obj in bpy.data.objects if obj not in before)
        for obj in found:
            obj.select_set(False)
        for obj in selected:
            obj.select_set(True)
        layer.objects.active = active


def missing_meshes(actor: bpy.types.Object) -> list[bpy.types.Object]:
    """Display meshes of an actor that show nothing."""
    return [part for part in display_meshes_of(actor) if not part.data.vertices]
