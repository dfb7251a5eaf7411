"""The collections that hold what is shown of runs. They are found by custom properties: names may be cut or changed."""

from collections.abc import Iterable

import bpy

RUN, KIND = "mannequin_run", "mannequin_trace"


def run_collections(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """Collections of runs, one each."""
    return [c for c in scene.collection.children if RUN in c and KIND not in c]


def trace_collection(scene: bpy.types.Scene, run: str, kind: str) -> bpy.types.Collection | None:
    """Collection of a kind of a run, if it is shown."""
    for parent in run_collections(scene):
        if parent[RUN] == run:
            return next((child for child in parent.children if child.get(KIND) == kind), None)
    return None


def new_trace_collection(
    scene: bpy.types.Scene, run: str, kind: str, objects: Iterable[bpy.types.Object]
) -> bpy.types.Collection:
    """Collection of the objects of a kind of a run; there must be none yet."""
    parent = next((c for c in run_collections(scene) if c[RUN] == run), None)
    if parent is None:
        parent = bpy.data.collections.new(f"Run {run}")
        parent[RUN] = run
        scene.collection.children.link(parent)
    collection = bpy.data.collections.new(f"{kind.title()} {run}")
    collection[RUN], collection[KIND] = run, kind
    parent.children.link(collection)
    for obj in objects:
        collection.objects.link(obj)
    return collection


def remove_trace(scene: bpy.types.Scene, run: str, kind: str) -> bool:
    """Remove a kind of a run with everything that nothing else uses; false where there is none."""
    collection = trace_collection(scene, run, kind)
    if collection is None:
        return False
    for obj in list(collection.objects):
        remove_object(obj)
    bpy.data.collections.remove(collection)
    for parent in run_collections(scene):
        if parent[RUN] == run and not parent.children and not parent.objects:
            bpy.data.collections.remove(parent)
    return True


def remove_object(obj: bpy.types.Object) -> None:
    """Remove an object, its data and its action where nothing else uses them."""
    data = obj.data
    action = obj.animation_data.action if obj.animation_data else None
    bpy.data.objects.remove(obj)
    if action is not None:
        action.use_fake_user = False
    bpy.data.batch_remove([block for block in (data, action) if block is not None and block.users == 0])


def hide_other_runs(scene: bpy.types.Scene, run: str) -> None:
    """Show what is left of one run alone."""
    for collection in run_collections(scene):
        collection.hide_viewport = collection.hide_render = collection[RUN] != run
