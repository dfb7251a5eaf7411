"""Jacobians, mass matrix and inverse dynamics, compiled: what `virtual_power` and `newton_euler` define, fast.

All need `pose` (or `forward_kinematics`) to have filled the workspace. World axes, SI units.
"""

from collections import namedtuple

import numpy as np

from ..jit.decorators import compiled
from ..jit.late import late
from ..maths.vector import (
    add,
    cross,
    dot,
    load3,
    load6,
    scale,
    slice3,
    store3,
    store6,
    sub,
    sym_add,
    sym_vec,
)
from ..spec.joint_types import BALL, CURVE, FREE, group_sizes
from .kinematics import forward_kinematics, gyroscopic_bias, rigid_inertia
from .tree import Tree, coordinate_counts

Asked = namedtuple(
    "Asked",
    [
        "q",  # (nq,) coordinates
        "u",  # (nu,) speeds
        "u_dot",  # (nu,) their rates
        "gravity",  # (3,) m/s2
        "speeds",  # (n,) how many speeds each moving body's joint has
        "body",  # (1,) moving body whose Jacobian is asked for, or n for the world
        "point",  # (3,) world point fixed to it
        "jacobian",  # (6, nu) of the point's velocity (rows 0 to 2) and of the angular velocity
        "mass",  # (nu, nu) mass matrix
        "force",  # (nu,) generalized forces
        "moment",  # (n+1, 3) scratch: first moment of mass, or torque about the reference point
        "push",  # (n+1, 3) scratch: force
        "inertia",  # (n+1, 6) scratch: inertia about the reference point
        "weight",  # (n+1,) scratch: mass
        "alpha",  # (n+1, 3) scratch: angular acceleration
        "acceleration",  # (n+1, 3) scratch: of the reference point, minus gravity
    ],
)


def new_asked(tree: Tree, gravity: tuple[float, float, float]) -> Asked:
    """Allocate for a tree."""
    n = len(tree.mass)
    nq, nu = coordinate_counts(tree)
    scratch = {name: np.zeros((n + 1, 3)) for name in ("moment", "push", "alpha", "acceleration")}
    return Asked(
        q=np.zeros(nq),
        u=np.zeros(nu),
        u_dot=np.zeros(nu),
        gravity=np.array(gravity, dtype=float),
        speeds=np.array([group_sizes(int(group))[1] for group in tree.group], dtype=np.int64),
        body=np.zeros(1, dtype=np.int64),
        point=np.zeros(3),
        jacobian=np.zeros((6, nu)),
        mass=np.zeros((nu, nu)),
        force=np.zeros(nu),
        inertia=np.zeros((n + 1, 6)),
        weight=np.zeros(n + 1),
        **scratch,
    )


@compiled
def joint_column(tree, w, i, k):
    """(linear, angular) velocity of body i's reference point per unit of its own joint's speed k, world axes."""
    zero = (0.0, 0.0, 0.0)
    group = tree.group[i]
    if group == FREE and k < 3:
        return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0), zero
    if group == CURVE:
        return slice3(w.column[i], 3), slice3(w.column[i], 0)
    row = w.rotation[i]
    if group == FREE or group == BALL:
        j = k - 3 if group == FREE else k
        return zero, (float(row[j]), float(row[3 + j]), float(row[6 + j]))
    x, y, z = load3(tree.axis, i)
    axis = (
        row[0] * x + row[1] * y + row[2] * z,
        row[3] * x + row[4] * y + row[5] * z,
        row[6] * x + row[7] * y + row[8] * z,
    )
    return scale(float(tree.slide[i]), axis), scale(float(tree.turn[i]), axis)


@late(bundles=3, floats=0)
def pose(tree, w, x):
    """Kinematics and inertia of all moving bodies at q and u."""
    forward_kinematics(tree, x.q, x.u, w)
    rigid_inertia(tree, w)


@late(bundles=3, floats=0)
def point_jacobian(tree, w, x):
    """Jacobian of the velocity of a world point fixed to a body, and of the body's angular velocity."""
    for column in range(len(x.u)):
        for row in range(6):
            x.jacobian[row, column] = 0.0
    point = slice3(x.point, 0)
    i = x.body[0]
    while i < len(tree.mass):
        arm = sub(point, load3(w.position, i))
        for k in range(x.speeds[i]):
            column = tree.u_address[i] + k
            linear, angular = joint_column(tree, w, i, k)
            vx, vy, vz = add(linear, cross(angular, arm))
            x.jacobian[0, column] = vx
            x.jacobian[1, column] = vy
            x.jacobian[2, column] = vz
            x.jacobian[3, column] = angular[0]
            x.jacobian[4, column] = angular[1]
            x.jacobian[5, column] = angular[2]
        i = tree.parent[i]


