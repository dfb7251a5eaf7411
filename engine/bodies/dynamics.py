"""Accelerations in O(n): the articulated-body algorithm, with bodies referred to their joint centres in world axes.

Featherstone 2008, ch. 7 (docs/derivations.md, Accelerations), in a form where a spherical joint passes only a 3x3
problem to its parent. Accelerations are kept minus gravity throughout ("what an accelerometer shows"), so gravity costs
nothing; `u_dot` of a free root gets it back.

Joint impedance B = h D + h^2 K (docs/derivations.md, Linearly implicit forces) simply adds to the inertia
the joint sees: (J + B) rel = torque - ..., which makes stiff joints stable at no extra cost. B = 0 is the exact
explicit acceleration.
"""

from ..jit.decorators import compiled, inlined
from ..maths.vector import (
    add,
    add3,
    add_scaled,
    cross,
    dot,
    load3,
    load6,
    load9,
    mat_mul,
    mat_t_vec,
    mat_vec,
    put3,
    scale,
    slice3,
    store3,
    store6,
    store9,
    sub,
    sym_add,
    sym_full,
    sym_inverse,
    sym_mat,
    sym_outer,
    sym_product,
    sym_rotated,
    sym_scale,
    sym_sub,
    sym_vec,
)
from ..spec.joint_types import BALL, CURVE, FREE
from .workspace import CATEGORIES, DAMPING

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inlined
def add_inertia_at(w, b, J, H, M, n, f, arm):
    """Add the inertia (J, H, M) and bias (n, f) given at reference point + arm to the record of body b.

    Moving the reference point by -arm: a_there = a + alpha x arm, torque_here = torque_there + arm x force.
    """
    # T = [arm]x M, column by column; M symmetric
    t0 = cross(arm, (M[0], M[3], M[4]))
    t1 = cross(arm, (M[3], M[1], M[5]))
    t2 = cross(arm, (M[4], M[5], M[2]))
    # Y = -T [arm]x, row by row: row . (arm x) = -(arm x row)
    y0 = cross(arm, (t0[0], t1[0], t2[0]))
    y1 = cross(arm, (t0[1], t1[1], t2[1]))
    y2 = cross(arm, (t0[2], t1[2], t2[2]))
    # X = -H [arm]x: its rows are arm x (rows of H)
    x0 = cross(arm, (H[0], H[1], H[2]))
    x1 = cross(arm, (H[3], H[4], H[5]))
    x2 = cross(arm, (H[6], H[7], H[8]))
    # whole rows are read, added to and written back, so that the compiler can do so several numbers at a time
    own_J = load6(w.art_J, b)
    own_H = load9(w.art_H, b)
    own_M = load6(w.art_M, b)
    J = (
        own_J[0] + (J[0] + 2.0 * x0[0] + y0[0]),
        own_J[1] + (J[1] + 2.0 * x1[1] + y1[1]),
        own_J[2] + (J[2] + 2.0 * x2[2] + y2[2]),
        own_J[3] + (J[3] + x0[1] + x1[0] + y0[1]),
        own_J[4] + (J[4] + x0[2] + x2[0] + y0[2]),
        own_J[5] + (J[5] + x1[2] + x2[1] + y1[2]),
    )
    H = (
        own_H[0] + (H[0] + t0[0]),
        own_H[1] + (H[1] + t1[0]),
        own_H[2] + (H[2] + t2[0]),
        own_H[3] + (H[3] + t0[1]),
        own_H[4] + (H[4] + t1[1]),
        own_H[5] + (H[5] + t2[1]),
        own_H[6] + (H[6] + t0[2]),
        own_H[7] + (H[7] + t1[2]),
        own_H[8] + (H[8] + t2[2]),
    )
    store6(w.art_J, b, J)
    store9(w.art_H, b, H)
    store6(w.art_M, b, sym_add(own_M, M))
    add3(w.art_n, b, add(n, cross(arm, f)))
    add3(w.art_f, b, f)


