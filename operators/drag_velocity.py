"""Drag the velocity arrow of an actor in the viewport."""

import bpy
from bpy.props import EnumProperty, FloatVectorProperty
from bpy_extras.view3d_utils import region_2d_to_location_3d
from mathutils import Vector

from ..scene.show.velocity_arrow import PROPERTIES, arrow_tip, set_arrow_tip
from ..scene.store.actors import active_actor
from .base import NeedsActor

AXIS_KEYS = {"X": 0, "Y": 1, "Z": 2}


class MANNEQUIN_OT_drag_velocity(NeedsActor, bpy.types.Operator):
    """Drag the tip of the actor's velocity arrow in the view plane; X, Y and Z lock it to an axis.

    bpy.ops.mannequin.drag_velocity(kind="LINEAR", tip=(1.0, 0.0, 1.0))
    """

    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(
        name="Arrow",
        description="Which arrow",
        items=[("LINEAR", "Velocity", "World velocity"), ("ANGULAR", "Angular Velocity", "World turn rate")],
    )
    tip: FloatVectorProperty(description="Where the arrow ends in the world", subtype="TRANSLATION")

    def run(self, context: bpy.types.Context) -> None:
        """Set the velocity from the tip's position."""
        set_arrow_tip(active_actor(context), context.scene, self.kind, Vector(self.tip))

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        actor = active_actor(context)
        self.before = tuple(getattr(actor.mannequin.actor, PROPERTIES[self.kind]))
        self.start_tip = arrow_tip(actor, context.scene, self.kind)
        self.axis = None
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the mouse until it is released; Esc cancels."""
        if event.type in {"ESC", "RIGHTMOUSE"}:
            setattr(active_actor(context).mannequin.actor, PROPERTIES[self.kind], self.before)
            context.area.header_text_set(None)
            return {"CANCELLED"}
        if event.type in {"LEFTMOUSE", "RET"} and event.value in {"RELEASE", "PRESS"}:
            context.area.header_text_set(None)
            return {"FINISHED"}
        if event.type in AXIS_KEYS and event.value == "PRESS":
            self.axis = None if self.axis == AXIS_KEYS[event.type] else AXIS_KEYS[event.type]
        if event.type == "MOUSEMOVE" or event.type in AXIS_KEYS:
            self.follow(context, event)
        return {"RUNNING_MODAL"}

    def follow(self, context: bpy.types.Context, event: bpy.types.Event) -> None:
        """Move the tip to the mouse position, at its depth in the view."""
        place = (event.mouse_region_x, event.mouse_region_y)
        tip = region_2d_to_location_3d(context.region, context.region_data, place, self.start_tip)
        if self.axis is not None:
            tip = Vector([tip[k] if k == self.axis else self.start_tip[k] for k in range(3)])
        self.tip = tip
        self.run(context)
        value = getattr(active_actor(context).mannequin.actor, PROPERTIES[self.kind])
        unit = "m/s" if self.kind == "LINEAR" else "rad/s"
        context.area.header_text_set(
            f"{value[0]:.2f}, {value[1]:.2f}, {value[2]:.2f} {unit}   X Y Z: axis   Esc: cancel"
        )


class MANNEQUIN_GGT_velocity(bpy.types.GizmoGroup):
    """Handles at the tips of the active actor's velocity arrows."""

    bl_idname = "MANNEQUIN_GGT_velocity"
    bl_label = "Velocity Arrows"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether arrows are shown and an actor is active."""
        return context.scene.mannequin.overlays.velocities and active_actor(context) is not None

    def setup(self, context: bpy.types.Context) -> None:
        """One handle per arrow."""
        for kind, color in (("LINEAR", (1.0, 0.75, 0.1)), ("ANGULAR", (0.4, 0.9, 1.0))):
            handle = self.gizmos.new("GIZMO_GT_button_2d")
            handle.icon = "HANDLETYPE_FREE_VEC"
            handle.draw_options = {"OUTLINE"}
            handle.scale_basis = 0.12
            handle.color, handle.alpha = color, 0.7
            handle.color_highlight, handle.alpha_highlight = (1.0, 1.0, 1.0), 1.0
            handle.target_set_operator("mannequin.drag_velocity").kind = kind

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Keep the handles at the tips."""
        actor = active_actor(context)
        if actor is None:
            return
        for handle, kind in zip(self.gizmos, PROPERTIES, strict=True):
            handle.matrix_basis.translation = arrow_tip(actor, context.scene, kind)
