"""Small vectors and matrices as tuples of floats, which stay in registers when compiled.

Vectors are 3-tuples. Matrices are 9-tuples, row by row. Symmetric matrices are 6-tuples (xx, yy, zz, xy, xz, yz).
Quaternions are (w, x, y, z), unit, and rotate from the moved frame to the fixed one.
"""

from math import atan2, cos, sin, sqrt

from ..jit.decorators import inlined

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inlined
def load3(a, i):
    """Row i of an (n, 3) array as a vector."""
    return float(a[i, 0]), float(a[i, 1]), float(a[i, 2])


@inlined
def load4(a, i):
    """Row i of an (n, 4) array as a quaternion."""
    return float(a[i, 0]), float(a[i, 1]), float(a[i, 2]), float(a[i, 3])


@inlined
def load6(a, i):
    """Row i of an (n, 6) array as a symmetric matrix."""
    return float(a[i, 0]), float(a[i, 1]), float(a[i, 2]), float(a[i, 3]), float(a[i, 4]), float(a[i, 5])


@inlined
def load9(a, i):
    """Row i of an (n, 9) array as a matrix."""
    return (
        float(a[i, 0]),
        float(a[i, 1]),
        float(a[i, 2]),
        float(a[i, 3]),
        float(a[i, 4]),
        float(a[i, 5]),
        float(a[i, 6]),
        float(a[i, 7]),
        float(a[i, 8]),
    )


@inlined
def slice3(a, i):
    """Elements i, i+1, i+2 of a flat array as a vector."""
    return float(a[i]), float(a[i + 1]), float(a[i + 2])


@inlined
def slice4(a, i):
    """Elements i to i+3 of a flat array as a quaternion."""
    return float(a[i]), float(a[i + 1]), float(a[i + 2]), float(a[i + 3])


@inlined
def slice6(a, i):
    """Elements i to i+5 of a flat array as a symmetric matrix."""
    return float(a[i]), float(a[i + 1]), float(a[i + 2]), float(a[i + 3]), float(a[i + 4]), float(a[i + 5])


@inlined
def slice9(a, i):
    """Elements i to i+8 of a flat array as a matrix."""
    return (
        float(a[i]),
        float(a[i + 1]),
        float(a[i + 2]),
        float(a[i + 3]),
        float(a[i + 4]),
        float(a[i + 5]),
        float(a[i + 6]),
        float(a[i + 7]),
        float(a[i + 8]),
    )


@inlined
def store3(a, i, v):
    """Write a vector into row i of an (n, 3) array."""
    a[i, 0] = v[0]
    a[i, 1] = v[1]
    a[i, 2] = v[2]


@inlined
def store6(a, i, s):
    """Write a symmetric matrix into row i of an (n, 6) array."""
    a[i, 0] = s[0]
    a[i, 1] = s[1]
    a[i, 2] = s[2]
    a[i, 3] = s[3]
    a[i, 4] = s[4]
    a[i, 5] = s[5]


@inlined
def store9(a, i, m):
    """Write a matrix into row i of an (n, 9) array."""
    a[i, 0] = m[0]
    a[i, 1] = m[1]
    a[i, 2] = m[2]
    a[i, 3] = m[3]
    a[i, 4] = m[4]
    a[i, 5] = m[5]
    a[i, 6] = m[6]
    a[i, 7] = m[7]
    a[i, 8] = m[8]


@inlined
def put3(a, i, v):
    """Write a vector into elements i, i+1, i+2 of a flat array."""
    a[i] = v[0]
    a[i + 1] = v[1]
    a[i + 2] = v[2]


@inlined
def put4(a, i, q):
    """Write a quaternion into elements i to i+3 of a flat array."""
    a[i] = q[0]
    a[i + 1] = q[1]
    a[i + 2] = q[2]
    a[i + 3] = q[3]


@inlined
def put6(a, i, s):
    """Write a symmetric matrix into elements i to i+5 of a flat array."""
    a[i] = s[0]
    a[i + 1] = s[1]
    a[i + 2] = s[2]
    a[i + 3] = s[3]
    a[i + 4] = s[4]
    a[i + 5] = s[5]


@inlined
def put9(a, i, m):
    """Write a matrix into elements i to i+8 of a flat array."""
    a[i] = m[0]
    a[i + 1] = m[1]
    a[i + 2] = m[2]
    a[i + 3] = m[3]
    a[i + 4] = m[4]
    a[i + 5] = m[5]
    a[i + 6] = m[6]
    a[i + 7] = m[7]
    a[i + 8] = m[8]


@inlined
def add3(a, i, v):
    """Add a vector to row i of an (n, 3) array."""
    a[i, 0] += v[0]
    a[i, 1] += v[1]
    a[i, 2] += v[2]


@inlined
def add(a, b):
    """a + b"""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def sub(a, b):
    """a - b"""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def scale(k, a):
    """Product k a of a number and a vector."""
    return k * a[0], k * a[1], k * a[2]


@inlined
def add_scaled(a, k, b):
    """a + k b"""
    return a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]


@inlined
def dot(a, b):
    """Scalar product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a, b):
    """Vector product of two vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def norm(a):
    """Length of a vector."""
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inlined
def normalized(a):
    """a / |a|; the caller knows that a is not zero."""
    return scale(1.0 / norm(a), a)


@inlined
def orthogonal(a):
    """A unit vector at right angles to the unit vector a."""
    if abs(a[0]) < 0.7:
        return normalized((0.0, a[2], -a[1]))
    return normalized((a[1], -a[0], 0.0))


@inlined
def mat_vec(m, a):
    """Product m a of a matrix and a vector."""
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )


