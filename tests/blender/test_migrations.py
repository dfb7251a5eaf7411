"""Files of older and newer property layouts."""


def test_older_layout_is_brought_up_to_date_once(blender, monkeypatch, tmp_path):
    """Layout 1 told the mass in grams, say; layout 2 in kilograms."""
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

    monkeypatch.setattr(migrations, "PROPERTY_VERSION", 2)
    monkeypatch.setattr(migrations, "STEPS", {1: to_kilograms})
    blender.ops.wm.open_mainfile(filepath=str(tmp_path / "old.blend"))
    armature = blender.data.armatures[0]
    assert armature.bones["foot"].mannequin.mass == 2.5
    assert armature.mannequin.property_version == 2
    assert all(o.mannequin.property_version == 2 for o in blender.data.objects if o.mannequin.kind != "NONE")
    assert migrations.migrate_file() == []
    assert armature.bones["foot"].mannequin.mass == 2.5


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
