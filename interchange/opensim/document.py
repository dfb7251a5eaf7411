"""An OpenSim file (2.3 to 4.x) with its parts by name: bodies, frames, joints, coordinates, forces.

The layouts differ: up to 3.x a joint stands inside its child body and parts name bodies; since 4.0 joints have a set of
their own and parts name frames by path. Both are read into the same few records, in the axes of the file (y up).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ..common.axes import matrix_from_xyz, transform
from ..common.xml_tree import Node, is_true, numbers, parse_xml, words

GROUND = "ground"
OLDEST = 20000


@dataclass(frozen=True)
class Frame:
    """A frame fixed to a body (to the ground, with None)."""

    body: str | None
    pose: np.ndarray
    """(4, 4) in the body's frame."""


@dataclass
class Coordinate:
    """A generalized coordinate: radians or metres."""

    name: str
    default: float = 0.0
    range: tuple[float, float] | None = None
    locked: bool = False
    prescribed: Node | None = None
    """Element of the function of time that it follows; None where nothing prescribes it."""


@dataclass
class JointRecord:
    """A joint: its element, its two frames, its coordinates in order."""

    name: str
    node: Node
    parent: Frame
    child: Frame
    coordinates: list[Coordinate] = field(default_factory=list)


class Document:
    """The parts of a file by name."""

    def __init__(self, data: bytes) -> None:
        root = parse_xml(data)
        if root.tag != "OpenSimDocument":
            raise root.error(
                f"<{root.tag}> is not an OpenSim file", "Choose a file that begins with OpenSimDocument"
            )
        self.version = _version(root)
        model = root.child("Model")
        if model is None:
            raise root.error("there is no <Model>", "Choose a model file")
        self.model = model
        self.defaults = {node.tag: node for node in _children(model.child("defaults"))}
        self.bodies = {node.name: node for node in self._set("BodySet") if node.name != GROUND}
        self.ground = model.child("Ground") or next(
            (n for n in self._set("BodySet") if n.name == GROUND), None
        )
        self._frames = self._offset_frames()
        self.wrap_objects = {
            node.name: node for node in model.walk() if node.tag.startswith("Wrap") and node.name
        }
        self.joints = list(self._joints())
        self.coordinates = {c.name: c for joint in self.joints for c in joint.coordinates}

    # ------------------------------------------------ properties

    def property(self, node: Node, *tags: str) -> Node | None:
        """A property by the first of its names that is there: in the element, or in the defaults of its class."""
        for holder in (node, self.defaults.get(node.tag)):
            for tag in tags:
                found = None if holder is None else holder.child(tag)
                if found is not None:
                    return found
        return None

    def number(self, node: Node, default: float, *tags: str) -> float:
        """A property that is one number."""
        found = self.property(node, *tags)
        return default if found is None or not found.text.strip() else numbers(found, 1)[0]

    def vector(
        self, node: Node, *tags: str, default: tuple[float, ...] = (0.0, 0.0, 0.0)
    ) -> tuple[float, ...]:
        """A property that is a vector."""
        found = self.property(node, *tags)
        return default if found is None or not found.text.strip() else tuple(numbers(found, len(default)))

    def text(self, node: Node, *tags: str) -> str:
        """A property that is a name."""
        found = self.property(node, *tags)
        return "" if found is None else found.text.strip()

    def is_active(self, node: Node) -> bool:
        """Whether a force or constraint acts."""
        off = is_true(self.property(node, "isDisabled"), False)
        return not off and is_true(self.property(node, "appliesForce", "isEnforced"), True)

    def _set(self, tag: str) -> list[Node]:
        """The objects of a set, wherever the model has it."""
        found = self.model.child(tag)
        return [] if found is None else list(_children(found.child("objects")))

    def objects(self, tag: str) -> list[Node]:
        """The objects of a set, but for the template called default."""
        return [node for node in self._set(tag) if node.name != "default"]

    # ------------------------------------------------ frames

    def _offset_frames(self) -> dict[str, tuple[Node, str]]:
        """Name to element of every offset frame in the file, joints' own ones not included."""
        found: dict[str, Node] = {}
        for holder in (
            self.model.child("BodySet"),
            self.model.child("ComponentSet"),
            self.model.child("components"),
        ):
            for node in holder.walk() if holder is not None else ():
                if node.tag == "PhysicalOffsetFrame":
                    found.setdefault(node.name, node)
        return found

    def frame(self, path: str, node: Node, own: dict[str, Node] | None = None, depth: int = 0) -> Frame:
        """The frame that a path or a body's name means. `own`: frames of the joint that names it."""
        name = path.rstrip("/").rsplit("/", 1)[-1]
        offset = (own or {}).get(name) or (None if name in self.bodies else self._frames.get(name))
        if offset is not None and depth < 20:
            base = self.frame(
                self.text(offset, "socket_parent", "socket_parent_frame"), offset, own, depth + 1
            )
            turn = matrix_from_xyz(self.vector(offset, "orientation"))
            return Frame(base.body, base.pose @ transform(turn, self.vector(offset, "translation")))
        if name == GROUND or (not name and not path.strip(".")):
            return Frame(None, np.eye(4))
        if name not in self.bodies:
            raise node.error(f"there is no body or frame '{name}'", "Correct the name, or add it")
        return Frame(name, np.eye(4))

    def frame_of(self, node: Node, *tags: str) -> Frame:
        """The frame that one of the tags names."""
        return self.frame(self.text(node, *tags), node)

    # ------------------------------------------------ joints

    def _joints(self) -> Iterator[JointRecord]:
        for body in self.bodies.values():  # up to 3.x
            for node in _children(body.child("Joint")):
                parent = self.frame(self.text(node, "parent_body"), node)
                yield JointRecord(
                    node.name,
                    node,
                    Frame(parent.body, self._pose(node, "location_in_parent", "orientation_in_parent")),
                    Frame(body.name, self._pose(node, "location", "orientation")),
                    [self._coordinate(c) for c in _coordinate_nodes(node)],
                )
        for node in self.objects("JointSet"):
            own = {frame.name: frame for frame in _children(node.child("frames"))}
            parent = self.frame(
                self.text(node, "socket_parent_frame", "socket_parent_frame_connectee_name"), node, own
            )
            child = self.frame(
                self.text(node, "socket_child_frame", "socket_child_frame_connectee_name"), node, own
            )
            yield JointRecord(
                node.name, node, parent, child, [self._coordinate(c) for c in _coordinate_nodes(node)]
            )

    def _pose(self, node: Node, location: str, orientation: str) -> np.ndarray:
        return transform(matrix_from_xyz(self.vector(node, orientation)), self.vector(node, location))

    def _coordinate(self, node: Node) -> Coordinate:
        given = self.property(node, "range")
        bounds = tuple(numbers(given, 2)) if given is not None and given.text.strip() else None
        default = self.number(node, 0.0, "default_value", "initial_value")
        locked = is_true(self.property(node, "locked"), False)
        follows = is_true(self.property(node, "prescribed"), False) and not locked
        function = self.property(node, "prescribed_function") if follows else None
        return Coordinate(node.name, default, bounds, locked, function)


def _version(root: Node) -> int:
    word = root.attributes.get("Version", "")
    version = int(word) if word.isdecimal() and len(word) < 9 else 0
    if version < OLDEST:
        raise root.error(
            f"version '{word[:20]}' is too old or unknown", "Open it in OpenSim 3 or later and save it again"
        )
    return version


def _children(node: Node | None) -> list[Node]:
    return [] if node is None else node.children


def _coordinate_nodes(joint: Node) -> list[Node]:
    """Coordinates of a joint in either layout."""
    old = joint.child("CoordinateSet")
    if old is not None:
        return [node for node in _children(old.child("objects")) if node.tag == "Coordinate"]
    return [node for node in _children(joint.child("coordinates")) if node.tag == "Coordinate"]


def coordinate_name(path: str) -> str:
    """The coordinate that a path or a name means."""
    return path.rsplit("/", 1)[-1]


def name_list(node: Node | None) -> list[str]:
    """Names in a node's text."""
    return [] if node is None else words(node)
