"""The property groups: complete, described, and in step with the specs."""

import dataclasses

import pytest

from mannequin.engine import spec

# Where each spec field lives that its own property group does not show.
ELSEWHERE = {
    "Material": set(),
    "Ellipsoid": {"semi_axes", "position", "orientation", "extras"},  # the object; extras are kept unseen
    "Body": {"ellipsoids", "meshes", "extras"},  # the bone's name; its objects
    "Joint": {"parent", "child", "T1", "T2", "extras"},  # the bones; the empty
    "AxisLimits": set(),
    "ConeLimits": set(),
    "JointFriction": set(),
    "JointSpring": set(),
    "Motor": set(),
    "SpringDamper": set(),
    "Belt": {"points", "slip"},  # the path
    "Weld": set(),
    "Coupler": set(),
    "Point": set(),
    "Mesh": {"position", "orientation", "scale"},  # the object
    "Model": {"bodies", "joints", "sources", "notes", "extras", "muscles", "wrap_surfaces"},  # objects; kept unseen
    "TorquePulse": set(),
    "ForcePulse": set(),
    "PrescribedMotion": set(),
    "Actor": {
        "model", "position", "orientation", "joint_angles", "joint_velocities", "motors", "excitations", "extras",
    },
    "Obstacle": {"position", "orientation", "half_size", "vertices", "triangles", "path", "motion"},
    "PairMaterial": set(),
    "Settings": set(),
    "Scenario": {"actors", "obstacles", "sources", "outputs", "notes", "extras"},
}  # fmt: skip
NAMES = {"PrescribedMotion": "Prescribed"}


def groups(bpy):
    import mannequin.registration

    modules = [m for m in mannequin.registration.listed_modules() if ".scene." in m.__name__]
    return {c.__name__: c for m in modules for c in m.CLASSES if issubclass(c, bpy.types.PropertyGroup)}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_every_field_of_a_spec_is_shown_or_known_to_be_elsewhere(blender, name):
    group = groups(blender)[f"Mannequin{NAMES.get(name, name)}"]
    shown = set(group.bl_rna.properties.keys())
    wanted = {field.name for field in dataclasses.fields(getattr(spec, name))}
    assert wanted - shown == ELSEWHERE[name]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_optional_fields_have_a_switch(blender, name):
    import typing

    properties = groups(blender)[f"Mannequin{NAMES.get(name, name)}"].bl_rna.properties
    for field, hint in typing.get_type_hints(getattr(spec, name)).items():
        optional = type(None) in typing.get_args(hint)
        if field in properties and optional and properties[field].type != "STRING" and field != "actor":
            assert f"use_{field}" in properties, field


def test_every_property_is_described_and_labelled(blender):
    own = {"rna_type", "name"}
    for group in groups(blender).values():
        for key, prop in group.bl_rna.properties.items():
            if key in own and key not in group.__annotations__:
                continue
            assert prop.description, f"{group.__name__}.{key} has no description"
            assert prop.name and prop.name[0].isupper(), f"{group.__name__}.{key} is not labelled"


@pytest.mark.parametrize("name", ["Settings", "Material", "AxisLimits", "Motor", "Weld", "Coupler"])
def test_defaults_are_those_of_the_spec(blender, name):
    """A group nobody touched reads back as the dataclass's own defaults."""
    from mannequin.scene import fields, plain

    group_type = groups(blender)[f"Mannequin{name}"]
    blender.types.Scene.test_group = blender.props.PointerProperty(type=group_type)
    try:
        group = blender.context.scene.test_group
        cls = getattr(spec, name)
        given = (
            plain.blanks(cls) | {"name": group.name}
            if "name" in plain.field_types(cls)
            else plain.blanks(cls)
        )
        assert fields.read_group(group, cls) == cls(**given)
    finally:
        del blender.types.Scene.test_group


def test_no_number_of_a_spec_is_clamped(blender):
    """Faulty values of a file are kept for validation to report."""
    from authoring import full_model, typed

    from mannequin.scene.read_model import read_model
    from mannequin.scene.rig import build_actor

    model = full_model()
    model.materials[1].restitution, model.materials[1].exponent, model.materials[0].energy_retention = (
        1.5,
        -2.5,
        7,
    )
    model.bodies[0].mass, model.joints[0].damping, model.springs[0].rest_length = -3.25, -1, -0.5
    model.joints[0].limits.stiffness, model.joints[0].cone.torque, model.height = -5, -6, -1.5
    actor = build_actor(model, blender.context.scene)
    assert typed(read_model(actor)) == typed(model)


def test_shown_numbers_become_the_shortest_decimals(blender):
    import math

    from mannequin.scene.fields import reconcile

    assert reconcile(None, 0.3499999940395355) == 0.35
    assert reconcile(0.1234567890123, 0.12345679) == 0.1234567890123
    assert reconcile(7, 7.0) == 7 and isinstance(reconcile(7, 7.0), int)
    assert reconcile(7, 7.5) == 7.5
    for degrees in (30.0, 45.5, 179.99, 0.001, -90.0):
        assert (
            reconcile(None, float(__import__("numpy").float32(math.radians(degrees))), degrees=True)
            == degrees
        )


def test_no_property_of_a_spec_has_a_hard_limit(blender):
    for name in ELSEWHERE:
        group = groups(blender)[f"Mannequin{NAMES.get(name, name)}"]
        for field in dataclasses.fields(getattr(spec, name)):
            prop = group.bl_rna.properties.get(field.name)
            if prop is not None and prop.type == "FLOAT":
                assert prop.hard_min < -1e30 and prop.hard_max > 1e30, (name, field.name)
