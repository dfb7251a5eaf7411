"""An OpenSim file as an actor in its surroundings."""

import os
from pathlib import Path

import numpy as np

from ...engine import spec
from ...engine.bodies.posture import actor_poses
from ...engine.maths.rotations import zyx_from_matrix
from ...io_json.errors import in_file
from ...io_json.strict_json import read_bytes
from ..common.axes import Z_UP_FROM_Y_UP, matrix_from_xyz, neat, rows, vector3, z_up
from ..common.findings import Findings
from ..common.imported import Imported
from ..common.solids import inertia_numbers
from ..common.trees import Link, Tree, choose_tree, free_name
from ..common.xml_tree import Node, numbers
from .connections import ConnectionReader
from .contact import ContactReader
from .document import GROUND, Document, coordinate_name, name_list
from .functions import GCV, GCV_PARTS, read_function
from .joints import FIXED, FREE, Driven, JointReader, LimitForce, root_pose
from .mobility import Mobility, mobility_of
from .muscles import MUSCLES, PATH_ACTUATOR, MuscleReader
from .wraps import placed_wraps

LIGHT_MASS, LIGHT_MOMENT = 1.0e-4, 1.0e-8
"""kg and kg m2 given to a body without mass: those of a ball of 1.6 cm that weighs a tenth of a gram."""
WIDE, FAR = 720.0, 100.0
"""Degrees and m to which the straight line of a spring in a joint is drawn."""
IGNORED = (
    "CoordinateActuator",
    "TorqueActuator",
    "PointActuator",
    "PrescribedForce",
    "ActivationCoordinateActuator",
)
SHORTEST_TRANSITION = 1.0e-6
"""rad or m over which a limit force without a transition sets in."""
PRESCRIBED_TIME, PRESCRIBED_ROWS = 10.0, 1001
"""s and rows of the table of a prescribed coordinate, whose function has no end."""
CONNECTIONS = ("PathSpring", "BushingForce")
PINS, POINT_ON_LINE = ("PointConstraint", "WeldConstraint"), "PointOnLineConstraint"
CONTACTS = ("HuntCrossleyForce", "SmoothSphereHalfSpaceForce")
WELD_STIFFNESS, WELD_DAMPING = 1.0e4, 10.0
"""N m/rad and N m s/rad that hold the turn of a welded frame."""
DEGREE = np.pi / 180.0


def read_osim(path: str | os.PathLike) -> Imported:
    """The content of a file. Raises `FileError`."""
    data = read_bytes(path)
    with in_file(path):
        return loads(data, Path(path).stem)


def loads(data: bytes, name: str = "model") -> Imported:
    """The content of a file's bytes; `name` for a model that has none. Raises `FileError`."""
    return _Reader(Document(data), name).imported()


