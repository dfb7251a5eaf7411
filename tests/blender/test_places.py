"""The real place in Blender: cameras of photographs, scans, witnesses, marks, pictures on the ground."""

import numpy as np
import pytest
from synthetic_camera import SIZE, edges, seen_points, true_camera

from mannequin.models.parts.surfaces import SURFACES
from mannequin.places.camera.files import read_camera
from mannequin.places.camera.pictures import write_picture


@pytest.fixture
def ops(blender):
    return blender.ops.mannequin


def marked_scene(blender, tmp_path, camera, count=12):
    """Empties at points that a camera sees, marked without error, and a dark photograph."""
    picture = tmp_path / "photo.png"
    write_picture(picture, np.full((SIZE[1], SIZE[0], 3), 20, dtype=np.uint8))
    points, pixels = seen_points(camera, count, np.random.default_rng(2))
    scene, group = blender.context.scene, blender.context.scene.mannequin.camera_match
    group.picture = str(picture)
    for number, point in enumerate(points):
        empty = blender.data.objects.new(f"point {number}", None)
        empty.location = point
        scene.collection.objects.link(empty)
        empty.select_set(True)
    blender.context.view_layer.update()
    assert blender.ops.mannequin.add_camera_points() == {"FINISHED"}
    by_name = {entry.object.name: entry for entry in group.points}
    for number, pixel in enumerate(pixels):
        by_name[f"point {number}"].pixel = pixel
    return scene, group, points


@pytest.mark.parametrize("metres", [1.0, 0.01])
def test_matched_camera_sees_the_points_where_they_are_in_the_photograph(blender, ops, tmp_path, metres):
    """Blender's own projection of the matched camera, in scenes of metres and of centimetres."""
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    camera = true_camera(distortion=(0.0, 0.0))
    scene, group, points = marked_scene(blender, tmp_path, camera)
    scene.unit_settings.scale_length = metres
    group.use_focal, group.focal = True, camera.focal_px
    for entry in group.points:
        entry.object.location = entry.object.location / metres
    blender.context.view_layer.update()
    assert ops.match_camera() == {"FINISHED"}
    blender.context.view_layer.update()
    assert np.allclose(np.array(group.camera.location) * metres, camera.position, atol=2e-3)
    for point, pixel in zip(points, camera.project(points), strict=True):
        x, y, depth = world_to_camera_view(scene, group.camera, Vector(point / metres))
        assert depth > 0.0
        assert np.allclose((x * SIZE[0], (1.0 - y) * SIZE[1]), pixel, atol=0.2)
    assert scene.camera == group.camera and scene.render.resolution_x == SIZE[0]
    assert "mm" in group.summary and all(entry.result for entry in group.points)


@pytest.mark.long
def test_wrong_point_is_named_and_the_camera_is_written(blender, ops, tmp_path):
    camera = true_camera()
    scene, group, points = marked_scene(blender, tmp_path, camera, 16)
    group.points[3].pixel = (group.points[3].pixel[0] + 60.0, group.points[3].pixel[1])
    ops.match_camera()
    assert "outlier" in group.points[3].result
    assert sum("outlier" in entry.result for entry in group.points) == 1
    ops.export_camera(filepath=str(tmp_path / "camera.json"))
    read = read_camera(tmp_path / "camera.json")
    assert read.distortion == (0.0, 0.0) and (tmp_path / read.picture).exists()
    assert np.allclose(read.position, camera.position, atol=2e-3)


def test_edges_of_known_direction_where_points_are_few(blender, ops, tmp_path):
    """Two points and five edges along each axis give the camera, as the same marks do in a file."""
    camera = true_camera(distortion=(0.0, 0.0), center=(960.0, 540.0))
    scene, group, _ = marked_scene(blender, tmp_path, camera, 2)
    for edge in edges(camera, 5, 1):
        ops.edit_list(list="camera_lines", action="ADD")
        line = group.lines[group.lines_index]
        line.name, line.direction = edge.name, edge.direction
        for what, pixel in zip(("START", "END"), edge.pixels, strict=True):
            ops.pick_camera_pixel(what=what, pixel=pixel)
    assert ops.match_camera() == {"FINISHED"}
    assert np.linalg.norm(np.array(group.camera.location) - camera.position) < 0.3
    assert all(line.result.endswith("px") for line in group.lines)
    group.lines.clear()
    with pytest.raises(RuntimeError, match="no edge"):
        ops.pick_camera_pixel(what="END", pixel=(1.0, 2.0))


