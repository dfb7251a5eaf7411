"""The model of a person: shape, cut, masses, ellipsoids, joints and materials put together.

made = make_person(Person(sex=0, age=71, height=1.63, mass=58))
made.model      # 24 bodies, named as those of the shipped people
made.shape      # the mesh, whose joints are the model's
made.frames     # how each body gets from the mesh to the standing pose
made.error      # how well the ellipsoids fit the skin
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ...engine.spec import Body, Ellipsoid, Material, Model
from ...engine.spec.person import Person
from ..parts.bodies import axes_of, make_body, mirror_body, tidy_all
from ..parts.materials import scaled_body_materials, with_stiffer_head
from ..parts.rigid import Piece
from . import ageing, growth, hip_centre, segment_masses
from .anthropometry import HYBRID_III_50TH_MALE
from .cutting import CENTRAL, SEGMENT_OF, SIDED, Pieces, Skin, cut, segment_volumes, volumes
from .figure import NEVER_TOUCH, joints_between
from .fit_layout import (
    CONTACT_LAYOUT,
    LAYOUT,
    StoredFit,
    bounds,
    boxes,
    first_guess,
    in_bodies,
    in_contact,
    in_mesh,
    near,
    start_for,
    trunk_side,
)
from .flesh import join_flesh
from .joint_data import attach_joint_data
from .legs import give_legs, legs_break
from .load import with_load
from .muscles import with_muscles
from .person_skin import skin_of
from .shape import Shape, solve
from .skin_fit import Blobs, Fit, FitError, SkinPoints, Slot, sample_skin
from .standing import BodyFrame, frames, origins
from .worn import put_on

SKIN_POINTS, POINTS_PER_BODY = 2200, 60
"""Points of the left half to which ellipsoids are fitted."""
CHECK_POINTS, CHECKS_PER_BODY = 5000, 150
"""Other points, by which the fit is judged."""
WARM_ROUNDS, COLD_ROUNDS = 14, 80
RESTING_DEPTH, RESTING_WEIGHT = 0.003, 6.0
"""Skin within so much (m) of where its body's reaches furthest counts so many times in the fit (both chosen: lying
people then are in the picture where they are in contact)."""
SOFT_ENDS = ("head", "Hand", "Foot", "Clavicle")
"""Bodies of which that is a nose, an ear or a finger, a shoe, or what nobody lies on."""
SHOE = 0.0046
"""Thickness of a shoe's upper and sole edge over the skin of the foot, share of stature (8 mm at 1.75 m; assumed)."""
ASSUMPTIONS = (
    "Masses are mesh volumes times densities calibrated on de Leva's adults and Jensen's six-year-old; centres and "
    "inertias are the mesh's, at one density per segment.",
    "Ranges of motion are scaled by age and sex, passive stiffness and damping by mass and height alone.",
)
MESH_SOURCE = "MakeHuman and MPFB2 base mesh and targets (CC0), shaped to the person"


@dataclass(frozen=True)
class PersonModel:
    """A person made: the model and what it was made from."""

    person: Person
    model: Model
    shape: Shape | None
    """None for a person made from a scan"""
    frames: dict[str, BodyFrame]
    """Of the bodies of the middle and the left side, without their letter"""
    error: FitError
    findings: tuple[str, ...]
    """What could not be met and how it went on, and how well the ellipsoids fit"""


def make_person(person: Person, name: str | None = None) -> PersonModel:
    """A person as a model. Raises ValueError (also where the shape data is missing)."""
    shape = solve(person)
    return from_skin(person, skin_of(shape), shape, name, shape.notes)


@lru_cache(maxsize=64)
def _cached(person: Person) -> PersonModel:
    return make_person(person)


def build_person(person: Person, like: Model | None = None) -> Model:
    """The model of a person, as `furnished` where `like` is given; the same person again costs nothing. The caller may
    not change it."""
    made = _cached(person)
    return made.model if like is None else furnished(made, like)


def furnished(made: PersonModel, like: Model) -> Model:
    """The model of a person with muscles of its own strength, and legs that give and break, where a model has them."""
    model = person_with_muscles(made) if like.muscles else made.model
    return give_legs(deepcopy(model)) if legs_break(like) else model


def from_skin(
    person: Person, skin: Skin, shape: Shape | None, name: str | None, notes: tuple[str, ...]
) -> PersonModel:
    """The model of a person whose skin is known."""
    pieces = cut(skin)
    placed = frames(skin)
    blobs = _fit(person, skin, pieces, placed).solve(start_for(person, pieces, placed), WARM_ROUNDS)
    stood = on_soles(to_wrist(in_bodies(blobs, placed)), placed["Foot"])
    stood = to_vertex(in_contact(stood), person, placed["head"])
    error = _check(skin, pieces, CONTACT_LAYOUT).error(in_mesh(stood, placed, CONTACT_LAYOUT))
    bodies = _bodies(person, pieces, placed, stood)
    model = _model(person, bodies, placed, name or default_name(person))
    findings = (*notes, f"Ellipsoids fitted to the skin: {error}.")
    model.notes = [*findings, *ASSUMPTIONS]
    put_on(model, person)
    return PersonModel(person, with_load(model, person), shape, placed, error, findings)


