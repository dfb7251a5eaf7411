"""Obstacles as mesh objects: planes, boxes, capsules and triangle meshes, built and read.

A box is a cube of edge two scaled to its half edges, a plane a square that stands for its endless plane, a capsule and
a mesh have a mesh of their own. Reading takes the evaluated mesh (modifiers included) and puts scale and shear into its
vertices, so that an unapplied scale is right. What a file said stands while the object is not changed.
"""

import dataclasses
import json
import math

import bpy
import numpy as np

from ...engine.maths.rotations import matrix_from_zyx, zyx_from_matrix
from ...engine.spec import Obstacle
from ...models.parts.shapes import sphere_geometry
from ..base.errors import SceneError
from ..base.frames import at_frames
from ..base.labels import set_label
from ..base.units import Units, first_frame, frame_of_time, time_of_frame, units_of
from ..rig.objects import evaluated_geometry
from ..rig.pose import Start, place_of
from ..store import fields
from .obstacle_start import kept_frame

PLANE_HALF_SIZE = 5.0
"""Metres: half edge of the square that stands for an endless plane."""
BOX_CORNERS = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
BOX_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def build_obstacle(obstacle: Obstacle, scene: bpy.types.Scene, units: Units) -> bpy.types.Object:
    """New object of an obstacle in the scene's collection."""
    obj = bpy.data.objects.new(obstacle.name, build_mesh(obstacle, units))
    scene.collection.objects.link(obj)
    obj.mannequin.kind = "OBSTACLE"
    group = obj.mannequin.obstacle
    group.from_file = True
    fields.write_group(group, obstacle, leave_out=("name",))
    set_label(obj, group, obstacle.name)
    obj.location = units.point_to_blender(obstacle.position)
    obj.rotation_mode = "XYZ"  # R = Rz Ry Rx, the format's ZYX
    obj.rotation_euler = [math.radians(float(a)) for a in obstacle.orientation[::-1]]
    if obstacle.shape == "box":
        obj.scale = units.point_to_blender(obstacle.half_size)
    return obj


def build_mesh(obstacle: Obstacle, units: Units) -> bpy.types.Mesh:
    """Mesh that shows an obstacle, in Blender units (a box: of edge two)."""
    mesh = bpy.data.meshes.new(obstacle.name)
    vertices, faces = obstacle_geometry(obstacle)
    if obstacle.shape != "box":
        vertices = np.asarray(vertices, dtype=float) / units.metres
    mesh.from_pydata(
        np.asarray(vertices, dtype=float).tolist(), [], [tuple(int(i) for i in f) for f in faces]
    )
    mesh.update()
    return mesh


def obstacle_geometry(obstacle: Obstacle) -> tuple[np.ndarray, list]:
    """Vertices (n, 3) in metres and faces of an obstacle; those of a box have half edges one."""
    if obstacle.shape == "mesh":
        return np.array(obstacle.vertices, dtype=float), list(obstacle.triangles)
    if obstacle.shape == "box":
        return np.array(BOX_CORNERS), BOX_FACES
    if obstacle.shape == "capsule":
        radius, _, half_length = (float(x) for x in obstacle.half_size)
        vertices, faces = sphere_geometry(32, 16)
        vertices = vertices * radius
        vertices[:, 2] += np.where(vertices[:, 2] >= 0.0, half_length, -half_length)
        return vertices, faces
    s = PLANE_HALF_SIZE
    return np.array([(-s, -s, 0.0), (s, -s, 0.0), (s, s, 0.0), (-s, s, 0.0)]), [(0, 1, 2, 3)]


