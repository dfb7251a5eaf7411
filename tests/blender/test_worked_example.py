"""The worked example of CONTRIBUTING, a button with a property: made in a copy of the extension and used there."""

import pytest
from blender_process import run_in_blender
from worked_examples import ROOT, changes, copy_with_changes, listed_files

GUIDE = "A button with a property"


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """Folder with a copy of the package in which the example is made."""
    folder = tmp_path_factory.mktemp("worked_example")
    copy_with_changes(folder, GUIDE)
    return folder


def test_the_list_names_the_files_that_are_changed():
    assert listed_files(GUIDE) == list(changes(GUIDE))


USE = """
import math, runpy, sys
sys.path[:0] = ["{folder}", "{support}"]
import bpy
import mannequin
assert mannequin.__file__.startswith("{folder}"), mannequin.__file__
from authoring import full_model
from panel_layout import draw_all
from mannequin.io_json import model_json
from mannequin.scene.model.build import build_actor
from mannequin.scene.model.read import read_model

pages = runpy.run_path("{root}/docs/formats/generate.py")
schema = pages["model_schema"]()["$defs"]["Coupler"]["properties"]["play"]
assert schema == {{
    "type": "number", "description": "Angle by which the follower may lag. Unit: degrees."
}}, schema
assert "| `play` | number | degrees | 0.0 | Angle by which the follower may lag. |" in pages["table"]("Coupler")

model = full_model()
model.couplers[0].play = 2.5
model = model_json.loads(model_json.dumps(model))
assert model.couplers[0].play == 2.5

mannequin.register()
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
assert not bpy.ops.mannequin.take_out_play.poll()
try:
    bpy.ops.mannequin.take_out_play()
except RuntimeError as refused:
    assert "Select an actor" in str(refused)

actor = build_actor(model, bpy.context.scene)
bpy.context.view_layer.objects.active = actor
coupler = actor.data.mannequin.couplers[0]
about = coupler.bl_rna.properties["play"]
assert (about.name, about.description) == ("Play", "Angle by which the follower may lag")
assert (about.unit, about.soft_min, about.default) == ("ROTATION", 0.0, 0.0)
assert abs(coupler.play - math.radians(2.5)) < 1e-7
assert read_model(actor).couplers[0].play == 2.5

drawn = draw_all(bpy)
assert ("MannequinCoupler", "play") in drawn
assert "mannequin.take_out_play" in drawn
assert bpy.ops.mannequin.take_out_play.get_rna_type().description == "Take the play out of all couplers of the actor"
assert bpy.ops.mannequin.take_out_play() == {{"FINISHED"}}
assert read_model(actor).couplers[0].play == 0.0
mannequin.unregister()
print("used")
"""


@pytest.mark.long
def test_the_example_works_with_these_changes_and_no_others(changed, tmp_path):
    code = USE.format(folder=changed, root=ROOT, support=ROOT / "tests" / "support")
    assert run_in_blender(code, tmp_path).splitlines()[-1] == "used"


def test_without_the_first_change_it_does_not(changed, tmp_path):
    """The test can fail: the same use of the extension as it is."""
    code = USE.format(folder=ROOT, root=ROOT, support=ROOT / "tests" / "support").replace(
        "assert mannequin", "0 and mannequin"
    )
    with pytest.raises(AssertionError, match="KeyError: 'play'"):
        run_in_blender(code, tmp_path)
