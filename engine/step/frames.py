"""Writing one output time: everything `Recording` holds, for the authored bodies and joints, from the workspace."""

from collections import namedtuple

import numpy as np

from ..contact.arrays import (
    COUNT,
    EFFECTIVE,
    EFFECTIVE_TORQUE,
    ELLIPSOID_A,
    ELLIPSOID_B,
    INSTANT_DEPTH,
    INSTANT_FORCE,
    INSTANT_NORMAL,
    INSTANT_POINT,
    INSTANT_PUSH,
    INSTANT_RATE,
    INSTANT_SLIDING,
    INSTANT_TIME,
    INSTANT_WIDTH,
    NORMAL,
    OBSTACLE,
    OWNER_BODY,
    PENETRATION,
    POINT,
    RATE,
    SLIP,
)
from ..jit.decorators import compiled, inlined, spliced
from ..jit.lanes import lanes, lanes_at, put_three, three_at
from ..jit.late import call_late
from ..joints.commands import FORCES
from ..maths.rows import cross as cross_lanes
from ..maths.rows import mat_mul as mul_lanes
from ..maths.rows import mat_vec as vec_lanes
from ..maths.rows import (
    matrix_numbers,
    numbers,
    packed_rows,
    packed_sym,
    sym_rotated,
    sym_vec,
    wide_rows,
)
from ..maths.vector import (
    add,
    add3,
    cross,
    dot,
    load3,
    load9,
    mat_mul,
    mat_t_vec,
    mat_vec,
    norm,
    put3,
    quat_log,
    scale,
    slice3,
    slice4,
    store3,
    sub,
    transpose,
)
from ..muscles.arrays import MUSCLE_CHANNELS, MUSCLE_ENERGIES
from ..spec.joint_types import BALL, CURVE, FREE
from .energy import GRAVITY, KINETIC, RESIDUAL, TERMS, gravity_energy, kinetic_energy

FRAME_SHAPES = {
    "position": ("body", 3),
    "quaternion": ("body", 4),
    "velocity": ("body", 3),
    "angular_velocity": ("body", 3),
    "acceleration": ("body", 3),
    "angular_acceleration": ("body", 3),
    "contact_force": ("body", 3),
    "contact_torque": ("body", 3),
    "joint_angle": ("joint", 3),
    "joint_rate": ("joint", 3),
    "joint_slide": ("joint", 3),
    "joint_slide_rate": ("joint", 3),
    "reaction_force": ("reaction", 3),
    "reaction_moment": ("reaction", 3),
    "muscle": ("muscle", len(MUSCLE_CHANNELS)),
}
"""Arrays of `Recording` that are written per frame, and what their rows stand for."""
CLEARED = {"acceleration", "joint_angle", "joint_rate", "joint_slide", "joint_slide_rate"}
"""Those of which what does not move stays zero; the others are written whole, and need not be cleared before."""

Frames = namedtuple(
    "Frames",
    [
        "times",  # (f,) s
        *FRAME_SHAPES,
        "energy",  # (f, TERMS)
        "muscle_energy",  # (f, len(MUSCLE_ENERGIES))
        "outer_force",  # (b, 3) scratch
        "outer_torque",  # (b, 3) scratch
        "reactions",  # (1,) whether they are wanted
        "history_who",  # (h, 3) ellipsoid a, ellipsoid b or -1, obstacle or -1 of every contact of all frames
        "history",  # (h, INSTANT_WIDTH); no rows where no history is wanted
        "history_count",  # (1,) rows filled
        "samples",  # (n, channels, 3) float32: one row for each step, of what sensors measure; no rows without sensors
        "sample_times",  # (n,) s
        "sample_count",  # (1,) rows filled
        "ended",  # (2,) status and number of frames written of the last call
    ],
)


def new_frames(
    bodies: int,
    frames: int,
    reactions: bool,
    history: int = 0,
    muscles: int = 0,
    samples: tuple[int, int] = (0, 0),
) -> Frames:
    """Buffer for a number of output times, of rows of contact history, and of (samples, channels) of sensors.

    Every authored body has one joint, so joints are counted by bodies.
    """
    rows = {"body": bodies, "joint": bodies, "reaction": bodies if reactions else 0, "muscle": muscles}
    return Frames(
        times=np.empty(frames),
        **{
            name: (np.zeros if name in CLEARED else np.empty)((frames, rows[kind], width))
            for name, (kind, width) in FRAME_SHAPES.items()
        },
        energy=np.empty((frames, TERMS)),
        muscle_energy=np.zeros((frames, len(MUSCLE_ENERGIES))),
        outer_force=np.zeros((bodies, 3)),
        outer_torque=np.zeros((bodies, 3)),
        reactions=np.array([int(reactions)]),
        history_who=np.empty((history, 3), dtype=np.int64),
        history=np.empty((history, INSTANT_WIDTH)),
        history_count=np.zeros(1, dtype=np.int64),
        samples=np.empty((*samples, 3), dtype=np.float32),
        sample_times=np.empty(samples[0]),
        sample_count=np.zeros(1, dtype=np.int64),
        ended=np.zeros(2, dtype=np.int64),
    )


