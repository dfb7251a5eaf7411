"""Panels of the scenario: the start of the actor, pulses, settings, findings."""

import bpy

from ..scene.base.text_layout import draw_text
from ..scene.base.user_units import draw_shown
from ..scene.rig.skeletons import is_skeleton
from ..scene.store.actors import active_actor, active_bone, actors_of
from .base import (
    ORDER,
    ClosedPanel,
    MannequinPanel,
    draw_items,
    draw_list,
    draw_optional,
    draw_properties,
    use_columns,
)
from .curves import draw_curve, draw_optional_curve
from .joint import draw_motor
from .model import draw_connection, draw_inner_list
from .person import draw_way


class MANNEQUIN_PT_scenario(MannequinPanel, bpy.types.Panel):
    """The scenario, and where the active actor starts."""

    bl_order = ORDER["scenario"]

    def draw(self, context: bpy.types.Context) -> None:
        """Files, actors, placing."""
        layout, group = self.layout, context.scene.mannequin
        row = layout.row(align=True)
        row.operator("mannequin.import_scenario", text="Import", icon="IMPORT")
        row.operator("mannequin.export_scenario", text="Export", icon="EXPORT")
        column = use_columns(layout)
        column.prop(group, "name")
        column.prop(group, "description")
        for actor in actors_of(context.scene):
            row = layout.row(align=True)
            row.prop(actor.mannequin.actor, "enabled", text="")
            row.label(text=actor.name, icon="ARMATURE_DATA")
        if active_actor(context) is not None:
            row = layout.row(align=True)
            row.operator("mannequin.place_on_ground")
            row.operator("mannequin.take_motion", text="Take Motion")
            layout.operator("mannequin.restore_start")
        if group.use_approach or any(actor.mannequin.actor.approach for actor in actors_of(context.scene)):
            column = use_columns(layout)
            column.prop(group, "use_approach")
            row = column.row()
            row.active = group.use_approach
            row.prop(group, "first_frame")


class OfActor(ClosedPanel):
    """Mixin of sub-panels about the active actor's start."""

    bl_parent_id = "MANNEQUIN_PT_scenario"
    needs = staticmethod(active_actor)


class MANNEQUIN_PT_animation(OfActor, bpy.types.Panel):
    """From animation into simulation and back."""

    def draw(self, context: bpy.types.Context) -> None:
        """Motion of others, taking it, and what comes after."""
        column = self.layout.column(align=True)
        column.operator("mannequin.import_motion", icon="IMPORT")
        column.operator("mannequin.retarget_motion")
        column.operator("mannequin.take_motion", text="Take Motion and Go On").goes_on = True
        column.operator("mannequin.blend_into_animation")


class MANNEQUIN_PT_skeleton(ClosedPanel, bpy.types.Panel):
    """Which bones of the active armature of another program stand for which bodies."""

    bl_parent_id = "MANNEQUIN_PT_scenario"

    @staticmethod
    def needs(context: bpy.types.Context) -> bool:
        """An armature that is no actor."""
        return is_skeleton(context.object)

    def draw(self, context: bpy.types.Context) -> None:
        """The list, each bone to be corrected."""
        armature = context.object
        skeleton = armature.mannequin.skeleton
        self.layout.operator("mannequin.map_skeleton")
        if skeleton.convention:
            self.layout.label(text=f"By {skeleton.convention}")
        column = use_columns(self.layout)
        for row in skeleton.bones:
            column.prop_search(row, "bone", armature.data, "bones", text=row.name)


class MANNEQUIN_PT_velocity(OfActor, bpy.types.Panel):
    """Velocities at the start."""

    bl_label = "Start Velocity"
    bl_options = set()

    def draw(self, context: bpy.types.Context) -> None:
        """Velocity of the actor, and of the active joint."""
        actor, bone = active_actor(context), active_bone(context)
        column = use_columns(self.layout)
        draw_shown(column, actor.mannequin.actor, "speed", "m/s", "Speed", context.scene)
        column.prop(actor.mannequin.actor, "heading")
        draw_properties(column, actor.mannequin.actor, ("velocity", "angular_velocity"))
        if bone is not None:
            column.label(text=f"{bone.mannequin.joint.name} (rad/s)")
            row = column.row(align=True)
            row.use_property_split = False
            row.prop(actor.pose.bones[bone.name].mannequin, "velocity", text="")
        row = self.layout.row(align=True)
        row.operator("mannequin.set_velocity", text="Set...")
        row.operator("mannequin.clear_velocity", text="Clear")
        row = self.layout.row(align=True)
        for kind, text in (("LINEAR", "Drag Velocity"), ("ANGULAR", "Drag Turn")):
            row.operator("mannequin.drag_velocity", text=text).kind = kind


