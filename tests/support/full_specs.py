"""Specs in which every field of every dataclass holds something else than its default.

Built by walking the type hints of `engine.spec`, and on purpose not with the declarations of `io_json`: a field that
the files forget shows up as a difference.
"""

import dataclasses
import itertools
import types
import typing
from typing import Any

from mannequin.engine import spec

# Rotation by 90 degrees about z, moved; its inverse has whole numbers too.
TURNED3 = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
TURNED4 = ((0, -1, 0, 0.25), (1, 0, 0, -0.5), (0, 0, 1, 0.125), (0, 0, 0, 1))

# What a type hint does not tell.
VALUES: dict[tuple[str, str], Any] = {
    ("Material", "law"): "hunt_crossley",
    ("Material", "beyond_last"): "hold",
    ("Ellipsoid", "orientation"): TURNED3,
    ("Mesh", "orientation"): TURNED3,
    # A whole number of metres comes back as a float, and its form is kept beside it.
    ("Model", "height"): 1.875,
    ("Joint", "type"): "revolute",
    ("Joint", "parent"): "body a",
    ("Joint", "child"): "body b",
    ("Joint", "T1"): TURNED4,
    ("Joint", "T2"): TURNED4,
    ("JointSpring", "axis"): "x",
    ("JointFunction", "motion"): "shift",
    ("PointShift", "axis"): "x",
    ("PathCondition", "axis"): "along_y",
    ("JointBreak", "axis"): "y",
    ("Coupler", "axis"): "z",
    ("WrapSurface", "shape"): "cylinder",
    ("WrapSurface", "orientation"): TURNED3,
    ("Muscle", "form"): "thelen",
    ("Muscle", "tendon"): "rigid",
    ("Muscle", "acts"): "joint_torques",
    ("Activation", "form"): "rate",
    ("ForcePulse", "frame"): "body",
    ("ForcePulse", "shape"): "constant",
    ("Body", "role"): "chest",
    ("Sensor", "axes"): "world",
    ("Response", "preset"): "elderly",
    ("Response", "arming"): "touch",
    ("Response", "balance_by"): "muscles",
    ("Obstacle", "shape"): "mesh",
    ("Obstacle", "vertices"): ((0, 0, 0), (1.5, 0, 0), (0, 1.5, 0)),
    ("Obstacle", "triangles"): ((0, 1, 2),),
    ("Obstacle", "path"): "",
    ("ContactMesh", "vertices"): ((0, 0, 0), (1.5, 0, 0), (0, 1.5, 0), (0, 0, 1.25)),
    ("ContactMesh", "triangles"): ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)),
    ("ContactMesh", "zone_of"): (0, 1, 1, 0),
    ("ContactMesh", "depth"): (0.05, 0.0625, 0.05, 0),
    ("Vehicle", "kind"): "suv",
    ("LightVehicle", "kind"): "scooter",
    ("Person", "load_place"): "back",
    ("Gait", "manner"): "run",
    ("Settings", "integrator"): "midpoint",
    ("Settings", "friction_law"): "hollars",
    ("Settings", "friction_rule"): "minimum",
    ("Settings", "multi_contact"): "discrete",
    ("Settings", "contact_damping_mode"): "constant",
}
EXEMPT = {("Obstacle", "path")}
"""Cannot be set together with the other fields; tested by itself."""


class Filler:
    """Makes values, no two numbers or texts alike."""

    def __init__(self) -> None:
        self._count = itertools.count(1)

    def fill(self, cls: type) -> Any:
        """An instance in which every field differs from its default."""
        hints = typing.get_type_hints(cls)
        thing = cls(**{field.name: self.field_value(cls, field, hints) for field in dataclasses.fields(cls)})
        for field in dataclasses.fields(cls):
            check_differs(thing, field)
        return thing

    def field_value(self, cls: type, field: dataclasses.Field, hints: dict[str, Any]) -> Any:
        special = VALUES.get((cls.__name__, field.name))
        if special is not None:
            return special
        if field.name == "extras":
            return {"unknown key": [1, 2.5, "x", None, True], "metadata": {"license": "none"}}
        if isinstance(field.default, bool):
            return not field.default
        return self.value(hints[field.name], field.name)

    def value(self, hint: Any, name: str) -> Any:
        n = next(self._count)
        if hint is float:
            return n + 0.125 if n % 3 else n
        if hint is int:
            return n + 2
        if hint is bool:
            return True
        if hint is str:
            return f"{name} {n} é"
        if hint is Any:
            return {"key": [n, "text"]}
        if dataclasses.is_dataclass(hint):
            return self.fill(hint)
        return self._container(hint, name)

    def _container(self, hint: Any, name: str) -> Any:
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            return self.value(next(a for a in arguments if a is not type(None)), name)
        if origin is list:
            return [self.value(arguments[0], name), self.value(arguments[0], name)]
        if origin is dict:
            return {f"{name} key": self.value(arguments[1], name)}
        if origin is tuple and arguments[-1] is Ellipsis:
            return tuple(self.value(arguments[0], name) for _ in range(3))
        if origin is tuple:
            return tuple(self.value(argument, name) for argument in arguments)
        raise TypeError(f"tests/support/full_specs.py cannot make a value for {name}: {hint}")


def check_differs(thing: Any, field: dataclasses.Field) -> None:
    """A filled field must differ from its default, or the round trip would prove nothing about it."""
    if (type(thing).__name__, field.name) in EXEMPT:
        return
    value = getattr(thing, field.name)
    default = field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default
    assert value is not None and value != default, f"{type(thing).__name__}.{field.name} is at its default"


def full_model() -> spec.Model:
    """A model with everything, readable by itself: three bodies, a free root, a revolute joint."""
    model = Filler().fill(spec.Model)
    for body, name in zip(model.bodies, ("body a", "body b"), strict=True):
        body.name = name
    model.joints[0] = dataclasses.replace(model.joints[0], type="free", parent=None, child="body a")
    return model


def full_scenario() -> spec.Scenario:
    """A scenario with everything, its models written into it."""
    scenario = Filler().fill(spec.Scenario)
    for actor in scenario.actors:
        actor.model = full_model()
    return scenario


def small_model() -> spec.Model:
    """The least that is a model."""
    ellipsoid = spec.Ellipsoid("ball", (0.1, 0.1, 0.1), force_curve=((0, 0), (0.01, 1000)))
    first = spec.Body("body a", 1.0, (0.1, 0.1, 0.1, 0.0, 0.0, 0.0), ellipsoids=[ellipsoid])
    second = spec.Body("body b", 2.0, (0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
    joints = [
        spec.Joint("root", "free", None, "body a"),
        spec.Joint("hinge", "spherical", "body a", "body b", T1=TURNED4),
    ]
    return spec.Model("small", [first, second], joints)
