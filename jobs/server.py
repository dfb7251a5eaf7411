"""The side of a child process: takes requests and answers them (`protocol.py`).

Requests are read on a thread of their own, so that a cancel takes effect while something is computed, and so that the
process ends as soon as its input does: the parent has then ended.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

from ..engine.errors import UserError
from . import memory, protocol
from .child import ANSWERS
from .interpreter import FOLDER

SECONDS_PER_PROGRESS = 0.05
"""Seconds between two reports of progress, at least."""
SECONDS_PER_SIGN = 2.0
"""Seconds between two signs of life."""
SECONDS_TO_KEEP = 600.0
"""That a process without a parent goes on writing a run whose motion was handed over."""
LARGEST_FILE = 50_000_000
"""Bytes of a file of answers after which another is begun."""


class Dropped(Exception):
    """The job that is under way was cancelled."""


class Task:
    """A job on the side of the process that does it."""

    def __init__(self, server: Server, number: int) -> None:
        self._server, self.number = server, number
        self._told = float("-inf")

    @property
    def is_dropped(self) -> bool:
        """Whether it was cancelled."""
        return self.number in self._server.dropped

    def tell(self, done: int, total: int, text: str, now: bool = False) -> None:
        """Report progress, if it is time or must be `now`. Raises Dropped where it was cancelled."""
        if self.is_dropped:
            raise Dropped
        if now or time.perf_counter() - self._told > SECONDS_PER_PROGRESS:
            self._server.say(protocol.Progress(self.number, done, total, text))
            self._told = time.perf_counter()

    def hand_over(self, run: str) -> None:
        """Say that a simulation can be read and that its run folder, of this name, is being written: this process does
        not end before. Raises Dropped where it was cancelled."""
        if self.is_dropped:
            raise Dropped
        self._server.unburdened.clear()
        self._server.say(protocol.Recorded(self.number, run))

    def takes_look(self) -> bool:
        """Whether the pose was asked for since the last time."""
        if self.number not in self._server.looked_for:
            return False
        self._server.looked_for.discard(self.number)
        return True

    def show(self, time: float, origin: list[list[float]], quaternion: list[list[float]]) -> None:
        """Send the pose."""
        self._server.say(protocol.Pose(self.number, time, origin, quaternion))


Work = Callable[[Any, Task], Path | protocol.RunDone | protocol.PointDone | protocol.Previewed]
"""Does what a request asks; returns the file or folder it made, or the answer itself. Raises Dropped or UserError."""


class AnswerFile:
    """File of answers in the folder of a child; goes on in another one when it has grown large."""

    def __init__(self, folder: Path, most: int = LARGEST_FILE) -> None:
        self._folder, self._most, self._count, self._written = folder, most, 1, 0
        self._file = open(folder / ANSWERS, "ab", buffering=0)

    def write(self, line: bytes) -> None:
        """Add a line; the reader finds there where the next one will be."""
        self._file.write(line)
        self._written += len(line)
        if self._written > self._most:
            self._count, self._written = self._count + 1, 0
            name = f"{ANSWERS}-{self._count}"
            following = open(self._folder / name, "ab", buffering=0)
            self._file.write(protocol.encode(protocol.GoesOn(name)))
            self._file.close()
            self._file = following


class Server:
    """Answers the requests of the process that started this one."""

    def __init__(
        self, requests: BinaryIO, answers: BinaryIO | AnswerFile, on_abandoned: Callable[[], None]
    ) -> None:
        self._answers, self._on_abandoned = answers, on_abandoned
        self._waiting: SimpleQueue[Any] = SimpleQueue()
        self.dropped: set[int] = set()
        self.looked_for: set[int] = set()
        self.unburdened = threading.Event()
        """Set while nothing is being written that must not be lost"""
        self.unburdened.set()
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, args=(requests,), daemon=True).start()
        threading.Thread(target=self._give_signs, daemon=True).start()

    def _listen(self, requests: BinaryIO) -> None:
        try:
            for line in requests:
                self._take(protocol.decode(line, protocol.REQUESTS))
        finally:
            self.unburdened.wait(SECONDS_TO_KEEP)
            self._on_abandoned()
            os._exit(0)  # whatever is going on

    def _give_signs(self) -> None:
        """Say that this process lives, for as long as its interpreter runs."""
        while True:
            time.sleep(SECONDS_PER_SIGN)
            self.say(protocol.Alive())
            memory.end_where_exceeded()

    def _take(self, request: Any) -> None:
        if isinstance(request, protocol.Cancel):
            self.dropped.add(request.job)
        elif isinstance(request, protocol.ShowPose):
            self.looked_for.add(request.job)
        else:
            self._waiting.put(request)

    def say(self, answer: Any) -> None:
        """Send one answer."""
        with self._lock:
            self._answers.write(protocol.encode(answer))

    def serve(self, kinds: Mapping[type, Work]) -> None:
        """Do one request after the other, without end."""
        self.say(protocol.Ready())
        while True:
            request = self._waiting.get()
            answer = self._do(request, kinds[type(request)])
            self.unburdened.set()
            self.say(answer)

    def _do(self, request: Any, work: Work) -> Any:
        task = Task(self, request.job)
        try:
            if task.is_dropped:
                raise Dropped
            made = work(request, task)
            return protocol.Done(request.job, made) if isinstance(made, Path) else made
        except Dropped:
            return protocol.Cancelled(request.job)
        except (UserError, OSError) as error:
            return protocol.Failed(request.job, str(error))
        except MemoryError:
            return protocol.Failed(request.job, memory.exceeded_text())
        except Exception as error:
            traceback.print_exc()
            return protocol.Failed(request.job, f"this is a fault in Mannequin: {_described(error)}")


def _described(error: Exception) -> str:
    """An unexpected error, with its place."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


def start(folder: Path, clean: Callable[[], None] = lambda: None) -> Server:
    """Begin to serve in this process: requests from standard input, answers into the folder of this child.

    clean: removes what work that is cut off by the end of the parent would leave behind, outside the folder.
    """
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C in a terminal is meant for the parent, which ends this

    def on_abandoned() -> None:
        clean()
        shutil.rmtree(folder, ignore_errors=True)

    server = Server(sys.stdin.buffer, AnswerFile(folder), on_abandoned)
    server.say(protocol.Hello(FOLDER))
    return server


def end_with_input() -> None:
    """End this process as soon as its standard input ends: whoever started it has ended then."""

    def wait(source: int) -> None:
        while os.read(
            source, 1
        ):  # unbuffered: a thread that holds the lock of a buffer disturbs the interpreter's end
            pass
        os._exit(0)

    threading.Thread(target=wait, args=(sys.stdin.fileno(),), daemon=True).start()
