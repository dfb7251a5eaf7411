"""Bring properties of files from older versions up to date when a file is opened.

Each data-block that holds our properties says by which layout it was written (`property_version`; zero until it is
saved for the first time). STEPS maps a layout
to the function that turns a data-block of it into one of the next. To change a layout: raise
`properties.PROPERTY_VERSION`, add the step here, and a file of the old layout to the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import bpy

from ..engine.spec import Motor, PrescribedMotion
from . import fields, plain
from .properties import PROPERTY_VERSION

CLASSES = ()

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
    value = getattr(plain.load(cls, group.original), name)
    if fields.has_switch(group, name):
        setattr(group, f"use_{name}", value is not None)
    if value is not None:
        fields.write_value(group, name, value)


STEPS: dict[int, Step] = {1: show_tables}
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
    warnings = [told for told in map(migrate, list(owners())) if told]
    for scene in bpy.data.scenes:
        if scene.library is None and warnings:
            scene.mannequin.validated = True
            for told in warnings:
                item = scene.mannequin.issues.add()
                item.severity, item.message = "warning", told
    return warnings


@bpy.app.handlers.persistent
def on_load(*_: object) -> None:
    """Handler that runs after a file was opened."""
    for told in migrate_file():
        print(f"Mannequin: {told}")


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
    """Stop watching."""
    bpy.app.handlers.save_pre.remove(on_save)
    bpy.app.handlers.load_post.remove(on_load)
