"""Stages, cameras and shots of a film: what is the user's stays, the subject is large, the horizon has no edge."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from mannequin.engine import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.jobs.protocol import Film
from mannequin.models.library import scenario_path

SETTINGS = {
    "render": ("engine", "filepath", "resolution_x", "resolution_percentage", "film_transparent"),
    "view_settings": ("view_transform", "look", "exposure", "gamma"),
    "eevee": ("taa_render_samples",),
    "cycles": ("samples", "use_denoising", "use_adaptive_sampling"),
    "display": ("render_aa", "shadow_shift"),
}
SIZE = (160, 90)


def settings_of(scene):
    """What a user may have set for renders, by name."""
    found = {
        f"{group}.{name}": getattr(getattr(scene, group), name)
        for group, names in SETTINGS.items()
        for name in names
    }
    image, shading = scene.render.image_settings, scene.display.shading
    found |= {"format": image.file_format, "mode": image.color_mode, "depth": image.color_depth}
    return found | {"light": shading.light, "cavity": shading.show_cavity, "frame": scene.frame_current}


@pytest.fixture(scope="module")
def throw():
    """A woman thrown nine metres."""
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.6
    scenario.actors[0].velocity = (15.0, 0.0, 2.0)
    return scenario, run(scenario)


@pytest.fixture
def scene(blender, throw):
    """The throw baked at ten frames a second, without a stage."""
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.scenario.scenario import build_scenario

    scenario, recording = throw
    scene = blender.context.scene
    build_scenario(scenario, scene)
    scene.render.fps = 10
    bake(recording, scene, Provenance("fall_1", "1", "x"), fit_timeline=True)
    return scene


def own_camera(blender, scene):
    """A camera of the user's, made active."""
    camera = blender.data.objects.new("Witness", blender.data.cameras.new("Witness"))
    camera.location, camera.rotation_euler = (0.0, -9.0, 1.6), (1.5, 0.0, 0.0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    return camera


def own_look(scene):
    """Settings that no preset has."""
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 7, False
    scene.view_settings.exposure, scene.view_settings.gamma = 0.31, 1.1
    scene.render.resolution_percentage, scene.render.filepath = 37, "//mine"
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "TIFF", "RGBA"
    scene.display.shading.light, scene.display.render_aa = "FLAT", "OFF"
    scene.frame_set(3)


@pytest.mark.long
def test_a_film_uses_the_users_camera_and_leaves_every_setting(blender, scene, tmp_path):
    from mannequin.scene.film.produce import render_film, setup_render

    setup_render(scene, *SIZE)
    camera = own_camera(blender, scene)
    own_look(scene)
    before = settings_of(scene)
    scene.frame_end = scene.frame_start
    film = Film(tmp_path / "film", "PNG", "side", "draft", *SIZE, overlay=False)
    render_film(scene, film)
    assert scene.camera == camera
    assert settings_of(scene) == before
    mine = next((tmp_path / "film").glob("*.png")).read_bytes()
    camera.location.y = -30.0
    render_film(scene, replace(film, target=tmp_path / "other"))
    assert next((tmp_path / "other").glob("*.png")).read_bytes() != mine, (
        "the picture is of the user's camera"
    )


def test_a_camera_of_the_set_up_is_used_where_the_user_has_chosen_none(blender, scene):
    from mannequin.scene.film.cameras import camera_of
    from mannequin.scene.film.produce import prepare, setup_render

    own_camera(blender, scene)  # as a new file has one: nobody chose it for the film
    film = Film("", "PNG", "side", "draft", *SIZE, overlay=False)
    setup_render(scene, *SIZE)
    scene.camera = None
    prepare(scene, film)
    assert scene.camera.name == "Camera Side"
    prepare(scene, replace(film, camera="front"))
    assert scene.camera == camera_of(scene, "front")


def test_setting_up_leaves_the_look_of_the_scene_where_that_is_asked(blender, scene):
    from mannequin.scene.film.produce import prepare_as_shown, setup_render

    own_look(scene)
    engine, exposure = scene.render.engine, scene.view_settings.exposure
    scene.mannequin.film.preset = "own"
    setup_render(scene, *SIZE)
    prepare_as_shown(scene)
    assert (scene.render.engine, scene.cycles.samples) == (engine, 7)
    assert scene.view_settings.exposure == exposure


def test_setting_up_again_changes_nothing_of_the_users(blender, scene):
    from mannequin.scene.film.cameras import camera_of
    from mannequin.scene.film.parts import stage_collection
    from mannequin.scene.film.produce import setup_render

    setup_render(scene, *SIZE)
    sun = next(o for o in stage_collection(scene).objects if o.type == "LIGHT")
    sun.data.energy, sun.rotation_euler.x = 1.23, 0.4
    world = blender.data.worlds.new("Mine")
    world.color = (0.4, 0.1, 0.1)
    scene.world = world
    tree = blender.data.objects.new("Tree", blender.data.meshes.new("Tree"))
    stage_collection(scene).objects.link(tree)
    side = camera_of(scene, "side")
    side.data.lens = 35.0
    setup_render(scene, *SIZE)
    sun = next(o for o in stage_collection(scene).objects if o.type == "LIGHT")
    assert sun.data.energy == pytest.approx(1.23)
    assert sun.rotation_euler.x == pytest.approx(0.4)
    assert scene.world == world
    assert tuple(world.color) == pytest.approx((0.4, 0.1, 0.1))
    assert tree.name in stage_collection(scene).objects
    assert camera_of(scene, "side").data.lens == 35.0
    assert sum(o.type == "CAMERA" for o in stage_collection(scene).objects) == 6, "none twice"


def test_the_users_sun_and_choice_of_what_is_rendered_stay(blender, scene):
    from mannequin.scene.film.parts import stage_collection
    from mannequin.scene.film.produce import setup_render

    sun = blender.data.objects.new("My Sun", blender.data.lights.new("My Sun", "SUN"))
    scene.collection.objects.link(sun)
    plane = blender.data.objects.new("Plane", blender.data.meshes.new("Plane"))
    scene.collection.objects.link(plane)
    plane.mannequin.kind, plane.mannequin.obstacle.shape = "OBSTACLE", "plane"
    setup_render(scene, *SIZE)
    assert not any(o.type == "LIGHT" for o in stage_collection(scene).objects)
    assert plane.hide_render, "the ground is drawn instead"
    plane.hide_render = False
    setup_render(scene, *SIZE)
    assert not plane.hide_render


def test_objects_of_an_older_set_up_are_replaced_once(blender, scene):
    from mannequin.scene.film.parts import STAGE, stage_collection
    from mannequin.scene.film.produce import setup_render

    older = blender.data.collections.new(STAGE)
    scene.collection.children.link(older)
    for name in ("Ground", "Sun", "Camera Side", "Mine"):
        older.objects.link(blender.data.objects.new(name, None))
    setup_render(scene, *SIZE)
    names = [obj.name for obj in stage_collection(scene).objects]
    assert "Mine" in names
    assert sum(name.startswith("Camera Side") for name in names) == 1
    assert all(obj.type != "EMPTY" or obj.name == "Mine" for obj in stage_collection(scene).objects)


@pytest.mark.parametrize("name", ["side", "front", "top", "three_quarter", "tracking"])
def test_the_subject_fills_a_quarter_of_the_picture_at_every_frame(blender, scene, name):
    """Also where it is thrown far: by Blender's own projection, the longer side of its outline over the height."""
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    from mannequin.scene.film.cameras import camera_of
    from mannequin.scene.film.extent import actor_points
    from mannequin.scene.film.produce import setup_render
    from mannequin.scene.store.actors import actors_of

    setup_render(scene, *SIZE)
    scene.camera = None
    camera = camera_of(scene, name)
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        points = actor_points(actors_of(scene)[0])[::10]
        seen = np.array([world_to_camera_view(scene, camera, Vector(p)) for p in points])
        assert seen[:, :2].min() > 0.0
        assert seen[:, :2].max() < 1.0
        sides = np.ptp(seen[:, :2], axis=0) * SIZE
        assert sides.max() / SIZE[1] >= 0.25


def test_a_named_subject_is_followed_and_another_name_is_refused(blender, scene):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.film.extent import subjects_of
    from mannequin.scene.store.actors import actors_of

    blender.ops.mannequin.add_actor(model="child_6")
    child = blender.context.object
    assert set(subjects_of(scene)) == set(actors_of(scene))
    scene.mannequin.film.subject = child.name
    assert subjects_of(scene) == [child]
    scene.mannequin.film.subject = "nobody"
    with pytest.raises(SceneError, match="nobody"):
        subjects_of(scene)


@pytest.mark.long
@pytest.mark.parametrize("stage", ["grid", "overcast"])
def test_the_horizon_has_no_edge_in_a_draft(blender, scene, tmp_path, stage):
    """Far ground and sky beside the horizon differ by little in Workbench."""
    from mannequin.scene.film.produce import prepare, render_frame, setup_render

    scene.mannequin.film.stage = stage
    size = (64, 540)
    setup_render(scene, *size)
    scene.camera = None
    film = Film("", "PNG", "side", "draft", *size, overlay=False)
    prepare(scene, film)
    for light in [o for o in scene.objects if o.name.startswith("Metre Grid")]:
        light.hide_render = True
    picture = np.asarray(
        Image.open(render_frame(scene, film, scene.frame_start, tmp_path / "a.png")).convert("RGB")
    )
    edge = picture[: len(picture) // 2, :8].astype(float).mean(axis=1)  # above the shadows
    assert np.abs(np.diff(edge, axis=0)).max() < 12.0


@pytest.mark.long
@pytest.mark.parametrize("stage", ["grid", "day", "overcast", "night", "studio"])
def test_every_stage_is_made_of_nodes_alone_and_gives_way_to_another(blender, scene, stage):
    from mannequin.scene.film.parts import parts_of
    from mannequin.scene.film.produce import setup_render

    for ground in ("asphalt", "concrete", "grass", "tiles", "wood", "carpet"):
        scene.mannequin.film.stage, scene.mannequin.film.ground = stage, ground
        setup_render(scene, *SIZE)
    assert parts_of(scene, "ground")
    assert parts_of(scene, "light")
    assert scene.world["mannequin_sky"] == stage
    assert sum("mannequin_sky" in world for world in blender.data.worlds) == 1
    assert not blender.data.images
    materials = {slot.material for obj in parts_of(scene, "ground") for slot in obj.material_slots}
    kinds = {node.type for material in materials for node in material.node_tree.nodes}
    assert "TEX_IMAGE" not in kinds
    assert "CAMERA" in kinds, "it fades with the distance"


def test_a_replay_shows_the_hardest_impact_again_slower(blender, scene):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.film.shots import shots_of

    film = Film("", replay=8.0)
    with pytest.raises(SceneError, match="no impact to replay"):
        shots_of(scene, film)
    for time, force in ((0.1, 50.0), (0.4, 900.0)):
        row = scene.mannequin.results.contacts.add()
        row.peak_time, row.peak_force = time, force
    whole, replay = shots_of(scene, film)
    assert whole.frames == tuple(range(scene.frame_start, scene.frame_end + 1))
    shown = (np.array(replay.frames) - scene.frame_start) / 10.0
    assert shown[0] == pytest.approx(0.25)
    assert shown[-1] <= 0.6 + 1e-6
    assert np.diff(shown) == pytest.approx(0.1 / 8.0)
    caption = caption_of(scene)
    assert [factor for _, factor in replay.captioned(caption).speeds] == [8.0 * f for _, f in caption.speeds]


def test_a_moment_between_two_frames_is_rendered(blender, scene, quick_draft, tmp_path):
    from mannequin.scene.film.produce import prepare, render_frame, setup_render

    setup_render(scene, *SIZE)
    scene.camera = None
    film = Film("", "PNG", "side", "draft", *SIZE, overlay=False)
    prepare(scene, film)
    first = scene.frame_start
    pictures = [
        np.asarray(
            Image.open(render_frame(scene, film, moment, tmp_path / f"{moment}.png")).convert("L")
        ).astype(int)
        for moment in (first, first + 0.5, first + 1)
    ]
    changed = [np.abs(pictures[a] - pictures[b]).mean() for a, b in ((0, 1), (1, 2))]
    assert min(changed) > 0.05
