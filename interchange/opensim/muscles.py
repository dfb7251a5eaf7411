"""Muscles and wrap objects of an OpenSim file.

Curves are ours (docs/derivations.md, Muscle-tendon units): Thelen's for Thelen2003Muscle and its ancestors, the fast
Millard form for others.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...engine.spec.muscles import (
    Activation,
    Muscle,
    PathCondition,
    PathPoint,
    PathWrap,
    PointShift,
    WrapSurface,
)
from ..common.axes import Z_UP_FROM_Y_UP, clean, matrix_from_xyz, rows, z_up
from ..common.findings import Findings
from ..common.xml_tree import Node, is_true, numbers
from .document import Document, Frame, coordinate_name
from .functions import CONSTANT_ZERO, read_function
from .joints import Followed

MILLARD = ("Millard2012EquilibriumMuscle", "Millard2012AccelerationMuscle", "DeGrooteFregly2016Muscle")
THELEN = (
    "Thelen2003Muscle",
    "Thelen2003Muscle_Deprecated",
    "Schutte1993Muscle_Deprecated",
    "Delp1990Muscle_Deprecated",
)
RIGID = ("RigidTendonMuscle",)
MUSCLES = (*MILLARD, *THELEN, *RIGID)
PATH_ACTUATOR = "PathActuator"
ACTUATOR_LENGTH = 1.0
"""m: stands where a muscle has its fibre length, which has no effect on an actuator."""
SLACK = 1.0e-5
"""rad or m by which a coordinate may miss the range of a conditional point, as in OpenSim."""
WRAPS = {"WrapSphere": "sphere", "WrapCylinder": "cylinder", "WrapEllipsoid": "ellipsoid"}


@dataclass
class MuscleReader:
    """Reads muscles and the surfaces they wrap around. `values`: default values of the coordinates."""

    document: Document
    bodies: set[str]
    """Bodies that the model has."""
    ground: str | None
    """Body of the model that stands for the ground, if it has one."""
    values: dict[str, float]
    followed: dict[str, Followed]
    """Coordinates of the file that are single ones of ours."""
    findings: Findings

    def surfaces(self) -> list[WrapSurface]:
        """The wrap objects of all bodies."""
        holders = [(name, node) for name, node in self.document.bodies.items() if name in self.bodies]
        if self.ground is not None and self.document.ground is not None:
            holders.append((self.ground, self.document.ground))
        found = []
        for name, body in holders:
            holder = body.child("WrapObjectSet")
            objects = holder.child("objects") if holder is not None else None
            surfaces = [
                self._surface(name, node) for node in (objects.children if objects is not None else ())
            ]
            found += [surface for surface in surfaces if surface is not None]
        return found

    def _surface(self, body: str, node: Node) -> WrapSurface | None:
        shape = WRAPS.get(node.tag)
        if shape is None or not is_true(node.child("active"), True):
            why = "it is not active" if shape else f"a {node.tag} is not known here"
            self.findings.add("wrap object", node.name, f"left out: {why}")
            return None
        turn = Z_UP_FROM_Y_UP @ matrix_from_xyz(self.document.vector(node, "xyz_body_rotation"))
        return WrapSurface(
            node.name,
            body,
            shape,
            radius=self.document.number(node, 0.0, "radius"),
            length=self.document.number(node, 1.0, "length") if shape == "cylinder" else None,
            semi_axes=self.document.vector(node, "dimensions"),
            position=z_up(self.document.vector(node, "translation")),
            orientation=rows(clean(turn)),
        )

    # ------------------------------------------------ muscles

    def _course(self, node: Node, surfaces: set[str]) -> tuple[list[PathPoint], tuple[PathWrap, ...]] | None:
        """(Points, wraps) of a path; None, with a finding, when it hangs on what the model does not have."""
        path = node.child("GeometryPath")
        points, place_of = self._points(node, path)
        if any(point.body not in self.bodies for point in points) or len(points) < 2:
            message = "left out: a point of its path is on the ground or on a body that is left out"
            self.findings.add("muscle", node.name, message)
            return None
        return points, self._wraps(node, path, surfaces, place_of)

    def actuator(self, node: Node, surfaces: set[str]) -> Muscle | None:
        """A PathActuator, which pulls with its optimal force times its control; None when it cannot."""
        force = self.document.number(node, 1.0, "optimal_force")
        if force <= 0.0 or not self.document.is_active(node):
            self.findings.add("force", node.name, "left out: an actuator that is off or has no force")
            return None
        course = self._course(node, surfaces)
        if course is None:
            return None
        message = (
            "its control is an excitation from 0 to 1 here, and 0 until somebody sets it; it does not push"
        )
        self.findings.add("force", node.name, message)
        points, wraps = course
        return Muscle(
            node.name,
            tuple(points),
            force,
            ACTUATOR_LENGTH,
            0.0,
            wraps=wraps,
            form="actuator",
            tendon="rigid",
            damping=0.0,
        )

    def muscle(self, node: Node, surfaces: set[str]) -> Muscle | None:
        """One muscle; None when it hangs on what the model does not have."""
        course = self._course(node, surfaces)
        if course is None:
            return None
        points, wraps = course
        number = self.document.number
        rigid = node.tag in RIGID or is_true(self.document.property(node, "ignore_tendon_compliance"), False)
        slack = number(node, 0.2, "tendon_slack_length")
        thelen = node.tag in THELEN
        self._note(node, thelen)
        return Muscle(
            node.name,
            tuple(points),
            number(node, 1000.0, "max_isometric_force"),
            number(node, 0.1, "optimal_fiber_length"),
            slack,
            float(np.degrees(number(node, 0.0, "pennation_angle_at_optimal", "pennation_angle"))),
            self._speed(node),
            wraps,
            "thelen" if thelen else "millard",
            "rigid" if rigid or slack == 0.0 else "elastic",
            activation=Activation(
                rise_time=number(node, 0.015 if thelen else 0.01, "activation_time_constant"),
                fall_time=number(node, 0.05 if thelen else 0.04, "deactivation_time_constant"),
                minimum=number(node, 0.01, "minimum_activation"),
            ),
            damping=0.1 if thelen else number(node, 0.1, "fiber_damping"),
        )

    def _speed(self, node: Node) -> float:
        """Optimal lengths a second; 10, which is OpenSim's default, where the file has nothing usable."""
        speed = self.document.number(node, 10.0, "max_contraction_velocity", "Vmax")
        if speed > 0.0:
            return speed
        self.findings.add(
            "muscle", node.name, "its largest speed is 0 in the file: 10 lengths a second taken"
        )
        return 10.0

    def _note(self, node: Node, thelen: bool) -> None:
        curves = "Thelen's curves with our constants" if thelen else "the fast Millard curves"
        self.findings.add("muscle", node.name, f"its force follows {curves}, not those in the file")
        if not self.document.is_active(node):
            self.findings.add("muscle", node.name, "it is switched off in the file; here it acts")

    def _points(self, muscle: Node, path: Node | None) -> tuple[list[PathPoint], dict[int, int]]:
        """(Points of the path, place in the file to place in the path), counted from 0."""
        holder = path.child("PathPointSet") if path is not None else None
        objects = holder.child("objects") if holder is not None else None
        nodes = list(objects.children) if objects is not None else []
        points, place_of = [], {}
        for place, node in enumerate(nodes):
            condition = None
            if node.tag == "ConditionalPathPoint":
                is_end = place in (0, len(nodes) - 1)
                condition = None if is_end else self._condition(node)
                if condition is None and not self._holds(muscle, node):
                    continue
            place_of[place] = len(points)
            points.append(replace(self._point(muscle, node), when=condition))
        return points, place_of

    def _point(self, muscle: Node, node: Node) -> PathPoint:
        """One point, with what moves it."""
        frame = self.document.frame_of(node, "socket_parent_frame", "socket_body", "body")
        frame = frame if frame.body is not None else replace(frame, body=self.ground)
        local, shifts = self.document.vector(node, "location"), ()
        if node.tag == "MovingPathPoint":
            local, shifts = self._moved(muscle, node, frame)
        position = frame.pose[:3, :3] @ np.array(local) + frame.pose[:3, 3]
        return PathPoint(frame.body, z_up(position), shifts=shifts)

    def _condition(self, node: Node) -> PathCondition | None:
        """When a conditional point is on the path; None where its coordinate is none of a single axis here."""
        own = self.followed.get(self._coordinate(node, "coordinate"))
        given = node.child("range")
        if own is None or given is None:
            return None
        low, high = sorted(own.typed(value) for value in numbers(given, 2))
        return PathCondition(own.joint, own.axis, low, high)

    def _coordinate(self, node: Node, tag: str) -> str:
        return coordinate_name(self.document.text(node, f"socket_{tag}", tag))

    def _holds(self, muscle: Node, node: Node) -> bool:
        """Whether a conditional point is on the path at the default values."""
        message = (
            "points that come and go with a coordinate that does not move here are as at its default value"
        )
        self.findings.add("muscle", muscle.name, message)
        name = self._coordinate(node, "coordinate")
        given = node.child("range")
        low, high = numbers(given, 2) if given is not None else (-np.inf, np.inf)
        return name not in self.values or low - SLACK <= self.values[name] <= high + SLACK

    def _moved(self, muscle: Node, node: Node, frame: Frame) -> tuple[list[float], tuple[PointShift, ...]]:
        """Where a moving point is at the default values, and what moves it from there."""
        local, shifts = [], []
        for k, axis in enumerate("xyz"):
            name = self._coordinate(node, f"{axis}_coordinate")
            function = read_function(node.child(f"{axis}_location")) or CONSTANT_ZERO
            own = self.followed.get(name)
            constant = function.line is not None and function.line[0] == 0.0
            at_default = function(self.values.get(name, 0.0))
            local.append(at_default)
            if own is not None and not constant:
                terms, points = own.function(function.lowered(at_default))
                direction = z_up(frame.pose[:3, :3] @ np.eye(3)[k])
                shifts.append(PointShift(direction, own.joint, own.axis, terms, points))
            elif not constant:
                message = (
                    "points that move with a coordinate that does not move here are held at its default value"
                )
                self.findings.add("muscle", muscle.name, message)
        return local, tuple(shifts)

    def _wraps(
        self, muscle: Node, path: Node, surfaces: set[str], place_of: dict[int, int]
    ) -> tuple[PathWrap, ...]:
        holder = path.child("PathWrapSet")
        objects = holder.child("objects") if holder is not None else None
        wraps = []
        for node in objects.children if objects is not None else ():
            name = self.document.text(node, "wrap_object")
            if name not in surfaces:
                self.findings.add("muscle", muscle.name, "it does not wrap over what is left out")
                continue
            wraps.append(PathWrap(name, self._segment(muscle, node, place_of), self._side(name)))
        return tuple(wraps)

    def _segment(self, muscle: Node, node: Node, place_of: dict[int, int]) -> int | None:
        """The stretch to which the range of a wrap (points from 1; -1: all) confines it."""
        given = node.child("range")
        first, last = (int(value) for value in numbers(given, 2)) if given is not None else (-1, -1)
        if first < 1 or last < 1:
            return None
        if last - first == 1 and first - 1 in place_of and last - 1 in place_of:
            return place_of[first - 1]
        return None

    def _side(self, surface: str) -> tuple[float, float, float] | None:
        """Direction of the quadrant that a wrap object is confined to, in its own axes."""
        node = self.document.wrap_objects.get(surface)
        word = self.document.text(node, "quadrant").lower().lstrip("+")
        axis = word.lstrip("-")
        if axis not in ("x", "y", "z"):
            return None
        sign = -1.0 if word.startswith("-") else 1.0
        return tuple(sign if axis == name else 0.0 for name in "xyz")
