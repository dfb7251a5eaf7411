"""A person put on a two-wheeler or into a wheelchair: pose, place, speed and the holds that let go."""

import bpy

from ...models.library import KEPT, list_models
from ...models.scenarios.riding import OVERLAP, mount
from ..base.errors import SceneError
from ..store import fields
from ..store.actors import actors_of, body_bones
from .actor_start import read_actor, write_actor_start
from .new_actor import new_actor
from .scenario import link_point, read_scenario, scenario_names

NOT_PEOPLE = (*KEPT, "ambrosio")
"""Shipped models that do not ride."""


def is_ridden(actor: bpy.types.Object | None) -> bool:
    """Whether somebody can be put on an actor: a two-wheeler or wheelchair of Add Vehicle. Quick, for panels."""
    if actor is None:
        return False
    names = {bone.name for bone in body_bones(actor.data)}
    return "frame" in names and bool({"fork", "castor_l"} & names)


def rider_items() -> list[tuple[str, str, str]]:
    """Shipped people and dummies as items of an EnumProperty."""
    people = [name for name in list_models() if name not in NOT_PEOPLE]
    return [(name, name.replace("_", " ").title(), f"Shipped model {name}") for name in people]


def selected_rider(context: bpy.types.Context, vehicle: bpy.types.Object) -> bpy.types.Object | None:
    """The other actor that is selected, or none."""
    chosen = set(context.selected_objects)
    return next((obj for obj in actors_of(context.scene) if obj in chosen and obj is not vehicle), None)


def put_on(rider: bpy.types.Object, vehicle: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """Put an actor on another: its pose is solved, both start together, and hands, seat and feet are held by pins that
    break. Returns the sentence that says what was assumed."""
    if rider is vehicle:
        raise SceneError("an actor cannot ride itself: select a person, then the vehicle")
    names = scenario_names(scene)
    made = mount(read_actor(rider, names[rider.name], scene), read_actor(vehicle, names[vehicle.name], scene))
    write_actor_start(rider, made.rider, scene)
    write_actor_start(vehicle, made.vehicle, scene)
    _hold(made.welds, scene)
    settings = scene.mannequin.settings
    settings.start_overlap_limit = max(OVERLAP, settings.start_overlap_limit)
    return made.note


def add_rider(vehicle: bpy.types.Object, scene: bpy.types.Scene, model: str) -> tuple[bpy.types.Object, str]:
    """A new person of the library on a vehicle; returns the person and what was assumed."""
    rider = new_actor(model, scene, False)
    return rider, put_on(rider, vehicle, scene)


def _hold(welds: list, scene: bpy.types.Scene) -> None:
    """Add welds to the scene in place of those of the same names."""
    group = scene.mannequin
    mine = {weld.name for weld in welds}
    every = [*(weld for weld in read_scenario(scene).welds if weld.name not in mine), *welds]
    objects = {label: bpy.data.objects[name] for name, label in scenario_names(scene).items()}
    fields.write_collection(group.welds, every)
    for item, weld in zip(group.welds, every, strict=True):
        link_point(item.start, weld.start, objects)
        link_point(item.end, weld.end, objects)