def fit_from_nothing(person: Person) -> tuple[StoredFit, FitError]:
    """The fit of a reference person without a stored one to start from, for the table of stored fits."""
    skin = skin_of(solve(person))
    pieces, placed = cut(skin), frames(skin)
    blobs = _fit(person, skin, pieces, placed).solve(first_guess(pieces, placed), COLD_ROUNDS)
    fitted = StoredFit(person, boxes(pieces, placed), in_bodies(blobs, placed))
    return fitted, _check(skin, pieces).error(blobs)


def _fit(person: Person, skin: Skin, pieces: Pieces, placed: dict[str, BodyFrame]) -> Fit:
    """What is fitted to a skin in pieces."""
    points = _points(skin, pieces, SKIN_POINTS, POINTS_PER_BODY)
    points = replace(points, weight=resting_weight(points, placed) * is_no_fold(points, placed, person))
    return Fit(LAYOUT, points, near(), bounds(pieces, placed, person))


def _check(skin: Skin, pieces: Pieces, layout: Sequence[Slot] = LAYOUT) -> Fit:
    """The same with points of its own, to judge a fit by."""
    return Fit(layout, _points(skin, pieces, CHECK_POINTS, CHECKS_PER_BODY), near())


def _points(skin: Skin, pieces: Pieces, count: int, least: int) -> SkinPoints:
    corners = {body: pieces.skin(body) for body in pieces.triangles}
    return shod(sample_skin(corners, count, least), skin)


def resting_weight(points: SkinPoints, placed: dict[str, BodyFrame]) -> np.ndarray:
    """(n,) how much each skin point counts in the fit: more where a body's skin reaches furthest to the back, the front
    and the outer side, on which people lie."""
    weight = np.ones(len(points.points))
    for number, body in enumerate(points.bodies):
        own = np.flatnonzero(points.body == number)
        if body not in SOFT_ENDS:
            for way in (-placed[body].turn[0], placed[body].turn[0], placed[body].turn[1]):
                along = points.points[own] @ way
                weight[own[along > along.max() - RESTING_DEPTH]] = RESTING_WEIGHT
    return weight


def is_no_fold(points: SkinPoints, placed: dict[str, BodyFrame], person: Person) -> np.ndarray:
    """(n,) whether each skin point is none of the trunk's folds at the armpits, which move with the arms."""
    trunk = np.isin(points.body, [points.bodies.index(body) for body in ("UpperBack", "Chest")])
    return ~(trunk & (points.points[:, 1] > trunk_side(placed, person)))


def default_name(person: Person) -> str:
    """A name for files, such as "woman_71_163cm_58kg"."""
    grown = ("woman", "man") if person.age >= 18.0 else ("girl", "boy")
    kind = grown[person.sex >= 0.5] if person.sex in (0.0, 1.0) else "person"
    return f"{kind}_{person.age:g}_{100 * person.height:.0f}cm_{person.mass:.0f}kg".replace(".", "_")


def describe(person: Person) -> str:
    """The beginning of a sentence about a person."""
    kind = default_name(person).split("_")[0]
    build = {0.0: "slight", 0.5: "ordinary", 1.0: "athletic"}.get(person.build, f"{person.build:g}")
    return (
        f"{kind.title()} of {person.age:g} years, {100 * person.height:.1f} cm, {person.mass:.1f} kg, build {build}, "
        "standing"
    )


def shod(points: SkinPoints, skin: Skin) -> SkinPoints:
    """The skin points with shoes on: those of the foot moved out by the shoe, none below the sole."""
    foot = points.body == points.bodies.index("Foot")
    moved = points.points.copy()
    moved[foot] += SHOE * skin.stature * points.normals[foot]
    floor = skin.vertices[:, 2].min()
    moved[foot, 2] = np.maximum(moved[foot, 2], floor)
    return replace(points, points=moved)


def on_soles(blobs: Blobs, foot: BodyFrame) -> Blobs:
    """The ellipsoids, in the frames of their bodies, with each one of the foot touching the ground."""
    centre = blobs.centre.copy()
    for k, slot in enumerate(LAYOUT):
        if slot.body == "Foot":
            centre[k, 2] = np.linalg.norm(blobs.turn[k][2] * blobs.axes[k]) - foot.origin[2]
    return replace(blobs, centre=centre)


