"""Operators: what they do, what they refuse, and that a model can be built with them alone."""

import inspect
import math
import re
from pathlib import Path

import numpy as np
import pytest
from authoring import full_model, full_scenario, typed

from mannequin.engine import spec


@pytest.fixture
def ops(blender):
    return blender.ops.mannequin


def model_of(blender, actor=None):
    from mannequin.scene.model.read import read_model

    return read_model(actor or blender.context.object)


def build(blender, model=None):
    from mannequin.scene.model.build import build_actor

    actor = build_actor(model or full_model(), blender.context.scene)
    blender.context.view_layer.objects.active = actor
    return actor


def activate(blender, name):
    """Make a bone of the active actor the active one."""
    bones = blender.context.object.data.bones
    bones.active = bones[name]


def test_every_operator_has_an_example_a_description_and_undo(blender):
    import mannequin.registration

    modules = [m for m in mannequin.registration.listed_modules() if ".operators." in m.__name__]
    operators = [
        c
        for m in modules
        for c in mannequin.registration.classes_of(m)
        if issubclass(c, blender.types.Operator)
    ]
    assert len(operators) > 30
    for operator in operators:
        group, name = operator.bl_idname.split(".")
        assert group == "mannequin" and operator.__name__ == f"MANNEQUIN_OT_{name}"
        rna = getattr(blender.ops.mannequin, name).get_rna_type()
        assert rna.description == tooltip(operator)
        assert operator.bl_label == operator.bl_label.strip() and operator.bl_label[0].isupper()
        if ".system_check" in operator.__module__ or not operator.__module__.endswith(AUTHORING):
            continue
        shown = [prop for prop in rna.properties if prop.identifier != "rna_type" and not prop.is_hidden]
        assert not shown or f"bpy.ops.mannequin.{name}(" in inspect.getdoc(operator), operator.bl_idname
        assert operator.bl_options == {"REGISTER", "UNDO"}
        for key, prop in rna.properties.items():
            assert key in ("rna_type", "filter_glob", "check_existing") or prop.description, (
                operator.bl_idname,
                key,
            )


def tooltip(operator):
    """First sentence of an operator's docstring, as Blender writes tooltips: without a full stop."""
    summary = " ".join(inspect.getdoc(operator).split("\n\n")[0].split())
    sentence, stop, rest = (summary + " ").partition(". ")
    assert stop and not rest, f"the docstring of {operator.__name__} must begin with one sentence"
    return sentence


def test_no_operator_writes_its_tooltip_twice():
    for path in (Path(__file__).resolve().parents[2] / "operators").glob("*.py"):
        assert not re.search(r"^ +bl_description\b", path.read_text(), re.MULTILINE), path.name


AUTHORING = (
    "import_export",
    "interchange",
    "actor",
    "body",
    "ellipsoid",
    "joint",
    "lists",
    "scenario",
    "environment",
    "view",
)


def test_export_model_for_openmbd_alone(blender, ops, tmp_path):
    build(blender, spec.Model("m", full_model().bodies, full_model().joints))
    ops.export_model(filepath=str(tmp_path / "plain.json"), extensions=False)
    assert '"mannequin"' not in (tmp_path / "plain.json").read_text()


def test_scenario_files(blender, ops, tmp_path):
    from mannequin.io_json.scenario_json import read_scenario, write_scenario

    first, second = tmp_path / "first.json", tmp_path / "second.json"
    write_scenario(full_scenario(), first)
    ops.import_scenario(filepath=str(first))
    ops.export_scenario(filepath=str(second))
    assert second.read_bytes() == first.read_bytes()
    ops.import_scenario(filepath=str(second))  # in place of the first, not beside it
    assert len([o for o in blender.data.objects if o.mannequin.kind == "ACTOR"]) == 2
    assert len(read_scenario(second).obstacles) == len(
        [o for o in blender.data.objects if o.mannequin.kind == "OBSTACLE"]
    )


