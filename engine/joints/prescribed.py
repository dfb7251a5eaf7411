"""Motion along a table: a root that follows a velocity history, a joint that follows angles, until released."""

from collections import namedtuple
from collections.abc import Sequence

import numpy as np

from ..jit.decorators import compiled
from ..maths.curves import table_row
from ..maths.rotations import matrix_from_zyx, quaternion_from_matrix
from ..maths.vector import (
    add,
    load9,
    mat_t_vec,
    put3,
    quat_conj,
    quat_exp,
    quat_log,
    quat_mul,
    scale,
    slice3,
    slice4,
    store3,
    sub,
)
from ..spec import PrescribedMotion
from ..spec.joint_types import BALL, FREE, JointType, Motion

Prescribed = namedtuple(
    "Prescribed",
    [
        "body",  # (m,) moving body
        "first",  # (m + 1,) rows of the table
        "table",  # (r, 7) time; FREE: v and omega in world axes; BALL: quaternion; AXIS: coordinate
        "release_time",  # (m,) s; infinite where it never lets go by time
        "release_at_contact",  # (m,) 1 where the first touch of the actor lets go
        "actor",  # (m,)
    ],
)


def _table_rows(prescribed: PrescribedMotion, kind: JointType, motion: Motion) -> np.ndarray:
    """(r, 7) rows of one motion of a joint in engine units; quaternions of neighbours in one hemisphere."""
    table = np.array(prescribed.table, dtype=float)
    rows = np.zeros((len(table), 7))
    rows[:, 0] = table[:, 0]
    if motion.group == FREE:
        rows[:, 1 : table.shape[1]] = table[:, 1:]
    elif motion.group == BALL:
        for row, angles in zip(rows, table[:, 1:4], strict=True):
            row[1:5] = quaternion_from_matrix(matrix_from_zyx(angles))
        for previous, row in zip(rows[:-1], rows[1:], strict=True):
            if previous[1:5] @ row[1:5] < 0.0:
                row[1:5] *= -1.0
    else:
        full = np.zeros((len(table), 6))
        full[:, : table.shape[1] - 1] = table[:, 1:]
        rows[:, 1] = [motion.coordinate(kind.typed(motion, row[:3], row[3:])) for row in full]
    return rows


def compile_prescribed(
    motions: Sequence[tuple[int, int, PrescribedMotion]], kinds: Sequence[tuple[JointType, Motion]]
) -> Prescribed:
    """Arrays from (actor index, moving body, motion) triples, and every moving body's joint type and motion of it."""
    tables = [_table_rows(motion, *kinds[body]) for _, body, motion in motions]
    return Prescribed(
        body=np.array([body for _, body, _ in motions], dtype=np.int64),
        first=np.concatenate([[0], np.cumsum([len(table) for table in tables])]).astype(np.int64),
        table=np.concatenate(tables) if tables else np.zeros((0, 7)),
        release_time=np.array(
            [np.inf if m.release_time is None else m.release_time for _, _, m in motions], dtype=float
        ),
        release_at_contact=np.array([m.release_at_contact for _, _, m in motions], dtype=np.int64),
        actor=np.array([actor for actor, _, _ in motions], dtype=np.int64),
    )


@compiled
def interpolated(table, r, last, t, column):
    """Three columns of the table at time t, linear between rows, held outside them."""
    start = slice3(table[r], column)
    if r + 1 >= last:
        return start
    part = (t - table[r, 0]) / (table[r + 1, 0] - table[r, 0])
    part = min(1.0, max(0.0, part))
    return add(start, scale(part, sub(slice3(table[r + 1], column), start)))


@compiled
def target_orientation(table, r, last, t):
    """Quaternion of the table at time t, turning at a constant rate between rows."""
    start = slice4(table[r], 1)
    if r + 1 >= last:
        return start
    part = (t - table[r, 0]) / (table[r + 1, 0] - table[r, 0])
    part = min(1.0, max(0.0, part))
    turn = quat_log(quat_mul(quat_conj(start), slice4(table[r + 1], 1)))
    return quat_mul(start, quat_exp(scale(part, turn)))


@compiled
def prescribed_rates(p, tree, released, w, q, u, t, h):
    """Accelerations that bring every prescribed joint onto its table at t + h."""
    for m in range(len(p.body)):
        i = p.body[m]
        if released[i] != 0:
            continue
        first = p.first[m]
        last = p.first[m + 1]
        r = table_row(p.table, first, last, t + h)
        qa = tree.q_address[i]
        ua = tree.u_address[i]
        rate = 1.0 / h
        if tree.group[i] == FREE:
            v = interpolated(p.table, r, last, t + h, 1)
            omega = mat_t_vec(load9(w.rotation, i), interpolated(p.table, r, last, t + h, 4))
            store3(w.prescribed_rate, i, scale(rate, sub(v, slice3(u, ua))))
            put3(w.prescribed_rate[i], 3, scale(rate, sub(omega, slice3(u, ua + 3))))
        elif tree.group[i] == BALL:
            target = target_orientation(p.table, r, last, t + h)
            miss = quat_mul(quat_conj(slice4(q, qa)), target)
            if miss[0] < 0.0:
                miss = (-miss[0], -miss[1], -miss[2], -miss[3])
            omega = scale(rate, quat_log(miss))
            store3(w.prescribed_rate, i, scale(rate, sub(omega, slice3(u, ua))))
        else:
            place = interpolated(p.table, r, last, t + h, 1)[0]
            speed = (place - q[qa]) * rate
            w.prescribed_rate[i, 0] = (speed - u[ua]) * rate


@compiled
def release_prescribed(p, released, t, touched):
    """Let go of motions whose time has come or whose actor (touched[actor] != 0) has been hit."""
    for m in range(len(p.body)):
        if t >= p.release_time[m] or (p.release_at_contact[m] != 0 and touched[p.actor[m]] != 0):
            released[p.body[m]] = 1
