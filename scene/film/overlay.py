"""The overlay: case, run, time, speed, scale bar and what the film is, drawn by geometry nodes before the camera.

It is an ordinary object of the scene, so every engine renders it into the picture, also where the extension is not
installed. It follows the scene's camera (whichever is active) and its focal length; time, speed and read-outs are
keyframes of its nodes. The layout is in pixels of the picture it was made for and grows with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...analysis import colors
from ...analysis.gif import speed_label
from ..base.units import units_of
from ..show.materials import material
from .inset_plot import InsetPlot, cursor_keys, draw_frame, write_curve
from .label_drawing import draw_label, key_label, key_values
from .label_layout import Box
from .labels import DrawnLabel
from .nodes import Drawing, Number, Socket
from .parts import add_part, stage_collection

NOTICE = "Simulation, not recorded footage"
ANIMATED = "Animated, not simulated"
NAME = "Film Overlay"
LONGEST_BAR = 0.16
"""Share of the picture's width that a scale bar may take."""
NEAR = 2.0
"""The overlay stands at so many times the nearest distance that the camera sees."""
LIFT = 0.5
"""Pixels that texts stand before their plates."""
INK, DIM, PLATE = "Mannequin Overlay Ink", "Mannequin Overlay Dim", "Mannequin Overlay Plate"
LINES = "Mannequin Overlay Lines"
COLORS = {LINES: colors.LABEL, INK: colors.INK, DIM: colors.DIM, PLATE: colors.PLATE}


@dataclass(frozen=True)
class Readout:
    """A value that the overlay shows as it changes."""

    label: str
    unit: str
    decimals: int
    keys: tuple[tuple[float, float], ...]
    """(frame, value)"""


@dataclass(frozen=True)
class Caption:
    """Content of the overlay. Keys are (frame, value)."""

    run: str
    case: str = ""
    title: str = ""
    """At the upper left"""
    flag: str = ""
    """Beside the notice, such as "Edited by hand: location, frames 3 to 9\""""
    animated: tuple[tuple[int, int], ...] = ()
    """First and last frame of stretches that are animated, not simulated; the notice says so there"""
    times: tuple[tuple[float, float], ...] = ((1.0, 0.0),)
    """Simulated s; straight between keys"""
    speeds: tuple[tuple[float, float], ...] = ((1.0, 1.0),)
    """How many times slower than true; holds until the next key"""
    readouts: tuple[Readout, ...] = ()
    clock: bool = True
    """Time, speed, case and the notice; off in the halves of a picture that has them once"""
    world: bool = True
    """Scale bar, title and read-outs of what is filmed; off in the part that has only the clock"""
    divided: float | None = None
    """Share of the width at which a line goes down"""
    second_title: str = ""
    """At the upper right, below the notice, for another run in the same picture"""
    second_readouts: tuple[Readout, ...] = ()
    plot: Readout | None = None
    """Time series of the plot at the lower right"""
    labels: tuple[DrawnLabel, ...] = ()
    """Of bodies, where they are in the picture"""


@dataclass(frozen=True)
class Layout:
    """Sizes in pixels of the picture; the origin is its middle."""

    width: float
    height: float

    @property
    def size(self) -> float:
        """Height of a line of text."""
        return max(6.0, min(self.height / 30.0, self.width / 32.0))

    @property
    def left(self) -> float:
        """Where texts at the left begin."""
        return -self.width / 2.0 + self.size

    @property
    def right(self) -> float:
        """Where texts at the right end."""
        return self.width / 2.0 - self.size

    @property
    def band(self) -> float:
        """Upper edge of the band."""
        return -self.height / 2.0 + 2.9 * self.size

    @property
    def lines(self) -> tuple[float, float]:
        """Baselines of the two lines on the band."""
        return self.band - 1.3 * self.size, self.band - 2.45 * self.size


