"""A run that was made: its measures, tables and plots at hand, and how it shows itself in a notebook."""

from __future__ import annotations

import base64
import html
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..analysis.files.run_folder import read_run, write_run
from ..analysis.measures import evaluate
from ..analysis.measures.measure import Measure
from ..engine.runs.recording import Recording
from ..engine.runs.simulation import Progress
from ..engine.runs.simulation import run as simulate
from ..engine.spec import Scenario
from ..io_json.errors import FileError
from .loading import Source, find, scenario_of
from .tables import measures_table, to_pandas, to_xarray

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

SHOWN_MEASURES = 12
"""Rows of the table in a notebook."""


@dataclass(frozen=True, repr=False)
class Result:
    """A scenario and the recording of its run."""

    scenario: Scenario
    recording: Recording
    values: Mapping[str, Any] = field(default_factory=dict)
    """What was set for this run, by address."""
    inputs: tuple[Path, ...] = ()
    """The files it was read from."""
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    ended: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __repr__(self) -> str:
        return f"<Result of {self.scenario.name}: {self.recording!r}>"

    @cached_property
    def measures(self) -> list[Measure]:
        """Every measure of the run, in the order of the report."""
        return evaluate(self.scenario, self.recording)

    def measure(self, name: str, subject: str | None = None) -> Measure:
        """The measure of a name ("HIC15"), of a subject ("man / Head") where several have it. Raises FileError."""
        found = [each for each in self.measures if each.name == name and subject in (None, each.subject)]
        if len(found) != 1:
            known = dict.fromkeys(each.subject if found else each.name for each in found or self.measures)
            what = "several subjects have" if found else "there is no"
            raise FileError(f"{what} measure '{name}'", remedy=f"Choose from: {', '.join(known)}")
        return found[0]

    def to_pandas(self) -> pandas.DataFrame:
        """`tables.to_pandas` of the recording."""
        return to_pandas(self.recording)

    def to_xarray(self) -> xarray.Dataset:
        """`tables.to_xarray` of the recording."""
        return to_xarray(self.recording)

    def measures_table(self) -> pandas.DataFrame:
        """The measures as a table."""
        return measures_table(self.measures)

    def plot(self, body: str | None = None, kind: str = "acceleration") -> Figure:
        """A curve of a body ("Head", "man/Head") over time, of the kinds that reports draw; of the first head where no
        body is named. Raises FileError."""
        from ..analysis.plots.figures import BODY_PLOTS, plot_motion
        from ..analysis.plots.highlights import plotted_bodies
        from ..analysis.subjects import find_subjects

        if kind not in BODY_PLOTS:
            raise FileError(f"there is no plot '{kind}'", remedy=f"Choose from: {', '.join(BODY_PLOTS)}")
        if body is None:
            index = plotted_bodies(self.scenario, self.recording)[0]
        else:
            bodies = find_subjects(self.recording, [body])[0]
            if not bodies:
                raise FileError(f"'{body}' is a joint", remedy="Name a body")
            index = bodies[0]
        return plot_motion(self.scenario, self.recording, index, kind)

    def save(self, out: str | os.PathLike = "out") -> Path:
        """Write the run folder, with the files, digests and manifest that `mannequin run` writes; returns its path."""
        return write_run(
            self.scenario,
            self.recording,
            out,
            started=self.started,
            ended=self.ended,
            inputs=self.inputs,
            overrides=self.values,
        )

    def _repr_html_(self) -> str:
        """Status, the first measures that are available, and the curve of the head."""
        from ..analysis.plots.figures import png_bytes

        shown = [each for each in self.measures if not math.isnan(each.value)][:SHOWN_MEASURES]
        rows = "".join(
            f"<tr><td>{html.escape(each.name)}</td><td>{html.escape(each.subject)}</td>"
            f"<td style='text-align:right'>{html.escape(each.text)}</td></tr>"
            for each in shown
        )
        head = "<tr><th>measure</th><th>of</th><th>value</th></tr>"
        more = len(self.measures) - len(shown)
        note = f"<p>{more} more in <code>.measures</code></p>" if more else ""
        picture = base64.b64encode(png_bytes(self.plot())).decode() if self.recording.frames else ""
        image = f"<img src='data:image/png;base64,{picture}' style='max-width:40em'/>" if picture else ""
        return f"<p>{html.escape(repr(self))}</p>{image}<table>{head}{rows}</table>{note}"


def run(
    source: Source,
    values: Mapping[str, Any] | None = None,
    *,
    progress: Callable[[Progress], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    controller: Callable[..., None] | None = None,
    **settings: Any,
) -> Result:
    """Simulate a scenario, a model at rest on the ground, a file of either, or a shipped one by name.

    values: by address, such as {"actors.man.velocity": (1.4, 0, 0)}. settings: those of the scenario, such as
    duration=2 or friction=0.6. progress, cancel and controller are those of `engine.run`. Raises FileError and
    EngineError.
    """
    chosen = {**(values or {}), **settings}
    scenario = scenario_of(source, chosen)
    inputs = (find(source),) if isinstance(source, str | os.PathLike) else ()
    started = datetime.now(UTC)
    recording = simulate(scenario, progress=progress, cancel=cancel, controller=controller)
    return Result(scenario, recording, chosen, inputs, started, datetime.now(UTC))


def open_run(folder: str | os.PathLike) -> Result:
    """The run in a folder that `save` or `mannequin run` wrote. Raises FileError."""
    read = read_run(folder)
    return Result(read.scenario, read.recording)
