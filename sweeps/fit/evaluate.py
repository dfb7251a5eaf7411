"""Runs of a fit: points in, deviations out, every one written down as it is made.

The search is deterministic, so a fit that was killed asks for the same points in the same order when it is started
again, and gets those that are in the journal already from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..journal import Journal
from ..pool import Runner
from ..worker import LOST, Item, Row
from .targets import MISSING

CHUNK = 2
"""Runs handed to a worker at a time."""


class Stopped(Exception):
    """The runs allowed are used up, or the user has cancelled."""


class Evaluator:
    """Evaluates points of the unknowns, and keeps all that was evaluated."""

    def __init__(
        self,
        runner: Runner,
        journal: Journal,
        targets: int,
        budget: int,
        progress: Callable[[int, int], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> None:
        self.points: list[np.ndarray] = []
        self.deviations: list[np.ndarray] = []
        self.statuses: list[str] = []
        self.is_cancelled = False
        self._runner, self._journal = runner, journal
        self._targets, self._budget = targets, budget
        self._progress, self._cancel = progress, cancel

    @property
    def count(self) -> int:
        """Runs made so far."""
        return len(self.points)

    def agreeing(self) -> np.ndarray:
        """Numbers of the runs that agree with all of the evidence."""
        return np.flatnonzero([bool(np.all(row <= 1.0)) for row in self.deviations])

    def evaluate(self, points: Sequence[np.ndarray]) -> np.ndarray:
        """(n, targets) deviations in tolerances. Raises Stopped, with what was done kept, where it must end."""
        first = self.count
        allowed = [np.asarray(point, dtype=float) for point in points][: self._budget - first]
        rows = self._rows([(first + i, tuple(point.tolist())) for i, point in enumerate(allowed)])
        for index, point in enumerate(allowed, start=first):
            self.points.append(point)
            self.deviations.append(self._deviation(rows[index]))
            self.statuses.append(rows[index].status)
        if len(allowed) < len(points):
            raise Stopped
        return np.array(self.deviations[first:])

    def _deviation(self, row: Row) -> np.ndarray:
        """Of a run that did not complete: as far off as can be."""
        if not row.values:
            return np.full(self._targets, MISSING)
        return np.array(row.values, dtype=float)

    def _rows(self, items: Sequence[Item]) -> dict[int, Row]:
        known = {index: self._journal.row(index) for index, _ in items}
        missing = [item for item in items if known[item[0]] is None]
        chunks = (missing[i : i + CHUNK] for i in range(0, len(missing), CHUNK))
        for chunk, rows in self._runner.results(chunks):
            found = rows if rows is not None else self._alone(chunk)
            self._journal.append(found)
            known |= {row.index: row for row in found}
            if self._progress is not None:
                self._progress(self._journal.done, self._budget)
            if self._cancel is not None and self._cancel():
                self.is_cancelled = True
                raise Stopped
        return known

    def _alone(self, chunk: Sequence[Item]) -> list[Row]:
        """Runs whose worker died, again, one by one; one whose worker dies again counts as far off."""
        rows = []
        for item in chunk:
            rows += self._runner.alone(item) or [Row(item[0], LOST, message="the process that ran it died")]
        return rows
