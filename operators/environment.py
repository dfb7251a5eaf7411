"""Operators on obstacles."""

import bpy
from bpy.props import BoolProperty, EnumProperty

from ..scene.places.looks import dress_ready_made
from ..scene.scenario import environment
from ..scene.scenario.obstacle_shapes import record_motion
from ..scene.store.scenario import OBSTACLE_ITEMS
from .base import MannequinOperator, NeedsKind, is_of_kind, kept_items


@kept_items
def ready_made_items() -> list[tuple]:
    """Ready-made obstacles by their names."""
    return [(name, name.title(), f"Ready-made {name}") for name in environment.OBSTACLES]


class MANNEQUIN_OT_add_obstacle(MannequinOperator, bpy.types.Operator):
    """Add the selected meshes to the scenario as obstacles, modifiers included.

    bpy.ops.mannequin.add_obstacle(shape="mesh")
    """

    shape: EnumProperty(description="How the surface is computed", items=OBSTACLE_ITEMS[::-1])

    needs = (
        (
            lambda context: any(map(environment.can_be_obstacle, context.selected_objects)),
            "Select a mesh that is not part of an actor",
        ),
    )

    def run(self, context: bpy.types.Context) -> None:
        environment.add_obstacles(list(context.selected_objects), self.shape, context.scene)


class MANNEQUIN_OT_remove_obstacle(MannequinOperator, bpy.types.Operator):
    """Remove the selected obstacles from the scenario; the objects stay."""

    needs = (
        (
            lambda context: any(is_of_kind(obj, "OBSTACLE") for obj in context.selected_objects),
            "Select an obstacle",
        ),
    )

    def run(self, context: bpy.types.Context) -> str:
        return f"Removed {environment.remove_obstacles(list(context.selected_objects))} obstacles"


class MANNEQUIN_OT_record_motion(NeedsKind, bpy.types.Operator):
    """Use the animation of the active obstacle, from the first frame on, as its motion in the scenario.

    bpy.ops.mannequin.record_motion()
    """

    bl_label = "Record Obstacle Motion"
    kind = "OBSTACLE"

    clear: BoolProperty(description="Remove the recorded motion instead")

    def run(self, context: bpy.types.Context) -> str:
        """Record the motion, or remove it."""
        if self.clear:
            context.object.mannequin.obstacle.recorded_motion = ""
            return "The obstacle is still"
        duration = context.scene.mannequin.settings.duration
        return f"Recorded {record_motion(context.object, context.scene, duration)} frames"


class MANNEQUIN_OT_add_ready_made(MannequinOperator, bpy.types.Operator):
    """Add a stair, a kerb, a bed or a chair at the 3D cursor.

    bpy.ops.mannequin.add_ready_made(obstacle="stair")
    """

    bl_label = "Add Ready-Made Obstacle"

    obstacle: EnumProperty(description="What to add", items=ready_made_items)

    def run(self, context: bpy.types.Context) -> str:
        made = environment.add_ready_made(self.obstacle, context.scene)
        dress_ready_made(made, self.obstacle, context.scene)
        return f"Added {len(made)} parts"
