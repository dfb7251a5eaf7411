"""Ground with a grid in metres, sun, sky and materials. All of it ordinary Blender data in a collection of its own."""

import math

import bpy
import numpy as np

from ..base.blender_version import use_nodes
from ..base.units import Units, units_of
from ..people.change import skin_for
from ..rig.skins import skins_of
from ..show.materials import paint
from ..show.skin import is_person
from ..store.actors import actors_of, obstacles_of

STAGE = "Film Stage"
GROUND_SIZE, GRID_SIZE = 600.0, 60.0
"""Metres: the ground reaches to the horizon, its grid does not."""
LINE, BOLD_LINE = 0.006, 0.016
"""Metres: half width of a line each metre, and each five metres."""
LIFT = 0.0008
"""Metres that the grid lies above the ground."""

GROUND_COLOR = (0.44, 0.45, 0.46, 1.0)
LINE_COLOR = (0.20, 0.22, 0.25, 1.0)
OBSTACLE_COLOR = (0.62, 0.55, 0.45, 1.0)
SKIN_COLORS = (
    (0.72, 0.50, 0.31, 1.0),
    (0.20, 0.38, 0.62, 1.0),
    (0.34, 0.52, 0.28, 1.0),
    (0.50, 0.36, 0.60, 1.0),
)
"""Of people in turn: wood like an artist's mannequin first, none of them blood."""
VEHICLE_COLORS = ((0.10, 0.22, 0.42, 1.0), (0.50, 0.08, 0.06, 1.0), (0.45, 0.47, 0.50, 1.0))
"""Of vehicles and other actors in turn."""
SKY_COLOR = (0.50, 0.66, 0.84)
WORKBENCH_SKY = 0.55
"""How much darker Workbench shows the sky: its pictures are brightened as a whole."""


def stage_collection(scene: bpy.types.Scene) -> bpy.types.Collection:
    """The stage's collection in a scene, made where there is none."""
    for collection in scene.collection.children:
        if collection.name.startswith(STAGE):
            return collection
    collection = bpy.data.collections.new(STAGE)
    scene.collection.children.link(collection)
    return collection


def clear_stage(scene: bpy.types.Scene) -> None:
    """Remove what an earlier set-up made."""
    for obj in list(stage_collection(scene).objects):
        bpy.data.objects.remove(obj)


def set_stage(scene: bpy.types.Scene) -> None:
    """Ground, light, sky, skins and materials; an earlier stage is replaced."""
    clear_stage(scene)
    units = units_of(scene)
    if scene.mannequin.settings.ground:
        add_ground(scene, units)
    add_sun(scene)
    set_sky(scene)
    people = [actor for actor in actors_of(scene) if is_person(actor)]
    others = [actor for actor in actors_of(scene) if actor not in people]
    for group, colors, roughness in ((people, SKIN_COLORS, 0.55), (others, VEHICLE_COLORS, 0.35)):
        for number, actor in enumerate(group):
            for skin in skins_of(actor) or [skin_for(actor, scene)]:
                paint(skin, f"Mannequin {actor.name}", colors[number % len(colors)], roughness)
    for obstacle in obstacles_of(scene):
        obstacle.hide_render = obstacle.mannequin.obstacle.shape == "plane"
        paint(obstacle, "Mannequin Obstacle", OBSTACLE_COLOR, 0.8)


def add_ground(scene: bpy.types.Scene, units: Units) -> None:
    """Ground plane z = 0, and the grid on it."""
    half = GROUND_SIZE / 2.0
    corners = [(-half, -half, 0.0), (half, -half, 0.0), (half, half, 0.0), (-half, half, 0.0)]
    new_mesh(scene, "Ground", np.array(corners), [(0, 1, 2, 3)], units, GROUND_COLOR)
    points, faces = grid_geometry(GRID_SIZE / 2.0)
    new_mesh(scene, "Metre Grid", points, faces, units, LINE_COLOR)


def grid_geometry(half: float) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """(n, 3) points (m) and faces of lines each metre in x and y, each fifth one bold."""
    points, faces = [], []
    for line in range(-int(half), int(half) + 1):
        width = BOLD_LINE if line % 5 == 0 else LINE
        for swapped in (False, True):
            strip = [(line - width, -half), (line + width, -half), (line + width, half), (line - width, half)]
            base = len(points)
            points += [(y, x, LIFT) if swapped else (x, y, LIFT) for x, y in strip]
            order = (3, 2, 1, 0) if swapped else (0, 1, 2, 3)
            faces.append(tuple(base + k for k in order))
    return np.array(points), faces


def new_mesh(
    scene: bpy.types.Scene,
    name: str,
    points: np.ndarray,
    faces: list[tuple[int, ...]],
    units: Units,
    color: tuple[float, float, float, float],
) -> bpy.types.Object:
    """New mesh of the stage; points in metres."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((points / units.metres).tolist(), [], faces)
    obj = bpy.data.objects.new(name, mesh)
    stage_collection(scene).objects.link(obj)
    obj.hide_select = True
    obj.display.show_shadows = False  # in Workbench a plane without thickness casts its own shadow
    paint(obj, f"Mannequin {name}", color, 0.9)
    return obj


def add_sun(scene: bpy.types.Scene) -> None:
    """A sun from the upper left of the side view, with slightly soft shadows."""
    light = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.angle = 2.9, math.radians(2.5)
    sun = bpy.data.objects.new("Sun", light)
    sun.rotation_euler = (math.radians(42.0), math.radians(-18.0), math.radians(-25.0))
    stage_collection(scene).objects.link(sun)


def set_sky(scene: bpy.types.Scene) -> None:
    """An even bright sky."""
    if scene.world is None:
        scene.world = bpy.data.worlds.new("Sky")
    scene.world.color = [channel * WORKBENCH_SKY for channel in SKY_COLOR]
    use_nodes(scene.world)
    background = next((n for n in scene.world.node_tree.nodes if n.type == "BACKGROUND"), None)
    if background is not None:
        background.inputs["Color"].default_value = (*SKY_COLOR, 1.0)
        background.inputs["Strength"].default_value = 0.55
