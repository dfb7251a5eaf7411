"""The forces of the contacts found, applied to the bodies; against obstacles linearly implicit.

A contact with an obstacle involves one body only, so the force at the end of the step can be taken to first order:
F(t + h) = F + k h r - C a with r the penetration rate, a the acceleration of the contact point, and
C = h (k h + c) n n' + h c_t (E - n n'). C adds to the body's articulated inertia, at no cost. Between two ellipsoids
the force is explicit: it acts on both with the same value, so momentum is kept to round-off.

Where the step can carry a force, explicit is the better choice: an implicit spring takes energy out (restitution
exp(-pi h sqrt(k / m) / 2) of an elastic one), and implicit friction slows a sliding body too little just before it
stops. So only what the step could not carry is implicit: of the stiffness, what is above m / h^2; of friction along the
sliding direction, what is above the m / h that would reverse it within the step. m is the contact's share of the least
mass that a push on the surface can feel (`compile.least_mass`): that mass over the number of contacts of its body, in
mode `patches` over the sum of their factors. The explicit stiffness is then at most 1 / h^2 times the inertia, for one
body and so for any tree of bodies; a symplectic step is stable below 4 / h^2.

The normal force that friction goes with is known only once the step is solved. It is taken as the explicit one times
the share of it that acted in the step before.

The acceleration a is that of the place of contact, a_c + alpha x r, with a_c of the ellipsoid's centre and r from there
to the point: a ball rolls on under its contact, which feels nothing of the centripetal acceleration of the skin.

Derivation: docs/derivations.md, Linearly implicit forces.
"""

from ..bodies.dynamics import add_force_at, add_inertia_at
from ..jit.decorators import compiled, inlined
from ..jit.late import call_late
from ..maths.vector import (
    ZERO6,
    add,
    add3,
    add_scaled,
    cross,
    dot,
    load3,
    put3,
    put6,
    scale,
    slice3,
    slice6,
    sub,
    sym_outer,
    sym_vec,
)
from .arrays import (
    CARRIED_PUSH,
    COUNT,
    DAMPING,
    EFFECTIVE,
    EFFECTIVE_TORQUE,
    ELASTIC,
    ELLIPSOID_A,
    ELLIPSOID_B,
    FORCE,
    FORM_INERTIA,
    FORM_MASS,
    GROUP_A,
    GROUP_B,
    HOST_A,
    HOST_B,
    IMPEDANCE,
    LAW,
    MARK_EVENT,
    NORMAL,
    OBSTACLE,
    OWNER_CRUSH,
    PATCH,
    PENETRATION,
    POINT,
    POSE_OMEGA,
    PUSH,
    RATE,
    SCALE,
    SLIP,
    SLOT_BRISTLE,
    SLOT_DEPTH,
    SLOT_ROLLED,
    SLOT_SHARE,
    SLOT_TOUCH_SPEED,
    STIFFNESS,
    STRIP_PATCH,
    TORQUE,
    TOUCH_RATE,
    WEIGHT,
    WHICH,
)
from .friction import friction_force
from .multi_contact import NONE, PATCHES, contact_scales
from .normal_force import normal_force
from .patch_friction import (
    effective_torque,
    has_patch_friction,
    no_patch_friction,
    patch_friction,
    turn_impedance,
)
from .patches import note_kin, patch_radius, share_patches

CONTACTS = 0
"""Column of `Touches.host_sum` with the number of contacts of each body, each counted by its factor in mode `patches`;
the others are scratch of the modes."""
IS_SLIDING = 0.999
"""Share of the friction limit that the velocity alone must call for."""


@compiled
def press_contact(table, slot, is_new, is_implicit, law, row, mass, h):
    """Normal force of one contact with its stiffness and damping, written to its row.

    slot: what is remembered of the touch. row: columns of `Touches.contact`. mass: kg, this contact's share of the
    least mass of its body.
    """
    rate = float(row[RATE])
    push, elastic, stiffness, damping = normal_force(
        table, law, float(row[PENETRATION]), float(slot[SLOT_DEPTH]), float(row[TOUCH_RATE]), rate
    )
    carried = push
    if is_implicit:
        stiffness = max(0.0, stiffness - mass / (h * h))
        if rate < 0.0:
            # the end of the step must not reach past zero force: a contact does not pull
            stiffness = min(stiffness, -push / (h * rate))
        push += stiffness * h * rate
        carried = push if is_new else push * float(slot[SLOT_SHARE])
    row[ELASTIC] = elastic
    row[PUSH] = push
    row[CARRIED_PUSH] = carried
    row[STIFFNESS] = stiffness
    row[DAMPING] = damping


