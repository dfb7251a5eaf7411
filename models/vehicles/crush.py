"""What vehicles do to each other and to walls: strips of structure around the body, each with a linear crush curve.

By Campbell (1974) and CRASH3 the force per width of a face that is crushed by C is A + B C. With x = C + A / B, the
crush and what springs back, that is B x: a line from zero, whose area is the energy absorbed, B C^2 / 2 + A C + A^2 /
(2 B). So a strip of width w has the curve F = B w x. docs/derivations.md, Vehicle against vehicle.

Of two vehicles the strips of the first in the scenario touch the contact mesh of the second, whose zones have the curve
of the same width: the two curves act in series.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps

import numpy as np

from ...engine.spec import ContactMesh, CrushBlock, Curve, Material, Model, Vehicle
from .barrier_tests import front_stiffness
from .classes import MASSES

STRIP = 0.30
"""m: width that one strip stands for."""
REACH = 0.80
"""m: half length of a strip of front and rear; it holds until crushed so far."""
WIDE, TALL = 0.45, 0.20
"""m: half width and half height of a strip at most. Strips overlap, so that a pole between two meets both."""
FULL_CRUSH = 1.6
"""m: where the curves end."""
FRICTION = 0.5
"""Sheet metal that interlocks; assumed."""
POUND_PER_INCH_2 = 6894.76
"""N/m2."""
LOW_RESTITUTION, RESTITUTION = 0.3, 0.1
"""0.2 to 0.4 at speed changes of 2 to 5 mph, about 0.1 at medium and high speed: SAE 931842, abstract, as read."""
LOW_SPEED = 5.0 * 0.44704
"""m/s: the speed change up to which the first holds; above, the energy given back stays the same until the ratio has
come down to the second."""


SIDE = 50.0
"""lb/in2, B of a side: CRASH3 User's Guide and Technical Manual, NHTSA 1981, category 4 (cars of the 1970s with a
wheelbase up to 2.985 m), as its sample run has it; read where the repository Locus repeats that run
(docs on stiffness). For other classes assumed."""
REAR_BY_WHEELBASE = ((2.408, 38.0), (2.581, 41.0), (2.804, 44.0), (2.985, 13.0), (np.inf, 70.0))
"""Wheelbase (m) up to which a category of cars reaches, and B of its rear (lb/in2): the same manual, from memory,
unverified."""
REAR_OF_VANS = 55.0
"""lb/in2: the same manual, vans, from memory, unverified."""
LIKE_VANS = ("van", "truck", "bus")
"""Classes with the rear of vans, in proportion to the mass; of truck and bus assumed."""
SOURCES = {
    "front": "Median of NHTSA's barrier tests (model years 2004 to 2025), in proportion to the mass",
    "side": "CRASH3 (NHTSA 1981), category 4, as quoted; for other classes, and in proportion to the mass, assumed",
    "rear": "CRASH3 (NHTSA 1981) by wheelbase or class, from memory, unverified; in proportion to the mass, assumed",
}
"""Where the stiffness of each face comes from."""
SOURCE = f"Crush of {'. '.join(f'{face}: {text}' for face, text in SOURCES.items())}. Restitution: SAE 931842, abstract"
FACES = ("front", "side", "rear")
FACE_OF_ZONE = {"rear": "rear", "side": "side", "roof": "side", "underbody": "side", "pillar": "side"}
"""Zone to the face whose crush curve it has; all else is front. Roof, underbody and pillar: like the side, assumed."""


def material_name(face: str) -> str:
    """Name of the crush material of a face."""
    return f"crush_{face}"


def rear_stiffness(vehicle: Vehicle) -> float:
    """lb/in2, B of the rear of a vehicle's class, or of the category of its wheelbase."""
    if vehicle.kind in LIKE_VANS:
        return REAR_OF_VANS
    return next(b for limit, b in REAR_BY_WHEELBASE if vehicle.wheelbase <= limit)


def strip_stiffness(vehicle: Vehicle, mass: float, face: str) -> float:
    """N/m of one strip of a face; all strips across the front or the rear together have the stiffness of the whole.

    In proportion to the mass: vehicles of a class crush alike against a wall at the same speed. Over all vehicles mass
    and stiffness go together poorly (Nusholtz et al. 2005, ESV 05-0413, abstract as read).
    """
    if face == "front":
        return front_stiffness(vehicle.kind, mass) / strips_across(vehicle.width)
    b = (SIDE if face == "side" else rear_stiffness(vehicle)) * POUND_PER_INCH_2
    width = STRIP if face == "side" else vehicle.width / strips_across(vehicle.width)
    return b * width * mass / MASSES[vehicle.kind]


def strips_across(width: float) -> int:
    """How many strips stand for a width (m)."""
    return max(2, round(width / STRIP))


