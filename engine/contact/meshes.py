"""Several meshes in one set of arrays, so that their number does not change the type of compiled code."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ..jit.decorators import inlined
from .geometry.mesh_tree import MeshTree, build_mesh_tree


@lru_cache(maxsize=1)
def stand_in() -> MeshTree:
    """The mesh of a scenario that has none; it is never looked at."""
    return build_mesh_tree(np.eye(3), np.array([[0, 1, 2]]))[0]


def joined_meshes(trees: Sequence[MeshTree]) -> tuple[MeshTree, np.ndarray]:
    """(all meshes one after the other, (m + 1, fields) first row of each mesh in each array)."""
    trees = list(trees) or [stand_in()]
    counts = np.array([[len(array) for array in tree] for tree in trees], dtype=np.int64)
    first = np.concatenate([np.zeros((1, counts.shape[1]), dtype=np.int64), np.cumsum(counts, axis=0)])
    joined = (parts[0] if len(parts) == 1 else np.concatenate(parts) for parts in zip(*trees, strict=True))
    return MeshTree(*map(np.ascontiguousarray, joined)), first


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
