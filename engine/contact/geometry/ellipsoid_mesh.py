"""Ellipsoid against a static triangle mesh: up to `MAX_CONTACTS` contacts, from the front side only.

Every feature of the mesh that lies in its own cone of normals gives a contact with the normal that makes the gap
s(n) = n.(c - y) - sqrt(n.A n) stationary (y a point of the feature, see `ellipsoid_pair`):

- a face, when the ellipsoid's support point projects into the triangle: exactly the contact of the infinite plane;
- a convex edge or open boundary, when the best normal lies strictly between those of its two faces and the support
  point lies along the edge. Flat and concave edges give none (they are not in the tree's lists);
- a corner, when the best normal leans away from every edge that meets there.

So on a flat mesh the contact moves from triangle to triangle as over a plane. Where several features are touched, the
deepest is kept first and others are dropped that count the same overlap again: those whose normal lies within
`SAME_ANGLE` of a kept one and whose point is no higher above the kept plane than `SAME_CAP` times the depth below the
margin (the many
triangles of a rough or curved surface; but not the next nose of a stair, which lies higher), and edges and corners
that lie in or under a kept plane (cracks and T-junctions of careless meshes).

A contact holds while the ellipsoid's centre is in front of the feature (n.(c - y) > 0), that is to a depth of half the
ellipsoid's width along n. A body behind a face feels nothing of it until its centre comes through.
"""

from math import atan2, cos, pi, sin, sqrt

from ...jit.decorators import compiled
from ...maths.vector import add, add_scaled, cross, dot, load3, norm, scale, sub, sym_vec
from .ellipsoid_pair import TINY, adjugate, climb

MAX_CONTACTS = 8
MAX_CANDIDATES = 64
"""Rows the output arrays must have: all touched features are gathered there before the choice; the deepest win."""
ALL_FEATURES = 127
"""Bits of a face, three edges and three corners: all that is tested with a triangle."""
SAME_ANGLE = pi / 6.0
SAME_CAP = 6.0
_SAME_COSINE = cos(SAME_ANGLE)
_CONE_EDGE = 1e-7
"""A corner normal must lean away from the edges by this much: flat fans have no corner contacts."""
SLACK_SHARE = 1e-6
"""Share of the ellipsoid's size by which features overlap, so that round-off leaves no crack between them."""


