"""The components of a Hyfydy model (manual, sections 2.3 to 2.5) as dataclasses, in the units and axes of the file.

Each field declares its data type once, for reading and writing. `None` stands for "not given": the defaults that
`model_options` may change are filled in by `options`.
"""

import dataclasses
from dataclasses import MISSING, dataclass, field
from typing import Any, TypeVar

from ...engine.spec import Vector
from ..common.findings import Findings
from .text import Array, Entry, Group, Place, Word, syntax_error
from .values import (
    IDENTITY,
    Color,
    Flag,
    Interval,
    Intervals,
    Kind,
    Number,
    Quaternion,
    Range,
    Rotation,
    Scale,
    Text,
    Vector3,
)

ZERO: Vector = (0.0, 0.0, 0.0)
SIZE = Number(lowest=0.0)
C = TypeVar("C")


def prop(kind: Kind, default: Any = MISSING, power: int = 0, image: str = "") -> Any:
    """A property of a component; without default it is required.

    power: of length, by which it grows when the model is scaled. image: what becomes of it in the mirror, see
    `options.IMAGES`; nothing where it stays.
    """
    return field(default=default, metadata={"kind": kind, "power": power, "image": image}, kw_only=True)


def inner(default_factory: Any) -> Any:
    """A field that is not a property of the component itself."""
    return field(default_factory=default_factory, kw_only=True)


@dataclass
class Component:
    """What every component has: where it stands, for messages."""

    place: Place = field(default=Place(0, 0), kw_only=True, compare=False)


@dataclass
class Shape(Component):
    """sphere, cylinder, capsule, box or plane. Cylinder and capsule lie along y; a capsule's height is without caps."""

    type: str = prop(Text())
    radius: float | None = prop(SIZE, None, power=1)
    height: float | None = prop(SIZE, None, power=1)
    dim: Vector | None = prop(Vector3(SIZE), None, power=1)
    normal: Vector | None = prop(Vector3(), None)


class ShapeKind(Kind):
    """shape { type = ... }"""

    expected = "a shape, as in { type = sphere radius = 0.1 }"

    def read(self, node: Word | Array | Group) -> Shape:
        if not isinstance(node, Group):
            raise self.refuse(node)
        return read_component(Shape, node, "shape", Findings())

    def write(self, value: Shape) -> Group:
        return write_component(value)


@dataclass
class PathPoint(Component):
    """A point of a muscle's path."""

    body: str = prop(Text(), image="name")
    pos: Vector = prop(Vector3(), power=1, image="place")


class PathKind(Kind):
    """path [ { body = ... pos ... } ... ]"""

    expected = (
        "a path of two or more points, as in [ { body = a pos = [ 0 0 0 ] } { body = b pos = [ 0 0 0 ] } ]"
    )

    def read(self, node: Word | Array | Group) -> list[PathPoint]:
        if not isinstance(node, Array) or len(node.items) < 2:
            raise self.refuse(node)
        for item in node.items:
            if not isinstance(item, Group):
                raise self.refuse(item)
        return [read_component(PathPoint, item, "point of a path", Findings()) for item in node.items]

    def write(self, value: list[PathPoint]) -> Array:
        return Array([write_component(point) for point in value])


@dataclass
class Mesh(Component):
    """A drawn surface."""

    file: str | None = prop(Text(), None)
    shape: Shape | None = prop(ShapeKind(), None)
    pos: Vector = prop(Vector3(), ZERO, power=1, image="place")
    ori: Quaternion = prop(Rotation(), IDENTITY, image="rotation")
    color: tuple[float, ...] | None = prop(Color(), None)
    scale: Vector = prop(Scale(), (1.0, 1.0, 1.0), power=1, image="place")


@dataclass
class Material(Component):
    """Contact properties of a surface."""

    name: str = prop(Text(), "")
    static_friction: float = prop(SIZE, 1.0)
    dynamic_friction: float | None = prop(SIZE, None)
    stiffness: float = prop(SIZE, 1.0e6)
    damping: float = prop(SIZE, 1.0)


