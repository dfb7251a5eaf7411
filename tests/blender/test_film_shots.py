"""Films of several shots: cameras, cuts, slow motion, and nothing between a camera and its subject."""

import math
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from mannequin.engine import run
from mannequin.engine.spec import Point, SpringDamper
from mannequin.io_json.scenario_json import read_scenario
from mannequin.jobs.protocol import Film, FilmShot
from mannequin.models.library import scenario_path

pytestmark = pytest.mark.usefixtures("quick_draft")

SIZE = (160, 90)
RATE = 10
SHOTS = [
    FilmShot("wide", end=0.2),
    FilmShot("side", start=0.2, lens=85.0, f_stop=2.8),
    FilmShot("contact", start=0.3, end=0.5, slowness=4.0, ease=0.1, hold=0.4, orbit=60.0, title="Impact"),
]


@pytest.fixture(scope="module")
def fall():
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.6
    scenario.actors[0].velocity = (4.0, 0.0, 1.0)
    head = Point((0.0, 0.0, 0.1), "head", scenario.actors[0].name)
    scenario.springs = [SpringDamper("line", Point((0.0, 1.0, 3.0)), head, stiffness=0.0)]
    return scenario, run(scenario)


@pytest.fixture
def scene(blender, fall):
    """The fall baked at ten frames a second, with an impact of the head."""
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.scenario.scenario import build_scenario

    scenario, recording = fall
    scene = blender.context.scene
    build_scenario(scenario, scene)
    scene.render.fps = RATE
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    bake(recording, scene, Provenance("fall_1", "1", "x"), fit_timeline=True)
    row = scene.mannequin.results.contacts.add()
    row.name, row.peak_time, row.peak_force = "head on ground", 0.4, 900.0
    return scene


def seen_by(blender, scene, camera, points):
    """(n, 2) share of the picture, from 0 to 1, of (n, 3) world points by Blender's own projection."""
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    return np.array([tuple(world_to_camera_view(scene, camera, Vector(p)))[:2] for p in points])