def test_dropped_file_is_looked_at(blender, ops, tmp_path):
    from mannequin.io_json.scenario_json import write_scenario

    write_scenario(full_scenario(), tmp_path / "scenario.json")
    ops.import_file(filepath=str(tmp_path / "scenario.json"))
    assert blender.context.scene.mannequin.name == "push"
    (tmp_path / "other.json").write_text('{"hello": "world"}')
    with pytest.raises(RuntimeError, match=r"other\.json"):
        ops.import_file(filepath=str(tmp_path / "other.json"))
    with pytest.raises(RuntimeError, match=r"absent\.json"):
        ops.import_file(filepath=str(tmp_path / "absent.json"))


def test_model_from_nothing_with_operators_only(blender, ops):
    """A pendulum: a post fixed to the ground, a bob on a revolute joint about y, mass properties from its ellipsoid."""
    ops.new_model(name="pendulum", body="post", fixed=True)
    actor = blender.context.object
    ops.add_body(name="bob", parent="post", joint_type="revolute", position=(0, 0, 1))
    ops.set_joint_type(type="revolute", axis=(0, 2, 0))
    ops.add_ellipsoid(name="weight")
    weight = blender.context.object
    weight.location = (0, 0, 0.5)
    weight.scale = (0.1, 0.1, 0.2)
    ops.edit_list(list="force_curve", action="ADD")
    weight.mannequin.ellipsoid.force_curve[-1].y = 20000
    blender.context.view_layer.objects.active = blender.data.objects["bob"]
    ops.delete_ellipsoid()
    activate(blender, "bob")
    ops.compute_mass(source="ELLIPSOIDS", density=1000)
    model = model_of(blender, actor)
    bob = model.bodies[1]
    mass = 4 / 3 * math.pi * 0.1 * 0.1 * 0.2 * 1000
    assert bob.mass == pytest.approx(mass, rel=1e-6)
    assert bob.center_of_mass == pytest.approx((0, 0, -0.5), abs=1e-7)
    assert bob.inertia == pytest.approx(
        (mass * 0.05 / 5, mass * 0.05 / 5, mass * 0.02 / 5, 0, 0, 0), rel=1e-6
    )
    assert bob.ellipsoids[0].force_curve[-1] == (0.06, 20000)
    joint = model.joints[1]
    assert (joint.type, joint.parent, joint.axis) == ("revolute", "post", (0, 1, 0))
    assert np.array(joint.T1)[:3, 3] == pytest.approx((0, 0, 1))
    assert ops.validate() == {"FINISHED"}
    assert [i.message for i in blender.context.scene.mannequin.issues if i.severity == "error"] == []


def activate_actor(blender, name, bone):
    blender.context.view_layer.objects.active = blender.data.objects[name]
    activate(blender, bone)


def test_body_operators(blender, ops):
    build(blender)
    activate(blender, "thigh")
    ops.duplicate_body(shift=(0, 0.3, 0))
    model = model_of(blender)
    assert [b.name for b in model.bodies][-1] == "thigh.001"
    assert len(model.bodies[-1].ellipsoids) == 3
    joint = model.joints[-1]
    assert (joint.parent, joint.child, joint.type) == ("trunk", "thigh.001", "spherical")
    from mannequin.models.editing.rest_layout import lay_out

    places = lay_out(model)
    moved = places["thigh.001"].frame[:3, 3] - places["thigh"].frame[:3, 3]
    assert moved == pytest.approx((0, 0.3, 0), abs=1e-6)
    ops.rename_body(name="other")
    with pytest.raises(RuntimeError, match="'trunk' already"):
        ops.rename_body(name="trunk")
    ops.change_parent(parent="foot")
    after = model_of(blender)
    assert after.joints[-1].parent == "foot"
    assert lay_out(after)["other"].frame == pytest.approx(places["thigh.001"].frame, abs=3e-6)
    activate(blender, "trunk")
    with pytest.raises(RuntimeError, match="choose another parent"):
        ops.change_parent(parent="foot")
    activate(blender, "other")
    ops.delete_body()
    assert typed(model_of(blender)) == typed(full_model())


