"""Zones of a vehicle painted in Blender and taken back; a vehicle made of the user's own meshes."""

import json

import numpy as np
import pytest
from blender_process import run_in_blender

from mannequin.models.vehicles.form.styles import CLASSES
from mannequin.models.vehicles.road_vehicle import build_vehicle


@pytest.fixture(scope="module")
def model():
    return build_vehicle("hatchback")


@pytest.fixture
def actor(blender, model):
    from mannequin.scene.model.build import build_actor

    made = build_actor(model, blender.context.scene)
    blender.context.view_layer.objects.active = made
    return made


def surface_now(actor):
    from mannequin.scene.model.read import read_model

    return read_model(actor).bodies[0].surface


def test_zones_are_shown_as_they_are(blender, actor, model):
    from mannequin.scene.show.zones import zones_of

    assert blender.ops.mannequin.show_zones() == {"FINISHED"}
    obj = zones_of(actor)
    surface = model.bodies[0].surface
    numbers = np.empty(len(obj.data.polygons), dtype=np.int32)
    obj.data.polygons.foreach_get("material_index", numbers)
    assert numbers.tolist() == list(surface.zone_of)
    assert [m.name for m in obj.data.materials] == [f"Zone {zone.name}" for zone in surface.zones]
    colors = {tuple(m.diffuse_color) for m in obj.data.materials}
    assert len(colors) == len(surface.zones)
    blender.context.view_layer.update()
    # seen on the surface: as long and as wide as the vehicle
    corners = np.array([obj.matrix_world @ v.co for v in obj.data.vertices])
    vehicle = CLASSES["hatchback"]
    assert np.ptp(corners[:, 0]) == pytest.approx(vehicle.length, abs=0.08)
    assert corners[:, 0].max() == pytest.approx(vehicle.front, abs=0.04)
    assert blender.ops.mannequin.show_zones() == {"FINISHED"} and zones_of(actor) is None


def test_painted_faces_change_the_model_and_its_file(blender, actor, model, tmp_path):
    from mannequin.io_json.model_json import read_model as read_file
    from mannequin.scene.show.zones import zones_of

    blender.ops.mannequin.show_zones()
    obj = zones_of(actor)
    before = list(model.bodies[0].surface.zone_of)
    roof = next(i for i, zone in enumerate(model.bodies[0].surface.zones) if zone.name == "roof")
    chosen = [i for i, zone in enumerate(before) if zone != roof][:25]
    blender.context.tool_settings.mesh_select_mode = (False, False, True)
    blender.ops.object.mode_set(mode="EDIT")
    blender.ops.mesh.select_all(action="DESELECT")
    blender.ops.object.mode_set(mode="OBJECT")
    for i in chosen:
        obj.data.polygons[i].select = True
    blender.ops.object.mode_set(mode="EDIT")
    assert blender.ops.mannequin.assign_zone(zone=roof) == {"FINISHED"}
    assert not blender.ops.mannequin.take_zones.poll()  # first out of Edit Mode
    assert list(surface_now(actor).zone_of) == before
    blender.ops.object.mode_set(mode="OBJECT")
    assert blender.ops.mannequin.take_zones() == {"FINISHED"}
    after = surface_now(actor)
    assert [i for i, (a, b) in enumerate(zip(before, after.zone_of, strict=True)) if a != b] == chosen
    assert {after.zone_of[i] for i in chosen} == {roof}
    assert after.structure == model.bodies[0].surface.structure
    file = tmp_path / "painted.json"
    blender.context.view_layer.objects.active = actor
    blender.ops.mannequin.export_model(filepath=str(file))
    assert list(read_file(file).bodies[0].surface.zone_of) == list(after.zone_of)


def test_zone_gets_another_material_and_its_curve_is_opened(blender, actor):
    blender.ops.mannequin.show_zones()
    assert blender.ops.mannequin.zone_material(zone=5, material="windscreen") == {"FINISHED"}
    assert surface_now(actor).zones[5].material == "windscreen"
    assert blender.ops.mannequin.zone_curve(zone=5) == {"FINISHED"}
    group = actor.data.mannequin
    assert group.materials[group.materials_index].name == "windscreen"
    with pytest.raises(RuntimeError, match="no contact material 'jelly'"):
        blender.ops.mannequin.zone_material(zone=5, material="jelly")


def test_changed_faces_are_refused(blender, actor):
    from mannequin.scene.show.zones import zones_of

    blender.ops.mannequin.show_zones()
    obj = zones_of(actor)
    blender.ops.object.mode_set(mode="EDIT")
    blender.ops.mesh.select_all(action="SELECT")
    blender.ops.mesh.subdivide()
    blender.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RuntimeError, match="added, cut or removed"):
        blender.ops.mannequin.take_zones()
    assert obj.name.endswith("Zones")


