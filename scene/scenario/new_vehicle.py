"""New road vehicles by class and dimensions."""

from dataclasses import fields, replace

import bpy

from ...engine.spec import VEHICLE_CLASSES, Vehicle
from ...engine.spec.description import Description, description_of
from ...models.vehicles.chassis import build_sprung_vehicle
from ...models.vehicles.form.styles import CLASSES
from ...models.vehicles.road_vehicle import build_vehicle
from ..model.build import build_actor
from .start_motion import place_on_ground

DIMENSIONS: dict[str, Description] = {
    field.name: description_of(Vehicle, field.name) for field in fields(Vehicle) if field.type == "float"
}
"""Field of a vehicle to its description."""


def vehicle_items() -> list[tuple[str, str, str]]:
    """Classes of vehicles as items of an EnumProperty."""
    labels = {"suv": "SUV"}
    return [
        (word, labels.get(word, word.title()), meaning) for word, meaning in VEHICLE_CLASSES.meanings.items()
    ]


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
    plate that are not given are those of the class. sprung: on suspensions and tyres, at rest on the ground z = 0."""
    given = {name: value for name, value in (dimensions or {}).items() if value}
    if color is not None:
        given["color"] = tuple(color)
    if plate:
        given["plate"] = plate
    build = build_sprung_vehicle if sprung else build_vehicle
    model = build(replace(CLASSES[kind], **given), mass or None)
    actor = build_actor(model, scene)
    actor.location = scene.cursor.location
    bpy.context.view_layer.update()
    if sprung:
        actor.location.z = 0.0  # its tyres are deflected already
    else:
        place_on_ground(actor, scene, model=model)
    return actor