def unloading_curve(stiffness: float, low: float) -> Curve:
    """Unloading whose area is LOW_RESTITUTION squared of that of the line of `stiffness` up to the depth `low`, stays
    the same until that is RESTITUTION squared, and is that share from there on."""
    step = 1e-4
    until = low * LOW_RESTITUTION / RESTITUTION
    force, later = LOW_RESTITUTION**2 * stiffness, RESTITUTION**2 * stiffness
    points = [(0.0, 0.0), (low, force * low), (low + step, 0.0), (until, 0.0)]
    points += [(until + step, later * (until + step)), (FULL_CRUSH, later * FULL_CRUSH)]
    return tuple((round(x, 6), round(y, 3)) for x, y in points)


def crush_materials(vehicle: Vehicle, mass: float) -> list[Material]:
    """Materials of one strip of each face."""
    made = []
    for face in FACES:
        k = strip_stiffness(vehicle, mass, face)
        whole = k * strips_across(vehicle.width)
        low = LOW_SPEED * float(np.sqrt(mass / whole))  # depth of a wall struck at this speed
        made.append(
            Material(
                material_name(face),
                loading=((0.0, 0.0), (FULL_CRUSH, round(k * FULL_CRUSH, 1))),
                unloading=unloading_curve(k, low),
                static_friction=FRICTION,
                source=f"One strip of {STRIP:g} m, {k / 1000.0:.0f} kN/m. {SOURCES[face]}. Friction assumed",
            )
        )
    return made


def skin_points(mesh: ContactMesh) -> np.ndarray:
    """(n, 3) vertices of a contact mesh moved out to what is touched."""
    points, triangles = np.array(mesh.vertices, dtype=float), np.array(mesh.triangles, dtype=int)
    faces = points[triangles]
    areas = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], areas)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
    return points + np.array(mesh.depth, dtype=float)[:, None] * normals


def structure(vehicle: Vehicle, mesh: ContactMesh) -> list[CrushBlock]:
    """Strips around a vehicle at the height of its bumper, their tips on what is touched of its mesh."""
    skin = skin_points(mesh)
    band = skin[np.abs(skin[:, 2] - vehicle.bumper_height) < TALL]
    if len(band) < 8:
        return []
    (back, right), (front, left) = (band[:, :2].min(axis=0), band[:, :2].max(axis=0))
    reach = min(REACH, (front - back) / 5.0)
    blocks = []
    for face, along, low, high, deep in (
        ("front", 1, right, left, reach),
        ("rear", 1, right, left, reach),
        ("left", 0, back + reach, front - reach, (left - right) / 4.0),
        ("right", 0, back + reach, front - reach, (left - right) / 4.0),
    ):
        # strips of the side end where those of front and rear do, or they would be crushed with them
        way = 1.0 if face in ("front", "left") else -1.0
        count = strips_across(high - low)
        for i in range(count):
            at = low + (high - low) / count * (i + 0.5)
            near = band[np.abs(band[:, along] - at) < STRIP / 2.0]
            if not len(near):
                continue
            place = np.full(3, vehicle.bumper_height)
            place[along], place[1 - along] = at, way * (way * near[:, 1 - along]).max()
            out = np.zeros(3)
            out[1 - along] = way
            wide = min(WIDE, at - low, high - at)
            blocks.append(_block(face, i, place, out, (deep, wide, vehicle.bumper_height - 0.12)))
    return blocks


def _block(face: str, number: int, tip: np.ndarray, out: np.ndarray, size: tuple) -> CrushBlock:
    material = material_name(face if face in FACES else "side")
    sizes = (float(size[0]), float(size[1]), min(TALL, float(size[2])))
    place = tuple(round(float(value), 4) for value in tip)
    rounded = (round(value, 4) for value in sizes)
    return CrushBlock(f"{face}_{number + 1}", place, tuple(out.tolist()), *rounded, material)


def add_structure(model: Model) -> Model:
    """Give the contact mesh of a vehicle's body strips of structure, its zones a crush material; in place."""
    body = next((body for body in model.bodies if body.surface is not None), None)
    if model.vehicle is None or body is None:
        return model
    mass = sum(part.mass for part in model.bodies)
    zones = [
        replace(zone, crush=material_name(FACE_OF_ZONE.get(zone.name, "front")))
        for zone in body.surface.zones
    ]
    blocks = structure(model.vehicle, body.surface)
    body.surface = replace(body.surface, zones=zones, structure=blocks)
    known = {material_name(face) for face in FACES}
    model.materials = [m for m in model.materials if m.name not in known]
    model.materials += crush_materials(model.vehicle, mass)
    model.sources = [*(s for s in model.sources if s != SOURCE), SOURCE]
    return model


def with_structure(build: Callable[..., Model]) -> Callable[..., Model]:
    """The builder of a vehicle, which then has strips of structure."""

    @wraps(build)
    def made(*args, **kwargs) -> Model:
        return add_structure(build(*args, **kwargs))

    return made
