"""Property groups made from the dataclasses of `engine.spec`: a field becomes a property of the same name.

Label, tooltip, unit, soft range and choices are those of the field's description (`engine.spec.description`), the first
value is the field's default. An optional field gets a switch `use_<name>`, a list the number of its active item,
`<name>_index`. What Blender needs beyond the spec (links, references, switches of its own, hidden bookkeeping) is
written in the class; a property written there counts before the one of the spec.

Numbers of specs have soft limits only: a slider stops there, but a faulty value of a file is shown as it is, reported
by validation and written back unchanged, never clamped in silence.
"""

import dataclasses
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any, get_args, get_origin

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...engine.spec.description import Choices, Description, description_of
from ...io_json.exact_copy import field_types
from .references import Targets, reference

SECONDS = {"subtype": "TIME_ABSOLUTE", "unit": "TIME_ABSOLUTE"}

GROUPS: dict[Any, type] = {}
"""Spec, or type of a row of numbers or names, to the property group that holds one."""


class Authored:
    """Mixin: the spec this group was made from, as text in full precision."""

    original: StringProperty(
        description="What the file said, in full precision; used as long as the shown value is not changed",
        options={"HIDDEN"},
    )


def group_of(spec: type, leave_out: tuple[str, ...] = (), **targets: Targets) -> type:
    """Property group that holds a spec and nothing else, of the module that asks for it; see `mirrors`."""
    asking = sys._getframe(1).f_globals["__name__"]
    members = {"__doc__": inspect.getdoc(spec), "__module__": asking}
    name = f"Mannequin{spec.__name__}"
    return mirrors(spec, leave_out, **targets)(type(name, (Authored, bpy.types.PropertyGroup), members))


def mirrors(spec: type, leave_out: tuple[str, ...] = (), **targets: Targets) -> Callable[[type], type]:
    """Class decorator: give a property group the fields of a spec, except those left out.

    targets: for each field that names a part of the model, what it can name.
    """

    def add(group: type) -> type:
        made: dict[str, Any] = {}
        for field in dataclasses.fields(spec):
            if field.name not in leave_out:
                made |= field_properties(spec, field, targets.get(field.name))
        group.__annotations__ = noticed(made | inspect.get_annotations(group))
        GROUPS[spec] = group
        return group

    return add


def noticed(properties: dict[str, Any]) -> dict[str, Any]:
    """The same properties, of which Blender notices every change: it marks the data-block of a property that a script
    sets as changed only where the property has an `update`."""
    for deferred in properties.values():
        keywords = getattr(deferred, "keywords", None)
        if keywords is not None and not {"update", "get", "set", "type"} & keywords.keys():
            keywords["update"] = is_noticed
    return properties


def is_noticed(group: Any, context: bpy.types.Context) -> None:
    """`update` of properties that has nothing to do but to be there."""


def field_properties(spec: type, field: dataclasses.Field, targets: Targets | None) -> Mapping[str, Any]:
    """Properties of one field: its own, and those that belong to it."""
    name, hint, about = field.name, field_types(spec)[field.name], description_of(spec, field.name)
    if targets is not None:
        empty = f"; empty: {about.absent}" if about.absent else ""
        return reference(name, about.label, about.meaning + empty, targets)
    made = {}
    if type(None) in get_args(hint):
        (hint,) = (inner for inner in get_args(hint) if inner is not type(None))
        made[f"use_{name}"] = switch(about, is_group=dataclasses.is_dataclass(hint))
    made[name] = one_property(hint, about, first_value(field, about))
    if item_type(hint) in GROUPS:
        made[f"{name}_index"] = IntProperty(name="Active Item", description=f"Active item of {about.label}")
    return made


def switch(about: Description, is_group: bool) -> Any:
    """Switch that says whether an optional value is given."""
    label = about.switch or (about.label if is_group else f"Own {about.label}")
    return BoolProperty(name=label, description=f"{about.meaning}; off: {about.absent}")


def first_value(field: dataclasses.Field, about: Description) -> dict[str, Any]:
    """Default of the property, where there is one to give."""
    value = field.default if about.new is None else about.new
    return {} if value is None or value is dataclasses.MISSING else {"default": value}


def item_type(hint: Any) -> Any:
    """What a list or a table consists of; None for anything else."""
    origin, arguments = get_origin(hint), get_args(hint)
    is_table = origin is tuple and arguments[-1] is Ellipsis
    return arguments[0] if origin is list or is_table else None


def one_property(hint: Any, about: Description, default: dict[str, Any]) -> Any:
    """Property for a value of a type."""
    texts = {"name": about.label, "description": about.meaning}
    if dataclasses.is_dataclass(hint):
        return PointerProperty(type=GROUPS[hint], **texts)
    if item_type(hint) in GROUPS:
        return CollectionProperty(type=GROUPS[item_type(hint)], **texts)
    if about.options:
        return EnumProperty(items=enum_items(about.options), **texts, **default)
    if hint in (bool, str):
        return (BoolProperty if hint is bool else StringProperty)(**texts, **default)
    if hint is int:
        return IntProperty(**texts, **soft_range(about), **default)
    if hint is float:
        return FloatProperty(**number(about, 1), **in_radians(about, default))
    if get_origin(hint) is tuple and set(get_args(hint)) == {float}:
        size = len(get_args(hint))
        return FloatVectorProperty(size=size, **number(about, size), **in_radians(about, default))
    raise TypeError(f"no property can hold {hint}: leave {about.label} out, or write it in the class")


def enum_items(choices: Choices, **labels: str) -> list[tuple[str, str, str]]:
    """Items of an EnumProperty; labels where a word itself is not fit to be one."""
    return [
        (word, labels.get(word) or word.replace("_", " ").title(), meaning)
        for word, meaning in choices.meanings.items()
    ]


def number(about: Description, size: int) -> dict[str, Any]:
    """Label, tooltip, unit and soft range of one or more numbers. A unit that Blender does not show is in the label."""
    made = {"name": about.label, "description": about.meaning, **soft_range(about)}
    if about.digits is not None:
        made["precision"] = about.digits
    if about.unit == "degrees":
        made |= {"unit": "ROTATION"} if size > 1 else {"subtype": "ANGLE", "unit": "ROTATION"}
    elif about.unit == "s":
        made |= SECONDS
    else:
        made["name"] += f" ({about.unit})" if about.unit else ""
        subtype = "XYZ" if size == 3 else "FACTOR" if (about.low, about.high) == (0, 1) else "NONE"
        made["subtype"] = subtype
    return made


def soft_range(about: Description) -> dict[str, Any]:
    """Where a slider stops."""
    ends = {"soft_min": about.low, "soft_max": about.high}
    return in_radians(about, {key: end for key, end in ends.items() if end is not None})


def in_radians(about: Description, values: dict[str, Any]) -> dict[str, Any]:
    """Values of an angle as Blender holds them; others as they are."""
    if about.unit != "degrees":
        return values
    return {
        key: tuple(map(math.radians, value)) if isinstance(value, tuple) else math.radians(value)
        for key, value in values.items()
    }
