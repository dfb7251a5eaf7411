"""People in Blender: the picture on the joints, volume and cloth at bent joints, operators, properties, files."""

import dataclasses
import math

import numpy as np
import pytest

from mannequin.models.people.base_mesh import is_available

pytestmark = [
    pytest.mark.blender,
    pytest.mark.skipif(
        not is_available(), reason="the data of people is not packed: run tools/pack_people.py"
    ),
]

WOMAN = {"sex": 0.0, "age": 71.0, "height": 1.63, "mass": 58.0}
MAN = {"sex": 1.0, "age": 35.0, "height": 1.82, "mass": 95.0}
BENDS = {
    "elbow": ("ForearmL", (0.0, 1.0, 0.0), -110.0),
    "knee": ("ShankL", (0.0, 1.0, 0.0), 110.0),
    "shoulder": ("UpperArmL", (1.0, 0.0, 0.0), 110.0),
    "hip": ("ThighL", (0.0, 1.0, 0.0), -110.0),
}
"""Bone, axis of the actor, and degrees: forearm and thigh forward, shank back, upper arm to the side."""


def add(blender, name="Anna", **properties):
    """A new person by the operator."""
    assert blender.ops.mannequin.add_person(name=name, **properties) == {"FINISHED"}
    return blender.data.objects[name]


def skin_of(actor):
    from mannequin.scene.rig.skins import skins_of

    return skins_of(actor)[0]


def rig_of(actor):
    from mannequin.scene.rig.skins import skin_rigs_of

    return skin_rigs_of(actor)[0]


def turn(actor, bone, axis, degrees):
    """Pose a bone: a turn about an axis of the actor at rest."""
    from mathutils import Quaternion

    pose_bone = actor.pose.bones[bone]
    pose_bone.rotation_mode = "QUATERNION"
    rest = pose_bone.bone.matrix_local.to_quaternion()
    pose_bone.rotation_quaternion = rest.inverted() @ Quaternion(axis, math.radians(degrees)) @ rest


def seen(blender, obj):
    """(n, 3) vertices of an object in the world as they are seen, and the evaluated mesh's faces."""
    blender.context.view_layer.update()
    evaluated = obj.evaluated_get(blender.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    matrix = np.array(evaluated.matrix_world)
    faces = [tuple(polygon.vertices) for polygon in mesh.polygons]
    evaluated.to_mesh_clear()
    return points.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3], faces


def joints_off(blender, actor):
    """Largest distance (m) of a head of the picture's rig from the joint of its body."""
    from mannequin.scene.people.rig import JOINT_BONES

    blender.context.view_layer.update()
    graph = blender.context.evaluated_depsgraph_get()
    rig, body_rig = rig_of(actor).evaluated_get(graph), actor.evaluated_get(graph)
    return max(
        (
            rig.matrix_world @ rig.pose.bones[bone].head
            - body_rig.matrix_world @ body_rig.pose.bones[body].head
        ).length
        for body, bone in JOINT_BONES.items()
    )


def closed_volume(points, faces):
    """Volume (m3) of a closed mesh of faces with any number of corners."""
    triangles = np.array([(face[0], *two) for face in faces for two in zip(face[1:], face[2:], strict=False)])
    a, b, c = np.moveaxis(points[triangles], 1, 0)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


@pytest.mark.parametrize("who", [WOMAN, {"sex": 1.0, "age": 6.0, "height": 1.17, "mass": 21.5}])
def test_bones_begin_on_the_joints_at_rest_and_in_any_pose(blender, who):
    actor = add(blender, **who)
    assert joints_off(blender, actor) < 1e-4
    for bone, axis, degrees in BENDS.values():
        turn(actor, bone, axis, degrees)
    turn(actor, "LowerBack", (0.0, 1.0, 0.0), 25.0)
    turn(actor, "Neck", (1.0, 0.0, 0.0), 15.0)
    actor.location, actor.rotation_euler = (3.0, -2.0, 0.5), (0.4, 0.2, 1.0)
    assert joints_off(blender, actor) < 1e-4