@compiled
def mesh_contacts(tree, c, A, margin, out):
    """Number of contacts with a gap of at most `margin` (m), written to the first rows of `out`; mesh frame.

    `out` is a (MAX_CANDIDATES, 8) array, one contact a row: gap (m, negative for overlap, else the true distance), unit
    normal out of the mesh, the ellipsoid's support point (m), feature. The feature is 8 times the index of the
    triangle as given, plus 0 for its face, 1 to 3 for its edge from corner 0 to 2, 4 to 6 for its corner 0 to 2.
    Rows are in order of gap, then of feature, so they do not depend on the tree.
    """
    nodes = tree.nodes
    leaves = len(nodes) // 2
    face_count = len(tree.faces)
    count = 0
    node = 1
    reach = (sqrt(max(A[0], 0.0)) + margin, sqrt(max(A[1], 0.0)) + margin, sqrt(max(A[2], 0.0)) + margin)
    low = sub(c, reach)
    high = add(c, reach)
    if not overlaps(nodes, node, low, high):
        return 0
    C = adjugate(A)
    determinant = max(A[0] * C[0] + A[3] * C[3] + A[4] * C[4], 0.0)
    size = sqrt(A[0] + A[1] + A[2])
    while node > 0:
        if overlaps(nodes, node, low, high) and _may_touch(nodes, node, c, A, C, determinant, margin, size):
            if node < leaves:
                node = 2 * node
                continue
            leaf = node - leaves
            for k in range(leaf * face_count // leaves, (leaf + 1) * face_count // leaves):
                count = add_triangle_contacts(tree, k, ALL_FEATURES, c, A, margin, size, count, out)
        while node % 2 == 1:
            node //= 2
        if node > 0:
            node += 1
    if count < 2:
        return count
    return distinct_contacts(size, margin, count, out)


@compiled
def is_near_mesh(tree, c, A, allowance):
    """False when the ellipsoid cannot touch the mesh before some point of it has moved by `allowance` (m); mesh frame.

    Boxes of the tree are compared with the ellipsoid grown by the allowance. That leaves out the many parts of a scene
    that a body is only somewhere inside the bounds of, once for many steps.
    """
    nodes = tree.nodes
    C = adjugate(A)
    determinant = max(A[0] * C[0] + A[3] * C[3] + A[4] * C[4], 0.0)
    leaves = len(nodes) // 2
    reach = (
        sqrt(max(A[0], 0.0)) + allowance,
        sqrt(max(A[1], 0.0)) + allowance,
        sqrt(max(A[2], 0.0)) + allowance,
    )
    low = sub(c, reach)
    high = add(c, reach)
    node = 1
    while node > 0:
        if overlaps(nodes, node, low, high) and not is_apart(
            load3(nodes, node), row3(nodes, node, 3), c, C, determinant, allowance
        ):
            if node >= leaves:
                return True
            node = 2 * node
            continue
        while node % 2 == 1:
            node //= 2
        if node > 0:
            node += 1
    return False


@compiled
def overlaps(nodes, node, low, high):
    """Whether a node's box meets the box from low to high."""
    return (
        nodes[node, 0] <= high[0]
        and nodes[node, 3] >= low[0]
        and nodes[node, 1] <= high[1]
        and nodes[node, 4] >= low[1]
        and nodes[node, 2] <= high[2]
        and nodes[node, 5] >= low[2]
    )


@compiled
def _may_touch(nodes, node, c, A, C, determinant, margin, size):
    """False when no triangle of the node can give a contact.

    In a flat node only the triangle under the support point can. Of any other node the box must not be parted from the
    ellipsoid by the direction n = C e, with e from the box to the centre and C = det(A) A^-1: n.A n = det(A) n.e.
    """
    low = load3(nodes, node)
    high = row3(nodes, node, 3)
    if nodes[node, 6] > 0.0:
        return _is_over(low, high, row3(nodes, node, 7), float(nodes[node, 10]), c, A, margin, size)
    return not is_apart(low, high, c, C, determinant, margin)


@compiled
def is_apart(low, high, c, C, determinant, margin):
    """True when a plane parts ellipsoid and box by more than `margin`; which one is tried: see `_may_touch`."""
    e = (
        c[0] - min(max(c[0], low[0]), high[0]),
        c[1] - min(max(c[1], low[1]), high[1]),
        c[2] - min(max(c[2], low[2]), high[2]),
    )
    n = sym_vec(C, e)
    nearest = (
        low[0] if n[0] < 0.0 else high[0],
        low[1] if n[1] < 0.0 else high[1],
        low[2] if n[2] < 0.0 else high[2],
    )
    separation = dot(n, sub(c, nearest))
    if separation > 0.0 and margin > 0.0:
        separation -= margin * norm(n)
    return separation > 0.0 and separation * separation > determinant * max(dot(n, e), 0.0)


@compiled
def _is_over(low, high, n, offset, c, A, margin, size):
    """Whether the support point lies over the piece of the plane n.y = offset in the box, at most `margin` above it."""
    a_n = sym_vec(A, n)
    half_width = sqrt(max(dot(n, a_n), TINY))
    slack = 1e-4 * size
    gap = dot(n, c) - offset - half_width
    if gap > margin + slack or gap + half_width < -slack:
        return False
    foot = add_scaled(add_scaled(c, -1.0 / half_width, a_n), -gap, n)
    return (
        low[0] - slack <= foot[0] <= high[0] + slack
        and low[1] - slack <= foot[1] <= high[1] + slack
        and low[2] - slack <= foot[2] <= high[2] + slack
    )


@compiled
def add_triangle_contacts(tree, k, bits, c, A, margin, size, count, out):
    """Add the contacts of triangle k's face and of the edges and corners that are tested with it; the new count.

    bits: which of them are looked at, in the order of their numbers in `mesh_contacts`.
    """
    faces = tree.faces
    links = tree.links
    n = load3(faces, k)
    a_n = sym_vec(A, n)
    half_width = sqrt(max(dot(n, a_n), TINY))
    height = dot(n, sub(c, row3(faces, k, 3)))
    gap = height - half_width
    if gap > margin:
        return count  # all of the triangle is that far from the ellipsoid
    slack = SLACK_SHARE * size
    feature = 8.0 * links[k, 0]
    if height > 0.0 and bits & 1 != 0:
        point = add_scaled(c, -1.0 / half_width, a_n)
        if is_inside(faces, k, n, point, slack):
            count = _add(count, gap, n, point, feature, out)
    for j in range(3):
        edge = links[k, 1 + j]
        if edge >= 0 and (bits >> (1 + j)) & 1 != 0:
            gap, normal = _edge_contact(tree.edges, edge, c, A, a_n, half_width, margin, slack)
            if gap <= margin:
                point = _support(c, A, normal)
                count = _add(count, gap, normal, point, feature + 1 + j, out)
        corner = links[k, 4 + j]
        if corner >= 0 and (bits >> (4 + j)) & 1 != 0:
            gap, normal = _corner_contact(tree.corners, corner, c, A, margin)
            if gap <= margin:
                point = _support(c, A, normal)
                count = _add(count, gap, normal, point, feature + 4 + j, out)
    return count


@compiled
def _support(c, A, n):
    """The ellipsoid's point farthest against n."""
    a_n = sym_vec(A, n)
    return add_scaled(c, -1.0 / sqrt(max(dot(n, a_n), TINY)), a_n)


@compiled
def is_inside(faces, k, n, point, slack):
    """Whether the point, moved along n, falls into triangle k or within `slack` (m) of it."""
    p0 = row3(faces, k, 3)
    p1 = row3(faces, k, 6)
    p2 = row3(faces, k, 9)
    return (
        _is_left(p0, p1, n, point, slack)
        and _is_left(p1, p2, n, point, slack)
        and _is_left(p2, p0, n, point, slack)
    )


@compiled
def _is_left(tail, head, n, point, slack):
    """Whether the point is on the inner side of the side tail-head of a triangle with normal n."""
    along = sub(head, tail)
    beyond = dot(cross(along, n), sub(point, tail))
    return beyond <= 0.0 or beyond * beyond <= slack * slack * dot(along, along)


@compiled
def _edge_contact(edges, e, c, A, a_n, half_width, margin, slack):
    """Gap and normal at an edge; a gap of infinity when the contact is not the edge's.

    a_n, half_width: A n1 (m2) and sqrt(n1.A n1) (m) of the face that owns the edge.
    With n = p n1 + q side, p and q being the cosine and sine of an angle, the gap is
    f = x p + y q - sqrt(P p^2 + 2 Q p q + R q^2). A slope f' > 0 at the first face and f' < 0 at the other enclose a
    maximum, found by Newton kept inside that bracket. The first guess is the normal of the ellipse through the edge.
    """
    n1 = load3(edges, e)
    nothing = (1e300, n1)
    side = row3(edges, e, 3)
    d = sub(c, row3(edges, e, 6))
    y = dot(side, d)
    Q = dot(side, a_n)
    if y - Q / half_width <= 0.0:  # the slope of `arc` at the first face
        return nothing
    x = dot(n1, d)
    P = dot(n1, a_n)
    a_side = sym_vec(A, side)
    R = dot(side, a_side)
    if arc(float(edges[e, 10]), float(edges[e, 11]), x, y, P, Q, R)[1] >= 0.0:
        return nothing
    # The support point of any n across the edge lies along it within `swing` of the centre (Cauchy-Schwarz in the
    # metric P, Q, R): a nose of a stair made of many short edges is sorted out without solving for each.
    along = cross(n1, side)
    start = dot(along, d)
    u = dot(along, a_n)
    v = dot(along, a_side)
    swing = sqrt(max((u * u * R - 2.0 * u * v * Q + v * v * P) / max(P * R - Q * Q, TINY), 0.0)) + 2.0 * slack
    if start + swing < 0.0 or start - swing > edges[e, 9]:
        return nothing
    p = R * x - Q * y
    q = P * y - Q * x
    length = sqrt(p * p + q * q)
    if length < TINY or arc(p / length, q / length, x, y, P, Q, R)[0] > margin:
        return nothing
    f, p, q = _arc_maximum(atan2(q, p), float(edges[e, 12]), x, y, P, Q, R)
    n = add_scaled(scale(p, n1), q, side)
    place = dot(along, sub(_support(c, A, n), row3(edges, e, 6)))
    if f > margin or dot(n, d) <= 0.0 or place < -slack or place > edges[e, 9] + slack:
        return nothing
    return f, n


@compiled
def _arc_maximum(guess, end, x, y, P, Q, R):
    """Maximum of f of `_edge_contact` between the angles 0 and `end`: f and the cosine and sine of its place."""
    low = 0.0
    high = end
    phi = guess if low < guess < high else 0.5 * end
    for _ in range(60):
        f, slope, bend = arc(cos(phi), sin(phi), x, y, P, Q, R)
        if slope > 0.0:
            low = phi
        else:
            high = phi
        following = phi - slope / bend if bend < 0.0 else high
        if not low < following < high:
            following = 0.5 * (low + high)
        step = following - phi
        phi = following
        if abs(step) < 1e-8:
            break
    p = cos(phi)
    q = sin(phi)
    return arc(p, q, x, y, P, Q, R)[0], p, q


@compiled
def arc(p, q, x, y, P, Q, R):
    """f of `_edge_contact` and its first two derivatives by the angle."""
    along_n = P * p * p + 2.0 * Q * p * q + R * q * q
    mixed = (R - P) * p * q + Q * (p * p - q * q)
    along_t = P * q * q - 2.0 * Q * p * q + R * p * p
    half_width = sqrt(max(along_n, TINY))
    f = x * p + y * q - half_width
    slope = y * p - x * q - mixed / half_width
    bend = -f - (along_t - mixed * mixed / max(along_n, TINY)) / half_width
    return f, slope, bend


@compiled
def _corner_contact(corners, corner, c, A, margin):
    """Gap and normal at a corner; a gap of infinity when the contact is not the corner's."""
    d = sub(c, load3(corners, corner))
    nothing = (1e300, d)
    if lies_along_a_ray(corners, corner, d, A, 0.0):
        return nothing
    n = sym_vec(adjugate(A), d)  # normal of the ellipsoid through the corner
    length = norm(n)
    if length < TINY:
        return nothing
    s, n = climb(scale(1.0 / length, n), d, A, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), margin)
    if s > margin or dot(n, d) <= 0.0:
        return nothing
    for i in range(corner + 1, corner + 1 + int(corners[corner, 3])):
        if dot(n, load3(corners, i)) > -_CONE_EDGE:
            return nothing
    return s, n


