"""The Blender that `lost_blender` kills: simulates two minutes, and tells its process and when that works."""

import bpy
import drive
from drive import in_window, until
from lost_blender import TOLD
from lost_worker import process
from scene_state import add_man


def tell() -> drive.Story:
    """Begin a long run and go on until killed."""
    runs = bpy.context.scene.mannequin.runs
    runs.folder = "/tmp/runs"
    add_man()
    bpy.context.scene.mannequin.settings.duration = 120.0
    with in_window():
        bpy.ops.mannequin.simulate("INVOKE_DEFAULT")
    yield from until(lambda: process() != 0, "the simulation process")
    say("process", process())
    yield from until(lambda: "Simulating" in runs.activity, "its work", drive.PATIENCE_COMPILING)
    say("working", process())
    yield from until(lambda: runs.activity == "", "the end of two minutes", drive.PATIENCE_COMPILING)


def say(word: str, number: int) -> None:
    """Tell the Blender that looks on."""
    with open(TOLD, "a") as file:
        file.write(f"{word} {number}\n")


if __name__ == "__main__":
    drive.start(tell())
