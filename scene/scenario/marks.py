"""Marks in Blender: an empty with its ellipse, kept with the scenario, read from and written to files of marks."""

import json
import math
from collections.abc import Sequence

import bpy
import numpy as np

from ...engine.spec import Scenario
from ...io_json.marks import KEY as MARKS
from ...io_json.marks import KINDS, Mark, check, documents_of, marks_of, read_marks
from ..base.blender_version import use_nodes
from ..base.units import as_typed, units_of

KEY = "mannequin_mark"
"""Custom property of a mark's object: what the file holds besides its place, as JSON."""
CORNERS = 48
RING, PATH, LIFT = 0.03, 0.12, 0.002
"""m: width of an ellipse's band and of a path's, and how far both lie above the ground."""
COLOURS = {
    "skid": (0.01, 0.01, 0.01),
    "scrape": (0.75, 0.72, 0.65),
    "blood": (0.25, 0.01, 0.01),
    "glass": (0.25, 0.75, 0.85),
    "rest": (0.95, 0.65, 0.05),
    "other": (0.85, 0.2, 0.75),
}
"""Linear red, green, blue by kind: to tell them apart, none as it was found."""
KIND_ITEMS = [(key, key.title(), meaning) for key, meaning in KINDS.meanings.items()]
"""Kinds of marks as Blender wants choices: key, label, tooltip."""


def add_mark(mark: Mark, scene: bpy.types.Scene) -> bpy.types.Object:
    """New object of a mark: its ellipse and its path as bands, its place the object's own."""
    units = units_of(scene)
    path = [tuple(np.subtract(p, mark.position)) for p in mark.path]
    points, faces = _band(_ellipse(mark.ellipse), RING, closed=True)
    if len(path) > 1:
        along, more = _band(np.array(path, dtype=float), PATH, closed=False)
        faces += [tuple(len(points) + corner for corner in face) for face in more]
        points = np.concatenate([points, along])
    mesh = bpy.data.meshes.new(mark.name)
    mesh.from_pydata(((points + (0.0, 0.0, LIFT)) / units.metres).tolist(), [], faces)
    mesh.materials.append(_material(mark.kind))
    obj = bpy.data.objects.new(mark.name, mesh)
    obj.location = units.point_to_blender(mark.position)
    obj[KEY] = json.dumps(
        {
            "kind": mark.kind,
            "ellipse": list(mark.ellipse),
            "path": path,
            "body": mark.body,
            "source": mark.source,
        }
    )
    obj.show_name = True
    scene.collection.objects.link(obj)
    return obj


def _ellipse(ellipse: tuple[float, float, float]) -> np.ndarray:
    """(n, 3) points of an ellipse about the origin, m."""
    a, b, angle = ellipse
    turn = np.linspace(0.0, 2.0 * math.pi, CORNERS, endpoint=False)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y = a * np.cos(turn), b * np.sin(turn)
    return np.column_stack([c * x - s * y, s * x + c * y, np.zeros(CORNERS)])


def _band(line: np.ndarray, width: float, closed: bool) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """((2 n, 3) points, faces) of a band of a width, m, along (n, 3) points, level across."""
    count = len(line)
    if closed:
        along = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    else:
        along = np.gradient(line, axis=0)
    aside = np.column_stack([-along[:, 1], along[:, 0], np.zeros(count)])
    aside *= 0.5 * width / np.maximum(np.linalg.norm(aside, axis=1), 1e-9)[:, None]
    pieces = count if closed else count - 1
    faces = [
        (k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(pieces)
    ]  # the right side first, so that faces look up
    return np.concatenate([line - aside, line + aside]), faces


def _material(kind: str) -> bpy.types.Material:
    """Plain material of a kind of mark, the same for all of them."""
    name = f"Mannequin Mark {kind}"
    made = bpy.data.materials.get(name)
    if made is None:
        made = bpy.data.materials.new(name)
        use_nodes(made)
        made.diffuse_color = (*COLOURS.get(kind, COLOURS["other"]), 1.0)
        shader = next(node for node in made.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        shader.inputs["Base Color"].default_value = made.diffuse_color
        shader.inputs["Roughness"].default_value = 0.8
    return made


def import_marks(path: str, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Objects of the marks of a file."""
    return [add_mark(mark, scene) for mark in read_marks(path)]


def marks_of_scene(scene: bpy.types.Scene) -> list[Mark]:
    """The marks of a scene, where their objects are."""
    units, marks = units_of(scene), []
    for obj in scene.objects:
        if KEY not in obj:
            continue
        kept = json.loads(obj[KEY])
        place = units.point_to_si(obj.matrix_world.translation)
        path = [tuple(float(x) for x in np.add(p, place)) for p in kept["path"]]
        position = tuple(float(x) for x in np.round(place, 6))
        marks.append(
            Mark(obj.name, kept["kind"], position, tuple(kept["ellipse"]), path, kept["body"], kept["source"])
        )
    return marks


def build_marks(scenario: Scenario, scene: bpy.types.Scene) -> None:
    """Objects of the marks that a scenario holds."""
    for mark in marks_of(scenario):
        add_mark(mark, scene)


def extras_with_marks(extras: dict[str, object], scene: bpy.types.Scene) -> dict[str, object]:
    """Extras of a scenario with the marks of the scene in place of those that it came with."""
    others = {key: value for key, value in extras.items() if key != MARKS}
    marks = marks_of_scene(scene)
    return others | ({MARKS: documents_of(marks)} if marks else {})


def remove_marks(scene: bpy.types.Scene) -> None:
    """Take all marks out of a scene."""
    for obj in [obj for obj in scene.objects if KEY in obj]:
        bpy.data.objects.remove(obj)


def mark_at_cursor(
    scene: bpy.types.Scene, name: str, kind: str, ellipse: Sequence[float], body: str, source: str
) -> bpy.types.Object:
    """New mark at the 3D cursor. Raises FileError where it makes no sense."""
    place = units_of(scene).point_to_si(scene.cursor.location)
    mark = Mark(name, kind, tuple(map(float, place)), tuple(map(as_typed, ellipse)), body=body, source=source)
    check([mark], "/marks")
    return add_mark(mark, scene)
