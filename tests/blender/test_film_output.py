"""Overlay, cameras and the film as a file."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops

from mannequin.engine import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path

pytestmark = pytest.mark.usefixtures("quick_draft")

SIZE = (320, 180)


def grey(size=SIZE, level=120):
    return Image.new("RGB", size, (level, level, level))


def differing_box(first, second):
    """Bounds of where two pictures differ."""
    return ImageChops.difference(first, second).getbbox()


@pytest.fixture
def caption(blender):
    from mannequin.scene.film.overlay import Caption, Readout

    return Caption(
        "fall_1",
        "A-7",
        times=((1, 0.0), (11, 0.1234)),
        speeds=((1, 1.0), (6, 4.0)),
        readouts=(Readout("Head speed", "m/s", 1, ((1, 0.0), (11, 5.0))),),
    )


def empty_film(blender, size=SIZE, distance=10.0):
    """A scene with nothing but a camera that looks at it from a known distance."""
    from mannequin.scene.base.blender_version import set_picture_output
    from mannequin.scene.film.cameras import LENS
    from mannequin.scene.film.presets import apply_render_preset

    scene = blender.context.scene
    data = blender.data.cameras.new("Camera")
    data.lens = LENS
    scene.camera = blender.data.objects.new("Camera", data)
    scene.camera["mannequin_distance"] = distance
    scene.camera.location, scene.camera.rotation_euler = (3.0, -4.0, 5.0), (1.0, 0.2, 2.0)
    scene.collection.objects.link(scene.camera)
    scene.render.resolution_x, scene.render.resolution_y = size
    apply_render_preset(scene, "draft")
    scene.display.render_aa = "OFF"
    set_picture_output(scene.render)
    scene.world = blender.data.worlds.new("World")
    scene.world.color = (0.2, 0.2, 0.2)
    return scene


def rendered(blender, scene, frame, path):
    """The picture of a frame."""
    scene.frame_set(frame)
    scene.render.filepath = str(path)
    blender.ops.render.render(write_still=True, scene=scene.name)
    with Image.open(path) as picture:
        return picture.convert("RGB")


def drawn_points(blender, scene, frame):
    """(n, 2) vertices of the overlay at a frame, in pixels of the picture from its middle."""
    from mannequin.scene.film.overlay import overlay_of

    scene.frame_set(frame)
    obj = overlay_of(scene).evaluated_get(blender.context.evaluated_depsgraph_get())
    points = np.array([v.co for v in obj.data.vertices])
    camera = np.array(scene.camera.matrix_world.inverted())
    seen = points @ camera[:3, :3].T + camera[:3, 3]
    scale = scene.camera.data.lens / 36.0 * max(scene.render.resolution_x, scene.render.resolution_y)
    return scale * seen[:, :2] / -seen[:, 2:]


def text_vertices(blender, text):
    """How many vertices Blender's own text object of that text has, as a mesh."""
    curve = blender.data.curves.new("text", "FONT")
    curve.body = text
    obj = blender.data.objects.new("text", curve)
    blender.context.scene.collection.objects.link(obj)
    mesh = obj.evaluated_get(blender.context.evaluated_depsgraph_get()).to_mesh()
    count = len(mesh.vertices)
    blender.data.objects.remove(obj)
    return count


def test_the_overlay_is_a_band_and_plates_and_leaves_the_rest(blender, caption, tmp_path):
    from mannequin.scene.film.overlay import add_overlay, remove_overlay

    scene = empty_film(blender)
    add_overlay(scene, caption)
    shown = rendered(blender, scene, 1, tmp_path / "with.png")
    remove_overlay(scene)
    plain = rendered(blender, scene, 1, tmp_path / "without.png")
    touched = np.abs(np.asarray(shown).astype(int) - np.asarray(plain)).max(axis=2) > 2
    assert touched[:10, -80:].mean() > 0.5, "notice"
    assert touched[:10, :60].mean() > 0.5, "read-out"
    assert touched[-16:].mean() > 0.95, "band"
    assert not touched[25:155].any()