def test_picture_and_model_have_the_stature_that_was_asked_for(blender):
    actor = add(blender, upper="none", lower="none", feet="bare", hair="none", **WOMAN)
    points, _ = seen(blender, skin_of(actor))
    assert np.ptp(points[:, 2]) == pytest.approx(1.63, abs=0.004)
    assert actor.data.mannequin.height == pytest.approx(1.63, abs=1e-6)


@pytest.mark.parametrize("joint", BENDS)
def test_the_body_keeps_its_volume_where_a_joint_is_bent_by_110_degrees(blender, joint):
    from mannequin.models.people.look.template import load_template
    from mannequin.models.people.shape import solve
    from mannequin.scene.people.change import person_of

    actor = add(blender, upper="none", lower="none", feet="bare", hair="none", **MAN)
    skin = skin_of(actor)
    skin.modifiers["Mannequin Press Flat"].show_viewport = False
    count = len(load_template().faces["body"])
    bone, axis, degrees = BENDS[joint]
    turn(actor, bone, axis, degrees)
    bent, faces = seen(blender, skin)
    whole = solve(person_of(actor))
    assert closed_volume(bent, faces[:count]) == pytest.approx(whole.mass / whole.density, rel=0.03)


OUTFITS = (
    ("jumper", "trousers", "shoes"),
    ("t_shirt", "shorts", "shoes"),
    ("shirt", "skirt", "shoes"),
    ("jacket", "trousers", "shoes"),
    ("dress", "none", "shoes"),
)
"""Every garment at least once."""


@pytest.mark.parametrize("outfit", OUTFITS, ids="-".join)
def test_no_skin_comes_through_cloth_at_bent_joints(blender, outfit):
    """All four joints, each bent by itself: of the skin under cloth none stands out of it by 1.5 mm."""
    upper, lower, feet = outfit
    actor = add(blender, upper=upper, lower=lower, feet=feet, **MAN)
    skin = skin_of(actor)
    own, cloth = skin_and_cloth(blender, skin)
    covered = covered_skin(np.array([vertex.co[:] for vertex in skin.data.vertices]), own, cloth)
    assert len(covered) > 100
    found = {}
    for joint, (bone, axis, degrees) in BENDS.items():
        turn(actor, bone, axis, degrees)
        now = under_cloth(seen(blender, skin)[0], own, cloth, covered)
        found[joint] = round(1000.0 * max(now.values()), 2)
        turn(actor, bone, axis, 0.0)
    assert max(found.values()) < 1.5, found


CLOTH = ("Upper", "Lower", "Shoes", "Inner")


def skin_and_cloth(blender, skin):
    """Faces of the bare skin, and those of cloth."""
    _, faces = seen(blender, skin)
    finish = np.empty(len(skin.data.polygons), dtype=np.int32)
    skin.data.polygons.foreach_get("material_index", finish)
    names = [slot.name.split()[1] for slot in skin.data.materials]
    cloth = [faces[k] for k in np.flatnonzero(np.isin(finish, [names.index(n) for n in names if n in CLOTH]))]
    return [faces[k] for k in np.flatnonzero(finish == names.index("Skin"))], cloth


def covered_skin(points, own, cloth):
    """Vertices of the skin that lie under cloth, and not at its border, in the mesh's own pose."""
    before = under_cloth(points, own, cloth, sorted({i for face in own for i in face}))
    beside = {i for face in own if any(before[i] != 0.0 for i in face) for i in face}
    return [i for i, distance in before.items() if distance == 0.0 and i not in beside]


