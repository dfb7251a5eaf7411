"""Two scenarios in one picture, in step: each in a scene of its own, and a third that shows both under one clock.

The third scene's sequencer holds a strip per run and one with the clock, so rendering it is plain Blender. Beside each
other, both are filmed from the same side and at the same scale; over each other or wiped, from the same place.
"""

from dataclasses import replace

import bpy
import numpy as np
from mathutils import Vector

from ..base.blender_version import fcurves_of, set_strip_length, strips_of
from ..base.errors import SceneError
from ..store.actors import actors_of
from .cameras import DISTANCE, LENS, MADE, camera_of, state_of
from .caption import caption_of
from .overlay import Caption, add_overlay, remove_overlay
from .parts import add_part
from .presets import apply_render_preset

MARK = "mannequin_side_by_side"
LEFT, RIGHT, CLOCK = "left", "right", "clock"


def is_side_by_side(scene: bpy.types.Scene) -> bool:
    """Whether a scene shows two others."""
    return MARK in scene


def halves_of(scene: bpy.types.Scene) -> tuple[bpy.types.Scene, bpy.types.Scene]:
    """The scenes at the left and at the right."""
    strips = {strip.name: strip.scene for strip in strips_of(scene)}
    if strips.get(LEFT) is None or strips.get(RIGHT) is None:
        raise SceneError(f"scene '{scene.name}' has lost a half: make it again with Side by Side")
    return strips[LEFT], strips[RIGHT]


def add_side_by_side(
    left: bpy.types.Scene, right: bpy.types.Scene, titles: tuple[str, str] = ("", "")
) -> bpy.types.Scene:
    """New scene that shows two others beside each other, each under its title (its own name where none is given)."""
    if left == right:
        raise SceneError("a scene cannot stand beside itself: give another one")
    for half in (left, right):
        if not actors_of(half):
            raise SceneError(f"scene '{half.name}' has no actor to film")
    both = bpy.data.scenes.new("Side by Side")
    clock = bpy.data.scenes.new("Side by Side Clock")
    for half, title in zip((left, right), titles, strict=True):
        half["mannequin_title"] = title or half.name
    for number, (name, scene) in enumerate(((LEFT, left), (RIGHT, right), (CLOCK, clock))):
        strip = strips_of(both).new_scene(
            name=name, scene=scene, channel=number + 1, frame_start=left.frame_start
        )
        strip.blend_type = "ALPHA_OVER"
    both[MARK] = True
    film, shown = both.mannequin.film, left.mannequin.film
    for name in ("case", "camera", "preset", "format", "width", "height"):
        setattr(film, name, getattr(shown, name))
    match_timelines(both)
    return both


def match_timelines(both: bpy.types.Scene) -> None:
    """One frame rate and one range for all: that of the left scene, to the end of the longer motion."""
    left, right = halves_of(both)
    rates = [scene.render.fps / scene.render.fps_base for scene in (left, right)]
    if abs(rates[0] - rates[1]) > 1e-6:
        raise SceneError(
            f"'{left.name}' has {rates[0]:g} frames a second, '{right.name}' {rates[1]:g}: give both one rate and "
            "bake again"
        )
    if left.frame_start != right.frame_start:
        raise SceneError(
            f"'{left.name}' and '{right.name}' begin at different frames: bake both from one frame on"
        )
    end = max(left.frame_end, right.frame_end)
    for strip in strips_of(both):
        scene = strip.scene
        scene.render.fps, scene.render.fps_base = left.render.fps, left.render.fps_base
        scene.frame_start, scene.frame_end = left.frame_start, end
        set_strip_length(strip, end - left.frame_start + 1)
    both.render.fps, both.render.fps_base = left.render.fps, left.render.fps_base
    both.frame_start, both.frame_end = left.frame_start, end


def prepare_side_by_side(
    both: bpy.types.Scene, camera: str, preset: str, size: tuple[int, int], overlay: bool
) -> None:
    """Cameras, places, quality and overlays of all three parts, for a picture of that size (pixels)."""
    left, right = halves_of(both)
    match_timelines(both)
    width, height = size
    is_halved = both.mannequin.film.compare == "beside"
    for half in (left, right):
        half.render.resolution_x, half.render.resolution_y = width // 2 if is_halved else width, height
        half.render.resolution_percentage = 100
        half.camera = camera_of(half, camera)
        apply_render_preset(half, preset)
    if is_halved:
        match_distances(left.camera, right.camera)
    for name in (
        "view_transform",
        "look",
        "exposure",
    ):  # colours are made once, where all parts come together
        setattr(both.view_settings, name, getattr(left.view_settings, name))
    clock = strips_of(both)[CLOCK].scene
    prepare_clock(clock, size)
    both.render.resolution_x, both.render.resolution_y, both.render.resolution_percentage = width, height, 100
    place_strips(both, width)
    caption_both(both, clock, overlay)


