"""Operators on the scenario: the start of an actor, settings, validation."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty

from ..scene.base.errors import USER_ERRORS
from ..scene.base.units import units_of
from ..scene.base.user_units import SPEED_UNITS, unit_shown
from ..scene.model.edit_actor import refresh
from ..scene.motion.bake_obstacles import restore_obstacles
from ..scene.rig.pose import restore_start
from ..scene.scenario import start_motion as motion
from ..scene.scenario.findings import validate_scene
from ..scene.scenario.speed import brake, has_wheels, roll_wheels
from ..scene.store.actors import active_actor
from ..scene.store.presets import apply_preset
from .base import Asks, MannequinOperator, NeedsActor, select_only

NO_WHEELS = "The actor has no wheels: select a vehicle"


class MANNEQUIN_OT_place_on_ground(NeedsActor, bpy.types.Operator):
    """Raise or lower the posed actor until its lowest point touches the ground z = 0.

    bpy.ops.mannequin.place_on_ground(clearance=0.0)
    """

    clearance: FloatProperty(name="Clearance (m)", description="Height kept above the ground", precision=4)

    def run(self, context: bpy.types.Context) -> str:
        shift = motion.place_on_ground(active_actor(context), context.scene, self.clearance)
        return f"Moved by {1000.0 * shift:+.1f} mm"


class MANNEQUIN_OT_set_velocity(Asks, NeedsActor, bpy.types.Operator):
    """Set the actor's velocity at the start, by components or by speed and heading.

    bpy.ops.mannequin.set_velocity(mode="HEADING", speed=40.0, speed_unit="KMH", heading=0.0)
    """

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
    speed: FloatProperty(description="Speed in the unit below; 36 km/h are 10 m/s")
    speed_unit: EnumProperty(
        name="Unit",
        description="Unit of the speed",
        items=[(key, unit.label, f"Speed in {unit.label}") for key, unit in SPEED_UNITS.items()],
    )
    heading: FloatProperty(
        description="From x, counter-clockwise seen from above", subtype="ANGLE", unit="ROTATION"
    )

    def begin_with(self, context: bpy.types.Context) -> None:
        start = active_actor(context).mannequin.actor
        self.velocity, self.angular_velocity = start.velocity, start.angular_velocity
        shown = unit_shown("m/s", context.scene)
        self.speed_unit = next(key for key, unit in SPEED_UNITS.items() if unit == shown)
        self.speed, self.heading = shown.shown(self.velocity.length), start.heading

    def run(self, context: bpy.types.Context) -> None:
        start = active_actor(context).mannequin.actor
        by_heading = self.mode == "HEADING"
        speed = SPEED_UNITS[self.speed_unit].si(self.speed)
        start.velocity = motion.velocity_of_heading(speed, self.heading) if by_heading else self.velocity
        start.angular_velocity = self.angular_velocity


class MANNEQUIN_OT_roll_wheels(NeedsActor, bpy.types.Operator):
    """Let the wheels of the actor roll at its velocity.

    bpy.ops.mannequin.roll_wheels()
    """

    needs = ((lambda context: has_wheels(active_actor(context)), NO_WHEELS),)

    def run(self, context: bpy.types.Context) -> str:
        return f"{len(roll_wheels(active_actor(context)))} wheels roll"


class MANNEQUIN_OT_brake(Asks, NeedsActor, bpy.types.Operator):
    """Brake the wheels of the actor, so that it slows down at a rate where the ground gives enough friction.

    bpy.ops.mannequin.brake(deceleration=0.7, begin=0.2)
    """

    deceleration: FloatProperty(
        name="Deceleration (g)",
        description="Rate in standard gravity, 9.80665 m/s2; 0: the brakes are off",
        default=0.7,
        min=0.0,
        soft_max=1.2,
    )
    begin: FloatProperty(name="From (s)", description="Simulated time at which the brakes act", min=0.0)

    needs = ((lambda context: has_wheels(active_actor(context)), NO_WHEELS),)

    def run(self, context: bpy.types.Context) -> str:
        count = brake(active_actor(context), self.deceleration, self.begin)
        return f"{count} wheels brake at {self.deceleration:.3g} g" if count else "The brakes are off"


class MANNEQUIN_OT_clear_velocity(NeedsActor, bpy.types.Operator):
    """Start the actor from rest: no velocity, no turn, no joint velocities."""

    def run(self, context: bpy.types.Context) -> None:
        actor = active_actor(context)
        actor.mannequin.actor.velocity = actor.mannequin.actor.angular_velocity = (0.0, 0.0, 0.0)
        for bone in actor.pose.bones:
            bone.mannequin.velocity = (0.0, 0.0, 0.0)


class MANNEQUIN_OT_restore_start(NeedsActor, bpy.types.Operator):
    """Unlink the baked motion and show the start again, for editing."""

    bl_label = "Edit Start"

    def run(self, context: bpy.types.Context) -> None:
        restore_start(active_actor(context), units_of(context.scene))
        restore_obstacles(context.scene)


class MANNEQUIN_OT_apply_preset(MannequinOperator, bpy.types.Operator):
    """Set how finely the scenario is computed and what is kept.

    bpy.ops.mannequin.apply_preset(preset="court")
    """

    preset: EnumProperty(
        description="Preset of the settings",
        items=[
            ("quick", "Quick Look", "Double time step, few outputs"),
            ("standard", "Standard", "The usual time step"),
            ("court", "Court", "A quarter of the usual time step, every contact kept"),
        ],
        default="standard",
    )

    def run(self, context: bpy.types.Context) -> None:
        apply_preset(context.scene, self.preset)


class MANNEQUIN_OT_validate(MannequinOperator, bpy.types.Operator):
    """Check the scenario and list each problem with its remedy.

    bpy.ops.mannequin.validate()
    """

    update_rigs: BoolProperty(
        description="Bring rigs in line with joints that were dragged first", default=True
    )

    def run(self, context: bpy.types.Context) -> str:
        if self.update_rigs:
            try:
                refresh(context.scene)
            except USER_ERRORS as error:  # shown as a finding by validate_scene below
                self.report({"WARNING"}, str(error))
        errors = validate_scene(context.scene)
        total = len(context.scene.mannequin.issues)
        if not total:
            return "No problems found"
        return f"{errors} errors, {total - errors} warnings"


class MANNEQUIN_OT_select_finding(MannequinOperator, bpy.types.Operator):
    """Select the object and the bone that a finding of the validation is about.

    bpy.ops.mannequin.select_finding(index=0)
    """

    bl_label = "Select Object of Finding"

    index: IntProperty(name="Finding", description="Place in the list; -1: the active one", default=-1)

    needs = ((lambda context: context.scene.mannequin.issues, "Validate first; there are no findings"),)

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
