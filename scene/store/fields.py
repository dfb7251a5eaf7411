"""Copy spec dataclasses into property groups and back, field by field of the same name.

What Blender shows is 32-bit, what a file said is not. A group therefore keeps the spec it was made from as text
(`original`). Reading it back, a number that still shows the original's 32-bit rounding *is* the original; one that
shows something else was changed by a person and is taken as shown, in its shortest decimal form. Nothing has to watch
for changes, and an untouched import reads back exactly.

Conventions of groups: an optional field `x` has a switch `use_x`; angles are degrees in specs and radians (unit
ROTATION) in properties; curves and tables are collections of rows whose numbers, in the order of their properties, are
those of the spec; fields a group does not show stay as they were in the original.
"""

import dataclasses
import math
import typing
from typing import Any

import numpy as np

from ...io_json import exact_copy
from ..base.errors import SceneError

LARGEST = float(np.finfo(np.float32).max)
"""What Blender shows for infinity."""


def write_group(group: Any, spec: Any, leave_out: tuple[str, ...] = ()) -> None:
    """Fill a property group from a spec and keep the spec's own text in it, except the fields left out."""
    if "original" in group.bl_rna.properties:
        group.original = exact_copy.dump(spec, leave_out)
    for name in shown_fields(group, spec, leave_out):
        value = getattr(spec, name)
        if has_switch(group, name):
            setattr(group, f"use_{name}", value is not None)
        if value is not None:
            write_value(group, name, value)


def shown_fields(group: Any, spec: Any, leave_out: tuple[str, ...]) -> list[str]:
    """Fields that both the spec and the group have, in the spec's order."""
    properties = group.bl_rna.properties
    names = [f.name for f in dataclasses.fields(spec)]
    return [name for name in names if name in properties and name not in leave_out]


def has_switch(group: Any, name: str) -> bool:
    """Whether a field is optional in the group."""
    return f"use_{name}" in group.bl_rna.properties


def holds_group(prop: Any) -> bool:
    """Whether a pointer property holds a property group (not a link to an object)."""
    base = prop.fixed_type
    while base is not None:
        if base.identifier == "PropertyGroup":
            return True
        base = base.base
    return False


def write_value(group: Any, name: str, value: Any) -> None:
    """Put one spec value into a property."""
    prop = group.bl_rna.properties[name]
    if prop.type == "POINTER":
        if holds_group(prop):
            write_group(getattr(group, name), value)
    elif prop.type == "COLLECTION":
        write_collection(getattr(group, name), value)
    elif prop.type == "FLOAT":
        setattr(group, name, to_shown(prop, value))
    elif prop.type == "STRING" and not isinstance(value, str):
        setattr(group, name, "" if value is None else str(value))
    elif prop.type == "ENUM" and value not in prop.enum_items:
        known = ", ".join(prop.enum_items.keys())
        raise SceneError(f"'{value}' is no {prop.name.lower()} that is known: choose one of {known}")
    else:
        setattr(group, name, value)


def write_collection(collection: Any, items: Any) -> None:
    """Replace a collection's items by specs or rows of numbers."""
    collection.clear()
    for value in items:
        item = collection.add()
        if dataclasses.is_dataclass(value):
            write_group(item, value)
        else:
            write_row(item, value)


def row_numbers(item: Any) -> list[tuple[Any, int]]:
    """Where the numbers of a row are, in order: the property, and the place in it (-1: it is one number)."""
    found = []
    for prop in item.bl_rna.properties:
        if prop.type == "FLOAT":
            found += [(prop, k) for k in range(prop.array_length)] if prop.is_array else [(prop, -1)]
    return found


def write_row(item: Any, row: Any) -> None:
    """Put the numbers of a curve point or a row of a table into its properties."""
    numbers = row_numbers(item)
    if len(row) > len(numbers):
        raise SceneError(f"a row of {len(row)} numbers: {item.bl_rna.name} has at most {len(numbers)}")
    for (prop, index), value in zip(numbers, row, strict=False):
        shown = float(value) * (math.pi / 180.0 if prop.unit == "ROTATION" else 1.0)
        if index < 0:
            setattr(item, prop.identifier, shown)
        else:
            getattr(item, prop.identifier)[index] = shown
    if "count" in item.bl_rna.properties:
        item.count = len(row)


