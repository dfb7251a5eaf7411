"""Positions, velocities and velocity-product terms of all moving bodies, and their own inertia in world axes."""

from ..jit.decorators import compiled
from ..jit.lanes import lanes, lanes_at, put_three, three_at
from ..maths.rows import (
    as_rows,
    cross,
    mat_mul,
    mat_vec,
    matrix_numbers,
    numbers,
    packed_rows,
    packed_sym,
    put_packed_rows,
    put_rows,
    put_sym,
    sym_rotated,
    sym_vec,
    wide_rows,
    wide_sym,
)
from ..maths.vector import add, add_scaled, axis_angle_matrix, load3, quat_matrix, slice3, slice4, store3
from ..maths.vector import cross as cross_of_numbers
from ..spec.joint_types import BALL, CURVE, FREE
from .courses import follow_course
from .workspace import MASS


@compiled
def forward_kinematics(tree, q, u, w):
    """Fill pose and velocity of every moving body from coordinates q and speeds u (see `Tree` for their layout).

    T_child = T_parent T1 R(joint) inverse(T2), in moving frames: R_i = R_p rest R(joint), p_i = p_p + R_p offset. An
    AXIS joint that slides shifts the child along its axis a (fixed in both frames) too: by s a, at s' a against the
    parent, with the Coriolis acceleration 2 omega_p x s' a. The moving bodies of a joint by functions are placed as one
    (`follow_course`), and each moves by its own column. What products of speeds add to the accelerations of an actor
    whose momenta are expected is left to those who put its speeds right first (`momentum.keep_momenta`).
    """
    is_kept = False
    for i in range(len(tree.mass)):
        parent = tree.parent[i]
        if parent == len(tree.mass):
            is_kept = w.balance[i, MASS] > 0.0
        qa = tree.q_address[i]
        ua = tree.u_address[i]
        if tree.group[i] == FREE:
            root = as_rows(quat_matrix(slice4(q, qa + 3)))
            omega = mat_vec(root, lanes(u[ua + 3], u[ua + 4], u[ua + 5]))
            store3(w.position, i, slice3(q, qa))
            store3(w.velocity, i, slice3(u, ua))
            put_three(w.omega_joint, i, 0, omega)
            put_three(w.omega, i, 0, omega)
            put_packed_rows(w.rotation, i, root)
            continue
        rotation_p = packed_rows(w.rotation, parent)
        omega_p = three_at(w.omega, parent, 0)
        arm = mat_vec(rotation_p, three_at(tree.offset, i, 0))
        is_turned = tree.rest[i, 0] != 1.0 or tree.rest[i, 4] != 1.0 or tree.rest[i, 8] != 1.0
        joint_frame = mat_mul(rotation_p, packed_rows(tree.rest, i)) if is_turned else rotation_p
        slide = 0.0
        slide_velocity = lanes(0.0, 0.0, 0.0)
        if tree.group[i] == BALL:
            rotation = mat_mul(joint_frame, as_rows(quat_matrix(slice4(q, qa))))
            omega_joint = mat_vec(rotation, lanes(u[ua], u[ua + 1], u[ua + 2]))
        elif tree.group[i] == CURVE:
            rotation = joint_frame
            if tree.courses.count[i] > 0:
                frame = matrix_numbers(joint_frame)
                turned, shift = follow_course(tree.courses, i, qa, ua, q, u, frame, w.column, w.bias)
                rotation = mat_mul(joint_frame, as_rows(turned))
                arm = arm + mat_vec(joint_frame, lanes(shift[0], shift[1], shift[2]))
            slide = 1.0
            omega_joint = float(u[ua]) * three_at(w.column, i, 0)
            slide_velocity = float(u[ua]) * three_at(w.column, i, 3)
        else:
            slide = float(tree.slide[i])
            turn = 1.0 if slide == 0.0 else float(tree.turn[i])
            rotation = joint_frame
            if turn != 0.0:
                turned = axis_angle_matrix(load3(tree.axis, i), turn * float(q[qa]))
                rotation = mat_mul(joint_frame, as_rows(turned))
            axis = mat_vec(rotation, three_at(tree.axis, i, 0))
            omega_joint = turn * float(u[ua]) * axis
            if slide != 0.0:
                arm = arm + slide * float(q[qa]) * axis
                slide_velocity = slide * float(u[ua]) * axis
                put_three(w.column, i, 0, turn * axis)
                put_three(w.column, i, 3, slide * axis)
        if tree.group[i] != BALL:
            w.coordinate[i, 0] = q[qa]
            w.coordinate[i, 1] = u[ua]
        swing = cross(omega_p, arm)
        velocity = three_at(w.velocity, parent, 0) + swing
        if slide != 0.0:
            velocity = velocity + slide_velocity
            put_three(w.slide_velocity, i, 0, slide_velocity)
        put_three(w.arm, i, 0, arm)
        put_three(w.position, i, 0, three_at(w.position, parent, 0) + arm)
        put_three(w.velocity, i, 0, velocity)
        put_three(w.omega_joint, i, 0, omega_joint)
        put_three(w.omega, i, 0, omega_p + omega_joint)
        put_packed_rows(w.rotation, i, rotation)
        if not is_kept:
            gyro = cross(omega_p, omega_joint)
            centripetal = cross(omega_p, swing)
            if slide != 0.0:
                centripetal = centripetal + 2.0 * cross(omega_p, slide_velocity)
            if tree.group[i] == CURVE:
                gyro = gyro + three_at(w.bias, i, 0)
                centripetal = centripetal + three_at(w.bias, i, 3)
            put_three(w.gyro, i, 0, gyro)
            put_three(w.centripetal, i, 0, centripetal)


