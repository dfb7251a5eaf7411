"""Changes of muscles and wrap surfaces, as the operators ask for them."""

import dataclasses

import bpy
import numpy as np

from ...engine.spec import Model
from ...engine.spec.muscles import WRAP_SHAPES as WRAP_SHAPES
from ...engine.spec.muscles import Muscle, PathPoint, WrapSurface
from ...models.editing.edit import find_body, remove_wrap_surfaces
from ...models.editing.names import unique_name
from ...models.editing.rest_layout import lay_out
from ..base.errors import SceneError
from ..base.labels import label_of, set_label
from ..base.units import units_of
from ..muscles.build import HOOK_PREFIX, hook_point, muscles_of, wrap_surfaces_of
from ..muscles.read import point_bodies
from ..rig.objects import remove_object
from ..store import fields
from ..store.actors import actor_of
from ..store.fields import shortest
from .edit_actor import edit_model_of
from .edit_parts import body_frame_in_world

NEW_FORCE = 1000.0
NEW_RADIUS = 0.03
"""N and m: of a new muscle and a new wrap surface, a start to be replaced by sourced values."""


def add_muscle(
    actor: bpy.types.Object, scene: bpy.types.Scene, name: str, origin: str, insertion: str
) -> bpy.types.Object:
    """New muscle straight from the centre of mass of one body to that of another; returns its curve.

    Half of its length with the actor at rest is fibre, half is tendon, so that it starts at its strongest.
    """

    def change(model: Model) -> str:
        ends = [find_body(model, body) for body in (origin, insertion)]
        if origin == insertion:
            raise SceneError(f"a muscle cannot go from body '{origin}' to itself: choose another body")
        path = tuple(PathPoint(body.name, body.center_of_mass) for body in ends)
        length = straight_length(model, path)
        wanted = unique_name(name or f"{origin} {insertion}", {muscle.name for muscle in model.muscles})
        model.muscles.append(Muscle(wanted, path, NEW_FORCE, length / 2.0, length / 2.0))
        return wanted

    made = edit_model_of(actor, scene, change)
    return next(obj for obj in muscles_of(actor) if obj.mannequin.muscle.name == made)


def straight_length(model: Model, path: tuple[PathPoint, ...]) -> float:
    """Length (m) of a path without wraps, the actor at rest."""
    places = lay_out(model)
    points = [places[p.body].frame[:3, :3] @ np.array(p.position) + places[p.body].frame[:3, 3] for p in path]
    length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    if length <= 0.0:
        raise SceneError("both ends of the muscle are at one place: move a centre of mass first")
    return float(f"{length:.6g}")


def delete_muscle(obj: bpy.types.Object) -> None:
    """Delete a muscle."""
    remove_object(obj)


def rename_labelled(obj: bpy.types.Object, name: str) -> None:
    """Rename a muscle or a wrap surface."""
    attribute = obj.mannequin.kind.lower()
    siblings = muscles_of(actor_of(obj)) if attribute == "muscle" else wrap_surfaces_of(actor_of(obj))
    if not name.strip():
        raise SceneError(f"'{obj.name}' needs a name")
    for other in siblings:
        if other != obj and label_of(other, getattr(other.mannequin, attribute)) == name:
            raise SceneError(f"'{actor_of(obj).name}' has '{name}' already: choose another name")
    set_label(obj, getattr(obj.mannequin, attribute), name)


def selected_points(obj: bpy.types.Object) -> list[int]:
    """Indices of the points of a curve that are selected in Edit Mode."""
    return (
        [k for k, point in enumerate(obj.data.splines[0].points) if point.select] if obj.data.splines else []
    )


def attach_points(obj: bpy.types.Object, body: str, points: list[int]) -> None:
    """Let points of a muscle ride on a body; they stay where they are with the actor at rest."""
    actor = actor_of(obj)
    bone = actor.data.bones.get(body)
    if bone is None or not bone.mannequin.is_body:
        raise SceneError(f"'{actor.name}' has no body '{body}': choose one of its bones")
    if not points:
        raise SceneError(f"no point of muscle '{obj.name}' is selected: select some in Edit Mode (Tab)")
    for modifier in [m for m in obj.modifiers if m.type == "HOOK"]:
        left = [k for k in modifier.vertex_indices if k not in points]
        if left:
            modifier.vertex_indices_set(left)
        elif modifier.name.startswith(HOOK_PREFIX):
            obj.modifiers.remove(modifier)
    for index in points:
        hook_point(obj, actor, index, body)


def attach_all_points(obj: bpy.types.Object) -> None:
    """Give points that were added in Edit Mode the hook of the body they are read with."""
    actor = actor_of(obj)
    hooked = {k for m in obj.modifiers if m.type == "HOOK" for k in m.vertex_indices}
    for index, body in enumerate(point_bodies(obj, actor)):
        if index not in hooked:
            hook_point(obj, actor, index, body)


