"""What-if: every change is simulated again beside Blender, and the last one is what is shown."""

import os
import signal
import time

import numpy as np
import pytest
from blender_process import run_in_blender

from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path


def predicted(scene):
    """What would happen, simulated in this process."""
    from mannequin.scene.run import what_if

    return what_if.predict(scene)


def refined():
    """Whether what is shown is the finer answer to the last change."""
    from mannequin.scene.run import what_if

    session = what_if.current()
    return (
        session.job is None
        and session.changed_at is None
        and session.shown is session.submitted
        and bool(session.prediction.paths)
        and not session.prediction.is_coarse
    )


@pytest.fixture
def scene(blender):
    from mannequin.scene.run import what_if
    from mannequin.scene.scenario.scenario import build_scenario

    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.2
    build_scenario(scenario, blender.context.scene)
    yield blender.context.scene
    what_if.stop()


def pump(scene, until, seconds=60.0):
    """Tick as the timer would until something holds."""
    import bpy

    from mannequin.scene.run import what_if

    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, f"waited too long: {what_if.current()}"[:600]
        bpy.context.view_layer.update()
        what_if.tick()
        time.sleep(0.01)


def test_switched_on_it_shows_what_the_engine_computes(blender, scene):
    from mannequin.scene.run import what_if

    assert blender.ops.mannequin.what_if() == {"FINISHED"}
    pump(scene, refined)
    shown, direct = what_if.current().prediction, predicted(scene)
    assert not shown.problem
    assert len(shown.paths) == len(direct.paths) == 1
    assert np.array_equal(shown.paths[0], direct.paths[0])
    assert shown.lines == direct.lines
    assert blender.ops.mannequin.what_if() == {"FINISHED"}
    assert what_if.current() is None


def test_people_who_respond_do_so_here_too(blender, scene):
    """A response that is switched on changes what is shown, and the path is that of the engine to the last bit."""
    from mannequin.scene.run import what_if
    from mannequin.scene.store.actors import actors_of

    passive = predicted(scene).paths[0]
    start = actors_of(scene)[0].mannequin.actor
    start.use_response = True
    start.response.use_latency, start.response.latency = True, 0.02
    what_if.start(scene)
    pump(scene, refined)
    shown = what_if.current().prediction.paths[0]
    assert np.array_equal(shown, predicted(scene).paths[0]) and not np.array_equal(shown, passive)


@pytest.mark.long
def test_change_of_speed_place_friction_and_mass_is_seen(blender, scene):
    from mannequin.scene.run import what_if
    from mannequin.scene.store.actors import actors_of, body_bones

    what_if.start(scene)
    pump(scene, lambda: what_if.current().prediction.paths)
    actor = actors_of(scene)[0]
    bone = body_bones(actor.data)[0]

    def faster():
        actor.mannequin.actor.velocity[0] += 0.5

    def further():
        actor.location.x += 0.25

    def smoother():
        scene.mannequin.settings.ground_friction *= 0.3

    def heavier():
        bone.mannequin.mass *= 1.5

    for change in (faster, further, smoother, heavier):
        before = what_if.current().prediction
        change()  # by a script, which tells Blender nothing
        pump(scene, lambda old=before: refined() and what_if.current().prediction is not old)
        shown, direct = what_if.current().prediction, predicted(scene)
        assert np.array_equal(shown.paths[0], direct.paths[0]), change.__name__
        assert not np.array_equal(shown.paths[0], before.paths[0]), change.__name__


@pytest.mark.long
def test_while_dragging_the_last_change_wins_and_no_tick_waits(blender, scene):
    from mannequin.scene.run import what_if
    from mannequin.scene.store.actors import actors_of

    scene.mannequin.settings.duration = 1.0
    what_if.start(scene)
    pump(scene, lambda: what_if.current().prediction.paths)
    group, session = actors_of(scene)[0].mannequin.actor, what_if.current()
    handed_on = set()
    for step in range(30):
        group.velocity[0] = 0.02 * step
        blender.context.view_layer.update()
        what_if.tick()
        handed_on.add(session.submitted.actors[0].velocity[0])
        time.sleep(0.02)
    pump(scene, refined)
    assert np.array_equal(session.prediction.paths[0], predicted(scene).paths[0])
    assert session.submitted.actors[0].velocity[0] == pytest.approx(0.58)
    assert len(handed_on) > 2, "changes were handed on while others were being computed"


def test_what_cannot_run_is_reported_and_the_next_change_is_shown(blender, scene):
    from mannequin.scene.run import what_if

    what_if.start(scene)
    pump(scene, lambda: what_if.current().prediction.paths)
    scene.mannequin.settings.time_step = -1.0
    pump(scene, lambda: what_if.current().prediction.problem)
    assert "time step" in what_if.current().prediction.problem
    scene.mannequin.settings.time_step = 1e-4
    pump(scene, lambda: what_if.current().prediction.paths)


