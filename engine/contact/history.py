"""What contacts remember from step to step, and the log of contact events: once a step, with its forces."""

from ..bodies.kinematics import point_velocity, working_velocity
from ..jit.decorators import compiled, inlined
from ..maths.vector import add_scaled, dot, load3, load9, mat_t_vec, norm, put3, slice3, slice9, sub
from .arrays import (
    ACTIVE,
    COUNT,
    EFFECTIVE,
    EFFECTIVE_TORQUE,
    ELLIPSOID_A,
    ELLIPSOID_B,
    EV_APPROACH,
    EV_END,
    EV_ENERGY,
    EV_FIRST_POINT,
    EV_IMPULSE,
    EV_JOINED_FORCE,
    EV_JOINED_TIME,
    EV_LAST_FORCE,
    EV_LAST_POWER,
    EV_LAST_TIME,
    EV_NORMAL,
    EV_NORMAL_A,
    EV_PEAK_DEPTH,
    EV_PEAK_FORCE,
    EV_PEAK_TIME,
    EV_POINT,
    EV_POINT_A,
    EV_POINT_B,
    EV_SHARE,
    EV_SLIDING,
    EV_START,
    EVENTS,
    FORCE,
    HOST_A,
    HOST_B,
    KIN,
    LAW,
    MARK_EVENT,
    MARK_STEP,
    NEXT_KIN,
    NORMAL,
    OBSTACLE,
    PENETRATION,
    POINT,
    POSE_POSITION,
    POSE_ROTATION,
    PUSH,
    RATE,
    ROLL_SPEED,
    SCALE,
    SLIP,
    SLOT_BRISTLE,
    SLOT_DEPTH,
    SLOT_ROLLED,
    SLOT_SHARE,
    SLOT_TOUCH_SPEED,
    STEP,
    WHICH,
)
from .friction import advance_bristle
from .patches import same_bodies

LARGEST_SHARE = 2.0
"""Of the explicit normal force, in what is remembered of it: where that is nearly zero the share says nothing."""


@compiled
def open_event(c, j, t, since):
    """Begin the event of contact j, touching for the first time at t, `since` seconds after the last look."""
    event = c.counter[EVENTS]
    c.counter[EVENTS] = event + 1
    who = c.who[j]
    contact = c.contact[j]
    slot = who[WHICH]
    c.mark[slot, MARK_EVENT] = event
    c.slot[slot, SLOT_TOUCH_SPEED] = max(0.0, contact[RATE])
    c.active[c.counter[ACTIVE]] = slot
    c.counter[ACTIVE] += 1
    c.event_who[event, 0] = who[ELLIPSOID_A]
    c.event_who[event, 1] = who[ELLIPSOID_B]
    c.event_who[event, 2] = who[OBSTACLE]
    row = c.event[event]
    for i in range(len(row)):
        row[i] = 0.0
    row[EV_START] = t
    row[EV_END] = t
    # the sums begin half a step early: see log_contact
    row[EV_LAST_TIME] = t - since
    row[EV_APPROACH] = contact[RATE]
    row[EV_SLIDING] = norm(slice3(contact, SLIP))
    put3(row, EV_FIRST_POINT, slice3(contact, POINT))


@inlined
def body_coordinates(w, host, x):
    """World point in the moving frame of a host."""
    return mat_t_vec(load9(w.rotation, host), sub(x, load3(w.position, host)))


@inlined
def keep_peak(c, w, j, row, push, t):
    """Keep where and how contact j was when its normal force was largest (body points in moving frames)."""
    who = c.who[j]
    point = slice3(c.contact[j], POINT)
    normal = slice3(c.contact[j], NORMAL)
    row[EV_PEAK_FORCE] = push
    row[EV_PEAK_TIME] = t
    row[EV_SHARE] = c.contact[j, SCALE]
    put3(row, EV_POINT, point)
    put3(row, EV_NORMAL, normal)
    put3(row, EV_POINT_A, body_coordinates(w, who[HOST_A], point))
    put3(row, EV_NORMAL_A, mat_t_vec(load9(w.rotation, who[HOST_A]), normal))
    if who[OBSTACLE] >= 0:
        pose = c.pose[who[OBSTACLE]]
        arm = sub(point, slice3(pose, POSE_POSITION))
        put3(row, EV_POINT_B, mat_t_vec(slice9(pose, POSE_ROTATION), arm))
    else:
        put3(row, EV_POINT_B, body_coordinates(w, who[HOST_B], point))