@pytest.mark.long
def test_overlay_shows_the_scene_over_the_photograph(blender, ops, tmp_path):
    camera = true_camera(distortion=(0.0, 0.0))
    scene, group, points = marked_scene(blender, tmp_path, camera)
    group.use_focal, group.focal = True, camera.focal_px
    ops.match_camera()
    blender.ops.mesh.primitive_cube_add(size=1.5, location=(0.5, 0.3, 0.8))
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.display.render_aa = "OFF"  # one sample of a pixel: for the time of a test
    middle = camera.project(np.array([[0.5, 0.3, 0.8]]))[0]

    def picture(**values):
        for name, value in values.items():
            setattr(group, name, value)
        assert ops.overlay_picture() == {"FINISHED"}
        image = blender.data.images[f"{group.camera.name} overlay"]
        flat = np.array(image.pixels[:]).reshape(image.size[1], image.size[0], 4)[::-1]
        return flat[..., :3]

    grey = 20 / 255
    whole = picture(blend=1.0, wipe=1.0)
    x, y = np.rint(middle).astype(int)
    assert abs(whole[y, x].mean() - grey) > 0.1, "the cube is where the camera has it"
    assert np.allclose(whole[20, 20], grey, atol=0.01), "elsewhere the photograph is seen"
    assert np.allclose(picture(wipe=0.0), grey, atol=0.01)
    half = picture(wipe=1.0, blend=0.5)
    assert np.allclose(half[y, x], 0.5 * (whole[y, x] + grey), atol=0.02)


def test_overlay_film_has_all_frames(blender, ops, tmp_path):
    from dataclasses import replace

    whole = true_camera(distortion=(0.0, 0.0))
    small = replace(
        whole,
        focal_px=whole.focal_px / 8,
        center_px=tuple(c / 8 for c in whole.center_px),
        size_px=(240, 135),
    )
    scene, group, _ = marked_scene(blender, tmp_path, whole)
    write_picture(tmp_path / "photo.png", np.full((135, 240, 3), 20, dtype=np.uint8))
    for point in group.points:
        point.pixel = [x / 8 for x in point.pixel]
    group.use_focal, group.focal = True, small.focal_px
    ops.match_camera()
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.frame_start, scene.frame_end = 1, 3
    assert ops.overlay_film(filepath=str(tmp_path / "overlay.mp4")) == {"FINISHED"}
    assert (tmp_path / "overlay.mp4").read_bytes()[4:8] == b"ftyp"


def test_what_is_missing_is_said(blender, ops):
    blender.ops.object.empty_add()
    ops.add_camera_points()
    with pytest.raises(RuntimeError, match="choose the photograph first"):
        ops.match_camera()


@pytest.mark.parametrize("metres", [1.0, 0.01])
def test_ground_from_a_scan_is_an_obstacle_with_its_error(blender, ops, tmp_path, metres):
    import json

    from synthetic_scans import KERB, street, write_text

    from mannequin.scene.base.units import units_of
    from mannequin.scene.scenario.obstacle_shapes import read_obstacle

    scene = blender.context.scene
    scene.unit_settings.scale_length = metres
    points, colours = street(20_000, half=2.0)
    write_text(tmp_path / "street.xyz", points, colours)
    assert ops.import_scan(filepath=str(tmp_path / "street.xyz"), voxel=0.01) == {"FINISHED"}
    cloud = blender.context.object
    assert (
        "Color" in cloud.data.attributes and json.loads(cloud["mannequin_scan"])["points_in_file"] == 20_000
    )
    assert ops.ground_from_scan(cell=0.2) == {"FINISHED"}
    ground = blender.context.object
    assert ground.mannequin.kind == "OBSTACLE" and "median error" in ground.mannequin.obstacle.source
    spec = read_obstacle(ground, "ground", scene, units_of(scene))
    top = spec.vertices[spec.vertices[:, 2] > -0.3]
    level = top[:, 2] - 0.02 * top[:, 1]
    assert np.median(level[top[:, 0] > 0.3]) - np.median(level[top[:, 0] < -0.3]) == pytest.approx(
        KERB, abs=0.003
    )