def test_deleting_a_body_in_the_middle_keeps_the_rest_in_place(blender, ops):
    from mannequin.models.editing.rest_layout import lay_out

    actor = build(blender)
    before = lay_out(full_model())
    activate(blender, "shank")
    ops.delete_body()
    model = model_of(blender)
    assert {b.name for b in model.bodies} == {"trunk", "thigh", "foot"}
    assert lay_out(model)["foot"].parent == "thigh"
    assert lay_out(model)["foot"].frame == pytest.approx(before["foot"].frame, abs=3e-6)
    assert model.couplers == [] and model.contact_exclude == []
    assert "shank" not in actor.data.bones and "knee" not in blender.data.objects


def test_joint_operators(blender, ops):
    actor = build(blender)
    activate(blender, "foot")
    ops.set_joint_type(type="spherical")
    assert actor.pose.bones["foot"].rotation_mode == "QUATERNION"
    ops.rename_joint(name="heel")
    assert next(j for j in model_of(blender).joints if j.child == "foot").name == "heel"
    with pytest.raises(RuntimeError, match="'hip' already"):
        ops.rename_joint(name="hip")
    with pytest.raises(RuntimeError, match="only the root"):
        ops.set_joint_type(type="free")
    with pytest.raises(RuntimeError, match="no length"):
        ops.set_joint_type(type="revolute", axis=(0, 0, 0))
    activate(blender, "thigh")
    ops.copy_joint(targets="foot, shank")
    model = model_of(blender)
    joints = {j.child: j for j in model.joints}
    assert joints["foot"].limits == joints["thigh"].limits and joints["foot"].cone == joints["thigh"].cone
    assert joints["shank"].motor == joints["thigh"].motor and joints["shank"].cone is None
    activate(blender, "foot")
    ops.delete_joint()
    assert (joint := next(j for j in model_of(blender).joints if j.child == "foot")).parent is None
    assert joint.type == "free"
    ops.add_joint(parent="shank", type="fixed")
    assert (joint := next(j for j in model_of(blender).joints if j.child == "foot")).parent == "shank"
    from mannequin.models.editing.rest_layout import lay_out

    assert lay_out(model_of(blender))["foot"].frame == pytest.approx(
        lay_out(full_model())["foot"].frame, abs=3e-6
    )
    with pytest.raises(RuntimeError, match="already"):
        ops.add_joint(parent="trunk")


def test_ellipsoid_operators(blender, ops):
    build(blender)
    blender.context.view_layer.objects.active = blender.data.objects["thigh_part_1"]
    ops.duplicate_ellipsoid()
    thigh = next(b for b in model_of(blender, blender.data.objects["full"]).bodies if b.name == "thigh")
    assert [e.name for e in thigh.ellipsoids] == [
        "thigh_part_0",
        "thigh_part_1",
        "thigh_part_2",
        "thigh_part_1.001",
    ]
    ops.rename_ellipsoid(name="hamstring")
    with pytest.raises(RuntimeError, match="already"):
        ops.rename_ellipsoid(name="thigh_part_0")
    ops.apply_curve_preset(preset="head")
    thigh = next(b for b in model_of(blender, blender.data.objects["full"]).bodies if b.name == "thigh")
    assert thigh.ellipsoids[3].name == "hamstring"
    from mannequin.models.parts.materials import body_materials

    head = next(m for m in body_materials() if m.name == "head")
    assert np.array(thigh.ellipsoids[3].force_curve) == pytest.approx(np.array(head.loading), rel=1e-6)
    assert thigh.ellipsoids[3].source == head.source
    obj = blender.context.object
    obj.data = obj.data.copy()
    obj.data.vertices[5].co *= 3
    with pytest.raises(RuntimeError, match="Reset Ellipsoid Mesh"):
        ops.export_model(filepath="/nowhere/x.json")
    ops.reset_ellipsoid_mesh()
    ops.delete_ellipsoid()
    assert typed(model_of(blender, blender.data.objects["full"])) == typed(full_model())


