"""A Hyfydy file as an actor in its surroundings."""

import os
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

from ...engine import spec
from ...engine.spec.muscles import Activation, PathPoint
from ...io_json.errors import in_file
from ...io_json.strict_json import read_bytes
from ..common.axes import transform, vector3, z_up
from ..common.findings import Findings
from ..common.imported import Imported
from ..common.placing import place_start
from ..common.trees import Link, Tree, choose_tree, free_name
from .applied import apply_muscle, apply_settings, is_linear, joint_laws, pairs_of, pushes
from .components import (
    Geometry,
    HyfydyModel,
    JointMotor,
    Material,
    Muscle,
    Perturbation,
    Spring,
    write_component,
)
from .configuration import Configuration, configuration_of, read_configuration
from .document import read_text
from .joints import FIXED, FREE, GROUND, add_motor, joint_spec, loose_root, planar_root, weld_spec
from .kept import KEPT, keep
from .options import with_options
from .start import Start, set_joints, set_root
from .state import State, read_state
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

LIGHT = 1e-4
"""kg and kg m2 of the body that stands for the ground; it never moves."""


def read_hfd(
    path: str | os.PathLike, config: str | os.PathLike | None = None, state: str | os.PathLike | None = None
) -> Imported:
    """The content of a file, with a configuration file (forces, integrator) and a state file (the start) where they
    are given. Raises `FileError`."""
    data = read_bytes(path)
    blocks = read_configuration(config) if config is not None else ()
    start = read_state(state) if state is not None else None
    with in_file(path):
        # comments may be in any encoding; a name that is not UTF-8 is refused where it stands
        return loads(data.decode("utf-8-sig", errors="surrogateescape"), Path(path).stem, blocks, start)


def loads(
    text: str, name: str = "model", blocks: tuple[Entry, ...] = (), state: State | None = None
) -> Imported:
    """The content of a file's text; `name` for a model that has none; `blocks` of a configuration count in place of
    those in the file. Raises `FileError`."""
    findings = Findings()
    model = with_options(read_text(text, findings), findings)
    return _Reader(
        model, name, findings, configuration_of(blocks or model.blocks, findings), state
    ).imported()


