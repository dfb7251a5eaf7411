"""A small valid scenario that holds every kind of spec, and a walk over all its fields by reflection."""

import copy
import dataclasses
import typing
from collections.abc import Iterator
from typing import Any, NamedTuple

from mannequin.engine import spec
from mannequin.engine.spec import muscles as ms

INERTIA = (0.02, 0.02, 0.02, 0.0, 0.0, 0.0)


def shift(x: float, y: float, z: float) -> tuple:
    """A (4, 4) translation."""
    return ((1.0, 0.0, 0.0, x), (0.0, 1.0, 0.0, y), (0.0, 0.0, 1.0, z), (0.0, 0.0, 0.0, 1.0))


def materials() -> list[spec.Material]:
    return [
        spec.Material(
            "skin",
            loading=((0.0, 0.0), (0.01, 1000.0), (0.02, 3000.0)),
            unloading=((0.0, 0.0), (0.01, 300.0)),
            amplification=(1.0, 0.1, 1.0, 1.0),
            static_friction=0.6,
            dynamic_friction=0.4,
        ),
        spec.Material("rubber", law="linear", stiffness=1e5, damping=50.0),
        spec.Material("hertz", law="hunt_crossley", stiffness=1e6, damping=0.2),
        spec.Material("steel", law="lankarani_nikravesh", stiffness=1e7, restitution=0.6),
    ]


def surface(name: str, semi_axes: tuple, material: str) -> spec.Ellipsoid:
    return spec.Ellipsoid(name, semi_axes, material=material)


def bodies() -> list[spec.Body]:
    ball = [
        spec.Ellipsoid("skull", (0.1, 0.1, 0.1), material="skin"),
        spec.Ellipsoid(
            "own",
            (0.05, 0.06, 0.05),
            (0.0, 0.0, 0.1),
            force_curve=((0.0, 0.0), (0.01, 500.0)),
            unload_curve=((0.0, 0.0), (0.01, 100.0)),
        ),
    ]
    return [
        spec.Body("trunk", 4.0, INERTIA, ellipsoids=ball, meshes=[spec.Mesh("trunk.obj")]),
        spec.Body(
            "arm",
            2.0,
            INERTIA,
            (0.0, 0.0, -0.1),
            [spec.Ellipsoid("skin", (0.04, 0.04, 0.1), material="rubber")],
        ),
        spec.Body(
            "hand", 1.0, INERTIA, ellipsoids=[spec.Ellipsoid("palm", (0.04, 0.03, 0.05), material="hertz")]
        ),
        spec.Body(
            "ring", 0.5, INERTIA, ellipsoids=[spec.Ellipsoid("band", (0.03, 0.03, 0.03), material="steel")]
        ),
        spec.Body("pack", 0.5, INERTIA),
    ]


def joints() -> list[spec.Joint]:
    return [
        spec.Joint("root", "free", None, "trunk"),
        spec.Joint(
            "shoulder",
            "spherical",
            "trunk",
            "arm",
            T1=shift(0.3, 0.0, 0.0),
            T2=shift(0.0, 0.0, 0.1),
            damping=0.5,
            limits=spec.AxisLimits((-90.0, -90.0, -90.0), (90.0, 90.0, 90.0)),
            cone=spec.ConeLimits((60.0, 50.0, 60.0, 70.0), twist=(-40.0, 40.0)),
            friction=spec.JointFriction(0.1, drop_angle=20.0),
            springs=[spec.JointSpring("x", ((-10.0, 1.0), (10.0, -1.0)), damping=0.01)],
            motor=spec.Motor(
                10.0,
                1.0,
                (5.0, 0.0, 0.0),
                max_torque=50.0,
                gain_over_time=((0.0, 1.0), (0.1, 0.5)),
                target_over_time=((0.0, 0.0, 0.0, 0.0), (0.1, 5.0, 0.0, 0.0)),
                torque_over_speed=((-2.0, 1.3), (0.0, 1.0), (20.0, 0.0)),
            ),
        ),
        spec.Joint("wrist", "revolute", "arm", "hand", T1=shift(0.0, 0.0, -0.3), axis=(0.0, 1.0, 0.0)),
        spec.Joint("finger", "fixed", "hand", "ring", T1=shift(0.0, 0.0, -0.15)),
        strap(),
    ]


