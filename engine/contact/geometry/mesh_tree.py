"""Static triangle mesh with a bounding-volume tree, prepared once for `ellipsoid_mesh`.

Vertices are welded, degenerate and repeated triangles dropped, and the rest sorted into a balanced tree of median
splits. Edges and vertices at which a mesh can be touched are worked out here, so that the kernel need not ask: a convex
edge, with the arc of normals between its two faces, or an open boundary; and the vertices where such edges meet. Flat
and concave edges are none, which is what keeps a body from catching on the inner edges of a floor.
"""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...maths.rotations import atan2_of

LEAF_SIZE = 2
FLAT_ANGLE = 1e-6
"""Edges bent by less (rad) count as flat."""
MAX_GRID = 1 << 20
"""Welding rounds coordinates to this many steps across the mesh at most."""

MeshTree = namedtuple(
    "MeshTree",
    [
        # (2 leaves, 11) bounding box min xyz, max xyz (m); 1 if the node is flat: its triangles lie in one plane and
        # have no edges or corners to touch; that plane's unit normal and its distance from the origin. Root is row 1,
        # children of row i are 2 i and 2 i + 1; leaf k is row leaves + k and holds faces k m // leaves to
        # (k + 1) m // leaves.
        "nodes",
        "faces",  # (m, 12) unit outward normal, three corners (m)
        "links",  # (m, 7) index of the triangle as given; row in `edges` of its sides to be tested with it, or -1 (side
        #           j runs from corner j to j + 1); row in `corners` of its corners to be tested with it, or -1
        "edges",  # (e, 13) normal n1 of the owning face, unit vector out of that face across the edge, start (m),
        #           length (m), cos and sin of the angle by which the edge's normals turn from n1 to the second vector,
        #           and this angle (rad) as it follows from cos and sin
        "corners",  # (k, 4) a row per corner: position (m), number of rows that follow for it, each a unit vector
        #             along one of the mesh's edges that leave it, and 0
    ],
)


@dataclass
class MeshDiagnostics:
    """What was found and repaired while the tree was built."""

    triangles_given: int = 0
    triangles_kept: int = 0
    vertices_welded: int = 0
    degenerate_triangles: int = 0
    repeated_triangles: int = 0
    boundary_edges: int = 0
    non_manifold_edges: int = 0
    inconsistent_edges: int = 0

    @property
    def is_closed(self) -> bool:
        """Whether every edge joins exactly two triangles of the same winding."""
        return self.boundary_edges == self.non_manifold_edges == self.inconsistent_edges == 0

    def warnings(self) -> list[str]:
        """One sentence, with the remedy, for each finding that changes what a body feels."""
        found = []
        if self.inconsistent_edges:
            found.append(
                f"{self.inconsistent_edges} edges join triangles of opposite winding: only front sides are felt, "
                "so recalculate the normals to point outside"
            )
        if self.non_manifold_edges:
            found.append(
                f"{self.non_manifold_edges} edges join more than two triangles: they are felt as faces only, "
                "so separate the parts if their edges matter"
            )
        return found


def build_mesh_tree(
    vertices: ArrayLike, triangles: ArrayLike, weld: float = 1e-6
) -> tuple[MeshTree | None, MeshDiagnostics]:
    """Prepare a mesh: (n, 3) metres, (m, 3) vertex indices counter-clockwise seen from outside.

    Vertices closer than `weld` metres (at least a millionth of the mesh's size) become one. None where the mesh has no
    area: every triangle is a line or a point.
    """
    points, corners = np.array(vertices, dtype=np.float64), np.array(triangles, dtype=np.int64)
    report = MeshDiagnostics(triangles_given=len(corners))
    points, corners = _welded(points, corners, weld, report)
    corners, source, normals = _proper_triangles(points, corners, report)
    if len(corners) == 0:
        return None, report
    order, leaf_count = _leaf_order(points, corners)
    corners, source, normals = corners[order], source[order], normals[order]
    side_edge, edges, edge_ends, keys = _edges(points, corners, normals, source, report)
    corner_rows, corner_table = _corners(points, corners, source, edge_ends, keys)
    links = np.concatenate([source[:, None], side_edge, corner_rows], axis=1)
    faces = np.concatenate([normals, points[corners].reshape(-1, 9)], axis=1)
    tree = MeshTree(_nodes(faces, links, leaf_count), faces, links, edges, corner_table)
    return tree, report


