"""What plays on an object, put aside."""

import bpy


def put_actions_aside(owner: bpy.types.Object) -> None:
    """Stop an object's action, which stays in the file, and mute its strips."""
    data = owner.animation_data
    if data is None:
        return
    if data.action is not None:
        data.action.use_fake_user = True
        data.action = None
    for track in data.nla_tracks:
        track.mute = True
