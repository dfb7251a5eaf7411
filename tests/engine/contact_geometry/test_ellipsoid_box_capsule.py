"""Ellipsoid against box and capsule: sampling, closed forms of spheres, closest points, continuity."""

import numpy as np
import pytest
from ellipsoid_oracles import (
    Separation,
    as_tuple,
    half_width,
    largest_separation,
    random_ellipsoids,
    six,
    unit,
)

from mannequin.engine.contact.geometry.ellipsoid_box import ellipsoid_box
from mannequin.engine.contact.geometry.ellipsoid_capsule import ellipsoid_capsule
from mannequin.engine.contact.geometry.ellipsoid_pair import SEPARATED, SWITCHED
from mannequin.engine.jit.decorators import IS_COMPILED

COUNT = 2000 if IS_COMPILED else 60
NEW = (0.0, 0.0, 0.0)
INFINITY = float("inf")


def ball(r):
    return (r * r, r * r, r * r, 0.0, 0.0, 0.0)


def random_cases(seed, count, is_box):
    """Centres from concentric to far, matrices, half sizes and radii (zero for a box)."""
    rng = np.random.default_rng(seed)
    A = random_ellipsoids(rng, count, 12.0)
    h = rng.uniform(0.05, 0.6, (count, 3))
    r = np.zeros(count)
    if not is_box:
        h[:, :2] = 0.0
        r = rng.uniform(0.02, 0.3, count)
    n = unit(rng.normal(size=(count, 3)))
    extent = half_width(n, A) + (np.abs(n) * h).sum(axis=1) + r
    factor = np.choose(np.arange(count) % 8, [0.0, 0.05, 0.3, 0.6, 0.8, 0.95, 1.0, 2.0])
    return (factor * extent)[:, None] * n, A, h, r


