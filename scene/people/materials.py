"""What people and their clothes are made of, by nodes; and the neutral grey of the court look.

Textures stick to the attribute `rest`, places on the base body in metres, so that they neither swim when the body bends
nor differ between people. Colours are linear RGB. They are assumed: chosen by eye under the film's light.
"""

import bpy

from ..base.blender_version import use_nodes
from ..show.node_tree import NodeTree, Rgb

SKIN_TONES: dict[str, Rgb] = {
    "I": (0.78, 0.54, 0.44),
    "II": (0.68, 0.43, 0.32),
    "III": (0.56, 0.33, 0.225),
    "IV": (0.40, 0.215, 0.130),
    "V": (0.235, 0.115, 0.066),
    "VI": (0.105, 0.050, 0.030),
}
"""Skin by Fitzpatrick's phototypes (Arch Dermatol 124:869-871, 1988); the colours themselves are assumed."""
COURT = (0.45, 0.45, 0.45)
FIXED: dict[str, Rgb] = {
    "sole": (0.025, 0.023, 0.022),
    "belt": (0.035, 0.020, 0.012),
    "inner": (0.62, 0.62, 0.60),
    "eye": (0.74, 0.70, 0.67),
    "pupil": (0.004, 0.004, 0.004),
    "lash": (0.012, 0.008, 0.006),
    "teeth": (0.66, 0.62, 0.54),
    "tongue": (0.42, 0.16, 0.14),
    "frame": (0.02, 0.02, 0.022),
    "lens": (0.75, 0.78, 0.80),
    "pack": (0.06, 0.10, 0.08),
    "helmet": (0.55, 0.55, 0.57),
}
"""Colours that are not chosen."""
FABRIC, GLOSSY = (
    ("upper", "lower", "inner", "pack"),
    ("eye", "iris", "pupil", "teeth", "helmet", "frame", "lens"),
)


class Nodes(NodeTree):
    """The nodes of a material that textures go into."""

    def __init__(self, material: bpy.types.Material):
        super().__init__(material.node_tree)
        self.shader = next(node for node in self.tree.nodes if node.type == "BSDF_PRINCIPLED")

    def attribute(self, name: str, output: str = "Vector") -> bpy.types.NodeSocket:
        """A vertex attribute of the mesh."""
        node = self.tree.nodes.new("ShaderNodeAttribute")
        node.attribute_name = name
        return node.outputs[output]

    def stretched(self, scale: Rgb) -> bpy.types.NodeSocket:
        """Places on the base body, scaled along the axes."""
        node = self.tree.nodes.new("ShaderNodeVectorMath")
        node.operation = "MULTIPLY"
        self.put(node.inputs[0], self.attribute("rest"))
        self.put(node.inputs[1], scale)
        return node.outputs[0]

    def noise(self, scale: Rgb, detail: float = 3.0, distortion: float = 0.0) -> bpy.types.NodeSocket:
        """Noise of so many cells to the metre along the axes, 0 to 1."""
        node = self.node(
            "ShaderNodeTexNoise", Vector=self.stretched(scale), Detail=detail, Distortion=distortion
        )
        node.inputs["Scale"].default_value = 1.0
        return node.outputs[0]

    def bump(
        self, height: bpy.types.NodeSocket, strength: float, depth: float, below: object = None
    ) -> object:
        """Normals of a height; `below` are those of a coarser one."""
        node = self.node("ShaderNodeBump", Height=height, Strength=strength, Distance=depth)
        if below is not None:
            self.put(node.inputs["Normal"], below)
        return node.outputs[0]


def times(color: Rgb, factor: float | Rgb) -> Rgb:
    """A colour made lighter or darker, by channel."""
    factors = factor if isinstance(factor, tuple) else (factor,) * 3
    return tuple(min(channel * by, 1.0) for channel, by in zip(color, factors, strict=True))


def finish_material(finish: str, color: Rgb) -> bpy.types.Material:
    """Material of a finish in a colour, shared by all who wear it."""
    code = "".join(f"{round(255 * min(max(channel, 0.0), 1.0) ** (1 / 2.2)):02x}" for channel in color)
    name = f"Mannequin {finish.title()} {code}"
    found = bpy.data.materials.get(name)
    if found is not None:
        return found
    made = bpy.data.materials.new(name)
    use_nodes(made)
    made.diffuse_color, made.roughness = (*(channel**0.8 for channel in color), 1.0), 0.6
    nodes = Nodes(made)
    nodes.put(nodes.shader.inputs["Base Color"], (*color, 1.0))
    nodes.put(nodes.shader.inputs["Roughness"], 0.15 if finish in GLOSSY else 0.6)
    build = {
        "skin": build_skin,
        "hair": build_hair,
        "brow": build_hair,
        "lash": build_lash,
        "iris": build_iris,
    }
    if finish in build:
        build[finish](nodes, color)
    elif finish in FABRIC:
        build_fabric(nodes, color, finish)
    elif finish in ("shoes", "belt", "sole"):
        build_leather(nodes, color)
    return made


def court_material(finish: str) -> bpy.types.Material:
    """Plain grey for skin and clothes alike; eyes and hair a shade apart, so that front and back can be seen."""
    shade = {
        "hair": 0.6,
        "brow": 0.6,
        "lash": 0.5,
        "iris": 0.3,
        "pupil": 0.1,
        "sole": 0.5,
        "shoes": 0.6,
        "lower": 0.8,
    }
    color = times(COURT, shade.get(finish, 1.0))
    name = f"Mannequin Court {shade.get(finish, 1.0):.1f}"
    found = bpy.data.materials.get(name)
    if found is None:
        found = bpy.data.materials.new(name)
        use_nodes(found)
        nodes = Nodes(found)
        nodes.put(nodes.shader.inputs["Base Color"], (*color, 1.0))
        nodes.put(nodes.shader.inputs["Roughness"], 0.7)
        found.diffuse_color, found.roughness = (*(channel**0.8 for channel in color), 1.0), 0.7
    return found


