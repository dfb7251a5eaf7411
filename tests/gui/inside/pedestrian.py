"""The tutorial "Car against pedestrian": built as its script builds it, simulated in the window, with its pictures."""

import math

import bpy
import drive
from drive import SEEN, expect, in_window, shot, until
from scene_state import clear_scene, look

SPEED, RADIUS = 40.0 / 3.6, 0.316


def tell() -> drive.Story:
    """Car, man, impact, results, a frame of the film."""
    _, area = drive.viewport()
    area.spaces.active.show_region_ui = True
    yield from drive.redrawn()
    drive.region_of(area, "UI").active_panel_category = "Mannequin"
    clear_scene()
    with in_window():
        add_car()
    look(from_the_side=True, distance=0.8)
    yield from shot("car_1_car")
    with in_window():
        add_man()
    settings = bpy.context.scene.mannequin.settings
    settings.friction, settings.use_ground_friction, settings.ground_friction = 0.5, True, 0.7
    settings.duration = 3.0
    look(from_the_side=True, distance=0.8)
    yield from shot("car_2_both")
    yield from simulate()
    yield from film()


def add_car() -> None:
    """The car at 40 km/h, its wheels rolling and braked."""
    bpy.ops.mannequin.add_actor(model="car")
    car = bpy.context.view_layer.objects.active
    bpy.ops.mannequin.set_velocity(mode="HEADING", speed=SPEED, heading=0.0)
    for bone in car.pose.bones:
        if bone.name.startswith("wheel"):
            start = bone.mannequin
            start.velocity = (SPEED / RADIUS, 0.0, 0.0)
            start.use_motor = True
            start.motor.stiffness, start.motor.damping = 0.0, 500.0
            start.motor.use_max_torque, start.motor.max_torque = True, 1800.0


def add_man() -> None:
    """The man in mid-step, crossing."""
    bpy.context.scene.cursor.location = (3.05, -0.1, 0.0)
    bpy.ops.mannequin.add_actor(model="male")
    man = bpy.context.view_layer.objects.active
    man.rotation_euler.z = math.radians(90.0)
    for name, angle in (("ThighL", 12.0), ("ThighR", -20.0)):
        man.pose.bones[name].rotation_mode = "XYZ"
        man.pose.bones[name].rotation_euler.x = math.radians(angle)
    man.mannequin.actor.velocity = (0.0, 1.0, 0.0)
    man.mannequin.actor.use_tone, man.mannequin.actor.tone = True, 0.3
    bpy.ops.mannequin.place_on_ground()


def simulate() -> drive.Story:
    """Simulate, then show the moment at which the head strikes the car."""
    scene = bpy.context.scene
    runs, results = scene.mannequin.runs, scene.mannequin.results
    runs.folder = "/tmp/runs"
    with in_window():
        bpy.ops.mannequin.simulate("INVOKE_DEFAULT")
    yield from until(lambda: bool(results.run), "the run", drive.PATIENCE_COMPILING)
    yield from until(lambda: runs.activity == "", "the simulation to end")
    expect(results.status == "completed", results.status)
    names = [contact.name.lower() for contact in results.contacts]
    strikes = [
        k
        for k, name in enumerate(names)
        if "car" in name
        and any(p in name for p in ("head", "crown", "occiput", "parietal", "face", "mandible"))
    ]
    expect(strikes, f"the head does not strike the car: {names[:40]}")
    with in_window():
        bpy.ops.mannequin.jump_to_contact(index=strikes[0])
    SEEN["head strikes the car"] = (
        f"{results.contacts[strikes[0]].name}, {results.contacts[strikes[0]].time:.3f} s"
    )
    results.contacts_index = strikes[0]
    look(from_the_side=True, distance=0.8)
    yield from shot("car_3_impact")
    scene.frame_set(scene.frame_end)
    look(from_the_side=True)
    yield from shot("car_4_results")


def film() -> drive.Story:
    """One frame of the film, at the impact."""
    scene = bpy.context.scene
    scene.mannequin.film.camera = "tracking"
    with in_window():
        bpy.ops.mannequin.setup_render()
    scene.render.resolution_x, scene.render.resolution_y = 960, 540
    scene.frame_set(scene.frame_start + 6)
    scene.render.filepath = str(drive.OUT / "car_5_frame.png")
    bpy.ops.render.render(write_still=True)
    yield from drive.redrawn()