def strap() -> spec.Joint:
    """A joint that slides and turns, and gives way."""
    return spec.Joint(
        "strap",
        "cylindrical",
        "trunk",
        "pack",
        T1=shift(-0.3, 0.0, 0.0),
        springs=[spec.JointSpring("along_z", ((-0.1, 50.0), (0.1, -50.0)))],
        slide=spec.JointSlide(
            damping=1.0,
            limits=spec.SlideLimits((-0.05, 0.0, 0.0), (0.05, 0.0, 0.0)),
            friction=0.5,
            motor=spec.Motor(10.0, 1.0),
        ),
        breaks=[spec.JointBreak(load=100.0, residual=0.1), spec.JointBreak("along_z", energy=5.0)],
    )


def muscles() -> list[ms.Muscle]:
    path = (ms.PathPoint("trunk", (0.1, 0.0, 0.0)), ms.PathPoint("arm", (0.0, 0.0, -0.1)))
    shift = ms.PointShift((0.0, 0.0, 1.0), "wrist", terms=((1.0, 0.01),))
    via = ms.PathPoint(
        "arm", (0.02, 0.0, -0.2), shifts=(shift,), when=ms.PathCondition("wrist", "z", -90.0, 90.0)
    )
    reflex = ms.StretchReflex(0.5, delay=0.01)
    return [
        ms.Muscle(
            "biceps",
            path,
            300.0,
            0.1,
            0.1,
            wraps=(ms.PathWrap("elbow", 0, (0.0, 1.0, 0.0)),),
            excitation=ms.Excitation(0.1, ((0.0, 0.1), (0.1, 0.5)), reflex),
            activation=ms.Activation(start=0.2),
        ),
        ms.Muscle("stiff", path, 200.0, 0.2, 0.0, tendon="rigid", form="thelen", acts="joint_torques"),
        ms.Muscle("sliding", (*path, via, ms.PathPoint("hand", (0.02, 0.0, 0.0))), 100.0, 0.2, 0.2),
    ]


def model() -> spec.Model:
    """Five bodies, joints of every group of motion, every law, with all that can hang on them."""
    trunk, hand, world = (
        spec.Point((0.0, 0.1, 0.0), "trunk"),
        spec.Point((0.0, 0.0, 0.0), "hand"),
        spec.Point((0.0, 0.0, 3.0)),
    )
    return spec.Model(
        "person",
        bodies(),
        joints(),
        materials=materials(),
        springs=[
            spec.SpringDamper(
                "cord", trunk, hand, 10.0, 0.1, curve=((-1.0, -10.0), (1.0, 10.0)), break_force=1e4
            )
        ],
        belts=[
            spec.Belt("lap", [trunk, hand, world], [False, True, False], 100.0, 1.0, 0.05, break_force=1e5)
        ],
        welds=[spec.Weld("pin", trunk, hand, 10.0, 0.1, 0.1, 0.01, break_force=1e4, release_time=0.5)],
        couplers=[spec.Coupler("pair", "shoulder", "wrist", "y", 0.5, 1.0, 1.0, 0.01)],
        muscles=muscles(),
        wrap_surfaces=[
            ms.WrapSurface("elbow", "trunk", "cylinder", radius=0.02, length=0.5, position=(0.2, 0.0, -0.1)),
            ms.WrapSurface("knob", "trunk", "ellipsoid", semi_axes=(0.02, 0.03, 0.02)),
            ms.WrapSurface("taken", "trunk", "ellipsoid", ellipsoid="skull"),
        ],
        contact_exclude=[("trunk", "arm")],
        contact_include=[("trunk", "hand")],
        height=1.75,
        notes=["made for tests"],
    )