@compiled
def lies_along_a_ray(corners, corner, d, A, spare):
    """Whether all of the ellipsoid lies ahead of the corner along one of the edges that leave it, by more than `spare`.

    Then the normal does not lean away from that edge: s n = d - u with the support point u, and |u.ray| is at most
    sqrt(ray.A ray).
    """
    for i in range(corner + 1, corner + 1 + int(corners[corner, 3])):
        ray = load3(corners, i)
        ahead = dot(d, ray) - spare
        if ahead > 0.0 and ahead * ahead > dot(ray, sym_vec(A, ray)):
            return True
    return False


@compiled
def _add(count, gap, n, point, feature, out):
    """Append a candidate, or put it in place of the shallowest when there is no room; the new count."""
    row = count
    if count >= MAX_CANDIDATES:
        row = 0
        for i in range(1, count):
            if _is_deeper(out[row, 0], out[row, 7], out[i, 0], out[i, 7]):
                row = i
        if not _is_deeper(gap, feature, out[row, 0], out[row, 7]):
            return count
        count -= 1
    out[row, 0] = gap
    for i in range(3):
        out[row, 1 + i] = n[i]
        out[row, 4 + i] = point[i]
    out[row, 7] = feature
    return count + 1


@compiled
def _is_deeper(gap, feature, other_gap, other_feature):
    """Order of contacts: by gap, then by feature."""
    return gap < other_gap or (gap == other_gap and feature < other_feature)