def test_mass_from_a_closed_mesh(blender, ops):
    """A box of 0.2 x 0.4 x 0.6 m turned in the world: closed form m (b^2 + c^2) / 12 in its own axes."""
    ops.new_model(name="thing", body="block")
    actor = blender.context.object
    actor.location = (1, 2, 3)
    blender.ops.mesh.primitive_cube_add(size=1, location=(1, 2, 3.5))
    cube = blender.context.object
    cube.scale = (0.2, 0.4, 0.6)
    cube.rotation_euler = (0, 0, math.pi / 2)
    blender.context.view_layer.objects.active = actor
    activate(blender, "block")
    cube.select_set(True)
    ops.compute_mass(source="MESH", density=500)
    body = model_of(blender).bodies[0]
    mass = 0.2 * 0.4 * 0.6 * 500
    assert body.mass == pytest.approx(mass, rel=1e-5)
    assert body.center_of_mass == pytest.approx((0, 0, 0.5), abs=1e-6)
    a, b, c = 0.4, 0.2, 0.6  # after a quarter turn about z
    expected = [
        mass / 12 * (b * b + c * c),
        mass / 12 * (a * a + c * c),
        mass / 12 * (a * a + b * b),
        0,
        0,
        0,
    ]
    assert body.inertia == pytest.approx(expected, abs=1e-5)
    cube.data.polygons[0].select = True
    import bmesh

    mesh = bmesh.new()
    mesh.from_mesh(cube.data)
    bmesh.ops.delete(
        mesh, geom=[mesh.faces[0]] if mesh.faces.ensure_lookup_table() is None else [], context="FACES"
    )
    mesh.to_mesh(cube.data)
    with pytest.raises(RuntimeError, match="not closed"):
        ops.compute_mass(source="MESH", density=500)


def test_scale_to_height_and_mass(blender, ops):
    ops.add_actor(model="male")
    before = model_of(blender)
    ops.scale_actor(height=1.6, mass=60)
    after = model_of(blender)
    assert after.height == 1.6
    assert sum(b.mass for b in after.bodies) == pytest.approx(60, rel=1e-6)
    ratio = 1.6 / before.height
    assert after.bodies[3].ellipsoids[0].semi_axes == pytest.approx(
        [a * ratio for a in before.bodies[3].ellipsoids[0].semi_axes], rel=1e-4
    )
    blender.context.object.data.mannequin.use_height = False
    with pytest.raises(RuntimeError, match="states no height"):
        ops.scale_actor(height=1.7, mass=60)


def test_mirror(blender, ops):
    """Change the left, mirror, and the right is its mirror image: seen in the world."""
    ops.add_actor(model="male")
    actor = blender.context.object
    left = next(b for b in model_of(blender).bodies if b.name.endswith(("L", "_l", "left")))
    from mannequin.models.editing.sides import other_side

    obj = next(c for c in actor.children if c.parent_bone == left.name and c.mannequin.kind == "ELLIPSOID")
    obj.location.y += 0.05
    obj.scale.x *= 1.5
    blender.context.view_layer.objects.active = actor
    ops.mirror_model(side="left")
    model = model_of(blender)
    from mannequin.models.parts.placement import body_transforms, ellipsoid_shapes

    shapes = {(n, e.name): (c, h @ h.T) for n, e, c, h in ellipsoid_shapes(model, body_transforms(model))}
    names = {b.name for b in model.bodies}
    flip = np.diag([1, -1, 1])
    checked = 0
    for (body, ellipsoid), (centre, shape) in shapes.items():
        partner = other_side(body, names)
        if partner:
            other = shapes[partner, other_side(ellipsoid) or ellipsoid]
            assert other[0] == pytest.approx(flip @ centre, abs=3e-6)
            assert other[1] == pytest.approx(flip @ shape @ flip, abs=3e-6)
            checked += 1
    assert checked > 10


def test_mirror_twice_is_the_original(blender):
    from mannequin.models.editing.mirror import mirrored_body, mirrored_joint

    model = full_model()
    for body in model.bodies:
        assert mirrored_body(mirrored_body(body, body.name), body.name) == body
    for joint in model.joints:
        assert mirrored_joint(mirrored_joint(joint)) == joint


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("ThighL", "ThighR"), ("thigh_l", "thigh_r"), ("arm.R", "arm.L"), ("left_arm", "right_arm"),
        ("L_hand", "R_hand"), ("tibia_l_2", "tibia_r_2"), ("skull", None), ("pelvis", None), ("car", None),
    ],
)  # fmt: skip
def test_sides_of_names(blender, name, other):
    from mannequin.models.editing.sides import other_side

    assert other_side(name) == other