class MANNEQUIN_PT_pulses(OfActor, bpy.types.Panel):
    """Torque and force pulses."""

    def draw(self, context: bpy.types.Context) -> None:
        """Both lists, and their active items."""
        group = active_actor(context).mannequin.actor
        self.layout.label(text="Torques on Joints")
        draw_items(self.layout, group, "torque_pulses", "torque_pulses", rows=2)
        self.layout.label(text="Forces on Bodies")
        self.layout.operator("mannequin.shove", text="Shove...")
        draw_items(self.layout, group, "force_pulses", "force_pulses", rows=2)


class MANNEQUIN_PT_tone(OfActor, bpy.types.Panel):
    """Muscle tone, motors and prescribed motion in this scenario."""

    bl_label = "Tone and Prescribed Motion"

    def draw(self, context: bpy.types.Context) -> None:
        """Tone, own motor of the active joint, prescribed motions."""
        actor, bone = active_actor(context), active_bone(context)
        column = use_columns(self.layout)
        draw_optional(column, actor.mannequin.actor, "tone")
        if bone is not None:
            start = actor.pose.bones[bone.name].mannequin
            column.prop(start, "use_motor", text=f"Own Motor at {bone.mannequin.joint.name}")
            if start.use_motor:
                draw_motor(column, start.motor, "own_motor")
        self.layout.label(text="Prescribed Motions")
        motion = draw_list(self.layout, actor.mannequin.actor, "prescribed", "prescribed", rows=2)
        if motion is not None:
            draw_prescribed(use_columns(self.layout), motion)


class MANNEQUIN_PT_response(OfActor, bpy.types.Panel):
    """What the person does against a fall."""

    bl_label = "Protective Response"

    def draw(self, context: bpy.types.Context) -> None:
        """Whether there is one; its preset, when it begins, and the numbers in place of the preset's."""
        draw_switched(self.layout, active_actor(context).mannequin.actor, "response")


class MANNEQUIN_PT_gait(OfActor, bpy.types.Panel):
    """A walk that the person is in the middle of."""

    def draw(self, context: bpy.types.Context) -> None:
        """How and where to, and the button that gives the start of it."""
        start = active_actor(context).mannequin.actor
        draw_way(self.layout, start, context.scene)
        draw_switched(self.layout, start, "gait")
        self.layout.operator("mannequin.let_walk")


DRIVE_TABLES = {
    "pedal": (("Time (s)", "Share"), ("s", "")),
    "steering": (("Time (s)", "Angle"), ("s", "°")),
    "path": (("X (m)", "Y (m)"), ("m", "m")),
    "trace": (("Time (s)", "Speed (m/s)", "Angle"), ("s", "m/s")),
}


class MANNEQUIN_PT_driver(OfActor, bpy.types.Panel):
    """What the driver of the vehicle does: speed, brakes, steering."""

    def draw(self, context: bpy.types.Context) -> None:
        """Values, the tables that are used, and the record of an event data recorder."""
        group = active_actor(context).mannequin.actor
        draw_switched(self.layout, group, "drive")
        self.layout.operator("mannequin.load_recorder")
        if not group.use_drive:
            return
        for name in DRIVE_TABLES:
            draw_drive_table(self.layout, group.drive, name)


def draw_drive_table(layout: bpy.types.UILayout, drive: bpy.types.PropertyGroup, name: str) -> None:
    """Whether a table of the driver is used, and its rows where it is."""
    draw_optional_curve(layout, drive, name, f"drive_{name}", *DRIVE_TABLES[name])


def draw_switched(layout: bpy.types.UILayout, group: bpy.types.PropertyGroup, name: str) -> None:
    """The switch of a part of an actor that may be absent, and its properties, grey where it is off."""
    column = use_columns(layout)
    column.prop(group, f"use_{name}")
    column = column.column()
    column.active = getattr(group, f"use_{name}")
    draw_properties(column, getattr(group, name))


ROOT_COLUMNS = ("X", "Y", "Z (m/s)", "X", "Y", "Z (rad/s)")
JOINT_COLUMNS = ("Z", "Y", "X")


