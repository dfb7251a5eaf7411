"""Sweeps from the panel: run beside Blender, shown in the scene, a run picked and baked."""

from pathlib import Path

import numpy as np
import pytest
from panel_layout import draw_all

from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.library import scenario_path


@pytest.fixture
def scene(blender, tmp_path):
    """A standing fall, cut short, with two inputs to vary."""
    from mannequin.scene.scenario.scenario import build_scenario

    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration, scenario.settings.time_step = 0.15, 1e-4
    scene = blender.context.scene
    build_scenario(scenario, scene)
    scene.mannequin.runs.folder = str(tmp_path)
    name = scenario.actors[0].name
    for address, low, high in ((f"actors.{name}.velocity.0", 0.0, 2.0), (f"actors.{name}.mass", 50.0, 80.0)):
        blender.ops.mannequin.edit_list(list="sweep_inputs", action="ADD")
        item = scene.mannequin.sweep.inputs[-1]
        item.address, item.low, item.high, item.source = address, low, high, "test"
    scene.mannequin.sweep.runs = 6
    return scene


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The folder for the sweep that the tests share."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def swept(blender, scene, runs):
    """The scene with the results of its sweep, which is run for the first test and opened for the others."""
    scene.mannequin.runs.folder = str(runs)
    plans = list(runs.rglob("plan.json"))
    if plans:
        assert blender.ops.mannequin.open_sweep(directory=str(plans[0].parent)) == {"FINISHED"}
    else:
        assert blender.ops.mannequin.run_sweep() == {"FINISHED"}
    return scene


def actor_name(scene):
    from mannequin.scene.scenario.scenario import scenario_names
    from mannequin.scene.store.actors import actors_of

    return scenario_names(scene)[actors_of(scene)[0].name]


def test_sweep_runs_and_its_results_are_listed(blender, swept):
    from mannequin.scene.run.sweeps import read_results

    group, name = swept.mannequin.sweep, actor_name(swept)
    plan, table = read_results(swept)
    assert table.status == ["completed"] * 6
    assert "6 of 6 runs completed" in group.summary
    group.measure = f"{name} rest x"
    values = table.numbers[f"{name} rest x"]
    assert [row.run for row in group.found] == np.argsort(-values).tolist()
    assert group.found[0].value == f"{values.max():.4g}"
    # pushed at a speed for 0.15 s: who is faster comes further
    speeds = plan.points[:, 0]
    assert np.array_equal(np.argsort(speeds), np.argsort(values))


def test_same_sweep_is_found_again(blender, swept):
    folder = swept.mannequin.sweep.folder
    journal = Path(folder) / "journal.txt"
    before = journal.read_bytes()
    blender.ops.mannequin.run_sweep()
    assert swept.mannequin.sweep.folder == folder
    assert journal.read_bytes() == before


def test_picked_run_is_baked_exactly(blender, swept):
    from mannequin.analysis.files.run_folder import read_run
    from mannequin.scene.motion.bake import playing_action
    from mannequin.scene.run.sweeps import read_results
    from mannequin.scene.store.actors import actors_of

    _, table = read_results(swept)
    assert blender.ops.mannequin.bake_sweep_run(run_number=3) == {"FINISHED"}
    run = read_run(swept.mannequin.results.folder)
    name = actor_name(swept)
    head = run.recording.body_index(name, "head")
    from mannequin.analysis.measures.throw import actor_centre

    assert float(actor_centre(run.recording, 0)[-1, 0]) == table.numbers[f"{name} rest x"][3]
    assert run.recording.position.shape[1] > head
    assert playing_action(actors_of(swept)[0])["mannequin_run"] == run.stem
    with pytest.raises(RuntimeError, match="no run 99"):
        blender.ops.mannequin.bake_sweep_run(run_number=99)


def test_envelope_holds_the_paths_and_rest_ellipse_the_places(blender, swept):
    from mannequin.sweeps.table import read_traces

    group = swept.mannequin.sweep
    group.share = 1.0
    paths = read_traces(Path(group.folder))[:, 0].astype(float)
    for kind in ("envelopes", "rest"):
        assert blender.ops.mannequin.toggle_sweep_trace(kind=kind) == {"FINISHED"}
    name = f"{actor_name(swept)}/head"
    tube = blender.data.objects[f"{name} envelope"].data
    points = np.array([vertex.co[:] for vertex in tube.vertices]).reshape(25, -1, 3)
    assert np.allclose(points.mean(axis=1), paths.mean(axis=0), atol=1e-5), "about the mean path"
    dots = np.array([v.co[:] for v in blender.data.objects[f"{name} rest places"].data.vertices])
    assert np.allclose(np.sort(dots[:, 0]), np.sort(paths[:, -1, 0]), atol=1e-6)
    ellipse = blender.data.objects[f"{name} rest ellipse"].data.splines[0]
    assert ellipse.use_cyclic_u
    ring = np.array([point.co[:2] for point in ellipse.points])
    centre = ring.mean(axis=0)
    assert (
        np.linalg.norm(ring - centre, axis=1).max()
        >= np.linalg.norm(dots[:, :2] - centre, axis=1).max() - 1e-5
    )
    for kind in ("envelopes", "rest"):
        blender.ops.mannequin.toggle_sweep_trace(kind=kind)
    assert f"{name} envelope" not in blender.data.objects