def test_scene_is_not_touched_and_nothing_is_recorded(blender, scene, tmp_path):
    from mannequin.scene.run import what_if

    scene.mannequin.runs.folder = str(tmp_path)
    objects, actions = len(blender.data.objects), len(blender.data.actions)
    what_if.start(scene)
    pump(scene, lambda: what_if.current().prediction.paths)
    assert (len(blender.data.objects), len(blender.data.actions)) == (objects, actions)
    assert not list(tmp_path.iterdir())


def test_lines_are_drawn_where_the_recording_is(blender, scene):
    from mannequin.scene.base.units import units_of
    from mannequin.scene.run import what_if

    scene.unit_settings.scale_length = 0.01
    prediction = what_if.Prediction(
        paths=[np.array([[0, 0, 1.0], [1.0, 0, 1.0]])], marks=[np.array([0.5, 0, 0])]
    )
    (_, path), (_, marks) = what_if.prediction_lines(prediction, units_of(scene))
    assert [tuple(point) for point in path[0]] == pytest.approx([(0, 0, 100.0), (100.0, 0, 100.0)])
    assert len(marks) == 3


def test_another_file_switches_it_off(blender, scene):
    from mannequin.scene.run import what_if

    what_if.start(scene)
    blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert what_if.current() is None


def test_lost_worker_is_reported(blender, scene):
    from mannequin.jobs.engine import shared_worker
    from mannequin.scene.run import what_if

    what_if.start(scene)
    pump(scene, lambda: what_if.current().job is not None)
    os.kill(shared_worker().child.id, signal.SIGKILL)
    pump(scene, lambda: what_if.current().prediction.problem)
    assert "ended" in what_if.current().prediction.problem


@pytest.mark.parametrize("own, fine, coarse", [(1e-5, 2e-4, 5e-4), (5e-4, 1e-3, 1e-3)])
def test_the_step_is_coarser_and_not_shorter_than_it_need_be(blender, own, fine, coarse):
    from mannequin.engine import validate
    from mannequin.scene.run.what_if import coarse_scenario, fine_scenario

    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.time_step, scenario.settings.output_step = own, 1e-3
    for made, step in ((fine_scenario(scenario), fine), (coarse_scenario(scenario), coarse)):
        assert made.settings.time_step == pytest.approx(step)
        assert not [issue for issue in validate(made) if issue.severity == "error"]


@pytest.mark.long
def test_first_answer_is_coarse_and_the_next_is_near_it(blender, scene):
    from mannequin.scene.run import what_if

    what_if.start(scene)
    session = what_if.current()
    pump(scene, lambda: session.prediction.paths)
    coarse = session.prediction
    assert coarse.is_coarse and coarse.step == pytest.approx(5e-4)
    pump(scene, refined)
    assert session.prediction.step == pytest.approx(2e-4)
    assert np.abs(session.prediction.paths[0][-1] - coarse.paths[0][-1]).max() < 0.01


def test_a_change_is_answered_before_blender_draws_it(blender, scene, monkeypatch):
    """Blender's own update is enough, no tick: handed over always, waited for where the last answer was quick."""
    from mannequin.scene.run import what_if
    from mannequin.scene.store.actors import actors_of

    what_if.start(scene)
    pump(scene, refined)
    group, session = actors_of(scene)[0].mannequin.actor, what_if.current()
    assert 0.0 < session.coarse_seconds < 60.0
    time.sleep(what_if.SECONDS_BETWEEN_READS)
    monkeypatch.setattr(what_if, "LONGEST_WAIT", 60.0)
    group.velocity[0] = 0.5
    blender.context.view_layer.update()
    assert session.job is None and session.prediction.is_coarse
    assert session.shown.actors[0].velocity[0] == 0.5
    monkeypatch.setattr(what_if, "LONGEST_WAIT", 0.0)
    time.sleep(what_if.SECONDS_BETWEEN_READS)
    group.velocity[0] = 0.6
    blender.context.view_layer.update()
    assert session.job is not None and session.shown.actors[0].velocity[0] == 0.5
    pump(scene, refined)