@pytest.mark.parametrize("size", [(960, 540), (1920, 1080), (540, 960)])
def test_no_text_of_the_overlay_is_cut_off(blender, caption, size):
    import dataclasses

    from mannequin.scene.film.overlay import add_overlay

    scene = empty_film(blender, size)
    long = dataclasses.replace(
        caption,
        run="a_very_long_name_of_a_run_that_somebody_gave_it_20261116T083022Z",
        case="2026-014/77-B III",
    )
    add_overlay(scene, long)
    points = np.abs(drawn_points(blender, scene, 3))
    width, height = size
    is_text = points[:, 0] < 0.54 * width  # the band reaches over the edge on purpose
    assert points[is_text][:, 0].max() < 0.5 * width + 1.0
    assert points[is_text][:, 1].max() < 0.5 * height + 2.0 * height / 30.0


@pytest.mark.parametrize(
    "change",
    [
        {"times": ((1, 0.2),)},
        {"speeds": ((1, 3.0),)},
        {"run": "fall_2"},
        {"case": "B"},
        {"flag": "Edited by hand"},
        {"title": "Before"},
        {"readouts": ()},
    ],
)
def test_each_word_of_the_overlay_shows(blender, caption, change):
    import dataclasses

    from mannequin.scene.film.overlay import add_overlay

    scene = empty_film(blender)
    add_overlay(scene, caption)
    first = drawn_points(blender, scene, 1)
    add_overlay(scene, dataclasses.replace(caption, **change))
    second = drawn_points(blender, scene, 1)
    assert first.shape != second.shape or np.abs(first - second).max() > 0.5


def test_time_speed_and_readout_go_with_the_frame(blender, caption):
    """As many vertices as Blender's own text objects of the expected words have."""
    import dataclasses

    from mannequin.scene.film.overlay import add_overlay

    scene = empty_film(blender)
    add_overlay(scene, dataclasses.replace(caption, run="", case=""))
    counts = {}
    for frame, words in {
        1: ("t = 0.0 ms", "1x (true speed)", "Head speed  0.0 m/s"),
        6: ("t = 61.7 ms", "0.25x speed (4 times slower)", "Head speed  2.5 m/s"),
        11: ("t = 123.4 ms", "0.25x speed (4 times slower)", "Head speed  5.0 m/s"),
    }.items():
        counts[frame] = len(drawn_points(blender, scene, frame)) - sum(
            text_vertices(blender, w) for w in words
        )
    assert counts[1] == counts[6] == counts[11], "all but these words is the same at all times"
    assert len(drawn_points(blender, scene, 1)) != len(drawn_points(blender, scene, 6))


@pytest.mark.parametrize("distance, metres", [(10.0, 1.0), (30.0, 2.0), (2.0, 0.2)])
def test_the_scale_bar_is_as_long_as_it_says(blender, caption, tmp_path, distance, metres):
    """0.16 of 960 px at 36 mm / 50 mm are 1.152, 3.456 and 0.230 m: the longest round lengths within are 1, 2, 0.2."""
    from mannequin.scene.film.overlay import add_overlay

    scene = empty_film(blender, (960, 540), distance)
    add_overlay(scene, caption)
    shown = np.asarray(rendered(blender, scene, 1, tmp_path / "bar.png")).astype(int)
    white = (shown[-25:, 600:].min(axis=2) > 200).sum(axis=1)
    pixel = distance * 36.0 / 50.0 / 960.0
    assert max(white) == pytest.approx(metres / pixel, abs=4)


def test_the_overlay_follows_the_active_camera_and_its_lens(blender, caption, tmp_path):
    from mannequin.scene.film.overlay import add_overlay

    scene = empty_film(blender)
    add_overlay(scene, caption)
    first = rendered(blender, scene, 1, tmp_path / "1.png")
    other = blender.data.objects.new("Other", blender.data.cameras.new("Other"))
    other.data.lens = 85.0
    other.location = (-30.0, 2.0, 1.0)
    scene.collection.objects.link(other)
    scene.camera = other
    second = np.asarray(rendered(blender, scene, 1, tmp_path / "2.png")).astype(int)
    band = np.abs(second[-15:, :200] - np.asarray(first)[-15:, :200])
    assert np.mean(band.max(axis=2) > 40) < 0.03, "the same words at the same place"
    assert second[-12:, 250:].max() < 128, "no scale bar: the distance of this camera is not known"


@pytest.fixture
def scene(blender):
    """A baked standing fall with its stage."""
    from mannequin.scene.film.produce import setup_render
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.scenario.scenario import build_scenario

    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.3
    scenario.actors[0].velocity = (2.0, 0.0, 0.0)
    scene = blender.context.scene
    build_scenario(scenario, scene)
    scene.render.fps = 10
    bake(run(scenario), scene, Provenance("fall_1", "1", "x"), fit_timeline=True)
    setup_render(scene, 320, 180)
    return scene


