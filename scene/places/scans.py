"""Scans in Blender: a cloud as points, the ground from it as an obstacle, surfaces by painted material."""

import json
from pathlib import Path

import bpy
import numpy as np

from ...models.parts.surfaces import SURFACES, surface
from ...places.scans.cloud import UNITS, UP_AXES
from ...places.scans.ground import Ground, ground_of, mesh_of
from ...places.scans.meshes import read_scan_mesh
from ...places.scans.readers import read_cloud
from ..base.errors import SceneError
from ..base.units import units_of
from ..rig.objects import mesh_points
from ..scenario.environment import add_obstacles
from ..store import fields
from .looks import surface_look

FACTS = "mannequin_scan"
"""Custom property of a cloud's or a ground's object: what is known of it, as JSON."""
UNIT_ITEMS = [(key, key, meaning) for key, meaning in UNITS.meanings.items()]
UP_ITEMS = [(key, key.upper(), meaning) for key, meaning in UP_AXES.meanings.items()]
SURFACE_ITEMS = [(key, key.replace("_", " ").title(), kind.source) for key, kind in SURFACES.items()]
"""Choices as Blender wants them: key, label, tooltip."""
CLOUDS = {".las", ".laz", ".e57", ".xyz", ".csv", ".txt", ".pts"}


def import_scan(
    path: str, scene: bpy.types.Scene, voxel: float = 0.02, unit: str = "m", up: str = "z"
) -> bpy.types.Object:
    """New object of a scan: a mesh of points with colours for a cloud, a mesh with faces for a mesh file."""
    if Path(path).suffix.lower() in CLOUDS or _is_cloud(path):
        return _cloud_object(path, scene, voxel, unit, up)
    points, triangles = read_scan_mesh(path, unit, up)
    mesh = bpy.data.meshes.new(Path(path).stem)
    mesh.from_pydata((points / units_of(scene).metres).tolist(), [], triangles.tolist())
    return _linked(mesh, scene, {"source": Path(path).name, "unit": unit, "up": up})


def _is_cloud(path: str) -> bool:
    """Whether a PLY file has no faces."""
    if Path(path).suffix.lower() != ".ply":
        return False
    with open(path, "rb") as file:
        head = file.read(64 * 1024).partition(b"end_header")[0]
    return b"element face" not in head or b"element face 0" in head


def _cloud_object(path: str, scene: bpy.types.Scene, voxel: float, unit: str, up: str) -> bpy.types.Object:
    cloud = read_cloud(path, voxel, unit, up)
    mesh = bpy.data.meshes.new(Path(path).stem)
    mesh.vertices.add(len(cloud.points))
    mesh.vertices.foreach_set("co", (cloud.points / units_of(scene).metres).astype(np.float32).ravel())
    if cloud.colours is not None:
        colours = mesh.attributes.new("Color", "BYTE_COLOR", "POINT")
        full = np.column_stack([cloud.colours / 255.0, np.ones(len(cloud.points))]).astype(np.float32)
        colours.data.foreach_set("color_srgb", full.ravel())
    mesh.update()
    return _linked(mesh, scene, cloud.facts())


def _linked(mesh: bpy.types.Mesh, scene: bpy.types.Scene, facts: dict[str, object]) -> bpy.types.Object:
    obj = bpy.data.objects.new(mesh.name, mesh)
    obj[FACTS] = json.dumps(facts)
    scene.collection.objects.link(obj)
    return obj


def is_scan(obj: bpy.types.Object | None) -> bool:
    """Whether an object is a mesh with points to make a ground from."""
    return obj is not None and obj.type == "MESH" and FACTS in obj


