"""The surface of a vehicle: wheels, tubes, and a shell around what is built of many ellipsoids.

Each part is carried by one bone. A body is a wheel where it turns on an axle and its one ellipsoid is round about that
axle; a body of a wheeled actor with long thin ellipsoids is made of tubes; many thick ones get a shell together.
"""

import numpy as np

from ...engine.spec import Ellipsoid
from ..editing.rest_layout import BodyPlace, part_frame
from ..parts.shapes import sphere_geometry
from .finishes import DARK, GLASS, METAL, PAINT, RUBBER
from .shapes import Surface, bicycle_wheel, car_wheel, joined, tube
from .shell import Blob, WheelPlace, shell

FINISH_BY_NAME = {
    "window": GLASS,
    "windscreen": GLASS,
    "glass": GLASS,
    "tyre": RUBBER,
    "grip": DARK,
    "saddle": DARK,
    "pedal": DARK,
    "crank": METAL,
    "handlebar": METAL,
    "post": METAL,
}
"""Finish by a part of an ellipsoid's name; all else is painted."""
THIN_WHEEL = 0.2
"""A wheel narrower than this share of its radius has spokes."""
SHELL_OF = 12
"""Ellipsoids that move as one from which on they get a shell, unless most are tubes."""


def is_wheel(place: BodyPlace) -> bool:
    """Whether a body is a wheel."""
    if place.joint is None or not place.joint.kind.has_axis or len(place.body.ellipsoids) != 1:
        return False
    ellipsoid = place.body.ellipsoids[0]
    axis = np.array(place.joint.T2, dtype=float)[:3, :3] @ np.array(place.joint.axis, dtype=float)
    local = np.abs(np.array(ellipsoid.orientation, dtype=float).T @ axis / np.linalg.norm(axis))
    k = int(np.argmax(local))
    across = [size for i, size in enumerate(ellipsoid.semi_axes) if i != k]
    return bool(
        local[k] > 0.99
        and abs(across[0] - across[1]) < 0.02 * across[0]
        and ellipsoid.semi_axes[k] < 0.6 * across[0]
    )


def has_wheels(places: dict[str, BodyPlace]) -> bool:
    """Whether an actor is a vehicle."""
    return any(map(is_wheel, places.values()))


def vehicle_surface(places: dict[str, BodyPlace]) -> tuple[Surface, list[str], np.ndarray]:
    """Surface at rest in the actor (m), names of the bodies that carry it, and the number of each point's body."""
    wheels = [name for name, place in places.items() if is_wheel(place)]
    parts = [(name, wheel_surface(places[name])) for name in wheels]
    for carrier, members in rigid_groups(places, wheels).items():
        shapes = [(places[name], e) for name in members for e in places[name].body.ellipsoids]
        if len(shapes) >= SHELL_OF and 2 * sum(is_tube(e) for _, e in shapes) < len(shapes):
            blobs = [blob_of(place, e) for place, e in shapes]
            parts.append((carrier, shell(blobs, [wheel_place(places[name]) for name in wheels])))
        elif shapes:
            parts.append((carrier, joined([part_surface(place, e) for place, e in shapes])))
    names = list(dict.fromkeys(name for name, _ in parts))
    owner = np.concatenate([np.full(len(s.points), names.index(name)) for name, s in parts])
    return joined([s for _, s in parts]), names, owner


def rigid_groups(places: dict[str, BodyPlace], leave_out: list[str]) -> dict[str, list[str]]:
    """Bodies that move as one by the body that carries them: those on fixed joints go with their parent."""
    carrier: dict[str, str] = {}
    for name, place in places.items():
        is_fixed = place.joint is not None and not place.joint.kind.moves and place.parent is not None
        carrier[name] = carrier[place.parent] if is_fixed else name
    groups: dict[str, list[str]] = {}
    for name, first in carrier.items():
        if name not in leave_out:
            groups.setdefault(first, []).append(name)
    return groups


def finish_of(ellipsoid: Ellipsoid) -> int:
    """Finish of the surface over an ellipsoid."""
    return next((kind for part, kind in FINISH_BY_NAME.items() if part in ellipsoid.name.lower()), PAINT)


def blob_of(place: BodyPlace, ellipsoid: Ellipsoid) -> Blob:
    """An ellipsoid in the actor."""
    frame = place.frame @ part_frame(ellipsoid)
    return Blob(frame, np.array(ellipsoid.semi_axes, dtype=float), finish_of(ellipsoid))


def is_tube(ellipsoid: Ellipsoid) -> bool:
    """Whether an ellipsoid is long and thin."""
    short, middle, long = sorted(ellipsoid.semi_axes)
    return long > 2.5 * middle and middle < 1.6 * short


def part_surface(place: BodyPlace, ellipsoid: Ellipsoid) -> Surface:
    """A tube for a long thin ellipsoid, the ellipsoid itself for any other."""
    blob = blob_of(place, ellipsoid)
    if is_tube(ellipsoid):
        k = int(np.argmax(blob.axes))
        frame = blob.frame.copy()
        frame[:3, :3] = np.roll(blob.frame[:3, :3], -k, axis=1)  # its long axis first
        radius = float(np.sort(blob.axes)[0])
        return tube(0.85 * radius, float(blob.axes[k]), blob.finish).moved(frame)
    unit, faces = sphere_geometry(24, 12)
    return Surface(unit * blob.axes, faces, [blob.finish] * len(faces)).moved(blob.frame)


def wheel_place(place: BodyPlace) -> WheelPlace:
    """Where a wheel is and how large."""
    ellipsoid = place.body.ellipsoids[0]
    frame = place.frame @ part_frame(ellipsoid)
    return WheelPlace(frame[:3, 3], float(max(ellipsoid.semi_axes)), float(min(ellipsoid.semi_axes)))


def wheel_surface(place: BodyPlace) -> Surface:
    """Tyre, rim and the rest of a wheel."""
    ellipsoid = place.body.ellipsoids[0]
    frame = place.frame @ part_frame(ellipsoid)
    k = int(np.argmin(ellipsoid.semi_axes))
    frame[:3, :3] = np.roll(frame[:3, :3], 1 - k, axis=1)  # its axle second
    radius, half_width = float(max(ellipsoid.semi_axes)), float(min(ellipsoid.semi_axes))
    make = bicycle_wheel if half_width < THIN_WHEEL * radius else car_wheel
    return make(radius, half_width).moved(frame)