@inlined
def add_to_event(row, half, force, power):
    """Add half a step of a force and its power to the sums of an event."""
    put3(row, EV_IMPULSE, add_scaled(slice3(row, EV_IMPULSE), half, force))
    row[EV_ENERGY] += half * power


@inlined
def point_speed_ahead(w, host, point, shift, gravity):
    """Velocity of a body's point `shift` seconds on."""
    arm = sub(point, load3(w.position, host))
    if shift == 0.0 or host >= len(w.velocity) - 1:
        return point_velocity(w, host, arm)
    return working_velocity(w, host, arm, shift, gravity)


@inlined
def turning_ahead(who, w, shift):
    """Turn rate (rad/s) of body a, relative to b where that is a body too, `shift` seconds on."""
    rate = add_scaled(load3(w.omega, who[HOST_A]), shift, load3(w.alpha, who[HOST_A]))
    if who[OBSTACLE] < 0:
        rate = sub(rate, add_scaled(load3(w.omega, who[HOST_B]), shift, load3(w.alpha, who[HOST_B])))
    return rate


@inlined
def joined_push(c, j):
    """N: size of the sum of the normal forces of all contacts of the bodies of contact j, with the same obstacle.
    Kin on another body of the same flesh has the sign 0."""
    total = (0.0, 0.0, 0.0)
    i = c.who[j, KIN]
    while i >= 0:
        if c.who[i, OBSTACLE] == c.who[j, OBSTACLE]:
            sign = same_bodies(c.who, i, j)
            normal = slice3(c.contact[i], NORMAL)
            total = add_scaled(total, sign * dot(slice3(c.contact[i], EFFECTIVE), normal), normal)
        i = c.who[i, NEXT_KIN]
    return norm(total)


@inlined
def is_joined(who, j):
    """Whether contact j is of the same bodies, and the same obstacle, as the one before it: their sums are the same."""
    return (
        j > 0
        and who[j, KIN] == who[j - 1, KIN]
        and who[j, HOST_A] == who[j - 1, HOST_A]
        and who[j, HOST_B] == who[j - 1, HOST_B]
        and who[j, OBSTACLE] == who[j - 1, OBSTACLE]
    )


@inlined
def log_contact(c, w, j, joined, t, shift, gravity):
    """Bring the event of contact j up to time t: peak, impulse and energy by the trapezoidal rule.

    joined: N, its `joined_push`.

    With half a step at either end (`open_event`, `close_parted`) the impulse is the sum of force times step, which for
    Euler steps is the very change of momentum; the energy, with velocities half a step on, is that of the ledger.
    """
    who = c.who[j]
    contact = c.contact[j]
    row = c.event[c.mark[who[WHICH], MARK_EVENT]]
    force = slice3(contact, EFFECTIVE)
    push = dot(force, slice3(contact, NORMAL))
    point = slice3(contact, POINT)
    v = point_speed_ahead(w, who[HOST_A], point, shift, gravity)
    if who[OBSTACLE] < 0:
        v = sub(v, point_speed_ahead(w, who[HOST_B], point, shift, gravity))
    power = -dot(force, v) - dot(slice3(contact, EFFECTIVE_TORQUE), turning_ahead(who, w, shift))
    half = 0.5 * (t - row[EV_LAST_TIME])
    add_to_event(row, half, slice3(row, EV_LAST_FORCE), row[EV_LAST_POWER])
    add_to_event(row, half, force, power)
    put3(row, EV_LAST_FORCE, force)
    row[EV_LAST_POWER] = power
    row[EV_LAST_TIME] = t
    row[EV_END] = t
    row[EV_PEAK_DEPTH] = max(row[EV_PEAK_DEPTH], contact[PENETRATION])
    if push > row[EV_PEAK_FORCE] or row[EV_PEAK_FORCE] == 0.0:
        keep_peak(c, w, j, row, push, t)
    if joined > row[EV_JOINED_FORCE]:
        row[EV_JOINED_FORCE] = joined
        row[EV_JOINED_TIME] = t


