"""Cameras that an author gives to a page: a witness's eye, a film's camera, a matched photograph with its picture.

The frame of a camera: x to the right of the picture, y up, looking along -z. A point (x, y, z) of it is seen at the
pixel (cx - f x / z, cy + f y / z), counted from the upper left corner, with the focal length f in pixels and the
principal point (cx, cy): a pinhole without distortion.
"""

import base64
import dataclasses
from dataclasses import dataclass
from math import hypot, isfinite
from pathlib import Path
from typing import Any

from ..engine.spec.values import Vector
from ..io_json import strict_json
from ..io_json.declarations import record_of
from ..io_json.errors import FileError, in_file
from ..io_json.model_keys import require_object
from ..io_json.resolve import resolve_file
from ..places.camera import files as matched

FORMAT, FORMAT_VERSION = "mannequin-cameras", 1
LARGEST_PICTURE = 8 * 1024**2
"""Bytes of a picture that is put into a page."""
KINDS = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}
"""First bytes of a picture's file to its media type."""


@dataclass(frozen=True)
class Camera:
    """A camera of the page besides its own."""

    name: str
    position: Vector
    """World, m."""
    rotation: tuple[float, float, float, float]
    """(w, x, y, z), camera frame to world."""
    focal_length: float
    """Pixels."""
    size: tuple[float, float]
    """Width and height of its picture, pixels."""
    principal_point: tuple[float, float] | None = None
    """Pixels from the left and from the top; none is the middle."""
    picture: str = ""
    """Behind the view: in a camera file the name of a picture beside it, in a page the picture as a data URI."""
    visible_from: float | None = None
    visible_to: float | None = None
    """s: the picture is shown between these times; none is the start, or the end, of the run."""

    @property
    def center(self) -> tuple[float, float]:
        """The principal point."""
        return self.principal_point or (0.5 * self.size[0], 0.5 * self.size[1])

    def as_dict(self) -> dict[str, Any]:
        """The camera as the page takes it, its principal point always given."""
        return {**dataclasses.asdict(self), "principal_point": self.center}


def read_cameras(path: str | Path) -> list[Camera]:
    """The cameras of a file, or the one of a file that `camera match` wrote, with their pictures. Raises FileError."""
    path = Path(path)
    document = strict_json.parse(strict_json.decode(strict_json.read_bytes(path)))
    with in_file(path):
        content = require_object(document, "")
        if content.get("format") == matched.FORMAT:
            return [_matched_camera(path)]
        if content.get("format") != FORMAT or content.get("format_version") != FORMAT_VERSION:
            remedy = (
                f'Begin it with "format": "{FORMAT}", "format_version": {FORMAT_VERSION} (see docs/viewer.md)'
            )
            raise FileError("is no file of cameras", remedy=remedy)
        entries = content.get("cameras")
        if not isinstance(entries, list) or not entries:
            raise FileError("holds no cameras", place="/cameras", remedy="List at least one")
        return [_camera(entry, f"/cameras/{k}", path.parent) for k, entry in enumerate(entries)]


def _matched_camera(path: Path) -> Camera:
    """The camera that was matched to a photograph; a page draws no distortion."""
    camera = matched.read_camera(path)
    if any(camera.distortion):
        remedy = "Match again with --undistorted, and give the page that file"
        raise FileError("is of a picture with distortion", place="/distortion", remedy=remedy)
    return Camera(
        camera.name,
        camera.position,
        camera.rotation,
        camera.focal_px,
        tuple(map(float, camera.size_px)),
        camera.center_px,
        data_uri(path.parent, camera.picture, "") if camera.picture else "",
    )


def _camera(entry: Any, place: str, folder: Path) -> Camera:
    camera = record_of(Camera).read(require_object(entry, place), place)
    length = hypot(*camera.rotation)
    if not camera.name.strip():
        raise FileError("has no name", place=place, remedy="Give it one: the page lists cameras by name")
    if not (isfinite(length) and abs(length - 1.0) < 1e-2):
        raise FileError(
            f"rotation has the length {length:.4g}",
            place=f"{place}/rotation",
            remedy="Give a unit quaternion (w, x, y, z)",
        )
    if not (camera.focal_length > 0.0 and min(camera.size) > 0.0):
        raise FileError(
            "focal length and size must be above zero",
            place=place,
            remedy="Give both in pixels of the picture",
        )
    turned = tuple(value / length for value in camera.rotation)
    picture = data_uri(folder, camera.picture, place) if camera.picture else ""
    return dataclasses.replace(camera, rotation=turned, picture=picture)


def data_uri(folder: Path, name: str, place: str) -> str:
    """A picture beside the camera file as text for a page. Raises FileError."""
    place = f"{place}/picture"
    try:
        path = resolve_file(name, folder)
    except FileError as error:
        raise FileError(error.message, place=place, remedy="Put the picture beside the file") from error
    data = strict_json.read_bytes(path, LARGEST_PICTURE)
    kind = next((kind for start, kind in KINDS.items() if data.startswith(start)), None)
    if kind is None:
        raise FileError(f"'{name}' is neither JPEG nor PNG", place=place, remedy="Convert the picture")
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"


def camera_of_page(entry: dict[str, Any]) -> Camera:
    """A camera as a page holds it. Raises FileError."""
    return record_of(Camera).read(require_object(entry, "/cameras"), "/cameras")