@compiled
def quaternion_of(m):
    """Unit quaternion of a rotation matrix, from its largest component (Shepperd)."""
    trace = m[0] + m[4] + m[8]
    if trace >= m[0] and trace >= m[4] and trace >= m[8]:
        q = (1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1])
    elif m[0] >= m[4] and m[0] >= m[8]:
        q = (m[7] - m[5], 1.0 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6])
    elif m[4] >= m[8]:
        q = (m[2] - m[6], m[1] + m[3], 1.0 - m[0] + m[4] - m[8], m[5] + m[7])
    else:
        q = (m[3] - m[1], m[2] + m[6], m[5] + m[7], 1.0 - m[0] - m[4] + m[8])
    k = 1.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) ** 0.5
    return q[0] * k, q[1] * k, q[2] * k, q[3] * k


@compiled
def write_orientation(quaternions, b, q, last):
    """Write a quaternion with the sign that continues the previous frame's (`last` carries it over)."""
    sign = 1.0
    if q[0] * last[b, 0] + q[1] * last[b, 1] + q[2] * last[b, 2] + q[3] * last[b, 3] < 0.0:
        sign = -1.0
    for i in range(4):
        quaternions[b, i] = sign * q[i]
        last[b, i] = sign * q[i]


@compiled
def write_bodies(tree, authored, w, out, f, last_quaternion, gravity):
    """Pose, velocity and acceleration of the centre of mass of every authored body."""
    world = len(tree.mass)
    fall = lanes(gravity[0], gravity[1], gravity[2])
    for b in range(len(authored.mass)):
        host = authored.host[b]
        rotation = wide_rows(w.rotation, host)
        com = vec_lanes(rotation, three_at(authored.com, b, 0))
        omega = lanes_at(w.omega, host, 0)
        alpha = lanes_at(w.alpha, host, 0)
        swing = cross_lanes(omega, com)
        put_three(out.position[f], b, 0, lanes_at(w.position, host, 0) + com)
        put_three(out.velocity[f], b, 0, lanes_at(w.velocity, host, 0) + swing)
        put_three(out.angular_velocity[f], b, 0, omega)
        put_three(out.angular_acceleration[f], b, 0, alpha)
        if host < world:
            turning = cross_lanes(alpha, com) + cross_lanes(omega, swing)
            put_three(out.acceleration[f], b, 0, lanes_at(w.acceleration, host, 0) + turning + fall)
        frame = mul_lanes(rotation, packed_rows(authored.rotation, b))
        orientation = quaternion_of(matrix_numbers(frame))
        write_orientation(out.quaternion[f], b, orientation, last_quaternion)


@inlined
def add_outer(out, f, b, force, point):
    """Add a force at a world point to what acts on authored body b from outside the tree."""
    add3(out.outer_force, b, force)
    add3(out.outer_torque, b, cross(sub(point, load3(out.position[f], b)), force))


@compiled
def write_contacts(owner, c, out, f):
    """Sum of the contact forces on each authored body, and their torque about its centre of mass."""
    out.outer_force[:] = 0.0
    out.outer_torque[:] = 0.0
    for j in range(c.counter[COUNT]):
        force = slice3(c.contact[j], EFFECTIVE)
        point = slice3(c.contact[j], POINT)
        torque = slice3(c.contact[j], EFFECTIVE_TORQUE)
        a = owner[c.who[j, ELLIPSOID_A], OWNER_BODY]
        add_outer(out, f, a, force, point)
        add3(out.outer_torque, a, torque)
        if c.who[j, ELLIPSOID_B] >= 0:
            b = owner[c.who[j, ELLIPSOID_B], OWNER_BODY]
            add_outer(out, f, b, scale(-1.0, force), point)
            add3(out.outer_torque, b, scale(-1.0, torque))
    for b in range(len(out.outer_force)):
        store3(out.contact_force[f], b, load3(out.outer_force, b))
        store3(out.contact_torque[f], b, load3(out.outer_torque, b))


