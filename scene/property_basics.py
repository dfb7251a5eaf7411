"""What the property groups share: labels, switches, the kept original, and the point of a curve.

Numbers of specs have soft limits only: a slider stops there, but a faulty value of a file is shown as it is, reported
by validation and written back unchanged, never clamped in silence.
"""

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty

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


CLASSES = (MannequinCurvePoint,)
