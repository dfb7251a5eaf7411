"""Several meshes in one set of arrays, so that their number does not change the type of compiled code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..jit import inlined
from .geometry.mesh_tree import MeshTree, build_mesh_tree

ONE_TRIANGLE = (np.eye(3), np.array([[0, 1, 2]]))
"""A mesh that stands in where a scenario has none, and is never looked at."""


def joined_meshes(trees: Sequence[MeshTree]) -> tuple[MeshTree, np.ndarray]:
    """(all meshes one after the other, (m + 1, fields) first row of each mesh in each array)."""
    trees = list(trees) or [build_mesh_tree(*ONE_TRIANGLE)[0]]
    counts = np.array([[len(array) for array in tree] for tree in trees], dtype=np.int64)
    first = np.concatenate([np.zeros((1, counts.shape[1]), dtype=np.int64), np.cumsum(counts, axis=0)])
    arrays = [np.ascontiguousarray(np.concatenate(parts)) for parts in zip(*trees, strict=True)]
    return MeshTree(*arrays), first


@inlined
def mesh_view(all_meshes, first, m):
    """Mesh m of the joined arrays; views, no copies."""
    return MeshTree(
        all_meshes.nodes[first[m, 0] : first[m + 1, 0]],
        all_meshes.faces[first[m, 1] : first[m + 1, 1]],
        all_meshes.links[first[m, 2] : first[m + 1, 2]],
        all_meshes.edges[first[m, 3] : first[m + 1, 3]],
        all_meshes.corners[first[m, 4] : first[m + 1, 4]],
    )
