"""Preparation of a mesh: welding, repair, diagnostics, bounds."""

import numpy as np
from obstacle_meshes import ball_mesh, box_mesh, floor_mesh, stair_mesh

from mannequin.engine.contact.geometry.mesh_tree import build_mesh_tree


def test_closed_box():
    """Every face has its own vertices; welded they are 8, with 12 convex edges of a right angle and 8 corners."""
    tree, report = build_mesh_tree(*box_mesh((0.5, 0.3, 0.2)))
    assert report.vertices_welded == 24 - 8
    assert report.is_closed and report.triangles_kept == 12
    assert len(tree.edges) == 12
    assert np.abs(tree.edges[:, 10]).max() < 1e-15 and np.all(tree.edges[:, 11] == 1.0)
    assert np.count_nonzero(tree.corners[:, 3]) == 8
    assert np.count_nonzero(tree.links[:, 1:4] >= 0) == 12


def test_straight_edges_have_no_corners():
    """Splitting the faces of a box makes more edge pieces, not more corners to touch."""
    tree, _ = build_mesh_tree(*box_mesh((0.5, 0.3, 0.2), 4))
    assert len(tree.edges) == 12 * 4
    assert np.count_nonzero(tree.corners[:, 3]) == 8


def test_stair_edges():
    """Only noses and borders can be touched: the corners between tread and riser are concave."""
    steps, strips = 5, 3
    tree, report = build_mesh_tree(*stair_mesh(steps, strips))
    is_nose = np.abs(tree.edges[:, 10]) < 1e-12
    assert np.count_nonzero(is_nose) == steps * strips
    assert len(tree.edges) - np.count_nonzero(is_nose) == report.boundary_edges == 2 * strips + 2 * 2 * steps


def test_bounds_enclose_their_triangles():
    """The root holds all vertices, children lie within their parents, leaves hold all their faces."""
    tree, _ = build_mesh_tree(*ball_mesh(0.7, 9))
    leaves, count = len(tree.nodes) // 2, len(tree.faces)
    low, high = tree.nodes[:, :3], tree.nodes[:, 3:6]
    for node in range(2, 2 * leaves):
        assert np.all(low[node] >= low[node // 2]) and np.all(high[node] <= high[node // 2])
    for leaf in range(leaves):
        faces = tree.faces[leaf * count // leaves : (leaf + 1) * count // leaves, 3:].reshape(-1, 3)
        assert np.array_equal(faces.min(axis=0), low[leaves + leaf])
        assert np.array_equal(faces.max(axis=0), high[leaves + leaf])
    assert sorted(tree.links[:, 0]) == list(range(count))


def test_soup_equals_indexed_mesh():
    """Triangles that share no vertex indices, slightly displaced, become the same mesh."""
    vertices, triangles = ball_mesh(0.5, 6)
    soup = vertices[triangles].reshape(-1, 3) + np.random.default_rng(1).uniform(
        -1e-8, 1e-8, (3 * len(triangles), 3)
    )
    _, report = build_mesh_tree(soup, np.arange(len(soup)).reshape(-1, 3))
    assert report.is_closed
    assert report.vertices_welded == len(soup) - len(vertices)


def test_degenerate_and_repeated_triangles_are_dropped():
    """Points, lines and copies go; what is left is the floor, without new borders."""
    vertices, triangles = floor_mesh(3)
    extra = np.array([[0, 0, 1], [2, 2, 2], [0, 1, 2], *triangles[:2], *triangles[2:4, [1, 2, 0]]])
    _, plain = build_mesh_tree(vertices, triangles)
    tree, report = build_mesh_tree(vertices, np.concatenate([triangles, extra]))
    assert report.degenerate_triangles == 3 and report.repeated_triangles == 4
    assert report.triangles_kept == len(triangles) == len(tree.faces)
    assert report.boundary_edges == plain.boundary_edges == 12


def test_wrong_winding_is_reported():
    """A turned triangle inside a floor disagrees with its three neighbours; the warning names the remedy."""
    vertices, triangles = floor_mesh(5)
    _, plain = build_mesh_tree(vertices, triangles)
    inner = next(k for k, t in enumerate(triangles) if np.abs(vertices[t, :2]).max() < 0.7)
    triangles[inner] = triangles[inner, ::-1]
    _, report = build_mesh_tree(vertices, triangles)
    assert plain.inconsistent_edges == 0 and report.inconsistent_edges == 3
    assert "normals" in report.warnings()[0]


def test_three_sheets_at_one_edge_are_reported():
    """A fin standing on a floor makes non-manifold edges, and they are not felt as edges."""
    vertices, triangles = floor_mesh(2)
    fin = np.concatenate([vertices, [[0.0, 0.0, 1.0]]])
    middle = int(np.flatnonzero((vertices == 0.0).all(axis=1))[0])
    right = int(np.flatnonzero((vertices == (1.0, 0.0, 0.0)).all(axis=1))[0])
    _, report = build_mesh_tree(fin, np.concatenate([triangles, [[middle, right, len(vertices)]]]))
    assert report.non_manifold_edges == 1
    assert len(report.warnings()) == 1


def test_a_mesh_without_area_has_no_tree():
    tree, report = build_mesh_tree(np.zeros((3, 3)), [[0, 1, 2]])
    assert tree is None and report.degenerate_triangles == 1


def test_same_bytes_every_time():
    """The tree does not depend on anything but the mesh."""
    mesh = ball_mesh(0.3, 9)
    for first, second in zip(build_mesh_tree(*mesh)[0], build_mesh_tree(*mesh)[0], strict=True):
        assert first.tobytes() == second.tobytes()
