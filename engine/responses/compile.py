"""Specs of responses to `Responses`, and the motors through which they act."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, nan, radians

import numpy as np

from ..bodies.posture import body_poses
from ..bodies.tree import OnBody, OnFrame, TreeBuilder
from ..maths.packing import floats, integers, starts
from ..maths.rotations import matrix_from_zyx, quaternion_from_matrix
from ..spec import Actor, Curve, Joint, Model, Motor
from ..spec.response import ARMING, Response
from ..spec.response_joints import (
    FEET,
    MAN,
    PELVIS,
    RESPONSE_JOINTS,
    SEX_STRENGTH,
    SKULL,
    TRUNK,
    TRUNK_BODIES,
    WOMAN,
)
from ..spec.torque_speed import torque_over_speed
from ..spec.values import STANDARD_GRAVITY
from .arrays import ANKLE, HIP, KNEE, NUMBERS, Responses

PERIOD = 0.002
"""s between two calls: with 1 to 10 ms speeds of hand, pelvis and head at their landings differ by under 0.1 m/s."""
SIDE_STRENGTH = 50.0
"""N m outward and inward that the muscles of each hip must reach to be left alone with it: a man's weight times some
5 cm, half of the width of his stance. Assumed."""
CORNERS = 0.8
"""Of the half lengths of a foot's ellipsoids: where the corners of its sole are taken."""


@dataclass(frozen=True)
class Strength:
    """Factors on the table of joints for somebody's sex and size."""

    size: float
    upper: float
    lower: float


def strength_of(model: Model) -> Strength:
    """Moments go with mass x height against the mid-size person of the same sex; women's against men's by Miller et
    al. 1993 (`SEX_STRENGTH`)."""
    mass = sum(body.mass for body in model.bodies)
    woman = model.sex == "female"
    height, weight = WOMAN if woman else MAN
    size = mass * (model.height or height) / (height * weight)
    upper, lower = SEX_STRENGTH if woman else (1.0, 1.0)
    return Strength(size, upper * size, lower * size)


def _row(name: str) -> tuple[int, int]:
    """(role, side) of a joint that has one."""
    role = next(k for k, entry in enumerate(RESPONSE_JOINTS) if name in entry.names)
    entry = RESPONSE_JOINTS[role]
    return role, 0 if len(entry.names) == 1 else 1 - 2 * entry.names.index(name)


def _joints(actor: Actor) -> list[Joint]:
    """Joints that the response drives, in the order of the roles."""
    joints = {joint.name: joint for joint in actor.model.joints}
    return [joints[name] for entry in RESPONSE_JOINTS for name in entry.names if name in joints]


def _gains(actor: Actor, response: Response, name: str) -> tuple[float, float, float, float]:
    """Row of `Responses.gains`."""
    entry = RESPONSE_JOINTS[_row(name)[0]]
    factors = strength_of(actor.model)
    strength = response.number("strength") * (factors.lower if entry.is_lower else factors.upper)
    return entry.stiffness * factors.size, entry.damping * factors.size, entry.torque * strength, entry.rate


def response_motors(actor: Actor) -> dict[str, Motor]:
    """Motors of the joints that a response drives: their own, or new ones where they have none. Their largest torques
    go with the speed as those of muscles do, unless they have a law of their own; tone keeps its motors as they are."""
    if actor.response is None:
        return {}
    motors = {}
    for joint in _joints(actor):
        own = actor.motors.get(joint.name, joint.motor)
        motor = _new_motor(actor, actor.response, joint) if own is None else own
        if motor.torque_over_speed is None and actor.response.preset != "tone":
            motor = replace(motor, torque_over_speed=_speed_law(actor, actor.response, joint.name))
        motors[joint.name] = motor
    return motors


def _new_motor(actor: Actor, response: Response, joint: Joint) -> Motor:
    stiffness, damping, torque, _ = _gains(actor, response, joint.name)
    target = actor.joint_angles.get(joint.name, (0.0, 0.0, 0.0))
    return Motor(stiffness, damping, target, max_torque=torque, source="Response")


def _speed_law(actor: Actor, response: Response, name: str) -> Curve | None:
    """`Motor.torque_over_speed` of somebody of this sex; the elderly preset is of people above 65."""
    muscles = RESPONSE_JOINTS[_row(name)[0]].muscles
    return torque_over_speed(muscles, actor.model.sex, response.preset == "elderly")


