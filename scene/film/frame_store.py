"""Where the pictures of a film are until it is written: a folder that is removed, or one that is kept, so that a film
that was cut off goes on where it was."""

import dataclasses
import hashlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import bpy

from ...io_json import atomic
from ...jobs.film_choices import SEQUENCES
from ...jobs.protocol import Film
from ..base.errors import SceneError
from .cameras import camera_of, state_of
from .shots import Shot
from .side_by_side import is_side_by_side

RECORD = "film.json"
"""File of a kept folder that says what film its pictures are of."""


@dataclasses.dataclass(frozen=True)
class FrameStore:
    """A folder of pictures, numbered from 0."""

    folder: Path
    suffix: str

    def path(self, number: int) -> Path:
        """Where a picture is, or will be."""
        return self.folder / f"{number:05d}{self.suffix}"


@contextmanager
def frame_store(scene: bpy.types.Scene, film: Film, shots: Sequence[Shot]) -> Iterator[FrameStore]:
    """The folder for the pictures of a film; a kept one must be of the same film, or new."""
    suffix = SEQUENCES.get(film.format, ".png")
    if film.frames is None:
        with tempfile.TemporaryDirectory(prefix="mannequin-frames-") as folder:
            yield FrameStore(Path(folder), suffix)
        return
    film.frames.mkdir(parents=True, exist_ok=True)
    record, digest = film.frames / RECORD, digest_of(scene, film, shots)
    if record.exists() or any(film.frames.glob(f"[0-9]*{suffix}")):
        if not record.exists() or json.loads(record.read_text(encoding="utf-8")).get("film") != digest:
            raise SceneError(
                f"{film.frames} has pictures of another film, or of this one before it was changed: remove it, or "
                "choose another folder"
            )
    else:
        atomic.write_text(record, json.dumps({"film": digest}))
    yield FrameStore(film.frames, suffix)


def digest_of(scene: bpy.types.Scene, film: Film, shots: Sequence[Shot]) -> str:
    """Digest of what decides the pictures of a film, but for the look of the scene itself."""
    asked = {
        name: str(value)
        for name, value in dataclasses.asdict(film).items()
        if name not in ("target", "frames", "sheet")
    }
    views = []
    for shot in shots:
        camera = shot.own or (None if is_side_by_side(scene) else camera_of(scene, shot.camera))
        views.append([shot.frames, shot.factors, shot.title, state_of(camera) if camera else ""])
    runs = sorted({action.get("mannequin_run", "") for action in bpy.data.actions})
    text = json.dumps([asked, views, runs, bpy.app.version_string], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
