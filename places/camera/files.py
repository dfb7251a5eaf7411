"""The file of a camera: what the match writes, and what the viewer, the fit and Blender read."""

import os
from dataclasses import asdict
from typing import Any

import numpy as np

from ...io_json import atomic, layout
from ...io_json.declarations import fields_of
from ...io_json.documents import read_document
from ...io_json.errors import FileError, in_file
from ...io_json.nodes import Record
from .lens import Camera
from .match import Match

FORMAT = "mannequin-camera"
FORMAT_VERSION = 1
MATCHED = "match"
"""Key of what the match says of the camera; readers of the camera leave it alone."""


def read_camera(path: str | os.PathLike) -> Camera:
    """Read a camera's file. Raises FileError."""
    document = read_document(path, FORMAT, FORMAT_VERSION)
    document.pop(MATCHED, None)
    with in_file(path):
        camera = Record(Camera, tuple(fields_of(Camera).values())).read(document, "")
        _check(camera)
    return camera


def _check(camera: Camera) -> None:
    if abs(np.linalg.norm(camera.rotation) - 1.0) > 1e-3:
        raise FileError("the rotation is no unit quaternion", place="/rotation", remedy="Give w, x, y, z")
    if not camera.focal_px > 0.0:
        raise FileError("the focal length is not above 0", place="/focal_px", remedy="Give pixels")
    if min(camera.size_px) < 1:
        raise FileError("the picture has no size", place="/size_px", remedy="Give width and height")


def document_of(camera: Camera, match: Match | None = None) -> dict[str, Any]:
    """A camera as its file holds it, with what the match says of it."""
    head = {"format": FORMAT, "format_version": FORMAT_VERSION}
    document = head | Record(Camera, tuple(fields_of(Camera).values())).write(camera, "")
    return document if match is None else document | {MATCHED: _report(match)}


def write_camera(path: str | os.PathLike, camera: Camera, match: Match | None = None) -> None:
    """Write a camera's file. Raises FileError."""
    atomic.write_text(path, layout.compact(document_of(camera, match)))


def _report(match: Match) -> dict[str, Any]:
    points = [
        {"name": r.name, "role": r.role, "error_px": [round(float(e), 3) for e in r.error]}
        for r in match.residuals
    ]
    lines = {name: round(float(error), 3) for name, error in match.line_errors.items()}
    return {
        "uncertainty": asdict(match.uncertainty),
        "points": points,
        "lines": lines,
        "notes": match.notes,
    }
