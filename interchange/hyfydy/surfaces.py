"""Materials, contact geometry and meshes of a Hyfydy file in our terms.

Contact force: the manual prints F = k d^(3/2) (1 - 3/2 c v), but its conversion to and from OpenSim's stiffness and its
rule for two materials, k1 k2 / (k1 + k2), hold for F = (k d)^(3/2) (1 - 3/2 c v) only, and files of Hyfydy (stiffness
11006.4 for a foot of OpenSim's 5e6) are in that unit. So our stiffness is k^(3/2) with exponent 3/2; two such surfaces
in series give Hyfydy's rule exactly.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...engine import spec
from ...engine.maths.rotations import quaternion_from_matrix, zyx_from_matrix
from ...io_json.errors import FileError
from ..common import solids
from ..common.axes import (
    Z_UP_FROM_Y_UP,
    clean,
    matrix_from_unit_quaternion,
    neat,
    rows,
    turned_z_up,
    vector3,
    z_up,
)
from ..common.findings import Findings
from .components import Body, Geometry, HyfydyModel, Material, Mesh, Shape
from .kept import KEPT
from .text import syntax_error
from .values import Quaternion

APPROXIMATED = "its contact surface is an ellipsoid of the same extent: our bodies have no {}"


def rotation_z_up(quaternion: Quaternion) -> np.ndarray:
    """(3, 3) rotation of a quaternion in the file, between our frames."""
    return turned_z_up(matrix_from_unit_quaternion(quaternion))


def file_quaternion(turn: np.ndarray) -> Quaternion:
    """Quaternion of a (3, 3) rotation between frames of the file."""
    return tuple(float(value) + 0.0 for value in quaternion_from_matrix(clean(turn)))


def size(shape: Shape | Geometry, key: str) -> float:
    """A positive measure of a shape. Raises `FileError`."""
    value = getattr(shape, key)
    if value is None or not value > 0.0:
        raise syntax_error(f"this {shape.type} has no {key} above 0", shape.place, f"Give {key}, in metres")
    return value


def box_size(shape: Shape | Geometry) -> tuple[float, float, float]:
    """Edge lengths of a box in the file's axes."""
    if shape.dim is None or not min(shape.dim) > 0.0:
        raise syntax_error("this box has no dim above 0", shape.place, "Give dim = [ x y z ], in metres")
    return shape.dim


def unknown_shape(shape: Shape | Geometry, known: str) -> FileError:
    """The error for a type that is not in the manual."""
    return syntax_error(f"unknown shape '{shape.type}'", shape.place, f"Use one of {known}")


def mass_of_shape(shape: Shape | Geometry, density: float) -> solids.MassProperties:
    """Mass (kg) and principal moments (kg m2) in the file's axes."""
    if shape.type == "sphere":
        return solids.sphere(density, size(shape, "radius"))
    if shape.type in ("cylinder", "capsule"):
        make: Callable = solids.cylinder if shape.type == "cylinder" else solids.capsule
        return make(density, size(shape, "radius"), size(shape, "height"))
    if shape.type == "box":
        return solids.box(density, box_size(shape))
    raise unknown_shape(shape, "sphere, cylinder, capsule, box")


def mass_and_inertia(body: Body, density: float) -> solids.MassProperties:
    """Mass (kg) and principal moments (kg m2) of a body, from whichever properties the file gives."""
    if body.mass is not None and body.inertia is not None:
        return body.mass, body.inertia
    shape = body.shape or body.first_geometry
    if shape is None and body.mass == 0.0:
        return 0.0, (0.0, 0.0, 0.0)
    if shape is None:
        remedy = "Give mass and inertia, or density and shape"
        raise syntax_error(f"body '{body.name}' has no mass properties", body.place, remedy)
    mass, moments = mass_of_shape(shape, density if body.density is None else body.density)
    if body.mass is None:
        return mass, moments
    return body.mass, tuple(moment * body.mass / mass for moment in moments)


# ---------------------------------------------------------------- materials


def material_spec(material: Material, linear: bool = False) -> spec.Material:
    """Our material of a Hyfydy one: Hunt-Crossley, or a linear spring and damper for contact_force_pd."""
    law = {"law": "hunt_crossley", "stiffness": material.stiffness**1.5, "exponent": 1.5}
    if linear:
        law = {"law": "linear", "stiffness": material.stiffness}
    return spec.Material(
        material.name,
        **law,
        damping=material.damping,
        static_friction=material.static_friction,
        dynamic_friction=material.dynamic_friction,
    )


def pair_material(first: Material, second: Material, linear: bool) -> spec.Material:
    """Contact law of two materials that meet: k1 k2 / (k1 + k2), and half the sum of the dampings (manual, 3.2.2)."""
    total = first.stiffness + second.stiffness
    stiffness = first.stiffness * second.stiffness / total if total > 0.0 else 0.0
    both = replace(
        first,
        name=f"{first.name} on {second.name}",
        stiffness=stiffness,
        damping=0.5 * (first.damping + second.damping),
    )
    return replace(material_spec(both, linear), static_friction=None, dynamic_friction=None)


