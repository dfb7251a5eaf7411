"""A moment of a recording as a shaded picture: actors and obstacles seen from aside and a little above, to scale.

Parallel projection onto axes (right, up, away). An ellipsoid {p : (p - c)' A (p - c) = 1} covers the pixel (x, y) where
the quadratic in depth z has a root; the smaller one is seen, with the normal A (p - c). Obstacles, and actors whose
looks are given, are triangles, the normals of skins smoothed over their vertices. The nearest surface wins, pixel by
pixel; the ground is the plane z = 0 with a grid of metres, darker below what stands above it.
"""

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ...engine.maths.rotations import matrix_from_quaternion, matrix_from_zyx
from ...engine.runs.recording import Recording
from ...engine.spec import Obstacle, Scenario
from ..colors import FIGURES, channels
from ..subjects import body_specs

WIDTH, HEIGHT = 1200, 640
FINER = 2
"""Pixels computed for each one shown, along both axes."""
RISE = np.radians(14.0)
"""The camera looks down by this."""
OBSTACLE, GROUND, GRID, SKY = (0.72, 0.69, 0.64), (0.86, 0.85, 0.83), (0.74, 0.73, 0.71), (0.95, 0.96, 0.97)
LIGHT = np.array([-0.35, -0.55, 0.76])
ROOM = 0.35
"""m around what is looked at."""
MOST_TRIANGLES = 6000
"""Of an obstacle."""
LARGEST_BLOCK = 2_000_000
"""Pixels of triangles that are looked at together."""
STRIP = 32
"""Rows of the ground that are drawn together: what is computed for them stays in the processor's cache."""
Color = tuple[float, float, float]


@dataclass(frozen=True)
class Skin:
    """A surface in the world: (n, 3) points in m, (m, 3) triangles, its colour."""

    points: np.ndarray
    triangles: np.ndarray
    color: Color


class Looks:
    """How actors look, where that is not by their ellipsoids; this one knows none."""

    names: tuple[str, ...] = ()
    """Actors that have a look of their own"""

    def skins(self, recording: Recording, frame: int) -> dict[int, list[Skin]]:
        """The surfaces of these actors at an output time, by the number of the actor."""
        return {}


@dataclass(frozen=True)
class Camera:
    """Where a picture is taken from: rows right, up and away; middle of the picture, m; metres per pixel."""

    axes: np.ndarray
    middle: np.ndarray
    scale: float


@dataclass(frozen=True)
class Solid:
    """An ellipsoid in the world."""

    center: np.ndarray
    matrix: np.ndarray
    """A of (p - c)' A (p - c) = 1"""
    color: Color
    actor: int


def solids(scenario: Scenario, recording: Recording, frame: int) -> list[Solid]:
    """Every ellipsoid at an output time."""
    found = []
    for body, spec in enumerate(body_specs(scenario, recording)):
        turn = matrix_from_quaternion(recording.quaternion[frame, body])
        origin = recording.position[frame, body] - turn @ recording.body_com[body]
        actor = int(recording.body_actor[body])
        for ellipsoid in spec.ellipsoids:
            rotation = turn @ np.asarray(ellipsoid.orientation, dtype=float)
            matrix = rotation @ np.diag(1.0 / np.square(ellipsoid.semi_axes)) @ rotation.T
            center = origin + turn @ np.asarray(ellipsoid.position, dtype=float)
            found.append(Solid(center, matrix, channels(FIGURES[actor % len(FIGURES)]), actor))
    return found


