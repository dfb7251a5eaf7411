"""The engine in a process of its own: simulations that neither stop the interface nor can take Blender down.

One worker is kept for the session. It compiles or loads the engine once and then does any number of jobs
(`engine_work.py`); a sweep, which keeps all cores busy for long, has a worker of its own.
"""

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from ..analysis.files.recording_folder import read_recording_folder
from ..analysis.measures import Measure, packed
from ..analysis.measures.preview import Preview, unpack
from ..analysis.resample import Motion
from ..engine.runs.recording import Recording
from ..engine.runs.temporary import TemporaryFolder, remove_leftovers
from ..engine.spec import Model, Scenario
from ..io_json import exact_copy
from ..io_json.model_json import write_model
from . import interpreter, protocol
from .child import ChildProcess
from .shared_parts import SentParts, scenario_text
from .worker import SECONDS_OF_SILENCE, SECONDS_PER_LOOK, Job, Worker


class SimulationJob(Job):
    """One simulation; shows the pose on the way. Ends in a run folder, or without one in a recording; the recording of
    a run folder may be there before it."""

    pose: Motion | None = None
    """Bodies as far as the run has come, since `look`"""
    frames: TemporaryFolder | None = None
    """Where the recording will be"""
    run = ""
    """Name of the run folder, once its recording is there"""

    def look(self) -> None:
        """Ask for the pose; `pose` has it some time later. Raises ProcessLost."""
        self._worker.send(protocol.ShowPose(self.number))

    def hear(self, answer: Any) -> None:
        """Take in one answer."""
        super().hear(answer)
        if isinstance(answer, protocol.Pose):
            origin, quaternion = np.array([answer.origin]), np.array([answer.quaternion])
            self.pose = Motion(np.array([answer.time]), origin, quaternion)
        elif isinstance(answer, protocol.Recorded):
            self.run, self.is_kept = answer.run, True

    @property
    def text(self) -> str:
        """What it is doing, for the user."""
        return "Writing the files of the run" if self.is_kept else super().text

    def wait_for_motion(self) -> None:
        """Poll until the recording is there, or the end. Raises ProcessLost."""
        while not (self.is_kept or self.poll()):
            time.sleep(SECONDS_PER_LOOK)

    def recording(self) -> Recording:
        """The recording of a job without a run folder, or of one that is being written; to be asked for once."""
        if not self.is_kept:
            self.result()
        frames, self.frames = self.frames, None
        return read_recording_folder(frames)

    def measures(self) -> dict[str, list[Measure]]:
        """What was measured for the run folder, by family and without details."""
        return packed.unpack(self.end.measures)


class PreviewJob(Job):
    """One simulation that ends in a preview, which comes with the last answer."""

    keys: tuple[str, ...] = ()
    """Of its models and obstacles"""
    parts: SentParts

    def hear(self, answer: Any) -> None:
        """Take in one answer; what the child has used once it need not be sent again."""
        super().hear(answer)
        if isinstance(answer, protocol.Previewed):
            self.parts.confirm(self.keys)
        elif isinstance(answer, protocol.Failed):
            self.parts.forget()

    @property
    def seconds(self) -> float | None:
        """That the process took for it; None where it came to nothing."""
        return self.end.seconds if isinstance(self.end, protocol.Previewed) else None

    def preview(self) -> Preview:
        """The result; raises JobFailed where there is nothing."""
        return unpack(self.end.preview) if isinstance(self.end, protocol.Previewed) else self.result()


