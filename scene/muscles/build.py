"""Muscles and wrap surfaces of an actor as Blender objects. `read_muscles` is the reverse.

A muscle is a curve of straight stretches. Its points are written where they are in the actor at rest, and each rides on
the bone of its body through a Hook modifier, so that the ordinary tools edit the path and posing moves it. Blender
keeps the hooks in step when points are added or deleted and when bones are renamed. A wrap surface is a mesh on a
bone, as an ellipsoid is: a unit sphere or a unit cylinder scaled to its size. One that takes its shape from an
ellipsoid of the body copies that object's transforms.
"""

import math

import bpy
import numpy as np

from ...engine.spec import Model
from ...engine.spec.muscles import Muscle, WrapSurface
from ...models.editing.rest_layout import BodyPlace, part_frame
from ..base.errors import SceneError
from ..base.labels import label_of, set_label
from ..base.units import Units
from ..rig.objects import (
    attach,
    make_part_collections,
    new_part,
    part_collection,
    place_part,
    remove_object,
    unit_sphere,
)
from ..store import fields
from ..store.actors import parts_of

HOOK_PREFIX = "Mannequin Point"
FOLLOW = "Mannequin Ellipsoid"
"""Names of what the rig puts on objects: hooks of a path's points, and what ties a surface to an ellipsoid."""

MUSCLE_COLOR = (0.45, 0.10, 0.09, 1.0)
SHOWN_STRESS = 3.0e6
"""Pa: a muscle is drawn as thick as a cord that carries its largest force at this stress. Flesh carries about a tenth
of it, so muscles are drawn at about a third of their thickness and hide nothing."""
SHOWN_LENGTH = 0.2
"""Metres: a cylinder without ends is drawn this long."""
CYLINDER_NAME = "Mannequin Unit Cylinder"
CYLINDER_SEGMENTS = 32


def write_muscles(actor: bpy.types.Object, model: Model, places: dict[str, BodyPlace], units: Units) -> None:
    """Make, move and remove the objects of an actor's wrap surfaces and muscles."""
    make_missing_collections(actor, model)
    surfaces = write_wrap_surfaces(actor, model, places, units)
    spare = muscles_of(actor)
    for order, muscle in enumerate(model.muscles):
        obj = take_labelled(spare, muscle.name, "muscle") or new_muscle(muscle, actor)
        write_muscle(obj, muscle, actor, places, units)
        write_path_wraps(obj, muscle, surfaces)
        obj.mannequin.muscle.order = order
    for obj in spare:
        remove_object(obj)


def require_known_bodies(model: Model) -> None:
    """Refuse a muscle or a wrap surface on a body that the model does not have."""
    names = {body.name for body in model.bodies}
    places = [(f"muscle '{m.name}'", point.body) for m in model.muscles for point in m.path]
    places += [(f"wrap surface '{surface.name}'", surface.body) for surface in model.wrap_surfaces]
    for place, body in places:
        if body not in names:
            raise SceneError(
                f"{place} names the body '{body}', which the model does not have: correct the name"
            )


def make_missing_collections(actor: bpy.types.Object, model: Model) -> None:
    """Collections for muscles and wrap surfaces, where a model has some for the first time."""
    start = actor.mannequin.actor
    if model.muscles and start.muscle_collection is None:
        make_part_collections(actor, actor.users_collection[0], ("MUSCLE",))
    if model.wrap_surfaces and start.wrap_collection is None:
        make_part_collections(actor, actor.users_collection[0], ("WRAP",))


def muscles_of(actor: bpy.types.Object) -> list[bpy.types.Object]:
    """Curves of an actor's muscles, in the order of the model."""
    found = [child for child in actor.children if child.mannequin.kind == "MUSCLE" and child.type == "CURVE"]
    return sorted(found, key=lambda obj: (obj.mannequin.muscle.order, obj.name))


def wrap_surfaces_of(actor: bpy.types.Object) -> list[bpy.types.Object]:
    """Objects of an actor's wrap surfaces, in the order of the model."""
    found = [obj for parts in parts_of(actor, "WRAP").values() for obj in parts]
    return sorted(found, key=lambda obj: (obj.mannequin.wrap.order, obj.name))


def take_labelled(objects: list[bpy.types.Object], name: str, group: str) -> bpy.types.Object | None:
    """Take the first object of a name (kept in its property group `group`) out of a list."""
    for obj in objects:
        if getattr(obj.mannequin, group).name == name:
            objects.remove(obj)
            return obj
    return None


