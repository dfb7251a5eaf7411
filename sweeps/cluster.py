"""Runs on a Dask cluster. Its workers need Mannequin of the same version, and NumPy and Numba of the same versions."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..io_json.errors import FileError
from .availability import required
from .bench import Item, Row, Task, run_rows
from .plan import replay_facts
from .pool import Result

CONNECT_TIMEOUT = 20
"""s"""
CHUNK = 4
"""Runs handed to a worker at a time: what is common to them is worked out once for each chunk."""
RETRIES = 2
"""Times that Dask itself tries a chunk again where its worker is gone, before it is handed back as lost."""
SECONDS_TO_REPLACE = 60.0
"""For which workers that died while they were asked for their versions are waited for: Dask starts them again."""
SECONDS_PER_CHECK = 0.2
"""Between two times that workers are asked, where one has died."""

UNENCRYPTED = (
    "the connection to {address} is neither encrypted nor authenticated: whoever reaches the scheduler can run code on "
    "it and on its workers, and read the scenario. Give --tls-ca, --tls-cert and --tls-key (docs/sweeps.md), or use a "
    "network that nobody else is on"
)


@dataclass(frozen=True)
class Tls:
    """Files with which the cluster and this machine prove to each other who they are."""

    ca: str
    """Certificate of the authority that both trust (PEM)"""
    certificate: str
    key: str


def warning_of(address: str, tls: Tls | None) -> str:
    """What to tell before a cluster is used, or ""."""
    return "" if tls is not None else UNENCRYPTED.format(address=address)


class Cluster:
    """A Dask scheduler, by its address. Raises FileError where it cannot be used."""

    def __init__(
        self, task: Task, address: str, time_limit: float | None = None, tls: Tls | None = None
    ) -> None:
        self.task, self.time_limit, self._address = task, time_limit, address
        self._library = required("distributed")
        self._client = self._connected(tls)
        try:
            self._check_workers()
        except BaseException:
            self.close()
            raise

    def _connected(self, tls: Tls | None) -> Any:
        options = {"timeout": CONNECT_TIMEOUT, "set_as_default": False}
        try:
            if tls is not None:
                options["security"] = self._library.Security(
                    tls_ca_file=tls.ca,
                    tls_client_cert=tls.certificate,
                    tls_client_key=tls.key,
                    require_encryption=True,
                )
            return self._library.Client(self._address, **options)
        except (OSError, ValueError, RuntimeError, TypeError) as error:
            kind = "with these certificates" if tls else "without encryption"
            raise FileError(
                f"no scheduler answers at {self._address!r} {kind} ({error})",
                remedy="Start one with `dask scheduler`, give its address as it prints it",
            ) from error

    def _check_workers(self) -> None:
        """All workers must give the same bytes as this machine. Raises FileError."""
        own, workers = replay_facts(), self._versions()
        if not workers:
            raise FileError(
                f"the scheduler at {self._address} has no workers",
                remedy="Start some with `dask worker ADDRESS`",
            )
        for worker, facts in workers.items():
            differing = [
                f"{name} {facts.get(name)} (here {own[name]})" for name in own if facts.get(name) != own[name]
            ]
            if differing:
                raise FileError(
                    f"worker {worker} differs: {'; '.join(differing)}",
                    remedy="Use workers that are like this machine, so that all rows are of one kind",
                )

    def _versions(self) -> dict[str, dict[str, str]]:
        """Facts of every worker; where one dies while it is asked, of those that are there some time later.

        The scheduler lists a worker that has died until it notices, and then none in its place until Dask has started
        another: neither is an answer. Raises FileError where a worker cannot tell, or none comes in time."""
        until, lost = time.monotonic() + SECONDS_TO_REPLACE, {}
        while True:
            answers = self._client.run(replay_facts, on_error="return")
            silent = {worker: found for worker, found in answers.items() if isinstance(found, Exception)}
            if not silent and (answers or not lost):
                return answers
            lost |= silent
            living = {worker: error for worker, error in silent.items() if not isinstance(error, OSError)}
            if living or time.monotonic() > until:
                raise _no_answer(*next(iter((living or lost).items())))
            time.sleep(SECONDS_PER_CHECK)

    def results(self, items: Iterator[Item]) -> Iterator[list[Result]]:
        waiting: dict[str, tuple[Sequence[Item], object]] = {}
        done = self._library.as_completed(loop=self._client.loop)
        while True:
            width = 2 * max(1, sum(self._client.nthreads().values()))
            while len(waiting) < width and (chunk := list(islice(items, CHUNK))):
                future = self._submit(chunk)
                waiting[future.key] = (chunk, future)
                done.add(future)
            if not waiting:
                return
            future = next(done)
            chunk, _ = waiting.pop(future.key)
            yield list(zip(chunk, self._rows(future) or [None] * len(chunk), strict=True))

    def _submit(self, chunk: Sequence[Item]) -> Any:
        given = (self.task, list(chunk), self.time_limit)
        return self._client.submit(run_rows, *given, pure=False, retries=RETRIES)

    def _rows(self, future: Any) -> list[Row] | None:
        try:
            return future.result()
        except self._library.KilledWorker:
            return None
        finally:
            future.release()

    def alone(self, item: Item) -> Row | None:
        rows = self._rows(self._submit([item]))
        return rows[0] if rows else None

    def close(self) -> None:
        """See `pool.Runner`. The cluster itself goes on."""
        self._client.close()


def _no_answer(worker: str, error: Exception) -> FileError:
    return FileError(
        f"worker {worker} does not tell its versions ({type(error).__name__}: {error})",
        remedy="See what it prints; it needs the same Mannequin as this machine",
    )
