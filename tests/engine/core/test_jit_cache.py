"""Compiled code on disk: damaged files are compiled again, strangers' folders and files are never used."""

import hashlib
import os
import pickle
import stat
import struct
import sys
import tempfile
from collections import namedtuple

import numpy as np
import pytest

from mannequin.engine.jit import cache_folder, entries
from mannequin.engine.jit import decorators as jit
from mannequin.engine.jit.late import LateKernel
from mannequin.engine.jit.object_code import unpacked
from mannequin.engine.jit.stand_ins import when_compiled

cache = pytest.importorskip("mannequin.engine.jit.cache", reason="Numba is not installed")
EntryPoint = pytest.importorskip("mannequin.engine.jit.kernels").EntryPoint
native = pytest.importorskip("mannequin.engine.jit.native")

pytestmark = [
    pytest.mark.skipif(not jit.IS_COMPILED, reason="the engine is interpreted"),
    pytest.mark.skipif(sys.platform == "win32", reason="owners and modes of POSIX"),
]
SOMEBODY = 12345
"""Number of a user that is not us."""
NOT_KEPT = "compiles again in every session"


@jit.compiled
def weighted(x):
    return 2.5 * x


def total(a):
    """The sum of the numbers in an array, times 2.5."""
    result = 0.0
    for i in range(len(a)):
        result += weighted(a[i])
    return result


def call(folder):
    """(value, loaded from the cache?) of a new session's first call of `total`, with its code in a folder."""
    entry = EntryPoint(total)
    entry._cache = cache.CodeCache(total, folder)
    value = entry(np.ones(3))
    return value, sum(entry.stats.cache_hits.values()) == 1


Work = namedtuple("Work", ["numbers", "result"])


def put_total(work):
    """`total` for bundles."""
    work.result[0] = 0.0
    for i in range(len(work.numbers)):
        work.result[0] += weighted(work.numbers[i])


COMPILED, LOADED = (7.5, False), (7.5, True)


def the_entry(folder):
    """The one file of compiled code in a folder."""
    (path,) = folder.glob("*.code")
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder that is chosen for the cache, with the code of `total` in it; there is no other to fall back to."""
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/nowhere")
    folder = cache_folder.choose()
    assert call(folder) == COMPILED and call(folder) == LOADED
    return folder


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def emptied(data: bytes) -> bytes:
    return b""


def zeroed(data: bytes) -> bytes:
    return bytes(len(data))


def without_its_end(data: bytes) -> bytes:
    return data[:-1]


def cut_in_its_head(data: bytes) -> bytes:
    return data[:20]


def with_another_constant(data: bytes) -> bytes:
    """The number 2.5 in the machine code made 3.5: three of them are 10.5."""
    assert data.count(number(2.5)) >= 1
    return data.replace(number(2.5), number(3.5))


def number(value: float) -> bytes:
    """A number as machine code holds it."""
    return struct.pack("<d", value)


def with_one_bit_changed(data: bytes) -> bytes:
    place = len(data) - 100
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def of_the_next_format(data: bytes) -> bytes:
    return data.replace(b"mannequin code 1", b"mannequin code 2", 1)


@pytest.mark.parametrize(
    "damage",
    [
        cut,
        emptied,
        zeroed,
        without_its_end,
        cut_in_its_head,
        with_another_constant,
        with_one_bit_changed,
        of_the_next_format,
    ],
)
def test_a_damaged_entry_is_thrown_away_and_compiled_again(folder, damage, caplog):
    path = the_entry(folder)
    path.write_bytes(damage(path.read_bytes()))
    assert call(folder) == COMPILED
    assert caplog.text.count("is thrown away and compiled again") == 1 and path.name in caplog.text
    caplog.clear()
    assert call(folder) == LOADED and not caplog.text


class TestByAddress:
    """The same for kernels that are called through their address."""

    @pytest.fixture
    def folder(self, tmp_path, monkeypatch):
        """A folder for the cache, with the code of `put_total` in it."""
        (tmp_path / "cache").mkdir(mode=0o700)
        monkeypatch.setattr(native, "chosen", lambda: tmp_path / "cache")
        assert self.call() == COMPILED and self.call() == LOADED
        return tmp_path / "cache"

    def call(self):
        """(value, loaded from the cache?) of a new session's first call."""
        work, compiled = Work(np.ones(3), np.zeros(1)), []
        with when_compiled(lambda: compiled.append(1)):
            LateKernel(put_total, 1, 0)(work)
        return work.result[0], not compiled

    @pytest.mark.parametrize(
        "damage", [emptied, without_its_end, cut_in_its_head, with_another_constant, of_the_next_format]
    )
    def test_a_damaged_entry_is_thrown_away_and_compiled_again(self, folder, damage, caplog):
        path = the_entry(folder)
        path.write_bytes(damage(path.read_bytes()))
        assert self.call() == COMPILED
        assert caplog.text.count("is thrown away and compiled again") == 1 and path.name in caplog.text
        assert self.call() == LOADED

    def test_a_checksum_to_match_does_not_make_up_for_the_digest_of_the_code(self, folder, caplog):
        path = the_entry(folder)
        digest, data = entries.read_entry(path)
        entries.write_entry(path, digest, with_another_constant(bytes(data)))
        assert self.call() == COMPILED and "does not match" in caplog.text

    def test_an_entry_that_others_may_write_to_is_not_run(self, folder, caplog):
        the_entry(folder).chmod(0o620)
        assert self.call() == COMPILED and "others may write to it" in caplog.text

    def test_an_entry_names_its_machine_code_by_digest(self, folder):
        digest, data = entries.read_entry(the_entry(folder))
        assert digest == hashlib.sha256(unpacked(data).code).hexdigest()
        assert digest in jit.code_digests().values()


