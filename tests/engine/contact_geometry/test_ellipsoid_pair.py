"""Ellipsoid pairs against sampling, certificates of optimality, closed forms and OpenMBD's false contacts."""

import numpy as np
import pytest
from ellipsoid_oracles import (
    Separation,
    as_tuple,
    half_width,
    largest_separation,
    matrices,
    random_ellipsoids,
    six,
    unit,
)

from mannequin.engine.contact.geometry.ellipsoid_pair import (
    CONVERGED,
    SEPARATED,
    SWITCHED,
    climb,
    ellipsoid_pair,
)
from mannequin.engine.jit.decorators import IS_COMPILED

COUNT = 10_000 if IS_COMPILED else 200
NEW = (0.0, 0.0, 0.0)
INFINITY = float("inf")


def diagonal(*semi_axes):
    return (semi_axes[0] ** 2, semi_axes[1] ** 2, semi_axes[2] ** 2, 0.0, 0.0, 0.0)


def random_pairs(rng, count):
    """Offsets and matrices: concentric, inside each other, overlapping, just touching, near and far."""
    A = random_ellipsoids(rng, count, 20.0)
    B = random_ellipsoids(rng, count, 20.0)
    n = unit(rng.normal(size=(count, 3)))
    u = np.einsum("nij,nj->ni", A, n) / half_width(n, A)[:, None]
    w = np.einsum("nij,nj->ni", B, n) / half_width(n, B)[:, None]
    kind = np.arange(count) % 8
    factor = np.choose(kind, [0.0, 0.02, 0.2, 0.5, 0.8, 1.0, 1.0, 3.0])
    shift = np.choose(kind, [0.0, 0.0, 0.0, 0.0, 0.0, 1e-9, -1e-3, 0.0])
    return factor[:, None] * (u + w) + shift[:, None] * n, A, B


def evaluate(d, A, B, previous=None, exit_gap=INFINITY):
    """Kernel results of all pairs as arrays: gap, normal, point, status."""
    previous = np.zeros_like(d) if previous is None else previous
    a, b = six(A), six(B)
    rows = [
        ellipsoid_pair(as_tuple(d[i]), as_tuple(a[i]), NEW, as_tuple(b[i]), as_tuple(previous[i]), exit_gap)
        for i in range(len(d))
    ]
    return [np.array(column) for column in zip(*rows, strict=True)]


@pytest.mark.long
def test_random_pairs_against_sampling():
    """10,000 pairs of aspect ratios up to 20 within 0.1 mm of dense sampling, none with a better direction known."""
    rng = np.random.default_rng(11)
    d, A, B = random_pairs(rng, COUNT)
    gap, n, _, status = evaluate(d, A, B)
    expected = largest_separation(Separation(d, [A, B]))
    assert np.all(status == CONVERGED)
    assert np.abs(np.linalg.norm(n, axis=1) - 1.0).max() < 1e-14
    assert np.abs(Separation(d, [A, B])(n[None])[0] - gap).max() < 1e-14
    assert (gap - expected).min() > -1e-9
    assert (gap - expected).max() < 1e-4


def test_support_points_face_each_other():
    """At the result, overlapping or not, the two support points differ by the gap along the normal."""
    rng = np.random.default_rng(19)
    d, A, B = random_pairs(rng, min(COUNT, 4000))
    gap, n, point, _ = evaluate(d, A, B)
    on_a = d - np.einsum("nij,nj->ni", A, n) / half_width(n, A)[:, None]
    on_b = np.einsum("nij,nj->ni", B, n) / half_width(n, B)[:, None]
    assert np.abs(on_a - on_b - gap[:, None] * n).max() < 1e-8
    assert np.abs(0.5 * (on_a + on_b) - point).max() < 1e-14


def test_climb_never_goes_down_and_ends_at_a_top():
    """From any start the separation does not fall, and at the end no nearby direction is better."""
    rng = np.random.default_rng(20)
    count = min(COUNT, 3000)
    d, A, B = random_pairs(rng, count)
    start = unit(rng.normal(size=(count, 3)))
    a, b = six(A), six(B)
    rows = [climb(*map(as_tuple, (start[i], d[i], a[i], b[i])), INFINITY) for i in range(count)]
    s, n = (np.array(column) for column in zip(*rows, strict=True))
    separation = Separation(d, [A, B])
    assert np.all(s >= separation(start[None])[0])
    nearby = unit(n + 1e-4 * rng.normal(size=(30, count, 3)))
    assert np.all(separation(nearby) <= s + 1e-13)


