"""What `model_options` does to the components: defaults, scale, mirror.

The manual names the purpose of the options, not how they work. Here *scale* multiplies lengths by s, masses by s^3 and
inertias by s^5 (the same density), and leaves forces alone. *mirror* adds, for every component whose name ends in _r or
_l and that has no partner, its image in the plane z = 0, which is the plane of symmetry in Hyfydy's own library.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from ...engine.spec import Vector
from ..common.findings import Findings
from .components import Component, Dof, HyfydyModel, Joint, ModelOptions
from .values import Quaternion, Range

SIDES = {"_r": "_l", "_l": "_r"}
C = TypeVar("C", bound=Component)


def with_options(model: HyfydyModel, findings: Findings) -> HyfydyModel:
    """The model scaled and mirrored, muscle forces multiplied. The options left in it are the defaults of joints."""
    options = model.options
    result = model
    if options.scale != 1.0:
        findings.add("model_options", "", "scale: lengths are scaled, masses by its cube, forces not at all")
        result = scaled(result, options.scale)
    if options.mirror:
        findings.add(
            "model_options", "", "mirror: names that end in _r or _l get their image in z = 0 as a partner"
        )
        result = mirrored(result)
    factor = options.muscle_force_multiplier
    muscles = [replace(m, max_isometric_force=factor * m.max_isometric_force) for m in result.muscles]
    done = replace(options, scale=1.0, mirror=False, muscle_force_multiplier=1.0)
    return replace(result, muscles=muscles, options=done)


def joint_defaults(joint: Joint, options: ModelOptions) -> Joint:
    """The joint with what it leaves open taken from the options."""
    return replace(
        joint,
        stiffness=_first(joint.stiffness, options.joint_stiffness),
        damping=_first(joint.damping, options.joint_damping),
        limit_stiffness=_first(joint.limit_stiffness, options.joint_limit_stiffness),
        limit_damping=_first(joint.limit_damping, options.joint_limit_damping),
    )


def _first(given: float | None, default: float) -> float:
    return default if given is None else given


# ---------------------------------------------------------------- scale


def scaled(part: C, s: float) -> C:
    """A component and all inside it with lengths times s, each property by its power of length."""
    made = {}
    for f in fields(part):
        value, power = getattr(part, f.name), f.metadata.get("power")
        if power and value is not None:
            made[f.name] = _times(value, s**power)
        elif isinstance(value, Component):
            made[f.name] = scaled(value, s)
        elif isinstance(value, list):
            made[f.name] = [scaled(inner, s) for inner in value]
    if isinstance(part, Dof) and any(f"_t{axis}" in part.source for axis in "xyz"):
        made |= {"default": s * part.default, "range": _times(part.range, s)}
    return replace(part, **made)


def _times(value: Any, factor: float) -> Any:
    """A number, or the numbers in tuples."""
    return tuple(_times(v, factor) for v in value) if isinstance(value, tuple) else factor * value


# ---------------------------------------------------------------- mirror


def other_side(name: str) -> str:
    """The name of the partner; the name itself where it has no side."""
    return name[:-2] + SIDES[name[-2:]] if name[-2:] in SIDES else name


def mirrored(model: HyfydyModel) -> HyfydyModel:
    """The model with the missing partners added."""
    keys = {
        "bodies": ("name",),
        "joints": ("name", "child"),
        "springs": ("name", "parent", "child"),
        "geometries": ("name", "body"),
        "muscles": ("name",),
        "motors": ("joint",),
        "dofs": ("name",),
        "perturbations": ("name", "body"),
    }
    return replace(model, **{name: _with_partners(getattr(model, name), *own) for name, own in keys.items()})


def _with_partners(parts: Sequence[C], *keys: str) -> list[C]:
    """The parts, and the images of those with a side in one of the keys and no partner."""
    present = {tuple(getattr(part, key) or "" for key in keys) for part in parts}
    added = []
    for part in parts:
        names = tuple(getattr(part, key) or "" for key in keys)
        if tuple(other_side(name) for name in names) not in present:
            image = image_of(part)
            added.append(replace(image, name=f"{part.name}_mirrored") if image.name == part.name else image)
    return [*parts, *added]


def image_of(part: C) -> C:
    """A component in the mirror, with the lists inside it; a shape is its own image."""
    made = {}
    for f in fields(part):
        value, image = getattr(part, f.name), f.metadata.get("image")
        if image and value is not None:
            made[f.name] = IMAGES[image](value)
        elif isinstance(value, list):
            made[f.name] = [image_of(inner) for inner in value]
    return replace(part, **made)


def _place(vector: Vector) -> Vector:
    x, y, z = vector
    return (x, y, 0.0 - z)


def _turning(vector: Vector) -> Vector:
    """The image of an axis of rotation, an angular velocity or a torque."""
    x, y, z = vector
    return (0.0 - x, 0.0 - y, z)


def _rotation(quaternion: Quaternion) -> Quaternion:
    w, x, y, z = quaternion
    return (w, 0.0 - x, 0.0 - y, z)


def _reverse(interval: Range) -> Range:
    low, high = interval
    return (0.0 - high, 0.0 - low)


def _source(source: str) -> str:
    """The same angle means the same movement on both sides: x and y turns and z shifts change sign in the source."""
    other = other_side(source)
    if any(f"_{part}" in source for part in ("rx", "ry", "tz")):
        return other[1:] if other.startswith("-") else f"-{other}"
    return other


IMAGES = {
    "name": other_side,
    "place": _place,
    "turning": _turning,
    "rotation": _rotation,
    "turn_limits": lambda limits: (_reverse(limits[0]), _reverse(limits[1]), limits[2]),
    "slide_limits": lambda limits: (limits[0], limits[1], _reverse(limits[2])),
    "source": _source,
}
"""What becomes of a property in the mirror, by what it is."""
