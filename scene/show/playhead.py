"""The playhead in plots: an upright line over a plot in an image editor, at the moment that the scene shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.handlers import persistent

from ..base.units import time_of_frame
from .results import scene_time_map

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEY = "mannequin_time_axis"
"""Custom property of a plot's image: left, right, lower and upper end of its axes as shares of the picture, then the
first and the last simulated second of the axis of time."""
TIME_LABEL = "time (s)"
COLOR, WIDTH = (1.0, 0.25, 0.1, 1.0), 2.0

HANDLES: list[Any] = []
"""Draw handler of image editors, while the extension is registered and there is a window."""


def keep_time_axis(image: bpy.types.Image, figure: Figure) -> None:
    """Note where the axis of time of a drawn figure is in its picture; of a plot over something else, nothing."""
    if KEY in image:
        del image[KEY]
    axes = [part for part in figure.axes if part.get_visible()]
    if not axes or axes[-1].get_xlabel() != TIME_LABEL:
        return
    boxes = [part.get_position() for part in axes]
    first, last = axes[-1].get_xlim()
    image[KEY] = [
        min(box.x0 for box in boxes),
        max(box.x1 for box in boxes),
        min(box.y0 for box in boxes),
        max(box.y1 for box in boxes),
        float(first),
        float(last),
    ]


def playhead(image: bpy.types.Image | None, scene: bpy.types.Scene) -> tuple[float, float, float] | None:
    """(across, lower end, upper end) of the playhead as shares of a picture; None where the picture has no axis of time
    or the moment is beyond it."""
    if image is None or KEY not in image:
        return None
    left, right, low, high, first, last = image[KEY]
    seconds = scene_time_map(scene).simulated_time(time_of_frame(scene.frame_current_final, scene))
    share = (seconds - first) / (last - first)
    return (left + share * (right - left), low, high) if 0.0 <= share <= 1.0 else None


def draw() -> None:
    """Draw the playhead over the plot that an image editor shows."""
    import gpu
    from gpu_extras.batch import batch_for_shader

    place = playhead(bpy.context.space_data.image, bpy.context.scene)
    if place is None:
        return
    across, *ends = place
    view = bpy.context.region.view2d
    points = [(*view.view_to_region(across, end, clip=False), 0.0) for end in ends]
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader.uniform_float("viewportSize", gpu.state.viewport_get()[2:])
    shader.uniform_float("lineWidth", WIDTH)
    shader.uniform_float("color", COLOR)
    batch_for_shader(shader, "LINES", {"pos": points}).draw(shader)


@persistent
def show_frame(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Called for every frame: image editors that show a plot are drawn again."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "IMAGE_EDITOR" and area.spaces.active.image is not None:
                area.tag_redraw()


def register() -> None:
    """Start drawing; background mode has no editors."""
    if not bpy.app.background:
        HANDLES.append(bpy.types.SpaceImageEditor.draw_handler_add(draw, (), "WINDOW", "POST_PIXEL"))
        bpy.app.handlers.frame_change_post.append(show_frame)


def unregister() -> None:
    """Remove the handlers."""
    while HANDLES:
        bpy.types.SpaceImageEditor.draw_handler_remove(HANDLES.pop(), "WINDOW")
        bpy.app.handlers.frame_change_post.remove(show_frame)
