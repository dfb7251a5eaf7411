"""Room for a run: what it will take, known before it begins, and what killed runs left behind.

A run that cannot be kept is refused with the numbers.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...engine.runs.simulation import LARGEST_IN_MEMORY, FrameStore
from ...engine.spec import Scenario
from ...engine.spec.default_sensors import scenario_sensors
from ...io_json.errors import FileError
from ...io_json.room import free_disk, free_memory
from .run_folder import STALE_AFTER

WRITTEN_SHARE = 3.5
"""Bytes of a run folder for each byte of the recording in memory: 19 bytes of CSV text for each number of 8 bytes, and
the numbers themselves. The shipped falls have 3.0 to 3.3."""

FRAME_FILES = {"times", "position", "quaternion", "joint_angle", "energy", "contact_history"}
"""Some of the files that the frames of a long run are in, by which its folder is known."""


@dataclass(frozen=True)
class Forecast:
    """What a run needs, bytes."""

    frames: int
    memory: int
    temporary: int
    """In the temporary folder while the run goes on."""
    folder: int
    """Of the run folder."""


def forecast(scenario: Scenario) -> Forecast:
    """What the run of a valid scenario needs, from the number of its output times, bodies and muscles, and of its time
    steps and the channels of its sensors."""
    settings = scenario.settings
    frames = round(settings.duration / settings.output_step) + 1
    bodies = sum(len(actor.model.bodies) for actor in scenario.actors)
    muscles = sum(len(actor.model.muscles) for actor in scenario.actors)
    in_frames = frames * FrameStore(bodies, muscles, 0, settings.reactions).frame_bytes
    channels = sum(len(sensor.quantities) for sensor in scenario_sensors(scenario))
    per_step = FrameStore(0, 0, 0, False, channels=channels).sample_bytes if channels else 0
    sampled = round(settings.duration / settings.time_step) * per_step
    recording = in_frames + sampled
    on_disk = recording > LARGEST_IN_MEMORY
    written = int(WRITTEN_SHARE * in_frames + sampled)
    return Forecast(frames, 0 if on_disk else recording, recording if on_disk else 0, written)


def remove_leftovers(folder: Path | None = None) -> list[Path]:
    """Remove the frames that killed runs left in the temporary folder; returns what was removed.

    Only folders of this user that hold the frames of a run, and that nothing was written to for a day.
    """
    removed = []
    for found in (folder or Path(tempfile.gettempdir())).glob("mannequin-*"):
        with suppress(OSError):
            if not found.is_symlink() and _is_leftover(found):
                shutil.rmtree(found)
                removed.append(found)
    return removed


def _is_leftover(folder: Path) -> bool:
    names = {path.name for path in folder.iterdir()}
    if not FRAME_FILES <= names or hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
        return False
    return time.time() - max((folder / name).stat().st_mtime for name in names) > STALE_AFTER


def require_room(scenario: Scenario, out: str | os.PathLike | None) -> Forecast:
    """The forecast, when memory and disks have room for it; `out` None: nothing is written. Raises FileError."""
    needed = forecast(scenario)
    temporary = Path(tempfile.gettempdir())
    wanted = {temporary: needed.temporary}
    if out is not None:
        place = next(p for p in (Path(out).absolute(), *Path(out).absolute().parents) if p.is_dir())
        together = place.stat().st_dev == temporary.stat().st_dev
        wanted[place] = needed.folder + (needed.temporary if together else 0)
    for place, size in wanted.items():
        _require(size, free_disk(place), f"of disk in {place}", needed.frames)
    _require(needed.memory, free_memory(), "of memory", needed.frames)
    return needed


def _require(needed: int, free: int | None, what: str, frames: int) -> None:
    if free is not None and needed > free:
        raise FileError(
            f"the run would take {needed / 1e9:.3g} GB {what} for its {frames:,} output times, but only "
            f"{free / 1e9:.3g} GB are free",
            remedy="Choose a longer output step or a shorter duration, or a place with more room (--out, TMPDIR)",
        )
