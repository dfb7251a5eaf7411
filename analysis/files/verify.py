"""Verify a run: is every file what its scenario gives, and does a second simulation give the same recording?

Three questions, in this order. Are the files those that the manifest lists, by their digests? Are tables, summary,
models and manifest what the recording and the scenario give, when they are made again (`truth`)? Is the recording that
of a second simulation? The second recording must be the same to the last bit. A tolerance is granted only where the
manifest is known to be the author's own (by a digest that was noted elsewhere, or by a signature) and says that the
machine code was another: without that, whoever changes a recording could claim another machine.
"""

import dataclasses
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...engine.build.system import compile_system
from ...engine.jit.decorators import code_digests
from ...engine.runs import simulation
from ...engine.runs.recording import CANCELLED, PARTIAL, STOPPED, Recording
from ...engine.spec import Scenario
from ...io_json.errors import FileError
from ...io_json.names import stays_inside
from ..measures.step_resolution import judged
from . import manifest
from .channel_files import channel_problems
from .recording_file import archive_problems, compare_recordings, largest_difference
from .run_folder import SIGNATURE, TIME_STAMP, Run, read_run
from .truth import changed_inputs, input_problems, regenerate

TOLERANCE = 1e-4
"""With other machine code: largest difference as a share of the largest value of an array."""
SHORTEST_DIGEST = 32
"""Digits of a digest that are held against: of fewer, somebody could find another manifest that has them."""
IDENTICAL, EQUAL, DIFFERS = "identical", "equal within", "differs"

_DIGEST_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


@dataclass(kw_only=True)
class Checked:
    """What a check of files found. `problems` empty means that everything matches."""

    problems: list[str] = field(default_factory=list)
    """Each names the file or the array."""
    notes: list[str] = field(default_factory=list)
    files: int = 0
    """Files whose digest was checked."""
    digest: str = ""
    """Of the manifest, or of the package, for the case file."""
    is_authentic: bool = False
    """True where the digest is known to be its author's: it was expected, or signed."""

    @property
    def is_sound(self) -> bool:
        """True when nothing was found."""
        return not self.problems


@dataclass
class Verification(Checked):
    """What verify found of a run folder."""

    folder: Path
    replay: str = "not made"
    """"identical", "equal within x of the largest value", "differs" or "not made"."""
    run_id: str = ""


def verify_run(
    folder: str | os.PathLike,
    *,
    replay: bool = True,
    expect: str = "",
    is_authentic: bool = False,
    progress: Callable[[Any], None] | None = None,
) -> Verification:
    """Check every digest of a run folder, make its files again, then simulate again and compare. Raises FileError only
    where the folder cannot be looked at; a file that is missing or changed is a problem in the result.

    expect: the manifest's digest as it was noted elsewhere, or its first `SHORTEST_DIGEST` digits or more.
    is_authentic: a signature has shown already that the manifest is its author's.
    """
    found = Verification(Path(folder), is_authentic=is_authentic)
    content = _check_manifest(found)
    if content is None:
        return found
    if expect:
        _check_expected(found, expect)
    _check_outputs(found, content)
    _check_digest_lists(found)
    _check_inputs(found, content)
    _name_others(found, content)
    if not found.is_sound:
        found.notes.append("not made again, because files have been changed")
        return found
    run = read_run(folder)
    if replay:
        _replay(found, run, progress)
    _check_truth(found, run)
    return found


def _check_expected(found: Verification, expect: str) -> None:
    expect = expect.strip().lower()
    if not re.fullmatch(rf"[0-9a-f]{{{SHORTEST_DIGEST},64}}", expect):
        raise FileError(
            f"{expect[:80]!r} is no digest to hold a run against",
            remedy=f"Give the {SHORTEST_DIGEST} to 64 hexadecimal digits that were noted",
        )
    if found.digest.startswith(expect):
        found.is_authentic = True
    else:
        found.problems.append(f"{manifest.FILE_NAME}: has the digest {found.digest}, it should be {expect}")


def _check_truth(found: Verification, run: Run) -> None:
    """Make tables, summary, models and manifest again, and compare."""
    if run.manifest["format_version"] < manifest.FORMAT_VERSION:
        version = run.manifest["versions"].get("mannequin")
        found.problems.append(
            f"{manifest.FILE_NAME}: is of an earlier format, whose files this version cannot make again. "
            f"Verify it with Mannequin {version}"
        )
        return
    slack = TOLERANCE if found.replay.startswith(EQUAL) else 0.0
    truth = regenerate(run.scenario, run.recording, run.manifest)
    found.problems += truth.problems(run.manifest, lambda name: (run.folder / name).read_bytes(), slack)
    found.problems += archive_problems(run.folder / f"{run.stem}_recording.npz", run.recording)
    found.problems += channel_problems(run)
    found.problems += input_problems(run.folder, run.manifest, run.scenario)


def _check_manifest(found: Verification) -> dict[str, Any] | None:
    try:
        content = manifest.read(found.folder)
    except FileError as error:
        if not (found.folder / manifest.FILE_NAME).exists():
            raise
        found.problems.append(str(error))
        return None
    found.files += 1
    found.run_id, found.digest = manifest.run_id(content), content["sha256"]
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
    for name in changed_inputs(found.folder, content):
        found.notes.append(
            f"{name}: the input file has been changed since the run (the run folder keeps its own copy)"
        )