@inlined
def add_force_at(w, b, force, arm):
    """Apply an external force at reference point + arm of body b (the bias is minus the external force)."""
    add3(w.art_f, b, scale(-1.0, force))
    add3(w.art_n, b, scale(-1.0, cross(arm, force)))


@inlined
def joint_torque(w, i):
    """Sum of the active joint torques of body i in its moving frame; AXIS: first slot."""
    x, y, z = 0.0, 0.0, 0.0
    for c in range(CATEGORIES):
        if w.active[i, c] != 0:
            x += w.torque[i, c, 0]
            y += w.torque[i, c, 1]
            z += w.torque[i, c, 2]
    return x, y, z


@inlined
def joint_impedance(w, i):
    """Sum of the active joint impedances of body i: (isotropic part, the rest as a symmetric matrix, its presence)."""
    isotropic = 0.0
    if w.active[i, DAMPING] != 0:
        isotropic = float(w.impedance[i, DAMPING, 0])
    total = ZERO6
    directed = False
    for c in range(DAMPING + 1, CATEGORIES):
        if w.active[i, c] != 0:
            directed = True
            row = w.impedance[i, c]
            total = sym_add(total, (row[0], row[1], row[2], row[3], row[4], row[5]))
    return isotropic, total, directed


@inlined
def pass_inward_ball(w, i, parent, arm):
    """Eliminate a BALL joint and hand the rest of the inertia to the parent.

    With A = J + B and D = inverse(A): J - J D J = B - B D B and H - J D H = B D H, so that without impedance a ball
    joint transmits force only.
    """
    rotation = load9(w.rotation, i)
    isotropic, directed_part, directed = joint_impedance(w, i)
    B = (isotropic, isotropic, isotropic, 0.0, 0.0, 0.0)
    if directed:
        B = sym_add(B, sym_rotated(rotation, directed_part))
    H = load9(w.art_H, i)
    D = sym_inverse(sym_add(load6(w.art_J, i), B))
    K = sym_mat(D, H)
    torque = mat_vec(rotation, joint_torque(w, i))
    y = sym_vec(D, sub(torque, load3(w.art_n, i)))
    store6(w.joint_B, i, B)
    store6(w.joint_D, i, D)
    store9(w.joint_K, i, K)
    store3(w.joint_y, i, y)
    M = sym_sub(load6(w.art_M, i), sym_product(H, K))
    centripetal = load3(w.centripetal, i)
    f = add(add(load3(w.art_f, i), mat_t_vec(H, y)), sym_vec(M, centripetal))
    if directed:
        BD = mat_mul(sym_full(B), sym_full(D))
        DB = (BD[0], BD[3], BD[6], BD[1], BD[4], BD[7], BD[2], BD[5], BD[8])
        J = sym_sub(B, sym_product(sym_full(B), DB))
        Hp = mat_mul(BD, H)
    else:
        J = sym_sub(B, sym_scale(isotropic * isotropic, D))
        Hp = (
            isotropic * K[0],
            isotropic * K[1],
            isotropic * K[2],
            isotropic * K[3],
            isotropic * K[4],
            isotropic * K[5],
            isotropic * K[6],
            isotropic * K[7],
            isotropic * K[8],
        )
    gyro = load3(w.gyro, i)
    n = add(sub(torque, sym_vec(B, y)), add(sym_vec(J, gyro), mat_vec(Hp, centripetal)))
    f = add(f, mat_t_vec(Hp, gyro))
    add_inertia_at(w, parent, J, Hp, M, n, f, arm)


@inlined
def joint_motion(tree, w, i):
    """(angular, linear) motion of an AXIS or CURVE joint per unit of its speed, world axes."""
    if tree.group[i] == CURVE:
        return slice3(w.column[i], 0), slice3(w.column[i], 3)
    axis = mat_vec(load9(w.rotation, i), load3(tree.axis, i))
    if tree.slide[i] == 0.0:
        return axis, ZERO3
    return scale(float(tree.turn[i]), axis), scale(float(tree.slide[i]), axis)


