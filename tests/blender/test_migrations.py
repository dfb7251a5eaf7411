"""Files of older and newer property layouts."""

from pathlib import Path

FILES = Path(__file__).resolve().parent / "files"


def test_older_layout_is_brought_up_to_date_once(blender, monkeypatch, tmp_path):
    """The present layout has the mass in grams, for example; the next in kilograms."""
    from authoring import full_model

    from mannequin.scene.model.build import build_actor
    from mannequin.scene.store import migrations

    build_actor(full_model(), blender.context.scene)
    armature = blender.data.armatures[0]
    armature.bones["foot"].mannequin.mass = 2500
    blender.ops.wm.save_as_mainfile(filepath=str(tmp_path / "old.blend"))

    def to_kilograms(owner):
        if isinstance(owner, blender.types.Armature):
            for bone in owner.bones:
                bone.mannequin.mass /= 1000

    following = migrations.PROPERTY_VERSION + 1
    monkeypatch.setattr(migrations, "STEPS", {migrations.PROPERTY_VERSION: to_kilograms})
    monkeypatch.setattr(migrations, "PROPERTY_VERSION", following)
    blender.ops.wm.open_mainfile(filepath=str(tmp_path / "old.blend"))
    armature = blender.data.armatures[0]
    assert armature.bones["foot"].mannequin.mass == 2.5
    assert armature.mannequin.property_version == following
    parts = [o for o in blender.data.objects if o.mannequin.kind != "NONE"]
    assert all(o.mannequin.property_version == following for o in parts)
    assert migrations.migrate_file() == []
    assert armature.bones["foot"].mannequin.mass == 2.5


def test_older_files_keep_the_mode_of_several_contacts_that_was_their_default(blender):
    """A file does not hold what is at its default. New scenes share forces, files of layout 3 add them up."""
    from mannequin.scene.store import migrations

    settings = blender.context.scene.mannequin.settings
    assert settings.multi_contact == "patches"
    blender.context.scene.mannequin.property_version = 3
    assert migrations.migrate(blender.context.scene) == ""
    assert settings.multi_contact == "none"
    settings.multi_contact = "discrete"
    blender.context.scene.mannequin.property_version = 3
    migrations.migrate(blender.context.scene)
    assert settings.multi_contact == "discrete"


def test_file_of_layout_1_opens_with_everything(blender):
    """Saved by Blender 4.2 with the extension of that layout, of the JSON file beside it: nothing is lost, tables over
    time are rows, and display meshes are objects once the rig is updated."""
    from authoring import typed

    from mannequin.io_json.scenario_json import read_scenario as read_file
    from mannequin.scene.model.build import update_actor
    from mannequin.scene.model.edit_actor import refresh
    from mannequin.scene.model.read import read_model
    from mannequin.scene.scenario.scenario import read_scenario

    blender.ops.wm.open_mainfile(filepath=str(FILES / "layout_1.blend"))
    scene, expected = blender.context.scene, read_file(FILES / "layout_1.json")
    assert as_lists(read_scenario(scene)) == as_lists(expected)
    victim = scene.objects["victim"]
    assert victim.mannequin.property_version > 1
    assert [len(motion.table) for motion in victim.mannequin.actor.prescribed] == [2, 2]
    motor = victim.data.bones["thigh"].mannequin.joint.motor
    assert motor.use_target_over_time and len(motor.target_over_time) == 2
    assert refresh(scene) == []
    update_actor(victim, read_model(victim), scene)
    assert [o.mannequin.mesh.path for o in victim.children if o.mannequin.kind == "MESH"]
    found, wanted = typed(read_model(victim)), typed(expected.actors[0].model)
    assert without_spellings(found) == without_spellings(wanted)


FILM = {
    "case": "2026-014", "camera": "tracking", "preset": "best", "format": "GIF", "width": 640, "height": 360,
    "output": "//ball.gif", "overlay": False, "readout": "speed", "second_readout": "head acceleration",
}  # fmt: skip
BAKE = {
    "every_sample": True, "series": False, "fit_timeline": False, "slowness": 4.0, "use_slow_range": True,
    "slow_start": 0.25, "slow_end": 0.75, "slow_factor": 8.0, "more_slow": "1:1.25:4",
}  # fmt: skip
TRACES = {
    "arrow_length": 0.5, "path_bodies": "head, pelvis", "ghost_count": 7, "ghost_times": "0.1, 0.25",
    "mark_force": 250.0,
}  # fmt: skip
RESULTS = {
    "run": "ball_20260101T120000Z", "folder": "/runs/ball_20260101T120000Z", "status": "completed",
    "measures_index": 1, "contacts_index": 1,
}  # fmt: skip


