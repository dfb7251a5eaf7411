"""Ellipsoid against triangle meshes: planes, stairs, boxes, rough ground, and distances to all triangles."""

import numpy as np
import pytest
from ellipsoid_oracles import as_tuple, random_ellipsoids, six, unit
from obstacle_meshes import ball_mesh, box_mesh, floor_mesh, stair_mesh

from mannequin.engine.contact.geometry import mesh_tree
from mannequin.engine.contact.geometry.ellipsoid_box import ellipsoid_box
from mannequin.engine.contact.geometry.ellipsoid_mesh import (
    MAX_CANDIDATES,
    MAX_CONTACTS,
    SAME_ANGLE,
    SAME_CAP,
    _corner_contact,
    mesh_contacts,
)
from mannequin.engine.contact.geometry.ellipsoid_plane import ellipsoid_plane
from mannequin.engine.contact.geometry.mesh_tree import build_mesh_tree
from mannequin.engine.jit.decorators import IS_COMPILED

COUNT = 400 if IS_COMPILED else 25
UP = (0.0, 0.0, 1.0)


def ball(r):
    return (r * r, r * r, r * r, 0.0, 0.0, 0.0)


def contacts(tree, c, A, margin=0.0):
    """Rows of gap, normal, point, feature."""
    out = np.full((MAX_CANDIDATES, 8), np.nan)
    count = mesh_contacts(tree, as_tuple(c), as_tuple(A), margin, out)
    assert count <= MAX_CONTACTS
    return out[:count]


