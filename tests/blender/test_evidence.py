"""Fits and hypotheses from the panel: a sled whose rest tells its speed in closed form, v^2 / (2 mu g)."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from panel_layout import draw_all
from sled import FRICTION, REST, SPEED, G, sled

AXIS = 0.06
"""m: half axis of the mark's ellipse."""
LOW, HIGH = (float(np.sqrt(2.0 * FRICTION * G * (REST + off))) for off in (-AXIS, AXIS))
"""m/s: speeds at which the sled stops on the ellipse."""
ENGINE_ERROR = 0.01
"""m: of the way of this sled at its time step (tests/sweeps/test_fit.py)."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The folder for the fit and the comparison that the tests share."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def scene(blender, runs):
    """The sled, the mark where it was found, and its speed as the unknown of two hypotheses."""
    from mannequin.scene.scenario.scenario import build_scenario

    scene, ops = blender.context.scene, blender.ops.mannequin
    build_scenario(sled(), scene)
    scene.mannequin.runs.folder = str(runs)
    scene.cursor.location = (REST, 0.0, 0.0)
    ops.add_mark(name="sled lay here", kind="rest", ellipse=(AXIS, 0.1, 0.0), body="sled", source="Tape")
    ops.add_evidence(way="MARKS")
    for name, low, high in (("slow", 2.6, 3.3), ("fast", 3.3, 6.0)):
        ops.edit_list(list="hypotheses", action="ADD")
        ops.edit_list(list="hypothesis_inputs", action="ADD")
        hypothesis = scene.mannequin.evidence.hypotheses[-1]
        hypothesis.name = name
        unknown = hypothesis.inputs[0]
        unknown.address, unknown.name, unknown.low, unknown.high = "actors.sled.speed", "speed", low, high
    group = scene.mannequin.evidence
    group.hypotheses_index, group.runs, group.samples, group.compared = 0, 200, 20, 40
    return scene


def opened_or(blender, scene, runs, name, run):
    """Show the result that an earlier test made, or make it."""
    made = list((runs / "evidence").glob(f"*/{name}"))
    if made:
        assert blender.ops.mannequin.open_evidence(directory=str(made[0].parent)) == {"FINISHED"}
    else:
        assert run() == {"FINISHED"}
    return scene


@pytest.fixture
def fitted(blender, scene, runs):
    """The scene with the result of its fit."""
    return opened_or(blender, scene, runs, "answer.json", blender.ops.mannequin.fit)


@pytest.fixture
def compared(blender, scene, runs):
    """The scene with the result of its comparison."""
    return opened_or(blender, scene, runs, "judgement.json", blender.ops.mannequin.compare_hypotheses)


@pytest.mark.long
def test_stopped_fit_leaves_no_result_and_goes_on(blender, scene, runs):
    """First of all, so that the fit the others open is the one that was stopped."""
    from mannequin.scene.evidence.runs import EvidenceRun

    job = EvidenceRun(scene, compares=False)
    end = time.monotonic() + 120.0
    while job.job.progress is None or job.job.progress.done < 3:
        assert time.monotonic() < end and not job.poll()
        time.sleep(0.02)
    job.cancel()
    (folder,) = [file.parent for file in (runs / "evidence").glob("*/journal.txt")]
    assert {path.name for path in folder.iterdir()} == {"journal.txt", "models", "plan.json", "scenario.json"}
    done = len((folder / "journal.txt").read_text().splitlines()) - 1
    assert not scene.mannequin.evidence.folder and not scene.mannequin.evidence.found
    with pytest.raises(RuntimeError, match="holds no result"):
        blender.ops.mannequin.open_evidence(directory=str(folder))
    before = (folder / "journal.txt").read_bytes()
    assert blender.ops.mannequin.fit() == {"FINISHED"}
    assert Path(scene.mannequin.evidence.folder) == folder and done >= 3
    assert (folder / "journal.txt").read_bytes().startswith(before), "nothing is run twice"


def test_fit_finds_the_speed_of_the_closed_form(blender, fitted):
    group = fitted.mannequin.evidence
    answer = json.loads((Path(group.folder) / "answer.json").read_text())
    found = answer["unknowns"]["speed"]
    assert found["low"] < SPEED < found["high"]
    slack = FRICTION * G / SPEED * ENGINE_ERROR  # dv = mu g / v dx
    assert found["low"] == pytest.approx(LOW, abs=slack + 0.02)
    assert found["high"] == pytest.approx(HIGH, abs=slack + 0.02)
    assert len(group.found) == answer["agreeing"] >= 20 and answer["is_complete"]
    assert answer["statements"][0] in group.summary
    first = float(group.found[0].inputs.split()[-1])
    assert first**2 / (2.0 * FRICTION * G) == pytest.approx(REST, abs=ENGINE_ERROR + 0.02), "the best first"


def test_agreeing_runs_are_drawn_and_one_is_baked(blender, fitted):
    from mannequin.analysis.files.run_folder import read_run
    from mannequin.scene.motion.bake import playing_action
    from mannequin.scene.store.actors import actors_of

    group, ops = fitted.mannequin.evidence, blender.ops.mannequin
    assert ops.toggle_agreeing() == {"FINISHED"}
    ends = np.array([v.co[:] for v in blender.data.objects["sled/deck ends"].data.vertices])
    centres = ends.reshape(-1, 6, 3).mean(axis=1)
    assert len(centres) == len(group.found)
    assert np.all(np.abs(centres[:, 0] - REST) < AXIS + 1e-4)
    assert len(blender.data.objects["sled/deck paths"].data.splines) == len(centres)
    assert ops.bake_agreeing_run(row=4) == {"FINISHED"}
    run = read_run(fitted.mannequin.results.folder)
    assert playing_action(actors_of(fitted)[0])["mannequin_run"] == run.stem
    speed = float(run.recording.velocity[0, 0, 0])
    assert f"speed {speed:.4g}" == group.found[4].inputs
    assert float(run.recording.position[-1, 0, 0]) == pytest.approx(REST, abs=AXIS)
    assert (
        "sled/deck ends" in blender.data.objects and not blender.data.objects["sled/deck ends"].hide_viewport
    )
    with pytest.raises(RuntimeError, match="no row 999"):
        ops.bake_agreeing_run(row=999)
    ops.toggle_agreeing()
    assert "sled/deck ends" not in blender.data.objects


@pytest.mark.slow
def test_the_command_line_gives_the_same_numbers(blender, compared, tmp_path, capsys):
    """The case exported by Blender, run by the command; the mark is evidence for both questions."""
    from mannequin.__main__ import main

    group, file = compared.mannequin.evidence, tmp_path / "case.json"
    assert blender.ops.mannequin.export_evidence(filepath=str(file)) == {"FINISHED"}
    assert json.loads(file.read_text())["targets"][0]["mark"] == "sled lay here"
    capsys.readouterr()
    assert main(["hypotheses", str(file), "--out", str(tmp_path / "out"), "--json", "--processes", "1"]) == 0
    printed = json.loads(capsys.readouterr().out)
    shown = json.loads((Path(group.folder) / "judgement.json").read_text())
    assert {key: value for key, value in printed.items() if key != "folder"} == shown
    pair = shown["pairs"][0]
    # 40 even speeds of 2.6 to 3.3 m/s: those from LOW to HIGH stop on the ellipse; of the fast ones none does
    share = (HIGH - LOW) / (3.3 - 2.6)
    assert abs(shown["agreeing"]["slow"]["runs"] - 40 * share) <= 2 and shown["agreeing"]["fast"]["runs"] == 0
    assert pair["density"]["low"] > 1.0 and "'slow' over 'fast'" in pair["words"]
    assert pair["words"] in group.summary and {row.hypothesis for row in group.found} == {"slow"}
    assert blender.ops.mannequin.toggle_agreeing() == {"FINISHED"}
    assert "sled/deck ends of slow" in blender.data.objects


def test_case_is_read_back_as_objects(blender, scene, tmp_path):
    """Every kind of evidence, exported, imported into an empty scene with its scenario, and exported again."""
    from mannequin.scene.scenario.marks import KEY
    from mannequin.sweeps.fit.spec import read_evidence

    ops, context = blender.ops.mannequin, blender.context
    actor = next(obj for obj in scene.objects if obj.type == "ARMATURE")
    context.view_layer.objects.active = actor
    scene.cursor.location = (0.5, 0.3, 0.1)
    ops.add_evidence(way="BODY_MARK")
    scene.mannequin.evidence.targets[-1].body = "ground"
    ops.add_evidence(way="REST_POSE")
    pose = scene.mannequin.evidence.targets[-1].object
    pose.rotation_mode = "QUATERNION"
    pose.location, pose.rotation_quaternion = (1.0, 0.2, 0.3), (np.cos(0.3), 0.0, 0.0, np.sin(0.3))
    camera = blender.data.objects.new("cctv", blender.data.cameras.new("cctv"))
    scene.collection.objects.link(camera)
    camera.location, camera.rotation_euler = (0.5, -6.0, 1.5), (1.4, 0.0, 0.1)
    scene.camera = camera
    context.view_layer.update()
    ops.add_evidence(way="IMAGE_POINT", pixel=(700.0, 500.0))
    scene.mannequin.evidence.targets[-1].time = 0.2
    ops.add_evidence(way="NUMBER")
    number = scene.mannequin.evidence.targets[-1]
    number.measure, number.value, number.tolerance = "sled throw", 0.9, 0.1
    blender.ops.mesh.primitive_cube_add(size=1.0, location=(3.0, 1.0, -0.6), rotation=(0.0, 0.0, np.pi / 6.0))
    ops.add_obstacle()
    context.object.name = context.object.mannequin.obstacle.name = "slab"
    scene.cursor.location = (3.2, 1.1, -0.1)
    ops.add_mark(name="scrape", kind="scrape", ellipse=(0.3, 0.1, 40.0))
    ops.add_evidence(way="MARKS")
    scrape = scene.mannequin.evidence.targets[-1]
    scrape.body, scrape.on = "sled", "slab"
    context.view_layer.update()
    ops.export_evidence(filepath=str(tmp_path / "a.json"))
    first = read_evidence(tmp_path / "a.json")
    rest, body, place, turn, seen, value, scraped = first.targets
    c, s = np.cos(np.pi / 6.0), np.sin(np.pi / 6.0)
    inside = (0.2 * c + 0.1 * s, 0.1 * c - 0.2 * s, 0.5)
    assert scraped.point == pytest.approx(inside, abs=1e-5) and scraped.contact.on == "slab"
    assert scraped.ellipse == pytest.approx((0.3, 0.1, 10.0), abs=1e-4), "in the frame of what bears it"
    assert (rest.mark, rest.ellipse[0]) == ("sled lay here", pytest.approx(AXIS))
    assert body.contact.on == "sled/deck" and body.point == pytest.approx((0.5, 0.3, 0.05), abs=1e-5)
    assert place.position == pytest.approx([1.0, 0.2, 0.3], abs=1e-5) and place.body == "sled/deck"
    assert turn.orientation == pytest.approx((np.degrees(0.6), 0.0, 0.0), abs=1e-3)
    assert seen.points[0].pixel == pytest.approx([700.0, 500.0], abs=0.01) and seen.points[0].time == 0.2
    assert value.measure.measure == "throw distance" and value.value == 0.9

    blender.ops.wm.read_homefile(use_empty=True)
    scene = blender.context.scene
    assert ops.import_evidence(filepath=str(tmp_path / "a.json")) == {"FINISHED"}
    assert [obj.name for obj in blender.data.objects if KEY in obj] == ["scrape", "sled lay here"], (
        "each once"
    )
    blender.context.view_layer.update()
    ops.export_evidence(filepath=str(tmp_path / "b.json"))
    again = read_evidence(tmp_path / "b.json")
    assert again.unknowns == first.unknowns and again.hypotheses == first.hypotheses
    for one, two in zip(first.targets, again.targets, strict=True):
        assert (one.name, one.kind, one.mark, one.contact) == (two.name, two.kind, two.mark, two.contact)
        for field in ("position", "orientation", "point", "ellipse", "tolerance", "value"):
            assert getattr(one, field) == pytest.approx(getattr(two, field), abs=2e-3), field
    assert again.targets[4].points[0].pixel == pytest.approx([700.0, 500.0], abs=0.05)


def test_what_is_missing_is_said_in_words(blender, scene):
    ops, group = blender.ops.mannequin, scene.mannequin.evidence
    draw_all(blender)
    group.targets[0].use = False
    with pytest.raises(RuntimeError, match="there is no evidence"):
        ops.fit()
    group.targets[0].use, group.targets[0].object = True, None
    with pytest.raises(RuntimeError, match="has no object"):
        ops.fit()
    group.hypotheses[0].inputs[0].address = ""
    group.targets[0].object = blender.data.objects["sled lay here"]
    with pytest.raises(RuntimeError, match="unknown 1 of 'slow'"):
        ops.fit()
    group.targets.clear()
    with pytest.raises(RuntimeError, match="poll"):
        ops.compare_hypotheses()


def test_panels_draw_with_results(blender, fitted):
    fitted.mannequin.evidence.targets_index = 0
    drawn = set(draw_all(blender))
    assert {"mannequin.toggle_agreeing", "mannequin.bake_agreeing_run", "mannequin.add_evidence"} <= drawn
