"""State files (.zml): values, velocities and activations by name, as SCONE keeps them for Hyfydy models.

The manual does not describe them. Assumed, after files of SCONE: angles in rad, ways in m, a name is that of a `dof` or
a source such as pelvis_tx, and the turns of one joint are x-y-z angles as everywhere in Hyfydy: R = Rx(a) Ry(b) Rz(c).
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...engine import spec
from ...engine.bodies.posture import actor_poses, joint_rotation
from ...io_json.atomic import write_text
from ...io_json.errors import in_file
from ...io_json.strict_json import read_bytes
from ..common.axes import Z_UP_FROM_Y_UP, neat, xyz_from_matrix, y_up
from ..common.findings import Finding, Findings
from .components import Dof
from .joints import BALL, HINGE, PLANE
from .text import Entry, Group, Place, Word, format_group, parse, syntax_error
from .values import NUMBER, number_text
from .write import Writer, is_root

SOURCE = re.compile(r"(?P<minus>-?)(?P<name>.+)_(?P<kind>[rt])(?P<axis>[xyz])(?P<side>_[lr])?")
"""What a degree of freedom stands for: body or joint, turn or shift, axis."""
GROUPS = ("values", "velocities", "activations")


@dataclass
class State:
    """What a state file says, by name."""

    values: dict[str, float] = field(default_factory=dict)
    """rad or m"""
    velocities: dict[str, float] = field(default_factory=dict)
    """rad/s or m/s"""
    activations: dict[str, float] = field(default_factory=dict)
    """Muscle name to activation, 0 to 1."""


def rate_matrix(angles: Sequence[float]) -> np.ndarray:
    """(3, 3) from the rates of x-y-z angles (rad) to the turn rate in the axes of the turned body."""
    _, b, c = angles
    return np.array(
        [
            [np.cos(b) * np.cos(c), np.sin(c), 0.0],
            [-np.cos(b) * np.sin(c), np.cos(c), 0.0],
            [np.sin(b), 0.0, 1.0],
        ]
    )


# ---------------------------------------------------------------- reading


def read_state(path: str | os.PathLike) -> State:
    """The state in a file. Raises `FileError`."""
    data = read_bytes(path)
    with in_file(path):
        return state_of(data.decode("utf-8-sig", errors="surrogateescape"))


def state_of(text: str) -> State:
    """The state of a file's text. Raises `FileError` with line and column."""
    state = State()
    for entry in parse(text).entries:
        if entry.key not in GROUPS or not isinstance(entry.value, Group):
            raise syntax_error(
                f"'{entry.key}' is no part of a state",
                entry.place,
                f"Use {', '.join(GROUPS)}, each {{ ... }}",
            )
        known = getattr(state, entry.key)
        for inner in entry.value.entries:
            known[inner.key] = NUMBER.read(inner.value)
            if entry.key == "activations" and not 0.0 <= known[inner.key] <= 1.0:
                raise syntax_error("an activation is from 0 to 1", inner.place, "Correct it")
    if not any((state.values, state.velocities, state.activations)):
        raise syntax_error("no values and no velocities", Place(1, 1), "Write values { name = number ... }")
    return state


# ---------------------------------------------------------------- writing


def write_state(actor: spec.Actor, path: str | os.PathLike) -> list[Finding]:
    """Write the start of an actor; returns what was not carried over. Raises `FileError`."""
    text, findings = state_text(actor)
    write_text(path, text)
    return findings


def state_text(actor: spec.Actor) -> tuple[str, list[Finding]]:
    """The text of an actor's start as a state file, and what was not carried over."""
    findings = Findings()
    coordinates = _coordinates(actor, findings)
    muscles = {m.name: m.activation.start for m in actor.model.muscles if m.activation.start is not None}
    columns = (
        {k: v for k, (v, _) in coordinates.items()},
        {k: w for k, (_, w) in coordinates.items()},
        muscles,
    )
    entries = [Entry(key, _group(column)) for key, column in zip(GROUPS, columns, strict=True) if column]
    return format_group(Group(entries)), findings.list()


def _group(numbers: dict[str, float]) -> Group:
    return Group([Entry(name, Word(number_text(neat(value)))) for name, value in numbers.items()])


