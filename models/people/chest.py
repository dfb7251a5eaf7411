"""The chest's give: a sternum on a slider in front of the spine, so that deflection is a motion of the model.

The front of the rib cage is the body `Sternum`, which slides backward against `UpperBack` on a spring with a damper, as
in the lumped model of Lobdell et al. (1973): flesh in front (contact), a light sternum, a spring that stiffens, and a
damper, which makes the rate effect. The Maxwell element of that model is left out. A person has its published numbers;
a dummy's spring and damper are *fitted* to the certification of 49 CFR 572.34. The rib cage's own surface stands back
from the front by what the sternum can travel, and is what side and back meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...engine.spec import Body, Curve, Ellipsoid, Joint, JointSpring, Material, Model
from ..parts import frames
from ..parts.bodies import axes_of, body_share, make_body, tidy, tidy_all

STERNUM, SLIDER = "Sternum", "sternumJnt"
LOBDELL = "Lobdell et al. 1973 (in King and Mertz, Human Impact Response, pp. 201-245), quoted from general knowledge"
MASS = 0.45
"""kg of a mid-size man's sternum and the tissue that moves with it (Lobdell)."""
TRAVEL = 0.105
"""m by which the ribs of a mid-size man stand back behind the front: way of the sternum and depth of the flesh
together, before what strikes it meets them (assumed)."""
BREADTH = 0.80
"""Breadth of the part of the front that moves over that of the rib cage (assumed)."""
FLESH = 0.010
"""m of flesh pressed in at which a front of several surfaces is as stiff as Lobdell's, of a mid-size man: 2.8 kN, about
what chests are struck with (assumed)."""
MIDSIZE = 1.753
"""m, stature for which the numbers hold."""


@dataclass(frozen=True)
class Ribs:
    """What holds the sternum, or another front, of a mid-size man: force over way inward, damper, share of the energy
    given back."""

    pressed: Curve
    """(m, N)"""
    damping: float
    """N s/m"""
    retention: float
    source: str


PERSON = Ribs(
    pressed=((0.0, 0.0), (0.0381, 1002.0), (0.0762, 3006.0)),
    damping=525.0,
    retention=1.0,
    source=f"{LOBDELL}: 26.3 N/mm to 38 mm, 52.6 N/mm beyond, 0.525 N s/mm, elastic",
)
DUMMY = Ribs(
    pressed=((0.0, 0.0), (0.0381, 1804.0), (0.0762, 5411.0)),
    damping=550.0,
    retention=0.85,
    source="Fitted to the thorax pendulum of 49 CFR 572.34 at 6.71 m/s: the spring of Lobdell et al. 1973 x 1.8, "
    "damper and what it gives back chosen",
)
OUTWARD = 100.0e3
"""N/m against motion of the sternum to the front (assumed: stiff)."""


def flesh_share(surfaces: Sequence[Ellipsoid], depth: float) -> float:
    """What each surface of a front has of the flesh's stiffness, so that a flat disc pressed against all of them to
    `depth` (m) meets the flesh once: depth over the sum of the depths in the surfaces."""
    fronts = [shape.position[0] + shape.half_extent(0) for shape in surfaces]
    return depth / sum(max(0.0, depth - (max(fronts) - front)) for front in fronts)


def sternum_material(scale: float, surfaces: Sequence[Ellipsoid]) -> Material:
    """Flesh over the sternum, whose front consists of `surfaces`."""
    share = flesh_share(surfaces, FLESH * scale)
    divided = f" Of it {share:.3f} on each of {len(surfaces)} surfaces, which a disc meets together."
    force = scale * share
    return Material(
        "sternum",
        loading=((0.0, 0.0), (0.02, tidy(5620.0 * force)), (0.03, tidy(8430.0 * force))),
        energy_retention=0.23,
        source=f"{LOBDELL}: 281 N/mm; retention of the thorax, assumed. Stiffness x {scale:.4f} for the size."
        + (divided if len(surfaces) > 1 else ""),
    )


def rib_spring(ribs: Ribs, scale: float, outward: float = OUTWARD) -> JointSpring:
    """The spring of a front that slides inward, for a size; `outward` (N/m) holds it from moving out. Ways go with
    length and forces with its square, so that at the same speed all people are struck alike."""
    pressed = [(-tidy(scale * way), round(scale**2 * force, 2)) for way, force in reversed(ribs.pressed[1:])]
    front = (tidy(scale * 0.01), -round(scale**2 * outward * 0.01, 2))
    return JointSpring(
        "z",
        (*pressed, (0.0, 0.0), front),
        round(scale**2 * ribs.damping, 4),
        f"{ribs.source}. Lengths x {scale:.4f}, forces x {scale**2:.4f} for the size",
        retention=ribs.retention,
    )


