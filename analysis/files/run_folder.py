"""The folder of a run: written whole or not at all, never over another one.

Everything is written into a hidden folder beside the final one, flushed to the disk, and takes its final name in one
step. What each file holds is described in docs/formats/run_folder.md.
"""

import dataclasses
import itertools
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ...engine.runs.recording import STOPPED, Recording, first_frames
from ...engine.spec import Actor, Scenario
from ...io_json import atomic, scenario_json
from ...io_json.errors import FileError
from ...io_json.names import require_inside, safe_name
from ...io_json.room import free_disk, is_full
from ..measures import Measure, evaluate_families
from ..measures.catalogue import in_order
from ..measures.step_resolution import judged
from . import csv_files, manifest
from .ahead import Ahead, load_code
from .feed import Feed
from .recording_file import read_recording, write_recording
from .sizes import folder_bytes_per_frame
from .summary import statements, summary_text

MODELS_FOLDER = "models"
SIGNATURE, TIME_STAMP = "_signature_", "_timestamp_"
"""In the names of files that vouch for a run; `evidence.signing` writes and checks them."""
PACKAGE = Path(__file__).resolve().parents[2]
PARTIAL = ".partial"
SHARE_OF_ROOM = 0.8
"""Of what is free on a full disk, how much a run that is kept in part may take: others write too."""
STALE_AFTER = 86400.0
"""Seconds after which a hidden folder is that of a run that was killed while it was written."""


@dataclass(frozen=True)
class Run:
    """A run folder read back."""

    folder: Path
    manifest: dict[str, Any]
    scenario: Scenario
    recording: Recording

    @property
    def stem(self) -> str:
        """Scenario and UTC time: what the names of the files begin with."""
        return self.manifest["run"]


class Written(NamedTuple):
    """A run folder and the recording that it holds: what was computed, or what of it could be kept."""

    folder: Path
    recording: Recording
    measures: dict[str, list[Measure]]
    """Of this recording, by family"""


def file_stem(scenario_name: str, started: datetime) -> str:
    """Scenario name with only safe characters, and the UTC time to the second."""
    return f"{safe_name(scenario_name, 'scenario')}_{started.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def make_ahead(scenario: Scenario, feed: Feed[Ahead]) -> Ahead:
    """What of a run folder can be made while the run computes, for `write_run`: to be fed with its frames."""
    return Ahead(scenario_with_own_models(scenario)).make(feed)


def write_and_tell(
    scenario: Scenario,
    recording: Recording,
    out: str | os.PathLike,
    *,
    started: datetime,
    ended: datetime,
    inputs: Sequence[str | os.PathLike] = (),
    overrides: Mapping[str, Any] | None = None,
    host: Mapping[str, str] | None = None,
    ahead: Ahead | None = None,
    claimed: Callable[[str], None] | None = None,
) -> Written:
    """Write the run into a new folder under `out`. Raises FileError.

    A run that cannot be right is written as such (`step_resolution.judged`). Where the disk has no room for all of it,
    its first output times are kept, as many as fit, with the status "stopped" and the numbers.

    inputs: the files the scenario was read from, hashed as they are now. overrides: what the command line or the panel
    changed, by dotted name. host: name and version of the host program, such as {"blender": "4.5.0"}. ahead: what was
    made while this run was computed (`make_ahead`); the files are the same without. claimed: called with the folder's
    name before anything is written.
    """
    facts = {
        "started": started,
        "ended": ended,
        "inputs": [_describe_input(Path(path), Path(out)) for path in inputs],
        "overrides": overrides,
        "host": host,
    }
    recording = judged(scenario, recording)
    ahead = ahead or Ahead(scenario_with_own_models(scenario))
    try:
        return _write_whole(ahead, recording, Path(out), facts, claimed)
    except FileError as error:
        part = first_that_fit(recording, free_disk(out) or 0) if is_full(error) else None
        if part is None:
            raise
        return _write_whole(ahead, part, Path(out), facts)


def _write_whole(
    ahead: Ahead,
    recording: Recording,
    out: Path,
    facts: Mapping[str, Any],
    claimed: Callable[[str], None] | None = None,
) -> Written:
    """Write a run folder, all of it or nothing. Raises FileError."""
    scenario = ahead.scenario
    with _new_folder(out, file_stem(scenario.name, facts["started"])) as (folder, stem):
        if claimed is not None:
            claimed(stem)
        load_code()  # before the manifest lists it
        content = manifest.build(stem, scenario, recording, **facts, parameters=ahead.parameters)
        content["outputs"], measures = write_files(folder, stem, ahead, recording, content)
        atomic.write_bytes(folder / manifest.FILE_NAME, manifest.dumps(content))
    return Written(out / stem, recording, measures)


