"""The grid of headform tests on a vehicle, seen along the tape: HIC15 at every point."""

import os

from ...io_json.atomic import write_bytes
from .figures import png_bytes

BOUNDS = (0.0, 650.0, 1000.0, 1350.0, 1700.0)
"""HIC15 at which the colours change: Euro NCAP's bands, from memory, unverified."""
COLOURS = ("#3a923a", "#d9c12f", "#e08a1e", "#8c5a2b", "#c23b3b")


def colour_of(value: float) -> str:
    """Colour of the band that a value is in."""
    return COLOURS[max(k for k, bound in enumerate(BOUNDS) if value >= bound)]


def write_grid(path: str | os.PathLike, shots: list[tuple[float, float, float]], title: str) -> None:
    """Write (wrap-around m, across m, HIC15) as a picture, the vehicle's front below, its left to the left."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 5.2), layout="constrained")
    axes = figure.subplots()
    for tape, across, value in shots:
        axes.scatter(-1e3 * across, 1e3 * tape, s=620, marker="s", color=colour_of(value))
        axes.annotate(
            f"{value:.0f}", (-1e3 * across, 1e3 * tape), ha="center", va="center", fontsize=7, color="white"
        )
    axes.set(xlabel="across, left to right (mm)", ylabel="wrap-around distance (mm)")
    axes.set_title(f"{title}: HIC15 of headforms", fontsize=10)
    axes.margins(0.12)
    write_bytes(path, png_bytes(figure))
