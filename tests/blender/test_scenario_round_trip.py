"""Scenarios become scenes and come back."""

import math
from pathlib import Path

import numpy as np
import pytest
from authoring import full_model, full_scenario, typed

from mannequin.engine import spec


def build(blender, scenario, scale=1.0):
    from mannequin.scene.scenario.scenario import build_scenario

    scene = blender.context.scene
    scene.unit_settings.scale_length = scale
    build_scenario(scenario, scene)
    return scene


def read(scene):
    from mannequin.scene.scenario.scenario import read_scenario

    return read_scenario(scene)


@pytest.mark.parametrize("scale", [1.0, 0.01, 0.001])
def test_every_field_comes_back_exactly(blender, scale):
    scenario = full_scenario()
    found = read(build(blender, scenario, scale))
    for obstacle in (*scenario.obstacles, *found.obstacles):
        if obstacle.vertices is not None:
            obstacle.vertices = np.array(obstacle.vertices).tolist()
            obstacle.triangles = np.array(obstacle.triangles).tolist()
    assert typed(found) == typed(scenario)


def test_untouched_import_writes_the_same_text(blender):
    from mannequin.io_json.scenario_json import dumps

    scenario = full_scenario()
    assert dumps(read(build(blender, scenario))) == dumps(scenario)