def camera_for(recording: Recording, shown: list[Solid]) -> Camera:
    """From the side of the motion, near enough to fill the picture with what is shown."""
    path = recording.position[-1].mean(axis=0) - recording.position[0].mean(axis=0)
    along = np.array([path[0], path[1], 0.0])
    along = along / np.linalg.norm(along) if np.linalg.norm(along) > 0.05 else np.array([1.0, 0.0, 0.0])
    right = along if along[0] >= 0.0 else -along
    level = np.array([-right[1], right[0], 0.0])
    away = np.cos(RISE) * level - np.sin(RISE) * np.array([0.0, 0.0, 1.0])
    axes = np.array([right, np.cross(away, right) * -1.0, away])
    if axes[1, 2] < 0.0:
        axes[1] *= -1.0
    ends = []
    for solid in shown:
        reach = np.sqrt(np.diag(axes @ np.linalg.inv(solid.matrix) @ axes.T))
        ends += [axes @ solid.center - reach, axes @ solid.center + reach]
    low, high = np.min(ends, axis=0) - ROOM, np.max(ends, axis=0) + ROOM
    scale = max((high[0] - low[0]) / WIDTH, (high[1] - low[1]) / HEIGHT)
    return Camera(axes, axes.T @ (0.5 * (low + high)), float(scale))


def picture_of(
    scenario: Scenario,
    recording: Recording,
    frame: int,
    focus: set[int] | None = None,
    looks: Looks | None = None,
) -> bytes:
    """PNG of an output time. `focus`: the actors that fill the picture; all where not given."""
    everything = solids(scenario, recording, frame)
    shown = [solid for solid in everything if not focus or solid.actor in focus]
    camera = camera_for(recording, shown or everything)
    canvas = _Canvas(camera)
    if scenario.settings.ground:
        canvas.draw_ground(everything)
    skins = looks.skins(recording, frame) if looks is not None else {}
    for solid in everything:
        if solid.actor not in skins:
            canvas.draw_solid(solid)
    for skin in (skin for worn in skins.values() for skin in worn):
        canvas.draw_skin(skin)
    for obstacle in scenario.obstacles:
        canvas.draw_triangles(_triangles(obstacle, float(recording.times[frame])), OBSTACLE)
    return canvas.png()


