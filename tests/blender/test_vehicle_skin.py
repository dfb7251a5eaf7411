"""Vehicles in Blender: added by class and dimensions, drawn on their bones, read back as they were."""

import math

import numpy as np
import pytest

from mannequin.models.vehicles.form.styles import CLASSES
from mannequin.models.vehicles.road_vehicle import build_vehicle


@pytest.fixture(scope="module")
def model():
    return build_vehicle("hatchback")


@pytest.fixture
def actor(blender, model):
    from mannequin.scene.model.build import build_actor
    from mannequin.scene.show.skin import make_skin

    made = build_actor(model, blender.context.scene)
    make_skin(made, blender.context.scene)
    blender.context.view_layer.update()
    return made


def skins(actor):
    return {child.parent_bone: child for child in actor.children if child.get("mannequin_skin")}


def test_body_and_wheels_are_carried_by_their_bones(actor):
    found = skins(actor)
    assert set(found) == {"car_body", "wheelFL", "wheelFR", "wheelRL", "wheelRR"}
    assert len({found[f"wheel{w}"].data for w in ("FL", "FR", "RL", "RR")}) == 1
    vehicle = CLASSES["hatchback"]
    assert found["wheelFL"].matrix_world.translation.y == pytest.approx(vehicle.track / 2.0, abs=1e-5)
    assert found["wheelRR"].matrix_world.translation.x == pytest.approx(vehicle.axles[1], abs=1e-5)


def test_wheel_turns_with_its_bone(blender, actor):
    wheel = skins(actor)["wheelFL"]
    before = np.array(wheel.matrix_world)
    bone = actor.pose.bones["wheelFL"]
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = (math.cos(0.25), 0.0, math.sin(0.25), 0.0)
    blender.context.view_layer.update()
    after = np.array(wheel.matrix_world)
    assert after[:3, 3] == pytest.approx(before[:3, 3], abs=1e-5)
    turn = after[:3, :3] @ before[:3, :3].T
    assert math.acos(min(1.0, (np.trace(turn) - 1.0) / 2.0)) == pytest.approx(0.5, abs=1e-4)


def test_vehicle_and_contact_mesh_come_back(actor, model):
    from mannequin.scene.model.read import read_model

    read = read_model(actor)
    assert read.vehicle == model.vehicle
    assert np.array_equal(read.bodies[0].surface.vertices, model.bodies[0].surface.vertices)
    assert read.bodies[0].surface.zones == model.bodies[0].surface.zones


def test_operator_takes_dimensions(blender):
    ops = blender.ops.mannequin
    assert ops.add_vehicle(kind="hatchback", edge_height=0.70, mass=1000.0, with_look=False) == {"FINISHED"}
    from mannequin.scene.model.read import read_model

    made = read_model(blender.context.object)
    assert made.vehicle.edge_height == pytest.approx(0.70)
    assert made.vehicle.length == CLASSES["hatchback"].length
    assert sum(body.mass for body in made.bodies) == pytest.approx(1000.0)


def test_operator_refuses_what_has_no_roof(blender):
    with pytest.raises(RuntimeError, match="no roof left"):
        blender.ops.mannequin.add_vehicle(kind="hatchback", length=3.0, bonnet_length=1.8)


def test_a_sprung_vehicle_is_read_back_and_its_driver_follows_a_recorder(blender, tmp_path):
    """Wheels of the model are those built; the table of a recorder becomes the trace and takes the place of braking."""
    from mannequin.models.vehicles.chassis import build_sprung_vehicle
    from mannequin.scene.model.read import read_model
    from mannequin.scene.scenario.actor_start import read_actor

    blender.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    ops = blender.ops.mannequin
    assert ops.add_vehicle(kind="hatchback", with_look=False, sprung=True) == {"FINISHED"}
    actor = blender.context.view_layer.objects.active
    assert read_model(actor).wheels == build_sprung_vehicle("hatchback").wheels
    assert actor.location.z == 0.0
    assert ops.brake(deceleration=0.5, begin=0.2) == {"FINISHED"}
    braked = read_actor(actor, "car", blender.context.scene)
    assert (round(braked.drive.braking, 6), braked.drive.brake_start, braked.motors) == (0.5, 0.2, {})
    table = tmp_path / "recorder.csv"
    table.write_text("t,v,angle\n-1,36,0\n0,18,-15\n", encoding="utf-8")
    assert ops.load_recorder(filepath=str(table), time="t", speed="v", steering="angle") == {"FINISHED"}
    spec = read_actor(actor, "car", blender.context.scene)
    assert spec.drive.trace == ((0.0, 10.0, 0.0), (1.0, 5.0, -1.0))
    assert spec.drive.speed == 10.0 and spec.drive.braking is None
