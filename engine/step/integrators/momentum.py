"""Momentum of free actors after a step of the default integrator, kept to round-off.

Speeds advance along their own coordinates, so a step changes the momenta of a turning, jointed actor by a little more
or less than the impulse of the forces on it: by the square of the step. What the momenta must be follows from the
accelerations that were solved: those before plus the step times the sum of mass times acceleration, which is all that
acts from outside. So every force counts, whatever its kind, and what two actors do to each other cancels as it did in
the forces. Every actor with a free root is put right as if it were one rigid piece about its centre of mass: its
velocity, its turn rate, its place, and by the same reasoning the attitude that it drifts to.

What a step led to is seen when the next evaluation has placed the bodies; there it is put right, in the coordinates and
in the workspace at once, so that no second pass over the tree is needed.

Derivation: docs/derivations.md, Momentum.
"""

from ...bodies.workspace import ANGULAR, CENTRE, LINEAR, MASS, TURN
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
    put3,
    put4,
    quat_exp,
    quat_mul,
    quat_unit_again,
    scale,
    slice3,
    slice4,
    store3,
    sub,
    sym_add,
    sym_inverse,
    sym_outer,
    sym_scale,
    sym_vec,
)
from ...spec.joint_types import CURVE, FREE

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inlined
def is_free(tree, released, i):
    """Whether body i is the root of an actor on which nothing but forces acts."""
    return tree.group[i] == FREE and (tree.prescribed[i] == 0 or released[i] != 0)


@inlined
def is_of(tree, root, i):
    """Whether body i, after the root of an actor in the tree, still is of that actor."""
    n = len(tree.mass)
    return i < n and (i == root or tree.parent[i] < n)


@inlined
def about(mass, arm):
    """Symmetric matrix m (arm.arm E - arm arm'): the inertia of a mass at an arm."""
    square = mass * dot(arm, arm)
    return sym_add((square, square, square, 0.0, 0.0, 0.0), sym_scale(-mass, sym_outer(arm)))


@inlined
def expect_of(tree, w, gravity, h, drift, root):
    """Write to `balance` what a step must lead to for the actor of a root; speeds advance by h, places by `drift`."""
    total = 0.0
    moment = ZERO3
    linear = ZERO3
    angular = ZERO3
    origin = load3(w.position, root)
    i = root
    while is_of(tree, root, i):
        mass = float(tree.mass[i])
        com = load3(w.com, i)
        omega = load3(w.omega, i)
        inertia = load6(w.inertia, i)
        arm = sub(load3(w.position, i), origin)
        velocity = add_scaled(load3(w.velocity, i), h, add(load3(w.acceleration, i), gravity))
        turned = add_scaled(omega, h, load3(w.alpha, i))
        swing = add_scaled(cross(turned, com), h, load3(w.swing, i))
        own = scale(mass, add(velocity, swing))
        spin = add_scaled(sym_vec(inertia, turned), mass, cross(com, velocity))
        spin = add_scaled(spin, h, cross(omega, sym_vec(inertia, omega)))
        total += mass
        moment = add_scaled(moment, mass, add(arm, com))
        linear = add(linear, own)
        angular = add(angular, add(spin, cross(arm, own)))
        i += 1
    row = w.balance[root]
    centre = scale(1.0 / total, moment)
    row[MASS] = total
    put3(row, LINEAR, linear)
    put3(row, ANGULAR, sub(angular, cross(centre, linear)))
    # the centre after the step: it moves with the new momentum
    put3(row, CENTRE, add_scaled(add(origin, centre), drift / total, linear))


@compiled
def expect_momenta(tree, released, w, gravity, h, drift):
    """Fill `balance` with what a step must lead to, from the evaluation in the workspace.

    h, drift: s by which speeds and places advance; the same but where steps change their size.
    """
    n = len(tree.mass)
    for root in range(n):
        if tree.parent[root] == n:
            w.balance[root, MASS] = 0.0
            if is_free(tree, released, root):
                expect_of(tree, w, gravity, h, drift, root)


@compiled
def turn_drifted(tree, w, q, share):
    """Turn the free roots after the drift of a step by what `balance` says; their places follow in `keep_momenta`.

    share: of that turn, where the step is not the one it was found for (docs/derivations.md, Adaptive steps); else 1.

    The drift is taken at constant angular momentum L: the attitude reached with the turn rate at the end of the step is
    turned back by half a step of the change that L alone makes of that rate.
    """
    for root in range(len(tree.mass)):
        if tree.parent[root] == len(tree.mass) and w.balance[root, MASS] > 0.0:
            at = tree.q_address[root] + 3
            # a turn in world axes stands on the left
            turn = quat_exp(scale(share, slice3(w.balance[root], TURN)))
            put4(q, at, quat_unit_again(quat_mul(turn, slice4(q, at))))


