"""New actors: from the library, and from nothing."""

import bpy

from ...engine.spec import Model
from ...engine.spec.joint_types import RIGID_TYPE
from ...models.editing.edit import add_body, set_joint_type
from ..model.build import build_actor
from .files import add_library_actor
from .start_motion import place_on_ground


def new_actor(name: str, scene: bpy.types.Scene, on_ground: bool) -> bpy.types.Object:
    """Actor of a shipped model at the 3D cursor, standing on the ground if asked."""
    actor, model = add_library_actor(name, scene)
    actor.location = scene.cursor.location
    bpy.context.view_layer.update()
    if on_ground:
        place_on_ground(actor, scene, model=model)
    return actor


def new_model(name: str, body: str, fixed: bool, scene: bpy.types.Scene) -> bpy.types.Object:
    """Actor of a new model with one body, at the 3D cursor."""
    model = Model(name, [], [])
    add_body(model, body, None, (0.0, 0.0, 0.0))
    if fixed:
        set_joint_type(model, body, RIGID_TYPE)
    actor = build_actor(model, scene)
    actor.location = scene.cursor.location
    bpy.context.view_layer.update()
    return actor
