"""Property groups of a person: who somebody is, and how they look."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatVectorProperty

from ...engine.spec.person import Person
from .callbacks import update
from .groups import group_of

MannequinPerson = group_of(Person)


def color(label: str, meaning: str, value: tuple[float, float, float]) -> object:
    """Property of a colour."""
    return FloatVectorProperty(
        name=label,
        description=meaning,
        subtype="COLOR",
        size=3,
        min=0.0,
        max=1.0,
        default=value,
        update=update("look"),
    )


def choice(label: str, meaning: str, default: str, **items: str) -> object:
    """Property with a choice of names; `items` say what each is."""
    return EnumProperty(
        name=label,
        description=meaning,
        items=[
            (
                name,
                name if name.isupper() else name.replace("_", " ").replace("t shirt", "T-shirt").title(),
                text,
            )
            for name, text in items.items()
        ],
        default=default,
        update=update("look"),
    )


class Look:
    """Mixin: clothes, hair and colours of a person, for a property group and for operators alike."""

    upper: choice(
        "Upper Body",
        "What is worn above",
        "t_shirt",
        t_shirt="Short sleeves, worn outside",
        shirt="Long sleeves and a collar, tucked in",
        jumper="Long sleeves, thick",
        jacket="Open jacket over a T-shirt",
        dress="Dress to the knee; nothing is worn below it",
        none="Bare skin",
    )
    lower: choice(
        "Legs",
        "What is worn below",
        "trousers",
        trousers="Long trousers",
        shorts="To above the knee",
        skirt="Skirt to the knee",
        none="Bare skin",
    )
    feet: choice("Feet", "What is worn on the feet", "shoes", shoes="Low shoes", bare="Bare feet")
    hair: choice(
        "Hair",
        "Hair of the head",
        "short",
        short="Short, ears free",
        bob="To the chin",
        long="To the shoulder blades",
        thinning="A wreath of short hair",
        none="Bald",
    )
    skin_tone: choice(
        "Skin",
        "Skin tone, by Fitzpatrick's phototypes",
        "II",
        I="Very fair",
        II="Fair",
        III="Medium",
        IV="Olive or light brown",
        V="Brown",
        VI="Dark brown",
    )
    helmet: BoolProperty(description="Bicycle helmet on the head", update=update("look"))
    glasses: BoolProperty(description="Spectacles", update=update("look"))
    rucksack: BoolProperty(description="Rucksack on the back", update=update("look"))
    upper_color: color("Colour Above", "Colour of what is worn above", (0.13, 0.21, 0.38))
    lower_color: color("Colour Below", "Colour of what is worn below", (0.030, 0.035, 0.050))
    shoe_color: color("Colour of Shoes", "Colour of the shoes", (0.035, 0.025, 0.018))
    hair_color: color("Colour of Hair", "Colour of hair and brows", (0.050, 0.030, 0.018))
    eye_color: color("Colour of Eyes", "Colour of the iris", (0.070, 0.095, 0.110))
    court: BoolProperty(
        name="Court Look",
        description="Plain grey for skin, hair and clothes alike: nothing but shape and motion is shown",
        update=update("look"),
    )


class MannequinLook(Look, bpy.types.PropertyGroup):
    """Clothes, hair and colours of a person."""