def test_a_driver_is_seen(blender, scene):
    from mannequin.scene.run import what_if
    from mannequin.scene.store.actors import actors_of

    handle = blender.data.objects.new("handle", None)
    scene.collection.objects.link(handle)
    actor = actors_of(scene)[0]
    driver = actor.driver_add("mannequin.actor.velocity", 0).driver
    variable = driver.variables.new()
    variable.type, driver.expression = "TRANSFORMS", "var"
    variable.targets[0].id, variable.targets[0].transform_type = handle, "LOC_X"
    what_if.start(scene)
    pump(scene, refined)
    handle.location.x = 0.7
    pump(scene, lambda: what_if.current().submitted.actors[0].velocity[0] == pytest.approx(0.7))


@pytest.mark.long
def test_only_what_changed_is_read_and_sent_again(blender, scene, monkeypatch):
    from mannequin.scene.run import what_if
    from mannequin.scene.scenario.scenario import build_scenario
    from mannequin.scene.store.actors import actors_of

    # the reading of everything from time to time, which a slow machine would come to here, has a test of its own
    monkeypatch.setattr(what_if, "SECONDS_BETWEEN_CHECKS", float("inf"))
    other = read_scenario(scenario_path("fall_standing"))
    other.actors[0].position = (5.0, 5.0, other.actors[0].position[2])
    other.settings.duration = 0.2
    other.obstacles = read_scenario(scenario_path("trip")).obstacles
    build_scenario(other, scene)
    what_if.start(scene)
    session = what_if.current()
    pump(scene, refined)
    before, old = session.submitted, session.prediction
    scene.mannequin.settings.ground_friction = 0.31
    pump(scene, lambda: refined() and session.prediction is not old)
    after, old = session.submitted, session.prediction
    assert after is not before and after.settings.ground_friction == pytest.approx(0.31)
    assert all(new is was for new, was in zip(after.actors, before.actors, strict=True))
    assert all(new is was for new, was in zip(after.obstacles, before.obstacles, strict=True))
    actors_of(scene)[0].mannequin.actor.velocity[0] += 0.1
    pump(scene, lambda: refined() and session.prediction is not old)
    changed = [new is not was for new, was in zip(session.submitted.actors, after.actors, strict=True)]
    assert changed == [True] + [False] * (len(changed) - 1)
    models = [
        (new.model, was.model) for new, was in zip(session.submitted.actors, before.actors, strict=True)
    ]
    assert all(new is was for new, was in models)


def test_a_row_added_by_a_script_is_found_though_blender_does_not_tell(blender, scene):
    from mannequin.scene.run import what_if
    from mannequin.scene.store.actors import actors_of

    what_if.start(scene)
    session = what_if.current()
    pump(scene, refined)
    actors_of(scene)[0].mannequin.actor.force_pulses.add()
    pump(scene, lambda: len(session.submitted.actors[0].force_pulses) == 1)


def test_which_runs_are_cut_short():
    from types import SimpleNamespace

    from mannequin.scene.run.what_if import Session, may_cut

    def is_cut(share, taken, is_coarse=True, was_cut=False):
        session = Session("scene", job=SimpleNamespace(share=share), is_coarse=is_coarse, was_cut=was_cut)
        return may_cut(session, taken)

    assert is_cut(0.9, 0.1, is_coarse=False)
    assert not is_cut(0.1, 0.05), "half a second in all"
    assert is_cut(0.1, 0.5), "five seconds in all"
    assert not is_cut(0.6, 3.0), "nearly done"
    assert not is_cut(0.1, 0.5, was_cut=True), "the one before was cut short"


def test_the_figure_follows_a_mesh_that_is_changed(blender, scene):
    """Meshes are read once and kept; one that Blender tells to have changed is read again."""
    from mannequin.scene.run import what_if
    from mannequin.scene.show.preview_figure import figure_at
    from mannequin.scene.store.actors import actors_of

    what_if.start(scene)
    preview = predicted(scene).preview

    def highest():
        return max(points[:, 2].max() for points, _ in figure_at(scene, preview, 0.0))

    before = highest()
    crown = max(
        (part for part in actors_of(scene)[0].children if part.mannequin.kind == "ELLIPSOID"),
        key=lambda part: part.matrix_world.translation.z,
    )
    for vertex in crown.data.vertices:
        vertex.co *= 2.0
    crown.data.update()
    blender.context.view_layer.update()
    assert highest() > before + 0.02


def test_the_panel_tells_answer_and_picture_apart_and_what_makes_drawing_faster(blender, scene):
    """The viewport's own preference is offered where drawing is slow, and nowhere else."""
    from panel_layout import Layout

    from mannequin.panels.sweeps import draw_times
    from mannequin.scene.run import what_if

    class Words(Layout):
        def label(self, text="", icon="NONE"):
            self.drawn.append(text)

    icons = set(blender.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())
    session = what_if.Session(scene.name)
    session.first = what_if.Prediction(seconds=0.08, seconds_drawn=0.5)
    session.prediction = what_if.Prediction(seconds=5.0, seconds_drawn=6.0)  # its refinement
    for seconds, is_offered in ((0.42, True), (0.02, False)):
        session.draw_seconds, drawn = seconds, []
        draw_times(Words(blender, drawn, icons), blender.context, session)
        assert {"First answer 0.08 s after the change", "Drawn 0.50 s after the change"} <= set(drawn)
        assert ("viewport_aa" in drawn) == is_offered


