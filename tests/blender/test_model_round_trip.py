"""Models become Blender objects and come back: exactly when untouched, with the new value when changed."""

import math

import numpy as np
import pytest
from authoring import full_model, typed
from openmbd_files import FILES


def build(blender, model, scale=1.0):
    from mannequin.scene.model.build import build_actor

    scene = blender.context.scene
    scene.unit_settings.scale_length = scale
    return build_actor(model, scene), scene


def read(actor, scene):
    from mannequin.scene.model.read import read_model

    return read_model(actor)


@pytest.mark.parametrize("scale", [1.0, 0.01, 0.001])
@pytest.mark.parametrize("seed", range(3))
def test_every_field_comes_back_exactly(blender, seed, scale):
    model = full_model(seed)
    actor, scene = build(blender, model, scale)
    assert typed(read(actor, scene)) == typed(model)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("scale", [1.0, 0.001])
def test_untouched_import_writes_the_same_bytes(blender, path, scale):
    from mannequin.io_json.model_json import dumps, read_model

    model = read_model(path)
    expected = dumps(model)
    actor, scene = build(blender, model, scale)
    assert dumps(read(actor, scene)) == expected


def test_second_actor_of_the_same_model_is_the_same_model(blender):
    model = full_model()
    build(blender, model)
    second, scene = build(blender, model)
    assert second.name == "full.001"
    assert typed(read(second, scene)) == typed(model)


def test_updating_changes_nothing(blender):
    from mannequin.scene.model.build import update_actor

    model = full_model()
    actor, scene = build(blender, model)
    names = sorted(obj.name for obj in scene.objects)
    update_actor(actor, read(actor, scene), scene)
    assert sorted(obj.name for obj in scene.objects) == names
    assert typed(read(actor, scene)) == typed(model)


def test_bones_stand_at_joint_centres_and_turn_about_them(blender):
    """Independent check of the rest geometry: world places by the format's own formula."""
    model = full_model()
    actor, scene = build(blender, model)
    places = {None: np.identity(4)}
    todo = list(model.joints)
    while todo:
        joint = todo.pop(0)
        if joint.parent not in places:
            todo.append(joint)
            continue
        places[joint.child] = places[joint.parent] @ np.array(joint.T1) @ np.linalg.inv(np.array(joint.T2))
        centre = (places[joint.parent] @ np.array(joint.T1))[:3, 3]
        bone = actor.data.bones[joint.child]
        assert np.array(bone.head_local) == pytest.approx(centre, abs=1e-6)
        assert (bone.parent.name if bone.parent else None) == joint.parent
    blender.context.view_layer.update()
    for body in model.bodies:
        for ellipsoid in body.ellipsoids:
            seen = scene.objects[ellipsoid.name]
            expected = places[body.name] @ np.append(ellipsoid.position, 1.0)
            assert np.array(seen.matrix_world.translation) == pytest.approx(expected[:3], abs=1e-6)
            assert tuple(seen.dimensions) == pytest.approx([2 * a for a in ellipsoid.semi_axes], rel=1e-6)


def test_changed_numbers_are_taken_and_others_stay(blender):
    model = full_model()
    actor, scene = build(blender, model)
    group = actor.data.bones["thigh"].mannequin
    group.mass = 12.35
    group.joint.limits.upper[1] = math.radians(44.5)
    group.joint.use_motor = False
    scene.objects["thigh_part_0"].mannequin.ellipsoid.force_curve[1].y = 1234.5
    actor.data.mannequin.springs[0].stiffness = 77.7
    found = read(actor, scene)
    thigh = next(b for b in model.bodies if b.name == "thigh")
    hip = next(j for j in model.joints if j.name == "hip")
    thigh.mass = 12.35
    hip.limits.upper = (30, 44.5, 50.123456789)
    hip.motor = None
    curve = list(thigh.ellipsoids[0].force_curve)
    curve[1] = (curve[1][0], 1234.5)
    thigh.ellipsoids[0].force_curve = tuple(curve)
    model.springs[0].stiffness = 77.7
    assert typed(found) == typed(model)


