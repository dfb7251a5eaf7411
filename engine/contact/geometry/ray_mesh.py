"""A ray against a triangle mesh: the first face that it meets from in front."""

from math import inf

from ...jit.decorators import compiled
from ...maths.vector import add_scaled, cross, dot, load3, sub

GRAZING = 1.0e-9
"""Cosine between the ray and a face below which the face is not met."""
_SLACK = 1.0e-9
"""m2: by which triangles overlap, so that a ray does not slip through between two."""


@compiled
def ray_mesh(tree, origin, direction, reach):
    """(distance, row of `tree.faces`) of the first face that a ray meets from in front; (inf, -1): none within `reach`.

    origin (m) and unit direction in the mesh frame.
    """
    nodes = tree.nodes
    leaves = len(nodes) // 2
    face_count = len(tree.faces)
    best = reach
    found = -1
    node = 1
    while node > 0:
        if _is_met(nodes, node, origin, direction, best):
            if node < leaves:
                node = 2 * node
                continue
            leaf = node - leaves
            for k in range(leaf * face_count // leaves, (leaf + 1) * face_count // leaves):
                distance = _face_distance(tree.faces, k, origin, direction)
                if distance < best:
                    best = distance
                    found = k
        while node % 2 == 1:
            node //= 2
        if node > 0:
            node += 1
    if found < 0:
        return inf, -1
    return best, found


@compiled
def _is_met(nodes, node, origin, direction, reach):
    """Whether a ray meets the box of a node before `reach`."""
    first = 0.0
    last = reach
    for i in range(3):
        if abs(direction[i]) < 1e-12:
            if origin[i] < nodes[node, i] or origin[i] > nodes[node, 3 + i]:
                return False
            continue
        one = (nodes[node, i] - origin[i]) / direction[i]
        other = (nodes[node, 3 + i] - origin[i]) / direction[i]
        first = max(first, min(one, other))
        last = min(last, max(one, other))
    return first <= last


@compiled
def _face_distance(faces, k, origin, direction):
    """m along a ray to face k, seen from in front; inf: it does not meet it."""
    n = load3(faces, k)
    along = dot(n, direction)
    if along > -GRAZING:
        return inf
    a = (faces[k, 3], faces[k, 4], faces[k, 5])
    distance = dot(n, sub(a, origin)) / along
    if distance < 0.0:
        return inf
    point = add_scaled(origin, distance, direction)
    b = (faces[k, 6], faces[k, 7], faces[k, 8])
    c = (faces[k, 9], faces[k, 10], faces[k, 11])
    if (
        dot(cross(sub(b, a), sub(point, a)), n) < -_SLACK
        or dot(cross(sub(c, b), sub(point, b)), n) < -_SLACK
        or dot(cross(sub(a, c), sub(point, c)), n) < -_SLACK
    ):
        return inf
    return distance
