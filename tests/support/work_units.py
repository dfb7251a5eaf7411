"""How pytest-xdist shares the tests among its worker processes, and in which order.

A file is handed out as a whole, because what its tests share (a run, a rendered film) is made once for a file. Blender
cannot be unloaded, so the files under tests/blender come last: a worker that has begun with them gets nothing else.
"""

import os
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
COMPILES = "engine/core/test_jit.py"
"""The first file, and its first test compiles the engine, which takes a minute. Others wait for it where they need
it."""
NEEDS_NO_ENGINE = (
    "io/",
    "test_layering",
    "test_words",
    "test_architecture",
    "interchange/test_fuzz",
    "fuzz/",
)
"""What the other workers do in the meantime: files whose path begins so and that simulate nothing; about a minute."""
LONG = (
    "blender/test_undo_and_files.py",
    "blender/test_worker.py",
    "blender/test_case.py",
    "blender/test_edit_by_script.py",
    "blender/test_sweeps.py",
    "blender/test_film_stage.py",
    "blender/test_film_output.py",
    "blender/test_operator_examples.py",
    "blender/test_people.py",
    "blender/test_scenario_round_trip.py",
    "blender/test_film_side_by_side.py",
    "blender/test_install.py",
    "blender/test_film_command.py",
    "blender/test_what_if.py",
    "blender/test_film_character.py",
    "blender/test_film_skin.py",
    "blender/test_film_results.py",
    "blender/test_places.py",
    "blender/test_film_shots.py",
)
"""The first of Blender's files: begun last, one of them would keep one core busy while the others have nothing left."""
EACH_TEST_ALONE = ("test_docs.py",)
"""Files whose tests share nothing and take long: handed out test by test."""
SAME_DRAWINGS = {"models/test_own_vehicle.py": "models/test_vehicles.py"}
"""Files that draw the same vehicles, seconds each and kept by the process: handed out with the file named."""
MOST_WORKERS = 8
"""Each may hold a Blender and an engine: about 1 GB."""


def rank(path: Path) -> tuple[bool, int]:
    """Where a test file stands in the order: sorted by this, files of the same rank keep theirs."""
    name = path.relative_to(TESTS).as_posix()
    if name.startswith("blender/"):
        return True, LONG.index(name) if name in LONG else len(LONG)
    if name == COMPILES:
        return False, 0
    return False, 1 if name.startswith(NEEDS_NO_ENGINE) else 2


def unit(nodeid: str) -> str:
    """The piece of work that a test belongs to: its file, the file that it is handed out with, or itself."""
    file = nodeid.partition("::")[0]
    if file.rpartition("/")[2] in EACH_TEST_ALONE:
        return nodeid
    name = file.removeprefix("tests/")
    return file.removesuffix(name) + SAME_DRAWINGS.get(name, name)


def workers() -> int:
    """Number of processes to run tests in: one for each core that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, MOST_WORKERS)


def scheduler(config: pytest.Config, log: object) -> object:
    """The scheduler for xdist; made here, so that tests run in one process where xdist is not installed."""
    from xdist.scheduler.loadscope import LoadScopeScheduling

    class UnitsInOrder(LoadScopeScheduling):
        """Hands out units in the order of the collection, each as late as xdist allows."""

        def _split_scope(self, nodeid: str) -> str:
            return unit(nodeid)

        def _reschedule(self, node: object) -> None:
            """Hand out the next unit when the last test of this one is due, so that none waits behind a long test.

            xdist itself does so two tests earlier. A worker starts a test only when it knows the next one. One that
            stands in for a lost worker gets its first when it has collected; xdist itself would end there.
            """
            if node not in self.registered_collections:
                return
            if not self.workqueue or self._pending_of(self.assigned_work[node]) <= 1:
                super()._reschedule(node)

        def remove_node(self, node: object) -> str | None:
            """Take back the units of a worker that is lost; returns the test that it was at, which has failed.

            xdist itself would give that test out again, to the next worker that it ends.
            """
            units = self.assigned_work.pop(node)
            left = [(unit, test) for unit in units.values() for test, is_done in unit.items() if not is_done]
            if not left:
                return None
            unit, lost = left[0]
            unit[lost] = True
            for name, unit in units.items():
                if not all(unit.values()):
                    self.workqueue[name] = unit
                    self.workqueue.move_to_end(name, last=False)
            for other in self.assigned_work:
                self._reschedule(other)
            return lost

    config.option.loadscopereorder = False
    return UnitsInOrder(config, log)
