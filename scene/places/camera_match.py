"""Match a camera of the scene to a photograph: empties as known points, the picture behind what the camera sees."""

import os
import tempfile
from pathlib import Path

import bpy
import numpy as np
from mathutils import Quaternion

from ...engine.maths.rotations import quaternion_from_matrix
from ...places.camera import lens, pictures
from ...places.camera.files import write_camera
from ...places.camera.match import Match, match_camera
from ...places.camera.sightings import KnownLens, MarkedLine, MarkedPoint, Sightings
from ..base.blender_version import set_picture_output
from ..base.errors import SceneError
from ..base.frames import at_frames
from ..base.units import units_of
from ..film.encode import write_video
from ..store.site_cameras import MARK, MATCHED

SENSOR = 36.0
"""mm: width of the sensor that Blender's cameras get; only its ratio to the focal length counts."""


def add_points(scene: bpy.types.Scene, objects: list[bpy.types.Object]) -> int:
    """Put objects into the list of marked points, those that are there already left alone; returns how many."""
    points = scene.mannequin.camera_match.points
    listed = {point.object for point in points}
    added = [obj for obj in objects if obj not in listed]
    for obj in added:
        points.add().object = obj
    scene.mannequin.camera_match.points_index = len(points) - 1
    return len(added)


def sightings_of(scene: bpy.types.Scene) -> tuple[Sightings, np.ndarray]:
    """The marked points of a scene, and its photograph (h, w, 3). Raises SceneError, FileError."""
    group = scene.mannequin.camera_match
    if not group.picture:
        raise SceneError("choose the photograph first")
    pixels = pictures.read_picture(bpy.path.abspath(group.picture))
    units = units_of(scene)
    points = []
    for number, point in enumerate(group.points):
        if point.object is None:
            raise SceneError(f"point {number + 1} has no object: choose one, or remove it from the list")
        place = units.point_to_si(point.object.matrix_world.translation)
        points.append(
            MarkedPoint(
                point.object.name,
                tuple(place.tolist()),
                tuple(float(x) for x in point.pixel),
                float(point.sigma),
                check=point.check,
            )
        )
    height, width = pixels.shape[:2]
    known = (
        KnownLens(group.focal, None, tuple(map(float, group.distortion))) if group.use_focal else KnownLens()
    )
    path = Path(group.picture)
    return Sightings(path.stem, (width, height), points, lines_of(scene), known, path.name), pixels


def lines_of(scene: bpy.types.Scene) -> list[MarkedLine]:
    """The marked edges of a scene."""
    return [
        MarkedLine(
            line.name or f"edge {number}",
            (tuple(map(float, line.start)), tuple(map(float, line.end))),
            tuple(map(float, line.direction)),
        )
        for number, line in enumerate(scene.mannequin.camera_match.lines, start=1)
    ]


def mark_pixel(scene: bpy.types.Scene, what: str, pixel: tuple[float, float]) -> None:
    """Mark the active point, the next of which becomes active, or an end of the active edge. Raises SceneError."""
    group = scene.mannequin.camera_match
    if what == "POINT":
        if not group.points:
            raise SceneError("there is no point: select empties at known points and press Add Camera Points")
        group.points[group.points_index].pixel = pixel
        group.points_index = min(group.points_index + 1, len(group.points) - 1)
    else:
        if not group.lines:
            raise SceneError("there is no edge: add one to the list")
        setattr(group.lines[group.lines_index], what.lower(), pixel)


def match_scene_camera(scene: bpy.types.Scene) -> Match:
    """Match, and set the scene's matched camera up: place, lens, undistorted picture behind it, size of the render."""
    sightings, pixels = sightings_of(scene)
    match = match_camera(sightings)
    group = scene.mannequin.camera_match
    camera = camera_object(scene, f"Matched {sightings.name}")
    group.camera = camera
    place_camera(camera, match.camera, scene)
    picture = undistorted_image(pixels, match.camera, camera.name)
    show_behind(camera, picture)
    scene.camera = camera
    scene.render.resolution_x, scene.render.resolution_y = match.camera.size_px
    scene.render.resolution_percentage = 100
    for point, residual in zip(group.points, match.residuals, strict=True):
        point.result = f"{residual.size:.1f} px" + ("" if residual.role == "used" else f", {residual.role}")
    for line, error in zip(group.lines, match.line_errors.values(), strict=True):
        line.result = f"{abs(error):.1f} px"
    sigma = match.uncertainty
    group.summary = (
        f"+- {1e3 * float(np.linalg.norm(sigma.position)):.0f} mm, {sigma.direction:.2f} degrees, "
        f"rms {match.rms('used'):.1f} px"
    )
    return match


