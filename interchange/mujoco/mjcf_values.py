"""Values of MJCF elements: defaults by class, numbers, and the five ways to write a rotation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import radians

import numpy as np

from ..common.axes import clean, matrix_from_unit_quaternion, transform
from ..common.bounds import is_sane
from ..common.xml_tree import Node

MAIN = "main"
ROTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")


@dataclass
class Defaults:
    """Classes of defaults: class to tag to attributes, those of the classes above included."""

    classes: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)

    def read(self, node: Node, above: dict[str, dict[str, str]] | None = None) -> None:
        """Enter a <default> and those in it. Raises FileError."""
        own = {tag: dict(values) for tag, values in (above or {}).items()}
        for child in node.children:
            if child.tag != "default":
                own.setdefault(child.tag, {}).update(child.attributes)
        name = node.attributes.get("class", MAIN)
        if above is not None and "class" not in node.attributes:
            raise node.error("a <default> inside another has no class", "Give it a class")
        self.classes[name] = own
        for child in node.children:
            if child.tag == "default":
                self.read(child, own)

    def completed(self, node: Node, inherited: str | None) -> Node:
        """The element with the attributes of its class. inherited: `childclass` of the bodies around it."""
        name = node.attributes.get("class", inherited or MAIN)
        if name not in self.classes:
            if name == MAIN:
                return node
            raise node.error(
                f"there is no default class '{name[:40]}'", f"Use one of {', '.join(self.classes)}"
            )
        values = self.classes[name].get(node.tag, {}) | node.attributes
        return Node(node.tag, values, node.children, node.text, node.line, node.column)


def number_list(
    node: Node, name: str, counts: Sequence[int], default: Sequence[float] | None = None
) -> list[float]:
    """The numbers of an attribute, as many as one of `counts` says. Raises FileError."""
    text = node.attributes.get(name)
    if text is None:
        if default is None:
            raise node.error(f"this {node.tag} has no {name}", f"Give {name}")
        return list(default)
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        values = [float("nan")]
    if len(values) not in counts or not all(map(is_sane, values)) or "_" in text:
        wanted = " or ".join(map(str, counts))
        raise node.error(f"{name} of this {node.tag} is '{text[:40]}'", f"Write {wanted} numbers")
    return values


def number(node: Node, name: str, default: float) -> float:
    """One number of an attribute. Raises FileError."""
    return number_list(node, name, (1,), (default,))[0]


@dataclass(frozen=True)
class Compiler:
    """What <compiler> says of angles."""

    in_degrees: bool = True
    sequence: str = "xyz"
    auto_limits: bool = True
    inertia_from_geom: str = "auto"

    def angle(self, value: float) -> float:
        """rad of an angle of the file."""
        return radians(value) if self.in_degrees else value

    def rotation(self, node: Node) -> np.ndarray:
        """(3, 3) of whichever rotation the element has. Raises FileError."""
        given = [name for name in ROTATIONS if name in node.attributes]
        if len(given) > 1:
            raise node.error(f"has {given[0]} and {given[1]}", "Write one of them")
        if not given:
            return np.eye(3)
        read = {
            "quat": lambda: matrix_from_unit_quaternion(self._unit(node, "quat", 4)),
            "axisangle": lambda: self._axis_angle(node),
            "euler": lambda: self._euler(node),
            "xyaxes": lambda: self._xy_axes(node),
            "zaxis": lambda: _shortest_turn(self._unit(node, "zaxis", 3)),
        }
        return clean(read[given[0]]())

    def pose(self, node: Node) -> np.ndarray:
        """(4, 4) of pos and rotation."""
        return transform(self.rotation(node), number_list(node, "pos", (3,), (0.0, 0.0, 0.0)))

    def _unit(self, node: Node, name: str, count: int) -> np.ndarray:
        values = np.array(number_list(node, name, (count,)))
        length = float(np.linalg.norm(values))
        if not length > 1e-12:
            raise node.error(f"{name} has no length", "Give a direction")
        return values / length

    def _axis_angle(self, node: Node) -> np.ndarray:
        *axis, angle = number_list(node, "axisangle", (4,))
        return turn_about(np.array(axis), self.angle(angle))

    def _euler(self, node: Node) -> np.ndarray:
        rotation = np.eye(3)
        for letter, angle in zip(self.sequence, number_list(node, "euler", (3,)), strict=True):
            axis = np.eye(3)["xyz".index(letter.lower())]
            own = turn_about(axis, self.angle(angle))
            rotation = rotation @ own if letter.islower() else own @ rotation
        return rotation

    def _xy_axes(self, node: Node) -> np.ndarray:
        values = np.array(number_list(node, "xyaxes", (6,)))
        x = values[:3] / np.linalg.norm(values[:3])
        y = values[3:] - x * (x @ values[3:])
        y /= np.linalg.norm(y)
        return np.column_stack([x, y, np.cross(x, y)])


def turn_about(axis: np.ndarray, angle: float) -> np.ndarray:
    """(3, 3) rotation by an angle (rad) about an axis of any length."""
    x, y, z = axis / np.linalg.norm(axis)
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * skew + (1.0 - np.cos(angle)) * skew @ skew


def _shortest_turn(direction: np.ndarray) -> np.ndarray:
    """(3, 3) shortest rotation that takes z into a unit direction."""
    axis = np.cross([0.0, 0.0, 1.0], direction)
    size = float(np.linalg.norm(axis))
    if size < 1e-12:
        return np.eye(3) if direction[2] > 0.0 else np.diag([1.0, -1.0, -1.0])
    return turn_about(axis, float(np.arctan2(size, direction[2])))


def rotation_to(direction: np.ndarray) -> np.ndarray:
    """(3, 3) rotation whose z is along a direction of any length."""
    return _shortest_turn(direction / np.linalg.norm(direction))