@pytest.mark.long
def test_a_list_makes_cameras_cuts_and_slow_motion(blender, scene):
    """Cameras are fitted, markers cut where time goes on, and what each picture shows is what its clock says."""
    from mathutils import Vector

    from mannequin.scene.base.frames import at_frames
    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.film.extent import actor_points, near_body
    from mannequin.scene.film.shots import shots_of
    from mannequin.scene.store.actors import actors_of

    film = Film("", shots=SHOTS, rate=20.0)
    wide, side, near, held = shots_of(scene, film)
    assert [shot.own.name for shot in (wide, side, near)] == ["Shot 1 Wide", "Shot 2 Side", "Shot 3 Contact"]
    assert np.diff(wide.frames) == pytest.approx(RATE / 20.0), "twice the scene's rate"
    assert wide.frames[-1] <= side.frames[0] and side.frames[-1] == pytest.approx(scene.frame_end, abs=0.51)
    assert held.frames == near.frames[-1:] and held.pictures == 8 and held.own == near.own
    markers = {marker.name: (marker.frame, marker.camera) for marker in scene.timeline_markers}
    assert markers == {"Shot 1": (1, wide.own), "Shot 2": (3, side.own)}, (
        "what goes back in time has no cut here"
    )
    # speed: what passes between two pictures, as the caption says it
    caption = near.captioned(caption_of(scene))
    told = dict(caption.speeds)
    middle = len(near.frames) // 2
    assert (near.frames[middle] - near.frames[middle - 1]) * 20.0 / RATE == pytest.approx(1 / 4.0)
    assert 4.0 in told.values() and caption.title == "Impact" and caption.speeds[0][1] == 1.0
    assert math.isinf(held.captioned(caption).speeds[0][1])
    # motion blur: half of what passes from picture to picture
    assert near.shutter(middle) == pytest.approx(0.5 * (near.frames[middle + 1] - near.frames[middle]))
    assert wide.shutter(1) == pytest.approx(0.25)
    # lens, depth of field
    assert side.own.data.lens == 85.0 and side.own.data.dof.use_dof and not wide.own.data.dof.use_dof
    actor = actors_of(scene)[0]
    turns = []
    for shot in (wide, side, near):
        for _ in at_frames(scene, shot.frames[:: max(1, len(shot.frames) // 4)]):
            cloud = actor_points(actor)
            if shot is near:
                cloud = near_body(actor, "head", cloud, 0.4)
                turns.append(shot.own.rotation_euler.z)
            picture = seen_by(blender, scene, shot.own, cloud)
            assert picture.min() > -0.01 and picture.max() < 1.01, shot.own.name
            extent = np.ptp(picture, axis=0) * (SIZE[0] / SIZE[1], 1.0)
            assert extent.max() > 0.25, shot.own.name
            depth = -(shot.own.matrix_world.inverted() @ Vector(cloud.mean(axis=0))).z
            if shot is side:
                focus = shot.own.evaluated_get(
                    blender.context.evaluated_depsgraph_get()
                ).data.dof.focus_distance
                assert focus == pytest.approx(depth, rel=0.2), "sharp at the actor"
    assert math.degrees(max(turns) - min(turns)) > 30.0, "it goes round"


def test_a_changed_camera_stays_and_wrong_lists_say_why(blender, scene):
    from mannequin.engine.errors import UserError
    from mannequin.scene.film.shots import shots_of, shots_of_panel, unbound_markers

    film = Film("", shots=SHOTS[:2])
    first = shots_of(scene, film)[0].own
    mine = scene.timeline_markers.new("Shot 1", frame=5)
    first.location.z += 1.0
    kept = tuple(first.location)
    assert shots_of(scene, film)[0].own == first and tuple(first.location) == kept
    assert [shot.own.name for shot in shots_of(scene, replace(film, shots=SHOTS[:1]))] == ["Shot 1 Wide"]
    assert blender.data.objects.get("Shot 2 Side") is None, "no longer in the list"
    assert [(m.name, m.frame) for m in scene.timeline_markers] == [
        ("Shot 1", 5),
        ("Shot 1", 1),
    ] and mine.camera is None
    with unbound_markers(scene, has_shots=False):
        scene.camera = None
        scene.frame_set(1)
        assert scene.camera is None, "a film without the list is not cut by it"
    for wrong, message in (
        (FilmShot("camera", "Witness"), "no camera 'Witness'. There are: Shot 1"),
        (FilmShot("contact", contact="knee"), "no impact 'knee' to show. There are: head on ground"),
        (FilmShot("side", start=5.0), "the motion ends at 0.6 s"),
        (FilmShot("side", subject="nobody"), "'nobody', which is no actor"),
    ):
        with pytest.raises(UserError, match=message):
            shots_of(scene, replace(film, shots=[wrong]))
    assert shots_of_panel(scene) is None
    assert blender.ops.mannequin.propose_shots() == {"FINISHED"}
    assert [row.kind for row in scene.mannequin.film.shots] == [
        "wide",
        "contact",
        "close",
    ]
    assert [shot.kind for shot in shots_of_panel(scene)] == ["wide", "contact", "close"]


def test_nothing_stands_between_a_camera_and_its_subject(blender, scene):
    """A wall where the camera would look from, seen by Blender's own ray; and a room that no turn leaves."""
    from mathutils import Vector

    from mannequin.scene.base.frames import at_frames
    from mannequin.scene.film.extent import actor_points
    from mannequin.scene.film.shots import shots_of
    from mannequin.scene.store.actors import actors_of

    film = Film("", shots=[FilmShot("side")])
    (free,) = shots_of(scene, film)
    place = free.own.matrix_world.translation.copy()
    blender.ops.mesh.primitive_cube_add(size=1.5, location=place)
    wall = blender.context.object

    def is_hidden(camera):
        middle = Vector(actor_points(actors_of(scene)[0]).mean(axis=0))
        origin = camera.matrix_world.translation
        way = middle - origin
        hit, *_, obj, _ = scene.ray_cast(
            blender.context.evaluated_depsgraph_get(), origin, way.normalized(), distance=way.length - 0.4
        )
        return hit and obj == wall

    assert is_hidden(free.own), "the test's wall is in the way"
    for size, where in ((1.5, place), (0.0, None)):
        if where is None:  # a closed room round the actor, four metres wide
            wall.location, wall.scale = (0.8, 0.0, 1.5), (8.0 / 1.5, 4.0 / 1.5, 4.0 / 1.5)
            film = Film("", shots=[FilmShot("tracking")])
        (shot,) = shots_of(scene, film)
        hidden = [is_hidden(shot.own) for _ in at_frames(scene, shot.frames)]
        assert not any(hidden), (size, hidden)


def test_a_film_of_shots_is_whole_and_leaves_markers(blender, scene, tmp_path):
    """A replay goes back in time by a camera of its own although markers cut; the held picture is there as often."""
    from mannequin.scene.film.produce import render_film, setup_render

    setup_render(scene, *SIZE)
    shots = [
        FilmShot("wide", end=0.2),
        FilmShot("side", start=0.2, end=0.4),
        FilmShot("top", end=0.1, hold=0.3),
    ]
    film = Film(tmp_path / "frames", "PNG", width=SIZE[0], height=SIZE[1], overlay=False, shots=shots)
    told = []
    render_film(scene, film, lambda done, total: told.append((done, total)))
    pictures = sorted((tmp_path / "frames").iterdir())
    assert len(pictures) == 3 + 3 + 2 + 3 and told[-1] == (11, 11)
    shown = [np.asarray(Image.open(path).convert("L")).astype(float) for path in pictures]
    assert np.array_equal(shown[-1], shown[-3]), "held"
    horizon = [picture[: SIZE[1] // 6].std() for picture in shown]
    assert np.abs(shown[0] - shown[6]).mean() > 5.0, "the first moment again, from above"
    assert max(horizon) < 60.0
    assert {marker.camera.name for marker in scene.timeline_markers} == {"Shot 1 Wide", "Shot 2 Side"}


@pytest.mark.long
def test_words_stay_sharp_where_the_picture_blurs(blender, scene, tmp_path):
    """The overlay of a picture with depth of field and motion blur is that of a sharp one, pixel by pixel."""
    from mannequin.scene.film.produce import prepare, render_frame, setup_render, taking_pictures
    from mannequin.scene.film.shots import shots_of

    setup_render(scene, *SIZE)
    scene.mannequin.film.case = "2026-7"
    frame, shown = 3.5, []
    for preset, f_stop, blurs in (("draft", 0.0, False), ("best", 0.5, True)):
        film = Film(
            "", "PNG", preset=preset, width=SIZE[0], height=SIZE[1], motion_blur=blurs,
            shots=[FilmShot("side", f_stop=f_stop)],
        )  # fmt: skip
        (shot,) = shots_of(scene, film)
        with taking_pictures(scene, film):
            prepare(scene, film, shot)
            scene.cycles.samples, scene.cycles.use_denoising = 1, False
            path = render_frame(scene, film, frame, tmp_path / f"{preset}.png")
        shown.append(np.asarray(Image.open(path).convert("L")).astype(int))
    band = np.abs(shown[1][-13:] - shown[0][-13:])
    assert shown[0][-13:].max() > 200, "there are words"
    assert np.percentile(band, 99) <= 12, "the same words, at the same time"
    assert not list(tmp_path.glob("plain_*")) and not list(tmp_path.glob("overlay_*"))
    assert not any(obj.hide_render for obj in scene.objects if obj.name.startswith("Film Overlay"))


def test_a_spring_is_drawn_between_the_points_it_ties(blender, scene, fall):
    """Its tube ends, at a frame of the motion, where the recording has the points."""
    from mannequin.scene.film.parts import parts_of
    from mannequin.scene.film.straps import add_straps

    add_straps(scene)
    add_straps(scene)
    (line,) = parts_of(scene, "strap")
    scene.frame_set(5)
    shown = line.evaluated_get(blender.context.evaluated_depsgraph_get()).to_mesh()
    points = np.array([tuple(vertex.co) for vertex in shown.vertices])
    _, recording = fall
    head, moment = recording.body_names.index("head"), int(np.argmin(np.abs(recording.times - 4 / RATE)))
    end = (recording.origin(head) + recording.rotation(head) @ (0.0, 0.0, 0.1))[moment]
    for expected in ((0.0, 1.0, 3.0), end):
        near = points[np.linalg.norm(points - expected, axis=1) < 0.05]
        assert len(near) and np.abs(near.mean(axis=0) - expected).max() < 2e-3


def test_a_second_camera_is_in_the_picture(blender, scene, tmp_path):
    """The small view at the lower left is what that camera sees; the rest of the picture stays as it is."""
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.film.inset_view import inset_box
    from mannequin.scene.film.produce import prepare, render_frame, setup_render

    setup_render(scene, *SIZE)
    shown = {}
    for name, camera, size, inset in (
        ("plain", "side", SIZE, ""),
        ("with", "side", SIZE, "top"),
        ("top", "top", (48, 28), ""),
    ):
        film = Film("", "PNG", camera, "draft", *size, overlay=False, inset=inset)
        scene.camera = None
        prepare(scene, film)
        path = render_frame(scene, film, 4, tmp_path / f"{name}.png")
        shown[name] = np.asarray(Image.open(path).convert("RGB")).astype(int)
    left, low, right, top = inset_box(*SIZE)
    rows = slice(round(45 - top), round(45 - low))
    columns = slice(round(80 + left), round(80 + right))
    small = shown["with"][rows, columns]
    assert small.shape[:2] == (28, 48) and np.abs(small - shown["top"]).mean() < 8.0
    outside = np.abs(shown["with"] - shown["plain"])
    outside[rows.start - 2 : rows.stop + 2, columns.start - 2 : columns.stop + 2] = 0
    assert outside.max() <= 2 and [p.name for p in sorted(tmp_path.iterdir())] == [
        "plain.png",
        "top.png",
        "with.png",
    ]
    with pytest.raises(SceneError, match="no camera 'roof' for the small view"):
        render_frame(scene, replace(film, inset="roof"), 4, tmp_path / "none.png")
