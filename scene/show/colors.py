"""Colours of ellipsoids in the viewport: by actor or by contact material."""

import bpy

from ..store.actors import actors_of, parts_of

MATERIAL_COLORS = (
    (0.75, 0.75, 0.75, 1.0),
    (0.30, 0.60, 0.85, 1.0),
    (0.90, 0.60, 0.25, 1.0),
    (0.40, 0.70, 0.40, 1.0),
    (0.65, 0.50, 0.80, 1.0),
    (0.85, 0.80, 0.35, 1.0),
    (0.35, 0.75, 0.75, 1.0),
    (0.60, 0.45, 0.35, 1.0),
)


def color_ellipsoids(scene: bpy.types.Scene, by: str) -> int:
    """Colour every ellipsoid of a scene by "ACTOR" or "MATERIAL"; the viewport shows it with the object colour."""
    count = 0
    for actor in actors_of(scene):
        names = ["", *(material.name for material in actor.data.mannequin.materials)]
        for obj in (obj for parts in parts_of(actor, "ELLIPSOID").values() for obj in parts):
            material = obj.mannequin.ellipsoid.material
            index = names.index(material) if material in names else 0
            obj.color = actor.color if by == "ACTOR" else MATERIAL_COLORS[index % len(MATERIAL_COLORS)]
            count += 1
    scene.mannequin.overlays.color_by = by
    return count
