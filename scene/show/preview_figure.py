"""People and vehicles at a moment of a run that is only foreseen: drawn over the viewport, nothing in the scene moves.

What the viewport shows of an actor now (its skin, or its ellipsoids and display meshes) is carried from where its
bodies are in the scene to where they will be: a point x goes to sum of w_b A_b(t) A_b(now)^-1 x over the bodies b, with
the weights w_b of the skin's bones (linear blend skinning). So it fits whatever a character is made of, at any frame.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...analysis.measures.preview import Preview
from ..base.units import Units, units_of
from ..rig.objects import points_and_triangles
from ..rig.skins import skins_of
from ..scenario.scenario import scenario_names
from ..store.actors import actors_of, body_bones, rest_frame

COLOR = (0.35, 0.55, 0.85)
LIGHT = np.array([0.35, -0.45, 0.82], dtype=np.float32)
LIGHT /= np.linalg.norm(LIGHT)
"""Direction from which the figure is lit."""
DARKEST, OPACITY = 0.35, 0.9
SHOWN_KINDS = ("ELLIPSOID", "MESH")
"""Kinds of parts that stand for the actor where it has no skin."""

_weights: dict[tuple[str, int], np.ndarray] = {}
"""Object and number of its vertices to (V, B) weights of the actor's bodies."""
_meshes: dict[tuple[str, str, int, int], tuple[np.ndarray, np.ndarray]] = {}
"""Object without modifiers, its mesh and numbers of vertices and faces to its vertices and triangles, as `mesh_of` has
them; forgotten where Blender tells of a changed mesh."""


@dataclass(frozen=True)
class Surface:
    """Something that an actor shows, as it is in the scene now."""

    points: np.ndarray
    """(V, 3) in the world, Blender units"""
    triangles: np.ndarray
    """(T, 3)"""
    weights: np.ndarray
    """(V, bodies of the actor)"""


_drawn: list[tuple[Preview, float, Any]] = []
"""What was drawn last, at which time, and its batch: where the scene only is seen from elsewhere, it is drawn again."""


def forget_surfaces() -> None:
    """Drop what is kept from one drawing to the next."""
    _weights.clear()
    _meshes.clear()
    _drawn.clear()


def draw_figure(scene: bpy.types.Scene, preview: Preview, time: float) -> None:
    """Draw all actors at a time (s) of a run."""
    import gpu
    from gpu_extras.batch import batch_for_shader

    shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    if not _drawn or _drawn[0][0] is not preview or _drawn[0][1] != time:
        batch = batch_for_shader(shader, "TRIS", figure_buffers(scene, preview, time))
        _drawn[:] = [(preview, time, batch)]
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.depth_mask_set(True)
    _drawn[0][2].draw(shader)
    gpu.state.depth_mask_set(False)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def figure_buffers(scene: bpy.types.Scene, preview: Preview, time: float) -> dict[str, np.ndarray]:
    """Corners of all triangles, (3 T, 3) in Blender units, and their colours (3 T, 4)."""
    found = [points[triangles].astype(np.float32) for points, triangles in figure_at(scene, preview, time)]
    corners = np.concatenate(found) if found else np.zeros((0, 3, 3), dtype=np.float32)
    return {"pos": corners.reshape(-1, 3), "color": np.repeat(shades(corners), 3, axis=0)}


def shades(corners: np.ndarray) -> np.ndarray:
    """(T, 4) colours of (T, 3, 3) triangles, lighter towards the light."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1)
    facing = np.abs(normals @ LIGHT) / np.where(length > 0.0, length, 1.0)
    bright = DARKEST + (1.0 - DARKEST) * facing
    colors = np.empty((len(corners), 4), dtype=np.float32)
    colors[:, :3], colors[:, 3] = bright[:, None] * COLOR, OPACITY
    return colors


def figure_at(
    scene: bpy.types.Scene, preview: Preview, time: float
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Vertices (V, 3) in Blender units and triangles (T, 3) of everything that actors show, at a time (s)."""
    frames, units = preview.frames_at(time), units_of(scene)
    names = scenario_names(scene)
    for actor in actors_of(scene):
        if names[actor.name] not in preview.actor_names:
            continue
        number = preview.actor_names.index(names[actor.name])
        bodies = np.flatnonzero(preview.body_actor == number)
        moved = motions(actor, [preview.body_names[body] for body in bodies], frames[bodies], units)
        for surface in surfaces_of(actor, tuple(moved)):
            yield carried(surface, np.stack(list(moved.values()))), surface.triangles


def motions(
    actor: bpy.types.Object, names: list[str], frames: np.ndarray, units: Units
) -> dict[str, np.ndarray]:
    """(4, 4) motion of each body of an actor from where it is in the scene to its frame (metres), Blender units."""
    bones = {bone.name: bone for bone in body_bones(actor.data)}
    there = [name for name in names if name in bones]
    if not there:
        return {}
    now = []
    for name in there:
        turned = actor.matrix_world @ actor.pose.bones[name].matrix @ bones[name].matrix_local.inverted()
        now.append(np.array(turned) @ np.array(units.frame_to_blender(rest_frame(bones[name]))))
    later = [
        units.frame_to_blender(frame) for name, frame in zip(names, frames, strict=True) if name in bones
    ]
    return dict(zip(there, np.array(later) @ np.linalg.inv(now), strict=True))