def test_ghosts_stand_where_the_runs_end(blender, swept):
    from mannequin.scene.run.sweeps import run_of_sweep

    swept.mannequin.sweep.ghosts = 1
    blender.ops.mannequin.toggle_sweep_trace(kind="ghosts")
    (ghost,) = [obj for obj in blender.data.objects if obj.type == "MESH" and obj.name.startswith("run ")]
    run = run_of_sweep(swept, int(ghost.name.split()[1]))
    low, high = (np.array(f([v.co[:] for v in ghost.data.vertices], axis=0)) for f in (np.min, np.max))
    centres = run.recording.position[-1]
    assert np.all(centres.min(axis=0) > low) and np.all(centres.max(axis=0) < high)


@pytest.mark.long
def test_first_touches_are_tied_to_the_bone(blender, scene):
    from mannequin.scene.base.units import units_of
    from mannequin.scene.run.sweeps import read_results
    from mannequin.scene.show.overlay_geometry import body_matrix
    from mannequin.scene.store.actors import actors_of

    scene.mannequin.settings.duration = 1.6
    scene.mannequin.sweep.runs = 2
    blender.ops.mannequin.run_sweep()
    _, table = read_results(scene)
    name = actor_name(scene)
    assert set(table.texts[f"{name} head touch body"]) == {f"{name}/head"}, (
        "the head must come down in this fall"
    )
    blender.ops.mannequin.toggle_sweep_trace(kind="touches")
    dots = blender.data.objects[f"{name} head touch on {name}/head"]
    blender.context.view_layer.update()
    actor = actors_of(scene)[0]
    frame = body_matrix(actor, actor.data.bones["head"], units_of(scene))
    assert np.allclose(dots.matrix_world, frame, atol=1e-4), "in the frame of the head"
    centres = np.array([v.co[:] for v in dots.data.vertices]).reshape(-1, 6, 3).mean(axis=1)
    marks = np.column_stack([table.numbers[f"{name} head touch {axis}"] for axis in "xyz"])
    assert np.allclose(centres, marks, atol=1e-5)
    assert "density" in dots.data.color_attributes


def test_panels_draw_with_results(blender, swept):
    drawn = draw_all(blender)
    assert {"mannequin.toggle_sweep_trace", "mannequin.bake_sweep_run", "mannequin.run_sweep"} <= set(drawn)


def test_what_cannot_be_swept_is_refused_in_words(blender, scene):
    scene.mannequin.sweep.inputs[0].address = "actors.nobody.speed"
    with pytest.raises(RuntimeError, match="nobody"):
        blender.ops.mannequin.run_sweep()
    scene.mannequin.sweep.inputs[0].address = ""
    with pytest.raises(RuntimeError, match="input 1"):
        blender.ops.mannequin.run_sweep()
    scene.mannequin.sweep.inputs.clear()
    with pytest.raises(RuntimeError, match="poll"):
        blender.ops.mannequin.run_sweep()


def test_addresses_are_suggested(blender, scene):
    from mannequin.scene.run.sweeps import suggested_addresses
    from mannequin.scene.scenario.scenario import read_scenario as read_scene
    from mannequin.sweeps.inputs import input_at

    found = list(suggested_addresses(scene))
    scenario = read_scene(scene)
    assert f"actors.{actor_name(scene)}.speed" in found
    for address in found:
        input_at(scenario, address)  # raises where there is no such input


@pytest.mark.long
def test_cancelled_sweep_goes_on(blender, scene):
    from mannequin.scene.run.sweeps import SweepRun, show_sweep

    runs = 16
    scene.mannequin.sweep.runs = runs
    job = SweepRun(scene)
    import time

    end = time.monotonic() + 120.0
    while job.job.progress is None or job.job.progress.done < 2:
        assert time.monotonic() < end and not job.poll()
        time.sleep(0.02)
    job.cancel()
    done = job.job.progress.done
    assert 2 <= done < runs
    again = SweepRun(scene)
    again.wait()
    show_sweep(scene, again.result())
    assert f"{runs} of {runs} runs completed" in scene.mannequin.sweep.summary


@pytest.mark.parametrize("chart", ["histogram", "fan", "tornado"])
def test_charts_of_the_sweep(blender, swept, chart):
    """Pictures in the file; of a measure that no run has, a reason."""
    swept.mannequin.sweep.measure = f"{actor_name(swept)} rest x"
    assert blender.ops.mannequin.show_sweep_chart(chart=chart) == {"FINISHED"}
    image = next(image for image in blender.data.images if image.name.endswith(f" {chart}"))
    assert min(image.size) > 100 and image.packed_file is not None
    if chart != "fan":
        swept.mannequin.sweep.measure = "no such measure"
        with pytest.raises(RuntimeError, match="choose another in Sweep Results"):
            blender.ops.mannequin.show_sweep_chart(chart=chart)
