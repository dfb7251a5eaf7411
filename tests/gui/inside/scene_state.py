"""What stories ask of the scene and do to it; objects are looked up each time, since undo replaces them all."""

import math
import time

import bpy
from drive import SEEN, expect, in_window, viewport
from mathutils import Euler, Vector


def actors() -> list[bpy.types.Object]:
    """Every actor of the file."""
    return [obj for obj in bpy.data.objects if obj.mannequin.kind == "ACTOR"]


def the_actor() -> bpy.types.Object:
    """The only actor."""
    found = actors()
    expect(len(found) == 1, f"one actor is expected, there are {[a.name for a in found]}")
    return found[0]


def part(kind: str, contains: str) -> bpy.types.Object:
    """The first object of a kind whose name contains a text."""
    found = [o for o in bpy.data.objects if o.mannequin.kind == kind and contains in o.name.lower()]
    expect(found, f"no {kind} with '{contains}': {[o.name for o in bpy.data.objects][:40]}")
    return found[0]


def playing(actor: bpy.types.Object) -> bpy.types.Action | None:
    """The action that moves an actor."""
    return actor.animation_data.action if actor.animation_data else None


def pose_of(actor: bpy.types.Object) -> list[float]:
    """Place of an actor and of all its bones, as numbers to compare."""
    matrices = [actor.matrix_world, *(bone.matrix for bone in actor.pose.bones)]
    return [value for matrix in matrices for row in matrix for value in row]


def differ(first: list[float], second: list[float]) -> float:
    """Largest difference of two lists of numbers."""
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def snapshot() -> dict[str, object]:
    """Everything that a cancelled simulation must leave as it was."""
    actor, scene = the_actor(), bpy.context.scene
    return {
        "pose": [round(value, 5) for value in pose_of(actor)],
        "velocity": tuple(actor.mannequin.actor.velocity),
        "frame": (scene.frame_current, scene.frame_start, scene.frame_end),
        "actions": sorted(action.name for action in bpy.data.actions),
        "playing": playing(actor),
        "objects": sorted(obj.name for obj in bpy.data.objects),
        "results": scene.mannequin.results.run,
    }


def clear_scene() -> None:
    """Remove what Blender starts with."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)


def timed(what: str, function: object, **arguments: object) -> set[str]:
    """Call an operator in the viewport and note how long it held up the window."""
    begun = time.monotonic()
    with in_window():
        result = function(**arguments)
    SEEN[f"{what}, s"] = round(time.monotonic() - begun, 2)
    return result


def add_man() -> bpy.types.Object:
    """Clear the scene and add the man; look at him."""
    clear_scene()
    with in_window():
        bpy.ops.mannequin.add_actor(model="male")
    look()
    return bpy.context.view_layer.objects.active


def look(from_the_side: bool = False, distance: float = 1.25) -> None:
    """Show everything in the viewport, clear of the sidebar that lies over it; in perspective if from the side.

    `distance` is that of the eye, over what Blender's own View All chooses.
    """
    view = viewport()[1].spaces.active.region_3d
    if from_the_side:
        view.view_perspective = "PERSP"
        view.view_rotation = Euler((math.radians(72.0), 0.0, math.radians(-20.0))).to_quaternion()
    with in_window():
        bpy.ops.view3d.view_all(center=False)
    view.view_distance *= distance
    view.view_location += view.view_rotation @ Vector((0.08 * view.view_distance, 0.0, 0.0))


def choose(obj: bpy.types.Object) -> None:
    """Make an object the active and only selected one."""
    for other in bpy.context.view_layer.objects:
        other.select_set(False)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def choose_bone(actor: bpy.types.Object, name: str) -> None:
    """Make a bone the active and only selected one; from Blender 5.0 on the pose holds what is selected."""
    for bone in actor.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name == name
    actor.data.bones.active = actor.data.bones[name]