def new_muscle(muscle: Muscle, actor: bpy.types.Object) -> bpy.types.Object:
    """Curve of a muscle, not yet filled. It cannot be moved as a whole: its points belong to bones."""
    curve = bpy.data.curves.new(muscle.name, "CURVE")
    curve.dimensions = "3D"
    obj = bpy.data.objects.new(muscle.name, curve)
    obj.mannequin.kind = "MUSCLE"
    obj.color = MUSCLE_COLOR
    obj.lock_location = obj.lock_rotation = obj.lock_scale = (True, True, True)
    obj.parent = actor
    part_collection("MUSCLE", actor).objects.link(obj)
    return obj


def write_muscle(
    obj: bpy.types.Object, muscle: Muscle, actor: bpy.types.Object, places: dict[str, BodyPlace], units: Units
) -> None:
    """Fill one muscle's properties and lay its curve through the path's points."""
    group = obj.mannequin.muscle
    fields.write_group(group, muscle, leave_out=("name",))
    set_label(obj, group, muscle.name)
    points = [places[p.body].frame @ np.append(np.array(p.position, dtype=float), 1.0) for p in muscle.path]
    write_points(obj.data, np.array([point[:3] for point in points]) / units.metres)
    obj.data.bevel_depth = units.length_to_blender(shown_radius(muscle.max_isometric_force))
    hook_points(obj, actor, [point.body for point in muscle.path])


def shown_radius(force: float) -> float:
    """Radius (m) at which a muscle of a largest force (N) is drawn."""
    return math.sqrt(max(force, 0.0) / (math.pi * SHOWN_STRESS))


def write_points(curve: bpy.types.Curve, points: np.ndarray) -> None:
    """One spline of straight stretches through (n, 3) points in Blender units."""
    if len(curve.splines) != 1 or len(curve.splines[0].points) != len(points):
        curve.splines.clear()
        curve.splines.new("POLY").points.add(len(points) - 1)
    flat = np.column_stack([points, np.ones(len(points))]).ravel()
    curve.splines[0].points.foreach_set("co", flat.astype(np.float32))


def drop_hooks(actor: bpy.types.Object, bodies: set[str]) -> None:
    """Remove hooks on bones that are about to go, of which Blender would complain."""
    for obj in muscles_of(actor):
        for modifier in [m for m in obj.modifiers if m.type == "HOOK" and m.subtarget not in bodies]:
            obj.modifiers.remove(modifier)


def hook_points(obj: bpy.types.Object, actor: bpy.types.Object, bodies: list[str]) -> None:
    """Let each point of a curve ride on the bone of its body."""
    for modifier in [m for m in obj.modifiers if m.type == "HOOK"]:
        obj.modifiers.remove(modifier)
    for index, body in enumerate(bodies):
        hook_point(obj, actor, index, body)


def hook_point(obj: bpy.types.Object, actor: bpy.types.Object, index: int, body: str) -> None:
    """Let one point of a curve ride on the bone of a body: at rest it stays where it is."""
    hook = obj.modifiers.new(f"{HOOK_PREFIX} {index + 1}", "HOOK")
    hook.object, hook.subtarget = actor, body
    hook.matrix_inverse = actor.data.bones[body].matrix_local.inverted()
    hook.vertex_indices_set([index])
    hook.show_expanded = False


def write_path_wraps(obj: bpy.types.Object, muscle: Muscle, surfaces: dict[str, bpy.types.Object]) -> None:
    """Fill the list of surfaces in the way of a path; a name that no surface has stays in the original."""
    wraps = obj.mannequin.muscle.path_wraps
    wraps.clear()
    for wrap in muscle.wraps:
        item = wraps.add()
        fields.write_group(item, wrap)
        item.surface_object = surfaces.get(wrap.surface)


def write_wrap_surfaces(
    actor: bpy.types.Object, model: Model, places: dict[str, BodyPlace], units: Units
) -> dict[str, bpy.types.Object]:
    """Make, move and remove the objects of wrap surfaces; returns them by name."""
    spare, found = wrap_surfaces_of(actor), {}
    for order, surface in enumerate(model.wrap_surfaces):
        obj = take_labelled(spare, surface.name, "wrap")
        if obj is None:
            obj = new_part("WRAP", surface.name, actor, wrap_mesh(surface.shape))
            obj.display_type, obj.hide_render = "WIRE", True
        obj.data = wrap_mesh(surface.shape)
        attach(obj, actor, surface.body)
        write_wrap_surface(obj, surface, actor, places[surface.body].frame, units)
        obj.mannequin.wrap.order = order
        found[surface.name] = obj
    for obj in spare:
        bpy.data.objects.remove(obj)
    return found


