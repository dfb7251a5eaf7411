"""A closed mesh by which a moving body is touched, divided into zones with a contact material each."""

from dataclasses import dataclass
from typing import Any

from .description import described
from .values import Vector


@dataclass
class ContactZone:
    """A part of a contact mesh: bonnet, windscreen, bumper. Contacts are reported under its name."""

    name: str
    material: str = described("Contact material of the model")
    crush: str = described(
        "Contact material towards the structure of another vehicle; empty: the same material", default=""
    )


@dataclass
class CrushBlock:
    """A strip of a vehicle's structure, by which obstacles and the contact meshes of other vehicles crush it. No
    ellipsoid (no person) touches it. Each strip has its own force: strips side by side add up.

    A contact mesh is met along the middle line of the strip, from the tip inwards, and pushes along it; an obstacle by
    an ellipsoid around that line.
    """

    name: str
    tip: Vector = described("Outer end, on the surface, in the body frame", "m")
    direction: Vector = described("Outwards, in the body frame")
    reach: float = described("Length over which it can be crushed", "m", low=0, default=0.8)
    half_width: float = described("Half width of its ellipsoid", "m", low=0, default=0.3)
    half_height: float = described("Half height of its ellipsoid", "m", low=0, default=0.2)
    material: str = described("Contact material of the model: the crush curve of this strip", default="")


@dataclass
class ContactMesh:
    """A closed surface fixed to a body: ellipsoids of other actors touch it, those of its own actor pass through.

    The mesh is the core of the body: what is touched lies `depth` outside it, 0 for a mesh that is the surface
    itself. A body that sinks in deeper than it is thick would lose a mesh at the surface; it keeps one that lies
    deeper. Materials blend from zone to zone over the triangles at the border.
    """

    vertices: Any = described("(n, 3) points in the body frame", "m")
    triangles: Any = described("(m, 3) vertex numbers, counter-clockwise seen from outside")
    zones: list[ContactZone] = described("Parts of the surface")
    zone_of: Any = described("(m,) number of each triangle's zone, from 0 on")
    depth: Any = described("(n,) how far outside each vertex the surface lies that is touched", "m")
    structure: list[CrushBlock] = described(
        "Strips by which it touches obstacles and contact meshes of other vehicles", factory=list
    )
    source: str = ""
