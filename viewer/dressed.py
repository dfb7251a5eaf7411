"""Actors as the page shows them, at one output time of a recording: for pictures that are drawn without a browser.

The meshes are those of the page (`surfaces`, `person_skin`), kept as arrays where the page gets them as text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.colors import FIGURES, channels
from ..analysis.pages.rendering import Color, Looks, Skin
from ..engine.runs.recording import Recording
from ..engine.spec import Actor, Scenario
from ..models.vehicles.finishes import FINISHES
from .encoding import Blocks
from .person_skin import person_skin
from .surfaces import Meshes, actor_parts, triangulated


class ArrayMeshes(Meshes):
    """Meshes kept as points and triangles."""

    def __init__(self) -> None:
        super().__init__(Blocks())
        self.kept: list[tuple[np.ndarray, np.ndarray]] = []

    def add(
        self,
        points: np.ndarray,
        faces: Sequence[Sequence[int]] | np.ndarray,
        normals: np.ndarray | None = None,
    ) -> int:
        """Number of a new mesh."""
        self.kept.append((np.asarray(points, dtype=float), triangulated(faces).astype(int)))
        return len(self.kept) - 1


class Arrays(Blocks):
    """Blocks that are the arrays themselves."""

    def plain(self, values: np.ndarray, kind: str) -> Any:
        """The values, as the page has them."""
        return np.asarray(values).astype(kind)


@dataclass(frozen=True)
class Rigid:
    """A surface on one body."""

    body: int
    points: np.ndarray
    """(n, 3) in the body's frame"""
    triangles: np.ndarray
    color: Color

    def skins(self, frames: np.ndarray) -> list[Skin]:
        """In the world, given the (bodies, 4, 4) frames."""
        frame = frames[self.body]
        return [Skin(self.points @ frame[:3, :3].T + frame[:3, 3], self.triangles, self.color)]


@dataclass(frozen=True)
class Dressed:
    """A person's skin, whose vertices follow several bodies (linear blend)."""

    bodies: np.ndarray
    from_rest: np.ndarray
    """(bodies, 4, 4) from the pose of the mesh to each body's frame"""
    points: np.ndarray
    indices: np.ndarray
    weights: np.ndarray
    """(n, 4) shares of the bodies of `indices`"""
    parts: list[tuple[np.ndarray, Color]]
    """Triangles of each finish, and its colour"""

    def skins(self, frames: np.ndarray) -> list[Skin]:
        """In the world, given the (bodies, 4, 4) frames."""
        moves = (frames[self.bodies] @ self.from_rest)[:, :3]
        blended = np.einsum("nk,nkij->nij", self.weights, moves[self.indices])
        placed = np.einsum("nij,nj->ni", blended[:, :, :3], self.points) + blended[:, :, 3]
        return [Skin(placed, triangles, color) for triangles, color in self.parts if len(triangles)]


class ActorLooks(Looks):
    """How the actors of a scenario look."""

    def __init__(self, scenario: Scenario) -> None:
        self._worn: dict[int, list[Rigid | Dressed]] = {}
        first = 0
        for number, actor in enumerate(scenario.actors):
            worn = _worn(actor, first, FIGURES[number % len(FIGURES)])
            if worn:
                self._worn[number] = worn
            first += len(actor.model.bodies)
        self.names = tuple(scenario.actors[number].name for number in self._worn)

    def skins(self, recording: Recording, frame: int) -> dict[int, list[Skin]]:
        """By the number of the actor; those without a look of their own are not there."""
        count = recording.position.shape[1]
        frames = np.tile(np.identity(4), (count, 1, 1))
        for body in range(count):
            frames[body, :3, :3] = recording.rotation(body)[frame]
            frames[body, :3, 3] = recording.origin(body)[frame]
        return {
            actor: [skin for part in worn for skin in part.skins(frames)]
            for actor, worn in self._worn.items()
        }


def _worn(actor: Actor, first: int, paint: str) -> list[Rigid | Dressed]:
    """The skin of a person or the body of a vehicle; nothing where the actor's surface is its ellipsoids."""
    meshes = ArrayMeshes()
    skin = person_skin(actor, first, paint, meshes, Arrays())
    if skin is not None:
        return [_dressed(skin, meshes)]
    own = [part for part in actor_parts(actor, first, meshes) if part["layer"] == "skin"]
    if len(own) == sum(len(body.ellipsoids) for body in actor.model.bodies):
        return []
    return [_rigid(part, meshes, paint) for part in own]


def _rigid(part: dict[str, Any], meshes: ArrayMeshes, paint: str) -> Rigid:
    points, triangles = meshes.kept[part["mesh"]]
    frame = np.reshape(part["frame"], (4, 4))
    color = channels(FINISHES[part["finish"]].on_paper or paint)
    return Rigid(part["body"], points @ frame[:3, :3].T + frame[:3, 3], triangles, color)


def _dressed(skin: dict[str, Any], meshes: ArrayMeshes) -> Dressed:
    points, triangles = meshes.kept[skin["mesh"]]
    shares = skin["weights"] / skin["weights"].sum(axis=1, keepdims=True, dtype=float)
    rest = np.linalg.inv(np.reshape(skin["rest"], (-1, 4, 4)))
    colors = [channels(finish["color"]) for finish in skin["finishes"]]
    parts = [
        (triangles[start // 3 : (start + count) // 3], colors[finish])
        for start, count, finish in skin["groups"]
    ]
    return Dressed(np.array(skin["bodies"]), rest, points, skin["indices"].astype(int), shares, parts)