SHIPPED = sorted((Path(__file__).resolve().parents[2] / "models" / "scenarios").glob("*.json"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_scenario_opens_as_an_example_and_comes_back_with_the_same_bytes(blender, path):
    """The file is what the command line runs, so the start is the same."""
    from mannequin.io_json.scenario_json import dumps

    blender.ops.mannequin.open_example(example=path.stem)
    assert dumps(read(blender.context.scene), path.parent) == path.read_text()
    blender.ops.mannequin.validate()
    assert [i.message for i in blender.context.scene.mannequin.issues if i.severity == "error"] == []


def test_scene_without_changes_has_the_default_settings(blender):
    from mannequin.scene.model.build import build_actor

    scene = blender.context.scene
    build_actor(full_model(), scene)
    found = read(scene)
    assert typed(found.settings) == typed(spec.Settings())
    assert found.actors[0].joint_angles == {} and found.actors[0].position == (0, 0, 0)


def test_changed_settings_and_velocities(blender):
    scene = build(blender, full_scenario())
    scene.mannequin.settings.duration = 2.5
    scene.mannequin.settings.use_ground_friction = False
    scene.objects["victim"].mannequin.actor.velocity.x = 3
    scene.objects["victim"].pose.bones["shank"].mannequin.velocity = (0.25, 0, 0)
    found = read(scene)
    assert found.settings.duration == 2.5 and found.settings.ground_friction is None
    assert found.actors[0].velocity == (3, 0, 0.1)
    assert found.actors[0].joint_velocities == {"hip": (0.1, 0.2, 0.3123456789), "knee": (0.25, 0, 0)}


def test_moved_actor_and_posed_bone(blender):
    scene = build(blender, full_scenario())
    victim = scene.objects["victim"]
    victim.location.x = 7.5
    victim.pose.bones["shank"].rotation_euler.x = math.radians(12.5)
    found = read(scene).actors[0]
    assert found.position == (7.5, -2, 0.5)
    assert found.orientation == (30, 20.123456789, -10)
    assert found.joint_angles == {"knee": (12.5, 0, 0), "hip": (10, 20, 30.987654321)}


def test_two_actors_of_one_name_are_distinguished(blender):
    from mannequin.scene.model.build import build_actor

    for _ in range(2):
        build_actor(full_model(), blender.context.scene)
    assert [actor.name for actor in read(blender.context.scene).actors] == ["full", "full.001"]


def test_actor_and_obstacle_may_share_a_name(blender):
    scenario = full_scenario()
    scenario.obstacles[1].name = "attacker"
    found = read(build(blender, scenario))
    assert [o.name for o in found.obstacles] == [o.name for o in scenario.obstacles]
    assert [a.name for a in found.actors] == [a.name for a in scenario.actors]


def test_actor_can_be_left_out_and_none_is_an_error(blender):
    from mannequin.scene.base.errors import SceneError

    scenario = full_scenario()
    scenario.springs, scenario.belts, scenario.welds = [], [], []
    scene = build(blender, scenario)
    scene.objects["attacker"].mannequin.actor.enabled = False
    assert [actor.name for actor in read(scene).actors] == ["victim"]
    scene.objects["victim"].mannequin.actor.enabled = False
    with pytest.raises(SceneError, match="no actor"):
        read(scene)


def mark(obj, shape="mesh"):
    obj.mannequin.kind = "OBSTACLE"
    obj.mannequin.obstacle.shape = shape
    return obj


def volume(obstacle):
    """Signed volume of a closed mesh by the divergence theorem: positive when faces look outward."""
    a, b, c = (obstacle.vertices[obstacle.triangles[:, k]] for k in range(3))
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_mesh_with_unapplied_scale_modifier_and_parent(blender, scale):
    """A cube of edge 2 units scaled by (1, 2, -3) and doubled by its parent has 2*4*6*8 cubic units."""
    from mannequin.scene.base.units import Units
    from mannequin.scene.scenario.obstacle_shapes import read_obstacle

    scene = blender.context.scene
    scene.unit_settings.scale_length = scale
    blender.ops.mesh.primitive_cube_add(size=2, location=(1, 0, 0))
    cube = mark(blender.context.object)
    cube.scale = (1, 2, -3)
    cube.rotation_euler = (0.3, 0.2, 0.1)
    empty = blender.data.objects.new("parent", None)
    scene.collection.objects.link(empty)
    empty.scale = (2, 2, 2)
    cube.parent = empty
    found = read_obstacle(cube, "cube", scene, Units(scale))
    assert volume(found) == pytest.approx(2 * 4 * 6 * 8 * scale**3, rel=1e-5)
    assert found.position == pytest.approx((2 * scale, 0, 0), abs=1e-6)
    cube.modifiers.new("array", "ARRAY").count = 2
    assert volume(read_obstacle(cube, "cube", scene, Units(scale))) == pytest.approx(
        2 * 2 * 4 * 6 * 8 * scale**3, rel=1e-5
    )
    corners = (
        found.vertices
        @ np.array(
            __import__("mannequin.engine.maths.rotations", fromlist=["x"]).matrix_from_zyx(found.orientation)
        ).T
    )
    blender.context.view_layer.update()
    world = np.array([cube.matrix_world @ v.co for v in cube.data.vertices]) * scale
    assert corners + found.position == pytest.approx(world, abs=2e-5 * max(scale, 0.1))


def test_box_of_a_shifted_mesh(blender):
    from mannequin.scene.base.units import Units
    from mannequin.scene.scenario.obstacle_shapes import read_obstacle

    blender.ops.mesh.primitive_cube_add(size=1)
    cube = mark(blender.context.object, "box")
    for vertex in cube.data.vertices:
        vertex.co.x += 3
    cube.scale = (2, 1, 1)
    cube.rotation_euler.z = math.pi / 2
    found = read_obstacle(cube, "cube", blender.context.scene, Units())
    assert found.half_size == pytest.approx((1, 0.5, 0.5))
    assert found.position == pytest.approx((0, 6, 0), abs=1e-5)


def test_object_without_faces_is_refused(blender):
    from mannequin.scene.base.errors import SceneError
    from mannequin.scene.base.units import Units
    from mannequin.scene.scenario.obstacle_shapes import read_obstacle

    obj = mark(blender.data.objects.new("dust", blender.data.meshes.new("dust")))
    blender.context.scene.collection.objects.link(obj)
    with pytest.raises(SceneError, match="'dust' has no faces"):
        read_obstacle(obj, "dust", blender.context.scene, Units())


def test_tables_over_time_are_edited_as_rows(blender):
    """Gains and targets of a motor and the table of a prescribed motion: changed rows are taken, others stay exact."""
    scenario = full_scenario()
    scenario.actors[0].prescribed = [
        spec.PrescribedMotion(None, ((0, 1, 0, 0, 0.1, 0.2, 0.3123456789), (0.5, 1, 0, 0, 0, 0, 0))),
        spec.PrescribedMotion("knee", ((0, 10.123456789), (1, 20))),
    ]
    scenario.actors[0].motors["knee"] = spec.Motor(
        5,
        1,
        gain_over_time=((0, 1), (0.123456789, 0.5)),
        target_over_time=((0, 10.123456789, 0, 0), (1, 5, 0, 0)),
        torque_over_speed=((-1, 1.3123456789), (0, 1), (8, 0)),
    )
    scene = build(blender, scenario)
    first = read(scene).actors[0]
    assert typed(first.prescribed) == typed(scenario.actors[0].prescribed)
    assert typed(first.motors) == typed(scenario.actors[0].motors)
    victim = scene.objects["victim"]
    motions, motor = victim.mannequin.actor.prescribed, victim.pose.bones["shank"].mannequin.motor
    assert [motion.columns for motion in motions] == [6, 1]
    motions[0].columns = 3
    motions[0].table[1].values[1] = 2.5
    motions[1].table[1].time, motions[1].table[1].values[0] = 0.75, 33
    motor.gain_over_time[1].y = 0.25
    motor.torque_over_speed[2].x = 9
    motor.target_over_time[1].angles[0] = math.radians(7.5)
    found = read(scene).actors[0]
    assert found.prescribed[0].table == ((0, 1, 0, 0), (0.5, 1, 2.5, 0))
    assert found.prescribed[1].table == ((0, 10.123456789), (0.75, 33))
    assert found.motors["knee"].gain_over_time == ((0, 1), (0.123456789, 0.25))
    assert found.motors["knee"].torque_over_speed == ((-1, 1.3123456789), (0, 1), (9, 0))
    assert found.motors["knee"].target_over_time == ((0, 10.123456789, 0, 0), (1, 7.5, 0, 0))
    motor.use_target_over_time = False
    assert read(scene).actors[0].motors["knee"].target_over_time is None


def test_new_rows_go_on_from_the_last(blender):
    scene = build(blender, full_scenario())
    blender.context.view_layer.objects.active = scene.objects["victim"]
    motions = scene.objects["victim"].mannequin.actor
    motions.prescribed_index = 0
    blender.ops.mannequin.edit_list(list="prescribed_table", action="ADD")
    assert read(scene).actors[0].prescribed[0].table == ((0, 1, 0, 0), (1, 2, 0, 0), (1.1, 2, 0, 0))
    blender.ops.mannequin.edit_list(list="prescribed", action="ADD")
    blender.ops.mannequin.edit_list(list="prescribed_table", action="ADD")
    assert read(scene).actors[0].prescribed[2].table == ((0, 0, 0, 0),)


def test_a_row_with_too_many_numbers_is_refused(blender):
    from mannequin.scene.base.errors import SceneError

    scenario = full_scenario()
    scenario.actors[0].prescribed = [spec.PrescribedMotion(None, ((0, 1, 2, 3, 4, 5, 6, 7),))]
    with pytest.raises(SceneError, match="8 numbers"):
        build(blender, scenario)


def test_sensors_are_added_to_the_active_body_and_removed(blender):
    scene = build(blender, full_scenario())
    group = scene.mannequin
    assert [sensor.name for sensor in group.sensors] == ["toe", "hip"] and not group.default_sensors
    victim = next(
        obj for obj in scene.objects if obj.mannequin.actor.name == "victim" and obj.type == "ARMATURE"
    )
    blender.context.view_layer.objects.active = victim
    victim.data.bones.active = victim.data.bones["foot"]
    blender.ops.mannequin.edit_list(list="sensors", action="ADD")
    added = group.sensors[2]
    assert added.actor == victim and added.body == "foot" and added.name == "sensor 3"
    added.contact_force, added.use_cfc, added.cfc = True, True, 600
    victim.data.bones["foot"].name = "boot"  # a reference follows a renamed body
    found = read(scene).sensors[2]
    assert found == spec.Sensor("sensor 3", "victim", "boot", contact_force=True, cfc=600)
    group.sensors_index = 0
    blender.ops.mannequin.edit_list(list="sensors", action="REMOVE")
    assert [sensor.name for sensor in read(scene).sensors] == ["hip", "sensor 3"]


def test_the_role_of_a_body_comes_back(blender):
    scenario = full_scenario()
    scenario.actors[0].model.bodies[0].role = "chest"
    assert read(build(blender, scenario)).actors[0].model.bodies[0].role == "chest"
