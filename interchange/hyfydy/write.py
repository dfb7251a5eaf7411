"""A model of ours as a Hyfydy file.

A body's frame in the file has its origin at the centre of mass and its axes along the principal axes of inertia, as the
format demands; everything on the body is given in that frame. A body that is so already keeps its frame.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from math import inf

import numpy as np

from ...engine import spec
from ...engine.bodies.posture import body_poses, joint_rotation
from ...engine.bodies.tree import motion_axis
from ...engine.maths.inertia import inertia_matrix
from ...engine.maths.rotations import inverse_transform
from ...io_json.atomic import write_text
from ...io_json.errors import FileError
from ..common.axes import Z_UP_FROM_Y_UP, neat, signed_axis, transform, vector3, y_up, z_up
from ..common.findings import Finding, Findings
from ..common.hinges import note_moving_points
from ..common.trees import free_name
from .components import Body, HyfydyModel, Joint, JointMotor, Mesh, Muscle, PathPoint, Spring, read_component
from .document import read_model_group, write_tree
from .joints import BALL, BUSHING, FIXED, FREE, GROUND, HINGE, MATCHED, SLIDER
from .kept import KEPT, kept_tree, kept_values
from .surfaces import (
    file_quaternion,
    geometry_component,
    mass_and_inertia,
    material_component,
    mesh_component,
    rotation_z_up,
)
from .text import Group, format_group

WIDE = (-1e3, 1e3)
"""m: a range of sliding that never ends."""
ALL_ROUND = (-360.0, 360.0)
"""Range of an axis without limits."""
UNKNOWN = ": Hyfydy has none"
DIAGONAL = 1e-9
"""Products of inertia below this share of the trace count as none."""


def write_hfd(model: spec.Model, path: str | os.PathLike) -> list[Finding]:
    """Write a model; returns what was not carried over exactly. Raises `FileError`."""
    text, findings = dumps(model)
    write_text(path, text)
    return findings


def dumps(model: spec.Model) -> tuple[str, list[Finding]]:
    """The text of a model's file, and what was not carried over exactly."""
    findings = Findings()
    tree = write_tree(Writer(model, findings).file())
    return format_group(tree), findings.list()