def write_run(scenario: Scenario, recording: Recording, out: str | os.PathLike, **facts: Any) -> Path:
    """Write the run as `write_and_tell` does, and return its folder. Raises FileError."""
    return write_and_tell(scenario, recording, out, **facts).folder


def first_that_fit(recording: Recording, free: int) -> Recording | None:
    """The first output times of a recording, as many as `free` bytes have room for; None where that is no motion."""
    count = min(recording.frames - 1, int(SHARE_OF_ROOM * free / folder_bytes_per_frame(recording)))
    if count < 2:
        return None
    message = (
        f"The disk was full: the first {count:,} of {recording.frames:,} output times are kept, up to "
        f"{recording.times[count - 1]:.4g} s. Make room, or choose another folder, and run again for the rest."
    )
    return dataclasses.replace(first_frames(recording, count), status=STOPPED, message=message)


def _describe_input(path: Path, out: Path) -> dict[str, Any]:
    try:
        return manifest.describe_file(path, input_name(path, out))
    except OSError as error:
        raise FileError(
            f"cannot be read any more ({error.strerror})", path=path, remedy="Put it back and run again"
        ) from error


def input_name(path: Path, out: Path) -> str:
    """How a manifest names an input: nothing in it says where or for whom the program runs.

    Relative to the run folder, which is in `out`, where the file is beside or below `out`; a file of the program as
    "mannequin/..."; else by its file name. The digest says which file it was.
    """
    path, beside = path.resolve(), out.resolve().parent
    if path.is_relative_to(beside) and beside != beside.parent:
        return Path(os.path.relpath(path, out.resolve() / "run")).as_posix()
    if path.is_relative_to(PACKAGE):
        return f"mannequin/{path.relative_to(PACKAGE).as_posix()}"
    return path.name


def write_files(
    folder: Path, stem: str, ahead: Ahead, recording: Recording, content: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], dict[str, list[Measure]]]:
    """Every file of a run but its manifest, whose `content` says what the summary states; returns how the manifest
    describes them, and the measures by family. Raises OSError, FileError."""
    scenario = ahead.scenario
    with ThreadPoolExecutor(2) as pool:
        # beside each other and the measures, since all leave Python's lock to others meanwhile
        beside = (
            pool.submit(_pack, folder, f"{stem}_recording.npz", recording),
            pool.submit(_write_tables, folder, stem, ahead, recording),
        )
        measures = evaluate_families(scenario, recording)
        summary = summary_text(scenario, recording, in_order(measures), stem)
        (folder / MODELS_FOLDER).mkdir()
        for name, text in ahead.model_texts.items():
            atomic.write_text(folder / name, text)
        atomic.write_text(folder / f"{stem}_scenario.json", ahead.scenario_text(folder))
        atomic.write_text(folder / summary_name(stem), summary + statements(content))
        described = {entry["path"]: entry for part in beside for entry in part.result()}
    for name in names_in(folder):
        if name not in described:
            described[name] = manifest.describe_file(folder / name, name)
    return [described[name] for name in sorted(described)], measures


def _pack(folder: Path, name: str, recording: Recording) -> list[dict[str, Any]]:
    """Write the recording; returns how the manifest describes it."""
    with _flushed(folder / name) as file:
        write_recording(recording, file)
    return [manifest.describe_file(folder / name, name)]


def _write_tables(folder: Path, stem: str, ahead: Ahead, recording: Recording) -> list[dict[str, Any]]:
    """Every table of a run; returns how the manifest describes them. Raises OSError."""
    others = {"contacts": csv_files.contacts_csv(recording)}
    if recording.contact_history is not None:
        others["contact_history"] = csv_files.contact_history_csv(recording)
    names = []
    for kind, lines in (*_lines_of_frames(ahead, recording), *others.items()):
        names.append(f"{stem}_{kind}.csv")
        with _flushed(folder / names[-1]) as file:
            file.writelines(line if isinstance(line, bytes) else line.encode("utf-8") for line in lines)
    return [manifest.describe_file(folder / name, name) for name in names]


def _lines_of_frames(ahead: Ahead, recording: Recording) -> Iterator[tuple[str, Iterator[str | bytes]]]:
    """Kind and text of each table with a line for each output time: what is made already, then the rest."""
    for kind, table in csv_files.frame_tables(ahead.scenario, recording).items():
        made = ahead.lines_of(kind, table)
        yield kind, itertools.chain([table.header], made, table.blocks(len(made)))


def summary_name(stem: str) -> str:
    """File name of the summary of a run."""
    return f"{stem}_summary.txt"


