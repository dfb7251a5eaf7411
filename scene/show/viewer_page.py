"""The last run as one page for any browser; cameras of the scene become views of the page."""

from __future__ import annotations

import math
from pathlib import Path

import bpy
from mathutils import Vector

from ...viewer.content import Camera
from ...viewer.write import write_page
from ..base.units import units_of
from .results import last_run


def write_viewer(scene: bpy.types.Scene) -> Path:
    """Write the page of the last run into its folder; returns its path."""
    cameras = [o for o in scene.objects if o.type == "CAMERA" and o.data.type == "PERSP"]
    return write_page(last_run(scene), [page_camera(camera, scene) for camera in cameras])


def page_camera(camera: bpy.types.Object, scene: bpy.types.Scene) -> Camera:
    """A camera as the page has it, where it stands at the present frame."""
    place, turn, _ = camera.matrix_world.decompose()
    corners = camera.data.view_frame(scene=scene)
    half_height = 0.5 * (max(c.y for c in corners) - min(c.y for c in corners))
    return Camera(
        camera.name,
        tuple(float(x) for x in units_of(scene).point_to_si(place)),
        tuple(turn @ Vector((0.0, 0.0, -1.0))),
        math.degrees(2.0 * math.atan2(half_height, -corners[0].z)),
    )
