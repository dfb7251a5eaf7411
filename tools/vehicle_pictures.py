"""Pictures of the generated vehicles for docs/vehicles.md: every class from the front and the rear, and contact zones.

    .venv/bin/python tools/vehicle_pictures.py [class ...]

Look at each before it is committed.
"""

import os
import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector
from PIL import Image

import mannequin
from mannequin.models.vehicles.form.contact import ZONES, contact_mesh
from mannequin.models.vehicles.form.styles import CLASSES
from mannequin.models.vehicles.light.kinds import LIGHT_VEHICLES
from mannequin.scene.scenario.new_vehicle import new_vehicle
from mannequin.scene.show.skin import make_skin

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images" / "vehicles"
SIZE = (560, 315)
SHADES = 192
LIGHT_SIZE = (560, 400)
LIGHT_VIEWS = {"front": (1.0, 0.75, 0.30), "side": (0.04, -1.0, 0.10)}
VIEWS = {"front": (1.05, 0.80, 0.26), "rear": (-1.05, 0.80, 0.30)}
COLORS = (
    (0.35, 0.35, 0.35), (0.90, 0.65, 0.15), (0.75, 0.25, 0.70), (0.25, 0.65, 0.85), (0.45, 0.40, 0.80),
    (0.30, 0.65, 0.25), (0.80, 0.12, 0.10), (0.90, 0.40, 0.20), (0.55, 0.35, 0.20), (0.75, 0.75, 0.72),
)  # fmt: skip
"""Of the contact zones, in their order."""


def empty_scene() -> bpy.types.Scene:
    """A scene with a grey ground, drawn by Workbench: quick, the same on every machine."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine, scene.display.render_aa = "BLENDER_WORKBENCH", "16"
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    shading = scene.display.shading
    shading.light, shading.color_type, shading.show_specular_highlight = "STUDIO", "MATERIAL", True
    scene.view_settings.view_transform = "Standard"
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.color = (0.80, 0.84, 0.88)
    bpy.ops.mesh.primitive_plane_add(size=400.0)
    ground = bpy.data.materials.new("Ground")
    ground.diffuse_color = (0.42, 0.43, 0.44, 1.0)
    bpy.context.object.data.materials.append(ground)
    return scene


def aim(scene: bpy.types.Scene, kind: str, view: str) -> None:
    """A camera that sees the whole vehicle."""
    vehicle = CLASSES[kind]
    height = vehicle.height + (0.6 if kind == "truck" else 0.0)
    target = Vector((0.5 * (vehicle.front + vehicle.rear), 0.0, 0.44 * height))
    place = target + Vector(VIEWS[view]).normalized() * 1.62 * max(vehicle.length, 2.2 * height)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.location, camera.data.lens = place, 46.0
    camera.rotation_euler = (target - place).to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera


def aim_light(scene: bpy.types.Scene, kind: str, view: str) -> None:
    """A camera that sees the whole two-wheeler, wheelchair or pram."""
    vehicle = LIGHT_VEHICLES[kind]
    high = max(vehicle.bar_height, vehicle.seat_height) + (0.2 if vehicle.is_ridden else 0.05)
    long = vehicle.wheelbase + vehicle.front_radius + vehicle.rear_radius + 0.1
    target = Vector((0.02, 0.0, 0.46 * high))
    place = target + Vector(LIGHT_VIEWS[view]).normalized() * 1.72 * max(long, 1.35 * high)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.location, camera.data.lens = place, 46.0
    camera.rotation_euler = (target - place).to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera


def render(scene: bpy.types.Scene, path: Path) -> None:
    """Write a picture, in few colours so that it is small."""
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    Image.open(path).convert("RGB").quantize(SHADES).save(path, optimize=True)


def add_zones(kind: str) -> None:
    """The contact mesh of a class, grown to the surface, a colour per zone."""
    mesh = contact_mesh(CLASSES[kind])
    points, triangles = np.array(mesh.vertices), np.array(mesh.triangles)
    corners = points[triangles]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, triangles[:, k], area)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    shown = bpy.data.meshes.new("Zones")
    shown.from_pydata((points + np.array(mesh.depth)[:, None] * normals).tolist(), [], triangles.tolist())
    for name, color in zip(ZONES, COLORS, strict=True):
        made = bpy.data.materials.new(name)
        made.diffuse_color = (*color, 1.0)
        shown.materials.append(made)
    shown.polygons.foreach_set("material_index", np.array(mesh.zone_of, dtype=np.int32))
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Zones", shown))


def main(folder: Path, kinds: list[str]) -> None:
    """Pictures of some classes, and of the contact zones where all are asked for or the saloon is."""
    folder.mkdir(parents=True, exist_ok=True)
    mannequin.register()
    for kind in LIGHT_VEHICLES:
        if kind in kinds:
            scene = empty_scene()
            scene.render.resolution_x, scene.render.resolution_y = LIGHT_SIZE
            make_skin(new_vehicle(kind, scene), scene)
            for view in LIGHT_VIEWS:
                aim_light(scene, kind, view)
                render(scene, folder / f"{kind}_{view}.png")
    for kind in CLASSES:
        if kind not in kinds:
            continue
        scene = empty_scene()
        actor = new_vehicle(kind, scene)
        make_skin(actor, scene)
        for view in VIEWS:
            aim(scene, kind, view)
            render(scene, folder / f"{kind}_{view}.png")
    if "saloon" not in kinds:
        return
    scene = empty_scene()
    add_zones("saloon")
    aim(scene, "saloon", "front")
    render(scene, folder / "saloon_zones.png")


if __name__ == "__main__":
    main(FOLDER, sys.argv[1:] or [*CLASSES, *LIGHT_VEHICLES])
    sys.stdout.flush()
    os._exit(0)
