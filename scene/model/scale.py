"""Scale an actor's model to a height and a mass."""

import warnings

import bpy

from ...models.editing.scaling import scale_model
from ..base.errors import SceneError
from ..store.fields import shortest
from .build import update_actor
from .read import read_model


def actor_size(actor: bpy.types.Object) -> tuple[float | None, float]:
    """Height (m; None where the model states none) and mass (kg) of an actor."""
    model = read_model(actor)
    return model.height, sum(body.mass for body in model.bodies)


def scale_actor(
    actor: bpy.types.Object, scene: bpy.types.Scene, height: float, mass: float, scale_curves: bool
) -> list[str]:
    """Scale; returns warnings to show."""
    model = read_model(actor)
    if model.height is None:
        raise SceneError(
            f"model '{model.name}' states no height: switch on Known Height and give it one first"
        )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            scaled = scale_model(model, shortest(height), shortest(mass), scale_curves)
        except ValueError as error:
            raise SceneError(str(error)) from error
    update_actor(actor, scaled, scene)
    return [str(item.message) for item in caught]