@pytest.mark.parametrize("start", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
def test_climb_leaves_a_saddle(start):
    """Concentric, starting exactly along a longer axis, where the slope is zero: the shortest axis is found."""
    s, n = climb(start, NEW, diagonal(0.5, 0.3, 0.1), diagonal(0.4, 0.3, 0.1), INFINITY)
    assert s == pytest.approx(-0.2, abs=1e-12)
    assert abs(n[2]) == pytest.approx(1.0, abs=1e-9)


def test_early_exit_never_misses_and_never_invents_contact():
    """With exit at 0 the sign is that of the true gap, and a separated pair gets a true lower bound."""
    rng = np.random.default_rng(12)
    d, A, B = random_pairs(rng, min(COUNT, 4000))
    gap, _, _, _ = evaluate(d, A, B)
    bound, n, _, status = evaluate(d, A, B, exit_gap=0.0)
    is_apart = gap > 1e-12
    assert np.all(status[is_apart] == SEPARATED) and np.all(bound[is_apart] > 0.0)
    assert np.all(bound[is_apart] <= gap[is_apart] + 1e-14)
    is_overlapping = gap < -1e-12
    assert np.all(status[is_overlapping] == CONVERGED)
    assert np.abs(bound - gap)[is_overlapping].max() < 1e-13
    assert np.abs(Separation(d, [A, B])(n[None])[0] - bound).max() < 1e-14


def test_closest_points_prove_the_distance():
    """Separated: the points half the gap to either side lie on the ellipsoids: no closer ones exist."""
    rng = np.random.default_rng(13)
    d, A, B = random_pairs(rng, min(COUNT, 2000))
    gap, n, point, _ = evaluate(d, A, B)
    apart = gap > 0.0
    on_a = point + 0.5 * gap[:, None] * n - d
    on_b = point - 0.5 * gap[:, None] * n
    level_a = np.einsum("ni,ni->n", on_a, np.linalg.solve(A, on_a[..., None])[..., 0])
    level_b = np.einsum("ni,ni->n", on_b, np.linalg.solve(B, on_b[..., None])[..., 0])
    assert apart.sum() > len(d) // 5
    assert np.abs(level_a[apart] - 1.0).max() < 1e-6
    assert np.abs(level_b[apart] - 1.0).max() < 1e-6


@pytest.mark.parametrize(
    ("first", "second", "offset", "gap"),
    [
        ((0.104, 0.084, 0.113), (0.76, 0.80, 0.11), (0.45, 0.3, -0.22), 0.0275),  # head, bonnet_main
        (
            (0.104, 0.084, 0.113),
            (0.54, 0.78, 0.08),
            (0.4, 0.0, -0.18),
            0.0119,
        ),  # head, roof_mid of openmbd_car.json
    ],
)
def test_false_contacts_of_openmbd(first, second, offset, gap):
    """What OpenMBD reports as deep contact is a gap, by brute force (docs/derivations.md, Differences from OpenMBD)."""
    result = ellipsoid_pair(offset, diagonal(*first), NEW, diagonal(*second), NEW, INFINITY)
    assert result[0] == pytest.approx(gap, abs=1e-4)


def test_spheres():
    """Closed form: gap |d| - r1 - r2 along d, also when they overlap."""
    rng = np.random.default_rng(14)
    for _ in range(200):
        d = rng.normal(size=3) * rng.choice([0.01, 0.3, 3.0])
        r1, r2 = rng.uniform(0.01, 1.0, 2)
        gap, n, point, _ = ellipsoid_pair(
            as_tuple(d), diagonal(r1, r1, r1), NEW, diagonal(r2, r2, r2), NEW, INFINITY
        )
        assert gap == pytest.approx(np.linalg.norm(d) - r1 - r2, abs=1e-14)
        assert n == pytest.approx(unit(d), abs=1e-7)
        assert point == pytest.approx((r2 + 0.5 * gap) * unit(d), abs=1e-7)


def test_concentric():
    """Leaving along the shortest way: for aligned axes the smallest sum; for spheres any direction."""
    gap, n, point, _ = ellipsoid_pair(NEW, diagonal(0.3, 0.1, 0.2), NEW, diagonal(0.1, 0.5, 0.05), NEW, 0.0)
    assert gap == pytest.approx(-0.25, abs=1e-12)
    assert np.abs(n) == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)
    gap, n, point, _ = ellipsoid_pair(NEW, diagonal(0.3, 0.3, 0.3), NEW, diagonal(0.1, 0.1, 0.1), NEW, 0.0)
    assert gap == pytest.approx(-0.4, abs=1e-14)
    assert np.linalg.norm(n) == pytest.approx(1.0)
    assert np.all(np.isfinite(point))


@pytest.mark.parametrize("thickness", [1e-3, 1e-6, 0.0])
def test_flat_ellipsoids_stay_sane(thickness):
    """A disc far thinner than aspect 20, down to none at all, over a ball: right gap, no nan, from any start."""
    disc = diagonal(1.0, 1.0, thickness)
    for start in (NEW, (1.0, 0.0, 0.0), (0.0, 0.6, -0.8), (0.0, 0.0, 1.0)):
        gap, n, _, _ = ellipsoid_pair((0.2, 0.1, 0.28), diagonal(0.3, 0.3, 0.3), NEW, disc, start, 0.0)
        assert gap == pytest.approx(-0.02 - thickness, abs=1e-3)
        assert n == pytest.approx((0.0, 0.0, 1.0), abs=0.05)


