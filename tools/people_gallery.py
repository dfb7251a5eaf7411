"""Render contact sheets of thirty people into docs/images/people; look at each before committing.

.venv/bin/python tools/people_gallery.py [--samples N] [SHEET ...]

Everybody is made by the operator Add Person, as a user would, and rendered by Cycles; the sheets of the court look and
of bent joints by Workbench. Sheets: adults, ages, builds, clothes, things, faces, bent, court.
"""

import argparse
import csv
import math
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "images" / "people"
WIDTH, HEIGHT = 180, 330
QUALITY = 88
"""Of JPEG."""

COLORS = {
    "brown": (0.05, 0.03, 0.018),
    "black": (0.012, 0.009, 0.008),
    "blond": (0.32, 0.2, 0.085),
    "grey": (0.5, 0.49, 0.47),
    "red": (0.16, 0.05, 0.018),
    "blue": (0.1, 0.17, 0.36),
    "green": (0.09, 0.2, 0.12),
    "wine": (0.28, 0.05, 0.08),
    "sand": (0.33, 0.26, 0.16),
    "white": (0.62, 0.62, 0.6),
    "dark": (0.03, 0.033, 0.045),
}
TABLE = Path(__file__).with_suffix(".csv")


def value_of(name: str, cell: str) -> object:
    """An argument of Add Person as the table has it."""
    if name.endswith("_color"):
        return COLORS[cell]
    if name in ("sex", "age", "height", "mass", "build"):
        return float(cell)
    return True if cell == "yes" else cell


def people_of(table: Path) -> dict[str, list[dict[str, object]]]:
    """Sheet to the arguments of Add Person of its people; an empty cell leaves what Add Person does by itself."""
    sheets: dict[str, list[dict[str, object]]] = {}
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            sheet = sheets.setdefault(row.pop("sheet"), [])
            sheet.append({name: value_of(name, cell) for name, cell in row.items() if cell})
    return sheets


PEOPLE = people_of(TABLE)
"""Thirty people, six to a sheet."""
BENT = {
    "UpperArmL": ((1.0, 0.0, 0.0), 110.0),
    "UpperArmR": ((0.0, 1.0, 0.0), -70.0),
    "ForearmR": ((0.0, 1.0, 0.0), -110.0),
    "ThighL": ((0.0, 1.0, 0.0), -110.0),
    "ShankL": ((0.0, 1.0, 0.0), 110.0),
}
"""Body to the axis of the actor and the degrees by which it is turned."""
EASE = {
    "UpperArmL": ((1.0, 0.0, 0.0), 9.0),
    "UpperArmR": ((1.0, 0.0, 0.0), -9.0),
    "ForearmL": ((0.0, 1.0, 0.0), -14.0),
    "ForearmR": ((0.0, 1.0, 0.0), -14.0),
}


def set_light(scene, samples: int) -> None:
    """Sun, sky and ground for Cycles; studio light for Workbench where no samples are asked for."""
    import bpy

    corners = [(-30.0, -30.0, 0.0), (30.0, -30.0, 0.0), (30.0, 30.0, 0.0), (-30.0, 30.0, 0.0)]
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    scene.collection.objects.link(bpy.data.objects.new("Ground", mesh))
    scene.render.film_transparent = False
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.color = (0.55, 0.60, 0.66)
    if not samples:
        scene.render.engine = "BLENDER_WORKBENCH"
        shading = scene.display.shading
        shading.light, shading.color_type, shading.show_cavity = "STUDIO", "MATERIAL", True
        shading.show_shadows, shading.background_type = True, "WORLD"
        return
    from mannequin.scene.base.blender_version import use_nodes

    use_nodes(scene.world)
    background = next(node for node in scene.world.node_tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = (0.58, 0.64, 0.70, 1.0)
    background.inputs["Strength"].default_value = 0.75
    light = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.angle = 2.2, 0.2
    sun = bpy.data.objects.new("Sun", light)
    sun.rotation_euler = (math.radians(38.0), math.radians(28.0), math.radians(20.0))
    scene.collection.objects.link(sun)
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = samples, True, 3
    scene.render.use_persistent_data = True


def aim(scene, target, distance: float, angle: float, lens: float) -> None:
    """A camera that looks at a place from a direction, degrees from straight ahead of the person."""
    import bpy
    from mathutils import Vector

    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    camera.data.lens = lens
    turn = math.radians(angle)
    away = Vector((math.cos(turn), math.sin(turn), 0.10)) * distance
    camera.location = Vector(target) + away
    camera.rotation_euler = (-away).to_track_quat("-Z", "Y").to_euler()


def pose(actor, turns: dict) -> None:
    """Turn bodies about axes of the actor at rest."""
    from mathutils import Quaternion

    for body, (axis, degrees) in turns.items():
        bone = actor.pose.bones[body]
        bone.rotation_mode = "QUATERNION"
        rest = bone.bone.matrix_local.to_quaternion()
        bone.rotation_quaternion = rest.inverted() @ Quaternion(axis, math.radians(degrees)) @ rest


def picture(person: dict, sheet: str, samples: int, target: Path) -> None:
    """One person, rendered into a file."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    set_light(scene, samples)
    bpy.ops.mannequin.add_person(name="Person", **person, court=sheet == "court")
    actor = bpy.data.objects["Person"]
    pose(actor, BENT if sheet == "bent" else EASE)
    height = person["height"]
    if sheet == "faces":
        head = actor.data.bones["head"].head_local.z
        aim(scene, (0.05 * height / 1.75, 0.0, head + 0.022 * height), 0.62 * height, 22.0, 85.0)
        scene.render.resolution_x, scene.render.resolution_y = 260, 300
    else:
        aim(scene, (0.0, 0.0, 0.50 * height), 2.15 * height, 28.0, 62.0)
        scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
    scene.render.resolution_percentage = 100
    scene.render.filepath = str(target)
    bpy.ops.render.render(write_still=True)


def make_sheet(sheet: str, samples: int) -> Path:
    """A row of six people."""
    from PIL import Image

    everybody = [person for people in PEOPLE.values() for person in people]
    people = PEOPLE.get(sheet) or [everybody[k] for k in (0, 3, 7, 10, 14, 11)]
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        for number, person in enumerate(people):
            target = Path(folder) / f"{number}.png"
            picture(person, sheet, 0 if sheet in ("bent", "court") else samples, target)
            pictures.append(Image.open(target).convert("RGB"))
    wide, high = pictures[0].size
    whole = Image.new("RGB", (wide * len(pictures), high))
    for number, one in enumerate(pictures):
        whole.paste(one, (number * wide, 0))
    FOLDER.mkdir(parents=True, exist_ok=True)
    target = FOLDER / f"{sheet}.jpg"
    whole.save(target, quality=QUALITY, optimize=True)
    return target


def main() -> int:
    """Render the sheets that are asked for, or all."""
    parser = argparse.ArgumentParser(description="Render the gallery of people.")
    parser.add_argument("sheets", nargs="*", metavar="SHEET")
    parser.add_argument("--samples", type=int, default=12, help="of Cycles for each pixel")
    arguments = parser.parse_args()
    import mannequin

    mannequin.register()
    for sheet in arguments.sheets or [*PEOPLE, "faces", "bent", "court"]:
        target = make_sheet(sheet, arguments.samples)
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1000:.0f} kB", flush=True)
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # Blender may hang in its own clean-up at the interpreter's exit
