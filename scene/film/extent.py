"""What there is to film: where the actors are over time, as the pictures will show them."""

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from ..base.errors import SceneError
from ..base.frames import at_frames
from ..base.units import frames_per_second, units_of
from ..rig.skins import skins_of
from ..show.skin import is_person
from ..store import callbacks
from ..store.actors import actors_of, body_bones, obstacles_of, parent_body
from .sight import Solid, Surroundings

SNAP = math.radians(30.0)
"""A direction of motion this near to a line of the grid counts as along it, so that the grid lies straight."""
SAMPLES_PER_SECOND, MOST_SAMPLES = 8.0, 60
"""Moments of the film at which the motion is looked at."""
POINTS = 400
"""Points of an actor that are looked at, about."""
NEAR = 2.5
"""Metres from the subject within which other things are to be seen with it."""
HEAD_REACH = 0.40
"""Metres around the middle of the head that a close view shows."""


@dataclass(frozen=True)
class Extent:
    """Where the motion takes place, in Blender units."""

    frames: np.ndarray
    """(moments,) frames looked at"""
    subjects: tuple[np.ndarray, ...]
    """(n, 3) points of whom the film is about, at each moment"""
    parts: tuple[np.ndarray, ...]
    """(n, 3) those that a near view shows: about the head of the first subject, or all of it where it has none"""
    beside: tuple[np.ndarray, ...]
    """(n, 3) points of actors and obstacles near the subjects"""
    heading: float
    """Radians of the direction of motion"""
    solids: tuple[tuple[Solid, ...], ...]
    """What may stand between the camera and the subjects at each moment"""

    def with_other(self, other: "Extent") -> "Extent":
        """This motion and another, for cameras that see both and stand still; the direction is this one's."""
        return Extent(
            np.concatenate([self.frames, other.frames]),
            self.subjects + other.subjects,
            self.parts + other.parts,
            self.beside + other.beside,
            self.heading,
            self.solids + other.solids,
        )


def motion_extent(
    scene: bpy.types.Scene,
    subject: str = "",
    frames: np.ndarray | None = None,
    focus: tuple[bpy.types.Object, str] | None = None,
) -> Extent:
    """Look at the motion from the first to the last frame.

    subject: actor that it is about; empty: as the panel has it. frames: where to look, also between two frames. focus:
    actor and body that a near view shows in place of the head.
    """
    subjects = subjects_of(scene, subject)
    if not subjects:
        raise SceneError("there is no actor to film: add one, or open a run")
    others = [actor for actor in actors_of(scene) if actor not in subjects]
    near, reach = NEAR / units_of(scene).metres, HEAD_REACH / units_of(scene).metres
    frames = sampled_frames(scene) if frames is None else frames
    surroundings = Surroundings(scene, subjects)
    clouds, parts, beside, roots, solids = [], [], [], [], []
    for _ in at_frames(scene, frames):
        seen = [actor_points(actor) for actor in subjects]
        cloud = np.concatenate(seen)
        clouds.append(cloud)
        actor, body = focus or (subjects[0], head_of(subjects[0]))
        points = seen[subjects.index(actor)] if actor in subjects else actor_points(actor)
        parts.append(near_body(actor, body, points, reach))
        things = [actor_points(actor) for actor in others] + [seen_points(o) for o in obstacles_of(scene)]
        beside.append(within(np.concatenate([np.empty((0, 3)), *things]), cloud, near))
        roots.append(root_place(subjects[0]))
        solids.append(surroundings.now())
    heading = heading_of(np.array(roots), subjects[0], scene)
    return Extent(frames, tuple(clouds), tuple(parts), tuple(beside), heading, tuple(solids))


def subjects_of(scene: bpy.types.Scene, name: str = "") -> list[bpy.types.Object]:
    """Whom the film is about: the actor of that name, or that the panel names, else all people, else all actors."""
    actors, named = actors_of(scene), name or scene.mannequin.film.subject
    chosen = [actor for actor in actors if actor.name == named]
    if named and not chosen:
        raise SceneError(f"the film is to follow '{named}', which is no actor of this scene: choose another")
    return chosen or [actor for actor in actors if is_person(actor)] or actors