def material_component(material: spec.Material, findings: Findings) -> Material:
    """A Hyfydy material; laws it does not have are approximated."""
    # the cube root is right to the last digit, a power of 2/3 is not
    stiffness = float(np.cbrt(material.stiffness)) ** 2
    if material.law == "curve":
        stiffness = _curve_stiffness(material.loading)
    elif material.exponent != 1.5 or material.law == "linear":
        stiffness = _matching_stiffness(material)
    if material.law != "hunt_crossley" or material.exponent != 1.5:
        message = f"the law '{material.law}' became Hunt-Crossley of like stiffness"
        findings.add("material", material.name, message)
    friction = 1.0 if material.static_friction is None else material.static_friction
    if material.static_friction is None:
        findings.add("material", material.name, "it has no friction of its own; Hyfydy's default of 1 holds")
    return Material(
        name=material.name,
        static_friction=friction,
        dynamic_friction=material.dynamic_friction,
        stiffness=neat(stiffness),
        damping=material.damping,
    )


MATCHED_DEPTH = 0.01
"""m of penetration at which another law and Hunt-Crossley with exponent 3/2 have the same force."""


def _matching_stiffness(material: spec.Material) -> float:
    exponent = 1.0 if material.law == "linear" else material.exponent
    force = material.stiffness * MATCHED_DEPTH**exponent
    return float(np.cbrt(force)) ** 2 / MATCHED_DEPTH


def _curve_stiffness(curve: spec.Curve) -> float:
    """k of (k d)^(3/2) that stores the same energy as the curve at its last point: 2/5 k^(3/2) d^(5/2)."""
    if len(curve) < 2:
        return 1.0e6
    depth, force = (np.array(column, dtype=float) for column in zip(*curve, strict=True))
    energy = float(np.sum(np.diff(depth) * (force[1:] + force[:-1]) / 2.0))
    return (2.5 * energy / depth[-1] ** 2.5) ** (2.0 / 3.0) if energy > 0.0 else 1.0e6


def default_material(model: HyfydyModel) -> Material:
    """The material of geometry that names none: the first of the model, or the manual's defaults."""
    return model.materials[0] if model.materials else Material(name="default")


# ---------------------------------------------------------------- contact geometry


def ellipsoid_of(geometry: Geometry, material: str, findings: Findings) -> spec.Ellipsoid | None:
    """The surface of a body; None for a plane, which no moving body of ours can carry."""
    if geometry.type == "sphere":
        radius = size(geometry, "radius")
        semi_axes = (radius, radius, radius)
    elif geometry.type in ("capsule", "cylinder"):
        radius, half = size(geometry, "radius"), size(geometry, "height") / 2.0
        semi_axes = (radius, radius, half + radius if geometry.type == "capsule" else half)
    elif geometry.type == "box":
        x, y, z = box_size(geometry)
        semi_axes = (x / 2.0, z / 2.0, y / 2.0)
    elif geometry.type == "plane":
        findings.add("geometry", geometry.name, "left out: a plane on a body that moves")
        return None
    else:
        raise unknown_shape(geometry, "sphere, capsule, box, plane")
    kept = {}
    if geometry.type != "sphere":
        findings.add("geometry", geometry.name, APPROXIMATED.format(geometry.type))
        kept[KEPT] = geometry.type
    orientation = rows(rotation_z_up(geometry.ori))
    return spec.Ellipsoid(
        geometry.name, semi_axes, z_up(geometry.pos), orientation, material=material, extras=kept
    )


def obstacle_of(
    geometry: Geometry, base: np.ndarray, material: spec.Material, velocity: spec.Vector = (0.0, 0.0, 0.0)
) -> spec.Obstacle:
    """A surface that stands still, while it may run as a belt does. `base`: (4, 4) pose of its body in our world;
    `velocity`: of that body, in the file's axes (m/s)."""
    turn = base[:3, :3] @ rotation_z_up(geometry.ori)
    place = base[:3, :3] @ z_up(geometry.pos) + base[:3, 3]
    half_size = (0.5, 0.5, 0.5)
    if geometry.type == "plane":
        turn = _facing(turn @ z_up(_normal(geometry)))
    elif geometry.type == "box":
        x, y, z = box_size(geometry)
        half_size = (x / 2.0, z / 2.0, y / 2.0)
    elif geometry.type in ("sphere", "capsule", "cylinder"):
        radius = size(geometry, "radius")
        half_size = (radius, radius, 0.0 if geometry.type == "sphere" else size(geometry, "height") / 2.0)
    else:
        raise unknown_shape(geometry, "sphere, capsule, box, plane")
    shape = geometry.type if geometry.type in ("plane", "box") else "capsule"
    angles = vector3(zyx_from_matrix(turn))
    position = vector3(place)
    return spec.Obstacle(
        geometry.name, shape, position, angles, half_size, material=material, belt_velocity=z_up(velocity)
    )


