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
from ...jit.lanes import lanes, lanes_at, put_three, three_at
from ...maths.rows import (
    cross,
    dot,
    mat_t_vec,
    numbers,
    sym_add,
    sym_inverse,
    sym_outer,
    sym_scale,
    sym_vec,
    wide_rows,
    wide_sym,
)
from ...maths.vector import add, put3, put4, quat_exp, quat_mul, quat_unit_again, scale, slice3, slice4
from ...spec.joint_types import CURVE, FREE


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
    return sym_add((lanes(square, square, square), lanes(0.0, 0.0, 0.0)), sym_scale(-mass, sym_outer(arm)))


@inlined
def expect_of(tree, w, gravity, h, drift, root):
    """Write to `balance` what a step must lead to for the actor of a root; speeds advance by h, places by `drift`."""
    total = 0.0
    moment = lanes(0.0, 0.0, 0.0)
    linear = lanes(0.0, 0.0, 0.0)
    angular = lanes(0.0, 0.0, 0.0)
    fall = lanes(gravity[0], gravity[1], gravity[2])
    origin = lanes_at(w.position, root, 0)
    i = root
    while is_of(tree, root, i):
        mass = float(tree.mass[i])
        com = lanes_at(w.com, i, 0)
        arm = lanes_at(w.position, i, 0) - origin
        velocity = lanes_at(w.velocity, i, 0) + h * (lanes_at(w.acceleration, i, 0) + fall)
        turned = lanes_at(w.omega, i, 0) + h * lanes_at(w.alpha, i, 0)
        swing = cross(turned, com) + h * lanes_at(w.swing, i, 0)
        own = mass * (velocity + swing)
        spin = sym_vec(wide_sym(w.inertia, i), turned) + mass * cross(com, velocity)
        spin = spin + h * lanes_at(w.spin, i, 0)
        total += mass
        moment = moment + mass * (arm + com)
        linear = linear + own
        angular = angular + (spin + cross(arm, own))
        i += 1
    row = w.balance[root]
    centre = 1.0 / total * moment
    row[MASS] = total
    put_three(w.balance, root, LINEAR, linear)
    put_three(w.balance, root, ANGULAR, angular - cross(centre, linear))
    # the centre after the step: it moves with the new momentum
    put_three(w.balance, root, CENTRE, origin + centre + drift / total * linear)


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
    origin = lanes_at(w.position, root, 0)
    i = root
    while is_of(tree, root, i):
        place = lanes_at(w.position, i, 0)
        omega = lanes_at(w.omega, i, 0) + turn
        put_three(w.position, i, 0, place + shift)
        put_three(w.velocity, i, 0, lanes_at(w.velocity, i, 0) + (push + cross(turn, place - origin)))
        put_three(w.omega, i, 0, omega)
        if i == root:
            put_three(w.omega_joint, i, 0, omega)
        else:
            carrier = three_at(w.omega, tree.parent[i], 0)
            swing = cross(carrier, lanes_at(w.arm, i, 0))
            if tree.slide[i] != 0.0:
                swing = swing + 2.0 * lanes_at(w.slide_velocity, i, 0)
            gyro = cross(carrier, lanes_at(w.omega_joint, i, 0))
            centripetal = cross(carrier, swing)
            if tree.group[i] == CURVE:
                gyro = gyro + lanes_at(w.bias, i, 0)
                centripetal = centripetal + lanes_at(w.bias, i, 3)
            put_three(w.gyro, i, 0, gyro)
            put_three(w.centripetal, i, 0, centripetal)
        i += 1


@inlined
def keep_of(tree, w, q, u, h, root):
    """Put the actor of a root right, in q, u and the workspace, so that its momenta are those in `balance`; and say
    there by how much the next drift is to be turned."""
    total = 0.0
    moment = lanes(0.0, 0.0, 0.0)
    linear = lanes(0.0, 0.0, 0.0)
    angular = lanes(0.0, 0.0, 0.0)
    inertia = (lanes(0.0, 0.0, 0.0), lanes(0.0, 0.0, 0.0))
    origin = lanes_at(w.position, root, 0)
    i = root
    while is_of(tree, root, i):
        mass = float(tree.mass[i])
        com = lanes_at(w.com, i, 0)
        omega = lanes_at(w.omega, i, 0)
        velocity = lanes_at(w.velocity, i, 0)
        inner = wide_sym(w.inertia, i)
        arm = lanes_at(w.position, i, 0) - origin
        to_centre = arm + com
        own = mass * (velocity + cross(omega, com))
        spin = sym_vec(inner, omega) + mass * cross(com, velocity)
        total += mass
        moment = moment + mass * to_centre
        linear = linear + own
        angular = angular + (spin + cross(arm, own))
        # inner is about the reference point: parallel axes by way of the centre of mass
        inertia = sym_add(inertia, sym_add(inner, sym_add(about(mass, to_centre), about(-mass, com))))
        i += 1
    centre = 1.0 / total * moment
    inverse = sym_inverse(sym_add(inertia, about(-total, centre)))
    wanted = three_at(w.balance, root, ANGULAR)
    turn = sym_vec(inverse, wanted - (angular - cross(centre, linear)))
    # at the root: what the centre of mass gets, and the turn about that
    push = 1.0 / total * (three_at(w.balance, root, LINEAR) - linear) - cross(turn, centre)
    shift = three_at(w.balance, root, CENTRE) - (origin + centre)
    qa = tree.q_address[root]
    ua = tree.u_address[root]
    put3(q, qa, add(slice3(q, qa), numbers(shift)))
    put3(u, ua, add(slice3(u, ua), numbers(push)))
    put3(u, ua + 3, add(slice3(u, ua + 3), numbers(mat_t_vec(wide_rows(w.rotation, root), turn))))
    move_actor(tree, w, root, shift, push, turn)
    drift = 0.5 * h * h * sym_vec(inverse, cross(sym_vec(inverse, wanted), wanted))
    put_three(w.balance, root, TURN, drift)


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
