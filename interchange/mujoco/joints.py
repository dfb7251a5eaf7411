"""Joints and what acts in them, as MJCF. MuJoCo turns about axes of the child body, so ours are turned by T2."""

from dataclasses import dataclass, field
from math import isfinite
from xml.etree.ElementTree import Element

import numpy as np

from ...engine import spec
from ...engine.bodies.posture import joint_rotation
from ...engine.bodies.tree import motion_axis
from ...engine.build.start import ZERO, free_root_start
from ...engine.maths.rotations import quaternion_from_matrix
from ...engine.maths.vector import quat_log
from ...engine.spec.joint_parts import JointPart
from ...engine.spec.joint_types import AXIS
from ...io_json.errors import FileError
from ..common.findings import Findings
from .elements import add

MJCF_TYPES = {
    "free": ("free",), "spherical": ("ball",), "revolute": ("hinge",), "fixed": (), "prismatic": ("slide",),
    "cylindrical": ("slide", "hinge"), "planar": ("slide", "slide", "hinge"), "universal": ("hinge", "hinge"),
    "bushing": ("slide", "slide", "slide", "ball"), "gimbal": ("hinge", "hinge", "hinge"),
}  # fmt: skip
"""Our joint types as MuJoCo's, one for each motion. Without any, nothing joins the bodies, which makes them one."""
SOFT_LIMITS = "its limits are MuJoCo's own soft ones: the range is kept, the stiffness is not"


def mjcf_types(joint: spec.Joint) -> tuple[str, ...]:
    """MuJoCo's types of a joint's motions; none for a fixed one. FileError where it has none like it."""
    if joint.type not in MJCF_TYPES:
        raise FileError(
            f"joint '{joint.name}' is {joint.type}, which no joint of an MJCF file is here",
            remedy=f"Use one of {', '.join(MJCF_TYPES)}",
        )
    return MJCF_TYPES[joint.type]


@dataclass(frozen=True)
class Part(JointPart):
    """One motion of a joint of an actor."""

    actor: spec.Actor


@dataclass
class State:
    """The start of a scenario in MuJoCo's layout, filled as joints and actuators are written."""

    qpos: list[float] = field(default_factory=list)
    qvel: list[float] = field(default_factory=list)
    ctrl: list[float] = field(default_factory=list)
    act: list[float] = field(default_factory=list)


