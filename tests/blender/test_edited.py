"""Every way of moving a baked actor is seen, with what and which frames; animation before the run is marked."""

import pytest

from mannequin.analysis.files.run_folder import write_run
from mannequin.engine.runs.simulation import run
from mannequin.io_json.scenario_json import read_scenario
from mannequin.models.scenarios.library import scenario_path

FRAMES = 7


@pytest.fixture(scope="module")
def fall():
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration = 0.25
    return scenario, run(scenario)


@pytest.fixture
def scene(blender, fall):
    """A baked fall, frames 1 to 7."""
    from mannequin.scene.motion.bake import Provenance, bake
    from mannequin.scene.scenario.scenario import build_scenario

    scenario, recording = fall
    scene = blender.context.scene
    build_scenario(scenario, scene)
    bake(recording, scene, Provenance("fall_1", "1", "x"), fit_timeline=True)
    assert (scene.frame_start, scene.frame_end) == (1, FRAMES)
    return scene


@pytest.fixture
def actor(scene):
    from mannequin.scene.store.actors import actors_of

    return actors_of(scene)[0]


def tip(actor):
    """A bone of the actor that carries no other."""
    return next(bone for bone in actor.pose.bones if not bone.children)


def curve(actor, path, index=0):
    from mannequin.scene.base.blender_version import fcurves_of

    return next(
        c
        for c in fcurves_of(actor.animation_data.action)
        if c.data_path.endswith(path) and c.array_index == index
    )


def moving_curve(actor):
    """That of the root which changes most."""
    root = next(bone for bone in actor.pose.bones if bone.parent is None)
    path = f'["{root.name}"].location'
    return max((curve(actor, path, k) for k in range(3)), key=lambda c: abs(c.evaluate(7) - c.evaluate(1)))


def carry(bpy, scene, actor):
    """A parent that moves, with the actor left where it is at first."""
    empty = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(empty)
    for frame, x in ((1, 0.0), (7, 3.0)):
        empty.location.x = x
        empty.keyframe_insert("location", frame=frame)
    scene.frame_set(1)
    actor.parent = empty


def constrain(actor, owner):
    made = owner.constraints.new("LIMIT_LOCATION")
    made.use_min_z, made.min_z = True, 5.0


def drive(actor):
    driver = actor.driver_add("location", 0).driver
    driver.expression = "3.0"


def strip(actor):
    bpy = __import__("bpy")
    from mannequin.scene.base.blender_version import new_action, new_fcurve

    action, curves = new_action("strip", actor)
    made = new_fcurve(curves, "location", 0, "")
    made.keyframe_points.insert(1, 3.0)
    track = actor.animation_data.nla_tracks.new()
    added = track.strips.new("by hand", 1, action)
    if hasattr(added, "action_slot") and added.action_slot is None and action.slots:
        added.action_slot = action.slots[0]
    added.blend_type = "ADD"
    added.frame_end = 7
    bpy.context.view_layer.update()


def hide(actor):
    from mannequin.scene.store.actors import parts_of

    body, parts = next(iter(parts_of(actor, "ELLIPSOID").items()))
    for part in parts:
        part.hide_render = True


def push_part(actor):
    from mannequin.scene.store.actors import parts_of

    next(iter(parts_of(actor, "ELLIPSOID").values()))[0].location.x += 0.2


def modify_part(actor):
    from mannequin.scene.store.actors import parts_of

    next(iter(parts_of(actor, "ELLIPSOID").values()))[0].modifiers.new("Twist", "SIMPLE_DEFORM")


def lengthen_bone(bpy, actor):
    """Move the rest of a foot, which turns in its joint from the start of a fall: where a bone that does not turn is
    moved at rest, its body stays where it was."""
    bpy.context.view_layer.objects.active = actor
    bpy.ops.object.mode_set(mode="EDIT")
    actor.data.edit_bones["FootL"].head.z += 0.1
    actor.data.edit_bones["FootL"].tail.z += 0.1
    bpy.ops.object.mode_set(mode="OBJECT")


def key_point(actor):
    curve(actor, ".location").keyframe_points[3].co.y += 0.4


