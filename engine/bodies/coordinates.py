"""Joint coordinates and how they change with the joint's angular velocity.

A spherical joint is measured by the rotation vector of its quaternion, a revolute one by (angle, 0, 0). A coordinate c
with rate c_dot = a . omega (omega in child joint axes) takes a generalised force f as the torque f a on the child:
equal power for every omega, so a torque derived from an energy V(c) is exactly its gradient.
"""

from math import pi, sqrt, tan

from ..jit import compiled
from ..tree import FREE, REVOLUTE
from ..vector import cross, dot, quat_log, slice3, slice4

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

    Closed form: reference 1.2 (verified there numerically); also Murray, Li, Sastry, A Mathematical Introduction to
    Robotic Manipulation (1994). Row i is the direction `a` of coordinate i.
    """
    x, y, z = phi
    s = x * x + y * y + z * z
    c = quadratic_coefficient(sqrt(s))
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
def joint_quaternion(joint_type, address, q):
    """Orientation of the joint; for a revolute joint (angle, 0, 0, 0)."""
    if joint_type == REVOLUTE:
        return float(q[address]), 0.0, 0.0, 0.0
    if joint_type == FREE:
        return slice4(q, address + 3)
    return slice4(q, address)


@compiled
def joint_velocity(joint_type, address, u):
    """Angular velocity in child joint axes; for a revolute joint (rate, 0, 0)."""
    if joint_type == REVOLUTE:
        return float(u[address]), 0.0, 0.0
    if joint_type == FREE:
        return slice3(u, address + 3)
    return slice3(u, address)


@compiled
def joint_coordinates(joint_type, quaternion):
    """(rotation vector, rate map) of a joint; revolute: ((angle, 0, 0), identity)."""
    if joint_type == REVOLUTE:
        return (quaternion[0], 0.0, 0.0), IDENTITY9
    phi = quat_log(quaternion)
    return phi, rate_map(phi)


@compiled
def twist_direction(q, axis):
    """(w, p, c, a, b) of the turn about the limb axis (unit, child frame) in q = swing * twist.

    w and p = v . axis are the twist quaternion before it is made unit, so the twist angle is 2 atan2(p, w);
    c = w^2 + p^2 = cos^2(swing / 2). With q_dot = q (0, omega) / 2: a is the direction of the twist angle times c, and
    b that of c itself. a / c grows like tan(swing / 2), so the caller fades the twist limit out towards a swing of
    180.
    """
    w = q[0]
    v = (q[1], q[2], q[3])
    p = dot(v, axis)
    side = cross(axis, v)
    a = (
        w * w * axis[0] + w * side[0] + p * v[0],
        w * w * axis[1] + w * side[1] + p * v[1],
        w * w * axis[2] + w * side[2] + p * v[2],
    )
    b = (
        w * (p * axis[0] - v[0]) + p * side[0],
        w * (p * axis[1] - v[1]) + p * side[1],
        w * (p * axis[2] - v[2]) + p * side[2],
    )
    return w, p, w * w + p * p, a, b
