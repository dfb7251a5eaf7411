"""Paths of chosen bodies, or of each actor's centre of mass, as curves."""

from collections.abc import Iterator

import bpy
import numpy as np

from ....analysis.colors import PATHS, linear
from ....analysis.files.run_folder import Run
from ....analysis.measures.impact import body_label
from ....analysis.subjects import find_subjects
from ....analysis.time_map import TimeMap
from ....engine.runs.recording import Recording
from ...base.comma_list import comma_list
from ...base.units import units_of
from ..materials import material

THICKNESS = 0.006
"""Metres: radius of the line."""
COLORS = tuple(map(linear, PATHS))
MOST_POINTS = 2000


def make_paths(run: Run, scene: bpy.types.Scene, time_map: TimeMap) -> list[bpy.types.Object]:
    """One curve for each chosen body, not yet linked to a collection."""
    metres = units_of(scene).metres
    return [
        path_object(f"{label} path", points / metres, THICKNESS / metres, COLORS[number % len(COLORS)])
        for number, (label, points) in enumerate(
            chosen_paths(run.recording, scene.mannequin.traces.path_bodies)
        )
    ]


def chosen_paths(recording: Recording, names: str) -> Iterator[tuple[str, np.ndarray]]:
    """Label and (F, 3) points of centres of mass: of the bodies named, else of whole actors."""
    wanted = comma_list(names)
    if wanted:
        for body in find_subjects(recording, wanted)[0]:
            yield body_label(recording, body), recording.position[:, body]
        return
    for number, name in enumerate(recording.actor_names):
        bodies = np.flatnonzero(recording.body_actor == number)
        share = recording.body_mass[bodies] / recording.body_mass[bodies].sum()
        yield f"{name} centre of mass", np.einsum("b,fbi->fi", share, recording.position[:, bodies])


def path_object(
    name: str, points: np.ndarray, radius: float, color: tuple[float, float, float, float]
) -> bpy.types.Object:
    """Curve through (n, 3) points in Blender units."""
    return paths_object(name, points[None], radius, color)


def paths_object(
    name: str, paths: np.ndarray, radius: float, color: tuple[float, float, float, float]
) -> bpy.types.Object:
    """One object with a curve through each of (paths, n, 3) points in Blender units."""
    paths = paths[:, :: max(1, -(-paths.shape[1] // MOST_POINTS))]
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth, curve.use_fill_caps = "3D", radius, True
    for points in paths:
        spline = curve.splines.new("POLY")
        spline.points.add(len(points) - 1)
        spline.points.foreach_set("co", np.column_stack([points, np.ones(len(points))]).ravel())
    curve.materials.append(material(f"Path {COLORS.index(color) + 1}", color, 0.5))
    return bpy.data.objects.new(name, curve)