@compiled
def shifted_inertia(inertia, moment, mass, r):
    """Inertia about the point at -r from the one it is about: J + (2 h.r + m r.r) 1 - h r' - r h' - m r r'."""
    hx, hy, hz = moment
    x, y, z = r
    diagonal = 2.0 * dot(moment, r) + mass * dot(r, r)
    return sym_add(
        inertia,
        (
            diagonal - 2.0 * hx * x - mass * x * x,
            diagonal - 2.0 * hy * y - mass * y * y,
            diagonal - 2.0 * hz * z - mass * z * z,
            -hx * y - x * hy - mass * x * y,
            -hx * z - x * hz - mass * x * z,
            -hy * z - y * hz - mass * y * z,
        ),
    )


@compiled
def gather_composites(tree, w, x):
    """Mass, first moment and inertia about its reference point of every body with all that it carries."""
    n = len(tree.mass)
    for i in range(n):
        x.weight[i] = tree.mass[i]
        store3(x.moment, i, scale(float(tree.mass[i]), load3(w.com, i)))
        store6(x.inertia, i, load6(w.inertia, i))
    for i in range(n - 1, -1, -1):
        p = tree.parent[i]
        if p < n:
            r = load3(w.arm, i)
            mass = float(x.weight[i])
            moment = load3(x.moment, i)
            shifted = shifted_inertia(load6(x.inertia, i), moment, mass, r)
            store6(x.inertia, p, sym_add(load6(x.inertia, p), shifted))
            store3(x.moment, p, add(load3(x.moment, p), add(moment, scale(mass, r))))
            x.weight[p] += mass


@late(bundles=3, floats=0)
def composite_mass_matrix(tree, w, x):
    """Mass matrix by composite bodies (Featherstone 2008, section 6.2): the momentum that a unit of one joint's speed
    gives to all that it carries, seen by the joints on the way to the root."""
    gather_composites(tree, w, x)
    n = len(tree.mass)
    for i in range(len(x.u)):
        for j in range(len(x.u)):
            x.mass[i, j] = 0.0
    for i in range(n):
        moment = load3(x.moment, i)
        for k in range(x.speeds[i]):
            column = tree.u_address[i] + k
            linear, angular = joint_column(tree, w, i, k)
            push = add(scale(float(x.weight[i]), linear), cross(angular, moment))
            torque = add(sym_vec(load6(x.inertia, i), angular), cross(moment, linear))
            j = i
            while True:
                for m in range(x.speeds[j]):
                    row = tree.u_address[j] + m
                    lin, ang = joint_column(tree, w, j, m)
                    x.mass[row, column] = dot(lin, push) + dot(ang, torque)
                    x.mass[column, row] = x.mass[row, column]
                if tree.parent[j] >= n:
                    break
                torque = add(torque, cross(load3(w.arm, j), push))
                j = tree.parent[j]


@late(bundles=3, floats=0)
def required_forces(tree, w, x):
    """Generalized forces Q with M(q) u_dot + h(q, u) = Q, by the recursive Newton-Euler algorithm (Luh, Walker and Paul
    1980); gravity is a force of the environment."""
    gyroscopic_bias(tree, w)
    n = len(tree.mass)
    store3(x.alpha, n, (0.0, 0.0, 0.0))
    store3(x.acceleration, n, scale(-1.0, slice3(x.gravity, 0)))
    for i in range(n):
        p = tree.parent[i]
        alpha_p = load3(x.alpha, p)
        alpha = alpha_p
        acceleration = load3(x.acceleration, p)
        if tree.group[i] != FREE:  # a root has no arm to the world, and no velocity products
            alpha = add(alpha, load3(w.gyro, i))
            swing = add(cross(alpha_p, load3(w.arm, i)), load3(w.centripetal, i))
            acceleration = add(acceleration, swing)
        for k in range(x.speeds[i]):
            linear, angular = joint_column(tree, w, i, k)
            rate = float(x.u_dot[tree.u_address[i] + k])
            alpha = add(alpha, scale(rate, angular))
            acceleration = add(acceleration, scale(rate, linear))
        store3(x.alpha, i, alpha)
        store3(x.acceleration, i, acceleration)
        mass = float(tree.mass[i])
        com = load3(w.com, i)
        push = add(scale(mass, add(acceleration, cross(alpha, com))), load3(w.art_f, i))
        torque = add(sym_vec(load6(w.inertia, i), alpha), scale(mass, cross(com, acceleration)))
        store3(x.push, i, push)
        store3(x.moment, i, add(torque, load3(w.art_n, i)))
    for i in range(n - 1, -1, -1):
        push = load3(x.push, i)
        torque = load3(x.moment, i)
        for k in range(x.speeds[i]):
            linear, angular = joint_column(tree, w, i, k)
            x.force[tree.u_address[i] + k] = dot(linear, push) + dot(angular, torque)
        p = tree.parent[i]
        if p < n:
            store3(x.push, p, add(load3(x.push, p), push))
            store3(x.moment, p, add(add(load3(x.moment, p), torque), cross(load3(w.arm, i), push)))
