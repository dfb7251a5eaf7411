"""The report of the last run, written by the worker process: its check of the time step is a simulation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy

from ..analysis.report import write_report
from ..engine import jit
from .results import last_run
from .worker import Job, WorkerLost, shared_worker


class ReportRun:
    """A report in the making: `tick` until it is true, then `finish`; or `cancel`.

    Where there is no worker it is written here and now, and without the check of the time step where the engine of this
    process is not compiled; `warning` then says so.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        self._run, self.warning = last_run(scene), ""
        self._job: Job | None = None
        self._written: Path | None = None
        try:
            self._job = shared_worker().report(self._run.folder)
        except WorkerLost as error:
            self._write_here(error)

    def _write_here(self, error: WorkerLost) -> None:
        told = "" if jit.IS_COMPILED else ", without the check of the time step"
        self.warning = f"{error.sentence} The report is written inside Blender instead{told}"
        self._written = Path(write_report(self._run, step_halving=jit.IS_COMPILED)[0])

    @property
    def text(self) -> str:
        """What is going on, in words."""
        return self._job.text if self._written is None else "Writing the report"

    @property
    def share(self) -> float:
        """Share that is done."""
        return self._job.share if self._written is None else 1.0

    def tick(self) -> bool:
        """Take in what has come; true at the end."""
        return self._see(Job.poll)

    def wait(self) -> None:
        """Wait for the end."""
        self._see(Job.wait)

    def _see(self, look: Callable[[Job], bool | None]) -> bool:
        if self._written is not None:
            return True
        try:
            return bool(look(self._job))
        except WorkerLost as error:
            self._write_here(error)
            return True

    def cancel(self) -> None:
        """Write nothing."""
        if self._job is not None:
            self._job.cancel()

    def finish(self) -> Path:
        """The file that was written."""
        return self._written or self._job.folder()