def read_obstacle(obj: bpy.types.Object, name: str, scene: bpy.types.Scene, units: Units) -> Obstacle:
    """Obstacle of an object as it is seen at the current frame."""
    obstacle = fields.read_group(obj.mannequin.obstacle, Obstacle, leave_out=("name",))
    imported = bool(obj.mannequin.obstacle.original)
    obstacle.name = name
    vertices, triangles, frame = evaluated_geometry(obj, units)
    kept = kept_frame(obj)
    frame = frame if kept is None else kept
    if obj.mannequin.obstacle.recorded_motion:
        frame, obstacle.motion = read_recorded(obj)
    was = Start(obstacle.position, obstacle.orientation, {}) if imported else None
    obstacle.position, obstacle.orientation = place_of(frame, was)
    if obstacle.shape == "mesh":
        return read_mesh(obstacle, vertices, triangles)
    obstacle.vertices = obstacle.triangles = None
    if obstacle.shape in ("box", "capsule"):
        obstacle.half_size, centre = read_half_size(obstacle, vertices, obj, imported)
        if np.abs(centre).max() > 1e-6:
            moved = frame[:3, 3] + matrix_from_zyx(obstacle.orientation) @ centre
            obstacle.position = tuple(round(float(x), 7) + 0.0 for x in moved)
    return obstacle


def record_motion(obj: bpy.types.Object, scene: bpy.types.Scene, duration: float) -> int:
    """Keep an obstacle's animation from the first simulated frame on as its motion; returns the number of rows.

    A row has the time, the shift in the world (m) and the turn in the world since the first frame (Z, Y, X degrees).
    """
    if kept_frame(obj) is not None:
        raise SceneError(
            f"obstacle '{obj.name}' plays a baked motion: give it its own action again, then record"
        )
    units = units_of(scene)
    last = math.ceil(frame_of_time(duration, scene))
    frames = []
    for number in at_frames(scene, range(first_frame(scene), last + 1)):
        matrix = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
        frames.append((time_of_frame(number, scene), units.frame_to_si(matrix)))
    first = frames[0][1]
    rows = []
    for time, frame in frames:
        shift = frame[:3, 3] - first[:3, 3]
        turn = zyx_from_matrix(frame[:3, :3] @ first[:3, :3].T)
        rows.append([round(float(x), 6) + 0.0 for x in (time, *shift, *turn)])
    still = all(max(abs(x) for x in row[1:]) < 1e-5 for row in rows)
    if still:
        raise SceneError(
            f"obstacle '{obj.name}' does not move between its first frame and the end of the run"
        )
    obj.mannequin.obstacle.recorded_motion = json.dumps({"frame": first.tolist(), "rows": rows})
    return len(rows)


def read_recorded(obj: bpy.types.Object) -> tuple[np.ndarray, tuple[tuple[float, ...], ...]]:
    """Frame (4, 4) at the start and rows of an obstacle's recorded motion."""
    kept = json.loads(obj.mannequin.obstacle.recorded_motion)
    return np.array(kept["frame"]), tuple(tuple(row) for row in kept["rows"])


def read_mesh(obstacle: Obstacle, vertices: np.ndarray, triangles: np.ndarray) -> Obstacle:
    """Mesh obstacle; its own vertices, triangles and file stand while the shown ones are their rounding."""
    if obstacle.vertices is not None:
        was = np.array(obstacle.vertices, dtype=float)
        same = was.shape == vertices.shape and np.allclose(was, vertices, rtol=1e-6, atol=1e-6)
        if same and np.array_equal(np.array(obstacle.triangles), triangles):
            obstacle.vertices = was
            obstacle.triangles = np.array(obstacle.triangles)
            return obstacle
    return dataclasses.replace(
        obstacle, vertices=np.round(vertices, 7), triangles=triangles.astype(int), path=""
    )


def read_half_size(
    obstacle: Obstacle, vertices: np.ndarray, obj: bpy.types.Object, imported: bool
) -> tuple[tuple[float, float, float], np.ndarray]:
    """Half size (metres) of a box or capsule from the bounds of its mesh, and the centre of those bounds."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    half, centre = (high - low) / 2.0, (low + high) / 2.0
    if obstacle.shape == "capsule":
        if abs(half[0] - half[1]) > 1e-4 * half[0] or half[2] < half[0] * (1.0 - 1e-6):
            raise SceneError(
                f"obstacle '{obj.name}' is no capsule along its z axis: "
                "scale x and y equally, and make it longer than wide"
            )
        half = np.array([half[0], half[0], max(half[2] - half[0], 0.0)])
    was = obstacle.half_size if imported else (None,) * 3
    sizes = tuple(
        o if o is not None and abs(h - float(o)) < 2e-6 * max(1.0, h) else float(f"{h:.7g}")
        for h, o in zip(half, was, strict=True)
    )
    return sizes, centre
