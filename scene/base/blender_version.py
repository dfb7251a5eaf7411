"""What differs between Blender 4.2 LTS and 5.2 LTS, in one place.

4.4 brought slotted actions, 5.0 took the old access to their curves away, split image from video output, and keeps the
properties of add-ons apart from those of users.
"""

from typing import Any

import bpy

BLEND_RELATIVE = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5) else set()
"""Options of a path that may begin with // for the folder of the file; before 4.5 all may."""


def stored(owner: bpy.types.ID) -> Any:
    """What a data-block holds for properties that add-ons have defined, also of earlier versions that no longer do."""
    if hasattr(owner, "bl_system_properties_get"):
        return owner.bl_system_properties_get() or {}
    return owner


def new_action(name: str, owner: bpy.types.ID) -> tuple[bpy.types.Action, bpy.types.bpy_prop_collection]:
    """A new action for a data-block, not yet assigned to it, and the collection its curves are to be made in."""
    action = bpy.data.actions.new(name)
    if not hasattr(action, "slots"):
        return action, action.fcurves
    slot = action.slots.new(id_type=owner.id_type, name=owner.name)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    return action, strip.channelbag(slot, ensure=True).fcurves


def assign_action(owner: bpy.types.ID, action: bpy.types.Action) -> None:
    """Let an action move an object, or change another data-block."""
    data = owner.animation_data_create()
    data.action = action
    if hasattr(action, "slots") and len(action.slots):
        data.action_slot = action.slots[0]


def new_fcurve(curves: bpy.types.bpy_prop_collection, path: str, index: int, group: str) -> bpy.types.FCurve:
    """A new curve in the named group of the channels."""
    parameters = curves.bl_rna.functions["new"].parameters
    if "group_name" in parameters:
        return curves.new(path, index=index, group_name=group)
    if "action_group" in parameters:
        return curves.new(path, index=index, action_group=group)
    return curves.new(path, index=index)


def fcurves_of(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    """All curves of an action, whatever holds them."""
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]


def action_ranges(owner: bpy.types.ID) -> list[tuple[float, float]]:
    """First and last frame of what moves a data-block: of its action, and of strips that play."""
    data = owner.animation_data
    if data is None:
        return []
    ranges = [tuple(data.action.frame_range)] if data.action is not None else []
    tracks = [track for track in data.nla_tracks if not track.mute] if data.use_nla else []
    return ranges + [
        (strip.frame_start, strip.frame_end) for track in tracks for strip in track.strips if not strip.mute
    ]


def import_bvh(path: str) -> None:
    """Import a BVH file, in the scene's time: seconds stay seconds."""
    bpy.ops.import_anim.bvh(filepath=path, use_fps_scale=True, rotate_mode="QUATERNION")


def import_fbx(path: str) -> None:
    """Import an FBX file by the importer that this Blender has."""
    if hasattr(bpy.types, "WM_OT_fbx_import"):
        bpy.ops.wm.fbx_import(filepath=path)
    else:
        bpy.ops.import_scene.fbx(filepath=path)


def strips_of(scene: bpy.types.Scene) -> bpy.types.bpy_prop_collection:
    """Strips of a scene's video sequence, which is made where there is none."""
    editor = scene.sequence_editor or scene.sequence_editor_create()
    return editor.strips if hasattr(editor, "strips") else editor.sequences


def set_strip_length(strip: bpy.types.bpy_struct, frames: int) -> None:
    """Let a strip of the sequencer last so many frames from its start."""
    if hasattr(strip, "duration") and not strip.bl_rna.properties["duration"].is_readonly:
        strip.duration = frames
    else:
        strip.frame_final_duration = frames


def set_video_output(render: bpy.types.RenderSettings, container: str = "MPEG4", codec: str = "H264") -> None:
    """Let a scene write a film: H.264 in MP4, or as Blender names another container and codec."""
    if hasattr(render.image_settings, "media_type"):
        render.image_settings.media_type = "VIDEO"
    render.image_settings.file_format = "FFMPEG"
    render.ffmpeg.format = container
    render.ffmpeg.codec = codec


def set_picture_output(render: bpy.types.RenderSettings, kind: str = "PNG", has_alpha: bool = False) -> None:
    """Let a scene write single pictures: PNG with 8 bits, or OpenEXR with 16."""
    if hasattr(render.image_settings, "media_type"):
        render.image_settings.media_type = "IMAGE"
    render.image_settings.file_format = {"EXR": "OPEN_EXR"}.get(kind, kind)
    render.image_settings.color_mode = "RGBA" if has_alpha else "RGB"
    render.image_settings.color_depth = "16" if kind == "EXR" else "8"


def eevee_name() -> str:
    """Identifier of the EEVEE engine."""
    return "BLENDER_EEVEE_NEXT" if (4, 2, 0) <= bpy.app.version < (5, 0, 0) else "BLENDER_EEVEE"


def use_nodes(owner: bpy.types.Material | bpy.types.World) -> None:
    """Let nodes define the look of a material or a world; always so from 5.0 on."""
    if bpy.app.version < (5, 0, 0):
        owner.use_nodes = True


def choose(node: bpy.types.Node, attribute: str, socket: str, item: str) -> None:
    """Choose an item of a node's menu by its identifier; from 5.0 on many are sockets that take the item's label."""
    if hasattr(node, attribute):
        setattr(node, attribute, item)
    else:
        node.inputs[socket].default_value = item.replace("_", " ").title()


def new_group_output(tree: bpy.types.NodeTree) -> bpy.types.NodeSocket:
    """The socket that takes what a new tree of geometry nodes gives."""
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    return tree.nodes.new("NodeGroupOutput").inputs[0]
