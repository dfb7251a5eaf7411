"""Files of older and newer property layouts."""

from pathlib import Path

FILES = Path(__file__).resolve().parent / "files"


def test_older_layout_is_brought_up_to_date_once(blender, monkeypatch, tmp_path):
    """The present layout told the mass in grams, say; the next in kilograms."""
    from authoring import full_model

    from mannequin.scene import migrations
    from mannequin.scene.rig import build_actor

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


def test_file_of_layout_1_opens_with_everything(blender):
    """Saved by Blender 4.2 with the extension of that layout, of the JSON file beside it: nothing is lost, tables over
    time are rows, and display meshes are objects once the rig is updated."""
    from authoring import typed

    from mannequin.io_json.scenario_json import read_scenario as read_file
    from mannequin.scene.edit_actor import refresh
    from mannequin.scene.read_model import read_model
    from mannequin.scene.rig import update_actor
    from mannequin.scene.scenario import read_scenario

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


def test_newer_layout_is_told_and_left_alone(blender, tmp_path):
    from authoring import full_model, typed

    from mannequin.scene.read_model import read_model
    from mannequin.scene.rig import build_actor

    build_actor(full_model(), blender.context.scene)
    blender.data.armatures[0].mannequin.property_version = 99
    blender.ops.wm.save_as_mainfile(filepath=str(tmp_path / "new.blend"))
    blender.ops.wm.open_mainfile(filepath=str(tmp_path / "new.blend"))
    assert blender.data.armatures[0].mannequin.property_version == 99
    messages = [issue.message for issue in blender.context.scene.mannequin.issues]
    assert len(messages) == 1 and "newer version" in messages[0] and "'full'" in messages[0]
    assert typed(read_model(blender.data.objects["full"])) == typed(full_model())


def test_every_layout_before_the_present_has_a_step(blender):
    from mannequin.scene.migrations import STEPS
    from mannequin.scene.properties import PROPERTY_VERSION

    assert set(STEPS) == set(range(1, PROPERTY_VERSION))


def test_saved_files_say_their_layout(blender, tmp_path):
    from authoring import full_scenario

    from mannequin.scene.migrations import owners
    from mannequin.scene.properties import PROPERTY_VERSION
    from mannequin.scene.scenario import build_scenario

    build_scenario(full_scenario(), blender.context.scene)
    blender.ops.wm.save_as_mainfile(filepath=str(tmp_path / "new.blend"))
    kinds = {type(owner).__name__ for owner in owners()}
    assert kinds == {"Armature", "Object", "Scene"}
    assert {owner.mannequin.property_version for owner in owners()} == {PROPERTY_VERSION}
