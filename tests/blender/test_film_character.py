"""Somebody's own character on an actor: any size, place, facing and pose of the arms; it follows; nothing is lost."""

import math

import numpy as np
import pytest

from mannequin.models.library import load_model

NEAR = 0.02
"""Metres that vertices of a bound character may lie off where they are on the actor's own skin."""


def turned_about_z(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


Y_UP = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""From x forward, z up to z forward, y up."""


@pytest.fixture
def actor(blender):
    from mannequin.scene.model.build import build_actor

    return build_actor(load_model("male"), blender.context.scene, "man")


def make_character(blender, arms, scale, turn, shift, name="Hero"):
    """A character mesh with its arms spread, made of the male surface; and its vertices at the actor's rest."""
    from mannequin.models.editing.rest_layout import lay_out
    from mannequin.scene.show.skin import joined_surface, points_at_rest, spread_frames, surface_weights

    model = load_model("male")
    places = lay_out(model)
    spread = spread_frames(places, arms, math.radians(8.0))
    points, faces = joined_surface(model, places, spread, blender.context.scene)
    names, weights = surface_weights(points, places, spread)
    mesh = blender.data.meshes.new(name)
    mesh.from_pydata((scale * points @ turn.T + shift).tolist(), [], faces)
    obj = blender.data.objects.new(name, mesh)
    blender.context.scene.collection.objects.link(obj)
    return obj, points_at_rest(points, names, weights, spread)


def seen_points(blender, obj):
    """(n, 3) vertices as seen, in the world."""
    seen = obj.evaluated_get(blender.context.evaluated_depsgraph_get())
    matrix = np.array(seen.matrix_world)
    return np.array([v.co for v in seen.data.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]


@pytest.mark.long
@pytest.mark.parametrize(
    "arms, scale, turn, shift",
    [
        (45.0, 1.0, np.identity(3), (0.0, 0.0, 0.0)),
        (90.0, 100.0, turned_about_z(2.1), (300.0, -80.0, 12.0)),
        (60.0, 0.02, turned_about_z(-1.6), (1.0, 1.0, 1.0)),
        (75.0, 1.3, Y_UP, (0.0, 5.0, 0.0)),
    ],
)
def test_a_character_is_aligned_whatever_its_size_place_and_facing(blender, actor, arms, scale, turn, shift):
    from mannequin.scene.rig.skins import skins_of
    from mannequin.scene.show.character import bind_character

    obj, rest = make_character(blender, math.radians(arms), scale, turn, np.array(shift))
    before = np.array([v.co for v in obj.data.vertices])
    copies, stand = bind_character(actor, [obj], blender.context.scene)
    blender.context.view_layer.update()
    assert stand.scale == pytest.approx(1.0 / scale, rel=0.02)
    assert math.degrees(stand.arms) == pytest.approx(arms)
    assert stand.turn @ turn == pytest.approx(np.identity(3), abs=0.12)
    off = np.linalg.norm(seen_points(blender, copies[0]) - rest, axis=1)
    assert np.percentile(off, 99) < 3.0 * NEAR and off.mean() < NEAR
    assert skins_of(actor) == copies
    assert np.array_equal(before, np.array([v.co for v in obj.data.vertices])), "the original is as it was"
    assert obj.hide_render and obj.hide_get()


def test_the_character_follows_its_actor(blender, actor):
    from mannequin.scene.show.character import bind_character

    obj, _ = make_character(blender, math.radians(60.0), 1.0, np.identity(3), np.zeros(3))
    (copy,), _ = bind_character(actor, [obj], blender.context.scene)
    actor.location = (1.0, 2.0, 3.0)
    blender.context.view_layer.update()
    before = seen_points(blender, copy)
    actor.pose.bones["ForearmL"].rotation_mode = "XYZ"
    actor.pose.bones["ForearmL"].rotation_euler = (1.2, 0.0, 0.0)
    blender.context.view_layer.update()
    moved = np.linalg.norm(seen_points(blender, copy) - before, axis=1) > 0.01
    on_the_left = before[:, 1] > 2.0
    assert 0.02 < moved.mean() < 0.3 and not moved[~on_the_left].any()
    hand = copy.vertex_groups["HandL"].index
    in_hand = [any(g.group == hand and g.weight > 0.99 for g in v.groups) for v in copy.data.vertices]
    assert moved[np.array(in_hand)].all()


def test_bones_by_name_tell_how_a_character_stands(blender, actor):
    """A box tells nothing of its facing, its armature does."""
    from mannequin.scene.show.character import own_axes

    data = blender.data.armatures.new("rig")
    rig = blender.data.objects.new("rig", data)
    blender.context.scene.collection.objects.link(rig)
    blender.context.view_layer.objects.active = rig
    blender.ops.object.mode_set(mode="EDIT")
    turn = turned_about_z(0.7)
    for name, place in {
        "Hips": (0.0, 0.0, 0.9),
        "Head": (0.02, 0.0, 1.6),
        "arm.L": (0.0, 0.2, 1.4),
        "arm.R": (0.0, -0.2, 1.4),
        "LeftFoot": (0.1, 0.1, 0.0),
        "RightFoot": (0.1, -0.1, 0.0),
    }.items():
        bone = data.edit_bones.new(name)
        bone.head = turn @ np.array(place)
        bone.tail = bone.head + bone.head.__class__((0.0, 0.0, 0.1))
    blender.ops.object.mode_set(mode="OBJECT")
    mesh = blender.data.objects.new("box", blender.data.meshes.new("box"))
    mesh.modifiers.new("Armature", "ARMATURE").object = rig
    axes = own_axes([mesh])
    assert axes @ turn == pytest.approx(np.identity(3), abs=1e-5)
    rig.data.bones["arm.L"].name = rig.data.bones["arm.R"].name = "arm"
    for bone in list(rig.data.bones):
        bone.name = "bone"
    assert own_axes([mesh]) is None


def test_own_armature_and_groups_stay_with_the_original(blender, actor):
    from mannequin.scene.rig.skins import remove_skin
    from mannequin.scene.show.character import bind_character

    obj, _ = make_character(blender, math.radians(45.0), 1.0, np.identity(3), np.zeros(3))
    obj.vertex_groups.new(name="mine")
    obj.modifiers.new("Own", "ARMATURE").object = blender.data.objects.new(
        "rig", blender.data.armatures.new("rig")
    )
    obj.modifiers.new("Subdivision", "SUBSURF")
    (copy,), _ = bind_character(actor, [obj], blender.context.scene)
    assert [m.type for m in copy.modifiers] == ["ARMATURE", "SUBSURF"]
    assert copy.modifiers[0].object == actor and "mine" not in copy.vertex_groups
    assert [m.name for m in obj.modifiers] == ["Own", "Subdivision"] and "mine" in obj.vertex_groups
    remove_skin(actor)
    assert not obj.hide_render and not obj.hide_get()
    assert not any(child.get("mannequin_skin") for child in actor.children)


@pytest.mark.parametrize("fault, words", [("mirror", "Mirror"), ("keys", "shape keys"), ("empty", "surface")])
def test_what_cannot_be_bound_is_refused_in_words(blender, actor, fault, words):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.show.character import bind_character

    obj, _ = make_character(blender, math.radians(45.0), 1.0, np.identity(3), np.zeros(3))
    if fault == "mirror":
        obj.modifiers.new("Mirror", "MIRROR")
    elif fault == "keys":
        obj.shape_key_add(name="Basis")
    else:
        obj = blender.data.objects.new("none", blender.data.meshes.new("none"))
        blender.context.scene.collection.objects.link(obj)
    with pytest.raises(SceneError, match=words):
        bind_character(actor, [obj], blender.context.scene)
    assert not any(child.get("mannequin_skin") for child in actor.children)


def test_the_operator_tells_what_to_select(blender, actor):
    ops = blender.ops.mannequin
    assert not ops.bind_character.poll()
    obj, _ = make_character(blender, math.radians(45.0), 2.0, np.identity(3), np.zeros(3))
    obj.select_set(True)
    blender.context.view_layer.objects.active = actor
    assert ops.bind_character() == {"FINISHED"}
    assert blender.data.objects["Hero on man"].parent == actor


@pytest.mark.parametrize("unit, longer", [(1.0, 1.0), (0.01, 1.2), (0.001, 0.85)])
def test_a_vehicle_keeps_its_own_size_and_stays_upright(blender, unit, longer):
    """A mesh modelled in metres, centimetres or millimetres, longer or shorter than the actor it is bound to."""
    from mannequin.models.editing.rest_layout import lay_out
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.show.character import bind_character
    from mannequin.scene.show.skin import joined_surface, spread_frames

    scene, model = blender.context.scene, load_model("car")
    car = build_actor(model, scene, "car")
    places = lay_out(model)
    points, faces = joined_surface(model, places, spread_frames(places), scene)
    shape = points * np.array([longer, 1.0, 1.0])
    mesh = blender.data.meshes.new("Scan")
    mesh.from_pydata((shape @ turned_about_z(0.7).T / unit).tolist(), [], faces)
    scan = blender.data.objects.new("Scan", mesh)
    scene.collection.objects.link(scan)
    (copy,), stand = bind_character(car, [scan], scene)
    assert stand.scale == pytest.approx(unit)
    assert stand.turn[2] == pytest.approx([0.0, 0.0, 1.0])
    size = np.ptp(seen_points(blender, copy), axis=0)
    assert size == pytest.approx(np.ptp(shape, axis=0), rel=0.06)
