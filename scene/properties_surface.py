"""Property groups of surfaces: contact materials, ellipsoids, and meshes for drawing."""

import bpy
from bpy.props import (
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    StringProperty,
)

from ..engine import spec
from . import references
from .property_basics import Authored, MannequinCurvePoint, choices, source_property, switch


class MannequinMaterial(Authored, bpy.types.PropertyGroup):
    """How a surface pushes back and rubs."""

    uid: IntProperty(name="Number", description="Identity number in the model", options={"HIDDEN"})
    name: StringProperty(name="Name", description="Name of the contact material")
    law: EnumProperty(
        name="Law",
        description="How force follows from penetration",
        items=choices(
            spec.CONTACT_LAWS,
            {
                "curve": "Piecewise-linear force over penetration, with hysteresis",
                "linear": "F = k d + c v (Kelvin-Voigt, never pulling)",
                "hunt_crossley": "F = k d^n (1 + 1.5 c v)",
                "lankarani_nikravesh": "F = k d^n (1 + y v / v0), damped to give the restitution asked for",
            },
        ),
    )
    loading: CollectionProperty(
        type=MannequinCurvePoint, name="Loading Curve", description="Force (N) over penetration (m)"
    )
    loading_index: IntProperty(name="Active Point", description="Active point of the curve")
    use_unloading: switch("Own Unloading Curve", "Give the unloading force as a curve of its own")
    unloading: CollectionProperty(
        type=MannequinCurvePoint,
        name="Unloading Curve",
        description="Force (N) while unloading over penetration (m)",
    )
    unloading_index: IntProperty(name="Active Point", description="Active point of the curve")
    energy_retention: FloatProperty(
        name="Energy Retention",
        description="Share of the loading energy given back; restitution is its square root",
        default=0.25,
        soft_min=0.0,
        soft_max=1.0,
        subtype="FACTOR",
    )
    beyond_last: EnumProperty(
        name="Past the Curve",
        description="What the force does past the last point of the curve",
        items=[
            ("extend", "Extend", "Go on with the last slope, never falling"),
            ("hold", "Hold", "Keep the last force"),
        ],
    )
    stiffness: FloatProperty(
        name="Stiffness (N/m^n)", description="Stiffness k of the law", default=1.0e6, soft_min=0.0
    )
    exponent: FloatProperty(
        name="Exponent", description="Exponent n; 1.5 is Hertz", default=1.5, soft_min=1.0, soft_max=3.0
    )
    damping: FloatProperty(
        name="Damping",
        description="Curve and Hunt-Crossley: s/m, scaling with the elastic force. Linear: N s/m",
        soft_min=0.0,
    )
    restitution: FloatProperty(
        name="Restitution",
        description="Ratio of separation to approach speed",
        default=0.5,
        soft_min=0.0,
        soft_max=1.0,
        subtype="FACTOR",
    )
    amplification: FloatVectorProperty(
        name="Rate Amplification",
        description="C1, C2, C3, C4: elastic force times C1 + C2 (v / C3)^C4 with v the approach speed in m/s",
        size=4,
        default=(1.0, 0.0, 1.0, 1.0),
    )
    use_static_friction: switch(
        "Own Static Friction", "Give a coefficient here; off: the scenario's friction"
    )
    static_friction: FloatProperty(
        name="Static Friction",
        description="Coefficient of static friction",
        default=0.4,
        soft_min=0.0,
        soft_max=1.5,
    )
    use_dynamic_friction: switch("Own Dynamic Friction", "Give a coefficient here; off: as the static one")
    dynamic_friction: FloatProperty(
        name="Dynamic Friction",
        description="Coefficient of sliding friction",
        default=0.4,
        soft_min=0.0,
        soft_max=1.5,
    )
    viscous_friction: FloatProperty(
        name="Viscous Friction (s/m)", description="Viscous part of the Hollars friction law", soft_min=0.0
    )
    source: source_property()


class MannequinEllipsoid(Authored, bpy.types.PropertyGroup):
    """Contact and drawing surface on a body; its place and size are those of the object."""

    name: StringProperty(name="Name", description="Name in the model file; rename the object to change it")
    handle_name: StringProperty(
        name="Given Name", description="Object name when the name was last set", options={"HIDDEN"}
    )
    order: IntProperty(name="Order", description="Place in the body's list", options={"HIDDEN"})
    force_curve: CollectionProperty(
        type=MannequinCurvePoint,
        name="Force Curve",
        description="Own loading curve; given, it replaces the material's",
    )
    force_curve_index: IntProperty(name="Active Point", description="Active point of the force curve")
    use_unload_curve: switch("Own Unloading Curve", "Give the unloading force as a curve of its own")
    unload_curve: CollectionProperty(
        type=MannequinCurvePoint,
        name="Unloading Curve",
        description="Force (N) while unloading over penetration (m)",
    )
    unload_curve_index: IntProperty(name="Active Point", description="Active point of the unloading curve")
    source: source_property()


MannequinEllipsoid.__annotations__ |= references.reference(
    "material", "Material", "Contact material of the model; empty: the default with the curves given here",
    references.materials,
)  # fmt: skip


class MannequinMesh(Authored, bpy.types.PropertyGroup):
    """Surface for drawing on a body; its place and size are those of the object."""

    path: StringProperty(
        name="File", description="Mesh file (OBJ, STL, PLY), relative to the folder of the model file"
    )
    order: IntProperty(name="Order", description="Place in the body's list", options={"HIDDEN"})


CLASSES = (MannequinMaterial, MannequinEllipsoid, MannequinMesh)