def add_overlay(scene: bpy.types.Scene, caption: Caption) -> bpy.types.Object:
    """New overlay of a scene for its resolution; an earlier one is replaced."""
    remove_overlay(scene)
    layout = Layout(scene.render.resolution_x, scene.render.resolution_y)
    drawing = Drawing(NAME)
    if caption.clock:
        draw_clock(drawing, layout, caption)
        draw_notice(drawing, layout, caption)
    if caption.world:
        draw_scale_bar(drawing, layout, units_of(scene).metres, has_band=caption.clock)
        draw_corner(drawing, layout, caption)
    if caption.world and (caption.second_title or caption.second_readouts):
        draw_second_corner(drawing, layout, caption)
    for number, label in enumerate(caption.labels):
        plate, text, lines = draw_label(drawing, label, number, layout.size, LIFT)
        drawing.draw(
            *(
                drawing.painted(part, ink(name))
                for part, name in ((plate, PLATE), (text, INK), (lines, LINES))
            )
        )
    if caption.plot is not None:
        draw_plot(drawing, layout, caption)
    if caption.divided is not None:
        place = (caption.divided - 0.5) * layout.width
        line = drawing.rectangle(place, 0.0, max(2.0, layout.size / 6.0), 1.1 * layout.height)
        drawing.draw(drawing.painted(line, ink(PLATE)))
    drawing.output(before_camera(drawing, layout, drawing.finish()))
    mesh = bpy.data.meshes.new(NAME)
    if caption.plot is not None:
        plot, (frames, values) = plot_of(layout), np.array(caption.plot.keys).T
        corners = np.array(caption.times)
        moments = np.interp(frames, corners[:, 0], corners[:, 1])
        points = plot.curve(moments, values, corners[-1, 1])
        write_curve(mesh, points, max(1.5, layout.size / 9.0), ink(LINES))
    key_numbers(drawing.tree, layout, caption)
    for number, label in enumerate(caption.labels):
        key_label(drawing.tree, label, number)
    return new_overlay_object(scene, drawing.tree, mesh)


def plot_of(layout: Layout) -> InsetPlot:
    """Where the plot of an overlay is."""
    return InsetPlot(layout.width, layout.height, layout.band, layout.size)


def draw_plot(drawing: Drawing, layout: Layout, caption: Caption) -> None:
    """Plate, axis, name and largest value of the plot, and the line of the clock; its curve is the overlay's mesh."""
    plot, series = plot_of(layout), caption.plot
    plate, axis, cursor = draw_frame(drawing, plot)
    peak = max((abs(value) for _, value in series.keys), default=0.0)
    text = f"{series.label}, at most {peak:.{series.decimals}f} {series.unit}"
    room = plot.inner[2] - plot.inner[0]
    write(
        drawing, text, 0.82 * layout.size, plot.inner[0], plot.box[3] - 1.3 * layout.size, INK, "LEFT", room
    )
    drawing.draw(drawing.painted(plate, ink(PLATE)))
    for part, name in ((axis, DIM), (cursor, INK), (drawing.own_geometry(), LINES)):
        drawing.draw(drawing.moved(drawing.painted(part, ink(name)), 0.0, 0.0, LIFT))


def taken_boxes(scene: bpy.types.Scene, caption: Caption) -> list[Box]:
    """Boxes of the picture, from its middle, that the caption takes: band, notice, and the texts at the left."""
    layout = Layout(scene.render.resolution_x, scene.render.resolution_y)
    size, right, top = layout.size, layout.width / 2.0, layout.height / 2.0
    lines = [caption.title] if caption.title else []
    lines += [f"{readout.label} {readout.unit} 0000000" for readout in caption.readouts]
    left_width = (2.0 + 0.5 * max(map(len, lines), default=0)) * size
    notice = 0.62 * layout.width if caption.flag else 17.0 * size
    plot = [plot_of(layout).box] if caption.plot is not None else []
    return [
        *plot,
        (-right, -top, right, layout.band),
        (right - notice, top - (3.9 if caption.flag else 2.1) * size, right, top),
        (-right, top - (0.35 + 1.75 * len(lines)) * size, -right + left_width, top),
    ]


