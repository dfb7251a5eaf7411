"""Features that an ellipsoid can touch soon: the contacts they give are those of the whole mesh, wherever it moves."""

import numpy as np
import pytest
from ellipsoid_oracles import as_tuple
from obstacle_meshes import ball_mesh, box_mesh, floor_mesh, stair_mesh

from mannequin.engine.contact.geometry.ellipsoid_mesh import MAX_CANDIDATES, mesh_contacts
from mannequin.engine.contact.geometry.mesh_tree import build_mesh_tree
from mannequin.engine.contact.geometry.mesh_watch import (
    MAX_WATCHED,
    TOO_MANY,
    turning_lever,
    watch_features,
    watched_contacts,
)
from mannequin.engine.jit.decorators import IS_COMPILED

COUNT = 300 if IS_COMPILED else 10
MOVES = 6
MESHES = {
    "ball": ball_mesh(0.5, 8),
    "box": box_mesh((0.4, 0.3, 0.2)),
    "stair": stair_mesh(4, 3),
    "rough floor": floor_mesh(9, seed=3),
}


def shape_of(axes, turn):
    """Six numbers of R diag(axes^2) R'."""
    full = turn @ np.diag(axes**2) @ turn.T
    return tuple(float(full[i]) for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def turned(rng, angle):
    """Rotation by an angle (rad) about any axis (Rodrigues' formula)."""
    x, y, z = (axis := rng.normal(size=3)) / np.linalg.norm(axis)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def rows(count, out):
    return out[:count].copy()


@pytest.mark.parametrize("margin", [0.0, 0.09])
@pytest.mark.parametrize("name", MESHES)
def test_watched_contacts_are_those_of_the_mesh(name, margin):
    """For motions of all shares of way and turn up to what was spared, byte for byte; and something is left out."""
    rng = np.random.default_rng(7)
    vertices, triangles = MESHES[name]
    tree, _ = build_mesh_tree(vertices, triangles)
    low, high = vertices.min(axis=0) - 0.15, vertices.max(axis=0) + 0.15
    out, kept = np.zeros((MAX_CANDIDATES, 8)), np.zeros(MAX_WATCHED, dtype=np.int64)
    touches = watched_in_all = asked = 0
    for _ in range(COUNT):
        axes, c, start = (
            rng.uniform(0.04, 0.25, 3),
            rng.uniform(low, high),
            turned(rng, rng.uniform(0.0, 3.0)),
        )
        A, spare = shape_of(axes, start), float(rng.choice([0.003, 0.01, 0.03]))
        lever = turning_lever(A, float(axes.max()), margin + spare)
        assert lever >= axes.max() + axes.max() ** 2 / axes.min() - 1e-9
        watched = watch_features(tree, as_tuple(c), A, margin, spare, lever, kept)
        if watched == TOO_MANY:
            continue
        asked += 1
        watched_in_all += watched
        for _ in range(MOVES):
            motion, share = 0.999 * spare * rng.uniform() ** 0.2, rng.uniform()
            way = rng.normal(size=3)
            moved = as_tuple(c + share * motion * way / np.linalg.norm(way))
            B = shape_of(axes, turned(rng, (1.0 - share) * motion / lever) @ start)
            whole = rows(mesh_contacts(tree, moved, B, margin, out), out)
            assert (
                rows(watched_contacts(tree, kept, watched, moved, B, margin, out), out).tobytes()
                == whole.tobytes()
            )
            touches += len(whole)
    assert touches > asked  # several of the motions touch
    assert watched_in_all < 0.5 * asked * len(triangles)
