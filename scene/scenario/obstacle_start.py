"""Where an obstacle's object stands when the scenario starts, also while a baked motion moves it."""

import json

import bpy
import numpy as np

from ..base.units import Units


def keep_start(obj: bpy.types.Object, frame: np.ndarray, action: bpy.types.Action) -> None:
    """Keep the object's frame (4, 4) at the start while a baked motion moves it."""
    obj.mannequin.obstacle.start = json.dumps(np.asarray(frame).tolist())
    obj.mannequin.obstacle.baked_action = action


def kept_frame(obj: bpy.types.Object) -> np.ndarray | None:
    """(4, 4) kept frame, metres, if the object plays the baked motion it belongs to."""
    group = obj.mannequin.obstacle
    playing = obj.animation_data.action if obj.animation_data else None
    if not group.start or playing is None or playing != group.baked_action:
        return None
    return np.array(json.loads(group.start))


def object_frame_at_start(obj: bpy.types.Object, units: Units) -> np.ndarray:
    """(4, 4) rigid frame of the object at the start, metres."""
    if obj.mannequin.obstacle.recorded_motion:
        return np.array(json.loads(obj.mannequin.obstacle.recorded_motion)["frame"])
    kept = kept_frame(obj)
    return units.frame_to_si(obj.matrix_world) if kept is None else kept
