"""Plots of a recording: figures that read well in print, as PNG and SVG.

Figures are made without pyplot, so no window or global figure list is involved. The same recording gives
the same SVG text.
"""

import io
from collections.abc import Callable

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ...engine import ENERGY_TERMS, Recording
from ...engine.runs.recording import Channel
from ...engine.spec import Scenario
from ...engine.spec.joint_functions import coordinates_of
from ...engine.spec.names import part_label
from ..colors import COMPONENTS, DARK, SERIES
from ..files.csv_files import joint_angles_zyx, slides_along_axis
from ..measures.channels import WORDS, NotMeasured, body_channel, filtered
from ..measures.impact import body_label, touched_bodies
from ..measures.signals import G0
from ..subjects import joint_specs

BODY_PLOTS = {
    "position": ("position", "m", 1.0),
    "velocity": ("velocity", "m/s", 1.0),
    "angular velocity": ("angular_velocity", "rad/s", 1.0),
    "acceleration": ("acceleration", "g", 1.0 / G0),
    "angular acceleration": ("angular_acceleration", "rad/s²", 1.0),
    "contact force": ("contact_force", "N", 1.0),
    "contact torque": ("contact_torque", "N m", 1.0),
}
"""Kind of plot to (Recording field, unit shown, factor to that unit)."""

STYLES = ("-", "--", "-.", "-")
"""Of x, y, z and resultant, which are distinguished by dashes as well, for print in black and white."""

MOST_DRAWN = 4000
"""Samples of a channel in a plot, about."""
SIZE = (7.2, 2.9)
RASTER = 150
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#d9d9d9",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.hashsalt": "mannequin",
    "svg.fonttype": "none",
}