@compiled
def rigid_inertia(tree, w):
    """Start the articulated inertia of every moving body with its own inertia, which stays in `inertia` too.

    About the reference point r with centre of mass c: torque = J alpha + m c x a + omega x (J omega),
    force = m (a + alpha x c + omega x (omega x c)). (Newton-Euler about a point other than the centre of mass.) The
    terms of omega are the bias (`gyroscopic_bias`).
    """
    for i in range(len(tree.mass)):
        rotation = wide_rows(w.rotation, i)
        mass = float(tree.mass[i])
        com = mat_vec(rotation, three_at(tree.com, i, 0))
        inertia = sym_rotated(rotation, packed_sym(tree.inertia, i))
        mx, my, mz = numbers(mass * com)
        put_three(w.com, i, 0, com)
        put_three(w.inertia, i, 0, inertia[0])
        put_three(w.inertia, i, 3, inertia[1])
        put_sym(w.art_J, i, inertia)
        put_rows(w.art_H, i, (lanes(0.0, -mz, my), lanes(mz, 0.0, -mx), lanes(-my, mx, 0.0)))
        put_sym(w.art_M, i, (lanes(mass, mass, mass), lanes(0.0, 0.0, 0.0)))


@compiled
def gyroscopic_bias(tree, w):
    """Start the bias of every moving body with the gyroscopic terms of its own inertia (see `rigid_inertia`)."""
    for i in range(len(tree.mass)):
        omega = lanes_at(w.omega, i, 0)
        swing = cross(omega, cross(omega, lanes_at(w.com, i, 0)))
        put_three(w.swing, i, 0, swing)
        spin = cross(omega, sym_vec(wide_sym(w.inertia, i), omega))
        put_three(w.spin, i, 0, spin)
        put_three(w.art_n, i, 0, spin)
        put_three(w.art_f, i, 0, float(tree.mass[i]) * swing)


@compiled
def point_velocity(w, body, arm):
    """World velocity of the point at reference point + arm of a body."""
    return add(load3(w.velocity, body), cross_of_numbers(load3(w.omega, body), arm))


@compiled
def point_acceleration(w, body, arm, gravity):
    """World acceleration of the point at reference point + arm of a body, velocity products included."""
    omega = load3(w.omega, body)
    spin = add(
        cross_of_numbers(load3(w.alpha, body), arm), cross_of_numbers(omega, cross_of_numbers(omega, arm))
    )
    return add(add(load3(w.acceleration, body), gravity), spin)


@compiled
def working_velocity(w, body, arm, shift, gravity):
    """World velocity (m/s) by which a force at reference point + arm works on a body, `shift` seconds on.

    A force F held over a step h at the place r from the centre of mass changes momentum by h F and angular momentum by
    h r x F, so the energy by h F . (v_c + omega x r) at the mean of v_c and omega over the step: the place does not
    turn with the body, and a push on a disc that spins does no work (docs/derivations.md, Energy ledger).
    """
    spin = add(cross_of_numbers(load3(w.alpha, body), arm), load3(w.swing, body))
    change = add(add(load3(w.acceleration, body), gravity), spin)
    return add_scaled(point_velocity(w, body, arm), shift, change)