def _welded(points, corners, weld, report) -> tuple[np.ndarray, np.ndarray]:
    """Merge vertices of one grid cell, then of the grid shifted by half, which catches pairs on a border."""
    used = np.unique(corners)
    report.vertices_welded = len(used)
    low = points[used].min(axis=0)
    step = max(weld, float((points[used].max(axis=0) - low).max()) / (MAX_GRID - 2), 1e-300)
    corners = np.searchsorted(used, corners)
    points = points[used]
    for shift in (0.0, 0.5):
        cells = np.floor((points - low) / step + shift).astype(np.int64)
        keys = (cells[:, 0] * MAX_GRID + cells[:, 1]) * MAX_GRID + cells[:, 2]
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        points = points[first]
        corners = group.reshape(-1)[corners]
    report.vertices_welded -= len(points)
    return np.ascontiguousarray(points), corners


def _proper_triangles(points, corners, report) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Drop triangles thinner than a billionth of their length and repeated ones: corners, source indices, normals."""
    a, b, c = (points[corners[:, j]] for j in range(3))
    area = np.cross(b - a, c - a)
    size = np.linalg.norm(area, axis=1)
    longest = np.maximum.reduce([((p - q) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))])
    proper = np.flatnonzero(size > 1e-9 * longest)
    report.degenerate_triangles = len(corners) - len(proper)
    turn = np.argmin(corners[proper], axis=1)
    turned = corners[proper][np.arange(len(proper))[:, None], (turn[:, None] + np.arange(3)) % 3]
    by_corners = np.lexsort(turned.T)
    is_repeat = np.zeros(len(proper), dtype=bool)
    is_repeat[by_corners[1:]] = (turned[by_corners[1:]] == turned[by_corners[:-1]]).all(axis=1)
    kept = proper[~is_repeat]
    report.repeated_triangles = int(is_repeat.sum())
    report.triangles_kept = len(kept)
    return corners[kept], kept, area[kept] / size[kept, None]


def _leaf_order(points, corners) -> tuple[np.ndarray, int]:
    """Order of the triangles in a balanced tree, and its number of leaves, a power of two.

    Level by level every node is split at the median of its triangles' centres along its longest extent, all nodes of a
    level in one sort: the key is the node number plus the coordinate mapped to [0, 1).
    """
    count = len(corners)
    depth = max(0, int(np.ceil(np.log2(count / LEAF_SIZE))))
    centres = points[corners].mean(axis=1)
    order = np.arange(count)
    for level in range(depth):
        start = (np.arange(1 << level) * count) >> level
        placed = centres[order]
        low = np.minimum.reduceat(placed, start)
        extent = np.maximum.reduceat(placed, start) - low
        axis = np.argmax(extent, axis=1)
        node = np.repeat(np.arange(1 << level), np.diff(np.append(start, count)))
        width = extent[np.arange(1 << level), axis]
        along = placed[np.arange(count), axis[node]] - low[node, axis[node]]
        key = node + 0.999 * along / np.where(width > 0.0, width, 1.0)[node]
        order = order[np.argsort(key, kind="stable")]
    return order, 1 << depth


def _nodes(faces, links, leaf_count) -> np.ndarray:
    """Rows of `MeshTree.nodes`, from the leaves up.

    A node is flat when its faces' normals differ by less than FLAT_ANGLE and their planes by that share of its size.
    """
    start = (np.arange(leaf_count) * len(faces)) // leaf_count
    boxes = faces[:, 3:].reshape(-1, 3, 3)
    has_edges = (links[:, 1:] >= 0).any(axis=1).astype(float)[:, None]
    planes = np.column_stack([faces[:, :3], (faces[:, :3] * faces[:, 3:6]).sum(axis=1)])
    low = np.concatenate([boxes.min(axis=1), planes], axis=1)
    high = np.concatenate([boxes.max(axis=1), planes, has_edges], axis=1)
    lows = [np.minimum.reduceat(low, start)]
    highs = [np.maximum.reduceat(high, start)]
    while len(lows[-1]) > 1:
        lows.append(np.minimum(lows[-1][0::2], lows[-1][1::2]))
        highs.append(np.maximum(highs[-1][0::2], highs[-1][1::2]))
    low = np.concatenate([lows[-1], *lows[::-1]])  # row 0 is not used
    high = np.concatenate([highs[-1], *highs[::-1]])
    size = np.linalg.norm(high[:, :3] - low[:, :3], axis=1)
    is_flat = ((high[:, 3:6] - low[:, 3:6]).max(axis=1) < FLAT_ANGLE) & (high[:, 7] == 0.0)
    is_flat &= high[:, 6] - low[:, 6] < FLAT_ANGLE * size
    plane = 0.5 * (low[:, 3:7] + high[:, 3:7])
    return np.concatenate([low[:, :3], high[:, :3], is_flat.astype(float)[:, None], plane], axis=1)


def _edges(points, corners, normals, source, report):
    """Row in `edges` of each triangle side or -1, `MeshTree.edges`, their vertices, and the keys of all edges.

    Each edge that two triangles share in opposite directions belongs to the first of them as given and counts when it
    is convex. A side without partner, or with one of the wrong winding, is an open boundary: its normals reach half a
    turn, so that what slides down past a table's edge does not lose it. Edges of more than two triangles are left out.
    """
    count = len(points)
    tails = corners.reshape(-1)
    heads = corners[:, (1, 2, 0)].reshape(-1)
    keys = np.minimum(tails, heads) * count + np.maximum(tails, heads)
    order = np.lexsort((np.repeat(source, 3), keys))
    unique, first, uses = np.unique(keys[order], return_index=True, return_counts=True)
    one = order[first[uses == 1]]
    left, right = order[first[uses == 2]], order[first[uses == 2] + 1]
    is_opposite = tails[left] == heads[right]
    clash = np.concatenate([left[~is_opposite], right[~is_opposite]])
    left, right = left[is_opposite], right[is_opposite]
    report.boundary_edges = len(one)
    report.non_manifold_edges = int((uses > 2).sum())
    report.inconsistent_edges = len(clash) // 2

    def side_of(use):
        along = points[heads[use]] - points[tails[use]]
        return _unit(np.cross(along, normals[use // 3]))

    other = normals[right // 3]
    angle = atan2_of((other * side_of(left)).sum(axis=1), (other * normals[left // 3]).sum(axis=1))
    is_convex = angle > FLAT_ANGLE
    owner = np.concatenate([left[is_convex], one, clash])
    angles = np.concatenate([angle[is_convex], np.full(len(one) + len(clash), np.pi)])
    side_edge = np.full(len(tails), -1, dtype=np.int64)
    side_edge[owner] = np.arange(len(owner))
    ends = np.stack([tails[owner], heads[owner]], axis=1)
    length = np.linalg.norm(points[ends[:, 1]] - points[ends[:, 0]], axis=1)
    cosine, sine = np.cos(angles), np.sin(angles)
    turn = np.stack([length, cosine, sine, atan2_of(sine, cosine)], axis=1)
    edges = np.concatenate([normals[owner // 3], side_of(owner), points[ends[:, 0]], turn], axis=1)
    return side_edge.reshape(-1, 3), edges, ends, unique


def _corners(points, corners, source, edge_ends, keys):
    """Row in `corners` of each triangle's corners or -1, and `MeshTree.corners`.

    A vertex can be touched on its own only where at least two touchable edges meet and do not run straight on. It is
    tested with the first triangle as given that has it.
    """
    count = len(points)
    edge_keys = np.unique(edge_ends.min(axis=1) * count + edge_ends.max(axis=1))
    low, high = edge_keys // count, edge_keys % count
    along = _unit(points[high] - points[low])
    meeting = np.bincount(low, minlength=count) + np.bincount(high, minlength=count)
    balance = np.stack(
        [np.bincount(low, along[:, i], count) - np.bincount(high, along[:, i], count) for i in range(3)],
        axis=1,
    )
    is_straight = (meeting == 2) & (np.linalg.norm(balance, axis=1) < FLAT_ANGLE)
    is_touchable = (meeting >= 2) & ~is_straight
    ends = np.concatenate([keys // count, keys % count])
    others = np.concatenate([keys % count, keys // count])[is_touchable[ends]]
    ends = ends[is_touchable[ends]]
    order = np.argsort(ends, kind="stable")
    ends, others = ends[order], others[order]

    rays = np.bincount(ends, minlength=count)
    rows = np.where(is_touchable, 1 + rays, 0)
    row = np.cumsum(rows) - rows
    table = np.zeros((int(rows.sum()), 4))
    table[row[is_touchable]] = np.column_stack([points, rays])[is_touchable]
    is_ray = np.ones(len(table), dtype=bool)
    is_ray[row[is_touchable]] = False
    table[is_ray, :3] = _unit(points[others] - points[ends])

    flat = corners.reshape(-1)
    by_source = (3 * np.argsort(source)[:, None] + np.arange(3)).reshape(-1)
    _, first = np.unique(flat[by_source], return_index=True)
    first = by_source[first]
    corner_rows = np.full(len(flat), -1, dtype=np.int64)
    corner_rows[first] = np.where(is_touchable, row, -1)[flat[first]]
    return corner_rows.reshape(-1, 3), table


def _unit(vectors) -> np.ndarray:
    """Rows divided by their lengths."""
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]
