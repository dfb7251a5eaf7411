"""Joints that give way: once, at a load or after so much energy. What they carried is gone from then on.

The load of a joint is what its springs, limits and friction carry. When it passes the bound, their share that is left
(`JointState.hold`) falls. A force inside the tree is taken away from both sides at once, so momentum is untouched; the
energy that a spring held then is not given back, and stays in the ledger as taken out of the bodies
(docs/derivations.md, Breaking).
"""

from math import sqrt

from ..bodies.coordinates import joint_velocity
from ..bodies.workspace import LIMITS, PASSIVE
from ..jit.decorators import compiled
from ..maths.vector import add_scaled, dot, sub, sym_vec
from ..spec.joint_types import AXIS
from .arrays import WHOLE


@compiled
def carried(w, i, c, rate):
    """Torque of category c in joint i that really acted, its implicit part included. rate: acceleration, joint axes."""
    if w.active[i, c] == 0:
        return 0.0, 0.0, 0.0
    b = w.impedance[i, c]
    torque = (float(w.torque[i, c, 0]), float(w.torque[i, c, 1]), float(w.torque[i, c, 2]))
    return sub(torque, sym_vec((b[0], b[1], b[2], b[3], b[4], b[5]), rate))


@compiled
def load_and_power(breaks, r, group, u_address, u, w, shift):
    """(load, power taken up) of break r, with joint speeds `shift` seconds on."""
    square = 0.0
    power = 0.0
    for i in range(breaks.last[r] - breaks.count[r] + 1, breaks.last[r] + 1):
        rate = joint_velocity(group[i], u_address[i], w.u_dot)
        speed = add_scaled(joint_velocity(group[i], u_address[i], u), shift, rate)
        passive = carried(w, i, PASSIVE, rate)
        limits = carried(w, i, LIMITS, rate)
        torque = (passive[0] + limits[0], passive[1] + limits[1], passive[2] + limits[2])
        k = breaks.slot[r]
        if group[i] >= AXIS:
            k = 0
        if k == WHOLE:
            square += dot(torque, torque)
            power -= dot(torque, speed)
        else:
            square += torque[k] * torque[k]
            power -= torque[k] * speed[k]
    return sqrt(square), power


@compiled
def give_way(breaks, r, group, hold):
    """Leave break r's joints what is left of their resistance."""
    left = float(breaks.bounds[r, 2])
    for i in range(breaks.last[r] - breaks.count[r] + 1, breaks.last[r] + 1):
        k = breaks.slot[r]
        if k == WHOLE or group[i] >= AXIS:
            for slot in range(WHOLE + 1):
                hold[i, slot] *= left
        else:
            hold[i, k] *= left


@compiled
def commit_breaks(breaks, group, u_address, u, state, w, t, h, shift):
    """Take the evaluation in the workspace, of time t and a step h from it, as having happened: energies, breaks."""
    for r in range(len(breaks.slot)):
        if state.broken[r] != 0:
            continue
        load, power = load_and_power(breaks, r, group, u_address, u, w, shift)
        state.event[r, 2] += h * power
        if load > breaks.bounds[r, 0] or state.event[r, 2] > breaks.bounds[r, 1]:
            state.broken[r] = 1
            state.event[r, 0] = t
            state.event[r, 1] = load
            give_way(breaks, r, group, state.hold)
