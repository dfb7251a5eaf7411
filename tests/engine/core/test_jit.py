"""Compiled code is never stale, needs no write access to the install, and is not needed at all.

Most tests run a package of two tiny kernels around copies of the `jit` modules, which compiles in a second.
"""

import logging
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from mannequin.engine import jit

ENGINE = Path(jit.__file__).parent
needs_numba = pytest.mark.skipif(jit.numba is None, reason="Numba is not installed")

CALLEE = """
from ..jit import compiled

@compiled
def weighted(x):
    return 2.0 * x
"""
CALLER = """
from .deep.callee import weighted
from .jit import compiled

@compiled
def total(a):
    result = 0.0
    for i in range(len(a)):
        result += weighted(a[i])
    return result
"""
SCRIPT = """
import logging
logging.basicConfig(format="%(message)s")
import numpy as np
from tiny import jit
from tiny.caller import total
value = total(np.ones(3))
hits = sum(total._entry.stats.cache_hits.values()) if jit.IS_COMPILED else -1
print(value, hits, jit.CACHE_FOLDER)
"""


class Tiny:
    """A package `tiny` with our jit modules, a caller and, in a sub-folder, its callee."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "code" / "tiny"
        self.cache = folder / "cache"
        (self.package / "deep").mkdir(parents=True)
        for name in ("jit.py", "jit_bundle.py", "jit_linking.py"):
            shutil.copy(ENGINE / name, self.package)
        for name in ("__init__.py", "deep/__init__.py"):
            (self.package / name).write_text("")
        (self.package / "caller.py").write_text(textwrap.dedent(CALLER))
        self.callee = self.package / "deep" / "callee.py"
        self.callee.write_text(textwrap.dedent(CALLEE))

    def run(self, script: str = SCRIPT, **environment: str) -> tuple[float, int, str, str]:
        """(value, cache hits, cache folder, error output) of a new process."""
        variables = {
            "PYTHONPATH": str(self.package.parent),
            "PYTHONDONTWRITEBYTECODE": "1",
            "MANNEQUIN_CACHE_DIR": str(self.cache),
            "MANNEQUIN_INTERPRETED": "",
            "XDG_CACHE_HOME": str(self.folder / "xdg"),
            "LOCALAPPDATA": str(self.folder / "xdg"),
            "HOME": str(self.folder / "home"),
        }
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | variables | environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        value, hits, folder = done.stdout.split(maxsplit=2)
        return float(value), int(hits), folder.strip(), done.stderr


@pytest.fixture
def tiny(tmp_path):
    return Tiny(tmp_path)


@needs_numba
class TestCache:
    def test_an_edit_to_a_callee_takes_effect_at_once(self, tiny):
        value, hits, first, _ = tiny.run()
        assert (value, hits) == (6.0, 0)
        # the second process loads what the first has compiled
        assert tiny.run()[:3] == (6.0, 1, first)
        stamp = tiny.callee.stat()
        tiny.callee.write_text(tiny.callee.read_text().replace("2.0 * x", "5.0 * x"))
        # neither size nor time of the file gives the edit away
        os.utime(tiny.callee, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        assert tiny.callee.stat().st_size == stamp.st_size
        value, hits, second, _ = tiny.run()
        assert (value, hits) == (15.0, 0)
        assert second != first and Path(second).parent == Path(first).parent == tiny.cache

    def test_install_is_not_written_to(self, tiny):
        for path in [*tiny.package.rglob("*"), tiny.package]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = sorted(tiny.package.parent.rglob("*"))
        assert tiny.run()[:2] == (6.0, 0)
        assert tiny.run()[:2] == (6.0, 1)
        assert sorted(tiny.package.parent.rglob("*")) == before
        for path in [tiny.package, *tiny.package.rglob("*")]:
            path.chmod(0o755)

    def test_unwritable_cache_falls_back_to_the_users_own(self, tiny):
        blocked = tiny.folder / "a file"
        blocked.write_text("")
        value, _, folder, errors = tiny.run(MANNEQUIN_CACHE_DIR=str(blocked / "cache"))
        assert value == 6.0 and errors == ""
        assert tiny.folder in Path(folder).parents and blocked not in Path(folder).parents

    def test_without_any_writable_folder_it_compiles_each_time_and_says_so(self, tiny):
        blocked = tiny.folder / "a file"
        blocked.write_text("")
        script = f"import tempfile\ntempfile.tempdir = {str(blocked / 'tmp')!r}\n" + SCRIPT
        places = dict.fromkeys(
            ("MANNEQUIN_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"), str(blocked / "x")
        )
        value, hits, folder, errors = tiny.run(script, **places)
        assert (value, hits, folder) == (6.0, 0, "None")
        assert errors.count("compiles anew in every session") == 1


class TestWithoutNumba:
    def hidden_numba(self, tmp_path) -> str:
        """A folder in which `numba` is a module that cannot be imported."""
        folder = tmp_path / "hide"
        folder.mkdir()
        (folder / "numba.py").write_text("raise ImportError('hidden')\n")
        return str(folder)

    def test_the_same_source_runs_interpreted(self, tiny, tmp_path):
        path = os.pathsep.join([self.hidden_numba(tmp_path), str(tiny.package.parent)])
        assert tiny.run(PYTHONPATH=path)[:3] == (6.0, -1, "None")
        assert not tiny.cache.exists()

    def test_engine_says_so_once(self, tmp_path):
        script = """
            from mannequin.engine import jit, run
            from mannequin.engine.warmup import smallest_scenario
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
        from mannequin.engine.warmup import smallest_scenario

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
        seen = [jit.source_fingerprint(folder)]
        assert jit.source_fingerprint(folder) == seen[0]
        (folder / "sub" / "b.py").write_text("y = 3\n")
        seen.append(jit.source_fingerprint(folder))
        (folder / "sub" / "c.py").write_text("")
        seen.append(jit.source_fingerprint(folder))
        (folder / "sub" / "c.py").rename(folder / "c.py")
        seen.append(jit.source_fingerprint(folder))
        assert len(set(seen)) == 4

    def test_versions_count(self, tmp_path, monkeypatch):
        folder = self.folder(tmp_path)
        before = jit.source_fingerprint(folder)
        monkeypatch.setattr(np, "__version__", "0.0.0")
        assert jit.source_fingerprint(folder) != before

    def test_the_engine_itself_is_what_is_hashed(self):
        assert jit.source_fingerprint() == jit.source_fingerprint(ENGINE)
        if jit.CACHE_FOLDER is not None:
            assert jit.CACHE_FOLDER.name == f"engine-{jit.source_fingerprint()}"


def test_prune_removes_only_what_nobody_has_used_for_long(tmp_path):
    now = 1e9
    ages = {"engine-own": 100.0, "engine-old": 15.0, "engine-young": 13.0, "other": 100.0}
    for name, days in ages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.nbc").write_text("")
        os.utime(tmp_path / name, (now - days * 86400.0,) * 2)
    jit.prune_cache(tmp_path / "engine-own", now)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["engine-own", "engine-young", "other"]


def test_bundles_share_their_arrays():
    """Compiled code writes into the very arrays of the namedtuple."""
    from mannequin.engine.coordinates import displaced
    from mannequin.engine.tree import Tree

    one = np.zeros(1, dtype=np.int64)
    fields = dict.fromkeys(Tree._fields, one) | {"joint_type": one + 2, "mass": np.ones(1)}
    fields |= dict.fromkeys(("offset", "axis", "com"), np.zeros((1, 3)))
    fields |= {"rest": np.eye(3).reshape(1, 9), "inertia": np.ones((1, 6))}
    q, out = np.array([0.25]), np.zeros(1)
    displaced(jit.bundled(Tree(**fields)), q, np.array([0.5]), out)
    assert out[0] == 0.75


def test_warmup_command():
    """`python -m mannequin warmup` compiles, or loads what is compiled."""
    done = subprocess.run(
        [sys.executable, "-m", "mannequin", "warmup"], capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, done.stderr
