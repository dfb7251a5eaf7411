"""What a witness sees, as a table and as a strip: parts one below the other, time to the right."""

import csv
import io
import os

import numpy as np

from ...io_json.atomic import write_bytes, write_text
from ...io_json.csv_cells import text_cell
from .visibility import Sight


def csv_text(sight: Sight) -> str:
    """Rows: time, the share of every actor, the share of every part, all from 0 to 1."""
    actors = list(dict.fromkeys(sight.actors))
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["time_s", *(text_cell(name) for name in (*actors, *sight.names))])
    whole = np.column_stack([sight.of_actor(actor) for actor in actors])
    for time, first, rest in zip(sight.times, whole, sight.share, strict=True):
        table.writerow([f"{time:.3f}", *(f"{value:.3f}" for value in (*first, *rest))])
    return out.getvalue()


def write_csv(path: str | os.PathLike, sight: Sight) -> None:
    """Write the table. Raises FileError."""
    write_text(path, csv_text(sight))


def write_strip(path: str | os.PathLike, sight: Sight) -> None:
    """Write the strip as PNG: dark is hidden, bright is seen. Raises FileError."""
    from matplotlib.figure import Figure

    from ...analysis.plots.figures import png_bytes

    actors = list(dict.fromkeys(sight.actors))
    rows = np.vstack([*(sight.of_actor(actor) for actor in actors), sight.share.T])
    labels = [*(f"{actor} (all)" for actor in actors), *sight.names]
    figure = Figure(figsize=(9.6, 1.2 + 0.2 * len(labels)), layout="constrained")
    axes = figure.subplots()
    half = 0.5 * (sight.times[1] - sight.times[0]) if len(sight.times) > 1 else 0.5
    extent = (sight.times[0] - half, sight.times[-1] + half, len(labels) - 0.5, -0.5)
    shown = axes.imshow(
        rows, aspect="auto", extent=extent, vmin=0.0, vmax=1.0, cmap="cividis", interpolation="nearest"
    )
    axes.set_yticks(range(len(labels)), labels, fontsize=7)
    axes.axhline(len(actors) - 0.5, color="white", linewidth=2)
    x, y, z = sight.witness.eye
    axes.set(xlabel="time (s)", title=f"{sight.witness.name}: eye at {x:.2f}, {y:.2f}, {z:.2f} m")
    figure.colorbar(shown, ax=axes, label="share visible")
    write_bytes(path, png_bytes(figure))
