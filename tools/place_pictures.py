"""Make the pictures of docs/cameras.md and docs/places.md, in docs/images/places.

    .venv/bin/python tools/place_pictures.py

Everything in them is computed here: a photograph that a known camera takes of ready-made obstacles, the camera
matched to it, people in it, a scan of a street and its ground, what a neighbour sees. Look at each after making it.
"""

import json
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "images" / "places"
SIZE = (960, 540)
TILE, COLUMNS = (400, 300), 4
"""Pixels of a picture on a sheet, and how many stand in a row."""
WIDER = 0.8
"""Focal length of the rendered picture over that of the photograph, whose lens draws more at its edges."""


def workbench(scene: bpy.types.Scene) -> None:
    """Small pictures that render anywhere."""
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.display.shading.light = "STUDIO"
    scene.display.shading.color_type = "MATERIAL"
    scene.display.shading.show_shadows = True
    scene.display.shading.show_cavity = True


def daylight(scene: bpy.types.Scene, size: tuple[int, int] = TILE, samples: int = 24) -> None:
    """Cycles with the sun and the sky of a film's stage."""
    from mannequin.scene.film.light import add_sun, set_sky

    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = samples, True
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.world = None
    add_sun(scene, "day")
    set_sky(scene, "day")
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.exposure = 0.4


def render(scene: bpy.types.Scene, path: Path) -> None:
    """Render one still of the scene into a file."""
    scene.render.filepath = str(path)
    scene.render.image_settings.file_format = "PNG"
    bpy.ops.render.render(write_still=True)


def fresh() -> bpy.types.Scene:
    """An empty scene with Mannequin in it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.mannequin.settings.ground = False
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.color = (0.45, 0.6, 0.75)
    return scene


def add_camera(scene: bpy.types.Scene, place: tuple, target: tuple, lens: float = 32.0) -> bpy.types.Object:
    """A camera that looks at a target."""
    from mathutils import Vector

    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.location, camera.data.lens = place, lens
    camera.rotation_euler = (Vector(target) - Vector(place)).to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera
    return camera


READY_MADE = {
    "road": ((-7.0, -9.5, 3.6), (0.0, 0.0, 0.0), 28.0),
    "junction": ((-13.0, -15.0, 9.0), (0.0, 0.0, 0.0), 28.0),
    "kerb": ((-1.6, -2.6, 1.0), (0.3, 0.0, 0.05), 32.0),
    "stair": ((5.6, -4.2, 2.2), (1.3, 0.0, 0.9), 32.0),
    "staircase": ((6.6, -4.8, 2.4), (1.9, 0.0, 1.3), 28.0),
    "bath": ((1.5, -2.4, 1.7), (0.0, -0.2, 0.25), 30.0),
    "bed": ((2.0, -2.4, 1.4), (0.0, 0.0, 0.25), 32.0),
    "chair": ((1.3, -1.3, 1.0), (0.0, 0.0, 0.42), 38.0),
    "scaffold": ((0.2, -8.0, 2.4), (2.4, 0.4, 2.3), 28.0),
    "balcony": ((6.0, -5.0, 3.6), (0.4, 0.0, 3.1), 32.0),
    "ladder": ((-3.4, -4.8, 1.7), (0.6, 0.2, 1.9), 30.0),
}
"""Name of a thing to where its picture is taken from, what it looks at, and the lens in mm."""


def ready_made_picture(folder: Path) -> None:
    """Each ready-made thing as a film shows it, on one sheet."""
    tiles = [ready_made_tile(name, *view, folder) for name, view in READY_MADE.items()]
    tiles.append(painted_ground_tile(folder))
    rows = [np.concatenate(tiles[k : k + COLUMNS], axis=1) for k in range(0, len(tiles), COLUMNS)]
    write_jpeg(FOLDER / "ready_made.jpg", np.concatenate(rows))


def ready_made_tile(name: str, place: tuple, target: tuple, lens: float, folder: Path) -> np.ndarray:
    """One of them, on the ground that goes with it."""
    scene = fresh()
    lowered = -0.205 if name in ("road", "junction") else -0.001 if name != "bath" else -0.101
    add_plane(scene, 200.0, lowered, "grass" if name in ("road", "junction") else "paving")
    bpy.ops.mannequin.add_ready_made(obstacle=name)
    if name == "ladder":
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=(1.3, 0.0, 2.2))
        bpy.context.object.scale = (0.3, 3.0, 4.4)
        paint_with(bpy.context.object, "concrete")
    return tile(scene, place, target, lens, folder)


def painted_ground_tile(folder: Path) -> np.ndarray:
    """The ground of a scan, its faces painted with asphalt, kerb stone and grass, and parted."""
    from mannequin.scene.places.scans import surface_material

    scene, ops = fresh(), bpy.ops.mannequin
    scans = synthetic_scans()
    scans.write_las(folder / "street.laz", scans.street(60_000)[0])
    ops.import_scan(filepath=str(folder / "street.laz"), voxel=0.02)
    cloud = bpy.context.object
    ops.ground_from_scan(cell=0.05)
    cloud.hide_render = True
    mesh = bpy.context.object.data
    mesh.materials.clear()
    for name in ("asphalt_dry", "kerb_stone", "grass"):
        mesh.materials.append(surface_material(name, scene))
    for polygon in mesh.polygons:
        polygon.material_index = int(polygon.center.x > -0.03) + int(polygon.center.x > 0.15)
    ops.split_by_surface()
    return tile(scene, (-2.6, -3.6, 1.8), (0.0, 0.0, 0.0), 32.0, folder)


def tile(scene: bpy.types.Scene, place: tuple, target: tuple, lens: float, folder: Path) -> np.ndarray:
    """(h, w, 3) of a scene in daylight."""
    from mannequin.places.camera.pictures import read_picture

    add_camera(scene, place, target, lens)
    daylight(scene)
    render(scene, folder / "tile.png")
    return read_picture(folder / "tile.png")


def add_plane(scene: bpy.types.Scene, size: float, height: float, surface: str) -> None:
    """Ground of a surface to stand things on."""
    bpy.ops.mesh.primitive_plane_add(size=size, location=(0.0, 0.0, height))
    paint_with(bpy.context.object, surface)


def paint_with(obj: bpy.types.Object, surface: str) -> None:
    """Give an object the look of a surface."""
    from mannequin.scene.places.looks import surface_look

    obj.data.materials.append(surface_look(surface, bpy.context.scene))


def write_jpeg(path: Path, picture: np.ndarray) -> None:
    """Write (h, w, 3) bytes by Blender."""
    height, width = picture.shape[:2]
    image = bpy.data.images.new("sheet", width, height)
    full = np.dstack([picture[::-1] / 255.0, np.ones((height, width))]).astype(np.float32)
    image.pixels.foreach_set(full.ravel())
    image.filepath_raw, image.file_format = str(path), "JPEG"
    image.save(quality=82)


def synthetic_scans():
    """The tests' maker of scans."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    import synthetic_scans as scans

    return scans


