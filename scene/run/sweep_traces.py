"""Results of a sweep, shown in the scene: ghosts, envelopes of paths, ellipses of rest places, first touches on bodies.

Ordinary Blender data in one collection per sweep, like what single runs leave (see `traces`).
"""

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..base.errors import SceneError
from ..base.units import Units, units_of
from ..scenario.scenario import scenario_names
from ..show.materials import material
from ..show.traces.body_surfaces import body_surfaces, mesh_object
from ..show.traces.collection import new_trace_collection, remove_trace, trace_collection
from ..show.traces.ghosts import ghost_material
from ..show.traces.marks import body_in_bone
from ..show.traces.paths import COLORS, THICKNESS, path_object
from .sweeps import chosen_values, open_folder, read_results, run_of_sweep

LIFT = 0.004
"""Metres above the ground, so that a line on it is seen."""
DOT, NEAR = 0.006, 0.03
"""Metres: radius of the dot of a first touch, and within which others count as near."""


def has_sweep_trace(scene: bpy.types.Scene, kind: str) -> bool:
    """Whether a kind is shown of the sweep in the panel."""
    folder = scene.mannequin.sweep.folder
    return bool(folder) and trace_collection(scene, open_folder(scene).name, kind) is not None


def toggle_sweep_trace(scene: bpy.types.Scene, kind: str) -> str:
    """Show a kind, or remove it where it is shown; returns a message."""
    name = open_folder(scene).name
    if remove_trace(scene, name, kind):
        return f"Removed {KINDS[kind][0].lower()}"
    made = KINDS[kind][1](scene)
    if not made:
        raise SceneError("the sweep kept nothing of this kind: run it again from the panel")
    new_trace_collection(scene, name, kind, made)
    return f"Added {len(made)} objects: {KINDS[kind][0].lower()}"


def sweep_paths(scene: bpy.types.Scene) -> tuple[Any, np.ndarray]:
    """Plan, and (runs, bodies, times, 3) paths, m."""
    from ...sweeps.table import read_traces

    plan, _ = read_results(scene)
    paths = read_traces(open_folder(scene))
    if paths is None:
        raise SceneError("the sweep kept no paths: name bodies under 'traces' in its file")
    return plan, paths


