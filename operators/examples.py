"""Operators that open a shipped scenario."""

import bpy
from bpy.props import EnumProperty

from ..scene.base.text_layout import draw_text
from ..scene.scenario.examples import example_icon, list_examples, open_example, open_in_new_file, title_of
from ..scene.store.actors import actors_of
from .base import ShowsActors, kept_items, select_only


@kept_items
def example_items() -> list[tuple]:
    """Shipped scenarios with their pictures."""
    return [
        (name, title_of(name), words, example_icon(name), number)
        for number, (name, words) in enumerate(list_examples().items())
    ]


class ChoosesExample(ShowsActors):
    """Mixin: a dialog with the pictures of all examples; the words of the one chosen stand below."""

    example: EnumProperty(description="Shipped scenario", items=example_items)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Show the pictures."""
        return context.window_manager.invoke_props_dialog(self, width=360)

    def draw(self, context: bpy.types.Context) -> None:
        """Picture, name and words."""
        self.layout.template_icon_view(self, "example", show_labels=True, scale=9.0, scale_popup=6.0)
        self.layout.prop(self, "example", text="")
        draw_text(self.layout, list_examples()[self.example])


class MANNEQUIN_OT_open_example(ChoosesExample, bpy.types.Operator):
    """Open a shipped scenario, ready to simulate; where this scene has a scenario, in a new scene of its own.

    bpy.ops.mannequin.open_example(example="trip")
    """

    takes_long = True

    def run(self, context: bpy.types.Context) -> str:
        """Open, and select the first actor."""
        scene, warnings = open_example(self.example, context.window)
        select_only(context, actors_of(scene)[0])
        self.show_actors(context, warnings)
        return f"Opened '{title_of(self.example)}' in the scene '{scene.name}'"


class MANNEQUIN_OT_new_from_example(ChoosesExample, bpy.types.Operator):
    """Begin a new file with a shipped scenario, ready to simulate.

    bpy.ops.mannequin.new_from_example(example="car_pedestrian")
    """

    bl_options = {"REGISTER"}

    def run(self, context: bpy.types.Context) -> None:
        self.show_actors(context, open_in_new_file(self.example))
