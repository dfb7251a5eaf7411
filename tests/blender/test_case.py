"""Work from the case: examples, assets, units, the check-list."""

from pathlib import Path

import pytest
from blender_process import run_in_blender

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def ops(blender):
    return blender.ops.mannequin


def shown_in(cls_name, blender):
    """Names of operators that a menu of Blender's own, with ours in it, draws."""
    from panel_layout import Layout

    icons = set(blender.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())
    drawn = []
    for function in getattr(blender.types, cls_name).draw._draw_funcs:
        if ".panels." in function.__module__:
            function(type("Menu", (), {"layout": Layout(blender, drawn, icons)})(), blender.context)
    return drawn


def test_every_example_has_a_picture_and_words(blender):
    from PIL import Image

    from mannequin.models.library import list_scenarios
    from mannequin.scene.scenario.examples import PICTURE_FOLDER, list_examples, picture_path

    examples = list_examples()
    assert sorted(examples) == sorted(path.stem for path in list_scenarios())
    assert all(len(words) > 20 for words in examples.values())
    for name in examples:
        assert picture_path(name).stat().st_size < 10_000
        with Image.open(picture_path(name)) as picture:
            assert picture.size == (192, 108)
            assert len(picture.convert("L").getcolors(256)) > 50, f"{name}: nothing to see"
    assert len(list(PICTURE_FOLDER.iterdir())) == len(examples), "a picture of no scenario"


def test_examples_are_where_people_look_for_them(blender):
    from panel_layout import draw_all

    assert "MANNEQUIN_MT_add" in shown_in("VIEW3D_MT_add", blender)
    assert "mannequin.new_from_example" in shown_in("TOPBAR_MT_file_new", blender)
    assert "mannequin.open_example" in draw_all(blender)
    blender.ops.mannequin.add_actor(model="bicycle")
    assert "mannequin.open_example" not in draw_all(blender), "the button is of the empty panel"


def test_an_example_leaves_what_there_is(blender, ops):
    """In a scene with a scenario, or with a mark, it gets a scene of its own; in another it joins what is there."""
    blender.ops.mesh.primitive_cube_add()
    ops.open_example(example="pendulum_chain")
    first = blender.context.scene
    assert [scene.name for scene in blender.data.scenes] == [first.name] and "Cube" in first.objects
    before = [obj.name for obj in first.objects]
    ops.open_example(example="slip")
    assert blender.context.scene.name == "Slip" != first.name
    assert [obj.name for obj in first.objects] == before and first.mannequin.name == "pendulum_chain"
    assert blender.context.object == blender.context.scene.objects["man"]
    blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    ops.add_mark(name="shoe")
    ops.open_example(example="slip")
    assert len(blender.data.scenes) == 2


def test_new_file_from_an_example(tmp_path):
    """Refused while changes are not saved; then a file of its own with the example alone."""
    code = f"""
import bpy, mannequin
mannequin.register()
bpy.ops.wm.read_homefile(use_factory_startup=True)
bpy.ops.mannequin.add_actor(model="bicycle")
bpy.ops.wm.save_as_mainfile(filepath={str(tmp_path / "mine.blend")!r})
assert bpy.ops.mannequin.new_from_example(example="trip") == {{"FINISHED"}}
assert bpy.data.filepath == "" and bpy.context.scene.mannequin.name == "trip"
assert {{o.name for o in bpy.data.objects if o.mannequin.kind in ("ACTOR", "OBSTACLE")}} == {{"man", "kerb"}}
bpy.ops.mesh.primitive_cube_add()
from mannequin.scene.scenario import examples
examples.has_changes = lambda: True  # as a window says; in background mode Blender always does
try:
    bpy.ops.mannequin.new_from_example(example="slip")
except RuntimeError as refused:
    assert "not saved" in str(refused)
else:
    raise AssertionError("changes are lost")
assert "Cube" in bpy.data.objects
print("done")
"""
    assert "done" in run_in_blender(code, tmp_path)
