"""What a film draws on and around the actors: labels for every camera and size, straps, rods, lamps, floors."""

import math

import numpy as np
import pytest

from mannequin.analysis.files.run_folder import write_run
from mannequin.engine import run
from mannequin.engine.spec import Belt, Point, Weld
from mannequin.io_json.scenario_json import read_scenario
from mannequin.jobs.protocol import Film
from mannequin.models.library import scenario_path

LABELS = "speed:head, height:head, way:pelvis, distance:head:FootL, angle:ShankL, speed:HandR, force:head"
SIZES = ((640, 360), (3840, 2160), (360, 640))


@pytest.fixture(scope="module")
def fall_folder(tmp_path_factory):
    """Run folder of a short fall."""
    from datetime import UTC, datetime

    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.3
    scenario.actors[0].velocity = (3.0, 0.0, 0.0)
    now = datetime.now(UTC)
    return write_run(scenario, run(scenario), tmp_path_factory.mktemp("runs"), started=now, ended=now)


def boxes_of(labels, row, size):
    """(left, bottom, right, top) in pixels from the middle of the labels that are shown."""
    return [
        (
            *(label.places[row] - (label.width / 2, 0.75 * size)),
            *(label.places[row] + (label.width / 2, 0.75 * size)),
        )
        for label in labels
        if label.shown[row]
    ]


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.fixture
def filmed(blender, fall_folder):
    from mannequin.scene.film.produce import setup_render
    from mannequin.scene.run.simulate import open_run

    scene = blender.context.scene
    scene.render.fps = 20
    open_run(fall_folder, scene)
    scene.mannequin.film.labels, scene.mannequin.film.case = LABELS, "2026-7"
    setup_render(scene, *SIZES[0])
    return scene


def test_labels_stay_apart_and_inside_with_any_camera_and_size(blender, filmed):
    """With perspective and orthographic cameras, shifted ones too; what they point at is where Blender itself has it,
    and words take the same share of a picture of 4K as of a small one."""
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.film.labels import drawn_labels
    from mannequin.scene.film.overlay import Layout, add_overlay, overlay_of, taken_boxes
    from mannequin.scene.film.produce import prepare
    from mannequin.scene.show.results import last_run

    scene, heights = filmed, {}
    recording = last_run(scene).recording
    head = recording.body_names.index("head")
    frames = [scene.frame_start, scene.frame_start + 2.5, scene.frame_end]
    for kind in ("PERSP", "ORTHO"):
        for size in SIZES:
            scene.camera = None
            prepare(scene, Film("", "PNG", "side", "draft", *size, overlay=False))
            data = scene.camera.data
            data.type, data.ortho_scale = kind, 3.0
            data.shift_x = 0.05 if kind == "ORTHO" else 0.0
            caption, line = caption_of(scene), Layout(*size).size
            taken = taken_boxes(scene, caption)
            labels = drawn_labels(scene, frames, caption.times, line, taken)
            shown = [boxes_of(labels, row, line) for row in range(len(frames))]
            assert min(map(len, shown)) >= 3, (kind, size)
            for boxes in shown:
                for number, box in enumerate(boxes):
                    assert not any(overlap(box, other) for other in (*boxes[:number], *taken)), (kind, size)
                    assert abs(box[0]) < size[0] / 2 and abs(box[2]) < size[0] / 2, (kind, size)
                    assert abs(box[1]) < size[1] / 2 and abs(box[3]) < size[1] / 2, (kind, size)
            place = recording.position[0, head]
            scene.frame_set(scene.frame_start)
            seen = world_to_camera_view(scene, scene.camera, Vector(place))
            expected = (np.array(seen[:2]) - 0.5) * size
            assert labels[0].anchors[0] == pytest.approx(expected, abs=0.01 * size[1]), (kind, size)
            if kind == "PERSP":
                add_overlay(scene, caption)
                tree = overlay_of(scene).modifiers[0].node_group
                texts = [node for node in tree.nodes if node.bl_idname == "GeometryNodeStringToCurves"]
                heights[size] = max(node.inputs["Size"].default_value for node in texts) / size[1]
            data.type, data.shift_x = "PERSP", 0.0
    assert heights[SIZES[1]] == pytest.approx(heights[SIZES[0]]) and heights[SIZES[0]] > 0.03


