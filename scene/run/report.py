"""The report of the last run, written by the simulation process: its check of the time step is a simulation."""

from pathlib import Path

import bpy

from ...analysis.files.run_folder import Run
from ...analysis.pages.shown import write_shown
from ...engine.jit import decorators as jit
from ...jobs.child import ProcessLost
from ...jobs.engine import EngineWorker
from ...jobs.worker import Job
from ...viewer.dressed import ActorLooks
from ..motion.bake import playing_action
from ..motion.edited import edits_of
from ..show.results import last_run
from ..store.actors import actors_of
from .worker import WorkerJob


def keep_shown(scene: bpy.types.Scene, run: Run) -> None:
    """Leave in the run folder what of the motion in this scene is not as it was simulated, for the report."""
    if any(playing_action(actor) is not None for actor in actors_of(scene)):
        write_shown(run, [edit.text for edit in edits_of(scene)])


class ReportRun(WorkerJob):
    """A report that is being written; at the end, `finish`.

    Where no simulation process can be started it is written here and now, and without the check of the time step where
    the engine of this process is not compiled; `warning` then states it.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        self._run = last_run(scene)
        keep_shown(scene, self._run)
        self._written: Path | None = None
        super().__init__()

    def give(self, to: EngineWorker) -> Job:
        """Hand the report to a worker. Raises ProcessLost."""
        return to.report(self._run.folder)

    def here(self, error: ProcessLost) -> None:
        """Write it in Blender's own process, as no other can be started."""
        from ...analysis.pages.report import write_report

        without = "" if jit.IS_COMPILED else ", without the check of the time step"
        self.warning = f"{error.sentence} The report is written inside Blender instead{without}"
        looks = ActorLooks(self._run.scenario)
        self._written = Path(write_report(self._run, step_halving=jit.IS_COMPILED, looks=looks)[0])

    @property
    def text(self) -> str:
        """What it is doing, for the user."""
        return super().text if self._written is None else "Writing the report"

    @property
    def share(self) -> float:
        """Share that is done."""
        return super().share if self._written is None else 1.0

    def poll(self) -> bool:
        """Take in what has come; true at the end."""
        return self._written is not None or super().poll()

    def wait(self) -> None:
        """Wait for the end."""
        if self._written is None:
            super().wait()

    def cancel(self) -> None:
        """Stop; no report is written."""
        if self._written is None:
            super().cancel()

    def finish(self) -> Path:
        """The file that was written."""
        return self._written or self.job.result()
