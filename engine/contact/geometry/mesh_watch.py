"""Features of a mesh that an ellipsoid can touch soon: found once, asked for many steps.

`mesh_contacts` looks at every triangle within the margin of the ellipsoid, and most of the work goes into features that
turn out not to be touched: the support point lies beside the face, the best normal lies outside the arc of an edge or
the cone of a corner. Here those features are kept that may pass all tests of `mesh_contacts` before the ellipsoid has
moved by `spare` in the frame of the mesh. While it has not, the contacts of the kept features are those of the mesh.

Motion is |dc| + phi lever, with dc the way of the centre and phi the angle turned. For a fixed normal n the support
point u(n) moves by at most that much when the lever is the longest semi-axis plus the largest radius of curvature (u is
the normal's map to the surface, whose stretch is that radius). Derivation: docs/derivations.md, Watched features.
"""

from math import sqrt

from ...jit.decorators import compiled
from ...maths.vector import add, add_scaled, cross, dot, load3, norm, scale, sub, sym_vec
from .ellipsoid_mesh import (
    SLACK_SHARE,
    add_triangle_contacts,
    arc,
    distinct_contacts,
    is_apart,
    is_inside,
    lies_along_a_ray,
    overlaps,
    row3,
)
from .ellipsoid_pair import TINY, adjugate, climb

MAX_WATCHED = 48
"""Triangles that are kept for one ellipsoid and one mesh; with more the whole mesh is asked."""
TOO_MANY = -1
FACE_BIT, EDGE_BIT, CORNER_BIT = 1, 2, 16
"""Of a triangle's features: its face, its first edge and corner (the next ones are twice and four times that)."""


@compiled
def turning_lever(A, longest, margin):
    """m: what a turn of the ellipsoid by 1 rad moves its support points and the corners near it by at most.

    longest: the longest semi-axis. The shortest is not below sqrt(1 / |A^-1|), with the Frobenius norm.
    """
    C = adjugate(A)
    determinant = max(A[0] * C[0] + A[3] * C[3] + A[4] * C[4], TINY)
    square = C[0] * C[0] + C[1] * C[1] + C[2] * C[2] + 2.0 * (C[3] * C[3] + C[4] * C[4] + C[5] * C[5])
    shortest = sqrt(determinant / sqrt(max(square, TINY)))
    return longest + max(longest * longest / max(shortest, TINY), margin)


@compiled
def watch_features(tree, c, A, margin, spare, lever, kept):
    """Number of triangles written to `kept`, or TOO_MANY; mesh frame, m.

    A row of `kept` is 128 times the triangle's row in the tree plus its features' bits, in the order of the tree.
    """
    nodes = tree.nodes
    leaves = len(nodes) // 2
    face_count = len(tree.faces)
    far = margin + spare
    reach = (sqrt(max(A[0], 0.0)) + far, sqrt(max(A[1], 0.0)) + far, sqrt(max(A[2], 0.0)) + far)
    low = sub(c, reach)
    high = add(c, reach)
    C = adjugate(A)
    determinant = max(A[0] * C[0] + A[3] * C[3] + A[4] * C[4], 0.0)
    size = sqrt(A[0] + A[1] + A[2])
    count = 0
    node = 1
    while node > 0:
        if overlaps(nodes, node, low, high) and not is_apart(
            load3(nodes, node), row3(nodes, node, 3), c, C, determinant, far
        ):
            if node < leaves:
                node = 2 * node
                continue
            leaf = node - leaves
            for k in range(leaf * face_count // leaves, (leaf + 1) * face_count // leaves):
                bits = _features(tree, k, c, A, margin, size, spare, lever)
                if bits != 0:
                    if count == len(kept):
                        return TOO_MANY
                    kept[count] = 128 * k + bits
                    count += 1
        while node % 2 == 1:
            node //= 2
        if node > 0:
            node += 1
    return count


@compiled
def watched_contacts(tree, kept, watched, c, A, margin, out):
    """`mesh_contacts` of the first `watched` triangles in `kept`."""
    size = sqrt(A[0] + A[1] + A[2])
    count = 0
    for i in range(watched):
        count = add_triangle_contacts(tree, kept[i] // 128, kept[i] % 128, c, A, margin, size, count, out)
    if count < 2:
        return count
    return distinct_contacts(size, margin, count, out)


@compiled
def _features(tree, k, c, A, margin, size, spare, lever):
    """Bits of the features of triangle k that may be touched before the ellipsoid has moved by `spare`."""
    n = load3(tree.faces, k)
    a_n = sym_vec(A, n)
    half_width = sqrt(max(dot(n, a_n), TINY))
    height = dot(n, sub(c, row3(tree.faces, k, 3)))
    if height - half_width > margin + spare:
        return 0
    bits = 0
    slack = SLACK_SHARE * size
    point = add_scaled(c, -1.0 / half_width, a_n)
    if height > -spare and is_inside(tree.faces, k, n, point, slack + spare):
        bits = FACE_BIT
    for j in range(3):
        edge = tree.links[k, 1 + j]
        if edge >= 0 and _may_touch_edge(tree.edges, edge, c, A, a_n, half_width, slack, spare):
            bits |= EDGE_BIT << j
        corner = tree.links[k, 4 + j]
        if corner >= 0 and _may_touch_corner(tree.corners, corner, c, A, margin, spare, lever):
            bits |= CORNER_BIT << j
    return bits


@compiled
def _may_touch_edge(edges, e, c, A, a_n, half_width, slack, spare):
    """Whether the support points of both faces lie beyond the edge, and some support point between them along it, each
    to within `spare`: conditions of `ellipsoid_mesh._edge_contact`, in its terms."""
    side = row3(edges, e, 3)
    d = sub(c, row3(edges, e, 6))
    y = dot(side, d)
    Q = dot(side, a_n)
    if y - Q / half_width <= -spare:
        return False
    n1 = load3(edges, e)
    x = dot(n1, d)
    P = dot(n1, a_n)
    a_side = sym_vec(A, side)
    R = dot(side, a_side)
    if arc(float(edges[e, 10]), float(edges[e, 11]), x, y, P, Q, R)[1] >= spare:
        return False
    along = cross(n1, side)
    start = dot(along, d)
    u = dot(along, a_n)
    v = dot(along, a_side)
    swing = sqrt(max((u * u * R - 2.0 * u * v * Q + v * v * P) / max(P * R - Q * Q, TINY), 0.0)) + 2.0 * slack
    return start + swing >= -spare and start - swing <= edges[e, 9] + spare


@compiled
def _may_touch_corner(corners, corner, c, A, margin, spare, lever):
    """Whether the corner's normal may lean away from all its edges. Outside the ellipsoid the vector from its nearest
    point to the corner, s n, moves no farther than the corner does in the ellipsoid's frame."""
    d = sub(c, load3(corners, corner))
    if lies_along_a_ray(corners, corner, d, A, spare):
        return False
    n = sym_vec(adjugate(A), d)
    length = norm(n)
    if length < TINY:
        return True
    s, n = climb(scale(1.0 / length, n), d, A, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), margin + spare)
    if s > margin + spare:
        return False
    if s <= 2.0 * spare:
        return True
    turn = 2.0 * spare / (2.0 * s - spare) + spare / lever
    for i in range(corner + 1, corner + 1 + int(corners[corner, 3])):
        if dot(n, load3(corners, i)) > turn:
            return False
    return True
