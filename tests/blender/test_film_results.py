"""Results of a run in the scene: contacts, plots, time series, traces, export."""

import numpy as np
import pytest
from ball_run import RADIUS, ball_model, ball_run

from mannequin.analysis.measures.filters import filter_cfc
from mannequin.analysis.measures.impacts import find_impacts
from mannequin.engine import run as simulate
from mannequin.engine.maths.rotations import matrix_from_quaternion
from mannequin.engine.spec import Actor, Scenario, Settings
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path


@pytest.fixture(scope="module")
def scenario():
    """A fall from a low height, so that something is struck soon."""
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration, scenario.settings.output_step = 0.2, 0.002
    scenario.settings.time_step = 1e-4
    actor = scenario.actors[0]
    actor.velocity = (0.5, 0.0, -3.0)
    return scenario


@pytest.fixture(scope="module")
def run_folder(scenario, tmp_path_factory):
    """Its run."""
    from datetime import UTC, datetime

    from mannequin.analysis.files.run_folder import write_run

    now = datetime.now(UTC)
    return write_run(scenario, simulate(scenario), tmp_path_factory.mktemp("runs"), started=now, ended=now)


@pytest.fixture
def scene(blender, run_folder):
    """The run, opened in Blender at 100 frames a second."""
    scene = blender.context.scene
    scene.render.fps = 100
    blender.ops.mannequin.open_run(filepath=str(run_folder / "manifest.json"))
    return scene


@pytest.fixture
def recording(run_folder):
    from mannequin.analysis.files.run_folder import read_run

    return read_run(run_folder).recording


def test_impacts_of_too_few_steps_are_told_by_the_operator_and_the_panel(blender, tmp_path):
    """A step at which nothing can be right: in what the operator reports, and in the panel beside the numbers."""
    from mannequin.scene.run.simulate import SceneRun
    from mannequin.scene.scenario.scenario import build_scenario

    coarse = read_scenario(scenario_path("fall_standing"))
    coarse.settings.time_step = coarse.settings.output_step = 0.02
    coarse.settings.duration = 1.5
    scene = blender.context.scene
    build_scenario(coarse, scene)
    scene.mannequin.runs.folder = str(tmp_path)
    job = SceneRun(scene)
    job.wait()
    outcome = job.finish(scene)
    assert outcome.text.startswith("unresolved: An impact lasted fewer than 4 time steps")
    assert scene.mannequin.results.status.startswith("An impact lasted fewer than 4 time steps")


def trace_objects(scene, kind):
    from mannequin.scene.show.traces.collection import trace_collection

    collection = trace_collection(scene, scene.mannequin.results.run, kind)
    return [] if collection is None else list(collection.objects)


def test_impacts_are_named_shortly_with_their_surfaces(scene, scenario, recording):
    impacts = find_impacts(scenario, recording)
    rows = scene.mannequin.results.contacts
    assert len(rows) == len(impacts) >= 2
    assert sorted(event for impact in impacts for event in impact.events) == list(
        range(len(recording.contacts))
    )
    event, row = recording.contacts[impacts[0].events[0]], rows[0]
    body, surface = recording.body_names[event["body_a"]], recording.ellipsoid_names[event["ellipsoid_a"]]
    assert row.name == f"{body} on ground" and f"{surface} on ground" in row.surfaces and "%" in row.surfaces
    peaks = recording.contacts["joined_force"][list(impacts[0].events)]
    assert row.peak_force == pytest.approx(np.max(peaks), rel=1e-6)


@pytest.mark.parametrize(
    ("newtons", "text"), [(84.6, "85 N"), (999.4, "999 N"), (999.6, "1 kN"), (3420.0, "3.42 kN")]
)
def test_forces_in_few_characters(newtons, text):
    from mannequin.analysis.measures.preview import force_text

    assert force_text(newtons) == text