def street_scene() -> bpy.types.Scene:
    """A crossing with a man who has fallen to his side, and marks."""
    scene, ops = fresh(), bpy.ops.mannequin
    scene.cursor.location = (0, 0, 0)
    ops.add_ready_made(obstacle="road")
    workbench(scene)
    return scene


def camera_pictures(folder: Path) -> None:
    """A photograph with distortion, its marks, and the overlay of a man in it."""
    from mannequin.places.camera.example import example
    from mannequin.places.camera.lens import Camera, undistorted
    from mannequin.places.camera.match import match_camera
    from mannequin.places.camera.pictures import read_picture, sampled, with_marks, write_picture
    from mannequin.places.camera.sightings import MarkedPoint, Sightings
    from mannequin.scene.places.camera_match import place_camera

    scene = street_scene()
    known, _ = example()
    focal = known.focal_px * SIZE[0] / known.size_px[0]
    middle = (SIZE[0] / 2, SIZE[1] / 2)
    true = Camera("street", (-4.0, -7.5, 3.2), known.rotation, focal, middle, SIZE, "", (-0.2, 0.04))
    taker = add_camera(scene, (0, 0, 1), (0, 1, 1))
    wide = replace(true, focal_px=WIDER * true.focal_px, distortion=(0.0, 0.0))
    place_camera(taker, wide, scene)
    add_plane(scene, 200.0, -0.205, "grass")
    lawn = bpy.context.object
    daylight(scene, SIZE, 32)
    render(scene, folder / "flat.png")
    lawn.hide_render = True
    workbench(scene)
    flat = read_picture(folder / "flat.png")
    rows, columns = np.mgrid[0 : SIZE[1], 0 : SIZE[0]] + 0.5
    drawn = (np.stack([columns, rows], axis=-1) - true.center_px) / true.focal_px
    source = undistorted(drawn.reshape(-1, 2), true.distortion).reshape(drawn.shape)
    hidden = np.isnan(source).any(axis=-1)
    photograph = sampled(flat, np.nan_to_num(source) * wide.focal_px + true.center_px - 0.5, hidden)
    write_picture(folder / "photograph.png", photograph)
    corners = [
        (obj.matrix_world @ obj.data.vertices[k].co)[:]
        for obj in scene.objects
        if obj.mannequin.kind == "OBSTACLE" and obj.name.startswith(("bar", "line"))
        for k in (1, 3, 5, 7)
    ] + [(x, y, 0.12) for x in (-6.0, -3.0, 0.0, 3.0, 6.0) for y in (3.25, 3.4)]
    pixels = true.project(np.array(corners))
    chance = np.random.default_rng(5)
    seen = [i for i, (x, y) in enumerate(pixels) if 10 < x < SIZE[0] - 10 and 10 < y < SIZE[1] - 10]
    seen = sorted(chance.permutation(seen)[:22].tolist())
    marks = []
    for number, i in enumerate(seen):
        marked = pixels[i] + chance.normal(size=2) + (np.array([30.0, -18.0]) if number == 7 else 0.0)
        marks.append(MarkedPoint(f"{number + 1}", corners[i], tuple(marked.tolist()), check=number >= 18))
    match = match_camera(Sightings("street", SIZE, marks))
    at = {mark.name: mark.pixel for mark in marks}
    write_picture(FOLDER / "camera_marked.png", with_marks(photograph, match, at))
    overlay_picture(scene, folder, marks)


