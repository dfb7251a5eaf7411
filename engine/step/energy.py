"""Energy of the bodies, and the ledger of the work that every kind of force has done on them.

How work is taken over a step: docs/derivations.md, Energy ledger.
"""

from ..bodies.dynamics import joint_load, joint_motion
from ..bodies.kinematics import point_acceleration, point_velocity, working_velocity
from ..bodies.workspace import CATEGORIES, DAMPING
from ..connections.power import connection_power
from ..contact.arrays import (
    COUNT,
    EFFECTIVE,
    EFFECTIVE_TORQUE,
    HOST_A,
    NORMAL,
    POINT,
)
from ..jit.decorators import compiled, inlined, spliced
from ..jit.lanes import lanes, lanes_at, three_at
from ..jit.late import call_late
from ..joints.commands import FORCES
from ..maths.rows import cross as cross_lanes
from ..maths.rows import dot as dot_lanes
from ..maths.rows import mat_t_vec as mat_t_lanes
from ..maths.rows import packed_sym, wide_rows, wide_sym
from ..maths.rows import sym_vec as sym_lanes
from ..maths.vector import add_scaled, dot, load3, slice3, sub
from ..spec.joint_types import AXIS, CURVE, FREE
from .control import commanded_power

ENERGY_TERMS = (
    "kinetic",
    "gravity",
    "contact",
    "friction",
    "joint_damping",
    "joint_limits",
    "joint_passive",
    "actuators",
    "connections",
    "muscles",
    "prescribed",
    "residual",
)
"""Columns of `Recording.energy`, joules. kinetic and gravity are energies; contact to prescribed are the *work done on
the bodies* since the start by these forces (negative where they take energy out); residual is the numerical error:
(kinetic + gravity now) - (kinetic + gravity at the start) - (sum of the works)."""

KINETIC = ENERGY_TERMS.index("kinetic")
GRAVITY = ENERGY_TERMS.index("gravity")
CONTACT = ENERGY_TERMS.index("contact")
FRICTION = ENERGY_TERMS.index("friction")
JOINT_DAMPING = ENERGY_TERMS.index("joint_damping")
ACTUATORS = ENERGY_TERMS.index("actuators")
CONNECTIONS = ENERGY_TERMS.index("connections")
MUSCLES = ENERGY_TERMS.index("muscles")
PRESCRIBED = ENERGY_TERMS.index("prescribed")
RESIDUAL = ENERGY_TERMS.index("residual")
TERMS = len(ENERGY_TERMS)


@compiled
def kinetic_energy(tree, w):
    """Sum of m v.v / 2 + omega.(J omega) / 2 + m v.(omega x c), with J about the reference point, J."""
    total = 0.0
    for i in range(len(tree.mass)):
        omega = lanes_at(w.omega, i, 0)
        omega_body = mat_t_lanes(wide_rows(w.rotation, i), omega)
        v = lanes_at(w.velocity, i, 0)
        spin = 0.5 * dot_lanes(omega_body, sym_lanes(packed_sym(tree.inertia, i), omega_body))
        mixed = dot_lanes(v, cross_lanes(omega, lanes_at(w.com, i, 0)))
        total += tree.mass[i] * (0.5 * dot_lanes(v, v) + mixed) + spin
    return total


@compiled
def gravity_energy(tree, w, gravity):
    """Minus the sum of m g.x over all centres of mass, J; zero where everything is at the world's origin."""
    total = 0.0
    fall = lanes(gravity[0], gravity[1], gravity[2])
    for i in range(len(tree.mass)):
        total -= tree.mass[i] * dot_lanes(fall, lanes_at(w.position, i, 0) + lanes_at(w.com, i, 0))
    return total


@inlined
def axis_rate(tree, w, i):
    """Speed of an AXIS or CURVE joint, from its parts about and along the axis."""
    if tree.group[i] == CURVE:
        about = lanes_at(w.column, i, 0)
        along = lanes_at(w.column, i, 3)
        size = dot_lanes(about, about) + dot_lanes(along, along)
        moved = dot_lanes(about, lanes_at(w.omega_joint, i, 0))
        moved = moved + dot_lanes(along, lanes_at(w.slide_velocity, i, 0))
        return moved / size if size > 0.0 else 0.0
    rotation = wide_rows(w.rotation, i)
    axis = three_at(tree.axis, i, 0)
    if tree.turn[i] != 0.0:
        return dot_lanes(mat_t_lanes(rotation, lanes_at(w.omega_joint, i, 0)), axis)
    return dot_lanes(mat_t_lanes(rotation, lanes_at(w.slide_velocity, i, 0)), axis) / tree.slide[i]


@inlined
def add_axis_work(tree, w, i, work, weight, shift):
    """Add the work of the torques in joint i, AXIS or CURVE, to the ledger; returns their power, with the joint speed
    `shift` seconds on."""
    own = 0.0
    u_dot = float(w.u_dot[tree.u_address[i]])
    speed = axis_rate(tree, w, i) + shift * u_dot
    for category in range(CATEGORIES):
        if w.active[i, category] != 0:
            power = (w.torque[i, category, 0] - w.impedance[i, category, 0] * u_dot) * speed
            work[JOINT_DAMPING + category] += weight * power
            own += power
    return own