class _Reader:
    """Reads one file."""

    def __init__(self, document: Document, default_name: str) -> None:
        self.document, self.default_name = document, default_name
        self.findings, self.outside = Findings(), Findings()
        self.mobilities = {j.name: mobility_of(j, self.findings) for j in document.joints}
        self.values = {c.name: c.default for c in document.coordinates.values()}
        self.ground: str | None = None
        """Name of the body that stands for the ground, if there is one."""
        self.held = {c.name for c in document.coordinates.values() if c.locked}

    def imported(self) -> Imported:
        document = self.document
        model = spec.Model(document.model.name or self.default_name, [], [])
        model.citation = document.text(document.model, "publications")
        tree = self._tree()
        for name in tree.left_out:
            self.findings.add("body", name, "left out: it hangs on another root, and a model has one")
        for name in tree.closing:
            self.findings.add("joint", name, "left out: it closes a loop")
        self._tell_of_splines()
        couplings = self._couplings()
        driven = self._joints(tree)
        model.joints = [d.joint for d in driven.values()]
        model.bodies = [self._body(document.bodies.get(name), name) for name in tree.bodies]
        model.couplers = [c for c in couplings if c.leader in driven and c.follower in driven]
        model.welds = self._welds({body.name for body in model.bodies})
        self._forces(model, driven)
        actor = self._actor(model, driven)
        poses = actor_poses(actor)
        connections = ConnectionReader(document, self.ground, poses, self.findings)
        for node in document.objects("ForceSet"):
            if node.tag in CONNECTIONS:
                connections.add(node, model)
        settings = spec.Settings(ground=False)
        gravity = document.vector(document.model, "gravity", default=(0.0, -9.80665, 0.0))
        settings.gravity = z_up(gravity)
        contacts = ContactReader(document, self.findings)
        obstacles = contacts.add_to(model, settings, self.outside)
        if actor.joint_angles or any(actor.position) or any(actor.orientation):
            self.outside.add(
                "model", "", "its start (default values of the coordinates) is the scenario's business"
            )
        surfaces = {surface.name: surface for surface in model.wrap_surfaces}
        model.muscles = [placed_wraps(muscle, surfaces, poses, self.findings) for muscle in model.muscles]
        return Imported(actor, obstacles, settings, self.findings, self.outside)

    def _tell_of_splines(self) -> None:
        """What a GCVSpline is here."""
        for node in self.document.model.walk():
            if node.tag == GCV:
                message = (
                    f"a {GCV} is a cubic spline through {GCV_PARTS} places of each of its intervals here"
                )
                self.findings.add("function", GCV, message)
                if self.document.number(node, 0.0, "error_variance") != 0.0:
                    message = f"a {GCV} that smooths its points passes through them here"
                    self.findings.add("function", GCV, message)

    # ------------------------------------------------ the tree

    def _tree(self) -> Tree:
        """The tree of the model. The ground is a body of it where muscles hang on it or several joints start there."""
        document = self.document
        on_ground = [j for j in document.joints if j.parent.body is None]
        pulling = (*MUSCLES, PATH_ACTUATOR)
        muscles = [node for node in document.objects("ForceSet") if node.tag in pulling]
        tags = ("socket_parent_frame", "socket_body", "body")
        points = [node for muscle in muscles for node in muscle.walk() if node.tag.endswith("PathPoint")]
        pulls = any(document.frame_of(node, *tags).body is None for node in points)
        if on_ground and (len(on_ground) > 1 or pulls):
            self.ground = free_name(GROUND, document.bodies)
            self.findings.add(
                "body", self.ground, "added: a body that stands still, for what hangs on the ground"
            )
        links = [Link(j.name, j.parent.body or self.ground, j.child.body) for j in document.joints]
        bodies = [*([self.ground] if self.ground else []), *document.bodies]
        tree = choose_tree(bodies, links)
        if tree is None or not document.bodies:
            raise document.model.error("the model has no body", "Choose a model with bodies")
        return tree

    # ------------------------------------------------ bodies

    def _body(self, node: Node | None, name: str) -> spec.Body:
        document = self.document
        if node is None:
            return spec.Body(name, LIGHT_MASS, (LIGHT_MOMENT,) * 3 + (0.0,) * 3)
        mass = document.number(node, 0.0, "mass")
        inertia = self._inertia(node)
        if mass <= 0.0 or np.linalg.eigvalsh(inertia)[0] <= 0.0:
            self.findings.add("body", name, "it has no mass or inertia in the file: given a tenth of a gram")
            mass = max(mass, LIGHT_MASS)
            inertia = inertia + LIGHT_MOMENT * np.eye(3)
        turned = Z_UP_FROM_Y_UP @ self._possible(inertia, name) @ Z_UP_FROM_Y_UP.T
        body = spec.Body(name, mass, inertia_numbers(turned))
        body.center_of_mass = z_up(document.vector(node, "mass_center"))
        body.meshes = [mesh for mesh in self._meshes(node, name) if mesh is not None]
        return body

    def _possible(self, inertia: np.ndarray, name: str) -> np.ndarray:
        """The inertia, its greatest principal moment no more than the other two together, as with any real body."""
        moments, axes = np.linalg.eigh(inertia)
        if moments[2] <= moments[0] + moments[1]:
            return inertia
        message = "no body can have its inertia: the greatest moment is lowered to the sum of the other two"
        self.findings.add("body", name, message)
        moments[2] = moments[0] + moments[1]
        return axes @ np.diag(moments) @ axes.T

    def _inertia(self, node: Node) -> np.ndarray:
        """(3, 3) about the centre of mass; the file holds elements of the matrix, not products of inertia."""
        whole = node.child("inertia")
        if whole is not None:
            xx, yy, zz, xy, xz, yz = numbers(whole, 6)
        else:
            xx, yy, zz, xy, xz, yz = (
                self.document.number(node, 0.0, f"inertia_{axes}")
                for axes in ("xx", "yy", "zz", "xy", "xz", "yz")
            )
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def _meshes(self, body: Node, name: str) -> list[spec.Mesh | None]:
        """Display meshes, whose file has y up as the body has."""
        found = []
        for node in body.walk():
            file = (
                self.document.text(node, "mesh_file", "geometry_file")
                if node.tag in ("Mesh", "DisplayGeometry")
                else ""
            )
            if not file:
                continue
            scale = self.document.vector(node, "scale_factors", default=(1.0, 1.0, 1.0))
            place = self.document.vector(node, "transform", default=(0.0,) * 6)
            if len(set(scale)) != 1 or scale[0] <= 0.0:
                self.findings.add("body", name, f"left out the mesh '{file}': its scale differs by axis")
                continue
            turn = Z_UP_FROM_Y_UP @ matrix_from_xyz(place[:3])
            found.append(spec.Mesh(file, z_up(place[3:]), rows(turn), scale[0]))
        return found

    # ------------------------------------------------ joints

    def _couplings(self) -> list[spec.Coupler]:
        """Coordinates that follow others: in proportion between hinges by a coupler, else held at the default."""
        couplers = []
        joint_of = {c.name: j.name for j in self.document.joints for c in j.coordinates}
        for node in self.document.objects("ConstraintSet"):
            if node.tag != "CoordinateCouplerConstraint":
                continue
            function = read_function(node.child("coupled_coordinates_function"))
            leaders = name_list(node.child("independent_coordinate_names"))
            follower = self.document.text(node, "dependent_coordinate_name")
            known = follower in joint_of and len(leaders) == 1 and leaders[0] in joint_of
            if not self.document.is_active(node) or function is None or not known:
                self.findings.add(
                    "constraint", node.name, "left out: it is off, or couples more than two coordinates"
                )
                continue
            scale = self.document.number(node, 1.0, "scale_factor")
            self.values[follower] = scale * function(self.values[leaders[0]])
            slopes = [self._hinge_slope(joint_of[name], name) for name in (leaders[0], follower)]
            if function.line is None or None in slopes:
                self.held.add(follower)
                self.findings.add(
                    "constraint", node.name, f"'{follower}' is held as it is at the default values"
                )
                continue
            ratio, offset = (scale * slopes[1] * value for value in function.line)
            couplers.append(
                spec.Coupler(
                    node.name,
                    joint_of[leaders[0]],
                    joint_of[follower],
                    "z",
                    float(ratio / slopes[0]),
                    float(np.degrees(offset)),
                )
            )
        return couplers

    def _welds(self, bodies: set[str]) -> list[spec.Weld]:
        """Points and frames that a constraint holds together, and points on lines: stiff pins, which hold a welded
        frame's turn too."""
        welds = []
        for node in self.document.objects("ConstraintSet"):
            if node.tag == "CoordinateCouplerConstraint" or not self.document.is_active(node):
                continue
            if node.tag not in (*PINS, POINT_ON_LINE):
                self.findings.add("constraint", node.name, f"left out: a {node.tag} is not known here")
                continue
            weld = self._line(node) if node.tag == POINT_ON_LINE else self._pin(node)
            if any(end.body not in bodies | {None} for end in (weld.start, weld.end)):
                self.findings.add("constraint", node.name, "left out with the body it holds")
                continue
            self.findings.add("constraint", node.name, "it is held by a stiff spring and damper")
            welds.append(weld)
        return welds

    def _pin(self, node: Node) -> spec.Weld:
        """A point or a frame that is held."""
        turning = {"rotational_stiffness": WELD_STIFFNESS, "rotational_damping": WELD_DAMPING}
        ends = [self._end(node, k) for k in "12"]
        return spec.Weld(node.name, *ends, **(turning if node.tag == "WeldConstraint" else {}))

    def _line(self, node: Node) -> spec.Weld:
        """A point of one body on a line of another."""
        ends = []
        for body, place in (("line_body", "point_on_line"), ("follower_body", "point_on_follower")):
            frame = self.document.frame(self.document.text(node, f"socket_{body}", body), node)
            local = frame.pose[:3, :3] @ np.array(self.document.vector(node, place)) + frame.pose[:3, 3]
            ends.append(spec.Point(z_up(local), frame.body or self.ground))
            if place == "point_on_line":
                along = np.array(self.document.vector(node, "line_direction_vec", default=(1.0, 0.0, 0.0)))
                direction = z_up(frame.pose[:3, :3] @ along / (np.linalg.norm(along) or 1.0))
        return spec.Weld(node.name, *ends, line=direction)

    def _end(self, node: Node, k: str) -> spec.Point:
        """One of the two points of a constraint or spring."""
        holder = node.child("frames")
        own = {frame.name: frame for frame in (holder.children if holder is not None else ())}
        tags = (f"socket_body_{k}", f"socket_frame{k}", f"socket_body{k}", f"body_{k}", f"body{k}")
        frame = self.document.frame(self.document.text(node, *tags), node, own)
        local = np.array(self.document.vector(node, f"location_body_{k}", f"point{k}"))
        return spec.Point(z_up(frame.pose[:3, :3] @ local + frame.pose[:3, 3]), frame.body or self.ground)

    def _hinge_slope(self, joint: str, coordinate: str) -> float | None:
        """Our angle per unit of a coordinate, for a joint which it alone moves and in which it is an angle."""
        mobility: Mobility = self.mobilities[joint]
        turning = [a for a in mobility.turns if a.follows(self.held)]
        shifting = [a for a in mobility.shifts if a.follows(self.held)]
        if not turning or {a.coordinate.name for a in (*turning, *shifting)} != {coordinate}:
            return None
        alone = len(turning) == 1 and not shifting and turning[0].function.line is not None
        return abs(turning[0].function.line[0]) if alone else 1.0

    def _limit_forces(self) -> dict[str, LimitForce]:
        """Coordinate to its limit force."""
        found = {}
        number = self.document.number
        for node in self.document.objects("ForceSet"):
            name = coordinate_name(self.document.text(node, "coordinate"))
            if node.tag != "CoordinateLimitForce" or not self.document.is_active(node):
                continue
            unit = DEGREE if name in self._angles() else 1.0
            stiffness = [number(node, 1.0, f"{side}_stiffness") / unit for side in ("lower", "upper")]
            found[name] = LimitForce(
                node.name,
                number(node, 0.0, "lower_limit") * unit,
                number(node, 0.0, "upper_limit") * unit,
                (stiffness[0], stiffness[1]),
                number(node, 0.001, "damping") / unit,
                max(number(node, 0.1, "transition") * unit, SHORTEST_TRANSITION),
            )
            self.findings.add(
                "limit force", node.name, "its damping sets in at once here, not over a transition"
            )
        return found

    def _angles(self) -> set[str]:
        """Coordinates that turn something."""
        turns = (axis for mobility in self.mobilities.values() for axis in mobility.turns)
        return {axis.coordinate.name for axis in turns if axis.coordinate is not None}

    def _add_limit_forces(self, limits: dict[str, LimitForce], driven: dict[str, Driven]) -> None:
        """The springs of limit forces."""
        for name, force in limits.items():
            found = next((d for d in driven.values() if name in d.followed), None)
            if found is None:
                message = f"left out: its coordinate '{name}' is none of a single axis here"
                self.findings.add("limit force", force.name, message)
                continue
            own = found.followed[name]
            found.joint.springs.append(spec.JointSpring(own.axis, force.curve(own)))

    def _joints(self, tree: Tree) -> dict[str, Driven]:
        grounded = self.ground is not None
        limits = self._limit_forces()
        asked = self._asked_coordinates() | set(limits)
        reader = JointReader(self.held, self.values, limits, self.findings, asked, grounded)
        records = {record.name: record for record in self.document.joints}
        driven = {name: reader.joint(records[name], self.mobilities[name]) for name in tree.joints}
        self._add_limit_forces(limits, driven)
        for d in driven.values():
            d.joint.parent = d.joint.parent or self.ground
        if tree.root_joint is None:
            name = free_name("root", records)
            kind = FIXED if tree.root == self.ground else FREE
            driven = {name: Driven(spec.Joint(name, kind, None, tree.root), Mobility([], []))} | driven
        return driven

    def _asked_coordinates(self) -> set[str]:
        """Coordinates that springs and points of muscles' paths follow."""
        tags = [f"{tag}coordinate" for tag in ("socket_", "")]
        tags += [f"{tag}{axis}_coordinate" for axis in "xyz" for tag in ("socket_", "")]
        found = set()
        for force in self.document.objects("ForceSet"):
            for node in force.walk():
                if node.tag in ("ConditionalPathPoint", "MovingPathPoint", "SpringGeneralizedForce"):
                    found |= {coordinate_name(self.document.text(node, tag)) for tag in tags}
        return found - {""}

    # ------------------------------------------------ forces

    def _forces(self, model: spec.Model, driven: dict[str, Driven]) -> None:
        followed = {name: own for d in driven.values() for name, own in d.followed.items()}
        bodies = {b.name for b in model.bodies}
        reader = MuscleReader(self.document, bodies, self.ground, self.values, followed, self.findings)
        surfaces = reader.surfaces()
        names = {surface.name for surface in surfaces}
        for node in self.document.objects("ForceSet"):
            if node.tag in MUSCLES or node.tag == PATH_ACTUATOR:
                muscle = (reader.muscle if node.tag in MUSCLES else reader.actuator)(node, names)
                if muscle is not None:
                    model.muscles.append(muscle)
            elif node.tag == "SpringGeneralizedForce":
                self._joint_spring(node, driven)
            elif node.tag == "PointToPointSpring":
                self._spring(node, model)
            elif node.tag not in (*CONTACTS, *CONNECTIONS, "CoordinateLimitForce"):
                why = "nothing drives it" if node.tag in IGNORED else "it is not known here"
                self.findings.add("force", node.name, f"left out a {node.tag}: {why}")
        used = {wrap.surface for muscle in model.muscles for wrap in muscle.wraps}
        model.wrap_surfaces = [surface for surface in surfaces if surface.name in used]

    def _joint_spring(self, node: Node, driven: dict[str, Driven]) -> None:
        """A spring on a coordinate that is a single one of ours."""
        name = coordinate_name(self.document.text(node, "coordinate"))
        found = next((d for d in driven.values() if name in d.followed), None)
        if found is None or not self.document.is_active(node):
            message = "left out: a spring that is off, or on a coordinate that is none of a single axis here"
            self.findings.add("force", node.name, message)
            return
        own = found.followed[name]
        stiffness = self.document.number(node, 1.0, "stiffness") / own.factor**2
        rest = own.typed(self.document.number(node, 0.0, "rest_length"))
        wide, unit = (WIDE, DEGREE) if own.is_angle else (FAR, 1.0)
        curve = tuple((at, stiffness * (rest - at) * unit) for at in (-wide, wide))
        damping = self.document.number(node, 0.0, "viscosity") / own.factor**2
        found.joint.springs.append(spec.JointSpring(own.axis, curve, damping))

    def _spring(self, node: Node, model: spec.Model) -> None:
        names = {body.name for body in model.bodies}
        ends = [self._end(node, k) for k in "12"]
        if any(end.body not in names | {None} for end in ends) or not self.document.is_active(node):
            self.findings.add(
                "force", node.name, "left out: a spring that is off, or on a body that is left out"
            )
            return
        stiffness, length = (self.document.number(node, 0.0, tag) for tag in ("stiffness", "rest_length"))
        model.springs.append(spec.SpringDamper(node.name, *ends, stiffness, 0.0, length))

    # ------------------------------------------------ the start

    def _prescribed(self, name: str, driven: Driven) -> spec.PrescribedMotion | None:
        """A joint all of whose coordinates follow functions of time: a moving platform."""
        axes = [a for a in (*driven.mobility.turns, *driven.mobility.shifts) if a.follows(self.held)]
        coordinates = {a.coordinate.name: a.coordinate for a in axes}
        functions = {
            n: read_function(c.prescribed) for n, c in coordinates.items() if c.prescribed is not None
        }
        if not functions:
            return None
        if set(functions) != set(driven.followed) or None in functions.values():
            message = "left out the motion that the file prescribes: not all of its coordinates have one here"
            self.findings.add("joint", name, message)
            return None
        kind = driven.joint.kind
        table = []
        for time in np.linspace(0.0, PRESCRIBED_TIME, PRESCRIBED_ROWS):
            row = [0.0] * 7
            for coordinate, own in driven.followed.items():
                motion = kind.motions[kind.motion_of(own.axis)]
                first = 4 + motion.place if not own.is_angle and kind.has_both else 1 + motion.angle_place
                row[first] = own.typed(functions[coordinate](float(time)))
            table.append((float(time), *row[1 : 7 if kind.has_both else 4]))
        message = (
            f"its prescribed motion is a table of {PRESCRIBED_TIME:g} s here, after which it stands still"
        )
        self.outside.add("joint", name, message)
        return spec.PrescribedMotion(name, tuple(table))

    def _actor(self, model: spec.Model, driven: dict[str, Driven]) -> spec.Actor:
        """The pose at the default values of all coordinates."""
        actor = spec.Actor(model.name, model)
        for name, d in driven.items():
            if d.joint.kind.is_free and d.mobility.turns:
                pose = root_pose(d, self.values)
                actor.position = vector3(pose[:3, 3])
                actor.orientation = vector3([neat(angle) for angle in zyx_from_matrix(pose[:3, :3])])
            elif d.start is not None:
                actor.joint_angles[name] = vector3([neat(angle) for angle in d.start])
            if d.slides is not None:
                actor.joint_slides[name] = d.slides
            motion = self._prescribed(name, d)
            if motion is not None:
                actor.prescribed.append(motion)
        return actor
