"""SIGKILL at random moments, seeded: of workers under a Blender that simulates, and of that Blender itself.

Nothing that was finished is lost or damaged, no process outlives its parent, no temporary folder stays, and nothing is
computed inside Blender without consent. The same for the processes and the parent of a sweep is in
tests/sweeps/test_where_it_runs.py, and for the writing of a run folder in tests/analysis/test_run_folder.py.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest
from blender_process import WRAPPER
from processes import lives

from mannequin.analysis.files.verify import verify_run
from mannequin.engine.runs import temporary

SEED = int(os.environ.get("MANNEQUIN_KILL_SEED", "18"))
PATIENCE = 240.0
"""s"""
SCRIPT = """
import os, sys, time
import bpy, mannequin
mannequin.register()
from mannequin.io_json.scenario_json import read_scenario
from mannequin.jobs import engine
from mannequin.models.library import scenario_path
from mannequin.scene.run import simulate
from mannequin.scene.run.worker import LostTwice
from mannequin.scene.scenario.scenario import build_scenario

class Inside:
    def __init__(self, *_, **__):
        print("inside", flush=True)
        os._exit(9)

simulate.LocalJob = Inside
scene = bpy.context.scene
scenario = read_scenario(scenario_path("fall_standing"))
scenario.settings.duration = 0.2
build_scenario(scenario, scene)
scene.mannequin.runs.folder = sys.argv[2]
while True:
    run, seen = simulate.SceneRun(scene), None
    try:
        while not run.poll():
            if engine._kept is not None and engine._kept.child.id != seen:
                seen = engine._kept.child.id
                print("worker", seen, flush=True)
            time.sleep(0.01)
        print("done", run.finish(scene).run.folder, flush=True)
    except LostTwice as error:
        print("asked", flush=True)
"""


class Session:
    """A Blender that simulates one run after the other, and what it prints."""

    def __init__(self, folder) -> None:
        self.temporary, self.runs = folder / "tmp", folder / "runs"
        for place in (self.temporary, self.runs, folder / "user"):
            place.mkdir()
        (folder / "script.py").write_text(SCRIPT)
        variables = {"TMPDIR": str(self.temporary), "BLENDER_USER_RESOURCES": str(folder / "user")}
        words = [sys.executable, "-c", WRAPPER, str(folder / "script.py"), str(self.runs)]
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ | variables
        )
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        self.lines.extend(iter(self.process.stdout.readline, ""))

    def told(self, word: str) -> list[str]:
        """What followed a word, each time."""
        return [line.split(None, 1)[1].strip() for line in list(self.lines) if line.startswith(f"{word} ")]

    def wait_for(self, condition) -> None:
        until = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None and time.monotonic() < until, "".join(self.lines[-30:])
            time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("number", range(3))
def test_nothing_is_lost_nobody_is_orphaned_and_nothing_is_repeated_inside_blender(tmp_path, number):
    chance = random.Random(f"{SEED} {number}")
    session = Session(tmp_path)
    try:
        session.wait_for(lambda: session.told("done"))
        for _ in range(4):
            time.sleep(chance.uniform(0.0, 1.0))
            latest, done = int(session.told("worker")[-1]), len(session.told("done"))
            os.kill(latest, signal.SIGKILL)
            # a new one does the work, whatever the last one was doing
            session.wait_for(lambda was=latest: int(session.told("worker")[-1]) != was)
            session.wait_for(lambda was=done: len(session.told("done")) > was)
        time.sleep(chance.uniform(0.0, 1.0))
    finally:
        session.process.kill()
        session.process.wait()
    assert "inside\n" not in session.lines and session.process.returncode == -signal.SIGKILL
    workers = [int(word) for word in session.told("worker")]
    until = time.monotonic() + PATIENCE
    while any(map(lives, workers)):
        assert time.monotonic() < until, "a worker outlives Blender"
        time.sleep(0.05)
    for folder in session.told("done"):
        assert verify_run(folder, replay=False).is_sound
    named = {str(path) for path in session.runs.iterdir() if not path.name.startswith(".")}
    assert set(session.told("done")) <= named
    assert all(verify_run(path, replay=False).is_sound for path in named)
    for lock in session.temporary.glob(f"*/{temporary.LOCK}"):
        os.utime(lock, (time.time() - 2 * temporary.SECONDS_TO_LOCK,) * 2)
    temporary.remove_leftovers(session.temporary)
    assert not list(session.temporary.glob("mannequin-*"))
