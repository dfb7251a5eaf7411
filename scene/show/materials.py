"""Plain materials that look the same idea in every render engine, shared by name."""

import bpy

from ..base.blender_version import use_nodes

Color = tuple[float, float, float, float]

BRIGHTER = 0.7
"""Exponent for colours as Workbench shows them: it has no sky that lights them up."""
FINISHES: dict[str, tuple[Color, float, float]] = {
    "glass": ((0.025, 0.035, 0.045, 1.0), 0.12, 0.0),
    "rubber": ((0.018, 0.018, 0.020, 1.0), 0.75, 0.0),
    "metal": ((0.55, 0.56, 0.58, 1.0), 0.35, 0.9),
    "dark": ((0.010, 0.010, 0.012, 1.0), 0.6, 0.0),
    "lamp": ((0.90, 0.90, 0.84, 1.0), 0.2, 0.0),
    "tail lamp": ((0.45, 0.03, 0.03, 1.0), 0.3, 0.0),
}
"""Colour, roughness and metal of what vehicles are made of, but for their paint."""


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


def paint(obj: bpy.types.Object, name: str, color: Color, roughness: float) -> None:
    """Give a mesh a material where it has none: as its only one, or in its empty first slot."""
    slots = obj.data.materials
    if not slots:
        slots.append(material(name, color, roughness))
    elif slots[0] is None:
        slots[0] = material(name, color, roughness)


def finish_material(finish: str) -> bpy.types.Material | None:
    """Material of a finish; None for paint, whose colour is the actor's."""
    if finish not in FINISHES:
        return None
    color, roughness, metallic = FINISHES[finish]
    return material(f"Mannequin {finish.title()}", color, roughness, metallic)
