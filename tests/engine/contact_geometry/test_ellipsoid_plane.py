"""Ellipsoid over a plane: closed form of the sphere, sampled surfaces, and the support point (docs/derivations.md,
Support points)."""

import numpy as np
import pytest
from ellipsoid_oracles import (
    as_tuple,
    matrices,
    random_ellipsoids,
    random_rotations,
    six,
    spread_directions,
    unit,
)

from mannequin.engine.contact.geometry.ellipsoid_plane import ellipsoid_plane


def test_sphere_over_any_plane():
    """Gap n.(c - o) - r, touching right below the centre along n."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        c, o, n = rng.normal(size=3), rng.normal(size=3), unit(rng.normal(size=3))
        r = rng.uniform(0.01, 2.0)
        gap, point = ellipsoid_plane(
            as_tuple(c), (r * r, r * r, r * r, 0.0, 0.0, 0.0), as_tuple(o), as_tuple(n)
        )
        assert gap == pytest.approx(n @ (c - o) - r, abs=1e-14)
        assert point == pytest.approx(c - r * n, abs=1e-14)


def test_lowest_point_of_a_sampled_surface():
    """No sampled point of the surface lies lower than the contact point, and the lowest comes close to it."""
    rng = np.random.default_rng(2)
    axes = np.exp(rng.uniform(np.log(0.05), 0.0, (40, 3)))
    rotations = random_rotations(rng, 40)
    directions = spread_directions(40_000)
    for R, a in zip(rotations, axes, strict=True):
        A = matrices(a[None], R[None])[0]
        c, o, n = rng.normal(size=3), rng.normal(size=3), unit(rng.normal(size=3))
        gap, point = ellipsoid_plane(as_tuple(c), as_tuple(six(A)), as_tuple(o), as_tuple(n))
        heights = ((c - o) + directions @ (R * a).T) @ n
        assert gap <= heights.min() + 1e-12
        assert gap == pytest.approx(heights.min(), abs=1e-3)
        assert n @ (np.array(point) - o) == pytest.approx(gap, abs=1e-13)


def test_contact_point_is_not_under_the_centre_when_tilted():
    """Semi-axes 2, 1, 1 turned by 45 degrees about y over z = 0: half height sqrt(5/2), shift 3/2 / sqrt(5/2)."""
    A = (2.5, 1.0, 2.5, 0.0, 1.5, 0.0)
    gap, point = ellipsoid_plane((0.0, 0.0, 3.0), A, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert gap == pytest.approx(3.0 - np.sqrt(2.5), abs=1e-14)
    assert point == pytest.approx((-1.5 / np.sqrt(2.5), 0.0, 3.0 - np.sqrt(2.5)), abs=1e-14)


def test_point_lies_on_the_ellipsoid():
    """(p - c).A^-1 (p - c) = 1 with a normal along the plane's."""
    rng = np.random.default_rng(3)
    for A in random_ellipsoids(rng, 30, 10.0):
        n = unit(rng.normal(size=3))
        _, point = ellipsoid_plane((0.1, 0.2, 0.3), as_tuple(six(A)), (0.0, 0.0, 0.0), as_tuple(n))
        gradient = np.linalg.solve(A, np.array(point) - (0.1, 0.2, 0.3))
        assert gradient @ (np.array(point) - (0.1, 0.2, 0.3)) == pytest.approx(1.0, abs=1e-9)
        assert unit(gradient) == pytest.approx(-n, abs=1e-9)