def camera_object(scene: bpy.types.Scene, name: str) -> bpy.types.Object:
    """The camera that was matched before, or a new one."""
    camera = scene.mannequin.camera_match.camera
    if camera is not None and camera.type == "CAMERA":
        return camera
    camera = bpy.data.objects.new(name, bpy.data.cameras.new(name))
    camera[MARK] = MATCHED
    scene.collection.objects.link(camera)
    return camera


def place_camera(obj: bpy.types.Object, camera: lens.Camera, scene: bpy.types.Scene) -> None:
    """Give an object the place, the direction and the lens of a camera (its distortion left out)."""
    width, height = camera.size_px
    obj.rotation_mode = "QUATERNION"
    obj.location = units_of(scene).point_to_blender(camera.position)
    obj.rotation_quaternion = Quaternion(camera.rotation)
    data = obj.data
    data.sensor_fit, data.sensor_width = "HORIZONTAL", SENSOR
    data.lens = camera.focal_px * SENSOR / width
    # Blender shifts the picture's middle off the axis, both in parts of the width, y up
    data.shift_x = (width / 2.0 - camera.center_px[0]) / width
    data.shift_y = (camera.center_px[1] - height / 2.0) / width


def camera_of(obj: bpy.types.Object, scene: bpy.types.Scene) -> lens.Camera:
    """The opposite of `place_camera`: what an object's lens draws, in pixels of the picture behind it (of the render
    where there is none). Raises SceneError."""
    data, units = obj.data, units_of(scene)
    images = [behind.image for behind in data.background_images if behind.image is not None]
    width, height = images[0].size if images else (scene.render.resolution_x, scene.render.resolution_y)
    is_across = data.sensor_fit == "HORIZONTAL" or data.sensor_fit == "AUTO" and width >= height
    if data.type != "PERSP" or not is_across:
        raise SceneError(f"'{obj.name}' has no lens across the picture: match a camera to the photograph")
    frame = units.frame_to_si(obj.matrix_world)
    rotation = quaternion_from_matrix(frame[:3, :3])
    return lens.Camera(
        obj.name,
        tuple(frame[:3, 3].tolist()),
        tuple(rotation.tolist()),
        data.lens * width / data.sensor_width,
        (width / 2.0 - data.shift_x * width, height / 2.0 + data.shift_y * width),
        (width, height),
    )


def undistorted_image(pixels: np.ndarray, camera: lens.Camera, name: str) -> bpy.types.Image:
    """The photograph without distortion as an image of Blender, packed into the file."""
    flat = pictures.undistort(pixels, camera)
    with tempfile.TemporaryDirectory(prefix="mannequin-picture-") as folder:
        path = os.path.join(folder, "undistorted.png")
        pictures.write_picture(path, flat)
        old = bpy.data.images.get(f"{name} undistorted")
        if old is not None:
            bpy.data.images.remove(old)
        image = bpy.data.images.load(path)
        image.name = f"{name} undistorted"
        image.pack()
    image.filepath_raw = ""
    return image


def show_behind(camera: bpy.types.Object, image: bpy.types.Image) -> None:
    """Show an image behind what the camera sees, in place of earlier ones."""
    data = camera.data
    data.show_background_images = True
    data.background_images.clear()
    background = data.background_images.new()
    background.image, background.alpha, background.frame_method = image, 1.0, "FIT"
    background.display_depth = "BACK"


def export_camera(scene: bpy.types.Scene, path: str) -> None:
    """Match again, and write the camera's file with its undistorted picture beside it."""
    sightings, pixels = sightings_of(scene)
    match = match_camera(sightings)
    picture = Path(path).with_suffix(".png")
    pictures.write_picture(picture, pictures.undistort(pixels, match.camera))
    camera = lens.Camera(**(vars(match.camera) | {"picture": picture.name, "distortion": (0.0, 0.0)}))
    write_camera(path, camera, match)


