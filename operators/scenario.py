"""Operators on the scenario: the start of an actor, settings, validation."""

import math

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty

from ..scene import motion
from ..scene.actors import active_actor
from ..scene.bake_obstacles import restore_obstacles
from ..scene.edit_actor import refresh
from ..scene.errors import USER_ERRORS
from ..scene.findings import validate_scene
from ..scene.pose import restore_start
from ..scene.presets import apply_preset
from ..scene.units import units_of
from .base import MannequinOperator, NeedsActor, select_only


class MANNEQUIN_OT_place_on_ground(NeedsActor, bpy.types.Operator):
    """Lift or lower the posed actor until its lowest point touches the ground.

    bpy.ops.mannequin.place_on_ground(clearance=0.0)"""

    bl_idname = "mannequin.place_on_ground"
    bl_label = "Place on Ground"
    bl_description = "Lift or lower the posed actor until its lowest point touches the ground z = 0"

    clearance: FloatProperty(name="Clearance (m)", description="Height kept above the ground", precision=4)

    def run(self, context: bpy.types.Context) -> str:
        """Place."""
        shift = motion.place_on_ground(active_actor(context), context.scene, self.clearance)
        return f"Moved by {1000.0 * shift:+.1f} mm"


class MANNEQUIN_OT_set_velocity(NeedsActor, bpy.types.Operator):
    """Set the actor's velocity at the start.

    bpy.ops.mannequin.set_velocity(mode="HEADING", speed=11.1, heading=0.0)"""

    bl_idname = "mannequin.set_velocity"
    bl_label = "Set Velocity"
    bl_description = "Set the actor's velocity at the start, by components or by speed and heading"

    mode: EnumProperty(
        name="By",
        description="How the velocity is given",
        items=[
            ("VECTOR", "Components", "World x, y, z in m/s"),
            ("HEADING", "Speed and Heading", "Speed on level ground along a heading"),
        ],
    )
    velocity: FloatVectorProperty(name="Velocity (m/s)", description="World velocity", subtype="XYZ")
    angular_velocity: FloatVectorProperty(
        name="Angular Velocity (rad/s)", description="World turn rate of the whole actor", subtype="XYZ"
    )
    speed: FloatProperty(name="Speed (m/s)", description="Speed; 36 km/h are 10 m/s")
    heading: FloatProperty(
        name="Heading",
        description="From x, counter-clockwise seen from above",
        subtype="ANGLE",
        unit="ROTATION",
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from what it is."""
        start = active_actor(context).mannequin.actor
        self.velocity, self.angular_velocity = start.velocity, start.angular_velocity
        self.speed, self.heading = self.velocity.length, math.atan2(self.velocity.y, self.velocity.x)
        return context.window_manager.invoke_props_dialog(self)

    def run(self, context: bpy.types.Context) -> None:
        """Set."""
        start = active_actor(context).mannequin.actor
        by_heading = self.mode == "HEADING"
        start.velocity = motion.velocity_of_heading(self.speed, self.heading) if by_heading else self.velocity
        start.angular_velocity = self.angular_velocity


class MANNEQUIN_OT_clear_velocity(NeedsActor, bpy.types.Operator):
    """Start the actor from rest: no velocity, no turn, no joint velocities.

    bpy.ops.mannequin.clear_velocity()"""

    bl_idname = "mannequin.clear_velocity"
    bl_label = "Clear Velocity"
    bl_description = "Start the actor from rest: no velocity, no turn, no joint velocities"

    def run(self, context: bpy.types.Context) -> None:
        """Clear."""
        actor = active_actor(context)
        actor.mannequin.actor.velocity = actor.mannequin.actor.angular_velocity = (0.0, 0.0, 0.0)
        for bone in actor.pose.bones:
            bone.mannequin.velocity = (0.0, 0.0, 0.0)


class MANNEQUIN_OT_take_motion(NeedsActor, bpy.types.Operator):
    """Make the pose and velocities of the animation at the current frame the start.

    bpy.context.scene.frame_set(20)
    bpy.ops.mannequin.take_motion()"""

    bl_idname = "mannequin.take_motion"
    bl_label = "Take Motion at Frame"
    bl_description = (
        "Make the pose and velocities of the animation at the current frame the start, and stop the animation"
    )

    def run(self, context: bpy.types.Context) -> str:
        """Take."""
        motion.take_motion(active_actor(context), context.scene)
        return f"Took pose and velocity of frame {context.scene.frame_current}"


class MANNEQUIN_OT_restore_start(NeedsActor, bpy.types.Operator):
    """Put the baked motion aside and show the start again.

    bpy.ops.mannequin.restore_start()"""

    bl_idname = "mannequin.restore_start"
    bl_label = "Edit Start"
    bl_description = "Put the baked motion aside and show the start again, for editing"

    def run(self, context: bpy.types.Context) -> None:
        """Restore."""
        restore_start(active_actor(context), units_of(context.scene))
        restore_obstacles(context.scene)


class MANNEQUIN_OT_apply_preset(MannequinOperator, bpy.types.Operator):
    """Set how finely the scenario is computed and what is kept.

    bpy.ops.mannequin.apply_preset(preset="court")"""

    bl_idname = "mannequin.apply_preset"
    bl_label = "Apply Preset"
    bl_description = "Set how finely the scenario is computed and what is kept"

    preset: EnumProperty(
        name="Preset",
        description="Preset of the settings",
        items=[
            ("quick", "Quick Look", "Double time step, few outputs"),
            ("standard", "Standard", "The usual time step"),
            ("court", "Court", "A quarter of the usual time step, every contact kept"),
        ],
        default="standard",
    )

    def run(self, context: bpy.types.Context) -> None:
        """Apply."""
        apply_preset(context.scene, self.preset)


class MANNEQUIN_OT_validate(MannequinOperator, bpy.types.Operator):
    """Check the scenario and list what is wrong.

    bpy.ops.mannequin.validate()"""

    bl_idname = "mannequin.validate"
    bl_label = "Validate"
    bl_description = "Check the scenario and list what is wrong and how to put it right"

    update_rigs: BoolProperty(
        name="Update Rigs", description="Bring rigs in line with joints that were dragged first", default=True
    )

    def run(self, context: bpy.types.Context) -> str:
        """Validate."""
        if self.update_rigs:
            try:
                refresh(context.scene)
            except USER_ERRORS as error:  # shown as a finding by validate_scene below
                self.report({"WARNING"}, str(error))
        errors = validate_scene(context.scene)
        total = len(context.scene.mannequin.issues)
        if not total:
            return "Nothing wrong"
        return f"{errors} errors, {total - errors} warnings"


class MANNEQUIN_OT_select_culprit(MannequinOperator, bpy.types.Operator):
    """Select what a finding of the validation is about.

    bpy.ops.mannequin.select_culprit(index=0)"""

    bl_idname = "mannequin.select_culprit"
    bl_label = "Select the Culprit"
    bl_description = "Select what a finding of the validation is about"

    index: IntProperty(name="Finding", description="Place in the list; -1: the active one", default=-1)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a finding."""
        if not context.scene.mannequin.issues:
            cls.poll_message_set("Validate first; there are no findings")
            return False
        return True

    def run(self, context: bpy.types.Context) -> str | None:
        """Select the object, and the bone."""
        group = context.scene.mannequin
        issue = group.issues[self.index if self.index >= 0 else group.issues_index]
        if issue.object is None:
            return "This finding is about the scenario as a whole"
        select_only(context, issue.object)
        if issue.bone and issue.object.type == "ARMATURE" and issue.bone in issue.object.data.bones:
            issue.object.data.bones.active = issue.object.data.bones[issue.bone]
        return None


CLASSES = (
    MANNEQUIN_OT_place_on_ground,
    MANNEQUIN_OT_set_velocity,
    MANNEQUIN_OT_clear_velocity,
    MANNEQUIN_OT_take_motion,
    MANNEQUIN_OT_restore_start,
    MANNEQUIN_OT_apply_preset,
    MANNEQUIN_OT_validate,
    MANNEQUIN_OT_select_culprit,
)
