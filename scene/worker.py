"""The engine in a process of its own: simulations that neither stop the interface nor can take Blender down.

One worker is kept for the session. It compiles or loads the engine once and then serves any number of jobs; what it is
asked and what it answers is described in commands/worker.py. Its answers arrive in a file that is read as it grows:
no thread runs inside Blender, and nothing here waits unless told to. This module needs no Blender.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ..analysis.recording_folder import read_recording_folder
from ..engine import jit
from ..engine.recording import Recording
from ..engine.simulate import Progress
from ..engine.spec import Scenario
from . import plain
from .errors import SceneError
from .resample import Motion

FOLDER = Path(__file__).resolve().parent.parent
LIBRARIES = ("numpy", "numba", "llvmlite")
"""What the engine needs; Blender keeps extensions' libraries where a plain Python does not look."""
KEEP_CLEAR = "another LLVM"
"""Value of the variable `MANNEQUIN_INTERPRETED` where only Blender's own process must not compile."""
SECONDS_PER_LOOK = 0.002
"""Pause between two looks at the answers where somebody waits for them."""
SECONDS_TO_END = 2.0
SHARE_OF_KERNELS = 0.75
"""Share of the first compile that is over when all functions are compiled and the last pass over the whole begins."""


class WorkerLost(Exception):
    """The worker cannot be started, or has ended; the message is meant for people."""

    @property
    def sentence(self) -> str:
        """The message as a sentence."""
        text = str(self)
        return f"{text[:1].upper()}{text[1:]}."


class Job:
    """One simulation in a worker. `poll` until it is true, then `folder` or `recording`; or `cancel`."""

    def __init__(
        self,
        worker: Worker,
        number: int,
        frames: tempfile.TemporaryDirectory | None = None,
        what: str = "run",
    ) -> None:
        self._worker, self._number, self._frames, self._what = worker, number, frames, what
        self._answer: dict[str, Any] | None = None
        self._is_writing = False
        self.progress: Progress | None = None
        self.pose: Motion | None = None
        """Bodies as far as the run has come, since `look`"""

    @property
    def text(self) -> str:
        """What is going on, in words."""
        if self._is_writing:
            return f"Writing the {self._what}"
        if self.progress is None:
            return self._worker.text
        doing = "Simulating" if self._what == "run" else "Checking the time step:"
        return f"{doing} {self.progress.time:.2f} of {self.progress.duration:g} s"

    @property
    def share(self) -> float:
        """Share that is done: of the start of the engine, then of the run."""
        if self.progress is None:
            return self._worker.share
        return self.progress.frame / self.progress.frames

    def poll(self) -> bool:
        """Take in what has arrived; true when the job has ended. Raises WorkerLost."""
        self._worker.listen()
        if self._answer is None:
            self._worker.require_running()
        return self._answer is not None

    def wait(self) -> None:
        """Poll until the end. Raises WorkerLost."""
        while not self.poll():
            time.sleep(SECONDS_PER_LOOK)

    def look(self) -> None:
        """Ask for the pose; `pose` has it some time later."""
        self._worker.send(do="look", job=self._number)

    def cancel(self) -> None:
        """Drop the job; the worker is then free for the next one. Nothing happens to a job that has ended."""
        if self._answer is None:
            with suppress(WorkerLost):
                self._worker.send(do="cancel", job=self._number)

    @property
    def is_cancelled(self) -> bool:
        """Whether it ended without a result because it was dropped."""
        return self._answer is not None and self._answer["say"] == "cancelled"

    def folder(self) -> Path:
        """Folder of the run, or file of the report; refused in words where there is none."""
        if self._answer is None or self._answer["say"] != "done":
            told = (self._answer or {}).get("message", "the simulation was cancelled")
            raise SceneError(told)
        return Path(self._answer["folder"])

    def recording(self) -> Recording:
        """The recording of a job without a run folder; to be asked for once."""
        self.folder()
        frames, self._frames = self._frames, None
        return read_recording_folder(frames)

    def hear(self, message: dict[str, Any]) -> None:
        """Take in one answer."""
        if message["say"] == "progress":
            self.progress = Progress(*message["progress"])
            if "pose" in message:
                pose = {name: np.array(value) for name, value in message["pose"].items()}
                self.pose = Motion(np.array([self.progress.time]), **pose)
        elif message["say"] == "writing":
            self._is_writing = True
        else:
            self._answer = message