def test_file_of_layout_2_opens_with_runs_results_and_film_apart(blender):
    """Saved by Blender 4.5 with the extension of that layout, which kept all of this in `film`."""
    from mannequin.scene.base.blender_version import stored

    blender.ops.wm.open_mainfile(filepath=str(FILES / "layout_2.blend"))
    scene, second = blender.data.scenes["Scene"], blender.data.scenes["Second"]
    groups = scene.mannequin
    assert groups.property_version >= 3
    assert (groups.runs.folder, groups.runs.follow) == ("//other runs", False)
    for group, expected in (
        (groups.film, FILM),
        (groups.bake, BAKE),
        (groups.traces, TRACES),
        (groups.results, RESULTS),
    ):
        assert {name: getattr(group, name) for name in expected} == expected
    assert [(m.name, m.subject, m.text, m.definition) for m in groups.results.measures] == [
        ("measure 0", "ball / ball", "0.5 m", "how"),
        ("measure 1", "ball / ball", "1.5 m", "how"),
    ]
    assert [(c.name, c.time, c.peak_time, c.peak_force) for c in groups.results.contacts] == [
        ("contact 0", 0.0, 0.0, 0.0),
        ("contact 1", 0.125, 0.25, 100.0),
    ]
    assert groups.results.contacts[1].surfaces == "ball / ball / ball, ground"
    assert set(stored(scene)["mannequin"]["film"].keys()) == set(FILM), "nothing is kept twice"
    assert second.mannequin.traces.ghost_count == 3 and second.mannequin.runs.folder == "//runs"


def as_lists(scenario):
    """Typed structure of a scenario, arrays of meshes as lists."""
    import numpy as np
    from authoring import typed

    for obstacle in scenario.obstacles:
        if obstacle.vertices is not None:
            obstacle.vertices = np.array(obstacle.vertices, dtype=float).tolist()
            obstacle.triangles = np.array(obstacle.triangles, dtype=int).tolist()
    return without_spellings(typed(scenario))


def without_spellings(value):
    """Structure without the reader's notes on how a file spells a number (keys with "#"): whether one is needed depends
    on the last digit of an inverse, which differs between versions of NumPy."""
    if isinstance(value, dict):
        return {key: without_spellings(item) for key, item in value.items() if not key.startswith("#")}
    if isinstance(value, (list, tuple)):
        return [without_spellings(item) for item in value]
    return value


def test_newer_layout_is_reported_and_left_alone(blender, tmp_path):
    from authoring import full_model, typed

    from mannequin.scene.model.build import build_actor
    from mannequin.scene.model.read import read_model

    build_actor(full_model(), blender.context.scene)
    blender.data.armatures[0].mannequin.property_version = 99
    blender.ops.wm.save_as_mainfile(filepath=str(tmp_path / "new.blend"))
    blender.ops.wm.open_mainfile(filepath=str(tmp_path / "new.blend"))
    assert blender.data.armatures[0].mannequin.property_version == 99
    messages = [issue.message for issue in blender.context.scene.mannequin.issues]
    assert len(messages) == 1 and "newer version" in messages[0] and "'full'" in messages[0]
    assert typed(read_model(blender.data.objects["full"])) == typed(full_model())


def test_every_layout_before_the_present_has_a_step(blender):
    from mannequin.scene.store.migrations import STEPS
    from mannequin.scene.store.properties import PROPERTY_VERSION

    assert set(STEPS) == set(range(1, PROPERTY_VERSION))


def test_saved_files_say_their_layout(blender, tmp_path):
    from authoring import full_scenario

    from mannequin.scene.scenario.scenario import build_scenario
    from mannequin.scene.store.migrations import owners
    from mannequin.scene.store.properties import PROPERTY_VERSION

    build_scenario(full_scenario(), blender.context.scene)
    blender.ops.wm.save_as_mainfile(filepath=str(tmp_path / "new.blend"))
    kinds = {type(owner).__name__ for owner in owners()}
    assert kinds == {"Armature", "Object", "Scene"}
    assert {owner.mannequin.property_version for owner in owners()} == {PROPERTY_VERSION}


def test_the_guide_for_scripts_names_what_moved(root):
    from mannequin.scene.store.migrations import MOVED

    page = (root / "docs" / "how-to" / "scripts.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if "| `scene.mannequin." in line]
    for group, names in MOVED.items():
        (row,) = (line for line in rows if f"`scene.mannequin.{group}`" in line)
        assert all(f"`{name}`" in row for names in names.items() for name in names if name)