def _name_others(found: Verification, content: dict[str, Any]) -> None:
    """Name files that no digest covers."""
    covered = {output["path"] for output in content["outputs"]} | {manifest.FILE_NAME}
    for path in found.folder.glob("*.sha256"):
        covered.add(path.name)
        covered |= set(_listed(path))
    for path in sorted(found.folder.rglob("*")):
        name = path.relative_to(found.folder).as_posix()
        is_voucher = name.startswith((content["run"] + SIGNATURE, content["run"] + TIME_STAMP))
        if path.is_file() and name not in covered and not is_voucher:
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
    if run.recording.frames < (2 if run.recording.status == STOPPED else 1):
        found.notes.append("not simulated again: the run was stopped before its second output time")
        return
    first = judged(run.scenario, run.recording)  # older runs were not
    second = judged(run.scenario, simulate_again(run.scenario, run.recording, progress))
    if first.status == STOPPED:
        found.notes.append(
            f"the run was {first.status}: contacts that had not ended by then are not compared"
        )
        first, second = _up_to_the_end(first), _up_to_the_end(second)
    others = _other_platform(run.manifest)
    found.notes += [f"another platform: {text}" for text in others]
    differences = compare_recordings(first, second)
    if not differences:
        found.replay = IDENTICAL
        return
    share = largest_share(first, second, differences)
    if share <= TOLERANCE and _has_other_code(run.manifest):
        if found.is_authentic:
            found.replay = f"{EQUAL} {share:.2g} of the largest value"
            return
        found.problems.append(
            f"second simulation: differs by up to {share:.2g} of the largest value, which other machine code may do; "
            "but nothing shows that the manifest is its author's. Give its digest as it was noted (--expect), or "
            "whose signature it should have (--signer)"
        )
    found.replay = DIFFERS
    found.problems += [f"second simulation: {name}: {text}" for name, text in differences.items()]


def _other_platform(content: dict[str, Any]) -> list[str]:
    """The facts about program and machine that are not those of here."""
    here = {"versions": manifest.versions(), "platform": manifest.platform_facts()}
    then, now = manifest.replay_facts(content), manifest.replay_facts(here)
    return [f"{name} {then[name]} then, {now[name]} now" for name in then if then[name] != now[name]]


def _has_other_code(content: dict[str, Any]) -> bool:
    """Whether the machine code of the run was not that of here: a function of both has another digest, or one of the
    two runs was interpreted."""
    then, now = content["compiled_code"], code_digests()
    if bool(then) != bool(now):
        return True
    return any(then[name] != now[name] for name in then.keys() & now.keys())


def simulate_again(
    scenario: Scenario, recording: Recording, progress: Callable[[Any], None] | None = None
) -> Recording:
    """Run the scenario; one that was cancelled is cancelled after as many output times, one that was stopped is run up
    to the output time that it had reached."""
    if recording.status == CANCELLED:
        return _cancelled_after(scenario, recording.frames, progress)
    if recording.status in PARTIAL:
        settings = dataclasses.replace(scenario.settings, duration=float(recording.times[-1]))
        scenario = dataclasses.replace(scenario, settings=settings)
    return simulation.run(scenario, progress=progress)


class _Cancelled(simulation.Simulation):
    """A run whose buffers end with a given output time, so that it can be left there."""

    last = 0

    def _buffer(self, frames: int) -> Any:
        return super()._buffer(min(frames, self.last - self._store.frames))


def _cancelled_after(
    scenario: Scenario, frames: int, progress: Callable[[Any], None] | None = None
) -> Recording:
    """What a run has recorded that was cancelled when it had this many output times."""
    again = _Cancelled(compile_system(scenario))
    again.last = frames
    for state in again.advance():
        if progress is not None:
            progress(state)
        if state.frame >= frames:
            break
    return again.recording()


def _up_to_the_end(recording: Recording) -> Recording:
    """What a run that was stopped and one that ends at its last output time have in common.

    The first has gone on for some steps; they show in the contacts that were going on, and in the number of steps.
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
        status=STOPPED,
        message="",
    )


def largest_share(first: Recording, second: Recording, differences: Iterable[str]) -> float:
    """The largest difference as a share of the largest value of its array; infinite where something else differs."""
    return max((_share(getattr(first, name), getattr(second, name)) for name in differences), default=0.0)


def _share(a: Any, b: Any) -> float:
    comparable = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
    if not comparable or a.shape != b.shape or a.dtype != b.dtype or a.dtype.kind not in "fV":
        return float("inf")
    if a.dtype.names:
        return max((_member_share(a[name], b[name]) for name in a.dtype.names), default=0.0)
    return _member_share(a, b)


def _member_share(a: np.ndarray, b: np.ndarray) -> float:
    if a.dtype.kind != "f":
        return 0.0 if np.array_equal(a, b) else float("inf")
    scale = float(np.nanmax(np.abs(a.astype(float)))) if a.size and not np.all(np.isnan(a)) else 0.0
    return largest_difference(a, b) / max(scale, 1e-6)