class Worker:
    """A process that simulates. Raises WorkerLost where it cannot be started."""

    def __init__(self) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="mannequin-worker-", ignore_cleanup_errors=True)
        self._folder = Path(self._temporary.name)
        self._jobs: dict[int, Job] = {}
        self._count = 0
        self._begun = time.monotonic()
        self._compiling: tuple[int, int] | None = None
        self.is_ready = False
        self._fault = ""
        self._answers, self._unfinished = self._folder / "answers", b""
        try:
            with open(self._answers, "wb") as answers, open(self._folder / "errors", "wb") as errors:
                self._process = subprocess.Popen(
                    [python(), "-P", "-s", "-m", "mannequin", "worker", "--folder", str(self._folder)],
                    stdin=subprocess.PIPE,
                    stdout=answers,
                    stderr=errors,
                    env=environment(),
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
        except OSError as error:
            self._temporary.cleanup()
            raise WorkerLost(
                f"the simulation process cannot be started ({error.strerror or error})"
            ) from error
        self._incoming = open(self._answers, "rb", buffering=0)  # read as it grows, until `close`

    def submit(
        self,
        scenario: Scenario,
        out: Path | None = None,
        started: datetime | None = None,
        host: dict[str, str] | None = None,
    ) -> Job:
        """Simulate after what was submitted before. With `out` the job writes a run folder below it (`started` and
        `host` as for `write_run`), without it ends in a recording."""
        self._count += 1
        file = self._folder / f"scenario-{self._count}.json"
        file.write_text(plain.dump(scenario), encoding="utf-8")
        frames = None
        if out is None:
            frames = tempfile.TemporaryDirectory(prefix="mannequin-frames-", ignore_cleanup_errors=True)
            self.send(do="run", job=self._count, scenario=str(file), frames=frames.name)
        else:
            more = {"out": str(out.absolute()), "started": started.isoformat(), "host": host or {}}
            self.send(do="run", job=self._count, scenario=str(file), **more)
        job = self._jobs[self._count] = Job(self, self._count, frames)
        return job

    def report(self, run: Path) -> Job:
        """Write the report of a run folder, with a check of the time step, after what was submitted before."""
        self._count += 1
        self.send(do="report", job=self._count, run=str(run.absolute()))
        job = self._jobs[self._count] = Job(self, self._count, what="report")
        return job

    @property
    def text(self) -> str:
        """What the worker itself is doing, in words."""
        waited = time.monotonic() - self._begun
        if self.is_ready:
            return "Starting the simulation"
        if self._compiling is None:
            return "Loading the engine"
        return f"Compiling the engine, once after installing: {waited:.0f} s"

    @property
    def share(self) -> float:
        """Share of the first compile that is done."""
        if self.is_ready or self._compiling is None:
            return 0.0
        done, total = self._compiling
        return min(0.95, SHARE_OF_KERNELS * done / max(1, total))

    @property
    def is_running(self) -> bool:
        """Whether the process lives."""
        return self._process.poll() is None

    def send(self, **request: Any) -> None:
        """Send one request. Raises WorkerLost."""
        self.require_running()
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise WorkerLost(self.fault) from None

    def require_running(self) -> None:
        """Raises WorkerLost with the reason where the process has ended."""
        if not self.is_running or self._fault:
            raise WorkerLost(self.fault)

    @property
    def fault(self) -> str:
        """Why the worker is no more."""
        if self._fault:
            return self._fault
        code = self._process.poll()
        with suppress(OSError):
            lines = (
                (self._folder / "errors").read_text(encoding="utf-8", errors="replace").strip().splitlines()
            )
            if lines:
                return f"the simulation process has ended ({lines[-1]})"
        return f"the simulation process has ended (code {code})"

    def listen(self) -> None:
        """Take in what has been answered since the last time."""
        for message in self._arrived():
            if message["say"] == "hello":
                self._check_hello(message)
            elif message["say"] == "compiling":
                self._compiling = (message["parts"], message["of"])
            elif message["say"] == "ready":
                self.is_ready = True
            else:
                self._jobs[message["job"]].hear(message)
                if message["say"] in ("done", "failed", "cancelled"):
                    self._jobs.pop(message["job"])
                    (self._folder / f"scenario-{message['job']}.json").unlink(missing_ok=True)

    def _arrived(self) -> Iterator[dict[str, Any]]:
        *lines, self._unfinished = (self._unfinished + self._incoming.read()).split(b"\n")
        for line in lines:
            yield json.loads(line)

    def _check_hello(self, message: dict[str, Any]) -> None:
        if not os.path.samefile(message["folder"], FOLDER):
            self._fault = f"another Mannequin answers, in {message['folder']}"
            self.close()

    def close(self) -> None:
        """End the process, whatever it is doing."""
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._incoming.close()
        self._temporary.cleanup()


def python() -> str:
    """The Python to start. Raises OSError where this process does not know one."""
    if Path(sys.executable or "").name.lower().startswith("python"):
        return sys.executable
    raise FileNotFoundError(2, f"'{sys.executable}' is no Python")


def environment() -> dict[str, str]:
    """Variables of the process: it finds this very package and the libraries where this process has them."""
    found = [find_spec(name) for name in LIBRARIES]
    folders = [str(Path(spec.origin).parent.parent) for spec in found if spec is not None]
    if FOLDER.name == "mannequin":  # a checkout of another name is installed in its environment
        folders.insert(0, str(FOLDER.parent))
    if os.environ.get("PYTHONPATH"):
        folders.append(os.environ["PYTHONPATH"])
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(folders))}
    if variables.get(jit.INTERPRETED_VARIABLE) == KEEP_CLEAR:
        del variables[jit.INTERPRETED_VARIABLE]
    return variables


_kept: Worker | None = None


def shared_worker() -> Worker:
    """The worker of this session, started where there is none. Raises WorkerLost."""
    global _kept
    if _kept is not None and not _kept.is_running:
        close_shared_worker()
    if _kept is None:
        _kept = Worker()
    return _kept


def close_shared_worker() -> None:
    """End the worker of this session, if there is one."""
    global _kept
    if _kept is not None:
        _kept.close()
        _kept = None


CLASSES = ()


def register() -> None:
    """The worker starts when it is first needed."""


def unregister() -> None:
    """No process outlives the extension."""
    close_shared_worker()
