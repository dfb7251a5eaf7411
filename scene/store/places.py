"""Property groups of the place: marked points of a photograph, and the camera that was matched to them."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ..base.blender_version import BLEND_RELATIVE


class MannequinCameraPoint(bpy.types.PropertyGroup):
    """A point of the place that is seen in the photograph."""

    object: PointerProperty(
        type=bpy.types.Object, name="Point", description="Object whose origin is at the point, an empty say"
    )
    pixel: FloatVectorProperty(
        description="Where it is in the photograph: x to the right and y down from the upper left corner",
        size=2,
        precision=1,
        step=100,
    )
    sigma: FloatProperty(
        name="Marking (px)",
        description="How well it was marked: standard deviation in pixels",
        default=1.0,
        min=0.01,
        soft_max=20.0,
    )
    check: BoolProperty(
        name="Check Only", description="Keep it out of the match and only compare it with the camera"
    )
    result: StringProperty(description="How far the camera's point is off", options={"HIDDEN"})


class MannequinCameraLine(bpy.types.PropertyGroup):
    """A straight edge of known direction in the photograph, where points are few."""

    name: StringProperty(description="What the edge is called in messages")
    start: FloatVectorProperty(
        description="Pixel of one end, from the upper left corner", size=2, precision=1, step=100
    )
    end: FloatVectorProperty(
        description="Pixel of the other end, from the upper left corner", size=2, precision=1, step=100
    )
    direction: FloatVectorProperty(
        description="Direction of the edge in the scene; its length and sign do not matter",
        size=3,
        default=(0.0, 0.0, 1.0),
        subtype="XYZ",
    )
    result: StringProperty(description="How far the edge is off", options={"HIDDEN"})


class MannequinCameraMatch(bpy.types.PropertyGroup):
    """A photograph with marked points, and what is known of its lens."""

    picture: StringProperty(
        name="Photograph",
        description="Picture that the points are marked in",
        subtype="FILE_PATH",
        options=BLEND_RELATIVE,
    )
    use_focal: BoolProperty(
        name="Known Lens", description="Focal length and distortion are known and not searched for"
    )
    focal: FloatProperty(
        name="Focal (px)",
        description="Focal length in pixels: millimetres times the picture's width over the sensor's width",
        default=1500.0,
        min=1.0,
    )
    distortion: FloatVectorProperty(
        description="Radial terms k1 and k2 of a known lens", size=2, precision=4, step=1
    )
    points: CollectionProperty(type=MannequinCameraPoint, description="Points that are marked")
    points_index: IntProperty(name="Active Point", description="Active point")
    lines: CollectionProperty(
        type=MannequinCameraLine, name="Edges", description="Edges of known direction: posts, kerbs, sills"
    )
    lines_index: IntProperty(name="Active Edge", description="Active edge")
    camera: PointerProperty(
        type=bpy.types.Object,
        name="Matched Camera",
        description="Camera that was matched to the photograph",
    )
    summary: StringProperty(description="Position and uncertainty of the camera", options={"HIDDEN"})
    blend: FloatProperty(
        description="Share of the simulation over the photograph",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )
    wipe: FloatProperty(
        description="Share of the picture, from the left, in which the simulation is shown",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )
