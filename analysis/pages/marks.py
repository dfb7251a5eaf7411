"""The section of the report on marks at the place, with where the run left what lay there."""

from collections.abc import Iterator

import numpy as np

from ...engine.runs.recording import Recording
from ...io_json.errors import FileError
from ...io_json.marks import KINDS, Mark, ellipses_off, marks_of
from ..files.run_folder import Run
from .blocks import Block, Box, Paragraph, Table


def marks_blocks(run: Run) -> Iterator[Block]:
    """A table of the marks of the scenario."""
    try:
        marks = marks_of(run.scenario)
    except FileError as error:
        yield Box((f"The marks of the scenario cannot be read: {error}",), is_alarm=True)
        return
    header = ("mark", "kind", "place (m)", "ellipse (m, m, degrees)", "length (m)", "the run", "source")
    rows = tuple(
        (
            mark.name,
            KINDS.meanings[mark.kind].lower(),
            ", ".join(f"{x:.2f}" for x in mark.position),
            ", ".join(f"{x:g}" for x in mark.ellipse),
            f"{mark.length:.2f}" if mark.path else "",
            comparison(mark, run.recording),
            mark.source or "not stated",
        )
        for mark in marks
    )
    yield Paragraph("Ellipses are half axes and the angle of the first from x; 1 ellipse off is on its edge.")
    yield Table(header, rows, numbers=(4,))


def comparison(mark: Mark, recording: Recording) -> str:
    """Where the run left what lay there: distance, and in ellipses."""
    if mark.kind != "rest" or not mark.body or not recording.frames:
        return ""
    chosen = _bodies(mark.body, recording)
    if not len(chosen):
        return f"has no '{mark.body}'"
    mass = recording.body_mass[chosen]
    rest = (recording.position[-1, chosen] * mass[:, None]).sum(axis=0) / mass.sum()
    offset = rest[:2] - np.asarray(mark.position[:2])
    return f"{np.linalg.norm(offset):.2f} m off, {float(ellipses_off(offset, mark.ellipse)):.1f} ellipses"


def _bodies(name: str, recording: Recording) -> np.ndarray:
    actor, _, body = name.partition("/")
    if actor not in recording.actor_names:
        return np.zeros(0, dtype=int)
    own = np.flatnonzero(recording.body_actor == recording.actor_names.index(actor))
    return np.array([k for k in own if not body or recording.body_names[k] == body], dtype=int)
