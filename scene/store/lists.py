"""The lists that panels edit: where each hangs, and adding, removing and moving their items."""

from typing import Any

import bpy

from ..base.errors import SceneError
from . import fields
from .actors import active_actor, active_bone, active_of_kind
from .references import new_uid


def _lists_of_motor(name: str) -> dict[str, tuple]:
    """The curves of a motor over time and speed."""
    return {
        f"{name}_gain": (name.upper(), "gain_over_time", 0.1),
        f"{name}_targets": (name.upper(), "target_over_time", 0.1),
        f"{name}_speeds": (name.upper(), "torque_over_speed", 1.0),
    }


LISTS: dict[str, tuple] = {
    "materials": ("MODEL", "materials"),
    "springs": ("MODEL", "springs"),
    "belts": ("MODEL", "belts"),
    "welds": ("MODEL", "welds"),
    "couplers": ("MODEL", "couplers"),
    "wheels": ("MODEL", "wheels"),
    "contact_exclude": ("MODEL", "contact_exclude"),
    "contact_include": ("MODEL", "contact_include"),
    "material_loading": ("MATERIAL", "loading", 0.01),
    "material_unloading": ("MATERIAL", "unloading", 0.01),
    "material_rates": ("MATERIAL", "rate_factors", 1.0),
    "spring_curve": ("SPRING", "curve", 0.01),
    "belt_points": ("BELT", "path"),
    "joint_springs": ("JOINT", "springs"),
    "joint_spring_curve": ("JOINT_SPRING", "curve", 10.0),
    "joint_breaks": ("JOINT", "breaks"),
    **_lists_of_motor("slide_motor"),
    "force_curve": ("ELLIPSOID", "force_curve", 0.01),
    "unload_curve": ("ELLIPSOID", "unload_curve", 0.01),
    **_lists_of_motor("motor"),
    **_lists_of_motor("own_motor"),
    "path_wraps": ("MUSCLE", "path_wraps"),
    "muscle_excitation": ("EXCITATION", "curve", 0.1),
    "excitation_rules": ("ACTOR", "excitation_rules"),
    "rule_excitation": ("RULE_EXCITATION", "curve", 0.1),
    "torque_pulses": ("ACTOR", "torque_pulses"),
    "force_pulses": ("ACTOR", "force_pulses"),
    "prescribed": ("ACTOR", "prescribed"),
    "prescribed_table": ("PRESCRIBED", "table", 0.1),
    "drive_pedal": ("DRIVE", "pedal", 0.1),
    "drive_steering": ("DRIVE", "steering", 0.1),
    "drive_path": ("DRIVE", "path", 1.0),
    "drive_trace": ("DRIVE", "trace", 0.1),
    "pairs": ("SCENE", "pairs"),
    "scenario_springs": ("SCENE", "springs"),
    "scenario_belts": ("SCENE", "belts"),
    "scenario_belt_points": ("SCENE_BELT", "path"),
    "scenario_welds": ("SCENE", "welds"),
    "sensors": ("SCENE", "sensors"),
    "sweep_inputs": ("SWEEP", "inputs"),
    "camera_points": ("CAMERA_MATCH", "points"),
    "camera_lines": ("CAMERA_MATCH", "lines"),
    "evidence": ("EVIDENCE", "targets"),
    "hypotheses": ("EVIDENCE", "hypotheses"),
    "hypothesis_inputs": ("HYPOTHESIS", "inputs"),
    "film_shots": ("FILM", "shots"),
}
"""Name of a list to the kind of its owner and the property there, whose active item is `<property>_index`; of rows of
numbers also how far a new row is from the last: metres, seconds, degrees, metres or radians per second."""

INSIDE = {
    "MATERIAL": ("MODEL", "materials"),
    "SPRING": ("MODEL", "springs"),
    "BELT": ("MODEL", "belts"),
    "JOINT_SPRING": ("JOINT", "springs"),
    "PRESCRIBED": ("ACTOR", "prescribed"),
    "SCENE_BELT": ("SCENE", "belts"),
    "RULE": ("ACTOR", "excitation_rules"),
    "HYPOTHESIS": ("EVIDENCE", "hypotheses"),
}
"""Kinds of owners that are themselves the active item of a list: where that list is."""

