"""The tutorial "Your first fall" with real clicks, keys and drags: from a new file to a frame of film, reopened."""

import json
from pathlib import Path

import bpy
import drive
from bpy_extras.view3d_utils import location_3d_to_region_2d
from drive import SEEN, expect, press, shot, until, xdotool
from mathutils import Vector
from scene_state import actors, choose_bone, clear_scene, differ, look, playing, pose_of, snapshot, the_actor

UNDONE = {"undo": 0, "redo": 0}
"""How often Blender has undone and redone."""


def tell() -> drive.Story:
    """All of it, in the order of the tutorial."""
    clear_scene()
    bpy.ops.ed.undo_push(message="empty scene")
    yield from open_tab()
    yield from add_man()
    yield from pose()
    yield from give_velocity()
    yield from cancel_a_run()
    yield from finish_a_run()
    yield from scrub()
    yield from undo_and_redo()
    yield from results()
    yield from film()
    yield from save_and_reopen()
    yield from drop_files()


def open_tab() -> drive.Story:
    """Press N, then click down the strip of tabs until ours is open."""
    _, area = drive.viewport()
    expect(not area.spaces.active.show_region_ui, "the sidebar is open in a new file")
    yield from press("n")
    yield from until(lambda: drive.viewport()[1].spaces.active.show_region_ui, "the sidebar")
    yield from drive.redrawn()
    region = drive.region_of(area, "UI")
    for y in range(region.height - 20, 0, -30):
        if region.active_panel_category == "Mannequin":
            break
        yield from xdotool("mousemove", *drive.on_screen(region, region.width - 10, y), "click", 1)
        yield from drive.redrawn()
    expect(region.active_panel_category == "Mannequin", "no click reaches the tab")
    yield from shot("fall_1_empty")


def add_man() -> drive.Story:
    """Click Add Actor, type a name, press Enter."""
    yield from drive.click_button("mannequin.add_actor")
    yield from drive.redrawn()
    yield from xdotool("type", "--delay", 60, "male")
    yield from drive.redrawn()
    yield from xdotool("key", "Return")
    yield from until(lambda: bool(actors()), "the man")
    expect(the_actor().data.mannequin.name == "male", f"this is {the_actor().data.mannequin.name}")
    look()
    yield from shot("fall_2_man")


def pose() -> drive.Story:
    """Turn a thigh in Pose Mode, and stand him on the ground again."""
    yield from press("ctrl+Tab")
    yield from until(lambda: the_actor().mode == "POSE", "Pose Mode")
    choose_bone(the_actor(), "ThighL")
    before = pose_of(the_actor())
    yield from press("r", "x", "x")
    yield from xdotool("type", "--delay", 60, "--", "-25")
    yield from xdotool("key", "Return")
    yield from until(lambda: differ(pose_of(the_actor()), before) > 0.1, "the thigh to turn")
    yield from shot("fall_3_pose")
    yield from press("ctrl+Tab")
    yield from until(lambda: the_actor().mode == "OBJECT", "Object Mode")
    yield from drive.click_button("mannequin.place_on_ground")
    yield from until(lambda: differ(pose_of(the_actor()), before) > 0.1, "the man to be placed")


def give_velocity() -> drive.Story:
    """Give him a velocity by numbers, then drag the arrow's tip to a larger one."""
    with drive.in_window():
        bpy.ops.view3d.view_axis(type="FRONT")
    look()
    the_actor().mannequin.actor.velocity = (1.0, 0.0, 0.0)
    yield from drive.redrawn()
    begin, end = tip_on_screen(Vector((1.0, 0.0, 0.0))), tip_on_screen(Vector((1.5, 0.0, 0.0)))
    yield from drive.drag(begin, end)
    yield from until(
        lambda: abs(the_actor().mannequin.actor.velocity[0] - 1.5) < 0.1, "the drag to give 1.5 m/s"
    )
    SEEN["velocity after the drag"] = [round(v, 3) for v in the_actor().mannequin.actor.velocity]
    yield from shot("fall_4_velocity")


