"""Bodies and ellipsoids from rigid pieces, and their mirror images; numbers as they go into files."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from ...engine.maths.inertia import inertia_matrix
from ...engine.spec import Body, Ellipsoid, Matrix3
from .rigid import Piece, inertia_six


def tidy(value: float) -> float:
    """Twelve significant digits and no minus zero, so that files are the same on every machine."""
    return float(f"{float(value):.12g}") + 0.0


def tidy_all(values: Iterable[float]) -> tuple[float, ...]:
    """The same of several."""
    return tuple(tidy(value) for value in values)


def axes_of(half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """((3,) half axes, (3, 3) directions as columns) of the ellipsoid that the columns of `half` (3, 3) span: of an
    ellipsoid that was stretched. The order of the axes is kept, as far as there is one."""
    left, sizes, right = np.linalg.svd(half)
    order = np.abs(right).argmax(axis=0)
    if sorted(order) != [0, 1, 2]:
        order = np.arange(3)
    left = left[:, order]
    left[:, 2] *= np.sign(np.linalg.det(left))
    return sizes[order], left


def make_body(
    name: str,
    piece: Piece,
    origin: ArrayLike,
    ellipsoids: list[Ellipsoid],
    description: str = "",
    source: str = "",
) -> Body:
    """A body whose frame stands at `origin`; `piece` is in standing coordinates, ellipsoids already in the body
    frame."""
    return Body(
        name=name,
        mass=tidy(piece.mass),
        inertia=tidy_all(inertia_six(piece.inertia)),
        center_of_mass=tidy_all(piece.centre - np.asarray(origin)),
        ellipsoids=ellipsoids,
        description=description,
        source=source,
    )


def body_share(body: Body, share: float) -> Piece:
    """A share of a body's mass and inertia at its centre, in its frame: shares that sum to one are the body again."""
    return Piece(share * body.mass, np.array(body.center_of_mass), share * inertia_matrix(body.inertia))


def make_ellipsoid(
    name: str, centre: ArrayLike, semi_axes: ArrayLike, origin: ArrayLike, material: str
) -> Ellipsoid:
    """An upright ellipsoid given in standing coordinates, for a body at `origin`."""
    position = np.asarray(centre, float) - np.asarray(origin, float)
    return Ellipsoid(name, semi_axes=tidy_all(semi_axes), position=tidy_all(position), material=material)


def mirror_body(body: Body, name: str) -> Body:
    """The right body of a left one: y of the centre and of all positions negated, Ixy and Iyz too. Exact to the bit."""
    xx, yy, zz, xy, yz, xz = body.inertia
    x, y, z = body.center_of_mass
    return Body(
        name=name,
        mass=body.mass,
        inertia=(xx, yy, zz, -xy + 0.0, -yz + 0.0, xz),
        center_of_mass=(x, -y + 0.0, z),
        ellipsoids=[_mirror_ellipsoid(ellipsoid) for ellipsoid in body.ellipsoids],
        description=body.description.replace("left", "right"),
        source=body.source,
    )


def _mirror_ellipsoid(left: Ellipsoid) -> Ellipsoid:
    x, y, z = left.position
    return Ellipsoid(
        name=left.name.removesuffix("_l") + "_r",
        semi_axes=left.semi_axes,
        position=(x, -y + 0.0, z),
        orientation=_mirror_rotation(left.orientation),
        material=left.material,
        source=left.source,
    )


def _mirror_rotation(rotation: Matrix3) -> Matrix3:
    """The rotation seen in the plane y = 0: rows and columns of y negated. Exact to the bit."""
    signs = (1.0, -1.0, 1.0)
    return tuple(
        tuple(signs[i] * signs[j] * value + 0.0 for j, value in enumerate(row))
        for i, row in enumerate(rotation)
    )
