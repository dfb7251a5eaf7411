"""Bring properties of files from older versions up to date when a file is opened.

Each data-block that holds our properties says by which layout it was written (`property_version`; zero until it is
saved for the first time). STEPS maps a layout
to the function that turns a data-block of it into one of the next. To change a layout: raise
`properties.PROPERTY_VERSION`, add the step here, and a file of the old layout to the tests.
"""

from collections.abc import Callable, Iterator
from typing import Any

import bpy

from ...engine.spec import Motor, PrescribedMotion
from ...io_json import exact_copy
from ..base.blender_version import stored
from . import fields
from .properties import PROPERTY_VERSION

Step = Callable[[bpy.types.ID], None]


def show_tables(owner: bpy.types.ID) -> None:
    """Layout 1 kept the targets of motors over time and the tables of prescribed motion only in the text of their
    originals; layout 2 shows them as rows."""
    if isinstance(owner, bpy.types.Armature):
        for bone in owner.bones:
            show_field(bone.mannequin.joint.motor, Motor, "target_over_time")
    elif isinstance(owner, bpy.types.Object) and owner.mannequin.kind == "ACTOR":
        for bone in owner.pose.bones:
            show_field(bone.mannequin.motor, Motor, "target_over_time")
        for motion in owner.mannequin.actor.prescribed:
            show_field(motion, PrescribedMotion, "table")


def show_field(group: bpy.types.PropertyGroup, cls: type, name: str) -> None:
    """Show a field of a group as its original has it."""
    value = getattr(exact_copy.load(cls, group.original), name)
    if fields.has_switch(group, name):
        setattr(group, f"use_{name}", value is not None)
    if value is not None:
        fields.write_value(group, name, value)


MOVED = {
    "runs": {"runs_folder": "folder", "follow": "follow"},
    "bake": dict.fromkeys(
        (
            "every_sample",
            "series",
            "fit_timeline",
            "slowness",
            "use_slow_range",
            "slow_start",
            "slow_end",
            "slow_factor",
            "more_slow",
        )
    ),
    "traces": dict.fromkeys(("arrow_length", "path_bodies", "ghost_count", "ghost_times", "mark_force")),
}
"""Group of layout 3 to what layout 2 had in `film`, and its new name where that is another."""


def part_film(owner: bpy.types.ID) -> None:
    """Layout 2 kept the runs folder, baking, results and traces in `film`; layout 3 has a group for each."""
    if not isinstance(owner, bpy.types.Scene):
        return
    kept = stored(owner).get("mannequin", {}).get("film", {})
    for group, names in MOVED.items():
        for old, new in names.items():
            if old in kept:
                setattr(getattr(owner.mannequin, group), new or old, kept.pop(old))
    if "results" in kept:
        copy_stored(kept.pop("results"), owner.mannequin.results)


def copy_stored(kept: Any, group: bpy.types.PropertyGroup) -> None:
    """Fill a group, and the rows of its lists, from what a file holds."""
    for name in kept.keys() & group.bl_rna.properties.keys():
        if group.bl_rna.properties[name].type == "COLLECTION":
            for row in kept[name]:
                copy_stored(row, getattr(group, name).add())
        else:
            setattr(group, name, kept[name])


def keep_mode(owner: bpy.types.ID) -> None:
    """Up to layout 3 several contacts had their full force each unless said otherwise; a file says no default."""
    if isinstance(owner, bpy.types.Scene):
        kept = stored(owner).get("mannequin", {}).get("settings", {})
        if "multi_contact" not in kept:
            owner.mannequin.settings.multi_contact = "none"


STEPS: dict[int, Step] = {1: show_tables, 2: part_film, 3: keep_mode}
"""Layout to the step that leads on from it."""

NEWER = (
    "was saved by a newer version of Mannequin (property layout {found}, this one knows {known}): "
    "update the extension before changing the file"
)


def owners() -> Iterator[bpy.types.ID]:
    """Every data-block of the open file that holds properties of ours and is not linked from another file."""
    for armature in bpy.data.armatures:
        if armature.mannequin.is_model and armature.library is None:
            yield armature
    for obj in bpy.data.objects:
        if obj.mannequin.kind != "NONE" and obj.library is None:
            yield obj
    for scene in bpy.data.scenes:
        if scene.library is None:
            yield scene


def migrate(owner: bpy.types.ID) -> str:
    """Bring one data-block up to date; returns a warning, or nothing."""
    group = owner.mannequin
    if group.property_version > PROPERTY_VERSION:
        return f"'{owner.name}' {NEWER.format(found=group.property_version, known=PROPERTY_VERSION)}"
    for layout in range(group.property_version or PROPERTY_VERSION, PROPERTY_VERSION):
        STEPS[layout](owner)
    stamp(owner)
    return ""


def stamp(owner: bpy.types.ID) -> None:
    """Say that a data-block has the present layout."""
    if owner.mannequin.property_version != PROPERTY_VERSION:
        owner.mannequin.property_version = PROPERTY_VERSION


def migrate_file() -> list[str]:
    """Bring the open file up to date; returns warnings, which the list of findings shows too."""
    warnings = [warning for warning in map(migrate, list(owners())) if warning]
    for scene in bpy.data.scenes:
        if scene.library is None and warnings:
            scene.mannequin.validated = True
            for warning in warnings:
                item = scene.mannequin.issues.add()
                item.severity, item.message = "warning", warning
    return warnings


@bpy.app.handlers.persistent
def on_load(*_: object) -> None:
    """Handler that runs after a file was opened."""
    for warning in migrate_file():
        print(f"Mannequin: {warning}")


@bpy.app.handlers.persistent
def on_save(*_: object) -> None:
    """Handler that runs before a file is saved: what was made in this session has the present layout."""
    for owner in owners():
        if owner.mannequin.property_version == 0:
            stamp(owner)


def register() -> None:
    """Watch for opened and saved files."""
    bpy.app.handlers.load_post.append(on_load)
    bpy.app.handlers.save_pre.append(on_save)


def unregister() -> None:
    """Remove the handlers."""
    bpy.app.handlers.save_pre.remove(on_save)
    bpy.app.handlers.load_post.remove(on_load)