def _normal(geometry: Geometry) -> np.ndarray:
    normal = np.array((0.0, 1.0, 0.0) if geometry.normal is None else geometry.normal)
    length = np.linalg.norm(normal)
    if not length > 1e-9:
        raise syntax_error("the normal of this plane has no length", geometry.place, "Give a direction")
    return normal / length


def _facing(normal: np.ndarray) -> np.ndarray:
    """(3, 3) rotation whose z axis is `normal`."""
    across = np.eye(3)[int(np.argmin(np.abs(normal)))]
    x = np.cross(across, normal)
    x /= np.linalg.norm(x)
    if abs(normal[2] - 1.0) < 1e-12:
        return np.eye(3)
    return clean(np.stack([x, np.cross(normal, x), normal], axis=1))


def geometry_component(
    ellipsoid: spec.Ellipsoid, to_file: np.ndarray, body: str, findings: Findings
) -> Geometry:
    """A geometry of Hyfydy. `to_file`: (4, 4) our body frame to the body frame of the file (with y up)."""
    a, b, c = (float(value) for value in ellipsoid.semi_axes)
    turn = to_file[:3, :3] @ np.array(ellipsoid.orientation, dtype=float)
    position = to_file[:3, :3] @ np.array(ellipsoid.position, dtype=float) + to_file[:3, 3]
    common = {
        "name": ellipsoid.name,
        "body": body,
        "material": ellipsoid.material or None,
        "pos": vector3(position),
    }
    if a == b == c:
        return Geometry(type="sphere", radius=a, ori=_file_rotation(turn), **common)
    was = ellipsoid.extras.get(KEPT)
    if was == "box":
        return Geometry(type="box", dim=(2.0 * a, 2.0 * c, 2.0 * b), ori=_file_rotation(turn), **common)
    if was in ("capsule", "cylinder") and a == b:
        height = 2.0 * (c - a) if was == "capsule" else 2.0 * c
        return Geometry(type=was, radius=a, height=neat(height), ori=_file_rotation(turn), **common)
    message = "Hyfydy has no ellipsoid: written as a capsule of the same length and cross-section"
    findings.add("ellipsoid", ellipsoid.name, message)
    return _capsule_like((a, b, c), turn, common)


def _file_rotation(turn: np.ndarray) -> Quaternion:
    """Quaternion in the file of an ellipsoid's axes (x, y, z), whose long axis z is y there."""
    return file_quaternion(turn @ Z_UP_FROM_Y_UP)


def _capsule_like(semi_axes: tuple[float, float, float], turn: np.ndarray, common: dict) -> Geometry:
    """A capsule along the longest axis; a sphere of the same volume where it would be shorter than thick."""
    longest = int(np.argmax(semi_axes))
    others = [semi_axes[(longest + k) % 3] for k in (1, 2)]
    radius = float(np.sqrt(others[0] * others[1]))
    height = 2.0 * (semi_axes[longest] - radius)
    # cyclic renaming of the axes that makes the longest one z
    order = [(longest + 1) % 3, (longest + 2) % 3, longest]
    return Geometry(
        type="capsule", radius=neat(radius), height=neat(height), ori=_file_rotation(turn[:, order]), **common
    )


# ---------------------------------------------------------------- meshes


def mesh_spec(mesh: Mesh, body: str, findings: Findings) -> spec.Mesh | None:
    """A mesh file bound to a body; drawn shapes and uneven scales have no counterpart."""
    if mesh.file is None:
        findings.add("body", body, "left out a mesh that is a shape, not a file")
        return None
    if len(set(mesh.scale)) != 1 or mesh.scale[0] <= 0.0:
        findings.add("body", body, f"left out the mesh '{mesh.file}': its scale differs by axis or mirrors")
        return None
    if mesh.color is not None:
        findings.add("body", body, "the colour of its mesh is left out")
    # the mesh file itself has y up: its axes are turned too
    turn = rotation_z_up(mesh.ori) @ Z_UP_FROM_Y_UP
    return spec.Mesh(mesh.file, z_up(mesh.pos), rows(clean(turn)), mesh.scale[0])


def mesh_component(mesh: spec.Mesh, to_file: np.ndarray) -> Mesh:
    """A mesh of Hyfydy."""
    turn = to_file[:3, :3] @ np.array(mesh.orientation, dtype=float)
    position = to_file[:3, :3] @ np.array(mesh.position, dtype=float) + to_file[:3, 3]
    return Mesh(
        file=mesh.path,
        pos=vector3(position),
        ori=file_quaternion(turn),
        scale=(float(mesh.scale),) * 3,
    )
