"""What the property groups share: names of objects, and the rows of curves and tables."""

import bpy
from bpy.props import FloatProperty, FloatVectorProperty, IntProperty, StringProperty

from .groups import GROUPS


class Ordered:
    """Mixin of what stands in a list of a file."""

    order: IntProperty(description="Place in the list of the file", options={"HIDDEN"})


class Named(Ordered):
    """Mixin of what has an object of its own, whose name says what it is called in the file."""

    name: StringProperty(description="Name in the file; rename the object to change it")
    handle_name: StringProperty(
        name="Given Name", description="Object name when the name was last set", options={"HIDDEN"}
    )


class MannequinCurvePoint(bpy.types.PropertyGroup):
    """One point of a piecewise-linear curve."""

    x: FloatProperty(
        name="Abscissa",
        description="Penetration (m), angle (degrees), time (s) or extension (m)",
        precision=4,
        step=0.1,
    )
    y: FloatProperty(name="Ordinate", description="Force (N), torque (N m) or factor", precision=1, step=1000)


class MannequinAngleRow(bpy.types.PropertyGroup):
    """Joint angles at a time."""

    time: FloatProperty(name="Time (s)", description="Time of the row", precision=4, step=1)
    angles: FloatVectorProperty(
        description="Joint angles about Z, Y, X; a revolute joint uses the first", size=3, unit="ROTATION"
    )


class MannequinMotionRow(bpy.types.PropertyGroup):
    """Numbers of a prescribed motion at a time."""

    time: FloatProperty(name="Time (s)", description="Time of the row", precision=4, step=1)
    values: FloatVectorProperty(
        description="Root: velocity along world X, Y, Z (m/s), then turn rate about X, Y, Z (rad/s). Joint: angles "
        "about Z, Y, X (degrees), or the one of a revolute joint",
        size=6,
        precision=4,
    )
    count: IntProperty(
        name="Numbers", description="How many numbers of the row are given, time included", options={"HIDDEN"}
    )


GROUPS |= {
    tuple[float, float]: MannequinCurvePoint,
    tuple[float, float, float, float]: MannequinAngleRow,
    tuple[float, ...]: MannequinMotionRow,
}