class _Canvas:
    """A picture with its depths."""

    def __init__(self, camera: Camera) -> None:
        self.camera, self.scale = camera, camera.scale / FINER
        self.width, self.height = WIDTH * FINER, HEIGHT * FINER
        self.pixels = np.empty((self.height, self.width, 3), dtype=np.float32)
        self.pixels[:] = SKY
        self.depth = np.full((self.height, self.width), np.inf, dtype=np.float32)

    def _grid(self, low: np.ndarray, high: np.ndarray) -> tuple[slice, slice, np.ndarray, np.ndarray]:
        """Rows and columns that hold a rectangle (m, about the middle), and the places of their pixels."""
        first = np.floor(
            np.array([low[0], -high[1]]) / self.scale + (self.width / 2, self.height / 2)
        ).astype(int)
        last = (
            np.ceil(np.array([high[0], -low[1]]) / self.scale + (self.width / 2, self.height / 2)).astype(int)
            + 1
        )
        columns = slice(*np.clip([first[0], last[0]], 0, self.width))
        rows = slice(*np.clip([first[1], last[1]], 0, self.height))
        x = (np.arange(columns.start, columns.stop) + 0.5 - self.width / 2) * self.scale
        y = -(np.arange(rows.start, rows.stop) + 0.5 - self.height / 2) * self.scale
        return rows, columns, x[None, :], y[:, None]

    def _paint(
        self, rows: slice, columns: slice, seen: np.ndarray, depth: np.ndarray, color: np.ndarray
    ) -> None:
        nearer = seen & (depth < self.depth[rows, columns])
        np.copyto(self.depth[rows, columns], depth, casting="same_kind", where=nearer)
        np.copyto(self.pixels[rows, columns], color, casting="same_kind", where=nearer[..., None])

    def draw_solid(self, solid: Solid) -> None:
        """An ellipsoid, exactly."""
        axes = self.camera.axes
        center = axes @ (solid.center - self.camera.middle)
        a = axes @ solid.matrix @ axes.T
        reach = np.sqrt(np.diag(np.linalg.inv(a)))
        rows, columns, x, y = self._grid(center[:2] - reach[:2], center[:2] + reach[:2])
        if x.size == 0 or y.size == 0:
            return
        x, y = x - center[0], y - center[1]
        half = a[0, 2] * x + a[1, 2] * y
        rest = a[0, 0] * x * x + 2.0 * a[0, 1] * x * y + a[1, 1] * y * y - 1.0
        root = half * half - a[2, 2] * rest
        z = (-half - np.sqrt(np.maximum(root, 0.0))) / a[2, 2]
        normal = np.stack([a[k, 0] * x + a[k, 1] * y + a[k, 2] * z for k in range(3)], axis=-1)
        normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
        self._paint(rows, columns, root > 0.0, z + center[2], _shaded(normal @ axes, solid.color))

    def draw_skin(self, skin: Skin) -> None:
        """A surface of many small triangles, shaded smoothly."""
        placed = (skin.points - self.camera.middle) @ self.camera.axes.T
        normals = _vertex_normals(skin.points, skin.triangles)
        corners = placed[skin.triangles]
        shift = np.array([self.width / 2, self.height / 2])
        ends = np.array([1.0, -1.0]) * corners[..., :2] / self.scale + shift
        low = np.clip(np.floor(ends.min(axis=1)), 0, (self.width, self.height)).astype(int)
        high = np.clip(np.ceil(ends.max(axis=1)), 0, (self.width, self.height)).astype(int)
        size = np.max(high - low, axis=1)
        area = _doubled_areas(corners)
        seen = (np.min(high - low, axis=1) > 0) & (np.abs(area) > 1e-12)
        edges = 2 ** np.ceil(np.log2(np.maximum(size, 1))).astype(int)
        for edge in np.unique(edges[seen]).tolist():
            chosen = np.flatnonzero(seen & (edges == edge))
            step = max(1, LARGEST_BLOCK // edge**2)
            for start in range(0, len(chosen), step):
                part = chosen[start : start + step]
                self._draw_block(edge, low[part], corners[part], normals[skin.triangles[part]], skin.color)

    def _draw_block(
        self, edge: int, low: np.ndarray, corners: np.ndarray, normals: np.ndarray, color: Color
    ) -> None:
        """(n, 3, 3) triangles, each inside a square of `edge` pixels from `low` (column, row) on."""
        steps = np.arange(edge)
        columns, rows = (low[:, k, None] + steps for k in (0, 1))
        x = (columns + 0.5 - self.width / 2) * self.scale
        y = -(rows + 0.5 - self.height / 2) * self.scale
        u = x[:, None, :] - corners[:, 0, 0, None, None]
        v = y[:, :, None] - corners[:, 0, 1, None, None]
        one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        area = _doubled_areas(corners)[:, None, None]
        b = (u * two[:, 1, None, None] - two[:, 0, None, None] * v) / area
        c = (one[:, 0, None, None] * v - u * one[:, 1, None, None]) / area
        inside = (b >= 0.0) & (c >= 0.0) & (b + c <= 1.0)
        inside &= (columns < self.width)[:, None, :] & (rows < self.height)[:, :, None]
        which, row, column = np.nonzero(inside)
        b, c = b[which, row, column, None], c[which, row, column, None]
        depth = corners[which, 0, 2] + b[:, 0] * one[which, 2] + c[:, 0] * two[which, 2]
        normal = (1.0 - b - c) * normals[which, 0] + b * normals[which, 1] + c * normals[which, 2]
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
        normal = np.where((normal @ self.camera.axes[2] > 0.0)[:, None], -normal, normal)
        place = rows[which, row] * self.width + columns[which, column]
        order = np.argsort(-depth, kind="stable")  # of several at one pixel the nearest is written last
        place, depth, colors = place[order], depth[order], _shaded(normal, color)[order]
        nearer = depth < self.depth.reshape(-1)[place]
        self.depth.reshape(-1)[place[nearer]] = depth[nearer]
        self.pixels.reshape(-1, 3)[place[nearer]] = colors[nearer]

    def draw_triangles(self, triangles: np.ndarray, color: Color) -> None:
        """(n, 3, 3) corners in the world."""
        axes = self.camera.axes
        for corners in triangles[:MOST_TRIANGLES]:
            p = (corners - self.camera.middle) @ axes.T
            area = (p[1, 0] - p[0, 0]) * (p[2, 1] - p[0, 1]) - (p[2, 0] - p[0, 0]) * (p[1, 1] - p[0, 1])
            rows, columns, x, y = self._grid(p[:, :2].min(axis=0), p[:, :2].max(axis=0))
            if abs(area) < 1e-9 or x.size == 0 or y.size == 0:
                continue
            b = ((x - p[0, 0]) * (p[2, 1] - p[0, 1]) - (p[2, 0] - p[0, 0]) * (y - p[0, 1])) / area
            c = ((p[1, 0] - p[0, 0]) * (y - p[0, 1]) - (x - p[0, 0]) * (p[1, 1] - p[0, 1])) / area
            z = p[0, 2] + b * (p[1, 2] - p[0, 2]) + c * (p[2, 2] - p[0, 2])
            normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
            normal /= max(float(np.linalg.norm(normal)), 1e-12)
            normal = -normal if normal @ axes[2] > 0.0 else normal
            self._paint(rows, columns, (b >= 0.0) & (c >= 0.0) & (b + c <= 1.0), z, _shaded(normal, color))

    def draw_ground(self, standing: list[Solid]) -> None:
        """The plane z = 0 with a line at every metre, darker straight below ellipsoids."""
        shade = np.ones(self.depth.shape, dtype=np.float32)
        for solid in standing:
            self._shadow(solid, shade)
        edge = np.array([self.width, self.height]) * self.scale / 2.0
        _, columns, x, y = self._grid(-edge, edge)
        for start in range(0, self.height, STRIP):
            rows = slice(start, start + STRIP)
            z, *place = self._ground_at(x, y[rows])
            line = np.zeros(z.shape, dtype=bool)
            for part in place:
                line |= np.abs(part - np.round(part)) < max(0.008, 1.2 * self.scale)
            color = np.where(line[..., None], np.float32(GRID), np.float32(GROUND))
            self._paint(rows, columns, np.isfinite(z), z, color * shade[rows, :, None])

    def _ground_at(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Depth of the plane z = 0 at places of the picture (m, about the middle), and its world x and y there."""
        axes, middle = self.camera.axes, self.camera.middle
        z = -(middle[2] + axes[0, 2] * x + axes[1, 2] * y) / axes[2, 2]
        return z, *(middle[k] + axes[0, k] * x + axes[1, k] * y + axes[2, k] * z for k in (0, 1))

    def _shadow(self, solid: Solid, shade: np.ndarray) -> None:
        """Darken the ground straight below an ellipsoid."""
        shape = np.linalg.inv(solid.matrix)
        reach, flat = np.sqrt(np.diag(shape)[:2]), np.linalg.inv(shape[:2, :2])
        corners = np.array([[i * reach[0], j * reach[1], 0.0] for i in (-1, 1) for j in (-1, 1)])
        corners += (solid.center[0], solid.center[1], 0.0)
        seen = (corners - self.camera.middle) @ self.camera.axes.T
        rows, columns, x, y = self._grid(seen[:, :2].min(axis=0), seen[:, :2].max(axis=0))
        if x.size == 0 or y.size == 0:
            return
        _, u, v = self._ground_at(x, y)
        u, v = u - solid.center[0], v - solid.center[1]
        inside = flat[0, 0] * u * u + 2.0 * flat[0, 1] * u * v + flat[1, 1] * v * v < 1.0
        shade[rows, columns][inside] = 0.72

    def png(self) -> bytes:
        """The picture with a scale bar."""
        data = np.clip(255.0 * self.pixels, 0, 255).astype(np.uint8)
        image = Image.fromarray(data).resize((WIDTH, HEIGHT), Image.Resampling.BOX)
        _scale_bar(image, self.camera.scale)
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        return buffer.getvalue()


def _doubled_areas(corners: np.ndarray) -> np.ndarray:
    """(n,) twice the area in the picture, with its sign, of (n, 3, 3) triangles."""
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return one[:, 0] * two[:, 1] - two[:, 0] * one[:, 1]


def _vertex_normals(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n, 3) unit normals: the mean of those of the triangles at a vertex, by their areas."""
    first, second, third = (points[triangles[:, k]] for k in range(3))
    faces = np.cross(second - first, third - first)
    sums = np.zeros_like(points)
    for k in range(3):
        np.add.at(sums, triangles[:, k], faces)
    return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)


def _shaded(normal: np.ndarray, color: Color) -> np.ndarray:
    """Colour of a surface by its normal in the world: soft light from the upper front."""
    lit = np.clip(normal @ (LIGHT / np.linalg.norm(LIGHT)), 0.0, 1.0)
    above = 0.5 + 0.5 * normal[..., 2]
    return np.asarray(color) * (0.42 + 0.46 * lit + 0.16 * above)[..., None]


def _scale_bar(image: Image.Image, scale: float) -> None:
    """A bar of a round length at the lower right."""
    room = 0.2 * WIDTH * scale
    length = max(value for value in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0) if value <= max(room, 0.1))
    draw, pixels = ImageDraw.Draw(image), length / scale
    right, low = WIDTH - 30, HEIGHT - 28
    draw.line([(right - pixels, low), (right, low)], fill=(30, 34, 40), width=4)
    for x in (right - pixels, right):
        draw.line([(x, low - 8), (x, low + 8)], fill=(30, 34, 40), width=4)
    text = f"{length:g} m"
    draw.text(
        (right - pixels / 2.0, low - 12),
        text,
        fill=(30, 34, 40),
        font=ImageFont.load_default(22),
        anchor="ms",
    )


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


