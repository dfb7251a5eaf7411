"""Short notation for geometry nodes: flat drawings in picture coordinates, made of texts, plates and rectangles.

Every function takes and returns sockets, so that a drawing reads from the inside out. Numbers may be given in place of
sockets.
"""

import bpy

from ..base.blender_version import choose, new_group_output
from ..show.node_tree import NodeTree, Socket

Number = float | int | Socket


class Drawing(NodeTree):
    """A new tree of geometry nodes."""

    def __init__(self, name: str) -> None:
        super().__init__(bpy.data.node_groups.new(name, "GeometryNodeTree"))
        self._parts: list[Socket] = []

    def number(self, name: str, value: float) -> Socket:
        """A number that keyframes and drivers reach by its node's name."""
        node = self.node("ShaderNodeValue")
        node.name = node.label = name
        node.outputs[0].default_value = value
        return node.outputs[0]

    def string(self, text: str) -> Socket:
        """A text as it is."""
        node = self.node("FunctionNodeInputString")
        node.string = text
        return node.outputs[0]

    def digits(self, value: Number, decimals: int) -> Socket:
        """A number as text."""
        return self.node("FunctionNodeValueToString", value, decimals).outputs[0]

    def joined(self, *texts: str | Socket) -> Socket:
        """Texts one after the other."""
        node = self.node("GeometryNodeStringJoin")
        for text in reversed(texts):  # a later link to a socket of many goes to its front
            self.tree.links.new(self.string(text) if isinstance(text, str) else text, node.inputs["Strings"])
        return node.outputs[0]

    def either(self, is_second: Socket, first: Socket, second: Socket, kind: str) -> Socket:
        """The second where the condition holds, else the first; kind is that of the sockets."""
        node = self.node("GeometryNodeSwitch")
        node.input_type = kind
        self.connect(node, is_second, first, second)
        return node.outputs[0]

    def chosen(self, index: Socket, texts: list[str]) -> Socket:
        """The text of a number."""
        node = self.node("GeometryNodeIndexSwitch")
        node.data_type = "STRING"
        while len(node.index_switch_items) < len(texts):
            node.index_switch_items.new()
        self.connect(node, index, *texts)
        return node.outputs[0]

    def is_at_least(self, value: Number, limit: Number) -> Socket:
        """Whether a number is as large as another."""
        node = self.node("FunctionNodeCompare")
        node.operation = "GREATER_EQUAL"
        self.connect(node, value, limit)
        return node.outputs[0]

    def moved(self, geometry: Socket, x: Number, y: Number, z: Number = 0.0) -> Socket:
        """A part elsewhere."""
        node = self.node("GeometryNodeTransform")
        place = self.node("ShaderNodeCombineXYZ", x, y, z).outputs[0]
        self.tree.links.new(geometry, node.inputs["Geometry"])
        self.tree.links.new(place, node.inputs["Translation"])
        return node.outputs[0]

    def painted(self, geometry: Socket, material: bpy.types.Material) -> Socket:
        """A part in a material."""
        return self.node("GeometryNodeSetMaterial", geometry, None, material).outputs[0]

    def text(self, text: str | Socket, size: float, align: str = "LEFT", room: float = 0.0) -> Socket:
        """A filled text, its baseline at y = 0; shrunk where it would be wider than the room."""
        node = self.node("GeometryNodeStringToCurves")
        choose(node, "align_x", "Align X", align)
        choose(node, "overflow", "Overflow", "SCALE_TO_FIT" if room else "OVERFLOW")
        node.inputs["Size"].default_value = size
        if room:
            node.inputs["Text Box Width"].default_value = room
            node.inputs["Text Box Height"].default_value = 1.5 * size
        self.tree.links.new(self.string(text) if isinstance(text, str) else text, node.inputs["String"])
        outlines = self.node("GeometryNodeRealizeInstances", node.outputs[0]).outputs[0]
        return self.node("GeometryNodeFillCurve", outlines).outputs[0]

    def rectangle(self, x: Number, y: Number, width: Number, height: Number) -> Socket:
        """A filled rectangle by its middle and its size."""
        grid = self.node("GeometryNodeMeshGrid", width, height, 2, 2).outputs[0]
        return self.moved(grid, x, y)

    def vector(self, operation: str, *vectors: Socket, scale: Number = 1.0) -> Socket:
        """A sum, a product and so on of vectors; a number where that is one."""
        node = self.node("ShaderNodeVectorMath")
        node.operation = operation
        self.connect(node, *vectors)
        if operation == "SCALE":
            self.put(node.inputs["Scale"], scale)
        return node.outputs["Value" if operation in ("DOT_PRODUCT", "LENGTH") else "Vector"]

    def segment(self, x0: Number, y0: Number, x1: Number, y1: Number, thick: float) -> Socket:
        """A straight line between two places."""
        across, up = self.calculate("SUBTRACT", x1, x0), self.calculate("SUBTRACT", y1, y0)
        squares = [self.calculate("MULTIPLY", side, side) for side in (across, up)]
        length = self.calculate("SQRT", self.calculate("ADD", *squares))
        line = self.node("GeometryNodeTransform")
        self.put(line.inputs["Geometry"], self.node("GeometryNodeMeshGrid", length, thick, 2, 2).outputs[0])
        turn = self.node("ShaderNodeCombineXYZ", 0.0, 0.0, self.calculate("ARCTAN2", up, across)).outputs[0]
        self.put(line.inputs["Rotation"], self.node("FunctionNodeEulerToRotation", turn).outputs[0])
        middle = [
            self.calculate("MULTIPLY", self.calculate("ADD", *ends), 0.5) for ends in ((x0, x1), (y0, y1))
        ]
        return self.moved(line.outputs[0], *middle)

    def together(self, *geometry: Socket) -> Socket:
        """Parts as one."""
        join = self.node("GeometryNodeJoinGeometry")
        for part in geometry:
            self.put(join.inputs[0], part)
        return join.outputs[0]

    def own_geometry(self) -> Socket:
        """What the object itself has."""
        self.tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        return self.tree.nodes.new("NodeGroupInput").outputs[0]

    def draw(self, *geometry: Socket) -> None:
        """Put parts into the picture."""
        self._parts += geometry

    def finish(self) -> Socket:
        """All parts together."""
        return self.together(*self._parts)

    def output(self, geometry: Socket) -> None:
        """What the tree gives."""
        self.tree.links.new(geometry, new_group_output(self.tree))