def test_an_answer_is_waited_for_as_long_as_a_drawing_takes(blender, scene):
    """A late answer costs another drawing, so with slow drawing it is worth waiting for one that takes 0.3 s, with a
    graphics card it is not; and nobody is held up for longer than `MOST_WAIT`."""
    from mannequin.scene.run import what_if

    session = what_if.Session(scene.name, coarse_seconds=0.3)
    assert not what_if.is_quick(session)
    session.draw_seconds = 0.35
    assert what_if.is_quick(session)
    session.coarse_seconds, session.draw_seconds = 2.0, 5.0
    assert not what_if.is_quick(session) and what_if.longest_wait(session) == what_if.MOST_WAIT


def test_the_figure_is_where_the_run_has_its_bodies(blender, scene):
    from mannequin.scene.run import what_if
    from mannequin.scene.show.preview_figure import figure_at, figure_buffers
    from mannequin.scene.store.actors import actors_of, parts_of

    what_if.start(scene)
    pump(scene, refined)
    preview = what_if.current().prediction.preview
    actor = actors_of(scene)[0]
    parts = [part for found in parts_of(actor, "ELLIPSOID").values() for part in found]
    now = {part.name: np.array(part.matrix_world.translation) for part in parts}
    shown = [part.name for part in actor.children if part.name in now]
    at_start = [points.mean(axis=0) for points, _ in figure_at(scene, preview, 0.0)]
    assert np.allclose(at_start, [now[name] for name in shown], atol=2e-4)
    buffers = figure_buffers(scene, preview, 0.1)
    assert len(buffers["pos"]) == len(buffers["color"]) > 1000 and np.isfinite(buffers["pos"]).all()
    at_end = list(figure_at(scene, preview, preview.duration))
    frames = preview.frames_at(preview.duration)
    for name, (points, triangles) in zip(shown, at_end, strict=True):
        part = blender.data.objects[name]
        body = preview.body_names.index(part.parent_bone)
        bone = actor.pose.bones[part.parent_bone]
        rest = np.array(bone.bone.matrix_local @ bone.matrix.inverted() @ actor.matrix_world.inverted())
        from mannequin.scene.store.actors import rest_frame

        in_body = np.linalg.inv(rest_frame(bone.bone)) @ rest @ [*now[name], 1.0]
        assert np.allclose(points.mean(axis=0), (frames[body] @ in_body)[:3], atol=2e-4)
        assert triangles.max() < len(points)
    (times, first), last = (preview.times, preview.position[0]), preview.position[-1]
    assert np.abs(last - first).max() > 0.01 and times[-1] == pytest.approx(0.2)


UNDO = """
import time
import bpy, mannequin
mannequin.register()
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
from mannequin.io_json.scenario_json import read_scenario
from mannequin.jobs.engine import close_shared_worker
from mannequin.models.library import scenario_path
from mannequin.scene.run import what_if
from mannequin.scene.scenario.scenario import build_scenario

bpy.context.preferences.edit.use_global_undo = True
scenario = read_scenario(scenario_path("fall_standing"))
scenario.settings.duration = 0.1
build_scenario(scenario, bpy.context.scene)
bpy.ops.ed.undo_push(message="built")

def wait_for(speed):
    end = time.monotonic() + 60.0
    while what_if.current().submitted is None or what_if.current().submitted.actors[0].velocity[0] != speed:
        assert time.monotonic() < end, what_if.current().submitted
        bpy.context.view_layer.update()
        what_if.tick()
        time.sleep(0.01)

what_if.start(bpy.context.scene)
was = scenario.actors[0].velocity[0]
wait_for(was)
actor = next(obj for obj in bpy.context.scene.objects if obj.mannequin.kind == "ACTOR")
actor.mannequin.actor.velocity[0] = 2.5
bpy.ops.ed.undo_push(message="faster")
wait_for(2.5)
bpy.ops.ed.undo()
wait_for(was)
bpy.ops.ed.redo()
wait_for(2.5)
what_if.stop()
close_shared_worker()
print("seen")
"""


@pytest.mark.long
def test_undo_and_redo_are_seen(tmp_path):
    assert "seen" in run_in_blender(UNDO, tmp_path)
