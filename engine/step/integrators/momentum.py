"""Momentum of free actors after a step of the default integrator, kept to round-off.

Speeds advance along their own coordinates, so a step changes the momenta of a turning, jointed actor by a little more
or less than the impulse of the forces on it: by the square of the step. After the step every actor with a free root is
put right as if it were one rigid piece about its centre of mass: its velocity, its turn rate, and by the same reasoning
its place and its attitude. What its momenta must be follows from the accelerations that were solved: those before plus
the step times the sum of mass times acceleration, which is all that acts from outside. So every force counts, whatever
its kind, and what two actors do to each other cancels as it did in the forces.

Derivation: docs/derivations.md, Momentum.
"""

from ...bodies.kinematics import forward_kinematics
from ...jit.decorators import compiled, inlined
from ...maths.vector import (
    add,
    add_scaled,
    cross,
    dot,
    load3,
    load6,
    load9,
    mat_t_vec,
    mat_vec,
    put3,
    put4,
    put6,
    quat_exp,
    quat_matrix,
    quat_mul,
    quat_unit_again,
    scale,
    slice3,
    slice4,
    slice6,
    sub,
    sym_add,
    sym_inverse,
    sym_outer,
    sym_rotated,
    sym_scale,
    sym_vec,
)
from ...spec.joint_types import FREE

MASS, CENTRE, LINEAR, ANGULAR, INERTIA = 0, 1, 4, 7, 10
BALANCE_WIDTH = 16
"""Columns of `balance`, in the row of an actor's root: mass (kg), centre of mass (m), linear momentum (kg m/s), angular
momentum about the centre of mass (kg m2/s), inertia about it (kg m2, symmetric)."""


@inlined
def is_free(tree, released, i):
    """Whether body i is the root of an actor on which nothing but forces acts."""
    return tree.group[i] == FREE and (tree.prescribed[i] == 0 or released[i] != 0)


@inlined
def clear(row):
    """Start the sums of an actor."""
    for k in range(BALANCE_WIDTH):
        row[k] = 0.0


@inlined
def add_body(row, mass, arm, com, linear, angular):
    """Add a body to the sums of its actor.

    arm: from the root to its reference point; com: on to its centre of mass. angular: about its reference point.
    """
    row[MASS] += mass
    put3(row, CENTRE, add_scaled(slice3(row, CENTRE), mass, add(arm, com)))
    put3(row, LINEAR, add(slice3(row, LINEAR), linear))
    put3(row, ANGULAR, add(slice3(row, ANGULAR), add(angular, cross(arm, linear))))


@inlined
def refer_to_centre(row):
    """Turn the sums about the root into the centre of mass (from the root) and the angular momentum about it."""
    centre = scale(1.0 / row[MASS], slice3(row, CENTRE))
    put3(row, CENTRE, centre)
    put3(row, ANGULAR, sub(slice3(row, ANGULAR), cross(centre, slice3(row, LINEAR))))


@inlined
def about(mass, arm):
    """Symmetric matrix m (arm.arm E - arm arm'): the inertia of a mass at an arm."""
    square = mass * dot(arm, arm)
    return sym_add((square, square, square, 0.0, 0.0, 0.0), sym_scale(-mass, sym_outer(arm)))


@inlined
def spun(tree, w, i, omega):
    """J omega of body i, with J about its reference point, in world axes."""
    rotation = load9(w.rotation, i)
    return mat_vec(rotation, sym_vec(load6(tree.inertia, i), mat_t_vec(rotation, omega)))