class Writer:
    """Writes one model; each method one kind of component."""

    def __init__(self, model: spec.Model, findings: Findings) -> None:
        self.model, self.findings = model, findings
        self.frames = {body.name: _body_frame(body) for body in model.bodies}
        """Body name to the (4, 4) frame it has in the file, in our body frame."""
        self.kept = self._kept()
        self.grounds = {body.name for body in model.bodies if is_ground(body)}
        """Bodies that stand for the ground."""
        names = [*self.frames, *(body.name for body in self.kept.bodies)]
        self.ground = next((body.name for body in self.kept.bodies), free_name("ground", names))
        self.needs_ground = False
        still = next(iter(self.kept.bodies), Body())
        self.ground_frame = transform(rotation_z_up(still.ori) @ Z_UP_FROM_Y_UP, z_up(still.pos))
        """(4, 4) frame of the file's ground in our world."""

    def file(self) -> HyfydyModel:
        model, kept = self.model, self.kept
        result = HyfydyModel(name=model.name, gravity=kept.gravity, options=kept.options)
        result.materials = [material_component(material, self.findings) for material in model.materials]
        result.bodies = [self._body(body) for body in model.bodies if not is_ground(body)]
        result.joints = [
            self._joint(joint)
            for joint in model.joints
            if not is_root(joint) and joint.child not in self.grounds
        ]
        result.joints += [self._weld(weld) for weld in model.welds]
        result.springs = [self._spring(spring) for spring in model.springs]
        result.muscles = [self._muscle(muscle) for muscle in model.muscles]
        result.motors = [motor for joint in model.joints for motor in self._motors(joint)]
        result.geometries = [
            geometry_component(ellipsoid, inverse_transform(self.frames[body.name]), body.name, self.findings)
            for body in model.bodies
            for ellipsoid in body.ellipsoids
        ]
        result.geometries += kept.geometries
        result.dofs = kept.dofs
        result.perturbations, result.blocks = kept.perturbations, kept.blocks
        if kept.bodies:
            result.bodies = [*kept.bodies, *result.bodies]
        elif self.needs_ground:
            result.bodies.insert(0, Body(name=self.ground, mass=0.0, inertia=(0.0, 0.0, 0.0)))
        self._note_the_rest()
        return result

    def _kept(self) -> HyfydyModel:
        """Options, surroundings and degrees of freedom of the file this model came from, if it did."""
        try:
            kept = read_model_group(kept_tree(self.model.extras), Findings())
        except FileError:
            return HyfydyModel()
        known = {*self.frames, *(body.name for body in kept.bodies)}
        own = {body.name for body in self.model.bodies if not is_ground(body)}
        kept.bodies = [body for body in kept.bodies if body.name not in own]
        kept.geometries = [geometry for geometry in kept.geometries if geometry.body in known]
        return kept

    def _note_the_rest(self) -> None:
        """Findings for what the format cannot hold."""
        for kind, parts in (("belt", self.model.belts), ("coupler", self.model.couplers)):
            for part in parts:
                self.findings.add(kind, part.name, f"left out{UNKNOWN}")
        for surface in self.model.wrap_surfaces:
            self.findings.add("wrap surface", surface.name, f"left out{UNKNOWN}")
        if self.model.contact_exclude or self.model.contact_include:
            self.findings.add("model", "", "pairs of bodies that touch or do not are left out")

    # ------------------------------------------------ bodies

    def _body(self, body: spec.Body) -> Body:
        frame = self.frames[body.name]
        if np.abs(frame[:3, :3] - Z_UP_FROM_Y_UP).max() > 0.0 or np.abs(frame[:3, 3]).max() > 0.0:
            self.findings.add(
                "body", body.name, "its frame moved to the centre of mass and the principal axes"
            )
        to_file = inverse_transform(frame)
        moments = np.diag(frame[:3, :3].T @ inertia_matrix(body.inertia) @ frame[:3, :3])
        result = Body(name=body.name, mass=float(body.mass), inertia=vector3(moments))
        result.meshes = [mesh_component(mesh, to_file) for mesh in body.meshes]
        self._restore(result, body)
        root = next((j for j in self.model.joints if j.child == body.name and is_root(j)), None)
        if root is not None:
            pose = np.array(root.T1, dtype=float) @ inverse_transform(np.array(root.T2, dtype=float)) @ frame
            if np.abs(pose - transform(Z_UP_FROM_Y_UP, (0.0, 0.0, 0.0))).max() > 0.0:
                result.pos = y_up(pose[:3, 3])
                result.ori = file_quaternion(Z_UP_FROM_Y_UP.T @ pose[:3, :3])
        return result

    def _restore(self, result: Body, body: spec.Body) -> None:
        """Entries of the file the body came from, where they are still valid."""
        values = kept_values(body.extras, Body)
        shape = Body(name=body.name, density=values.get("density"), shape=values.get("shape"))
        expected = (result.mass, result.inertia)
        with suppress(FileError):  # what was kept may have been edited
            if shape.shape is not None and mass_and_inertia(shape, self.kept.options.density) == expected:
                result.mass = result.inertia = None
                result.density, result.shape = shape.density, shape.shape
        for key in ("pos", "ori", "lin_vel", "ang_vel"):
            if key in values:
                setattr(result, key, values[key])
        for entry in kept_tree(body.extras).entries:
            if entry.key == "mesh" and isinstance(entry.value, Group):
                with suppress(FileError):
                    result.meshes.append(read_component(Mesh, entry.value, "mesh", Findings()))

    def _name(self, body: str | None) -> str:
        """Name in the file of a body, or of the ground."""
        if body is None or body in self.grounds:
            self.needs_ground = True
            return self.ground
        return body

    def _place(self, body: str | None, position: Iterable[float]) -> spec.Vector:
        """A point of a body (of the world, with None) in the file's frame of it."""
        point = np.array([*position, 1.0], dtype=float)
        return vector3((inverse_transform(self._frame(body)) @ point)[:3])

    def _frame(self, body: str | None) -> np.ndarray:
        """(4, 4) frame in the file of a body, or of the ground."""
        return self.ground_frame if body is None or body in self.grounds else self.frames[body]

    # ------------------------------------------------ joints

    def _joint(self, joint: spec.Joint) -> Joint:
        if joint.type not in (FREE, FIXED, HINGE, BALL, SLIDER, BUSHING):
            raise FileError(
                f"joint '{joint.name}' is {joint.type}, which no joint of a Hyfydy file is here",
                remedy=f"Use {', '.join((FIXED, HINGE, BALL, SLIDER))} or {BUSHING}",
            )
        parent_turn = self._frame(joint.parent)[:3, :3]
        child_turn = self.frames[joint.child][:3, :3]
        T1, T2 = np.array(joint.T1, dtype=float), np.array(joint.T2, dtype=float)
        result = Joint(
            name=joint.name,
            parent=self._name(joint.parent),
            child=joint.child,
            pos_in_parent=self._place(joint.parent, T1[:3, 3]),
            pos_in_child=self._place(joint.child, T2[:3, 3]),
            ref_ori=file_quaternion(parent_turn.T @ T1[:3, :3] @ T2[:3, :3].T @ child_turn),
        )
        values = kept_values(joint.extras, Joint)
        for key in ("stiffness", "damping", "limit_stiffness", "translation_limits"):
            setattr(result, key, values.get(key))
        result.limits = self._limits(joint, self.joint_axes(joint))
        if joint.kind.slides:
            result.translation_limits = self._translation_limits(joint, self.joint_axes(joint))
        if joint.limits is not None and joint.kind.turns:
            self._limit_forces(result, joint.limits)
        self.findings.leave_out("joint", joint, "cone", "friction", "springs", "breaks", why=UNKNOWN)
        return result

    def joint_axes(self, joint: spec.Joint) -> np.ndarray:
        """(3, 3), columns: our joint axes in the child's frame of the file."""
        return self.frames[joint.child][:3, :3].T @ np.array(joint.T2, dtype=float)[:3, :3]

    def _limit_forces(self, result: Joint, limits: spec.AxisLimits) -> None:
        options = self.kept.options
        if limits.stiffness != options.joint_limit_stiffness:
            result.limit_stiffness = float(limits.stiffness)
        factor = float(limits.damping_factor)
        if factor == 0.0 and limits.stiffness > 0.0:
            factor = neat(limits.damping / (limits.stiffness * MATCHED))
        if factor != options.joint_limit_damping:
            result.limit_damping = factor
            if factor > 0.0 and limits.damping_factor == 0.0:
                message = (
                    "limit damping grows with the turn in Hyfydy; equal to ours 5 degrees past the limit"
                )
                self.findings.add("joint", result.name, message)

    def _limits(self, joint: spec.Joint, axes: np.ndarray) -> tuple | None:
        """Ranges about the child's axes in the file; None when nothing is limited."""
        if joint.type in (FIXED, SLIDER):
            return ((0.0, 0.0),) * 3
        if joint.type == HINGE:
            return self._hinge_limits(joint, axes @ np.array(joint.axis, dtype=float))
        if joint.limits is None:
            return None
        low, high = joint.limits.lower, joint.limits.upper
        ranges: list = [ALL_ROUND] * 3
        for ours, pair in enumerate(reversed(list(zip(low, high, strict=True)))):
            found = signed_axis(axes[:, ours])
            if found is None:
                self.findings.add(
                    "joint", joint.name, "left out its limits: they are not about axes of the body"
                )
                return None
            ranges[found[0]] = _signed(pair, found[1])
        return tuple(ranges)

    def _translation_limits(self, joint: spec.Joint, axes: np.ndarray) -> tuple:
        """Ranges of sliding along the child's axes in the file; very wide where there is no limit."""
        ranges: list = [(0.0, 0.0)] * 3
        for motion in joint.kind.motions:
            if not motion.slides:
                continue
            found = signed_axis(axes @ motion_axis(joint, motion))
            if found is None:
                message = "left out its sliding: it is not along axes of the body"
                self.findings.add("joint", joint.name, message)
                return ((0.0, 0.0),) * 3
            limits = joint.limits if joint.type == SLIDER else joint.slide and joint.slide.limits
            pair = WIDE
            if limits:
                ends = (joint.kind.typed(motion, end, end) for end in (limits.lower, limits.upper))
                pair = tuple(float(end) for end in ends)
            ranges[found[0]] = _signed(pair, found[1])
        return tuple(ranges)

    def _hinge_limits(self, joint: spec.Joint, axis: np.ndarray) -> tuple:
        found = signed_axis(axis)
        if found is None:
            nearest = int(np.argmax(np.abs(axis)))
            found = nearest, float(np.sign(axis[nearest]))
            angle = np.degrees(np.arccos(min(1.0, abs(float(axis[nearest])))))
            message = (
                f"its axis lies along no axis of the body: the nearest is taken, {angle:.1f} degrees off"
            )
            self.findings.add("joint", joint.name, message)
        ranges = [(0.0, 0.0)] * 3
        limits = joint.limits
        pair = ALL_ROUND if limits is None else (float(limits.lower[0]), float(limits.upper[0]))
        ranges[found[0]] = _signed(pair, found[1])
        return tuple(ranges)

    def _motors(self, joint: spec.Joint) -> list[JointMotor]:
        """The joint's motor; its own damping is a motor that only damps."""
        motor = joint.motor
        if not joint.kind.resists:
            return []
        if motor is None:
            return [JointMotor(joint=joint.name, damping=float(joint.damping))] if joint.damping else []
        if joint.damping:
            self.findings.add("joint", joint.name, "its damping is left out: it has a motor")
        if motor.gain_over_time is not None or motor.target_over_time is not None:
            self.findings.add("joint", joint.name, "what its motor does over time is left out")
        if motor.torque_over_speed is not None:
            self.findings.add("joint", joint.name, "its motor's largest torque is the same at every rate")
        axes = self.joint_axes(joint)
        velocity, base = (
            np.array(motor.target_velocity, dtype=float),
            np.array(motor.base_torque, dtype=float),
        )
        if joint.kind.has_axis:
            axis = np.array(joint.axis, dtype=float)
            velocity, base = velocity[0] * axis, base[0] * axis
        turn = axes @ joint_rotation(joint, motor.target) @ axes.T
        return [
            JointMotor(
                joint=joint.name,
                stiffness=float(motor.stiffness),
                damping=float(motor.damping),
                max_torque=inf if motor.max_torque == inf else float(motor.max_torque),
                target_ori=file_quaternion(turn),
                target_vel=vector3(axes @ velocity),
                torque_offset=vector3(axes @ base),
            )
        ]

    # ------------------------------------------------ connections and muscles

    def _ends(self, start: spec.Point, end: spec.Point) -> dict:
        return {
            "parent": self._name(start.body),
            "child": self._name(end.body),
            "pos_in_parent": self._place(start.body, start.position),
            "pos_in_child": self._place(end.body, end.position),
        }

    def _spring(self, spring: spec.SpringDamper) -> Spring:
        own = ("tension_only", "curve", "break_force", "break_energy")
        self.findings.leave_out("spring", spring, *own, why=UNKNOWN)
        length = (
            self._distance(spring.start, spring.end) if spring.rest_length is None else spring.rest_length
        )
        return Spring(
            name=spring.name,
            **self._ends(spring.start, spring.end),
            rest_length=float(length),
            stiffness=float(spring.stiffness),
            damping=float(spring.damping),
        )

    def _distance(self, start: spec.Point, end: spec.Point) -> float:
        """Distance (m) of two points with all joints at zero."""
        poses = body_poses(self.model)
        a, b = (
            np.array(point.position, dtype=float)
            if point.body is None
            else (poses[point.body] @ np.array([*point.position, 1.0], dtype=float))[:3]
            for point in (start, end)
        )
        return float(np.linalg.norm(b - a))

    def _weld(self, weld: spec.Weld) -> Joint:
        own = ("rotational_stiffness", "break_force", "break_torque", "break_energy", "release_time", "line")
        self.findings.leave_out("weld", weld, *own, why=UNKNOWN)
        self.findings.add("weld", weld.name, "written as a joint that closes a loop; its damping is Hyfydy's")
        return Joint(name=weld.name, **self._ends(weld.start, weld.end), stiffness=float(weld.stiffness))

    def _muscle(self, muscle: spec.Muscle) -> Muscle:
        if muscle.wraps:
            self.findings.add(
                "muscle", muscle.name, "it goes straight from point to point: Hyfydy has no wrapping"
            )
        if muscle.form != "millard" or muscle.tendon != "elastic":
            self.findings.add("muscle", muscle.name, "the muscle model is chosen outside the file in Hyfydy")
        if muscle.excitation != type(muscle.excitation)():
            self.findings.add(
                "muscle", muscle.name, "what excites it is left out: controllers are not in the file"
            )
        note_moving_points(muscle, self.findings)
        path = [PathPoint(body=self._name(p.body), pos=self._place(p.body, p.position)) for p in muscle.path]
        return Muscle(
            name=muscle.name,
            max_isometric_force=float(muscle.max_isometric_force),
            optimal_fiber_length=float(muscle.optimal_fibre_length),
            tendon_slack_length=float(muscle.tendon_slack_length),
            pennation_angle=neat(np.radians(muscle.pennation)),
            stiffness_multiplier=float(muscle.stiffness_factor),
            path=path,
            as_torques=muscle.acts == "joint_torques",
        )


