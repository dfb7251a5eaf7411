"""Witnesses in Blender: a camera at an eye, and the strip of what it sees of the open run."""

import math
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

from ...analysis.files.run_folder import read_run
from ...places.sight.strip import write_csv, write_strip
from ...places.sight.visibility import Sight, sight_of
from ...places.sight.witness import Witness
from ..base.errors import SceneError
from ..base.units import units_of
from ..store.actors import actors_of
from ..store.site_cameras import MARK, WITNESS, WITNESS_PREFIX, site_camera_kind

CLEAR_ANGLE = 60.0
"""degrees: width of the picture of a witness's camera. Eyes see 200 degrees, no flat picture does."""


def add_witness(scene: bpy.types.Scene, name: str, eye_height: float) -> bpy.types.Object:
    """New camera at the 3D cursor, an eye's height above it, that looks at the first actor."""
    units = units_of(scene)
    data = bpy.data.cameras.new(WITNESS_PREFIX + name)
    data.sensor_fit, data.angle = "HORIZONTAL", math.radians(CLEAR_ANGLE)
    camera = bpy.data.objects.new(WITNESS_PREFIX + name, data)
    camera[MARK] = WITNESS
    scene.collection.objects.link(camera)
    camera.location = scene.cursor.location + Vector((0.0, 0.0, units.length_to_blender(eye_height)))
    actors = actors_of(scene)
    target = actors[0].matrix_world.translation if actors else Vector((0.0, 0.0, 0.0))
    way = target - camera.location
    if way.length < 1e-6:
        way = Vector((0.0, 1.0, 0.0))
    camera.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()
    return camera


def is_witness(obj: bpy.types.Object | None) -> bool:
    """Whether an object is a witness's camera."""
    return site_camera_kind(obj) == WITNESS


def show_sight(camera: bpy.types.Object, scene: bpy.types.Scene) -> tuple[bpy.types.Image, Sight]:
    """What a witness's camera sees of the open run: table and strip beside the run, and the strip as an image."""
    folder = scene.mannequin.results.folder
    if not folder:
        raise SceneError("there is no run yet: simulate, or open one")
    run = read_run(bpy.path.abspath(folder))
    eye = units_of(scene).point_to_si(camera.matrix_world.translation)
    witness = Witness(camera.name.removeprefix(WITNESS_PREFIX), tuple(float(x) for x in np.round(eye, 4)))
    sight = sight_of(run.scenario, run.recording, witness)
    base = Path(run.folder).parent / f"{run.stem}_{witness.name}".replace(" ", "_").replace("/", "_")
    write_csv(f"{base}.csv", sight)
    write_strip(f"{base}.png", sight)
    image = bpy.data.images.load(f"{base}.png", check_existing=False)
    image.name = camera.name
    image.pack()
    return image, sight