def test_place_on_ground_touches_it(blender, ops):
    """Lowest point over a dense sampling of all ellipsoids as seen."""
    ops.add_actor(model="male")
    actor = blender.context.object
    actor.location = (1, 2, 5)
    actor.rotation_euler = (0.3, 1.2, 0.5)
    bone = next(b for b in actor.pose.bones if "high" in b.name)
    bone.rotation_quaternion = (0.8, 0.6, 0, 0)
    ops.place_on_ground(clearance=0.01)
    blender.context.view_layer.update()
    lowest = min(
        (obj.matrix_world @ v.co).z for obj in actor.children if obj.type == "MESH" for v in obj.data.vertices
    )
    assert 0.01 - 1e-6 <= lowest < 0.012  # vertices lie on the surface, not always at its lowest point
    assert tuple(actor.location)[:2] == (1, 2)


def test_velocity_operators(blender, ops):
    build(blender)
    start = blender.context.object.mannequin.actor
    ops.set_velocity(mode="HEADING", speed=10, heading=math.radians(90))
    assert tuple(start.velocity) == pytest.approx((0, 10, 0), abs=1e-5)
    ops.set_velocity(mode="VECTOR", velocity=(1, 2, 3), angular_velocity=(0, 0, 1))
    assert tuple(start.velocity) == (1, 2, 3) and tuple(start.angular_velocity) == (0, 0, 1)
    blender.context.object.pose.bones["thigh"].mannequin.velocity = (1, 1, 1)
    ops.clear_velocity()
    assert tuple(start.velocity) == tuple(start.angular_velocity) == (0, 0, 0)
    assert tuple(blender.context.object.pose.bones["thigh"].mannequin.velocity) == (0, 0, 0)


def test_obstacle_operators(blender, ops):
    blender.ops.mesh.primitive_cube_add(size=2)
    cube = blender.context.object
    ops.add_obstacle(shape="box")
    assert cube.mannequin.kind == "OBSTACLE" and cube.mannequin.obstacle.name == "Cube"
    ops.remove_obstacle()
    assert cube.mannequin.kind == "NONE"
    ops.add_ready_made(obstacle="stair")
    from mannequin.models.scenarios.obstacles import stair

    assert len([o for o in blender.data.objects if o.mannequin.kind == "OBSTACLE"]) == len(stair())


def test_presets(blender, ops):
    settings = blender.context.scene.mannequin.settings
    settings.duration = 3
    for preset in ("quick", "standard", "court"):
        ops.apply_preset(preset=preset)
        ratio = settings.output_step / settings.time_step
        assert ratio == pytest.approx(round(ratio), abs=1e-4)
    assert settings.time_step == pytest.approx(2.5e-5) and settings.contact_history and settings.duration == 3


def test_validation_finds_and_selects_the_object_of_a_finding(blender, ops):
    actor = build(blender)
    actor.data.bones["foot"].mannequin.mass = 0
    blender.data.objects["thigh_part_1"].mannequin.ellipsoid.force_curve[1].x = -1
    ops.validate()
    issues = blender.context.scene.mannequin.issues
    found = {(i.object.name if i.object else None, i.bone) for i in issues if i.severity == "error"}
    assert ("full", "foot") in found and ("thigh_part_1", "") in found
    index = next(k for k, i in enumerate(issues) if i.bone == "foot")
    ops.select_finding(index=index)
    assert blender.context.object == actor and actor.data.bones.active.name == "foot"
    index = next(k for k, i in enumerate(issues) if i.object and i.object.name == "thigh_part_1")
    ops.select_finding(index=index)
    assert blender.context.object.name == "thigh_part_1"


def test_validation_finds_overlaps_at_the_start(blender, ops):
    """In the words in which the run would refuse them, with the ellipsoid to select."""
    from mannequin.engine import Refused, compile_system
    from mannequin.scene.scenario.scenario import read_scenario

    ops.new_model(name="ball", body="ball")
    actor = blender.context.object
    activate(blender, "ball")
    ops.add_ellipsoid(name="skin")
    skin = blender.context.object
    skin.scale = (0.1, 0.1, 0.1)
    actor.location.z = 0.08
    blender.context.view_layer.update()
    ops.validate()
    (found,) = [i for i in blender.context.scene.mannequin.issues if i.severity == "error"]
    assert "overlaps ground by 20.0 mm at the start. Raise the actor by 0.0200 m" in found.message
    assert found.object == skin
    with pytest.raises(Refused) as refused:
        compile_system(read_scenario(blender.context.scene))
    assert found.message in str(refused.value)