@pytest.mark.long
def test_taking_zones_is_undone(tmp_path):
    code = """
import bpy, json, mannequin
mannequin.register()
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
from mannequin.scene.model.read import read_model
from mannequin.scene.show.zones import zones_of
bpy.ops.ed.undo_push(message="start")
bpy.ops.mannequin.add_vehicle(kind="hatchback", with_look=False)
bpy.ops.mannequin.show_zones()
def actor():
    return next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
def zones():
    return list(read_model(actor()).bodies[0].surface.zone_of)
before = zones()
zones_of(actor()).data.polygons[7].material_index = (before[7] + 1) % 10
bpy.ops.ed.undo_push(message="painted")
bpy.ops.mannequin.take_zones()
bpy.ops.ed.undo_push(message="taken")
after = zones()
bpy.ops.ed.undo()
back = zones()
print("RESULT", json.dumps([before[7] != after[7], back == before]))
"""
    result = run_in_blender(code, tmp_path)
    line = next(row for row in result.splitlines() if row.startswith("RESULT"))
    assert json.loads(line.removeprefix("RESULT")) == [True, True]


@pytest.mark.slow
def test_selected_meshes_become_a_vehicle_that_is_drawn_by_them(blender):
    from vehicle_meshes import drawn_mesh

    vehicle = CLASSES["hatchback"]
    points, triangles = drawn_mesh(vehicle, 0.002)
    mesh = blender.data.meshes.new("scan")
    mesh.from_pydata(
        (points[:, [1, 0, 2]] * (-1.0, 1.0, 1.0)).tolist(), [], triangles.tolist()
    )  # looks along +y
    scan = blender.data.objects.new("scan", mesh)
    blender.context.scene.collection.objects.link(scan)
    blender.ops.object.select_all(action="DESELECT")
    scan.select_set(True)
    assert blender.ops.mannequin.vehicle_from_mesh(forward="+y", up="+z", mass=1250) == {"FINISHED"}
    actor = next(o for o in blender.context.scene.objects if o.type == "ARMATURE")
    parts = {child.parent_bone: child for child in actor.children if child.get("mannequin_skin")}
    assert set(parts) == {"car_body", "wheelFL", "wheelFR", "wheelRL", "wheelRR"}
    assert sum(len(part.data.polygons) for part in parts.values()) == len(triangles)
    blender.context.view_layer.update()
    wheel = parts["wheelFL"]
    at = np.array(wheel.matrix_world.translation) - np.array(actor.matrix_world.translation)
    assert at == pytest.approx((vehicle.axles[0], vehicle.track / 2.0, vehicle.wheel_radius), abs=0.02)
    body = np.array([parts["car_body"].matrix_world @ v.co for v in parts["car_body"].data.vertices])
    assert body[:, 0].max() - actor.location.x == pytest.approx(vehicle.front, abs=0.05)
    assert scan.hide_get() and actor.data.mannequin.name == "scan"
    bone = actor.pose.bones["wheelFL"]  # it turns with its body
    before = np.array(wheel.matrix_world)
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = (0.9689124, 0.0, 0.2474040, 0.0)
    blender.context.view_layer.update()
    turn = np.array(wheel.matrix_world)[:3, :3] @ before[:3, :3].T
    assert np.degrees(np.arccos((np.trace(turn) - 1.0) / 2.0)) == pytest.approx(28.65, abs=0.1)
    become_the_mesh(blender, scan, vehicle)


def become_the_mesh(blender, scan, vehicle):
    """A van of the scene is changed into the user's own mesh; its speed stays."""
    blender.ops.mannequin.add_vehicle(kind="van", with_look=False)
    van = blender.context.object
    van.mannequin.actor.speed = 30.0
    scan.hide_set(False)
    scan.select_set(True)
    assert blender.ops.mannequin.change_vehicle(kind="own_mesh") == {"FINISHED"}
    assert van.data.mannequin.name == "scan" and scan.hide_get()
    drawn = [child for child in van.children if child.get("mannequin_skin")]
    assert {child.parent_bone for child in drawn} == {"car_body", "wheelFL", "wheelFR", "wheelRL", "wheelRR"}
    assert van.mannequin.actor.velocity.length == pytest.approx(30.0 / 3.6)
    rate = van.pose.bones["wheelFL"].mannequin.velocity[0]
    assert abs(rate) == pytest.approx(30.0 / 3.6 / vehicle.wheel_radius, rel=0.03)


def test_a_mesh_without_wheels_is_refused(blender):
    blender.ops.mesh.primitive_cube_add(size=4.0)
    with pytest.raises(RuntimeError, match="no wheel"):
        blender.ops.mannequin.vehicle_from_mesh(forward="+x", up="+z")