def overlay_picture(scene: bpy.types.Scene) -> bpy.types.Image:
    """Render the current frame from the matched camera over its undistorted photograph, blended and wiped."""
    photograph, camera = matched_photograph(scene)
    mixed = overlaid_frame(scene, photograph)
    name = f"{camera.name} overlay"
    old = bpy.data.images.get(name)
    if old is not None:
        bpy.data.images.remove(old)
    image = bpy.data.images.new(name, mixed.shape[1], mixed.shape[0])
    image.pixels.foreach_set(np.dstack([mixed, np.ones(mixed.shape[:2], dtype=np.float32)]).ravel())
    image.pack()
    return image


def overlay_film(scene: bpy.types.Scene, path: str) -> int:
    """Write a film (MP4) of all frames of the scene over the photograph; returns the number of frames."""
    photograph, _ = matched_photograph(scene)
    height, width = (edge - edge % 2 for edge in photograph.shape[:2])  # H.264 wants even edges
    frames = range(scene.frame_start, scene.frame_end + 1)
    with tempfile.TemporaryDirectory(prefix="mannequin-overlay-") as folder:
        files = [Path(folder) / f"{frame:06d}.png" for frame in frames]
        for _, file in zip(at_frames(scene, frames), files, strict=True):
            mixed = overlaid_frame(scene, photograph)[::-1][:height, :width]
            pictures.write_picture(file, np.rint(255.0 * np.clip(mixed, 0.0, 1.0)).astype(np.uint8))
        write_video(files, Path(path), scene.render.fps, scene.render.fps_base, (width, height))
    return len(files)


def matched_photograph(scene: bpy.types.Scene) -> tuple[np.ndarray, bpy.types.Object]:
    """(h, w, 3) undistorted photograph from 0 to 1, rows from below, and its camera."""
    camera = scene.mannequin.camera_match.camera
    if camera is None or not camera.data.background_images:
        raise SceneError("there is no matched camera yet: press Match Camera")
    behind = camera.data.background_images[0].image
    flat = np.empty(len(behind.pixels), dtype=np.float32)
    behind.pixels.foreach_get(flat)
    return flat.reshape(behind.size[1], behind.size[0], behind.channels)[..., :3], camera


def overlaid_frame(scene: bpy.types.Scene, photograph: np.ndarray) -> np.ndarray:
    """(h, w, 3) of the current frame over the photograph, rows from below."""
    group = scene.mannequin.camera_match
    return pictures.overlaid(photograph, rendered_frame(scene, group.camera), group.blend, group.wipe)


def rendered_frame(scene: bpy.types.Scene, camera: bpy.types.Object) -> np.ndarray:
    """(h, w, 4) of the current frame as the camera sees it, what is empty transparent; rows from below."""
    render = scene.render
    kept = scene.camera, render.film_transparent, render.filepath, render.image_settings.color_mode
    with tempfile.TemporaryDirectory(prefix="mannequin-overlay-") as folder:
        try:
            set_picture_output(render)
            scene.camera, render.film_transparent = camera, True
            render.image_settings.color_mode = "RGBA"
            render.filepath = os.path.join(folder, "frame.png")
            bpy.ops.render.render(write_still=True, scene=scene.name)
        finally:
            scene.camera, render.film_transparent, render.filepath, render.image_settings.color_mode = kept
        image = bpy.data.images.load(os.path.join(folder, "frame.png"))
        pixels = np.empty(len(image.pixels), dtype=np.float32)
        image.pixels.foreach_get(pixels)
        made = pixels.reshape(image.size[1], image.size[0], image.channels)
        bpy.data.images.remove(image)
    return made


def pixel_under(screen: bpy.types.Screen, x: int, y: int) -> tuple[float, float] | None:
    """Pixel (from the upper left corner) of the picture in an Image Editor under a place of the window, or None."""
    for area in screen.areas:
        image = area.spaces.active.image if area.type == "IMAGE_EDITOR" else None
        for region in area.regions:
            inside = region.x <= x < region.x + region.width and region.y <= y < region.y + region.height
            if image is not None and region.type == "WINDOW" and inside:
                across, up = region.view2d.region_to_view(x - region.x, y - region.y)
                return across * image.size[0], (1.0 - up) * image.size[1]
    return None