@pytest.mark.parametrize("name", ["side", "front", "top", "three_quarter", "tracking"])
def test_every_camera_sees_the_whole_actor_all_the_time(blender, scene, name):
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    from mannequin.scene.film.cameras import camera_of
    from mannequin.scene.film.extent import actor_points
    from mannequin.scene.store.actors import actors_of

    camera = camera_of(scene, name)
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        seen = [
            world_to_camera_view(scene, camera, Vector(p)) for p in actor_points(actors_of(scene)[0])[::20]
        ]
        assert min(p.z for p in seen) > 0.0
        assert all(0.0 < p.x < 1.0 and 0.08 < p.y < 1.0 for p in seen)


def test_the_scale_at_the_actor_is_true(blender, scene):
    """Two points a metre apart across the view, at the fitted distance, are so many pixels apart."""
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    from mannequin.scene.film.cameras import camera_of, metres_per_pixel

    camera = camera_of(scene, "side")
    blender.context.view_layer.update()
    ends = [camera.matrix_world @ Vector((x, 0.0, -camera["mannequin_distance"])) for x in (-0.5, 0.5)]
    left, right = (world_to_camera_view(scene, camera, end).x * 320 for end in ends)
    assert 1.0 / (right - left) == pytest.approx(metres_per_pixel(camera, scene), rel=1e-4)


def test_the_caption_tells_the_time_that_is_shown(blender, scene):
    from mannequin.scene.base.blender_version import fcurves_of
    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.motion.bake import playing_action
    from mannequin.scene.store.actors import actors_of

    caption = caption_of(scene)
    assert caption.times == ((1.0, 0.0), (4.0, pytest.approx(0.3)))
    assert {factor for _, factor in caption.speeds} == {1.0} and not caption.flag
    fcurves_of(playing_action(actors_of(scene)[0]))[0].keyframe_points[1].co.y += 0.01
    assert caption_of(scene).flag == "Edited by hand: keyframes, muted curves or their modifiers"


def test_slow_motion_is_reported_where_it_begins_and_ends(blender, scene):
    from mannequin.analysis.time_map import TimeMap
    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.motion.bake import playing_action
    from mannequin.scene.store.actors import actors_of

    action = playing_action(actors_of(scene)[0])
    # 0.3 s of film: 0.1 s of the run, then 0.02 s of it ten times slower
    action["mannequin_time_map"] = TimeMap(((0.1, 0.12, 10.0),), 1.0).dump()
    caption = caption_of(scene)
    assert caption.times == (
        (1.0, 0.0),
        (pytest.approx(2.0), 0.1),
        (pytest.approx(4.0), pytest.approx(0.12)),
    )
    assert [factor for _, factor in caption.speeds][:2] == [1.0, 10.0]


def test_a_film_that_begins_later_tells_the_same_times(blender, scene):
    from mannequin.scene.film.caption import caption_of

    before = caption_of(scene).times
    scene.frame_start = 3
    assert caption_of(scene).times == before


def test_a_film_at_another_rate_than_baked_tells_its_true_speed(blender, scene):
    """Baked at 10 frames a second, played at 5: half the speed, and the same times at the same frames."""
    from mannequin.scene.film.caption import caption_of

    before = caption_of(scene)
    scene.render.fps = 5
    after = caption_of(scene)
    assert after.times == before.times
    assert {factor for _, factor in after.speeds} == {2.0}


def decoded(blender, film: Path, frames, folder: Path, size) -> list[np.ndarray]:
    """Pictures of a film, decoded by Blender's sequencer in the open scene."""
    from mannequin.scene.base.blender_version import set_picture_output, strips_of

    scene = blender.context.scene
    strips_of(scene).new_movie(
        name="film", filepath=str(film), channel=1, frame_start=1, fit_method="ORIGINAL"
    )
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "Standard"
    set_picture_output(scene.render)
    pictures = []
    for frame in frames:
        scene.frame_set(frame)
        scene.render.filepath = str(folder / f"decoded_{frame}.png")
        blender.ops.render.render(write_still=True)
        pictures.append(np.asarray(Image.open(scene.render.filepath).convert("RGB")).astype(int))
    return pictures