class EngineWorker(Worker):
    """A process that simulates. Raises ProcessLost where it cannot be started.

    memory: bytes that it may take; None: a share of what is free when it starts (`memory.py`).
    """

    def __init__(self, memory: int | None = None) -> None:
        self.memory = memory
        limit = [] if memory is None else ["--memory", str(memory)]

        def command(folder: Path) -> list[str]:
            return interpreter.command("worker", "--folder", str(folder), *limit)

        child = ChildProcess("the simulation process", command, interpreter.environment())
        super().__init__(child, "Loading the engine", "Starting the simulation", SECONDS_OF_SILENCE)
        self._parts = SentParts()

    def simulate(
        self,
        scenario: Scenario,
        out: Path | None = None,
        started: datetime | None = None,
        host: dict[str, str] | None = None,
    ) -> SimulationJob:
        """Simulate after what was asked for before. With `out` the job writes a run folder below it (`started` and
        `host` as for `write_run`), without it ends in a recording. Raises ProcessLost."""
        job = SimulationJob(self, self.next_number())
        file = self.child.folder / f"scenario-{job.number}.json"
        file.write_text(exact_copy.dump(scenario), encoding="utf-8")
        job.frames = TemporaryFolder("frames-")
        frames = Path(job.frames.name)
        if out is None:
            request = protocol.Simulate(job.number, file, frames=frames)
        else:
            request = protocol.Simulate(
                job.number, file, out.absolute(), started.isoformat(), host or {}, frames
            )
        return self.give(request, job)

    def preview(self, scenario: Scenario) -> PreviewJob:
        """Simulate, and end in a preview. Models and obstacles that are the very objects of an earlier call are not
        sent again. Raises ProcessLost."""
        job = PreviewJob(self, self.next_number())
        models = [self._parts.key(actor.model) for actor in scenario.actors]
        obstacles = [self._parts.key(obstacle) for obstacle in scenario.obstacles]
        job.parts, job.keys = self._parts, (*models, *obstacles)
        request = protocol.TakePreview(
            job.number, scenario_text(scenario), models, obstacles, self._parts.missing(job.keys)
        )
        return self.give(request, job)

    def report(self, run: Path) -> Job:
        """Write the report of a run folder, with a check of the time step. Raises ProcessLost."""
        job = Job(self, self.next_number())
        return self.give(protocol.WriteReport(job.number, run.absolute()), job)

    def draw_moment_arms(self, model: Model, muscle: str, joint: str, axis: str) -> Job:
        """Draw the moment arms of a muscle about an axis of a joint; the result is a picture. Raises ProcessLost."""
        job = Job(self, self.next_number())
        file, picture = (self.child.folder / f"moment-arms-{job.number}{end}" for end in (".json", ".png"))
        write_model(model, file)
        return self.give(protocol.DrawMomentArms(job.number, file, muscle, joint, axis, picture), job)

    def run_many(self, kind: type[protocol.RunSweep], file: Path, out: Path) -> Job:
        """Run a sweep file, fit an evidence file or compare its hypotheses; the result is the folder of what came out,
        below `out`. Raises ProcessLost."""
        job = Job(self, self.next_number())
        return self.give(kind(job.number, file.absolute(), out.absolute()), job)

    def run_point(self, task: Path, index: int, values: Sequence[float], time_limit: float | None) -> Job:
        """Make one run of a sweep or a fit; the job's `end` has what is kept of it. Raises ProcessLost."""
        job = Job(self, self.next_number())
        return self.give(protocol.RunPoint(job.number, task, index, list(values), time_limit), job)


_kept: EngineWorker | None = None


def _usual_memory() -> int | None:
    return None


memory_of_shared_worker: Callable[[], int | None] = _usual_memory
"""Bytes that the worker of this session may take, asked whenever it is needed; Blender's preferences answer"""


def shared_worker() -> EngineWorker:
    """The worker of this session. Raises ProcessLost.

    A new one is started where there is none, where the last one has ended or does not let go of a job that was
    cancelled, and where one without work has another limit of memory.
    """
    global _kept
    memory = memory_of_shared_worker()
    if _kept is not None:
        _kept.listen()
        is_other = _kept.memory != memory and _kept.is_idle
        if not _kept.is_running or _kept.is_stuck or is_other:
            close_shared_worker()
    if _kept is None:
        remove_leftovers()
        _kept = EngineWorker(memory)
    return _kept


def close_shared_worker() -> None:
    """End the worker of this session, if there is one."""
    global _kept
    if _kept is not None:
        _kept.close()
        _kept = None
