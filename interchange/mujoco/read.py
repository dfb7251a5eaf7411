"""Models of MuJoCo's XML (MJCF) in our terms: bodies, joints, geoms, couplers, connections, motors, muscles, start.

What is carried over, and what is not: docs/formats/mujoco.md. What cannot be carried is a finding.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...engine import spec
from ...engine.bodies.posture import body_poses
from ...io_json.errors import FileError, in_file
from ...io_json.resolve import resolve_file
from ...io_json.strict_json import read_bytes
from ..common.axes import vector3
from ..common.findings import Findings
from ..common.imported import Imported
from ..common.solids import inertia_numbers
from ..common.trees import free_name
from ..common.xml_tree import Node, parse_xml
from .geoms import Geom, ellipsoids_of, material_name, obstacle_of, read_geom
from .mjcf_values import Compiler, Defaults, number, number_list
from .read_joints import MjcfJoint, joint_of, read_joint

MOST_INCLUDES = 100
STIFFNESS, CONTACT_EXPONENT, CONTACT_DAMPING = 2.0e6, 1.5, 0.5
"""Of surfaces: assumed, as MuJoCo's contacts have no force law of their own. N/m^1.5, and s/m."""
CONTACT = "surfaces are Hunt-Crossley with an assumed stiffness: MuJoCo's contact is a soft constraint"


def read_mjcf(path: str | os.PathLike) -> Imported:
    """The model in an MJCF file with its start and surroundings. Raises FileError."""
    with in_file(path):
        root = parse_xml(read_bytes(path))
        if root.tag != "mujoco":
            raise FileError(
                f"is no MJCF file: its root is <{root.tag[:40]}>", remedy="MJCF begins with <mujoco>"
            )
        _include(root, Path(path).parent, [0])
        return _Reader(root, Path(path).stem).imported()


def _include(node: Node, folder: Path, count: list[int]) -> None:
    """Put the content of included files, of the same folder or below, in the place of <include>."""
    children = []
    for child in node.children:
        if child.tag != "include":
            _include(child, folder, count)
            children.append(child)
            continue
        count[0] += 1
        if count[0] > MOST_INCLUDES:
            raise child.error("includes too many files", "Check whether a file includes itself")
        found = parse_xml(read_bytes(resolve_file(child.attributes.get("file", ""), folder)))
        _include(found, folder, count)
        children += found.children
    node.children = children


@dataclass
class _Tree:
    """Bodies and joints below one child of the world."""

    bodies: list[spec.Body] = field(default_factory=list)
    joints: list[spec.Joint] = field(default_factory=list)