@compiled
def has_history_room(c, out):
    """Whether the contacts of one more frame are sure to fit into the history, or none is wanted."""
    return len(out.history) == 0 or out.history_count[0] + len(c.who) <= len(out.history)


@compiled
def has_sample_room(out, rows):
    """Whether so many more rows of samples fit, or none are wanted."""
    return len(out.samples) == 0 or out.sample_count[0] + rows <= len(out.samples)


@compiled
def write_history(c, out, t):
    """Every contact of the evaluation in the workspace, with the force that acts."""
    for j in range(c.counter[COUNT]):
        i = out.history_count[0]
        out.history_count[0] = i + 1
        contact = c.contact[j]
        normal = slice3(contact, NORMAL)
        force = slice3(contact, EFFECTIVE)
        out.history_who[i, 0] = c.who[j, ELLIPSOID_A]
        out.history_who[i, 1] = c.who[j, ELLIPSOID_B]
        out.history_who[i, 2] = c.who[j, OBSTACLE]
        row = out.history[i]
        row[INSTANT_TIME] = t
        put3(row, INSTANT_POINT, slice3(contact, POINT))
        put3(row, INSTANT_NORMAL, normal)
        put3(row, INSTANT_FORCE, force)
        row[INSTANT_PUSH] = dot(force, normal)
        row[INSTANT_DEPTH] = contact[PENETRATION]
        row[INSTANT_RATE] = contact[RATE]
        row[INSTANT_SLIDING] = norm(slice3(contact, SLIP))


@inlined
def write_several_motions(tree, w, out, f, b, last, first):
    """`write_joints` of one joint whose motions are those of the moving bodies `first` to `last`."""
    parent = tree.parent[first]
    frame = mat_mul(load9(w.rotation, parent), load9(tree.rest, first))
    rotation = load9(w.rotation, last)
    reach = sub(load3(w.position, last), load3(w.position, parent))
    carried = cross(load3(w.omega, parent), reach)
    slid = sub(reach, mat_vec(load9(w.rotation, parent), load3(tree.offset, first)))
    speed = sub(sub(load3(w.velocity, last), load3(w.velocity, parent)), carried)
    rate = sub(load3(w.omega, last), load3(w.omega, parent))
    store3(out.joint_angle[f], b, quat_log(quaternion_of(mat_mul(transpose(frame), rotation))))
    store3(out.joint_rate[f], b, mat_t_vec(rotation, rate))
    if tree.slide[first] != 0.0:
        store3(out.joint_slide[f], b, mat_t_vec(frame, slid))
        store3(out.joint_slide_rate[f], b, mat_t_vec(frame, speed))


@compiled
def write_joints(tree, authored, q, w, out, f):
    """Rotation vector, slide and their rates of every joint; fixed ones stay zero."""
    for b in range(len(authored.mass)):
        i = authored.moving_joint[b]
        if i < 0:
            continue
        if authored.motions[b] > 1 or tree.group[i] == CURVE:
            write_several_motions(tree, w, out, f, b, i, i - authored.motions[b] + 1)
            continue
        qa = tree.q_address[i]
        angle = (0.0, 0.0, 0.0)
        if tree.group[i] == FREE:
            angle = quat_log(slice4(q, qa + 3))
        elif tree.group[i] == BALL:
            angle = quat_log(slice4(q, qa))
        else:
            angle = scale(tree.turn[i] * float(q[qa]), load3(tree.axis, i))
            if tree.slide[i] != 0.0:
                rotation = load9(w.rotation, i)
                store3(out.joint_slide[f], b, scale(tree.slide[i] * float(q[qa]), load3(tree.axis, i)))
                store3(out.joint_slide_rate[f], b, mat_t_vec(rotation, load3(w.slide_velocity, i)))
        store3(out.joint_angle[f], b, angle)
        store3(out.joint_rate[f], b, mat_t_vec(load9(w.rotation, i), load3(w.omega_joint, i)))


