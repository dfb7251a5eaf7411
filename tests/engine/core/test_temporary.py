"""Temporary folders: gone with their owner, found and removed where the owner was killed."""

import os
import subprocess
import sys
import time

import pytest

from mannequin.engine.runs import temporary
from mannequin.engine.runs.temporary import LOCK, TemporaryFolder, remove_leftovers

posix = pytest.mark.skipif(temporary.fcntl is None, reason="needs locks of files")


def age(path, seconds):
    os.utime(path, (time.time() - seconds,) * 2)


def test_it_goes_with_its_owner(tmp_path):
    folder = TemporaryFolder("frames-", tmp_path)
    (found,) = tmp_path.iterdir()
    assert found.name.startswith("mannequin-frames-")
    folder.cleanup()
    assert not list(tmp_path.iterdir())
    owned = TemporaryFolder(folder=tmp_path)
    del owned
    assert not list(tmp_path.iterdir())


@posix
def test_what_a_killed_process_left_is_removed_and_what_a_living_one_has_is_not(tmp_path):
    code = (
        "import sys; from mannequin.engine.runs.temporary import TemporaryFolder;"
        "folder = TemporaryFolder(folder=sys.argv[1]); print(folder.name, flush=True); sys.stdin.read()"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    processes = [
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    folders = [process.stdout.readline().strip() for process in processes]
    for folder in folders:
        age(os.path.join(folder, LOCK), 2 * temporary.SECONDS_TO_LOCK)
    assert remove_leftovers(tmp_path) == []
    processes[0].kill()
    processes[0].wait()
    assert [str(path) for path in remove_leftovers(tmp_path)] == [folders[0]]
    assert [str(path) for path in tmp_path.iterdir()] == [folders[1]]
    processes[1].communicate("")


@posix
def test_a_folder_that_is_just_being_made_is_left_alone(tmp_path):
    (tmp_path / "mannequin-new").mkdir()
    (tmp_path / "mannequin-new" / LOCK).touch()
    assert remove_leftovers(tmp_path) == []


@pytest.mark.parametrize("files", temporary.KNOWN_FILES)
def test_without_a_lock_age_decides(tmp_path, files):
    for name in ("mannequin-old", "mannequin-new", "mannequin-else", "other-old"):
        (tmp_path / name).mkdir()
        for file in ["socket"] if name == "mannequin-else" else sorted(files):
            (tmp_path / name / file).write_bytes(b"x")
            if name != "mannequin-new":
                age(tmp_path / name / file, 90_000)
    assert [path.name for path in remove_leftovers(tmp_path)] == ["mannequin-old"]
    assert sorted(os.listdir(tmp_path)) == ["mannequin-else", "mannequin-new", "other-old"]


def test_the_files_of_frames_are_known(tmp_path, monkeypatch):
    """The engine's own store has the files by which leftovers are known."""
    from mannequin.engine.runs import simulation

    monkeypatch.setattr(simulation, "LARGEST_IN_MEMORY", 0)
    store = simulation.FrameStore(1, 0, 5, True, tmp_path)
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("mannequin-") and set(os.listdir(folder)) >= temporary.KNOWN_FILES[0]
    assert store.on_disk