def test_it_is_the_checksum_that_protects(folder):
    """The same patch with a checksum to match does change the result, so the patch of the test above is a real one."""
    path = the_entry(folder)
    digest, data = entries.read_entry(path)
    entries.write_entry(path, digest, with_another_constant(bytes(data)))
    assert call(folder) == (10.5, True)


def test_a_sound_file_of_something_else_is_thrown_away(folder, caplog):
    entries.write_entry(the_entry(folder), "00" * 32, pickle.dumps(("neither", "this")))
    assert call(folder) == COMPILED and "thrown away" in caplog.text


def test_an_entry_names_its_machine_code_by_digest(folder):
    """The digest is that of the object file, which begins with ELF on Linux and is inside the entry."""
    digest, data = entries.read_entry(the_entry(folder))
    (name, _, (machine_code, _)), *_ = pickle.loads(data)
    assert "total" in name and digest == hashlib.sha256(machine_code).hexdigest()
    assert digest in jit.code_digests().values()


def test_everything_in_the_cache_is_for_this_user_alone(folder):
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in folder.glob("*.code")} == {0}


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o1777])
def test_a_folder_that_others_may_write_to_is_not_used(folder, mode, caplog):
    folder.chmod(mode)
    assert cache_folder.choose() is None
    assert NOT_KEPT in caplog.text and "can be written to by others" in caplog.text


def test_a_folder_that_others_may_read_is_closed_and_used(folder):
    folder.chmod(0o755)
    assert cache_folder.choose() == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_link_in_place_of_the_folder_is_not_followed(folder, tmp_path, caplog):
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert cache_folder.choose() is None
    assert "a link or a file" in caplog.text


def test_a_link_in_place_of_an_entry_is_not_followed(folder, tmp_path, caplog):
    path = the_entry(folder)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert call(folder) == COMPILED and "thrown away" in caplog.text
    assert (tmp_path / "elsewhere").exists() and not path.is_symlink()


def test_an_entry_that_others_may_write_to_is_not_run(folder, caplog):
    the_entry(folder).chmod(0o620)
    assert call(folder) == COMPILED and "others may write to it" in caplog.text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