@compiled
def expect_momenta(tree, w, gravity, h, balance):
    """Fill `balance` (n, BALANCE_WIDTH) with what a step of h must lead to, from the evaluation in the workspace.

    The centre of mass is that after the step, from the world's origin: it moves with the new momentum.
    """
    n = len(tree.mass)
    root = -1
    for i in range(n + 1):
        if i == n or tree.parent[i] == n:
            if root >= 0:
                row = balance[root]
                refer_to_centre(row)
                centre = add(load3(w.position, root), slice3(row, CENTRE))
                put3(row, CENTRE, add_scaled(centre, h / row[MASS], slice3(row, LINEAR)))
            if i == n:
                break
            root = i
            clear(balance[root])
        mass = float(tree.mass[i])
        com = load3(w.com, i)
        omega = load3(w.omega, i)
        velocity = add_scaled(load3(w.velocity, i), h, add(load3(w.acceleration, i), gravity))
        turned = add_scaled(omega, h, load3(w.alpha, i))
        swing = add_scaled(cross(turned, com), h, cross(omega, cross(omega, com)))
        linear = scale(mass, add(velocity, swing))
        angular = add_scaled(spun(tree, w, i, turned), mass, cross(com, velocity))
        angular = add_scaled(angular, h, cross(omega, spun(tree, w, i, omega)))
        arm = sub(load3(w.position, i), load3(w.position, root))
        add_body(balance[root], mass, arm, com, linear, angular)


@inlined
def found_momenta(tree, w, root, row):
    """Fill `row` for the actor of a root from the pose and velocities in the workspace; CENTRE from the root."""
    clear(row)
    i = root
    inertia = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    while i < len(tree.mass) and (i == root or tree.parent[i] < len(tree.mass)):
        mass = float(tree.mass[i])
        rotation = load9(w.rotation, i)
        com = mat_vec(rotation, load3(tree.com, i))
        omega = load3(w.omega, i)
        velocity = load3(w.velocity, i)
        linear = scale(mass, add(velocity, cross(omega, com)))
        own = sym_rotated(rotation, load6(tree.inertia, i))
        angular = add_scaled(sym_vec(own, omega), mass, cross(com, velocity))
        arm = sub(load3(w.position, i), load3(w.position, root))
        add_body(row, mass, arm, com, linear, angular)
        # own is about the reference point: parallel axes by way of the centre of mass
        inertia = sym_add(inertia, sym_add(own, sym_add(about(mass, add(arm, com)), about(-mass, com))))
        i += 1
    refer_to_centre(row)
    put6(row, INERTIA, sym_add(inertia, about(-float(row[MASS]), slice3(row, CENTRE))))


@inlined
def correct_root(tree, w, q, u, h, root, wanted, found):
    """Move the actor of a free root as one rigid piece so that its momenta are the wanted ones.

    The drift of the step is taken at constant angular momentum L: the attitude reached with the turn rate at the end of
    the step is turned back by half a step of the change that L alone makes of it, I^-1 (W x L), W = I^-1 L.
    """
    inverse = sym_inverse(slice6(found, INERTIA))
    L = slice3(wanted, ANGULAR)
    back = scale(0.5 * h * h, sym_vec(inverse, cross(sym_vec(inverse, L), L)))
    turn = quat_exp(back)
    Q = quat_matrix(turn)
    mass = float(found[MASS])
    # angular: I' = Q I Q', so the turn rate to add is Q I^-1 (Q' L* - L)
    more = sym_vec(inverse, sub(mat_t_vec(Q, L), slice3(found, ANGULAR)))
    qa = tree.q_address[root]
    ua = tree.u_address[root]
    rotation = load9(w.rotation, root)
    put3(u, ua + 3, add(slice3(u, ua + 3), mat_t_vec(rotation, more)))
    # the root from the centre of mass, its velocity relative to that, both turned with the rest
    arm = scale(-1.0, slice3(found, CENTRE))
    relative = add_scaled(slice3(u, ua), -1.0 / mass, slice3(found, LINEAR))
    relative = add(relative, cross(more, arm))
    put3(u, ua, add_scaled(mat_vec(Q, relative), 1.0 / mass, slice3(wanted, LINEAR)))
    put3(q, qa, add(slice3(wanted, CENTRE), mat_vec(Q, arm)))
    # a turn in world axes stands on the left
    put4(q, qa + 3, quat_unit_again(quat_mul(turn, slice4(q, qa + 3))))


@compiled
def keep_momenta(tree, released, w, q, u, h, balance, found):
    """After a step of h: correct every free root so that its actor has the momenta in `balance`; found is scratch.

    The workspace is left at the state before the correction; only q and u count.
    """
    n = len(tree.mass)
    forward_kinematics(tree, q, u, w)
    for root in range(n):
        if tree.parent[root] == n and is_free(tree, released, root):
            found_momenta(tree, w, root, found)
            correct_root(tree, w, q, u, h, root, balance[root], found)
