"""Muscles and wrap surfaces of an actor's objects: the reverse of `muscle_rig`.

A file's values are kept until someone changes them: a point that still is where the original puts it *is* the
original's. A point that was added in Edit Mode rides on the body of the point before it until it is attached elsewhere.
"""

import dataclasses
from collections.abc import Callable, Iterable
from typing import TypeVar

import bpy
import numpy as np

from ...engine.spec.muscles import Muscle, PathPoint, PathWrap, WrapSurface
from ...io_json import exact_copy
from ...models.editing.names import unique_name
from ..base.errors import SceneError
from ..base.labels import label_of
from ..base.units import Units
from ..rig.objects import rest_transform
from ..store import fields
from ..store.actors import actor_of, rest_frame
from ..store.same_place import SAME_PLACE, near_or_new, read_semi_axes
from .build import HOOK_PREFIX, muscles_of, wrap_surfaces_of

Part = TypeVar("Part", Muscle, WrapSurface)


def read_muscles(actor: bpy.types.Object, units: Units) -> list[Muscle]:
    """Muscles of an actor as its curves show them."""
    return _read_all(muscles_of(actor), "muscle", lambda obj, name: read_muscle(obj, name, actor, units))


def read_muscle(obj: bpy.types.Object, name: str, actor: bpy.types.Object, units: Units) -> Muscle:
    """Muscle of one curve."""
    group = obj.mannequin.muscle
    muscle = fields.read_group(group, Muscle, leave_out=("name",))
    originals = exact_copy.load(Muscle, group.original).path
    return dataclasses.replace(
        muscle,
        name=name,
        path=read_path(obj, actor, originals, units),
        wraps=tuple(read_wrap(item, obj, actor) for item in group.path_wraps),
    )


def read_path(
    obj: bpy.types.Object, actor: bpy.types.Object, originals: tuple[PathPoint, ...], units: Units
) -> tuple[PathPoint, ...]:
    """Points of a curve in the frames of the bodies they ride on."""
    points, bodies = curve_points(obj), point_bodies(obj, actor)
    path = []
    for index, (point, body) in enumerate(zip(points, bodies, strict=True)):
        rest = units.point_to_si(point_at_rest(obj, actor, index, point))
        to_body = np.linalg.inv(rest_frame(actor.data.bones[body]))
        seen = PathPoint(body, tuple(float(x) for x in (to_body @ np.append(rest, 1.0))[:3]))
        path.append(keep_original(seen, index, len(points), originals))
    return tuple(path)


def curve_points(obj: bpy.types.Object) -> np.ndarray:
    """(n, 3) points of a muscle's curve in Blender units, as drawn with the actor at rest."""
    if obj.mode == "EDIT":
        raise SceneError(f"muscle '{obj.name}' is in Edit Mode: leave it (Tab) first")
    splines = obj.data.splines
    if len(splines) != 1 or splines[0].type != "POLY" or splines[0].use_cyclic_u:
        raise SceneError(
            f"the curve of muscle '{obj.name}' must be one open line of straight stretches: delete the other splines, "
            "or set its spline type to Poly"
        )
    if len(splines[0].points) < 2:
        raise SceneError(f"muscle '{obj.name}' has fewer than two points: give it an origin and an insertion")
    flat = np.empty(4 * len(splines[0].points), dtype=np.float32)
    splines[0].points.foreach_get("co", flat)
    return flat.reshape(-1, 4)[:, :3].astype(float)


def hooks_by_point(obj: bpy.types.Object, actor: bpy.types.Object) -> dict[int, bpy.types.HookModifier]:
    """The hook of each point that has one on a body of the actor."""
    found = {}
    for modifier in obj.modifiers:
        if modifier.type != "HOOK" or modifier.object != actor:
            continue
        bone = actor.data.bones.get(modifier.subtarget)
        if bone is not None and bone.mannequin.is_body:
            found.update(dict.fromkeys(modifier.vertex_indices, modifier))
    return found


def point_bodies(obj: bpy.types.Object, actor: bpy.types.Object) -> list[str]:
    """Body that each point of a curve rides on; one without a hook rides with the nearest point before it."""
    hooks = hooks_by_point(obj, actor)
    if not hooks:
        raise SceneError(
            f"muscle '{obj.name}' rides on no body of '{actor.name}': use Attach Muscle Points, or delete it"
        )
    body = hooks[min(hooks)].subtarget
    bodies = []
    for index in range(len(obj.data.splines[0].points)):
        body = hooks[index].subtarget if index in hooks else body
        bodies.append(body)
    return bodies


def point_at_rest(
    obj: bpy.types.Object, actor: bpy.types.Object, index: int, point: np.ndarray
) -> np.ndarray:
    """Place of a point in the actor at rest, in Blender units. A hook that a person made (Ctrl H) holds the point where
    it was in the pose of that time."""
    hook = hooks_by_point(obj, actor).get(index)
    if hook is None or hook.name.startswith(HOOK_PREFIX):
        return point
    bone = actor.data.bones[hook.subtarget]
    moved = np.array(bone.matrix_local) @ np.array(hook.matrix_inverse) @ np.append(point, 1.0)
    return moved[:3]