def _coordinates(actor: spec.Actor, findings: Findings) -> dict[str, tuple[float, float]]:
    """Name to value and rate of every degree of freedom."""
    writer = Writer(actor.model, Findings())
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for joint in actor.model.joints:
        if is_root(joint):
            found[joint.child] = _root(actor, joint, writer)
        elif joint.type in (HINGE, BALL):
            found[joint.child] = found[joint.name] = _turn(actor, joint, writer)
        elif joint.kind.moves:
            findings.add("joint", joint.name, f"its start is left out: a state has no {joint.type} joint")
    dofs = writer.kept.dofs or _plain_dofs(actor.model, found)
    result = {}
    for dof in dofs:
        source = SOURCE.fullmatch(dof.source)
        own = found.get(source["name"] + (source["side"] or "")) if source else None
        axis = source["kind"] + source["axis"] if source else ""
        if own is None or axis not in own:
            findings.add("dof", dof.name, f"left out: '{dof.source}' is not known")
            continue
        sign = -1.0 if source["minus"] else 1.0
        result[dof.name] = (sign * own[axis][0] + 0.0, sign * own[axis][1] + 0.0)
    return result


def _plain_dofs(model: spec.Model, found: dict) -> list[Dof]:
    """The degrees of freedom by their sources, for a model that names none."""
    children = [joint.child for joint in model.joints if joint.child in found]
    return [Dof(name=f"{c}_{axis}", source=f"{c}_{axis}") for c in children for axis in found[c]]


def _turn(actor: spec.Actor, joint: spec.Joint, writer: Writer) -> dict[str, tuple[float, float]]:
    """Angles and their rates of a joint that turns."""
    axes = writer.joint_axes(joint)
    turn = axes @ joint_rotation(joint, actor.joint_angles.get(joint.name, (0.0, 0.0, 0.0))) @ axes.T
    omega = np.array(actor.joint_velocities.get(joint.name, (0.0, 0.0, 0.0)), dtype=float)
    if joint.kind.has_axis:
        omega = omega[0] * np.array(joint.axis, dtype=float)
    return _angles(turn, axes @ omega)


def _angles(turn: np.ndarray, omega: np.ndarray) -> dict[str, tuple[float, float]]:
    """x-y-z angles of a (3, 3) turn and their rates; omega (3,): turn rate in the turned axes, rad/s."""
    angles = xyz_from_matrix(turn)
    rates = np.linalg.lstsq(rate_matrix(angles), omega, rcond=None)[0]
    return {f"r{axis}": (float(angles[k]), float(rates[k])) for k, axis in enumerate("xyz")}


def _root(actor: spec.Actor, joint: spec.Joint, writer: Writer) -> dict[str, tuple[float, float]]:
    """Place, angles and their rates of a body that is free in space or in the plane."""
    frame = writer.frames[joint.child]
    pose = actor_poses(actor)[joint.child] @ frame
    turn = Z_UP_FROM_Y_UP.T @ pose[:3, :3]
    velocity, omega = _root_speed(actor, joint, pose)
    arm = pose[:3, :3] @ frame[:3, :3].T @ frame[:3, 3]
    place, speed = y_up(pose[:3, 3]), y_up(velocity + np.cross(omega, arm))
    result = {f"t{axis}": (place[k], speed[k]) for k, axis in enumerate("xyz")}
    return result | _angles(turn, turn.T @ np.array(y_up(omega)))


def _root_speed(actor: spec.Actor, joint: spec.Joint, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(velocity of the body's origin, turn rate) in our world."""
    if joint.kind.is_free:
        return np.array(actor.velocity, dtype=float), np.array(actor.angular_velocity, dtype=float)
    T1 = np.array(joint.T1, dtype=float)
    T2 = np.array(joint.T2, dtype=float)
    slide = np.array(actor.joint_slide_velocities.get(joint.name, (0.0, 0.0, 0.0)), dtype=float)
    rate = np.array(actor.joint_velocities.get(joint.name, (0.0, 0.0, 0.0)), dtype=float)
    if joint.type == PLANE:
        rate = np.array([0.0, 0.0, rate[2]])
    body = actor_poses(actor)[joint.child][:3, :3]
    return T1[:3, :3] @ slide, body @ T2[:3, :3] @ rate
