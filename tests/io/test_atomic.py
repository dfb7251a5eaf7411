"""Files are written whole or not at all."""

import errno
import os
import stat
import subprocess
import sys

import pytest

from mannequin.io_json import atomic
from mannequin.io_json.errors import FileError


def test_text_is_written_as_it_is(tmp_path):
    atomic.write_text(tmp_path / "a.txt", "é\r\nx\n")
    assert (tmp_path / "a.txt").read_bytes() == b"\xc3\xa9\r\nx\n"


def test_an_old_file_is_replaced_and_keeps_its_permissions(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o640)
    atomic.write_bytes(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_new_file_gets_the_usual_permissions(tmp_path):
    (tmp_path / "usual").write_bytes(b"")
    atomic.write_bytes(tmp_path / "ours", b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("function", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize(
    ("code", "words"),
    [(errno.ENOSPC, "Free some space"), (errno.EROFS, "read-only"), (errno.EACCES, "may write")],
)
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, function, code, words):
    (tmp_path / "a").write_bytes(b"old")

    def fail(*args):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, function, fail)
    with pytest.raises(FileError, match=words) as caught:
        atomic.write_bytes(tmp_path / "a", b"new")
    monkeypatch.undo()
    assert caught.value.path == str(tmp_path / "a")
    assert os.listdir(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


def test_an_interruption_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        atomic.write_bytes(tmp_path / "a", b"new")
    assert os.listdir(tmp_path) == []


def test_a_real_limit_on_the_size_of_files(tmp_path):
    """The system itself refuses the write half-way."""
    program = (
        "import resource, signal, sys\n"
        "from mannequin.io_json import atomic\n"
        "from mannequin.io_json.errors import FileError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n"
        "    atomic.write_bytes(sys.argv[1], b'x' * 100000)\n"
        "except FileError as error:\n"
        "    sys.exit(7 if error.remedy else 8)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "a")], env=os.environ, check=False)
    assert done.returncode == 7
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["none/a", "file/a", "folder", "x" * 300, "a\0b"])
def test_a_place_that_cannot_be_written(tmp_path, name):
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(FileError) as caught:
        atomic.write_bytes(tmp_path / name, b"x")
    assert caught.value.remedy
    assert sorted(os.listdir(tmp_path)) == before