@compiled
def rub_contact(table, slot, is_implicit, law, row, mass, h):
    """Friction of one contact that is pressed (`press_contact`); with it the whole force on a (explicit part) and its
    impedance, written to the row. h = 0: no implicit part."""
    normal = slice3(row, NORMAL)
    carried = float(row[CARRIED_PUSH])
    rub, drag, _ = friction_force(
        table, law, carried, slice3(row, SLIP), slice3(slot, SLOT_BRISTLE), normal, h
    )
    impedance = ZERO6
    if is_implicit:
        across = h * drag
        k = h * (row[STIFFNESS] * h + row[DAMPING]) - across
        nn = sym_outer(normal)
        slip = slice3(row, SLIP)
        speed_2 = dot(slip, slip)
        along = 0.0
        if drag * drag * speed_2 >= IS_SLIDING * dot(rub, rub) and speed_2 > 0.0:
            along = -min(across, mass) / speed_2
        tt = sym_outer(slip)
        impedance = (
            across + k * nn[0] + along * tt[0],
            across + k * nn[1] + along * tt[1],
            across + k * nn[2] + along * tt[2],
            k * nn[3] + along * tt[3],
            k * nn[4] + along * tt[4],
            k * nn[5] + along * tt[5],
        )
    put6(row, IMPEDANCE, impedance)
    put3(row, FORCE, add_scaled(rub, float(row[PUSH]), normal))


@inlined
def scale_contact(row):
    """Put the factor of a contact on its force and impedance."""
    if row[SCALE] != 1.0:
        for i in range(FORCE, EFFECTIVE):
            row[i] *= row[SCALE]


@compiled
def scale_contacts(mode, count, who, contact, host_sum):
    """Apply one of OpenMBD's multi-contact modes to force and impedance of every contact."""
    world = len(host_sum) - 1
    for j in range(count):
        who[j, GROUP_A] = who[j, HOST_A] if who[j, HOST_A] < world else -1
        who[j, GROUP_B] = who[j, HOST_B] if who[j, HOST_B] < world else -1
    contact_scales(
        mode,
        count,
        who[:, GROUP_A],
        who[:, GROUP_B],
        contact[:, ELASTIC],
        contact[:, SCALE],
        host_sum[:, 1],
        host_sum[:, 2],
    )
    for j in range(count):
        contact[j, SCALE] *= contact[j, WEIGHT]
        scale_contact(contact[j])


@inlined
def centripetal(c, w, j):
    """Of the centre of ellipsoid a of contact j about its body's reference point, m/s2."""
    a = c.who[j, HOST_A]
    omega = load3(w.omega, a)
    arm = sub(load3(c.centre, c.who[j, ELLIPSOID_A]), load3(w.position, a))
    return cross(omega, cross(omega, arm))


@inlined
def apply_contact(c, w, j, gravity):
    """Put contact j into the bias and articulated inertia of its bodies."""
    row = c.contact[j]
    force = slice3(row, FORCE)
    a = c.who[j, HOST_A]
    arm_a = sub(slice3(row, POINT), load3(w.position, a))
    if c.who[j, OBSTACLE] >= 0:
        C = slice6(row, IMPEDANCE)
        # the solved acceleration is minus gravity and of the reference point: what is missing to that of the contact
        known = add(gravity, centripetal(c, w, j))
        bias = sub(sym_vec(C, known), force)
        add_inertia_at(w, a, turn_impedance(row), C, scale(-1.0, slice3(row, TORQUE)), bias, arm_a)
    else:
        b = c.who[j, HOST_B]
        add_force_at(w, a, force, arm_a)
        add_force_at(w, b, scale(-1.0, force), sub(slice3(row, POINT), load3(w.position, b)))
        torque = slice3(row, TORQUE)
        add3(w.art_n, a, scale(-1.0, torque))
        add3(w.art_n, b, torque)


@inlined
def turn_contact(surfaces, c, w, j, h):
    """Friction torque of contact j, written to its row."""
    row = c.contact[j]
    who = c.who[j]
    table = surfaces.materials
    if not has_patch_friction(table, who[LAW]):
        no_patch_friction(row)
        return
    push = row[PUSH] * row[SCALE]
    inertia = surfaces.form[who[ELLIPSOID_A], FORM_INERTIA] * row[SCALE] / c.host_sum[who[HOST_A], CONTACTS]
    turning = load3(w.omega, who[HOST_A])
    if who[OBSTACLE] >= 0:
        turning = sub(turning, slice3(c.pose[who[OBSTACLE]], POSE_OMEGA))
        if h > 0.0 and c.mark[who[WHICH], MARK_EVENT] >= 0:
            push *= c.slot[who[WHICH], SLOT_SHARE]
    else:
        h = 0.0
        turning = sub(turning, load3(w.omega, who[HOST_B]))
        other = surfaces.form[who[ELLIPSOID_B], FORM_INERTIA] * row[SCALE] / c.host_sum[who[HOST_B], CONTACTS]
        inertia = 0.5 * min(inertia, other)
    rolled = float(c.slot[who[WHICH], SLOT_ROLLED])
    patch_friction(table, who[LAW], row, turning, rolled, max(0.0, push), inertia, h)


