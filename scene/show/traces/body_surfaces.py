"""Contact surfaces of bodies at an output time, as meshes."""

from collections.abc import Sequence
from functools import cache

import bpy
import numpy as np

from ....analysis.files.run_folder import Run

RINGS, SIDES = 8, 12
"""Of the sphere that an ellipsoid is drawn as."""


def body_surfaces(run: Run, bodies: Sequence[int], frame: int) -> tuple[np.ndarray, list[list[int]]]:
    """Points (n, 3), m, and faces of the ellipsoids of bodies, by their numbers in the recording."""
    recording = run.recording
    sphere, quads = _sphere()
    points, faces = [np.empty((0, 3))], []
    for actor in run.scenario.actors:
        for body in actor.model.bodies:
            index = recording.body_index(actor.name, body.name)
            if index not in bodies:
                continue
            turn, origin = recording.rotation(index)[frame], recording.origin(index)[frame]
            for ellipsoid in body.ellipsoids:
                local = sphere * np.asarray(ellipsoid.semi_axes, dtype=float)
                local = local @ np.asarray(ellipsoid.orientation).T + np.asarray(ellipsoid.position)
                faces += (quads + len(sphere) * (len(points) - 1)).tolist()
                points.append(local @ turn.T + origin)
    return np.concatenate(points), faces


@cache
def _sphere() -> tuple[np.ndarray, np.ndarray]:
    """Points and quads of a unit sphere; at the poles quads have two corners in one place."""
    polar = np.linspace(0.0, np.pi, RINGS + 1)
    around = np.arange(SIDES) * 2.0 * np.pi / SIDES
    grid = [(np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)) for p in polar for a in around]
    quads = [
        (r * SIDES + k, (r + 1) * SIDES + k, (r + 1) * SIDES + n, r * SIDES + n)
        for r in range(RINGS)
        for k in range(SIDES)
        for n in ((k + 1) % SIDES,)
    ]
    return np.array(grid), np.array(quads)


def mesh_object(name: str, points: np.ndarray, faces: list, made_of: bpy.types.Material) -> bpy.types.Object:
    """An object of points in Blender units and faces, not yet linked to a collection."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.materials.append(made_of)
    return bpy.data.objects.new(name, mesh)
