"""What `model_options` does to the components: defaults, scale, mirror.

The manual names the purpose of the options, not how they work. Here *scale* multiplies lengths by s, masses by s^3 and
inertias by s^5 (the same density), and leaves forces alone. *mirror* adds, for every component whose name ends in _r or
_l and that has no partner, its image in the plane z = 0, which is the plane of symmetry in Hyfydy's own library.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...engine.spec import Vector
from ..common.findings import Findings
from .components import (
    Body,
    Dof,
    Geometry,
    HyfydyModel,
    Joint,
    JointMotor,
    Mesh,
    ModelOptions,
    Muscle,
    PathPoint,
    Shape,
    Spring,
)
from .values import Quaternion, Range

SIDES = {"_r": "_l", "_l": "_r"}


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


def scaled(model: HyfydyModel, s: float) -> HyfydyModel:
    """All lengths times s."""

    def long(vector: Vector) -> Vector:
        return tuple(s * value for value in vector)

    def shape(given: Shape | Geometry | None) -> Shape | Geometry | None:
        if given is None:
            return None
        sizes = {
            key: None if (value := getattr(given, key)) is None else s * value for key in ("radius", "height")
        }
        return replace(given, **sizes, dim=None if given.dim is None else long(given.dim))

    def geometry(given: Geometry) -> Geometry:
        return replace(shape(given), pos=long(given.pos))

    def mesh(given: Mesh) -> Mesh:
        return replace(given, pos=long(given.pos), scale=long(given.scale), shape=shape(given.shape))

    def body(given: Body) -> Body:
        return replace(
            given,
            mass=None if given.mass is None else s**3 * given.mass,
            inertia=None if given.inertia is None else tuple(s**5 * value for value in given.inertia),
            shape=shape(given.shape),
            pos=long(given.pos),
            meshes=[mesh(m) for m in given.meshes],
            first_geometry=None if given.first_geometry is None else geometry(given.first_geometry),
        )

    def joint(given: Joint) -> Joint:
        slide = given.translation_limits
        return replace(
            given,
            pos_in_parent=long(given.pos_in_parent),
            pos_in_child=long(given.pos_in_child),
            translation_limits=None if slide is None else tuple((s * low, s * high) for low, high in slide),
        )

    def spring(given: Spring) -> Spring:
        return replace(
            given,
            pos_in_parent=long(given.pos_in_parent),
            pos_in_child=long(given.pos_in_child),
            rest_length=s * given.rest_length,
        )

    def muscle(given: Muscle) -> Muscle:
        return replace(
            given,
            optimal_fiber_length=s * given.optimal_fiber_length,
            tendon_slack_length=s * given.tendon_slack_length,
            path=[replace(point, pos=long(point.pos)) for point in given.path],
        )

    def dof(given: Dof) -> Dof:
        factor = s if _is_translation(given) else 1.0
        return replace(
            given, default=factor * given.default, range=tuple(factor * end for end in given.range)
        )

    return replace(
        model,
        bodies=[body(b) for b in model.bodies],
        joints=[joint(j) for j in model.joints],
        springs=[spring(x) for x in model.springs],
        geometries=[geometry(g) for g in model.geometries],
        muscles=[muscle(m) for m in model.muscles],
        dofs=[dof(d) for d in model.dofs],
    )


def _is_translation(dof: Dof) -> bool:
    return any(f"_t{axis}" in dof.source for axis in "xyz")


# ---------------------------------------------------------------- mirror


def other_side(name: str) -> str:
    """The name of the partner; the name itself where it has no side."""
    return name[:-2] + SIDES[name[-2:]] if name[-2:] in SIDES else name


def mirrored(model: HyfydyModel) -> HyfydyModel:
    """The model with the missing partners added."""
    return replace(
        model,
        bodies=_with_partners(model.bodies, _mirror_body, "name"),
        joints=_with_partners(model.joints, _mirror_joint, "name", "child"),
        springs=_with_partners(model.springs, _mirror_spring, "name", "parent", "child"),
        geometries=_with_partners(model.geometries, _mirror_geometry, "name", "body"),
        muscles=_with_partners(model.muscles, _mirror_muscle, "name"),
        motors=_with_partners(model.motors, _mirror_motor, "joint"),
        dofs=_with_partners(model.dofs, _mirror_dof, "name"),
    )


def _with_partners(parts: Sequence, mirror: Callable, *keys: str) -> list:
    """The parts, and the images of those with a side in one of the keys and no partner."""
    present = {tuple(getattr(part, key) or "" for key in keys) for part in parts}
    added = []
    for part in parts:
        names = tuple(getattr(part, key) or "" for key in keys)
        if tuple(other_side(name) for name in names) not in present:
            image = mirror(part)
            added.append(replace(image, name=f"{part.name}_mirrored") if image.name == part.name else image)
    return [*parts, *added]


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


def _mirror_body(body: Body) -> Body:
    return replace(
        body,
        name=other_side(body.name),
        pos=_place(body.pos),
        ori=_rotation(body.ori),
        lin_vel=_place(body.lin_vel),
        ang_vel=_turning(body.ang_vel),
        meshes=[
            replace(mesh, pos=_place(mesh.pos), ori=_rotation(mesh.ori), scale=_place(mesh.scale))
            for mesh in body.meshes
        ],
    )


def _mirror_joint(joint: Joint) -> Joint:
    limits, slide = joint.limits, joint.translation_limits
    return replace(
        joint,
        name=other_side(joint.name),
        parent=other_side(joint.parent),
        child=None if joint.child is None else other_side(joint.child),
        pos_in_parent=_place(joint.pos_in_parent),
        pos_in_child=_place(joint.pos_in_child),
        ref_ori=_rotation(joint.ref_ori),
        limits=limits and (_reverse(limits[0]), _reverse(limits[1]), limits[2]),
        translation_limits=slide and (slide[0], slide[1], _reverse(slide[2])),
    )


def _mirror_spring(spring: Spring) -> Spring:
    return replace(
        spring,
        name=other_side(spring.name),
        parent=other_side(spring.parent),
        child=other_side(spring.child),
        pos_in_parent=_place(spring.pos_in_parent),
        pos_in_child=_place(spring.pos_in_child),
    )


def _mirror_geometry(geometry: Geometry) -> Geometry:
    return replace(
        geometry,
        name=other_side(geometry.name),
        body=None if geometry.body is None else other_side(geometry.body),
        pos=_place(geometry.pos),
        ori=_rotation(geometry.ori),
        normal=None if geometry.normal is None else _place(geometry.normal),
    )


def _mirror_muscle(muscle: Muscle) -> Muscle:
    def point(given: PathPoint) -> PathPoint:
        return replace(given, body=other_side(given.body), pos=_place(given.pos))

    return replace(muscle, name=other_side(muscle.name), path=[point(p) for p in muscle.path])


def _mirror_motor(motor: JointMotor) -> JointMotor:
    return replace(
        motor,
        name=other_side(motor.name),
        joint=other_side(motor.joint),
        target_ori=_rotation(motor.target_ori),
        target_vel=_turning(motor.target_vel),
        torque_offset=_turning(motor.torque_offset),
    )


def _mirror_dof(dof: Dof) -> Dof:
    """The same angle means the same movement on both sides: x and y turns and z shifts change sign in the source."""
    source = other_side(dof.source)
    if any(f"_{part}" in dof.source for part in ("rx", "ry", "tz")):
        source = source[1:] if source.startswith("-") else f"-{source}"
    return replace(dof, name=other_side(dof.name), source=source)