def build_skin(nodes: Nodes, color: Rgb) -> None:
    """Blotches and freckle-sized variation, blood where it shows, lips, nails, pores."""
    shader = nodes.shader
    dark = sum(color) / 3.0 < 0.2
    patchy = nodes.mixed(
        nodes.noise((14.0,) * 3, 4.0), times(color, (0.90, 0.86, 0.84)), times(color, (1.08, 1.07, 1.06))
    )
    fine = nodes.mixed(nodes.noise((260.0,) * 3, 2.0), times(color, 0.82), times(color, 1.12))
    base = nodes.mixed(0.35, patchy, fine)
    tint = nodes.tree.nodes.new("ShaderNodeSeparateXYZ")
    nodes.put(tint.inputs[0], nodes.attribute("tint"))
    blood = times(color, (1.02, 0.72, 0.70)) if not dark else times(color, (1.15, 0.85, 0.85))
    base = nodes.mixed(nodes.calculate("MULTIPLY", tint.outputs[2], 0.55), base, blood)
    lips = times(color, (0.86, 0.52, 0.54)) if not dark else times(color, (1.15, 0.80, 0.82))
    base = nodes.mixed(nodes.calculate("MULTIPLY", tint.outputs[0], 0.75), base, lips)
    base = nodes.mixed(
        nodes.calculate("MULTIPLY", tint.outputs[1], 0.6), base, times(color, (1.15, 1.05, 1.05))
    )
    nodes.put(shader.inputs["Base Color"], base)
    nodes.put(
        shader.inputs["Roughness"],
        nodes.calculate("SUBTRACT", 0.50, nodes.calculate("MULTIPLY", tint.outputs[0], 0.14)),
    )
    nodes.put(shader.inputs["Subsurface Weight"], 0.12)
    nodes.put(shader.inputs["Subsurface Radius"], (1.0, 0.35, 0.2))
    nodes.put(shader.inputs["Subsurface Scale"], 0.010)
    pores = nodes.bump(nodes.noise((900.0,) * 3, 2.0), 0.12, 0.0012)
    nodes.put(shader.inputs["Normal"], nodes.bump(nodes.noise((70.0,) * 3, 4.0), 0.10, 0.003, pores))


def build_hair(nodes: Nodes, color: Rgb) -> None:
    """Strands from the crown down, which thin out at the hair line."""
    strands = nodes.noise((420.0, 420.0, 26.0), 3.0, 0.6)
    locks = nodes.noise((60.0, 60.0, 9.0), 2.0, 0.8)
    both = nodes.calculate(
        "ADD", nodes.calculate("MULTIPLY", strands, 0.65), nodes.calculate("MULTIPLY", locks, 0.35)
    )
    nodes.put(nodes.shader.inputs["Base Color"], nodes.mixed(both, times(color, 0.45), times(color, 1.7)))
    nodes.put(nodes.shader.inputs["Roughness"], 0.48)
    nodes.put(nodes.shader.inputs["Normal"], nodes.bump(both, 0.7, 0.006))
    solid = nodes.attribute("solid", "Fac")
    threshold = nodes.calculate("SUBTRACT", 1.0, strands)
    nodes.put(
        nodes.shader.inputs["Alpha"],
        nodes.calculate("GREATER_THAN", nodes.calculate("MULTIPLY", solid, 1.5), threshold),
    )


def build_lash(nodes: Nodes, color: Rgb) -> None:
    """Single hairs, with gaps between them."""
    hairs = nodes.noise((260.0, 900.0, 60.0), 1.0)
    nodes.put(nodes.shader.inputs["Alpha"], nodes.calculate("GREATER_THAN", hairs, 0.48))


def build_iris(nodes: Nodes, color: Rgb) -> None:
    """Fibres of lighter and darker colour."""
    fibres = nodes.noise((900.0,) * 3, 3.0, 1.0)
    nodes.put(nodes.shader.inputs["Base Color"], nodes.mixed(fibres, times(color, 0.5), times(color, 1.6)))
    nodes.put(nodes.shader.inputs["Roughness"], 0.08)


def build_fabric(nodes: Nodes, color: Rgb, finish: str) -> None:
    """Weave, wear and soft folds across the limb."""
    weave = nodes.noise((1400.0, 1400.0, 1400.0), 1.0)
    wear = nodes.noise((9.0,) * 3, 4.0)
    nodes.put(
        nodes.shader.inputs["Base Color"],
        nodes.mixed(
            nodes.calculate("MULTIPLY", nodes.calculate("ADD", weave, wear), 0.5),
            times(color, 0.78),
            times(color, 1.18),
        ),
    )
    nodes.put(nodes.shader.inputs["Roughness"], 0.9)
    folds = nodes.noise((7.0, 7.0, 15.0), 2.0, 1.6)
    coarse = nodes.bump(folds, 0.55, 0.025)
    nodes.put(nodes.shader.inputs["Normal"], nodes.bump(weave, 0.25, 0.0012, coarse))


def build_leather(nodes: Nodes, color: Rgb) -> None:
    """Leather with a fine grain, a little glossy."""
    grain = nodes.noise((600.0,) * 3, 2.0)
    nodes.put(nodes.shader.inputs["Roughness"], 0.42)
    nodes.put(nodes.shader.inputs["Normal"], nodes.bump(grain, 0.15, 0.001))