def give_chest(model: Model, dummy: Ribs | None = None) -> Model:
    """Cut the sternum out of a figure's chest and put it on its slider; changes the model. dummy: a dummy's own ribs,
    as they are; a person's follow from the size."""
    scale = 1.0 if model.height is None else model.height / MIDSIZE
    number = next(i for i, body in enumerate(model.bodies) if body.name == "Chest")
    joint = next(joint for joint in model.joints if joint.child == "Chest")
    chest, sternum = _cut(model.bodies[number], scale)
    model.bodies[number : number + 1] = [chest, sternum]
    stand_back(model, ("Chest", "UpperBack"), sternum.ellipsoids[0], TRAVEL * scale)
    slider = Joint(
        SLIDER,
        "prismatic",
        joint.parent,
        STERNUM,
        T1=joint.T1,
        T2=frames.transform(frames.CENTRAL, (0.0, 0.0, 0.0)),
        axis=(1.0, 0.0, 0.0),
        damping=0.0,
        springs=[rib_spring(PERSON, scale) if dummy is None else rib_spring(dummy, 1.0)],
    )
    model.joints.insert(model.joints.index(joint) + 1, slider)
    model.materials = [*model.materials, sternum_material(scale, sternum.ellipsoids)]
    model.contact_exclude += [(STERNUM, "Chest"), (STERNUM, "UpperArmL"), (STERNUM, "UpperArmR")]
    return model


def _cut(chest: Body, scale: float) -> tuple[Body, Body]:
    """The chest without its sternum, and the sternum. Both have the chest's centre and shares
    of its inertia, so that together they are the chest again (the slider feels the mass only). Further surfaces of the
    front (breasts) go with the sternum."""
    cage = next(shape for shape in chest.ellipsoids if shape.material == "thorax")
    depth, breadth, height = cage.semi_axes
    share = MASS * scale**3 / chest.mass
    rest, piece = (body_share(chest, part) for part in (1.0 - share, share))
    surface = Ellipsoid(
        "sternum",
        semi_axes=tidy_all((depth, BREADTH * breadth, height)),
        position=cage.position,
        orientation=cage.orientation,
        material="sternum",
    )
    moved = [
        replace(s, material="sternum") for s in chest.ellipsoids if s is not cage and s.material == "thorax"
    ]
    kept = [s for s in chest.ellipsoids if s is cage or s.material != "thorax"]
    origin = np.zeros(3)
    return (
        make_body("Chest", rest, origin, kept, chest.description, chest.source),
        make_body(
            STERNUM,
            piece,
            origin,
            [surface, *moved],
            "Front of the rib cage, which gives",
            f"Mass: {LOBDELL}",
        ),
    )


def stand_back(
    model: Model, names: tuple[str, ...], front: Ellipsoid, way: float, most: float | None = None
) -> None:
    """Move the front of the surfaces of the bodies named to `way` (m) behind that of `front`, where they reach further;
    with `most` (m) they only get thinner, by no more than that, and their backs stay. They and the front's body have
    one origin."""
    furthest = front.position[0] + front.half_extent(0) - way
    for body in model.bodies:
        if body.name in names:
            body.ellipsoids = [
                shape if _is_beside(shape, front) else _set_back(shape, furthest, most)
                for shape in body.ellipsoids
            ]


def _is_beside(shape: Ellipsoid, front: Ellipsoid) -> bool:
    """Whether a surface lies beside the middle half of a front: what presses that in does not meet it."""
    return abs(shape.position[1]) > 0.5 * front.half_extent(1)


def _set_back(shape: Ellipsoid, furthest: float, most: float | None) -> Ellipsoid:
    """A surface that reaches no further than to `furthest` (m): made thinner, its back where it was, by up to half its
    thickness, and moved back for the rest; with `most` (m) only thinner, by no more than that."""
    reach = shape.half_extent(0)
    excess = max(shape.position[0] + reach - furthest, 0.0)
    if most is not None:
        excess = min(excess, reach, 2.0 * most)
    thinner = min(0.5 * excess, 0.5 * reach)
    return replace(
        _thinner(shape, 1.0 - thinner / reach),
        position=tidy_all((shape.position[0] - (excess - thinner), *shape.position[1:])),
    )


def _thinner(shape: Ellipsoid, share: float) -> Ellipsoid:
    """A surface pressed together from front to back to a share of its thickness."""
    if shape.orientation[0] == (1.0, 0.0, 0.0):
        return replace(shape, semi_axes=tidy_all((share * shape.semi_axes[0], *shape.semi_axes[1:])))
    half = np.array([share, 1.0, 1.0])[:, None] * np.array(shape.orientation) * shape.semi_axes
    axes, turn = axes_of(half)
    return replace(shape, semi_axes=tidy_all(axes), orientation=tuple(tidy_all(row) for row in turn))