class TestStrangers:
    def test_a_folder_of_another_user_is_not_used(self, folder, caplog):
        os.chown(folder, SOMEBODY, SOMEBODY)
        assert cache_folder.choose() is None
        assert NOT_KEPT in caplog.text and f"another user (number {SOMEBODY})" in caplog.text

    def test_the_users_own_is_taken_instead(self, folder, monkeypatch, tmp_path):
        os.chown(folder, SOMEBODY, SOMEBODY)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
        assert cache_folder.choose() == tmp_path / "own" / "mannequin" / folder.name

    def test_an_entry_of_another_user_is_not_run(self, folder, caplog):
        os.chown(the_entry(folder), SOMEBODY, SOMEBODY)
        assert call(folder) == COMPILED and "another user" in caplog.text


def test_an_unwritable_choice_falls_back_to_the_users_own(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv(cache_folder.VARIABLE, "/dev/null/nowhere")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder.choose().parent == tmp_path / "mannequin" and not caplog.text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")
def test_an_unwritable_home_means_no_folder_at_all(tmp_path, monkeypatch, caplog):
    """A user without a home, asked for by its number: nothing below the temporary folder is taken instead."""
    monkeypatch.delenv(cache_folder.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    os.seteuid(SOMEBODY)
    try:
        assert cache_folder.choose() is None
    finally:
        os.seteuid(0)
    assert NOT_KEPT in caplog.text and "cannot be written" in caplog.text
    assert cache_folder.VARIABLE in caplog.text, "the remedy"


def test_without_a_folder_there_is_a_digest_all_the_same(tmp_path):
    before = jit.code_digests()
    assert call(None) == COMPILED
    assert all(len(digest) == 64 for digest in jit.code_digests().values()) and jit.code_digests() != before


def test_a_function_without_a_source_file_is_compiled_and_not_kept(folder):
    """Nor one that depends on variables around it: its source does not tell what it computes."""
    names = {}
    exec("def typed_in(a):\n    return 3.5 * a[0]", names)
    factor = 4.5

    def closed(a):
        return factor * a[0]

    before = sorted(folder.iterdir())
    for function, value in ((names["typed_in"], 3.5), (closed, 4.5)):
        entry = EntryPoint(function)
        entry._cache = cache.CodeCache(function, folder)
        assert entry(np.ones(3)) == value
    assert sorted(folder.iterdir()) == before


def test_a_full_disk_is_said_and_the_call_goes_on(folder, monkeypatch, caplog):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    the_entry(folder).unlink()
    monkeypatch.setattr(tempfile, "mkstemp", full)
    assert call(folder) == COMPILED and "cannot be kept" in caplog.text
    assert not list(folder.glob("*.code"))


class TestWindows:
    """The rule for Windows, which has no modes: the user's own profile."""

    def places(self, monkeypatch, tmp_path):
        monkeypatch.setattr(sys, "platform", "win32")
        for name in ("USERPROFILE", "LOCALAPPDATA", "APPDATA"):
            monkeypatch.setenv(name, str(tmp_path / "profile" / name))
        monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "shared"))

    def test_a_folder_outside_the_profile_is_refused(self, monkeypatch, tmp_path):
        self.places(monkeypatch, tmp_path)
        folder = cache_folder.choose()
        assert folder.parent == tmp_path / "profile" / "LOCALAPPDATA" / "mannequin"
        assert not (tmp_path / "shared").exists()

    def test_a_folder_inside_it_is_used(self, monkeypatch, tmp_path):
        self.places(monkeypatch, tmp_path)
        chosen = tmp_path / "profile" / "USERPROFILE" / "Blender"
        monkeypatch.setenv(cache_folder.VARIABLE, str(chosen))
        assert cache_folder.choose().parent == chosen

    def test_without_a_profile_there_is_none(self, monkeypatch, tmp_path, caplog):
        self.places(monkeypatch, tmp_path)
        for name in ("USERPROFILE", "LOCALAPPDATA", "APPDATA"):
            monkeypatch.delenv(name)
        assert cache_folder.choose() is None
        assert "outside this user's profile" in caplog.text and NOT_KEPT in caplog.text