def overlay_picture(scene: bpy.types.Scene, folder: Path, marks: list) -> None:
    """Match in Blender from empties, add a man, and wipe."""
    from mannequin.places.camera.pictures import write_picture

    ops, group = bpy.ops.mannequin, scene.mannequin.camera_match
    group.picture = str(folder / "photograph.png")
    bpy.ops.object.select_all(action="DESELECT")
    for mark in marks:
        empty = bpy.data.objects.new(mark.name, None)
        empty.location = mark.position
        scene.collection.objects.link(empty)
        empty.select_set(True)
    bpy.context.view_layer.update()
    ops.add_camera_points()
    by_name = {point.object.name: point for point in group.points}
    for mark in marks:
        by_name[mark.name].pixel, by_name[mark.name].check = mark.pixel, mark.check
    ops.match_camera()
    for obj in scene.objects:
        obj.hide_render |= obj.mannequin.kind == "OBSTACLE"
    for place in ((-1.0, -0.5, 0.0), (1.6, 1.2, 0.0)):
        ops.add_actor(model="male")
        actor = bpy.context.object
        ops.place_on_ground()
        actor.location.x, actor.location.y = place[0], place[1]
    bpy.context.view_layer.update()
    group.wipe = 0.458
    ops.overlay_picture()
    image = bpy.data.images[f"{group.camera.name} overlay"]
    flat = np.array(image.pixels[:]).reshape(image.size[1], image.size[0], 4)[::-1, :, :3]
    write_picture(FOLDER / "camera_overlay.png", (255 * flat).round().astype(np.uint8))


def ground_picture(folder: Path) -> None:
    """A street with a kerb, a person standing on it and a hole: the picture of the command `scan ground`."""
    from mannequin.__main__ import main

    scans = synthetic_scans()
    points = scans.cluttered(scans.street(120_000)[0])
    scans.write_las(folder / "street.laz", points)
    out = ["--out", str(folder / "ground.ply"), "--picture", str(FOLDER / "ground.png"), "--cell", "0.05"]
    main(["scan", "ground", str(folder / "street.laz"), *out])


def witness_picture(folder: Path) -> None:
    """A fall behind a low wall: the strip of the command `witness`."""
    from mannequin.engine import run
    from mannequin.engine.spec import Obstacle
    from mannequin.models.scenarios.falls import fall_standing
    from mannequin.places.sight.strip import write_strip
    from mannequin.places.sight.visibility import sight_of
    from mannequin.places.sight.witness import Witness

    scenario = fall_standing()
    scenario.obstacles.append(Obstacle("wall", "box", (0.0, -2.0, 0.5), half_size=(4.0, 0.1, 0.5)))
    sight = sight_of(scenario, run(scenario), Witness("neighbour", (0.5, -6.0, 1.6)))
    write_strip(FOLDER / "witness.png", sight)


def marks_picture(folder: Path) -> None:
    """A road with what was found on it, as a film shows it."""
    scene, ops = fresh(), bpy.ops.mannequin
    add_plane(scene, 200.0, -0.205, "grass")
    ops.add_ready_made(obstacle="road")
    document = {
        "format": "mannequin-marks",
        "format_version": 1,
        "marks": [
            {"name": "skid left", "kind": "skid", "position": [-9, -2.4, 0],
             "path": [[-9, -2.4, 0], [-4, -2.3, 0], [1.5, -2.1, 0]]},
            {"name": "skid right", "kind": "skid", "position": [-9, -0.9, 0],
             "path": [[-9, -0.9, 0], [-4, -0.8, 0], [1.5, -0.6, 0]]},
            {"name": "glass", "kind": "glass", "position": [3.0, -1.2, 0], "ellipse": [1.4, 0.6, 10]},
            {"name": "scrape", "kind": "scrape", "position": [5.0, -1.3, 0], "ellipse": [0.3, 0.15, 10],
             "path": [[5, -1.3, 0], [7.5, -0.5, 0]]},
            {"name": "rest", "kind": "rest", "position": [9.0, 0.6, 0], "ellipse": [0.9, 0.4, 25]},
            {"name": "blood", "kind": "blood", "position": [9.3, 0.7, 0], "ellipse": [0.2, 0.15, 0]},
        ],
    }  # fmt: skip
    (folder / "marks.json").write_text(json.dumps(document))
    ops.import_marks(filepath=str(folder / "marks.json"))
    add_camera(scene, (14.5, -6.5, 4.4), (4.2, -0.6, 0.0), 30.0)
    daylight(scene, (800, 360))
    render(scene, folder / "marks.png")
    jpeg_of(folder / "marks.png", "marks.jpg")


