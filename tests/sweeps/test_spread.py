"""Ellipses, tubes and densities against points whose spread is known."""

import numpy as np
import pytest

from mannequin.sweeps.spread import density, ellipse, outline, runs_at, tube


def test_ellipse_of_normal_points_is_the_known_one():
    """Of a normal distribution 90 % lie within sqrt(-2 ln 0.1) = 2.146 standard deviations along each axis."""
    rng = np.random.default_rng(5)
    turn = np.radians(30.0)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    points = rng.normal(0.0, 1.0, (20000, 2)) * (3.0, 0.5) @ axes.T + (10.0, -2.0)
    centre, half = ellipse(points, 0.9)
    assert centre == pytest.approx([10.0, -2.0], abs=0.1)
    lengths = np.sort(np.linalg.norm(half, axis=0))
    assert lengths == pytest.approx([0.5 * 2.146, 3.0 * 2.146], rel=0.03)
    longest = half[:, np.argmax(np.linalg.norm(half, axis=0))]
    assert abs(longest @ axes[:, 0]) / np.linalg.norm(longest) > 0.9999


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
def test_ellipse_holds_the_share_whatever_the_distribution(share):
    points = np.random.default_rng(6).exponential(size=(4000, 2)) * (1.0, 7.0)
    centre, half = ellipse(points, share)
    inside = np.linalg.norm(np.linalg.solve(half, (points - centre).T), axis=0) <= 1.0 + 1e-12
    assert np.mean(inside) == pytest.approx(share, abs=0.001)


def test_points_on_a_line_give_a_flat_ellipse():
    centre, half = ellipse(np.column_stack([np.linspace(0, 1, 11), np.full(11, 3.0)]), 1.0)
    assert centre == pytest.approx([0.5, 3.0])
    assert sorted(np.linalg.norm(half, axis=0)) == pytest.approx([0.0, 0.5])
    with pytest.raises(ValueError, match="at least 2"):
        ellipse(np.array([[1.0, 2.0], [np.nan, 0.0]]), 0.9)


def test_tube_about_a_straight_path_is_round_it():
    rng = np.random.default_rng(7)
    times = np.linspace(0.0, 1.0, 6)
    shift = rng.normal(0.0, 0.1, (5000, 2))
    paths = np.zeros((5000, 6, 3))
    paths[..., 0] = 4.0 * times
    paths[..., 1:] = shift[:, None, :]
    paths[7] = np.nan  # a run that did not complete
    rings = tube(paths, 0.9)
    assert rings.shape == (6, 32, 3)
    assert rings[..., 0] == pytest.approx(np.repeat(4.0 * times[:, None], 32, axis=1), abs=1e-9)
    assert np.linalg.norm(rings[..., 1:], axis=-1) == pytest.approx(0.2146, rel=0.05)


def test_outline_closes_evenly():
    points = outline(np.zeros(2), np.diag([2.0, 1.0]), 4)
    assert points == pytest.approx(np.array([[2, 0], [0, 1], [-2, 0], [0, -1]]), abs=1e-12)


def test_density_counts_neighbours():
    points = np.array([[0, 0, 0], [0, 0, 0.01], [0.01, 0, 0], [1, 0, 0]], dtype=float)
    assert density(points, 0.02).tolist() == [1.0, 1.0, 1.0, pytest.approx(1 / 3)]


def test_runs_at_percentiles():
    values = np.array([5.0, np.nan, 1.0, 3.0, 2.0, 4.0])
    assert runs_at(values, (0, 50, 100)) == [2, 3, 0]
    assert runs_at(np.full(3, np.nan), (50,)) == []
