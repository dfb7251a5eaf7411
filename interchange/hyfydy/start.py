"""Where a Hyfydy model starts: poses and velocities of its bodies, defaults of degrees of freedom, a state file."""

from dataclasses import dataclass, field

import numpy as np

from ...engine import spec
from ...engine.maths.rotations import zyx_from_matrix
from ..common.axes import matrix_from_unit_quaternion, matrix_from_xyz, neat, turned_z_up, vector3, z_up
from ..common.findings import Findings
from ..common.trees import Tree
from .components import Body, HyfydyModel
from .joints import FREE, PLANE, turn_about
from .state import SOURCE, State, rate_matrix

Target = tuple[str, str, int]
"""Joint or root body, "r" or "t", axis 0 to 2 of the file."""


@dataclass
class Start:
    """What the file and its state say of the start, in the file's axes."""

    file: HyfydyModel
    tree: Tree
    roots: list[str]
    """Bodies that no joint carries."""
    state: State | None
    findings: Findings
    defaults: dict[Target, float] = field(default_factory=dict)
    """rad or m"""
    values: dict[Target, float] = field(default_factory=dict)
    velocities: dict[Target, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for dof in self.file.dofs:
            if dof.default != 0.0:
                self._set(self.defaults, dof.source, dof.default, dof.name, in_degrees=True)
        if self.state is not None:
            sources = {dof.name: dof.source for dof in self.file.dofs}
            for numbers, kept in (
                (self.state.values, self.values),
                (self.state.velocities, self.velocities),
            ):
                for name, value in numbers.items():
                    self._set(kept, sources.get(name, name), value, name, in_degrees=False)

    def _set(self, kept: dict, source: str, value: float, name: str, in_degrees: bool) -> None:
        found = SOURCE.fullmatch(source)
        target = self._target(found["name"] + (found["side"] or ""), found["kind"]) if found else None
        if target is None:
            what = "its default is" if in_degrees else "its start is"
            self.findings.add("dof", name, f"{what} left out: '{source}' is not known")
            return
        unit = np.pi / 180.0 if in_degrees and found["kind"] == "r" else 1.0
        sign = -1.0 if found["minus"] else 1.0
        kept[target, found["kind"], "xyz".index(found["axis"])] = sign * unit * value

    def _target(self, name: str, kind: str) -> str | None:
        """The joint or root body that a source names."""
        if name in self.roots:
            return name
        joints = (j.name for j in self.file.joints if name in (j.name, j.child) and kind == "r")
        return next((joint for joint in joints if joint in self.tree.joints), None)

    def turn(self, target: str, authored: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """((3, 3) turn, (3,) turn rate in the turned axes) of a joint or a root; authored: the turn of the file.

        What a state gives counts in place of what the bodies of the file say; a default is added to it.
        """
        stated = [self.values.get((target, "r", k)) for k in range(3)]
        angles = np.array([self.defaults.get((target, "r", k), 0.0) for k in range(3)])
        base = authored
        if any(value is not None for value in stated):
            base = np.eye(3)
            angles = np.array([a if v is None else v for a, v in zip(angles, stated, strict=True)])
        rates = np.array([self.velocities.get((target, "r", k), 0.0) for k in range(3)])
        turn = base @ matrix_from_xyz(angles) if angles.any() else base
        return turn, rate_matrix(angles) @ rates

    def place(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """((3,) place, (3,) velocity) of a root."""
        place, velocity = np.array(body.pos, dtype=float), np.array(body.lin_vel, dtype=float)
        for k in range(3):
            target = (body.name, "t", k)
            place[k] = self.values.get(target, self.defaults.get(target, place[k]))
            velocity[k] = self.velocities.get(target, velocity[k])
        return place, velocity


def set_joints(actor: spec.Actor, start: Start) -> None:
    """Angles and rates of all joints between bodies."""
    bodies = {body.name: body for body in start.file.bodies}
    records = {joint.name: joint for joint in start.file.joints}
    for joint in actor.model.joints:
        record = records.get(joint.name)
        if record is None:
            continue
        child = bodies[record.child]
        if any(child.lin_vel) or any(child.ang_vel):
            start.findings.add("body", child.name, "its own velocity is left out: the root's moves the whole")
        authored = np.eye(3)
        if child.ori != (1.0, 0.0, 0.0, 0.0):
            parent = matrix_from_unit_quaternion(bodies[record.parent].ori)
            zero = parent @ matrix_from_unit_quaternion(record.ref_ori)
            authored = zero.T @ matrix_from_unit_quaternion(child.ori)
        turn, omega = start.turn(joint.name, authored)
        if joint.kind.resists and joint.kind.turns:
            _set_turn(actor, joint, turned_z_up(turn), np.array(z_up(omega)))


def _set_turn(actor: spec.Actor, joint: spec.Joint, turn: np.ndarray, omega: np.ndarray) -> None:
    """Angles and rates of one joint. turn: (3, 3), ours; omega: (3,) in child axes."""
    angles, rate = zyx_from_matrix(turn), omega
    if joint.kind.has_axis:
        axis = np.array(joint.axis, dtype=float)
        angles, rate = (np.degrees(turn_about(turn, axis)), 0.0, 0.0), (float(axis @ omega), 0.0, 0.0)
    if np.any(angles):
        actor.joint_angles[joint.name] = vector3([neat(angle) for angle in angles])
    if np.any(rate):
        actor.joint_velocities[joint.name] = vector3(rate)


def set_root(actor: spec.Actor, joint: spec.Joint, body: Body, start: Start) -> None:
    """The start of a body that no joint carries: of the actor where its joint is free, else of its joint."""
    place, velocity = start.place(body)
    turn, omega = start.turn(body.name, matrix_from_unit_quaternion(body.ori))
    world_rate = turn @ omega + np.array(body.ang_vel, dtype=float)
    ours = turned_z_up(turn)
    angles = vector3([neat(angle) for angle in zyx_from_matrix(ours)])
    if joint.type == FREE:
        actor.position, actor.velocity = z_up(place), z_up(velocity)
        actor.orientation, actor.angular_velocity = angles, z_up(world_rate)
        return
    own_rate = turn.T @ world_rate
    if joint.type == PLANE:
        _set_planar(actor, joint, (place, velocity, turn, own_rate), start.findings)
        return
    for name, value in (
        ("joint_slides", z_up(place)),
        ("joint_slide_velocities", z_up(velocity)),
        ("joint_angles", angles),
        ("joint_velocities", z_up(own_rate)),
    ):
        if any(value):
            getattr(actor, name)[joint.name] = value


def _set_planar(actor: spec.Actor, joint: spec.Joint, given: tuple, findings: Findings) -> None:
    """Place and turn in the plane; what leads out of it is left out."""
    place, velocity, turn, rate = given
    angle = np.arctan2(turn[1, 0], turn[0, 0])
    out = max(abs(velocity[2]), abs(rate[0]), abs(rate[1]), abs(turn[2, 2] - 1.0))
    if out > 1e-9:
        findings.add("body", joint.child, "what its start has out of the x-y plane is left out: it is planar")
    actor.joint_slides[joint.name] = vector3((place[0], place[1], 0.0))
    actor.joint_slide_velocities[joint.name] = vector3((velocity[0], velocity[1], 0.0))
    actor.joint_angles[joint.name] = (neat(np.degrees(angle)), 0.0, 0.0)
    actor.joint_velocities[joint.name] = (0.0, 0.0, float(rate[2]))