def _triangles(obstacle: Obstacle, time: float) -> np.ndarray:
    """(n, 3, 3) of an obstacle in the world; none of a plane, which has no end."""
    position, rotation = obstacle_pose(obstacle, time)
    if obstacle.shape == "mesh":
        vertices = np.asarray(obstacle.vertices, dtype=float)
        corners = vertices[np.asarray(obstacle.triangles, dtype=int)]
    elif obstacle.shape == "box":
        corners = _box(np.asarray(obstacle.half_size, dtype=float))
    elif obstacle.shape == "capsule":
        corners = _capsule(np.asarray(obstacle.half_size, dtype=float))
    else:
        return np.zeros((0, 3, 3))
    return corners @ rotation.T + position


def _box(size: np.ndarray) -> np.ndarray:
    corners = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * size
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return np.array([corners[list(part)] for a, b, c, d in quads for part in ((a, b, c), (a, c, d))])


def _capsule(size: np.ndarray) -> np.ndarray:
    polar, around = np.linspace(0.0, np.pi, 13), np.linspace(0.0, 2.0 * np.pi, 25)
    p, q = np.meshgrid(polar, around, indexing="ij")
    along = size[0] * np.cos(p) + np.sign(np.cos(p)) * size[2]
    points = np.stack([size[0] * np.sin(p) * np.cos(q), size[0] * np.sin(p) * np.sin(q), along], axis=-1)
    found = []
    for i in range(len(polar) - 1):
        for j in range(len(around) - 1):
            a, b, c, d = points[i, j], points[i + 1, j], points[i + 1, j + 1], points[i, j + 1]
            found += [[a, b, c], [a, c, d]]
    return np.array(found)
