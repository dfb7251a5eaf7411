"""A bone that bends and breaks: a body cut in two across its length, with a joint inside that is stiff until it fails.

The two parts together are the body again: the same mass, centre and inertia (docs/derivations.md, Bones). Whatever was
on the body beyond the cut (surfaces, joints, muscle paths, ends of connections) goes with the far part; what the body
did not touch, neither part touches. Halves of a body whose flesh is shared (`Body.flesh`) overlap and share it too, so
that what strikes them at the cut meets it once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...engine.spec import Body, Ellipsoid, Joint, JointBreak, JointSpring, Model
from .bodies import body_share, make_body, tidy, tidy_all
from .frames import CENTRAL, transform
from .rigid import Piece

OVERLAP, SHARED_OVERLAP = 0.10, 0.50
"""Share of a surface's half length by which each of its parts reaches beyond the cut. Where they share their flesh it
is more: they are nearly as thick there as the surface was (0.91 where it is cut in the middle), and a bar that strikes
does not fall between them. Without sharing it would meet both, each with the whole force."""
LEAST_PART = 0.20
"""A surface with less than this share of its length beyond the cut is not cut."""
FULLY_TAPERED = (1.0 / 8.0, 1.0 / 2.0)
"""Variance of mass on a line over the square of the way from its centre to its end, where it thins out to nothing at
that end and at the other one; 1/3 where it is spread evenly."""
CURVE_END = 45.0
"""Degrees to which the bone's straight curve is written; beyond, it goes on."""


@dataclass(frozen=True)
class Bone:
    """How a bone resists and when it fails."""

    moment: float
    """N m of bending at which it breaks"""
    angle: float
    """Degrees by which it has bent then"""
    damping: float = 0.0
    """N m s/rad"""
    residual: float = 0.0
    """Share of the resistance that is left by what surrounds it"""
    source: str = ""


def split_bone(
    model: Model, name: str, bone: Bone, far_name: str, joint_name: str, share: float = 0.5
) -> Joint:
    """Cut a body across the line from its joint to that of its first child, at `share` of the way; changes the model.

    Returns the joint inside. The near part keeps the body's name and frame. ValueError says why a body cannot be cut.
    """
    body, axis, length = _long_axis(model, name, share)
    at = share * length
    origin = np.asarray(_start(model, name)) + at * axis
    cut_at = float(origin @ axis)
    near, far = cut_piece(body_share(body, 1.0), axis, cut_at, cut_at + length - at)
    overlap = SHARED_OVERLAP if body.flesh else OVERLAP
    split = [cut_surface(shape, axis, origin, overlap) for shape in body.ellipsoids]
    near_body = make_body(name, near, np.zeros(3), [a for a, _ in split if a], body.description, body.source)
    far_shapes = [replace(b, position=tidy_all(np.array(b.position) - origin)) for _, b in split if b]
    far_body = make_body(far_name, far, origin, far_shapes, f"{name} beyond its cut", body.source)
    near_body.role, near_body.meshes, near_body.surface = body.role, body.meshes, body.surface
    near_body.flesh = far_body.flesh = body.flesh
    number = model.bodies.index(body)
    model.bodies[number : number + 1] = [near_body, far_body]
    _exclude(model, name, far_name)
    _move_beyond(model, name, far_name, axis, origin)
    joint = Joint(
        joint_name,
        "spherical",
        name,
        far_name,
        T1=transform(CENTRAL, tidy_all(origin)),
        T2=transform(CENTRAL, (0.0, 0.0, 0.0)),
        damping=0.0,
        springs=bone_springs(bone),
        breaks=[JointBreak(load=bone.moment, residual=bone.residual, source=bone.source)],
        source=bone.source,
    )
    carrier = next(j for j in model.joints if j.child == name)
    model.joints.insert(model.joints.index(carrier) + 1, joint)
    return joint


def bone_springs(bone: Bone) -> list[JointSpring]:
    """Straight springs about all axes that carry the bone's moment at its angle."""
    end = round(bone.moment * CURVE_END / bone.angle, 4)
    curve = ((-CURVE_END, end), (0.0, 0.0), (CURVE_END, -end))
    return [JointSpring(axis, curve, bone.damping, bone.source) for axis in "xyz"]


