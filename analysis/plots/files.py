"""Plots of chosen bodies and joints as files in the folder "plots" of a run."""

from collections.abc import Sequence
from pathlib import Path

from ...io_json.names import safe_name
from ..files.run_folder import Run, add_files
from ..subjects import find_subjects
from . import figures as plots
from .highlights import plotted_bodies, plotted_joints
from .throw_chart import plot_throw_of_run


def write_plots(run: Run, names: Sequence[str] = ()) -> list[Path]:
    """PNG and SVG of every kind of plot of the named bodies and joints ("head", "man/head"), the energy ledger, and
    the throw of people whom a vehicle struck.

    Without names, those shown in the report. Raises FileError for a name that is not there.
    """
    recording = run.recording
    if names:
        bodies, joints = find_subjects(recording, names)
    else:
        bodies = plotted_bodies(run.scenario, recording)
        joints = plotted_joints(run.scenario, recording)
    figures = {"energy": plots.plot_energy(recording)}
    for body in bodies:
        for kind in plots.BODY_PLOTS:
            label = _file_part(
                recording.actor_names[recording.body_actor[body]], recording.body_names[body], kind
            )
            figures[label] = plots.plot_motion(run.scenario, recording, body, kind)
    for joint in joints:
        label = _file_part(
            recording.actor_names[recording.joint_actor[joint]], recording.joint_names[joint], "angle"
        )
        figures[label] = plots.plot_joint(run.scenario, recording, joint)
    throw = plot_throw_of_run(run.scenario, recording)
    if throw is not None:
        figures["throw"] = throw
    files = {}
    for label, figure in figures.items():
        files[f"plots/{label}.png"] = plots.png_bytes(figure)
        files[f"plots/{label}.svg"] = plots.svg_bytes(figure)
    return add_files(run.folder, "plots", files)


def _file_part(*names: str) -> str:
    """Part of a file name of names of the recording and, last, the kind of plot, which is never cut off."""
    *subject, kind = names
    return f"{safe_name('_'.join(subject), 'plot')}_{safe_name(kind, 'plot')}"
