"""Bake the motion of obstacles that move along a table: keyframes on their objects, one new named action per run.

The pose at a time is the engine's (`engine.contact.obstacles.place_obstacle`): straight between two rows of the table,
turning at a constant rate about one axis. While a baked motion plays, the place at the start is kept beside it, so that
the scene still holds where the obstacle starts.
"""

import bpy
import numpy as np
from mathutils import Matrix

from ...analysis.resample import conjugate, continuous, obstacle_motion, quaternion_product
from ...engine.maths.rotations import matrix_from_quaternion, matrix_from_zyx, quaternion_from_matrix
from ...engine.spec import Obstacle
from ..base.blender_version import assign_action
from ..base.units import Units, units_of
from ..scenario.obstacle_start import keep_start, kept_frame, object_frame_at_start
from ..scenario.scenario import scenario_names
from ..store.actors import obstacles_of
from .bake import write_action
from .bone_channels import Channel


def bake_obstacles(
    obstacles: list[Obstacle], scene: bpy.types.Scene, run: str, frames: np.ndarray, times: np.ndarray
) -> list[bpy.types.Action]:
    """Bake what moves among obstacles at the given frames, which show the given times (s); returns the new actions.

    An object that constraints move plays its own animation.
    """
    names, units, made = scenario_names(scene), units_of(scene), []
    specs = {obstacle.name: obstacle for obstacle in obstacles if obstacle.motion}
    for obj in obstacles_of(scene):
        spec = specs.get(names[obj.name])
        if spec is None or obj.constraints:
            continue
        start = object_frame_at_start(obj, units)
        channels = object_channels(obj, spec, start, times, units)
        put_aside(obj)
        obj.rotation_mode = "QUATERNION"
        action = write_action(obj, f"{run} {obj.name}", (frames, channels))
        assign_action(obj, action)
        keep_start(obj, start, action)
        made.append(action)
    return made


def put_aside(obj: bpy.types.Object) -> None:
    """Keep the action that an object has, although nothing will play it."""
    if obj.animation_data is not None and obj.animation_data.action is not None:
        obj.animation_data.action.use_fake_user = True


def object_channels(
    obj: bpy.types.Object, spec: Obstacle, start: np.ndarray, times: np.ndarray, units: Units
) -> list[Channel]:
    """Location and rotation of an obstacle's object, whose frame (4, 4) at the start is `start`.

    The object's origin lies anywhere in the obstacle's frame; its axes are the obstacle's.
    """
    position, quaternion = obstacle_motion(spec, times)
    base = matrix_from_zyx(spec.orientation)
    offset = base.T @ (start[:3, 3] - np.array(spec.position, dtype=float))
    origin = position + matrix_from_quaternion(quaternion) @ offset
    if obj.parent is not None:
        above = units.frame_to_si(obj.parent.matrix_world @ obj.matrix_parent_inverse)
        origin = (origin - above[:3, 3]) @ above[:3, :3]
        quaternion = quaternion_product(conjugate(quaternion_from_matrix(above[:3, :3])), quaternion)
    turns = continuous(quaternion)
    return [
        *(Channel("", "location", k, origin[:, k] / units.metres) for k in range(3)),
        *(Channel("", "rotation_quaternion", k, turns[:, k]) for k in range(4)),
    ]


def restore_obstacles(scene: bpy.types.Scene) -> None:
    """Unlink the baked motion of obstacles and show them where they start."""
    units = units_of(scene)
    for obj in obstacles_of(scene):
        frame = kept_frame(obj)
        if frame is None:
            continue
        obj.animation_data.action = None
        obj.mannequin.obstacle.start = ""
        size = Matrix.Diagonal((*obj.matrix_world.to_scale(), 1.0))
        obj.matrix_world = units.frame_to_blender(frame) @ size
