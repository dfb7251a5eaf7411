"""Room for a run: what it will take, known before it begins.

A run that cannot be kept is refused with the numbers.
"""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ...engine.runs.simulation import LARGEST_IN_MEMORY, FrameStore
from ...engine.spec import Scenario
from ...engine.spec.default_sensors import scenario_sensors
from ...io_json.errors import FileError
from ...io_json.room import free_disk, free_memory
from .sizes import CONTACTS_PER_FRAME, folder_bytes


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
    contacts = CONTACTS_PER_FRAME if settings.contact_history else 0.0
    folder = int(frames * folder_bytes(bodies, muscles, settings.reactions, contacts)) + sampled
    on_disk = recording > LARGEST_IN_MEMORY
    return Forecast(frames, 0 if on_disk else recording, recording if on_disk else 0, folder)


def require_room(scenario: Scenario, out: str | os.PathLike | None, at_once: int = 1) -> Forecast:
    """The forecast of a run, when memory and disks have room for so many of them. Raises FileError.

    out: folder of the run folders; None: nothing is written. at_once: runs that are under way at the same time.
    """
    needed = forecast(scenario)
    temporary = Path(tempfile.gettempdir())
    wanted = {temporary: at_once * needed.temporary}
    if out is not None:
        place = next(p for p in (Path(out).absolute(), *Path(out).absolute().parents) if p.is_dir())
        together = place.stat().st_dev == temporary.stat().st_dev
        wanted[place] = needed.folder + (needed.temporary if together else 0)
    for place, size in wanted.items():
        _require(size, free_disk(place), f"of disk in {place}", needed.frames, at_once)
    _require(at_once * needed.memory, free_memory(), "of memory", needed.frames, at_once)
    return needed


def _require(needed: int, free: int | None, what: str, frames: int, at_once: int) -> None:
    if free is not None and needed > free:
        who = "the run would take" if at_once == 1 else f"{at_once} runs at once would take"
        fewer = "" if at_once == 1 else ", fewer processes (--processes)"
        raise FileError(
            f"{who} {needed / 1e9:.3g} GB {what} for {frames:,} output times, but only {free / 1e9:.3g} GB are free",
            remedy=f"Choose a longer output step or a shorter duration{fewer}, or a place with more room (--out, "
            "TMPDIR)",
        )