@compiled
def distinct_contacts(size, margin, count, out):
    """Sort the candidates, deepest first, and drop those that count an overlap again; the number kept."""
    kept = 0
    while kept < count and kept < MAX_CONTACTS:
        best = kept
        for i in range(kept + 1, count):
            if _is_deeper(out[i, 0], out[i, 7], out[best, 0], out[best, 7]):
                best = i
        _swap(best, kept, out)
        is_again = False
        for i in range(kept):
            is_again = is_again or _counts_again(i, kept, margin, SLACK_SHARE * size, out)
        if is_again:
            count -= 1
            _swap(kept, count, out)
        else:
            kept += 1
    return kept


@compiled
def _counts_again(i, j, margin, slack, out):
    """Whether contact j repeats the deeper contact i (see the module's text)."""
    n_i = row3(out, i, 1)
    n_j = row3(out, j, 1)
    mesh_i = add_scaled(row3(out, i, 4), -float(out[i, 0]), n_i)
    mesh_j = add_scaled(row3(out, j, 4), -float(out[j, 0]), n_j)
    rise = dot(n_i, sub(mesh_j, mesh_i))
    if out[j, 7] % 8.0 > 0.0 and rise <= slack:
        return True
    return dot(n_i, n_j) > _SAME_COSINE and rise <= SAME_CAP * max(margin - float(out[i, 0]), 0.0) + slack


@compiled
def _swap(i, j, out):
    """Exchange two rows."""
    for k in range(8):
        value = out[i, k]
        out[i, k] = out[j, k]
        out[j, k] = value


@compiled
def row3(a, i, j):
    """Elements j, j + 1, j + 2 of row i as a vector."""
    return float(a[i, j]), float(a[i, j + 1]), float(a[i, j + 2])
