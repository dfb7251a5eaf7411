"""Verify a run: are the files those that were written, and does a second simulation give the same result?

On the platform of the first run (same engine sources, versions, processor family and C library) the second recording
must be the same to the last bit. Elsewhere each array must agree to `TOLERANCE` of its largest value; round-off
differs between machines, and an impact magnifies it.
"""

import dataclasses
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...engine.runs.recording import CANCELLED, PARTIAL, Recording
from ...engine.spec import Scenario
from ...io_json.errors import FileError
from ...io_json.names import stays_inside
from ..measures.step_resolution import judged
from . import manifest
from .recording_file import compare_recordings, largest_difference
from .run_folder import Run, read_run

TOLERANCE = 1e-4
"""On another platform: largest difference as a share of the largest value of an array."""

_DIGEST_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


@dataclass
class Verification:
    """What verify found. `problems` empty means that everything matches."""

    folder: Path
    problems: list[str] = field(default_factory=list)
    """Each names the file or the array."""
    notes: list[str] = field(default_factory=list)
    files: int = 0
    """Files whose digest was checked."""
    replay: str = "not made"
    """"identical", "within tolerance", "different" or "not made"."""
    run_id: str = ""

    @property
    def is_sound(self) -> bool:
        """True when nothing was found."""
        return not self.problems


def verify_run(
    folder: str | os.PathLike, *, replay: bool = True, progress: Callable[[Any], None] | None = None
) -> Verification:
    """Check every digest of a run folder, then simulate again from its files and compare. Raises FileError only where
    the folder cannot be looked at; a file that is missing or changed is a problem in the result."""
    found = Verification(Path(folder))
    content = _check_manifest(found)
    if content is None:
        return found
    _check_outputs(found, content)
    _check_digest_lists(found)
    _check_inputs(found, content)
    _name_others(found, content)
    if replay and found.is_sound:
        _replay(found, read_run(folder), progress)
    elif replay:
        found.notes.append("not simulated again, because files have been changed")
    return found


def _check_manifest(found: Verification) -> dict[str, Any] | None:
    try:
        content = manifest.read(found.folder)
    except FileError as error:
        if not (found.folder / manifest.FILE_NAME).exists():
            raise
        found.problems.append(str(error))
        return None
    found.files += 1
    found.run_id = manifest.run_id(content)
    return content


def _check_outputs(found: Verification, content: dict[str, Any]) -> None:
    for output in content["outputs"]:
        _check_file(found, found.folder / output["path"], output["path"], output["sha256"])


def _check_file(found: Verification, path: Path, name: str, digest: str) -> None:
    try:
        actual = manifest.sha256_of_file(path)
    except FileNotFoundError:
        found.problems.append(f"{name}: is missing")
        return
    except OSError as error:
        found.problems.append(f"{name}: cannot be read ({error.strerror})")
        return
    found.files += 1
    if actual != digest:
        found.problems.append(f"{name}: has been changed since it was written")


def _check_digest_lists(found: Verification) -> None:
    """Files added after the run, by their `.sha256` lists."""
    for path in sorted(found.folder.glob("*.sha256")):
        for line in _lines(path):
            match = _DIGEST_LINE.fullmatch(line)
            if match is None or not stays_inside(match[2]):
                found.problems.append(f"{path.name}: has been changed: '{line[:80]}' is no digest of a file")
                continue
            _check_file(found, found.folder / match[2], match[2], match[1])


def _check_inputs(found: Verification, content: dict[str, Any]) -> None:
    """Input files may have been moved or edited since the run: noted only, as the run folder holds copies."""
    for entry in content["inputs"]:
        path = found.folder / entry["path"]
        if path.is_file() and manifest.sha256_of_file(path) != entry["sha256"]:
            found.notes.append(
                f"{entry['path']}: the input file has been changed since the run (the run folder keeps its own copy)"
            )


