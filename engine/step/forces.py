"""A step as a list of phases: kinematics, joint forces, contacts, connections, pulses, accelerations; then the history.

`evaluate` is pure in the physics: it may be called for trial states, and only `commit` advances what is remembered.
"""

from ..bodies.dynamics import add_force_at, solve_accelerations
from ..bodies.kinematics import forward_kinematics, gyroscopic_bias, rigid_inertia
from ..connections.forces import commit_connections, connection_forces
from ..contact.arrays import COUNT, ELLIPSOID_A, ELLIPSOID_B, OBSTACLE, OWNER_ACTOR
from ..contact.detect import find_contacts
from ..contact.history import commit_contacts
from ..contact.obstacles import place_obstacles
from ..contact.respond import contact_forces, effective_contact_forces
from ..jit.decorators import compiled, spliced
from ..jit.late import call_late
from ..joints.breaking import commit_breaks
from ..joints.commands import FORCES
from ..joints.forces import joint_forces
from ..joints.passive import commit_passive
from ..joints.prescribed import prescribed_rates, release_prescribed
from ..joints.pulses import constant_share, half_sine
from ..maths.vector import load3, load9, mat_vec, scale, store3
from ..spec import INTEGRATORS
from .control import apply_commanded_forces
from .integrators.momentum import keep_momenta

LAST_EULER = INTEGRATORS.index("forward_euler")
"""The integrators up to this one step from the forces at the start of the step."""


@compiled
def apply_pulses(pulses, w, t, h):
    """Force pulses on points of bodies; the average over the step, so that the impulse is exact."""
    for j in range(len(pulses.body)):
        body = pulses.body[j]
        rotation = load9(w.rotation, body)
        start, duration = float(pulses.start[j]), float(pulses.duration[j])
        if pulses.constant[j] != 0:
            share = constant_share(t, h, start, duration)
        else:
            share = half_sine(t, h, start, duration)
        force = scale(share, load3(pulses.peak, j))
        if pulses.in_body_frame[j] != 0:
            force = mat_vec(rotation, force)
        arm = mat_vec(rotation, load3(pulses.point, j))
        store3(w.pulse_force, j, force)
        store3(w.pulse_arm, j, arm)
        add_force_at(w, body, force, arm)


@compiled
def evaluate_groups(
    params,
    tree,
    joints,
    surfaces,
    connections,
    pulses,
    prescribed,
    authored,
    muscles,
    c,
    connection_state,
    joint_state,
    released,
    muscle_state,
    commands,
    tyres,
    tyre_state,
    w,
    q,
    u,
    t,
    begun,
    h,
):
    """`evaluate` with only the groups of arrays it reads: every array handed over costs time."""
    gravity = params.gravity
    forward_kinematics(tree, q, u, w)
    rigid_inertia(tree, w)
    if h > 0.0:
        keep_momenta(tree, w, q, u, h)
    gyroscopic_bias(tree, w)
    joint_forces(
        joints,
        tree.group,
        tree.q_address,
        tree.u_address,
        q,
        u,
        t,
        h,
        joint_state,
        commands,
        w.aim,
        w.torque,
        w.impedance,
        w.active,
    )
    place_obstacles(surfaces, c, w, t)
    find_contacts(surfaces, c, w)
    contact_forces(surfaces, c, w, h, params.multi_contact, gravity, tyres, tyre_state)
    connection_forces(connections, connection_state, w, t)
    apply_pulses(pulses, w, begun, h)
    if commands.used[FORCES] != 0:
        apply_commanded_forces(commands, authored, w)
    if len(muscles.kind) > 0:
        call_late(muscles.forces_address, muscles, muscle_state, tree, authored, w, t, 0.0)
    if len(prescribed.body) > 0:
        # a Runge-Kutta stage has no step of its own: it aims two steps ahead
        ahead = h if h > 0.0 else 2.0 * params.time_step
        prescribed_rates(prescribed, tree, released, w, q, u, t, ahead)
    solve_accelerations(tree, w, released, gravity)
    effective_contact_forces(c, w, gravity)


@spliced
def evaluate(k, s, w, q, u, t, h):
    """Accelerations at (q, u, t) for a step of h that begins there: see `evaluate_from`."""
    evaluate_from(k, s, w, q, u, t, t, h)


@spliced
def evaluate_from(k, s, w, q, u, t, begun, h):
    """Accelerations at (q, u, t), with everything the ledger and the recording read left in the workspace.

    begun: s, from when on force pulses are averaged over h; t but where steps change their size.

    h > 0: damping, limits and obstacle contact at the end of a step of this size (linearly implicit), and the free
    roots in q and u are put right first so that the momenta are those that the last step must have led to. h = 0: the
    instantaneous forces.
    """
    evaluate_groups(
        k.params,
        k.tree,
        k.joints,
        k.surfaces,
        k.connections,
        k.pulses,
        k.prescribed,
        k.authored,
        k.muscles,
        s.contact,
        s.connections,
        s.joints,
        s.released,
        s.muscles,
        s.commands,
        k.tyres,
        s.tyres,
        w,
        q,
        u,
        t,
        begun,
        h,
    )


@compiled
def note_touched(owner, c, ground_obstacles, touched):
    """Mark the actors that touch another actor or an obstacle other than the ground."""
    for j in range(c.counter[COUNT]):
        who = c.who[j]
        actor_a = owner[who[ELLIPSOID_A], OWNER_ACTOR]
        if who[OBSTACLE] >= ground_obstacles:
            touched[actor_a] = 1
        elif who[ELLIPSOID_B] >= 0:
            actor_b = owner[who[ELLIPSOID_B], OWNER_ACTOR]
            if actor_a != actor_b:
                touched[actor_a] = 1
                touched[actor_b] = 1


@spliced
def commit(k, s, w, t, since, h, drift):
    """Advance what is remembered by one step from t: contacts, joints, connections, releases.

    since: s, size of the last step. h, drift: s by which speeds and places advance; the same but where steps change
    their size.
    """
    shift = 0.5 * h if k.params.integrator <= LAST_EULER else 0.0
    commit_contacts(k.surfaces.materials, s.contact, w, t, drift, since, shift, k.params.gravity)
    commit_passive(k.joints, k.tree.group, k.tree.q_address, s.q, s.joints)
    if len(k.joints.breaks.slot) > 0:
        commit_breaks(k.joints.breaks, k.tree.group, k.tree.u_address, s.u, s.joints, w, t, h, shift)
    commit_connections(k.connections, s.connections, t)
    if len(k.muscles.kind) > 0:
        call_late(k.muscles.commit_address, k.muscles, s.muscles, t, 0.0)
    if len(k.tyres.body) > 0:
        call_late(k.tyres.commit_address, k.tyres, s.tyres, h)
    if len(k.prescribed.body) > 0:
        note_touched(k.surfaces.owner, s.contact, k.params.ground_obstacles, s.touched)
        release_prescribed(k.prescribed, s.released, t, s.touched)