@pytest.mark.parametrize("plot", ["timeline", "energy", "acceleration", "contact_force", "joint_angle"])
def test_plots_are_pictures_inside_the_file(blender, scene, plot, tmp_path):
    assert blender.ops.mannequin.show_plot(plot=plot) == {"FINISHED"}
    (image,) = [i for i in blender.data.images if i.name.startswith(scene.mannequin.results.run[:40])]
    assert image.packed_file is not None and image.size[0] > 600
    pixels = np.array(image.pixels[:]).reshape(-1, 4)
    assert 0.5 < pixels[:, :3].mean() < 1.0 and pixels[:, :3].std() > 0.02  # ink on white
    blender.ops.mannequin.show_plot(plot=plot)
    assert len(blender.data.images) == 1, "drawn again, not once more"


def test_a_plot_of_a_body_that_is_not_there_is_refused(blender, scene):
    with pytest.raises(RuntimeError, match="no body 'man/tail'"):
        blender.ops.mannequin.show_plot(plot="velocity", body="man/tail")


def test_time_series_are_animated_properties_with_every_sample(scene, recording):
    from mannequin.scene.base.blender_version import fcurves_of
    from mannequin.scene.motion.bake import playing_action
    from mannequin.scene.motion.edited import is_edited_by_hand
    from mannequin.scene.store.actors import actors_of

    actor = actors_of(scene)[0]
    action = playing_action(actor)
    curve = next(c for c in fcurves_of(action) if c.data_path == '["speed (m/s)"]')
    assert len(curve.keyframe_points) == recording.frames
    mass = recording.body_mass
    speed = np.linalg.norm((recording.velocity * mass[:, None]).sum(axis=1) / mass.sum(), axis=1)
    keyed = np.array([point.co[:] for point in curve.keyframe_points])
    assert np.allclose(keyed[:, 1], speed, atol=1e-5)
    assert np.allclose(keyed[:, 0], 1 + 100 * recording.times, atol=1e-4)
    scene.frame_set(11)
    assert actor["speed (m/s)"] == pytest.approx(speed[50], abs=1e-5)
    head = recording.body_names.index("head")
    peak = next(c for c in fcurves_of(action) if c.data_path == '["head acceleration (g)"]')
    (channel,) = np.flatnonzero((recording.channel_body == head) & (np.array(recording.channel_sensor) == "woman head")
                                & (np.array(recording.channel_quantity) == "acceleration"))  # fmt: skip
    felt = filter_cfc(recording.channel_data[:, channel], 1000, 1e4)[::20]
    expected = np.linalg.norm(felt, axis=1) / 9.80665
    assert np.allclose([p.co.y for p in peak.keyframe_points], expected, rtol=1e-5)
    assert not is_edited_by_hand(action)
    peak.keyframe_points[5].co.y += 1.0
    assert is_edited_by_hand(action)


def test_tables_are_copied_and_nothing_is_written_over(blender, scene, run_folder, tmp_path):
    assert blender.ops.mannequin.export_tables(directory=str(tmp_path)) == {"FINISHED"}
    names = {path.name for path in run_folder.glob("*.csv")}
    assert {path.name for path in tmp_path.iterdir()} == names and len(names) >= 4
    for name in names:
        assert (tmp_path / name).read_bytes() == (run_folder / name).read_bytes()
    with pytest.raises(RuntimeError, match="already"):
        blender.ops.mannequin.export_tables(directory=str(tmp_path))


@pytest.mark.parametrize("kind", ["forces", "paths", "ghosts", "marks"])
def test_traces_come_and_go_without_a_rest(blender, scene, kind):
    def counts():
        names = ("objects", "meshes", "curves", "collections", "actions")
        return {name: len(getattr(blender.data, name)) for name in names}

    before = counts()
    blender.ops.mannequin.toggle_trace(kind=kind)
    assert trace_objects(scene, kind)
    blender.ops.mannequin.toggle_trace(kind=kind)
    assert not trace_objects(scene, kind) and counts() == before