def _start(model: Model, name: str) -> tuple[float, ...]:
    """Joint centre of a body in its own frame."""
    carrier = next((j for j in model.joints if j.child == name), None)
    if carrier is None or carrier.parent is None:
        raise ValueError(f"body '{name}' is a root: choose a limb, whose joint says where its bone begins")
    return tuple(row[3] for row in carrier.T2[:3])


def _long_axis(model: Model, name: str, share: float) -> tuple[Body, np.ndarray, float]:
    """(body, unit vector from its joint to that of its first child, m between both), in the body's frame."""
    body = next((body for body in model.bodies if body.name == name), None)
    if body is None:
        raise ValueError(f"model '{model.name}' has no body '{name}'")
    if not 0.0 < share < 1.0:
        raise ValueError(f"a cut at a share of {share:g} lies outside the bone: choose one between 0 and 1")
    child = next((j for j in model.joints if j.parent == name), None)
    if child is None:
        raise ValueError(f"body '{name}' carries nothing: the bone has no end to reach to")
    way = np.array([row[3] for row in child.T1[:3]], dtype=float) - _start(model, name)
    length = float(np.linalg.norm(way))
    if length < 1e-3:
        raise ValueError(f"both joints of body '{name}' are at one place: there is no bone between them")
    return body, way / length, length


def cut_piece(whole: Piece, axis: np.ndarray, at: float, end: float | None = None) -> tuple[Piece, Piece]:
    """(near, far) parts of a rigid piece cut across `axis` at the coordinate `at` (m), both in its frame.

    Along the axis the mass is spread over a length, more at one end where the limb tapers, so that its centre and
    second moment are the body's and it ends at `end` (m; None: evenly); on a line through the centre that leans against
    the axis where the body's second moments do. About that line both parts have their share (docs/derivations.md,
    Bones).
    """
    second = 0.5 * np.trace(whole.inertia) * np.eye(3) - whole.inertia
    along = float(axis @ second @ axis)
    line = second @ axis / along
    centre = float(whole.centre @ axis)
    first, length, taper = _spread(centre, along / whole.mass, end)
    if not first + 0.05 * length < at < first + 0.95 * length:
        raise ValueError(
            f"a cut at {at:.3f} m leaves one part without mass: its {length:.3f} m begin at {first:.3f} m"
        )
    across = second - along * np.outer(line, line)
    parts = []
    for low, high in ((0.0, (at - first) / length), ((at - first) / length, 1.0)):
        share, mean, variance = _moments(taper, low, high)
        place = whole.centre + (first + length * mean - centre) * line
        moment = share * (across + whole.mass * length**2 * variance * np.outer(line, line))
        parts.append(Piece(share * whole.mass, place, np.trace(moment) * np.eye(3) - moment))
    return parts[0], parts[1]


def _spread(centre: float, variance: float, end: float | None) -> tuple[float, float, float]:
    """(m where it begins, its length m, taper) of mass on a line whose density goes straight from 1 - taper to
    1 + taper times its mean, with this centre (m) and variance (m2), up to `end` (m); evenly spread where none can."""
    ratio = 0.0 if end is None else variance / (end - centre) ** 2
    if end is not None and end > centre and FULLY_TAPERED[0] - 1e-9 <= ratio <= FULLY_TAPERED[1]:
        taper = (3.0 * ratio - np.sqrt(3.0 - 6.0 * ratio)) / (1.0 + ratio)
        length = 6.0 * (end - centre) / (3.0 - taper)
        return end - length, float(length), float(taper)
    length = float(np.sqrt(12.0 * variance))
    return centre - 0.5 * length, length, 0.0