def test_films_have_the_rate_that_is_asked_for(blender, filmed, tmp_path):
    """As many pictures as the motion has at that rate, and the file says the rate: by Blender's own reader."""
    from PIL import Image

    from mannequin.scene.film.output import write_out
    from mannequin.scene.film.shots import shots_of

    seconds = (filmed.frame_end - filmed.frame_start) / 20.0
    pictures = [tmp_path / f"{number:05d}.png" for number in range(3)]
    for number, path in enumerate(pictures):
        Image.new("RGB", (64, 64), (80 * number,) * 3).save(path)
    for rate in (24.0, 29.97, 60.0, 120.0, 240.0):
        film = Film(tmp_path / f"{rate:g}.mp4", width=64, height=64, rate=rate)
        (shot,) = shots_of(filmed, film)
        assert len(shot.frames) == 1 + math.floor(seconds * rate + 1e-6)
        assert np.diff(shot.frames) == pytest.approx(20.0 / rate)
        assert shot.shutter(1) == pytest.approx(0.5 * 20.0 / rate), "half of the time between two pictures"
        write_out(filmed, film, pictures)
        clip = blender.data.movieclips.load(str(film.target))
        assert clip.fps == pytest.approx(rate, rel=1e-3) and clip.frame_duration == 3


def test_a_belt_is_a_strap_on_the_skin_a_weld_a_pin_and_an_impactor_has_a_rod(blender):
    """The strap is as wide as webbing and nowhere more than 1 mm under the skin; a grip of a hand has no pin."""
    from mathutils.bvhtree import BVHTree

    from mannequin.scene.film.parts import parts_of
    from mannequin.scene.film.stage import dress_actors
    from mannequin.scene.film.straps import PIN, ROD, WEBBING, add_straps
    from mannequin.scene.rig.skins import skins_of
    from mannequin.scene.scenario.scenario import build_scenario
    from mannequin.scene.store.actors import actors_of

    scene = blender.context.scene
    scenario = read_scenario(scenario_path("shoulder_impact"))
    dummy, probe = (actor.name for actor in scenario.actors)
    pelvis = next(body.name for body in scenario.actors[0].model.bodies if body.name.lower() == "pelvis")
    lap = [Point(p, pelvis, dummy) for p in ((0.0, -0.2, 0.0), (0.12, 0.0, 0.08), (0.0, 0.2, 0.0))]
    scenario.belts = [Belt("lap", lap, [False, True, False], 5.0e4)]
    face = Point((0.0, 0.0, 0.0), "impactor", probe)
    scenario.welds = [Weld("pin", face, Point((0.0, 1.0, 1.0))), Weld("grip", face, lap[1])]
    build_scenario(scenario, scene)
    dress_actors(scene)
    add_straps(scene)
    drawn = {obj.name: obj for obj in parts_of(scene, "strap")}
    assert set(drawn) == {"lap", "pin", f"{probe} rod"}
    graph = blender.context.evaluated_depsgraph_get()

    def points_of(name):
        obj = drawn[name].evaluated_get(graph)
        return np.array([tuple(obj.matrix_world @ vertex.co) for vertex in obj.to_mesh().vertices])

    strap = points_of("lap").reshape(-1, 2, 3)
    assert np.linalg.norm(strap[:, 1] - strap[:, 0], axis=1) == pytest.approx(WEBBING, abs=1e-3)
    actor = next(actor for actor in actors_of(scene) if actor.name == dummy)
    (skin,) = skins_of(actor)
    tree = BVHTree.FromObject(skin, graph)
    inverse = skin.matrix_world.inverted()
    for middle in strap.mean(axis=1):
        place, normal, *_ = tree.find_nearest(inverse @ type(inverse.translation)(middle))
        assert normal.dot(inverse @ type(place)(middle) - place) > -0.001, "on the skin"
    rod = points_of(f"{probe} rod")
    start = np.array(scenario.actors[1].position)
    way = np.array(scenario.actors[1].velocity) / np.linalg.norm(scenario.actors[1].velocity)
    along = (rod - start) @ way
    assert along.max() == pytest.approx(0.0, abs=1e-3) and along.min() == pytest.approx(-ROD, abs=1e-3)
    assert np.ptp(points_of("pin")[:, 2]) == pytest.approx(PIN, abs=1e-3)