@inlined
def mat_t_vec(m, a):
    """Product transpose(m) a of a matrix and a vector."""
    return (
        m[0] * a[0] + m[3] * a[1] + m[6] * a[2],
        m[1] * a[0] + m[4] * a[1] + m[7] * a[2],
        m[2] * a[0] + m[5] * a[1] + m[8] * a[2],
    )


@inlined
def mat_mul(a, b):
    """Product a b of two matrices."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@inlined
def transpose(m):
    """Transpose of a matrix."""
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]


@inlined
def sym_vec(s, a):
    """s a for symmetric s."""
    return (
        s[0] * a[0] + s[3] * a[1] + s[4] * a[2],
        s[3] * a[0] + s[1] * a[1] + s[5] * a[2],
        s[4] * a[0] + s[5] * a[1] + s[2] * a[2],
    )


@inlined
def sym_full(s):
    """Symmetric matrix as a 9-tuple."""
    return s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]


@inlined
def sym_add(a, b):
    """a + b for symmetric matrices."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@inlined
def sym_sub(a, b):
    """a - b for symmetric matrices."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5]


@inlined
def sym_scale(k, s):
    """k s for symmetric s."""
    return k * s[0], k * s[1], k * s[2], k * s[3], k * s[4], k * s[5]


@inlined
def sym_outer(a):
    """Symmetric matrix a transpose(a) of a vector."""
    return a[0] * a[0], a[1] * a[1], a[2] * a[2], a[0] * a[1], a[0] * a[2], a[1] * a[2]


@inlined
def sym_rotated(r, s):
    """r s transpose(r) for a rotation r and symmetric s."""
    t = sym_rows(r, s)
    return (
        t[0] * r[0] + t[1] * r[1] + t[2] * r[2],
        t[3] * r[3] + t[4] * r[4] + t[5] * r[5],
        t[6] * r[6] + t[7] * r[7] + t[8] * r[8],
        t[0] * r[3] + t[1] * r[4] + t[2] * r[5],
        t[0] * r[6] + t[1] * r[7] + t[2] * r[8],
        t[3] * r[6] + t[4] * r[7] + t[5] * r[8],
    )


@inlined
def sym_rows(m, s):
    """m s for general m and symmetric s."""
    return mat_mul(m, sym_full(s))


@inlined
def sym_product(h, k):
    """transpose(h) k where the product is known to be symmetric (k = S h with symmetric S)."""
    return (
        h[0] * k[0] + h[3] * k[3] + h[6] * k[6],
        h[1] * k[1] + h[4] * k[4] + h[7] * k[7],
        h[2] * k[2] + h[5] * k[5] + h[8] * k[8],
        h[0] * k[1] + h[3] * k[4] + h[6] * k[7],
        h[0] * k[2] + h[3] * k[5] + h[6] * k[8],
        h[1] * k[2] + h[4] * k[5] + h[7] * k[8],
    )


@inlined
def sym_inverse(s):
    """Inverse of a symmetric positive definite matrix, by cofactors."""
    c0 = s[1] * s[2] - s[5] * s[5]
    c1 = s[4] * s[5] - s[3] * s[2]
    c2 = s[3] * s[5] - s[1] * s[4]
    k = 1.0 / (s[0] * c0 + s[3] * c1 + s[4] * c2)
    return (
        c0 * k,
        (s[0] * s[2] - s[4] * s[4]) * k,
        (s[0] * s[1] - s[3] * s[3]) * k,
        c1 * k,
        c2 * k,
        (s[3] * s[4] - s[0] * s[5]) * k,
    )


@inlined
def quat_matrix(q):
    """Rotation matrix of a unit quaternion."""
    w, x, y, z = q
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )


@inlined
def quat_mul(a, b):
    """Quaternion product a b (rotation b, then a)."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@inlined
def quat_conj(q):
    """Conjugate: the inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@inlined
def quat_unit(q):
    """q / |q|"""
    k = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return q[0] * k, q[1] * k, q[2] * k, q[3] * k


@inlined
def quat_unit_again(q):
    """q / |q| for a q that is unit but for round-off: one Newton step for 1 / |q|, whose error is that of q squared."""
    k = 1.5 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return q[0] * k, q[1] * k, q[2] * k, q[3] * k


@inlined
def quat_exp(v):
    """Unit quaternion of the rotation vector v (rad). Series below 0.01 rad, whose error is under 1e-16."""
    t = 0.25 * dot(v, v)
    if t < 2.5e-5:
        s = 0.5 - t * (1.0 / 12.0 - t * (1.0 / 240.0))
        w = 1.0 - t * (0.5 - t * (1.0 / 24.0 - t * (1.0 / 720.0)))
        return w, s * v[0], s * v[1], s * v[2]
    h = sqrt(t)
    s = 0.5 * sin(h) / h
    return cos(h), s * v[0], s * v[1], s * v[2]


@inlined
def quat_log(q):
    """Rotation vector (rad) of a unit quaternion, continuous up to a full turn.

    The sign of q is respected: as q is integrated without flips, angles past 180 degrees go on growing to 360.
    """
    n = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if n < 1e-8:
        k = 2.0 if q[0] > 0.0 else -2.0
    else:
        k = 2.0 * atan2(n, q[0]) / n
    return k * q[1], k * q[2], k * q[3]


@inlined
def axis_angle_matrix(a, angle):
    """Rotation matrix about the unit axis a by an angle (rad)."""
    s = sin(0.5 * angle)
    return quat_matrix((cos(0.5 * angle), s * a[0], s * a[1], s * a[2]))