@dataclass
class Geometry(Component):
    """A contact surface."""

    name: str = prop(Text(), "", image="name")
    type: str = prop(Text())
    radius: float | None = prop(SIZE, None, power=1)
    height: float | None = prop(SIZE, None, power=1)
    dim: Vector | None = prop(Vector3(SIZE), None, power=1)
    normal: Vector | None = prop(Vector3(), None, image="place")
    body: str | None = prop(Text(), None, image="name")
    material: str | None = prop(Text(), None)
    pos: Vector = prop(Vector3(), ZERO, power=1, image="place")
    ori: Quaternion = prop(Rotation(), IDENTITY, image="rotation")


@dataclass
class Body(Component):
    """A rigid body; its origin is its centre of mass and its axes are principal. Zero mass: it never moves."""

    name: str = prop(Text(), "", image="name")
    mass: float | None = prop(SIZE, None, power=3)
    inertia: Vector | None = prop(Vector3(SIZE), None, power=5)
    density: float | None = prop(SIZE, None)
    shape: Shape | None = prop(ShapeKind(), None)
    pos: Vector = prop(Vector3(), ZERO, power=1, image="place")
    ori: Quaternion = prop(Rotation(), IDENTITY, image="rotation")
    lin_vel: Vector = prop(Vector3(), ZERO, image="place")
    ang_vel: Vector = prop(Vector3(), ZERO, image="turning")
    meshes: list[Mesh] = inner(list)
    first_geometry: Geometry | None = inner(lambda: None)
    """Written inside the body; its shape gives the mass when nothing else does."""


@dataclass
class Joint(Component):
    """joint, or joint_6dof when it has translation limits."""

    name: str = prop(Text(), "", image="name")
    parent: str = prop(Text(), image="name")
    child: str | None = prop(Text(), None, image="name")
    pos_in_parent: Vector = prop(Vector3(), power=1, image="place")
    pos_in_child: Vector = prop(Vector3(), power=1, image="place")
    ref_ori: Quaternion = prop(Rotation(), IDENTITY, image="rotation")
    stiffness: float | None = prop(SIZE, None)
    damping: float | None = prop(SIZE, None)
    limits: tuple[Range, Range, Range] | None = prop(Intervals(), None, image="turn_limits")
    limit_stiffness: float | None = prop(SIZE, None)
    limit_damping: float | None = prop(SIZE, None)
    translation_limits: tuple[Range, Range, Range] | None = prop(
        Intervals(), None, power=1, image="slide_limits"
    )


@dataclass
class Spring(Component):
    """A straight damped spring."""

    name: str = prop(Text(), "", image="name")
    parent: str = prop(Text(), image="name")
    child: str = prop(Text(), image="name")
    pos_in_parent: Vector = prop(Vector3(), power=1, image="place")
    pos_in_child: Vector = prop(Vector3(), power=1, image="place")
    rest_length: float = prop(SIZE, 0.0, power=1)
    stiffness: float = prop(SIZE, 0.0)
    damping: float = prop(SIZE, 0.0)


@dataclass
class Muscle(Component):
    """point_path_muscle, or joint_point_path_muscle, which acts as joint torques."""

    name: str = prop(Text(), "", image="name")
    max_isometric_force: float = prop(SIZE)
    optimal_fiber_length: float = prop(SIZE, power=1)
    tendon_slack_length: float = prop(SIZE, power=1)
    pennation_angle: float = prop(Number(), 0.0)
    stiffness_multiplier: float = prop(SIZE, 1.0)
    path: list[PathPoint] = prop(PathKind())
    as_torques: bool = inner(bool)


@dataclass
class JointMotor(Component):
    """A servo in a joint."""

    name: str = prop(Text(), "", image="name")
    joint: str = prop(Text(), image="name")
    stiffness: float = prop(SIZE, 0.0)
    damping: float = prop(SIZE, 0.0)
    max_torque: float = prop(Number(lowest=0.0, infinite=True), float("inf"))
    target_ori: Quaternion = prop(Rotation(), IDENTITY, image="rotation")
    target_vel: Vector = prop(Vector3(), ZERO, image="turning")
    torque_offset: Vector = prop(Vector3(), ZERO, image="turning")


