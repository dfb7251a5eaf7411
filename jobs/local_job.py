"""A simulation in this process, in short slices: the fallback where there is no simulation process."""

import time
from datetime import UTC, datetime
from pathlib import Path

from ..analysis.files.run_folder import Written, write_and_tell
from ..analysis.measures import Measure
from ..analysis.resample import Motion, last_pose
from ..engine.build.system import compile_system
from ..engine.jit import decorators as jit
from ..engine.runs.simulation import Progress, Simulation
from ..engine.spec import Scenario

SECONDS_PER_POLL = 0.03
"""Time spent computing between two events of the interface."""


class LocalJob:
    """One simulation that ends in a run folder; has the interface of `engine.SimulationJob`."""

    pace = (
        "Simulating inside Blender instead"
        if jit.IS_COMPILED
        else "Simulating inside Blender instead, uncompiled: about a thousand times slower"
    )
    """Warning to report."""
    is_kept = False
    """Whether its motion is there before its files: never here"""

    def __init__(self, scenario: Scenario, out: Path, started: datetime, host: dict[str, str]) -> None:
        self._scenario, self._out, self._facts = scenario, out, {"started": started, "host": host}
        self._simulation = Simulation(compile_system(scenario))
        self._steps = self._simulation.advance()
        self._written: Written | None = None
        self.progress: Progress | None = None
        self.pose: Motion | None = None

    @property
    def share(self) -> float:
        """Share that is done."""
        return self.progress.frame / self.progress.frames if self.progress else 0.0

    @property
    def text(self) -> str:
        """What it is doing, for the user."""
        if self.progress is None:
            return "Starting inside Blender: this may take a minute"
        return f"Simulating {self.progress.time:.2f} of {self.progress.duration:g} s inside Blender"

    def poll(self, seconds: float = SECONDS_PER_POLL) -> bool:
        """Compute for about so long; true when the run folder is written."""
        until = time.perf_counter() + seconds
        for progress in self._steps:
            self.progress = progress
            if time.perf_counter() > until:
                return False
        if self._written is None:
            self._written = write_and_tell(
                self._scenario,
                self._simulation.recording(),
                self._out,
                ended=datetime.now(UTC),
                **self._facts,
            )
        return True

    def wait(self) -> None:
        """Compute to the end."""
        self.poll(float("inf"))

    wait_for_motion = wait

    def look(self) -> None:
        """Keep the pose as far as the run has come."""
        if self.progress is not None:
            self.pose = last_pose(self._simulation.recording())

    def cancel(self) -> None:
        """Nothing is left behind, as nothing runs between two polls."""

    def result(self) -> Path:
        """The run folder."""
        assert self._written is not None, "asked for before the end"
        return self._written.folder

    def measures(self) -> dict[str, list[Measure]]:
        """What was measured for the run folder, by family."""
        return self._written.measures