def test_changed_unit_scale_is_refused_and_update_rig_rebuilds(blender, ops):
    actor = build(blender)
    actor.pose.bones["shank"].rotation_euler.x = 0.5
    size = tuple(blender.data.objects["thigh_part_0"].dimensions)
    blender.context.scene.unit_settings.scale_length = 0.01
    assert typed(model_of(blender)) == typed(full_model())  # still the same man
    ops.validate(update_rigs=False)
    assert any("unit scale" in i.message for i in blender.context.scene.mannequin.issues)
    with pytest.raises(RuntimeError, match="unit scale"):
        ops.place_on_ground()
    ops.update_rig()
    assert tuple(blender.data.objects["thigh_part_0"].dimensions) == pytest.approx(
        [100 * x for x in size], rel=1e-5
    )
    assert actor.pose.bones["shank"].rotation_euler.x == pytest.approx(0.5)
    assert typed(model_of(blender)) == typed(full_model())


def test_validation_sees_a_scaled_actor_and_orphans(blender, ops):
    actor = build(blender)
    actor.scale = (2, 2, 2)
    blender.context.view_layer.update()
    ops.validate()
    assert any("scaled by" in i.message for i in blender.context.scene.mannequin.issues)
    actor.scale = (1, 1, 1)
    orphan = blender.data.objects["foot_part_0"]
    orphan.parent_type = "OBJECT"
    ops.validate()
    assert any(
        "'foot_part_0' belongs to no body" in i.message for i in blender.context.scene.mannequin.issues
    )
    orphan.parent = None
    ops.validate()
    found = [i for i in blender.context.scene.mannequin.issues if i.object == orphan]
    assert len(found) == 1 and "belongs to no actor" in found[0].message


def test_dragged_joint_is_taken_before_validation(blender, ops):
    actor = build(blender)
    from mannequin.scene.model.edit_actor import has_dragged_joint, is_current

    assert not has_dragged_joint(actor) and is_current(actor, blender.context.scene)
    blender.data.objects["hip"].location.x += 0.1
    assert has_dragged_joint(actor) and not is_current(actor, blender.context.scene)
    ops.validate()
    assert not has_dragged_joint(actor) and is_current(actor, blender.context.scene)
    assert tuple(actor.data.bones["thigh"].head_local) == pytest.approx(
        tuple(blender.data.objects["hip"].location), abs=1e-6
    )


def test_limits_are_felt(blender, ops):
    """Bones turned past a limit are seen at the limit: 50 degrees about joint x is held at its upper end."""
    from mannequin.scene.base.units import Units, rotation_to_blender
    from mannequin.scene.rig.pose import read_start, transform_from_angles
    from mannequin.scene.store.actors import bone_axes

    actor = build(blender)
    bone = actor.data.bones["thigh"]
    ops.toggle_limits()
    for angles, expected in [
        ((0, 60, 0), (0, 40, 0)),
        ((0, -60, 0), (0, -40.2, 0)),
        ((70, 0, 0), (30, 0, 0)),
        ((0, 0, -70), (0, 0, -50.3)),
    ]:
        axes = bone_axes(bone)
        turn = axes.T @ transform_from_angles(bone, angles).rotation @ axes
        actor.pose.bones["thigh"].rotation_quaternion = rotation_to_blender(turn)
        assert read_start(actor, Units()).joint_angles["hip"] == pytest.approx(expected, abs=1e-3)
    ops.toggle_limits()
    assert not any(b.constraints for b in actor.pose.bones)


def test_disabled_operators_say_why(blender, ops):
    for name in (
        "export_model",
        "add_body",
        "place_on_ground",
        "add_ellipsoid",
        "duplicate_ellipsoid",
        "add_obstacle",
    ):
        assert not getattr(ops, name).poll()
    with pytest.raises(RuntimeError, match="Select an actor"):
        ops.place_on_ground()
    build(blender)
    with pytest.raises(RuntimeError, match="Select an ellipsoid"):
        ops.duplicate_ellipsoid()


