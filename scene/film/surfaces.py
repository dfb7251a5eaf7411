"""Ground of a film made by shader nodes: no picture is read. Looks only; friction and stiffness are the scenario's."""

from dataclasses import dataclass

import bpy

from ..show.materials import material
from ..show.node_tree import NodeTree, Rgb

FADE = (45.0, 320.0)
"""Metres from the camera at which the ground begins to fade into the haze, and at which it is gone."""


@dataclass(frozen=True)
class Surface:
    """A kind of ground. Colours are linear; lengths in metres."""

    dark: Rgb
    light: Rgb
    """Colours between which the grain and the wear go"""
    grain: float
    """Coarsest grains per metre; six octaves of finer ones lie on them"""
    wear: float
    """Share of the colour that large patches make, from 0 to 1"""
    bump: float
    """Height of the grain, m"""
    roughness: float
    stretch: float = 1.0
    """How many times longer than wide a grain is, along x"""
    brick: tuple[float, float] | None = None
    """Length and width of slabs, tiles or planks"""
    joint: float = 0.0
    """Width of the joint between them"""
    offset: float = 0.0
    """Shift of every other row, as a share of the length"""

    @property
    def middle(self) -> Rgb:
        """Colour half way between dark and light."""
        return tuple(0.5 * (a + b) for a, b in zip(self.dark, self.light, strict=True))


SURFACES = {
    "neutral": Surface((0.40, 0.41, 0.42), (0.45, 0.46, 0.47), 3.0, 0.2, 0.0, 0.9),
    "asphalt": Surface((0.060, 0.060, 0.062), (0.190, 0.187, 0.183), 35.0, 0.35, 0.006, 0.85),
    "concrete": Surface(
        (0.27, 0.265, 0.25), (0.43, 0.42, 0.40), 20.0, 0.6, 0.0015, 0.8, 1.0, (3.0, 3.0), 0.012
    ),
    "grass": Surface((0.018, 0.045, 0.010), (0.120, 0.190, 0.050), 22.0, 0.45, 0.03, 0.9),
    "tiles": Surface((0.46, 0.44, 0.41), (0.56, 0.54, 0.51), 25.0, 0.3, 0.0, 0.25, 1.0, (0.3, 0.3), 0.004),
    "wood": Surface(
        (0.150, 0.075, 0.032), (0.330, 0.190, 0.095), 90.0, 0.5, 0.0004, 0.4, 18.0, (1.2, 0.14), 0.0025, 0.37
    ),
    "carpet": Surface((0.055, 0.060, 0.075), (0.120, 0.125, 0.150), 80.0, 0.15, 0.004, 1.0),
}
"""Kinds of ground by name; colours and sizes are of ordinary examples seen by eye (assumed)."""


class Shader(NodeTree):
    """Nodes of a material or a world, made new."""

    def __init__(self, owner: bpy.types.Material | bpy.types.World) -> None:
        super().__init__(owner.node_tree)
        self.tree.nodes.clear()


def ground_material(name: str, haze: Rgb, metres: float) -> bpy.types.Material:
    """Material of a surface that fades into the haze. metres: of a Blender unit."""
    surface = SURFACES[name]
    made = material(f"Mannequin Ground {name.title()}", (*surface.middle, 1.0), surface.roughness)
    shader = Shader(made)
    place = in_metres(shader, metres)
    grain, joint = grain_of(shader, surface, place), joints_of(shader, surface, place)
    patches = shader.node("ShaderNodeTexNoise", Vector=place, Scale=0.35, Detail=4.0).outputs["Fac"]
    color = color_of(shader, surface, grain, patches)
    height = grain
    if joint is not None:
        color = shader.mixed(joint, tuple(0.35 * c for c in surface.dark), color)
        height = shader.calculate("MULTIPLY", grain, joint)
    look = shader.node("ShaderNodeBsdfPrincipled", Base_Color=color, Roughness=surface.roughness)
    if surface.bump > 0.0:
        bump = shader.node("ShaderNodeBump", Height=height, Strength=0.6, Distance=surface.bump / metres)
        shader.tree.links.new(bump.outputs["Normal"], look.inputs["Normal"])
    fade_into(shader, look.outputs[0], haze, metres)
    return made


def color_of(
    shader: Shader, surface: Surface, grain: bpy.types.NodeSocket, patches: bpy.types.NodeSocket
) -> bpy.types.NodeSocket:
    """From dark to light by the grain and, as far as a surface is worn, by patches."""
    share = shader.calculate(
        "ADD",
        shader.calculate("MULTIPLY", grain, 1.0 - surface.wear),
        shader.calculate("MULTIPLY", patches, surface.wear),
    )
    return shader.mixed(share, surface.dark, surface.light)


def in_metres(shader: Shader, metres: float) -> bpy.types.NodeSocket:
    """Place on the ground, m."""
    place = shader.node("ShaderNodeTexCoord").outputs["Object"]
    scaled = shader.node("ShaderNodeVectorMath", Vector=place)
    scaled.operation = "SCALE"
    scaled.inputs["Scale"].default_value = metres
    return scaled.outputs[0]


def grain_of(shader: Shader, surface: Surface, place: bpy.types.NodeSocket) -> bpy.types.NodeSocket:
    """Fine noise of a surface, about 0 to 1."""
    stretched = shader.node(
        "ShaderNodeMapping", Vector=place, Scale=(1.0 / surface.stretch, 1.0, 1.0)
    ).outputs[0]
    fine = shader.node(
        "ShaderNodeTexNoise", Vector=stretched, Scale=surface.grain, Detail=6.0, Roughness=0.75
    )
    return fine.outputs["Fac"]


def joints_of(shader: Shader, surface: Surface, place: bpy.types.NodeSocket) -> bpy.types.NodeSocket | None:
    """1 on slabs, tiles or planks and 0 in their joints; None where a surface has none."""
    if surface.brick is None:
        return None
    length, width = surface.brick
    brick = shader.node(
        "ShaderNodeTexBrick",
        Vector=place,
        Color1=(1.0, 1.0, 1.0, 1.0),
        Color2=(1.0, 1.0, 1.0, 1.0),
        Mortar=(0.0, 0.0, 0.0, 1.0),
        Scale=1.0,
        Mortar_Size=surface.joint,
        Brick_Width=length,
        Row_Height=width,
    )
    brick.offset = surface.offset
    return brick.outputs["Color"]


def fade_into(shader: Shader, look: bpy.types.NodeSocket, haze: Rgb, metres: float) -> None:
    """Let what is far from the camera take the colour of the sky at the horizon, so that no edge is seen."""
    distance = shader.node("ShaderNodeCameraData").outputs["View Distance"]
    near, far = (value / metres for value in FADE)
    share = shader.node("ShaderNodeMapRange", Value=distance, From_Min=near, From_Max=far)
    share.interpolation_type = "SMOOTHERSTEP"
    air = shader.node("ShaderNodeEmission", Color=(*haze, 1.0), Strength=1.0)
    mix = shader.node("ShaderNodeMixShader", Fac=share.outputs[0])
    shader.tree.links.new(look, mix.inputs[1])
    shader.tree.links.new(air.outputs[0], mix.inputs[2])
    output = shader.node("ShaderNodeOutputMaterial")
    shader.tree.links.new(mix.outputs[0], output.inputs["Surface"])
