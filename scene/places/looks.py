"""How the surfaces of a place look in a film: asphalt, kerb stone, paint, wood, steel, enamel.

Made by nodes, no picture is read. Looks only: friction and stiffness are in `models/parts/surfaces.py`. Textures lie in
the world, so that they run on from one obstacle to the next and have their size whatever the object's scale.
"""

from dataclasses import dataclass, replace

import bpy

from ..base.units import units_of
from ..film.stage import LOOK_OF_OBSTACLES
from ..film.surfaces import SURFACES as GROUNDS
from ..film.surfaces import Shader, Surface, color_of, grain_of, joints_of
from ..show.materials import is_painted, material, put_material
from ..store import callbacks
from ..store.actors import obstacles_of


@dataclass(frozen=True)
class Look:
    """A surface of a film with what only things above the ground have."""

    base: Surface
    metallic: float = 0.0
    coat: float = 0.0
    """Of clear varnish or enamel, from 0 to 1"""
    wet: float = 0.0
    """Share that is under water, dark and smooth"""
    worn: float = 0.0
    """Share that is worn off, where asphalt shows"""
    speckle: float = 0.0
    """Share of single grains, as granite has them"""


_ASPHALT = GROUNDS["asphalt"]
_PLAIN = replace(GROUNDS["concrete"], brick=None)
_WOOD = replace(GROUNDS["wood"], brick=(4.0, 0.2), grain=35.0)
_TILES = replace(GROUNDS["tiles"], brick=(0.2, 0.2), joint=0.003)
_FABRIC = Surface((0.55, 0.54, 0.50), (0.74, 0.73, 0.70), 160.0, 0.15, 0.002, 0.95)
LOOKS = {
    "asphalt_dry": Look(_ASPHALT),
    "asphalt_wet": Look(replace(_ASPHALT, dark=(0.008, 0.008, 0.010), light=(0.05, 0.05, 0.052)), wet=0.45),
    "concrete": Look(_PLAIN),
    "paint": Look(Surface((0.60, 0.60, 0.58), (0.80, 0.80, 0.78), 25.0, 0.4, 0.001, 0.6), worn=0.3),
    "paving": Look(
        Surface((0.20, 0.19, 0.18), (0.36, 0.34, 0.31), 30.0, 0.5, 0.002, 0.85, 1.0, (0.4, 0.4), 0.008, 0.5)
    ),
    "kerb_stone": Look(
        Surface((0.30, 0.30, 0.30), (0.52, 0.51, 0.50), 60.0, 0.25, 0.002, 0.75, 1.0, (1.0, 1.0), 0.008),
        speckle=0.25,
    ),
    "grass": Look(GROUNDS["grass"]),
    "ice": Look(Surface((0.45, 0.55, 0.60), (0.75, 0.82, 0.85), 2.0, 0.7, 0.0, 0.08), coat=1.0),
    "wood": Look(_WOOD, coat=0.15),
    "tiles_dry": Look(_TILES, coat=0.3),
    "tiles_wet": Look(replace(_TILES, roughness=0.12), coat=1.0, wet=0.35),
    "enamel_wet": Look(Surface((0.80, 0.81, 0.81), (0.86, 0.87, 0.87), 4.0, 0.5, 0.0, 0.12), coat=1.0),
    "steel": Look(Surface((0.35, 0.36, 0.38), (0.58, 0.60, 0.62), 40.0, 0.7, 0.0, 0.42), metallic=0.85),
    "mattress": Look(_FABRIC),
    "cushion": Look(
        replace(GROUNDS["carpet"], dark=(0.05, 0.07, 0.11), light=(0.10, 0.13, 0.19), bump=0.001)
    ),
}
"""Looks by the name of the contact material; colours and sizes are of ordinary examples seen by eye (assumed)."""
UNNAMED = {"stair": "concrete", "kerb": "kerb_stone", "bed": "wood", "chair": "wood"}
"""Look of the parts of ready-made things that leave their contact material to the scenario."""
PREFIX = "Mannequin Surface "
LENGTHWISE = 2.0
"""How many times longer along y than along x a thing is whose grain runs along y."""


def surface_look(
    name: str, scene: bpy.types.Scene, title: str = "", turned: bool = False
) -> bpy.types.Material:
    """The material of a look, made once in a file. turned: its grain and joints run along y instead of x."""
    title = title or PREFIX + name + (" Turned" if turned else "")
    found = bpy.data.materials.get(title)
    if found is not None:
        return found
    look, metres = LOOKS[name], units_of(scene).metres
    made = material(title, (*look.base.middle, 1.0), look.base.roughness, look.metallic)
    _draw(Shader(made), look, metres, turned)
    return made