WAYS = {
    "location": (lambda b, s, a: setattr(a.location, "x", a.location.x + 3.0), "location", True),
    "delta location": (lambda b, s, a: setattr(a.delta_location, "x", 3.0), "delta location", True),
    "rotation": (lambda b, s, a: setattr(a.rotation_euler, "z", a.rotation_euler.z + 0.3), "rotation", True),
    "delta rotation": (lambda b, s, a: setattr(a.delta_rotation_euler, "z", 0.3), "delta rotation", True),
    "scale": (lambda b, s, a: setattr(a, "scale", (1.1, 1.1, 1.1)), "scale", True),
    "delta scale": (lambda b, s, a: setattr(a, "delta_scale", (1.1, 1.1, 1.1)), "delta scale", True),
    "parent": (carry, "parent", True),
    "constraint": (lambda b, s, a: constrain(a, a), "constraint of the object", True),
    "bone constraint": (
        lambda b, s, a: constrain(a, tip(a)),
        "constraint of a bone",
        True,
    ),
    "driver": (lambda b, s, a: drive(a), "driver", True),
    "strip": (lambda b, s, a: strip(a), "NLA strip", True),
    "influence": (
        lambda b, s, a: (strip(a), setattr(a.animation_data, "action_influence", 0.5)),
        "influence of the action",
        True,
    ),
    "muted curve": (lambda b, s, a: setattr(moving_curve(a), "mute", True), "keyframes", True),
    "curve modifier": (lambda b, s, a: curve(a, ".location").modifiers.new("NOISE"), "keyframes", True),
    "keyframe": (lambda b, s, a: key_point(a), "keyframes", True),
    "rest pose": (lambda b, s, a: setattr(a.data, "pose_position", "REST"), "bones shown at rest", True),
    "edited bone": (lambda b, s, a: lengthen_bone(b, a), "bones at rest", True),
    "part": (lambda b, s, a: push_part(a), "part of a body", False),
    "modifier": (lambda b, s, a: modify_part(a), "modifier", False),
    "hidden body": (lambda b, s, a: hide(a), "hidden body", False),
    "frame rate": (lambda b, s, a: setattr(s.render, "fps", 12), "frame rate", False),
    "time remapping": (lambda b, s, a: setattr(s.render, "frame_map_new", 200), "time remapping", False),
}


def test_an_untouched_motion_is_clean(blender, scene):
    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.motion.edited import edits_of

    scene.frame_set(4)
    assert edits_of(scene) == [] and scene.frame_current == 4
    assert caption_of(scene).flag == "" and caption_of(scene).animated == ()


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_moving_a_baked_actor_is_seen(blender, scene, actor, way):
    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.motion.edited import edits_of, seems_edited

    change, name, _ = WAYS[way]
    change(blender, scene, actor)
    blender.context.view_layer.update()
    found = [edit for edit in edits_of(scene) if edit.what.startswith(name)]
    assert len(found) == 1 and found[0].actor == actor.name and found[0].frames, edits_of(scene)
    first, last = found[0].frames[0][0], found[0].frames[-1][1]
    assert 1 <= first <= last <= FRAMES
    if way == "keyframe":
        assert found[0].frames == ((4, 4),)
    if way == "location":
        assert found[0].frames == ((1, FRAMES),) and found[0].text == f"{actor.name}: frames 1 to 7: location"
    assert name in caption_of(scene).flag and "frame" in caption_of(scene).flag
    from mannequin.scene.motion import edited

    edited._verdicts.clear()
    assert seems_edited(actor, scene), "the panel says so too"


def push_down(actor, start=None, scale=1.0):
    """What the button Push Down of the NLA editor does: the action becomes a strip of a track of its own."""
    data = actor.animation_data
    action, slot = data.action, getattr(data, "action_slot", None)
    data.action = None
    pushed = data.nla_tracks.new().strips.new(action.name, int(action.frame_range[0]), action)
    if slot is not None:
        pushed.action_slot = slot
    pushed.scale = scale
    if start is not None:
        pushed.frame_start_ui = start
    return pushed


