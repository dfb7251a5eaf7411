"""Operators on the place: matching a camera to a photograph."""

import bpy
from bpy.props import FloatVectorProperty
from bpy_extras.io_utils import ExportHelper

from ..scene.places import camera_match
from .base import MannequinOperator

HAS_POINTS = (
    lambda context: bool(context.scene.mannequin.camera_match.points),
    "Select empties at known points and press Add Camera Points",
)


class MANNEQUIN_OT_add_camera_points(MannequinOperator, bpy.types.Operator):
    """Put the selected objects into the list of points that are marked in the photograph.

    bpy.ops.mannequin.add_camera_points()
    """

    needs = ((lambda context: bool(context.selected_objects), "Select empties at the known points"),)

    def run(self, context: bpy.types.Context) -> str:
        added = camera_match.add_points(context.scene, list(context.selected_objects))
        return f"Added {added} points: mark each in the photograph"


class MANNEQUIN_OT_pick_camera_pixel(MannequinOperator, bpy.types.Operator):
    """Click in an Image Editor that shows the photograph to mark the active point; the next one becomes active.

    bpy.ops.mannequin.pick_camera_pixel(pixel=(640.0, 360.0))
    """

    needs = (HAS_POINTS,)
    pixel: FloatVectorProperty(
        name="Pixel", description="x to the right and y down from the upper left corner", size=2
    )

    def run(self, context: bpy.types.Context) -> None:
        group = context.scene.mannequin.camera_match
        group.points[group.points_index].pixel = self.pixel
        group.points_index = min(group.points_index + 1, len(group.points) - 1)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Wait for a click."""
        context.workspace.status_text_set("Click the active point in an Image Editor; Esc to stop")
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Take clicks inside a picture; let everything else through."""
        if event.type in {"ESC", "RIGHTMOUSE"}:
            context.workspace.status_text_set(None)
            return {"CANCELLED"}
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            pixel = camera_match.pixel_under(context.screen, event.mouse_x, event.mouse_y)
            if pixel is not None:
                self.pixel = pixel
                context.workspace.status_text_set(None)
                return self.execute(context)
        return {"PASS_THROUGH"}


class MANNEQUIN_OT_match_camera(MannequinOperator, bpy.types.Operator):
    """Match a camera to the marked points, show the photograph behind it, and name points that do not fit.

    bpy.ops.mannequin.match_camera()
    """

    needs = (HAS_POINTS,)
    takes_long = True

    def run(self, context: bpy.types.Context) -> str:
        match = camera_match.match_scene_camera(context.scene)
        for note in match.notes:
            self.report({"WARNING"}, note)
        return f"Matched: {context.scene.mannequin.camera_match.summary}"


class MANNEQUIN_OT_export_camera(MannequinOperator, ExportHelper, bpy.types.Operator):
    """Match the camera and write its file, with the undistorted photograph beside it.

    bpy.ops.mannequin.export_camera(filepath="camera.json")
    """

    needs = (HAS_POINTS,)
    filename_ext = ".json"

    def run(self, context: bpy.types.Context) -> str:
        camera_match.export_camera(context.scene, self.filepath)
        return f"Wrote {self.filepath}"


class MANNEQUIN_OT_overlay_picture(MannequinOperator, bpy.types.Operator):
    """Render this frame from the matched camera over its photograph, as an image for the Image Editor.

    bpy.ops.mannequin.overlay_picture()
    """

    takes_long = True
    needs = (
        (lambda context: context.scene.mannequin.camera_match.camera is not None, "Press Match Camera first"),
    )

    def run(self, context: bpy.types.Context) -> str:
        return f"Made the image '{camera_match.overlay_picture(context.scene).name}'"
