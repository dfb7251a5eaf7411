"""Panel of a person: who the actor is, and how it looks."""

import bpy

from ..scene.base.user_units import draw_shown, text_shown
from ..scene.people.change import is_person
from ..scene.store.actors import active_actor
from .base import ClosedPanel, draw_optional, draw_properties, use_columns


def draw_way(layout: bpy.types.UILayout, start: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> None:
    """How fast somebody walks or runs, and the moment of the stride; both show at once."""
    column = use_columns(layout)
    column.prop(start, "going")
    draw_shown(column, start, "walking_speed", "m/s", "Speed", scene)
    column.prop(start, "stride_moment")


def draw_muscle_action(layout: bpy.types.UILayout, start: bpy.types.PropertyGroup) -> None:
    """Muscle tone, and what is done against a fall."""
    column = use_columns(layout)
    draw_optional(column, start, "tone")
    column.prop(start, "use_response")
    if start.use_response:
        column.prop(start.response, "preset")
        column.prop(start.response, "arming")


class MANNEQUIN_PT_person(ClosedPanel, bpy.types.Panel):
    """The active person."""

    bl_parent_id = "MANNEQUIN_PT_model"
    bl_order = -1

    needs = staticmethod(lambda context: is_person(active_actor(context)))

    def draw(self, context: bpy.types.Context) -> None:
        """Size as text, with the button that changes it; clothes and colours, which show at once."""
        layout, group = self.layout, active_actor(context).data.mannequin
        person, look = group.person, group.look
        size = (text_shown(person.height, "m", context.scene), text_shown(person.mass, "kg", context.scene))
        layout.label(text=f"{person.age:.0f} years, {size[0]}, {size[1]}")
        layout.operator("mannequin.change_person", icon="MOD_ARMATURE")
        load = text_shown(person.load, "kg", context.scene)
        text = f"Carries {load}..." if person.load > 0.0 else "Carry Something..."
        layout.operator("mannequin.carry_load", text=text, icon="PACKAGE")
        start = active_actor(context).mannequin.actor
        draw_way(layout, start, context.scene)
        layout.operator("mannequin.let_walk", icon="POSE_HLT")
        draw_muscle_action(layout, start)
        column = use_columns(layout)
        column.label(text="Measured (Change Person applies it)")
        draw_properties(
            column, person, ("head", "chest", "waist", "hip", "upper_arm", "thigh", "leg", "ancestry")
        )
        column.label(text="Worn, in the Mass Too (Change Person applies it)")
        draw_properties(column, person, ("helmet", "glasses", "rucksack"))
        column.label(text="Look")
        for name in ("upper", "lower", "feet", "hair", "skin_tone"):
            column.prop(look, name)
        for name in ("upper_color", "lower_color", "shoe_color", "hair_color", "eye_color"):
            column.prop(look, name)
        column.prop(look, "court")