def sampled_frames(scene: bpy.types.Scene) -> np.ndarray:
    """Frames at which the motion is looked at, the first and the last among them."""
    length = scene.frame_end - scene.frame_start
    count = min(MOST_SAMPLES, 2 + int(length / frames_per_second(scene) * SAMPLES_PER_SECOND))
    return np.unique(np.linspace(scene.frame_start, scene.frame_end, count).round().astype(int))


def heading_of(roots: np.ndarray, actor: bpy.types.Object, scene: bpy.types.Scene) -> float:
    """Direction of motion (radians) of (moments, 3) places; the way the actor faces where it stays on the spot."""
    way = roots[-1] - roots[0]
    if math.hypot(way[0], way[1]) < 0.15 / units_of(scene).metres:
        way = np.array(actor.matrix_world.col[0])
    return snapped(math.atan2(way[1], way[0]))


def snapped(heading: float) -> float:
    """Heading along the nearest line of the grid, where that is near."""
    nearest = math.radians(90.0) * round(heading / math.radians(90.0))
    return nearest if abs(heading - nearest) <= SNAP else heading


def root_bone(actor: bpy.types.Object) -> str:
    """Name of an actor's first body."""
    return next(bone.name for bone in body_bones(actor.data) if parent_body(bone) is None)


def root_place(actor: bpy.types.Object) -> np.ndarray:
    """(3,) place of an actor's first body in the world."""
    return np.array(actor.matrix_world @ actor.pose.bones[root_bone(actor)].head)


def root_way(scene: bpy.types.Scene) -> np.ndarray:
    """(2, 3) places of the first subject at the first and at the last frame."""
    actor = subjects_of(scene)[0]
    ends = np.array([scene.frame_start, scene.frame_end])
    return np.array([root_place(actor) for _ in at_frames(scene, ends)])


def actor_points(actor: bpy.types.Object) -> np.ndarray:
    """(n, 3) world points of an actor as it is seen: its skin, or its ellipsoids."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    shown = skins_of(actor) or [c for c in actor.children if c.mannequin.kind == "ELLIPSOID"] or [actor]
    return np.concatenate([seen_points(obj.evaluated_get(depsgraph)) for obj in shown])


def seen_points(obj: bpy.types.Object) -> np.ndarray:
    """(n, 3) some world points of an evaluated object: vertices of a mesh, else the corners of its bounds."""
    if obj.type != "MESH" or not obj.data.vertices:
        return np.array([tuple(obj.matrix_world @ Vector(corner)) for corner in obj.bound_box])
    points = np.empty(3 * len(obj.data.vertices), dtype=np.float32)
    obj.data.vertices.foreach_get("co", points)
    matrix = np.array(obj.matrix_world)
    step = max(1, len(obj.data.vertices) // POINTS)
    return points.reshape(-1, 3)[::step] @ matrix[:3, :3].T + matrix[:3, 3]


def head_of(actor: bpy.types.Object) -> str:
    """Name of the body that is an actor's head; empty where it has none."""
    return next((bone.name for bone in actor.pose.bones if bone.name.lower() == "head"), "")


def near_body(actor: bpy.types.Object, body: str, points: np.ndarray, reach: float) -> np.ndarray:
    """(n, 3) those of an actor's points that lie near the middle of a body; all where it has no such body."""
    bone = actor.pose.bones.get(body)
    if bone is None:
        return points
    middle = np.array(actor.matrix_world @ (0.5 * (bone.head + bone.tail)))
    near = points[np.linalg.norm(points - middle, axis=1) < reach]
    return near if len(near) else middle[None, :]


def within(points: np.ndarray, cloud: np.ndarray, reach: float) -> np.ndarray:
    """(k, 3) those of (n, 3) points that lie within reach of the box around a cloud."""
    low, high = cloud.min(axis=0) - reach, cloud.max(axis=0) + reach
    return points[((points >= low) & (points <= high)).all(axis=1)]


register, unregister = callbacks.answered(
    {
        "film subjects": lambda scene: [actor.name for actor in actors_of(scene)],
        "cameras": lambda scene: [obj.name for obj in scene.objects if obj.type == "CAMERA"],
        "impacts": lambda scene: [row.name for row in scene.mannequin.results.contacts],
    }
)
