"""Marks in Blender: an empty with its ellipse, kept with the scenario, read from and written to files of marks."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import bpy
import numpy as np

from ...engine.spec import Scenario
from ...io_json.marks import KEY as MARKS
from ...io_json.marks import KINDS, Mark, check, documents_of, marks_of, read_marks
from ..base.units import as_typed, units_of

KEY = "mannequin_mark"
"""Custom property of a mark's object: what the file holds besides its place, as JSON."""
CORNERS = 48
KIND_ITEMS = [(key, key.title(), meaning) for key, meaning in KINDS.meanings.items()]
"""Kinds of marks as Blender wants choices: key, label, tooltip."""


def add_mark(mark: Mark, scene: bpy.types.Scene) -> bpy.types.Object:
    """New object of a mark: its ellipse and its path as lines, its place the object's own."""
    units = units_of(scene)
    a, b, angle = mark.ellipse
    turn = np.linspace(0.0, 2.0 * math.pi, CORNERS, endpoint=False)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y = a * np.cos(turn), b * np.sin(turn)
    points = [tuple(p) for p in np.column_stack([c * x - s * y, s * x + c * y, np.full(CORNERS, 0.002)])]
    edges = [(k, (k + 1) % CORNERS) for k in range(CORNERS)]
    path = [tuple(np.subtract(p, mark.position)) for p in mark.path]
    edges += [(CORNERS + k, CORNERS + k + 1) for k in range(len(path) - 1)]
    mesh = bpy.data.meshes.new(mark.name)
    mesh.from_pydata((np.array([*points, *path]) / units.metres).tolist(), edges, [])
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
