"""Tests in parallel: nothing is lost, Blender's files come last, and a worker that cannot end is ended."""

import shutil
import subprocess
import sys

import pytest
import work_units
from work_units import COMPILES, LONG, SAME_DRAWINGS, TESTS, rank, unit

FAKE_BLENDER = """
import sys, threading, time, types

def load():
    '''A module `bpy`, and with it a thread that keeps this process from ending, as Blender can.'''
    sys.modules["bpy"] = types.ModuleType("bpy")
    threading.Thread(target=time.sleep, args=(600.0,)).start()
"""
BLENDER_FILE = """
import sys
import fake_blender
import pytest

@pytest.fixture(scope="module", autouse=True)
def bpy():
    if "bpy" not in sys.modules:
        fake_blender.load()

@pytest.mark.parametrize("number", range(3))
def test_blender(number):
    assert number != {failing}
"""
PLAIN_FILE = """
import sys
import pytest

@pytest.mark.parametrize("number", range(4))
def test_plain(number):
    assert "bpy" not in sys.modules
"""


@pytest.fixture
def suite(tmp_path):
    """A checkout with the set-up of this one and six small files of tests."""
    tests = tmp_path / "tests"
    (tests / "support").mkdir(parents=True)
    (tests / "blender").mkdir()
    shutil.copy(TESTS / "conftest.py", tests)
    shutil.copy(TESTS / "support" / "work_units.py", tests / "support")
    (tests / "support" / "fake_blender.py").write_text(FAKE_BLENDER)
    shutil.copy(TESTS.parent / "pyproject.toml", tmp_path)
    for number in range(3):
        (tests / f"test_plain{number}.py").write_text(PLAIN_FILE)
        (tests / "blender" / f"test_blender{number}.py").write_text(BLENDER_FILE.format(failing=number + 2))
    return tmp_path


@pytest.mark.parametrize("processes", [0, 2])
def test_every_result_arrives_though_workers_cannot_end(suite, processes):
    """Nine tests with Blender, of which one fails, and twelve without, none of them after Blender."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(processes)]
    done = subprocess.run(command, cwd=suite, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("1 failed, 20 passed in"), done.stdout
    assert "test_blender0.py::test_blender[2]" in done.stdout


LOST_FILE = """
import os, time
from pathlib import Path

def test_lost():
    Path(__file__ + ".here").touch()
    until = time.monotonic() + 30.0
    while len(list(Path(__file__).parent.glob("*.here"))) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    os._exit(1)
"""


def test_workers_that_are_lost_together_are_replaced(suite):
    """Two tests end their processes at one time: they fail, and all others are run by those that stand in."""
    for number in range(2):
        (suite / "tests" / f"test_lost{number}.py").write_text(LOST_FILE)
    shutil.rmtree(suite / "tests" / "blender")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2"]
    done = subprocess.run(command, cwd=suite, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1].startswith("2 failed, 12 passed in"), done.stdout + done.stderr


def test_the_files_that_are_named_are_there():
    named = (COMPILES, *LONG, *SAME_DRAWINGS, *SAME_DRAWINGS.values())
    assert [name for name in named if not (TESTS / name).is_file()] == []


def test_blender_is_last_and_the_file_that_compiles_is_first():
    files = sorted(TESTS.rglob("test_*.py"), key=rank)
    names = [file.relative_to(TESTS).as_posix() for file in files]
    assert names[0] == COMPILES
    first = next(k for k, name in enumerate(names) if name.startswith("blender/"))
    assert all(name.startswith("blender/") for name in names[first:])
    assert tuple(names[first : first + len(LONG)]) == LONG


def test_a_unit_is_a_file_but_for_those_that_are_long_and_share_nothing():
    assert unit("tests/io/test_fuzz.py::test_noise[1]") == "tests/io/test_fuzz.py"
    page = "tests/test_docs.py::test_commands_run[README.md]"
    assert unit(page) == page
    own = unit("tests/models/test_own_vehicle.py::test_circle_from_its_chords")
    assert own == unit("tests/models/test_vehicles.py::test_masses") == "tests/models/test_vehicles.py"


def test_workers_are_as_many_as_cores():
    assert 1 <= work_units.workers() <= work_units.MOST_WORKERS