def test_lists(blender, ops):
    actor = build(blender)
    activate(blender, "thigh")
    ops.edit_list(list="prescribed", action="ADD")
    for name in LISTS_OF_A_BODY:
        before = len(list_of(blender, name))
        ops.edit_list(list=name, action="ADD")
        assert len(list_of(blender, name)) == before + 1
        ops.edit_list(list=name, action="UP")
        ops.edit_list(list=name, action="DOWN")
        ops.edit_list(list=name, action="REMOVE")
        assert len(list_of(blender, name)) == before
    assert typed(model_of(blender, actor)) == typed(full_model())
    uids = [m.uid for m in actor.data.mannequin.materials]
    assert len(set(uids)) == len(uids)


LISTS_OF_A_BODY = (
    "material_loading", "material_unloading", "material_rates", "spring_curve", "belt_points", "joint_springs",
    "joint_spring_curve",
    "motor_gain", "motor_targets", "motor_speeds", "own_motor_gain", "own_motor_targets", "own_motor_speeds",
    "prescribed", "prescribed_table",
    "materials", "springs", "belts", "welds", "couplers", "contact_exclude", "contact_include", "torque_pulses",
    "force_pulses", "pairs",
)  # fmt: skip


OWNERS_OF_LISTS = {
    "victim": {
        "MannequinModel": "materials springs belts welds couplers wheels contact_exclude contact_include",
        "MannequinMaterial": "material_loading material_unloading material_rates",
        "MannequinSpringDamper": "spring_curve",
        "MannequinBelt": "belt_points scenario_belt_points",
        "MannequinJoint": "joint_springs joint_breaks",
        "MannequinJointSpring": "joint_spring_curve",
        "MannequinMotor": "motor_gain motor_targets own_motor_gain own_motor_targets "
        "slide_motor_gain slide_motor_targets motor_speeds own_motor_speeds slide_motor_speeds",
        "MannequinActor": "excitation_rules torque_pulses force_pulses prescribed",
        "MannequinExcitation": "rule_excitation",
        "MannequinDrive": "drive_pedal drive_steering drive_path drive_trace",
        "MannequinPrescribedMotion": "prescribed_table",
        "MannequinScenario": "pairs scenario_springs scenario_belts scenario_welds sensors",
        "MannequinSweep": "sweep_inputs",
        "MannequinCameraMatch": "camera_points camera_lines",
        "MannequinEvidence": "evidence hypotheses",
        "MannequinHypothesis": "hypothesis_inputs",
        "MannequinFilm": "film_shots",
    },
    "thigh_part_1": {"MannequinEllipsoid": "force_curve unload_curve"},
    "rectus": {"MannequinMuscle": "path_wraps", "MannequinExcitation": "muscle_excitation"},
}
"""Active object to the groups that own lists, and their lists."""


def test_every_list_is_found_where_its_thing_is_active(blender, ops):
    from authoring import full_scenario

    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.scenario.scenario import build_scenario
    from mannequin.scene.store.lists import LISTS, find_list

    in_empty_scenes = {
        "pairs",
        "scenario_springs",
        "scenario_belts",
        "scenario_welds",
        "sweep_inputs",
        "sensors",
        "camera_points",
        "camera_lines",
        "evidence",
        "hypotheses",
        "film_shots",
    }
    for name in set(LISTS) - in_empty_scenes:
        with pytest.raises(SceneError, match="select the"):
            find_list(blender.context, name)
    build_scenario(full_scenario(), blender.context.scene)
    found = {}
    for active, owners in OWNERS_OF_LISTS.items():
        blender.context.view_layer.objects.active = blender.data.objects[active]
        if active == "victim":
            armature = blender.data.objects[active].data
            armature.bones.active = armature.bones["thigh"]
            for name in ("joint_springs", "excitation_rules", "scenario_belts", "belts", "hypotheses"):
                ops.edit_list(list=name, action="ADD")
        for group, names in owners.items():
            for name in names.split():
                found[name] = find_list(blender.context, name)[0].bl_rna.identifier
                assert found[name] == group, name
    assert set(found) == set(LISTS)


