"""Moving along the coordinates: quaternions are advanced on the group, by the exponential of a rotation vector."""

from math import cos, sin, sqrt

from .jit import compiled
from .tree import FREE, REVOLUTE
from .vector import add, cross, dot, put3, put4, quat_exp, quat_mul, quat_unit_again, scale, slice3, slice4


@compiled
def displaced(tree, q, delta, out):
    """out = q moved by the displacement delta (nu,): translations added, rotations multiplied on the right by exp.

    `out` may be `q` itself. Quaternions are made unit again, so that they stay so over any number of steps.
    """
    for i in range(len(tree.mass)):
        qa = tree.q_address[i]
        ua = tree.u_address[i]
        if tree.joint_type[i] == REVOLUTE:
            out[qa] = q[qa] + delta[ua]
            continue
        if tree.joint_type[i] == FREE:
            put3(out, qa, add(slice3(q, qa), slice3(delta, ua)))
            qa += 3
            ua += 3
        put4(out, qa, quat_unit_again(quat_mul(slice4(q, qa), quat_exp(slice3(delta, ua)))))


@compiled
def rotation_vector_rate(phi, omega):
    """d phi/dt for R = R0 exp(phi) and body-frame omega.

    phi' = omega + phi x omega / 2 + k phi x (phi x omega), k = 1/t^2 - (1 + cos t) / (2 t sin t), t = |phi|
    (reference 1.2; Bullo and Murray 1995). Series below 0.1 rad: k = 1/12 + t^2/720 + t^4/30240.
    """
    t2 = dot(phi, phi)
    if t2 < 0.01:
        k = 1.0 / 12.0 + t2 / 720.0 + t2 * t2 / 30240.0
    else:
        t = sqrt(t2)
        k = 1.0 / t2 - (1.0 + cos(t)) / (2.0 * t * sin(t))
    first = cross(phi, omega)
    return add(add(omega, scale(0.5, first)), scale(k, cross(phi, first)))


@compiled
def displacement_rate(tree, delta, u, out):
    """out (nu,) = d delta/dt for coordinates displaced(q0, delta) moving with speeds u."""
    for i in range(len(tree.mass)):
        ua = tree.u_address[i]
        if tree.joint_type[i] == REVOLUTE:
            out[ua] = u[ua]
            continue
        if tree.joint_type[i] == FREE:
            put3(out, ua, slice3(u, ua))
            ua += 3
        put3(out, ua, rotation_vector_rate(slice3(delta, ua), slice3(u, ua)))


@compiled
def copy_to(target, source):
    """Copy a flat array element by element (an array assignment would allocate)."""
    for i in range(len(source)):
        target[i] = source[i]
