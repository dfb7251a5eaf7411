"""Having Blender draw again what timers and other processes have changed."""

import bpy


def redraw_viewports(region: str = "") -> None:
    """Draw the 3D viewports of all windows again, or one kind of their regions only, such as "UI", the sidebar."""
    manager = bpy.context.window_manager
    for window in manager.windows if manager is not None else ():
        for area in window.screen.areas:
            if area.type != "VIEW_3D":
                continue
            for part in [p for p in area.regions if p.type == region] if region else [area]:
                part.tag_redraw()
