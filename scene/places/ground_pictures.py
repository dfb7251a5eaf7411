"""Plans and orthophotos on the ground, and distances with labels."""

from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

from ...places.camera.pictures import read_picture
from ...places.ground_pictures.georeference import GroundPicture, from_points, from_world_file
from ..base.errors import SceneError
from ..base.units import units_of

WORLD_FILES = (".tfw", ".jgw", ".pgw", ".wld", ".tifw", ".jpgw", ".pngw")
LABEL_SIZE = 0.15
"""m: height of the letters of a distance."""


def lay_picture(
    path: str,
    scene: bpy.types.Scene,
    pixels: tuple[tuple[float, float], tuple[float, float]] | None = None,
    ground: tuple[tuple[float, float], tuple[float, float]] | None = None,
    height: float = 0.0,
) -> tuple[bpy.types.Object, GroundPicture]:
    """New plane with a picture on it, to scale: from two points, or from the world file beside it."""
    size = read_picture(path).shape[1::-1]
    laid = from_points(np.array(pixels), np.array(ground)) if pixels else from_world_file(_world_file(path))
    units = units_of(scene)
    corners = np.column_stack([laid.corners(*size), np.full(4, height)]) / units.metres
    mesh = bpy.data.meshes.new(Path(path).stem)
    mesh.from_pydata(corners.tolist(), [], [(0, 1, 2, 3)])
    layer = mesh.uv_layers.new(name="UVMap")
    for loop, uv in zip(layer.data, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        loop.uv = uv
    mesh.materials.append(picture_material(path))
    obj = bpy.data.objects.new(Path(path).stem, mesh)
    obj["mannequin_metres_per_pixel"] = laid.metres_per_pixel
    scene.collection.objects.link(obj)
    return obj, laid


def _world_file(path: str) -> Path:
    found = [
        Path(path).with_suffix(ending) for ending in WORLD_FILES if Path(path).with_suffix(ending).exists()
    ]
    if not found:
        raise SceneError(
            f"'{Path(path).name}' has no world file beside it ({', '.join(WORLD_FILES)}): give two points"
        )
    return found[0]


def picture_material(path: str) -> bpy.types.Material:
    """Material that shows a picture, seen in Solid view with Texture colour and in renders."""
    material = bpy.data.materials.new(Path(path).stem)
    material.use_nodes = True
    tree = material.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Roughness"].default_value = 0.95
    image = tree.nodes.new("ShaderNodeTexImage")
    image.image = bpy.data.images.load(path, check_existing=True)
    tree.links.new(image.outputs["Color"], shader.inputs["Base Color"])
    tree.nodes.active = image
    return material


def measure_distance(first: Vector, second: Vector, scene: bpy.types.Scene) -> tuple[bpy.types.Object, float]:
    """New line between two places with its length as a label; returns the line and metres."""
    units = units_of(scene)
    metres = units.length_to_si((second - first).length)
    if metres <= 0.0:
        raise SceneError("the two places are the same: select two objects that are apart")
    mesh = bpy.data.meshes.new("Distance")
    mesh.from_pydata([tuple(first), tuple(second)], [(0, 1)], [])
    line = bpy.data.objects.new(f"Distance {metres:.3f} m", mesh)
    scene.collection.objects.link(line)
    text = bpy.data.curves.new("Distance", "FONT")
    text.body, text.size, text.align_x = f"{metres:.3f} m", units.length_to_blender(LABEL_SIZE), "CENTER"
    label = bpy.data.objects.new(f"{line.name} label", text)
    label.location = (first + second) / 2.0 + Vector((0.0, 0.0, units.length_to_blender(0.02)))
    label.parent = line
    scene.collection.objects.link(label)
    return line, metres
