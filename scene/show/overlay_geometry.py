"""What the overlays draw: lines in world space, in Blender units. Computed for each redraw; nothing is kept."""

import math
from collections.abc import Iterator

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...analysis.colors import GUIDES, channels
from ...engine.joints.cone import QUARTER, bounded_slopes
from ..base.units import Units, units_of
from ..rig.pose import joint_frame_at_rest
from ..store.actors import actors_of, body_bones, bone_axes, joint_kind, rest_frame

Lines = list[tuple[Vector, Vector]]

SECONDS_OF_ARROW = 0.1
"""An arrow shows how far the actor gets in this time (an angular one: that many radians as metres)."""
CROSS, ACTOR_CROSS, AXIS, ARC, CONE = 0.015, 0.06, 0.10, 0.09, 0.12
"""Metres: half sizes of the marks of centres of mass, length of axes, radius of limit arcs, length of cones."""
COLORS = {name: (*channels(color), 1.0) for name, color in GUIDES.items()}


def overlay_lines(scene: bpy.types.Scene) -> list[tuple[tuple[float, ...], Lines]]:
    """Colour and lines of every overlay that is switched on."""
    overlays, units = scene.mannequin.overlays, units_of(scene)
    found: dict[str, Lines] = {name: [] for name in COLORS}
    for actor in actors_of(scene):
        if not actor.visible_get():
            continue
        if overlays.velocities:
            add_velocities(found, actor, units)
        if overlays.centers_of_mass:
            add_centers_of_mass(found, actor, units)
        if overlays.joint_axes:
            add_joint_axes(found, actor, units)
        if overlays.joint_limits:
            add_limit_arcs(found, actor, units)
            add_cones(found, actor, units)
        if overlays.excluded_pairs:
            add_excluded_pairs(found, actor, units)
    return [(COLORS[name], lines) for name, lines in found.items() if lines]


def body_matrix(actor: bpy.types.Object, bone: bpy.types.Bone, units: Units) -> Matrix:
    """Body frame in the world as posed, in Blender units."""
    moved = actor.matrix_world @ actor.pose.bones[bone.name].matrix @ bone.matrix_local.inverted()
    return moved @ units.frame_to_blender(rest_frame(bone))


def center_of_mass(actor: bpy.types.Object, bone: bpy.types.Bone, units: Units) -> Vector:
    """Centre of mass of a body in the world, in Blender units."""
    return body_matrix(actor, bone, units) @ units.point_to_blender(bone.mannequin.center_of_mass)


def add_velocities(found: dict[str, Lines], actor: bpy.types.Object, units: Units) -> None:
    """Arrows of the start velocity and the start turn at the root body's origin."""
    roots = [bone for bone in body_bones(actor.data) if bone.parent is None]
    if not roots:
        return
    origin = body_matrix(actor, roots[0], units).translation
    start = actor.mannequin.actor
    for name, vector in (("velocity", start.velocity), ("turn", start.angular_velocity)):
        shown = Vector(vector) * SECONDS_OF_ARROW / units.metres
        if shown.length > 0.0:
            found[name] += arrow(origin, origin + shown)


def arrow(start: Vector, end: Vector) -> Lines:
    """Line with a head of four strokes."""
    along = end - start
    side = along.orthogonal().normalized() * along.length * 0.08
    other = side.cross(along).normalized() * side.length
    neck = start + along * 0.85
    return [(start, end), *((end, neck + shift) for shift in (side, -side, other, -other))]


def add_centers_of_mass(found: dict[str, Lines], actor: bpy.types.Object, units: Units) -> None:
    """Crosses at the centre of mass of each body, and a larger one at the actor's."""
    total, weighted = 0.0, Vector((0.0, 0.0, 0.0))
    for bone in body_bones(actor.data):
        centre, mass = center_of_mass(actor, bone, units), bone.mannequin.mass
        found["mass"] += cross(centre, units.length_to_blender(CROSS))
        total, weighted = total + mass, weighted + centre * mass
    if total > 0.0:
        found["mass"] += cross(weighted / total, units.length_to_blender(ACTOR_CROSS))


def cross(centre: Vector, size: float) -> Lines:
    """Three lines along the world's axes through a point."""
    steps = [Vector([size if k == axis else 0.0 for k in range(3)]) for axis in range(3)]
    return [(centre - step, centre + step) for step in steps]


def parent_joint_matrix(actor: bpy.types.Object, bone: bpy.types.Bone, units: Units) -> Matrix:
    """Joint frame on the parent's side in the world as posed, in Blender units."""
    rest = units.frame_to_blender(joint_frame_at_rest(bone))
    if bone.parent is None:
        return actor.matrix_world @ rest
    parent = bone.parent
    moved = actor.pose.bones[parent.name].matrix @ parent.matrix_local.inverted()
    return actor.matrix_world @ moved @ rest


def jointed_bones(actor: bpy.types.Object) -> Iterator[bpy.types.Bone]:
    """Bones whose joints turn against a parent body or the ground."""
    for bone in body_bones(actor.data):
        if bone.mannequin.joint.exists and joint_kind(bone).turns:
            yield bone