def evaluate(c, A, h, r, is_box, exit_gap=INFINITY):
    """Kernel results as arrays: gap, normal, point, status."""
    rows = []
    for i in range(len(c)):
        centre, matrix = as_tuple(c[i]), as_tuple(six(A[i]))
        if is_box:
            rows.append(ellipsoid_box(centre, matrix, as_tuple(h[i]), NEW, exit_gap))
        else:
            rows.append(ellipsoid_capsule(centre, matrix, float(r[i]), float(h[i, 2]), NEW, exit_gap))
    return [np.array(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("is_box", [True, False], ids=["box", "capsule"])
def test_random_cases_against_sampling(is_box):
    """Within 0.1 mm of dense sampling, no better direction known, from concentric to far."""
    c, A, h, r = random_cases(21, COUNT, is_box)
    gap, n, _, _ = evaluate(c, A, h, r, is_box)
    separation = Separation(c, [A], h, r)
    expected = largest_separation(separation)
    assert np.abs(separation(n[None])[0] - gap).max() < 1e-14
    assert (gap - expected).min() > -1e-9
    assert (gap - expected).max() < 1e-4


@pytest.mark.parametrize("is_box", [True, False], ids=["box", "capsule"])
def test_closest_points_prove_the_distance(is_box):
    """Separated: the support point is on the ellipsoid, and the point a gap away along the normal on the obstacle."""
    c, A, h, r = random_cases(22, COUNT, is_box)
    gap, n, point, _ = evaluate(c, A, h, r, is_box)
    apart = gap > 0.0
    from_centre = point - c
    level = np.einsum("ni,ni->n", from_centre, np.linalg.solve(A, from_centre[..., None])[..., 0])
    core = point - (gap + r)[:, None] * n
    assert apart.sum() > COUNT // 6
    assert np.abs(level - 1.0).max() < 1e-6
    assert (np.abs(core) - h)[apart].max() < 1e-7


@pytest.mark.parametrize("is_box", [True, False], ids=["box", "capsule"])
def test_early_exit_keeps_the_sign(is_box):
    """With exit at 0: separated exactly when the true gap is positive, and then a lower bound."""
    c, A, h, r = random_cases(23, COUNT, is_box)
    gap, _, _, _ = evaluate(c, A, h, r, is_box)
    bound, _, _, status = evaluate(c, A, h, r, is_box, exit_gap=0.0)
    sure = np.abs(gap) > 1e-12
    assert np.array_equal((status == SEPARATED)[sure], (gap > 0.0)[sure])
    assert np.all(bound <= gap + 1e-13)


def test_separated_box_is_found_from_every_face():
    """Apart there is one maximum: a climb from any of the six faces reaches it over all the ridges."""
    c, A, h, r = random_cases(28, COUNT, True)
    gap, _, _, _ = evaluate(c, A, h, r, True)
    for i in np.flatnonzero(gap > 1e-6):
        for face in (*np.eye(3), *-np.eye(3)):
            again = ellipsoid_box(
                as_tuple(c[i]), as_tuple(six(A[i])), as_tuple(h[i]), as_tuple(face), INFINITY
            )[0]
            assert again == pytest.approx(gap[i], abs=1e-12)


def test_sphere_and_box():
    """Outside: distance to the clamped centre; inside: the nearest face."""
    rng = np.random.default_rng(24)
    h = np.array([0.5, 0.3, 0.2])
    kinds = set()
    for _ in range(400):
        c = rng.uniform(-1.0, 1.0, 3) * rng.choice([0.2, 0.5, 1.0])
        radius = rng.uniform(0.01, 0.3)
        gap, n, point, _ = ellipsoid_box(as_tuple(c), ball(radius), as_tuple(h), NEW, INFINITY)
        nearest = np.clip(c, -h, h)
        outside = np.linalg.norm(c - nearest)
        kinds.add(int((nearest == c).sum()))
        if outside > 0.0:
            assert gap == pytest.approx(outside - radius, abs=1e-13)
            assert n == pytest.approx((c - nearest) / outside, abs=1e-7)
            assert point == pytest.approx(c - radius * (c - nearest) / outside, abs=1e-7)
        else:
            assert gap == pytest.approx(-np.min(h - np.abs(c)) - radius, abs=1e-13)
    assert kinds == {0, 1, 2, 3}  # vertices, edges, faces and inside all occurred


def test_sphere_and_capsule():
    """Distance to the nearest point of the axis, inside as outside."""
    rng = np.random.default_rng(25)
    for _ in range(300):
        c = rng.uniform(-1.0, 1.0, 3)
        radius, r, half = rng.uniform(0.01, 0.3), rng.uniform(0.05, 0.4), rng.uniform(0.05, 0.6)
        gap, n, _, _ = ellipsoid_capsule(as_tuple(c), ball(radius), r, half, NEW, INFINITY)
        away = c - (0.0, 0.0, np.clip(c[2], -half, half))
        assert gap == pytest.approx(np.linalg.norm(away) - r - radius, abs=1e-13)
        assert n == pytest.approx(unit(away), abs=1e-6)


def test_capsule_without_length_is_a_sphere():
    """Half length 0: the gap of two spheres."""
    gap, n, _, _ = ellipsoid_capsule((0.3, 0.4, 0.0), ball(0.2), 0.1, 0.0, NEW, INFINITY)
    assert gap == pytest.approx(0.2, abs=1e-14)
    assert n == pytest.approx((0.6, 0.8, 0.0), abs=1e-9)


def test_face_contact_is_the_plane_contact():
    """Over the middle of a face the result is that of the infinite plane, to round-off, with the exact normal."""
    A = random_ellipsoids(np.random.default_rng(26), 50, 5.0, (0.05, 0.2))
    for matrix in six(A):
        top = np.sqrt(matrix[2])
        gap, n, point, _ = ellipsoid_box(
            (0.02, 0.01, 0.3 + top - 0.004), as_tuple(matrix), (1.0, 1.0, 0.3), NEW, 0.0
        )
        assert n == (0.0, 0.0, 1.0)
        assert gap == pytest.approx(-0.004, abs=1e-15)
        expected = (0.02 - matrix[4] / top, 0.01 - matrix[5] / top, 0.3 - 0.004)
        assert point == pytest.approx(expected, abs=1e-14)


def test_gap_is_continuous_around_and_through_the_box():
    """The true gap changes by no more than the centre moves, over faces, edges, vertices and through the middle."""
    rng = np.random.default_rng(27)
    paths = 20 if IS_COMPILED else 2
    A = random_ellipsoids(rng, paths, 6.0, (0.1, 0.4))
    for k in range(paths):
        ends = rng.uniform(-1.0, 1.0, (2, 3))
        path = ends[0] + np.linspace(0.0, 1.0, 400)[:, None] * (ends[1] - ends[0])
        step = np.linalg.norm(path[1] - path[0])
        gaps = [
            ellipsoid_box(as_tuple(c), as_tuple(six(A[k])), (0.4, 0.3, 0.2), NEW, INFINITY)[0] for c in path
        ]
        assert np.abs(np.diff(gaps)).max() <= step * (1.0 + 1e-9)


def test_tracked_contact_through_a_board():
    """A ball pushed through a board keeps the side it came from, gives way once and is free below."""
    normal, switches, sides = NEW, 0, []
    for z in np.linspace(0.3, -0.3, 400):
        gap, normal, _, status = ellipsoid_box(
            (0.01, 0.02, float(z)), ball(0.1), (1.0, 1.0, 0.05), normal, 0.0
        )
        switches += status == SWITCHED
        sides.append(normal[2] > 0.0)
    assert switches == 1 and np.count_nonzero(np.diff(sides)) == 1
    assert gap > 0.0


def test_previous_normal_with_round_off_finds_the_face_again():
    """A normal that was turned to world and back is not exactly on the ridge; the face contact is."""
    turned = (1e-17, -3e-16, 1.0)
    gap, n, _, _ = ellipsoid_box((0.0, 0.0, 0.29), ball(0.1), (1.0, 1.0, 0.2), turned, 0.0)
    assert n == (0.0, 0.0, 1.0)
    assert gap == pytest.approx(-0.01, abs=1e-15)