def overlay_of(scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The overlay of a scene."""
    return next((o for o in stage_collection(scene).objects if o.name.startswith(NAME)), None)


def remove_overlay(scene: bpy.types.Scene) -> None:
    """Remove the overlay of a scene with its nodes."""
    obj = overlay_of(scene)
    if obj is None:
        return
    tree, mesh = obj.modifiers[0].node_group, obj.data
    bpy.data.objects.remove(obj)
    bpy.data.meshes.remove(mesh)
    if tree is not None and tree.users == 0:
        bpy.data.node_groups.remove(tree)


def new_overlay_object(
    scene: bpy.types.Scene, tree: bpy.types.NodeTree, mesh: bpy.types.Mesh
) -> bpy.types.Object:
    """The object that carries the drawing: seen by the camera alone, without shadow."""
    obj = bpy.data.objects.new(NAME, mesh)
    add_part(scene, obj, "overlay")
    modifier = obj.modifiers.new(NAME, "NODES")
    modifier.node_group = tree
    obj.hide_select = True
    obj.display.show_shadows = False
    for rays in ("diffuse", "glossy", "transmission", "volume_scatter", "shadow"):
        setattr(obj, f"visible_{rays}", False)
    return obj


def ink(name: str) -> bpy.types.Material:
    """Material of the overlay that looks the same in any light."""
    color = colors.linear(COLORS[name])
    made = material(name, color, 1.0)
    made.metallic = 1.0  # for Workbench, where only metals have no white shine
    tree = made.node_tree
    if not any(node.type == "EMISSION" for node in tree.nodes):
        light = tree.nodes.new("ShaderNodeEmission")
        end = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
        tree.links.new(light.outputs[0], end.inputs["Surface"])
        light.inputs["Color"].default_value = color
    return made


def draw_clock(drawing: Drawing, layout: Layout, caption: Caption) -> None:
    """Time and speed, case and run, on a dark band."""
    size, (first, second) = layout.size, layout.lines
    middle = (layout.band - layout.height / 2.0) / 2.0
    # a little over the edges, so that rounding shows no line of the scene
    band = drawing.rectangle(
        0.0, middle - size, 1.1 * layout.width, layout.band + layout.height / 2.0 + 2.0 * size
    )
    drawing.draw(drawing.painted(band, ink(PLATE)))
    time = drawing.joined("t = ", drawing.digits(drawing.number("time_ms", 0.0), 1), " ms")
    speeds = list(dict.fromkeys(factor for _, factor in caption.speeds))
    speed = drawing.chosen(drawing.number("speed", 0.0), [speed_label(factor) for factor in speeds])
    write(drawing, time, 1.15 * size, layout.left, first, INK)
    write(drawing, speed, 0.82 * size, layout.left, second, DIM)
    if caption.case:
        write(drawing, f"Case {caption.case}", 1.15 * size, 0.0, first, INK, "CENTER", 0.34 * layout.width)
    place = second if caption.case else (first + second) / 2.0
    write(drawing, f"Run {caption.run}", 0.82 * size, 0.0, place, DIM, "CENTER", 0.34 * layout.width)


def write(
    drawing: Drawing,
    text: str | Socket,
    size: float,
    x: float,
    y: float,
    ink_name: str,
    align: str = "LEFT",
    room: float = 0.0,
) -> Socket:
    """A text in the picture, in front of plates."""
    shift = {"LEFT": 0.0, "CENTER": -room / 2.0, "RIGHT": -room}[align]
    made = drawing.moved(drawing.text(text, size, align, room), x + shift, y, LIFT)
    drawing.draw(drawing.painted(made, ink(ink_name)))
    return made


def draw_notice(drawing: Drawing, layout: Layout, caption: Caption) -> None:
    """What the film is, at the upper right, on a dark plate; what was edited below it."""
    size, line = layout.size, layout.height / 2.0 - 1.15 * layout.size
    text: str | Socket = NOTICE
    if caption.animated:
        text = drawing.chosen(drawing.number("animated", 0.0), [NOTICE, ANIMATED])
    draw_plate(drawing, write(drawing, text, 0.82 * size, layout.right, line, INK, "RIGHT"), size)
    if caption.flag:
        room = 0.6 * layout.width
        below = write(
            drawing, caption.flag, 0.82 * size, layout.right, line - 1.75 * size, INK, "RIGHT", room
        )
        draw_plate(drawing, below, size)


def draw_corner(drawing: Drawing, layout: Layout, caption: Caption) -> None:
    """Title and read-outs, one below the other at the upper left, on dark plates."""
    lines = lines_of(drawing, caption.title, caption.readouts, 0)
    line = layout.height / 2.0 - 1.15 * layout.size
    draw_lines(drawing, layout, lines, layout.left, line, "LEFT")


def draw_second_corner(drawing: Drawing, layout: Layout, caption: Caption) -> None:
    """Title and read-outs of the other run, at the upper right below what else is there."""
    lines = lines_of(drawing, caption.second_title, caption.second_readouts, len(caption.readouts))
    above = 3 if caption.flag else 2
    line = layout.height / 2.0 - (1.15 + 1.75 * (above - 1)) * layout.size
    draw_lines(drawing, layout, lines, layout.right, line, "RIGHT")


def lines_of(drawing: Drawing, title: str, readouts: Sequence[Readout], first: int) -> list[str | Socket]:
    """A title and read-outs as texts; read-outs are numbered from `first` on."""
    lines: list[str | Socket] = [title] if title else []
    for number, readout in enumerate(readouts, first):
        value = drawing.digits(drawing.number(f"readout_{number}", 0.0), readout.decimals)
        lines.append(drawing.joined(f"{readout.label}  ", value, f" {readout.unit}"))
    return lines


def draw_lines(
    drawing: Drawing, layout: Layout, lines: list[str | Socket], x: float, line: float, align: str
) -> None:
    """Texts one below the other on dark plates."""
    for text in lines:
        made = write(drawing, text, 0.82 * layout.size, x, line, INK, align)
        draw_plate(drawing, made, layout.size)
        line -= 1.75 * layout.size


def draw_plate(drawing: Drawing, text: Socket, size: float) -> None:
    """A dark rectangle behind a text, as wide as it."""
    box = drawing.node("GeometryNodeBoundBox", text)
    low = drawing.node("ShaderNodeSeparateXYZ", box.outputs["Min"]).outputs
    high = drawing.node("ShaderNodeSeparateXYZ", box.outputs["Max"]).outputs
    width = drawing.calculate("ADD", drawing.calculate("SUBTRACT", high[0], low[0]), 2.0 * size)
    middle = drawing.calculate("MULTIPLY", drawing.calculate("ADD", high[0], low[0]), 0.5)
    foot = drawing.calculate("ADD", low[1], 0.30 * size)
    plate = drawing.rectangle(middle, foot, width, 1.75 * size)
    drawing.draw(drawing.painted(plate, ink(PLATE)))


def draw_scale_bar(drawing: Drawing, layout: Layout, metres: float, has_band: bool) -> None:
    """A bar with end ticks and its length above; none where the camera is not one of the set-up's.

    The length is the largest of 1, 2 and 5 times a power of ten (m) that fits the room.
    """
    size, (first, second) = layout.size, layout.lines
    distance = driven(drawing, "distance", 'camera["mannequin_distance"]', 0.0)
    pixel = drawing.calculate("MULTIPLY", pixel_at(drawing, layout, distance), metres)
    length, text = bar_length(drawing, drawing.calculate("MULTIPLY", pixel, LONGEST_BAR * layout.width))
    pixels = drawing.calculate("DIVIDE", length, pixel)
    thick = max(2.0, size / 8.0)
    start = drawing.calculate("SUBTRACT", layout.right, pixels)
    middle = drawing.calculate("SUBTRACT", layout.right, drawing.calculate("MULTIPLY", pixels, 0.5))
    parts = [drawing.rectangle(middle, second + 0.1 * size, pixels, thick)]
    parts += [drawing.rectangle(x, second + 0.1 * size, thick, 0.7 * size) for x in (start, layout.right)]
    join = drawing.node("GeometryNodeJoinGeometry")
    for part in parts:
        drawing.tree.links.new(part, join.inputs[0])
    words = drawing.moved(drawing.text(text, 0.82 * size, "RIGHT"), layout.right, first + 0.1 * size)
    drawing.tree.links.new(words, join.inputs[0])
    shown = drawing.moved(join.outputs[0], 0.0, 0.0, LIFT)
    if not has_band:
        draw_plate(drawing, shown, size)
    known = drawing.is_at_least(drawing.calculate("ADD", distance, is_orthographic(drawing)), 1e-6)
    nothing = drawing.node("GeometryNodeJoinGeometry").outputs[0]
    drawing.draw(drawing.either(known, nothing, drawing.painted(shown, ink(INK)), "GEOMETRY"))


def bar_length(drawing: Drawing, room: Socket) -> tuple[Socket, Socket]:
    """Length (m) of the longest round bar within the room (m), and its label."""
    power = drawing.calculate(
        "POWER", 10.0, drawing.calculate("FLOOR", drawing.calculate("LOGARITHM", room, 10.0))
    )
    share = drawing.calculate("DIVIDE", room, power)
    # 1, and 1 more from 2 on, and 3 more from 5 on: 1, 2, 5
    second = drawing.calculate("GREATER_THAN", share, 2.0)
    third = drawing.calculate("MULTIPLY", drawing.calculate("GREATER_THAN", share, 5.0), 3.0)
    digit = drawing.calculate("ADD", drawing.calculate("ADD", second, third), 1.0)
    length = drawing.calculate("MULTIPLY", digit, power)
    in_cm = drawing.joined(
        drawing.digits(drawing.calculate("MULTIPLY", length, 100.0), 0), " cm at the actor"
    )
    in_m = drawing.joined(drawing.digits(length, 0), " m at the actor")
    return length, drawing.either(drawing.is_at_least(length, 0.999), in_cm, in_m, "STRING")


def pixel_at(drawing: Drawing, layout: Layout, distance: Number) -> Socket:
    """Width of a pixel of the layout at a distance from the camera: distance * film width / (focal length * pixels), or
    the same at all distances for an orthographic camera."""
    lens = driven(drawing, "lens", "camera.data.lens", 50.0)
    film = driven(drawing, "film", "camera.data.sensor_width", 36.0)
    pixels = max(layout.width, layout.height)
    wide = drawing.calculate("MULTIPLY", drawing.calculate("DIVIDE", film, lens), distance)
    flat = driven(drawing, "ortho_scale", "camera.data.ortho_scale", 6.0)
    kind = is_orthographic(drawing)
    chosen = drawing.calculate(
        "ADD",
        drawing.calculate("MULTIPLY", flat, kind),
        drawing.calculate("MULTIPLY", wide, drawing.calculate("SUBTRACT", 1.0, kind)),
    )
    return drawing.calculate("DIVIDE", chosen, pixels)


def is_orthographic(drawing: Drawing) -> Socket:
    """1 for an orthographic camera, 0 for others."""
    kind = driven(drawing, "camera_type", "camera.data.type", 0.0)
    return drawing.calculate("COMPARE", kind, 1.0, 0.1)


def driven(drawing: Drawing, name: str, path: str, otherwise: float) -> Socket:
    """A number that follows a property of the active scene; another value where the scene has no such property."""
    known = drawing.tree.nodes.get(name)
    if known is not None:
        return known.outputs[0]
    number = drawing.number(name, otherwise)
    driver = drawing.tree.driver_add(f'nodes["{number.node.name}"].outputs[0].default_value').driver
    driver.type = "AVERAGE"
    variable = driver.variables.new()
    variable.type = "CONTEXT_PROP"
    target = variable.targets[0]
    target.context_property, target.data_path = "ACTIVE_SCENE", path
    target.use_fallback_value, target.fallback_value = True, otherwise
    return number


def before_camera(drawing: Drawing, layout: Layout, picture: Socket) -> Socket:
    """The drawing scaled to fill the view of the active camera, just beyond where it begins to see."""
    depth = drawing.calculate("MULTIPLY", driven(drawing, "clip_start", "camera.data.clip_start", 0.1), NEAR)
    scale = pixel_at(drawing, layout, depth)
    pixels = max(layout.width, layout.height)
    shift = [
        drawing.calculate(
            "MULTIPLY", driven(drawing, f"shift_{axis}", f"camera.data.shift_{axis}", 0.0), pixels
        )
        for axis in "xy"
    ]
    sized = drawing.node("GeometryNodeTransform")
    drawing.tree.links.new(drawing.moved(picture, *shift), sized.inputs["Geometry"])
    drawing.tree.links.new(
        drawing.node("ShaderNodeCombineXYZ", scale, scale, scale).outputs[0], sized.inputs["Scale"]
    )
    away = drawing.node("ShaderNodeCombineXYZ", 0.0, 0.0, drawing.calculate("MULTIPLY", depth, -1.0)).outputs[
        0
    ]
    drawing.tree.links.new(away, sized.inputs["Translation"])
    camera = drawing.node("GeometryNodeObjectInfo", drawing.node("GeometryNodeInputActiveCamera").outputs[0])
    camera.transform_space = "RELATIVE"
    placed = drawing.node("GeometryNodeTransform")
    drawing.tree.links.new(sized.outputs[0], placed.inputs["Geometry"])
    for name, output in (("Translation", "Location"), ("Rotation", "Rotation")):
        drawing.tree.links.new(camera.outputs[output], placed.inputs[name])
    return placed.outputs[0]


def key_numbers(tree: bpy.types.NodeTree, layout: Layout, caption: Caption) -> None:
    """Keyframes of time, speed and read-outs."""
    speeds = list(dict.fromkeys(factor for _, factor in caption.speeds))
    if caption.clock:
        key_number(tree, "time_ms", [(frame, 1000.0 * time) for frame, time in caption.times], "LINEAR")
        key_number(
            tree, "speed", [(frame, speeds.index(factor)) for frame, factor in caption.speeds], "CONSTANT"
        )
    if caption.clock and caption.animated:
        keys = {(a, 1.0) for a, _ in caption.animated} | {(b + 1, 0.0) for _, b in caption.animated}
        key_number(
            tree, "animated", sorted({(0 if min(keys)[0] > 0 else min(keys)[0] - 1, 0.0), *keys}), "CONSTANT"
        )
    if caption.plot is not None:
        key_number(tree, "plot_now", cursor_keys(plot_of(layout), caption.times), "LINEAR")
    if caption.world:
        for number, readout in enumerate((*caption.readouts, *caption.second_readouts)):
            key_number(tree, f"readout_{number}", readout.keys, "LINEAR")


def key_number(
    tree: bpy.types.NodeTree, name: str, keys: Sequence[tuple[float, float]], interpolation: str
) -> None:
    """Keyframes of a number of the drawing."""
    frames, values = np.array(keys, dtype=float).T
    key_values(tree, name, frames, values, np.full(len(frames), interpolation == "CONSTANT"))