def draw_prescribed(layout: bpy.types.UILayout, motion: bpy.types.PropertyGroup) -> None:
    """A motion along a table: what moves, until when, and the rows."""
    draw_properties(layout, motion, ("joint", "release_time", "release_at_contact", "source", "columns"))
    columns = JOINT_COLUMNS if motion.use_joint else ROOT_COLUMNS
    columns = ("Angle",) if motion.use_joint and motion.columns == 1 else columns[: motion.columns]
    unit = "°" if motion.use_joint else ""
    draw_curve(layout, motion, "table", "prescribed_table", ("Time (s)", *columns), ("s", unit))


class MANNEQUIN_PT_scenario_connections(ClosedPanel, bpy.types.Panel):
    """Springs, belts and welds between actors."""

    bl_label = "Connections Between Actors"
    bl_parent_id = "MANNEQUIN_PT_scenario"

    def draw(self, context: bpy.types.Context) -> None:
        """A list of each, and its active item."""
        group = context.scene.mannequin
        for attribute in ("springs", "belts", "welds"):
            self.layout.label(text=attribute.title())
            if attribute == "welds":
                self.layout.operator("mannequin.grip", text="Grip of a Hand...")
            item = draw_list(self.layout, group, attribute, f"scenario_{attribute}", rows=2)
            if item is not None:
                draw_connection(use_columns(self.layout), item, with_actor=True)
                draw_inner_list(self.layout, item, "", "scenario_belt_points")


class MANNEQUIN_PT_sensors(ClosedPanel, bpy.types.Panel):
    """What is measured at every time step."""

    bl_parent_id = "MANNEQUIN_PT_scenario"

    def draw(self, context: bpy.types.Context) -> None:
        """Default set, further sensors, and the active one in full."""
        group = context.scene.mannequin
        self.layout.prop(group, "default_sensors")
        sensor = draw_list(self.layout, group, "sensors", "sensors", rows=2)
        if sensor is not None:
            column = use_columns(self.layout)
            draw_properties(column, sensor, ("name", "actor"))
            draw_properties(column, sensor)


class MANNEQUIN_PT_settings(ClosedPanel, bpy.types.Panel):
    """How the scenario is computed."""

    bl_parent_id = "MANNEQUIN_PT_scenario"

    def draw(self, context: bpy.types.Context) -> None:
        """Presets, time, and what joints do."""
        settings = context.scene.mannequin.settings
        self.layout.operator_menu_enum("mannequin.apply_preset", "preset", icon="PRESET")
        column = use_columns(self.layout)
        draw_properties(
            column, settings, ("duration", "time_step", "output_step", "integrator", "largest_step")
        )
        if settings.integrator == "variable_step" or settings.use_largest_step:
            column.prop(settings, "tolerance")
        names = ("joint_limits", "joint_damping", "default_joint_damping", "self_contact", "exclusion_hops")
        draw_properties(column, settings, names)


class MANNEQUIN_PT_settings_more(ClosedPanel, bpy.types.Panel):
    """Settings that are seldom changed."""

    bl_label = "More"
    bl_parent_id = "MANNEQUIN_PT_settings"

    def draw(self, context: bpy.types.Context) -> None:
        """Contact, recording and bounds."""
        names = (
            "contact_damping", "contact_damping_mode", "multi_contact", "patch_friction", "stiction",
            "friction_velocity", "friction_viscosity", "absorb_ground_overlap", "start_overlap_limit",
            "contact_history", "reactions", "max_speed",
        )  # fmt: skip
        draw_properties(use_columns(self.layout), context.scene.mannequin.settings, names)


class MANNEQUIN_PT_validation(MannequinPanel, bpy.types.Panel):
    """The findings of the validation."""

    bl_parent_id = "MANNEQUIN_PT_scenario"

    def draw(self, context: bpy.types.Context) -> None:
        """The findings, the active one in full."""
        layout, group = self.layout, context.scene.mannequin
        layout.operator("mannequin.validate", icon="CHECKMARK")
        if not group.validated:
            return
        if not group.issues:
            layout.label(text="No problems at the last check", icon="CHECKMARK")
            return
        layout.template_list("MANNEQUIN_UL_issues", "issues", group, "issues", group, "issues_index", rows=4)
        if 0 <= group.issues_index < len(group.issues):
            draw_text(layout, group.issues[group.issues_index].message)
        layout.operator("mannequin.select_finding", icon="RESTRICT_SELECT_OFF")