def is_root(joint: spec.Joint) -> bool:
    """Whether the file has no joint there: its child is free."""
    return (joint.parent is None and joint.kind.is_free) or joint.extras.get(KEPT) == FREE


def is_ground(body: spec.Body) -> bool:
    """Whether a body was added for what hangs on the ground."""
    return body.extras.get(KEPT) == GROUND


def _signed(pair: tuple[float, float], sign: float) -> tuple[float, float]:
    low, high = (float(end) for end in pair)
    return (low, high) if sign > 0.0 else (0.0 - high, 0.0 - low)


def _body_frame(body: spec.Body) -> np.ndarray:
    """(4, 4) frame of a body in the file, in our body frame: y up, or the principal axes nearest to that."""
    inertia = Z_UP_FROM_Y_UP.T @ inertia_matrix(body.inertia) @ Z_UP_FROM_Y_UP
    off = np.abs(inertia - np.diag(np.diag(inertia))).max()
    turn = np.eye(3) if off <= DIAGONAL * np.trace(inertia) else _nearest_axes(np.linalg.eigh(inertia)[1])
    return transform(Z_UP_FROM_Y_UP @ turn, body.center_of_mass)


def _nearest_axes(vectors: np.ndarray) -> np.ndarray:
    """(3, 3) rotation made of the columns of `vectors`, ordered and signed to be as near to no turn as may be."""
    order: list[int] = []
    for axis in range(3):
        free = [k for k in range(3) if k not in order]
        order.append(max(free, key=lambda k: abs(vectors[axis, k])))
    turn = vectors[:, order] * np.sign([vectors[axis, k] or 1.0 for axis, k in enumerate(order)])
    if np.linalg.det(turn) < 0.0:
        turn[:, 2] *= -1.0
    return turn
