"""New vehicles by class and dimensions: cars, vans, trucks, buses; two-wheelers, wheelchair and pram."""

from dataclasses import fields, replace

import bpy

from ...engine.spec import LIGHT_VEHICLE_KINDS, VEHICLE_CLASSES, LightVehicle, Model, Vehicle
from ...engine.spec.description import Description, description_of
from ...models.vehicles.chassis import build_sprung_vehicle
from ...models.vehicles.form.styles import CLASSES
from ...models.vehicles.light.build import build_light_vehicle
from ...models.vehicles.light.kinds import LIGHT_VEHICLES
from ...models.vehicles.road_vehicle import build_vehicle
from ..model.build import build_actor
from .start_motion import place_on_ground

ROAD_DIMENSIONS: dict[str, Description] = {
    field.name: description_of(Vehicle, field.name) for field in fields(Vehicle) if field.type is float
}
LIGHT_DIMENSIONS: dict[str, Description] = {
    field.name: description_of(LightVehicle, field.name)
    for field in fields(LightVehicle)
    if field.type is float
}
DIMENSIONS: dict[str, Description] = {**LIGHT_DIMENSIONS, **ROAD_DIMENSIONS}
"""Field of a vehicle to its description."""


def dimensions_of(kind: str) -> list[str]:
    """Names of the dimensions that a class of vehicles has."""
    names = LIGHT_DIMENSIONS if kind in LIGHT_VEHICLE_KINDS else ROAD_DIMENSIONS
    is_ridden = kind in LIGHT_VEHICLES and LIGHT_VEHICLES[kind].is_ridden
    return [name for name in names if name != "track" or not is_ridden]


def has_suspension(kind: str) -> bool:
    """Whether a class of vehicles may stand on suspensions."""
    return kind in VEHICLE_CLASSES


def vehicle_items() -> list[tuple[str, str, str]]:
    """Classes of vehicles as items of an EnumProperty."""
    labels = {"suv": "SUV", "child_bicycle": "Child's Bicycle"}
    every = {**VEHICLE_CLASSES.meanings, **LIGHT_VEHICLE_KINDS.meanings}
    return [
        (word, labels.get(word, word.replace("_", " ").title()), meaning) for word, meaning in every.items()
    ]


def model_of_class(kind: str, given: dict, mass: float | None, sprung: bool) -> Model:
    """Model of a vehicle of a class with the values given."""
    if kind in LIGHT_VEHICLES:
        return build_light_vehicle(replace(LIGHT_VEHICLES[kind], **given), mass)
    build = build_sprung_vehicle if sprung else build_vehicle
    return build(replace(CLASSES[kind], **given), mass)


def new_vehicle(
    kind: str,
    scene: bpy.types.Scene,
    dimensions: dict[str, float] | None = None,
    mass: float = 0.0,
    color: tuple[float, float, float] | None = None,
    plate: str = "",
    sprung: bool = False,
) -> bpy.types.Object:
    """Actor of a vehicle at the 3D cursor, on the ground. Dimensions (m, degrees) and mass (kg) that are 0, colour and
    plate that are not given are those of the class; dimensions that the class has not are left out. sprung: on
    suspensions and tyres, at rest on the ground z = 0; two-wheelers, wheelchairs and prams are on tyres anyway."""
    known = dimensions_of(kind)
    given: dict = {name: value for name, value in (dimensions or {}).items() if value and name in known}
    if color is not None:
        given["color"] = tuple(color)
    if plate:
        given["plate"] = plate
    model = model_of_class(kind, given, mass or None, sprung)
    actor = build_actor(model, scene)
    actor.location = scene.cursor.location
    put_on_ground(actor, model, scene)
    return actor


def put_on_ground(actor: bpy.types.Object, model: Model, scene: bpy.types.Scene) -> None:
    """Let a vehicle stand on the ground where it is."""
    bpy.context.view_layer.update()
    if model.wheels:
        actor.location.z = 0.0  # its tyres are deflected already
    else:
        place_on_ground(actor, scene, model=model)
