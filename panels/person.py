"""Panel of a person: who the actor is, and how it looks."""

import bpy

from ..scene.base.user_units import draw_shown, text_shown
from ..scene.people.change import is_person
from ..scene.store.actors import active_actor
from .base import ClosedPanel, draw_properties, use_columns


class MANNEQUIN_PT_person(ClosedPanel, bpy.types.Panel):
    """The active person."""

    bl_label = "Person"
    bl_parent_id = "MANNEQUIN_PT_model"
    bl_order = -1

    @staticmethod
    def needs(context: bpy.types.Context) -> bool:
        """Shown for actors that are people."""
        return is_person(active_actor(context))

    def draw(self, context: bpy.types.Context) -> None:
        """Size as text, with the button that changes it; clothes and colours, which show at once."""
        layout, group = self.layout, active_actor(context).data.mannequin
        person, look = group.person, group.look
        size = (text_shown(person.height, "m", context.scene), text_shown(person.mass, "kg", context.scene))
        layout.label(text=f"{person.age:.0f} years, {size[0]}, {size[1]}")
        layout.operator("mannequin.change_person", icon="MOD_ARMATURE")
        column = use_columns(layout)
        start = active_actor(context).mannequin.actor
        draw_shown(column, start, "walking_speed", "m/s", "Walking", context.scene)
        column.prop(start, "stride_moment")
        layout.operator("mannequin.let_walk", icon="POSE_HLT")
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
