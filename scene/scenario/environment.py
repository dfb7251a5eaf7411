"""Obstacles of a scene: take meshes into the scenario, take them out, add ready-made ones."""

import bpy

from ...models.scenarios.obstacles import OBSTACLES
from ..base.errors import SceneError
from ..base.labels import set_label
from ..base.units import units_of
from ..store.actors import obstacles_of
from .obstacle_shapes import build_obstacle


def can_be_obstacle(obj: bpy.types.Object) -> bool:
    """Whether an object is a mesh that belongs to no actor."""
    return obj.type == "MESH" and obj.mannequin.kind in ("NONE", "OBSTACLE")


def add_obstacles(objects: list[bpy.types.Object], shape: str, scene: bpy.types.Scene) -> None:
    """Take meshes into the scenario as they are."""
    usable = [obj for obj in objects if can_be_obstacle(obj)]
    if not usable:
        raise SceneError("select a mesh that is not part of an actor")
    order = max((obj.mannequin.obstacle.order for obj in obstacles_of(scene)), default=-1)
    for obj in usable:
        order += 1
        obj.mannequin.kind = "OBSTACLE"
        group = obj.mannequin.obstacle
        group.shape, group.order = shape, order
        set_label(obj, group, obj.name)


def remove_obstacles(objects: list[bpy.types.Object]) -> int:
    """Take meshes out of the scenario; the objects stay."""
    chosen = [obj for obj in objects if obj.mannequin.kind == "OBSTACLE"]
    for obj in chosen:
        obj.mannequin.kind = "NONE"
    return len(chosen)


def add_ready_made(name: str, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Add a stair, a kerb, a bed or a chair at the 3D cursor."""
    if name not in OBSTACLES:
        raise SceneError(f"there is no obstacle '{name}': choose one of {', '.join(OBSTACLES)}")
    units = units_of(scene)
    order = max((obj.mannequin.obstacle.order for obj in obstacles_of(scene)), default=-1)
    made = []
    for number, spec in enumerate(OBSTACLES[name]()):
        obj = build_obstacle(spec, scene, units)
        obj.mannequin.obstacle.order = order + 1 + number
        obj.location += scene.cursor.location
        made.append(obj)
    return made