def _numbers(actor: Actor, response: Response) -> list[float]:
    """Row of `Responses.numbers`."""
    own = [
        response.number(name) for name in ("latency", "neck_latency", "rise", "strength", "quickness", "tone")
    ]
    own += [radians(response.number("elbow"))]
    own += [response.number(name) for name in ("legs", "arms", "fade", "rest", "asymmetry")]
    knock_out = inf if response.knock_out is None else response.knock_out * STANDARD_GRAVITY
    row = [*own, response.start, ARMING.index(response.arming), knock_out, float(response.stiffen)]
    row += [nan if value is None else value for value in (response.startle, response.brace)]
    row += [float(response.balance), float(response.steps), float(response.soft_landing)]
    row += [float(response.preset == "tone"), float(response.balance_by == "muscles")]
    row += [
        float(
            any(
                _follows(actor, joint) for joint in _joints(actor) if joint.name in RESPONSE_JOINTS[HIP].names
            )
        )
    ]
    assert len(row) == NUMBERS
    return row


def sole_corners(model: Model) -> list[tuple[str, np.ndarray]]:
    """(foot, corner in its frame, m) of the places under the feet that bear."""
    found = []
    for body in model.bodies:
        for ellipsoid in body.ellipsoids if body.name in FEET else ():
            axes = np.asarray(ellipsoid.orientation, float) * np.asarray(ellipsoid.semi_axes, float)
            reach = np.sqrt(np.square(axes).sum(axis=1))  # half lengths along the body's axes
            for ahead in (-CORNERS, CORNERS):
                for left in (-CORNERS, CORNERS):
                    found.append(
                        (body.name, np.asarray(ellipsoid.position, float) + reach * (ahead, left, -1.0))
                    )
    return found


def _soles(a: int, actor: Actor, on_body: OnBody) -> list[tuple[int, np.ndarray]]:
    """(moving body, place in its frame) of the corners under the feet."""
    placed = [on_body(a, body, corner) for body, corner in sole_corners(actor.model)]
    return [(host, local) for host, _, local in placed]


def _leg(model: Model, hip: str) -> set[str | None]:
    """Bodies below a hip."""
    leg = {joint.child for joint in model.joints if joint.name == hip}
    for _ in model.joints:
        leg |= {joint.child for joint in model.joints if joint.parent in leg}
    return leg


def hip_strength(model: Model, side: int) -> tuple[float, float]:
    """(outward, inward) moments (N m) of a leg's muscles about the hip's axis ahead at full force in the rest pose,
    along straight paths. side: 0 left, 1 right."""
    name = RESPONSE_JOINTS[HIP].names[side]
    joint, leg = next(j for j in model.joints if j.name == name), _leg(model, name)
    poses = body_poses(model)
    frame = poses[joint.parent] @ np.array(joint.T1)
    moments = []
    for k, its_side in leg_muscles(model):
        muscle = model.muscles[k]
        at = [((poses[p.body] @ [*p.position, 1.0])[:3], p.body in leg) for p in muscle.path]
        for (a, a_moves), (b, b_moves) in zip(at, at[1:], strict=False):
            if its_side == side and a_moves != b_moves:
                here, there = (a, b) if a_moves else (b, a)
                pull = (there - here) / np.linalg.norm(there - here)
                arm = frame[:3, 0] @ np.cross(here - frame[:3, 3], pull)
                moments.append(muscle.max_isometric_force * float(arm))
    return sum(m for m in moments if m > 0.0), -sum(m for m in moments if m < 0.0)


def turns_sideways(model: Model) -> bool:
    """Whether the muscles of both legs can hold the hips to both sides."""
    return bool(model.muscles) and min(min(hip_strength(model, side)) for side in (0, 1)) > SIDE_STRENGTH


def leg_muscles(model: Model) -> list[tuple[int, int]]:
    """(place in the model's list, side: 0 left, 1 right) of the muscles that end on a leg."""
    found = []
    for side, hip in enumerate(RESPONSE_JOINTS[HIP].names):
        leg = _leg(model, hip)
        found += [
            (k, side)
            for k, muscle in enumerate(model.muscles)
            if any(point.body in leg for point in muscle.path)
        ]
    return found


