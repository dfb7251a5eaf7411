"""Geoms of MJCF: their mass, and the surfaces they become."""

from dataclasses import dataclass

import numpy as np

from ...engine import spec
from ...engine.maths.rotations import zyx_from_matrix
from ..common import solids
from ..common.axes import rows, transform, vector3
from ..common.findings import Findings
from ..common.xml_tree import Node
from .mjcf_values import Compiler, number, number_list, rotation_to

DENSITY = 1000.0
"""kg/m3 of a geom that states neither mass nor density."""
FRICTION = 1.0
"""Sliding friction of a geom that states none."""


@dataclass(frozen=True)
class Geom:
    """A geom in the frame of its body."""

    name: str
    kind: str
    size: tuple[float, ...]
    """Sphere: radius. Capsule and cylinder: radius, half length. Box and ellipsoid: half sizes."""
    pose: np.ndarray
    """(4, 4) geom to body"""
    mass: float
    inertia: np.ndarray
    """(3, 3) about its centre in the body's axes"""
    touches: bool
    friction: float

    @property
    def centre(self) -> np.ndarray:
        """(3,) in the body's frame."""
        return self.pose[:3, 3]


SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3, "plane": 3}


def read_geom(node: Node, compiler: Compiler, name: str) -> Geom | None:
    """A geom; None for a shape that is not known here (a mesh, a height field). Raises FileError."""
    kind = node.attributes.get("type", "sphere")
    if kind not in SIZES:
        return None
    size, pose = _size_and_pose(node, compiler, kind)
    mass, moments = _mass(node, kind, size)
    rotation = pose[:3, :3]
    touches = number(node, "contype", 1.0) != 0.0 or number(node, "conaffinity", 1.0) != 0.0
    friction = number_list(node, "friction", (1, 2, 3), (FRICTION,))[0]
    return Geom(name, kind, size, pose, mass, rotation @ np.diag(moments) @ rotation.T, touches, friction)


def _size_and_pose(node: Node, compiler: Compiler, kind: str) -> tuple[tuple[float, ...], np.ndarray]:
    """Sizes, and (4, 4) pose in the body; `fromto` gives both for long shapes."""
    count = SIZES[kind]
    if "fromto" in node.attributes and kind in ("capsule", "cylinder", "box", "ellipsoid"):
        ends = np.array(number_list(node, "fromto", (6,)))
        way = ends[3:] - ends[:3]
        half = 0.5 * float(np.linalg.norm(way))
        if not half > 0.0:
            raise node.error("fromto has two equal ends", "Give two different points")
        across = number_list(node, "size", (1, 2, 3))
        radii = (across[0], across[1] if kind in ("box", "ellipsoid") and len(across) > 1 else across[0])
        size = (*radii[: count - 1], half)
        return size, transform(rotation_to(way), 0.5 * (ends[:3] + ends[3:]))
    given = number_list(node, "size", tuple(range(count, 4)))
    if kind != "plane" and not min(given[:count]) > 0.0:
        raise node.error(f"a size of this {kind} is not above 0", "Give sizes in metres")
    return tuple(given[:count]), compiler.pose(node)


def _mass(node: Node, kind: str, size: tuple[float, ...]) -> tuple[float, np.ndarray]:
    """Mass (kg) and principal moments (kg m2) in the geom's axes."""
    if kind == "plane":
        return 0.0, np.zeros(3)
    density = number(node, "density", DENSITY)
    if kind == "sphere":
        mass, moments = solids.sphere(1.0, size[0])
    elif kind == "box":
        mass, moments = solids.box(1.0, [2.0 * half for half in size])
    elif kind == "ellipsoid":
        mass, _ = solids.sphere(1.0, float(np.cbrt(np.prod(size))))
        a, b, c = (half**2 for half in size)
        moments = tuple(mass / 5.0 * each for each in (b + c, a + c, a + b))
    else:
        make = solids.capsule if kind == "capsule" else solids.cylinder
        mass, (across, along, _) = make(1.0, size[0], 2.0 * size[1])
        moments = (across, across, along)
    wanted = number(node, "mass", density * mass)
    return wanted, np.array(moments) * wanted / mass


def ellipsoids_of(geom: Geom, findings: Findings, body: str) -> list[spec.Ellipsoid]:
    """The surface of a geom by ellipsoids of a body: exact for spheres and ellipsoids."""
    turn = rows(geom.pose[:3, :3])

    def piece(name: str, axes: tuple[float, ...], along: float = 0.0) -> spec.Ellipsoid:
        place = vector3(geom.centre + along * geom.pose[:3, 2])
        return spec.Ellipsoid(name, vector3(axes), place, orientation=turn, material=material_name(geom))

    if geom.kind == "sphere":
        return [piece(geom.name, (geom.size[0],) * 3)]
    if geom.kind == "capsule":
        radius, half = geom.size
        ends = [
            piece(f"{geom.name} {end}", (radius,) * 3, side * half)
            for end, side in (("end", 1.0), ("start", -1.0))
        ]
        findings.add("body", body, "its capsules are two spheres and an ellipsoid inside them")
        return [piece(geom.name, (radius, radius, half + radius)), *ends]
    axes = geom.size if geom.kind != "cylinder" else (geom.size[0], geom.size[0], geom.size[1])
    if geom.kind != "ellipsoid":
        findings.add("body", body, f"its {geom.kind} touches as an ellipsoid of the same extent")
    return [piece(geom.name, axes)]


def material_name(geom: Geom) -> str:
    """Materials differ by their friction only."""
    return f"friction {geom.friction:g}"


def obstacle_of(geom: Geom) -> spec.Obstacle | None:
    """A geom of the world as an obstacle; None where there is none like it."""
    if geom.kind not in ("plane", "box", "capsule"):
        return None
    half = {
        "plane": (0.5, 0.5, 0.5),
        "box": geom.size,
        "capsule": (geom.size[0], geom.size[0], geom.size[-1]),
    }
    return spec.Obstacle(
        geom.name,
        geom.kind,
        vector3(geom.centre),
        vector3(zyx_from_matrix(geom.pose[:3, :3])),
        vector3(half[geom.kind]),
    )
