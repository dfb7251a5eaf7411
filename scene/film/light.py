"""Light and sky of a film's stages."""

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..base.blender_version import use_nodes
from ..base.units import Units
from ..show.materials import material
from ..show.node_tree import Rgb
from .parts import add_part, is_part
from .surfaces import Shader

SKY = "mannequin_sky"
"""Custom property of a world of the set-up: the stage it is of."""
FLAT_LIGHT = 0.215
"""Brightness of level ground in Workbench's light as a share of the sky's of the same colour, read off a picture."""
UNTOUCHED_WORLD = 0.0509
"""Grey of the world in Blender's own start-up file."""
DAY_SKY = 0.09
"""Factor on Blender's sky texture, whose brightness is that of daylight in its own unit."""
LAMP_POSTS, LAMP_SPACING, LAMP_HEIGHT = 4, 18.0, 6.0
"""Street lamps along the motion; metres between two, and above the ground."""


@dataclass(frozen=True)
class Stage:
    """Light of a stage; colours are linear."""

    horizon: Rgb
    zenith: Rgb
    strength: float
    """Of the sky"""
    sun: float
    """W/m2 of the sun or moon; 0 for none"""
    softness: float
    """Degrees over which the sun's shadow is soft"""
    sun_color: Rgb = (1.0, 0.96, 0.90)


STAGES = {
    "grid": Stage((0.62, 0.70, 0.78), (0.34, 0.50, 0.72), 0.62, 2.7, 3.0),
    "day": Stage((0.60, 0.72, 0.86), (0.15, 0.33, 0.68), 0.75, 4.4, 0.6),
    "overcast": Stage((0.66, 0.69, 0.72), (0.80, 0.83, 0.86), 0.95, 0.9, 60.0, (1.0, 1.0, 1.0)),
    "night": Stage((0.006, 0.008, 0.014), (0.002, 0.003, 0.008), 1.0, 0.15, 1.0, (0.55, 0.65, 1.0)),
    "studio": Stage((0.74, 0.74, 0.75), (0.86, 0.86, 0.87), 0.75, 1.3, 25.0, (1.0, 1.0, 1.0)),
}
"""Stages by name; brightness chosen by eye for the view transform of the presets (assumed)."""


def haze_of(stage: str) -> Rgb:
    """What the camera sees of the sky at the horizon."""
    look = STAGES[stage]
    return tuple(look.strength * channel for channel in look.horizon)


def far_color(stage: str) -> tuple[float, float, float, float]:
    """Colour of the most distant ground in Workbench, which then looks like its sky: as bright as a colour can be, or
    dark at night."""
    horizon = STAGES[stage].horizon
    brightest = max(horizon)
    return (*(channel / brightest if brightest > 0.3 else 4.0 * channel for channel in horizon), 1.0)


def has_own_sun(scene: bpy.types.Scene) -> bool:
    """Whether the user has put a sun into the scene."""
    return any(
        obj.type == "LIGHT" and obj.data.type == "SUN" and not is_part(obj) and not obj.hide_render
        for obj in scene.objects
    )


def add_sun(scene: bpy.types.Scene, stage: str) -> None:
    """Sun or moon of a stage, from the upper left of the side view; none where the user has one."""
    look = STAGES[stage]
    if look.sun == 0.0 or has_own_sun(scene):
        return
    light = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.angle, light.color = look.sun, math.radians(look.softness), look.sun_color
    sun = bpy.data.objects.new("Sun", light)
    sun.rotation_euler = (math.radians(42.0), math.radians(-18.0), math.radians(-25.0))
    add_part(scene, sun, "light")


def add_street_lamps(scene: bpy.types.Scene, way: np.ndarray, units: Units) -> None:
    """Lamp posts beside a way ((n, 2) places on the ground, m), with warm light."""
    start, end = way[0], way[-1]
    along = end - start
    length = float(np.hypot(*along))
    along = along / length if length > 0.5 else np.array([1.0, 0.0])
    aside = np.array([-along[1], along[0]])
    middle = 0.5 * (start + end)
    for number in range(LAMP_POSTS):
        shift = (number - 0.5 * (LAMP_POSTS - 1)) * LAMP_SPACING
        add_lamp_post(scene, middle + shift * along + 5.0 * aside, -aside, units)


def add_lamp_post(scene: bpy.types.Scene, foot: np.ndarray, facing: np.ndarray, units: Units) -> None:
    """One street lamp: post, arm, and a spot that shines down."""
    metres = units.metres
    arm = foot + 1.6 * facing
    points, edges = [(*foot, 0.0), (*foot, LAMP_HEIGHT), (*arm, LAMP_HEIGHT + 0.15)], [(0, 1), (1, 2)]
    mesh = bpy.data.meshes.new("Street Lamp")
    mesh.from_pydata([tuple(c / metres for c in p) for p in points], edges, [])
    post = add_part(scene, bpy.data.objects.new("Street Lamp", mesh), "light")
    post.modifiers.new("Tube", "SKIN")
    for vertex in mesh.skin_vertices[0].data:
        vertex.radius = (0.06 / metres, 0.06 / metres)
    mesh.materials.append(material("Mannequin Lamp Post", (0.05, 0.055, 0.06, 1.0), 0.5))
    post.hide_select = True
    light = bpy.data.lights.new("Street Light", "SPOT")
    light.energy, light.color = 3000.0 / metres**2, (1.0, 0.72, 0.42)
    light.spot_size, light.spot_blend, light.shadow_soft_size = math.radians(130.0), 0.6, 0.15 / metres
    spot = bpy.data.objects.new("Street Light", light)
    spot.location = (*(arm / metres), (LAMP_HEIGHT + 0.05) / metres)
    add_part(scene, spot, "light")