@dataclass
class _Reader:
    """Reads one file; each method one kind of component."""

    file: HyfydyModel
    default_name: str
    findings: Findings
    chosen: Configuration
    state: State | None

    def __post_init__(self) -> None:
        self.outside = Findings()
        self.bodies = {body.name: body for body in self.file.bodies}
        density = self.file.options.density
        self.masses = {body.name: mass_and_inertia(body, density) for body in self.file.bodies}
        self.static = {name for name, (mass, _) in self.masses.items() if mass == 0.0}
        self.ground: str | None = None
        """Name of the body that stands for the ground, where the model needs one."""
        self.loose: dict[str, str] = {}
        """Joint that is not in the file to the body that it lets move freely."""
        self._check_names()
        self.tree = self._tree()

    def imported(self) -> Imported:
        model = spec.Model(self.file.name or self.default_name, [], [])
        model.joints = self._joints(model)
        model.bodies = [self._body(name) for name in self.tree.bodies]
        model.materials = [material_spec(m, is_linear(self.chosen)) for m in self._materials()]
        model.springs = list(map(self._spring, self.file.springs))
        model.muscles = [m for m in map(self._muscle, self.file.muscles) if m is not None]
        obstacles = self._geometry(model)
        by_name = {joint.name: joint for joint in model.joints}
        for motor in self.file.motors:
            self._motor(motor, by_name)
        kept = self._kept_entries()
        if kept:
            model.extras[KEPT] = kept
        if self.file.gravity != (0.0, -9.81, 0.0):
            self.outside.add("model", "", "its gravity is the scenario's business")
        settings = spec.Settings(gravity=z_up(self.file.gravity), ground=False)
        apply_settings(settings, self.chosen, self.findings)
        pairs = self._pairs() if self.chosen.contact is not None else []
        used = {o.material.name for o in obstacles} | {
            e.material for body in model.bodies for e in body.ellipsoids
        }
        pairs = [pair for pair in pairs if {pair.first, pair.second} <= used]
        actor = self._actor(model)
        imported = Imported(actor, obstacles, settings, self.findings, self.outside, pairs)
        place_start(imported, list(self.loose) if self.ground else [])
        return imported

    # ------------------------------------------------ the tree

    def _check_names(self) -> None:
        named = [(j, "parent", j.parent) for j in self.file.joints] + [
            (j, "child", j.child) for j in self.file.joints
        ]
        named += [(s, end, getattr(s, end)) for s in self.file.springs for end in ("parent", "child")]
        named += [(g, "body", g.body) for g in self.file.geometries]
        named += [(p, "body", p.body) for p in self._perturbations()]
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

    def _perturbations(self) -> list[Perturbation]:
        return [*self.file.perturbations, *self.chosen.perturbations]

    def _tree(self) -> Tree:
        """The tree of the model. Where muscles hang on what never moves, or several bodies are free, the ground is a
        body of it, and the root."""
        moving = [name for name in self.bodies if name not in self.static]
        links = [Link(j.name, self._host(j.parent), self._host(j.child)) for j in self.file.joints]
        tree = choose_tree(moving, links)
        if tree is None:
            raise syntax_error("no body with a mass", self.file.place, "Add a body that can move")
        pulls = any(point.body in self.static for muscle in self.file.muscles for point in muscle.path)
        if not pulls and not tree.left_out:
            if tree.root_joint is None:
                self.loose[free_name("root", {joint.name for joint in self.file.joints})] = tree.root
            return tree
        return self._grounded_tree(moving, links)

    def _grounded_tree(self, moving: list[str], links: list[Link]) -> Tree:
        """The tree with the ground as root, on which every body that no joint carries is free to move."""
        self.ground = free_name(GROUND, moving)
        message = "added: a body that stands still, for what hangs on the ground and for several free bodies"
        self.findings.add("body", self.ground, message)
        taken = {joint.name for joint in self.file.joints}
        free = {free_name(f"{body} free", taken): body for body in moving}
        on_ground = [
            Link(link.joint, link.parent or self.ground, link.child or self.ground) for link in links
        ]
        on_ground += [Link(name, self.ground, body) for name, body in free.items()]
        tree = choose_tree([self.ground, *moving], on_ground)
        self.loose = {name: body for name, body in free.items() if name in tree.joints}
        return replace(tree, closing=[name for name in tree.closing if name not in free])

    def _host(self, name: str) -> str | None:
        """The body that carries a point: itself, or for one that never moves the ground, which None stands for where
        it is no body of the model."""
        return self.ground if name in self.static else name

    def _pose(self, name: str) -> np.ndarray:
        """(4, 4) pose of a body in our world as the file gives it."""
        body = self.bodies[name]
        return transform(rotation_z_up(body.ori), z_up(body.pos))

    def _base(self, name: str) -> np.ndarray:
        """(4, 4) frame of a named body in that of its host."""
        return self._pose(name) if name in self.static else np.eye(4)

    def _point(self, name: str, position: spec.Vector) -> spec.Point:
        """A point on a body or in the world."""
        base = self._base(name)
        return spec.Point(vector3(base[:3, :3] @ z_up(position) + base[:3, 3]), self._host(name))

    # ------------------------------------------------ components

    def _body(self, name: str) -> spec.Body:
        if name == self.ground:
            return spec.Body(name, LIGHT, (LIGHT,) * 3 + (0.0,) * 3, extras={KEPT: GROUND})
        body = self.bodies[name]
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
        laws = joint_laws(self.chosen)
        joints = []
        if self.ground is not None:
            joints.append(spec.Joint(free_name("root", by_name), FIXED, None, self.ground))
        for name, body in self.loose.items():
            joints.append(self._loose_joint(name, body))
        for name in self.tree.joints:
            if name in self.loose:
                continue
            joint = by_name[name]
            base = self._base(joint.parent)
            joints.append(joint_spec(joint, self._host(joint.parent), base, options, self.findings, laws))
        for name in self.tree.closing:
            joint = by_name[name]
            ends = (
                self._point(joint.parent, joint.pos_in_parent),
                self._point(joint.child, joint.pos_in_child),
            )
            if any(end.body not in (None, self.ground) for end in ends):
                model.welds.append(weld_spec(joint, *ends, options, self.findings))
        return joints

    def _loose_joint(self, name: str, body: str) -> spec.Joint:
        """The joint of a body that no joint of the file carries."""
        if self.chosen.planar:
            return planar_root(name, self.ground, body, self.bodies[body].pos[2])
        if self.ground is not None:
            return loose_root(name, self.ground, body)
        return spec.Joint(name, FREE, None, body)

    def _spring(self, spring: Spring) -> spec.SpringDamper:
        start = self._point(spring.parent, spring.pos_in_parent)
        end = self._point(spring.child, spring.pos_in_child)
        return spec.SpringDamper(
            spring.name, start, end, spring.stiffness, spring.damping, spring.rest_length
        )

    def _muscle(self, muscle: Muscle) -> spec.Muscle | None:
        if self.chosen.chooses_forces and self.chosen.muscle is None:
            self.findings.add("muscle", muscle.name, "left out: no muscle_force is given, so it does not act")
            return None
        points = [self._point(point.body, point.pos) for point in muscle.path]
        rigid = muscle.tendon_slack_length == 0.0
        if rigid:
            self.findings.add("muscle", muscle.name, "its tendon has no length: taken as rigid")
        ours = spec.Muscle(
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
        ours = apply_muscle(ours, self.chosen, self.findings)
        start = self.state.activations.get(muscle.name) if self.state is not None else None
        return ours if start is None else replace(ours, activation=replace(ours.activation, start=start))

    def _motor(self, motor: JointMotor, joints: dict[str, spec.Joint]) -> None:
        if self.chosen.chooses_forces and not self.chosen.motors:
            message = "left out: no joint_motor_force is given, so it does not act"
            self.findings.add("joint_motor", motor.name or motor.joint, message)
            return
        add_motor(motor, joints, self.findings)

    def _pairs(self) -> list[spec.PairMaterial]:
        """Laws of all pairs of materials of which two surfaces can meet."""
        return pairs_of(combinations_with_replacement(self._materials(), 2), self.chosen)

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
                self._still_geometry(geometry, materials[name], obstacles)
            elif geometry.body in bodies:
                ellipsoid = ellipsoid_of(geometry, name, self.findings)
                if ellipsoid is not None:
                    body = bodies[geometry.body]
                    ellipsoid.name = free_name(ellipsoid.name, (other.name for other in body.ellipsoids))
                    body.ellipsoids.append(ellipsoid)
        return obstacles

    def _still_geometry(
        self, geometry: Geometry, material: spec.Material, obstacles: list[spec.Obstacle]
    ) -> None:
        """A surface of the surroundings, where the chosen forces let anything touch it."""
        body = self.bodies[geometry.body]
        if not self.chosen.touches:
            return
        if self.chosen.detection is not None and not self.chosen.between_objects and geometry.type != "plane":
            message = (
                "nothing touches it: only planes are touched while enable_collision_between_objects is 0"
            )
            self.findings.add("geometry", geometry.name, message)
            return
        self.outside.add("geometry", geometry.name, "it stands still: part of the scenario, not of the model")
        if any(body.ang_vel):
            self.findings.add(
                "body", body.name, "it turns on the spot in the file; here its surface stands still"
            )
        obstacles.append(obstacle_of(geometry, self._pose(geometry.body), material, body.lin_vel))

    def _actor(self, model: spec.Model) -> spec.Actor:
        """The start: pose and velocity of every free body, turned joints, and what pushes."""
        actor = spec.Actor(model.name, model)
        start = Start(self.file, self.tree, list(self.loose.values()), self.state, self.findings)
        joints = {joint.name: joint for joint in model.joints}
        for name, body in self.loose.items():
            set_root(actor, joints[name], self.bodies[body], start)
        set_joints(actor, start)
        for perturbation in self._perturbations():
            self._push(actor, perturbation)
        if actor != spec.Actor(model.name, model):
            self.outside.add(
                "model", "", "its start (pose, velocity, joint angles) is the scenario's business"
            )
        return actor

    def _push(self, actor: spec.Actor, perturbation: Perturbation) -> None:
        label = perturbation.name or perturbation.body
        if not self.chosen.external or perturbation.body in self.static:
            why = "enable_external_forces is 0" if not self.chosen.external else "its body never moves"
            self.findings.add("perturbation", label, f"left out: {why}")
            return
        message = "read by the words body, pos, force, moment, start_time and duration, which are assumed: the manual "
        self.findings.add("perturbation", label, message + "names none")
        if any(perturbation.moment):
            self.findings.add("perturbation", label, "its moment turns with the body")
        actor.force_pulses += pushes(perturbation)

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
        entries += [Entry("perturbation", write_component(p)) for p in self.file.perturbations]
        entries += self.file.blocks
        return format_group(Group(entries))
