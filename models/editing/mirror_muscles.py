"""Mirror the muscles and wrap surfaces of one side of a model to the other, after its bodies (see `mirror_model`)."""

from dataclasses import replace

import numpy as np

from ...engine.spec import Body, Joint, Model
from ...engine.spec.muscles import Muscle, PathPoint, PathWrap, WrapSurface
from .rest_layout import BodyPlace, lay_out
from .sides import MIRROR4, flip_y, is_on_side, other_side


def mirror_muscles(model: Model, side: str) -> None:
    """Make muscles and wrap surfaces of the other side the mirror images of those on `side`; missing ones are made."""
    places = lay_out(model)
    surfaces = {s.name: other_side(s.name) for s in model.wrap_surfaces if is_mirrored(s.name, side)}
    for surface in [s for s in model.wrap_surfaces if s.name in surfaces]:
        replace_named(model.wrap_surfaces, mirrored_surface(surface, surfaces[surface.name], places))
    flips = {s.name: mirror_in_surface(s, places) for s in model.wrap_surfaces if s.name not in surfaces}
    for muscle in [m for m in model.muscles if is_mirrored(m.name, side)]:
        replace_named(model.muscles, mirrored_muscle(muscle, surfaces, flips, places))


def is_mirrored(name: str, side: str) -> bool:
    """Whether a thing of that name is on a side and has a name on the other."""
    return is_on_side(name, side) and other_side(name) is not None


def replace_named(items: list, new: Body | Joint | Muscle | WrapSurface) -> None:
    """Put an item in the place of the one of its name, or at the end."""
    for index, item in enumerate(items):
        if item.name == new.name:
            items[index] = new
            return
    items.append(new)


def other_body(body: str, places: dict[str, BodyPlace]) -> str:
    """Body on the other side; one without a side is its own image."""
    image = other_side(body, set(places))
    return image if image in places else body


def mirror_in_surface(surface: WrapSurface, places: dict[str, BodyPlace]) -> np.ndarray:
    """(3, 3) reflection in the plane y = 0 of the actor at rest, in the axes of a surface that is its own image."""
    axes = places[surface.body].frame[:3, :3] @ np.array(surface.orientation, dtype=float)
    return axes.T @ MIRROR4[:3, :3] @ axes


def mirrored_muscle(
    muscle: Muscle, surfaces: dict[str, str], flips: dict[str, np.ndarray], places: dict[str, BodyPlace]
) -> Muscle:
    """Mirror image of a muscle."""
    return replace(
        muscle,
        name=other_side(muscle.name),
        path=tuple(mirrored_point(point, places) for point in muscle.path),
        wraps=tuple(mirrored_wrap(wrap, surfaces, flips) for wrap in muscle.wraps),
    )


def mirrored_point(point: PathPoint, places: dict[str, BodyPlace]) -> PathPoint:
    """Mirror image of a path's point, in the plane y = 0 of the actor at rest."""
    image = other_body(point.body, places)
    place = np.append(np.array(point.position, dtype=float), 1.0)
    moved = np.linalg.inv(places[image].frame) @ MIRROR4 @ places[point.body].frame @ place
    turn = places[image].frame[:3, :3].T @ MIRROR4[:3, :3] @ places[point.body].frame[:3, :3]
    return replace(
        point,
        body=image,
        position=tuple(float(x) + 0.0 for x in np.round(moved[:3], 12)),
        shifts=tuple(
            replace(
                shift,
                joint=other_side(shift.joint) or shift.joint,
                direction=tuple(float(x) + 0.0 for x in np.round(turn @ np.array(shift.direction), 12)),
            )
            for shift in point.shifts
        ),
        when=point.when and replace(point.when, joint=other_side(point.when.joint) or point.when.joint),
    )


def mirrored_wrap(wrap: PathWrap, surfaces: dict[str, str], flips: dict[str, np.ndarray]) -> PathWrap:
    """Mirror image of how a path meets a surface. The axes of a surface's image are mirrored too, so y changes sign."""
    if wrap.side is None or wrap.surface in surfaces or wrap.surface not in flips:
        side = flip_y(wrap.side) if wrap.side is not None else None
        return replace(wrap, surface=surfaces.get(wrap.surface, wrap.surface), side=side)
    side = flips[wrap.surface] @ np.array(wrap.side, dtype=float)
    return replace(wrap, side=tuple(float(x) + 0.0 for x in np.round(side, 12)))


def mirrored_surface(surface: WrapSurface, name: str, places: dict[str, BodyPlace]) -> WrapSurface:
    """Mirror image of a wrap surface: frame F goes to M F M."""
    image = other_body(surface.body, places)
    frame = np.identity(4)
    frame[:3, :3], frame[:3, 3] = np.array(surface.orientation, dtype=float), surface.position
    moved = np.linalg.inv(places[image].frame) @ MIRROR4 @ places[surface.body].frame @ frame @ MIRROR4
    moved = np.round(moved, 12) + 0.0
    return replace(
        surface,
        name=name,
        body=image,
        position=tuple(float(x) for x in moved[:3, 3]),
        orientation=tuple(tuple(float(x) for x in row) for row in moved[:3, :3]),
        ellipsoid=(other_side(surface.ellipsoid) or surface.ellipsoid) if surface.ellipsoid else "",
    )
