"""Joint coordinates, how they change with the joint's speeds, and moving along them.

A BALL joint is measured by the rotation vector of its quaternion, an AXIS joint by (coordinate, 0, 0). A CURVE joint,
with one coordinate too (`group >= AXIS`), is handled like an AXIS joint wherever only coordinates count. A coordinate c
with rate c_dot = a . omega (omega in child joint axes) takes a generalised force f as the torque f a on the child:
equal power for every omega, so a torque derived from an energy V(c) is exactly its gradient.

Quaternions are advanced on the group, by the exponential of a rotation vector.
"""

from math import atan2, pi, sqrt, tan

from ..jit.decorators import compiled, inlined
from ..maths.vector import (
    add,
    mat_vec,
    put3,
    put4,
    quat_exp,
    quat_log,
    quat_mul,
    quat_unit_again,
    slice3,
    slice4,
)
from ..spec.joint_types import AXIS, FREE

LARGEST_TURN = 350.0 * pi / 180.0
"""The rate map of the rotation vector is singular at a full turn; past this angle (rad) its value here is used."""
IDENTITY9 = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@compiled
def quadratic_coefficient(angle):
    """c(angle) = (1 - (angle / 2) cot(angle / 2)) / angle^2, the factor of phi x (phi x omega) in `rate_map`.

    Below 0.05 rad its series 1/12 + angle^2/720 + angle^4/30240, whose next term is under 1e-14.
    """
    if angle < 0.05:
        s = angle * angle
        return 1.0 / 12.0 + s / 720.0 + s * s / 30240.0
    t = min(angle, LARGEST_TURN)
    return (1.0 - 0.5 * t / tan(0.5 * t)) / (t * t)


@compiled
def rate_map(phi):
    """Matrix J with d(phi)/dt = J omega for omega in body axes: E + [phi]/2 + c [phi]^2 (inverse right Jacobian of
    SO(3)).

    Closed form: docs/derivations.md, Rotation vectors. Row i is the direction `a` of coordinate i.
    """
    x, y, z = phi
    return map_with(phi, quadratic_coefficient(sqrt(x * x + y * y + z * z)))


@inlined
def map_with(phi, c):
    """`rate_map` whose coefficient c is known."""
    x, y, z = phi
    s = x * x + y * y + z * z
    return (
        1.0 + c * (x * x - s),
        c * x * y - 0.5 * z,
        c * x * z + 0.5 * y,
        c * x * y + 0.5 * z,
        1.0 + c * (y * y - s),
        c * y * z - 0.5 * x,
        c * x * z - 0.5 * y,
        c * y * z + 0.5 * x,
        1.0 + c * (z * z - s),
    )


@compiled
def row(m, k):
    """Row k of a 3x3 matrix."""
    return m[3 * k], m[3 * k + 1], m[3 * k + 2]


@compiled
def joint_quaternion(group, address, q):
    """Orientation of the joint; of an AXIS joint (coordinate, 0, 0, 0)."""
    if group >= AXIS:
        return float(q[address]), 0.0, 0.0, 0.0
    if group == FREE:
        return slice4(q, address + 3)
    return slice4(q, address)


@compiled
def joint_velocity(group, address, u):
    """Angular velocity in child joint axes; of an AXIS joint (rate, 0, 0)."""
    if group >= AXIS:
        return float(u[address]), 0.0, 0.0
    if group == FREE:
        return slice3(u, address + 3)
    return slice3(u, address)


@compiled
def joint_coordinates(group, quaternion):
    """(rotation vector, rate map) of a joint; AXIS: ((coordinate, 0, 0), identity)."""
    if group >= AXIS:
        return (quaternion[0], 0.0, 0.0), IDENTITY9
    return turn_and_map(quaternion)


@compiled
def turn_and_map(q):
    """(rotation vector, rate map) of a unit quaternion: `quat_log` and `rate_map` with one inverse tangent and no
    tangent, since cot(angle / 2) is the quaternion's own w over the size of its vector."""
    n = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    half = atan2(n, q[0])
    angle = 2.0 * half
    if angle < 0.05 or angle > LARGEST_TURN:
        phi = quat_log(q)
        return phi, rate_map(phi)
    k = angle / n
    phi = (k * q[1], k * q[2], k * q[3])
    return phi, map_with(phi, (1.0 - half * q[0] / n) / (angle * angle))


@compiled
def displaced(tree, q, delta, out):
    """out = q moved by the displacement delta (nu,): translations added, rotations multiplied on the right by exp.

    `out` may be `q` itself. Quaternions are made unit again, so that they stay so over any number of steps.
    """
    for i in range(len(tree.mass)):
        qa = tree.q_address[i]
        ua = tree.u_address[i]
        if tree.group[i] >= AXIS:
            out[qa] = q[qa] + delta[ua]
            continue
        if tree.group[i] == FREE:
            put3(out, qa, add(slice3(q, qa), slice3(delta, ua)))
            qa += 3
            ua += 3
        put4(out, qa, quat_unit_again(quat_mul(slice4(q, qa), quat_exp(slice3(delta, ua)))))


@compiled
def displacement_rate(tree, delta, u, out):
    """out (nu,) = d delta/dt for coordinates displaced(q0, delta) moving with speeds u."""
    for i in range(len(tree.mass)):
        ua = tree.u_address[i]
        if tree.group[i] >= AXIS:
            out[ua] = u[ua]
            continue
        if tree.group[i] == FREE:
            put3(out, ua, slice3(u, ua))
            ua += 3
        put3(out, ua, mat_vec(rate_map(slice3(delta, ua)), slice3(u, ua)))


@compiled
def copy_to(target, source):
    """Copy a flat array element by element (an array assignment would allocate)."""
    for i in range(len(source)):
        target[i] = source[i]
