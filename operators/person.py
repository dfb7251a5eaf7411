"""Operators on people: add one of any sex, age, height, mass and build, and change one later."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from mathutils import Vector

from ..scene.base.user_units import draw_shown, shown_property
from ..scene.people.change import (
    LOAD_PLACES,
    MISSING,
    carry_load,
    change_person,
    copy_look,
    has_data,
    is_person,
    new_person,
    person_of,
    person_with,
    worn_masses,
    worn_things,
)
from ..scene.people.preset_pictures import preset_icon
from ..scene.people.presets import PRESETS
from ..scene.people.preview import end_preview, show_preview
from ..scene.scenario.free_place import clear_place_of_person
from ..scene.store.actors import active_actor
from ..scene.store.person import Look
from .base import Asks, NeedsActor, Placed, ShowsActors, kept_items

OWN = "own"


def take_preset(self: bpy.types.Operator, context: bpy.types.Context) -> None:
    """Set the sliders to a preset's size."""
    if self.preset != OWN:
        person = PRESETS[self.preset].person
        for name in ("sex", "age", "height", "mass", "build"):
            setattr(self, name, getattr(person, name))


@kept_items
def preset_items() -> list[tuple]:
    """Presets with their thumbnails; the first keeps the sliders."""
    return [
        (OWN, "Own Size", "As the sliders say", 0, 0),
        *(
            (name, preset.label, preset.source, preset_icon(name), number)
            for number, (name, preset) in enumerate(PRESETS.items(), 1)
        ),
    ]


class HasPerson(Look, ShowsActors):
    """Mixin: the sliders of a person, with what it wears; while a dialog is open the shape follows them."""

    preset: EnumProperty(
        description="Size to begin with", items=preset_items, update=take_preset, options={"SKIP_SAVE"}
    )
    sex: FloatProperty(description="0 woman, 1 man, or between", min=0.0, max=1.0, subtype="FACTOR")
    age: FloatProperty(
        name="Age (years)", description="Age", default=40.0, min=1.0, max=95.0, precision=0, step=100
    )
    height: FloatProperty(
        name="Height (m)",
        description="Stature, standing, without shoes",
        default=1.70,
        min=0.5,
        max=2.5,
        soft_min=0.7,
        soft_max=2.1,
        step=1,
    )
    mass: FloatProperty(
        name="Mass (kg)",
        description="Mass of the body, without clothes",
        default=70.0,
        min=4.0,
        max=350.0,
        soft_min=8.0,
        soft_max=200.0,
        precision=1,
        step=50,
    )
    build: FloatProperty(
        description="How much of the mass is muscle: 0 slight, 0.5 ordinary, 1 athletic",
        default=0.5,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )
    height_shown: shown_property("height", "m", "Stature in the unit shown, standing, without shoes")
    mass_shown: shown_property("mass", "kg", "Mass of the body in the unit shown, without clothes")
    takes_long = True
    needs = ((lambda context: has_data(), MISSING),)
    preview_at: Vector | None = None
    """Where somebody new is shown while the dialog is open; None: at the 3D cursor"""

    def asked(self, context: bpy.types.Context) -> object:
        """The person that the sliders say; measures of a tape are those of the actor that is changed."""
        return person_with(
            self.changed(context),
            sex=self.sex,
            age=self.age,
            height=self.height,
            mass=self.mass,
            build=self.build,
            **worn_masses(self.changed(context), self),
        )

    def changed(self, context: bpy.types.Context) -> bpy.types.Object | None:
        """The actor that is to change; None where one is added."""
        return None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask, with a preview."""
        self.check(context)
        return context.window_manager.invoke_props_dialog(self, width=360)

    def check(self, context: bpy.types.Context) -> bool:
        """Called by Blender whenever a slider of the dialog has moved: show the shape."""
        show_preview(self.asked(context), self, context.scene, self.changed(context), self.preview_at)
        return True

    def cancel(self, context: bpy.types.Context) -> None:
        """Take the preview away."""
        end_preview(self.changed(context))

    def draw(self, context: bpy.types.Context) -> None:
        """Size to the left, clothes to the right."""
        layout = self.layout
        layout.prop(self, "preset")
        columns = layout.row()
        for names in (
            ("sex", "age", "height", "mass", "build", "helmet", "glasses", "rucksack", "court"),
            ("upper", "lower", "feet", "hair", "skin_tone"),
        ):
            column = columns.column()
            for name in names:
                if name in ("height", "mass"):
                    held = "m" if name == "height" else "kg"
                    draw_shown(column, self, f"{name}_shown", held, name.title(), context.scene)
                    continue
                column.prop(self, name, text="" if name in ("upper", "lower", "feet", "hair") else None)
        row = layout.row()
        for name in ("upper_color", "lower_color", "shoe_color", "hair_color", "eye_color"):
            row.prop(self, name, text="")


class MANNEQUIN_OT_add_person(Placed, HasPerson, bpy.types.Operator):
    """Add a person of any sex, age, height, mass and build, dressed, with the body model that belongs to them.

    bpy.ops.mannequin.add_person(sex=0.0, age=71.0, height=1.63, mass=58.0, upper="jumper", hair="bob")
    """

    name: StringProperty(description="Name of the actor; empty: Person", options={"SKIP_SAVE"})
    on_ground: BoolProperty(name="Place on Ground", description="Stand the person on z = 0", default=True)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask, with a preview where the person will stand."""
        self.place = "CLEAR"
        self.preview_at = self.place_for(context)
        return super().invoke(context, event)

    def place_for(self, context: bpy.types.Context) -> Vector | None:
        """Where the person is to stand; None: at the 3D cursor."""
        return clear_place_of_person(self.height, context.scene) if self.place == "CLEAR" else None

    def run(self, context: bpy.types.Context) -> str:
        """Build at the 3D cursor or clear of what is there, and select."""
        end_preview()
        person, at = self.asked(context), self.place_for(context)
        actor, notes = new_person(person, context.scene, self, self.name or "Person", self.on_ground, at)
        return self.added(context, actor, notes)


