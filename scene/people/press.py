"""Nothing of a person shows below level ground: what would is pressed flat on it, as flesh and cloth are.

A modifier of geometry nodes after the armature, so that it plays without the extension.
"""

import bpy

NAME = "Mannequin Press Flat"


def press_flat(obj: bpy.types.Object) -> None:
    """Let a mesh lie flat where it would be below z = 0."""
    modifier = obj.modifiers.get(NAME) or obj.modifiers.new(NAME, "NODES")
    modifier.node_group = bpy.data.node_groups.get(NAME) or new_tree()


def new_tree() -> bpy.types.NodeTree:
    """Nodes that bring positions into the world, raise them to z = 0, and take them back."""
    tree = bpy.data.node_groups.new(NAME, "GeometryNodeTree")
    tree.is_modifier = True
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    new, link = tree.nodes.new, tree.links.new
    start, end = new("NodeGroupInput"), new("NodeGroupOutput")
    place, own, where = (
        new("GeometryNodeSetPosition"),
        new("GeometryNodeSelfObject"),
        new("GeometryNodeObjectInfo"),
    )
    back, to_world, to_own = (
        new("FunctionNodeInvertMatrix"),
        new("FunctionNodeTransformPoint"),
        new("FunctionNodeTransformPoint"),
    )
    position, parts, whole = (
        new("GeometryNodeInputPosition"),
        new("ShaderNodeSeparateXYZ"),
        new("ShaderNodeCombineXYZ"),
    )
    higher = new("ShaderNodeMath")
    higher.operation = "MAXIMUM"
    higher.inputs[1].default_value = 0.0
    link(own.outputs[0], where.inputs["Object"])
    link(where.outputs["Transform"], back.inputs[0])
    link(position.outputs[0], to_world.inputs["Vector"])
    link(where.outputs["Transform"], to_world.inputs["Transform"])
    link(to_world.outputs[0], parts.inputs[0])
    link(parts.outputs["Z"], higher.inputs[0])
    for axis in "XY":
        link(parts.outputs[axis], whole.inputs[axis])
    link(higher.outputs[0], whole.inputs["Z"])
    link(whole.outputs[0], to_own.inputs["Vector"])
    link(back.outputs[0], to_own.inputs["Transform"])
    link(start.outputs[0], place.inputs["Geometry"])
    link(to_own.outputs[0], place.inputs["Position"])
    link(place.outputs[0], end.inputs[0])
    return tree