def shell() -> spec.ContactMesh:
    """A tetrahedron of two zones."""
    corners = ((0.0, 0.0, 0.05), (0.05, 0.0, -0.05), (-0.03, 0.04, -0.05), (-0.03, -0.04, -0.05))
    triangles = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))
    zones = [spec.ContactZone("side", "tin"), spec.ContactZone("bottom", "felt")]
    strips = [spec.CrushBlock("front", (0.05, 0.0, 0.0), (1.0, 0.0, 0.0), 0.04, 0.02, 0.02, "tin")]
    return spec.ContactMesh(corners, triangles, zones, (0, 0, 0, 1), (0.0, 0.01, 0.01, 0.01), strips)


def hinge_of_vane() -> spec.Joint:
    """A joint whose turn and shift are functions of one coordinate."""
    turn = spec.JointFunction("turn", (0.0, 0.0, 1.0), "swing", terms=((0.0, 0.1), (1.0, 1.0)))
    points = ((-1.0, 0.0), (0.0, 0.01), (1.0, 0.0))
    return spec.Joint(
        "vane",
        "custom",
        "ball",
        "vane",
        functions=[turn, spec.JointFunction("shift", (1.0, 0.0, 0.0), "swing", points=points)],
        ellipsoid=(0.1, 0.1, 0.2),
    )


def dropped_model() -> spec.Model:
    """A ball around a contact mesh, drawn as a vehicle, with a wheel beside it."""
    skin = spec.Ellipsoid("ball", (0.1, 0.1, 0.1))
    tread = spec.Ellipsoid("tread", (0.05, 0.01, 0.05), material="felt")
    axle = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.2), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    return spec.Model(
        "ball",
        [
            spec.Body("ball", 1.0, INERTIA, ellipsoids=[skin], surface=shell()),
            spec.Body("rim", 1.0, INERTIA, ellipsoids=[tread]),
            spec.Body("vane", 1.0, INERTIA),
        ],
        [
            spec.Joint("root", "free", None, "ball"),
            spec.Joint("axle", "revolute", "ball", "rim", T1=axle, axis=(0.0, 1.0, 0.0)),
            hinge_of_vane(),
        ],
        [spec.Material("tin", law="linear"), spec.Material("felt", law="linear", stiffness=1e4)],
        vehicle=spec.Vehicle(),
        light_vehicle=spec.LightVehicle(),
        wheels=[spec.Wheel("rim", 0.05, 10.0, brake_torque=1.0)],
    )


def obstacles() -> list[spec.Obstacle]:
    stone, moved = spec.Material("stone", law="linear"), ((0.0, 0.0, 0.0, 0.0), (1.0, 0.1, 0.0, 0.0))
    corners = ((-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.5, 0.5, 0.0), (-0.5, 0.5, 0.0))
    return [
        spec.Obstacle("wall", "plane", (-2.0, 0.0, 0.0), (0.0, 90.0, 0.0)),
        spec.Obstacle("kerb", "box", (0.9, 0.0, 0.9), half_size=(0.1, 0.3, 0.05), material=stone),
        spec.Obstacle("bar", "capsule", (0.0, 0.0, 0.75), (0.0, 0.0, 90.0), (0.05, 0.05, 0.3), motion=moved),
        spec.Obstacle("slab", "mesh", (2.0, 0.0, 0.9), vertices=corners, triangles=((0, 1, 2), (0, 2, 3))),
    ]