def add_headlights(
    scene: bpy.types.Scene, actor: bpy.types.Object, root: str, points: np.ndarray, units: Units
) -> None:
    """Two headlights that go with a vehicle. points: (n, 3) of its surface as it is now, world, Blender units."""
    turn = np.array(actor.matrix_world.to_3x3().normalized())
    local = points @ turn
    low, high = local.min(axis=0), local.max(axis=0)
    middle, half = 0.5 * (low[1] + high[1]), 0.36 * (high[1] - low[1])
    axis = Vector(turn @ np.array([1.0, 0.0, -0.02]))
    for side in (-half, half):
        light = bpy.data.lights.new("Headlight", "SPOT")
        light.energy, light.color = 1600.0 / units.metres**2, (1.0, 0.95, 0.86)
        light.spot_size, light.spot_blend, light.shadow_soft_size = (
            math.radians(55.0),
            0.5,
            0.06 / units.metres,
        )
        lamp = add_part(scene, bpy.data.objects.new("Headlight", light), "light")
        lamp.parent, lamp.parent_type, lamp.parent_bone = actor, "BONE", root
        place = turn @ np.array([high[0] + 0.05 / units.metres, middle + side, 0.65 / units.metres])
        lamp.matrix_world = Matrix.Translation(place) @ axis.to_track_quat("-Z", "Y").to_matrix().to_4x4()


def set_sky(scene: bpy.types.Scene, stage: str) -> None:
    """The sky of a stage, unless the user has a world of his own."""
    world = scene.world
    if world is not None and SKY not in world and not is_untouched(world):
        return
    if world is not None and world.get(SKY) == stage:
        return
    scene.world = new_sky(stage)
    if world is not None and SKY in world and world.users == 0:
        bpy.data.worlds.remove(world)


def is_untouched(world: bpy.types.World) -> bool:
    """Whether a world is as Blender's start-up file or a new world has it."""
    nodes = list(world.node_tree.nodes) if world.node_tree else []
    if {node.type for node in nodes} - {"BACKGROUND", "OUTPUT_WORLD"}:
        return False
    colors = [world.color]
    for node in (n for n in nodes if n.type == "BACKGROUND"):
        if node.inputs["Color"].is_linked or abs(node.inputs["Strength"].default_value - 1.0) > 1e-6:
            return False
        colors.append(node.inputs["Color"].default_value)
    return all(abs(channel - UNTOUCHED_WORLD) < 1e-3 for color in colors for channel in list(color)[:3])


def new_sky(stage: str) -> bpy.types.World:
    """A world that goes from the colour of the horizon, into which the ground fades, to that of the sky above."""
    look = STAGES[stage]
    world = bpy.data.worlds.new(f"Film Sky {stage.title()}")
    world[SKY] = stage
    world.color = [FLAT_LIGHT * channel for channel in far_color(stage)[:3]]
    use_nodes(world)
    shader = Shader(world)
    direction = shader.node("ShaderNodeTexCoord").outputs["Generated"]
    height = shader.node("ShaderNodeSeparateXYZ", Vector=direction).outputs["Z"]
    above: object = look.zenith
    reach = 0.7
    if stage == "day":
        above, reach = day_sky(shader), 0.12
    share = shader.node("ShaderNodeMapRange", Value=height, From_Min=0.0, From_Max=reach)
    share.interpolation_type = "SMOOTHSTEP"
    color = shader.mixed(share.outputs[0], look.horizon, above)
    background = shader.node("ShaderNodeBackground", Color=color, Strength=look.strength)
    shader.node("ShaderNodeOutputWorld", Surface=background.outputs[0])
    return world


def day_sky(shader: Shader) -> bpy.types.NodeSocket:
    """Blender's own sky, as bright as the horizon of the stage; the sun itself is a lamp."""
    sky = shader.node("ShaderNodeTexSky")
    kinds = sky.bl_rna.properties["sky_type"].enum_items.keys()
    sky.sky_type = "NISHITA" if "NISHITA" in kinds else "MULTIPLE_SCATTERING"
    sky.sun_disc, sky.sun_elevation, sky.sun_rotation = False, math.radians(45.0), math.radians(150.0)
    dimmed = shader.node("ShaderNodeVectorMath", Vector=sky.outputs[0])
    dimmed.operation = "SCALE"
    dimmed.inputs["Scale"].default_value = DAY_SKY
    return dimmed.outputs[0]
