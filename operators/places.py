"""Operators on the place: photographs, scans, witnesses, marks, pictures on the ground."""

import bpy
from bpy.props import EnumProperty, FloatProperty, FloatVectorProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ..scene.places import camera_match, ground_pictures, scans, witness
from ..scene.scenario import marks
from .base import Asks, MannequinOperator, select_only

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
    """Click in an Image Editor that shows the photograph to mark the active point, or an end of the active edge.

    bpy.ops.mannequin.pick_camera_pixel(pixel=(640.0, 360.0))
    """

    needs = (HAS_POINTS,)
    pixel: FloatVectorProperty(description="x to the right and y down from the upper left corner", size=2)
    what: EnumProperty(
        description="What is marked",
        items=[
            ("POINT", "Point", "The active point; the next one becomes active"),
            ("START", "Start of Edge", "One end of the active edge"),
            ("END", "End of Edge", "The other end of the active edge"),
        ],
    )

    def run(self, context: bpy.types.Context) -> None:
        camera_match.mark_pixel(context.scene, self.what, self.pixel)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Wait for a click."""
        context.workspace.status_text_set(
            "Click the place in an Image Editor that shows the photograph; Esc to stop"
        )
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


class MANNEQUIN_OT_overlay_film(MannequinOperator, ExportHelper, bpy.types.Operator):
    """Render all frames from the matched camera over its photograph, as a film.

    bpy.ops.mannequin.overlay_film(filepath="overlay.mp4")
    """

    takes_long = True
    filename_ext = ".mp4"
    needs = (
        (lambda context: context.scene.mannequin.camera_match.camera is not None, "Press Match Camera first"),
    )

    def run(self, context: bpy.types.Context) -> str:
        return f"Wrote {camera_match.overlay_film(context.scene, self.filepath)} frames to {self.filepath}"


class ReadsPlaceFile(MannequinOperator, ImportHelper):
    """Mixin of operators that read a file of the place."""

    takes_long = True
    filepath: StringProperty(
        name="File", description="File to read", subtype="FILE_PATH", options={"SKIP_SAVE"}
    )


class MANNEQUIN_OT_import_scan(ReadsPlaceFile, bpy.types.Operator):
    """Import a scan: a point cloud (LAS, LAZ, E57, PLY, text), thinned on reading, or a mesh (glTF, OBJ, STL, PLY).

    bpy.ops.mannequin.import_scan(filepath="street.xyz", voxel=0.05)
    """

    filter_glob: StringProperty(
        default="*.las;*.laz;*.e57;*.ply;*.xyz;*.csv;*.txt;*.pts;*.glb;*.gltf;*.obj;*.stl", options={"HIDDEN"}
    )
    voxel: FloatProperty(
        name="Cell (m)",
        description="Edge of the cells of which each keeps one point, in metres",
        default=0.02,
        min=0.0001,
        soft_max=1.0,
        precision=3,
    )
    unit: EnumProperty(description="Unit of the file", items=scans.UNIT_ITEMS)
    up: EnumProperty(description="Axis of the file that is up; a glTF has y", items=scans.UP_ITEMS)

    def run(self, context: bpy.types.Context) -> str:
        obj = scans.import_scan(self.filepath, context.scene, self.voxel, self.unit, self.up)
        select_only(context, obj)
        return f"Imported {len(obj.data.vertices):,} points of '{obj.name}'"


class MANNEQUIN_OT_ground_from_scan(Asks, bpy.types.Operator):
    """Make the ground under the active scan, as an obstacle that is closed below; where there are no points it is red.

    bpy.ops.mannequin.ground_from_scan(cell=0.2)
    """

    takes_long = True
    needs = ((lambda context: scans.is_scan(context.object), "Select a scan that was imported"),)
    cell: FloatProperty(
        name="Cell (m)", description="Distance of the ground's nodes, in metres", default=0.1, min=0.005
    )
    step: FloatProperty(
        name="Step (m)",
        description="What rises less than this, in metres, above its surroundings is ground",
        default=0.25,
        min=0.01,
    )

    def run(self, context: bpy.types.Context) -> str:
        obj, ground = scans.ground_from_scan(context.object, context.scene, self.cell, self.step)
        select_only(context, obj)
        return (
            f"Ground: median error {1e3 * ground.median_error:.1f} mm, 95 % within {1e3 * ground.error_95:.1f} mm, "
            f"{ground.hole_area:.2f} m2 without points"
        )


class MANNEQUIN_OT_add_surface_material(MannequinOperator, bpy.types.Operator):
    """Add a material named after a surface to the active mesh, to paint faces with in Edit Mode (Assign).

    bpy.ops.mannequin.add_surface_material(surface="grass")
    """

    needs = ((lambda context: context.object is not None and context.object.type == "MESH", "Select a mesh"),)
    surface: EnumProperty(description="What the faces are made of", items=scans.SURFACE_ITEMS)

    def run(self, context: bpy.types.Context) -> str:
        context.object.data.materials.append(scans.surface_material(self.surface, context.scene))
        return f"Assign '{self.surface}' to faces in Edit Mode, then press Split by Surface"


class MANNEQUIN_OT_split_by_surface(MannequinOperator, bpy.types.Operator):
    """Make an obstacle of the faces of each material of the active mesh, with the friction of the surface it names.

    bpy.ops.mannequin.split_by_surface()
    """

    needs = (
        (
            lambda context: context.object is not None
            and context.object.type == "MESH"
            and context.object.mannequin.kind in ("NONE", "OBSTACLE"),
            "Select a mesh with materials",
        ),
    )

    def run(self, context: bpy.types.Context) -> str:
        return f"Made {len(scans.split_by_surface(context.object, context.scene))} obstacles"


class MANNEQUIN_OT_add_witness(Asks, bpy.types.Operator):
    """Add a camera at the eye of a witness who stands at the 3D cursor.

    bpy.ops.mannequin.add_witness(name="neighbour", eye_height=1.6)
    """

    name: StringProperty(description="Who it is", default="witness")
    eye_height: FloatProperty(
        name="Eye Height (m)", description="Of the eye above the 3D cursor, in metres", default=1.6
    )

    def run(self, context: bpy.types.Context) -> None:
        select_only(context, witness.add_witness(context.scene, self.name, self.eye_height))


class MANNEQUIN_OT_show_sight(MannequinOperator, bpy.types.Operator):
    """Show what the active witness sees of every body part in the last run, as a strip and a table beside the run.

    bpy.ops.mannequin.show_sight()
    """

    takes_long = True
    needs = (
        (lambda context: witness.is_witness(context.object), "Select a witness"),
        (lambda context: bool(context.scene.mannequin.results.folder), "Simulate, or open a run"),
    )

    def run(self, context: bpy.types.Context) -> str:
        image, sight = witness.show_sight(context.object, context.scene)
        means = [
            f"{actor} {100 * sight.of_actor(actor).mean():.0f} %" for actor in dict.fromkeys(sight.actors)
        ]
        return f"Visible on average: {', '.join(means)}; image '{image.name}'"


class MANNEQUIN_OT_add_mark(Asks, bpy.types.Operator):
    """Add a mark that was found at the 3D cursor, with the ellipse in which it was.

    bpy.ops.mannequin.add_mark(name="shoe", kind="other", ellipse=(0.2, 0.1, 30.0))
    """

    name: StringProperty(description="What it is called in files and reports", default="mark")
    kind: EnumProperty(description="What was found", items=marks.KIND_ITEMS)
    ellipse: FloatVectorProperty(
        description="Half axes in metres, and the angle of the first from x in degrees",
        size=3,
        default=(0.1, 0.1, 0.0),
    )
    body: StringProperty(description="Who or what lay there, as actor or actor/body")
    source: StringProperty(description="Where this is from, for the report")

    def run(self, context: bpy.types.Context) -> None:
        obj = marks.mark_at_cursor(context.scene, self.name, self.kind, self.ellipse, self.body, self.source)
        select_only(context, obj)


class MANNEQUIN_OT_import_marks(ReadsPlaceFile, bpy.types.Operator):
    """Import a file of marks.

    bpy.ops.mannequin.import_marks(filepath="marks.json")
    """

    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def run(self, context: bpy.types.Context) -> str:
        return f"Imported {len(marks.import_marks(self.filepath, context.scene))} marks"


class MANNEQUIN_OT_lay_picture(ReadsPlaceFile, bpy.types.Operator):
    """Lay an orthophoto or a plan on the ground to scale: from two points, or from the world file beside it.

    bpy.ops.mannequin.lay_picture(filepath="plan.png", pixels=(0, 0, 100, 0), ground=(0, 0, 5, 0))
    """

    filter_glob: StringProperty(default="*.png;*.jpg;*.jpeg;*.tif;*.tiff", options={"HIDDEN"})
    pixels: FloatVectorProperty(
        description="x, y of two points from the upper left corner; all zero: take the world file", size=4
    )
    ground: FloatVectorProperty(
        name="Ground (m)", description="x, y of the same two points on the ground, in metres", size=4
    )

    def run(self, context: bpy.types.Context) -> str:
        p, g = tuple(self.pixels), tuple(self.ground)
        given = any(p) or any(g)
        obj, laid = ground_pictures.lay_picture(
            self.filepath,
            context.scene,
            (p[:2], p[2:]) if given else None,
            (g[:2], g[2:]) if given else None,
        )
        select_only(context, obj)
        return f"Laid '{obj.name}': {1e3 * laid.metres_per_pixel:.2f} mm per pixel"


class MANNEQUIN_OT_measure_distance(MannequinOperator, bpy.types.Operator):
    """Draw a line between the two selected objects, labelled with its length.

    bpy.ops.mannequin.measure_distance()
    """

    needs = ((lambda context: len(context.selected_objects) == 2, "Select two objects"),)

    def run(self, context: bpy.types.Context) -> str:
        first, second = (obj.matrix_world.translation.copy() for obj in context.selected_objects)
        _, metres = ground_pictures.measure_distance(first, second, context.scene)
        return f"{metres:.3f} m"