def test_the_film_holds_the_pictures_in_order(blender, tmp_path):
    from mannequin.scene.film.encode import write_video

    pictures = []
    for k in range(6):
        pictures.append(tmp_path / f"{k:05d}.png")
        grey(level=60 + 20 * k).save(pictures[-1])
    film = tmp_path / "film.mp4"
    write_video(pictures, film, 25, 1.0, SIZE)
    assert film.read_bytes()[4:8] == b"ftyp"
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == []
    chosen = (0, 3, 5)
    shown = decoded(blender, film, [k + 1 for k in chosen], tmp_path, SIZE)
    for k, picture in zip(chosen, shown, strict=True):
        off = [np.abs(picture - np.asarray(Image.open(p)).astype(int)).mean() for p in pictures]
        assert int(np.argmin(off)) == k and off[k] < 6.0


def test_the_decoded_film_shows_the_overlay_and_moves(blender, scene, tmp_path):
    """MP4 with the overlay against pictures without: they differ where the overlay is, and little elsewhere."""
    from mannequin.scene.film.produce import Film, render_film

    size = (320, 180)
    render_film(scene, Film(tmp_path / "film.mp4", width=size[0], height=size[1]))
    render_film(scene, Film(tmp_path / "plain", "PNG", width=size[0], height=size[1], overlay=False))
    plain = [np.asarray(Image.open(p)).astype(int) for p in sorted((tmp_path / "plain").iterdir())]
    blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    shown = decoded(blender, tmp_path / "film.mp4", range(1, 1 + len(plain)), tmp_path, size)
    for with_it, without in zip(shown, plain, strict=True):
        off = np.abs(with_it - without).max(axis=2)
        assert off[-16:].mean() > 60.0 and off[:9, -80:].mean() > 60.0
        assert off[30:150].mean() < 6.0
    time = (slice(-17, -8), slice(4, 90))
    words = [np.abs(shown[k + 1][time] - shown[k][time]).max() for k in range(len(shown) - 1)]
    assert min(words) > 60, "the time changes with every frame"
    assert np.abs(shown[-1][30:150] - shown[0][30:150]).max() > 60, "the actor moves"


def test_a_gif_plays_at_the_speed_of_the_film(blender, scene, tmp_path):
    from mannequin.scene.film.produce import Film, render_film

    render_film(scene, Film(tmp_path / "film.gif", "GIF", width=160, height=90))
    with Image.open(tmp_path / "film.gif") as film:
        assert film.size == (160, 90), "no second caption below the picture"
        assert film.n_frames == 4
        durations = []
        for k in range(film.n_frames):
            film.seek(k)
            durations.append(film.info["duration"])
    assert durations == [100] * 4  # ms: 10 frames a second


@pytest.mark.slow
def test_a_rendered_sequence_shows_the_actor_moving(blender, scene, tmp_path):
    from mannequin.scene.film.produce import Film, render_film

    reported = []
    film = Film(tmp_path / "frames", "PNG", width=160, height=90, overlay=False)
    render_film(scene, film, lambda done, total: reported.append((done, total)))
    pictures = sorted((tmp_path / "frames").iterdir())
    assert len(pictures) == scene.frame_end - scene.frame_start + 1 == reported[-1][0]
    first, last = (Image.open(p).convert("RGB") for p in (pictures[0], pictures[-1]))
    assert differing_box(first, last) is not None
    assert [p.name for p in tmp_path.iterdir()] == ["frames"]


@pytest.mark.parametrize("preset", ["draft", pytest.param("film", marks=pytest.mark.slow), "best"])
def test_every_preset_shows_actor_ground_sky_and_overlay(blender, scene, tmp_path, preset):
    """In the picture of the side camera: bright sky above, grey ground below, an actor of another colour in between."""
    from mannequin.scene.film.produce import Film, prepare, render_frame

    film = Film(tmp_path / "still.png", preset=preset, width=192, height=108)
    prepare(scene, film)
    assert not scene.camera.data.dof.use_dof
    assert (
        scene.render.engine.split("_")[0] == {"draft": "BLENDER", "film": "BLENDER", "best": "CYCLES"}[preset]
    )
    if preset == "best":
        assert scene.cycles.use_denoising
        scene.cycles.samples = 8  # of 128: for the time of a test
    render_frame(scene, film, 1, film.target)
    with Image.open(film.target) as still:
        shown = np.asarray(still.convert("RGB")).astype(int)
    sky, ground = (
        shown[14:18, 20:60].reshape(-1, 3).mean(axis=0),
        shown[85:92, 5:40].reshape(-1, 3).mean(axis=0),
    )
    assert sky[2] > sky[0] + 10 and sky.mean() > 110, "a blue sky"
    assert np.ptp(ground) < 40 and 60 < ground.mean() < 230, "a grey ground, neither black nor burnt out"
    background = np.median(shown, axis=1, keepdims=True)  # most of every row
    figure = np.abs(shown - background).max(axis=2) > 40
    assert 200 < figure[18:97].sum() < 6000, "a figure of another colour"
    assert shown[-9:].max() > 180 and np.percentile(shown[-9:], 20) < 90, "white words on a dark band"


