"""The example files are built, open again, and play without the extension."""

import subprocess
import sys
from pathlib import Path

import pytest
from blender_process import run_in_blender

ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools" / "build_examples.py"

OPEN_WITHOUT_EXTENSION = """
import bpy
bpy.ops.wm.open_mainfile(filepath={file!r})
scene = bpy.context.scene
assert not hasattr(scene, "mannequin")
assert scene.camera is not None
moving = [o for o in bpy.data.objects if o.type == "ARMATURE" and o.animation_data and o.animation_data.action]
def places():
    return {{o.name: [tuple(b.matrix.translation) for b in o.pose.bones] for o in moving}}
scene.frame_set(scene.frame_start)
first = places()
scene.frame_set(scene.frame_end)
last = places()
for name in first:
    assert max(abs(a - b) for p, q in zip(first[name], last[name]) for a, b in zip(p, q)) > 0.05, name
print("actors", sorted(first))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name, actors", [("fall", 1), ("pedestrian", 2)])
def test_example_opens_and_plays(name, actors, tmp_path):
    command = [sys.executable, str(TOOL), "--out", str(tmp_path / "out"), "--duration", "0.3", name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    file = tmp_path / "out" / f"{name}.blend"
    assert [p.name for p in (tmp_path / "out").iterdir() if p.suffix.startswith(".blend")] == [file.name]
    assert list((tmp_path / "out" / "runs").glob("*/manifest.json"))
    reported = run_in_blender(OPEN_WITHOUT_EXTENSION.format(file=str(file)), tmp_path)
    assert reported.split("actors ")[1].count("'") == 2 * actors


def test_unknown_example_is_refused(tmp_path):
    done = subprocess.run([sys.executable, str(TOOL), "moon"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and "fall, pedestrian" in done.stderr