def place_strips(both: bpy.types.Scene, width: int) -> None:
    """Where each run is in a picture of that width (pixels): a half, all of it half seen through, or one side."""
    film, strips = both.mannequin.film, strips_of(both)
    shift = width / 4.0 if film.compare == "beside" else 0.0
    for name, place in ((LEFT, -shift), (RIGHT, shift)):
        strips[name].transform.offset_x = round(place)
    second = strips[RIGHT]
    second.blend_alpha = 0.5 if film.compare == "over" else 1.0
    if both.animation_data is not None:
        for curve in fcurves_of(both.animation_data.action) if both.animation_data.action else ():
            if curve.data_path.endswith("crop.min_x"):
                curve.keyframe_points.clear()
    second.crop.min_x = round(film.wipe * width) if film.compare == "wipe" else 0
    if film.compare == "wipe" and film.wipe == 0.0:
        for frame, edge in ((both.frame_start, width), (both.frame_end, 0)):
            second.crop.min_x = edge
            second.crop.keyframe_insert("min_x", frame=frame)


def caption_both(both: bpy.types.Scene, clock: bpy.types.Scene, overlay: bool) -> None:
    """Overlays of all three parts."""
    halves, film = halves_of(both), both.mannequin.film
    strips_of(both)[CLOCK].mute = not overlay
    if not overlay:
        for part in (*halves, clock):
            remove_overlay(part)
        return
    captions = [caption_of(half, half["mannequin_title"]) for half in halves]
    if clocks_differ(captions):
        raise SceneError("the two motions are baked with different slow motion: bake both with the same")
    shared = clock_caption(captions, film.case)
    if film.compare == "beside":
        for half, caption in zip(halves, captions, strict=True):
            add_overlay(half, half_caption(caption))
        clock.camera.pop(DISTANCE, None)
        add_overlay(clock, replace(shared, world=False, divided=0.5))
        return
    for half in halves:
        remove_overlay(half)
    clock.camera[DISTANCE] = halves[0].camera[DISTANCE]
    add_overlay(clock, replace(shared, divided=film.wipe or None if film.compare == "wipe" else None))


def clocks_differ(captions: list[Caption]) -> bool:
    """Whether the clocks of two captions differ, over the time that both show."""
    first, second = (np.array(caption.times) for caption in captions)
    end = min(first[-1, 0], second[-1, 0])
    frames = np.unique(np.concatenate([first[:, 0], second[:, 0]]))
    frames = frames[frames <= end]
    shown = [np.interp(frames, keys[:, 0], keys[:, 1]) for keys in (first, second)]
    return bool(np.abs(shown[0] - shown[1]).max() > 1e-4)


def half_caption(caption: Caption) -> Caption:
    """Caption of one half only."""
    return Caption(caption.run, title=caption.title, readouts=caption.readouts, clock=False)


def clock_caption(captions: list[Caption], case: str) -> Caption:
    """Caption that both halves share."""
    longer = max(captions, key=lambda caption: caption.times[-1][0])
    return Caption(
        run="  |  ".join(caption.run for caption in captions),
        case=case or captions[0].case,
        flag=captions[0].flag or captions[1].flag,
        title=captions[0].title,
        second_title=captions[1].title,
        times=longer.times,
        speeds=longer.speeds,
        readouts=captions[0].readouts,
        second_readouts=captions[1].readouts,
    )


def prepare_clock(clock: bpy.types.Scene, size: tuple[int, int]) -> None:
    """An empty scene with a camera, seen through where nothing is drawn."""
    if clock.camera is None:
        data = bpy.data.cameras.new("Camera Clock")
        data.lens = LENS
        clock.camera = bpy.data.objects.new("Camera Clock", data)
        add_part(clock, clock.camera, "camera")
    clock.render.resolution_x, clock.render.resolution_y = size
    clock.render.resolution_percentage = 100
    apply_render_preset(clock, "draft")
    clock.display.shading.show_cavity = False
    clock.render.film_transparent = True


def match_distances(first: bpy.types.Object, second: bpy.types.Object) -> None:
    """Move the nearer camera back, so that both show a metre as long."""
    distances = [camera[DISTANCE] for camera in (first, second)]
    for camera, distance in zip((first, second), distances, strict=True):
        back = Vector((0.0, 0.0, max(distances) - distance))
        is_made = camera.get(MADE) == state_of(camera)
        camera.matrix_basis.translation += camera.matrix_basis.to_3x3() @ back
        camera[DISTANCE] = max(distances)
        if is_made:
            camera[MADE] = state_of(camera)
