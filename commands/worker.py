"""`worker`: simulate for Blender in a process of its own. The extension starts it; people have no use for it.

Requests come as lines of JSON on standard input, answers go as lines of JSON to standard output. The process ends when
its input does, that is, when whoever started it has ended.

    {"do": "run", "job": 1, "scenario": FILE, "out": FOLDER, "started": TIME, "host": {...}}
                                            simulate, and write the run folder below FOLDER
    {"do": "run", "job": 2, "scenario": FILE, "frames": FOLDER}
                                            simulate, and leave the recording as arrays in FOLDER
    {"do": "report", "job": 3, "run": FOLDER}
                                            write the report of a run folder, with a check of the time step
    {"do": "cancel", "job": 1}              drop it, whether it is waiting or going on
    {"do": "look", "job": 1}                send the pose once

    {"say": "hello", "folder": ..., "compiled": ...}        which Mannequin this is
    {"say": "compiling", "parts": 7, "of": 278}             the first start on a machine
    {"say": "ready"}
    {"say": "progress", "job": 1, "progress": [...]}        fields of `Progress`; with "pose" where asked for
    {"say": "writing", "job": 1}                            computed; the run folder is being written
    {"say": "done", "job": 1, "folder": ...}                or "failed" with "message", or "cancelled"
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

from . import EXIT_OK

NAME = "worker"
SUMMARY = "simulate for Blender, which starts this itself"
SECONDS_PER_PROGRESS = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--folder", metavar="FOLDER", help="temporary folder to remove at the end")


def run(args: argparse.Namespace) -> int:
    """Load or compile the engine, then serve until the input ends."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C in a terminal is meant for Blender, which ends this in turn
    worker = Worker(sys.stdin.buffer, private_output(), args.folder)
    worker.load_engine()
    worker.serve()
    return EXIT_OK


def private_output() -> BinaryIO:
    """Standard output for answers alone: what libraries print goes to the standard error stream from now on."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return answers


class Dropped(Exception):
    """The job that is under way was cancelled."""


class Worker:
    """Takes requests on a thread of its own, so that a cancel is heard while something is computed."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO, folder: str | None = None) -> None:
        self._answers, self._folder = answers, folder
        self._waiting: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._dropped: set[int] = set()
        self._looked_for: set[int] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, args=(requests,), daemon=True).start()

    def _listen(self, requests: BinaryIO) -> None:
        for line in requests:
            request = json.loads(line)
            if request["do"] in ("run", "report"):
                self._waiting.put(request)
            elif request["do"] == "cancel":
                self._dropped.add(request["job"])
            elif request["do"] == "look":
                self._looked_for.add(request["job"])
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        os._exit(EXIT_OK)  # nobody is left who could want an answer, whatever is going on

    def say(self, what: str, **more: Any) -> None:
        """Send one line."""
        with self._lock:
            self._answers.write(json.dumps({"say": what, **more}).encode() + b"\n")

    def load_engine(self) -> None:
        """Compile the engine, or load what was compiled before."""
        from ..engine import jit

        folder = Path(__file__).resolve().parent.parent
        self.say("hello", folder=str(folder), compiled=jit.IS_COMPILED)
        with compile_progress(self):
            jit.warmup()
        self.say("ready")

    def serve(self) -> None:
        """Do one request after the other."""
        while (request := self._waiting.get()) is not None:
            self._do(request)

    def _do(self, request: dict[str, Any]) -> None:
        from ..engine.errors import EngineError
        from ..io_json.errors import FileError

        job = request["job"]
        try:
            do = self._simulate if request["do"] == "run" else self._report
            folder = None if job in self._dropped else do(request)
        except (EngineError, FileError, OSError) as error:
            self.say("failed", job=job, message=str(error))
            return
        if folder is None:
            self.say("cancelled", job=job)
        else:
            self.say("done", job=job, folder=str(folder))

    def _simulate(self, request: dict[str, Any]) -> Path | None:
        """Simulate and write; None where it was cancelled."""
        from ..analysis.recording_folder import write_recording_folder
        from ..engine.simulate import Simulation
        from ..engine.spec import Scenario
        from ..engine.system import compile_system
        from ..scene import plain

        job = request["job"]
        scenario = plain.load(Scenario, Path(request["scenario"]).read_text(encoding="utf-8"))
        simulation = Simulation(compile_system(scenario))
        told = 0.0
        for progress in simulation.advance():
            if job in self._dropped:
                return None
            if time.perf_counter() - told > SECONDS_PER_PROGRESS:
                self._tell_progress(job, progress, simulation)
                told = time.perf_counter()
        if "frames" in request:
            write_recording_folder(simulation.recording(), Path(request["frames"]))
            return Path(request["frames"])
        self.say("writing", job=job)
        folder = write_run_of(request, scenario, simulation.recording())
        if job not in self._dropped:
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        return None

    def _report(self, request: dict[str, Any]) -> Path | None:
        """Write a report; None where it was cancelled."""
        from ..analysis.report import write_report
        from ..analysis.run_folder import read_run

        job, told = request["job"], [0.0]

        def progress(state: Any) -> None:
            if job in self._dropped:
                raise Dropped
            if time.perf_counter() - told[0] > SECONDS_PER_PROGRESS:
                self.say("progress", job=job, progress=state)
                told[0] = time.perf_counter()
            if state.frame == state.frames:
                self.say("writing", job=job)

        try:
            return write_report(read_run(request["run"]), progress=progress)[0]
        except Dropped:
            return None

    def _tell_progress(self, job: int, progress: Any, simulation: Any) -> None:
        from ..scene.resample import last_pose

        more = {}
        if job in self._looked_for:
            self._looked_for.discard(job)
            pose = last_pose(simulation.recording())
            more["pose"] = {"origin": pose.origin.tolist(), "quaternion": pose.quaternion.tolist()}
        self.say("progress", job=job, progress=progress, **more)


def write_run_of(request: dict[str, Any], scenario: Any, recording: Any) -> Path:
    """Write the run folder that a request asks for."""
    from datetime import UTC, datetime

    from ..analysis.run_folder import write_run

    return write_run(
        scenario,
        recording,
        request["out"],
        started=datetime.fromisoformat(request["started"]),
        ended=datetime.now(UTC),
        host=request["host"],
    )


@contextmanager
def compile_progress(worker: Worker) -> Iterator[None]:
    """Tell how many functions Numba has compiled; silent where there is nothing to compile."""
    from ..engine import jit

    if not jit.IS_COMPILED:
        yield
        return
    from numba.core import event

    class Count(event.Listener):
        """Counts functions, each of which Numba tells the end of."""

        done = 0

        def on_start(self, told: event.Event) -> None:
            """Not counted."""

        def on_end(self, told: event.Event) -> None:
            """One more."""
            self.done += 1
            worker.say("compiling", parts=self.done, of=total)

    total = count_kernels()
    counter = Count()
    event.register("numba:compile", counter)
    try:
        yield
    finally:
        event.unregister("numba:compile", counter)


def count_kernels() -> int:
    """Number of functions of the engine that Numba compiles."""
    from numba.core.registry import CPUDispatcher

    from ..engine import jit, warmup  # noqa: F401  loads all of the engine

    package = jit.__package__
    kernels = {
        id(value)
        for name, module in list(sys.modules.items())
        if name.startswith(package)
        for value in vars(module).values()
        if isinstance(value, CPUDispatcher)
    }
    return len(kernels)