@inlined
def pass_inward_axis(tree, w, i, parent, arm):
    """Eliminate an AXIS or CURVE joint and hand the rest of the inertia to the parent.

    Its motion is (s, t), angular and linear: U = J s + H t and V = H' s + M t are the torque and the force that a unit
    of its acceleration takes.
    """
    isotropic, directed_part, _ = joint_impedance(w, i)
    J = load6(w.art_J, i)
    H = load9(w.art_H, i)
    M = load6(w.art_M, i)
    n = load3(w.art_n, i)
    f = load3(w.art_f, i)
    about, along = joint_motion(tree, w, i)
    if tree.slide[i] == 0.0:
        U = sym_vec(J, about)
        V = mat_t_vec(H, about)
        inertia = dot(about, U)
        bias = dot(about, n)
    elif tree.turn[i] == 0.0:
        U = mat_vec(H, along)
        V = sym_vec(M, along)
        inertia = dot(along, V)
        bias = dot(along, f)
    else:
        U = add(sym_vec(J, about), mat_vec(H, along))
        V = add(mat_t_vec(H, about), sym_vec(M, along))
        inertia = dot(about, U) + dot(along, V)
        bias = dot(about, n) + dot(along, f)
    d = 1.0 / (inertia + isotropic + directed_part[0])
    y = (joint_torque(w, i)[0] - bias) * d
    store6(w.joint_D, i, (about[0], about[1], about[2], along[0], along[1], along[2]))
    store9(w.joint_K, i, (U[0], U[1], U[2], V[0], V[1], V[2], d, 0.0, 0.0))
    store3(w.joint_y, i, (y, 0.0, 0.0))
    J = sym_sub(J, sym_scale(d, sym_outer(U)))
    M = sym_sub(M, sym_scale(d, sym_outer(V)))
    H = (
        H[0] - d * U[0] * V[0],
        H[1] - d * U[0] * V[1],
        H[2] - d * U[0] * V[2],
        H[3] - d * U[1] * V[0],
        H[4] - d * U[1] * V[1],
        H[5] - d * U[1] * V[2],
        H[6] - d * U[2] * V[0],
        H[7] - d * U[2] * V[1],
        H[8] - d * U[2] * V[2],
    )
    gyro = load3(w.gyro, i)
    centripetal = load3(w.centripetal, i)
    n = add(add(n, scale(y, U)), add(sym_vec(J, gyro), mat_vec(H, centripetal)))
    f = add(add(f, scale(y, V)), add(mat_t_vec(H, gyro), sym_vec(M, centripetal)))
    add_inertia_at(w, parent, J, H, M, n, f, arm)


@inlined
def prescribed_joint_acceleration(tree, w, i):
    """(angular, linear) joint acceleration, world axes, that the prescribed motion asks of a joint that is not free."""
    if tree.group[i] == BALL:
        return mat_vec(load9(w.rotation, i), load3(w.prescribed_rate, i)), ZERO3
    rate = float(w.prescribed_rate[i, 0])
    about, along = joint_motion(tree, w, i)
    return scale(rate, about), scale(rate, along)


@inlined
def pass_inward_prescribed(tree, w, i, parent, arm):
    """A joint whose acceleration is given moves with its parent as one piece, plus a known acceleration."""
    angular, linear = prescribed_joint_acceleration(tree, w, i)
    known = add(load3(w.gyro, i), angular)
    centripetal = add(load3(w.centripetal, i), linear)
    J = load6(w.art_J, i)
    H = load9(w.art_H, i)
    M = load6(w.art_M, i)
    n = add(load3(w.art_n, i), add(sym_vec(J, known), mat_vec(H, centripetal)))
    f = add(load3(w.art_f, i), add(mat_t_vec(H, known), sym_vec(M, centripetal)))
    add_inertia_at(w, parent, J, H, M, n, f, arm)


