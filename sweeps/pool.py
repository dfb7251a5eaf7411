"""Runs on this machine: in processes of their own, or in threads of this one.

A process that dies (killed, out of memory, crashed in a library) takes only the runs it had in hand with it; those are
handed back as lost, and a new pool is made. Processes end by themselves when the one that started them is killed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from ..engine.batch import Outcome, run_many
from ..engine.spec import Scenario
from .worker import Bench, Item, Row, Task, failed_row, scenario_of

Result = tuple[Sequence[Item], list[Row] | None]
"""Some runs with their rows, or with None where their worker was lost."""
PATIENCE = 0.5
"""s after which an empty result is handed back where nothing is done yet, so that a caller can cancel."""


class Runner(Protocol):
    """Somewhere to run: `pool.InThisProcess`, `pool.Processes`, `cluster.Cluster`."""

    def results(self, chunks: Iterator[Sequence[Item]]) -> Iterator[Result]:
        """Run chunks, handing each back when done, in any order."""

    def alone(self, item: Item) -> list[Row] | None:
        """Run one item with nothing else at the same time; None where the worker was lost."""

    def close(self) -> None:
        """Stop everything at once."""


class InThisProcess:
    """Threads of this process, by the engine's batch: for Blender, scripts and tests. A crash ends all of it."""

    def __init__(self, task: Task, threads: int | None = None) -> None:
        self.bench = Bench(task)
        self.threads = threads

    def results(self, chunks: Iterator[Sequence[Item]]) -> Iterator[Result]:
        """See `Runner`. Runs come back one by one."""
        started: dict[int, tuple[Item, Scenario]] = {}
        refused: list[Result] = []
        batch = run_many(self._scenarios(chunks, started, refused), workers=self.threads)
        with contextlib.closing(batch):
            for outcome in batch:
                item, scenario = started.pop(outcome.index)
                yield [item], [self._row(item[0], scenario, outcome)]
                while refused:
                    yield refused.pop()
        yield from refused

    def _scenarios(
        self,
        chunks: Iterator[Sequence[Item]],
        started: dict[int, tuple[Item, Scenario]],
        refused: list[Result],
    ) -> Iterator[Scenario]:
        """The scenarios in order; those that cannot be made are put aside, and have no number in the batch."""
        number = 0
        for item in (item for chunk in chunks for item in chunk):
            try:
                scenario = scenario_of(self.bench.task, item[1])
            except Exception as error:  # the row says what it was
                refused.append(([item], [failed_row(item[0], error)]))
                continue
            started[number] = (item, scenario)
            number += 1
            yield scenario

    def _row(self, index: int, scenario: Scenario, outcome: Outcome) -> Row:
        try:
            if outcome.error is not None:
                return failed_row(index, outcome.error)
            return self.bench.row(index, scenario, outcome.result)
        except Exception as error:  # of a measure
            return failed_row(index, error)

    def alone(self, item: Item) -> list[Row] | None:
        """See `Runner`."""
        return self.bench.rows([item])

    def close(self) -> None:
        """See `Runner`."""


_bench: Bench | None = None


def _begin(task: Task) -> None:
    """In a new process: get ready, leave Ctrl-C to the parent, and end when the parent does."""
    global _bench
    _bench = Bench(task)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


def _run(items: Sequence[Item]) -> list[Row]:
    return _bench.rows(items)


class Processes:
    """A number of processes that stay for the whole sweep."""

    def __init__(self, task: Task, processes: int) -> None:
        self.task = task
        self.processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def results(self, chunks: Iterator[Sequence[Item]]) -> Iterator[Result]:
        """See `Runner`. No more chunks are taken than are needed to keep the processes busy."""
        waiting: dict[Future, Sequence[Item]] = {}
        while True:
            self._fill(waiting, chunks)
            if not waiting:
                return
            finished, _ = wait(waiting, timeout=PATIENCE, return_when=FIRST_COMPLETED)
            if not finished:
                yield (), []
            for future in finished:
                yield waiting.pop(future), _rows(future)
            if any(isinstance(future.exception(), BrokenProcessPool) for future in finished):
                # the pool is gone, and with it everything that was in hand
                for future in list(waiting):
                    yield waiting.pop(future), _rows(future)
                self.close()

    def _fill(self, waiting: dict[Future, Sequence[Item]], chunks: Iterator[Sequence[Item]]) -> None:
        while len(waiting) < 2 * self.processes:
            chunk = next(chunks, None)
            if chunk is None:
                return
            waiting[self._submit(chunk)] = chunk

    def _submit(self, chunk: Sequence[Item]) -> Future:
        if self._pool is None:
            self._pool = _new_pool(self.task, self.processes)
        try:
            return self._pool.submit(_run, chunk)
        except BrokenProcessPool as error:
            lost: Future = Future()
            lost.set_exception(error)
            return lost

    def alone(self, item: Item) -> list[Row] | None:
        """See `Runner`. In a pool of one, so that only this run can be to blame."""
        pool = _new_pool(self.task, 1)
        try:
            return _rows(pool.submit(_run, [item]))
        finally:
            _end(pool)

    def close(self) -> None:
        """See `Runner`."""
        if self._pool is not None:
            _end(self._pool)
            self._pool = None


def _new_pool(task: Task, processes: int) -> ProcessPoolExecutor:
    # spawned, not forked: a fork would copy the threads' locks of whatever program this is
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, context, _begin, (task,))


def _rows(future: Future) -> list[Row] | None:
    try:
        return future.result()
    except BrokenProcessPool:
        return None


def _end(pool: ProcessPoolExecutor) -> None:
    """Stop a pool's processes at once: what they have in hand is not wanted any more."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        with contextlib.suppress(OSError, ValueError):
            process.kill()
            process.join()
