"""Stage of a film: ground, light, sky, skins and materials. All of it ordinary Blender data.

What a set-up made and what the user has changed of it since stays as it is; only another choice of stage replaces it.
The user's own suns, worlds, objects and choices of what is rendered are never changed.
"""

import bpy
import numpy as np

from ...analysis.colors import BARE, PAINTS, SHIRTS, linear
from ..base.frames import at_frames
from ..base.units import Units, units_of
from ..people.change import skin_for
from ..rig.skins import skins_of
from ..show.materials import paint
from ..show.skin import is_person
from ..store import callbacks
from ..store.actors import actors_of, obstacles_of
from .extent import actor_points, root_bone, root_place, root_way, sampled_frames
from .light import add_headlights, add_street_lamps, add_sun, far_color, haze_of, set_sky
from .parts import add_part, parts_of, remove_part, stage_collection
from .straps import add_straps
from .surfaces import ground_material

RINGS, SIDES = 44, 96
RADII = 22.0 * (1500.0 / 22.0) ** (np.arange(RINGS + 1) / RINGS)
"""Metres: the ground reaches to the horizon; from the first circle on it takes the sky's colour ring by ring in
Workbench, which has no haze."""
FADING = 0.9
"""Power of the distance with which they do."""
GRID_SIZE = 60.0
"""Metres that the grid reaches."""
LINE, BOLD_LINE = 0.006, 0.016
"""Metres: half width of a line each metre, and each five metres."""
LIFT = 0.0008
"""Metres that the grid lies above the ground."""
CHOICE = "mannequin_stage"
"""Custom property of the collection: the choice that its ground and lights were made for."""
HIDDEN = "mannequin_hidden_once"
"""Custom property of an obstacle: that a set-up has decided whether it is rendered."""

LOOK_OF_OBSTACLES = "look of obstacles"
"""Callback that gives obstacles of known surfaces their looks."""

LINE_COLOR = (0.20, 0.22, 0.25, 1.0)
LANE_COLOR = (0.62, 0.62, 0.60, 1.0)
LANE, ROAD = 3.25, 81.0
"""Metres: width of a lane, half the length of a road's lines; they are 12 cm wide, dashes 3 m every 9 m (assumed)."""
OBSTACLE_COLOR = (0.62, 0.55, 0.45, 1.0)


def set_stage(scene: bpy.types.Scene, first: int = 0) -> None:
    """Ground, light, sky, skins and materials as the film's panel has them; people wear colours from the `first` on."""
    dress_actors(scene, first)
    if LOOK_OF_OBSTACLES in callbacks.given:
        callbacks.given[LOOK_OF_OBSTACLES](scene)
    add_straps(scene)
    for obstacle in obstacles_of(scene):
        if HIDDEN not in obstacle:
            obstacle[HIDDEN] = True
            obstacle.hide_render = obstacle.hide_render or obstacle.mannequin.obstacle.shape == "plane"
        paint(obstacle, "Mannequin Obstacle", OBSTACLE_COLOR, 0.8)
    build(scene)


def dress_actors(scene: bpy.types.Scene, first: int = 0) -> None:
    """A skin for each actor that has none, and a colour for each that has none; people wear those from `first` on."""
    people = [actor for actor in actors_of(scene) if is_person(actor)]
    others = [actor for actor in actors_of(scene) if actor not in people]
    for number, actor in enumerate(people, first):
        look = actor.data.mannequin.look
        if not look.is_property_set("upper_color"):
            look.upper_color = linear(SHIRTS[number % len(SHIRTS)])[:3]
    for group, start, colors, roughness in ((people, first, BARE, 0.55), (others, 0, PAINTS, 0.35)):
        for number, actor in enumerate(group, start):
            for skin in skins_of(actor) or [skin_for(actor, scene)]:
                paint(skin, f"Mannequin {actor.name}", linear(colors[number % len(colors)]), roughness)


def build(scene: bpy.types.Scene) -> None:
    """Ground and light of the chosen stage; those that are there for the same choice stay as they are."""
    film, units = scene.mannequin.film, units_of(scene)
    collection = stage_collection(scene)
    has_ground = scene.mannequin.settings.ground
    choice = f"{film.stage} {film.ground} {has_ground} {units.metres:g}"
    if collection.get(CHOICE) != choice:
        remove_part(scene, "ground")
        remove_part(scene, "light")
    if (has_ground or film.stage == "studio") and not parts_of(scene, "ground"):
        add_ground(scene, units, 0.0 if has_ground else units.metres * lowest_point(scene))
    if not parts_of(scene, "light"):
        add_sun(scene, film.stage)
        if film.stage == "night":
            light_the_night(scene, units)
    set_sky(scene, film.stage)
    collection[CHOICE] = choice


def light_the_night(scene: bpy.types.Scene, units: Units) -> None:
    """Street lamps along the motion, and headlights on vehicles."""
    add_street_lamps(scene, units.metres * root_way(scene)[:, :2], units)
    for _ in at_frames(scene, [scene.frame_start]):
        for actor in filter(is_vehicle, actors_of(scene)):
            add_headlights(scene, actor, root_bone(actor), actor_points(actor), units)


def is_vehicle(actor: bpy.types.Object) -> bool:
    """Whether an actor has wheels."""
    return any("wheel" in bone.name.lower() for bone in actor.data.bones)


def lowest_point(scene: bpy.types.Scene) -> float:
    """Lowest place that an actor reaches, Blender units."""
    return min(
        float(actor_points(actor)[:, 2].min())
        for _ in at_frames(scene, sampled_frames(scene))
        for actor in actors_of(scene)
    )