def to_shown(prop: Any, value: Any) -> Any:
    """Number or vector as the property holds it: radians where the property is an angle."""
    factor = math.pi / 180.0 if prop.unit == "ROTATION" else 1.0
    if prop.is_array:
        return [float(x) * factor for x in value]
    return float(value) * factor


def read_group(group: Any, cls: type, leave_out: tuple[str, ...] = ()) -> Any:
    """Spec of a property group: the original where it still shows, else what is shown."""
    original = exact_copy.load(cls, group.original)
    changes = {}
    for name in shown_fields(group, original, leave_out):
        if has_switch(group, name) and not getattr(group, f"use_{name}"):
            changes[name] = None
        else:
            changes[name] = read_value(
                group, name, getattr(original, name), exact_copy.field_types(cls)[name]
            )
    return dataclasses.replace(original, **changes)


def read_value(group: Any, name: str, original: Any, hint: Any) -> Any:
    """One spec value of a property."""
    prop, shown = group.bl_rna.properties[name], getattr(group, name)
    if prop.type == "POINTER":
        return read_group(shown, inner_class(hint)) if holds_group(prop) else original
    if prop.type == "COLLECTION":
        if dataclasses.is_dataclass(inner_class(hint)):
            return [read_group(item, inner_class(hint)) for item in shown]
        return read_rows(shown, original or ())
    if prop.type == "FLOAT":
        return read_number(shown, original, prop)
    if prop.type == "STRING" and shown == "" and type(None) in typing.get_args(hint):
        return None
    return shown


def inner_class(hint: Any) -> Any:
    """Dataclass inside `X | None`, `list[X]` or `X`; None where there is none."""
    if dataclasses.is_dataclass(hint):
        return hint
    for argument in typing.get_args(hint):
        found = inner_class(argument)
        if found is not None:
            return found
    return None


def read_rows(items: Any, original: tuple) -> tuple[tuple[float, ...], ...]:
    """Curve or table of a collection of rows."""
    return tuple(read_row(item, original[k] if k < len(original) else ()) for k, item in enumerate(items))


def read_row(item: Any, original: tuple) -> tuple[float, ...]:
    """Numbers of a curve point or a row of a table; as many as it counts, where it does."""
    numbers = row_numbers(item)[: getattr(item, "count", None)]
    return tuple(
        reconcile(
            original[k] if k < len(original) else None,
            getattr(item, prop.identifier) if index < 0 else getattr(item, prop.identifier)[index],
            prop.unit == "ROTATION",
        )
        for k, (prop, index) in enumerate(numbers)
    )


def read_number(shown: Any, original: Any, prop: Any) -> Any:
    """Number or vector of a FLOAT property."""
    degrees = prop.unit == "ROTATION"
    if not prop.is_array:
        return reconcile(original, shown, degrees)
    was = tuple(original) if original is not None and len(original) == len(shown) else (None,) * len(shown)
    return tuple(reconcile(o, s, degrees) for o, s in zip(was, shown, strict=True))


def reconcile(original: float | None, shown: float, degrees: bool = False) -> float:
    """The original number if `shown` is its 32-bit rounding, else `shown` in its shortest decimal form."""
    if abs(shown) >= LARGEST:
        shown = math.copysign(math.inf, shown)
    if original is not None:
        rounded = np.float32(float(original) * (math.pi / 180.0 if degrees else 1.0))
        if rounded == np.float32(shown):
            return original
    return shortest_degrees(shown) if degrees else shortest(shown)


def shortest(value: float) -> float:
    """Shortest decimal number with the same 32-bit rounding: 0.35, not 0.3499999940395355."""
    return float(str(np.float32(value)))


def shortest_degrees(radians: float) -> float:
    """Shortest decimal number of degrees that has the same 32-bit rounding in radians."""
    for digits in range(1, 10):
        candidate = float(f"{math.degrees(radians):.{digits}g}")
        if np.float32(math.radians(candidate)) == np.float32(radians):
            return candidate
    return math.degrees(radians)