@inlined
def move_actor(tree, w, root, shift, push, turn):
    """Shift the actor of a root in the workspace (m), and add to its motion a rigid one: the root's velocity `push`
    (m/s) and the turn rate `turn` (rad/s)."""
    origin = load3(w.position, root)
    i = root
    while is_of(tree, root, i):
        place = load3(w.position, i)
        store3(w.position, i, add(place, shift))
        store3(w.velocity, i, add(load3(w.velocity, i), add(push, cross(turn, sub(place, origin)))))
        store3(w.omega, i, add(load3(w.omega, i), turn))
        if i == root:
            store3(w.omega_joint, i, load3(w.omega, i))
        else:
            carrier = load3(w.omega, tree.parent[i])
            swing = cross(carrier, load3(w.arm, i))
            if tree.slide[i] != 0.0:
                swing = add_scaled(swing, 2.0, load3(w.slide_velocity, i))
            gyro = cross(carrier, load3(w.omega_joint, i))
            centripetal = cross(carrier, swing)
            if tree.group[i] == CURVE:
                gyro = add(gyro, slice3(w.bias[i], 0))
                centripetal = add(centripetal, slice3(w.bias[i], 3))
            store3(w.gyro, i, gyro)
            store3(w.centripetal, i, centripetal)
        i += 1


@inlined
def keep_of(tree, w, q, u, h, root):
    """Put the actor of a root right, in q, u and the workspace, so that its momenta are those in `balance`; and say
    there by how much the next drift is to be turned."""
    total = 0.0
    moment = ZERO3
    linear = ZERO3
    angular = ZERO3
    inertia = ZERO6
    origin = load3(w.position, root)
    i = root
    while is_of(tree, root, i):
        mass = float(tree.mass[i])
        com = load3(w.com, i)
        omega = load3(w.omega, i)
        velocity = load3(w.velocity, i)
        inner = load6(w.inertia, i)
        arm = sub(load3(w.position, i), origin)
        to_centre = add(arm, com)
        own = scale(mass, add(velocity, cross(omega, com)))
        spin = add_scaled(sym_vec(inner, omega), mass, cross(com, velocity))
        total += mass
        moment = add_scaled(moment, mass, to_centre)
        linear = add(linear, own)
        angular = add(angular, add(spin, cross(arm, own)))
        # inner is about the reference point: parallel axes by way of the centre of mass
        inertia = sym_add(inertia, sym_add(inner, sym_add(about(mass, to_centre), about(-mass, com))))
        i += 1
    row = w.balance[root]
    centre = scale(1.0 / total, moment)
    inverse = sym_inverse(sym_add(inertia, about(-total, centre)))
    wanted = slice3(row, ANGULAR)
    turn = sym_vec(inverse, sub(wanted, sub(angular, cross(centre, linear))))
    # at the root: what the centre of mass gets, and the turn about that
    push = sub(scale(1.0 / total, sub(slice3(row, LINEAR), linear)), cross(turn, centre))
    shift = sub(slice3(row, CENTRE), add(origin, centre))
    qa = tree.q_address[root]
    ua = tree.u_address[root]
    put3(q, qa, add(slice3(q, qa), shift))
    put3(u, ua, add(slice3(u, ua), push))
    put3(u, ua + 3, add(slice3(u, ua + 3), mat_t_vec(load9(w.rotation, root), turn)))
    move_actor(tree, w, root, shift, push, turn)
    put3(row, TURN, scale(0.5 * h * h, sym_vec(inverse, cross(sym_vec(inverse, wanted), wanted))))


@compiled
def keep_momenta(tree, w, q, u, h):
    """Correct every free root so that its actor has the momenta in `balance`, once; h: s, of the step that follows.

    The bodies are placed in the workspace and their own inertia is there, their gyroscopic bias not yet.
    """
    n = len(tree.mass)
    for root in range(n):
        if tree.parent[root] == n and w.balance[root, MASS] > 0.0:
            keep_of(tree, w, q, u, h, root)
            w.balance[root, MASS] = 0.0
