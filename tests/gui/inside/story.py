"""The story that the window test tells: a user's way from an empty scene to a man in the tab "Mannequin"."""

import bpy
import drive
from drive import expect, in_window, shot


def open_tab() -> drive.Story:
    """Open the sidebar and choose the tab."""
    _, area = drive.viewport()
    area.spaces.active.show_region_ui = True
    yield from drive.redrawn()
    region = next(r for r in area.regions if r.type == "UI")
    region.active_panel_category = "Mannequin"
    yield from drive.redrawn()


def story() -> drive.Story:
    expect(hasattr(bpy.types, "MANNEQUIN_PT_model"), "the extension is not enabled")
    yield from open_tab()
    yield from shot("01-empty")
    with in_window():
        bpy.ops.mannequin.add_actor(model="male")
    yield from shot("02-man")


drive.start(story())
