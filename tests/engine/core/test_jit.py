"""Compiled code is never stale, needs no write access to the install, and is not needed at all.

Most tests run a package of two tiny kernels around a copy of `engine/jit`, which compiles in a second.
"""

import ctypes
import logging
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from tiny_engine import BY_ADDRESS, SCRIPT, TinyEngine, answer

from mannequin.engine.jit import bundle, cache_folder
from mannequin.engine.jit import decorators as jit

ENGINE = Path(jit.__file__).parents[1]
needs_numba = pytest.mark.skipif(cache_folder.NUMBA_VERSION == "none", reason="Numba is not installed")


def test_warmup_command():
    """`python -m mannequin warmup` compiles, or loads what is compiled.

    The first test of all (`work_units`): others need what it compiles.
    """
    done = subprocess.run(
        [sys.executable, "-m", "mannequin", "warmup"], capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def tiny(tmp_path):
    return TinyEngine(tmp_path)


@needs_numba
@pytest.mark.parametrize("script", [SCRIPT, BY_ADDRESS], ids=["with arrays", "by address"])
class TestCache:
    @pytest.mark.long
    def test_an_edit_to_a_callee_takes_effect_at_once(self, tiny, script):
        first = tiny.run(script=script)
        assert (first.value, first.hits) == (7.5, 0)
        # the second process loads what the first has compiled
        assert tiny.run(script=script)[:4] == (7.5, 1, first.code, first.folder)
        stamp = tiny.callee.stat()
        tiny.callee.write_text(tiny.callee.read_text().replace("2.5 * x", "5.5 * x"))
        # neither size nor time of the file gives the edit away
        os.utime(tiny.callee, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        assert tiny.callee.stat().st_size == stamp.st_size
        second = tiny.run(script=script)
        assert (second.value, second.hits) == (16.5, 0)
        assert second.folder != first.folder and second.code != first.code
        assert Path(second.folder).parent == Path(first.folder).parent == tiny.cache

    @pytest.mark.long
    def test_install_is_not_written_to(self, tiny, script):
        for path in [*tiny.package.rglob("*"), tiny.package]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = sorted(tiny.package.parent.rglob("*"))
        assert tiny.run(script=script)[:2] == (7.5, 0)
        assert tiny.run(script=script)[:2] == (7.5, 1)
        assert sorted(tiny.package.parent.rglob("*")) == before
        for path in [tiny.package, *tiny.package.rglob("*")]:
            path.chmod(0o755)

    @pytest.mark.long
    def test_two_processes_compile_once(self, tiny, script):
        """Started together, one compiles and the other waits and loads."""
        answers = [answer(process) for process in [tiny.start(script=script) for _ in range(3)]]
        assert {a.value for a in answers} == {7.5}
        assert sorted(a.hits for a in answers) == [0, 1, 1]
        assert len({a.code for a in answers}) == 1


@pytest.mark.long
@needs_numba
def test_code_in_the_cache_needs_no_numba(tiny):
    check = "\nimport sys\nprint('numba' in sys.modules, file=sys.stderr)"
    assert tiny.run(script=BY_ADDRESS + check).errors.split() == ["True"]
    assert tiny.run(script=BY_ADDRESS + check).errors.split() == ["False"]


class TestWithoutNumba:
    def hidden_numba(self, tmp_path) -> str:
        """A folder in which `numba` is a module that cannot be imported."""
        folder = tmp_path / "hide"
        folder.mkdir()
        (folder / "numba.py").write_text("raise ImportError('hidden')\n")
        return str(folder)

    def test_the_same_source_runs_interpreted(self, tiny, tmp_path):
        path = os.pathsep.join([self.hidden_numba(tmp_path), str(tiny.package.parent)])
        assert tiny.run(PYTHONPATH=path)[:4] == (7.5, -1, "-", "None")
        assert not tiny.cache.exists()

    def test_engine_says_so_once(self, tmp_path):
        script = """
            from mannequin.engine import run
            from mannequin.engine.jit import decorators as jit
            from mannequin.engine.runs.warmup import smallest_scenario
            assert not jit.IS_COMPILED
            scenario = smallest_scenario()
            scenario.settings.duration = 0.01
            for _ in range(3):
                print(run(scenario).velocity[-1, 0, 2])
        """
        path = os.pathsep.join([self.hidden_numba(tmp_path), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)],
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        assert [float(line) for line in done.stdout.split()] == pytest.approx([-0.0981] * 3, abs=1e-12)
        assert done.stderr.count("runs interpreted") == 1

    def test_compiled_engine_does_not_say_it(self, caplog):
        if not jit.IS_COMPILED:
            pytest.skip("this engine is interpreted")
        from mannequin.engine import run
        from mannequin.engine.runs.warmup import smallest_scenario

        with caplog.at_level(logging.WARNING, "mannequin"):
            run(smallest_scenario())
        assert "interpreted" not in caplog.text


class TestFingerprint:
    def folder(self, tmp_path) -> Path:
        (tmp_path / "sub").mkdir()
        (tmp_path / "a.py").write_text("x = 1\n")
        (tmp_path / "sub" / "b.py").write_text("y = 2\n")
        return tmp_path

    def test_any_edit_new_or_moved_file_counts(self, tmp_path):
        folder = self.folder(tmp_path)
        seen = [cache_folder.source_fingerprint(folder)]
        assert cache_folder.source_fingerprint(folder) == seen[0]
        (folder / "sub" / "b.py").write_text("y = 3\n")
        seen.append(cache_folder.source_fingerprint(folder))
        (folder / "sub" / "c.py").write_text("")
        seen.append(cache_folder.source_fingerprint(folder))
        (folder / "sub" / "c.py").rename(folder / "c.py")
        seen.append(cache_folder.source_fingerprint(folder))
        assert len(set(seen)) == 4

    def test_versions_count(self, tmp_path, monkeypatch):
        folder = self.folder(tmp_path)
        before = cache_folder.source_fingerprint(folder)
        monkeypatch.setattr(np, "__version__", "0.0.0")
        assert cache_folder.source_fingerprint(folder) != before

    def test_the_engine_itself_is_what_is_hashed(self):
        assert cache_folder.source_fingerprint() == cache_folder.source_fingerprint(ENGINE)
        if jit.IS_COMPILED and cache_folder.chosen() is not None:
            assert cache_folder.chosen().name == f"engine-{cache_folder.source_fingerprint()}"


def test_prune_removes_only_what_nobody_has_used_for_long(tmp_path):
    now = 1e9
    ages = {"engine-own": 100.0, "engine-old": 15.0, "engine-young": 13.0, "other": 100.0}
    for name, days in ages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.nbc").write_text("")
        os.utime(tmp_path / name, (now - days * 86400.0,) * 2)
    cache_folder.prune(tmp_path / "engine-own", now)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["engine-own", "engine-young", "other"]


@pytest.mark.parametrize("shape", [(4, 3), (0, 3), (1,)])
@pytest.mark.parametrize("is_writable", [True, False])
def test_the_address_of_an_array_is_the_one_that_numpy_says(shape, is_writable):
    array = np.zeros(shape)
    array.flags.writeable = is_writable
    assert bundle.address_of(array) == array.__array_interface__["data"][0]
    if array.size:
        assert ctypes.c_double.from_address(bundle.address_of(array)).value == 0.0


def test_bundles_share_their_arrays():
    """Compiled code writes into the very arrays of the namedtuple."""
    from mannequin.engine.bodies.coordinates import displaced
    from mannequin.engine.bodies.tree import Tree
    from mannequin.engine.spec.joint_types import AXIS

    one = np.zeros(1, dtype=np.int64)
    fields = dict.fromkeys(Tree._fields, one) | {"group": one + AXIS, "mass": np.ones(1)}
    fields |= dict.fromkeys(("offset", "axis", "com"), np.zeros((1, 3)))
    fields |= {"rest": np.eye(3).reshape(1, 9), "inertia": np.ones((1, 6))}
    q, out = np.array([0.25]), np.zeros(1)
    displaced(jit.bundled(Tree(**fields)), q, np.array([0.5]), out)
    assert out[0] == 0.75
