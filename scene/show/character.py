"""Somebody's own character on an actor, in one step: a copy of its mesh, brought to the actor's rest pose and weighted.

The character may have any size, place and facing, and may stand with its arms hanging or spread. Candidates of how it
stands (which way is up, which way it faces, how far arms and legs are spread) are tried; the one whose surface lies
nearest to the actor's ellipsoids is taken. Where the character has an armature whose bones distinguish left from right
and head from hip, its orientation follows from them. Weights are those of the nearest bodies, and the surface is taken
from its own pose to the actor's rest by the inverse of its own blend, as that of `skin` is.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import bpy
import numpy as np

from ...models.editing.rest_layout import BodyPlace, lay_out
from ...models.people.skeletons.rest_match import upright_axes
from ..base.errors import SceneError
from ..base.units import units_of
from ..model.read import read_model
from ..rig.objects import mesh_points
from ..rig.skins import ORIGINAL, SKIN, remove_skin, render_parts
from .skin import actor_bounds, bind, body_distance, has_limbs, points_at_rest, spread_frames, surface_weights

SAMPLE = 500
"""Vertices that are looked at to find out how a character stands."""
ARMS = tuple(math.radians(angle) for angle in (0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0))
LEGS = tuple(math.radians(angle) for angle in (0.0, 8.0, 16.0))
POOR = 0.05
"""Metres that a character of 1.75 m may lie off the actor's ellipsoids on average before a warning is given."""
UNITS_OF_MESHES = (1.0, 0.01, 0.001, 0.0254, 0.3048, 100.0)
"""Metres of a unit that somebody's vehicle may be modelled in; 100 for one that was made a hundred times too small."""
SAME_SIZE = 1.6
"""Times larger or smaller than the actor that a vehicle may be and still keeps its own size."""
UPS = (np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]))
"""Directions that may be up in somebody's file: Blender's, and that of many others."""
LYING = 0.5
"""Share of the distance from the ellipsoids below which y is taken for up although z is Blender's."""
LEFT, RIGHT = (
    re.compile(r"left|(^|[._ -])l($|[._ -])", re.I),
    re.compile(r"right|(^|[._ -])r($|[._ -])", re.I),
)
UPPER, LOWER = re.compile(r"head|neck", re.I), re.compile(r"hip|pelvis|root|thigh|upleg", re.I)


@dataclass(frozen=True)
class Stand:
    """How a character stands: its points times `turn` and `scale`, plus `shift`, lie on the actor in a spread pose."""

    turn: np.ndarray
    """(3, 3) from the world to the actor frame"""
    scale: float
    shift: np.ndarray
    arms: float
    legs: float
    off: float
    """Mean distance (m) from the actor's ellipsoids"""

    def placed(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) world points in the actor frame, m."""
        return self.scale * points @ self.turn.T + self.shift


def bind_character(
    actor: bpy.types.Object, meshes: list[bpy.types.Object], scene: bpy.types.Scene
) -> tuple[list[bpy.types.Object], Stand]:
    """Copies of the meshes of a character, bound to an actor, and how the character stood. The originals are hidden;
    Remove Skin takes the copies away and shows them again."""
    places = lay_out(read_model(actor))
    if not any(place.body.ellipsoids for place in places.values()):
        raise SceneError(f"actor '{actor.name}' has no ellipsoid that shows where its surface is")
    for obj in meshes:
        require_bindable(obj)
    bpy.context.view_layer.update()
    clouds = [world_points(obj) for obj in meshes]
    stand = find_stand(np.concatenate(clouds), places, own_axes(meshes))
    spread = spread_frames(places, stand.arms, stand.legs)
    remove_skin(actor)
    metres = units_of(scene).metres
    copies = []
    for obj, cloud in zip(meshes, clouds, strict=True):
        placed = stand.placed(cloud)
        names, weights = surface_weights(placed, places, spread)
        copy = bound_copy(obj, actor)
        moved = points_at_rest(placed, names, weights, spread) / metres
        write_points(copy, moved)
        bind(copy, actor, names, weights)
        copy.modifiers.move(len(copy.modifiers) - 1, 0)  # before all others, such as a subdivision
        obj.hide_render = True
        obj.hide_set(True)
        copies.append(copy)
    render_parts(actor, False)
    return copies, stand


def require_bindable(obj: bpy.types.Object) -> None:
    """Refuse what cannot be bound."""
    if obj.type != "MESH" or len(obj.data.vertices) < 8:
        raise SceneError(f"'{obj.name}' is no mesh with a surface: select the character's mesh")
    if obj.mode == "EDIT":
        raise SceneError(f"'{obj.name}' is in Edit Mode: leave it (Tab) first")
    if obj.mannequin.kind != "NONE" or obj.get(SKIN):
        raise SceneError(f"'{obj.name}' belongs to an actor already: select the mesh of your own character")
    if obj.data.shape_keys is not None:
        raise SceneError(
            f"'{obj.name}' has shape keys: apply them first (Object Data, Shape Keys, Apply All)"
        )
    if any(modifier.type == "MIRROR" for modifier in obj.modifiers):
        raise SceneError(f"'{obj.name}' is half a character with a Mirror modifier: apply the modifier first")


def world_points(obj: bpy.types.Object) -> np.ndarray:
    """(n, 3) vertices of a mesh as it is modelled, in the world."""
    matrix = np.array(obj.matrix_world)
    return mesh_points(obj.data) @ matrix[:3, :3].T + matrix[:3, 3]


def find_stand(points: np.ndarray, places: dict[str, BodyPlace], axes: np.ndarray | None) -> Stand:
    """The way of standing in which points (n, 3) lie nearest to an actor. axes: rows forward, left, up, where known."""
    is_person = has_limbs(spread_frames(places))
    poses = [(a, b) for a in ARMS for b in LEGS] if is_person else [(0.0, 0.0)]
    size = stature_scale if is_person else own_scale
    best = [
        min(
            (fitted(points, turn, places, angles, size) for angles in poses for turn in turns),
            key=lambda stand: stand.off,
        )
        for turns in ([[axes]] if axes is not None else [candidate_turns(points, up) for up in UPS])
    ]
    if is_person or len(best) == 1:
        return min(best, key=lambda stand: stand.off)
    upright, lying = best
    return lying if lying.off < LYING * upright.off else upright


def fitted(
    points: np.ndarray,
    turn: np.ndarray,
    places: dict[str, BodyPlace],
    angles: tuple[float, float],
    size: Callable[[np.ndarray, np.ndarray], float],
) -> Stand:
    """A way of standing with the size, the middle and the ground of an actor, and how well it fits."""
    spread = spread_frames(places, *angles)
    bottom, top = actor_bounds(places, spread)
    turned = points @ turn.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    scale = size(top - bottom, np.maximum(high - low, 1e-12))
    shift = (bottom + top) / 2.0 - scale * (low + high) / 2.0
    shift[2] = bottom[2] - scale * low[2]
    stand = Stand(turn, scale, shift, *angles, 0.0)
    placed = stand.placed(points[:: max(1, len(points) // SAMPLE)])
    distance = np.min([body_distance(placed, place, spread[name]) for name, place in places.items()], axis=0)
    return Stand(turn, scale, shift, *angles, float(np.abs(distance).mean()))


def stature_scale(actor: np.ndarray, character: np.ndarray) -> float:
    """Scale of a person: to the actor's height. Both are (3,) sizes of boxes, of the actor in metres."""
    return float(actor[2] / character[2])