def _moments(taper: float, low: float, high: float) -> tuple[float, float, float]:
    """(share of the mass, mean, variance) between two shares of the length of a line with a taper."""
    zeroth, first, second = (
        (1.0 - taper) * (high ** (n + 1) - low ** (n + 1)) / (n + 1)
        + 2.0 * taper * (high ** (n + 2) - low ** (n + 2)) / (n + 2)
        for n in range(3)
    )
    mean = first / zeroth
    return zeroth, mean, second / zeroth - mean**2


def cut_surface(
    shape: Ellipsoid, axis: np.ndarray, origin: np.ndarray, overlap: float = OVERLAP
) -> tuple[Ellipsoid | None, Ellipsoid | None]:
    """(near, far) of an ellipsoid against the plane through `origin` across `axis`: cut in two where both parts are
    long, else on the side of its centre. The far one is still in the body's frame."""
    turn = np.array(shape.orientation, dtype=float)
    k = int(np.argmax(np.abs(turn.T @ axis)))
    centre = float((np.array(shape.position) - origin) @ axis)
    half = shape.semi_axes[k]
    if abs(turn[:, k] @ axis) < 0.9 or not abs(centre) < (1.0 - 2.0 * LEAST_PART) * half:
        return (shape, None) if centre < 0.0 else (None, shape)
    over = overlap * half
    near = _part(shape, k, axis, centre, (centre - half, min(over, centre + half)), "")
    return near, _part(shape, k, axis, centre, (max(-over, centre - half), centre + half), "_far")


def _part(
    shape: Ellipsoid, k: int, axis: np.ndarray, centre: float, span: tuple[float, float], ending: str
) -> Ellipsoid:
    """The ellipsoid that reaches over a span (m from the cut) of another, as wide as that is at its middle."""
    middle, half = 0.5 * (span[0] + span[1]), 0.5 * (span[1] - span[0])
    width = np.sqrt(max(1.0 - ((middle - centre) / shape.semi_axes[k]) ** 2, 0.0))
    axes = [tidy(half if i == k else width * a) for i, a in enumerate(shape.semi_axes)]
    place = np.array(shape.position) + (middle - centre) * axis
    return replace(shape, name=shape.name + ending, semi_axes=tuple(axes), position=tidy_all(place))


def _exclude(model: Model, near: str, far: str) -> None:
    """The parts touch nothing that the body did not touch: its neighbours in the tree and its excluded pairs."""
    pairs = [(far, j.parent) for j in model.joints if j.child == near and j.parent]
    pairs += [(near, j.child) for j in model.joints if j.parent == near]
    pairs += [
        tuple(far if name == near else name for name in pair)
        for pair in model.contact_exclude
        if near in pair
    ]
    model.contact_exclude = list(dict.fromkeys([*model.contact_exclude, *pairs]))
    model.contact_include += [
        tuple(far if name == near else name for name in pair)
        for pair in model.contact_include
        if near in pair
    ]


def _move_beyond(model: Model, near: str, far: str, axis: np.ndarray, origin: np.ndarray) -> None:
    """Give what lies beyond the cut to the far part: joints, muscle paths, wrap surfaces, ends of connections."""

    def beyond(position: Sequence[float]) -> bool:
        return float((np.array(position, dtype=float) - origin) @ axis) > 0.0

    def moved(position: Sequence[float]) -> tuple[float, ...]:
        return tidy_all(np.array(position, dtype=float) - origin)

    for joint in model.joints:
        place = [row[3] for row in joint.T1[:3]]
        if joint.parent == near and beyond(place):
            joint.parent = far
            joint.T1 = transform(tuple(row[:3] for row in joint.T1[:3]), moved(place))

    def carried(thing):
        """The thing, or its copy on the far part; points, path points and wrap surfaces have a body and a position."""
        if thing.body != near or not beyond(thing.position):
            return thing
        return replace(thing, body=far, position=moved(thing.position))

    model.wrap_surfaces = [carried(surface) for surface in model.wrap_surfaces]
    model.muscles = [replace(m, path=tuple(carried(point) for point in m.path)) for m in model.muscles]
    for connection in (*model.springs, *model.welds):
        connection.start, connection.end = carried(connection.start), carried(connection.end)
    for belt in model.belts:
        belt.points = [carried(point) for point in belt.points]
