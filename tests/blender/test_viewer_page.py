"""The last run as a page for a browser: the operator, and the scene's cameras as views."""

import math

import pytest

from mannequin.analysis.files.run_folder import read_run
from mannequin.io_json.resolve import resolve_model
from mannequin.io_json.scenario_json import read_scenario
from mannequin.viewer.content import shown_run
from mannequin.viewer.write import differences, read_content


def test_the_page_is_in_the_run_folder_with_the_scenes_cameras(blender, tmp_path):
    from mannequin.scene.scenario.scenario import build_scenario

    film_scene = blender.context.scene
    scenario = read_scenario(resolve_model("fall_standing", None))
    scenario.settings.duration = 0.05
    build_scenario(scenario, film_scene)
    film_scene.mannequin.runs.folder = str(tmp_path)
    assert blender.ops.mannequin.simulate() == {"FINISHED"}
    camera = blender.data.objects.new("Witness", blender.data.cameras.new("Witness"))
    camera.location = (3.0, -4.0, 1.6)
    camera.rotation_euler = (math.radians(90.0), 0.0, 0.0)
    camera.data.sensor_fit, camera.data.angle = "VERTICAL", math.radians(50.0)
    film_scene.collection.objects.link(camera)
    blender.context.view_layer.update()
    assert blender.ops.mannequin.make_viewer() == {"FINISHED"}
    run = read_run(film_scene.mannequin.results.folder)
    (page,) = run.folder.glob("*_view.html")
    view = next(c for c in read_content(page)["cameras"] if c["name"] == "Witness")
    assert view["position"] == pytest.approx((3.0, -4.0, 1.6))
    half = math.sqrt(0.5)
    assert view["rotation"] == pytest.approx((half, half, 0.0, 0.0), abs=1e-6)  # looks along its -z: to +y
    width, height = film_scene.render.resolution_x, film_scene.render.resolution_y
    assert view["size"] == pytest.approx((width, height))
    assert view["focal_length"] == pytest.approx(0.5 * height / math.tan(math.radians(25.0)), rel=1e-4)
    assert view["principal_point"] == pytest.approx((0.5 * width, 0.5 * height))
    assert differences(page, [shown_run(run)]) == []


def test_a_shifted_camera_keeps_where_it_sees_a_point(blender):
    """The pixel at which Blender itself sees a point, by the formula of the camera file."""
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Quaternion, Vector

    from mannequin.scene.show.viewer_page import page_camera

    scene = blender.context.scene
    camera = blender.data.objects.new("Shifted", blender.data.cameras.new("Shifted"))
    camera.location, camera.rotation_euler = (3.0, -4.0, 1.6), (1.3, 0.1, 0.5)
    camera.data.lens, camera.data.shift_x, camera.data.shift_y = 42.0, 0.13, -0.08
    scene.collection.objects.link(camera)
    blender.context.view_layer.update()
    made, point = page_camera(camera, scene), Vector((0.2, 0.5, 1.1))
    x, y, z = Quaternion(made.rotation).inverted() @ (point - Vector(made.position))
    pixel = (
        made.center[0] - made.focal_length * x / z,
        made.center[1] + made.focal_length * y / z,
    )
    share = world_to_camera_view(scene, camera, point)
    assert pixel == pytest.approx((share.x * made.size[0], (1.0 - share.y) * made.size[1]), abs=0.01)
