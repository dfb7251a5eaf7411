"""Cameras that are known are found again from the marks of points in their pictures, and what is wrong is named."""

import dataclasses

import numpy as np
import pytest
from synthetic_camera import SIZE, YARD, edges, known, off, seen_points, sightings, true_camera

from mannequin.io_json.errors import FileError
from mannequin.places.camera.lens import Camera, distorted, largest_radius, undistorted
from mannequin.places.camera.match import match_camera
from mannequin.places.camera.sightings import KnownLens, Sightings
from mannequin.sweeps.fit import camera as pinhole
from mannequin.sweeps.fit.spec import Camera as PinholeCamera

FLAT = (YARD[0], [5.0, 7.0, 0.0])
"""Marks on the road only."""


def worst_check(match) -> float:
    return max(residual.size for residual in match.residuals if residual.role == "check")


def test_projection_is_that_of_a_pinhole_camera():
    """Without distortion it is the projection matrix of the fit, which was written on its own."""
    camera = true_camera(distortion=(0.0, 0.0))
    up = tuple(camera.axes[:, 1])
    target = tuple(np.add(camera.position, camera.view))
    other = PinholeCamera(camera.position, target, up, camera.focal_px, list(camera.center_px))
    points, pixels = seen_points(camera, 20, np.random.default_rng(1))
    assert np.allclose(pinhole.pixels(pinhole.projection(other), points), pixels, atol=1e-8)
    assert np.isnan(camera.project(np.subtract(camera.position, camera.view)[None])).all()


@pytest.mark.parametrize("terms", [(-0.3, 0.1), (0.1, 0.0), (-0.2, 0.0), (0.0, -0.05), (0.0, 0.0)])
def test_distortion_is_taken_out_again(terms):
    radii = np.linspace(0.0, 0.98 * min(largest_radius(terms), 1.5), 60)
    angles = np.linspace(0.0, 6.0, 60)
    flat = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])
    assert np.allclose(undistorted(distorted(flat, terms), terms), flat, atol=1e-8)


def test_beyond_the_lens_there_is_no_ray():
    terms = (-0.3, 0.0)
    edge = largest_radius(terms)
    assert edge == pytest.approx(np.sqrt(1.0 / 0.9))
    farthest = edge * (1.0 - 0.3 * edge**2)
    assert np.isnan(undistorted(np.array([[1.01 * farthest, 0.0]]), terms)).all()


@pytest.mark.parametrize("seed", range(5))
def test_known_lens_and_sixteen_points(seed):
    """20 mm and 0.1 degrees of the axis, check points under 3 px, with noise of one pixel."""
    camera = true_camera()
    match = match_camera(sightings(camera, 16, seed, lens=known(camera)))
    distance, axis, _ = off(match.camera, camera)
    assert distance < 0.020 and axis < 0.1 and worst_check(match) < 3.0
    assert match.outliers == []


@pytest.mark.parametrize("seed", range(3))
def test_unknown_lens_and_forty_points(seed):
    """The whole lens is found too: 20 mm and 0.1 degrees of what the middle of the picture shows."""
    camera = true_camera()
    match = match_camera(sightings(camera, 40, seed))
    distance, axis, middle = off(match.camera, camera)
    assert distance < 0.020 and middle < 0.1 and worst_check(match) < 3.0
    assert axis < 3.0 * match.uncertainty.axis, "the axis is only as known as the centre of the lens"
    sigma = match.uncertainty
    assert abs(match.camera.focal_px - camera.focal_px) < 3.0 * sigma.focal_px < 30.0
    for found, true, spread in zip(match.camera.distortion, camera.distortion, sigma.distortion, strict=True):
        assert abs(found - true) < 3.0 * spread


def test_distortion_is_recovered_where_marks_are_sharp():
    camera = true_camera(distortion=(-0.2, 0.05))
    match = match_camera(sightings(camera, 40, 1, noise=0.05))
    assert match.camera.distortion[0] == pytest.approx(-0.2, abs=0.005)
    assert match.camera.distortion[1] == pytest.approx(0.05, abs=0.02)
    straight = match_camera(
        dataclasses.replace(
            sightings(camera, 40, 1, noise=0.05),
            lens=KnownLens(camera.focal_px, camera.center_px, (0.0, 0.0)),
        )
    )
    assert straight.rms("used") > 5.0, "a lens without distortion does not explain the picture"