def keep_original(seen: PathPoint, index: int, count: int, originals: tuple[PathPoint, ...]) -> PathPoint:
    """A point as the original has it where it is the same, with its source; else as it is seen. The body is always the
    one that is seen: it may have been renamed."""
    candidates = [originals[index]] if count == len(originals) else originals
    nearest = min(candidates, key=lambda p: distance(p, seen), default=None)
    if nearest is None or distance(nearest, seen) > SAME_PLACE:
        moved = nearest if count == len(originals) else None
        position = near_or_new(np.array(seen.position), (np.inf,) * 3)
        if moved is not None and moved.body == seen.body:
            return dataclasses.replace(moved, position=position)
        return PathPoint(seen.body, position)
    return dataclasses.replace(
        nearest, body=seen.body, position=near_or_new(np.array(seen.position), nearest.position)
    )


def distance(first: PathPoint, second: PathPoint) -> float:
    """Metres between two points of one body."""
    return float(
        np.linalg.norm(np.array(first.position, dtype=float) - np.array(second.position, dtype=float))
    )


def read_wrap(group: bpy.types.PropertyGroup, obj: bpy.types.Object, actor: bpy.types.Object) -> PathWrap:
    """How a path meets a surface."""
    wrap = fields.read_group(group, PathWrap)
    surface = group.surface_object
    if surface is None:
        return wrap
    if actor_of(surface) != actor:
        raise SceneError(
            f"muscle '{obj.name}' wraps around '{surface.name}', which belongs to another actor: choose one of its own"
        )
    return dataclasses.replace(wrap, surface=label_of(surface, surface.mannequin.wrap))


def read_wrap_surfaces(actor: bpy.types.Object, units: Units) -> list[WrapSurface]:
    """Wrap surfaces of an actor as its objects show them."""
    surfaces = wrap_surfaces_of(actor)
    return _read_all(surfaces, "wrap", lambda obj, name: read_wrap_surface(obj, name, actor, units))


def _read_all(
    objects: Iterable[bpy.types.Object], group: str, read: Callable[[bpy.types.Object, str], Part]
) -> list[Part]:
    """Parts of objects, each by a name that no other has. group: the property group with the label."""
    found: list[Part] = []
    for obj in objects:
        name = unique_name(label_of(obj, getattr(obj.mannequin, group)), {part.name for part in found})
        found.append(read(obj, name))
    return found


def read_wrap_surface(obj: bpy.types.Object, name: str, actor: bpy.types.Object, units: Units) -> WrapSurface:
    """Wrap surface of one object, in the frame of its body."""
    group = obj.mannequin.wrap
    surface = fields.read_group(group, WrapSurface, leave_out=("name",))
    surface = dataclasses.replace(surface, name=name, body=obj.parent_bone)
    ellipsoid = group.ellipsoid_object
    if ellipsoid is not None:
        return dataclasses.replace(surface, ellipsoid=label_of(ellipsoid, ellipsoid.mannequin.ellipsoid))
    frame, scale = rest_transform(obj, actor, units)
    in_body = np.linalg.inv(rest_frame(actor.data.bones[obj.parent_bone])) @ frame
    same_turn = np.abs(in_body[:3, :3] - np.array(surface.orientation, dtype=float)).max() <= SAME_PLACE
    turned = tuple(tuple(float(x) for x in row) for row in in_body[:3, :3])
    return dataclasses.replace(
        surface,
        ellipsoid="",
        position=near_or_new(in_body[:3, 3], surface.position),
        orientation=surface.orientation if same_turn else turned,
        **read_size(obj, surface, scale, units),
    )


def read_size(
    obj: bpy.types.Object, surface: WrapSurface, scale: np.ndarray, units: Units
) -> dict[str, float | tuple | None]:
    """Radius and length, or semi-axes, of a surface's scale (3,) in Blender units."""
    if surface.shape == "ellipsoid":
        return {"semi_axes": read_semi_axes(scale, surface.semi_axes, units)}
    across = scale if surface.shape == "sphere" else scale[:2]
    if np.ptp(across) > 1e-5 * across.max():
        remedy = "scale it evenly" if surface.shape == "sphere" else "scale X and Y evenly"
        raise SceneError(
            f"wrap surface '{obj.name}' is a {surface.shape} scaled unevenly: {remedy}, or make it an ellipsoid"
        )
    radius = read_semi_axes(np.full(3, scale[0]), (surface.radius,) * 3, units)[0]
    if surface.shape == "sphere":
        return {"radius": radius}
    if not obj.mannequin.wrap.use_length:
        return {"radius": radius, "length": None}
    half = surface.length / 2.0 if surface.length else None
    shown = units.length_to_si(float(scale[2]))
    same = half is not None and abs(shown - half) <= 4e-7 * half
    return {"radius": radius, "length": surface.length if same else 2.0 * float(f"{shown:.7g}")}
