"""Runs of a fit: points in, deviations out, every one written down as it is made.

The search is deterministic, so a fit that was killed asks for the same points in the same order when it is started
again, and gets those that are in the journal already from there.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..bench import Item, Row
from ..journal import Journal
from ..pool import Runner, rows_of
from .targets import MISSING


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
        self.traces: list[str] = []
        """As the journal has them; empty where a run kept none."""
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
            self.traces.append(rows[index].trace)
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
        for rows in rows_of(self._runner, iter(missing)):
            self._journal.append(rows)
            known |= {row.index: row for row in rows}
            if self._progress is not None:
                self._progress(self._journal.done, self._budget)
            if self._cancel is not None and self._cancel():
                self.is_cancelled = True
                raise Stopped
        return known
