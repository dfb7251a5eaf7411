"""Accelerations in O(n): the articulated-body algorithm, with bodies referred to their joint centres in world axes.

Featherstone 2008, ch. 7 (docs/derivations.md, Accelerations), in a form where a spherical joint passes only a 3x3
problem to its parent. Accelerations are kept minus gravity throughout ("what an accelerometer shows"), so gravity costs
nothing; `u_dot` of a free root gets it back.

Joint impedance B = h D + h^2 K (docs/derivations.md, Linearly implicit forces) simply adds to the inertia
the joint sees: (J + B) rel = torque - ..., which makes stiff joints stable at no extra cost. B = 0 is the exact
explicit acceleration.

Three numbers at a time (`jit.lanes`, `maths.rows`): matrices are read, combined and written by their rows.
"""

from ..jit.decorators import compiled, inlined
from ..jit.lanes import lane, lanes, lanes_at, picked, put_lanes, put_three, spread, three_at, transposed
from ..maths.rows import (
    cross,
    dot,
    load_rows,
    load_sym,
    mat_mul,
    mat_t_vec,
    mat_vec,
    numbers,
    put_rows,
    put_sym,
    scale_rows,
    sym_add,
    sym_full,
    sym_inverse,
    sym_outer,
    sym_product,
    sym_rotated,
    sym_scale,
    sym_sub,
    sym_vec,
    wide_rows,
    wide_sym,
)
from ..maths.vector import add3, put3, scale
from ..maths.vector import cross as cross_of_numbers
from ..spec.joint_types import BALL, FREE
from .workspace import CATEGORIES, DAMPING


@inlined
def crossed_rows(a, m):
    """The vector products a x row of the rows of a matrix: -m [a]x."""
    return cross(a, m[0]), cross(a, m[1]), cross(a, m[2])


@inlined
def diagonal(m):
    """(xx, yy, zz) of a matrix."""
    return picked(picked(m[0], m[1], 0, 4, 2), m[2], 0, 1, 5)


@inlined
def above(m):
    """(xy, xz, yz) of a matrix."""
    return picked(m[0], m[1], 1, 2, 5)


@inlined
def below(m):
    """(yx, zx, zy) of a matrix."""
    return picked(m[1], m[2], 0, 3, 4)


@inlined
def hand_over(w, b, J, H, M, n, f, arm):
    """Add the inertia (J, H, M) and bias (n, f), by lanes, given at reference point + arm to the record of body b.

    Moving the reference point by -arm: a_there = a + alpha x arm, torque_here = torque_there + arm x force.
    """
    # T = [arm]x M, whose rows are those of M combined; M symmetric
    m = sym_full(M)
    x, y, z = spread(arm, 0), spread(arm, 1), spread(arm, 2)
    T = (y * m[2] - z * m[1], z * m[0] - x * m[2], x * m[1] - y * m[0])
    Y = crossed_rows(arm, T)
    X = crossed_rows(arm, H)
    own_J = load_sym(w.art_J, b)
    own_H = load_rows(w.art_H, b)
    J = (
        own_J[0] + (J[0] + 2.0 * diagonal(X) + diagonal(Y)),
        own_J[1] + (J[1] + above(X) + below(X) + above(Y)),
    )
    put_sym(w.art_J, b, J)
    put_rows(w.art_H, b, (own_H[0] + (H[0] + T[0]), own_H[1] + (H[1] + T[1]), own_H[2] + (H[2] + T[2])))
    put_sym(w.art_M, b, sym_add(load_sym(w.art_M, b), M))
    put_three(w.art_n, b, 0, three_at(w.art_n, b, 0) + (n + cross(arm, f)))
    put_three(w.art_f, b, 0, three_at(w.art_f, b, 0) + f)


@inlined
def add_inertia_at(w, b, J, M, n, f, arm):
    """`hand_over` of numbers one by one, with H = 0: what a contact that is linearly implicit adds to body b."""
    zero = lanes(0.0, 0.0, 0.0)
    hand_over(
        w,
        b,
        (lanes(J[0], J[1], J[2]), lanes(J[3], J[4], J[5])),
        (zero, zero, zero),
        (lanes(M[0], M[1], M[2]), lanes(M[3], M[4], M[5])),
        lanes(n[0], n[1], n[2]),
        lanes(f[0], f[1], f[2]),
        lanes(arm[0], arm[1], arm[2]),
    )


