"""Where a new person or vehicle stands clear of what is in the scene already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ..base.units import units_of

GAP = 1.0
"""m between what is moved aside and what stands there: room to walk, and for a car beside a person."""
STEP, FARTHEST = 0.25, 50.0
"""m: places are tried this far apart, and no farther away than this."""
ABOVE_GROUND = 0.15
"""m: lower things, such as floors, kerbs and lane markings, are stood on and driven over."""
SLENDERNESS = 0.2
"""Half the breadth of somebody standing, over the stature: elbow to elbow with the arms hanging, assumed."""
WAYS = tuple(Vector(way) for way in ((0.0, -1.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
"""Level directions to give way to; at the same distance the first is taken, which is where the film's camera stands."""
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


@dataclass(frozen=True)
class Box:
    """A box along the axes of the world: its lowest and its highest corner, in Blender units."""

    low: Vector
    high: Vector

    def moved(self, by: Vector) -> Box:
        """The same box, shifted by a vector."""
        return Box(self.low + by, self.high + by)

    def grown(self, gap: float) -> Box:
        """The same with a gap to each side, level."""
        around = Vector((gap, gap, 0.0))
        return Box(self.low - around, self.high + around)

    def overlaps(self, other: Box) -> bool:
        """Whether two boxes share a point."""
        return all(
            a <= d and c <= b for a, b, c, d in zip(self.low, self.high, other.low, other.high, strict=True)
        )

    def corners(self) -> list[Vector]:
        """The eight corners; the last coordinate changes first."""
        return [
            Vector((x, y, z))
            for x in (self.low.x, self.high.x)
            for y in (self.low.y, self.high.y)
            for z in (self.low.z, self.high.z)
        ]


def box_of(objects: Iterable[bpy.types.Object]) -> Box:
    """Box about the meshes of objects, as they are in the world now."""
    points = [
        obj.matrix_world @ Vector(corner) for obj in objects if obj.type == "MESH" for corner in obj.bound_box
    ]
    found = np.array(points if points else [(0.0, 0.0, 0.0)])
    return Box(Vector(found.min(axis=0)), Vector(found.max(axis=0)))


def box_of_actor(actor: bpy.types.Object) -> Box:
    """Box about an actor's parts and skins."""
    return box_of(actor.children_recursive)


def box_of_person(height: float, at: Vector, scene: bpy.types.Scene) -> Box:
    """Box about somebody of a stature (m) who will stand at a place (Blender units)."""
    size = height / units_of(scene).metres
    aside = Vector((SLENDERNESS * size, SLENDERNESS * size, 0.0))
    return Box(at - aside, at + aside + Vector((0.0, 0.0, size)))


def clear_place_of_person(height: float, scene: bpy.types.Scene) -> Vector:
    """Place (Blender units) for somebody of a stature (m): the 3D cursor, or beside what stands there."""
    at = scene.cursor.location.copy()
    return at + clear_shift(box_of_person(height, at, scene), scene)


def give_way(actor: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Move an actor aside until it is clear of what is in the scene."""
    bpy.context.view_layer.update()
    actor.location += clear_shift(box_of_actor(actor), scene, actor.children_recursive)
    bpy.context.view_layer.update()


def put_before(
    actor: bpy.types.Object, target: bpy.types.Object, distance: float, scene: bpy.types.Scene
) -> None:
    """Put an actor that faces along x so that its front is a distance (m) before another one, in line with it."""
    bpy.context.view_layer.update()
    own, aim = box_of_actor(actor), box_of_actor(target)
    actor.location.x += aim.low.x - own.high.x - distance / units_of(scene).metres
    actor.location.y += 0.5 * (aim.low.y + aim.high.y - own.low.y - own.high.y)
    bpy.context.view_layer.update()


def clear_shift(box: Box, scene: bpy.types.Scene, but: Iterable[bpy.types.Object] = ()) -> Vector:
    """Level way (Blender units) by which something must give way to stand clear of all that is seen in the scene: none
    where nothing touches it, else the shortest along x or y that leaves a gap. Where all is full it stays.

    but: objects that do not count.
    """
    metres = units_of(scene).metres
    raised = replace(box, low=box.low + Vector((0.0, 0.0, ABOVE_GROUND / metres)))
    touches = toucher(scene, set(but))
    if not touches(raised):
        return Vector()
    wide = raised.grown(GAP / metres)
    for away in (np.arange(STEP, FARTHEST, STEP) / metres).tolist():
        for way in WAYS:
            if not touches(wide.moved(away * way)):
                return away * way
    return Vector()


def toucher(scene: bpy.types.Scene, but: set[bpy.types.Object]) -> Callable[[Box], bool]:
    """A function that says whether a box touches a face of what is seen in the scene; each mesh is taken in once."""
    there = [(obj, box_of([obj])) for obj in seen_meshes(scene) if obj not in but]
    trees: dict[str, BVHTree] = {}
    graph = bpy.context.evaluated_depsgraph_get()

    def touches(box: Box) -> bool:
        for obj, around in there:
            if not box.overlaps(around):
                continue
            if obj.name not in trees:
                trees[obj.name] = BVHTree.FromObject(obj, graph)
            into = obj.matrix_world.inverted_safe()
            sides = BVHTree.FromPolygons([into @ corner for corner in box.corners()], SIDES)
            if trees[obj.name].overlap(sides):
                return True
        return False

    return touches


def seen_meshes(scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    """Meshes that are seen in the scene and have faces."""
    for obj in scene.objects:
        if obj.type == "MESH" and obj.visible_get() and len(obj.data.polygons):
            yield obj
