"""The last run as one page for any browser; cameras of the scene become views of the page."""

from pathlib import Path

import bpy

from ...viewer.cameras import Camera
from ...viewer.write import write_page
from ..base.units import units_of
from .results import last_run


def write_viewer(scene: bpy.types.Scene) -> Path:
    """Write the page of the last run into its folder; returns its path."""
    cameras = [o for o in scene.objects if o.type == "CAMERA" and o.data.type == "PERSP"]
    return write_page(last_run(scene), [page_camera(camera, scene) for camera in cameras])


def page_camera(camera: bpy.types.Object, scene: bpy.types.Scene) -> Camera:
    """A camera as the page has it, where it stands at the present frame, in pixels of the render."""
    place, turn, _ = camera.matrix_world.decompose()
    corners = camera.data.view_frame(scene=scene)
    left, right = min(c.x for c in corners), max(c.x for c in corners)
    low, high = min(c.y for c in corners), max(c.y for c in corners)
    render = scene.render
    height = render.resolution_y * render.resolution_percentage / 100.0
    scale = height / (high - low)  # pixels for a unit of the frame
    return Camera(
        camera.name,
        tuple(float(x) for x in units_of(scene).point_to_si(place)),
        tuple(turn),
        -corners[0].z * scale,
        ((right - left) * scale, height),
        (-left * scale, high * scale),
    )
