"""A closed mesh by which a moving body is touched, divided into zones with a contact material each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .description import described


@dataclass
class ContactZone:
    """A part of a contact mesh: bonnet, windscreen, bumper. Contacts are reported under its name."""

    name: str
    material: str = described("Contact material of the model")


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
    source: str = ""
