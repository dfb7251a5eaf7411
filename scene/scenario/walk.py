"""A walking start: pose, rates, motors and carried root of an actor from its gait."""

import bpy

from ...io_json.person_builder import walking
from ..store import callbacks
from .actor_start import read_actor, write_actor_start


def let_walk(actor: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Give an actor the start of its gait, at the place where it stands. Raises FileError for who does not walk."""
    actor.mannequin.actor.use_gait = True
    spec = read_actor(actor, actor.mannequin.actor.name, scene)
    write_actor_start(actor, walking(spec), scene)


def gait_changed(actor: bpy.types.Object, value: float) -> None:
    """Somebody who walks is shown at once as the gait now says; who does not walk yet stays."""
    if actor.mannequin.actor.use_gait:
        let_walk(actor, bpy.context.scene)


register, unregister = callbacks.answered({"gait": gait_changed})