@inlined
def add_force_at(w, b, force, arm):
    """Apply an external force at reference point + arm of body b (the bias is minus the external force)."""
    add3(w.art_f, b, scale(-1.0, force))
    add3(w.art_n, b, scale(-1.0, cross_of_numbers(arm, force)))


@inlined
def joint_torque(w, i):
    """Sum of the active joint torques of body i in its moving frame; AXIS: first slot."""
    total = lanes(0.0, 0.0, 0.0)
    for c in range(CATEGORIES):
        if w.active[i, c] != 0:
            total = total + lanes_at(w.torque[i], c, 0)
    return total


@inlined
def joint_impedance(w, i):
    """Sum of the active joint impedances of body i: (isotropic part, the rest as a symmetric matrix, its presence)."""
    isotropic = 0.0
    if w.active[i, DAMPING] != 0:
        isotropic = float(w.impedance[i, DAMPING, 0])
    total = (lanes(0.0, 0.0, 0.0), lanes(0.0, 0.0, 0.0))
    directed = False
    for c in range(DAMPING + 1, CATEGORIES):
        if w.active[i, c] != 0:
            directed = True
            total = sym_add(total, wide_sym(w.impedance[i], c))
    return isotropic, total, directed


@inlined
def axis_torque(w, i):
    """`joint_torque` of an AXIS or CURVE joint, which has one number."""
    total = 0.0
    for c in range(CATEGORIES):
        if w.active[i, c] != 0:
            total = total + float(w.torque[i, c, 0])
    return total


@inlined
def axis_impedance(w, i):
    """`joint_impedance` of an AXIS or CURVE joint, which has one number: (isotropic part, the rest)."""
    isotropic = 0.0
    if w.active[i, DAMPING] != 0:
        isotropic = float(w.impedance[i, DAMPING, 0])
    total = 0.0
    for c in range(DAMPING + 1, CATEGORIES):
        if w.active[i, c] != 0:
            total = total + float(w.impedance[i, c, 0])
    return isotropic, total


@inlined
def pass_inward_ball(w, i, parent, arm):
    """Eliminate a BALL joint and hand the rest of the inertia to the parent.

    With A = J + B and D = inverse(A): J - J D J = B - B D B and H - J D H = B D H, so that without impedance a ball
    joint transmits force only.
    """
    rotation = wide_rows(w.rotation, i)
    isotropic, directed_part, directed = joint_impedance(w, i)
    B = (lanes(isotropic, isotropic, isotropic), lanes(0.0, 0.0, 0.0))
    if directed:
        B = sym_add(B, sym_rotated(rotation, directed_part))
    H = load_rows(w.art_H, i)
    D = sym_inverse(sym_add(load_sym(w.art_J, i), B))
    K = mat_mul(sym_full(D), H)
    torque = mat_vec(rotation, joint_torque(w, i))
    y = sym_vec(D, torque - three_at(w.art_n, i, 0))
    put_sym(w.joint_B, i, B)
    put_sym(w.joint_D, i, D)
    put_rows(w.joint_K, i, K)
    put_lanes(w.joint_y, i, 0, y)
    M = sym_sub(load_sym(w.art_M, i), sym_product(H, K))
    centripetal = lanes_at(w.centripetal, i, 0)
    f = three_at(w.art_f, i, 0) + mat_t_vec(H, y) + sym_vec(M, centripetal)
    if directed:
        full_B = sym_full(B)
        BD = mat_mul(full_B, sym_full(D))
        # D B is the transpose of B D to the last bit
        J = sym_sub(B, sym_product(full_B, transposed(BD[0], BD[1], BD[2])))
        Hp = mat_mul(BD, H)
    else:
        J = sym_sub(B, sym_scale(isotropic * isotropic, D))
        Hp = scale_rows(isotropic, K)
    gyro = lanes_at(w.gyro, i, 0)
    n = torque - sym_vec(B, y) + (sym_vec(J, gyro) + mat_vec(Hp, centripetal))
    f = f + mat_t_vec(Hp, gyro)
    hand_over(w, parent, J, Hp, M, n, f, arm)


