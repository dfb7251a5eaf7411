"""Short notation for nodes of any tree: materials, worlds and geometry."""

import bpy

Socket = bpy.types.NodeSocket
Rgb = tuple[float, float, float]


class NodeTree:
    """A tree that nodes are added to. Wherever an input is given, a socket is linked and a value is set."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        self.tree = tree

    def put(self, socket: Socket, value: object) -> None:
        """Link or set an input; None leaves it as it is, and a colour may be given by three channels."""
        if isinstance(value, Socket):
            self.tree.links.new(value, socket)
        elif value is not None:
            socket.default_value = rgba(value) if socket.type == "RGBA" else value

    def connect(self, node: bpy.types.Node, *inputs: object) -> None:
        """Give the enabled inputs of a node, in order."""
        enabled = [socket for socket in node.inputs if socket.enabled]
        for socket, given in zip(enabled, inputs, strict=False):
            self.put(socket, given)

    def node(self, kind: str, *inputs: object, **named: object) -> bpy.types.Node:
        """New node with its enabled inputs in order, and others by name (underscores for spaces)."""
        made = self.tree.nodes.new(kind)
        self.connect(made, *inputs)
        for name, value in named.items():
            self.put(made.inputs[name.replace("_", " ")], value)
        return made

    def calculate(self, operation: str, *inputs: object) -> Socket:
        """A sum, a product and so on."""
        node = self.tree.nodes.new("ShaderNodeMath")
        node.operation = operation
        self.connect(node, *inputs)
        return node.outputs[0]

    def mixed(self, share: object, first: object, second: object) -> Socket:
        """Colour between two."""
        node = self.tree.nodes.new("ShaderNodeMix")
        node.data_type = "RGBA"
        self.connect(node, share, first, second)
        return next(socket for socket in node.outputs if socket.type == "RGBA")


def rgba(color: object) -> object:
    """Four channels of a colour given by three."""
    return (*color, 1.0) if isinstance(color, tuple) and len(color) == 3 else color
