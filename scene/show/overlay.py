"""Draw the overlays in the 3D viewport. What is drawn is in `overlay_geometry`; here are the handler and the GPU."""

from collections.abc import Iterable, Sequence
from typing import Any

import bpy

from .overlay_geometry import Lines, overlay_lines

LINE_WIDTH = 2.0

HANDLES: list[Any] = []
"""Draw handler of the viewport, while the extension is registered and there is a window."""


def draw() -> None:
    """Draw all overlays of the scene that is shown."""
    draw_lines(overlay_lines(bpy.context.scene))


def draw_lines(groups: Iterable[tuple[Sequence[float], Lines]]) -> None:
    """Draw lines of several colours, in world space, where the viewport shows overlays."""
    import gpu
    from gpu_extras.batch import batch_for_shader

    space = bpy.context.space_data
    if space is None or not space.overlay.show_overlays:
        return
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    for color, lines in groups:
        points = [point for line in lines for point in line]
        batch = batch_for_shader(shader, "LINES", {"pos": points})
        shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
        shader.uniform_float("lineWidth", LINE_WIDTH)
        shader.uniform_float("color", color)
        batch.draw(shader)
    gpu.state.blend_set("NONE")


def register() -> None:
    """Start drawing; background mode has no viewport."""
    if not bpy.app.background:
        HANDLES.append(bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW"))


def unregister() -> None:
    """Remove the draw handler."""
    while HANDLES:
        bpy.types.SpaceView3D.draw_handler_remove(HANDLES.pop(), "WINDOW")