def test_painted_faces_become_obstacles_with_the_friction_of_their_surface(blender, ops):
    blender.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4, size=4.0)
    grid = blender.context.object
    ops.add_surface_material(surface="asphalt_dry")
    ops.add_surface_material(surface="grass")
    for polygon in grid.data.polygons:
        polygon.material_index = int(polygon.center.x > 0.0)
    assert ops.split_by_surface() == {"FINISHED"}
    parts = {o.name: o for o in blender.data.objects if o.mannequin.kind == "OBSTACLE"}
    assert set(parts) == {"Grid asphalt_dry", "Grid grass"}
    assert parts["Grid grass"].mannequin.obstacle.material.static_friction == pytest.approx(
        SURFACES["grass"].friction
    )
    assert min(v.co.x for v in parts["Grid grass"].data.vertices) == pytest.approx(0.0)
    assert len(parts["Grid grass"].data.polygons) == 8 and grid.mannequin.kind == "NONE"


def test_marks_go_into_the_scenario_and_back(blender, ops, tmp_path):
    from mannequin.io_json.marks import marks_of
    from mannequin.scene.scenario.scenario import read_scenario

    ops.add_actor(model="male")
    scene = blender.context.scene
    scene.cursor.location = (1.0, 2.0, 0.0)
    ops.add_mark(name="blood", kind="blood", ellipse=(0.3, 0.1, 20.0), source="Photo 3")
    blender.data.objects["blood"].location.x += 0.5
    blender.context.view_layer.update()
    (mark,) = marks_of(read_scenario(scene))
    assert (
        mark.position == pytest.approx((1.5, 2.0, 0.0)) and mark.kind == "blood" and mark.source == "Photo 3"
    )
    ops.export_scenario(filepath=str(tmp_path / "s.json"))
    ops.import_scenario(filepath=str(tmp_path / "s.json"))
    (again,) = marks_of(read_scenario(scene))
    assert again.position == pytest.approx(mark.position) and again.ellipse == pytest.approx(mark.ellipse)
    with pytest.raises(RuntimeError, match="no size"):
        ops.add_mark(name="nothing", ellipse=(0.0, 0.1, 0.0))


def test_picture_lies_to_scale_and_distances_are_labelled(blender, ops, tmp_path):
    from scene_state import write_plan

    write_plan(str(tmp_path / "plan.png"))
    ops.lay_picture(filepath=str(tmp_path / "plan.png"), pixels=(0, 100, 200, 100), ground=(1, 1, 11, 1))
    plan = blender.context.object
    assert sorted({tuple(round(x, 3) for x in v.co) for v in plan.data.vertices}) == [
        (1.0, 1.0, 0.0),
        (1.0, 6.0, 0.0),
        (11.0, 1.0, 0.0),
        (11.0, 6.0, 0.0),
    ]
    (tmp_path / "plan.pgw").write_text("0.1\n0\n0\n-0.1\n0.05\n9.95\n")
    ops.lay_picture(filepath=str(tmp_path / "plan.png"))
    assert max(v.co.x for v in blender.context.object.data.vertices) == pytest.approx(20.0)
    blender.ops.object.select_all(action="DESELECT")
    for place in ((0, 0, 0), (3, 4, 12)):
        empty = blender.data.objects.new("end", None)
        blender.context.scene.collection.objects.link(empty)
        empty.location = place
        empty.select_set(True)
    blender.context.view_layer.update()
    ops.measure_distance()
    labels = [o.data.body for o in blender.data.objects if o.type == "FONT"]
    assert labels == ["13.000 m"]