@dataclass
class Dof(Component):
    """A name for a degree of freedom; it does not act."""

    name: str = prop(Text(), image="name")
    source: str = prop(Text(), image="source")
    default: float = prop(Number(), 0.0)
    range: Range = prop(Interval(), (-90.0, 90.0))


@dataclass
class Perturbation(Component):
    """A force and a torque on a body for a time (manual, 3.4.2). The manual names the component and none of its
    properties; these are assumed: those of the manual's other components, and of SCONE's PerturbationController."""

    name: str = prop(Text(), "", image="name")
    body: str = prop(Text(), image="name")
    pos: Vector = prop(Vector3(), ZERO, power=1, image="place")
    force: Vector = prop(Vector3(), ZERO, image="place")
    moment: Vector = prop(Vector3(), ZERO, image="turning")
    start_time: float = prop(Number(), 0.0)
    duration: float = prop(Number(lowest=0.0, infinite=True), float("inf"))


@dataclass
class ModelOptions(Component):
    """Defaults for all components."""

    mirror: bool = prop(Flag(), False)
    scale: float = prop(SIZE, 1.0)
    density: float = prop(SIZE, 1000.0)
    joint_stiffness: float = prop(SIZE, 0.0)
    joint_damping: float = prop(SIZE, 1.0)
    damping_mode: str = prop(Text(), "critical_mass")
    joint_limit_stiffness: float = prop(SIZE, 0.0)
    joint_limit_damping: float = prop(SIZE, 0.0)
    limit_damping_mode: str = prop(Text(), "critical_inertia")
    muscle_force_multiplier: float = prop(SIZE, 1.0)


@dataclass
class HyfydyModel(Component):
    """Everything in a file."""

    name: str = prop(Text(), "")
    gravity: Vector = prop(Vector3(), (0.0, -9.81, 0.0))
    options: ModelOptions = inner(ModelOptions)
    materials: list[Material] = inner(list)
    bodies: list[Body] = inner(list)
    joints: list[Joint] = inner(list)
    springs: list[Spring] = inner(list)
    geometries: list[Geometry] = inner(list)
    muscles: list[Muscle] = inner(list)
    motors: list[JointMotor] = inner(list)
    dofs: list[Dof] = inner(list)
    perturbations: list[Perturbation] = inner(list)
    blocks: tuple[Entry, ...] = inner(tuple)
    """Forces and integrators (manual, chapters 3 and 4), as they stand in the file."""


# ---------------------------------------------------------------- one component


def properties(cls: type) -> dict[str, tuple[Kind, dataclasses.Field]]:
    """Key to data type and field, in the order of the class."""
    return {f.name: (f.metadata["kind"], f) for f in dataclasses.fields(cls) if "kind" in f.metadata}


def read_component(
    cls: type[C], group: Group, kind: str, findings: Findings, also: tuple[str, ...] = ()
) -> C:
    """The component of a group. Keys in `also` are read elsewhere; other unknown keys become findings."""
    known = properties(cls)
    values: dict[str, Any] = {}
    for entry in group.entries:
        if entry.key in values:
            raise syntax_error(f"'{entry.key}' is given twice", entry.place, "Keep one of the two")
        if entry.key in known:
            values[entry.key] = known[entry.key][0].read(entry.value)
        elif entry.key not in also:
            name = values.get("name", "") if isinstance(values.get("name", ""), str) else ""
            findings.add(kind, name, f"left out '{entry.key}', which the manual does not describe")
    for key, (expected, f) in known.items():
        if key not in values and f.default is MISSING:
            thing = f"{kind} '{values['name']}'" if values.get("name") else kind
            raise syntax_error(f"{thing} has no {key}", group.place, f"Give {key}: {expected.expected}")
    return cls(**values, place=group.place)


def write_component(component: Component) -> Group:
    """The group of a component; properties at their default are left out, but for the name."""
    group = Group()
    for key, (kind, f) in properties(type(component)).items():
        value = getattr(component, key)
        if value is None or (value == f.default and not (key == "name" and value)):
            continue
        group.entries.append(Entry(key, kind.write(value)))
    return group
