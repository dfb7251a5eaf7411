"""Whether a camera sees its subject, or something solid stands between or around it."""

from collections.abc import Iterable
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

from ..rig.skins import SKIN
from ..store.actors import actors_of
from .parts import is_part

SHORT = 0.35
"""Metres before the middle of the subject at which looking ends: what it lies on or holds hides nothing."""
GAP = 0.12
"""Metres that a camera stays before what would hide its subject."""


@dataclass(frozen=True)
class Solid:
    """Something that can stand in the way, at one moment."""

    tree: BVHTree
    """In its own axes"""
    world: Matrix

    def hit(self, origin: np.ndarray, target: np.ndarray) -> float | None:
        """Share of the way between two places of the world at which it is met first; None where it is not."""
        inverse = self.world.inverted_safe()
        start, end = inverse @ Vector(origin), inverse @ Vector(target)
        way = end - start
        if way.length < 1e-9:
            return None
        distance = self.tree.ray_cast(start, way.normalized(), way.length)[3]
        return None if distance is None else distance / way.length


class Surroundings:
    """What may hide the subjects of a film: obstacles, other actors, and whatever else is rendered."""

    def __init__(self, scene: bpy.types.Scene, subjects: Iterable[bpy.types.Object]) -> None:
        actors = set(actors_of(scene))
        self._objects = [
            obj
            for obj in scene.objects
            if obj.type == "MESH"
            and (not obj.hide_render or obj.mannequin.kind == "ELLIPSOID")
            and not is_part(obj)
            and not obj.get(SKIN)
            and not (obj.mannequin.kind == "OBSTACLE" and obj.mannequin.obstacle.shape == "plane")
            and (obj.parent not in actors or obj.mannequin.kind == "ELLIPSOID" and obj.parent not in subjects)
        ]
        self._trees: dict[str, BVHTree] = {}

    def now(self) -> tuple[Solid, ...]:
        """Them where they are at the frame that is shown."""
        depsgraph = bpy.context.evaluated_depsgraph_get()
        found = []
        for obj in self._objects:
            if obj.name not in self._trees:
                self._trees[obj.name] = BVHTree.FromObject(obj, depsgraph)
            found.append(Solid(self._trees[obj.name], obj.evaluated_get(depsgraph).matrix_world.copy()))
        return tuple(found)


def first_hit(origin: np.ndarray, target: np.ndarray, solids: Iterable[Solid], short: float) -> float | None:
    """Share of the way from a camera to `short` before its target at which something is met; None where it is clear."""
    way = np.asarray(target) - origin
    length = float(np.linalg.norm(way))
    if length <= short:
        return None
    end = origin + way * (1.0 - short / length)
    hits = [hit for solid in solids if (hit := solid.hit(origin, end)) is not None]
    return min(hits, default=None)


def pulled_in(place: np.ndarray, target: np.ndarray, solids: Iterable[Solid], metres: float) -> np.ndarray:
    """(3,) where a camera goes to see its target: its place, or on its line of sight before all that is in the way."""
    short, gap = SHORT / metres, GAP / metres
    way = target - place
    length = float(np.linalg.norm(way))
    if first_hit(place, target, solids, short) is None:
        return place
    from_target = target - way * (short / length)
    hits = [hit for solid in solids if (hit := solid.hit(from_target, place)) is not None]
    reach = short + min(hits, default=1.0) * (length - short) - gap
    return target - way * (max(reach, 0.6 * short) / length)