def test_witness_looks_at_the_actor_from_eye_height(blender, ops):
    ops.add_actor(model="male")
    blender.context.scene.cursor.location = (4.0, -3.0, 0.0)
    ops.add_witness(name="neighbour", eye_height=1.55)
    camera = blender.context.object
    blender.context.view_layer.update()
    assert tuple(camera.location) == pytest.approx((4.0, -3.0, 1.55))
    way = blender.data.objects["male"].matrix_world.translation - camera.location
    assert way.normalized().dot(camera.matrix_world.to_3x3().col[2]) == pytest.approx(-1.0, abs=1e-4)
    assert not ops.show_sight.poll()


def test_cameras_of_the_place_are_known(blender, ops, tmp_path):
    """Matched ones and witnesses, whatever they are renamed to; witnesses of older files by name."""
    from mannequin.scene.store.site_cameras import MARK, site_camera_kind

    camera = true_camera(distortion=(0.0, 0.0))
    scene, group, _ = marked_scene(blender, tmp_path, camera)
    assert not any(map(site_camera_kind, scene.objects))
    group.use_focal, group.focal = True, camera.focal_px
    for name in ("neighbour", "bus driver"):
        ops.add_witness(name=name)
    blender.ops.object.camera_add()
    ops.match_camera()
    matched, witness = group.camera, blender.data.objects["Witness neighbour"]
    matched.name, witness.name = "z street", "a person"
    assert [site_camera_kind(obj) for obj in (matched, witness, None)] == ["matched", "witness", ""]
    older = blender.data.objects["Witness bus driver"]
    del older[MARK]
    assert site_camera_kind(older) == "witness"


def test_looks_of_obstacles(blender, ops):
    """Ready-made things and obstacles of known surfaces get materials by nodes once; what the user painted stays."""
    from mannequin.scene.film.stage import set_stage
    from mannequin.scene.places.looks import LOOKS, surface_look

    scene = blender.context.scene
    assert set(SURFACES) <= set(LOOKS)
    ops.add_ready_made(obstacle="bath")
    ops.add_ready_made(obstacle="chair")
    looks = {o.name: o.data.materials[0].name for o in scene.objects}
    assert looks["bath_bottom"] == "Mannequin Surface enamel_wet" and "wood" in looks["seat"]
    blender.ops.mesh.primitive_cube_add()
    cube = blender.context.object
    ops.add_obstacle(shape="box")
    own = blender.data.materials.new("mine")
    scene.objects["bath_bottom"].data.materials[0] = own
    set_stage(scene)
    assert cube.data.materials[0].name == "Mannequin Obstacle"
    assert scene.objects["bath_bottom"].data.materials[0] == own
    for name in LOOKS:
        shader = next(n for n in surface_look(name, scene).node_tree.nodes if n.type == "BSDF_PRINCIPLED")
        assert shader.inputs["Base Color"].is_linked
    count = len(blender.data.materials)
    ops.add_ready_made(obstacle="bath")
    assert len(blender.data.materials) == count, "one material serves all"


def test_sight_of_the_last_run(blender, ops, tmp_path):
    from mannequin.scene.run.simulate import open_run

    folder = run_of_a_ball(tmp_path)
    open_run(folder, blender.context.scene)
    blender.context.scene.cursor.location = (3.0, 0.0, 0.0)
    ops.add_witness(name="neighbour")
    assert ops.show_sight() == {"FINISHED"}
    assert "Witness neighbour" in blender.data.images
    assert list(tmp_path.rglob("*_neighbour.csv"))


def run_of_a_ball(tmp_path):
    from datetime import UTC, datetime

    from thrown_ball import make_throw

    from mannequin.analysis.files.run_folder import write_run
    from mannequin.engine import run

    scenario = make_throw()
    now = datetime(2026, 3, 1, tzinfo=UTC)
    return write_run(scenario, run(scenario), tmp_path / "out", started=now, ended=now)