def make_envelopes(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """For each body with paths, its mean path and the tube that holds the share of the runs."""
    from ...sweeps.spread import tube

    plan, paths = sweep_paths(scene)
    metres, made = units_of(scene).metres, []
    for number, name in enumerate(plan.sweep.traces.bodies):
        color = COLORS[number % len(COLORS)]
        rings = tube(paths[:, number], scene.mannequin.sweep.share) / metres
        made.append(_tube_object(f"{name} envelope", rings))
        made.append(path_object(f"{name} mean path", rings.mean(axis=1), THICKNESS / metres, color))
    return made


def _tube_object(name: str, rings: np.ndarray) -> bpy.types.Object:
    count, sides = rings.shape[:2]
    faces = [
        (r * sides + k, r * sides + (k + 1) % sides, (r + 1) * sides + (k + 1) % sides, (r + 1) * sides + k)
        for r in range(count - 1)
        for k in range(sides)
    ]
    return mesh_object(name, rings.reshape(-1, 3), faces, ghost_material())


def make_rest_places(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """For each body with paths, where it came to lie in every run, and the ellipse that holds the share of them."""
    from ...sweeps.spread import ellipse, outline

    plan, paths = sweep_paths(scene)
    metres, made = units_of(scene).metres, []
    for number, name in enumerate(plan.sweep.traces.bodies):
        places = np.asarray(paths[:, number, -1], dtype=float)
        places = places[np.all(np.isfinite(places), axis=-1)]
        around = outline(*ellipse(places[:, :2], scene.mannequin.sweep.share), sides=64)
        ring = np.column_stack([around, np.full(len(around), LIFT)])
        color = COLORS[number % len(COLORS)]
        curve = path_object(f"{name} rest ellipse", ring / metres, THICKNESS / metres, color)
        curve.data.splines[0].use_cyclic_u = True
        dots = np.column_stack([places[:, :2], np.full(len(places), LIFT)])
        mesh = bpy.data.meshes.new(f"{name} rest places")
        mesh.from_pydata((dots / metres).tolist(), [], [])
        made += [curve, bpy.data.objects.new(f"{name} rest places", mesh)]
    return made


def make_first_touches(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Dots where bodies were first touched, one object per body, tied to its bone, coloured by their density."""
    plan, table = read_results(scene)
    units = units_of(scene)
    actors = {name: obj for obj, name in scenario_names(scene).items()}
    made = []
    for mark in plan.sweep.marks:
        names = np.array(table.texts[f"{mark.name} body"])
        points = np.column_stack([table.numbers[f"{mark.name} {axis}"] for axis in "xyz"])
        for name in sorted(set(names[names != ""].tolist())):
            actor, _, body = name.partition("/")
            obj = _dots_object(f"{mark.name} on {name}", points[names == name], units)
            owner = bpy.data.objects.get(actors.get(actor, ""))
            if body and owner is not None and body in owner.data.bones:
                _tie(obj, owner, body, units)
            made.append(obj)
    return made


def _tie(obj: bpy.types.Object, actor: bpy.types.Object, body: str, units: Units) -> None:
    """Hold an object whose data are in a body's frame by the body's bone."""
    obj.parent, obj.parent_type, obj.parent_bone = actor, "BONE", body
    obj.matrix_parent_inverse = Matrix.Identity(4)
    obj.matrix_basis = body_in_bone(actor.data.bones[body], units)


def _dots_object(name: str, points: np.ndarray, units: Units) -> bpy.types.Object:
    """A dot per point, with the density there as a colour attribute "density" from blue to red."""
    from ...sweeps.spread import density

    obj = dots_object(name, points / units.metres, DOT / units.metres)
    obj.data.materials.append(touch_material())
    share = np.repeat(density(points, NEAR), 6)
    colors = np.column_stack([share, 0.15 + 0.0 * share, 1.0 - share, np.ones(len(share))])
    attribute = obj.data.color_attributes.new("density", "FLOAT_COLOR", "POINT")
    attribute.data.foreach_set("color", colors.ravel())
    return obj


def dots_object(name: str, points: np.ndarray, radius: float) -> bpy.types.Object:
    """An octahedron at each of (n, 3) points, all in Blender units, without a material."""
    corners = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]) * radius
    sides = np.array([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]])
    faces = (6 * np.arange(len(points))[:, None, None] + sides).reshape(-1, 3)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((points[:, None] + corners).reshape(-1, 3).tolist(), [], faces.tolist())
    return bpy.data.objects.new(name, mesh)


def touch_material() -> bpy.types.Material:
    """Shows the colour attribute "density"."""
    made = material("First Touch", (0.8, 0.2, 0.1, 1.0), 0.6)
    nodes = made.node_tree.nodes
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    if shader is not None and "density" not in nodes:
        attribute = nodes.new("ShaderNodeAttribute")
        attribute.name = attribute.attribute_name = "density"
        made.node_tree.links.new(attribute.outputs["Color"], shader.inputs["Base Color"])
    return made


def make_sweep_ghosts(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The actors at the end of runs over the percentiles of the chosen measure, see-through, with the traced paths."""
    from ...sweeps.spread import runs_over

    plan, table = read_results(scene)
    metres, made = units_of(scene).metres, []
    for index in runs_over(chosen_values(scene, table), scene.mannequin.sweep.ghosts):
        run = run_of_sweep(scene, index)
        everybody = range(len(run.recording.body_names))
        points, faces = body_surfaces(run, everybody, run.recording.frames - 1)
        made.append(mesh_object(f"run {index}", points / metres, faces, ghost_material()))
        for number, name in enumerate(plan.sweep.traces.bodies if plan.sweep.traces else ()):
            actor, _, body = name.partition("/")
            path = run.recording.position[:, run.recording.body_index(actor, body)]
            color = COLORS[number % len(COLORS)]
            made.append(path_object(f"run {index} {name}", path / metres, 0.5 * THICKNESS / metres, color))
    return made


KINDS: dict[str, tuple[str, Callable[[bpy.types.Scene], list[bpy.types.Object]], str]] = {
    "envelopes": ("Envelopes", make_envelopes, "Tubes that hold the share of all paths, about the mean path"),
    "rest": (
        "Rest Ellipse",
        make_rest_places,
        "Where bodies came to lie, and the ellipse that holds the share",
    ),
    "touches": (
        "First Touches",
        make_first_touches,
        "Where bodies were first touched, coloured by how often",
    ),
    "ghosts": ("Ghosts", make_sweep_ghosts, "The ends of runs over the percentiles of the chosen measure"),
}
"""Kind to its label, its maker and its tooltip."""