def under_cloth(points, own, cloth, wanted):
    """The wanted vertices of the skin to 0 where they are covered, else to how far (m) they stand out of the nearest
    cloth; negative on its inner side and where there is no cloth below, as in an opening.

    Skin is covered where a ray along its normal meets cloth within 40 mm; what came through has cloth as near below.
    """
    from mathutils import Vector
    from mathutils.bvhtree import BVHTree

    tree = BVHTree.FromPolygons([Vector(p) for p in points], cloth)
    a, b, c = np.moveaxis(points[[face[:3] for face in own]], 1, 0)
    normals = np.zeros(points.shape)
    sizes = [len(face) for face in own]
    np.add.at(normals, [i for face in own for i in face], np.repeat(np.cross(b - a, c - a), sizes, axis=0))
    found = {}
    for i in wanted:
        out = Vector(normals[i] / max(np.linalg.norm(normals[i]), 1e-12))
        hit = tree.ray_cast(Vector(points[i]) - 0.001 * out, out, 0.04)[0]
        if hit is not None:
            found[i] = 0.0
            continue
        nearest, outward, _, distance = tree.find_nearest(Vector(points[i]))
        below = tree.ray_cast(Vector(points[i]) + 0.001 * out, -out, 0.04)[0]
        is_out = below is not None and (Vector(points[i]) - nearest).dot(outward) > 0.0
        found[i] = distance if is_out else -distance
    return found


def test_standing_and_lying_people_are_flat_on_the_ground(blender):
    actor = add(blender, **WOMAN)
    skin = skin_of(actor)
    points, _ = seen(blender, skin)
    assert points[:, 2].min() > -1e-5
    assert points[:, 2].min() < 0.003
    actor.rotation_euler, actor.location = (0.0, math.radians(-90.0), 0.0), (0.0, 0.0, 0.08)
    lying, _ = seen(blender, skin)
    assert lying[:, 2].min() > -1e-5
    assert (lying[:, 2] < 1e-4).sum() > 50  # the back is pressed flat
    skin.modifiers["Mannequin Press Flat"].show_viewport = False
    sunk, _ = seen(blender, skin)
    assert sunk[:, 2].min() < -0.01


def test_change_keeps_pose_place_start_and_scenario(blender):
    actor = add(blender, upper="shirt", **WOMAN)
    turn(actor, "ForearmR", (0.0, 1.0, 0.0), -60.0)
    actor.location.x = 2.5
    blender.ops.mannequin.set_velocity(velocity=(1.0, 2.0, 3.0))
    velocity = tuple(actor.mannequin.actor.velocity)
    posed = actor.pose.bones["ForearmR"].rotation_quaternion.copy()
    assert blender.ops.mannequin.change_person(upper="shirt", **MAN) == {"FINISHED"}
    assert actor.pose.bones["ForearmR"].rotation_quaternion.rotation_difference(posed).angle < 1e-4
    assert actor.location.x == 2.5
    assert tuple(actor.mannequin.actor.velocity) == velocity
    assert actor.data.mannequin.person.height == pytest.approx(1.82)
    assert joints_off(blender, actor) < 1e-4


def test_a_person_changed_twice_equals_one_made_at_once(blender):
    actor = add(blender, **WOMAN)
    blender.ops.mannequin.change_person(**MAN)
    blender.ops.mannequin.change_person(**WOMAN)
    again, _ = seen(blender, skin_of(actor))
    other = add(blender, name="Berta", **WOMAN)
    once, _ = seen(blender, skin_of(other))
    assert np.abs(again - once).max() < 1e-5


def test_properties_round_trip_through_a_file(blender, tmp_path):
    actor = add(blender, upper="jacket", hair="long", skin_tone="V", upper_color=(0.1, 0.2, 0.3), **WOMAN)
    before, _ = seen(blender, skin_of(actor))
    blender.ops.wm.save_as_mainfile(filepath=str(tmp_path / "people.blend"))
    blender.ops.wm.open_mainfile(filepath=str(tmp_path / "people.blend"))
    from mannequin.scene.people.change import person_of

    actor = blender.data.objects["Anna"]
    person, look = person_of(actor), actor.data.mannequin.look
    assert (person.sex, person.age, person.height, person.mass) == (0.0, 71.0, 1.63, 58.0)
    assert (look.upper, look.hair, look.skin_tone) == ("jacket", "long", "V")
    assert tuple(look.upper_color) == pytest.approx((0.1, 0.2, 0.3))
    after, _ = seen(blender, skin_of(actor))
    assert np.array_equal(before, after)


