"""Colours of ellipsoids in the viewport: by actor or by contact material."""

import bpy

from ...analysis.colors import MATERIALS, channels
from ..store.actors import actors_of, parts_of


def color_ellipsoids(scene: bpy.types.Scene, by: str) -> int:
    """Colour every ellipsoid of a scene by "ACTOR" or "MATERIAL"; the viewport shows it with the object colour."""
    count = 0
    for actor in actors_of(scene):
        names = ["", *(material.name for material in actor.data.mannequin.materials)]
        for obj in (obj for parts in parts_of(actor, "ELLIPSOID").values() for obj in parts):
            material = obj.mannequin.ellipsoid.material
            index = names.index(material) if material in names else 0
            obj.color = actor.color if by == "ACTOR" else (*channels(MATERIALS[index % len(MATERIALS)]), 1.0)
            count += 1
    scene.mannequin.overlays.color_by = by
    return count