def add_ground(scene: bpy.types.Scene, units: Units, height: float = 0.0) -> None:
    """Ground plane to the horizon at a height (m), and the grid on it where the stage has one.

    A scenario without ground has a studio's floor just below all that moves: it is for looks, and nothing touches it.
    """
    film = scene.mannequin.film
    surface = "neutral" if film.stage in ("grid", "studio") else film.ground
    points, faces, rings = ground_geometry()
    ground = new_mesh(scene, "Ground", points, faces, units)
    ground.location.z = height / units.metres
    near = ground_material(surface, haze_of(film.stage), units.metres)
    ground.data.materials.append(near)
    for ring in range(1, RINGS + 1):
        ground.data.materials.append(far_ground(near, film.stage, haze_share(ring)))
    ground.data.polygons.foreach_set("material_index", rings)
    way = None if surface != "asphalt" else vehicle_way(scene)
    if way is not None:
        lanes = new_mesh(scene, "Lanes", *lane_geometry(*way), units)
        paint(lanes, "Mannequin Road Paint", LANE_COLOR, 0.6)
    if film.stage == "grid":
        grid = new_mesh(scene, "Metre Grid", *grid_geometry(GRID_SIZE / 2.0), units)
        paint(grid, "Mannequin Metre Grid", LINE_COLOR, 0.9)


def haze_share(ring: int) -> float:
    """Share of the sky's colour in a ring: even steps as the picture has them, where far rings lie close together."""
    even = (1.0 - (RADII[0] / RADII[ring]) ** FADING) / (1.0 - (RADII[0] / RADII[-1]) ** FADING)
    return even**1.6


def far_ground(near: bpy.types.Material, stage: str, share: float) -> bpy.types.Material:
    """The ground's material with, in Workbench, a share of the sky's colour."""
    name = f"{near.name} {stage.title()} {round(100 * share)}"
    made = bpy.data.materials.get(name) or near.copy()
    made.name = name
    made.diffuse_color = (1.0 - share) * np.array(near.diffuse_color) + share * np.array(far_color(stage))
    return made


def ground_geometry() -> tuple[np.ndarray, list[tuple[int, ...]], list[int]]:
    """(n, 3) points (m) and faces of a disc with rings, and the ring of each face, 0 in the middle."""
    angles = 2.0 * np.pi * np.arange(SIDES) / SIDES
    circle = np.stack([np.cos(angles), np.sin(angles), np.zeros(SIDES)], axis=1)
    points = np.concatenate([radius * circle for radius in RADII])
    faces: list[tuple[int, ...]] = [tuple(range(SIDES))]
    rings = [0]
    for ring in range(RINGS):
        for side in range(SIDES):
            after = (side + 1) % SIDES
            inner, outer = ring * SIDES, (ring + 1) * SIDES
            faces.append((inner + side, outer + side, outer + after, inner + after))
            rings.append(ring + 1)
    return points, faces, rings


def grid_geometry(half: float) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """(n, 3) points (m) and faces of lines each metre in x and y, each fifth one bold."""
    points, faces = [], []
    for line in range(-int(half), int(half) + 1):
        width = BOLD_LINE if line % 5 == 0 else LINE
        for swapped in (False, True):
            strip = [(line - width, -half), (line + width, -half), (line + width, half), (line - width, half)]
            base = len(points)
            points += [(y, x, LIFT) if swapped else (x, y, LIFT) for x, y in strip]
            order = (3, 2, 1, 0) if swapped else (0, 1, 2, 3)
            faces.append(tuple(base + k for k in order))
    return np.array(points), faces


def vehicle_way(scene: bpy.types.Scene) -> tuple[np.ndarray, np.ndarray] | None:
    """(2,) place (m) and direction of the first vehicle that drives; None where none does."""
    ends = np.array([scene.frame_start, scene.frame_end])
    for actor in filter(is_vehicle, actors_of(scene)):
        first, last = (units_of(scene).metres * root_place(actor)[:2] for _ in at_frames(scene, ends))
        length = float(np.hypot(*(last - first)))
        if length > 1.0:
            return first, (last - first) / length
    return None


def lane_geometry(place: np.ndarray, along: np.ndarray) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """(n, 3) points (m) and faces of the lines of a road of two lanes; what drives at a place is on the right one."""
    half, dash, gap = LANE / 2.0, 3.0, 6.0
    strips = [(-half, -ROAD, ROAD), (3.0 * half, -ROAD, ROAD)]
    strips += [(half, start, start + dash) for start in np.arange(-ROAD, ROAD, dash + gap)]
    aside = np.array([-along[1], along[0]])
    points: list[tuple[float, float, float]] = []
    faces: list[tuple[int, ...]] = []
    for side, start, end in strips:
        base = len(points)
        for length, width in ((start, -0.06), (end, -0.06), (end, 0.06), (start, 0.06)):
            points.append((*(place + length * along + (side + width) * aside), LIFT))
        faces.append(tuple(range(base, base + 4)))
    return np.array(points), faces


def new_mesh(
    scene: bpy.types.Scene, name: str, points: np.ndarray, faces: list[tuple[int, ...]], units: Units
) -> bpy.types.Object:
    """New mesh of the ground; points in metres."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((points / units.metres).tolist(), [], faces)
    obj = add_part(scene, bpy.data.objects.new(name, mesh), "ground")
    obj.hide_select = True
    obj.display.show_shadows = False  # in Workbench a plane without thickness casts its own shadow
    return obj
