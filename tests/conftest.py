"""What holds for the whole test suite.

One pytest session runs everything. The tests under tests/blender come last, because from the first of them on Blender
lives in this process and cannot be unloaded; see CONTRIBUTING.md.
"""

import gc
import os
import sys
from pathlib import Path

import pytest
import work_units
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
BLENDER_TESTS = ROOT / "tests" / "blender"

# Compiled code and Matplotlib's fonts stay inside the checkout; set before anything imports the engine.
os.environ.setdefault("MANNEQUIN_CACHE_DIR", str(ROOT / ".cache" / "engine"))
os.environ.setdefault("MPLCONFIGDIR", str(ROOT / ".cache" / "matplotlib"))
# Tests share the cores among processes, so that linear algebra has one thread in each: two that wait for each other
# take several times as long (the fit of a person five times). Set before anything imports NumPy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What one process has compiled from source, the next one reads, of which there are some hundreds in a session.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


# Property tests try the same examples every time: a verdict on a change must not hang on chance, nor on how busy the
# machine is. With MANNEQUIN_EXPLORE=1 they try others each time; what that finds becomes a test of its own.
settings.register_profile(
    "everyday",
    derandomize=not os.environ.get("MANNEQUIN_EXPLORE"),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("everyday")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the Blender tests, and bring all into the order in which they run."""
    for item in items:
        if BLENDER_TESTS in item.path.parents:
            item.add_marker(pytest.mark.blender)
    items.sort(key=lambda item: work_units.rank(item.path))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What is there when tests begin stays to the end: the garbage collector need not look through it every time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Share the tests among the worker processes (`-n`)."""
    return work_units.scheduler(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """The number of worker processes that `-n auto` means."""
    return work_units.workers()


EXIT_STATUS = pytest.StashKey[int]()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Remember the exit status for pytest_unconfigure."""
    session.config.stash[EXIT_STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End the process at once if Blender was loaded: its clean-up at interpreter exit can hang after undo."""
    if "bpy" in sys.modules and EXIT_STATUS in config.stash:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[EXIT_STATUS])


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout, which is also the folder of the package."""
    return ROOT


@pytest.fixture
def no_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports of this process without their plots over time, of which there are many: where they are not looked at."""
    from mannequin.analysis.pages import appendices

    monkeypatch.setattr(appendices, "curves", lambda run: iter(()))