@compiled
def write_reactions(authored, w, out, f, gravity):
    """Force and moment of the parent on the child in every joint, fixed ones included.

    From the leaves inward (Newton-Euler): what accelerates a body and all it carries, less what acts from outside, must
    come through its joint. out.outer_force and outer_torque hold the outside forces; children's reactions are added.
    """
    fall = lanes(gravity[0], gravity[1], gravity[2])
    for j in range(len(authored.inward)):
        b = authored.inward[j]
        host = authored.host[b]
        rotation = wide_rows(w.rotation, host)
        com = three_at(out.position[f], b, 0)
        mass = float(authored.mass[b])
        frame = mul_lanes(rotation, packed_rows(authored.rotation, b))
        inertia = sym_rotated(frame, packed_sym(authored.inertia, b))
        omega = three_at(out.angular_velocity[f], b, 0)
        alpha = three_at(out.angular_acceleration[f], b, 0)
        spin = sym_vec(inertia, alpha) + cross_lanes(omega, sym_vec(inertia, omega))
        force = mass * (three_at(out.acceleration[f], b, 0) - fall) - three_at(out.outer_force, b, 0)
        moment = spin - three_at(out.outer_torque, b, 0)
        joint = lanes_at(w.position, host, 0) + vec_lanes(rotation, three_at(authored.joint_centre, b, 0))
        # moment about the joint centre: torque about the centre of mass plus (com - joint) x force
        moment = moment + cross_lanes(com - joint, force)
        put_three(out.reaction_force[f], b, 0, force)
        put_three(out.reaction_moment[f], b, 0, moment)
        parent = authored.parent[b]
        if parent >= 0:
            add_outer(out, f, parent, scale(-1.0, numbers(force)), numbers(joint))
            add3(out.outer_torque, parent, scale(-1.0, numbers(moment)))


@compiled
def write_energy(tree, work, energy_start, w, out, f, gravity):
    """Energies now, works so far, and what the two leave unexplained."""
    total = kinetic_energy(tree, w)
    potential = gravity_energy(tree, w, gravity)
    done = 0.0
    for term in range(KINETIC + 2, RESIDUAL):
        out.energy[f, term] = work[term]
        done += work[term]
    out.energy[f, KINETIC] = total
    out.energy[f, GRAVITY] = potential
    out.energy[f, RESIDUAL] = total + potential - energy_start[0] - done


@compiled
def add_loads(pulses, connections, connection_state, w, out, f):
    """Forces of pulses and connections on the authored bodies they are attached to."""
    for j in range(len(pulses.body)):
        point = add(load3(w.position, pulses.body[j]), load3(w.pulse_arm, j))
        add_outer(out, f, pulses.authored[j], load3(w.pulse_force, j), point)
    for j in range(len(connection_state.load_body)):
        b = connections.load_authored[j]
        if b >= 0:
            add_outer(out, f, b, load3(connection_state.load_force, j), load3(connection_state.load_point, j))
            add3(out.outer_torque, b, load3(connection_state.load_torque, j))


@compiled
def add_commanded_loads(commands, out):
    """Forces and moments that a controller commands, on the centres of mass of authored bodies."""
    for b in range(len(commands.acted)):
        add3(out.outer_force, b, slice3(commands.acted[b], 0))
        add3(out.outer_torque, b, slice3(commands.acted[b], 3))


@compiled
def write_muscles(muscles, muscle_state, out, f):
    """Output channels of every muscle, and their energies."""
    call_late(muscles.energies_address, muscles, muscle_state)
    for i in range(muscle_state.output.shape[0]):
        for c in range(muscle_state.output.shape[1]):
            out.muscle[f, i, c] = muscle_state.output[i, c]
    for c in range(len(muscle_state.energy_now)):
        out.muscle_energy[f, c] = muscle_state.energy_now[c]


@compiled
def add_muscle_loads(authored, muscle_state, w, out, f):
    """Forces of muscles on the authored bodies they are attached to; torques are kept about the reference points."""
    for b in range(len(authored.mass)):
        force = load3(muscle_state.load_force, b)
        arm = sub(load3(out.position[f], b), load3(w.position, authored.host[b]))
        add3(out.outer_force, b, force)
        add3(out.outer_torque, b, sub(load3(muscle_state.load_torque, b), cross(arm, force)))


@spliced
def write_frame(k, s, w, out, f, t):
    """Write output time t, whose evaluation is in the workspace, into row f."""
    gravity = k.params.gravity
    out.times[f] = t
    write_bodies(k.tree, k.authored, w, out, f, s.last_quaternion, gravity)
    write_contacts(k.surfaces.owner, s.contact, out, f)
    if len(out.history) > 0:
        write_history(s.contact, out, t)
    write_joints(k.tree, k.authored, s.q, w, out, f)
    if len(k.muscles.kind) > 0:
        write_muscles(k.muscles, s.muscles, out, f)
    if out.reactions[0] != 0:
        add_loads(k.pulses, k.connections, s.connections, w, out, f)
        if s.commands.used[FORCES] != 0:
            add_commanded_loads(s.commands, out)
        if len(k.muscles.kind) > 0:
            add_muscle_loads(k.authored, s.muscles, w, out, f)
        write_reactions(k.authored, w, out, f, gravity)
    write_energy(k.tree, s.work, s.energy_start, w, out, f, gravity)
