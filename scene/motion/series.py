"""Time series of a run as animated custom properties of the armatures, for the graph editor and for drivers.

They are keyed at every output sample, so that no peak between two frames is lost.
"""

import bpy
import numpy as np

from ...analysis.files.run_folder import Run
from ...analysis.measures.channels import accelerometer_size
from ...analysis.measures.signals import resultant
from ...analysis.plots.highlights import plotted_bodies

Series = dict[str, np.ndarray]
"""(F,) values by name, the unit in brackets."""


def series_of_run(run: Run) -> dict[str, Series]:
    """Time series of each actor by name: speed of its centre of mass, its contact force, and acceleration and contact
    force of its head and of the parts that were hit hardest. All are sizes of vectors."""
    recording = run.recording
    chosen = plotted_bodies(run.scenario, recording)
    found: dict[str, Series] = {}
    for number, name in enumerate(recording.actor_names):
        bodies = np.flatnonzero(recording.body_actor == number)
        mass = recording.body_mass[bodies]
        velocity = np.einsum("b,fbi->fi", mass / mass.sum(), recording.velocity[:, bodies])
        series = {
            "speed (m/s)": resultant(velocity),
            "contact force (N)": resultant(recording.contact_force[:, bodies].sum(axis=1)),
        }
        for body in (body for body in chosen if body in bodies):
            label = recording.body_names[body]
            series[f"{label} acceleration (g)"] = accelerometer_size(run.scenario, recording, body)
            series[f"{label} contact force (N)"] = resultant(recording.contact_force[:, body])
        found[name] = series
    return found


def make_properties(actor: bpy.types.Object, series: Series, run: str) -> None:
    """Give an armature the custom properties that its time series animate."""
    for name, values in series.items():
        actor[name] = float(values[0])
        actor.id_properties_ui(name).update(description=f"Time series of run {run}")
