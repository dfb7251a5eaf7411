"""A child process that does one job after the other, and the job on the side of the process that asked for it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..engine.errors import UserError
from . import interpreter, protocol
from .child import ChildProcess, ProcessLost

SECONDS_PER_LOOK = 0.002
"""Pause between two polls of the answers while waiting for them."""
SECONDS_OF_SILENCE = 120.0
"""After which a child that should give signs of life every two seconds hangs. Compiled code holds them up: from one
output time to the next, which takes milliseconds."""
LONGEST_SLICE = 1.0
"""s that count of the time between two looks: more has passed where this process, or the whole machine, slept."""
SECONDS_TO_DROP = 10.0
"""Until a child that goes on with a job that was cancelled hangs."""
SHARE_OF_FUNCTIONS = 0.75
"""Share of the first compile that is over when all functions are compiled and the last pass over the whole begins."""


class JobFailed(UserError):
    """A job ended without a result; the message is for the user."""


class Job:
    """One piece of work in a child. `poll` until it is true, then `result`; or `cancel`."""

    def __init__(self, worker: Worker, number: int) -> None:
        self._worker, self.number = worker, number
        self.end: Any = None
        """The last answer, one of `protocol.ENDS`, once there is it"""
        self.progress: protocol.Progress | None = None
        self.is_kept = False
        """Whether its result was handed over and is being written: it can no longer be cancelled"""

    @property
    def text(self) -> str:
        """What it is doing, for the user."""
        return self._worker.text if self.progress is None else self.progress.text

    @property
    def share(self) -> float:
        """Share that is done: of the start of the child, then of the work."""
        if self.progress is None:
            return self._worker.share
        return self.progress.done / max(1, self.progress.total)

    def poll(self) -> bool:
        """Take in what has arrived; true when the job has ended. Never waits. Raises ProcessLost."""
        self._worker.listen()
        if self.end is None and not self._worker.is_running:
            self._worker.listen()  # what it said last
            if self.end is None:
                raise ProcessLost(self._worker.fault)
        return self.end is not None

    def wait(self) -> None:
        """Poll until the end. Raises ProcessLost."""
        while not self.poll():
            time.sleep(SECONDS_PER_LOOK)

    def cancel(self) -> None:
        """Drop the job; the child is then free for the next one. Nothing happens to a job that has ended or is kept."""
        if self.end is None and not self.is_kept:
            with suppress(ProcessLost):
                self._worker.drop(self.number)

    @property
    def is_cancelled(self) -> bool:
        """Whether it ended without a result because it was dropped."""
        return isinstance(self.end, protocol.Cancelled)

    def result(self) -> Path:
        """The folder or file that was made; raises JobFailed where there is none."""
        if isinstance(self.end, protocol.Done | protocol.RunDone):
            return self.end.path
        raise JobFailed(self.end.message if isinstance(self.end, protocol.Failed) else "it was cancelled")

    def hear(self, answer: Any) -> None:
        """Take in one answer."""
        if isinstance(answer, protocol.ENDS):
            self.end = answer
        elif isinstance(answer, protocol.Progress):
            self.progress = answer


class Worker:
    """A child process and the jobs that were given to it, which it does in order.

    starting: text for the user while it is not ready. waiting: the same for a job that has not begun. silence: s
    without a sign of life after which it is given up; None: it may be silent.
    """

    def __init__(
        self, child: ChildProcess, starting: str, waiting: str, silence: float | None = None
    ) -> None:
        self.child, self._starting, self._waiting = child, starting, waiting
        self._most_silence, self._silence, self._looked = silence, 0.0, time.monotonic()
        self._dropped: dict[int, float] = {}
        """Jobs that were cancelled and have not ended, and when"""
        self._ended = time.monotonic()
        """When the last job ended"""
        self._jobs: dict[int, Job] = {}
        self._count = 0
        self._begun = time.monotonic()
        self._compiling: protocol.Compiling | None = None
        self.is_ready = False

    def next_number(self) -> int:
        """Number of the next job."""
        self._count += 1
        return self._count

    def give(self, request: Any, job: Job) -> Job:
        """Hand over a request; its job is done after those that were given before. Raises ProcessLost."""
        self.send(request)
        self._jobs[job.number] = job
        return job

    def send(self, request: Any) -> None:
        """Send a request. Raises ProcessLost."""
        self.child.send(request)

    def drop(self, number: int) -> None:
        """Have the child stop a job, or not begin it. Raises ProcessLost."""
        self.send(protocol.Cancel(number))
        self._dropped.setdefault(number, time.monotonic())

    @property
    def is_idle(self) -> bool:
        """Whether it has done everything that it was given."""
        return not self._jobs

    @property
    def is_stuck(self) -> bool:
        """Whether it goes on with a job that was cancelled some time ago."""
        first = next(iter(self._jobs), None)
        if first not in self._dropped:
            return False
        return time.monotonic() - max(self._dropped[first], self._ended) > SECONDS_TO_DROP

    def listen(self) -> None:
        """Take in what has been answered since the last time; a child that is silent for too long is ended."""
        now = time.monotonic()
        self._silence += min(now - self._looked, LONGEST_SLICE)
        self._looked = now
        for answer in self.child.answers():
            self._silence = 0.0
            self.hear(answer)
        if self._most_silence is not None and self._silence > self._most_silence and self.is_running:
            self.child.give_up(f"{self.child.name} gave no sign of life for {self._most_silence:.0f} s")

    def hear(self, answer: Any) -> None:
        """Take in one answer."""
        if isinstance(answer, protocol.Hello):
            self._check(answer)
        elif isinstance(answer, protocol.Compiling):
            self._compiling = answer
        elif isinstance(answer, protocol.Ready):
            self.is_ready = True
        elif isinstance(answer, protocol.Alive):
            return
        elif answer.job in self._jobs:
            self._jobs[answer.job].hear(answer)
            if isinstance(answer, protocol.ENDS):
                self._jobs.pop(answer.job)
                self._dropped.pop(answer.job, None)
                self._ended = time.monotonic()

    def _check(self, hello: protocol.Hello) -> None:
        with suppress(OSError):
            if os.path.samefile(hello.folder, interpreter.FOLDER):
                return
        self.child.give_up(f"another Mannequin answers, in {hello.folder}")

    @property
    def text(self) -> str:
        """What the child itself is doing, for the user."""
        if self.is_ready:
            return self._waiting
        if self._compiling is None:
            return self._starting
        return f"Compiling the engine, once after installing: {time.monotonic() - self._begun:.0f} s"

    @property
    def share(self) -> float:
        """Share of the first compile that is done."""
        if self.is_ready or self._compiling is None:
            return 0.0
        return min(0.95, SHARE_OF_FUNCTIONS * self._compiling.parts / max(1, self._compiling.of))

    @property
    def is_running(self) -> bool:
        """Whether the child lives and makes sense."""
        return self.child.is_running

    @property
    def fault(self) -> str:
        """Why the child has ended."""
        return self.child.fault

    @property
    def is_keeping(self) -> bool:
        """Whether a run is being written whose motion was handed over."""
        return any(job.is_kept for job in self._jobs.values())

    def close(self) -> None:
        """End the child, whatever it is doing; a run whose motion was handed over is still written."""
        self.listen()
        self.child.close(self.is_keeping)
