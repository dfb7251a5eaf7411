"""Cameras matched to photographs in Blender."""

import numpy as np
import pytest
from synthetic_camera import SIZE, seen_points, true_camera

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


def test_overlay_shows_the_scene_over_the_photograph(blender, ops, tmp_path):
    camera = true_camera(distortion=(0.0, 0.0))
    scene, group, points = marked_scene(blender, tmp_path, camera)
    group.use_focal, group.focal = True, camera.focal_px
    ops.match_camera()
    blender.ops.mesh.primitive_cube_add(size=1.5, location=(0.5, 0.3, 0.8))
    scene.render.engine = "BLENDER_WORKBENCH"
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


def test_what_is_missing_is_said(blender, ops):
    blender.ops.object.empty_add()
    ops.add_camera_points()
    with pytest.raises(RuntimeError, match="choose the photograph first"):
        ops.match_camera()