def _draw(shader: Shader, look: Look, metres: float, turned: bool) -> None:
    """Nodes from the place in the world to the surface that light meets."""
    place, base = _place(shader, metres, turned), look.base
    grain, joint = grain_of(shader, base, place), joints_of(shader, base, place)
    patches = shader.node("ShaderNodeTexNoise", Vector=place, Scale=0.8, Detail=5.0).outputs["Fac"]
    color, rough, height = color_of(shader, base, grain, patches), base.roughness, grain
    if look.speckle:
        cells = shader.node("ShaderNodeTexVoronoi", Vector=place, Scale=220.0).outputs["Distance"]
        color = shader.mixed(_above(shader, cells, 0.75 - look.speckle), color, (0.06, 0.06, 0.07))
    if look.worn:
        holes = shader.node("ShaderNodeTexNoise", Vector=place, Scale=18.0, Detail=8.0, Roughness=0.7)
        color = shader.mixed(
            _above(shader, holes.outputs["Fac"], 0.72 - 0.5 * look.worn), color, _ASPHALT.light
        )
    if joint is not None:
        color = shader.mixed(joint, tuple(0.4 * c for c in base.dark), color)
        height = shader.calculate("MULTIPLY", grain, joint)
    if look.wet:
        water = _above(shader, patches, 0.65 - 0.35 * look.wet)
        color = shader.mixed(
            shader.calculate("MULTIPLY", water, 0.6), color, tuple(0.3 * c for c in base.dark)
        )
        dry = shader.calculate("SUBTRACT", 1.0, water)
        rough = shader.calculate("ADD", 0.04, shader.calculate("MULTIPLY", dry, base.roughness))
        height = shader.calculate("MULTIPLY", height, dry)
    surface = shader.node(
        "ShaderNodeBsdfPrincipled",
        Base_Color=color,
        Roughness=rough,
        Metallic=look.metallic,
        Coat_Weight=look.coat,
        Coat_Roughness=0.06,
    )
    if base.bump > 0.0:
        bump = shader.node("ShaderNodeBump", Height=height, Strength=0.6, Distance=base.bump / metres)
        shader.tree.links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    shader.node("ShaderNodeOutputMaterial", Surface=surface.outputs[0])


def _place(shader: Shader, metres: float, turned: bool) -> bpy.types.NodeSocket:
    """Place in the world, m."""
    place = shader.node("ShaderNodeNewGeometry").outputs["Position"]
    turn = (0.0, 0.0, 1.5707963 if turned else 0.0)
    return shader.node("ShaderNodeMapping", Vector=place, Rotation=turn, Scale=(metres,) * 3).outputs[0]


def _above(shader: Shader, value: bpy.types.NodeSocket, limit: float) -> bpy.types.NodeSocket:
    """0 below a limit and 1 above it, with a soft edge."""
    return shader.node("ShaderNodeMapRange", Value=value, From_Min=limit, From_Max=limit + 0.06).outputs[0]


def dress(obj: bpy.types.Object, scene: bpy.types.Scene, otherwise: str = "") -> bool:
    """Give an obstacle without a material the look of its contact material, or another; whether it has one now."""
    group = obj.mannequin.obstacle
    name = group.material.name if group.use_material else ""
    name = name if name in LOOKS else otherwise
    if name and not is_painted(obj):
        x, y, _ = obj.dimensions
        put_material(obj, surface_look(name, scene, turned=y > LENGTHWISE * x))
        if group.shape == "capsule":
            obj.data.polygons.foreach_set("use_smooth", [True] * len(obj.data.polygons))
    return is_painted(obj)


def dress_ready_made(objects: list[bpy.types.Object], kind: str, scene: bpy.types.Scene) -> None:
    """Give a ready-made thing its looks."""
    for obj in objects:
        dress(obj, scene, UNNAMED.get(kind, ""))


def dress_obstacles(scene: bpy.types.Scene) -> None:
    """Give every obstacle whose contact material is a known surface its look, where it has none."""
    for obj in obstacles_of(scene):
        dress(obj, scene)


register, unregister = callbacks.answered({LOOK_OF_OBSTACLES: dress_obstacles})