def test_odd_sizes_are_refused_before_rendering(blender, scene, tmp_path):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.film.produce import Film, render_film

    with pytest.raises(SceneError, match="even"):
        render_film(scene, Film(tmp_path / "film.mp4", width=161, height=90))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("kind", "shift"), [("ORTHO", (0.0, 0.0)), ("PERSP", (0.3, -0.2)), ("ORTHO", (0.1, 0.05))]
)
def test_the_overlay_fits_orthographic_and_shifted_cameras(blender, caption, kind, shift):
    """By Blender's own projection: the band lies at the lower edge of the picture, from side to side."""
    from bpy_extras.object_utils import world_to_camera_view
    from mathutils import Vector

    from mannequin.scene.film.overlay import add_overlay, overlay_of

    scene = empty_film(blender)
    scene.camera.data.type, scene.camera.data.ortho_scale = kind, 7.0
    scene.camera.data.shift_x, scene.camera.data.shift_y = shift
    add_overlay(scene, caption)
    scene.frame_set(1)
    obj = overlay_of(scene).evaluated_get(blender.context.evaluated_depsgraph_get())
    seen = np.array(
        [tuple(world_to_camera_view(scene, scene.camera, Vector(v.co)))[:2] for v in obj.data.vertices]
    )
    words = seen[(seen > 0.0).all(axis=1) & (seen < 1.0).all(axis=1)]
    assert len(words) > 0.95 * len(seen), "only the band is wider than the picture"
    assert seen[:, 0].min() == pytest.approx(-0.05, abs=0.01) and seen[:, 0].max() == pytest.approx(
        1.05, abs=0.01
    )
    assert words[:, 1].min() < 0.05 and words[:, 1].max() > 0.9


def test_the_plot_keeps_its_peak_and_its_line_goes_with_the_clock(blender):
    """A peak between two frames reaches the top of the plot; the line stands where the time is."""
    from mannequin.scene.film.overlay import Caption, Layout, Readout, add_overlay, overlay_of, plot_of

    scene = empty_film(blender)
    keys = ((1.0, 0.0), (4.2, 0.0), (4.3, 80.0), (4.4, 0.0), (11.0, 4.0))
    add_overlay(scene, Caption("run", times=((1, 0.0), (11, 0.4)), plot=Readout("Head", "g", 0, keys)))
    plot = plot_of(Layout(*SIZE))
    vertices = np.array([tuple(v.co) for v in overlay_of(scene).data.vertices])
    left, bottom, right, top = plot.inner
    assert vertices[:, 1].max() == pytest.approx(top, abs=1.0) and vertices[:, 1].min() == pytest.approx(
        bottom, abs=1.0
    )
    peak = vertices[vertices[:, 1] > top - 1.0, 0].mean()
    assert peak == pytest.approx(left + (right - left) * 0.33, abs=1.0)
    tree = overlay_of(scene).modifiers[0].node_group
    for frame, share in ((1, 0.0), (6, 0.5), (11, 1.0)):
        scene.frame_set(frame)
        shown = tree.nodes["plot_now"].outputs[0].default_value
        assert shown == pytest.approx(left + share * (right - left), abs=0.1)
    points = drawn_points(blender, scene, 6)
    inside = (np.abs(points[:, 0]) < SIZE[0] * 0.56) & (np.abs(points[:, 1]) < SIZE[1] * 0.62)
    assert inside.all() and plot.box[2] < SIZE[0] / 2.0 and plot.box[1] > -SIZE[1] / 2.0
