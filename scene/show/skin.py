"""A neutral surface of an actor, generated from its ellipsoids: smooth, closed, bound to the bones.

Vehicles have one of their own (`vehicle_skin` where a model says its class and dimensions or has the four wheels of a
car, else `models.vehicles.skin`). For all others the ellipsoids are joined by a voxel remesh and
smoothed. At rest arms hang beside the trunk and would grow into it, so the surface is made with the limbs spread,
weighted there, and taken back to rest by the inverse of its own blend of
bone motions: posing it as it was spread gives exactly the surface that was made.
"""

import math

import bpy
import numpy as np

from ...engine.spec import Model
from ...models.editing.rest_layout import BodyPlace, lay_out, part_frame
from ...models.parts.shapes import sphere_geometry
from ...models.vehicles.finishes import OF_SHELLS
from ...models.vehicles.measured import saloon_like
from ...models.vehicles.skin import has_wheels, vehicle_surface
from ..base.errors import SceneError
from ..base.units import units_of
from ..model.read import read_model, read_skeleton
from ..rig.pose import turn_about
from ..rig.skins import SKIN, remove_skin, render_parts
from ..store.actors import body_bones
from .materials import finish_material
from .vehicle_skin import make_light_skin, make_vehicle_skin

VOXELS, LIMBLESS_VOXELS = 125, 85
"""Voxels along the largest extent of an actor with limbs, and of one without."""
MOST_VOXELS = 260
"""The finest, for thin parts."""
SMOOTHING, LIMBLESS_SMOOTHING = 20, 3
"""Rounds of smoothing; thin parts stand few."""
INFLATED = 0.004
"""Metres by which ellipsoids of a person grow beforehand, as smoothing takes about that much off; a share of 1.75 m."""
BLEND = 0.014
"""Metres over which the hold of one body on the surface gives way to that of its neighbour, as a share of 1.75 m."""
STATURE = 1.75
ARM_SPREAD, LEG_SPREAD = math.radians(45.0), math.radians(14.0)
LEAST_WEIGHT = 0.03