@pytest.mark.parametrize("count", [4, 6])
def test_exact_marks_give_the_exact_camera(count):
    """Four points and a known lens; six and the rest of the lens."""
    camera = true_camera()
    lens = known(camera) if count == 4 else KnownLens(None, camera.center_px, camera.distortion)
    match = match_camera(sightings(camera, count, 3, noise=0.0, lens=lens))
    distance, axis, _ = off(match.camera, camera)
    assert distance < 1e-4 and axis < 1e-3
    assert "no point to spare" in match.notes[-1]


def test_marks_on_a_road_are_enough():
    """All points in one plane, the lens unknown but for its centre and distortion."""
    camera = true_camera(distortion=(0.0, 0.0), center=(960.0, 540.0))
    lens = KnownLens(None, (960.0, 540.0), (0.0, 0.0))
    match = match_camera(sightings(camera, 12, 2, noise=0.3, lens=lens, box=FLAT))
    distance, axis, _ = off(match.camera, camera)
    assert distance < 0.06 and axis < 0.2 and worst_check(match) < 3.0


@pytest.mark.parametrize(("count", "wrong"), [(12, ("p3",)), (40, ("p3", "p7"))])
def test_wrong_points_are_named(count, wrong):
    camera = true_camera()
    marks = sightings(camera, count, 5, lens=known(camera) if count == 12 else None)
    for point in marks.points:
        if point.name in wrong:
            point.pixel = (point.pixel[0] + 22.0, point.pixel[1] - 15.0)
    match = match_camera(marks)
    assert set(match.outliers) == set(wrong)
    assert all(any(name in note for note in match.notes) for name in wrong)
    assert off(match.camera, camera)[0] < 0.025


def test_right_points_are_rarely_called_outliers():
    camera = true_camera()
    named = [match_camera(sightings(camera, 10, 50 + s, lens=known(camera))).outliers for s in range(4)]
    assert sum(map(len, named)) == 0


@pytest.mark.slow
def test_uncertainty_is_that_of_many_pictures():
    """Errors of the position in units of their covariance: their mean square is 1, by definition."""
    camera = true_camera()
    squares = []
    for seed in range(24):
        match = match_camera(sightings(camera, 8, 100 + seed, checks=0, lens=known(camera)))
        error = np.subtract(match.camera.position, camera.position)
        covariance = np.array(match.uncertainty.covariance)[:3, :3] / match.uncertainty.scale**2
        squares.append(error @ np.linalg.solve(covariance, error) / 3.0)
    # chi-square with 72 degrees of freedom over 72: 99.9 % lie between 0.53 and 1.65
    assert 0.53 < np.mean(squares) < 1.65


def test_vanishing_lines_where_points_are_few():
    """Two points give the scale and the place; edges along three directions give rotation and focal length."""
    camera = true_camera(distortion=(0.0, 0.0), center=(960.0, 540.0))
    marks = sightings(camera, 2, 4, noise=0.5, lens=KnownLens(None, (960.0, 540.0), (0.0, 0.0)))
    marks.lines = edges(camera, 5, 1)
    match = match_camera(marks)
    distance, axis, _ = off(match.camera, camera)
    assert distance < 0.15 and axis < 0.3
    assert match.camera.focal_px == pytest.approx(camera.focal_px, rel=0.02)
    assert max(abs(error) for error in match.line_errors.values()) < 2.0


@pytest.mark.parametrize("position", [(0.0, 0.5, 12.0), (6.0, 9.0, 0.4), (-8.0, 2.0, 1.0)])
def test_any_direction_of_view_is_found(position):
    """From above (a drone), from near the ground, from the side; a picture on its side."""
    from synthetic_camera import look

    rotation = tuple(look(position, (0.0, 0.6, 0.9), 1.5).tolist())
    camera = Camera("any", position, rotation, 1500.0, (960.0, 540.0), SIZE)
    match = match_camera(sightings(camera, 12, 6, noise=0.5, lens=known(camera)))
    assert off(match.camera, camera)[0] < 0.05


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.points.__delitem__(slice(5, None)), "5 points do not decide"),
        (lambda s: setattr(s, "size_px", (1, 1)), "pixels wide"),
        (lambda s: setattr(s.points[1], "name", "p0"), "empty or taken"),
        (lambda s: setattr(s.points[1], "sigma_px", 0.0), "p1: a standard deviation"),
        (lambda s: setattr(s.lens, "focal_px", -3.0), "focal length"),
        (lambda s: [setattr(p, "position", (0.5 * i, 0.0, 0.0)) for i, p in enumerate(s.points)], "decide"),
    ],
)
def test_what_decides_no_camera_is_refused(change, message):
    marks: Sightings = sightings(true_camera(), 8, 1, checks=0)
    change(marks)
    with pytest.raises(FileError, match=message):
        match_camera(marks)