def passing(steps, start, end):
    """Points on the line from start to end."""
    return np.asarray(start) + np.linspace(0.0, 1.0, steps)[:, None] * (np.asarray(end) - np.asarray(start))


def test_head_pushed_through_a_bonnet():
    """The normal stays up while the head goes in, gives way once, and the head is free again below."""
    head, bonnet = diagonal(0.104, 0.084, 0.113), diagonal(0.76, 0.80, 0.11)
    normal, sides, ratios, gaps = NEW, [], [], []
    for offset in passing(600, (0.1, 0.05, 0.3), (0.1, 0.05, -0.3)):
        gap, normal, _, status = ellipsoid_pair(as_tuple(offset), head, NEW, bonnet, normal, 0.0)
        sides.append(normal[2] > 0.0)
        if status == SWITCHED:
            ratios.append(gap / gaps[-1])
        gaps.append(gap)
    assert len(ratios) == 1 and 0.45 < ratios[0] < 0.5  # it gives way to a side half as deep
    assert np.count_nonzero(np.diff(sides)) == 1
    assert 0.3 < np.argmin(sides) / len(sides) < 0.7
    assert gaps[0] > 0.0 and gaps[-1] > 0.0 and min(gaps) < -0.2


def test_tracked_contact_is_continuous_and_never_false():
    """Ellipsoids driven through each other: contact exactly while they overlap, and no jump that is not announced."""
    rng = np.random.default_rng(15)
    paths = 60 if IS_COMPILED else 4
    A, B = random_ellipsoids(rng, paths, 8.0, (0.1, 0.4)), random_ellipsoids(rng, paths, 8.0, (0.1, 0.4))
    for k in range(paths):
        a, b = as_tuple(six(A[k])), as_tuple(six(B[k]))
        start = unit(rng.normal(size=3))
        path = passing(800, start, -start + 0.2 * rng.normal(size=3))
        step = np.linalg.norm(path[1] - path[0])
        tracked, gap_before, switches = NEW, INFINITY, 0
        for offset in path:
            gap, tracked, _, status = ellipsoid_pair(as_tuple(offset), a, NEW, b, tracked, 0.0)
            true_gap = ellipsoid_pair(as_tuple(offset), a, NEW, b, NEW, INFINITY)[0]
            assert (gap > 0.0) == (true_gap > 0.0) or abs(true_gap) < 1e-12
            assert gap <= true_gap + 1e-12
            if gap < 0.0 and gap_before < 0.0:
                assert gap >= gap_before - step - 1e-12
                switches += status == SWITCHED
            gap_before = gap
        assert switches <= 2


def test_previous_normal_changes_nothing_for_separated_pairs():
    """The distance of separated ellipsoids has one maximum, whatever the start."""
    rng = np.random.default_rng(16)
    d, A, B = random_pairs(rng, min(COUNT, 1000))
    gap, n, _, _ = evaluate(d, A, B)
    apart = np.flatnonzero(gap > 1e-3)
    again, n_again, _, _ = evaluate(d[apart], A[apart], B[apart], unit(rng.normal(size=(len(apart), 3))))
    assert np.abs(again - gap[apart]).max() < 1e-12
    assert np.abs(n_again - n[apart]).max() < 1e-5


def test_swapping_the_ellipsoids_turns_the_normal():
    """Newton's third law starts here: same gap and point, opposite normal."""
    rng = np.random.default_rng(17)
    d, A, B = random_pairs(rng, 200)
    far = [i for i in range(200) if i % 8 >= 4]
    gap, n, point, _ = evaluate(d[far], A[far], B[far])
    back, m, other, _ = evaluate(-d[far], B[far], A[far])
    assert np.abs(gap - back).max() < 1e-13
    assert np.abs(n + m).max() < 1e-6
    assert np.abs(point - d[far] - other).max() < 1e-6


def test_rotated_frame():
    """Turning both ellipsoids turns the result."""
    rng = np.random.default_rng(18)
    axes = np.array([[0.3, 0.1, 0.05]])
    identity = np.eye(3)[None]
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    A, B = matrices(axes, identity), matrices(axes[:, ::-1], identity)
    d = np.array([[0.3, 0.1, 0.2]])
    gap, n, point, _ = evaluate(d, A, B)
    gap2, n2, point2, _ = evaluate(d @ turn.T, turn @ A @ turn.T, turn @ B @ turn.T)
    assert gap2 == pytest.approx(gap, abs=1e-14)
    assert n2 == pytest.approx(n @ turn.T, abs=1e-9)
    assert point2 == pytest.approx(point @ turn.T, abs=1e-9)
