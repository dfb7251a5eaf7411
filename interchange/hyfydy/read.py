"""A Hyfydy file as an actor in its surroundings."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...engine import spec
from ...engine.maths.rotations import zyx_from_matrix
from ...engine.spec.muscles import Activation, PathPoint
from ...io_json.errors import in_file
from ...io_json.strict_json import read_bytes
from ..common.axes import matrix_from_unit_quaternion, neat, transform, turned_z_up, vector3, y_up, z_up
from ..common.findings import Findings
from ..common.imported import Imported
from ..common.trees import Link, Tree, choose_tree, free_name
from .components import Body, Dof, HyfydyModel, Joint, Material, Muscle, Spring, write_component
from .document import read_text
from .joints import FREE, add_motor, joint_spec, rotation_of_vector, turn_about, weld_spec
from .kept import KEPT, keep
from .options import with_options
from .surfaces import (
    default_material,
    ellipsoid_of,
    mass_and_inertia,
    material_spec,
    mesh_spec,
    obstacle_of,
    rotation_z_up,
)
from .text import Entry, Group, format_group, syntax_error

_SOURCE = re.compile(r"(?P<minus>-?)(?P<name>.+)_(?P<kind>[rt])(?P<axis>[xyz])(?P<side>_[lr])?")


def read_hfd(path: str | os.PathLike) -> Imported:
    """The content of a file. Raises `FileError`."""
    data = read_bytes(path)
    with in_file(path):
        # comments may be in any encoding; a name that is not UTF-8 is refused where it stands
        return loads(data.decode("utf-8-sig", errors="surrogateescape"), Path(path).stem)


def loads(text: str, name: str = "model") -> Imported:
    """The content of a file's text; `name` for a model that has none. Raises `FileError`."""
    findings = Findings()
    return _Reader(with_options(read_text(text, findings), findings), name, findings).imported()