class _Reader:
    """Reads one file."""

    def __init__(self, root: Node, name: str) -> None:
        self.root, self.name = root, root.attributes.get("model", name) or name
        self.findings, self.defaults = Findings(), Defaults()
        self.compiler = _compiler(root)
        for node in _all(root, "default"):
            self.defaults.read(node)
        self.geoms: dict[str, tuple[str | None, Geom]] = {}
        self.sites: dict[str, tuple[str | None, np.ndarray]] = {}
        self.owner: dict[str, spec.Joint] = {}
        """Our joint of each joint of the file."""
        self.mjcf_joints: dict[str, MjcfJoint] = {}
        self.names: set[str] = set()

    def imported(self) -> Imported:
        world = [node for section in _all(self.root, "worldbody") for node in section.children]
        trees = []
        for node in world:
            if node.tag == "body":
                trees.append(_Tree())
                self._body(node, None, trees[-1], None)
        if not trees:
            raise FileError("has no body that moves", remedy="Put a <body> into <worldbody>")
        largest = max(trees, key=lambda tree: len(tree.bodies))
        for tree in trees:
            if tree is not largest:
                for body in tree.bodies:
                    self.findings.add(
                        "body", body.name, "left out: it hangs on another root, and a model has one"
                    )
        obstacles = self._obstacles(world)
        model = self._model(largest)
        actor = spec.Actor(model.name, model)
        option = next(iter(_all(self.root, "option")), None)
        gravity = (
            (0.0, 0.0, -9.81) if option is None else number_list(option, "gravity", (3,), (0.0, 0.0, -9.81))
        )
        settings = spec.Settings(ground=False, gravity=vector3(gravity))
        return Imported(actor, obstacles, settings, self.findings)

    # ------------------------------------------------ bodies

    def _name(self, node: Node, kind: str) -> str:
        """The element's name, or one made up; no two are the same."""
        name = free_name(node.name or f"{kind} {node.line}", self.names)
        self.names.add(name)
        return name

    def _body(self, node: Node, parent: str | None, tree: _Tree, inherited: str | None) -> None:
        """Enter a body and all that it carries."""
        inherited = node.attributes.get("childclass", inherited)
        name = self._name(node, "body")
        joints, geoms = [], []
        for child in node.children:
            full = self.defaults.completed(child, inherited)
            if child.tag in ("joint", "freejoint"):
                joints.append(read_joint(full, self.compiler, self._name(child, "joint"), self.findings))
            elif child.tag == "geom":
                geoms += self._geom(full, name)
            elif child.tag == "site":
                self.sites[child.name] = (name, self.compiler.pose(full))
        mass, centre, inertia = self._mass(node, name, geoms)
        surfaces = [e for geom in geoms if geom.touches for e in ellipsoids_of(geom, self.findings, name)]
        tree.bodies.append(
            spec.Body(name, mass, inertia_numbers(inertia), vector3(centre), ellipsoids=surfaces)
        )
        joint = joint_of(joints, parent, name, self.compiler.pose(node), self.findings)
        tree.joints.append(joint)
        for each in joints:
            self.owner[each.name], self.mjcf_joints[each.name] = joint, each
        for child in node.children:
            if child.tag == "body":
                self._body(child, name, tree, inherited)

    def _geom(self, node: Node, body: str | None) -> list[Geom]:
        name = self._name(node, "geom")
        geom = read_geom(node, self.compiler, name)
        if geom is None:
            self.findings.add("geom", name, f"left out: a {node.attributes.get('type')} is not read")
            return []
        self.geoms[name] = (body, geom)
        return [geom]

    def _mass(self, node: Node, name: str, geoms: list[Geom]) -> tuple[float, np.ndarray, np.ndarray]:
        """Mass, centre (3,) and (3, 3) inertia about it in body axes: stated, or of the geoms. Raises FileError."""
        stated = node.child("inertial")
        if stated is not None and self.compiler.inertia_from_geom != "true":
            pose, mass = self.compiler.pose(stated), number_list(stated, "mass", (1,))[0]
            if "fullinertia" in stated.attributes:
                xx, yy, zz, xy, xz, yz = number_list(stated, "fullinertia", (6,))
                inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            else:
                inertia = np.diag(number_list(stated, "diaginertia", (3,)))
            return mass, pose[:3, 3], pose[:3, :3] @ inertia @ pose[:3, :3].T
        mass = sum(geom.mass for geom in geoms)
        if not mass > 0.0:
            raise node.error(f"body '{name}' has no mass", "Give it an <inertial> or geoms with mass")
        centre = sum(geom.mass * geom.centre for geom in geoms) / mass
        inertia = np.zeros((3, 3))
        for geom in geoms:
            d = geom.centre - centre
            inertia += geom.inertia + geom.mass * (d @ d * np.eye(3) - np.outer(d, d))
        return mass, centre, inertia

    def _obstacles(self, world: list[Node]) -> list[spec.Obstacle]:
        """Geoms of the world."""
        found = []
        for node in world:
            full = self.defaults.completed(node, None)
            if node.tag == "site":
                self.sites[node.name] = (None, self.compiler.pose(full))
            if node.tag == "geom":
                for geom in self._geom(full, None):
                    obstacle = obstacle_of(geom) if geom.touches else None
                    if obstacle is not None:
                        found.append(obstacle)
                    else:
                        self.findings.add("geom", geom.name, f"left out: no obstacle is a {geom.kind}")
        return found

    # ------------------------------------------------ the model

    def _model(self, tree: _Tree) -> spec.Model:
        bodies = {body.name for body in tree.bodies}
        used = {
            material_name(geom): geom.friction
            for body, geom in self.geoms.values()
            if body in bodies and geom.touches
        }
        materials = [
            spec.Material(name, "hunt_crossley", stiffness=STIFFNESS, exponent=CONTACT_EXPONENT,
                          damping=CONTACT_DAMPING, static_friction=friction, dynamic_friction=friction)
            for name, friction in used.items()
        ]  # fmt: skip
        if materials:
            self.findings.add("model", self.name, CONTACT)
        model = spec.Model(self.name, tree.bodies, tree.joints, materials)
        self._actuators(model)
        for section in _all(self.root, "equality"):
            for node in section.children:
                self._equality(self.defaults.completed(node, None), model)
        model.contact_exclude = [
            (node.attributes.get("body1", ""), node.attributes.get("body2", ""))
            for section in _all(self.root, "contact")
            for node in section.children
            if node.tag == "exclude"
            and {node.attributes.get("body1"), node.attributes.get("body2")} <= bodies
        ]
        if any(section.children for section in _all(self.root, "sensor")):
            self.findings.add("section", "sensor", "left out: sensors are chosen in a scenario")
        return model

    def _equality(self, node: Node, model: spec.Model) -> None:
        """Couplers of joints, and points that are held together."""
        if node.tag == "joint":
            self._coupler(node, model)
        elif node.tag in ("connect", "weld") and "body1" in node.attributes:
            names = {body.name for body in model.bodies}
            ends = [node.attributes.get(key) for key in ("body1", "body2")]
            if any(end is not None and end not in names for end in ends):
                self.findings.add("equality", node.name or node.place, "left out: a body of it is not there")
                return
            self.findings.add("equality", node.name or node.place, "held by a stiff pin of this engine")
            anchor = number_list(node, "anchor", (3,), (0.0, 0.0, 0.0))
            points = self._meeting(model, ends, np.array(anchor))
            turning = 1000.0 if node.tag == "weld" else 0.0
            name = free_name(node.name or f"{node.tag} {node.line}", [weld.name for weld in model.welds])
            model.welds.append(spec.Weld(name, *points, rotational_stiffness=turning))
        else:
            self.findings.add("equality", node.name or node.place, f"left out: a {node.tag} is not read")

    def _meeting(self, model: spec.Model, ends: list[str | None], anchor: np.ndarray) -> list[spec.Point]:
        """The anchor, in the first body's frame, as points of both bodies in the pose of the file."""
        poses = body_poses(model)
        world = (poses[ends[0]] @ [*anchor, 1.0])[:3] if ends[0] else anchor
        points = []
        for end in ends:
            local = world if end is None else (np.linalg.inv(poses[end]) @ [*world, 1.0])[:3]
            points.append(spec.Point(end, vector3(local)))
        return points

    def _coupler(self, node: Node, model: spec.Model) -> None:
        """joint1 = polycoef of joint2, where it is straight and both are hinges of their own."""
        names = [node.attributes.get(key, "") for key in ("joint1", "joint2")]
        owners = [self.owner.get(name) for name in names]
        terms = number_list(node, "polycoef", (1, 2, 3, 4, 5), (0.0, 1.0, 0.0, 0.0, 0.0))
        straight = len(terms) >= 2 and not any(terms[2:])
        if None in owners or not straight or not all(o is not None and o.kind.is_hinge for o in owners):
            self.findings.add(
                "equality", node.name or node.place, "left out: only hinges follow each other straight"
            )
            return
        follower, leader = owners
        offset = float(np.degrees(terms[0]))
        name = free_name(node.name or f"coupler {node.line}", [each.name for each in model.couplers])
        model.couplers.append(spec.Coupler(name, leader.name, follower.name, ratio=terms[1], offset=offset))
        self.findings.add("equality", node.name or node.place, "held by a stiff spring of this engine")

    # ------------------------------------------------ actuators

    def _actuators(self, model: spec.Model) -> None:
        """Servos become motors, muscles on tendons muscles; what waits for a control is reported."""
        tendons = {node.name: node for section in _all(self.root, "tendon") for node in section.children}
        for section in _all(self.root, "actuator"):
            for node in section.children:
                full, name = self.defaults.completed(node, None), node.name or node.place
                if node.tag in ("position", "velocity") and "joint" in node.attributes:
                    self._servo(full, name)
                elif node.tag == "muscle" and node.attributes.get("tendon") in tendons:
                    self._muscle(full, tendons[node.attributes["tendon"]], model, name)
                else:
                    self.findings.add(
                        "actuator", name, "left out: it acts by a control; give the joint a motor"
                    )

    def _servo(self, node: Node, name: str) -> None:
        joint = self.owner.get(node.attributes["joint"])
        if joint is None or not joint.kind.has_axis:
            self.findings.add("actuator", name, "left out: it acts on one of several joints of a body")
            return
        gains = {"stiffness": number(node, "kp", 1.0), "damping": number(node, "kv", 0.0)}
        if node.tag == "velocity":
            gains = {"stiffness": 0.0, "damping": number(node, "kv", 1.0)}
        joint.motor = spec.Motor(**gains, source="servo of the MJCF file, its control at zero")

    def _muscle(self, node: Node, tendon: Node, model: spec.Model, name: str) -> None:
        """A muscle whose lengths follow from its stated range of lengths, along the sites of its tendon."""
        sites = [
            self.sites.get(child.attributes.get("site", ""))
            for child in tendon.children
            if child.tag == "site"
        ]
        bodies = {body.name for body in model.bodies}
        if "lengthrange" not in node.attributes or len(sites) < 2:
            self.findings.add(
                "muscle", name, "left out: it has no lengthrange, which MuJoCo's compiler computes"
            )
            return
        if any(site is None or site[0] not in bodies for site in sites):
            self.findings.add("muscle", name, "left out: a point of its path is on no body of the model")
            return
        if any(child.tag == "geom" for child in tendon.children):
            self.findings.add("muscle", name, "its path goes straight: what it wraps over is left out")
        low, high = number_list(node, "lengthrange", (2,))
        first, last = number_list(node, "range", (2,), (0.75, 1.05))
        optimal = (high - low) / (last - first)
        path = tuple(spec.PathPoint(body, vector3(pose[:3, 3])) for body, pose in sites)
        model.muscles.append(
            spec.Muscle(name, path, number(node, "force", -1.0), optimal, low - first * optimal)
        )
        self.findings.add("muscle", name, "force over length and speed is this engine's Hill curve")


def _compiler(root: Node) -> Compiler:
    """What all <compiler> elements say together."""
    values: dict[str, str] = {}
    for node in _all(root, "compiler"):
        values |= node.attributes
    if values.get("coordinate", "local") != "local":
        raise FileError("has global coordinates", remedy="Save it again with a MuJoCo of 2.3.4 or later")
    return Compiler(
        values.get("angle", "degree") == "degree",
        values.get("eulerseq", "xyz"),
        values.get("autolimits", "true") == "true",
        values.get("inertiafromgeom", "auto"),
    )


def _all(root: Node, tag: str) -> list[Node]:
    """Sections of a tag; MJCF lets each stand several times."""
    return [node for node in root.children if node.tag == tag]