def _efforts(
    actors: Sequence[Actor], active: list[tuple[int, Actor, Response]], joint_first: np.ndarray
) -> list[list[tuple[int, ...]]]:
    """Rows of `Responses.effort` of each response."""
    before = starts(len(actor.model.muscles) for actor in actors)
    rows = []
    for (a, actor, response), first in zip(active, joint_first[:-1], strict=True):
        names = [joint.name for joint in _joints(actor)]
        legs = [
            [first + names.index(RESPONSE_JOINTS[role].names[s]) for role in (HIP, KNEE, ANKLE)]
            for s in (0, 1)
        ]
        own = leg_muscles(actor.model) if response.balance and response.balance_by == "muscles" else []
        rows.append([(before[a] + k, *legs[side]) for k, side in own])
    return rows


def compile_responses(
    actors: Sequence[Actor], builder: TreeBuilder, motor_row: np.ndarray, on_body: OnBody, turned: OnFrame
) -> Responses:
    """Arrays of all responses, without the address of the kernel. motor_row (n,): motor of each moving body."""
    active = [(a, actor, actor.response) for a, actor in enumerate(actors) if actor.response is not None]
    soles = [_soles(a, actor, on_body) for a, actor, _ in active]
    joints = [[(a, actor, joint) for joint in _joints(actor)] for a, actor, _ in active]
    every = [entry for group in joints for entry in group]
    joint_first = starts(len(group) for group in joints)
    efforts = _efforts(actors, active, joint_first)
    trunk = np.full(len(builder.body_index), -1, dtype=np.int64)
    for r, (a, actor, _) in enumerate(active):
        for body in actor.model.bodies:
            if body.name in TRUNK_BODIES:
                trunk[builder.body_index[a, body.name]] = r
    owner = np.array([a for a, _ in builder.moving_specs])
    spans = [np.flatnonzero(owner == a)[[0, -1]] + (0, 1) for a, _, _ in active]
    places = [(a, body) for a, _, _ in active for body in (PELVIS, TRUNK, SKULL)]
    return Responses(
        address=0,
        actor=integers(a for a, _, _ in active),
        numbers=floats((_numbers(actor, response) for _, actor, response in active), NUMBERS),
        height=floats((actor.model.height or MAN[0]) / MAN[0] for _, actor, _ in active),
        moving=integers(spans, 2),
        body=integers((on_body(a, body, np.zeros(3))[0] for a, body in places), 3),
        frame=floats((turned(a, body, np.eye(3)).ravel() for a, body in places), 9).reshape(-1, 3, 9),
        trunk=trunk,
        sole_first=starts(len(group) for group in soles),
        sole_body=integers(host for group in soles for host, _ in group),
        sole=floats((local for group in soles for _, local in group), 3),
        joint_first=joint_first,
        joint=integers((_joint_row(a, actor, joint, builder, motor_row) for a, actor, joint in every), 5),
        gains=floats((_gains(actor, actor.response, joint.name) for _, actor, joint in every), 4),
        stand=floats((_turn(_standing(actor, joint)) for _, actor, joint in every), 4),
        axes=floats((quaternion_from_matrix(np.array(joint.T1)[:3, :3]) for _, _, joint in every), 4),
        sideways=integers(
            response.balance_by == "muscles" and turns_sideways(actor.model) for _, actor, response in active
        ),
        effort_first=starts(len(group) for group in efforts),
        effort=integers((row for group in efforts for row in group), 4),
    )


def _follows(actor: Actor, joint: Joint) -> bool:
    """Whether a joint follows a motion, such as a gait."""
    motor = actor.motors.get(joint.name, joint.motor)
    return motor is not None and motor.target_over_time is not None


def _standing(actor: Actor, joint: Joint) -> Sequence[float]:
    """Angles (degrees Z, Y, X) in which a person stands: those of the start, or upright for a joint that was following
    a motion, whose start is a moment of it."""
    return (0.0, 0.0, 0.0) if _follows(actor, joint) else actor.joint_angles.get(joint.name, (0.0, 0.0, 0.0))


def _turn(zyx: Sequence[float]) -> np.ndarray:
    return quaternion_from_matrix(matrix_from_zyx(zyx))


def _joint_row(
    a: int, actor: Actor, joint: Joint, builder: TreeBuilder, motor_row: np.ndarray
) -> tuple[int, ...]:
    """Row of `Responses.joint`."""
    moving = builder.moving_joint[a, joint.name]
    is_own = joint.motor is not None or joint.name in actor.motors
    return (*_row(joint.name), int(motor_row[moving]), moving, int(is_own))
