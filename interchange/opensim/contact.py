"""Contact spheres, half spaces and their materials.

OpenSim's Hunt-Crossley force between a sphere of radius R and a plane of the same material is, in Simbody,
4/3 sqrt(R) E d1^(3/2) for the part d1 of the depth that each side takes; so each side is a material of ours with
stiffness 4/3 sqrt(R) E and exponent 3/2, and the two are in series as in Simbody. Friction is Hollars' law; two
coefficients combine by their harmonic mean.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...engine import spec
from ...engine.maths.rotations import zyx_from_matrix
from ..common.axes import matrix_from_xyz, turned_z_up, vector3, z_up
from ..common.findings import Findings
from ..common.xml_tree import Node, words
from .document import Document

FRAME_TAGS = ("socket_frame", "socket_frame_connectee_name", "body_name")


@dataclass(frozen=True)
class Surface:
    """Parameters of a contact force for one geometry: stiffness E (N/m2, in the sense of Simbody), the rest as ours."""

    stiffness: float
    dissipation: float
    static_friction: float
    dynamic_friction: float
    viscous_friction: float
    transition_velocity: float


class ContactReader:
    """Reads contact geometry into bodies, materials, obstacles and settings."""

    def __init__(self, document: Document, findings: Findings) -> None:
        self.document, self.findings = document, findings
        self.surfaces = dict(self._surfaces())

    def _surfaces(self) -> Iterator[tuple[str, Surface]]:
        """(Geometry name, its parameters) for every contact force that acts."""
        for force in self.document.objects("ForceSet"):
            if force.tag == "HuntCrossleyForce" and self.document.is_active(force):
                speed = self.document.number(force, 0.1, "transition_velocity")
                for node in force.walk():
                    if node.tag == "HuntCrossleyForce::ContactParameters":
                        surface = self._parameters(node, speed)
                        geometry = node.child("geometry")
                        yield from (
                            (name, surface) for name in (words(geometry) if geometry is not None else ())
                        )
            elif force.tag == "SmoothSphereHalfSpaceForce" and self.document.is_active(force):
                self.findings.add("contact force", force.name, "it is not smoothed here: plain Hunt-Crossley")
                surface = self._parameters(force, self.document.number(force, 0.2, "transition_velocity"))
                for tag in ("socket_sphere", "socket_half_space"):
                    yield self.document.text(force, tag).rsplit("/", 1)[-1], surface

    def _parameters(self, node: Node, speed: float) -> Surface:
        number = self.document.number
        return Surface(
            number(node, 0.0, "stiffness"),
            number(node, 0.0, "dissipation"),
            number(node, 0.0, "static_friction"),
            number(node, 0.0, "dynamic_friction"),
            number(node, 0.0, "viscous_friction"),
            speed,
        )

    def add_to(self, model: spec.Model, settings: spec.Settings, outside: Findings) -> list[spec.Obstacle]:
        """Give the bodies their spheres, the model its materials, the settings their friction; returns the planes."""
        bodies = {body.name: body for body in model.bodies}
        obstacles, radii = [], []
        geometries = self.document.objects("ContactGeometrySet")
        for node in geometries:
            frame = self.document.frame_of(node, *FRAME_TAGS)
            if node.tag == "ContactSphere" and frame.body in bodies:
                radii.append(self.document.number(node, 0.0, "radius"))
                bodies[frame.body].ellipsoids.append(self._sphere(node, frame.pose, model))
        for node in geometries:
            frame = self.document.frame_of(node, *FRAME_TAGS)
            if node.tag == "ContactHalfSpace" and frame.body is None:
                obstacles.append(self._plane(node, frame.pose, radii))
                outside.add(
                    "contact geometry", node.name, "it stands still: part of the scenario, not of the model"
                )
            elif node.tag != "ContactSphere" or frame.body not in bodies:
                self.findings.add("contact geometry", node.name, f"left out: a {node.tag} here")
        used = list(self.surfaces.values())
        if used:
            settings.friction_law, settings.friction_rule = "hollars", "harmonic"
            settings.friction_velocity = used[0].transition_velocity
        return obstacles

    def _material(self, name: str, radius: float) -> spec.Material | None:
        surface = self.surfaces.get(name)
        if surface is None or surface.stiffness <= 0.0 or radius <= 0.0:
            return None
        return spec.Material(
            name,
            "hunt_crossley",
            stiffness=4.0 / 3.0 * float(np.sqrt(radius)) * surface.stiffness,
            exponent=1.5,
            damping=surface.dissipation,
            static_friction=surface.static_friction,
            dynamic_friction=surface.dynamic_friction,
            viscous_friction=surface.viscous_friction,
        )

    def _sphere(self, node: Node, pose: np.ndarray, model: spec.Model) -> spec.Ellipsoid:
        radius = self.document.number(node, 0.0, "radius")
        if not radius > 0.0:
            raise node.error(f"contact sphere '{node.name}' has no radius above 0", "Give it one, in metres")
        place = pose[:3, :3] @ np.array(self.document.vector(node, "location")) + pose[:3, 3]
        material = self._material(node.name, radius)
        if material is None:
            self.findings.add(
                "contact geometry", node.name, "no contact force names it: it has our default material"
            )
            return spec.Ellipsoid(node.name, (radius,) * 3, z_up(place))
        alike = next((m for m in model.materials if replace(m, name="") == replace(material, name="")), None)
        if alike is None:
            model.materials.append(material)
        return spec.Ellipsoid(node.name, (radius,) * 3, z_up(place), material=(alike or material).name)

    def _plane(self, node: Node, pose: np.ndarray, radii: list[float]) -> spec.Obstacle:
        """A half space fills x > 0 of its frame, so its surface looks along minus x."""
        turn = pose[:3, :3] @ matrix_from_xyz(self.document.vector(node, "orientation"))
        place = pose[:3, :3] @ np.array(self.document.vector(node, "location")) + pose[:3, 3]
        # our plane looks along its own z, which is their y: turn theirs so that its y is minus x
        facing = turned_z_up(turn @ np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
        if len(set(radii)) > 1:
            message = "its stiffness is that towards a sphere of the mean radius; in the file it goes by each sphere"
            self.findings.add("contact geometry", node.name, message)
        material = self._material(node.name, float(np.mean(radii)) if radii else 0.0)
        angles = vector3(zyx_from_matrix(facing))
        return spec.Obstacle(node.name, "plane", z_up(place), angles, material=material)
