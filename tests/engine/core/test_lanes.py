"""Formulas by lanes give the very bits of those one number at a time, compiled and interpreted."""

import numpy as np
import pytest

from mannequin.engine.bodies.workspace import LINE, aligned_zeros
from mannequin.engine.jit.decorators import compiled, interpreted
from mannequin.engine.jit.lanes import (
    lane,
    lanes,
    lanes_at,
    picked,
    put_lanes,
    put_three,
    spread,
    three_at,
    transposed,
)
from mannequin.engine.maths import rows, vector
from mannequin.engine.maths.rows import (
    as_rows,
    matrix_numbers,
    numbers,
    packed_rows,
    packed_sym,
    put_packed_rows,
)
from mannequin.engine.maths.vector import load3, load6, load9, store3, store6, store9

CASES = 50

row_cross, row_dot, row_mat_vec, row_mat_t_vec = rows.cross, rows.dot, rows.mat_vec, rows.mat_t_vec
row_mat_mul, row_sym_vec, row_sym_outer = rows.mat_mul, rows.sym_vec, rows.sym_outer
row_sym_product, row_sym_rotated, row_sym_inverse = rows.sym_product, rows.sym_rotated, rows.sym_inverse
cross, dot, mat_vec, mat_t_vec = vector.cross, vector.dot, vector.mat_vec, vector.mat_t_vec
mat_mul, sym_vec, sym_outer = vector.mat_mul, vector.sym_vec, vector.sym_outer
sym_product, sym_rotated, sym_inverse = vector.sym_product, vector.sym_rotated, vector.sym_inverse


@compiled
def put_symmetric(out, k, s):
    """Write a symmetric matrix by lanes into row k of an (n, 9) array as six numbers."""
    put_three(out, k, 0, s[0])
    put_three(out, k, 3, s[1])


@compiled
def by_lanes(m, s, v, out):
    """Each operation of `rows` on row i of matrices (n, 9), symmetric ones (n, 6) and vectors (n, 3)."""
    for i in range(len(v)):
        a, b = three_at(v, i, 0), three_at(v, len(v) - 1 - i, 0)
        r, o = packed_rows(m, i), as_rows(load9(m, len(v) - 1 - i))
        t = packed_sym(s, i)
        put_three(out[i], 0, 0, row_cross(a, b))
        put_three(out[i], 1, 0, row_mat_vec(r, a))
        put_three(out[i], 2, 0, row_mat_t_vec(r, a))
        put_packed_rows(out[i], 3, row_mat_mul(r, o))
        put_three(out[i], 4, 0, row_sym_vec(t, a))
        put_symmetric(out[i], 5, row_sym_outer(a))
        put_symmetric(out[i], 6, row_sym_product(r, o))
        put_symmetric(out[i], 7, row_sym_rotated(r, t))
        put_symmetric(out[i], 8, row_sym_inverse(t))
        out[i, 9, 0] = row_dot(a, b)


@compiled
def one_by_one(m, s, v, out):
    """The same by `vector`."""
    for i in range(len(v)):
        a, b = load3(v, i), load3(v, len(v) - 1 - i)
        r, o = load9(m, i), load9(m, len(v) - 1 - i)
        t = load6(s, i)
        store3(out[i], 0, cross(a, b))
        store3(out[i], 1, mat_vec(r, a))
        store3(out[i], 2, mat_t_vec(r, a))
        store9(out[i], 3, mat_mul(r, o))
        store3(out[i], 4, sym_vec(t, a))
        store6(out[i], 5, sym_outer(a))
        store6(out[i], 6, sym_product(r, o))
        store6(out[i], 7, sym_rotated(r, t))
        store6(out[i], 8, sym_inverse(t))
        out[i, 9, 0] = dot(a, b)