@contextmanager
def _flushed(path: Path) -> Iterator[BinaryIO]:
    """A new file of the hidden folder, written piece by piece and on the disk when done."""
    with open(path, "xb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def scenario_with_own_models(scenario: Scenario) -> Scenario:
    """The scenario with each actor's model named as a file of the run folder; actors of one model share its file."""
    files: list[tuple[Any, str]] = []
    actors: list[Actor] = []
    for actor in scenario.actors:
        name = next((name for model, name in files if model == actor.model), None)
        if name is None:
            safe = safe_name(actor.model.name, "model")
            taken = {name for _, name in files}
            name = f"{MODELS_FOLDER}/{safe}.json"
            number = 2
            while name in taken:
                name = f"{MODELS_FOLDER}/{safe}_{number}.json"
                number += 1
            files.append((actor.model, name))
        actors.append(dataclasses.replace(actor, model_reference=name))
    return dataclasses.replace(scenario, actors=actors)


def names_in(folder: Path) -> list[str]:
    """Paths of all files below a folder, with forward slashes, sorted."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@contextmanager
def _new_folder(out: Path, wanted: str) -> Iterator[tuple[Path, str]]:
    """A hidden folder to fill, and the stem it takes as its name when all went well; removed when not."""
    with _clear_errors(out):
        out.mkdir(parents=True, exist_ok=True)
        _remove_stale(out)
        stem = _claim(out, wanted)
    partial = out / f".{stem}{PARTIAL}"
    try:
        with _clear_errors(out / stem):
            yield partial, stem
            _flush_folders(partial)
            os.rename(partial, out / stem)
            _flush_folder(out)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _remove_stale(out: Path) -> None:
    """Remove what killed runs left behind long ago."""
    for folder in out.glob(f".*{PARTIAL}"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > STALE_AFTER:
                shutil.rmtree(folder, ignore_errors=True)


def _claim(out: Path, wanted: str) -> str:
    """Make the hidden folder of a free name; a number is added where the name is taken.

    Making a folder succeeds for one process only, and the final name is looked at afterwards: a run that took it in
    between had to give up its hidden folder first.
    """
    number = 1
    while True:
        stem = wanted if number == 1 else f"{wanted}_{number}"
        number += 1
        try:
            (out / f".{stem}{PARTIAL}").mkdir()
        except FileExistsError:
            continue
        if not (out / stem).exists():
            return stem
        (out / f".{stem}{PARTIAL}").rmdir()


@contextmanager
def _clear_errors(target: Path) -> Iterator[None]:
    """Turn errors of the operating system into one message that names the final place, not the hidden one."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"the run cannot be written there ({error.strerror or error})",
            path=target,
            remedy="Choose a folder with room that you may write to",
        ) from error
    except FileError as error:
        if error.path is not None and PARTIAL in error.path:
            raise FileError(error.message, path=target, place=error.place, remedy=error.remedy) from error
        raise


def _flush_folders(folder: Path) -> None:
    """Make the entries of a folder and of those below it safe against a power cut."""
    for path in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        _flush_folder(path)


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":  # Windows cannot open a folder; NTFS journals the rename itself.
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_run(folder: str | os.PathLike) -> Run:
    """Read a run folder. Raises FileError. The digests of the files are not checked; `verify` does that."""
    folder = Path(folder)
    content = manifest.read(folder)
    stem = content["run"]
    scenario = scenario_json.read_scenario(folder / f"{stem}_scenario.json")
    return Run(folder, content, scenario, read_recording(folder / f"{stem}_recording.npz"))


def add_files(run_folder: str | os.PathLike, group: str, files: Mapping[str, bytes]) -> list[Path]:
    """Add derived files (report, plots, film) to a run folder, with their digests in `<stem>_<group>.sha256`.

    Files are named `<stem>_<name>`, or as they are where the name has a folder in it ("plots/head.png"). Files of an
    earlier call with the same names are replaced. The list of digests is in the form that `sha256sum -c` reads, and
    `verify` checks it.
    """
    folder = Path(run_folder)
    stem = manifest.read(folder)["run"]
    names = [require_inside(added_name(stem, name)) for name in files]
    listing = require_inside(f"{stem}_{group}.sha256")
    for name, data in zip(names, files.values(), strict=True):
        with _clear_errors(folder):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        atomic.write_bytes(folder / name, data)
    lines = [f"{manifest.sha256_of_file(folder / name)}  {name}\n" for name in names]
    atomic.write_text(folder / listing, "".join(lines))
    return [folder / name for name in names]


def added_name(stem: str, name: str) -> str:
    """How a file that `add_files` got as `name` is called in the run folder."""
    return name if "/" in name else f"{stem}_{name}"
