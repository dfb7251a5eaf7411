"""Undo and redo across every authoring operator; save, reload in a new process, append. Each in a process of its own:
undo replaces all of Blender's data, and a crash must not take the session with it."""

from pathlib import Path

import pytest
from blender_process import run_in_blender

TESTS = Path(__file__).resolve().parents[1]

PREAMBLE = f"""
import sys, math
sys.path.insert(0, {str(TESTS / "support")!r})
import bpy, mannequin
mannequin.register()
from authoring import full_model, full_scenario, typed
from mannequin.scene.rig import build_actor
from mannequin.scene.read_model import read_model
from mannequin.scene.scenario import build_scenario, read_scenario
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
ops = bpy.ops.mannequin

def actor(name="full"):
    return bpy.data.objects[name]

def activate(name, bone=""):
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    if bone:
        bones = bpy.data.objects[name].data.bones
        bones.active = bones[bone]

def plain(scenario):
    for obstacle in scenario.obstacles:
        if obstacle.vertices is not None:
            obstacle.vertices = [[float(x) for x in row] for row in obstacle.vertices]
            obstacle.triangles = [[int(x) for x in row] for row in obstacle.triangles]
    return typed(scenario)

def state():
    scene = bpy.context.scene
    try:
        told = plain(read_scenario(scene))
    except Exception as error:
        told = str(error)
    names = sorted((o.name, o.mannequin.kind, o.parent_bone) for o in bpy.data.objects)
    heads = [[tuple(round(x, 5) for x in b.head_local) for b in arm.bones] for arm in bpy.data.armatures]
    return told, names, heads, sorted(c.name for c in bpy.data.collections), len(scene.mannequin.issues)
"""

# What a person does before, and the operator that is undone and redone.
STEPS = {
    "add_actor": ("", "ops.add_actor(model='bicycle')"),
    "new_model": ("", "ops.new_model(name='thing')"),
    "import_model": ("", "ops.import_model(filepath=MODEL)"),
    "import_scenario": ("", "ops.import_scenario(filepath=SCENARIO)"),
    "duplicate_actor": ("activate('full')", "ops.duplicate_actor()"),
    "delete_actor": ("activate('full')", "ops.delete_actor()"),
    "update_rig": ("activate('full'); bpy.data.objects['hip'].location.x += 0.1", "ops.update_rig()"),
    "scale_actor": ("activate('full')", "ops.scale_actor(height=1.5, mass=20)"),
    "mirror_model": ("activate('full', 'foot'); ops.rename_body(name='footL')", "ops.mirror_model()"),
    "add_body": ("activate('full')", "ops.add_body(name='head', parent='trunk', position=(0, 0, 1))"),
    "duplicate_body": ("activate('full', 'thigh')", "ops.duplicate_body()"),
    "delete_body": ("activate('full', 'shank')", "ops.delete_body()"),
    "rename_body": ("activate('full', 'shank')", "ops.rename_body(name='calf')"),
    "change_parent": ("activate('full', 'foot')", "ops.change_parent(parent='trunk')"),
    "compute_mass": ("activate('full', 'thigh')", "ops.compute_mass(density=900)"),
    "add_ellipsoid": ("activate('full', 'shank')", "ops.add_ellipsoid(name='shin')"),
    "duplicate_ellipsoid": ("activate('foot_part_1')", "ops.duplicate_ellipsoid()"),
    "delete_ellipsoid": ("activate('foot_part_1')", "ops.delete_ellipsoid()"),
    "rename_ellipsoid": ("activate('foot_part_1')", "ops.rename_ellipsoid(name='toe')"),
    "apply_curve_preset": ("activate('foot_part_1')", "ops.apply_curve_preset(preset='head')"),
    "set_joint_type": ("activate('full', 'foot')", "ops.set_joint_type(type='revolute', axis=(1, 1, 0))"),
    "delete_joint": ("activate('full', 'foot')", "ops.delete_joint()"),
    "rename_joint": ("activate('full', 'foot')", "ops.rename_joint(name='heel')"),
    "copy_joint": ("activate('full', 'thigh')", "ops.copy_joint(targets='foot')"),
    "toggle_limits": (
        "activate('full'); actor().pose.bones['thigh'].rotation_quaternion = (0.5, 0.8, 0, 0)",
        "ops.toggle_limits()",
    ),
    "edit_list": ("activate('full')", "ops.edit_list(list='springs', action='REMOVE')"),
    "place_on_ground": ("activate('full')", "ops.place_on_ground(clearance=3)"),
    "set_velocity": ("activate('full')", "ops.set_velocity(velocity=(1, 2, 3))"),
    "clear_velocity": ("activate('full'); ops.set_velocity(velocity=(1, 2, 3))", "ops.clear_velocity()"),
    "apply_preset": ("", "ops.apply_preset(preset='court')"),
    "validate": ("actor().data.bones['foot'].mannequin.mass = 0", "ops.validate()"),
    "add_obstacle": ("bpy.ops.mesh.primitive_cube_add()", "ops.add_obstacle()"),
    "remove_obstacle": ("bpy.ops.mesh.primitive_cube_add(); ops.add_obstacle()", "ops.remove_obstacle()"),
    "drag_velocity": ("activate('full')", "ops.drag_velocity(tip=(0, 0, 3))"),
    "take_motion": (
        "activate('full'); [(setattr(actor(), 'location', (f, 0, 0)), actor().keyframe_insert('location', frame=f))"
        " for f in range(5)]; bpy.context.scene.frame_set(2)",
        "ops.take_motion()",
    ),
    "add_joint": ("activate('full', 'foot'); ops.delete_joint()", "ops.add_joint(parent='thigh')"),
    "import_file": ("", "ops.import_file(filepath=MODEL)"),
    "add_ready_made": ("", "ops.add_ready_made(obstacle='kerb')"),
}


