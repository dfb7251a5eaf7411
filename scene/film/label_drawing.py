"""Labels in the overlay: a plate with a value, a line to what it is about, and dimension lines."""

from collections.abc import Sequence

import bpy
import numpy as np

from ..base.blender_version import fcurves_of
from .labels import DrawnLabel
from .nodes import Drawing, Socket

FAR = 1.0e5
"""Pixels off the picture where a label is that is not shown."""


def draw_label(
    drawing: Drawing, label: DrawnLabel, number: int, size: float, lift: float
) -> tuple[Socket, Socket, Socket]:
    """Plate, text and lines of a label, each to be painted; its numbers have keyframes of their own (`key_label`)."""
    x, y, ax, ay = (drawing.number(f"label_{number}_{name}", 0.0) for name in ("x", "y", "ax", "ay"))
    value = drawing.digits(drawing.number(f"label_{number}_value", 0.0), label.decimals)
    words = drawing.joined(f"{label.text}  ", value, f" {label.unit}")
    room = label.width - 0.8 * size
    text = drawing.text(words, 0.82 * size, "CENTER", room)
    left = drawing.calculate("SUBTRACT", x, room / 2.0)
    base = drawing.calculate("SUBTRACT", y, 0.28 * size)
    plate = drawing.rectangle(x, y, label.width, 1.5 * size)
    thick = max(1.5, size / 10.0)
    if label.ends is None:
        lines = drawing.segment(x, y, ax, ay, thick)
    else:
        bx, by = (drawing.number(f"label_{number}_{name}", 0.0) for name in ("bx", "by"))
        middle = [
            drawing.calculate("MULTIPLY", drawing.calculate("ADD", a, b), 0.5)
            for a, b in ((ax, bx), (ay, by))
        ]
        lines = drawing.together(
            drawing.segment(x, y, *middle, thick),
            drawing.segment(ax, ay, bx, by, 1.5 * thick),
            drawing.rectangle(ax, ay, 6.0 * thick, 6.0 * thick),
            drawing.rectangle(bx, by, 6.0 * thick, 6.0 * thick),
        )
    return plate, drawing.moved(text, left, base, lift), drawing.moved(lines, 0.0, 0.0, -lift)


def key_label(tree: bpy.types.NodeTree, label: DrawnLabel, number: int) -> None:
    """Keyframes of a label: where it is, and what it says. Where it is not shown it is off the picture."""
    hidden = ~label.shown
    points = {"x": label.places, "ax": label.anchors} | ({} if label.ends is None else {"bx": label.ends})
    for name, values in points.items():
        off = hidden if name == "x" else hidden | ~np.isfinite(values).all(axis=1)
        for axis, letter in enumerate("xy"):
            column = np.where(off, FAR, values[:, axis])
            keep = name.removesuffix("x") + letter
            key_values(tree, f"label_{number}_{keep}", label.frames, column, hidden)
    key_values(tree, f"label_{number}_value", label.frames, label.values, np.zeros(len(hidden), dtype=bool))


def key_values(
    tree: bpy.types.NodeTree, name: str, frames: Sequence[float], values: np.ndarray, held: np.ndarray
) -> None:
    """Keyframes of a number, straight between two; one that is `held` stays until the next, and so does the one
    before it."""
    socket = tree.nodes[name].outputs[0]
    socket.default_value = float(values[0])
    socket.keyframe_insert("default_value", frame=float(frames[0]))
    path = f'nodes["{name}"].outputs[0].default_value'
    curve = next(c for c in fcurves_of(tree.animation_data.action) if c.data_path == path)
    curve.keyframe_points.add(len(frames) - 1)
    curve.keyframe_points.foreach_set("co", np.stack([frames, values], axis=1).astype(np.float32).ravel())
    stays = held | np.append(held[1:], False)
    for point, is_constant in zip(curve.keyframe_points, stays, strict=True):
        point.interpolation = "CONSTANT" if is_constant else "LINEAR"
    curve.update()
