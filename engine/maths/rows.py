"""Small vectors and matrices by lanes: what `vector` does, three numbers at a time, to the same bits.

Vectors are `Lanes`. Matrices are 3-tuples of rows. Symmetric matrices are pairs: the diagonal (xx, yy, zz) and the
rest (xy, xz, yz). Sums are taken in the order of `vector`.
"""

from ..jit.decorators import inlined
from ..jit.lanes import lane, lanes, lanes_at, picked, put_lanes, put_three, spread, three_at, transposed


@inlined
def load_rows(a, i):
    """Row i of an (n, 12) array as a matrix."""
    return lanes_at(a, i, 0), lanes_at(a, i, 4), lanes_at(a, i, 8)


@inlined
def put_rows(a, i, m):
    """Write a matrix into row i of an (n, 12) array."""
    put_lanes(a, i, 0, m[0])
    put_lanes(a, i, 4, m[1])
    put_lanes(a, i, 8, m[2])


@inlined
def load_sym(a, i):
    """Row i of an (n, 8) array as a symmetric matrix."""
    return lanes_at(a, i, 0), lanes_at(a, i, 4)


@inlined
def put_sym(a, i, s):
    """Write a symmetric matrix into row i of an (n, 8) array."""
    put_lanes(a, i, 0, s[0])
    put_lanes(a, i, 4, s[1])


@inlined
def packed_rows(a, i):
    """Row i of an (n, 9) array as a matrix."""
    return three_at(a, i, 0), three_at(a, i, 3), three_at(a, i, 6)


@inlined
def put_packed_rows(a, i, m):
    """Write a matrix into row i of an (n, 9) array."""
    put_three(a, i, 0, m[0])
    put_three(a, i, 3, m[1])
    put_three(a, i, 6, m[2])


@inlined
def as_rows(m):
    """A matrix of nine numbers by its rows."""
    return lanes(m[0], m[1], m[2]), lanes(m[3], m[4], m[5]), lanes(m[6], m[7], m[8])


@inlined
def matrix_numbers(m):
    """A matrix as nine numbers, row by row."""
    x, y, z = numbers(m[0]), numbers(m[1]), numbers(m[2])
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@inlined
def packed_sym(a, i):
    """Row i of an (n, 6) array as a symmetric matrix."""
    return three_at(a, i, 0), three_at(a, i, 3)


@inlined
def wide_rows(a, i):
    """`packed_rows` where one more number behind the row may be read, as in a workspace: half the instructions.

    Not of what has just been written three numbers at a time: the processor would wait for that to reach the cache.
    """
    return lanes_at(a, i, 0), lanes_at(a, i, 3), lanes_at(a, i, 6)


@inlined
def wide_sym(a, i):
    """`packed_sym` in the way of `wide_rows`."""
    return lanes_at(a, i, 0), lanes_at(a, i, 3)


@inlined
def numbers(a):
    """A vector as a tuple of three numbers."""
    return lane(a, 0), lane(a, 1), lane(a, 2)


@inlined
def cross(a, b):
    """Vector product of two vectors."""
    turned = a * picked(b, b, 1, 2, 0) - picked(a, a, 1, 2, 0) * b
    return picked(turned, turned, 1, 2, 0)


@inlined
def dot(a, b):
    """Scalar product of two vectors, as a number."""
    p = a * b
    return lane(p, 0) + lane(p, 1) + lane(p, 2)


@inlined
def combined(m, a):
    """Sum of the three vectors m, each times its number of a."""
    return m[0] * spread(a, 0) + m[1] * spread(a, 1) + m[2] * spread(a, 2)


@inlined
def mat_t_vec(m, a):
    """Product transpose(m) a of a matrix and a vector."""
    return combined(m, a)


@inlined
def mat_vec(m, a):
    """Product m a of a matrix and a vector.

    Turned over before it is multiplied: multiplied first, processors are handed halves of vectors whose other half is
    whatever a register holds, and where that is a denormal number a product takes many times as long.
    """
    return combined(transposed(m[0], m[1], m[2]), a)


@inlined
def mat_mul(a, b):
    """Product a b of two matrices."""
    return combined(b, a[0]), combined(b, a[1]), combined(b, a[2])


@inlined
def scale_rows(k, m):
    """k m for a number and a matrix."""
    return k * m[0], k * m[1], k * m[2]


@inlined
def sym_full(s):
    """Symmetric matrix by its rows."""
    d, o = s
    return picked(d, o, 0, 3, 4), picked(d, o, 3, 1, 5), picked(d, o, 4, 5, 2)


@inlined
def sym_vec(s, a):
    """s a for symmetric s."""
    return combined(sym_full(s), a)


@inlined
def sym_add(a, b):
    """a + b for symmetric matrices."""
    return a[0] + b[0], a[1] + b[1]


@inlined
def sym_sub(a, b):
    """a - b for symmetric matrices."""
    return a[0] - b[0], a[1] - b[1]


@inlined
def sym_scale(k, s):
    """k s for symmetric s."""
    return k * s[0], k * s[1]


@inlined
def upper_first(a):
    """(x, x, y): first factors of what stands above a diagonal."""
    return picked(a, a, 0, 0, 1)


@inlined
def upper_second(a):
    """(y, z, z): second factors of what stands above a diagonal."""
    return picked(a, a, 1, 2, 2)


@inlined
def sym_outer(a):
    """Symmetric matrix a transpose(a) of a vector."""
    return a * a, upper_first(a) * upper_second(a)


@inlined
def sym_product(h, k):
    """transpose(h) k where the product is known to be symmetric (k = S h with symmetric S)."""
    return (
        h[0] * k[0] + h[1] * k[1] + h[2] * k[2],
        upper_first(h[0]) * upper_second(k[0])
        + upper_first(h[1]) * upper_second(k[1])
        + upper_first(h[2]) * upper_second(k[2]),
    )


@inlined
def sym_rotated(r, s):
    """r s transpose(r) for a rotation r and symmetric s."""
    x, y, z = transposed(r[0], r[1], r[2])
    full = sym_full(s)
    # columns of r s, along which the sums for all elements go
    t = (
        x * spread(full[0], 0) + y * spread(full[1], 0) + z * spread(full[2], 0),
        x * spread(full[0], 1) + y * spread(full[1], 1) + z * spread(full[2], 1),
        x * spread(full[0], 2) + y * spread(full[1], 2) + z * spread(full[2], 2),
    )
    return sym_product(t, (x, y, z))


@inlined
def sym_inverse(s):
    """Inverse of a symmetric positive definite matrix, by cofactors."""
    d, o = s
    r = picked(o, o, 2, 1, 0)
    on = picked(d, d, 1, 0, 0) * picked(d, d, 2, 2, 1) - r * r
    off = picked(o, o, 1, 0, 0) * picked(o, o, 2, 2, 1) - o * picked(d, d, 2, 1, 0)
    k = 1.0 / (lane(d, 0) * lane(on, 0) + lane(o, 0) * lane(off, 0) + lane(o, 1) * lane(off, 1))
    return k * on, k * off