PARTS = {
    "EXCITATION": ("MUSCLE", "excitation"),
    "RULE_EXCITATION": ("RULE", "excitation"),
    "MOTOR": ("JOINT", "motor"),
    "JOINT_SLIDE": ("JOINT", "slide"),
    "SLIDE_MOTOR": ("JOINT_SLIDE", "motor"),
    "OWN_MOTOR": ("START", "motor"),
    "DRIVE": ("ACTOR", "drive"),
    "SWEEP": ("SCENE", "sweep"),
    "CAMERA_MATCH": ("SCENE", "camera_match"),
    "EVIDENCE": ("SCENE", "evidence"),
    "FILM": ("SCENE", "film"),
}
"""Kinds of owners that are a property of another owner."""


def active_item(owner: Any, attribute: str) -> Any:
    """Active item of a list, or None."""
    items, index = getattr(owner, attribute), getattr(owner, f"{attribute}_index")
    return items[index] if 0 <= index < len(items) else None


def find_owner(context: bpy.types.Context, kind: str) -> Any:
    """Property group that owns a list of the active thing; None where nothing is active."""
    if kind in INSIDE or kind in PARTS:
        outer, name = (INSIDE | PARTS)[kind]
        owner = find_owner(context, outer)
        if owner is None:
            return None
        return active_item(owner, name) if kind in INSIDE else getattr(owner, name)
    if kind == "SCENE":
        return context.scene.mannequin
    if kind in ("ELLIPSOID", "MUSCLE"):
        obj = active_of_kind(context, kind)
        return getattr(obj.mannequin, kind.lower()) if obj is not None else None
    actor, bone = active_actor(context), active_bone(context)
    if kind in ("JOINT", "START"):
        if bone is None:
            return None
        return bone.mannequin.joint if kind == "JOINT" else actor.pose.bones[bone.name].mannequin
    if actor is None:
        return None
    return actor.data.mannequin if kind == "MODEL" else actor.mannequin.actor


def find_list(context: bpy.types.Context, name: str) -> tuple[Any, str]:
    """Owner and property of a list."""
    kind, attribute, *_ = LISTS[name]
    owner = find_owner(context, kind)
    if owner is None:
        raise SceneError(f"select the {kind.lower().replace('_', ' ')} whose list is meant")
    return owner, attribute


def add_item(context: bpy.types.Context, name: str) -> None:
    """Add an item after the last and make it active. A row of a curve or a table goes on from the last one."""
    owner, attribute = find_list(context, name)
    items = getattr(owner, attribute)
    item = items.add()
    if name == "materials":
        item.uid = new_uid(owner.id_data)
        item.name = f"material {len(items)}"
    if name in ("hypotheses", "evidence"):
        item.name = f"{name.replace('hypotheses', 'hypothesis')} {len(items)}"
    if name == "sensors":
        item.name, item.actor = f"sensor {len(items)}", active_actor(context)
        if (bone := active_bone(context)) is not None:
            item.body = bone.name
    if name == "film_shots":
        item.name = f"Shot {len(items)}"
    for step in LISTS[name][2:]:
        go_on(item, items[len(items) - 2] if len(items) > 1 else None, step)
    setattr(owner, f"{attribute}_index", len(items) - 1)


def go_on(item: Any, last: Any, step: float) -> None:
    """Make a new row repeat the last one, a step further."""
    if last is not None:
        numbers = list(fields.read_row(last, ()))
        fields.write_row(item, [round(numbers[0] + step, 6), *numbers[1:]])
    elif "count" in item.bl_rna.properties:
        item.count = 4


def remove_item(context: bpy.types.Context, name: str) -> None:
    """Remove the active item."""
    owner, attribute = find_list(context, name)
    items, index = getattr(owner, attribute), getattr(owner, f"{attribute}_index")
    if not 0 <= index < len(items):
        raise SceneError("the list has no active item")
    items.remove(index)
    setattr(owner, f"{attribute}_index", max(0, min(index, len(items) - 1)))


def move_item(context: bpy.types.Context, name: str, step: int) -> None:
    """Move the active item up (-1) or down (+1)."""
    owner, attribute = find_list(context, name)
    items, index = getattr(owner, attribute), getattr(owner, f"{attribute}_index")
    target = index + step
    if 0 <= target < len(items):
        items.move(index, target)
        setattr(owner, f"{attribute}_index", target)