@compiled
def shuffle(a, out):
    """Lanes read, picked and written, row by row."""
    first, second, third = lanes_at(a, 0, 0), lanes_at(a, 1, 0), lanes_at(a, 1, 4)
    put_three(out, 0, 0, picked(first, second, 0, 4, 2))
    put_three(out, 1, 0, picked(first, second, 5, 3, 1))
    put_three(out, 2, 0, spread(second, 2))
    columns = transposed(first, second, third)
    for k in range(3):
        put_three(out, 3 + k, 0, columns[k])
    put_three(out, 6, 0, lanes(lane(first, 2), 2.0, lane(third, 0)))
    put_three(out, 7, 0, 3.0 * first - second)
    put_three(out, 8, 0, as_rows(matrix_numbers((first, second, third)))[1])
    put_lanes(out, 9, 0, lanes(numbers(first)[1], numbers(first)[0], numbers(first)[2]))


FORMS = {"compiled": lambda kernel: kernel, "interpreted": interpreted}


@pytest.fixture
def given():
    """(matrices, symmetric positive definite matrices, vectors) of numbers of many sizes."""
    rng = np.random.default_rng(7)
    size = 10.0 ** rng.integers(-6, 6, (CASES, 1))
    half = rng.normal(size=(CASES, 3, 3))
    full = half @ half.transpose(0, 2, 1)
    symmetric = full.reshape(CASES, 9)[:, [0, 4, 8, 1, 2, 5]] * size
    return rng.normal(size=(CASES, 9)) * size, symmetric.copy(), rng.normal(size=(CASES, 3)) / size


@pytest.mark.parametrize("form", FORMS)
def test_rows_have_the_bits_of_numbers(given, form):
    out, expected = np.zeros((CASES, 10, 9)), np.zeros((CASES, 10, 9))
    FORMS[form](by_lanes)(*given, out)
    interpreted(one_by_one)(*given, expected)
    assert out.tobytes() == expected.tobytes()
    assert np.count_nonzero(expected) > CASES * 40


def test_rows_are_what_linear_algebra_says(given):
    matrices, symmetric, vectors = given
    out = np.zeros((CASES, 10, 9))
    by_lanes(*given, out)
    r, a, b = matrices.reshape(-1, 3, 3), vectors, vectors[::-1]
    t = symmetric[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3)
    turned = (r @ t @ r.transpose(0, 2, 1)).reshape(-1, 9)[:, [0, 4, 8, 1, 2, 5]]
    inverse = np.linalg.inv(t).reshape(-1, 9)[:, [0, 4, 8, 1, 2, 5]]
    expected = {
        0: np.cross(a, b),
        1: np.einsum("nij,nj->ni", r, a),
        2: np.einsum("nji,nj->ni", r, a),
        3: (r @ r[::-1]).reshape(-1, 9),
        4: np.einsum("nij,nj->ni", t, a),
        7: turned,
        8: inverse,
    }
    for k, value in expected.items():
        found = out[:, k, : value.shape[1]]
        size = np.abs(value).max(axis=1, keepdims=True)
        assert np.abs((found - value) / size).max() < 1e-9, k


@pytest.mark.parametrize("form", FORMS)
def test_lanes_are_read_picked_and_written(form):
    a = np.arange(1.0, 17.0).reshape(2, 8)
    out = np.zeros((10, 4))
    FORMS[form](shuffle)(a, out)
    first, second, third = a[0, :3], a[1, :3], a[1, 4:7]
    expected = [
        (first[0], second[1], first[2]),
        (second[2], second[0], first[1]),
        (second[2],) * 3,
        *np.array([first, second, third]).T,
        (first[2], 2.0, third[0]),
        3.0 * first - second,
        second,
        (first[1], first[0], first[2]),
    ]
    assert out[:, :3].tolist() == np.array(expected).tolist()
    assert (out[:9, 3] == 0.0).all(), "put_three writes three numbers"


@pytest.mark.parametrize("width", [4, 8, 12])
def test_rows_by_lanes_do_not_lie_across_lines_of_the_cache(width):
    for count in range(1, 30):
        array = aligned_zeros({"before": (count, 3), "rows": (count, width)})["rows"]
        assert array.shape == (count, width) and not array.any()
        first = np.arange(count)[:, None] * array.strides[0] + np.arange(0, 8 * width, 32) + array.ctypes.data
        assert (first // LINE == (first + 31) // LINE).all()