def add_joint_axes(found: dict[str, Lines], actor: bpy.types.Object, units: Units) -> None:
    """Axes of joints: three of a ball joint, the one of a joint that has one."""
    length = units.length_to_blender(AXIS)
    for bone in jointed_bones(actor):
        matrix = parent_joint_matrix(actor, bone, units)
        origin, turn = matrix.translation, matrix.to_3x3()
        if joint_kind(bone).has_axis:
            axis = turn @ Vector(bone.mannequin.joint.axis) * length
            found["z"] += arrow(origin - axis, origin + axis)
            continue
        for index, name in enumerate("xyz"):
            found[name].append((origin, origin + turn.col[index] * length))


def add_limit_arcs(found: dict[str, Lines], actor: bpy.types.Object, units: Units) -> None:
    """Range of motion about each axis as an arc in the parent's joint frame."""
    radius = units.length_to_blender(ARC)
    for bone in jointed_bones(actor):
        joint = bone.mannequin.joint
        if not joint.use_limits:
            continue
        matrix = parent_joint_matrix(actor, bone, units)
        if joint_kind(bone).has_axis:
            axes = bone_axes(bone)
            found["z"] += arc(
                matrix, axes[:, 1], axes[:, 2], joint.limits.lower[0], joint.limits.upper[0], radius
            )
            continue
        identity = np.identity(3)
        for index, name in enumerate("xyz"):
            first, second = identity[(index + 1) % 3], identity[(index + 2) % 3]
            low, high = joint.limits.lower[2 - index], joint.limits.upper[2 - index]  # stored Z, Y, X
            found[name] += arc(matrix, first, second, low, high, radius)


def arc(
    matrix: Matrix, first: np.ndarray, second: np.ndarray, low: float, high: float, radius: float
) -> Lines:
    """Arc from `low` to `high` (rad) from `first` towards `second`, with a stroke to the centre at both ends."""
    count = max(2, int(math.degrees(abs(high - low)) / 6.0))
    angles = np.linspace(low, high, count)
    points = [matrix @ Vector((math.cos(a) * first + math.sin(a) * second) * radius) for a in angles]
    centre = matrix.translation
    return [(centre, points[0]), *zip(points[:-1], points[1:], strict=True), (points[-1], centre)]


def add_cones(found: dict[str, Lines], actor: bpy.types.Object, units: Units) -> None:
    """Cones of feasible motion on the parent's side, with a spoke at each quadrant, and the limb axis as posed."""
    length = units.length_to_blender(CONE)
    for bone in jointed_bones(actor):
        joint = bone.mannequin.joint
        if not joint.use_cone or not joint_kind(bone).is_ball:
            continue
        matrix = parent_joint_matrix(actor, bone, units)
        rim = [matrix @ Vector(length * direction) for direction in cone_rim(joint.cone)]
        quarter = len(rim) // 4
        found["cone"] += list(zip(rim, rim[1:] + rim[:1], strict=True))
        found["cone"] += [(matrix.translation, rim[k * quarter]) for k in range(4)]
        child = child_joint_matrix(actor, bone, units)
        limb = Vector(joint.cone.limb_axis).normalized() * length
        found["limb"].append((child.translation, child @ limb))


def child_joint_matrix(actor: bpy.types.Object, bone: bpy.types.Bone, units: Units) -> Matrix:
    """Joint frame on the child's side in the world as posed, in Blender units."""
    moved = actor.pose.bones[bone.name].matrix @ bone.matrix_local.inverted()
    return actor.matrix_world @ moved @ units.frame_to_blender(joint_frame_at_rest(bone))


def cone_rim(cone: bpy.types.PropertyGroup, count: int = 48) -> np.ndarray:
    """(count, 3) directions of the rim of a cone in the parent's joint frame, from longitude 0 on.

    The largest latitude over the longitude is the engine's spline through the four quadrant angles: cubic Hermite
    pieces with its slopes. An axis without length is drawn along z; validation reports it."""
    angles = np.array(cone.quadrant_angles, dtype=float)
    slopes = bounded_slopes(angles) * QUARTER
    turns = np.arange(count) * 4.0 / count
    first = np.floor(turns).astype(int) % 4
    last, s = (first + 1) % 4, turns - np.floor(turns)
    rise = angles[last] - angles[first]
    bend = 3.0 * rise - 2.0 * slopes[first] - slopes[last]
    latitude = angles[first] + s * (
        slopes[first] + s * (bend + s * (slopes[first] + slopes[last] - 2.0 * rise))
    )
    longitude, frame = turns * QUARTER, cone_frame(cone)
    ring = np.stack([np.cos(longitude), np.sin(longitude)], axis=1) * np.sin(latitude)[:, None]
    return np.column_stack([ring, np.cos(latitude)]) @ frame


def cone_frame(cone: bpy.types.PropertyGroup) -> np.ndarray:
    """(3, 3), rows: directions of longitude 0 and 90 and the cone axis, in the parent's joint frame."""
    axis = Vector(cone.axis).normalized() if Vector(cone.axis).length > 0.0 else Vector((0.0, 0.0, 1.0))
    across = Vector(cone.zero_longitude) - axis * axis.dot(Vector(cone.zero_longitude))
    zero = across.normalized() if across.length > 0.0 else axis.orthogonal().normalized()
    return np.array([zero, axis.cross(zero), axis], dtype=float)


def add_excluded_pairs(found: dict[str, Lines], actor: bpy.types.Object, units: Units) -> None:
    """Lines between the bodies that never touch."""
    for pair in actor.data.mannequin.contact_exclude:
        ends = [actor.data.bones.get(name) for name in (pair.first, pair.second)]
        if all(ends):
            found["excluded"].append(tuple(center_of_mass(actor, bone, units) for bone in ends))