@inlined
def motion_lanes(tree, w, i):
    """(angular, linear) motion of an AXIS or CURVE joint per unit of its speed, world axes, by lanes."""
    if tree.slide[i] != 0.0:
        return lanes_at(w.column, i, 0), lanes_at(w.column, i, 3)
    return mat_vec(wide_rows(w.rotation, i), three_at(tree.axis, i, 0)), lanes(0.0, 0.0, 0.0)


@inlined
def joint_motion(tree, w, i):
    """`motion_lanes` as numbers."""
    about, along = motion_lanes(tree, w, i)
    return numbers(about), numbers(along)


@inlined
def pass_inward_axis(tree, w, i, parent, arm):
    """Eliminate an AXIS or CURVE joint and hand the rest of the inertia to the parent.

    Its motion is (s, t), angular and linear: U = J s + H t and V = H' s + M t are the torque and the force that a unit
    of its acceleration takes.
    """
    isotropic, directed = axis_impedance(w, i)
    J = load_sym(w.art_J, i)
    H = load_rows(w.art_H, i)
    M = load_sym(w.art_M, i)
    n = three_at(w.art_n, i, 0)
    f = three_at(w.art_f, i, 0)
    about, along = motion_lanes(tree, w, i)
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
        U = sym_vec(J, about) + mat_vec(H, along)
        V = mat_t_vec(H, about) + sym_vec(M, along)
        inertia = dot(about, U) + dot(along, V)
        bias = dot(about, n) + dot(along, f)
    d = 1.0 / (inertia + isotropic + directed)
    y = (axis_torque(w, i) - bias) * d
    put_sym(w.joint_D, i, (about, along))
    put_rows(w.joint_K, i, (U, V, lanes(d, 0.0, 0.0)))
    put_lanes(w.joint_y, i, 0, lanes(y, 0.0, 0.0))
    J = sym_sub(J, sym_scale(d, sym_outer(U)))
    M = sym_sub(M, sym_scale(d, sym_outer(V)))
    part = d * U
    H = (H[0] - spread(part, 0) * V, H[1] - spread(part, 1) * V, H[2] - spread(part, 2) * V)
    gyro = lanes_at(w.gyro, i, 0)
    centripetal = lanes_at(w.centripetal, i, 0)
    n = n + y * U + (sym_vec(J, gyro) + mat_vec(H, centripetal))
    f = f + y * V + (mat_t_vec(H, gyro) + sym_vec(M, centripetal))
    hand_over(w, parent, J, H, M, n, f, arm)


@inlined
def joint_force(w, i):
    """Force of the parent on moving body i at its joint centre, world axes, N."""
    part = mat_t_vec(load_rows(w.art_H, i), three_at(w.alpha, i, 0))
    return part + sym_vec(load_sym(w.art_M, i), three_at(w.acceleration, i, 0)) + three_at(w.art_f, i, 0)


@inlined
def joint_moment(w, i):
    """Moment of the parent on moving body i about its joint centre, world axes, N m."""
    part = sym_vec(load_sym(w.art_J, i), three_at(w.alpha, i, 0))
    return part + mat_vec(load_rows(w.art_H, i), three_at(w.acceleration, i, 0)) + three_at(w.art_n, i, 0)


@inlined
def joint_load(w, i):
    """(`joint_force`, `joint_moment`) as numbers."""
    return numbers(joint_force(w, i)), numbers(joint_moment(w, i))


@inlined
def prescribed_joint_acceleration(tree, w, i):
    """(angular, linear) joint acceleration, world axes, that the prescribed motion asks of a joint that is not free."""
    if tree.group[i] == BALL:
        turn = mat_vec(wide_rows(w.rotation, i), three_at(w.prescribed_rate, i, 0))
        return turn, lanes(0.0, 0.0, 0.0)
    rate = float(w.prescribed_rate[i, 0])
    about, along = motion_lanes(tree, w, i)
    return rate * about, rate * along