def plan_picture(folder: Path) -> None:
    """An orthophoto, taken here from above, laid on the ground to scale, with two distances on it."""
    scene, ops = fresh(), bpy.ops.mannequin
    ops.add_ready_made(obstacle="junction")
    above = add_camera(scene, (0, 0, 50), (0, 0, 0))
    above.rotation_euler, above.data.type, above.data.ortho_scale = (0, 0, 0), "ORTHO", 36.0
    daylight(scene, (720, 720))
    render(scene, folder / "ortho.png")
    scene = fresh()
    ops.lay_picture(filepath=str(folder / "ortho.png"), pixels=(0, 360, 720, 360), ground=(-18, 0, 18, 0))
    for start, end in (((-3.25, -8.0), (3.25, -8.0)), ((-10.0, -3.25), (-3.25, -3.25))):
        bpy.ops.object.select_all(action="DESELECT")
        for place in (start, end):
            bpy.ops.object.empty_add(type="PLAIN_AXES", location=(*place, 0.02))
        for empty in bpy.context.scene.objects[-2:]:
            empty.select_set(True)
        bpy.context.view_layer.update()
        ops.measure_distance()
    show_measures(scene)
    ops.add_actor(model="male")
    ops.place_on_ground()
    add_camera(scene, (-9.0, -21.0, 11.0), (-1.0, -4.0, 0.0), 40.0)
    workbench(scene)
    scene.display.shading.color_type = "TEXTURE"
    scene.render.resolution_x, scene.render.resolution_y = 800, 450
    render(scene, folder / "plan.png")
    jpeg_of(folder / "plan.png", "plan.jpg")


def show_measures(scene: bpy.types.Scene) -> None:
    """Give lines a width and letters a size that a small picture shows."""
    for obj in scene.objects:
        if obj.type == "FONT":
            obj.data.size = 0.8
            obj.location.y += 0.3
        if obj.type == "MESH" and not obj.data.polygons:
            obj.modifiers.new("Width", "SKIN")
            for vertex in obj.data.skin_vertices[0].data:
                vertex.radius = (0.05, 0.05)


def witness_view(folder: Path) -> None:
    """What the camera of a witness shows: a person behind a low wall."""
    scene, ops = fresh(), bpy.ops.mannequin
    add_plane(scene, 200.0, -0.001, "paving")
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, -2.0, 0.5))
    wall = bpy.context.object
    wall.scale = (8.0, 0.2, 1.0)
    paint_with(wall, "concrete")
    ops.add_person()
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(-3.2, 1.0, 1.0))
    bpy.context.object.scale = (0.3, 0.3, 2.0)
    paint_with(bpy.context.object, "wood")
    scene.cursor.location = (2.5, -6.0, 0.0)
    ops.add_witness(name="neighbour")
    scene.camera = bpy.context.object
    daylight(scene, (640, 360))
    render(scene, folder / "view.png")
    jpeg_of(folder / "view.png", "witness_view.jpg")


def jpeg_of(path: Path, name: str) -> None:
    """Put a rendered picture into the documentation."""
    from mannequin.places.camera.pictures import read_picture

    write_jpeg(FOLDER / name, read_picture(path))


def main() -> None:
    """Make them all, or those named."""
    import mannequin

    mannequin.register()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mannequin-places-") as name:
        folder = Path(name)
        makers = {
            "ready_made": lambda: ready_made_picture(folder),
            "camera": lambda: camera_pictures(folder),
            "ground": lambda: ground_picture(folder),
            "witness": lambda: witness_picture(folder),
            "witness_view": lambda: witness_view(folder),
            "marks": lambda: marks_picture(folder),
            "plan": lambda: plan_picture(folder),
        }
        for chosen in sys.argv[1:] or makers:
            makers[chosen]()
            print(f"made {chosen}", flush=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Blender 4.5 can hang in its own clean-up