def _name_others(found: Verification, content: dict[str, Any]) -> None:
    """Name files that no digest covers."""
    covered = {output["path"] for output in content["outputs"]} | {manifest.FILE_NAME}
    for path in found.folder.glob("*.sha256"):
        covered.add(path.name)
        covered |= set(_listed(path))
    for path in sorted(found.folder.rglob("*")):
        name = path.relative_to(found.folder).as_posix()
        if path.is_file() and name not in covered:
            found.notes.append(f"{name}: was not written by the run and is not covered by a digest")


def _listed(path: Path) -> list[str]:
    return [match[2] for match in map(_DIGEST_LINE.fullmatch, _lines(path)) if match]


def _lines(path: Path) -> list[str]:
    """The lines of a list of digests; one without its line end stays what it is, and is then no digest of a file."""
    text = path.read_bytes().decode("utf-8", errors="replace")
    *lines, rest = text.split("\n")
    return [*lines, rest + "?"] if rest else lines


def _replay(found: Verification, run: Run, progress: Callable[[Any], None] | None) -> None:
    """Simulate again and compare with what was recorded."""
    if run.recording.frames < 2:
        found.notes.append("not simulated again: the run was stopped before its second output time")
        return
    first = judged(run.scenario, run.recording)  # older runs were not
    second = judged(run.scenario, simulate_again(run.scenario, run.recording, progress))
    if first.status in PARTIAL:
        found.notes.append(
            f"the run was {first.status}: contacts that had not ended by then are not compared"
        )
        first, second = _up_to_the_end(first), _up_to_the_end(second)
    here = {"versions": manifest.versions(), "platform": manifest.platform_facts()}
    then, now = manifest.replay_facts(run.manifest), manifest.replay_facts(here)
    others = [f"{name} {then[name]} then, {now[name]} now" for name in then if then[name] != now[name]]
    found.notes += [f"another platform: {text}" for text in others]
    differences = compare_recordings(first, second)
    if not differences:
        found.replay = "identical"
        return
    if others:
        differences = beyond_tolerance(first, second, differences)
    found.replay = "different" if differences else "within tolerance"
    found.problems += [f"second simulation: {name}: {text}" for name, text in differences.items()]


def simulate_again(
    scenario: Scenario, recording: Recording, progress: Callable[[Any], None] | None = None
) -> Recording:
    """Run the scenario; one that was cancelled or stopped is run up to the output time it had reached."""
    from ...engine.runs.simulation import run

    if recording.status in PARTIAL:
        settings = dataclasses.replace(scenario.settings, duration=float(recording.times[-1]))
        scenario = dataclasses.replace(scenario, settings=settings)
    return run(scenario, progress=progress)


def _up_to_the_end(recording: Recording) -> Recording:
    """What a cancelled run and one that ends at its last output time have in common.

    A cancelled run has taken the steps towards the next output time already; they show in the contacts that were going
    on, and in the number of steps.
    """
    contacts = recording.contacts
    ended = contacts["end"] < recording.times[-1]
    ends, sampled = recording.contact_curve_end, recording.channel_times <= recording.times[-1]
    return dataclasses.replace(
        recording,
        contacts=contacts[ended],
        contact_curve_end=ends[ended] if len(ends) == len(contacts) else ends,
        channel_times=recording.channel_times[sampled],
        channel_data=recording.channel_data[sampled],
        steps=0,
        status=CANCELLED,
        message="",
    )


def beyond_tolerance(first: Recording, second: Recording, differences: dict[str, str]) -> dict[str, str]:
    """The differences that are more than `TOLERANCE` of an array's largest value."""
    kept = {}
    for name, text in differences.items():
        a, b = getattr(first, name), getattr(second, name)
        comparable = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        if comparable and a.shape == b.shape and a.dtype == b.dtype and a.dtype.kind in "fV":
            if _members_agree(a, b):
                continue
            text += f", more than {TOLERANCE:g} of the largest value"
        kept[name] = text
    return kept


def _members_agree(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype.names:
        return all(_members_agree(a[name], b[name]) for name in a.dtype.names)
    scale = float(np.nanmax(np.abs(a.astype(float)))) if a.size and not np.all(np.isnan(a)) else 0.0
    return largest_difference(a, b) <= TOLERANCE * max(scale, 1e-6)
