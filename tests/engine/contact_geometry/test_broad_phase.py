"""Broad phase against the comparison of all pairs."""

import numpy as np
import pytest
from ellipsoid_oracles import random_ellipsoids, six

from mannequin.engine.contact.geometry.broad_phase import (
    _insert,
    candidate_pairs,
    make_broad_phase,
    make_pair_filter,
)
from mannequin.engine.jit.decorators import IS_COMPILED


def all_pairs(centers, matrices, radii, margin, actor, body, tables):
    """Pairs that boxes, spheres and the filter leave, by comparing everything."""
    half = np.sqrt(matrices[:, :3]) + 0.5 * margin
    i, j = np.triu_indices(len(centers), 1)
    offset = np.abs(centers[i] - centers[j])
    is_near = (offset <= half[i] + half[j]).all(axis=1)
    is_near &= np.linalg.norm(offset, axis=1) <= radii[i] + radii[j] + margin
    i, j = i[is_near], j[is_near]
    allowed = [
        actor[a] != actor[b]
        or (tables[actor[a]] is not None and body[a] != body[b] and bool(tables[actor[a]][body[a]][body[b]]))
        for a, b in zip(i, j, strict=True)
    ]
    return np.stack([i, j], axis=1)[np.array(allowed, dtype=bool)]


def crowd(seed, actors, each=12, spread=1.0):
    """Actors of `each` ellipsoids standing on a plane: centres, six-vectors, radii, actors, bodies."""
    rng = np.random.default_rng(seed)
    place = np.column_stack([rng.uniform(0.0, spread * np.sqrt(actors), (actors, 2)), np.zeros(actors)])
    centers = np.repeat(place, each, axis=0) + rng.uniform(
        (-0.3, -0.3, 0.0), (0.3, 0.3, 1.8), (actors * each, 3)
    )
    A = random_ellipsoids(rng, len(centers), 4.0, (0.02, 0.2))
    radii = np.sqrt(np.linalg.eigvalsh(A)[:, 2])
    return centers, six(A), radii, np.repeat(np.arange(actors), each), np.tile(np.arange(each) // 2, actors)


def found_pairs(centers, matrices, radii, margin, actor, body, tables, capacity=20_000):
    """What the kernel writes."""
    pairs = np.zeros((capacity, 2), dtype=np.int64)
    space = make_broad_phase(len(centers), len(tables))
    count = candidate_pairs(
        space, make_pair_filter(actor, body, tables), centers, matrices, radii, margin, pairs
    )
    return pairs[:count] if count >= 0 else count


@pytest.mark.parametrize("actors", [2, 8, 60] if IS_COMPILED else [2, 8])
@pytest.mark.parametrize("margin", [0.0, 0.03])
def test_equals_all_pairs(actors, margin):
    """Same pairs in the same order, below and above the number where the grid is used."""
    scene = crowd(actors, actors)
    table = np.random.default_rng(5).random((6, 6)) < 0.5
    table |= table.T
    tables = [None if a % 3 == 0 else table for a in range(actors)]
    expected = all_pairs(*scene[:3], margin, *scene[3:], tables)
    assert len(expected) > 0
    assert np.array_equal(found_pairs(*scene[:3], margin, *scene[3:], tables), expected)


def test_wide_boxes_far_flung_and_lost_bodies():
    """Large balls, an ellipsoid a thousand kilometres away and one that is not a number change nothing else."""
    centers, matrices, radii, actor, body = crowd(7, 10)
    matrices[12] = matrices[84] = (9.0, 9.0, 9.0, 0.0, 0.0, 0.0)
    radii[12] = radii[84] = 3.0
    centers[50] = (1e6, -1e6, 1e6)
    centers[60] = (1e14, 0.0, 0.0)
    centers[70] = np.nan
    tables = [None] * 10
    expected = all_pairs(centers, matrices, radii, 0.01, actor, body, tables)
    found = found_pairs(centers, matrices, radii, 0.01, actor, body, tables)
    assert np.array_equal(found, expected)
    assert (expected == 12).any() and (expected == 84).any() and not (expected == 70).any()


def test_too_small_list_says_how_much_it_needs():
    """Minus a capacity that is then enough."""
    scene = crowd(8, 20, spread=0.4)
    tables = [None] * 20
    expected = all_pairs(*scene[:3], 0.01, *scene[3:], tables)
    needed = found_pairs(*scene[:3], 0.01, *scene[3:], tables, capacity=10)
    assert -needed >= len(expected) > 10
    assert np.array_equal(found_pairs(*scene[:3], 0.01, *scene[3:], tables, capacity=-needed), expected)


def test_a_pair_found_twice_stays_single():
    """Two cells of one ellipsoid may fall into one bucket: rows stay in order and unique."""
    pairs = np.zeros((8, 2), dtype=np.int64)
    count = 0
    for j in (7, 3, 7, 5, 3, 9):
        count = _insert(pairs, 0, count, 1, j)
    assert pairs[:count].tolist() == [[1, 3], [1, 5], [1, 7], [1, 9]]


def test_filter_within_an_actor():
    """Nothing when self-contact is off; with it, only the bodies that the table allows, never one body with itself."""
    centers = np.zeros((4, 3))
    matrices = np.tile([0.01, 0.01, 0.01, 0.0, 0.0, 0.0], (4, 1))
    scene = (centers, matrices, np.full(4, 0.1), 0.0, np.zeros(4, dtype=int), np.array([0, 0, 1, 2]))
    assert len(found_pairs(*scene, [None])) == 0
    table = np.ones((3, 3), dtype=bool)
    table[0, 1] = table[1, 0] = False
    assert found_pairs(*scene, [table]).tolist() == [[0, 3], [1, 3], [2, 3]]


def test_arrays_are_reusable():
    """A second call on other positions is not touched by the first."""
    first, second = crowd(1, 8), crowd(2, 8)
    pairs = np.zeros((5000, 2), dtype=np.int64)
    space = make_broad_phase(len(first[0]), 8)
    tables = [None] * 8
    pair_filter = make_pair_filter(first[3], first[4], tables)
    for scene in (first, second, first):
        count = candidate_pairs(space, pair_filter, *scene[:3], 0.01, pairs)
        assert np.array_equal(pairs[:count], all_pairs(*scene[:3], 0.01, *scene[3:], tables))
