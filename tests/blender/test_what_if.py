"""What-if: every change is simulated again beside Blender, and the last one is what is shown."""

import os
import signal
import time

import numpy as np
import pytest

from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path


def predicted(scene):
    """What would happen, simulated in this process."""
    from mannequin.engine import run
    from mannequin.scene.run import what_if

    scenario = what_if.quick_scenario(what_if.read_scene(what_if.Session(scene.name), scene))
    return what_if.prediction_of(scenario, run(scenario), scene.mannequin.traces.path_bodies)


@pytest.fixture
def scene(blender):
    from mannequin.scene.run import what_if
    from mannequin.scene.scenario.scenario import build_scenario

    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.2
    build_scenario(scenario, blender.context.scene)
    yield blender.context.scene
    what_if.stop()


def pump(scene, until, seconds=120.0):
    """Tick as the timer would until something holds."""
    import bpy

    from mannequin.scene.run import what_if

    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "waited too long"
        bpy.context.view_layer.update()
        what_if.tick()
        time.sleep(0.01)


def test_switched_on_it_shows_what_the_engine_computes(blender, scene):
    from mannequin.scene.run import what_if

    assert blender.ops.mannequin.what_if() == {"FINISHED"}
    pump(scene, lambda: what_if.current().prediction.paths)
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
    pump(scene, lambda: what_if.current().prediction.paths)
    shown = what_if.current().prediction.paths[0]
    assert np.array_equal(shown, predicted(scene).paths[0]) and not np.array_equal(shown, passive)


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
        change()
        for block in (scene, actor, actor.data):
            block.update_tag()
        pump(scene, lambda old=before: what_if.current().prediction is not old)
        shown, direct = what_if.current().prediction, predicted(scene)
        assert np.array_equal(shown.paths[0], direct.paths[0]), change.__name__
        assert not np.array_equal(shown.paths[0], before.paths[0]), change.__name__


def test_while_dragging_the_last_change_wins_and_no_tick_waits(blender, scene):
    from mannequin.scene.run import what_if
    from mannequin.scene.store.actors import actors_of

    scene.mannequin.settings.duration = 1.0
    what_if.start(scene)
    pump(scene, lambda: what_if.current().prediction.paths)
    group, session = actors_of(scene)[0].mannequin.actor, what_if.current()
    jobs = set()
    for step in range(30):
        group.velocity[0] = 0.02 * step
        actors_of(scene)[0].update_tag()
        blender.context.view_layer.update()
        what_if.tick()
        jobs.add(id(session.job))
        assert session.job is None or session.job.progress is None or not session.job.is_cancelled
        time.sleep(0.02)
    pump(scene, lambda: session.job is None and session.changed_at is None)
    assert np.array_equal(session.prediction.paths[0], predicted(scene).paths[0])
    assert session.submitted.actors[0].velocity[0] == pytest.approx(0.58)
    assert len(jobs) > 2, "changes were handed on while others were being computed"


def test_what_cannot_run_is_reported_and_the_next_change_is_shown(blender, scene):
    from mannequin.scene.run import what_if

    what_if.start(scene)
    pump(scene, lambda: what_if.current().prediction.paths)
    scene.mannequin.settings.time_step = -1.0
    scene.update_tag()
    pump(scene, lambda: what_if.current().prediction.problem)
    assert "time step" in what_if.current().prediction.problem
    scene.mannequin.settings.time_step = 1e-4
    scene.update_tag()
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


@pytest.mark.parametrize("own, output, shown", [(1e-5, 1e-3, 2e-4), (1e-5, 1e-4, 1e-4), (5e-4, 1e-3, 1e-3)])
def test_the_step_is_coarser_and_not_shorter_than_it_need_be(blender, own, output, shown):
    from mannequin.scene.run.what_if import quick_scenario

    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.time_step, scenario.settings.output_step = own, output
    assert quick_scenario(scenario).settings.time_step == pytest.approx(shown)