@inlined
def pass_inward_prescribed(tree, w, i, parent, arm):
    """A joint whose acceleration is given moves with its parent as one piece, plus a known acceleration."""
    angular, linear = prescribed_joint_acceleration(tree, w, i)
    known = three_at(w.gyro, i, 0) + angular
    centripetal = three_at(w.centripetal, i, 0) + linear
    J = load_sym(w.art_J, i)
    H = load_rows(w.art_H, i)
    M = load_sym(w.art_M, i)
    n = three_at(w.art_n, i, 0) + (sym_vec(J, known) + mat_vec(H, centripetal))
    f = three_at(w.art_f, i, 0) + (mat_t_vec(H, known) + sym_vec(M, centripetal))
    hand_over(w, parent, J, H, M, n, f, arm)


@inlined
def solve_free_root(tree, w, i, gravity, driven):
    """Accelerations of a free root from its articulated inertia, by the Schur complement of J."""
    rotation = wide_rows(w.rotation, i)
    ua = tree.u_address[i]
    fall = lanes(gravity[0], gravity[1], gravity[2])
    if driven:
        alpha = mat_vec(rotation, three_at(w.prescribed_rate, i, 3))
        a = three_at(w.prescribed_rate, i, 0) - fall
    else:
        D = sym_inverse(load_sym(w.art_J, i))
        H = load_rows(w.art_H, i)
        K = mat_mul(sym_full(D), H)
        n = three_at(w.art_n, i, 0) - mat_vec(rotation, joint_torque(w, i))
        Dn = sym_vec(D, n)
        schur = sym_sub(load_sym(w.art_M, i), sym_product(H, K))
        a = sym_vec(sym_inverse(schur), mat_t_vec(H, Dn) - three_at(w.art_f, i, 0))
        alpha = -1.0 * (Dn + mat_vec(K, a))
    put_three(w.alpha, i, 0, alpha)
    put_three(w.acceleration, i, 0, a)
    put3(w.u_dot, ua, numbers(a + fall))
    put3(w.u_dot, ua + 3, numbers(mat_t_vec(rotation, alpha)))


@inlined
def solve_joint(tree, w, i, driven):
    """Joint acceleration of a body from its parent's acceleration (outward pass)."""
    parent = tree.parent[i]
    ua = tree.u_address[i]
    alpha_p = three_at(w.alpha, parent, 0)
    a = three_at(w.acceleration, parent, 0) + (
        cross(alpha_p, lanes_at(w.arm, i, 0)) + lanes_at(w.centripetal, i, 0)
    )
    base = alpha_p + lanes_at(w.gyro, i, 0)
    if driven:
        rel, linear = prescribed_joint_acceleration(tree, w, i)
        a = a + linear
        if tree.group[i] == BALL:
            put3(w.u_dot, ua, numbers(three_at(w.prescribed_rate, i, 0)))
        else:
            w.u_dot[ua] = w.prescribed_rate[i, 0]
    elif tree.group[i] == BALL:
        # D (torque - n - J base - H a) with D J = E - D B
        D = load_sym(w.joint_D, i)
        rel = (
            lanes_at(w.joint_y, i, 0)
            + sym_vec(D, sym_vec(load_sym(w.joint_B, i), base))
            - (base + mat_vec(load_rows(w.joint_K, i), a))
        )
        put3(w.u_dot, ua, numbers(mat_t_vec(wide_rows(w.rotation, i), rel)))
    else:
        U, V, d = load_rows(w.joint_K, i)
        rate = float(w.joint_y[i, 0]) - lane(d, 0) * (dot(U, base) + dot(V, a))
        w.u_dot[ua] = rate
        about, along = load_sym(w.joint_D, i)
        rel = rate * about
        if tree.slide[i] != 0.0:
            a = a + rate * along
    put_three(w.alpha, i, 0, base + rel)
    put_three(w.acceleration, i, 0, a)


@compiled
def solve_accelerations(tree, w, released, gravity):
    """Accelerations of all bodies and `u_dot`, from the inertia and bias collected in the workspace.

    released: (n,) 1 where a prescribed motion has let go. gravity: world vector.
    """
    n = len(tree.mass)
    put_three(w.acceleration, n, 0, -1.0 * lanes(gravity[0], gravity[1], gravity[2]))
    for i in range(n - 1, -1, -1):
        parent = tree.parent[i]
        if tree.group[i] == FREE:
            continue
        arm = lanes_at(w.arm, i, 0)
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
