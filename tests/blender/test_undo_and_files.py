"""Undo and redo across every authoring operator; save, reload in a new process, append. Each in a process of its own:
undo replaces all of Blender's data, and a crash must not take the session with it."""

from pathlib import Path

import pytest
from blender_process import run_in_blender
from undo_steps import CHANGE_NOTHING, EXCEPTIONS, STEPS

TESTS = Path(__file__).resolve().parents[1]

PARTS = 2
"""Processes over which the cases of undo are shared out."""

PREAMBLE = f"""
import os, sys
sys.path.insert(0, {str(TESTS / "support")!r})
import bpy, mannequin
mannequin.register()
from authoring import full_model, full_scenario, typed
from scene_state import *
from mannequin.scene.model.build import build_actor
from mannequin.scene.model.read import read_model
from mannequin.scene.scenario.scenario import build_scenario, read_scenario
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
ops = bpy.ops.mannequin
"""


def test_every_operator_has_an_undo_case_or_a_reason(blender) -> None:
    """A new operator needs a line in tests/support/undo_steps.py."""
    import mannequin.registration

    modules = [m for m in mannequin.registration.listed_modules() if ".operators." in m.__name__]
    operators = [
        c
        for m in modules
        for c in mannequin.registration.classes_of(m)
        if issubclass(c, blender.types.Operator)
    ]
    names = {operator.bl_idname.split(".")[1] for operator in operators}
    assert names - set(STEPS) - set(EXCEPTIONS) == set(), "give them a line in tests/support/undo_steps.py"
    assert set(STEPS) | set(EXCEPTIONS) <= names, "these are no operators any more"
    assert not set(STEPS) & set(EXCEPTIONS)
    for operator in operators:
        name = operator.bl_idname.split(".")[1]
        assert name in EXCEPTIONS or "UNDO" in operator.bl_options, f"{name} changes data without UNDO"


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_undo_and_redo_across_every_operator(tmp_path: Path, part: int) -> None:
    """After undo everything is as before, after redo as after; then all of it once more without undo in between."""
    steps = dict(list(STEPS.items())[part::PARTS])
    code = f"""
from mannequin.io_json.model_json import write_model
from mannequin.io_json.scenario_json import write_scenario
FOLDER = {str(tmp_path)!r}
MODEL, SCENARIO = FOLDER + "/m.json", FOLDER + "/s.json"
write_model(full_model(5), MODEL)
write_scenario(full_scenario(), SCENARIO)
os.mkdir(FOLDER + "/meshes")
open(FOLDER + "/meshes/part.obj", "w").write("v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n")
for name, (prepare, step) in {steps!r}.items():
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
    assert (after == before) == (name in {CHANGE_NOTHING!r}), f"{{name}}: does it change anything?"
    bpy.ops.ed.undo()
    assert state() == before, f"undo of {{name}}: {{difference(before, state())}}"
    bpy.ops.ed.redo()
    assert state() == after, f"redo of {{name}}: {{difference(after, state())}}"
    bpy.ops.ed.undo()
    assert state() == before, f"second undo of {{name}}"
    assert eval(step) == {{"FINISHED"}}
    assert state() == after, f"{{name}} again after undo: {{difference(after, state())}}"
print("undone", {len(steps)})
"""
    assert f"undone {len(steps)}" in run_in_blender(PREAMBLE + code, tmp_path)


SCALES = (1.0, 0.01)


@pytest.fixture(scope="module")
def seen_by_another(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a process prints of files that another one has saved: scenes of two scales, and a library of an actor."""
    folder = tmp_path_factory.mktemp("saved")
    start = PREAMBLE + f"FOLDER, SCALES = {str(folder)!r}, {SCALES}\n"
    save = """
for scale in SCALES:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.unit_settings.scale_length = scale
    build_scenario(full_scenario(), bpy.context.scene)
    bpy.data.objects["victim"].data.bones["foot"].mannequin.mass = 2.5
    bpy.ops.wm.save_as_mainfile(filepath=f"{FOLDER}/scene_{scale}.blend")
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
build_actor(full_model(), bpy.context.scene)
bpy.ops.wm.save_as_mainfile(filepath=f"{FOLDER}/library.blend")
"""
    load = """
from mannequin.scene.store.actors import actors_of
for scale in SCALES:
    bpy.ops.wm.open_mainfile(filepath=f"{FOLDER}/scene_{scale}.blend")
    expected = full_scenario()
    next(b for b in expected.actors[0].model.bodies if b.name == "foot").mass = 2.5
    print("as saved at", scale, plain(read_scenario(bpy.context.scene)) == plain(expected))
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
build_actor(full_model(3), bpy.context.scene)
with bpy.data.libraries.load(f"{FOLDER}/library.blend", link=False) as (there, here):
    here.collections = [name for name in there.collections if name == "full"]
bpy.context.scene.collection.children.link(here.collections[0])
bpy.context.view_layer.update()
models = [typed(read_model(a)) for a in actors_of(bpy.context.scene)]
print("both models", typed(full_model()) in models and typed(full_model(3)) in models)
print("names", len({a.name for a in read_scenario(bpy.context.scene).actors}))
"""
    run_in_blender(start + save, folder)
    return run_in_blender(start + load, folder)


@pytest.mark.parametrize("scale", SCALES)
def test_save_and_reload_in_a_new_process(seen_by_another: str, scale: float) -> None:
    assert f"as saved at {scale} True" in seen_by_another


def test_append_to_another_file(seen_by_another: str) -> None:
    assert "both models True" in seen_by_another and "names 2" in seen_by_another


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