def test_arrows_are_the_forces(blender, scene, recording):
    scene.mannequin.traces.arrow_length = 0.5
    blender.ops.mannequin.toggle_trace(kind="forces")
    arrows = trace_objects(scene, "forces")
    checked = 0
    for sample in range(0, recording.frames, 5):
        scene.frame_set(1 + sample // 5)
        for arrow in arrows:
            body = recording.body_names.index(arrow.name.split(" / ")[1].removesuffix(" force"))
            force = recording.contact_force[sample, body]
            size = np.linalg.norm(force)
            matrix = np.array(arrow.matrix_world)
            if size <= 1.0:
                assert np.abs(matrix[:3, :3]).max() < 1e-6
                continue
            assert np.allclose(matrix[:3, 2], force / 1000.0 * 0.5, atol=1e-5 * size)
            # torque of the arrow about the centre of mass is the recorded one
            lever = matrix[:3, 3] - recording.position[sample, body]
            torque = np.cross(lever, force)
            recorded = recording.contact_torque[sample, body]
            along = force / size
            recorded = recorded - along * (recorded @ along)  # a turn about its own line has no lever
            assert np.allclose(torque, recorded, atol=1e-4 * size + 1e-3)
            checked += 1
    assert checked > 10


def test_an_arrow_starts_where_the_body_touches():
    """A ball that is thrown on the ground, at the time of the largest force."""
    from mannequin.engine.runs.warmup import smallest_scenario
    from mannequin.scene.show.traces.arrows import force_and_point

    scenario = smallest_scenario()
    scenario.actors[0].position, scenario.actors[0].velocity = (0.0, 0.0, 0.12), (1.0, 0.0, -2.0)
    scenario.settings.duration = 0.1
    recording = simulate(scenario)
    event = recording.contacts[0]
    sample = int(np.abs(recording.times - event["peak_time"]).argmin())
    force, point = force_and_point(recording, 0)
    assert force[sample, 2] == pytest.approx(event["peak_force"], rel=0.01)
    assert np.linalg.norm(point[sample] - event["point"]) < 1e-3


def test_paths_are_the_ways_of_the_centres(blender, scene, recording):
    blender.ops.mannequin.toggle_trace(kind="paths")
    (path,) = trace_objects(scene, "paths")
    points = np.array([point.co[:3] for point in path.data.splines[0].points])
    mass = recording.body_mass
    assert np.allclose(points, (recording.position * mass[:, None]).sum(axis=1) / mass.sum(), atol=1e-5)
    blender.ops.mannequin.toggle_trace(kind="paths")
    scene.mannequin.traces.path_bodies = "head, pelvis"
    blender.ops.mannequin.toggle_trace(kind="paths")
    names = sorted(obj.name for obj in trace_objects(scene, "paths"))
    assert len(names) == 2 and "head" in names[0]
    scene.mannequin.traces.path_bodies = "tail"
    blender.ops.mannequin.toggle_trace(kind="paths")
    with pytest.raises(RuntimeError, match="tail"):
        blender.ops.mannequin.toggle_trace(kind="paths")


def test_ghosts_stand_where_the_actor_was(blender, scene, recording):
    scene.mannequin.traces.ghost_times = "0.05, 0.2"
    scene.frame_set(7)
    blender.ops.mannequin.toggle_trace(kind="ghosts")
    ghosts = trace_objects(scene, "ghosts")
    assert len(ghosts) == 2 and scene.frame_current == 7
    for ghost, sample in zip(ghosts, (25, 100), strict=True):
        points = np.array([vertex.co[:] for vertex in ghost.data.vertices])
        low, high = recording.position[sample].min(axis=0), recording.position[sample].max(axis=0)
        assert (points.min(axis=0) < low).all() and (points.max(axis=0) > high).all()
        assert np.abs(points.mean(axis=0) - recording.position[sample].mean(axis=0)).max() < 0.3
    traces = scene.mannequin.traces
    blender.ops.mannequin.toggle_trace(kind="ghosts")
    traces.ghost_actors = "somebody"
    with pytest.raises(RuntimeError, match="'somebody' is no actor that could have ghosts. There are: "):
        blender.ops.mannequin.toggle_trace(kind="ghosts")
    blender.ops.mannequin.add_actor(model="child_6")
    traces.ghost_actors = blender.context.object.name
    blender.ops.mannequin.toggle_trace(kind="ghosts")
    assert [ghost.name for ghost in trace_objects(scene, "ghosts")] == [
        f"{traces.ghost_actors} at {time} ms" for time in (50, 200)
    ]
    traces.ghost_actors = ""
    blender.ops.mannequin.toggle_trace(kind="ghosts")
    traces.ghost_bodies = "head"
    blender.ops.mannequin.toggle_trace(kind="ghosts")
    head = recording.body_names.index("head")
    for ghost, sample in zip(trace_objects(scene, "ghosts"), (25, 100), strict=True):
        points = np.array([vertex.co[:] for vertex in ghost.data.vertices])
        assert (
            np.abs((points.max(axis=0) + points.min(axis=0)) / 2.0 - recording.position[sample, head]).max()
            < 0.06
        )
        assert 0.15 < np.ptp(points[:, 2]) < 0.35, "a head, and nothing else"
    traces.ghost_bodies = ""
    for wrong, message in (("soon", "no list of times"), ("0.3", "between 0 and 0.2 s")):
        blender.ops.mannequin.toggle_trace(kind="ghosts") if trace_objects(scene, "ghosts") else None
        scene.mannequin.traces.ghost_times = wrong
        with pytest.raises(RuntimeError, match=message):
            blender.ops.mannequin.toggle_trace(kind="ghosts")


def test_marks_are_where_and_when_it_struck(blender, scene, recording):
    scene.mannequin.traces.mark_force = 500.0
    blender.ops.mannequin.toggle_trace(kind="marks")
    marks = [obj for obj in trace_objects(scene, "marks") if obj.name.endswith("mark")]
    labels = [obj for obj in trace_objects(scene, "marks") if obj.type == "FONT"]
    best = {}
    for event in recording.contacts:
        key = (event["body_a"], event["body_b"], event["obstacle_b"])
        if event["peak_force"] >= 500.0 and event["peak_force"] > best.get(key, event)["peak_force"] - 1e-9:
            best[key] = event
    assert len(marks) == len(labels) == len(best) > 0
    for mark, label, event in zip(
        marks, labels, sorted(best.values(), key=lambda e: e["peak_time"]), strict=True
    ):
        assert label.data.body.startswith(recording.body_names[event["body_a"]])
        number, unit = label.data.body.split()[-2:]
        shown = float(number) * (1000.0 if unit == "kN" else 1.0)
        assert shown == pytest.approx(event["peak_force"], rel=6e-3)
        frame = 1 + 100 * event["peak_time"]
        scene.frame_set(int(np.ceil(frame)) - 1)
        assert mark.hide_viewport and mark.hide_render and label.hide_render
        scene.frame_set(int(np.ceil(frame)))
        assert not mark.hide_viewport and not mark.hide_render and not label.hide_render
        if event["body_b"] < 0:
            assert np.linalg.norm(np.array(mark.matrix_world.translation) - event["point"]) < 0.005


def test_a_mark_on_a_body_goes_along_with_it(blender, tmp_path):
    """Two men running into each other: the mark stays at its place on the body that was struck."""
    from mannequin.scene.run.simulate import simulate_scene
    from mannequin.scene.scenario.scenario import build_scenario
    from mannequin.scene.show.traces.collection import trace_collection

    scene = blender.context.scene
    scenario = read_scenario(scenario_path("rugby_tackle"))
    scenario.settings.duration = 0.25
    build_scenario(scenario, scene)
    scene.render.fps, scene.mannequin.runs.folder = 100, str(tmp_path)
    recording = simulate_scene(scene).run.recording
    scene.mannequin.traces.mark_force = 0.0
    blender.ops.mannequin.toggle_trace(kind="marks")
    objects = trace_collection(scene, scene.mannequin.results.run, "marks").objects
    # marks of contacts end with their force; others say what somebody does against the fall
    tied = [obj for obj in objects if obj.parent is not None and obj.name.endswith("N mark")]
    assert tied
    struck = [e for e in recording.contacts if e["body_b"] >= 0]
    for mark in tied:
        body = recording.body_index(mark.parent.name, mark.parent_bone)
        events = [e for e in struck if e["body_b"] == body]
        scene.frame_set(scene.frame_end)
        q, origin = recording.quaternion[-1, body], recording.origin(body)[-1]
        local = matrix_from_quaternion(q).T @ (np.array(mark.matrix_world.translation) - origin)
        assert min(np.linalg.norm(local - e["point_b"]) for e in events) < 0.05


def test_baking_again_in_slow_motion_moves_the_traces_along(blender, scene, recording):
    blender.ops.mannequin.toggle_trace(kind="forces")
    scene.mannequin.bake.slowness = 10.0
    blender.ops.mannequin.bake()
    arrows = trace_objects(scene, "forces")
    sample = int(np.linalg.norm(recording.contact_force, axis=2).max(axis=1).argmax())
    scene.frame_set(1 + round(recording.times[sample] * 1000))
    longest = max(np.linalg.norm(np.array(a.matrix_world)[:3, 2]) for a in arrows)
    assert longest == pytest.approx(
        np.linalg.norm(recording.contact_force[sample], axis=1).max() / 4000.0, rel=1e-4
    )


def test_traces_of_another_run_are_put_out_of_sight(blender, scene, run_folder):
    from mannequin.scene.show.traces.collection import run_collections

    blender.ops.mannequin.toggle_trace(kind="paths")
    (mine,) = run_collections(scene)
    mine["mannequin_run"] = "an earlier run"
    blender.ops.mannequin.bake()
    assert mine.hide_viewport and mine.hide_render


def test_a_plot_drawn_again_shows_the_new_run(blender, scene):
    """The same picture, drawn of another figure, must not keep the old pixels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from mannequin.scene.show.result_plots import packed_image

    def shown(color):
        figure = Figure(figsize=(1, 1), facecolor=color)
        FigureCanvasAgg(figure)
        image = packed_image("plot", figure)
        return image.name, [round(x, 2) for x in image.pixels[:3]]

    assert shown("#ff0000") == ("plot", [1.0, 0.0, 0.0])
    assert shown("#00ff00") == ("plot", [0.0, 1.0, 0.0])


def test_a_readout_of_a_flagged_measure_is_marked(blender):
    from mannequin.scene.film.readouts import is_flagged

    scene = blender.context.scene
    for name, subject, flags in (
        ("HIC15", "man / head", "beyond the published tolerance"),
        ("peak contact force", "man / head", ""),
        ("peak contact force", "man / HandL", "beyond the end of a force curve"),
    ):
        row = scene.mannequin.results.measures.add()
        row.name, row.subject, row.flags = name, subject, flags
    assert is_flagged(scene, "head acceleration") and is_flagged(scene, "HandL contact force")
    assert not is_flagged(scene, "head contact force") and not is_flagged(scene, "speed")


def test_tables_are_sorted_filtered_and_in_the_units_shown(blender, scene):
    from mannequin.scene.show.result_tables import impact_order, measure_order, value_text

    rows = scene.mannequin.results.measures
    assert measure_order(scene) == list(range(len(rows)))
    by_name = [rows[k].name.lower() for k in measure_order(scene, "NAME")]
    assert by_name == sorted(by_name)
    values = [rows[k].value for k in measure_order(scene, "VALUE") if rows[k].is_available]
    assert values == sorted(values, reverse=True)
    speeds = measure_order(scene, words="speed IMPACT")
    assert speeds and all("impact speed" in rows[k].name for k in speeds)
    assert measure_order(scene, words="no such words") == []
    row = rows[speeds[0]]
    assert row.unit == "m/s" and row.family == "Impact speed at first touch"
    shown = {}
    for system in ("NONE", "METRIC", "IMPERIAL"):
        scene.unit_settings.system = system
        shown[system] = value_text(row, scene).split()
    assert [unit for _, unit in shown.values()] == ["m/s", "km/h", "mph"]
    metres, kilometres, miles = (float(number) for number, _ in shown.values())
    assert kilometres == pytest.approx(3.6 * metres, rel=1e-3)
    assert miles == pytest.approx(metres * 3600.0 / 1609.344, rel=1e-3)
    forces = [scene.mannequin.results.contacts[k].peak_force for k in impact_order(scene, "VALUE")]
    assert forces == sorted(forces, reverse=True)
    assert blender.ops.mannequin.show_table(what="IMPACTS", sort="VALUE") == {"FINISHED"}


def test_a_measure_is_explained_in_the_words_of_the_report(blender, scene, scenario, recording):
    from mannequin.analysis.measures import evaluate
    from mannequin.scene.show.results import explanation

    measure = evaluate(scenario, recording)[0]
    row = scene.mannequin.results.measures[0]
    for words in (measure.definition, measure.validity, *measure.warnings):
        assert words in explanation(row)
    assert blender.ops.mannequin.explain_measure(index=0) == {"FINISHED"}
    with pytest.raises(RuntimeError, match="no such measure"):
        blender.ops.mannequin.explain_measure(index=10_000)


def test_tables_draw(blender, scene):
    """Into the stand-in layout, which checks every operator and icon."""
    from panel_layout import Layout

    from mannequin.scene.show import result_tables

    icons = set(blender.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())
    drawn = []
    result_tables.draw_measures(Layout(blender, drawn, icons), scene, result_tables.measure_order(scene)[:3])
    result_tables.draw_impacts(Layout(blender, drawn, icons), scene, result_tables.impact_order(scene)[:2])
    assert drawn == ["mannequin.explain_measure"] * 3 + ["mannequin.jump_to_contact"] * 2


def test_the_playhead_stands_at_the_moment_of_the_scene(blender, scene, recording):
    """The picture of a step at a known time: its edge is where the playhead stands at that time."""
    from matplotlib.figure import Figure

    from mannequin.scene.show.playhead import keep_time_axis, playhead
    from mannequin.scene.show.result_plots import packed_image, plot_image

    figure = Figure(figsize=(6, 3), layout="constrained")
    axes = figure.subplots()
    axes.axvspan(0.12, 0.2, color="black")
    axes.set(xlim=(0.0, 0.2), xlabel="time (s)")
    image = packed_image("step", figure)
    keep_time_axis(image, figure)
    scene.frame_set(scene.frame_start + 12)
    across, low, high = playhead(image, scene)
    dark = np.array(image.pixels[:]).reshape(image.size[1], image.size[0], 4)[..., :3].sum(axis=-1) < 0.3
    row = dark[int(0.5 * (low + high) * image.size[1])]
    edge = np.flatnonzero(np.convolve(row, np.ones(20), "valid") == 20)[0]
    assert across * image.size[0] == pytest.approx(edge, abs=2.0)
    scene.frame_set(scene.frame_start + 50)
    assert playhead(image, scene) is None, "the moment is beyond the plot"
    scene.frame_set(scene.frame_start)
    assert playhead(plot_image(scene, "energy"), scene) is not None
    assert playhead(None, scene) is None


def test_first_touch_is_of_two_actors_and_not_of_one_with_the_ground(blender, tmp_path):
    """One ball meets the ground after 20 ms, two others meet each other after 100 ms, without weight."""
    from mannequin.scene.show.result_tables import first_touch

    settings = Settings(duration=0.15, gravity=(0.0, 0.0, 0.0))
    bouncing = Actor("bouncing", ball_model(), position=(3, 0, RADIUS + 0.02), velocity=(0.0, 0.0, -1.0))
    left = Actor("left", ball_model(), position=(0, 0, 1), velocity=(1.0, 0.0, 0.0))
    right = Actor("right", ball_model(), position=(2 * RADIUS + 0.2, 0, 1), velocity=(-1.0, 0.0, 0.0))
    run = ball_run(tmp_path, Scenario("balls", [bouncing, left, right], settings=settings))
    blender.ops.mannequin.open_run(filepath=str(run.folder / "manifest.json"))
    scene = blender.context.scene
    impacts = scene.mannequin.results.contacts
    assert min(row.time for row in impacts) == pytest.approx(0.02, abs=5e-4)
    touch = impacts[first_touch(scene)]
    assert touch.time == pytest.approx(0.1, abs=5e-4)
    assert "left" in touch.name and "right" in touch.name