def to_wrist(blobs: Blobs) -> Blobs:
    """The ellipsoids, in the frames of their bodies, with the palm stretched up to the wrist where it ends below: the
    carpus is there, and a gap would open once the hand is bent back."""
    centre, axes, turn = blobs.centre.copy(), blobs.axes.copy(), blobs.turn.copy()
    k = [slot.name for slot in LAYOUT].index("palm")
    half = float(np.linalg.norm(turn[k][2] * axes[k]))
    missing = -(centre[k, 2] + half)
    if missing > 0.0:
        stretch = np.array([1.0, 1.0, 1.0 + 0.5 * missing / half])
        axes[k], turn[k] = axes_of(stretch[:, None] * turn[k] * axes[k])
        centre[k, 2] += 0.5 * missing
    return Blobs(centre, axes, turn)


def to_vertex(blobs: Blobs, person: Person, head: BodyFrame) -> Blobs:
    """The ellipsoids of a contact layout, in the frames of their bodies, with the crown at the height of the person."""
    centre = blobs.centre.copy()
    k = [slot.name for slot in CONTACT_LAYOUT].index("crown")
    centre[k, 2] = person.height - head.origin[2] - np.linalg.norm(blobs.turn[k][2] * blobs.axes[k])
    return replace(blobs, centre=centre)


def _bodies(person: Person, pieces: Pieces, placed: dict[str, BodyFrame], blobs: Blobs) -> list[Body]:
    """All bodies, the right ones as mirror images, in the order of the shipped models."""
    solids = volumes(pieces)
    density = segment_masses.densities(person, segment_volumes(solids))
    made = {}
    for body in (*CENTRAL, *SIDED):
        frame, solid = placed[body], solids[body]
        weight = density[SEGMENT_OF[body]]
        piece = Piece(
            weight * solid.mass,
            frame.place(solid.centre),
            weight * frame.turn @ solid.inertia @ frame.turn.T,
        )
        name = body if body in CENTRAL else body + "L"
        ellipsoids = _ellipsoids(body, blobs)
        made[name] = make_body(name, piece, frame.origin, ellipsoids, source=MESH_SOURCE)
        if body in SIDED:
            made[body + "R"] = mirror_body(made[name], body + "R")
    return list(made.values())


def _ellipsoids(body: str, blobs: Blobs) -> list[Ellipsoid]:
    """The ellipsoids of one body, of the left one where there are two."""
    out = []
    for k, slot in enumerate(CONTACT_LAYOUT):
        if slot.body != body:
            continue
        name = slot.name if slot.kind == "central" else f"{slot.name}_l"
        left = Ellipsoid(
            name,
            semi_axes=tidy_all(blobs.axes[k]),
            position=tidy_all(blobs.centre[k]),
            orientation=tuple(tidy_all(row) for row in blobs.turn[k]),
            material=slot.material,
        )
        out.append(left)
        if slot.kind == "pair":
            both = mirror_body(Body(name="", mass=1.0, inertia=(1.0,) * 6, ellipsoids=[left]), "")
            out += both.ellipsoids
    return out


def _model(person: Person, bodies: list[Body], placed: dict[str, BodyFrame], name: str) -> Model:
    sex = {0.0: "female", 1.0: "male"}.get(person.sex, "")
    model = Model(
        name=name,
        bodies=bodies,
        joints=joints_between(origins(placed)),
        materials=person_materials(person, bodies),
        contact_exclude=list(NEVER_TOUCH),
        description=describe(person),
        version="1",
        sex=sex,
        height=person.height,
        sources=[
            MESH_SOURCE,
            *segment_masses.SOURCES,
            hip_centre.HARA + " (hip joints)",
            ageing.SOUCIE + " (ranges of motion by age)",
        ],
    )
    attach_joint_data(model)
    ageing.age_ranges(model, person)
    join_flesh(model)
    model.description += f", {len(model.bodies)} bodies."
    return model


def person_materials(person: Person, bodies: list[Body]) -> list[Material]:
    """Contact materials of a person's size: force with lean mass over length, since fat adds depth and not stiffness
    (assumed); head and face with the head's own mass and size, and with the bone of the age."""
    adult = HYBRID_III_50TH_MALE
    man = Person(1.0, 40.0, adult.stature, adult.mass)
    head = next(body for body in bodies if body.name == "head")
    head_mass = head.mass / adult.head
    materials = scaled_body_materials(
        ageing.lean_mass(person) / ageing.lean_mass(man),
        person.height / adult.stature,
        head_mass,
        head_mass ** (1.0 / 3.0),
    )
    return with_stiffer_head(materials, growth.skull_factor(person.age), growth.SKULL_SOURCE)


def person_with_muscles(made: PersonModel) -> Model:
    """The model with muscles of legs and neck, as strong as the person's age, sex and lean mass say."""
    model = with_muscles(made.model)
    mass = made.person.mass
    by_mass = (
        (mass / ageing.REFERENCE_MAN.mass) ** (2.0 / 3.0) * made.person.height / ageing.REFERENCE_MAN.height
    )
    factor = ageing.strength(made.person) / by_mass
    muscles = [
        replace(m, max_isometric_force=round(m.max_isometric_force * factor, 3)) for m in model.muscles
    ]
    return replace(model, muscles=muscles)