@pytest.mark.parametrize(("start", "scale"), [(None, 1.0), (11.0, 1.0), (11.0, 2.0)])
def test_a_motion_in_a_strip_keeps_overlay_and_results(blender, scene, actor, fall, start, scale):
    """Pushed down, moved and stretched: the clock is that of the bodies where Blender shows them."""
    import numpy as np

    from mannequin.scene.base.units import units_of
    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.motion.bake import playing_action
    from mannequin.scene.motion.edited import PLACES, edits_of, shown_points
    from mannequin.scene.rig.pose import kept_start
    from mannequin.scene.show.results import jump_to_contact

    action = playing_action(actor)
    places = np.array(action[PLACES], dtype=float).reshape(FRAMES, -1, 2, 3)
    before = kept_start(actor)
    push_down(actor, start, scale)
    first = 1.0 if start is None else start
    scene.frame_end = int(first + scale * (FRAMES - 1))
    assert playing_action(actor) == action and edits_of(scene) == []
    assert kept_start(actor) == before
    caption = caption_of(scene)
    assert caption.flag == "" and caption.speeds[0][1] == pytest.approx(scale)
    (early, zero), (late, end) = caption.times[0], caption.times[-1]
    assert (early, late) == pytest.approx((first, first + scale * (FRAMES - 1)))
    assert (zero, end) == pytest.approx((0.0, (FRAMES - 1) / 24.0))
    scene.frame_set(round(late))
    seen = shown_points(actor, units_of(scene), blender.context.evaluated_depsgraph_get())
    assert np.abs(seen - places[-1]).max() < 1e-4, "the last body is there at the time the clock shows"
    contact = scene.mannequin.results.contacts.add()
    contact.peak_time = 3.0 / 24.0
    jump_to_contact(scene, 0)
    assert scene.frame_current_final == pytest.approx(first + 3.0 * scale)


def test_a_strip_that_changes_the_motion_is_seen(blender, scene, actor):
    from mannequin.scene.motion.edited import edits_of

    pushed = push_down(actor)
    pushed.use_reverse = True
    assert any(edit.what.startswith("NLA strip") and edit.frames for edit in edits_of(scene))


def test_what_no_fact_foresees_is_seen_by_where_bodies_are(blender, scene, actor):
    """A change while frames are set: no property of the actor is other than it was."""
    from mannequin.scene.motion.edited import edits_of

    def shift(scene, depsgraph):
        bone = blender.data.objects[actor.name].pose.bones[tip(actor).name]
        bone.scale = (1.5, 1.5, 1.5) if scene.frame_current == 4 else (1.0, 1.0, 1.0)

    blender.app.handlers.frame_change_post.append(shift)
    try:
        found = edits_of(scene)
    finally:
        blender.app.handlers.frame_change_post.remove(shift)
    assert [(edit.what, edit.frames) for edit in found] == [("moved by something else", ((4, 4),))]


def test_animation_before_the_simulated_part_is_marked(blender, scene, actor):
    """A walk that leads up to the fall: keyframes before the first simulated one are named, the rest is clean."""
    from mannequin.scene.base.blender_version import fcurves_of
    from mannequin.scene.film.caption import caption_of
    from mannequin.scene.film.overlay import add_overlay
    from mannequin.scene.motion.edited import edits_of

    curve(actor, ".location").keyframe_points.insert(-20, -1.0)
    (edit,) = edits_of(scene)
    assert edit.is_animation and edit.frames == ((-20, 0),)
    assert edit.text == f"{actor.name}: frames -20 to 0: animated, not simulated"
    caption = caption_of(scene)
    assert caption.flag == "" and caption.animated == ((-20, 0),)
    assert caption.times[0] == (1.0, 0.0), "the clock still begins with the simulated part"
    tree = add_overlay(scene, caption).modifiers[0].node_group
    keyed = next(c for c in fcurves_of(tree.animation_data.action) if '"animated"' in c.data_path)
    assert [keyed.evaluate(frame) for frame in (-21, -20, 0, 1, 7)] == [0.0, 1.0, 1.0, 0.0, 0.0]


@pytest.mark.long
def test_the_report_says_what_was_edited(blender, scene, actor, fall, tmp_path, no_curves):
    from datetime import UTC, datetime

    from mannequin.analysis.files.run_folder import read_run
    from mannequin.analysis.pages.report import build_report
    from mannequin.scene.run.report import keep_shown

    scenario, recording = fall
    now = datetime.now(UTC)
    folder = write_run(scenario, recording, tmp_path, started=now, ended=now)
    keep_shown(scene, read_run(folder))
    assert "as it was simulated" in build_report(read_run(folder))
    actor.delta_location.x = 3.0
    curve(actor, ".location").keyframe_points.insert(-20, -1.0)
    keep_shown(scene, read_run(folder))
    text = build_report(read_run(folder))
    assert "frames 1 to 7: delta location" in text and "frames -20 to 0: animated, not simulated" in text