def test_a_changed_look_shows_at_once_and_court_is_one_switch(blender):
    actor = add(blender, **WOMAN)
    look, skin = actor.data.mannequin.look, skin_of(actor)
    faces = len(skin.data.polygons)
    look.lower = "skirt"
    assert len(skin.data.polygons) != faces
    look.court = True
    assert {slot.name.rsplit(" ", 1)[0] for slot in skin.data.materials} == {"Mannequin Court"}
    look.court = False
    assert any(slot.name.startswith("Mannequin Skin") for slot in skin.data.materials)


def test_names_of_a_look_are_those_of_the_wardrobe(blender):
    from mannequin.models.people.look import head, wardrobe
    from mannequin.scene.people import materials
    from mannequin.scene.store.person import MannequinLook

    def names(prop):
        return set(MannequinLook.bl_rna.properties[prop].enum_items.keys())

    assert names("upper") == set(wardrobe.UPPERS)
    assert names("lower") == set(wardrobe.LOWERS)
    assert names("feet") == set(wardrobe.FEET)
    assert names("hair") - {"none"} == set(head.STYLES)
    assert names("skin_tone") == set(materials.SKIN_TONES)


def test_brows_go_with_the_hair_and_are_grey_brown_where_it_is_white(blender):
    """Neutral grey brows looked turquoise between red skin and blue sky: those of white hair are warm, not colourful,
    and darker than the hair; those of dark hair have its colour."""
    from mannequin.scene.people.materials import brow_color

    for hair in ((0.5, 0.49, 0.47), (0.85, 0.85, 0.85), (0.40, 0.42, 0.45)):
        red, green, blue = brow_color(hair)
        assert red > green > blue, hair
        assert 1.0 - blue / red < 0.45, hair
        assert 0.3 < sum((red, green, blue)) / sum(hair) < 0.75, hair
    dark = (0.012, 0.009, 0.008)
    assert brow_color(dark) == pytest.approx(dark)
    blond = (0.32, 0.2, 0.085)
    assert all(brow < hair for brow, hair in zip(brow_color(blond)[:2], blond, strict=False))


def test_materials_of_an_earlier_version_stay_with_those_who_wear_them(blender):
    """Their nodes want an attribute that new meshes have not: hair would be transparent."""
    from mannequin.scene.people.materials import RECIPE, finish_material

    made = finish_material("hair", (0.05, 0.03, 0.018))
    name = made.name
    assert finish_material("hair", (0.05, 0.03, 0.018)) == made
    del made[RECIPE]
    other = finish_material("hair", (0.05, 0.03, 0.018))
    assert other != made and other.name == name
    assert made.name in blender.data.materials and finish_material("hair", (0.05, 0.03, 0.018)) == other


def test_hair_is_opaque_and_wants_no_attribute_that_its_mesh_has_not(blender):
    """Edges cut by transparency were a saw-tooth line, and Workbench does not show them at all."""
    actor = add(blender, hair="long", **WOMAN)
    skin = skin_of(actor)
    for material in skin.data.materials:
        if material.name.split()[1] not in ("Hair", "Brow", "Skin"):
            continue
        shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        assert not shader.inputs["Alpha"].is_linked and shader.inputs["Alpha"].default_value == 1.0
        wanted = {node.attribute_name for node in material.node_tree.nodes if node.type == "ATTRIBUTE"}
        assert wanted <= set(skin.data.attributes.keys()) and wanted