def make_skin(actor: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object:
    """New surface of an actor; an earlier one is replaced. Its ellipsoids are left out of renders then."""
    model = read_model(actor)
    if not any(body.ellipsoids for body in model.bodies):
        raise SceneError(f"actor '{actor.name}' has no ellipsoid to make a skin of")
    remove_skin(actor)
    if model.light_vehicle is not None:
        obj = make_light_skin(actor, model.light_vehicle, scene)
        render_parts(actor, False)
        return obj
    vehicle = model.vehicle or saloon_like(model)
    if vehicle is not None:
        obj = make_vehicle_skin(actor, vehicle, scene)
        render_parts(actor, False)
        return obj
    units = units_of(scene)
    places = lay_out(model)
    if has_wheels(places):
        surface, names, owner = vehicle_surface(places)
        obj = new_surface(actor, surface.points / units.metres, surface.faces)
        set_finishes(obj.data, surface.finishes)
        weights = np.equal.outer(owner, np.arange(len(names))).astype(float)
    else:
        spread = spread_frames(places)
        points, faces = joined_surface(model, places, spread, scene)
        names, weights = surface_weights(points, places, spread)
        obj = new_surface(actor, points_at_rest(points, names, weights, spread) / units.metres, faces)
    bind(obj, actor, names, weights)
    render_parts(actor, False)
    return obj


def spread_frames(
    places: dict[str, BodyPlace], arms: float | None = None, legs: float | None = None
) -> dict[str, np.ndarray]:
    """(4, 4) motion of each body from rest to the pose in which no limb touches another, or to other angles (radians).

    A limb is a subtree on a ball joint beside the middle that hangs down: one that starts above the root's centre is an
    arm, one below a leg. Each is turned outward about the fore-aft axis through its joint.
    """
    motions: dict[str, np.ndarray] = {}
    root = next(iter(places.values()))
    middle = (root.frame @ np.append(np.array(root.body.center_of_mass, dtype=float), 1.0))[:3]
    for name, place in places.items():
        above = motions[place.parent] if place.parent is not None else np.identity(4)
        is_first = np.allclose(above, np.identity(4))
        angles = (ARM_SPREAD if arms is None else arms, LEG_SPREAD if legs is None else legs)
        motions[name] = above @ outward_turn(place, places, middle, is_first, angles)
    return motions


def has_limbs(spread: dict[str, np.ndarray]) -> bool:
    """Whether an actor has limbs to spread: a person or a dummy, and no vehicle."""
    return any(not np.allclose(motion, np.identity(4)) for motion in spread.values())


def is_person(actor: bpy.types.Object) -> bool:
    """Whether an actor has limbs."""
    return has_limbs(spread_frames(lay_out(read_skeleton(actor))))


def outward_turn(
    place: BodyPlace,
    places: dict[str, BodyPlace],
    middle: np.ndarray,
    is_first: bool,
    angles: tuple[float, float],
) -> np.ndarray:
    """(4, 4) turn of a limb away from the middle; the identity for all that is no limb's first body."""
    turn = np.identity(4)
    joint = place.joint_frame[:3, 3]
    beside = joint[1] - middle[1]
    centre = (place.frame @ np.append(np.array(place.body.center_of_mass, dtype=float), 1.0))[:3]
    is_ball = place.joint is not None and place.joint.kind.is_ball
    has_more = any(other.parent == place.body.name for other in places.values())
    hangs = joint[2] - centre[2] > 0.5 * float(np.linalg.norm(centre - joint))
    if not (is_first and place.parent is not None and is_ball and has_more and hangs and abs(beside) > 0.03):
        return turn
    angle = angles[0] if joint[2] > middle[2] + 0.1 else angles[1]
    turn[:3, :3] = turn_about(np.array([1.0, 0.0, 0.0]), math.copysign(angle, beside))
    turn[:3, 3] = joint - turn[:3, :3] @ joint
    return turn


def joined_surface(
    model: Model, places: dict[str, BodyPlace], spread: dict[str, np.ndarray], scene: bpy.types.Scene
) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """(n, 3) points (m) and faces of the union of all ellipsoids, smoothed, in the spread pose."""
    unit, unit_faces = sphere_geometry(24, 12)
    points, faces = [], []
    more = INFLATED * stature(places) / STATURE if has_limbs(spread) else 0.0
    for name, place in places.items():
        for ellipsoid in place.body.ellipsoids:
            frame = spread[name] @ place.frame @ part_frame(ellipsoid)
            base = len(unit) * len(points)
            scaled = unit * (np.array(ellipsoid.semi_axes, dtype=float) + more)
            points.append(scaled @ frame[:3, :3].T + frame[:3, 3])
            faces += [tuple(base + i for i in face) for face in unit_faces]
    cloud = np.concatenate(points)
    extent = float(np.ptp(cloud, axis=0).max())
    if has_limbs(spread):
        return remeshed(cloud, faces, extent / VOXELS, SMOOTHING, scene)
    thinnest = min(min(e.semi_axes) for place in places.values() for e in place.body.ellipsoids)
    voxel = max(min(extent / LIMBLESS_VOXELS, 0.7 * float(thinnest)), extent / MOST_VOXELS)
    return remeshed(cloud, faces, voxel, LIMBLESS_SMOOTHING, scene)


def stature(places: dict[str, BodyPlace]) -> float:
    """Height (m) of the centres of all ellipsoids, about that of the actor."""
    heights = [
        (place.frame @ part_frame(e))[2, 3] for place in places.values() for e in place.body.ellipsoids
    ]
    return max(heights) - min(heights)


def remeshed(
    points: np.ndarray, faces: list[tuple[int, ...]], voxel: float, rounds: int, scene: bpy.types.Scene
) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """Points and faces of Blender's voxel remesh of a mesh, smoothed."""
    mesh = bpy.data.meshes.new("Mannequin Skin Draft")
    mesh.from_pydata(points.tolist(), [], faces)
    obj = bpy.data.objects.new("Mannequin Skin Draft", mesh)
    scene.collection.objects.link(obj)
    try:
        remesh = obj.modifiers.new("Remesh", "REMESH")
        remesh.mode, remesh.voxel_size = "VOXEL", voxel
        smooth = obj.modifiers.new("Smooth", "SMOOTH")
        smooth.factor, smooth.iterations = 0.5, rounds
        depsgraph = bpy.context.evaluated_depsgraph_get()
        made = obj.evaluated_get(depsgraph).to_mesh()
        found = np.empty(3 * len(made.vertices), dtype=np.float32)
        made.vertices.foreach_get("co", found)
        return found.reshape(-1, 3).astype(float), [tuple(face.vertices) for face in made.polygons]
    finally:
        bpy.data.objects.remove(obj)
        bpy.data.meshes.remove(mesh)


def surface_weights(
    points: np.ndarray, places: dict[str, BodyPlace], spread: dict[str, np.ndarray]
) -> tuple[list[str], np.ndarray]:
    """Names of the bodies and (n, bodies) weights of the points: by distance from the ellipsoids, and shared only
    between a body and the bodies joined to it."""
    names = [name for name, place in places.items() if place.body.ellipsoids]
    distance = np.stack([body_distance(points, places[name], spread[name]) for name in names], axis=1)
    nearest = distance.argmin(axis=1)
    size = float(np.ptp(points, axis=0).max()) / STATURE
    weights = np.exp(-(distance - distance.min(axis=1, keepdims=True)) / (BLEND * size))
    weights *= joined_bodies(names, places)[nearest]
    weights[weights < LEAST_WEIGHT] = 0.0
    return names, weights / weights.sum(axis=1, keepdims=True)


def body_distance(points: np.ndarray, place: BodyPlace, spread: np.ndarray) -> np.ndarray:
    """(n,) distance (m) of points from the nearest ellipsoid of a body, to first order; negative inside."""
    best = np.full(len(points), np.inf)
    for ellipsoid in place.body.ellipsoids:
        frame = spread @ place.frame @ part_frame(ellipsoid)
        local = (points - frame[:3, 3]) @ frame[:3, :3]
        axes = np.array(ellipsoid.semi_axes, dtype=float)
        level = np.linalg.norm(local / axes, axis=1)
        slope = np.linalg.norm(local / axes**2, axis=1)
        best = np.minimum(best, level * (level - 1.0) / np.maximum(slope, 1e-9))
    return best


def actor_bounds(
    places: dict[str, BodyPlace], spread: dict[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """(3,) lowest and highest coordinates of an actor's ellipsoids in a spread pose, m."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for name, place in places.items():
        for ellipsoid in place.body.ellipsoids:
            frame = spread[name] @ place.frame @ part_frame(ellipsoid)
            half = np.linalg.norm(frame[:3, :3] * np.array(ellipsoid.semi_axes, dtype=float), axis=1)
            low, high = np.minimum(low, frame[:3, 3] - half), np.maximum(high, frame[:3, 3] + half)
    return low, high


def joined_bodies(names: list[str], places: dict[str, BodyPlace]) -> np.ndarray:
    """(bodies, bodies) which share the surface between them: a body, its parent and its children."""
    joined = np.zeros((len(names), len(names)), dtype=bool)
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            parents = places[first].parent, places[second].parent
            joined[i, j] = first == second or first == parents[1] or second == parents[0]
    return joined


def points_at_rest(
    points: np.ndarray, names: list[str], weights: np.ndarray, spread: dict[str, np.ndarray]
) -> np.ndarray:
    """(n, 3) where points of the spread pose are at rest: the inverse of the blended motions of their bodies."""
    blended = np.einsum("nb,bij->nij", weights, np.stack([spread[name] for name in names]))
    return np.linalg.solve(blended[:, :3, :3], (points - blended[:, :3, 3])[..., None])[..., 0]


def new_surface(
    actor: bpy.types.Object, points: np.ndarray, faces: list[tuple[int, ...]]
) -> bpy.types.Object:
    """New smooth mesh object beside an actor, parented to it."""
    mesh = bpy.data.meshes.new(f"{actor.name} Skin")
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    mesh.update()
    obj = bpy.data.objects.new(f"{actor.name} Skin", mesh)
    for collection in actor.users_collection:
        collection.objects.link(obj)
    obj.parent, obj[SKIN], obj.color = actor, True, actor.color
    return obj


def set_finishes(mesh: bpy.types.Mesh, finishes: list[int]) -> None:
    """A material slot per finish; that of the paint is left empty for the colour of the actor."""
    for finish in OF_SHELLS:
        mesh.materials.append(finish_material(finish))
    mesh.polygons.foreach_set("material_index", np.array(finishes, dtype=np.int32))


def bind(obj: bpy.types.Object, actor: bpy.types.Object, names: list[str], weights: np.ndarray) -> None:
    """Let the bones carry a mesh."""
    known = {bone.name for bone in body_bones(actor.data)}
    for column, name in enumerate(names):
        if name not in known:
            continue
        group = obj.vertex_groups.new(name=name)
        column_weights = weights[:, column]
        whole = np.flatnonzero(column_weights > 0.9999)
        group.add(whole.tolist(), 1.0, "REPLACE")
        for index in np.flatnonzero((column_weights > 0.0) & (column_weights <= 0.9999)):
            group.add([int(index)], float(column_weights[index]), "REPLACE")
    modifier = obj.modifiers.new("Mannequin", "ARMATURE")
    modifier.object = actor
