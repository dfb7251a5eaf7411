"""A scene to a scenario and back: actors, obstacles, connections, settings."""

import dataclasses
from collections.abc import Mapping

import bpy

from ...engine.spec import Actor, Belt, Model, Obstacle, Point, Scenario, Sensor, SpringDamper, Weld
from ..base.errors import SceneError
from ..base.labels import label_of
from ..base.units import units_of
from ..model.build import build_actor, write_belts
from ..model.read import read_belt
from ..store import fields
from ..store.actors import actors_of, obstacles_of
from .actor_start import read_actor, write_actor_start
from .marks import build_marks, extras_with_marks
from .obstacle_shapes import build_obstacle, read_obstacle

ELSEWHERE = ("actors", "obstacles", "springs", "belts", "welds", "sensors")
"""Fields of a scenario that its original does not keep: objects and collections hold them."""


def read_scenario(
    scene: bpy.types.Scene,
    models: Mapping[str, Model] | None = None,
    known: Mapping[str, Actor | Obstacle] | None = None,
) -> Scenario:
    """Scenario of a scene: every actor and obstacle that takes part, as it stands at the current frame.

    models: of actors by object name, known already and not read again. known: the same for whole actors and obstacles.
    """
    models, known = models or {}, known or {}
    names = scenario_names(scene)
    actors = [obj for obj in actors_of(scene) if obj.mannequin.actor.enabled]
    obstacles = [obj for obj in obstacles_of(scene) if obj.mannequin.obstacle.enabled]
    if not actors:
        raise SceneError("the scenario has no actor: add one from the library, or import a model")
    group, units = scene.mannequin, units_of(scene)
    scenario = fields.read_group(group, Scenario, leave_out=ELSEWHERE)
    scenario.name = scenario.name or scene.name
    return dataclasses.replace(
        scenario,
        actors=[
            known_actor(known.get(obj.name), names[obj.name], models.get(obj.name))
            or read_actor(obj, names[obj.name], scene, models.get(obj.name))
            for obj in actors
        ],
        obstacles=[
            known_as(known.get(obj.name), names[obj.name])
            or read_obstacle(obj, names[obj.name], scene, units)
            for obj in obstacles
        ],
        springs=[read_ends(item, fields.read_group(item, SpringDamper), names) for item in group.springs],
        welds=[read_ends(item, fields.read_group(item, Weld), names) for item in group.welds],
        belts=[read_belt_ends(item, names) for item in group.belts],
        sensors=[read_sensor(item, names) for item in group.sensors],
        extras=extras_with_marks(scenario.extras, scene),
    )


def known_as(spec: Actor | Obstacle | None, name: str) -> Actor | Obstacle | None:
    """What is known of an object, where it still has this name in the scenario."""
    return spec if spec is not None and spec.name == name else None


def known_actor(spec: Actor | None, name: str, model: Model | None) -> Actor | None:
    """What is known of an actor, with its model of now."""
    spec = known_as(spec, name)
    return spec if spec is None or spec.model is model else dataclasses.replace(spec, model=model)


def scenario_names(scene: bpy.types.Scene) -> dict[str, str]:
    """Name in the scenario of each actor and obstacle by object name: its own, or the object's where that is taken."""
    actors = [(obj, obj.mannequin.actor) for obj in actors_of(scene)]
    obstacles = [(obj, obj.mannequin.obstacle) for obj in obstacles_of(scene)]
    return distinct_names(actors) | distinct_names(obstacles)


def distinct_names(things: list[tuple[bpy.types.Object, bpy.types.PropertyGroup]]) -> dict[str, str]:
    """Unique names of things of one kind, by object name."""
    names: dict[str, str] = {}
    for obj, group in things:
        label = label_of(obj, group)
        names[obj.name] = obj.name if label in names.values() else label
    return names


def read_ends(
    group: bpy.types.PropertyGroup, spec: SpringDamper | Weld, names: dict[str, str]
) -> SpringDamper | Weld:
    """Spring or weld with the actors of its ends named."""
    name_point(spec.start, group.start, names)
    name_point(spec.end, group.end, names)
    return spec


def read_belt_ends(group: bpy.types.PropertyGroup, names: dict[str, str]) -> Belt:
    """Belt with the actors of its points named."""
    belt = read_belt(group)
    for point, item in zip(belt.points, group.path, strict=True):
        name_point(point, item.point, names)
    return belt


def read_sensor(group: bpy.types.PropertyGroup, names: dict[str, str]) -> Sensor:
    """Sensor with its actor named; one whose actor does not take part is found by validation."""
    sensor = fields.read_group(group, Sensor)
    if group.actor is not None:
        sensor.actor = names.get(group.actor.name, group.actor.name)
    return sensor


def name_point(point: Point, group: bpy.types.PropertyGroup, names: dict[str, str]) -> None:
    """Name the actor a point's link leads to."""
    if group.actor is not None:
        if group.actor.name not in names:
            raise SceneError(
                f"a connection leads to '{group.actor.name}', which is no actor or obstacle of this scene"
            )
        point.actor = names[group.actor.name]


def build_scenario(scenario: Scenario, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Add a scenario's actors and obstacles to a scene and take over its settings; returns the actors."""
    units = units_of(scene)
    objects: dict[str, bpy.types.Object] = {}
    actors = []
    for spec in scenario.actors:
        actor = build_actor(spec.model, scene, spec.name)
        write_actor_start(actor, spec, scene)
        objects[spec.name] = actor
        actors.append(actor)
    for order, spec in enumerate(scenario.obstacles):
        obj = build_obstacle(spec, scene, units)
        obj.mannequin.obstacle.order = order
        objects.setdefault(spec.name, obj)  # a point's name means the actor first
    write_scenario_properties(scenario, scene, objects)
    build_marks(scenario, scene)
    return actors


def write_scenario_properties(
    scenario: Scenario, scene: bpy.types.Scene, objects: dict[str, bpy.types.Object]
) -> None:
    """Fill the scene's properties."""
    group = scene.mannequin
    fields.write_group(group, scenario, leave_out=ELSEWHERE)
    for name in ("springs", "welds"):
        fields.write_collection(getattr(group, name), getattr(scenario, name))
        for item, spec in zip(getattr(group, name), getattr(scenario, name), strict=True):
            link_point(item.start, spec.start, objects)
            link_point(item.end, spec.end, objects)
    fields.write_collection(group.sensors, scenario.sensors)
    for item, spec in zip(group.sensors, scenario.sensors, strict=True):
        item.actor, item.body = objects.get(spec.actor), spec.body
    write_belts(group.belts, scenario.belts)
    for item, spec in zip(group.belts, scenario.belts, strict=True):
        for part, point in zip(item.path, spec.points, strict=True):
            link_point(part.point, point, objects)


def link_point(group: bpy.types.PropertyGroup, point: Point, objects: dict[str, bpy.types.Object]) -> None:
    """Link a point to its actor, then to its body there."""
    group.actor = objects.get(point.actor)
    group.body = point.body or ""
