"""Key frames drawn from a recording: side and front view, ellipsoids by their exact outlines, joints as sticks.

Seen from far away (parallel projection), the outline of the ellipsoid {c + R diag(r) s, |s| = 1} on a picture plane
with orthonormal axes P (2 x 3) is the ellipse {P c + w : w' (P A P')^-1 w = 1} with A = R diag(r^2) R'.
"""

import dataclasses
from collections.abc import Iterator, Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, Polygon
from matplotlib.ticker import MaxNLocator

from ...engine.maths.rotations import matrix_from_quaternion, matrix_from_zyx
from ...engine.runs.recording import Recording
from ...engine.spec import Obstacle, Scenario
from ..colors import FIGURES
from ..plots.figures import STYLE
from ..subjects import body_specs

EDGE = "#33404d"
GROUND = "#6b5b4b"
MARGIN = 0.15
"""Metres of free space around what moves."""


@dataclasses.dataclass(frozen=True)
class View:
    """A direction to look in: picture axes as rows, depth growing away from the viewer."""

    name: str
    axes: np.ndarray
    labels: tuple[str, str]

    @property
    def depth(self) -> np.ndarray:
        """Unit vector away from the viewer (into the picture)."""
        return -np.cross(self.axes[0], self.axes[1])


SIDE = View("side", np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), ("x (m)", "z (m)"))
FRONT = View("front", np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), ("y (m)", "z (m)"))


@dataclasses.dataclass(frozen=True)
class Outline:
    """An ellipse in the picture: centre, full widths along its axes, turn of the first axis in degrees."""

    center: np.ndarray
    widths: np.ndarray
    turn: float


def ellipsoid_outline(
    center: np.ndarray, rotation: np.ndarray, semi_axes: Sequence[float], view: View
) -> Outline:
    """Exact outline of an ellipsoid (world centre, rotation to world, semi-axes in m) in a view."""
    shape = rotation @ np.diag(np.square(semi_axes)) @ rotation.T
    values, vectors = np.linalg.eigh(view.axes @ shape @ view.axes.T)
    turn = float(np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1])))
    return Outline(view.axes @ center, 2.0 * np.sqrt(values[::-1]), turn)


def key_frames(recording: Recording, most: int = 6) -> list[tuple[int, str]]:
    """Output times worth a picture, with why: start, first touches, largest contact force, end."""
    if recording.frames == 0:
        return []
    chosen: dict[int, str] = {0: "start"}
    last = recording.frames - 1

    def add(time: float, why: str) -> None:
        frame = int(np.clip(np.searchsorted(recording.times, time), 0, last))
        if frame not in chosen and len(chosen) < most - 1:
            chosen[frame] = why

    contacts = recording.contacts
    if len(contacts):
        strongest = contacts[int(np.argmax(contacts["peak_force"]))]
        add(float(strongest["peak_time"]), f"largest contact force ({_names(recording, strongest)})")
        heads = [i for i, name in enumerate(recording.body_names) if name.lower() == "head"]
        for event in contacts[np.isin(contacts["body_a"], heads) | np.isin(contacts["body_b"], heads)][:1]:
            add(float(event["start"]), f"head touches first ({_names(recording, event)})")
        later = contacts[contacts["start"] > recording.times[0]]
        for event in (*between_actors(recording, contacts)[:1], *later[:1])[:1]:
            add(float(event["start"]), f"first touch ({_names(recording, event)})")
    while len(chosen) < most - 1:
        gap, frame = _widest_gap(sorted({*chosen, last}))
        if gap < 2:
            break
        chosen[frame] = ""
    chosen.setdefault(last, "end")
    return sorted(chosen.items())


def between_actors(recording: Recording, contacts: np.ndarray) -> np.ndarray:
    """Those contacts, by start, of one actor with another: a tyre on the ground is no first touch."""
    pairs = contacts[contacts["body_b"] >= 0]
    actor = np.asarray(recording.body_actor)
    found = pairs[actor[pairs["body_a"]] != actor[pairs["body_b"]]]
    return found[np.argsort(found["start"], kind="stable")]