@pytest.mark.long
def test_every_outfit_can_be_worn(blender):
    actor = add(blender, **WOMAN)
    look, skin = actor.data.mannequin.look, skin_of(actor)
    look.helmet = look.glasses = look.rucksack = True
    for prop in ("upper", "lower", "feet", "hair"):
        for name in look.bl_rna.properties[prop].enum_items.keys():
            setattr(look, prop, name)
            points, faces = seen(blender, skin)
            assert np.isfinite(points).all()
            assert np.abs(points).max() < 2.0
            assert len(points) == 1 + max(max(face) for face in faces)


def test_fingers_toes_and_face_can_be_posed_by_hand(blender):
    actor = add(blender, feet="bare", **WOMAN)
    rig, skin = rig_of(actor), skin_of(actor)
    before, _ = seen(blender, skin)
    for name in ("finger2-2.L", "toe1-1.R", "jaw", "orbicularis03.L"):
        bone = rig.pose.bones[name]
        bone.rotation_mode = "XYZ"
        bone.rotation_euler = (math.radians(25.0), 0.0, 0.0)
        after, _ = seen(blender, skin)
        moved = np.linalg.norm(after - before, axis=1)
        assert 0.002 < moved.max() < 0.08, name
        assert (moved > 1e-5).mean() < 0.2, name
        bone.rotation_euler = (0.0, 0.0, 0.0) if not name.startswith("finger") else bone.rotation_euler
        before = after if name.startswith("finger") else seen(blender, skin)[0]


def test_a_copy_has_a_picture_of_its_own(blender):
    actor = add(blender, **WOMAN)
    blender.ops.mannequin.duplicate_actor()
    copy = blender.context.object
    assert copy != actor
    copy.location.x += 3.0
    turn(copy, "ForearmL", (0.0, 1.0, 0.0), -90.0)
    assert joints_off(blender, copy) < 1e-4
    assert joints_off(blender, actor) < 1e-4
    assert seen(blender, skin_of(copy))[0][:, 0].min() > 2.0
    blender.ops.mannequin.delete_actor()
    assert joints_off(blender, actor) < 1e-4


def test_baked_motion_moves_the_picture_without_the_extension(blender):
    """The actor's keyframes and Blender's own constraints do it: no handler, no driver, no property of ours."""
    actor = add(blender, **WOMAN)
    turn(actor, "ForearmL", (0.0, 1.0, 0.0), 0.0)
    bone = actor.pose.bones["ForearmL"]
    bone.keyframe_insert("rotation_quaternion", frame=1)
    turn(actor, "ForearmL", (0.0, 1.0, 0.0), -90.0)
    bone.keyframe_insert("rotation_quaternion", frame=10)
    scene = blender.context.scene
    scene.frame_set(1)
    first, _ = seen(blender, skin_of(actor))
    scene.frame_set(10)
    last, _ = seen(blender, skin_of(actor))
    assert np.linalg.norm(last - first, axis=1).max() > 0.2
    rig = rig_of(actor)
    assert rig.animation_data is None
    assert {c.type for b in rig.pose.bones for c in b.constraints} == {"ARMATURE"}


def test_without_the_data_the_button_says_what_to_do(blender, monkeypatch):
    from mannequin.models.people import base_mesh
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.people import change

    monkeypatch.setattr(base_mesh, "FILE", base_mesh.FILE.with_name("nothing.npz"))
    assert not blender.ops.mannequin.add_person.poll()
    with pytest.raises(SceneError, match="make setup"):
        change.built(change.person_with(None, **WOMAN))


def test_what_nobody_is_gets_one_message(blender):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.people import change

    with pytest.raises(SceneError, match="mass"):
        change.built(change.person_with(None, sex=0.0, age=40.0, height=1.7, mass=1000.0))


