"""Pictures of the validation page: curves over what was published, populations over published spreads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..pages.pictures import save_picture
from ..scenarios.rigs import neck_extension, neck_flexion
from .active_falls import BANDS
from .experiment import experiment
from .fallers import older_adults
from .neck_response import neck_swing
from .pedestrians import THROWS, WRAPPED, happer, toor
from .row import Row
from .score import Score, scores
from .torso import thorax_curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OURS, THEIRS, MISS = "#1f5a8a", "#c9d8e4", "#b5442f"
THORAX_BOXES = {"hybrid3_50th": "thorax_dummy", "hybrid3_5th": "certification_hybrid3_5th"}
"""Dummy to the experiment with its boxes of deflection and force."""


def draw_all(folder: Path, rows: Sequence[Row]) -> list[Path]:
    """Draw every picture into a folder; the falls and throws of the last run are used."""
    drawn = {
        "score.png": lambda: draw_score(scores(rows)),
        "neck_pendulum.png": draw_necks,
        "thorax.png": draw_thorax,
        "older_adults.png": draw_older_adults,
        "throws.png": draw_throws,
        "misses.png": lambda: draw_deviations(rows),
    }
    for name, draw in drawn.items():
        save_picture(draw(), folder / name)
    return [folder / name for name in drawn]


def _figure(columns: int, lines: int, width: float, height: float) -> tuple[Figure, np.ndarray]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(lines, columns, squeeze=False)


def draw_score(areas: Sequence[Score]) -> Figure:
    """Published numbers of each area and how many of them lie inside."""
    found = [score for score in areas if score.published]
    figure, grid = _figure(1, 1, 7.0, 0.4 * len(found) + 0.9)
    axes = grid[0, 0]
    names = [score.area for score in found][::-1]
    axes.barh(
        names, [score.published for score in found][::-1], color=THEIRS, label="published numbers predicted"
    )
    axes.barh(names, [score.shares for score in found][::-1], color=OURS, label="inside, by share of set-ups")
    for place, score in enumerate(found[::-1]):
        axes.text(score.published, place, f"  {100 * score.value:.0f} %", va="center", fontsize=8)
    axes.margins(x=0.12)
    axes.legend(fontsize=8, loc="upper right")
    axes.tick_params(labelsize=8)
    return figure


def _box(axes, across: tuple[float, float], up: tuple[float, float], label: str = "") -> None:
    from matplotlib.patches import Rectangle

    size = (across[1] - across[0], up[1] - up[0])
    axes.add_patch(
        Rectangle((across[0], up[0]), *size, facecolor=THEIRS, edgecolor="#6a8aa3", label=label, zorder=1)
    )


def draw_necks() -> Figure:
    """Turn and moment of the man's dummy under the pendulum over the boxes of 49 CFR 572.33."""
    figure, grid = _figure(2, 2, 9.0, 5.6)
    for line, (name, scenario, way) in enumerate(
        (("flexion", neck_flexion(), 1), ("extension", neck_extension(), -1))
    ):
        bands = [known.band for known in experiment(f"neck_{name}").quantities.values()]
        swing = neck_swing(scenario, way)
        curves = (("degrees", *swing.angle_curve), ("N m", *swing.moment_curve))
        for column, (unit, times, values) in enumerate(curves):
            axes = grid[line, column]
            peak, when, zero = bands[3 * column : 3 * column + 3]
            _box(axes, when, peak, "49 CFR 572.33")
            _box(axes, zero, (-0.03 * peak[1], 0.03 * peak[1]))
            axes.plot(times, values, color=OURS, label="simulated", zorder=2)
            axes.axhline(0.0, color="#808080", linewidth=0.6)
            axes.set_title(
                f"{name}: {'rotation' if unit == 'degrees' else 'moment at the condyles'}", fontsize=9
            )
            axes.set_xlabel("ms", fontsize=8)
            axes.set_ylabel(unit, fontsize=8)
            axes.tick_params(labelsize=7)
    grid[0, 0].legend(fontsize=7)
    return figure


def draw_thorax() -> Figure:
    """Force over deflection of the dummies' chests, and the man's at three speeds."""
    figure, grid = _figure(2, 1, 9.0, 3.8)
    for name, test in THORAX_BOXES.items():
        _box(grid[0, 0], *_thorax_box(test), "" if name != "hybrid3_50th" else "certification")
        grid[0, 0].plot(*_thorax(None, name), label=f"{name}, 6.71 m/s")
    for speed in (4.3, 6.7, 9.8):
        grid[0, 1].plot(*_thorax(speed, "male"), label=f"male, {speed:g} m/s")
    _box(grid[0, 1], *_thorax_box("thorax_cadavers"), "cadavers, 4.3 m/s: peak and deflection")
    for axes in grid[0]:
        axes.set_xlabel("sternum towards spine, mm", fontsize=8)
        axes.set_ylabel("N", fontsize=8)
        axes.tick_params(labelsize=7)
        axes.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2)
    return figure


