"""Joints of an MJCF body as one joint of ours.

MuJoCo lets a body have several joints, which move it one after the other. Slides before hinges about one point are a
custom joint of ours, exactly; a free joint, a ball, a hinge or a slide alone is what it is called.
"""

from dataclasses import dataclass
from math import degrees

import numpy as np

from ...engine import spec
from ...engine.spec.joint_functions import SHIFT, TURN
from ..common.axes import rows, transform, vector3
from ..common.findings import Findings
from ..common.xml_tree import Node
from .mjcf_values import Compiler, number, number_list

ONE = {"free": "free", "ball": "spherical", "hinge": "revolute", "slide": "prismatic"}
APART = 1e-9
"""m between the anchors of hinges that count as one point."""


@dataclass(frozen=True)
class MjcfJoint:
    """A joint of the file, in units of the file's coordinates: rad and m."""

    name: str
    kind: str
    axis: np.ndarray
    anchor: np.ndarray
    """(3,) in the body"""
    limits: tuple[float, float] | None
    damping: float
    stiffness: float
    rest: float
    """Where its spring has no force."""
    friction: float
    place: Node


def read_joint(node: Node, compiler: Compiler, name: str, findings: Findings) -> MjcfJoint:
    """One joint. Raises FileError."""
    kind = "free" if node.tag == "freejoint" else node.attributes.get("type", "hinge")
    if kind not in ONE:
        raise node.error(f"there is no joint '{kind[:40]}'", f"Use one of {', '.join(ONE)}")
    axis = np.array(number_list(node, "axis", (3,), (0.0, 0.0, 1.0)))
    if not np.linalg.norm(axis) > 1e-12:
        raise node.error("the axis has no length", "Give a direction")
    unit = compiler.angle if kind in ("hinge", "ball") else float
    limits = None
    limited = node.attributes.get("limited", "auto")
    if "range" in node.attributes and (limited == "true" or limited == "auto" and compiler.auto_limits):
        limits = tuple(map(unit, number_list(node, "range", (2,))))
    if number(node, "armature", 0.0) != 0.0:
        findings.add(
            "joint", name, "left out its armature: our joints have no rotor with an inertia of its own"
        )
    if number(node, "ref", 0.0) != 0.0:
        findings.add(
            "joint", name, "its reference angle is zero here: coordinates count from the pose of the file"
        )
    return MjcfJoint(
        name,
        kind,
        axis / np.linalg.norm(axis),
        np.array(number_list(node, "pos", (3,), (0.0, 0.0, 0.0))),
        limits,
        number(node, "damping", 0.0),
        number(node, "stiffness", 0.0),
        unit(number(node, "springref", 0.0)),
        number(node, "frictionloss", 0.0),
        node,
    )


def joint_of(
    joints: list[MjcfJoint], parent: str | None, child: str, pose: np.ndarray, findings: Findings
) -> spec.Joint:
    """Our joint of all joints of a body. pose (4, 4): the body in its parent, as the file has it."""
    anchor = next((joint.anchor for joint in joints if joint.kind in ("hinge", "ball")), np.zeros(3))
    if any(np.linalg.norm(joint.anchor - anchor) > APART for joint in joints if joint.kind == "hinge"):
        findings.add("body", child, "its hinges turn about different points; here they share the first one's")
    shift = transform(np.eye(3), anchor)
    frames = {"T1": rows(pose @ shift), "T2": rows(shift)}
    if not joints:
        return spec.Joint(f"{child} joint", "fixed", parent, child, **frames, damping=0.0)
    name = joints[-1].name
    if len(joints) == 1:
        joint = spec.Joint(name, ONE[joints[0].kind], parent, child, axis=vector3(joints[0].axis), **frames)
    else:
        joint = spec.Joint(
            name, "custom", parent, child, functions=_functions(joints, child, findings), **frames
        )
    _resist(joint, joints, findings)
    return joint


def _functions(joints: list[MjcfJoint], child: str, findings: Findings) -> list[spec.JointFunction]:
    """Shifts and turns of several joints. Raises FileError."""
    kinds = [joint.kind for joint in joints]
    odd = next((joint for joint in joints if joint.kind not in ("hinge", "slide")), None)
    if odd is not None:
        remedy = "Put a body between them"
        raise odd.place.error(f"body '{child}' has a {odd.kind} joint beside others", remedy)
    if kinds.count("hinge") > 3 or kinds.count("slide") > 3:
        raise joints[0].place.error(f"body '{child}' has {len(joints)} joints", "Use up to three of a kind")
    if "slide" in kinds[kinds.index("hinge") if "hinge" in kinds else 0 :] and "hinge" in kinds:
        findings.add("body", child, "a slide comes before its hinges here, not after them")
    return [
        spec.JointFunction(SHIFT if joint.kind == "slide" else TURN, vector3(joint.axis), joint.name)
        for joint in sorted(joints, key=lambda joint: joint.kind == "hinge")
    ]


def _resist(joint: spec.Joint, joints: list[MjcfJoint], findings: Findings) -> None:
    """Damping, springs, friction and limits of the joints."""
    joint.damping = 0.0
    if joint.kind.is_free:
        return
    if len(joints) == 1:
        joint.damping = joints[0].damping
        _resist_one(joint, joints[0], findings)
        return
    turning = [each for each in joints if each.kind == "hinge"]
    sliding = [each for each in joints if each.kind == "slide"]
    joint.springs = [
        spring
        for group, along in ((turning, ""), (sliding, "along_"))
        for each, letter in zip(group, "xyz", strict=False)
        if (spring := _spring(each, along + letter)) is not None
    ]
    if turning and any(each.limits for each in turning):
        rows = [each.limits or (-10.0, 10.0) for each in turning] + [(-10.0, 10.0)] * (3 - len(turning))
        joint.limits = spec.AxisLimits(*(vector3([degrees(row[k]) for row in rows]) for k in (0, 1)))
        findings.add("joint", joint.name, SOFT_LIMITS)
    for each in (*turning, *sliding):
        if each.friction:
            findings.add("joint", each.name, "left out its friction: one of several joints of a body")
        if each.kind == "slide" and each.limits:
            findings.add("joint", each.name, "left out its range: a slide among several joints of a body")


SOFT_LIMITS = "its limits are this engine's: the range is kept, stiffness and damping are assumed"


def _resist_one(joint: spec.Joint, only: MjcfJoint, findings: Findings) -> None:
    """What acts in the only joint of a body."""
    if only.friction:
        joint.friction = spec.JointFriction(only.friction)
    if only.kind == "ball":
        if only.limits or only.stiffness:
            findings.add(
                "joint", only.name, "left out range and spring of a ball joint: MuJoCo has one angle only"
            )
        return
    spring = _spring(only, "z") if only.stiffness else None
    if spring is not None:
        spring.damping = 0.0
        joint.springs = [spring]
    if only.limits:
        turn = degrees if only.kind == "hinge" else float
        joint.limits = spec.AxisLimits(*((turn(end), 0.0, 0.0) for end in only.limits))
        findings.add("joint", joint.name, SOFT_LIMITS)


def _spring(joint: MjcfJoint, axis: str) -> spec.JointSpring | None:
    """Spring and damper about or along one axis; None where there is neither."""
    if not joint.stiffness and not joint.damping:
        return None
    turns, reach = joint.kind == "hinge", 10.0
    ends = [joint.rest - reach, joint.rest + reach]
    forces = (reach * joint.stiffness, -reach * joint.stiffness)
    ways = [degrees(end) if turns else end for end in ends]
    return spec.JointSpring(axis, tuple(zip(ways, forces, strict=True)), damping=joint.damping)