@inlined
def weigh_contacts(surfaces, c, mode):
    """What the geometry says of every contact, which others are of the same two, its factor (its weight in one touch,
    and the share of mode `patches`), and the sum of factors of each body."""
    count = c.counter[COUNT]
    for j in range(count):
        row = c.contact[j]
        slot = c.who[j, WHICH]
        is_new = c.mark[slot, MARK_EVENT] < 0
        row[TOUCH_RATE] = row[RATE] if is_new else c.slot[slot, SLOT_TOUCH_SPEED]
        is_strip = surfaces.owner[c.who[j, ELLIPSOID_A], OWNER_CRUSH] == 1
        row[PATCH] = STRIP_PATCH if is_strip else patch_radius(c, j)
        row[SCALE] = row[WEIGHT]
    note_kin(surfaces.owner, c)
    if mode == PATCHES:
        share_patches(surfaces.materials, c)
    contacts = c.host_sum[:, CONTACTS]
    for j in range(count):
        contacts[c.who[j, HOST_A]] = 0.0
        contacts[c.who[j, HOST_B]] = 0.0
    for j in range(count):
        contacts[c.who[j, HOST_A]] += c.contact[j, SCALE]
        contacts[c.who[j, HOST_B]] += c.contact[j, SCALE]


@inlined
def mass_share(surfaces, c, j):
    """kg: share of contact j in the least mass of its body."""
    return surfaces.form[c.who[j, ELLIPSOID_A], FORM_MASS] / c.host_sum[c.who[j, HOST_A], CONTACTS]


@compiled
def contact_forces(surfaces, c, w, h, mode, gravity, tyres, tyre_state):
    """Forces of all contacts found, applied to the workspace. Where there are tyres (`driving.tyres`), they have their
    say before that."""
    count = c.counter[COUNT]
    table = surfaces.materials
    weigh_contacts(surfaces, c, mode)
    for j in range(count):
        slot = c.who[j, WHICH]
        is_new = c.mark[slot, MARK_EVENT] < 0
        is_implicit = h > 0.0 and c.who[j, OBSTACLE] >= 0
        mass = mass_share(surfaces, c, j)
        press_contact(table, c.slot[slot], is_new, is_implicit, c.who[j, LAW], c.contact[j], mass, h)
    # by themselves, so that the processor works on the roots of several contacts at once (docs/performance.md)
    for j in range(count):
        slot = c.who[j, WHICH]
        is_implicit = h > 0.0 and c.who[j, OBSTACLE] >= 0
        rub_contact(
            table, c.slot[slot], is_implicit, c.who[j, LAW], c.contact[j], mass_share(surfaces, c, j), h
        )
    if mode == PATCHES or mode == NONE:
        for j in range(count):
            scale_contact(c.contact[j])
    else:
        scale_contacts(mode, count, c.who, c.contact, c.host_sum)
    for j in range(count):
        turn_contact(surfaces, c, w, j, h)
    if len(tyres.body) > 0:
        call_late(tyres.forces_address, tyres, tyre_state, surfaces, c, w, h)
    for j in range(count):
        apply_contact(c, w, j, gravity)


@compiled
def effective_contact_forces(c, w, gravity):
    """After the accelerations are known: the force that really acts in each contact."""
    for j in range(c.counter[COUNT]):
        row = c.contact[j]
        force = slice3(row, FORCE)
        if c.who[j, OBSTACLE] >= 0:
            a = c.who[j, HOST_A]
            arm = sub(slice3(row, POINT), load3(w.position, a))
            turning = add(cross(load3(w.alpha, a), arm), centripetal(c, w, j))
            acceleration = add(add(load3(w.acceleration, a), gravity), turning)
            force = sub(force, sym_vec(slice6(row, IMPEDANCE), acceleration))
            put3(row, EFFECTIVE_TORQUE, effective_torque(row, load3(w.alpha, a)))
        else:
            put3(row, EFFECTIVE_TORQUE, slice3(row, TORQUE))
        put3(row, EFFECTIVE, force)
