"""Paths round spheres, cylinders and ellipsoids: closed forms, brute force, and smoothness through first touch."""

import numpy as np
import pytest
from scipy.optimize import minimize

from mannequin.engine.muscles.arrays import CYLINDER, ELLIPSOID, SPHERE
from mannequin.engine.muscles.wrapping import round_surface

NO_SIDE = (0.0, 0.0, 0.0)
SIZES = {SPHERE: (0.03, 0.0, 0.0), CYLINDER: (0.03, np.inf, 0.0), ELLIPSOID: (0.03, 0.045, 0.06)}


def wrapped(shape, a, b, size, side=NO_SIDE):
    """(length, first tangent point, second, whether it touches)."""
    arc, t1, t2 = round_surface(
        shape,
        tuple(map(float, a)),
        tuple(map(float, b)),
        tuple(map(float, size)),
        tuple(map(float, side)),
        np.zeros(5),
    )
    a, b, t1, t2 = map(np.array, (a, b, t1, t2))
    if arc < 0:
        return np.linalg.norm(b - a), a, b, False
    return np.linalg.norm(t1 - a) + arc + np.linalg.norm(b - t2), t1, t2, True


def in_plane(d, angle):
    return np.array([d * np.cos(angle), d * np.sin(angle), 0.0])


@pytest.mark.parametrize("shape", [SPHERE, CYLINDER])
def test_the_textbook_formula_with_its_signs_put_right(shape):
    """R 0.03, d_O 0.25, d_I 0.05 at 2.6 rad: 0.29486 m wrapped (docs/derivations.md, Wrapping)."""
    r, d_o, d_i, theta = 0.03, 0.25, 0.05, 2.6
    length, *_, touches = wrapped(shape, in_plane(d_o, 0), in_plane(d_i, theta), SIZES[shape])
    arc = theta - np.arccos(r / d_o) - np.arccos(r / d_i)
    exact = np.sqrt(d_o**2 - r**2) + np.sqrt(d_i**2 - r**2) + r * arc
    assert touches
    assert length == pytest.approx(exact, rel=1e-14)
    assert length == pytest.approx(0.29486, abs=1e-5)
    straight = np.sqrt(d_o**2 + d_i**2 - 2 * d_o * d_i * np.cos(theta))
    assert straight == pytest.approx(0.29398, abs=1e-5)


def test_it_leaves_the_surface_at_the_critical_angle():
    critical = np.arccos(0.03 / 0.25) + np.arccos(0.03 / 0.05)
    assert critical == pytest.approx(2.3778, abs=1e-4)
    for shape in (SPHERE, CYLINDER):
        for angle, expected in ((critical - 1e-6, False), (critical + 1e-6, True)):
            assert wrapped(shape, in_plane(0.25, 0), in_plane(0.05, angle), SIZES[shape])[3] is expected


@pytest.mark.parametrize("shape", [SPHERE, CYLINDER])
def test_length_falls_off_with_the_right_lever(shape):
    """dl/dtheta is R while wrapped and d_O d_I sin(theta) / l while straight, the same at the change."""
    step = 1e-6
    for angle in (1.0, 2.0, 2.37, 2.3778, 2.39, 2.6, 3.0):
        around = [
            wrapped(shape, in_plane(0.25, 0), in_plane(0.05, angle + s), SIZES[shape]) for s in (-step, step)
        ]
        lever = (around[1][0] - around[0][0]) / (2 * step)
        straight = 0.25 * 0.05 * np.sin(angle) / around[0][0]
        assert lever == pytest.approx(0.03 if angle > 2.3779 else straight, abs=1e-6)


def test_a_helix_on_the_cylinder_is_a_line_on_the_unrolled_sheet():
    a, b = np.array([0.1, 0.02, -0.2]), np.array([-0.08, 0.03, 0.15])
    length, t1, t2, touches = wrapped(CYLINDER, a, b, SIZES[CYLINDER])
    flat = wrapped(CYLINDER, a * [1, 1, 0], b * [1, 1, 0], SIZES[CYLINDER])[0]
    assert touches
    assert length == pytest.approx(np.hypot(flat, 0.35), rel=1e-14)
    before = np.hypot(*(t1 - a)[:2])
    assert t1[2] - a[2] == pytest.approx(0.35 * before / flat, rel=1e-12)


def test_a_short_cylinder_is_passed_beyond_its_end():
    a, b = np.array([0.1, 0.01, 0.2]), np.array([-0.1, 0.01, 0.21])
    assert wrapped(CYLINDER, a, b, (0.03, 0.5, 0.0))[3]
    assert not wrapped(CYLINDER, a, b, (0.03, 0.1, 0.0))[3]