def list_of(blender, name):
    from mannequin.scene.store.lists import find_list

    owner, attribute = find_list(blender.context, name)
    return getattr(owner, attribute)


def test_recorded_motion_of_an_obstacle(blender, ops):
    """A cube going 3 m/s along y and turning about x at 1 rad/s: rows at every frame, from the first frame on."""
    from mannequin.scene.base.units import Units
    from mannequin.scene.scenario.obstacle_shapes import read_obstacle

    scene = blender.context.scene
    scene.render.fps, scene.frame_start = 25, 11
    scene.mannequin.settings.duration = 1.0
    blender.ops.mesh.primitive_cube_add(size=1, location=(5, 0, 0))
    cube = blender.context.object
    ops.add_obstacle(shape="box")
    with pytest.raises(RuntimeError, match="does not move"):
        ops.record_motion()
    for frame in range(1, 60):
        seconds = (frame - 11) / 25
        cube.location.y, cube.rotation_euler.x = 3 * seconds, seconds
        cube.keyframe_insert("location", frame=frame)
        cube.keyframe_insert("rotation_euler", frame=frame)
    scene.frame_set(30)
    ops.record_motion()
    assert scene.frame_current == 30
    found = read_obstacle(cube, "cube", scene, Units())
    assert found.position == pytest.approx((5, 0, 0), abs=1e-6)
    assert found.orientation == pytest.approx((0, 0, 0), abs=1e-5)
    assert len(found.motion) == 26 and found.motion[0] == (0, 0, 0, 0, 0, 0, 0)
    assert found.motion[25] == pytest.approx((1, 0, 3, 0, 0, 0, math.degrees(1)), abs=1e-4)
    ops.record_motion(clear=True)
    assert read_obstacle(cube, "cube", scene, Units()).motion is None


def test_hidden_and_excluded_actors_are_refused_with_a_remedy(blender, ops):
    actor = build(blender)
    activate(blender, "foot")
    home = actor.users_collection[0]
    home.hide_viewport = True
    with pytest.raises(RuntimeError, match="hidden collection"):
        ops.set_joint_type(type="spherical")
    home.hide_viewport = False
    actor.hide_set(True)
    blender.context.view_layer.objects.active = actor
    ops.set_joint_type(type="spherical")
    assert actor.hide_get()


def test_operators_work_while_another_object_is_edited(blender, ops):
    build(blender)
    blender.ops.mesh.primitive_cube_add()
    cube = blender.context.object
    blender.ops.object.mode_set(mode="EDIT")
    ops.add_actor(model="bicycle")
    assert cube.mode == "OBJECT" and blender.context.object.mannequin.kind == "ACTOR"


def test_names_that_no_bone_can_bear(blender):
    from mannequin.scene.base.errors import SceneError

    for name in ("", "x" * 64, "ä" * 32):
        model = spec.Model(
            "m", [spec.Body(name, 1, (1, 1, 1, 0, 0, 0))], [spec.Joint("j", "free", None, name)]
        )
        with pytest.raises(SceneError, match="cannot be a bone's"):
            build(blender, model)
    assert not blender.data.armatures
    name = "ä" * 31
    model = spec.Model(
        "x" * 300, [spec.Body(name, 1, (1, 1, 1, 0, 0, 0))], [spec.Joint("j" * 300, "free", None, name)]
    )
    model.bodies[0].ellipsoids.append(spec.Ellipsoid("e" * 300, (1, 1, 1)))
    assert typed(model_of(blender, build(blender, model))) == typed(model)


def test_every_operator_is_documented(blender, root):
    """The page made from the code, which docs/authoring.md leads to, has each operator with its example."""
    import mannequin.registration

    assert "(reference/operators.md)" in (root / "docs" / "authoring.md").read_text()
    text = (root / "docs" / "reference" / "operators.md").read_text()
    for module in mannequin.registration.listed_modules():
        if ".operators." in module.__name__:
            for operator in (
                c for c in mannequin.registration.classes_of(module) if issubclass(c, blender.types.Operator)
            ):
                assert f"bpy.ops.{operator.bl_idname}(" in text, operator.bl_idname