def add_wrap_surface(
    actor: bpy.types.Object, scene: bpy.types.Scene, body: str, shape: str, name: str, at_cursor: bool
) -> bpy.types.Object:
    """New wrap surface on a body, at its centre of mass or at the 3D cursor; returns its object."""
    frame = body_frame_in_world(actor, scene, body)
    cursor = units_of(scene).point_to_si(scene.cursor.location)

    def change(model: Model) -> str:
        centre = (
            (cursor - frame[:3, 3]) @ frame[:3, :3] if at_cursor else find_body(model, body).center_of_mass
        )
        wanted = unique_name(name or f"{body} {shape}", {s.name for s in model.wrap_surfaces})
        size = {"semi_axes": (NEW_RADIUS,) * 3} if shape == "ellipsoid" else {"radius": NEW_RADIUS}
        place = tuple(round(float(x), 7) + 0.0 for x in centre)
        model.wrap_surfaces.append(WrapSurface(wanted, body, shape, position=place, **size))
        return wanted

    made = edit_model_of(actor, scene, change)
    return next(obj for obj in wrap_surfaces_of(actor) if obj.mannequin.wrap.name == made)


def use_own_ellipsoid(
    actor: bpy.types.Object, scene: bpy.types.Scene, ellipsoid: bpy.types.Object
) -> bpy.types.Object:
    """New wrap surface that takes shape and place from an ellipsoid; returns its object."""
    label = label_of(ellipsoid, ellipsoid.mannequin.ellipsoid)

    def change(model: Model) -> str:
        wanted = unique_name(label, {s.name for s in model.wrap_surfaces})
        surface = WrapSurface(wanted, ellipsoid.parent_bone, "ellipsoid", ellipsoid=label)
        model.wrap_surfaces.append(surface)
        return wanted

    made = edit_model_of(actor, scene, change)
    return next(obj for obj in wrap_surfaces_of(actor) if obj.mannequin.wrap.name == made)


def delete_wrap_surface(obj: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Delete a wrap surface; muscles pass where it was."""
    name = label_of(obj, obj.mannequin.wrap)
    edit_model_of(actor_of(obj), scene, lambda model: remove_wrap_surfaces(model, {name}))


def set_wrap_shape(obj: bpy.types.Object, scene: bpy.types.Scene, shape: str) -> None:
    """Change the shape of a wrap surface; its size along x is the radius of the new one."""
    name = label_of(obj, obj.mannequin.wrap)
    radius = shortest(units_of(scene).length_to_si(abs(obj.scale.x)))

    def change(model: Model) -> None:
        for index, surface in enumerate(model.wrap_surfaces):
            if surface.name == name:
                axes = (radius,) * 3 if shape == "ellipsoid" else (0.0,) * 3
                model.wrap_surfaces[index] = dataclasses.replace(
                    surface,
                    shape=shape,
                    radius=0.0 if shape == "ellipsoid" else radius,
                    semi_axes=axes,
                    length=surface.length if shape == "cylinder" else None,
                    ellipsoid="",
                )

    edit_model_of(actor_of(obj), scene, change)


def wrap_around(muscle: bpy.types.Object, surface: bpy.types.Object) -> None:
    """Let a muscle's path wrap around one more surface of its actor, after the others."""
    if actor_of(surface) != actor_of(muscle):
        raise SceneError(
            f"'{surface.name}' belongs to another actor than muscle '{muscle.name}': choose one of its own"
        )
    wraps = muscle.mannequin.muscle.path_wraps
    if any(wrap.surface_object == surface for wrap in wraps):
        raise SceneError(f"muscle '{muscle.name}' wraps around '{surface.name}' already")
    item = wraps.add()
    item.surface_object = surface
    muscle.mannequin.muscle.path_wraps_index = len(wraps) - 1


def copy_muscle(obj: bpy.types.Object) -> bpy.types.Object:
    """Copy of a muscle with a curve of its own."""
    actor = actor_of(obj)
    twin = obj.copy()
    twin.data = obj.data.copy()
    for collection in obj.users_collection:
        collection.objects.link(twin)
    taken = {label_of(other, other.mannequin.muscle) for other in muscles_of(actor) if other != twin}
    set_label(twin, twin.mannequin.muscle, unique_name(label_of(obj, obj.mannequin.muscle), taken))
    twin.mannequin.muscle.order = max(m.mannequin.muscle.order for m in muscles_of(actor)) + 1
    return twin


def set_excitation(actor: bpy.types.Object, pattern: str, tone: float) -> None:
    """Excite all muscles of a name or pattern by a constant tone in this scenario."""
    rules = actor.mannequin.actor.excitation_rules
    rule = next((r for r in rules if r.name == pattern), None) or rules.add()
    rule.name = pattern
    rule.excitation.use_curve = rule.excitation.use_reflex = False
    rule.excitation.tone = fields.shortest(tone)
    actor.mannequin.actor.excitation_rules_index = list(rules).index(rule)
