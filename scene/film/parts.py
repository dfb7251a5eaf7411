"""What a film's set-up puts into a scene, as distinct from what is the user's.

All of it lies in the collection "Film Stage". An object of the set-up carries the name of its part as a custom
property; whatever else is put into the collection is the user's and is never touched.
"""

import bpy

from ..rig.objects import remove_object

STAGE = "Film Stage"
PART = "mannequin_stage_part"
"""Custom property of an object of the set-up: which part it is."""
KNOWS_PARTS = "mannequin_knows_parts"
OLDER_NAMES = {
    "Ground": "ground",
    "Metre Grid": "ground",
    "Sun": "light",
    "Camera ": "camera",
    "Focus": "camera",
}
"""What set-ups made before parts were marked: beginnings of names, and the parts that they are."""


def stage_collection(scene: bpy.types.Scene) -> bpy.types.Collection:
    """The stage's collection in a scene, made where there is none."""
    for collection in scene.collection.children:
        if collection.name.startswith(STAGE):
            mark_older(collection)
            return collection
    collection = bpy.data.collections.new(STAGE)
    collection[KNOWS_PARTS] = True
    scene.collection.children.link(collection)
    return collection


def mark_older(collection: bpy.types.Collection) -> None:
    """Mark the parts of a set-up from a file of before parts were marked, once."""
    if KNOWS_PARTS in collection:
        return
    collection[KNOWS_PARTS] = True
    for obj in collection.objects:
        for beginning, part in OLDER_NAMES.items():
            if PART not in obj and obj.name.startswith(beginning):
                obj[PART] = part


def add_part(scene: bpy.types.Scene, obj: bpy.types.Object, part: str) -> bpy.types.Object:
    """Put an object into the stage as a part of the set-up."""
    obj[PART] = part
    stage_collection(scene).objects.link(obj)
    return obj


def parts_of(scene: bpy.types.Scene, part: str) -> list[bpy.types.Object]:
    """The objects of a part."""
    return [obj for obj in stage_collection(scene).objects if obj.get(PART) == part]


def is_part(obj: bpy.types.Object) -> bool:
    """Whether an object was made by the set-up."""
    return PART in obj


def remove_part(scene: bpy.types.Scene, part: str) -> None:
    """Remove the objects of a part, and their data where nothing else uses it."""
    for obj in parts_of(scene, part):
        remove_object(obj)
