"""Joints and what acts in them, as MJCF. MuJoCo turns about axes of the child body, so ours are turned by T2."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from xml.etree.ElementTree import Element

import numpy as np

from ...engine import spec
from ...engine.bodies.posture import joint_rotation
from ...engine.build.start import free_root_start
from ...engine.maths.rotations import quaternion_from_matrix
from ...engine.maths.vector import quat_log
from ...io_json.errors import FileError
from ..common.findings import Findings
from .elements import add

MJCF_TYPES = {"free": "free", "spherical": "ball", "revolute": "hinge", "fixed": None}
"""Our joint types as MuJoCo's; None: nothing joins the bodies there, which makes them one."""
SOFT_LIMITS = "its limits are MuJoCo's own soft ones: the range is kept, the stiffness is not"


def mjcf_type(joint: spec.Joint) -> str | None:
    """MuJoCo's type of a joint; None for a fixed one. FileError where it has none like it."""
    if joint.type not in MJCF_TYPES:
        raise FileError(
            f"joint '{joint.name}' is {joint.type}, which no joint of an MJCF file is here",
            remedy=f"Use one of {', '.join(MJCF_TYPES)}",
        )
    return MJCF_TYPES[joint.type]


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
        kind = mjcf_type(joint)
        if kind == "free":
            add(body, "freejoint", name=name)
            self._free_state(actor, joint, pose)
        elif kind is not None:
            element = self._element(body, joint, name, kind)
            self._state(actor, joint)
            if self.forces:
                self._passive(element, joint)
                self._motor(actor, joint, name)

    def _element(self, body: Element, joint: spec.Joint, name: str, kind: str) -> Element:
        T2 = np.array(joint.T2, dtype=float)
        own = self.settings.default_joint_damping if joint.damping is None else joint.damping
        common = {"name": name, "pos": T2[:3, 3], "damping": float(own) * self.settings.joint_damping}
        if joint.kind.has_axis:
            common["axis"] = T2[:3, :3] @ np.array(joint.axis, dtype=float)
        return add(body, "joint", type=kind, **common)

    # ------------------------------------------------ the start

    def _free_state(self, actor: spec.Actor, joint: spec.Joint, pose: np.ndarray) -> None:
        """World pose and velocity of the body's origin, turn rate in body axes; ours are those of the joint frame."""
        self.state.qpos += [*pose[:3, 3], *quaternion_from_matrix(pose[:3, :3])]
        q, u = free_root_start(actor, joint)
        rate = np.array(joint.T2, dtype=float)[:3, :3] @ u[3:]
        velocity = u[:3] + np.cross(pose[:3, :3] @ rate, pose[:3, 3] - q[:3])
        self.state.qvel += [*velocity, *rate]

    def _state(self, actor: spec.Actor, joint: spec.Joint) -> None:
        axes = np.array(joint.T2, dtype=float)[:3, :3]
        angles = actor.joint_angles.get(joint.name, (0.0, 0.0, 0.0))
        rates = np.array(actor.joint_velocities.get(joint.name, (0.0, 0.0, 0.0)), dtype=float)
        if joint.kind.has_axis:
            self.state.qpos.append(joint.kind.coordinate(angles[0]))
            self.state.qvel.append(float(rates[0]))
            return
        self.state.qpos += list(quaternion_from_matrix(axes @ joint_rotation(joint, angles) @ axes.T))
        self.state.qvel += list(axes @ rates)

    # ------------------------------------------------ forces

    def _passive(self, element: Element, joint: spec.Joint) -> None:
        """Limits, friction and springs that MuJoCo has too."""
        if joint.limits is not None and joint.kind.has_axis:
            low, high = (joint.kind.coordinate(end[0]) for end in (joint.limits.lower, joint.limits.upper))
            if low < high:
                element.set("limited", "true")
                element.set("range", f"{low!r} {high!r}")
            self.findings.add("joint", joint.name, SOFT_LIMITS)
        elif joint.limits is not None or joint.cone is not None:
            self.findings.add(
                "joint", joint.name, "left out its range of motion: MuJoCo's ball joint has one angle only"
            )
        if joint.friction is not None:
            element.set("frictionloss", repr(float(joint.friction.torque)))
            if joint.friction.drop_angle is not None:
                self.findings.add("joint", joint.name, "its friction does not drop after the first motion")
        for spring in joint.springs:
            self._spring(element, joint, spring)

    def _spring(self, element: Element, joint: spec.Joint, spring: spec.JointSpring) -> None:
        """A straight curve on a hinge is a spring of MuJoCo's."""
        angles, torques = (np.array(column, dtype=float) for column in zip(*spring.curve, strict=True))
        if not joint.kind.has_axis or len(joint.springs) > 1 or len(angles) != 2 or torques[0] <= torques[1]:
            self.findings.add(
                "joint", joint.name, "left out a spring: MuJoCo has straight ones on hinges only"
            )
            return
        slope = (torques[0] - torques[1]) / np.radians(angles[1] - angles[0])
        element.set("stiffness", repr(float(slope)))
        element.set("springref", repr(float(np.radians(angles[0]) + torques[0] / slope)))
        element.set("damping", repr(float(element.get("damping")) + float(spring.damping)))

    def _motor(self, actor: spec.Actor, joint: spec.Joint, name: str) -> None:
        """A motor as actuators: one on a hinge, three on a ball joint. Its target is their control."""
        motor = actor.motors.get(joint.name, joint.motor)
        if motor is None:
            return
        if motor.gain_over_time is not None or motor.target_over_time is not None:
            self.findings.add("joint", joint.name, "its motor does not change over time")
        if joint.kind.has_axis:
            target = joint.kind.coordinate(motor.target[0])
            self._actuator(name, f"{name}/motor", None, actor, motor, target, 0)
            return
        message = "its motor acts about each axis by itself, equal to ours for small turns"
        self.findings.add("joint", joint.name, message)
        axes = np.array(joint.T2, dtype=float)[:3, :3]
        turn = quat_log(tuple(quaternion_from_matrix(joint_rotation(joint, motor.target))))
        for k, letter in enumerate("xyz"):
            self._actuator(name, f"{name}/motor_{letter}", axes[:, k], actor, motor, turn[k], k)

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