def distances(point, vertices, triangles):
    """Distance of a point from every triangle, by the region it falls into (independent of the kernel)."""
    a, b, c = (vertices[triangles[:, j]] for j in range(3))
    best = np.full(len(triangles), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        along = q - p
        t = np.clip(((point - p) * along).sum(axis=1) / (along**2).sum(axis=1), 0.0, 1.0)
        best = np.minimum(best, np.linalg.norm(p + t[:, None] * along - point, axis=1))
    n = unit(np.cross(b - a, c - a))
    height = ((point - a) * n).sum(axis=1)
    foot = point - height[:, None] * n
    inside = np.ones(len(triangles), dtype=bool)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (np.cross(q - p, foot - p) * n).sum(axis=1) >= 0.0
    return np.where(inside, np.abs(height), best)


def on_floor_places(vertices, triangles, rng, count):
    """Points of a floor: anywhere, exactly over vertices, exactly over the middle of edges."""
    inner = np.abs(vertices[:, :2]).max(axis=1) < 0.6
    corners = vertices[inner][:, :2]
    sides = vertices[triangles[:, [0, 1]]].mean(axis=1)[:, :2]
    sides = sides[np.abs(sides).max(axis=1) < 0.6]
    anywhere = rng.uniform(-0.6, 0.6, (count, 2))
    return np.concatenate([corners[:count], sides[:count], anywhere])


@pytest.mark.parametrize("mesh", [floor_mesh(9), floor_mesh(9, seed=3)], ids=["regular", "irregular"])
def test_floor_is_the_plane_everywhere(mesh):
    """One contact, equal to the plane's to round-off, also when the support point is over an inner vertex or edge."""
    rng = np.random.default_rng(31)
    tree, report = build_mesh_tree(*mesh)
    assert report.warnings() == []
    places = on_floor_places(*mesh, rng, COUNT)
    matrices = six(random_ellipsoids(rng, len(places), 6.0, (0.05, 0.3)))
    for place, A in zip(places, matrices, strict=True):
        top = np.sqrt(A[2])
        c = (place[0] + A[4] / top, place[1] + A[5] / top, top - rng.uniform(0.0, 0.9) * top)
        gap, point = ellipsoid_plane(as_tuple(c), as_tuple(A), (0.0, 0.0, 0.0), UP)
        found = contacts(tree, c, A)
        assert len(found) == 1
        assert found[0, 0] == pytest.approx(gap, abs=1e-15)
        assert found[0, 1:4] == pytest.approx(UP, abs=1e-15)
        assert found[0, 4:7] == pytest.approx(point, abs=1e-15)


def test_tilted_floor_and_margin():
    """A turned floor gives its plane's gap; with a margin the gap is reported while it is positive."""
    rng = np.random.default_rng(32)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    vertices, triangles = floor_mesh(6, seed=4)
    tree, _ = build_mesh_tree(vertices @ turn.T, triangles)
    for A in six(random_ellipsoids(rng, COUNT, 6.0, (0.05, 0.2))):
        c = turn @ np.array([*rng.uniform(-0.3, 0.3, 2), rng.uniform(0.05, 0.3)])
        gap, point = ellipsoid_plane(as_tuple(c), as_tuple(A), (0.0, 0.0, 0.0), as_tuple(turn[:, 2]))
        found = contacts(tree, c, A, margin=0.05)
        assert len(found) == (1 if gap <= 0.05 else 0)
        if len(found):
            assert found[0, 0] == pytest.approx(gap, abs=1e-14)
            assert found[0, 1:4] == pytest.approx(turn[:, 2], abs=1e-14)
            assert found[0, 4:7] == pytest.approx(point, abs=1e-14)


def test_floor_stored_in_single_precision():
    """Heights off by rounding to 32 bits: one contact, no edge felt, normal and gap those of the plane within that."""
    rng = np.random.default_rng(33)
    noise = rng.uniform(-1e-7, 1e-7, 21 * 21)
    vertices, triangles = floor_mesh(20)
    vertices[:, 2] = noise
    tree, _ = build_mesh_tree(vertices, triangles)
    for A in six(random_ellipsoids(rng, COUNT, 6.0, (0.05, 0.3))):
        found = contacts(tree, (*rng.uniform(-0.4, 0.4, 2), np.sqrt(A[2]) - 0.005), A)
        assert len(found) == 1
        assert found[0, 0] == pytest.approx(-0.005, abs=1e-6)
        assert found[0, 1:4] == pytest.approx(UP, abs=1e-4)


def test_floor_with_cracks_and_junctions():
    """Two halves split differently, not sharing their border vertices: still one contact, that of the plane."""
    left, left_triangles = floor_mesh(4)
    right, right_triangles = floor_mesh(7)
    left, right = left * (0.5, 1.0, 1.0) - (0.5, 0.0, 0.0), right * (0.5, 1.0, 1.0) + (0.5, 0.0, 0.0)
    vertices = np.concatenate([left, right])
    tree, report = build_mesh_tree(vertices, np.concatenate([left_triangles, right_triangles + len(left)]))
    assert report.boundary_edges > 0
    rng = np.random.default_rng(34)
    for A in six(random_ellipsoids(rng, COUNT, 4.0, (0.05, 0.3))):
        depth = rng.uniform(0.0, 0.8) * np.sqrt(A[2])
        found = contacts(tree, (rng.uniform(-0.1, 0.1), rng.uniform(-0.5, 0.5), np.sqrt(A[2]) - depth), A)
        assert len(found) == 1
        assert found[0, 0] == pytest.approx(-depth, abs=1e-15)


def test_corner_of_a_stair_has_two_contacts():
    """In the corner of tread and riser: both planes, and nothing from the concave edge between them."""
    tree, _ = build_mesh_tree(*stair_mesh(5, 6))
    rng = np.random.default_rng(35)
    for A in six(random_ellipsoids(rng, COUNT, 2.0, (0.06, 0.1))):
        c = (0.28 - np.sqrt(A[0]) + 0.002, rng.uniform(-0.3, 0.3), 0.17 + np.sqrt(A[2]) - 0.003)
        found = contacts(tree, c, A)
        assert len(found) == 2
        assert found[:, 0] == pytest.approx([-0.003, -0.002], abs=1e-14)
        assert found[0, 1:4] == pytest.approx(UP, abs=1e-14)
        assert found[1, 1:4] == pytest.approx((-1.0, 0.0, 0.0), abs=1e-14)


def test_nose_of_a_stair():
    """A ball rolling off the tread over the nose: height over the edge line, normal from the edge to the centre."""
    tree, _ = build_mesh_tree(*stair_mesh(5, 6))
    nose, r = np.array([0.28, 0.34]), 0.1
    for angle in np.linspace(0.0, 0.5 * np.pi, 40):
        away = np.array([-np.sin(angle), np.cos(angle)])
        x, z = nose + (r - 0.004) * away
        found = contacts(tree, (x, 0.013, z), ball(r))
        nearest = found[np.argmax(found[:, 1:4] @ (away[0], 0.0, away[1]))]
        assert nearest[0] == pytest.approx(-0.004, abs=1e-12)
        assert nearest[1:4] == pytest.approx((away[0], 0.0, away[1]), abs=1e-6)
        assert nearest[4:7] == pytest.approx((x - r * away[0], 0.013, z - r * away[1]), abs=1e-6)


def test_two_noses_bear_a_long_ellipsoid():
    """Lying down the stair it rests on two noses: two contacts of similar normals, not one."""
    tree, _ = build_mesh_tree(*stair_mesh(6, 4))
    slope = np.arctan2(0.17, 0.28)
    along, normal = (
        np.array([np.cos(slope), 0.0, np.sin(slope)]),
        np.array([-np.sin(slope), 0.0, np.cos(slope)]),
    )
    R = np.stack([along, (0.0, 1.0, 0.0), normal], axis=1)
    A = six(R @ np.diag(np.array([0.35, 0.07, 0.06]) ** 2) @ R.T)
    middle = 0.5 * (np.array([0.56, 0.1, 0.51]) + np.array([0.84, 0.1, 0.68]))
    apart = 0.5 * np.hypot(0.28, 0.17)
    height = 0.06 * np.sqrt(1.0 - (apart / 0.35) ** 2) - 0.003
    found = contacts(tree, middle + height * normal, A)
    assert len(found) == 2
    assert found[0, 0] == pytest.approx(found[1, 0], abs=1e-12)
    assert found[0, 1:4] @ found[1, 1:4] > np.cos(SAME_ANGLE)


def test_corners_count_only_within_their_cone():
    """Of a ball that covers a corner of a box: felt there from outside all three faces, not from over one of them."""
    tree, _ = build_mesh_tree(*box_mesh((0.5, 0.3, 0.2)))
    corner = int(np.flatnonzero(np.abs(tree.corners[:, :3] - (0.5, 0.3, 0.2)).max(axis=1) < 1e-12)[0])
    for offset, is_felt in (
        ((0.03, 0.02, 0.05), True),
        ((-0.01, 0.02, 0.05), False),
        ((-0.01, -0.02, 0.05), False),
    ):
        c = as_tuple(np.array((0.5, 0.3, 0.2)) + offset)
        gap, n = _corner_contact(tree.corners, corner, c, ball(0.1), 0.0)
        assert (gap < 0.0) == is_felt
        if is_felt:
            assert gap == pytest.approx(np.linalg.norm(offset) - 0.1, abs=1e-14)
            assert n == pytest.approx(unit(np.array(offset)), abs=1e-9)


@pytest.mark.parametrize("cells", [1, 5])
def test_closed_box_is_the_box(cells):
    """Balls and ellipsoids on faces, edges and corners of a box mesh: the gap and normal of `ellipsoid_box`."""
    half = np.array([0.5, 0.3, 0.2])
    tree, report = build_mesh_tree(*box_mesh(half, cells))
    assert report.is_closed
    rng = np.random.default_rng(36)
    kinds = np.zeros(3, dtype=int)
    for k in range(max(COUNT, 60)):
        aspect = 1.0 if k % 2 else 1.5
        A = six(random_ellipsoids(rng, 1, aspect, (0.05, 0.15)))[0]
        c = half * rng.uniform(-1.2, 1.2, 3)
        c[k % 3] = 1.0
        for _ in range(40):  # walk in until the gap is small, along the normal
            gap, n, point, _ = ellipsoid_box(
                as_tuple(c), as_tuple(A), as_tuple(half), (0.0, 0.0, 0.0), np.inf
            )
            c = c - (gap + 0.004) * np.array(n)
        found = contacts(tree, c, A)
        assert len(found) == 1
        assert found[0, 0] == pytest.approx(gap, abs=1e-11)
        assert found[0, 1:4] == pytest.approx(n, abs=1e-6)
        assert found[0, 4:7] == pytest.approx(point, abs=1e-6)
        kinds[np.count_nonzero(np.abs(n) > 1e-6) - 1] += 1
    assert np.all(kinds > 0)  # faces, edges and corners all occurred


def test_distance_of_a_ball_from_a_rough_surface():
    """Balls above rough ground: the gap is the distance to the nearest of all triangles minus the radius."""
    rng = np.random.default_rng(37)
    mesh = floor_mesh(16, height=lambda x, y: 0.1 * np.sin(4.0 * x) + rng.normal(size=x.shape) * 0.02, seed=5)
    tree, _ = build_mesh_tree(*mesh)
    for _ in range(COUNT):
        c = np.array([*rng.uniform(-0.8, 0.8, 2), rng.uniform(0.2, 0.4)])
        radius = rng.uniform(0.02, 0.2)
        gap = distances(c, *mesh).min() - radius
        found = contacts(tree, c, ball(radius), margin=0.1)
        assert (len(found) > 0) == (gap <= 0.1)
        if len(found):
            assert found[0, 0] == pytest.approx(gap, abs=1e-12)


def test_touching_is_decided_rightly_for_ellipsoids():
    """Contact exactly when some triangle enters the ellipsoid: the space is squeezed so that it becomes a unit ball."""
    rng = np.random.default_rng(38)
    mesh = ball_mesh(0.4, 10)
    tree, _ = build_mesh_tree(*mesh)
    touching = 0
    for A in random_ellipsoids(rng, COUNT, 5.0, (0.1, 0.4)):
        n = unit(rng.normal(size=3))
        c = n * (0.4 + rng.uniform(0.7, 1.1) * np.sqrt(n @ A @ n))
        squeeze = np.linalg.inv(np.linalg.cholesky(A))
        reach = distances(squeeze @ c, mesh[0] @ squeeze.T, mesh[1]).min()
        found = contacts(tree, c, six(A))
        assert (len(found) > 0) == (reach < 1.0) or abs(reach - 1.0) < 1e-9
        touching += len(found) > 0
    assert COUNT // 5 < touching < COUNT


def test_ball_rolling_over_a_convex_mesh_is_continuous():
    """Gap and normal change little from step to step over faces, edges and corners."""
    tree, _ = build_mesh_tree(*ball_mesh(0.4, 8))
    angles = np.linspace(0.3, 2.8, 1500)
    path = 0.49 * np.stack(
        [np.sin(angles) * np.cos(0.7), np.sin(angles) * np.sin(0.7), np.cos(angles)], axis=1
    )
    rows = np.array([contacts(tree, c, ball(0.1), margin=0.05)[0] for c in path])
    step = 0.49 * (angles[1] - angles[0])
    assert np.abs(np.diff(rows[:, 0])).max() <= step
    assert np.linalg.norm(np.diff(rows[:, 1:4], axis=0), axis=1).max() < 2.0 * step / 0.1


def test_tree_equals_all_triangles(monkeypatch):
    """The same contacts, in the same order, as from a tree of a single leaf."""
    rng = np.random.default_rng(39)
    mesh = floor_mesh(20, height=lambda x, y: 0.15 * np.sin(5.0 * x) * np.cos(3.0 * y), seed=6)
    tree, _ = build_mesh_tree(*mesh)
    monkeypatch.setattr(mesh_tree, "LEAF_SIZE", 10**6)
    single, _ = build_mesh_tree(*mesh)
    assert len(single.nodes) == 2 and len(tree.nodes) > 100
    several = 0
    for A in six(random_ellipsoids(rng, max(COUNT, 100), 8.0, (0.05, 0.4))):
        c = (*rng.uniform(-0.9, 0.9, 2), rng.uniform(-0.1, 0.2))
        found, expected = contacts(tree, c, A, 0.01), contacts(single, c, A, 0.01)
        assert np.array_equal(found[:, (0, 7)], expected[:, (0, 7)])
        several += len(found) > 1
    assert several > 0


def test_rough_ground_counts_an_overlap_once():
    """On noisy ground with hundreds of triangles touched, no two contacts repeat the same overlap."""
    rng = np.random.default_rng(40)
    mesh = floor_mesh(100, height=lambda x, y: rng.normal(size=x.shape) * 0.001)
    tree, _ = build_mesh_tree(*mesh)
    counts = []
    for A in six(random_ellipsoids(rng, COUNT // 4, 3.0, (0.1, 0.3))):
        found = contacts(tree, (*rng.uniform(-0.5, 0.5, 2), np.sqrt(A[2]) - 0.006), A)
        counts.append(len(found))
        surface = found[:, 4:7] - found[:, :1] * found[:, 1:4]
        for i in range(len(found)):
            for j in range(i + 1, len(found)):
                rise = found[i, 1:4] @ (surface[j] - surface[i])
                assert found[i, 1:4] @ found[j, 1:4] < np.cos(SAME_ANGLE) or rise > -SAME_CAP * found[i, 0]
    assert min(counts) == 1 and np.mean(counts) < 1.2


def test_only_the_front_side_is_felt():
    """From behind nothing, until the centre is through; from the front to a depth of half the width."""
    tree, _ = build_mesh_tree(*floor_mesh(4))
    for z, count in ((-0.05, 0), (-1e-6, 0), (1e-6, 1), (0.05, 1), (0.0999, 1), (0.1001, 0)):
        assert len(contacts(tree, (0.1, 0.05, z), ball(0.1))) == count


def test_edge_of_a_table():
    """The border of an open sheet bears: a ball beyond it touches the edge, down past the side as well."""
    tree, _ = build_mesh_tree(*floor_mesh(4))
    for angle in np.linspace(0.05, 3.0, 30):
        away = np.array([np.sin(angle), 0.0, np.cos(angle)])
        found = contacts(tree, (1.0, 0.1, 0.0) + 0.095 * away, ball(0.1))
        assert len(found) == 1
        assert found[0, 0] == pytest.approx(-0.005, abs=1e-12)
        assert found[0, 1:4] == pytest.approx(away, abs=1e-6)


def test_hundred_thousand_triangles():
    """A large floor is the plane, and its tree finds the contact far from the root."""
    vertices, triangles = floor_mesh(224, size=20.0)
    tree, report = build_mesh_tree(vertices, triangles)
    assert report.triangles_kept == 100_352
    A = np.array([0.04, 0.01, 0.0225, 0.005, 0.01, -0.004])
    for place in np.random.default_rng(41).uniform(-19.0, 19.0, (50, 2)):
        c = (*place, 0.14)
        found = contacts(tree, c, A)
        assert len(found) == 1
        assert found[0, 0] == pytest.approx(
            ellipsoid_plane(c, as_tuple(A), (0.0, 0.0, 0.0), UP)[0], abs=1e-14
        )