def tip_on_screen(velocity: Vector) -> tuple[int, int]:
    """Pixel of the screen at which the arrow of a velocity ends: a tenth of a second from the root bone's head."""
    actor = the_actor()
    root = next(bone for bone in actor.pose.bones if bone.parent is None)
    origin = actor.matrix_world @ root.head
    _, area = drive.viewport()
    region = drive.region_of(area, "WINDOW")
    place = location_3d_to_region_2d(region, area.spaces.active.region_3d, origin + 0.1 * velocity)
    return drive.on_screen(region, place.x, place.y)


def activity() -> str:
    """What the panel says is going on."""
    return bpy.context.scene.mannequin.runs.activity


def cancel_a_run() -> drive.Story:
    """Start a long run, watch its progress, press Esc in the middle: everything is as it was."""
    settings = bpy.context.scene.mannequin.settings
    settings.duration = 120.0  # so long that Esc comes in the middle of it
    before = snapshot()
    yield from drive.click_button("mannequin.simulate")
    begun = until(lambda: "Simulating" in activity(), "the simulation", drive.PATIENCE_COMPILING)
    yield from drive.watched("the engine is loaded, or compiled the first time", begun)
    runs = bpy.context.scene.mannequin.runs
    seen = runs.progress
    yield from until(lambda: runs.progress > seen, "progress")
    yield from until(lambda: differ(pose_of(the_actor()), before["pose"]) > 0.05, "the viewport to follow")
    look(from_the_side=True)
    yield from shot("fall_5_simulating")
    yield from press("Escape")
    yield from until(lambda: activity() == "", "Esc to end the simulation")
    after = snapshot()
    for key, value in before.items():
        expect(after[key] == value, f"Esc left another {key}: {value} is now {after[key]}")


def finish_a_run() -> drive.Story:
    """Run to the end: the motion is baked, the run folder is written."""
    bpy.context.scene.mannequin.settings.duration = 2.0
    bpy.context.scene.mannequin.runs.folder = "/tmp/runs"
    yield from drive.click_button("mannequin.simulate")
    yield from until(lambda: playing(the_actor()) is not None, "the baked motion", drive.PATIENCE_COMPILING)
    yield from until(lambda: activity() == "", "the simulation to end")
    results = bpy.context.scene.mannequin.results
    expect(results.status == "completed", results.status)
    expect(list(Path("/tmp/runs").glob("*/manifest.json")), "no run folder was written")


def scrub() -> drive.Story:
    """Drag in the timeline: the frame changes and the man moves with it."""
    scene = bpy.context.scene
    with drive.in_window():
        bpy.ops.view3d.view_axis(type="FRONT")
    look()
    first = pose_of(the_actor())
    area = next(a for a in drive.viewport()[0].screen.areas if a.type == "DOPESHEET_EDITOR")
    region = drive.region_of(area, "WINDOW")
    y = region.height - 10  # the scale at its top takes drags
    begin, end = (drive.on_screen(region, share * region.width, y) for share in (0.1, 0.2))
    yield from drive.drag(begin, end)
    yield from until(lambda: scene.frame_current > scene.frame_start, "the frame to change")
    moved = differ(pose_of(the_actor()), first)
    SEEN["frame after scrubbing"] = scene.frame_current
    expect(moved > 0.05, f"the man moved by {moved} only")
    scene.frame_set(scene.frame_end)
    look(from_the_side=True)
    yield from shot("fall_6_fallen")


def undo_and_redo() -> drive.Story:
    """Undo until the man is gone, then redo until the baked motion is back."""
    bpy.app.handlers.undo_post.append(count_undo)
    bpy.app.handlers.redo_post.append(count_redo)
    end = pose_of(the_actor())
    undone = yield from repeat("undo", "ctrl+z", lambda: not actors())
    expect(not actors(), "undo does not lead back to the empty scene")
    redone = yield from repeat(
        "redo", "ctrl+shift+z", lambda: bool(actors()) and playing(the_actor()) is not None
    )
    expect(playing(the_actor()) is not None, "redo does not bring the motion back")
    SEEN["steps undone, redone"] = f"{undone}, {redone}"
    bpy.context.scene.frame_set(bpy.context.scene.frame_end)
    expect(differ(pose_of(the_actor()), end) < 1e-5, "redo brought another motion")


def repeat(word: str, key: str, done: object) -> drive.Story:
    """Press a key until something is so, or until nothing happens any more; returns how often it did something."""
    count = 0
    while not done() and count < 60:
        before = UNDONE[word]
        yield from press(key)
        if not (yield from drive.soon(lambda was=before: UNDONE[word] > was, 5.0)):
            break
        count += 1
    return count