def _thorax_box(name: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Bands of deflection (mm) and force (N)."""
    test = experiment(name)
    return test.band("sternum to spine"), test.band("peak force")


def _thorax(speed: float | None, name: str) -> tuple[np.ndarray, np.ndarray]:
    depth, force = thorax_curve(speed, name)
    return 1000.0 * depth, force


def draw_older_adults() -> Figure:
    """Distributions of random older adults over the published normal distributions."""
    falls = older_adults()
    bands = [band for band in BANDS if not band.only]
    figure, grid = _figure(3, 2, 9.0, 5.0)
    for axes, band in zip(grid.flat, bands, strict=False):
        values = np.array([fall.values[band.quantity] for fall in falls])
        values = values[~np.isnan(values)]
        reach = np.linspace(band.mean - 3.2 * band.sd, band.mean + 3.2 * band.sd, 200)
        axes.fill_between(
            reach,
            np.exp(-0.5 * ((reach - band.mean) / band.sd) ** 2) / (band.sd * np.sqrt(2.0 * np.pi)),
            color=THEIRS,
            label="published",
        )
        axes.hist(
            values, bins=18, density=True, histtype="step", color=OURS, label=f"{len(values)} simulated"
        )
        axes.set_title(f"{band.quantity}, {band.unit}", fontsize=9)
        axes.set_yticks([])
        axes.tick_params(labelsize=7)
        axes.legend(fontsize=6)
    grid.flat[-1].set_axis_off()
    return figure


def draw_throws() -> Figure:
    """Throw distances of four classes of fronts over the regressions and the hybrid model's bounds."""
    figure, grid = _figure(2, 1, 9.0, 3.8)
    throws, how = THROWS.get(1.0, {}), experiment("searle").set_up
    reach = np.linspace(0.5, 70.0, 200)
    for axes, is_wrapped in zip(grid[0], (True, False), strict=True):
        axes.fill_betweenx(
            reach, 9.0 * np.sqrt(reach), 16.2 * np.sqrt(reach), color=THEIRS, label="Wood and Simms, bounds"
        )
        for law, style, label in ((toor, "-", "Toor and Araszewski"), (happer, "--", "Happer et al.")):
            axes.plot(law(reach, is_wrapped), reach, style, color="#4d4d4d", linewidth=1.0, label=label)
        for kind in (kind for kind in how["classes"] if (kind in WRAPPED) == is_wrapped):
            points = [
                (speed, throws[kind, speed].distance) for speed in how["speeds"] if (kind, speed) in throws
            ]
            if points:
                axes.plot(*zip(*points, strict=True), "o-", markersize=4, label=kind)
        axes.set_xlim(0.0, 100.0)
        axes.set_xlabel("km/h", fontsize=8)
        axes.set_ylabel("m", fontsize=8)
        axes.set_title("wrap" if is_wrapped else "forward projection", fontsize=9)
        axes.tick_params(labelsize=7)
        axes.legend(fontsize=7)
    return figure


def draw_deviations(rows: Sequence[Row]) -> Figure:
    """Every prediction that counts, in half widths of its band from its middle."""
    counted = [row for row in rows if row.counts and row.value is not None and row.band is not None]
    areas = list(dict.fromkeys(row.area for row in counted))
    figure, grid = _figure(1, 1, 8.0, 0.45 * len(areas) + 1.0)
    axes = grid[0, 0]
    rng = np.random.default_rng(0)
    axes.axvspan(-1.0, 1.0, color=THEIRS, label="published band")
    for place, area in enumerate(reversed(areas)):
        mine = [row for row in counted if row.area == area and row.band[1] > row.band[0]]
        off = np.array(
            [(row.value - 0.5 * sum(row.band)) / (0.5 * (row.band[1] - row.band[0])) for row in mine]
        )
        colors = [OURS if row.inside else MISS for row in mine]
        axes.scatter(np.clip(off, -4.0, 4.0), place + rng.uniform(-0.25, 0.25, len(off)), s=9, c=colors)
    axes.set_yticks(range(len(areas)), list(reversed(areas)), fontsize=8)
    axes.set_xlim(-4.2, 4.2)
    axes.set_xlabel("half widths of the band from its middle (beyond 4 drawn at 4); red: misses", fontsize=8)
    axes.tick_params(labelsize=7)
    return figure