def own_scale(actor: np.ndarray, character: np.ndarray) -> float:
    """Scale of a vehicle: that of the unit it is modelled in, so that it keeps its own size; to the actor's length
    where it has another size in every unit. Both are (3,) sizes of boxes, of the actor in metres."""
    ratio = float(np.linalg.norm(actor) / np.linalg.norm(character))
    unit = min(UNITS_OF_MESHES, key=lambda metres: abs(math.log(ratio / metres)))
    return unit if abs(math.log(ratio / unit)) < math.log(SAME_SIZE) else ratio


def candidate_turns(points: np.ndarray, up: np.ndarray) -> list[np.ndarray]:
    """(3, 3) rotations that a character without telling bones may need with that direction up: it faces across the
    longer or the shorter way of its outline from above, to either side."""
    flat = points - points.mean(axis=0)
    flat = flat - np.outer(flat @ up, up)
    _, _, principal = np.linalg.svd(flat[:: max(1, len(flat) // 5000)], full_matrices=False)
    lefts = [left for axis in principal[:2] for left in (axis, -axis)]
    return [np.stack([np.cross(left, up), left, up]) for left in lefts]


def own_axes(meshes: list[bpy.types.Object]) -> np.ndarray | None:
    """(3, 3) rows forward, left and up of a character, of the bones of its armature; None where they do not show it."""
    armature = next((found for found in map(own_armature, meshes) if found is not None), None)
    if armature is None:
        return None
    matrix = np.array(armature.matrix_world)

    def middle(pattern: re.Pattern) -> np.ndarray | None:
        heads = [np.array(b.head_local) for b in armature.data.bones if pattern.search(b.name)]
        return matrix[:3, :3] @ np.mean(heads, axis=0) if heads else None

    found = [middle(pattern) for pattern in (LEFT, RIGHT, UPPER, LOWER)]
    if any(place is None for place in found):
        return None
    left, up = found[0] - found[1], found[2] - found[3]
    if min(np.linalg.norm(left), np.linalg.norm(up)) < 1e-9:
        return None
    return upright_axes(left, up)


def own_armature(obj: bpy.types.Object) -> bpy.types.Object | None:
    """The armature that moves a mesh."""
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.object is not None:
            return modifier.object
    return obj.parent if obj.parent is not None and obj.parent.type == "ARMATURE" else None


def bound_copy(obj: bpy.types.Object, actor: bpy.types.Object) -> bpy.types.Object:
    """Copy of a character's mesh as a child of an actor, without its own armature and groups."""
    copy = obj.copy()
    copy.data = obj.data.copy()
    copy.name = f"{obj.name} on {actor.name}"
    copy.animation_data_clear()
    for modifier in [m for m in copy.modifiers if m.type == "ARMATURE"]:
        copy.modifiers.remove(modifier)
    copy.vertex_groups.clear()
    copy.constraints.clear()
    for collection in actor.users_collection:
        collection.objects.link(copy)
    copy.parent, copy.parent_type = actor, "OBJECT"
    copy.matrix_parent_inverse.identity()
    copy.matrix_basis.identity()
    copy[SKIN], copy[ORIGINAL] = True, obj
    copy.hide_render = False
    return copy


def write_points(obj: bpy.types.Object, points: np.ndarray) -> None:
    """Give a mesh its vertices (n, 3)."""
    obj.data.vertices.foreach_set("co", points.astype(np.float32).ravel())
    obj.data.update()
