"""Plain materials that look the same idea in every render engine, shared by name."""

import bpy

from ...models.vehicles.finishes import FINISHES
from ..base.blender_version import use_nodes

Color = tuple[float, float, float, float]

BRIGHTER = 0.7
"""Exponent for colours as Workbench shows them: it has no sky that lights them up."""
SEEN_THROUGH = {"clear glass": 0.55, "lens": 0.90}
"""Finish to the share of light that passes when seen straight on."""
GLASS_INDEX = 1.5


def material(name: str, color: Color, roughness: float, metallic: float = 0.0) -> bpy.types.Material:
    """The material of a name; its colour shows in every render engine."""
    found = bpy.data.materials.get(name)
    if found is None:
        found = bpy.data.materials.new(name)
        use_nodes(found)
    found.diffuse_color, found.roughness = (
        [*(channel**BRIGHTER for channel in color[:3]), color[3]],
        roughness,
    )
    shader = next((n for n in found.node_tree.nodes if n.type == "BSDF_PRINCIPLED"), None)
    if shader is not None:
        shader.inputs["Base Color"].default_value = color
        shader.inputs["Roughness"].default_value = roughness
        shader.inputs["Metallic"].default_value = metallic
    return found


def see_through(found: bpy.types.Material, share: float) -> None:
    """Let a share of the light pass a material, and less of it the more obliquely it is seen (Fresnel)."""
    nodes, links = found.node_tree.nodes, found.node_tree.links
    shader = next(n for n in nodes if n.type == "BSDF_PRINCIPLED")
    output = next(n for n in nodes if n.type == "OUTPUT_MATERIAL")
    if any(n.type == "MIX_SHADER" for n in nodes):
        return
    mix, clear = nodes.new("ShaderNodeMixShader"), nodes.new("ShaderNodeBsdfTransparent")
    fresnel, amount = nodes.new("ShaderNodeFresnel"), nodes.new("ShaderNodeMath")
    fresnel.inputs["IOR"].default_value = GLASS_INDEX
    amount.operation, amount.use_clamp = "ADD", True
    amount.inputs[1].default_value = 1.0 - share
    clear.inputs["Color"].default_value = (0.72, 0.78, 0.76, 1.0)
    links.new(fresnel.outputs["Fac"], amount.inputs[0])
    links.new(amount.outputs["Value"], mix.inputs[0])
    links.new(clear.outputs["BSDF"], mix.inputs[1])
    links.new(shader.outputs["BSDF"], mix.inputs[2])
    links.new(mix.outputs["Shader"], output.inputs["Surface"])
    found.diffuse_color[3] = 1.0 - 0.8 * share


def vehicle_finish(finish: str) -> bpy.types.Material | None:
    """Material of a finish of a generated vehicle, whose glass one can look through; None for its paint."""
    if finish == "glass":
        made = material("Mannequin Clear Glass", FINISHES["glass"].color, 0.03)
        see_through(made, SEEN_THROUGH["clear glass"])
        return made
    made = finish_material(finish)
    if finish in SEEN_THROUGH:
        see_through(made, SEEN_THROUGH[finish])
    return made


def vehicle_paint(color: Color) -> bpy.types.Material:
    """Car paint of a colour, with a clear coat."""
    name = "Mannequin Paint " + "".join(f"{round(255 * channel):02x}" for channel in color[:3])
    made = material(name, color, 0.3, 0.0 if min(color[:3]) > 0.5 else 0.4)
    shader = next((n for n in made.node_tree.nodes if n.type == "BSDF_PRINCIPLED"), None)
    if shader is not None:
        shader.inputs["Coat Weight"].default_value = 1.0
        shader.inputs["Coat Roughness"].default_value = 0.02
    return made


def paint(obj: bpy.types.Object, name: str, color: Color, roughness: float) -> None:
    """Give a mesh a material where it has none: as its only one, or in its empty first slot."""
    if not is_painted(obj):
        put_material(obj, material(name, color, roughness))


def is_painted(obj: bpy.types.Object) -> bool:
    """Whether a mesh has a material in its first slot."""
    return bool(obj.data.materials) and obj.data.materials[0] is not None


def put_material(obj: bpy.types.Object, made: bpy.types.Material) -> None:
    """Put a material into the first slot of a mesh."""
    if obj.data.materials:
        obj.data.materials[0] = made
    else:
        obj.data.materials.append(made)


def finish_material(finish: str) -> bpy.types.Material | None:
    """Material of a finish; None for paint, whose colour is the actor's."""
    look = FINISHES.get(finish)
    if look is None or look.color is None:
        return None
    return material(f"Mannequin {finish.title()}", look.color, look.roughness, look.metallic)
