"""The last run as a page for a browser: the operator, and the scene's cameras as views."""

import math

import pytest

from mannequin.analysis.files.run_folder import read_run
from mannequin.io_json.resolve import resolve_model
from mannequin.io_json.scenario_json import read_scenario
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
    assert view["direction"] == pytest.approx((0.0, 1.0, 0.0), abs=1e-6)  # a camera looks along its -z
    assert view["fov"] == pytest.approx(50.0, abs=1e-3)
    assert differences(page, [run]) == []