@dataclass
class _Reader:
    """Reads one file; each method one kind of component."""

    file: HyfydyModel
    default_name: str
    findings: Findings

    def __post_init__(self) -> None:
        self.outside = Findings()
        self.bodies = {body.name: body for body in self.file.bodies}
        density = self.file.options.density
        self.masses = {body.name: mass_and_inertia(body, density) for body in self.file.bodies}
        self.static = {name for name, (mass, _) in self.masses.items() if mass == 0.0}
        self._check_names()
        self.tree = self._tree()

    def imported(self) -> Imported:
        model = spec.Model(self.file.name or self.default_name, [], [])
        model.joints = self._joints(model)
        model.bodies = [self._body(self.bodies[name]) for name in self.tree.bodies]
        model.materials = [material_spec(material) for material in self._materials()]
        model.springs = [s for s in map(self._spring, self.file.springs) if s is not None]
        model.muscles = [m for m in map(self._muscle, self.file.muscles) if m is not None]
        obstacles = self._geometry(model)
        by_name = {joint.name: joint for joint in model.joints}
        for motor in self.file.motors:
            add_motor(motor, by_name, self.findings)
        kept = self._kept_entries()
        if kept:
            model.extras[KEPT] = kept
        if self.file.gravity != (0.0, -9.81, 0.0):
            self.outside.add("model", "", "its gravity is the scenario's business")
        settings = spec.Settings(gravity=z_up(self.file.gravity), ground=False)
        return Imported(self._actor(model), obstacles, settings, self.findings, self.outside)

    # ------------------------------------------------ the tree

    def _check_names(self) -> None:
        named = [(j, "parent", j.parent) for j in self.file.joints] + [
            (j, "child", j.child) for j in self.file.joints
        ]
        named += [(s, end, getattr(s, end)) for s in self.file.springs for end in ("parent", "child")]
        named += [(g, "body", g.body) for g in self.file.geometries]
        named += [(p, "body", p.body) for m in self.file.muscles for p in m.path]
        for part, key, name in named:
            if name is None:
                raise syntax_error(
                    f"'{part.name}' names no {key}", part.place, f"Give {key} the name of a body"
                )
            if name not in self.bodies:
                raise syntax_error(
                    f"there is no body '{name}'", part.place, "Correct the name, or add the body"
                )

    def _tree(self) -> Tree:
        moving = [name for name in self.bodies if name not in self.static]
        links = [Link(j.name, self._host(j.parent), self._host(j.child)) for j in self.file.joints]
        tree = choose_tree(moving, links)
        if tree is None:
            raise syntax_error("no body with a mass", self.file.place, "Add a body that can move")
        for name in tree.left_out:
            self.findings.add("body", name, "left out: it hangs on another root, and a model has one")
        return tree

    def _host(self, name: str) -> str | None:
        """The body that carries a point: itself, or None for one that never moves."""
        return None if name in self.static else name

    def _pose(self, name: str) -> np.ndarray:
        """(4, 4) pose of a body in our world as the file gives it."""
        body = self.bodies[name]
        return transform(rotation_z_up(body.ori), z_up(body.pos))

    def _base(self, name: str) -> np.ndarray:
        """(4, 4) frame of a named body in that of its host."""
        return self._pose(name) if name in self.static else np.eye(4)

    def _point(self, name: str, position: spec.Vector) -> spec.Point | None:
        """A point on a body or in the world; None when its body is left out."""
        if name in self.tree.left_out:
            return None
        base = self._base(name)
        return spec.Point(vector3(base[:3, :3] @ z_up(position) + base[:3, 3]), self._host(name))

    # ------------------------------------------------ components

    def _body(self, body: Body) -> spec.Body:
        mass, (xx, yy, zz) = self.masses[body.name]
        result = spec.Body(body.name, mass, (xx, zz, yy, 0.0, 0.0, 0.0))
        meshes = [(mesh, mesh_spec(mesh, body.name, self.findings)) for mesh in body.meshes]
        result.meshes = [ours for _, ours in meshes if ours is not None]
        kept = keep(body, "density", "shape", "pos", "ori", "lin_vel", "ang_vel")
        left = [Entry("mesh", write_component(mesh)) for mesh, ours in meshes if ours is None]
        kept += format_group(Group(left))
        if kept:
            result.extras[KEPT] = kept
        return result

    def _joints(self, model: spec.Model) -> list[spec.Joint]:
        options = self.file.options
        by_name = {joint.name: joint for joint in self.file.joints}
        joints = []
        if self.tree.root_joint is None:
            joints.append(spec.Joint(free_name("root", by_name), FREE, None, self.tree.root))
        for name in self.tree.joints:
            joint = by_name[name]
            base = self._base(joint.parent)
            joints.append(joint_spec(joint, self._host(joint.parent), base, options, self.findings))
        for name in self.tree.closing:
            joint = by_name[name]
            ends = (
                self._point(joint.parent, joint.pos_in_parent),
                self._point(joint.child, joint.pos_in_child),
            )
            if ends[0].body is not None or ends[1].body is not None:
                model.welds.append(weld_spec(joint, *ends, options, self.findings))
        return joints

    def _spring(self, spring: Spring) -> spec.SpringDamper | None:
        start = self._point(spring.parent, spring.pos_in_parent)
        end = self._point(spring.child, spring.pos_in_child)
        if start is None or end is None:
            self.findings.add("spring", spring.name, "left out with the body it hangs on")
            return None
        return spec.SpringDamper(
            spring.name, start, end, spring.stiffness, spring.damping, spring.rest_length
        )

    def _muscle(self, muscle: Muscle) -> spec.Muscle | None:
        points = [self._point(point.body, point.pos) for point in muscle.path]
        if any(point is None or point.body is None for point in points):
            self.findings.add(
                "muscle", muscle.name, "left out: it hangs on a body that is left out or never moves"
            )
            return None
        rigid = muscle.tendon_slack_length == 0.0
        if rigid:
            self.findings.add("muscle", muscle.name, "its tendon has no length: taken as rigid")
        return spec.Muscle(
            muscle.name,
            tuple(PathPoint(point.body, point.position) for point in points),
            muscle.max_isometric_force,
            muscle.optimal_fiber_length,
            muscle.tendon_slack_length,
            float(np.degrees(muscle.pennation_angle)),
            tendon="rigid" if rigid else "elastic",
            stiffness_factor=muscle.stiffness_multiplier,
            activation=Activation("rate"),
            acts="joint_torques" if muscle.as_torques else "forces",
        )

    def _materials(self) -> list[Material]:
        unnamed = any(geometry.material is None for geometry in self.file.geometries)
        if not self.file.materials and unnamed:
            return [default_material(self.file)]
        return self.file.materials

    def _geometry(self, model: spec.Model) -> list[spec.Obstacle]:
        """Surfaces of moving bodies go to them; those of the others are the surroundings."""
        bodies = {body.name: body for body in model.bodies}
        materials = {material.name: material for material in model.materials}
        obstacles = []
        for geometry in self.file.geometries:
            name = geometry.material or (default_material(self.file).name if materials else "")
            if name not in materials:
                raise syntax_error(
                    f"there is no material '{name}'", geometry.place, "Correct the name, or add it"
                )
            if geometry.body in self.static:
                self.outside.add(
                    "geometry", geometry.name, "it stands still: part of the scenario, not of the model"
                )
                obstacles.append(obstacle_of(geometry, self._pose(geometry.body), materials[name]))
            elif geometry.body in bodies:
                ellipsoid = ellipsoid_of(geometry, name, self.findings)
                if ellipsoid is not None:
                    body = bodies[geometry.body]
                    ellipsoid.name = free_name(ellipsoid.name, (other.name for other in body.ellipsoids))
                    body.ellipsoids.append(ellipsoid)
        return obstacles

    def _kept_entries(self) -> str:
        """Options, surroundings and names of degrees of freedom, as text of the file."""
        still = [g for g in self.file.geometries if g.body in self.static or g.type == "plane"]
        entries = write_component(HyfydyModel(gravity=self.file.gravity)).entries
        options = write_component(self.file.options)
        entries += [Entry("model_options", options)] if options.entries else []
        for name in self.bodies:
            if name in self.static:
                entries.append(Entry("body", write_component(self.bodies[name])))
        entries += [Entry("geometry", write_component(geometry)) for geometry in still]
        entries += [Entry("dof", write_component(dof)) for dof in self.file.dofs]
        return format_group(Group(entries))

    # ------------------------------------------------ the start

    def _actor(self, model: spec.Model) -> spec.Actor:
        """The start: pose and velocity of the root, turned joints, and the defaults of degrees of freedom."""
        actor = spec.Actor(model.name, model)
        pose = np.eye(4)
        if self.tree.root_joint is None:
            root = self.bodies[self.tree.root]
            pose = self._pose(self.tree.root)
            actor.velocity, actor.angular_velocity = z_up(root.lin_vel), z_up(root.ang_vel)
        turns = self._authored_turns()
        for dof in self.file.dofs:
            self._apply_default(dof, pose, turns)
        actor.position = vector3(pose[:3, 3])
        actor.orientation = vector3([neat(angle) for angle in zyx_from_matrix(pose[:3, :3])])
        for joint in model.joints:
            turn = turns.get(joint.name)
            if turn is None or not joint.kind.resists:
                continue
            angles = zyx_from_matrix(turn)
            if joint.kind.has_axis:
                angles = (np.degrees(turn_about(turn, np.array(joint.axis))), 0.0, 0.0)
            actor.joint_angles[joint.name] = vector3([neat(angle) for angle in angles])
        moved = (
            actor.position != (0.0, 0.0, 0.0) or actor.orientation != (0.0, 0.0, 0.0) or actor.joint_angles
        )
        if moved or any(actor.velocity) or any(actor.angular_velocity):
            self.outside.add(
                "model", "", "its start (pose, velocity, joint angles) is the scenario's business"
            )
        return actor

    def _authored_turns(self) -> dict[str, np.ndarray]:
        """Joint name to (3, 3) turn, for bodies whose orientation is given and is not the one at zero."""
        turns = {}
        by_name = {joint.name: joint for joint in self.file.joints}
        for name in self.tree.joints:
            joint: Joint = by_name[name]
            body = self.bodies[joint.child]
            if any(body.lin_vel) or any(body.ang_vel):
                self.findings.add(
                    "body", body.name, "its own velocity is left out: the root's moves the whole"
                )
            if body.ori == (1.0, 0.0, 0.0, 0.0):
                continue
            parent = matrix_from_unit_quaternion(self.bodies[joint.parent].ori)
            zero = parent @ matrix_from_unit_quaternion(joint.ref_ori)
            turns[name] = turned_z_up(zero.T @ matrix_from_unit_quaternion(body.ori))
        return turns

    def _apply_default(self, dof: Dof, pose: np.ndarray, turns: dict[str, np.ndarray]) -> None:
        """Put a degree of freedom at its default value: a shift of the root, or a turn of a joint or of the root."""
        found = _SOURCE.fullmatch(dof.source)
        if found is None or dof.default == 0.0:
            return
        name = found["name"] + (found["side"] or "")
        axis = "xyz".index(found["axis"])
        value = -dof.default if found["minus"] else dof.default
        if found["kind"] == "t" and name == self.tree.root and self.tree.root_joint is None:
            place = list(y_up(pose[:3, 3]))
            place[axis] = value
            pose[:3, 3] = z_up(place)
            return
        turn = rotation_of_vector(np.radians(value) * np.array(z_up(np.eye(3)[axis])))
        joint = next((j.name for j in self.file.joints if name in (j.name, j.child)), None)
        if found["kind"] == "r" and joint is not None:
            turns[joint] = turns.get(joint, np.eye(3)) @ turn
        elif found["kind"] == "r" and name == self.tree.root:
            pose[:3, :3] = pose[:3, :3] @ turn
        else:
            self.findings.add("dof", dof.name, f"its default is left out: '{dof.source}' is not known")
