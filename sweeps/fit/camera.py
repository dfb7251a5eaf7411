"""From points in the world to pixels of a picture."""

import numpy as np

from ...io_json.errors import FileError
from ...places.camera.lens import distorted
from .spec import Camera


def projection(camera: Camera) -> np.ndarray:
    """(3, 4) homogeneous world point (m) to homogeneous pixel (x right, y down). Raises FileError.

    The pinhole camera K [R | -R c]: rows of R are the picture's right, its down, and the direction of view.
    """
    if camera.matrix is not None:
        matrix = np.asarray(camera.matrix, dtype=float)
        if matrix.shape != (3, 4):
            raise FileError("a camera matrix has 3 rows of 4 numbers", remedy="Give all twelve")
        return matrix
    if camera.position is None or camera.target is None or not camera.focal_length or len(camera.centre) != 2:
        raise FileError(
            "a camera needs position, target, focal_length and centre", remedy="Give them, or its matrix"
        )
    position = np.asarray(camera.position, dtype=float)
    view = np.asarray(camera.target, dtype=float) - position
    right = np.cross(view, np.asarray(camera.up, dtype=float))
    if not np.linalg.norm(right) > 0.0:
        raise FileError("a camera cannot look along its up direction", remedy="Give another up direction")
    view, right = view / np.linalg.norm(view), right / np.linalg.norm(right)
    rotation = np.array([right, np.cross(view, right), view])
    focal = float(camera.focal_length)
    inner = np.array([[focal, 0.0, camera.centre[0]], [0.0, focal, camera.centre[1]], [0.0, 0.0, 1.0]])
    return inner @ np.column_stack([rotation, -rotation @ position])


def pixels(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n, 2) pixels of (n, 3) world points; NaN for points behind the camera."""
    seen = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    depth = np.where(seen[:, 2] > 0.0, seen[:, 2], np.nan)
    return seen[:, :2] / depth[:, None]


def seen(camera: Camera, points: np.ndarray) -> np.ndarray:
    """(n, 2) pixels of (n, 3) world points as the camera's lens draws them; NaN behind the camera. Raises FileError."""
    drawn = pixels(projection(camera), points)
    if not any(camera.distortion):
        return drawn
    if len(camera.distortion) != 2 or not camera.focal_length or len(camera.centre) != 2:
        raise FileError(
            "distortion has two terms, and needs focal_length and centre", remedy="Give them, or leave it out"
        )
    flat = (drawn - camera.centre) / camera.focal_length
    return np.asarray(camera.centre) + camera.focal_length * distorted(flat, tuple(camera.distortion))