@bpy.app.handlers.persistent
def count_undo(*_: object) -> None:
    """Handler."""
    UNDONE["undo"] += 1


@bpy.app.handlers.persistent
def count_redo(*_: object) -> None:
    """Handler."""
    UNDONE["redo"] += 1


def results() -> drive.Story:
    """Look at the results and jump to a contact."""
    shown = bpy.context.scene.mannequin.results
    expect(len(shown.measures) > 3 and len(shown.contacts) > 3, "the panel has no results")
    yield from drive.turn_wheel("down", 200)
    with drive.in_window():
        bpy.ops.mannequin.jump_to_contact(index=len(shown.contacts) // 2)
    yield from shot("fall_7_results")


def film() -> drive.Story:
    """Set up the film and render one frame."""
    scene = bpy.context.scene
    yield from drive.click_button("mannequin.setup_render")
    yield from until(lambda: scene.camera is not None, "the cameras")
    scene.render.filepath = ""
    scene.render.resolution_x, scene.render.resolution_y = 960, 540
    done: list[bool] = []
    bpy.app.handlers.render_complete.append(lambda *_: done.append(True))
    before = len(bpy.context.window_manager.windows)
    with (
        drive.in_window()
    ):  # what F12 calls; an X server without a screen may send that key together with Alt
        bpy.ops.render.render("INVOKE_DEFAULT", use_viewport=True)
    yield from until(lambda: bool(done), "the picture", 300.0)
    bpy.app.handlers.render_complete.clear()
    picture = drive.OUT / "fall_8_frame.png"
    bpy.data.images["Render Result"].save_render(str(picture))
    expect(picture.stat().st_size > 20000, "the picture is empty")
    for window in list(bpy.context.window_manager.windows)[before:]:
        with bpy.context.temp_override(window=window):
            bpy.ops.wm.window_close()
    yield from drive.redrawn()


def save_and_reopen() -> drive.Story:
    """Save, change and save again with Ctrl S, open the file: everything is there."""
    path = Path("/tmp/fall.blend")
    scene = bpy.context.scene
    scene.frame_set(scene.frame_end)
    before = snapshot() | {"playing": playing(the_actor()).name}
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    saved = path.stat().st_mtime_ns
    scene.mannequin.description = "changed after saving"
    yield from press("ctrl+s")
    yield from until(lambda: path.stat().st_mtime_ns != saved and not bpy.data.is_dirty, "Ctrl S to save")
    with drive.in_window():
        bpy.ops.wm.open_mainfile(filepath=str(path))
    yield from drive.redrawn()
    after = snapshot() | {"playing": playing(the_actor()).name}
    for key, value in before.items():
        expect(after[key] == value, f"reopened, there is another {key}")
    expect(bpy.context.scene.mannequin.description == "changed after saving", "Ctrl S did not save")


def drop_files() -> drive.Story:
    """Drop a model and then a scenario on the viewport; a file that is not ours changes nothing."""
    scenario, model, other = (Path(f"/tmp/dropped_{name}.json") for name in ("scenario", "model", "other"))
    with drive.in_window():
        bpy.ops.mannequin.export_scenario(filepath=str(scenario))
        bpy.ops.mannequin.export_model(filepath=str(model))
    other.write_text(json.dumps({"recipe": "soup"}))
    yield from drop(model)
    yield from until(lambda: len(actors()) == 2, "the dropped model")
    yield from drop(scenario)
    yield from until(lambda: len(actors()) == 1, "the dropped scenario")
    yield from shot("dropped")
    names = sorted(obj.name for obj in bpy.data.objects)
    yield from drop(other)
    yield from drive.redrawn()
    expect(sorted(obj.name for obj in bpy.data.objects) == names, "a strange file changed the scene")
    yield from shot("refused-file")


def drop(file: Path) -> drive.Story:
    """Drop a file on the viewport, as a file manager does."""
    _, area = drive.viewport()
    region = drive.region_of(area, "WINDOW")
    x, y = drive.on_screen(region, region.width // 3, region.height // 2)
    yield from xdotool("mousemove", x, y)
    yield from drive.finished(["/usr/bin/python3", "/gui/tests/drop_file.py", str(x), str(y), str(file)])