def brute_force(shape, a, b, size, count=400):
    """Shortest path by minimization over curves on the surface: azimuths evenly spaced, height a polynomial of them.

    The straight ends must not enter the surface: a and b lie on the outer side of the tangent planes at its ends. Both
    ways round are tried. The chords make it too short by about (spacing)^2 / 24.
    """
    size = np.array(size)
    rx, ry, rz = size if shape == ELLIPSOID else (size[0], size[0], size[0])

    def points(x):
        angle, z = np.linspace(x[0], x[1], count), 0.03 * np.polyval(x[2:], np.linspace(-1, 1, count))
        wide = np.ones(count) if shape == CYLINDER else np.sqrt(np.maximum(1 - (z / rz) ** 2, 1e-9))
        return np.stack([rx * wide * np.cos(angle), ry * wide * np.sin(angle), z], axis=1)

    def clearance(x):
        ends = points(x)[[0, -1]]
        normals = ends / np.array([rx, ry, np.inf if shape == CYLINDER else rz]) ** 2
        return ((np.array([a, b]) - ends) * normals).sum(axis=1) * 1e3

    def length(x):
        return np.linalg.norm(np.diff(np.vstack([a, points(x), b]), axis=0), axis=1).sum() * 100

    found = []
    for way in (1, -1):
        start = np.array([way * 1.2, way * 1.9, 0, 0, 0, 0, 0, 0, 0.1])
        constraint = {"type": "ineq", "fun": clearance}
        options = {"maxiter": 500, "ftol": 1e-14}
        result = minimize(length, start, constraints=[constraint], method="SLSQP", options=options)
        if (clearance(result.x) > -1e-6).all():
            found.append(result.fun / 100)
    return min(found)


@pytest.mark.parametrize("shape", [SPHERE, CYLINDER, ELLIPSOID])
@pytest.mark.parametrize("seed", [0, 1])
def test_brute_force_finds_the_same_length(shape, seed):
    rng = np.random.default_rng(seed)
    a = np.array([0.12, rng.uniform(-0.02, 0.02), rng.uniform(-0.03, 0.03)])
    b = np.array([-0.1, rng.uniform(-0.02, 0.02), rng.uniform(-0.03, 0.03)])
    length, *_, touches = wrapped(shape, a, b, SIZES[shape])
    assert touches
    assert brute_force(shape, a, b, SIZES[shape]) == pytest.approx(length, rel=2e-6)


@pytest.mark.parametrize("seed", range(6))
def test_the_ellipsoid_path_meets_the_conditions_of_a_shortest_path(seed):
    """Straight pieces are tangent, and length changes with the ends as the directions there say (first variation)."""
    rng = np.random.default_rng(seed)
    size = np.array(SIZES[ELLIPSOID])
    a = np.array([0.11, rng.uniform(-0.03, 0.03), rng.uniform(-0.05, 0.05)])
    b = np.array([-0.09, rng.uniform(-0.03, 0.03), rng.uniform(-0.05, 0.05)])
    length, t1, t2, touches = wrapped(ELLIPSOID, a, b, size)
    assert touches
    for end, tangent in ((a, t1), (b, t2)):
        assert (tangent**2 / size**2).sum() == pytest.approx(1.0, abs=1e-12)
        normal = tangent / size**2
        leaving = (tangent - end) / np.linalg.norm(tangent - end)
        assert abs(leaving @ normal / np.linalg.norm(normal)) < 1e-9
    for axis in np.eye(3):
        step = 1e-6 * axis
        slope = (wrapped(ELLIPSOID, a + step, b, size)[0] - wrapped(ELLIPSOID, a - step, b, size)[0]) / 2e-6
        assert slope == pytest.approx((a - t1) @ axis / np.linalg.norm(a - t1), abs=1e-6)


def test_a_round_ellipsoid_is_a_sphere():
    a, b = np.array([0.1, 0.01, 0.02]), np.array([-0.08, 0.01, -0.01])
    sphere = wrapped(SPHERE, a, b, SIZES[SPHERE])
    ellipsoid = wrapped(ELLIPSOID, a, b, (0.03, 0.03, 0.03))
    assert ellipsoid[0] == pytest.approx(sphere[0], rel=1e-8)  # what the integration of the geodesic leaves
    assert ellipsoid[1] == pytest.approx(sphere[1], abs=1e-8)


@pytest.mark.parametrize("shape", [SPHERE, CYLINDER, ELLIPSOID])
def test_length_and_its_slope_are_continuous_through_first_touch(shape):
    def lifted(height):
        return wrapped(shape, (0.1, height, 0.01), (-0.08, height, 0.01), SIZES[shape])

    low, high = 0.0, 0.1
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if lifted(middle)[3] else (low, middle)
    step = 1e-5
    lengths = [lifted(high + k * step)[0] for k in range(-3, 4)]
    assert np.abs(np.diff(lengths)).max() < 1e-6
    slopes = np.diff(lengths) / step
    assert (
        np.abs(np.diff(slopes)).max() < 5e-3
    )  # curvature times the step; a corner would be of the size of 1


@pytest.mark.parametrize("shape", [SPHERE, CYLINDER, ELLIPSOID])
def test_a_side_makes_the_path_go_the_long_way(shape):
    a, b = (0.1, 0.04, 0.0), (-0.1, 0.04, 0.0)
    short, *_ = wrapped(shape, a, b, SIZES[shape], (0.0, 1.0, 0.0))
    length, t1, t2, touches = wrapped(shape, a, b, SIZES[shape], (0.0, -1.0, 0.0))
    assert touches and length > short
    assert t1[1] < 0.0 or t2[1] < 0.0 or abs(t1[0]) > 0.01


def test_a_point_inside_does_no_harm():
    for shape in (SPHERE, CYLINDER, ELLIPSOID):
        length, *_ = wrapped(shape, (0.01, 0.0, 0.0), (-0.1, 0.02, 0.0), SIZES[shape])
        assert np.isfinite(length)