@inlined
def add_turning_work(tree, w, i, work, weight, shift):
    """`add_axis_work` of a BALL or FREE joint."""
    own = 0.0
    ua = tree.u_address[i] + (3 if tree.group[i] == FREE else 0)
    u_dot = lanes(w.u_dot[ua], w.u_dot[ua + 1], w.u_dot[ua + 2])
    speed = mat_t_lanes(wide_rows(w.rotation, i), lanes_at(w.omega_joint, i, 0)) + shift * u_dot
    for category in range(CATEGORIES):
        if w.active[i, category] != 0:
            torque = lanes_at(w.torque[i], category, 0)
            if category == DAMPING:
                torque = torque + -float(w.impedance[i, category, 0]) * u_dot
            else:
                torque = torque - sym_lanes(wide_sym(w.impedance[i], category), u_dot)
            power = dot_lanes(torque, speed)
            work[JOINT_DAMPING + category] += weight * power
            own += power
    return own


@inlined
def is_active(w, i):
    """Whether any torque acts in joint i."""
    for category in range(CATEGORIES):
        if w.active[i, category] != 0:
            return True
    return False


@compiled
def prescribed_power(tree, w, i, shift, gravity):
    """Power that a prescribed motion puts into the bodies: what its joint must carry beyond the joint's own torques."""
    n = len(tree.mass)
    omega = add_scaled(load3(w.omega, i), shift, load3(w.alpha, i))
    force, torque = joint_load(w, i)
    if tree.group[i] == FREE:
        a = point_acceleration(w, i, (0.0, 0.0, 0.0), gravity)
        return dot(torque, omega) + dot(force, add_scaled(load3(w.velocity, i), shift, a))
    if tree.slide[i] != 0.0:
        rate = axis_rate(tree, w, i) + shift * w.u_dot[tree.u_address[i]]
        about, along = joint_motion(tree, w, i)
        return rate * (dot(about, torque) + dot(along, force))
    relative = load3(w.omega_joint, i)
    if tree.parent[i] < n:
        parent = tree.parent[i]
        relative = add_scaled(relative, shift, sub(load3(w.alpha, i), load3(w.alpha, parent)))
    else:
        relative = add_scaled(relative, shift, load3(w.alpha, i))
    return dot(torque, relative)


@compiled
def contact_work(contact, who, w, world, weight, shift, gravity):
    """(normal, frictional) work of one contact's force on the bodies on both sides over `weight` seconds.

    Friction: what the tangential force and the torque of the patch do.
    """
    force = slice3(contact, EFFECTIVE)
    normal = slice3(contact, NORMAL)
    point = slice3(contact, POINT)
    v = (0.0, 0.0, 0.0)
    turning = (0.0, 0.0, 0.0)
    for side in range(2):
        host = who[HOST_A + side]
        if host < world:
            spin = add_scaled(load3(w.omega, host), shift, load3(w.alpha, host))
            turning = add_scaled(turning, 1.0 - 2.0 * side, spin)
            arm = sub(point, load3(w.position, host))
            v = add_scaled(v, 1.0 - 2.0 * side, working_velocity(w, host, arm, shift, gravity))
    push = dot(force, normal)
    along = push * dot(normal, v)
    rub = dot(force, v) - along + dot(slice3(contact, EFFECTIVE_TORQUE), turning)
    return weight * along, weight * rub


@compiled
def work_of_forces(
    tree,
    pulses,
    connections,
    muscles,
    c,
    connection_state,
    muscle_state,
    released,
    authored,
    commands,
    w,
    work,
    weight,
    shift,
    gravity,
):
    """`accumulate_work` with only the groups of arrays it reads."""
    for i in range(len(tree.mass)):
        own = 0.0
        if is_active(w, i):
            if tree.group[i] >= AXIS:
                own = add_axis_work(tree, w, i, work, weight, shift)
            else:
                own = add_turning_work(tree, w, i, work, weight, shift)
        if tree.prescribed[i] != 0 and released[i] == 0:
            # the whole of what passes through the joint, its own damping, limits and motors included
            work[PRESCRIBED] += weight * (prescribed_power(tree, w, i, shift, gravity) - own)
    for j in range(c.counter[COUNT]):
        push, rub = contact_work(c.contact[j], c.who[j], w, len(tree.mass), weight, shift, gravity)
        work[CONTACT] += push
        work[FRICTION] += rub
    for j in range(len(pulses.body)):
        arm = load3(w.pulse_arm, j)
        body = pulses.body[j]
        v = add_scaled(point_velocity(w, body, arm), shift, point_acceleration(w, body, arm, gravity))
        work[ACTUATORS] += weight * dot(load3(w.pulse_force, j), v)
    if commands.used[FORCES] != 0:
        work[ACTUATORS] += weight * commanded_power(commands, authored, w, shift, gravity)
    work[CONNECTIONS] += weight * connection_power(connections, connection_state, w, shift, gravity)
    if len(muscles.kind) > 0:
        call_late(muscles.power_address, muscle_state, w, shift, gravity[0], gravity[1], gravity[2])
        work[MUSCLES] += weight * muscle_state.power[0]


@spliced
def accumulate_work(k, s, w, weight, shift):
    """Add the work of every force over `weight` seconds to the ledger, with velocities `shift` seconds on.

    Uses the evaluation in the workspace. Forces are the ones that really acted: implicit parts included.
    """
    work_of_forces(
        k.tree,
        k.pulses,
        k.connections,
        k.muscles,
        s.contact,
        s.connections,
        s.muscles,
        s.released,
        k.authored,
        s.commands,
        w,
        s.work,
        weight,
        shift,
        k.params.gravity,
    )