@inlined
def solve_free_root(tree, w, i, gravity, driven):
    """Accelerations of a free root from its articulated inertia, by the Schur complement of J."""
    rotation = load9(w.rotation, i)
    ua = tree.u_address[i]
    if driven:
        lin = load3(w.prescribed_rate, i)
        ang = (w.prescribed_rate[i, 3], w.prescribed_rate[i, 4], w.prescribed_rate[i, 5])
        alpha = mat_vec(rotation, ang)
        a = sub(lin, gravity)
    else:
        D = sym_inverse(load6(w.art_J, i))
        H = load9(w.art_H, i)
        K = sym_mat(D, H)
        n = sub(load3(w.art_n, i), mat_vec(rotation, joint_torque(w, i)))
        Dn = sym_vec(D, n)
        schur = sym_sub(load6(w.art_M, i), sym_product(H, K))
        a = sym_vec(sym_inverse(schur), sub(mat_t_vec(H, Dn), load3(w.art_f, i)))
        alpha = scale(-1.0, add(Dn, mat_vec(K, a)))
    store3(w.alpha, i, alpha)
    store3(w.acceleration, i, a)
    put3(w.u_dot, ua, add(a, gravity))
    put3(w.u_dot, ua + 3, mat_t_vec(rotation, alpha))


@inlined
def solve_joint(tree, w, i, driven):
    """Joint acceleration of a body from its parent's acceleration (outward pass)."""
    parent = tree.parent[i]
    ua = tree.u_address[i]
    alpha_p = load3(w.alpha, parent)
    a = add(
        load3(w.acceleration, parent),
        add(cross(alpha_p, load3(w.arm, i)), load3(w.centripetal, i)),
    )
    base = add(alpha_p, load3(w.gyro, i))
    rotation = load9(w.rotation, i)
    if driven:
        rel, linear = prescribed_joint_acceleration(tree, w, i)
        a = add(a, linear)
        if tree.group[i] == BALL:
            put3(w.u_dot, ua, load3(w.prescribed_rate, i))
        else:
            w.u_dot[ua] = w.prescribed_rate[i, 0]
    elif tree.group[i] == BALL:
        # D (torque - n - J base - H a) with D J = E - D B
        D = load6(w.joint_D, i)
        rel = sub(
            add(load3(w.joint_y, i), sym_vec(D, sym_vec(load6(w.joint_B, i), base))),
            add(base, mat_vec(load9(w.joint_K, i), a)),
        )
        put3(w.u_dot, ua, mat_t_vec(rotation, rel))
    else:
        K = load9(w.joint_K, i)
        rate = float(w.joint_y[i, 0]) - K[6] * (dot((K[0], K[1], K[2]), base) + dot((K[3], K[4], K[5]), a))
        w.u_dot[ua] = rate
        rel = scale(rate, slice3(w.joint_D[i], 0))
        if tree.slide[i] != 0.0:
            a = add_scaled(a, rate, slice3(w.joint_D[i], 3))
    store3(w.alpha, i, add(base, rel))
    store3(w.acceleration, i, a)


@compiled
def solve_accelerations(tree, w, released, gravity):
    """Accelerations of all bodies and `u_dot`, from the inertia and bias collected in the workspace.

    released: (n,) 1 where a prescribed motion has let go. gravity: world vector.
    """
    n = len(tree.mass)
    store3(w.acceleration, n, scale(-1.0, gravity))
    for i in range(n - 1, -1, -1):
        parent = tree.parent[i]
        if tree.group[i] == FREE:
            continue
        arm = load3(w.arm, i)
        if tree.prescribed[i] != 0 and released[i] == 0:
            pass_inward_prescribed(tree, w, i, parent, arm)
        elif tree.group[i] == BALL:
            pass_inward_ball(w, i, parent, arm)
        else:
            pass_inward_axis(tree, w, i, parent, arm)
    for i in range(n):
        driven = tree.prescribed[i] != 0 and released[i] == 0
        if tree.group[i] == FREE:
            solve_free_root(tree, w, i, gravity, driven)
        else:
            solve_joint(tree, w, i, driven)