def new_figure(rows: int = 1, share_x: bool = True) -> tuple[Figure, list[Axes]]:
    """A figure with plots below each other, by default with one abscissa, without pyplot."""
    figure = Figure(figsize=(SIZE[0], SIZE[1] * (1.0 if rows == 1 else 0.72 * rows)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, 1, sharex=share_x, squeeze=False)[:, 0]
    return figure, list(axes)


def styled(function: Callable[..., Figure]) -> Callable[..., Figure]:
    """Draw with `STYLE` and leave the settings of other users of Matplotlib alone."""

    def drawn(*args, **kwargs):
        with matplotlib.rc_context(STYLE):
            return function(*args, **kwargs)

    drawn.__name__, drawn.__doc__ = function.__name__, function.__doc__
    return drawn


FROM_FRAMES = ("acceleration", "angular acceleration")
"""Kinds that frames alias: their plots say that they are neither sampled at every step nor filtered."""


def plot_motion(scenario: Scenario, recording: Recording, body: int, kind: str) -> Figure:
    """One of `BODY_PLOTS` of a body; the acceleration from its sensor, at every step and filtered, where it has one."""
    if kind == "acceleration":
        try:
            return plot_channel(body_channel(scenario, recording, body, kind))
        except NotMeasured:
            pass
    return plot_body(recording, body, kind)


@styled
def plot_body(recording: Recording, body: int, kind: str) -> Figure:
    """One of `BODY_PLOTS` of a body over time: x, y, z in world axes and, save for position, the resultant."""
    field, unit, factor = BODY_PLOTS[kind]
    values = factor * getattr(recording, field)[:, body]
    figure, (axes,) = new_figure()
    _draw_components(axes, recording.times, values, with_resultant=kind != "position")
    note = " (output times, not filtered)" if kind in FROM_FRAMES else ""
    title = f"{body_label(recording, body)}: {kind}{note}"
    axes.set(title=title, xlabel="time (s)", ylabel=f"{kind} ({unit})")
    _legend(axes)
    return figure


@styled
def plot_line(
    times: np.ndarray, values: np.ndarray, title: str, abscissa: str, ordinate: str, mark: float | None = None
) -> Figure:
    """One curve, with an upright line at `mark`."""
    figure, (axes,) = new_figure()
    axes.plot(times, values, color="black")
    if mark is not None:
        axes.axvline(mark, color="#8a1c1c", linewidth=1.0)
    axes.set(title=title, xlabel=abscissa, ylabel=ordinate)
    return figure


@styled
def plot_channel(channel: Channel) -> Figure:
    """What a sensor measured over time, filtered at its own rate by its class, then thinned out: x, y, z, resultant."""
    signal = filtered(channel)
    thin = slice(None, None, max(1, len(signal.times) // MOST_DRAWN))
    factor, unit = (1.0 / G0, "g") if channel.quantity == "acceleration" else (1.0, channel.unit)
    figure, (axes,) = new_figure()
    _draw_components(axes, signal.times[thin], factor * signal.values[thin], with_resultant=True)
    name, where = WORDS[channel.quantity], "" if channel.axes == "body" else ", world axes"
    label = signal.filter if signal.filter != "none" else "not filtered"
    axes.set(title=f"{channel.sensor}: {name} ({label}{where})", xlabel="time (s)", ylabel=f"{name} ({unit})")
    _legend(axes)
    return figure


def _draw_components(axes: Axes, times: np.ndarray, values: np.ndarray, with_resultant: bool) -> None:
    for component, color, style, name in zip(values.T, COMPONENTS, STYLES, "xyz", strict=False):
        axes.plot(times, component, color=color, linestyle=style, label=name)
    if with_resultant:
        resultant = np.linalg.norm(values, axis=-1)
        axes.plot(times, resultant, color=DARK, linewidth=1.8, alpha=0.8, label="resultant", zorder=1)
    if len(times) > 1:
        axes.set_xlim(times[0], times[-1])


def _legend(axes: Axes) -> None:
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)


@styled
def plot_joint(scenario: Scenario, recording: Recording, joint: int) -> Figure:
    """Joint angles over time against their limits: components of the rotation vector, which is what limits bound."""
    spec = joint_specs(scenario, recording)[joint]
    label = part_label(recording.actor_names[recording.joint_actor[joint]], recording.joint_names[joint])
    is_limited = spec.limits is not None and scenario.settings.joint_limits
    against = " against its limits (dotted)" if is_limited else ""
    figure, (axes,) = new_figure()
    ylabel, what = "angle (deg)", "joint angle"
    if spec.kind.has_axis and not spec.kind.turns:
        traces, slots = {"slide": slides_along_axis(spec, recording, joint)}, {"slide": 0}
        ylabel, what = "slide (m)", "slide"
    elif spec.kind.has_axis:
        traces = {"turn": joint_angles_zyx(scenario, recording)[:, joint, 0]}
        slots = {"turn": 0}
    elif spec.kind.by_functions:
        names, _ = coordinates_of(spec.functions)
        numbers = joint_angles_zyx(scenario, recording)[:, joint].T
        traces = dict(zip(names, numbers, strict=False))
        slots = {name: k for k, name in enumerate(names)}
    else:
        traces = dict(zip("xyz", np.degrees(recording.joint_angle[:, joint]).T, strict=True))
        slots = {"z": 0, "y": 1, "x": 2}  # AxisLimits are in the order (Z, Y, X)
    for (name, values), color, style in zip(traces.items(), COMPONENTS, STYLES, strict=False):
        axes.plot(recording.times, values, color=color, linestyle=style, label=name)
        if is_limited:
            _draw_limits(axes, spec.limits.lower[slots[name]], spec.limits.upper[slots[name]], color, name)
    if recording.frames > 1:
        axes.set_xlim(recording.times[0], recording.times[-1])
    axes.set(title=f"{label}: {what}{against}", xlabel="time (s)", ylabel=ylabel)
    _legend(axes)
    return figure


def _draw_limits(axes: Axes, lower: float, upper: float, color: str, name: str) -> None:
    for value, label in ((lower, f"limits {name}"), (upper, None)):
        axes.axhline(value, color=color, linewidth=0.9, linestyle=":", alpha=0.9, label=label)


@styled
def plot_energy(recording: Recording) -> Figure:
    """The energy ledger: energies and works above, the numerical error on its own scale below."""
    figure, (axes, error) = new_figure(2)
    used = [term for term in ENERGY_TERMS[:-1] if np.any(recording.energy[:, ENERGY_TERMS.index(term)])]
    colors = (*SERIES, DARK)
    for number, term in enumerate(used):
        values = recording.energy[:, ENERGY_TERMS.index(term)]
        if term == "gravity":
            values, term = values - values[0], "gravity (change)"
        style = "-" if number < 2 else ("--", "-.", ":")[number % 3]
        axes.plot(
            recording.times,
            values,
            color=colors[number % len(colors)],
            linestyle=style,
            label=term.replace("_", " "),
        )
    error.plot(recording.times, recording.energy[:, -1], color=DARK)
    if recording.frames > 1:
        axes.set_xlim(recording.times[0], recording.times[-1])
    axes.set(title="Energy ledger: energies, and work done on the bodies", ylabel="energy (J)")
    error.set(xlabel="time (s)", ylabel="numerical\nerror (J)")
    _legend(axes)
    return figure


@styled
def plot_timeline(recording: Recording, most: int = 24) -> Figure:
    """When each body part touched something, as bars, the parts in the order of first touch."""
    touched = list(touched_bodies(recording))
    touched.sort(key=lambda entry: recording.contacts["start"][entry[1][0]])
    touched = touched[:most]
    figure = Figure(figsize=(SIZE[0], 0.9 + 0.24 * len(touched)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    span = max(float(recording.times[-1] - recording.times[0]), 1e-9)
    for row, (_, events) in enumerate(touched):
        contacts = recording.contacts[events]
        ends = np.where(np.isnan(contacts["end"]), recording.times[-1], contacts["end"])
        # A touch shorter than a line is wide would vanish.
        widths = np.maximum(ends - contacts["start"], 0.002 * span)
        bars = np.column_stack([contacts["start"], widths])
        axes.broken_barh(
            bars.tolist(), (row - 0.32, 0.64), facecolors="#5b7f9f", edgecolor="#33404d", linewidth=0.3
        )
        peak = f"{np.max(contacts['peak_force']):.0f} N"
        axes.annotate(peak, (1.0, row), xycoords=("axes fraction", "data"), xytext=(4, 0), fontsize=8,
                      textcoords="offset points", va="center")  # fmt: skip
    axes.set_yticks(range(len(touched)), [body_label(recording, body) for body, _ in touched])
    axes.set_ylim(len(touched) - 0.5, -0.5)
    axes.set_xlim(recording.times[0], recording.times[0] + span)
    axes.set(xlabel="time (s)")
    axes.grid(axis="y", visible=False)
    return figure


def png_bytes(figure: Figure, resolution: int = RASTER) -> bytes:
    """The figure as PNG, without the name and version of the software, so that equal pictures are equal bytes."""
    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format="png", dpi=resolution, metadata={"Software": None})
    return buffer.getvalue()


def svg_bytes(figure: Figure) -> bytes:
    """The figure as SVG: no date in it, and the same names for its parts every time."""
    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()
