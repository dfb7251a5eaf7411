"""What the property groups share: labels, switches, the kept original, the point of a curve and the rows of tables.

Numbers of specs have soft limits only: a slider stops there, but a faulty value of a file is shown as it is, reported
by validation and written back unchanged, never clamped in silence.
"""

import bpy
from bpy.props import BoolProperty, FloatProperty, FloatVectorProperty, IntProperty, StringProperty

DEGREES = {"subtype": "ANGLE", "unit": "ROTATION"}
DEGREES_VECTOR = {"unit": "ROTATION"}
SECONDS = {"subtype": "TIME_ABSOLUTE", "unit": "TIME_ABSOLUTE"}
AXES = [(axis, axis.upper(), f"{axis} axis of the joint frame") for axis in ("z", "y", "x")]


def words(identifier: str) -> str:
    """Label in Title Case of an identifier."""
    return identifier.replace("_", " ").title()


def choices(identifiers: tuple[str, ...], texts: dict[str, str]) -> list[tuple[str, str, str]]:
    """Items of an EnumProperty, each with its description."""
    return [(name, words(name), texts[name]) for name in identifiers]


def source_property() -> StringProperty:
    """Where the values of a thing come from."""
    return StringProperty(
        name="Source",
        description="Where these values come from: measurement, publication, assumption. Printed in the report",
    )


def switch(label: str, description: str, default: bool = False) -> BoolProperty:
    """Switch that says whether an optional value is given."""
    return BoolProperty(name=label, description=description, default=default)


class Authored:
    """Mixin: the spec this group was made from, as text in full precision."""

    original: StringProperty(
        name="Original",
        description="What the file said, in full precision; used as long as the shown value is not changed",
        options={"HIDDEN"},
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
        name="Angles",
        description="Joint angles about Z, Y, X; a revolute joint uses the first",
        size=3,
        **DEGREES_VECTOR,
    )


class MannequinMotionRow(bpy.types.PropertyGroup):
    """Numbers of a prescribed motion at a time."""

    time: FloatProperty(name="Time (s)", description="Time of the row", precision=4, step=1)
    values: FloatVectorProperty(
        name="Values",
        description="Root: velocity along world X, Y, Z (m/s), then turn rate about X, Y, Z (rad/s). Joint: angles "
        "about Z, Y, X (degrees), or the one of a revolute joint",
        size=6,
        precision=4,
    )
    count: IntProperty(
        name="Numbers", description="How many numbers of the row are given, time included", options={"HIDDEN"}
    )


CLASSES = (MannequinCurvePoint, MannequinAngleRow, MannequinMotionRow)
