"""Render a small picture of every asset into scene/assets/pictures; look at each before committing.

.venv/bin/python tools/asset_pictures.py [NAME ...]
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import bpy
from mathutils import Vector
from PIL import Image

SIZE = 128
LARGEST = 8_000
"""Bytes of a picture."""
VIEW = Vector((1.0, 0.75, 0.35)).normalized()
"""From the middle of the asset towards the camera."""


def empty_scene() -> bpy.types.Scene:
    """A scene drawn by Workbench."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.render.engine, scene.display.render_aa = "BLENDER_WORKBENCH", "16"
    scene.render.resolution_x = scene.render.resolution_y = 2 * SIZE
    shading = scene.display.shading
    shading.light, shading.color_type, shading.show_cavity = "STUDIO", "MATERIAL", True
    scene.view_settings.view_transform = "Standard"
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.color = (0.45, 0.48, 0.52)
    return scene


def aim(scene: bpy.types.Scene) -> None:
    """An orthographic camera that sees all that is drawn."""
    corners = [
        obj.matrix_world @ Vector(corner)
        for obj in scene.objects
        if obj.type in {"MESH", "CURVE"} and not obj.hide_render and obj.visible_get()
        for corner in obj.bound_box
    ]
    low, high = (Vector(map(pick, zip(*corners, strict=True))) for pick in (min, max))
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    turn = VIEW.to_track_quat("Z", "Y")
    seen = [turn.inverted() @ (corner - (low + high) / 2.0) for corner in corners]
    camera.data.type = "ORTHO"
    camera.data.ortho_scale = 2.1 * max(max(abs(p.x), abs(p.y)) for p in seen)
    camera.rotation_euler = turn.to_euler()
    camera.location = (low + high) / 2.0 + 100.0 * VIEW
    camera.data.clip_end = 1000.0
    scene.camera = camera


def make_picture(name: str, folder: Path) -> None:
    """One asset in an empty scene."""
    from mannequin.scene.assets.catalogue import ASSETS, picture_path

    scene, asset = empty_scene(), ASSETS[name]
    getattr(bpy.ops.mannequin, asset.operator)(**asset.arguments)
    bpy.context.view_layer.update()
    aim(scene)
    scene.render.filepath = str(folder / "picture.png")
    bpy.ops.render.render(write_still=True)
    target = picture_path(name)
    target.parent.mkdir(exist_ok=True)
    with Image.open(scene.render.filepath) as picture:
        small = picture.convert("RGB").resize((SIZE, SIZE), Image.Resampling.LANCZOS)
    small.save(target, quality=82, optimize=True)
    assert target.stat().st_size < LARGEST, f"{target} is too large"
    print(name, f"{target.stat().st_size} B", flush=True)


def main() -> None:
    """Render the named assets, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="assets (all)")
    args = parser.parse_args()

    import mannequin
    from mannequin.scene.assets.catalogue import ASSETS

    mannequin.register()
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names or ASSETS:
            make_picture(name, Path(folder))


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Blender's own clean-up can hang
