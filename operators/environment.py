"""Operators on obstacles."""

import bpy
from bpy.props import BoolProperty, EnumProperty

from ..scene import environment
from ..scene.obstacle_shapes import record_motion
from .base import MannequinOperator

READY_MADE: list[tuple[str, str, str]] = []
"""Kept here because Blender needs the strings of dynamic items to stay alive."""


def ready_made_items(self: object, context: bpy.types.Context | None) -> list[tuple[str, str, str]]:
    """Ready-made obstacles as items of an EnumProperty."""
    if not READY_MADE:
        READY_MADE.extend((name, name.title(), f"Ready-made {name}") for name in environment.ready_made())
    return READY_MADE


class MANNEQUIN_OT_add_obstacle(MannequinOperator, bpy.types.Operator):
    """Take the selected meshes into the scenario.

    bpy.ops.mannequin.add_obstacle(shape="mesh")"""

    bl_idname = "mannequin.add_obstacle"
    bl_label = "Add Obstacle"
    bl_description = "Take the selected meshes into the scenario, as they are seen"

    shape: EnumProperty(
        name="Shape",
        description="How the surface is computed",
        items=[
            ("mesh", "Mesh", "The triangles of the mesh, modifiers included"),
            ("box", "Box", "Box around the mesh's bounds"),
            ("capsule", "Capsule", "Capsule along local z, inside the mesh's bounds"),
            ("plane", "Plane", "Endless plane through the origin, facing local z"),
        ],
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a mesh is selected that belongs to no actor."""
        chosen = [o for o in context.selected_objects if environment.can_be_obstacle(o)]
        if not chosen:
            cls.poll_message_set("Select a mesh that is not part of an actor")
            return False
        return True

    def run(self, context: bpy.types.Context) -> None:
        """Add."""
        environment.add_obstacles(list(context.selected_objects), self.shape, context.scene)


class MANNEQUIN_OT_remove_obstacle(MannequinOperator, bpy.types.Operator):
    """Take the selected obstacles out of the scenario; the objects stay.

    bpy.ops.mannequin.remove_obstacle()"""

    bl_idname = "mannequin.remove_obstacle"
    bl_label = "Remove Obstacle"
    bl_description = "Take the selected obstacles out of the scenario; the objects stay"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an obstacle is selected."""
        if not any(obj.mannequin.kind == "OBSTACLE" for obj in context.selected_objects):
            cls.poll_message_set("Select an obstacle")
            return False
        return True

    def run(self, context: bpy.types.Context) -> str:
        """Remove."""
        return f"Removed {environment.remove_obstacles(list(context.selected_objects))} obstacles"


class MANNEQUIN_OT_record_motion(MannequinOperator, bpy.types.Operator):
    """Take the animation of the active obstacle as its motion in the scenario.

    bpy.ops.mannequin.record_motion()"""

    bl_idname = "mannequin.record_motion"
    bl_label = "Record Obstacle Motion"
    bl_description = (
        "Take the animation of the active obstacle, from the first frame on, as its motion in the scenario"
    )

    clear: BoolProperty(name="Clear", description="Forget the recorded motion instead")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an obstacle is active."""
        if context.object is None or context.object.mannequin.kind != "OBSTACLE":
            cls.poll_message_set("Select an obstacle")
            return False
        return True

    def run(self, context: bpy.types.Context) -> str:
        """Record, or forget."""
        if self.clear:
            context.object.mannequin.obstacle.recorded_motion = ""
            return "The obstacle is still"
        duration = context.scene.mannequin.settings.duration
        return f"Recorded {record_motion(context.object, context.scene, duration)} frames"


class MANNEQUIN_OT_add_ready_made(MannequinOperator, bpy.types.Operator):
    """Add a stair, a kerb, a bed or a chair at the 3D cursor.

    bpy.ops.mannequin.add_ready_made(obstacle="stair")"""

    bl_idname = "mannequin.add_ready_made"
    bl_label = "Add Ready-Made Obstacle"
    bl_description = "Add a stair, a kerb, a bed or a chair at the 3D cursor"

    obstacle: EnumProperty(name="Obstacle", description="What to add", items=ready_made_items)

    def run(self, context: bpy.types.Context) -> str:
        """Add."""
        made = environment.add_ready_made(self.obstacle, context.scene)
        return f"Added {len(made)} parts"


CLASSES = (
    MANNEQUIN_OT_add_obstacle,
    MANNEQUIN_OT_remove_obstacle,
    MANNEQUIN_OT_record_motion,
    MANNEQUIN_OT_add_ready_made,
)