def carried(surface: Surface, moved: np.ndarray) -> np.ndarray:
    """(V, 3) vertices of a surface after (B, 4, 4) motions of its actor's bodies."""
    result = np.zeros_like(surface.points)
    for body in np.flatnonzero(surface.weights.any(axis=0)):
        rows = np.flatnonzero(surface.weights[:, body])
        there = surface.points[rows] @ moved[body, :3, :3].T + moved[body, :3, 3]
        result[rows] += surface.weights[rows, body, None] * there
    return result


def surfaces_of(actor: bpy.types.Object, bodies: tuple[str, ...]) -> Iterator[Surface]:
    """What stands for an actor: the skins that are seen, or its ellipsoids and display meshes."""
    graph = bpy.context.evaluated_depsgraph_get()
    skins = [obj for obj in skins_of(actor) if obj.type == "MESH" and not obj.hide_get()]
    parts = [obj for obj in actor.children if obj.type == "MESH" and obj.mannequin.kind in SHOWN_KINDS]
    for obj in skins or parts:
        evaluated = obj.evaluated_get(graph)
        mesh = evaluated.data
        if not len(mesh.vertices):
            continue
        points, triangles = mesh_of(obj, mesh)
        world = np.array(evaluated.matrix_world, dtype=np.float32)
        placed = points @ world[:3, :3].T + world[:3, 3]
        yield Surface(placed, triangles, weights_of(obj, mesh, actor, bodies))


def mesh_of(obj: bpy.types.Object, mesh: bpy.types.Mesh) -> tuple[np.ndarray, np.ndarray]:
    """(V, 3) vertices in the object's own axes and (T, 3) triangles of its evaluated mesh; kept where no modifier
    changes them."""
    key = obj.name, obj.data.name, len(mesh.vertices), len(mesh.polygons)
    if not obj.modifiers and key in _meshes:
        return _meshes[key]
    found = points_and_triangles(mesh)
    if not obj.modifiers:
        _meshes[key] = found
    return found


def weights_of(
    obj: bpy.types.Object, mesh: bpy.types.Mesh, actor: bpy.types.Object, bodies: tuple[str, ...]
) -> np.ndarray:
    """(V, B) weights of an actor's bodies at the vertices of what it shows; a part has one body."""
    key = obj.name, len(mesh.vertices)
    found = _weights.get(key)
    if found is None or found.shape[1] != len(bodies):
        found = _weights[key] = new_weights(obj, mesh, actor, bodies)
    return found


def new_weights(
    obj: bpy.types.Object, mesh: bpy.types.Mesh, actor: bpy.types.Object, bodies: tuple[str, ...]
) -> np.ndarray:
    """The same, from parents and vertex groups; what no bone holds goes with the root."""
    weights = np.zeros((len(mesh.vertices), len(bodies)), dtype=np.float32)
    if obj.parent_type == "BONE" and obj.parent_bone in bodies:
        weights[:, bodies.index(obj.parent_bone)] = 1.0
        return weights
    rigs = [modifier.object for modifier in obj.modifiers if modifier.type == "ARMATURE" and modifier.object]
    shares = [group_shares(group.name, rigs, actor, bodies) for group in obj.vertex_groups]
    for vertex in mesh.vertices:
        for group in vertex.groups:
            if shares[group.group] is not None:
                weights[vertex.index] += group.weight * shares[group.group]
    total = weights.sum(axis=1, keepdims=True)
    weights /= np.where(total > 0.0, total, 1.0)
    weights[total[:, 0] == 0.0, 0] = 1.0
    return weights


def group_shares(
    group: str, rigs: list[bpy.types.Object], actor: bpy.types.Object, bodies: tuple[str, ...]
) -> np.ndarray | None:
    """(B,) shares of the bodies in what a vertex group holds: its bone is a body, is carried by bodies, or is a child
    of such a bone. None for a group that belongs to no bone."""
    for rig in rigs:
        bone = rig.pose.bones.get(group)
        while bone is not None:
            shares = bone_shares(bone, rig, actor, bodies)
            if shares.any():
                return shares / shares.sum()
            bone = bone.parent
    return None


def bone_shares(
    bone: bpy.types.PoseBone, rig: bpy.types.Object, actor: bpy.types.Object, bodies: tuple[str, ...]
) -> np.ndarray:
    """(B,) shares of the bodies that a bone is or is carried by; zeros for any other bone."""
    shares = np.zeros(len(bodies), dtype=np.float32)
    if rig == actor and bone.name in bodies:
        shares[bodies.index(bone.name)] = 1.0
    for constraint in bone.constraints:
        for target in targets_of(constraint):
            if target.target == actor and target.subtarget in bodies:
                shares[bodies.index(target.subtarget)] += getattr(target, "weight", 1.0)
            elif getattr(target.target, "type", "") == "ARMATURE" and target.target != rig:
                via = target.target.pose.bones.get(
                    target.subtarget
                )  # the rig between actor and own character
                if via is not None:
                    shares += bone_shares(via, target.target, actor, bodies)
    return shares


def targets_of(
    constraint: bpy.types.Constraint,
) -> list[bpy.types.Constraint | bpy.types.ConstraintTargetBone]:
    """What a constraint ties its bone to: an object with a bone, once or several times."""
    if constraint.type == "ARMATURE":
        return list(constraint.targets)
    return [constraint] if getattr(constraint, "subtarget", "") else []