def test_the_preview_shows_the_shape_and_goes_away(blender):
    from mannequin.scene.people import preview
    from mannequin.scene.people.change import person_with

    actor = add(blender, **WOMAN)
    look, scene = actor.data.mannequin.look, blender.context.scene
    shown = preview.show_preview(person_with(None, **MAN), look, scene, actor)
    assert np.ptp(seen(blender, shown)[0][:, 2]) == pytest.approx(1.82, abs=0.03)
    assert skin_of(actor).hide_get()
    taller = preview.show_preview(person_with(None, **(MAN | {"height": 2.0})), look, scene, actor)
    assert taller == shown
    assert np.ptp(seen(blender, shown)[0][:, 2]) == pytest.approx(2.0, abs=0.03)
    preview.end_preview(actor)
    assert preview.NAME not in blender.data.objects
    assert not skin_of(actor).hide_get()


@pytest.mark.long
def test_presets_can_be_made_and_name_their_source(blender):
    from mannequin.models.people.shape import solve
    from mannequin.scene.people.presets import PRESETS

    for name, preset in PRESETS.items():
        shape = solve(preset.person)
        assert shape.height == pytest.approx(preset.person.height, abs=1e-3), name
        assert len(preset.source) > 20


def test_presets_have_thumbnails_to_one_scale(blender, tmp_path):
    """Drawn one by one; the taller the person, the higher the picture, in proportion."""
    from mannequin.scene.model.library_pictures import PREVIEWS, SIZE
    from mannequin.scene.people import preset_pictures
    from mannequin.scene.people.presets import PRESETS

    store = PREVIEWS["people"]
    first = next(iter(PRESETS))
    assert preset_pictures.preset_icon(first) == 0
    assert preset_pictures.draw_next() is not None and tuple(store[first].image_size) == (SIZE, SIZE)
    store.clear()
    high = {}
    for name in ("hybrid_3", "army_man_95"):
        rows = np.flatnonzero((preset_pictures.thumbnail(name)[..., 3] > 0.5).any(axis=1))
        high[name] = np.ptp(rows) + 1
    wanted = PRESETS["hybrid_3"].person.height / PRESETS["army_man_95"].person.height
    assert high["hybrid_3"] / high["army_man_95"] == pytest.approx(wanted, abs=0.03)


@pytest.mark.long
def test_what_is_worn_counts_in_the_model_and_shows(blender):
    from mannequin.scene.model.read import read_model

    actor = add(blender, helmet=True, rucksack=True, **WOMAN)
    bodies = {body.name: body.mass for body in read_model(actor).bodies}
    assert bodies["Helmet"] == pytest.approx(0.3) and bodies["Rucksack"] == pytest.approx(5.0)
    assert sum(bodies.values()) == pytest.approx(58.0 + 5.3, abs=0.01)
    assert "Helmet" in {slot.name.split()[1] for slot in skin_of(actor).data.materials}
    blender.context.view_layer.objects.active = actor
    assert blender.ops.mannequin.change_person(rucksack=True, **MAN) == {"FINISHED"}
    bodies = {body.name: body.mass for body in read_model(actor).bodies}
    assert "Helmet" not in bodies and bodies["Rucksack"] == pytest.approx(5.0)
    assert joints_off(blender, actor) < 1e-4


def test_a_person_can_be_made_to_walk(blender):
    """Let Walk: pose, rates and carried root of a gait; read back, the actor is what the gait alone makes of it."""
    from mannequin.engine.spec import Gait
    from mannequin.models.people.gait import walking
    from mannequin.scene.scenario.actor_start import read_actor

    blender.ops.mannequin.add_actor(model="male")
    actor = blender.context.view_layer.objects.active
    actor.location.x = 1.5
    gait = actor.mannequin.actor.gait
    gait.speed, gait.phase, gait.heading = 1.2, 0.6, 0.0
    assert blender.ops.mannequin.let_walk() == {"FINISHED"}
    spec = read_actor(actor, "male", blender.context.scene)
    assert spec.gait == Gait(speed=pytest.approx(1.2), phase=pytest.approx(0.6), heading=0.0)
    alone = walking(dataclasses.replace(spec, joint_angles={}, motors={}, prescribed=[], joint_velocities={}))
    assert spec.position == pytest.approx((1.5, 0.0, alone.position[2]), abs=1e-4)
    assert spec.velocity[0] == pytest.approx(1.2, rel=0.02)
    assert spec.prescribed and len(spec.motors) == len(alone.motors)
    for joint, angles in alone.joint_angles.items():
        assert spec.joint_angles[joint] == pytest.approx(angles, abs=0.01), joint


