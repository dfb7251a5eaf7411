"""A figure as a mesh of Blender: vertices, faces, attributes, weights and materials."""

from collections.abc import Collection

import bpy
import numpy as np

from ...models.people.look.figure import Figure, Outfit
from ...models.people.look.template import Template
from ..rig.skins import SKIN, render_parts
from ..store.person import MannequinLook
from .materials import FIXED, SKIN_TONES, Rgb, brow_color, court_material, finish_material
from .press import press_flat

STEPS = 255
"""Steps of a weight: vertices of one weight are written together."""


def outfit_of(look: MannequinLook, carried: Collection[str] = ()) -> Outfit:
    """What decides the faces of a figure; `carried` are rigid things that it wears, whatever the look says."""
    lower = "none" if look.upper == "dress" else look.lower
    things = ("helmet", "glasses", "rucksack")
    extras = tuple(name for name in things if getattr(look, name) or name in carried)
    return Outfit(look.upper, lower, look.feet, look.hair, extras)


def colors_of(look: MannequinLook) -> dict[str, Rgb]:
    """Finish to its colour."""
    hair = tuple(look.hair_color)
    return FIXED | {
        "skin": SKIN_TONES[look.skin_tone],
        "upper": tuple(look.upper_color),
        "lower": tuple(look.lower_color),
        "shoes": tuple(look.shoe_color),
        "hair": hair,
        "brow": brow_color(hair),
        "iris": tuple(look.eye_color),
    }


def new_surface(actor: bpy.types.Object, rig: bpy.types.Object) -> bpy.types.Object:
    """A new mesh object on an actor, carried by the rig of its picture, smooth in renders and flat on the ground."""
    obj = bpy.data.objects.new(f"{actor.name} Skin", bpy.data.meshes.new(f"{actor.name} Skin"))
    for collection in actor.users_collection:
        collection.objects.link(obj)
    obj.parent, obj[SKIN], obj.color = actor, True, actor.color
    armature = obj.modifiers.new("Mannequin", "ARMATURE")
    armature.object, armature.use_deform_preserve_volume = rig, True
    smooth = obj.modifiers.new("Smooth", "SUBSURF")
    smooth.levels, smooth.render_levels = 0, 1
    press_flat(obj)
    render_parts(actor, False)
    return obj


def write_faces(
    obj: bpy.types.Object, figure: Figure, template: Template, points: np.ndarray, metres: float
) -> None:
    """Give a mesh the faces, attributes and weights of a figure, and its vertices on somebody."""
    mesh = obj.data
    mesh.clear_geometry()
    mesh.from_pydata((figure.placed(template, points) / metres).tolist(), [], figure.faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    mesh.polygons.foreach_set("material_index", figure.finish.astype(np.int32))
    for name, values in (("rest", figure.rest), ("tint", figure.tint)):
        attribute = mesh.attributes.get(name) or mesh.attributes.new(name, "FLOAT_VECTOR", "POINT")
        attribute.data.foreach_set("vector", values.astype(np.float32).ravel())
    obj.vertex_groups.clear()
    write_weights(obj, template.bones, figure.weights)
    mesh.update()


def write_weights(obj: bpy.types.Object, bones: tuple[str, ...], weights: np.ndarray) -> None:
    """A vertex group for each bone that holds anything."""
    steps = np.rint(weights * STEPS).astype(int)
    for column, bone in enumerate(bones):
        rows = np.flatnonzero(steps[:, column])
        if not len(rows):
            continue
        group = obj.vertex_groups.new(name=bone)
        found = steps[rows, column]
        for step in np.unique(found):
            group.add(rows[found == step].tolist(), int(step) / STEPS, "REPLACE")


def write_points(
    obj: bpy.types.Object, figure: Figure, template: Template, points: np.ndarray, metres: float
) -> None:
    """Bring a mesh that has the figure's faces to somebody's shape."""
    placed = figure.placed(template, points) / metres
    obj.data.vertices.foreach_set("co", placed.astype(np.float32).ravel())
    obj.data.update()


def write_materials(obj: bpy.types.Object, figure: Figure, look: MannequinLook) -> None:
    """Give a mesh the materials of a look, or the grey of the court."""
    colors, slots = colors_of(look), obj.data.materials
    while len(slots) < len(figure.finishes):
        slots.append(None)
    while len(slots) > len(figure.finishes):
        slots.pop()
    for number, finish in enumerate(figure.finishes):
        slots[number] = court_material(finish) if look.court else finish_material(finish, colors[finish])
