"""Springs along paths and bushings of an OpenSim file: springs, belts and welds of ours."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...engine import spec
from ..common.axes import z_up
from ..common.findings import Findings
from ..common.xml_tree import Node
from .document import Document, Frame

ALIKE = 1e-6
"""Largest difference of the elements of two rotations that are the same."""


@dataclass
class ConnectionReader:
    """Reads what connects bodies. `poses`: (4, 4) of our bodies in the world at the start."""

    document: Document
    ground: str | None
    """Body of the model that stands for the ground, if it has one."""
    poses: Mapping[str, np.ndarray]
    findings: Findings

    def add(self, node: Node, model: spec.Model) -> None:
        """Add a PathSpring or a BushingForce to the model, or say why not."""
        if not self.document.is_active(node):
            self.findings.add("force", node.name, f"left out: a {node.tag} that is off")
        elif node.tag == "PathSpring":
            self._path_spring(node, model)
        else:
            self._bushing(node, model)

    # ------------------------------------------------ springs along paths

    def _path_spring(self, node: Node, model: spec.Model) -> None:
        points = self._points(node)
        if points is None or len(points) < 2:
            message = "left out: a spring along a path that wraps, moves, or is on a body that is left out"
            self.findings.add("force", node.name, message)
            return
        number = self.document.number
        stiffness, rest = number(node, 1.0, "stiffness"), number(node, 0.1, "resting_length")
        if number(node, 0.0, "dissipation") > 0.0:
            self.findings.add("force", node.name, "its dissipation, which grows with its force, is left out")
        if len(points) == 2:
            model.springs.append(
                spec.SpringDamper(node.name, *points, stiffness, 0.0, rest, tension_only=True)
            )
            return
        places = [self._place(point) for point in points]
        length = sum(float(np.linalg.norm(b - a)) for a, b in zip(places, places[1:], strict=False))
        if length > rest:
            message = "left out: a spring over several points that is stretched at the start"
            self.findings.add("force", node.name, message)
            return
        slip = [False, *[True] * (len(points) - 2), False]
        model.belts.append(spec.Belt(node.name, points, slip, stiffness * rest, slack=rest - length))

    def _points(self, node: Node) -> list[spec.Point] | None:
        """Points of a path of fixed points; None for any other."""
        path = node.child("GeometryPath")
        holder = path.child("PathPointSet") if path is not None else None
        objects = holder.child("objects") if holder is not None else None
        wraps = path.child("PathWrapSet") if path is not None else None
        wrapped = wraps.child("objects") if wraps is not None else None
        nodes = list(objects.children) if objects is not None else []
        if (wrapped is not None and wrapped.children) or any(n.tag != "PathPoint" for n in nodes):
            return None
        tags = ("socket_parent_frame", "socket_body", "body")
        points = [
            self._on(self.document.frame_of(n, *tags), self.document.vector(n, "location")) for n in nodes
        ]
        return None if None in points else points

    def _on(self, frame: Frame, local: tuple[float, ...]) -> spec.Point | None:
        """A point of a body of ours or of the world; None where the body is left out."""
        place = z_up(frame.pose[:3, :3] @ np.array(local) + frame.pose[:3, 3])
        body = frame.body or self.ground
        return spec.Point(place, body) if body is None or body in self.poses else None

    def _pose(self, body: str | None) -> np.ndarray:
        return np.eye(4) if body is None else self.poses[body]

    def _place(self, point: spec.Point) -> np.ndarray:
        pose = self._pose(point.body)
        return pose[:3, :3] @ np.array(point.position) + pose[:3, 3]

    # ------------------------------------------------ bushings

    def _bushing(self, node: Node, model: spec.Model) -> None:
        """A weld with the bushing's stiffness, where that is the same along all axes."""
        holder = node.child("frames")
        own = {frame.name: frame for frame in (holder.children if holder is not None else ())}
        names = [self.document.text(node, f"socket_frame{k}", f"body_{k}", f"body{k}") for k in "12"]
        frames = [self.document.frame(name, node, own) for name in names]
        ends = [self._on(frame, (0.0, 0.0, 0.0)) for frame in frames]
        if None in ends:
            self.findings.add("force", node.name, "left out with the body it holds")
            return
        if node.child("location_body_1") is not None:
            self.findings.add("force", node.name, "left out: a bushing of a file before OpenSim 4")
            return
        gains = [
            self._mean(node, f"{kind}_{what}")
            for kind, what in (
                ("translational", "stiffness"),
                ("translational", "damping"),
                ("rotational", "stiffness"),
                ("rotational", "damping"),
            )
        ]
        if not self._aligned(ends, frames):
            message = "its frames are turned against each other at the start, which is its rest here"
            self.findings.add("force", node.name, message)
        model.welds.append(spec.Weld(node.name, *ends, *gains))

    def _mean(self, node: Node, tag: str) -> float:
        """Mean of three numbers, with a finding where they differ."""
        values = self.document.vector(node, tag)
        if len(set(values)) > 1:
            self.findings.add(
                "force", node.name, "it is alike along all axes here, with the mean of the file's"
            )
        return float(np.mean(values))

    def _aligned(self, ends: list[spec.Point], frames: list[Frame]) -> bool:
        """Whether two frames have the same axes at the start (compared in the file's axes)."""
        turns = [
            self._pose(end.body)[:3, :3] @ np.array([z_up(column) for column in frame.pose[:3, :3].T]).T
            for end, frame in zip(ends, frames, strict=True)
        ]
        return bool(np.abs(turns[0] - turns[1]).max() < ALIKE)