@pytest.mark.parametrize("name", ["male_legs", "female", "child_3"])
def test_people_of_the_library_are_shown_as_somebody_of_their_size(blender, name):
    """Joints of picture and actor coincide, it stands on the ground, is as tall, and lies near the ellipsoids."""
    from scipy.spatial import cKDTree

    from mannequin.models.library import load_model
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.people.change import skin_for
    from mannequin.scene.people.rig import JOINT_BONES
    from mannequin.scene.rig.skins import skin_rigs_of

    scene, model = blender.context.scene, load_model(name)
    actor = build_actor(model, scene)
    skin = skin_for(actor, scene)
    blender.context.view_layer.update()
    depsgraph = blender.context.evaluated_depsgraph_get()
    rig = skin_rigs_of(actor)[0].evaluated_get(depsgraph)
    for body, bone in JOINT_BONES.items():
        if body != "pelvis":
            assert (rig.pose.bones[bone].head - actor.pose.bones[body].head).length < 1e-4, body
    points = np.array([vertex.co for vertex in skin.evaluated_get(depsgraph).data.vertices])
    assert points[:, 2].min() == pytest.approx(0.0, abs=0.002)
    assert points[:, 2].max() == pytest.approx(model.height, abs=0.035)  # hair included
    cloud = [
        np.array([child.matrix_world @ vertex.co for vertex in child.data.vertices])
        for child in actor.children
        if child.mannequin.kind == "ELLIPSOID"
    ]
    distance, _ = cKDTree(np.concatenate(cloud)).query(points)
    assert np.percentile(distance, 95) < 0.04


def test_people_of_the_library_are_persons_that_can_be_changed(blender):
    """Muscles stay, as strong as the new person's; a model that is scaled is no longer the person."""
    from mannequin.models.people.shipped import PEOPLE
    from mannequin.scene.model.read import read_model
    from mannequin.scene.scenario.actor_start import read_person

    ops = blender.ops.mannequin
    assert ops.add_actor(model="female_muscles") == {"FINISHED"}
    actor = blender.context.view_layer.objects.active
    assert read_person(actor) == PEOPLE["female"]
    before = read_model(actor)
    assert ops.change_person(sex=0.0, age=80.0, height=1.55, mass=50.0) == {"FINISHED"}
    after = read_model(actor)
    assert read_person(actor).age == 80.0 and sum(body.mass for body in after.bodies) == pytest.approx(
        50.0, abs=0.01
    )
    assert [muscle.name for muscle in after.muscles] == [muscle.name for muscle in before.muscles]
    for new, old in zip(after.muscles, before.muscles, strict=True):
        assert 0.0 < new.max_isometric_force < old.max_isometric_force
    assert ops.scale_actor(height=1.6, mass=60.0) == {"FINISHED"}
    assert read_person(actor) is None


def test_dummies_and_others_are_no_people():
    """A dummy looks like one, and what has not the bodies of a person gets a surface of its ellipsoids."""
    from mannequin.models.library import load_model
    from mannequin.models.people.stand_in import stand_in

    for name in ("hybrid3_50th", "ambrosio", "bicycle"):
        assert stand_in(load_model(name)) is None, name
    child = stand_in(load_model("child_6"))
    assert 4.5 < child.age < 7.0 and child.height == load_model("child_6").height