@inlined
def close_parted(c, t):
    """Close the events of slots that were not touched in the step at t; an event's end is its last touch.

    The next touch of the slot starts without history. Its warm-start normal stays; that is only a cache.
    """
    kept = 0
    for i in range(c.counter[ACTIVE]):
        slot = c.active[i]
        if c.mark[slot, MARK_STEP] == c.counter[STEP]:
            c.active[kept] = slot
            kept += 1
        else:
            row = c.event[c.mark[slot, MARK_EVENT]]
            half = 0.5 * (t - row[EV_LAST_TIME])
            add_to_event(row, half, slice3(row, EV_LAST_FORCE), row[EV_LAST_POWER])
            c.mark[slot, MARK_EVENT] = -1
            c.slot[slot, SLOT_DEPTH] = 0.0
            c.slot[slot, SLOT_TOUCH_SPEED] = 0.0
            c.slot[slot, SLOT_ROLLED] = 0.0
            put3(c.slot[slot], SLOT_BRISTLE, (0.0, 0.0, 0.0))
    c.counter[ACTIVE] = kept


@inlined
def unscaled_push(contact, push):
    """N: the normal force that acted, `push`, without the multi-contact factor.

    Of a contact whose factor is 0 the explicit one: only contacts between bodies, which are explicit, have that.
    """
    return push / contact[SCALE] if contact[SCALE] > 0.0 else max(0.0, contact[PUSH])


@compiled
def remember_contact(table, slot, contact, law, h):
    """Advance deepest penetration, rolled way and bristle of one touch by a step of size h.

    The factor of a multi-contact mode is on the friction force as a whole. The bristle behind it is that of the touch
    alone, so its limit goes with the normal force before the factor.
    """
    normal = slice3(contact, NORMAL)
    push = max(0.0, dot(slice3(contact, EFFECTIVE), normal))
    explicit = dot(slice3(contact, FORCE), normal)
    slot[SLOT_SHARE] = min(push / explicit, LARGEST_SHARE) if explicit > 0.0 else 1.0
    slot[SLOT_DEPTH] = max(slot[SLOT_DEPTH], contact[PENETRATION])
    slot[SLOT_ROLLED] += h * contact[ROLL_SPEED]
    bristle = slice3(slot, SLOT_BRISTLE)
    push = unscaled_push(contact, push)
    put3(slot, SLOT_BRISTLE, advance_bristle(table, law, push, slice3(contact, SLIP), bristle, normal, h))


@compiled
def commit_contacts(table, c, w, t, h, since, shift, gravity):
    """Advance the history of all contacts of the step that starts at t with size h, `since` seconds after the last one.

    shift: s, where in the step velocities are taken for the energy: half of it for Euler steps, 0 for others.
    """
    c.counter[STEP] += 1
    joined = 0.0
    for j in range(c.counter[COUNT]):
        slot = c.who[j, WHICH]
        if c.mark[slot, MARK_EVENT] < 0:
            open_event(c, j, t, since)
        c.mark[slot, MARK_STEP] = c.counter[STEP]
        remember_contact(table, c.slot[slot], c.contact[j], c.who[j, LAW], h)
    for j in range(c.counter[COUNT]):
        if not is_joined(c.who, j):
            joined = joined_push(c, j)
        log_contact(c, w, j, joined, t, shift, gravity)
    close_parted(c, t)
