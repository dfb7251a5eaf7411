"""A disk that fills up: the frames so far are kept as a partial run, with one clear line."""

import errno
import json
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from mannequin.__main__ import main
from mannequin.analysis.files import run_folder, verify
from mannequin.analysis.files.recording_file import compare_recordings
from mannequin.analysis.files.run_folder import read_run, write_run
from mannequin.engine import run
from mannequin.engine.runs import simulation
from mannequin.engine.runs.recording import first_frames
from mannequin.io_json.errors import FileError
from mannequin.io_json.scenario_json import read_scenario, write_scenario
from mannequin.models.library import scenario_path

FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture(scope="module")
def fall():
    """A standing fall up to some contacts, with their history, and its recording."""
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration, scenario.settings.contact_history = 0.4, True
    return scenario, run(scenario)


class Disk:
    """A disk with room for so many bytes, for every file that is written below `write_recording` and the tables."""

    def __init__(self, monkeypatch, room: int) -> None:
        self.room = room
        self.written: dict[Path, int] = {}
        real = run_folder._flushed

        @contextmanager
        def flushed(path):
            with real(path) as file:
                self.written[path] = 0
                yield Counting(file, path, self)

        monkeypatch.setattr(run_folder, "_flushed", flushed)
        monkeypatch.setattr(run_folder, "free_disk", lambda folder: self.room)

    def take(self, path: Path, size: int) -> None:
        """Count what is added to a file; those of a hidden folder that was removed count no more. Raises OSError."""
        there = sum(taken for other, taken in list(self.written.items()) if other.exists())
        if there + size > self.room:
            raise FULL
        self.written[path] += size


class Counting:
    """A file, as far as its disk has room."""

    def __init__(self, file, path: Path, disk: Disk) -> None:
        self._file, self._path, self._disk = file, path, disk

    def __getattr__(self, name):
        return getattr(self._file, name)

    def write(self, data):
        self._disk.take(self._path, len(data))
        return self._file.write(data)

    def writelines(self, lines):
        for line in lines:
            self.write(line)


def test_a_recording_is_cut_at_an_output_time(fall):
    """The first frames of a run are those of a shorter run; contacts under way aside."""
    scenario, recording = fall
    count = int(np.searchsorted(recording.times, recording.contacts["start"].max()))
    part = first_frames(recording, count)
    assert part.frames == count > 1 and part.times[-1] == recording.times[count - 1]
    assert np.array_equal(part.position, recording.position[:count])
    assert len(part.contacts) < len(recording.contacts) and np.all(part.contacts["start"] <= part.times[-1])
    assert part.contact_history["time"].max() <= part.times[-1]
    assert compare_recordings(first_frames(recording, recording.frames), recording) == {}


def test_what_fits_on_a_full_disk_is_kept_and_can_be_verified(fall, tmp_path, monkeypatch):
    scenario, recording = fall
    now = datetime.now(UTC)
    whole = write_run(scenario, recording, tmp_path / "whole", started=now, ended=now)
    size = sum(path.stat().st_size for path in whole.rglob("*") if path.is_file())
    Disk(monkeypatch, size // 2)
    folder = write_run(scenario, recording, tmp_path / "out", started=now, ended=now)
    kept = read_run(folder).recording
    assert kept.status == "stopped" and "disk was full" in kept.message
    assert 0.2 * recording.frames < kept.frames < 0.6 * recording.frames
    assert compare_recordings(kept, first_frames(recording, kept.frames)).keys() == {"status", "message"}
    assert [path.name for path in (tmp_path / "out").iterdir()] == [folder.name], "nothing else is left"
    monkeypatch.undo()  # somebody has made room: verify writes the files again
    found = verify.verify_run(folder)
    assert found.replay == "identical" and not found.problems


def test_a_disk_without_any_room_is_an_error_as_before(fall, tmp_path, monkeypatch):
    scenario, recording = fall
    Disk(monkeypatch, 1000)
    now = datetime.now(UTC)
    with pytest.raises(FileError, match="cannot be written there .No space left"):
        write_run(scenario, recording, tmp_path, started=now, ended=now)
    assert not list(tmp_path.iterdir())


def test_other_errors_are_not_taken_for_a_full_disk(fall, tmp_path, monkeypatch):
    def denied(path):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(run_folder, "_flushed", denied)
    now = datetime.now(UTC)
    with pytest.raises(FileError, match="Permission denied"):
        write_run(*fall, tmp_path, started=now, ended=now)


def test_frames_that_do_not_fit_the_temporary_folder_end_the_run_and_the_others_are_kept(
    fall, tmp_path, monkeypatch, capsys
):
    """One line, the exit code of a failure, and a run folder with the frames until then."""
    scenario, recording = fall
    monkeypatch.setattr(simulation, "LARGEST_IN_MEMORY", 0)
    real, written = simulation._write_all, []

    def write(file, part):
        if len(written) > 100:
            raise FULL
        written.append(len(part))
        real(file, part)

    monkeypatch.setattr(simulation, "_write_all", write)
    file = tmp_path / "fall.json"
    write_scenario(scenario, file)
    assert main(["run", str(file), "--out", str(tmp_path / "out"), "--json", "--allow-outside"]) == 1
    told = json.loads(capsys.readouterr().out)[0]
    kept = read_run(told["folder"]).recording
    assert told["status"] == kept.status == "stopped" and "No space left on device" in kept.message
    assert 1 < kept.frames < recording.frames
    written.clear()
    written.extend([0] * 101)
    assert main(["run", str(file), "--out", str(tmp_path / "out"), "--allow-outside"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert (
        len(lines) == 1 and "stopped: Further frames could not be kept" in lines[0] and "TMPDIR" in lines[0]
    )
    assert first_frames(recording, kept.frames).position.tobytes() == np.asarray(kept.position).tobytes()
    assert Path(told["folder"]).exists()


def test_a_history_without_a_contact_is_written(tmp_path):
    scenario = read_scenario(scenario_path("fall_standing"))
    scenario.settings.duration, scenario.settings.contact_history = 0.02, True
    scenario.settings.ground = scenario.settings.self_contact = False
    recording = run(scenario)
    now = datetime.now(UTC)
    folder = write_run(scenario, recording, tmp_path, started=now, ended=now)
    (table,) = folder.glob("*_contact_history.csv")
    assert len(recording.contact_history) == 0 and len(table.read_text().splitlines()) == 1