class MANNEQUIN_OT_carry_load(Asks, NeedsActor, ShowsActors, bpy.types.Operator):
    """Let the person carry a bag: it counts in mass, inertia and contact, and moves with who carries it.

    bpy.ops.mannequin.carry_load(mass=8.0, place="both_hands")
    """

    mass: FloatProperty(
        name="Mass (kg)", description="Mass that is carried; 0: nothing", default=5.0, min=0.0, soft_max=40.0
    )
    place: EnumProperty(
        description="Where it is carried",
        items=[(word, word.replace("_", " ").title(), text) for word, text in LOAD_PLACES.items()],
        default="right_hand",
    )

    takes_long = True
    needs = ((lambda context: is_person(active_actor(context)), "The actor is no person: use Add Person"),)

    def begin_with(self, context: bpy.types.Context) -> None:
        person = person_of(active_actor(context))
        if person.load > 0.0:
            self.mass, self.place = person.load, person.load_place

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        self.show_actors(context, carry_load(actor, self.mass, self.place, context.scene))
        if self.mass <= 0.0:
            return f"'{actor.name}' carries nothing"
        return f"'{actor.name}' carries {self.mass:.3g} kg"


class MANNEQUIN_OT_change_person(HasPerson, NeedsActor, bpy.types.Operator):
    """Make the person another one: pose, place and scenario are kept.

    bpy.ops.mannequin.change_person(sex=1.0, age=35.0, height=1.82, mass=95.0)
    """

    needs = ((lambda context: is_person(active_actor(context)), "The actor is no person: use Add Person"),)

    def changed(self, context: bpy.types.Context) -> bpy.types.Object:
        return active_actor(context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin with who the actor is."""
        actor = active_actor(context)
        person = person_of(actor)
        for name in ("sex", "age", "height", "mass", "build"):
            setattr(self, name, getattr(person, name))
        copy_look(actor.data.mannequin.look, self)
        for name in worn_things(person):
            setattr(self, name, True)
        return super().invoke(context, event)

    def run(self, context: bpy.types.Context) -> str:
        actor = active_actor(context)
        end_preview(actor)
        self.show_actors(context, change_person(actor, self.asked(context), context.scene, self))
        return f"Changed '{actor.name}'"