def _widest_gap(frames: list[int]) -> tuple[int, int]:
    gaps = [(late - early, (early + late) // 2) for early, late in zip(frames, frames[1:], strict=False)]
    return max(gaps, default=(0, 0))


def _names(recording: Recording, event: np.void) -> str:
    first = recording.body_names[event["body_a"]]
    if event["obstacle_b"] >= 0:
        return f"{first}, {recording.obstacle_names[event['obstacle_b']]}"
    return f"{first}, {recording.body_names[event['body_b']]}"


def bounds(recording: Recording, frames: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner (m) of the centres of mass at the given frames, with room for limbs."""
    points = recording.position[list(frames)].reshape(-1, 3)
    room = MARGIN + 0.15
    return points.min(axis=0) - room, points.max(axis=0) + room


def draw_frame(axes: Axes, scenario: Scenario, recording: Recording, frame: int, view: View) -> None:
    """Draw all bodies and obstacles at one output time."""
    for obstacle in scenario.obstacles:
        _draw_obstacle(axes, obstacle, float(recording.times[frame]), view)
    shapes = sorted(_shapes(scenario, recording, frame, view), key=lambda shape: -shape[0])
    for order, (_, outline, color) in enumerate(shapes):
        axes.add_patch(
            Ellipse(
                outline.center,
                *outline.widths,
                angle=outline.turn,
                facecolor=color,
                edgecolor=EDGE,
                linewidth=0.5,
                zorder=2.0 + 0.001 * order,
            )
        )
    _draw_sticks(axes, scenario, recording, frame, view)
    if scenario.settings.ground:
        axes.axhline(0.0, color=GROUND, linewidth=1.2, zorder=1.5)
    axes.set_aspect("equal", adjustable="box")


def _shapes(
    scenario: Scenario, recording: Recording, frame: int, view: View
) -> Iterator[tuple[float, Outline, str]]:
    """Depth, outline and colour of every ellipsoid."""
    for body, spec in enumerate(body_specs(scenario, recording)):
        color = FIGURES[recording.body_actor[body] % len(FIGURES)]
        rotation = matrix_from_quaternion(recording.quaternion[frame, body])
        origin = recording.position[frame, body] - rotation @ recording.body_com[body]
        for ellipsoid in spec.ellipsoids:
            center = origin + rotation @ np.asarray(ellipsoid.position, dtype=float)
            turn = rotation @ np.asarray(ellipsoid.orientation, dtype=float)
            outline = ellipsoid_outline(center, turn, ellipsoid.semi_axes, view)
            yield float(view.depth @ center), outline, color


def _draw_sticks(axes: Axes, scenario: Scenario, recording: Recording, frame: int, view: View) -> None:
    """Lines from each body's centre of mass to that of its parent."""
    lines = []
    for actor in scenario.actors:
        for joint in actor.model.joints:
            if joint.parent is not None:
                ends = [recording.body_index(actor.name, name) for name in (joint.parent, joint.child)]
                lines.append(recording.position[frame, ends] @ view.axes.T)
    axes.add_collection(LineCollection(lines, colors=EDGE, linewidths=0.8, alpha=0.6, zorder=3.0))


def obstacle_pose(obstacle: Obstacle, time: float) -> tuple[np.ndarray, np.ndarray]:
    """World position (m) and rotation of an obstacle at a time: its pose, plus its motion table."""
    position = np.asarray(obstacle.position, dtype=float)
    angles = np.asarray(obstacle.orientation, dtype=float)
    if obstacle.motion:
        table = np.asarray(obstacle.motion, dtype=float)
        added = np.array([np.interp(time, table[:, 0], column) for column in table[:, 1:].T])
        position = position + added[:3]
        if len(added) >= 6:
            angles = angles + added[3:6]
    return position, matrix_from_zyx(angles)


def _draw_obstacle(axes: Axes, obstacle: Obstacle, time: float, view: View) -> None:
    position, rotation = obstacle_pose(obstacle, time)
    style = {"facecolor": "#e6e1da", "edgecolor": GROUND, "linewidth": 0.8, "zorder": 1.0}
    if obstacle.shape == "plane":
        _draw_plane(axes, position, rotation[:, 2], view)
    elif obstacle.shape == "mesh":
        vertices = np.asarray(obstacle.vertices, dtype=float) @ rotation.T + position
        triangles = vertices[np.asarray(obstacle.triangles, dtype=int)] @ view.axes.T
        edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        axes.add_collection(LineCollection(edges, colors=GROUND, linewidths=0.3, zorder=1.0))
    else:
        points = _surface_points(obstacle) @ rotation.T + position
        axes.add_patch(Polygon(convex_hull(points @ view.axes.T), closed=True, **style))


def _draw_plane(axes: Axes, position: np.ndarray, normal: np.ndarray, view: View) -> None:
    """The line in which a plane that is seen edge-on appears; one seen at an angle has no outline and is left out."""
    across = view.axes @ normal
    if abs(normal @ view.depth) < 1e-6:
        point = view.axes @ position
        axes.axline(point, point + np.array([across[1], -across[0]]), color=GROUND, linewidth=1.2, zorder=1.5)


def _surface_points(obstacle: Obstacle) -> np.ndarray:
    """Points whose convex hull is the outline: corners of a box, two fine circles of spheres for a capsule."""
    size = np.asarray(obstacle.half_size, dtype=float)
    if obstacle.shape == "box":
        signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
        return signs * size
    polar, around = np.meshgrid(np.linspace(0.0, np.pi, 25), np.linspace(0.0, 2.0 * np.pi, 48))
    sphere = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], -1)
    sphere = size[0] * sphere.reshape(-1, 3)
    return np.concatenate([sphere + (0.0, 0.0, size[2]), sphere - (0.0, 0.0, size[2])])


def convex_hull(points: np.ndarray) -> np.ndarray:
    """(k, 2) corners of the convex hull of (n, 2) points, counter-clockwise (Andrew's monotone chain)."""
    ordered = np.unique(points, axis=0)
    if len(ordered) < 3:
        return ordered

    def chain(candidates: np.ndarray) -> list[np.ndarray]:
        kept: list[np.ndarray] = []
        for point in candidates:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0.0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def draw_key_frame(scenario: Scenario, recording: Recording, frame: int, frames: Sequence[int]) -> Figure:
    """Side and front view of one output time, to one scale; the picture covers what moves in all `frames`."""
    low, high = bounds(recording, frames)
    if scenario.settings.ground:
        low[2] = min(low[2], -0.05)
    with matplotlib.rc_context({**STYLE, "axes.grid": True}):
        extent = high - low
        width = extent[0] + extent[1]
        height = float(np.clip(3.9 * extent[2] / width + 0.8, 1.8, 4.0))
        figure = Figure(figsize=(4.8, height), layout="constrained")
        FigureCanvasAgg(figure)
        pictures = figure.subplots(1, 2, width_ratios=[extent[0], extent[1]])
        for axes, view, k in zip(pictures, (SIDE, FRONT), (0, 1), strict=True):
            draw_frame(axes, scenario, recording, frame, view)
            axes.set_xlim(low[k], high[k])
            axes.set_ylim(low[2], high[2])
            axes.xaxis.set_major_locator(MaxNLocator(max(2, round(6.0 * extent[k] / width))))
            axes.set(title=f"{view.name} view", xlabel=view.labels[0], ylabel=view.labels[1])
        return figure
