"""What actors and obstacles look like in the page: meshes, each stored once, and where they stand on bodies."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.maths.rotations import matrix_from_zyx
from ..engine.spec import Actor, Obstacle
from ..models.editing.rest_layout import lay_out, part_frame
from ..models.parts.shapes import sphere_geometry
from ..models.vehicles.finishes import NAMES as FINISHES
from ..models.vehicles.form.assembly import Drawn
from ..models.vehicles.form.drawing import CARRIER, HALF_TURN, DrawnVehicle, draw_vehicle
from ..models.vehicles.light.drawing import draw_light_vehicle
from ..models.vehicles.measured import saloon_like
from ..models.vehicles.shapes import Surface
from ..models.vehicles.skin import has_wheels, vehicle_surface
from .encoding import Blocks

LENGTH_UNIT = 1e-4
"""Metres: what points of meshes are rounded to."""
NORMAL_UNIT = 1.0 / 1000.0
PLANE_REACH = 10.0
"""Metres that an endless plane is drawn to, from its origin."""
SPHERE = (24, 16)
"""Segments and rings of an ellipsoid."""


@dataclass
class Meshes:
    """The meshes of a page. An equal mesh asked for again is the one that is there."""

    blocks: Blocks
    written: list[dict[str, int]] = field(default_factory=list)
    known: dict[bytes, int] = field(default_factory=dict)

    def add(
        self,
        points: np.ndarray,
        faces: Sequence[Sequence[int]] | np.ndarray,
        normals: np.ndarray | None = None,
    ) -> int:
        """Number of a mesh of points (n, 3) in metres and faces seen from outside counter-clockwise; without normals
        (n, 3) the page takes the mean of the faces at each point."""
        triangles = triangulated(faces)
        key = np.round(points, 6).tobytes() + triangles.tobytes()
        if key not in self.known:
            self.known[key] = len(self.written)
            mesh = {
                "points": self.blocks.scaled(points, LENGTH_UNIT),
                "triangles": self.blocks.plain(triangles, "uint32"),
            }
            if normals is not None:
                mesh["normals"] = self.blocks.scaled(normals, NORMAL_UNIT, "int16")
            self.written.append(mesh)
        return self.known[key]

    def sphere(self) -> int:
        """Number of the unit sphere that ellipsoids are stretched from, to a thousandth of its radius."""
        return self.add(*sphere_geometry(*SPHERE))


def triangulated(faces: Sequence[Sequence[int]] | np.ndarray) -> np.ndarray:
    """(m, 3) triangles of convex faces, each cut into a fan."""
    if isinstance(faces, np.ndarray) and faces.ndim == 2 and faces.shape[1] == 3:
        return faces.astype(np.uint32)
    fans = [(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)]
    return np.array(fans, dtype=np.uint32).reshape(-1, 3)


def frame_rows(frame: np.ndarray) -> list[float]:
    """A (4, 4) frame as the page holds it: rows, to a hundredth of a millimetre or of a thousandth."""
    return [float(round(value, 5)) for value in frame.reshape(-1)]


def actor_parts(
    actor: Actor, first_body: int, meshes: Meshes, is_dressed: bool = False
) -> Iterator[dict[str, Any]]:
    """Parts of an actor: ellipsoids of every body, and its surface: that of a vehicle, else the ellipsoids again,
    unless it is dressed in a skin. `first_body` is the number of its first body in the recording."""
    number = {body.name: first_body + k for k, body in enumerate(actor.model.bodies)}
    yield from _ellipsoid_parts(actor, number, meshes, "ellipsoids")
    places = lay_out(actor.model)
    light = actor.model.light_vehicle
    vehicle = actor.model.vehicle or saloon_like(actor.model)
    if light is not None:
        yield from _light_vehicle_parts(draw_light_vehicle(light), places, number, meshes)
    elif vehicle is not None and CARRIER in number:
        yield from _road_vehicle_parts(draw_vehicle(vehicle), places, number, meshes)
    elif has_wheels(places):
        yield from _vehicle_parts(places, number, meshes)
    elif not is_dressed:
        yield from _ellipsoid_parts(actor, number, meshes, "skin")


def _ellipsoid_parts(
    actor: Actor, number: dict[str, int], meshes: Meshes, layer: str
) -> Iterator[dict[str, Any]]:
    for body in actor.model.bodies:
        for ellipsoid in body.ellipsoids:
            frame = part_frame(ellipsoid)
            frame[:3, :3] = frame[:3, :3] * np.array(ellipsoid.semi_axes, dtype=float)
            yield _part(number[body.name], meshes.sphere(), layer, "paint", frame)


def _road_vehicle_parts(
    drawn: DrawnVehicle, places: dict[str, Any], number: dict[str, int], meshes: Meshes
) -> Iterator[dict[str, Any]]:
    """Body and wheels of a generated vehicle, each on the body that carries it."""
    for finish, mesh in _drawn_meshes(drawn.body, meshes):
        yield _part(number[CARRIER], mesh, "skin", finish, np.linalg.inv(places[CARRIER].frame))
    wheel = list(_drawn_meshes(drawn.wheel, meshes))
    for name, centre in drawn.centres.items():
        carrier = f"wheel{name}" if f"wheel{name}" in number else CARRIER
        frame = np.identity(4)
        frame[:3, :3], frame[:3, 3] = (HALF_TURN if centre[1] < 0.0 else np.identity(3)), centre
        for finish, mesh in wheel:
            yield _part(number[carrier], mesh, "skin", finish, np.linalg.inv(places[carrier].frame) @ frame)


def _light_vehicle_parts(
    drawn: dict[str, Drawn], places: dict[str, Any], number: dict[str, int], meshes: Meshes
) -> Iterator[dict[str, Any]]:
    """Surfaces of a two-wheeler, wheelchair or pram, each on its body."""
    for body, surface in drawn.items():
        carrier = body if body in number else next(iter(number))
        for finish, mesh in _drawn_meshes(surface, meshes):
            yield _part(number[carrier], mesh, "skin", finish, np.linalg.inv(places[carrier].frame))


def _drawn_meshes(drawn: Drawn, meshes: Meshes) -> Iterator[tuple[str, int]]:
    """Finish and mesh of the faces of each finish."""
    for finish in np.unique(drawn.finishes):
        faces = drawn.faces[drawn.finishes == finish]
        quads = faces[faces[:, 3] >= 0]
        triangles = np.concatenate([faces[:, :3], quads[:, [0, 2, 3]]])
        used, renumbered = np.unique(triangles, return_inverse=True)
        yield (
            FINISHES[finish],
            meshes.add(drawn.points[used], renumbered.reshape(-1, 3), drawn.normals[used]),
        )


def _vehicle_parts(
    places: dict[str, Any], number: dict[str, int], meshes: Meshes
) -> Iterator[dict[str, Any]]:
    surface, names, owner = vehicle_surface(places)
    for k, name in enumerate(names):
        to_body = np.linalg.inv(places[name].frame)
        for finish, points, faces in _pieces(surface, owner == k):
            placed = points @ to_body[:3, :3].T + to_body[:3, 3]
            yield _part(number[name], meshes.add(placed, faces), "skin", FINISHES[finish], np.eye(4))


def _pieces(surface: Surface, chosen: np.ndarray) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """The faces of chosen points by finish: finish, points and triangles."""
    finishes = np.array(surface.finishes)
    for finish in sorted(set(surface.finishes)):
        kept = [surface.faces[i] for i in np.flatnonzero(finishes == finish) if chosen[surface.faces[i][0]]]
        if not kept:
            continue
        triangles = triangulated(kept)
        used, renumbered = np.unique(triangles, return_inverse=True)
        yield finish, surface.points[used], renumbered.reshape(-1, 3)


def _part(body: int, mesh: int, layer: str, finish: str, frame: np.ndarray) -> dict[str, Any]:
    return {"body": body, "mesh": mesh, "layer": layer, "finish": finish, "frame": frame_rows(frame)}


def obstacle_entry(obstacle: Obstacle, meshes: Meshes) -> dict[str, Any]:
    """An obstacle as the page holds it: its mesh, its frame, and its frames over time if it moves."""
    rest = pose(obstacle.position, obstacle.orientation)
    rows = [_moved(obstacle, row) for row in obstacle.motion or ()]
    return {
        "name": obstacle.name,
        "mesh": meshes.add(*obstacle_mesh(obstacle)),
        "frame": frame_rows(rest),
        "motion": [{"time": float(time), "frame": frame_rows(frame)} for time, frame in rows] or None,
    }


def _moved(obstacle: Obstacle, row: Sequence[float]) -> tuple[float, np.ndarray]:
    turn = row[4:7] if len(row) >= 7 else (0.0, 0.0, 0.0)
    place = np.add(obstacle.position, row[1:4])
    return row[0], pose(place, np.add(obstacle.orientation, turn))


def pose(position: Sequence[float], orientation: Sequence[float]) -> np.ndarray:
    """(4, 4) frame from a position (m) and angles about Z, Y, X (degrees)."""
    frame = np.eye(4)
    frame[:3, :3] = matrix_from_zyx(orientation)
    frame[:3, 3] = position
    return frame


BOX_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def obstacle_mesh(obstacle: Obstacle) -> tuple[np.ndarray, Any]:
    """Points (n, 3) in the obstacle's frame and faces of its surface."""
    if obstacle.shape == "mesh":
        return np.asarray(obstacle.vertices, dtype=float), np.asarray(obstacle.triangles)
    if obstacle.shape == "plane":
        corner = PLANE_REACH
        points = np.array(
            [(-corner, -corner, 0), (corner, -corner, 0), (corner, corner, 0), (-corner, corner, 0)]
        )
        return points, [(0, 1, 2, 3)]
    if obstacle.shape == "box":
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
        return _flat(corners * np.array(obstacle.half_size), BOX_FACES)
    points, faces = sphere_geometry(*SPHERE)
    radius, _, half_length = obstacle.half_size
    return radius * points + np.outer(np.sign(points[:, 2]), (0.0, 0.0, half_length)), faces


def _flat(points: np.ndarray, faces: Sequence[Sequence[int]]) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """The same surface with corners of its own for every face, so that edges are seen as edges."""
    own = np.concatenate([points[list(face)] for face in faces])
    ends = np.cumsum([len(face) for face in faces])
    return own, [tuple(range(end - len(face), end)) for face, end in zip(faces, ends, strict=True)]
