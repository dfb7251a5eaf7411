"""Simulate, bake and results through the operators, as a script or background Blender has them."""

import time
from pathlib import Path

import numpy as np
import pytest

from mannequin.analysis.files.run_folder import read_run
from mannequin.analysis.measures.impacts import find_impacts
from mannequin.engine import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path


@pytest.fixture
def scene(blender, tmp_path):
    """A standing fall, cut short, that writes its runs into a folder of the test."""
    from mannequin.scene.scenario.scenario import build_scenario

    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.05
    scene = blender.context.scene
    build_scenario(scenario, scene)
    scene.mannequin.runs.folder = str(tmp_path)
    return scene


def test_simulate_writes_the_run_of_the_engine_and_bakes_it(blender, scene, tmp_path):
    from mannequin.scene.motion.bake import playing_action
    from mannequin.scene.scenario.scenario import read_scenario as read_scene
    from mannequin.scene.store.actors import actors_of

    before = read_scene(scene)
    assert blender.ops.mannequin.simulate() == {"FINISHED"}
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    done = read_run(folder)
    assert np.array_equal(done.recording.position, run(before).position)
    action = playing_action(actors_of(scene)[0])
    assert action["mannequin_run"] == done.stem
    assert action["mannequin_manifest_sha256"] == done.manifest["sha256"]
    assert done.manifest["versions"]["blender"] == blender.app.version_string
    assert scene.mannequin.results.run == done.stem
    assert len(scene.mannequin.results.contacts) == len(find_impacts(done.scenario, done.recording)) > 0


def test_simulating_again_starts_from_the_same_start(blender, scene, tmp_path):
    blender.ops.mannequin.simulate()
    scene.frame_set(scene.frame_end)
    blender.ops.mannequin.simulate()
    runs = [read_run(path) for path in tmp_path.iterdir() if path.is_dir()]
    assert len(runs) == 2
    assert np.array_equal(runs[0].recording.position, runs[1].recording.position)


def test_what_cannot_run_is_refused_in_words_and_changes_nothing(blender, scene, tmp_path):
    scene.mannequin.settings.time_step = -1.0
    with pytest.raises(RuntimeError, match="time step"):
        blender.ops.mannequin.simulate()
    assert not list(tmp_path.iterdir()) and not blender.data.actions


def test_watching_and_cancelling_leaves_the_scene_as_it_was(blender, scene, tmp_path, monkeypatch):
    from mannequin.engine.errors import UserError
    from mannequin.scene.run import simulate
    from mannequin.scene.store.actors import actors_of

    actor = actors_of(scene)[0]

    def poses():
        return np.array([bone.matrix_basis for bone in actor.pose.bones])

    before = poses()
    scene.mannequin.settings.duration = 30.0
    job = simulate.SceneRun(scene)
    monkeypatch.setattr(simulate, "SECONDS_PER_VIEW", 0.0)
    while np.abs(poses() - before).max() < 1e-4:
        assert not job.poll(), "ended before anything was seen"
        job.view(scene)
    job.cancel()
    assert np.allclose(poses(), before, atol=1e-6)
    while not job.poll():
        time.sleep(0.01)
    with pytest.raises(UserError, match="cancelled"):
        job.finish(scene)
    assert not list(tmp_path.iterdir()) and not blender.data.actions


def test_jump_shows_the_contact_also_in_slow_motion(blender, scene):
    scene.mannequin.bake.slowness = 10.0
    blender.ops.mannequin.simulate()
    contact = scene.mannequin.results.contacts[0]
    blender.ops.mannequin.jump_to_contact(index=0)
    shown = (scene.frame_current_final - scene.frame_start) / 24.0 / 10.0
    assert shown == pytest.approx(contact.peak_time, abs=1e-6)


def test_export_copies_the_run_folder_once(blender, scene, tmp_path):
    blender.ops.mannequin.simulate()
    target = tmp_path / "copy"
    target.mkdir()
    assert blender.ops.mannequin.export_run(directory=str(target)) == {"FINISHED"}
    copy = target / Path(scene.mannequin.results.folder).name
    assert read_run(copy).stem == scene.mannequin.results.run
    with pytest.raises(RuntimeError, match="already"):
        blender.ops.mannequin.export_run(directory=str(target))


def test_a_run_opens_in_an_empty_scene(blender, scene, tmp_path):
    from mannequin.scene.motion.bake import playing_action
    from mannequin.scene.store.actors import actors_of

    blender.ops.mannequin.simulate()
    folder = Path(scene.mannequin.results.folder)
    blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    blender.ops.mannequin.open_run(filepath=str(folder / "manifest.json"))
    (actor,) = actors_of(blender.context.scene)
    assert playing_action(actor)["mannequin_run"] == folder.name


def test_several_slow_ranges_are_baked_and_known(blender, scene):
    """0.05 s: 10 ms at half speed, 10 ms at a tenth, the rest true: 0.03 + 0.02 + 0.1 s of film."""
    from mannequin.scene.motion.bake import playing_action, time_map_of
    from mannequin.scene.store.actors import actors_of

    bake = scene.mannequin.bake
    bake.use_slow_range, bake.slow_start, bake.slow_end, bake.slow_factor = True, 0.03, 0.04, 10.0
    bake.more_slow = "0.01:0.02:2"
    scene.render.fps = 1000
    blender.ops.mannequin.simulate()
    known = time_map_of(playing_action(actors_of(scene)[0]))
    assert [known.factor_at(t) for t in (0.005, 0.015, 0.025, 0.035, 0.045)] == pytest.approx(
        [1, 2, 1, 10, 1]
    )
    assert scene.frame_end == pytest.approx(scene.frame_start + 150, abs=1)
    bake.more_slow = "0.01-0.02"
    with pytest.raises(RuntimeError, match="START:END:FACTOR"):
        blender.ops.mannequin.bake()
    bake.more_slow = "0.035:0.05:2"
    with pytest.raises(RuntimeError, match="do not overlap"):
        blender.ops.mannequin.bake()