def write_wrap_surface(
    obj: bpy.types.Object, surface: WrapSurface, actor: bpy.types.Object, body_frame: np.ndarray, units: Units
) -> None:
    """Fill and place one wrap surface."""
    group = obj.mannequin.wrap
    fields.write_group(group, surface, leave_out=("name",))
    group.use_length = surface.length is not None
    set_label(obj, group, surface.name)
    group.ellipsoid_object = own_ellipsoid(actor, surface)
    place_part(obj, body_frame @ part_frame(surface), shown_size(surface), units)
    follow_ellipsoid(obj)


def own_ellipsoid(actor: bpy.types.Object, surface: WrapSurface) -> bpy.types.Object | None:
    """Object of the ellipsoid that gives a surface its shape."""
    if not surface.ellipsoid:
        return None
    siblings = parts_of(actor, "ELLIPSOID").get(surface.body, [])
    named = (obj for obj in siblings if label_of(obj, obj.mannequin.ellipsoid) == surface.ellipsoid)
    return next(named, None)


def shown_size(surface: WrapSurface) -> tuple[float, float, float]:
    """Scale (m) of a surface's object, whose mesh has radius one and reaches one along its axes."""
    if surface.shape == "ellipsoid":
        return surface.semi_axes if any(surface.semi_axes) else (SHOWN_LENGTH / 2.0,) * 3
    half = (surface.length if surface.length is not None else SHOWN_LENGTH) / 2.0
    return (surface.radius, surface.radius, surface.radius if surface.shape == "sphere" else half)


def follow_ellipsoid(obj: bpy.types.Object) -> None:
    """Tie a surface's object to the ellipsoid it takes its shape from, or let it go."""
    constraint = obj.constraints.get(FOLLOW)
    target = obj.mannequin.wrap.ellipsoid_object
    if target is None:
        if constraint is not None:
            obj.constraints.remove(constraint)
        return
    if constraint is None:
        constraint = obj.constraints.new("COPY_TRANSFORMS")
        constraint.name = FOLLOW
    constraint.target = target


def wrap_mesh(shape: str) -> bpy.types.Mesh:
    """Mesh that surfaces of a shape share."""
    return unit_cylinder() if shape == "cylinder" else unit_sphere()


def unit_cylinder() -> bpy.types.Mesh:
    """The mesh all cylinders share: radius one, from -1 to 1 along z, open at its ends."""
    mesh = bpy.data.meshes.get(CYLINDER_NAME)
    if mesh is not None and mesh.library is None and len(mesh.vertices) == 2 * CYLINDER_SEGMENTS:
        return mesh
    mesh = bpy.data.meshes.new(CYLINDER_NAME)
    angles = np.arange(CYLINDER_SEGMENTS) * 2.0 * np.pi / CYLINDER_SEGMENTS
    ring = np.column_stack([np.cos(angles), np.sin(angles), -np.ones(CYLINDER_SEGMENTS)])
    vertices = np.vstack([ring, ring * (1.0, 1.0, -1.0)])
    n = CYLINDER_SEGMENTS
    mesh.from_pydata(vertices.tolist(), [], [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)])
    return mesh


def relink_copies(twins: dict[bpy.types.Object, bpy.types.Object], actor: bpy.types.Object) -> None:
    """Let the copied muscles and surfaces of an actor refer to its own parts; `twins` gives the copy of each part."""
    for twin in twins.values():
        if twin.mannequin.kind == "MUSCLE":
            twin.data = twin.data.copy()
            for hook in (m for m in twin.modifiers if m.type == "HOOK"):
                hook.object = actor
            for wrap in twin.mannequin.muscle.path_wraps:
                wrap.surface_object = twins.get(wrap.surface_object)
        elif twin.mannequin.kind == "WRAP" and twin.mannequin.wrap.ellipsoid_object is not None:
            twin.mannequin.wrap.ellipsoid_object = twins.get(twin.mannequin.wrap.ellipsoid_object)
            follow_ellipsoid(twin)