def test_moved_turned_and_scaled_ellipsoid(blender):
    """Moved in world axes, read in body axes."""
    from mathutils import Quaternion, Vector

    model = full_model()
    actor, scene = build(blender, model)
    obj = scene.objects["trunk_part_0"]
    before = read(actor, scene)
    obj.location += Vector((0.1, 0.0, 0.0))
    obj.scale.y *= 2.0
    after = read(actor, scene)
    root = next(j for j in model.joints if j.parent is None)
    frame = np.array(root.T1) @ np.linalg.inv(np.array(root.T2))
    was, now = (next(b for b in m.bodies if b.name == "trunk").ellipsoids[0] for m in (before, after))
    expected = np.array(was.position) + frame[:3, :3].T @ (0.1, 0.0, 0.0)
    assert now.position == pytest.approx(expected, abs=2e-6)
    assert now.semi_axes == pytest.approx((was.semi_axes[0], 0.2, 1), rel=1e-6)
    assert now.orientation == was.orientation
    obj.rotation_quaternion = Quaternion((0, 0, 1), math.radians(30)) @ obj.rotation_quaternion
    turned = next(b for b in read(actor, scene).bodies if b.name == "trunk").ellipsoids[0]
    turn = np.array([[0.75**0.5, -0.5, 0], [0.5, 0.75**0.5, 0], [0, 0, 1]])
    expected = frame[:3, :3].T @ turn @ frame[:3, :3] @ np.array(was.orientation)
    assert np.array(turned.orientation) == pytest.approx(expected, abs=2e-6)
    others = [b for b in after.bodies if b.name != "trunk"]
    assert typed(others) == typed([b for b in before.bodies if b.name != "trunk"])


@pytest.mark.parametrize("handle", ["empty", "bone"])
def test_moved_joint_leaves_the_bodies_in_place(blender, handle):
    from mathutils import Vector

    from mannequin.scene.model.build import edit_bones, update_actor

    model = full_model()
    actor, scene = build(blender, model)
    shift = Vector((0.05, -0.02, 0.01))
    before = {obj.name: obj.matrix_world.copy() for obj in scene.objects if obj.mannequin.kind == "ELLIPSOID"}
    if handle == "empty":
        scene.objects["hip"].location += shift
    else:
        with edit_bones(actor) as bones:
            bones["thigh"].head += shift
            bones["thigh"].tail += shift
    changed = read(actor, scene)
    update_actor(actor, changed, scene)
    assert np.array(actor.data.bones["thigh"].head_local) == pytest.approx(
        np.array(scene.objects["hip"].location), abs=1e-6
    )
    for name, matrix in before.items():
        assert np.array(scene.objects[name].matrix_world) == pytest.approx(np.array(matrix), abs=3e-6)
    hip, was = (next(j for j in m.joints if j.name == "hip") for m in (changed, model))
    moved = np.linalg.norm(np.array(hip.T1)[:3, 3] - np.array(was.T1)[:3, 3])
    assert moved == pytest.approx(shift.length, abs=2e-6)
    assert np.linalg.norm(np.array(hip.T2)[:3, 3] - np.array(was.T2)[:3, 3]) == pytest.approx(
        shift.length, abs=2e-6
    )


def test_changed_parent(blender):
    from mannequin.models.editing.rest_layout import lay_out
    from mannequin.scene.model.build import edit_bones

    model = full_model()
    actor, scene = build(blender, model)
    with edit_bones(actor) as bones:
        bones["foot"].parent = bones["thigh"]
    found = read(actor, scene)
    ankle = next(j for j in found.joints if j.name == "ankle")
    assert ankle.parent == "thigh"
    assert lay_out(found)["foot"].frame == pytest.approx(lay_out(model)["foot"].frame, abs=3e-6)