def test_headlights_go_with_a_vehicle_and_lamps_stand_along_its_way(blender):
    """At night: two spots before the car that shine ahead, also where it is elsewhere and turned."""
    from mannequin.scene.film.extent import actor_points
    from mannequin.scene.film.parts import parts_of
    from mannequin.scene.film.stage import set_stage

    scene = blender.context.scene
    blender.ops.mannequin.add_actor(model="car")
    car = blender.context.object
    scene.mannequin.film.stage = "night"
    set_stage(scene)
    lights = {obj: obj.data for obj in parts_of(scene, "light") if obj.type == "LIGHT"}
    heads = [obj for obj in lights if obj.name.startswith("Headlight")]
    lamps = [obj for obj in lights if obj.name.startswith("Street Light")]
    assert len(heads) == 2 and len(lamps) == 4
    assert all(-obj.matrix_world.col[2].z < -0.99 for obj in lamps), "they shine down"
    for turn, place in ((0.0, (0.0, 0.0, 0.0)), (1.2, (20.0, 5.0, 0.0))):
        car.rotation_euler.z, car.location = turn, place
        blender.context.view_layer.update()
        ahead = np.array([math.cos(turn), math.sin(turn), 0.0])
        front = (actor_points(car) @ ahead).max()
        for head in heads:
            where, shines = np.array(head.matrix_world.translation), -np.array(head.matrix_world.col[2])[:3]
            assert 0.0 <= where @ ahead - front < 0.2 and 0.4 < where[2] < 1.0
            assert shines @ ahead > 0.99
    world = scene.world.node_tree.nodes
    assert (
        next(node for node in world if node.type == "BACKGROUND") and scene.world["mannequin_sky"] == "night"
    )


@pytest.mark.long
def test_a_bench_test_stands_on_a_studio_floor_and_obstacles_are_in_view(blender):
    """A scenario without ground has a floor below all that moves, in the studio only; a kerb near the subject is in
    the picture with it."""
    from bpy_extras.object_utils import world_to_camera_view

    from mannequin.scene.film.cameras import camera_of
    from mannequin.scene.film.extent import actor_points, seen_points
    from mannequin.scene.film.parts import parts_of
    from mannequin.scene.film.produce import setup_render
    from mannequin.scene.scenario.scenario import build_scenario
    from mannequin.scene.store.actors import actors_of, obstacles_of

    scene = blender.context.scene
    build_scenario(read_scenario(scenario_path("thorax_pendulum")), scene)
    setup_render(scene, 320, 180)
    assert not parts_of(scene, "ground"), "the neutral stage shows what is simulated"
    scene.mannequin.film.stage = "studio"
    setup_render(scene, 320, 180)
    (floor,) = parts_of(scene, "ground")
    lowest = min(actor_points(actor)[:, 2].min() for actor in actors_of(scene))
    assert floor.location.z == pytest.approx(lowest, abs=1e-5) and lowest > 0.1
    assert all(obj.location.z > lowest + 0.1 for obj in parts_of(scene, "camera"))
    blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = blender.context.scene
    build_scenario(read_scenario(scenario_path("trip")), scene)
    setup_render(scene, 320, 180)
    scene.camera = None
    (kerb,) = obstacles_of(scene)
    for name in ("side", "three_quarter"):
        camera = camera_of(scene, name)
        corners = [world_to_camera_view(scene, camera, type(camera.location)(p)) for p in seen_points(kerb)]
        near = [corner for corner in corners if 0.0 < corner.x < 1.0 and 0.0 < corner.y < 1.0]
        assert len(near) >= len(corners) // 2, name
