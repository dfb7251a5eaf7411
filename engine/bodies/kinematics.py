"""Positions, velocities and velocity-product terms of all moving bodies, and their own inertia in world axes."""

from ..jit.decorators import compiled
from ..maths.vector import (
    add,
    add_scaled,
    axis_angle_matrix,
    cross,
    load3,
    load6,
    load9,
    mat_mul,
    mat_vec,
    quat_matrix,
    scale,
    slice3,
    slice4,
    store3,
    store6,
    store9,
    sym_rotated,
    sym_vec,
)
from ..spec.joint_types import BALL, CURVE, FREE
from .courses import follow_course


@compiled
def forward_kinematics(tree, q, u, w):
    """Fill pose and velocity of every moving body from coordinates q and speeds u (see `Tree` for their layout).

    T_child = T_parent T1 R(joint) inverse(T2), in moving frames: R_i = R_p rest R(joint), p_i = p_p + R_p offset. An
    AXIS joint that slides shifts the child along its axis a (fixed in both frames) too: by s a, at s' a against the
    parent, with the Coriolis acceleration 2 omega_p x s' a. The moving bodies of a joint by functions are placed as one
    (`follow_course`), and each moves by its own column.
    """
    for i in range(len(tree.mass)):
        parent = tree.parent[i]
        qa = tree.q_address[i]
        ua = tree.u_address[i]
        if tree.group[i] == FREE:
            rotation = quat_matrix(slice4(q, qa + 3))
            omega = mat_vec(rotation, slice3(u, ua + 3))
            store3(w.position, i, slice3(q, qa))
            store3(w.velocity, i, slice3(u, ua))
            store3(w.omega_joint, i, omega)
            store3(w.omega, i, omega)
            store9(w.rotation, i, rotation)
            continue
        rotation_p = load9(w.rotation, parent)
        omega_p = load3(w.omega, parent)
        arm = mat_vec(rotation_p, load3(tree.offset, i))
        rest = load9(tree.rest, i)
        is_turned = rest[0] != 1.0 or rest[4] != 1.0 or rest[8] != 1.0
        joint_frame = mat_mul(rotation_p, rest) if is_turned else rotation_p
        slide = 0.0
        slide_velocity = (0.0, 0.0, 0.0)
        if tree.group[i] == BALL:
            rotation = mat_mul(joint_frame, quat_matrix(slice4(q, qa)))
            omega_joint = mat_vec(rotation, slice3(u, ua))
        elif tree.group[i] == CURVE:
            rotation = joint_frame
            if tree.courses.count[i] > 0:
                turned, shift = follow_course(tree.courses, i, qa, ua, q, u, joint_frame, w.column, w.bias)
                rotation = mat_mul(joint_frame, turned)
                arm = add(arm, mat_vec(joint_frame, shift))
            slide = 1.0
            omega_joint = scale(float(u[ua]), slice3(w.column[i], 0))
            slide_velocity = scale(float(u[ua]), slice3(w.column[i], 3))
        else:
            axis = load3(tree.axis, i)
            slide = float(tree.slide[i])
            turn = 1.0 if slide == 0.0 else float(tree.turn[i])
            rotation = joint_frame
            if turn != 0.0:
                rotation = mat_mul(joint_frame, axis_angle_matrix(axis, turn * float(q[qa])))
            axis = mat_vec(rotation, axis)
            omega_joint = scale(turn * float(u[ua]), axis)
            if slide != 0.0:
                arm = add_scaled(arm, slide * float(q[qa]), axis)
                slide_velocity = scale(slide * float(u[ua]), axis)
        if tree.group[i] != BALL:
            w.coordinate[i, 0] = q[qa]
            w.coordinate[i, 1] = u[ua]
        swing = cross(omega_p, arm)
        velocity = add(load3(w.velocity, parent), swing)
        centripetal = cross(omega_p, swing)
        if slide != 0.0:
            velocity = add(velocity, slide_velocity)
            centripetal = add_scaled(centripetal, 2.0, cross(omega_p, slide_velocity))
            store3(w.slide_velocity, i, slide_velocity)
        store3(w.arm, i, arm)
        store3(w.position, i, add(load3(w.position, parent), arm))
        store3(w.velocity, i, velocity)
        store3(w.omega_joint, i, omega_joint)
        store3(w.omega, i, add(omega_p, omega_joint))
        gyro = cross(omega_p, omega_joint)
        if tree.group[i] == CURVE:
            gyro = add(gyro, slice3(w.bias[i], 0))
            centripetal = add(centripetal, slice3(w.bias[i], 3))
        store3(w.gyro, i, gyro)
        store3(w.centripetal, i, centripetal)
        store9(w.rotation, i, rotation)


@compiled
def rigid_inertia(tree, w):
    """Start the articulated inertia of every moving body with its own inertia, which stays in `inertia` too.

    About the reference point r with centre of mass c: torque = J alpha + m c x a + omega x (J omega),
    force = m (a + alpha x c + omega x (omega x c)). (Newton-Euler about a point other than the centre of mass.) The
    terms of omega are the bias (`gyroscopic_bias`).
    """
    for i in range(len(tree.mass)):
        rotation = load9(w.rotation, i)
        mass = float(tree.mass[i])
        com = mat_vec(rotation, load3(tree.com, i))
        inertia = sym_rotated(rotation, load6(tree.inertia, i))
        mx, my, mz = scale(mass, com)
        store3(w.com, i, com)
        store6(w.inertia, i, inertia)
        store6(w.art_J, i, inertia)
        store9(w.art_H, i, (0.0, -mz, my, mz, 0.0, -mx, -my, mx, 0.0))
        store6(w.art_M, i, (mass, mass, mass, 0.0, 0.0, 0.0))


@compiled
def gyroscopic_bias(tree, w):
    """Start the bias of every moving body with the gyroscopic terms of its own inertia (see `rigid_inertia`)."""
    for i in range(len(tree.mass)):
        omega = load3(w.omega, i)
        swing = cross(omega, cross(omega, load3(w.com, i)))
        store3(w.swing, i, swing)
        store3(w.art_n, i, cross(omega, sym_vec(load6(w.inertia, i), omega)))
        store3(w.art_f, i, scale(float(tree.mass[i]), swing))


@compiled
def point_velocity(w, body, arm):
    """World velocity of the point at reference point + arm of a body."""
    return add(load3(w.velocity, body), cross(load3(w.omega, body), arm))


@compiled
def point_acceleration(w, body, arm, gravity):
    """World acceleration of the point at reference point + arm of a body, velocity products included."""
    omega = load3(w.omega, body)
    spin = add(cross(load3(w.alpha, body), arm), cross(omega, cross(omega, arm)))
    return add(add(load3(w.acceleration, body), gravity), spin)


@compiled
def working_velocity(w, body, arm, shift, gravity):
    """World velocity (m/s) by which a force at reference point + arm works on a body, `shift` seconds on.

    A force F held over a step h at the place r from the centre of mass changes momentum by h F and angular momentum by
    h r x F, so the energy by h F . (v_c + omega x r) at the mean of v_c and omega over the step: the place does not
    turn with the body, and a push on a disc that spins does no work (docs/derivations.md, Energy ledger).
    """
    spin = add(cross(load3(w.alpha, body), arm), load3(w.swing, body))
    change = add(add(load3(w.acceleration, body), gravity), spin)
    return add_scaled(point_velocity(w, body, arm), shift, change)
