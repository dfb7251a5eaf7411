"""What people do to each other in a scene: a shove, and the grip of a hand."""

import bpy

from ...engine.spec import Actor
from ...engine.spec.response_joints import TRUNK
from ...models.editing.names import unique_name
from ...models.people.acts import GRIP, SHOVE, SHOVE_TIME, grip, nearest_body, palm_place, shove
from ..base.errors import SceneError
from ..store import fields
from .actor_start import read_actor
from .scenario import link_point, scenario_names

HANDS = {"LEFT": "HandL", "RIGHT": "HandR"}
REACH = 0.08
"""m between the palm and what it is to hold, at most."""


def add_shove(
    actor: bpy.types.Object,
    impulse: float = SHOVE,
    contact: float = SHOVE_TIME,
    start: float = 0.5,
    heading: float = 0.0,
    body: str = "",
) -> None:
    """Push an actor: impulse N s, contact time and start s, heading degrees from world x to y; body: empty is the upper
    back."""
    wanted = body or TRUNK
    if wanted not in actor.data.bones:
        raise SceneError(f"'{actor.name}' has no body '{wanted}' to be shoved: name one of its bodies")
    fields.write_group(
        actor.mannequin.actor.force_pulses.add(), shove(impulse, start, contact, wanted, heading)
    )


def _read(obj: bpy.types.Object, scene: bpy.types.Scene) -> Actor:
    return read_actor(obj, scenario_names(scene)[obj.name], scene)


def _held(actor: Actor, other: Actor, hand: str, body: str) -> str:
    """Body of the other actor that the palm holds: the one named, or the nearest. Raises SceneError where the palm is
    not at it."""
    names = {b.name for b in other.model.bodies}
    if body and body not in names:
        raise SceneError(f"'{other.name}' has no body '{body}' to hold: name one of its bodies, or none")
    near, distance = nearest_body(other, palm_place((actor, hand)), body)
    if distance > REACH:
        raise SceneError(
            f"{hand} of '{actor.name}' is {distance:.2f} m from '{near}' of '{other.name}': bring the palm there by "
            "posing the arm, or moving an actor, and grip then"
        )
    return near


def add_grip(
    actor: bpy.types.Object,
    other: bpy.types.Object | None,
    scene: bpy.types.Scene,
    side: str = "RIGHT",
    force: float = GRIP,
    body: str = "",
) -> str:
    """Let a hand of an actor hold another actor where its palm is, or (None) something that stands still; it lets go at
    a force (N). side: a key of `HANDS`. Returns what is held, in words."""
    hand = HANDS[side]
    if hand not in actor.data.bones:
        raise SceneError(f"'{actor.name}' has no body '{hand}': only people of the library grip")
    who = _read(actor, scene)
    held, what = None, "a fixed point"
    if other is not None:
        whom = _read(other, scene)
        held = whom, _held(who, whom, hand, body)
        what = f"{held[1]} of {other.name}"
    welds = scene.mannequin.welds
    weld = grip(unique_name("Grip", {item.name for item in welds}), (who, hand), held, force)
    item = welds.add()
    fields.write_group(item, weld)
    objects = {who.name: actor} | ({held[0].name: other} if held else {})
    link_point(item.start, weld.start, objects)
    link_point(item.end, weld.end, objects)
    scene.mannequin.welds_index = len(welds) - 1
    return what
