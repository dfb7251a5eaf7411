"""An animation that goes on in the simulation until the actor is touched.

Somebody who walks goes on walking after the frame at which the simulation begins: the root is carried by a table of
prescribed motion, and let go at the first touch of another actor or an obstacle, or where the animation ends. Joints of
a person who has a response follow by motors as strong as people are, until the response takes them over; other joints
are carried and let go with the root. A motion that goes on being followed ends as a plank.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import bpy
import numpy as np

from ...analysis.resample import continuous, hermite
from ...engine.maths.rotations import matrix_from_quaternion, quaternion_from_matrix, zyx_from_matrix
from ...engine.spec import Motor, PrescribedMotion, Response
from ...models.people.following import following_motors, joint_strengths
from ..base.units import frames_per_second
from ..model.read import read_model
from ..rig.pose import is_placed_by_root
from ..scenario.start_motion import rigid_velocity, root_frame_at_rest, sample
from ..store import fields
from ..store.actors import body_bones, joint_kind

SOURCE = "animation"
"""What a table says of where it comes from; tables of an earlier time are replaced."""
DIGITS = 6
ROWS_PER_SECOND = 240.0
"""Of tables of joints."""


class Followed(NamedTuple):
    """How an actor follows a motion: by tables that carry it, and by motors of joints."""

    tables: list[PrescribedMotion]
    motors: dict[str, Motor]


def followed_motion(actor: bpy.types.Object, scene: bpy.types.Scene, first: int, last: int) -> Followed:
    """The motion from one frame of an animation to another; time 0 is the first.

    Velocities of the root are central differences over two frames. Angles go through those of the frames on cubics,
    in rows so close that the rate hardly jumps from one to the next.
    """
    seconds = 1.0 / frames_per_second(scene)
    seen = [sample(actor, scene, float(frame)) for frame in range(first - 1, last + 2)]
    root = root_frame_at_rest(actor)
    frames = [frame @ root for frame, _ in seen]
    times = seconds * np.arange(-1, last - first + 2)
    rows = [
        rounded(time, *(x for part in rigid_velocity(before, after, 2.0 * seconds) for x in part))
        for time, before, after in zip(times[1:-1], frames[:-2], frames[2:], strict=True)
    ]
    end = rows[-1][0]
    fine = np.linspace(0.0, end, math.ceil(end * ROWS_PER_SECOND) + 1)
    angles = joint_rows(actor, [transforms for _, transforms in seen], times, fine)
    at = [rounded(time)[0] for time in fine]
    motors = person_motors(actor, at, angles)
    carried = {name: rows for name, rows in angles.items() if name not in motors}
    tables = [PrescribedMotion(None, tuple(rows), end, True, SOURCE)]
    for name, values in carried.items():
        table = tuple((time, *row) for time, row in zip(at, values, strict=True))
        tables.append(PrescribedMotion(name, table, end, True, SOURCE))
    return Followed(tables, motors)


def joint_rows(
    actor: bpy.types.Object, seen: list[dict], times: np.ndarray, fine: np.ndarray
) -> dict[str, list[tuple[float, ...]]]:
    """Joint to its angles (degrees: Z, Y, X, or the one of an axis) at the times `fine`, from transforms at `times`."""
    found = {}
    for bone in body_bones(actor.data):
        kind = joint_kind(bone)
        if not bone.mannequin.joint.exists or is_placed_by_root(bone) or not kind.turns or kind.has_both:
            continue
        turned = [transforms[bone.name] for transforms in seen]
        if kind.has_axis:
            values = np.degrees(between([t.angle for t in turned], times, fine))[:, None]
        else:
            quaternion = continuous(np.array([quaternion_from_matrix(t.rotation) for t in turned]))
            quaternion = between(quaternion, times, fine)
            quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
            values = np.array([zyx_from_matrix(matrix_from_quaternion(q)) for q in quaternion])
        found[bone.mannequin.joint.name] = [rounded(*row) for row in values]
    return found


def person_motors(
    actor: bpy.types.Object, times: list[float], angles: dict[str, list[tuple[float, ...]]]
) -> dict[str, Motor]:
    """Motors of the joints that people move, of somebody who has a response; nobody else would be handed over."""
    if not actor.mannequin.actor.use_response:
        return {}
    model, response = read_model(actor), fields.read_group(actor.mannequin.actor.response, Response)
    moved = {
        name: rows for name, rows in angles.items() if name in joint_strengths(model) and len(rows[0]) == 3
    }
    return following_motors(model, times, moved, SOURCE, response.number("strength"))


def between(values: np.ndarray, times: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Values at other times, on cubics with the slopes of central differences."""
    values = np.asarray(values, dtype=float)
    return hermite(times, values, np.gradient(values, times, axis=0), wanted)


def rounded(*values: float) -> tuple[float, ...]:
    """A row of a table without digits that 32 bits do not carry."""
    return tuple(round(float(x), DIGITS) + 0.0 for x in values)


def starting_as(actor: bpy.types.Object, tables: list[PrescribedMotion]) -> list[PrescribedMotion]:
    """Tables whose root begins with exactly the velocity that its actor starts with."""
    start = actor.mannequin.actor
    first = (0.0, *(float(x) for x in (*start.velocity, *start.angular_velocity)))
    return [replace(t, table=(first, *t.table[1:])) if t.joint is None else t for t in tables]


def follow(actor: bpy.types.Object, followed: Followed) -> None:
    """Let an actor follow a motion, in place of one that an animation gave it before.

    Walking is a series of losses of balance: a response that watches balance from the start waits for the release.
    """
    prescribed = actor.mannequin.actor.prescribed
    for number in reversed(range(len(prescribed))):
        if prescribed[number].source == SOURCE:
            prescribed.remove(number)
    for table in starting_as(actor, followed.tables):
        fields.write_group(prescribed.add(), table)
    for bone in body_bones(actor.data):
        start = actor.pose.bones[bone.name].mannequin
        motor = followed.motors.get(bone.mannequin.joint.name)
        if motor is not None:
            start.use_motor = True
            fields.write_group(start.motor, motor)
        elif start.motor.source == SOURCE:
            start.use_motor = False
    response = actor.mannequin.actor.response
    if followed.motors and response.arming == "balance":
        response.arming = "release"