def rich_scenario(**settings: Any) -> spec.Scenario:
    """Valid; of every dataclass of the spec there is at least one in it."""
    man = spec.Actor(
        "man",
        model(),
        position=(0.0, 0.0, 0.8999),
        joint_angles={"shoulder": (0.0, 5.0, 0.0), "wrist": (10.0, 0.0, 0.0)},
        joint_velocities={"shoulder": (0.1, 0.0, 0.0)},
        torque_pulses=[spec.TorquePulse("shoulder", (1.0, 0.0, 0.0), 0.0, 0.1)],
        force_pulses=[spec.ForcePulse("hand", (1.0, 0.0, 0.0), 0.0, 0.1, frame="body")],
        motors={"wrist": spec.Motor(1.0, 0.1)},
        prescribed=[spec.PrescribedMotion("wrist", ((0.0, 10.0), (1.0, 20.0)), release_time=0.5)],
        tone=1.0,
        excitations={"bi*": ms.Excitation(0.2)},
        joint_slides={"strap": (0.01, 0.0, 0.0)},
        joint_slide_velocities={"strap": (0.1, 0.0, 0.0)},
        person=spec.Person(1.0, 40.0, 1.75, 75.0, head=0.57),
        gait=spec.Gait(1.2, 0.3),
    )
    ball = spec.Actor(
        "ball",
        dropped_model(),
        position=(2.0, 0.0, 1.2),
        velocity=(0.0, 0.0, -1.0),
        prescribed=[spec.PrescribedMotion(None, ((0.0, 0.0, 0.0, -1.0), (0.01, 0.0, 0.0, -1.0)), 0.005)],
        drive=spec.Drive(braking=0.5),
    )
    on_man, on_ball = spec.Point((0.0, 0.0, 0.0), "trunk", "man"), spec.Point((0.0, 0.0, 0.0), "ball", "ball")
    chosen = {
        "duration": 0.004,
        "output_step": 0.002,
        "time_step": 0.0005,
        "self_contact": True,
        "contact_history": True,
    }
    return spec.Scenario(
        "rich",
        [man, ball],
        obstacles(),
        pairs=[spec.PairMaterial("skin", "kerb", 0.5, 0.4, spec.Material("glued", law="hunt_crossley"))],
        springs=[spec.SpringDamper("leash", on_man, on_ball, 1.0)],
        belts=[spec.Belt("rope", [on_man, on_ball], [False, False], 10.0)],
        welds=[spec.Weld("glue", on_man, on_ball, 1.0, 0.1)],
        settings=spec.Settings(**(chosen | settings)),
        sensors=[spec.Sensor("wrist", "man", "hand", (0.0, 0.0, 0.1), joint_force=True, cfc=600)],
    )


# ---------------------------------------------------------------- walking over it


class Field(NamedTuple):
    """A value somewhere in a scenario."""

    path: tuple
    """Field names, indices and keys that lead to it."""
    cls: type
    """Dataclass of the field,"""
    name: str
    """its name,"""
    hint: Any
    """and its type, of the element where the path goes on into a tuple."""
    value: Any


def all_fields(thing: Any, path: tuple = ()) -> Iterator[Field]:
    """Every field of a dataclass and of all below it, and every element of its tuples, lists and dictionaries."""
    hints = typing.get_type_hints(type(thing))
    for item in dataclasses.fields(thing):
        value = getattr(thing, item.name)
        yield from _inside(Field((*path, item.name), type(thing), item.name, hints[item.name], value))


def _inside(field: Field) -> Iterator[Field]:
    yield field
    if dataclasses.is_dataclass(field.value):
        yield from all_fields(field.value, field.path)
    elif isinstance(field.value, dict | list | tuple):
        pairs = field.value.items() if isinstance(field.value, dict) else enumerate(field.value)
        for key, item in pairs:
            yield from _inside(field._replace(path=(*field.path, key), hint=None, value=item))


def changed(thing: Any, path: tuple, value: Any) -> Any:
    """A copy with another value at a path; everything off the path is shared."""
    if not path:
        return value
    key, *rest = path
    if dataclasses.is_dataclass(thing):
        return dataclasses.replace(thing, **{key: changed(getattr(thing, key), tuple(rest), value)})
    inner = changed(thing[key], tuple(rest), value)
    if isinstance(thing, tuple):
        return (*thing[:key], inner, *thing[key + 1 :])
    copied = copy.copy(thing)
    copied[key] = inner
    return copied
