"""What people and their clothes are made of, by nodes; and the neutral grey of the court look.

Textures stick to the attribute `rest`, places on the base body in metres, so that they neither swim when the body bends
nor differ between people. Colours are linear RGB. They are assumed: chosen by eye under the film's light.
"""

import bpy

from ..base.blender_version import use_nodes
from ..show.node_tree import NodeTree, Rgb

SKIN_TONES: dict[str, Rgb] = {
    "I": (0.70, 0.45, 0.34),
    "II": (0.61, 0.355, 0.245),
    "III": (0.51, 0.285, 0.185),
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
BROW_OF_LIGHT_HAIR: Rgb = (0.230, 0.180, 0.145)
"""What the brows of the lightest hair are nearly as dark as."""
RECIPE, VERSION = "mannequin_nodes", 2
"""Custom property of a material that tells which version of the nodes it has; 2 wants no attribute `solid`."""
FABRIC, GLOSSY = (
    ("upper", "lower", "inner", "pack"),
    ("eye", "iris", "pupil", "teeth", "helmet", "frame", "lens"),
)


CROWN: Rgb = (0.03, 0.0, 0.0)
"""Metres on the base body: where hair runs out from; only level distances from it count."""
STRANDS, CELLS_ALONG = 70.0, 22.0
"""Strands to the radian about the crown, and cells of noise to the metre along them."""


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
        return self.vector("MULTIPLY", self.attribute("rest"), scale)

    def noise(self, scale: Rgb, detail: float = 3.0, distortion: float = 0.0) -> bpy.types.NodeSocket:
        """Noise of so many cells to the metre along the axes, 0 to 1."""
        return self.noise_at(self.stretched(scale), 1.0, detail, distortion)

    def noise_at(
        self, places: bpy.types.NodeSocket, scale: float, detail: float, distortion: float
    ) -> bpy.types.NodeSocket:
        """Noise of so many cells to the unit of a vector, 0 to 1."""
        node = self.node("ShaderNodeTexNoise", Vector=places, Detail=detail, Distortion=distortion)
        node.inputs["Scale"].default_value = scale
        return node.outputs[0]

    def vector(self, operation: str, first: object, second: object = None, output: int = 0) -> object:
        """A sum, a product and so on of vectors."""
        node = self.tree.nodes.new("ShaderNodeVectorMath")
        node.operation = operation
        self.put(node.inputs[0], first)
        self.put(node.inputs[1], second)
        return node.outputs[output]

    def from_crown(self) -> bpy.types.NodeSocket:
        """Places on the base body as hair runs: about the crown in strands, and along them in cells of noise."""
        level = self.vector(
            "MULTIPLY", self.vector("SUBTRACT", self.attribute("rest"), CROWN), (1.0, 1.0, 0.0)
        )
        about = self.vector("SCALE", self.vector("NORMALIZE", level))
        about.node.inputs["Scale"].default_value = STRANDS
        rest = self.node("ShaderNodeSeparateXYZ", self.attribute("rest")).outputs[2]
        out = self.vector("LENGTH", level, output=1)
        run = self.calculate("MULTIPLY", self.calculate("SUBTRACT", out, rest), CELLS_ALONG)
        return self.vector("ADD", about, self.node("ShaderNodeCombineXYZ", 0.0, 0.0, run).outputs[0])

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


def brow_color(hair: Rgb) -> Rgb:
    """Colour of brows: that of the hair where it is dark, and the lighter the hair, the nearer to a grey brown.

    Brows grey later than the hair of the head, and pale ones are seen with the skin between them (assumed, by eye).
    """
    light = sum(hair) / 3.0
    share = 0.85 * min(max((light - 0.05) / 0.40, 0.0), 1.0)
    return tuple(
        (1.0 - share) * own + share * dark for own, dark in zip(hair, BROW_OF_LIGHT_HAIR, strict=True)
    )


def finish_material(finish: str, color: Rgb) -> bpy.types.Material:
    """Material of a finish in a colour, shared by all who wear it.

    One of an earlier version, whose nodes may want attributes that meshes no longer have, stays with those that wear
    it.
    """
    code = "".join(f"{round(255 * min(max(channel, 0.0), 1.0) ** (1 / 2.2)):02x}" for channel in color)
    name = f"Mannequin {finish.title()} {code}"
    found = bpy.data.materials.get(name)
    if found is not None:
        if found.get(RECIPE) == VERSION:
            return found
        found.name = f"{name} before"
    made = bpy.data.materials.new(name)
    made[RECIPE] = VERSION
    use_nodes(made)
    made.diffuse_color, made.roughness = (*(channel**0.8 for channel in color), 1.0), 0.6
    nodes = Nodes(made)
    nodes.put(nodes.shader.inputs["Base Color"], (*color, 1.0))
    nodes.put(nodes.shader.inputs["Roughness"], 0.15 if finish in GLOSSY else 0.6)
    build = {
        "skin": build_skin,
        "hair": build_hair,
        "brow": build_brow,
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
        nodes.noise((22.0,) * 3, 5.0, 0.6), times(color, (0.84, 0.70, 0.66)), times(color, (1.10, 1.12, 1.12))
    )
    fine = nodes.mixed(nodes.noise((260.0,) * 3, 2.0), times(color, 0.82), times(color, 1.12))
    base = nodes.mixed(0.35, patchy, fine)
    tint = nodes.tree.nodes.new("ShaderNodeSeparateXYZ")
    nodes.put(tint.inputs[0], nodes.attribute("tint"))
    blood = times(color, (1.0, 0.66, 0.61)) if not dark else times(color, (1.15, 0.85, 0.85))
    base = nodes.mixed(nodes.calculate("MULTIPLY", tint.outputs[2], 0.62), base, blood)
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
    """Strands from the crown outwards and down, and locks of them; both sides alike."""
    along = nodes.from_crown()
    strands = nodes.noise_at(along, 1.0, 3.0, 0.4)
    locks = nodes.noise_at(along, 0.16, 2.0, 0.8)
    both = nodes.calculate(
        "ADD", nodes.calculate("MULTIPLY", strands, 0.55), nodes.calculate("MULTIPLY", locks, 0.45)
    )
    nodes.put(nodes.shader.inputs["Base Color"], nodes.mixed(both, times(color, 0.45), times(color, 1.6)))
    nodes.put(nodes.shader.inputs["Roughness"], 0.5)
    fine = nodes.bump(strands, 0.35, 0.003)
    nodes.put(nodes.shader.inputs["Normal"], nodes.bump(locks, 0.45, 0.010, fine))


def build_brow(nodes: Nodes, color: Rgb) -> None:
    """Hairs that differ a little in colour, and hardly shine."""
    hairs = nodes.noise((900.0,) * 3, 1.0)
    nodes.put(nodes.shader.inputs["Base Color"], nodes.mixed(hairs, times(color, 0.75), times(color, 1.35)))
    nodes.put(nodes.shader.inputs["Roughness"], 0.75)
    nodes.put(nodes.shader.inputs["Specular IOR Level"], 0.15)


def build_lash(nodes: Nodes, color: Rgb) -> None:
    """Single hairs, with gaps between them."""
    hairs = nodes.noise((300.0, 2600.0, 40.0), 1.0)
    nodes.put(nodes.shader.inputs["Alpha"], nodes.calculate("GREATER_THAN", hairs, 0.50))


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
