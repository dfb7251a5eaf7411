"""Runs on a Dask cluster. Its workers need Mannequin of the same version, and NumPy and Numba of the same versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..io_json.errors import FileError
from .availability import required
from .plan import replay_facts
from .pool import Result
from .worker import Item, Row, Task, run_rows

CONNECT_TIMEOUT = 20
"""s"""
RETRIES = 2
"""Times that Dask itself tries a chunk again where its worker is gone, before it is handed back as lost."""


class Cluster:
    """A Dask scheduler, by its address."""

    def __init__(self, task: Task, address: str) -> None:
        self.task = task
        self._library = required("distributed")
        try:
            self._client = self._library.Client(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise FileError(
                f"no scheduler answers at {address!r}",
                remedy="Start one with `dask scheduler`, give its address",
            ) from error
        self._check_workers(address)

    def _check_workers(self, address: str) -> None:
        """All workers must give the same bytes as this machine. Raises FileError."""
        own = replay_facts()
        workers = self._client.run(replay_facts)
        if not workers:
            self.close()
            raise FileError(
                f"the scheduler at {address} has no workers", remedy="Start some with `dask worker ADDRESS`"
            )
        for worker, facts in workers.items():
            differing = [
                f"{name} {facts.get(name)} (here {own[name]})" for name in own if facts.get(name) != own[name]
            ]
            if differing:
                self.close()
                raise FileError(
                    f"worker {worker} differs: {'; '.join(differing)}",
                    remedy="Use workers that are like this machine, so that all rows are of one kind",
                )

    def results(self, chunks: Iterator[Sequence[Item]]) -> Iterator[Result]:
        """See `pool.Runner`."""
        waiting: dict[str, tuple[Sequence[Item], object]] = {}
        done = self._library.as_completed(loop=self._client.loop)
        while True:
            width = 2 * max(1, sum(self._client.nthreads().values()))
            while len(waiting) < width and (chunk := next(chunks, None)) is not None:
                future = self._submit(chunk)
                waiting[future.key] = (chunk, future)
                done.add(future)
            if not waiting:
                return
            future = next(done)
            chunk, _ = waiting.pop(future.key)
            yield chunk, self._rows(future)

    def _submit(self, chunk: Sequence[Item]):
        return self._client.submit(run_rows, self.task, list(chunk), pure=False, retries=RETRIES)

    def _rows(self, future) -> list[Row] | None:
        try:
            return future.result()
        except self._library.KilledWorker:
            return None
        finally:
            future.release()

    def alone(self, item: Item) -> list[Row] | None:
        """See `pool.Runner`."""
        return self._rows(self._submit([item]))

    def close(self) -> None:
        """See `pool.Runner`. The cluster itself goes on."""
        self._client.close()
