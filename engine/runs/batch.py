"""Many runs on all cores.

Compiled code releases Python's lock, so threads are enough: they need no copy of the program each, no start-up and no
data sent between processes, and they work inside Blender. What holds the lock (compiling a scenario, starting and
ending a run) is a small part of a run; docs/performance.md has the figures.
"""

import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from ..build.system import System, compile_system
from ..jit.late import LateKernel
from ..spec import Scenario
from ..spec.sharing import Shared
from .control import PERIOD, Controller
from .recording import Recording
from .simulation import run

Result = TypeVar("Result")

LONGEST_WAIT = 0.1
"""s between two looks at `cancel`."""


class Outcome(NamedTuple, Generic[Result]):
    """Result of one scenario of a batch."""

    index: int
    """Its place among the scenarios, from 0."""
    result: Result | None
    """The recording, or what `reduce` made of it; None where there is an error."""
    error: Exception | None = None
    """Why there is no result: EngineError of a scenario that cannot be simulated, or whatever `reduce` raised."""


def core_count() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_many(
    scenarios: Iterable[Scenario | System],
    reduce: Callable[[Recording], Result] | None = None,
    *,
    cancel: Callable[[], bool] | None = None,
    workers: int | None = None,
    controller: Callable[[System], Controller | LateKernel] | None = None,
    period: float = PERIOD,
) -> Iterator[Outcome]:
    """Run scenarios on all cores; an Outcome comes out as soon as its run has ended, in no particular order.

    scenarios may be a generator: it is asked for the next one only when a core is free, and at most twice as many runs
    as workers are in memory at a time, however many there are. Every run gives bit for bit what `run` gives alone.

    reduce: called with each Recording in the worker; what it returns is kept in place of the recording. It must only
    touch what is its own, as several run at a time.
    workers: threads; as many as there are cores where absent.
    controller: called with each system, in its worker, for the controller of that run; period: between its calls, s.
    Stop iterating, or let `cancel` return true, to cancel: what is running is given up within a fraction of a second.

    >>> from mannequin.engine.runs.warmup import smallest_scenario
    >>> [outcome.result for outcome in run_many([smallest_scenario()] * 2, lambda recording: recording.status)]
    ['completed', 'completed']
    """
    count = core_count() if workers is None else workers
    if count < 1:
        raise ValueError(f"a batch with {count} workers cannot run; use at least 1")
    return _Batch(scenarios, reduce, count, controller, period).outcomes(cancel)


class _Batch:
    """The workers of one call of `run_many` and what they share."""

    def __init__(
        self,
        scenarios: Iterable[Scenario | System],
        reduce: Callable[[Recording], Any] | None,
        workers: int,
        controller: Callable[[System], Controller | LateKernel] | None,
        period: float,
    ) -> None:
        self._controller, self._period = controller, period
        self._numbered = enumerate(scenarios)
        self._lock = threading.Lock()
        self._reduce = reduce
        self._shared = Shared()
        self._stop = threading.Event()
        self._done: queue.Queue[Outcome | _Ended] = queue.Queue(maxsize=workers)
        self._threads = [
            threading.Thread(target=self._work, name=f"run_many {k}", daemon=True) for k in range(workers)
        ]

    def outcomes(self, cancel: Callable[[], bool] | None) -> Iterator[Outcome]:
        """Start the workers and yield what they finish; end them when the caller stops iterating."""
        for thread in self._threads:
            thread.start()
        working = len(self._threads)
        try:
            while working:
                if cancel is not None and cancel():
                    return
                try:
                    done = self._done.get(timeout=None if cancel is None else LONGEST_WAIT)
                except queue.Empty:
                    continue
                if isinstance(done, _Ended):
                    working -= 1
                    if done.error is not None:
                        raise done.error
                else:
                    yield done
        finally:
            self._stop.set()
            while any(thread.is_alive() for thread in self._threads):
                self._empty()
                for thread in self._threads:
                    thread.join(timeout=0.01)

    def _empty(self) -> None:
        """Take what is done, so that no worker waits for room."""
        try:
            while True:
                self._done.get_nowait()
        except queue.Empty:
            return

    def _next(self) -> tuple[int, System | Exception] | None:
        """Number and system of the next run, or why it cannot be simulated; generators cannot be asked by two threads
        at a time. Compiled here as well: two threads that are both in Python only wait for each other."""
        with self._lock:
            task = None if self._stop.is_set() else next(self._numbered, None)
            if task is None:
                return None
            index, scenario = task
            if isinstance(scenario, System):
                return index, scenario
            try:
                return index, compile_system(scenario, self._shared.once)
            except Exception as error:
                return index, error

    def _work(self) -> None:
        """What a worker does: one run after the other until there are no more."""
        try:
            while (task := self._next()) is not None:
                outcome = self._outcome(*task)
                del task
                self._done.put(outcome)
                del outcome
            self._done.put(_Ended())
        except BaseException as error:  # raised by the iterable of scenarios itself: passed on to the caller
            self._stop.set()
            self._done.put(_Ended(error))

    def _outcome(self, index: int, system: System | Exception) -> Outcome:
        """Run one system; an error is its result and stops nothing else."""
        if isinstance(system, Exception):
            return Outcome(index, None, system)
        try:
            controller = None if self._controller is None else self._controller(system)
            recording = run(system, cancel=self._stop.is_set, controller=controller, period=self._period)
            return Outcome(index, recording if self._reduce is None else self._reduce(recording))
        except Exception as error:
            return Outcome(index, None, error)


class _Ended(NamedTuple):
    """A worker has no more to do, or its source of scenarios failed."""

    error: BaseException | None = None