def test_undo_and_redo_across_every_operator(tmp_path: Path, root: Path) -> None:
    """After undo everything is as before, after redo as after; then all of it once more without undo in between."""
    code = f"""
from mannequin.io_json.model_json import write_model
from mannequin.io_json.scenario_json import write_scenario
MODEL, SCENARIO = {str(tmp_path / "m.json")!r}, {str(tmp_path / "s.json")!r}
write_model(full_model(5), MODEL)
write_scenario(full_scenario(), SCENARIO)
for name, (prepare, step) in {STEPS!r}.items():
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    build_actor(full_model(), bpy.context.scene)
    exec(prepare)
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="before")
    before = state()
    result = eval(step)
    assert result == {{"FINISHED"}}, (name, result)
    bpy.ops.ed.undo_push(message="after")
    after = state()
    assert after != before, f"{{name}} changes nothing"
    bpy.ops.ed.undo()
    assert state() == before, f"undo of {{name}}"
    bpy.ops.ed.redo()
    assert state() == after, f"redo of {{name}}"
    bpy.ops.ed.undo()
    assert state() == before, f"second undo of {{name}}"
    assert eval(step) == {{"FINISHED"}}
    assert state() == after, f"{{name}} again after undo"
print("undone", {len(STEPS)})
"""
    assert f"undone {len(STEPS)}" in run_in_blender(PREAMBLE + code, tmp_path)


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_save_and_reload_in_a_new_process(tmp_path: Path, scale: float) -> None:
    blend = str(tmp_path / "scene.blend")
    save = f"""
bpy.context.scene.unit_settings.scale_length = {scale}
build_scenario(full_scenario(), bpy.context.scene)
bpy.data.objects["victim"].data.bones["foot"].mannequin.mass = 2.5
bpy.ops.wm.save_as_mainfile(filepath={blend!r})
"""
    load = f"""
bpy.ops.wm.open_mainfile(filepath={blend!r})
expected = full_scenario()
next(b for b in expected.actors[0].model.bodies if b.name == "foot").mass = 2.5
assert plain(read_scenario(bpy.context.scene)) == plain(expected)
print("same")
"""
    run_in_blender(PREAMBLE + save, tmp_path)
    assert "same" in run_in_blender(PREAMBLE + load, tmp_path)


def test_append_to_another_file(tmp_path: Path) -> None:
    blend = str(tmp_path / "library.blend")
    save = f"""
build_actor(full_model(), bpy.context.scene)
bpy.ops.wm.save_as_mainfile(filepath={blend!r})
"""
    append = f"""
build_actor(full_model(3), bpy.context.scene)
with bpy.data.libraries.load({blend!r}, link=False) as (there, here):
    here.collections = [name for name in there.collections if name == "full"]
bpy.context.scene.collection.children.link(here.collections[0])
bpy.context.view_layer.update()
from mannequin.scene.actors import actors_of
models = [typed(read_model(a)) for a in actors_of(bpy.context.scene)]
assert typed(full_model()) in models and typed(full_model(3)) in models
scenario = read_scenario(bpy.context.scene)
assert len({{a.name for a in scenario.actors}}) == 2
print("appended")
"""
    run_in_blender(PREAMBLE + save, tmp_path)
    assert "appended" in run_in_blender(PREAMBLE + append, tmp_path)


def test_linked_and_full_duplicates_by_blenders_own_means(tmp_path: Path) -> None:
    """Shift D of armature and parts, and Alt D, as a user does it."""
    code = """
build_actor(full_model(), bpy.context.scene)
for linked in (False, True):
    for obj in bpy.data.objects:
        obj.select_set(obj.name == "full" or (obj.parent is not None and obj.parent.name == "full"))
    bpy.context.view_layer.objects.active = bpy.data.objects["full"]
    bpy.ops.object.duplicate(linked=linked)
    copy = bpy.context.object
    assert copy.name != "full" and copy.mannequin.kind == "ACTOR"
    copy.location.x += 2
    bpy.context.view_layer.update()
    assert typed(read_model(copy)) == typed(full_model()), linked
scenario = read_scenario(bpy.context.scene)
assert [a.name for a in scenario.actors] == ["full", "full.001", "full.002"]
assert [a.position[0] for a in scenario.actors] == [0, 2, 2]
bpy.data.objects["full.001"].data.bones["foot"].mannequin.mass = 9
assert next(b for b in read_model(bpy.data.objects["full"]).bodies if b.name == "foot").mass != 9
print("duplicated")
"""
    assert "duplicated" in run_in_blender(PREAMBLE + code, tmp_path)


def test_edit_mode_and_pose_mode_leave_everything(tmp_path: Path) -> None:
    code = """
build_actor(full_model(), bpy.context.scene)
activate("full")
for mode in ("EDIT", "POSE", "OBJECT"):
    bpy.ops.object.mode_set(mode=mode)
assert typed(read_model(actor())) == typed(full_model())
bpy.ops.object.mode_set(mode="POSE")
activate("full", "foot")
assert ops.set_joint_type(type="spherical") == {"FINISHED"}
assert bpy.context.object.mode == "POSE"
bpy.ops.object.mode_set(mode="EDIT")
assert not ops.update_rig.poll()
try:
    read_model(actor())
except Exception as error:
    assert "Edit Mode" in str(error)
    print("refused")
"""
    assert "refused" in run_in_blender(PREAMBLE + code, tmp_path)