def ground_from_scan(
    obj: bpy.types.Object, scene: bpy.types.Scene, cell: float = 0.1, step: float = 0.25
) -> tuple[bpy.types.Object, Ground]:
    """New obstacle: the ground under a scan's points, closed below; holes have a material of their own, red."""
    if not is_scan(obj):
        raise SceneError("select a scan that was imported")
    units = units_of(scene)
    matrix = np.array(obj.matrix_world)
    world = mesh_points(obj.data) @ matrix[:3, :3].T + matrix[:3, 3]
    ground = ground_of(units.points_to_si(world), cell, step)
    vertices, triangles = mesh_of(ground)
    mesh = bpy.data.meshes.new(f"{obj.name} ground")
    mesh.from_pydata((vertices / units.metres).tolist(), [], triangles.tolist())
    _show_holes(mesh, ground)
    made = _linked(mesh, scene, json.loads(obj[FACTS]) | ground.facts())
    add_obstacles([made], "mesh", scene)
    made.mannequin.obstacle.source = (
        f"Ground of {json.loads(obj[FACTS])['source']}: median error {1e3 * ground.median_error:.1f} mm, "
        f"95 % within {1e3 * ground.error_95:.1f} mm, {ground.hole_area:.2f} m2 of holes filled"
    )
    return made, ground


def _show_holes(mesh: bpy.types.Mesh, ground: Ground) -> None:
    """Give faces at nodes without points a red material."""
    for name, colour in (("Ground", (0.3, 0.3, 0.3, 1.0)), ("Ground Without Points", (0.8, 0.05, 0.05, 1.0))):
        material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
        material.diffuse_color = colour
        mesh.materials.append(material)
    nx, ny = ground.heights.shape
    hole = ground.holes
    square = hole[:-1, :-1] | hole[1:, :-1] | hole[1:, 1:] | hole[:-1, 1:]
    index = np.zeros(len(mesh.polygons), dtype=np.int32)
    count = (nx - 1) * (ny - 1)
    index[:count], index[count : 2 * count] = square.ravel(), square.ravel()
    mesh.polygons.foreach_set("material_index", index)


def surface_material(name: str, scene: bpy.types.Scene) -> bpy.types.Material:
    """Material for painting faces with a surface: its name says which."""
    if name not in SURFACES:
        raise SceneError(f"there is no surface '{name}': choose one of {', '.join(SURFACES)}")
    return surface_look(name, scene, title=name)


def split_by_surface(obj: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """One obstacle for each material of a mesh's faces; materials named after a surface give it its friction."""
    mesh = obj.data
    index = np.zeros(len(mesh.polygons), dtype=np.int32)
    mesh.polygons.foreach_get("material_index", index)
    names = [slot.material.name if slot.material else "" for slot in obj.material_slots]
    made = []
    for number in np.unique(index):
        name = names[number] if number < len(names) else ""
        part = bpy.data.objects.new(f"{obj.name} {name}".strip(), _part_of(mesh, index == number))
        part.matrix_world = obj.matrix_world.copy()
        if name and bpy.data.materials.get(name):
            part.data.materials.append(bpy.data.materials[name])
        scene.collection.objects.link(part)
        add_obstacles([part], "mesh", scene)
        if name in SURFACES:
            group = part.mannequin.obstacle
            group.use_material = True
            fields.write_group(group.material, surface(name))
            group.source = SURFACES[name].source
        made.append(part)
    if obj.mannequin.kind == "OBSTACLE":
        obj.mannequin.kind = "NONE"
    obj.hide_set(True)
    obj.hide_render = True
    return made


def _part_of(mesh: bpy.types.Mesh, chosen: np.ndarray) -> bpy.types.Mesh:
    """New mesh of some faces."""
    faces = [tuple(mesh.polygons[i].vertices) for i in np.flatnonzero(chosen)]
    used = sorted({corner for face in faces for corner in face})
    number = {corner: k for k, corner in enumerate(used)}
    part = bpy.data.meshes.new(mesh.name)
    part.from_pydata(
        [tuple(mesh.vertices[i].co) for i in used], [], [tuple(number[c] for c in f) for f in faces]
    )
    part.update()
    return part
