"""A picture of the ground: heights with holes, and how far the points are off."""

import os

import numpy as np

from ...analysis.plots.figures import png_bytes
from ...io_json.atomic import write_bytes
from .cloud import Cloud
from .ground import Ground

HOLE = (0.85, 0.1, 0.1)


def write_ground_picture(path: str | os.PathLike, ground: Ground, cloud: Cloud) -> None:
    """Heights from above, holes red, beside the distribution of the errors. Raises FileError."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 4.2), layout="constrained")
    above, beside = figure.subplots(1, 2, width_ratios=(1.6, 1.0))
    nx, ny = ground.heights.shape
    x0, y0 = ground.low - ground.cell / 2.0
    extent = (x0, x0 + nx * ground.cell, y0, y0 + ny * ground.cell)
    shown = above.imshow(
        ground.heights.T, origin="lower", extent=extent, cmap="viridis", interpolation="nearest"
    )
    holes = np.zeros((ny, nx, 4))
    holes[ground.holes.T] = (*HOLE, 1.0)
    above.imshow(holes, origin="lower", extent=extent, interpolation="nearest")
    figure.colorbar(shown, ax=above, label="height (m)")
    above.set(xlabel="x (m)", ylabel="y (m)")
    above.set_title(f"{cloud.source}: {ground.hole_area:.2f} m² of holes, red", fontsize=10)
    millimetres = 1e3 * ground.errors
    reach = max(1.0, float(np.percentile(np.abs(millimetres), 99.0)))
    beside.hist(np.clip(millimetres, -reach, reach), bins=60, color="#4a78b5")
    beside.set(xlabel="points less surface (mm)", ylabel="points")
    median, most = 1e3 * ground.median_error, 1e3 * ground.error_95
    beside.set_title(f"median {median:.1f} mm, 95 % within {most:.1f} mm", fontsize=10)
    write_bytes(path, png_bytes(figure))