@dataclass
class JointWriter:
    """Writes joints into bodies and their motors into the actuators."""

    settings: spec.Settings
    actuators: Element
    state: State
    findings: Findings
    forces: bool
    """Whether limits, friction, springs and motors are written."""

    def write(self, body: Element, actor: spec.Actor, joint: spec.Joint, name: str, pose: np.ndarray) -> None:
        """The joint of a body, and the body's state. `pose`: (4, 4) of the body in the world, for a free root."""
        kinds = mjcf_types(joint)
        if kinds == MJCF_TYPES["free"]:
            add(body, "freejoint", name=name)
            self._free_state(actor, joint, pose)
            return
        for number, (kind, motion) in enumerate(zip(kinds, joint.kind.motions, strict=True)):
            own = name if number == len(kinds) - 1 else f"{name}/{motion.axes[0]}"
            part = Part(joint, motion, actor)
            element = self._element(body, part, own, kind)
            self._state(part)
            if self.forces:
                self._passive(element, part)
                self._motor(part, own)
        if self.forces and joint.breaks:
            self.findings.add("joint", joint.name, "left out where it gives way: MuJoCo's joints hold")

    def _element(self, body: Element, part: Part, name: str, kind: str) -> Element:
        T2 = np.array(part.joint.T2, dtype=float)
        own = part.damping(self.settings.default_joint_damping)
        common = {"name": name, "pos": T2[:3, 3], "damping": own * self.settings.joint_damping}
        if part.motion.group == AXIS:
            common["axis"] = T2[:3, :3] @ motion_axis(part.joint, part.motion)
        return add(body, "joint", type=kind, **common)

    # ------------------------------------------------ the start

    def _free_state(self, actor: spec.Actor, joint: spec.Joint, pose: np.ndarray) -> None:
        """World pose and velocity of the body's origin, turn rate in body axes; ours are those of the joint frame."""
        self.state.qpos += [*pose[:3, 3], *quaternion_from_matrix(pose[:3, :3])]
        q, u = free_root_start(actor, joint)
        rate = np.array(joint.T2, dtype=float)[:3, :3] @ u[3:]
        velocity = u[:3] + np.cross(pose[:3, :3] @ rate, pose[:3, 3] - q[:3])
        self.state.qvel += [*velocity, *rate]

    def _state(self, part: Part) -> None:
        joint, actor = part.joint, part.actor
        axes = np.array(joint.T2, dtype=float)[:3, :3]
        angles = actor.joint_angles.get(joint.name, ZERO)
        rates = np.array(actor.joint_velocities.get(joint.name, ZERO), dtype=float)
        if part.motion.group == AXIS:
            slides = actor.joint_slides.get(joint.name, ZERO)
            if part.is_slide:
                rates = actor.joint_slide_velocities.get(joint.name, ZERO)
            self.state.qpos.append(part.motion.coordinate(joint.kind.typed(part.motion, angles, slides)))
            self.state.qvel.append(float(rates[part.motion.place]))
            return
        self.state.qpos += list(quaternion_from_matrix(axes @ joint_rotation(joint, angles) @ axes.T))
        self.state.qvel += list(axes @ rates)

    # ------------------------------------------------ forces

    def _passive(self, element: Element, part: Part) -> None:
        """Limits, friction and springs that MuJoCo has too."""
        joint, limits = part.joint, part.limits
        if limits is not None and part.motion.group == AXIS:
            low, high = (part.coordinate(end) for end in (limits.lower, limits.upper))
            if low < high:
                element.set("limited", "true")
                element.set("range", f"{low!r} {high!r}")
            self.findings.add("joint", joint.name, SOFT_LIMITS)
        elif limits is not None or joint.cone is not None and part.motion.group != AXIS:
            self.findings.add(
                "joint", joint.name, "left out its range of motion: MuJoCo's ball joint has one angle only"
            )
        if part.friction is not None:
            element.set("frictionloss", repr(float(part.friction.torque)))
            if part.friction.drop_angle is not None:
                self.findings.add("joint", joint.name, "its friction does not drop after the first motion")
        for spring in part.springs:
            self._spring(element, part, spring)

    def _spring(self, element: Element, part: Part, spring: spec.JointSpring) -> None:
        """A straight curve on a hinge or a slider is a spring of MuJoCo's."""
        ways, forces = (np.array(column, dtype=float) for column in zip(*spring.curve, strict=True))
        straight = len(ways) == 2 and forces[0] > forces[1] and spring.retention is None
        if part.motion.group != AXIS or len(part.springs) > 1 or not straight:
            message = "left out a spring: MuJoCo has straight ones on hinges and sliders only"
            self.findings.add("joint", part.joint.name, message)
            return
        start, end = (part.motion.coordinate(way) for way in ways)
        slope = (forces[0] - forces[1]) / (end - start)
        element.set("stiffness", repr(float(slope)))
        element.set("springref", repr(float(start + forces[0] / slope)))
        element.set("damping", repr(float(element.get("damping")) + float(spring.damping)))

    def _motor(self, part: Part, name: str) -> None:
        """A motor as actuators: one on a hinge or a slider, three on a ball joint. Its target is their control."""
        joint, motor = part.joint, part.motor(part.actor.motors.get(part.joint.name))
        if motor is None:
            return
        if motor.gain_over_time is not None or motor.target_over_time is not None:
            self.findings.add("joint", joint.name, "its motor does not change over time")
        if motor.torque_over_speed is not None:
            self.findings.add("joint", joint.name, "its motor's largest torque is the same at every rate")
        if part.motion.group == AXIS:
            target = part.coordinate(motor.target)
            self._actuator(name, f"{name}/motor", None, part.actor, motor, target, part.motion.place)
            return
        message = "its motor acts about each axis by itself, equal to ours for small turns"
        self.findings.add("joint", joint.name, message)
        axes = np.array(joint.T2, dtype=float)[:3, :3]
        turn = quat_log(tuple(quaternion_from_matrix(joint_rotation(joint, motor.target))))
        for k, letter in enumerate("xyz"):
            self._actuator(name, f"{name}/motor_{letter}", axes[:, k], part.actor, motor, turn[k], k)

    def _actuator(
        self,
        joint: str,
        name: str,
        axis: np.ndarray | None,
        actor: spec.Actor,
        motor: spec.Motor,
        target: float,
        k: int,
    ) -> None:
        """force = kp ctrl + (base + kd v_target) - kp length - kd velocity."""
        tone = 1.0 if actor.tone is None else float(actor.tone)
        kp, kd = tone * float(motor.stiffness), tone * float(motor.damping)
        base = tone * float(motor.base_torque[k]) + kd * float(motor.target_velocity[k])
        bounds = {"forcerange": (-motor.max_torque, motor.max_torque), "forcelimited": "true"}
        add(
            self.actuators,
            "general",
            name=name,
            joint=joint,
            gear=None if axis is None else [*axis, 0.0, 0.0, 0.0],
            gainprm=kp,
            biastype="affine",
            biasprm=(base, -kp, -kd),
            **(bounds if isfinite(motor.max_torque) else {}),
        )
        self.state.ctrl.append(float(target))