def test_renamed_body_is_renamed_everywhere(blender):
    model = full_model()
    actor, scene = build(blender, model)
    actor.data.bones["trunk"].name = "torso"
    scene.objects["hip"].name = "hip joint"
    scene.objects["thigh_part_1"].name = "quadriceps"
    found = read(actor, scene)
    assert "torso" in [b.name for b in found.bodies]
    assert next(j for j in found.joints if j.name == "hip joint").parent == "torso"
    assert found.contact_exclude == [("torso", "shank")]
    assert found.springs[0].start.body == "torso"
    assert found.couplers[0].leader == "hip joint"
    assert [e.name for b in found.bodies if b.name == "thigh" for e in b.ellipsoids] == [
        "thigh_part_0", "quadriceps", "thigh_part_2",
    ]  # fmt: skip


def test_applied_scale_is_understood_and_applied_rotation_refused(blender):
    from mannequin.scene.base.errors import SceneError

    model = full_model()
    actor, scene = build(blender, model)
    obj = scene.objects["trunk_part_0"]
    size = tuple(obj.scale)
    obj.data = obj.data.copy()
    for vertex in obj.data.vertices:
        vertex.co = [c * s for c, s in zip(vertex.co, size, strict=True)]
    obj.scale = (1, 1, 1)
    found = next(b for b in read(actor, scene).bodies if b.name == "trunk").ellipsoids[0]
    assert found.semi_axes == pytest.approx(size, rel=1e-6)
    from mathutils import Euler

    turn = Euler((0.4, 0.5, 0.6)).to_matrix()
    for vertex in obj.data.vertices:
        vertex.co = turn @ vertex.co
    with pytest.raises(SceneError, match="trunk_part_0.*Reset Ellipsoid Mesh"):
        read(actor, scene)


def test_mirrored_ellipsoid_has_positive_size_and_a_proper_orientation(blender):
    model = full_model()
    actor, scene = build(blender, model)
    obj = scene.objects["trunk_part_0"]
    obj.scale.x *= -1
    found = next(b for b in read(actor, scene).bodies if b.name == "trunk").ellipsoids[0]
    assert min(found.semi_axes) > 0
    assert np.linalg.det(np.array(found.orientation)) == pytest.approx(1.0, abs=1e-6)
    shape = lambda e: np.array(e.orientation) @ np.diag(np.square(e.semi_axes)) @ np.array(e.orientation).T  # noqa: E731
    was = next(b for b in model.bodies if b.name == "trunk").ellipsoids[0]
    assert shape(found) == pytest.approx(shape(was), abs=1e-5)


def test_scaled_actor_is_refused(blender):
    from mannequin.scene.base.errors import SceneError

    actor, scene = build(blender, full_model())
    actor.scale = (2, 2, 2)
    blender.context.view_layer.update()
    with pytest.raises(SceneError, match="full.*scale"):
        read(actor, scene)


def test_shift_d_of_an_ellipsoid_is_a_second_ellipsoid(blender):
    model = full_model()
    actor, scene = build(blender, model)
    copy = scene.objects["trunk_part_0"].copy()
    scene.collection.objects.link(copy)
    found = next(b for b in read(actor, scene).bodies if b.name == "trunk").ellipsoids
    assert [e.name for e in found] == ["trunk_part_0", "trunk_part_0.001"]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda m: m.joints.append(m.joints[0]), "is the child of two joints"),
        (lambda m: setattr(m.joints[1], "parent", "foot"), "loop"),
        (lambda m: setattr(m.joints[0], "parent", "nobody"), "nobody"),
        (lambda m: m.bodies.append(m.bodies[0]), "two bodies of one name"),
        (lambda m: setattr(m.joints[0], "type", "slider"), "'slider' is no joint type"),
        (lambda m: setattr(m.materials[0], "law", "magic"), "'magic' is no law"),
    ],
)
def test_models_that_are_no_tree_are_refused_and_leave_nothing(blender, spoil, message):
    from mannequin.engine.errors import UserError

    model = full_model()
    spoil(model)
    with pytest.raises(UserError, match=message):
        build(blender, model)
    assert not blender.data.armatures and not blender.data.objects
