"""The neck's tissue: how two ball joints resist, and an axial element that gives between them.

Bending. Torque of a joint = t40 (angle / 40 degrees)^n, with little viscous damping and no stop: the curve is the stop.
Size and exponent are *fitted* to the pendulum tests of the mid-size dummy's neck (49 CFR 572.33; `scenarios.rigs`):
they pass that test by construction. Sideways the flexion's curve is taken, turning the extension's (assumed).

Compression. The neck is cut in two, `Neck` on C7 and `NeckUpper` below the occipital condyles, on a slider along the
line between both. A person's gives way at about 1.5 kN, which is *fitted* so that cadavers dropped on their heads
(Nightingale et al. 1997: about 2 kN at 3.2 m/s) are met; a dummy's is a stiff rod.

Living muscle is no part of this: see `posture.neck_motors`.
"""

from dataclasses import dataclass

import numpy as np

from ...engine.spec import Body, Curve, Joint, JointSpring, Model
from ..parts import frames
from ..parts.bodies import body_share, make_body, tidy_all

LOWER, UPPER, SLIDER = "Neck", "NeckUpper", "neckSlideJnt"
UPPER_SHARE = 0.30
"""Share of the neck's mass above the slider (assumed)."""
REFERENCE_ANGLE = 40.0
"""Degrees at which `Bending` states its torques."""
ANGLES = (0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 75.0, 90.0)
"""Degrees at which the power law becomes a curve; beyond the last it goes on straight."""
FLEXION_POWER, EXTENSION_POWER = 1.70, 1.78
PERSON_SHARE = 0.5
"""A person's resistance to bending over the dummy's, without muscles. Assumed: the dummy's neck is stiffer than a
relaxed person's."""


@dataclass(frozen=True)
class Bending:
    """Resistance of one joint of the mid-size dummy's neck."""

    flexion: float
    """N m at 40 degrees"""
    extension: float
    damping: float
    """N m s/rad"""


Bendings = dict[str, Bending]
"""Resistance by joint."""
BENDING: Bendings = {"neckJnt": Bending(164.0, 53.0, 1.00), "headJnt": Bending(100.0, 80.0, 0.50)}
"""Fitted to the pendulum tests of 49 CFR 572.33."""
BENDING_SOURCE = (
    "Fitted to the neck pendulum tests of 49 CFR 572.33 (flexion 7.01 m/s, extension 6.07 m/s); sideways as flexion, "
    "turning as extension: assumed"
)


@dataclass(frozen=True)
class Axial:
    """What the slider does, mid-size adult man: force over way, pressed and pulled."""

    pressed: Curve
    """(m, N), both positive"""
    pulled: Curve
    damping: float
    """N s/m"""
    retention: float
    source: str


PERSON = Axial(
    pressed=((0.0, 0.0), (0.0075, 1500.0), (0.045, 1730.0), (0.060, 3460.0), (0.065, 13460.0)),
    pulled=((0.0, 0.0), (0.020, 4000.0)),
    damping=150.0,
    retention=0.3,
    source="Yield fitted to cadavers dropped on the vertex at 3.2 m/s, lower neck about 2 kN (Nightingale et al. 1997, "
    "SAE 973344); assumed: 200 N/mm, what it gives back, tension, and its end (twice the force from 45 to 60 mm, then "
    "bone on bone; chosen so that a woman's, which the same mass drives further, stays below 4 kN there)",
)
DUMMY = Axial(
    pressed=((0.0, 0.0), (0.0075, 6000.0), (0.010, 8000.0)),
    pulled=((0.0, 0.0), (0.0075, 6000.0)),
    damping=400.0,
    retention=0.5,
    source="Assumed: a rubber column on a steel cable, 800 N/mm; a dummy's neck is known to be far stiffer than a "
    "person's along its axis",
)

SMALL_SIZES = ((0.945, 0.22, 0.344), (1.143, 0.30, 0.4545), (1.510, 0.50, 0.63))
"""Stature (m) of the dummies of 3 and 6 years and of the small woman, and their moment and force over the mid-size
man's: ratios of the critical values of FMVSS 208 for flexion and compression (68, 93, 155 over 310 N m; 2120, 2800,
3880 over 6160 N)."""
MIDSIZE = 1.753
"""m, stature of the mid-size man's dummy."""
WOMAN = (0.78, 0.85)
"""Moment and force of a woman over those of a man of her stature: makes the small woman of 1.51 m meet `SMALL_SIZES`,
where a man's size alone gives 0.64 and 0.74."""
ADULT = 1.40
"""m: below it the neck is a child's."""


def size_factors(sex: str, stature: float) -> tuple[float, float]:
    """(factor on moments, factor on forces) for a person of a stature (m) against the mid-size man.

    Children: between the published sizes by stature, in proportion to area and volume below the smallest. Adults: cube
    and square of the ratio of statures, women less.
    """
    if stature < ADULT:
        heights, moments, forces = zip(*SMALL_SIZES, strict=True)
        down = min(stature / heights[0], 1.0)
        return (
            float(np.interp(stature, heights, moments)) * down**3,
            float(np.interp(stature, heights, forces)) * down**2,
        )
    moment, force = WOMAN if sex == "female" else (1.0, 1.0)
    return moment * (stature / MIDSIZE) ** 3, force * (stature / MIDSIZE) ** 2


def bending_curve(positive: float, negative: float, powers: tuple[float, float]) -> Curve:
    """Torque on the child (N m) over angle (degrees): power laws on both sides, torques given at 40 degrees."""
    plus = [(a, -positive * (a / REFERENCE_ANGLE) ** powers[0]) for a in ANGLES[1:]]
    minus = [(-a, negative * (a / REFERENCE_ANGLE) ** powers[1]) for a in reversed(ANGLES[1:])]
    return tuple((a, round(t, 3)) for a, t in (*minus, (0.0, 0.0), *plus))


def bending_springs(bending: Bending, factor: float, note: str) -> list[JointSpring]:
    """Springs about all axes of a joint whose Y is flexion."""
    flexion, extension = factor * bending.flexion, factor * bending.extension
    both = (FLEXION_POWER, EXTENSION_POWER)
    curves = {
        "x": bending_curve(flexion, flexion, (FLEXION_POWER,) * 2),
        "y": bending_curve(flexion, extension, both),
        "z": bending_curve(extension, extension, (EXTENSION_POWER,) * 2),
    }
    damping = round(factor * bending.damping, 5)
    return [JointSpring(axis, curve, damping, f"{BENDING_SOURCE}; {note}") for axis, curve in curves.items()]


def axial_spring(axial: Axial, factor: float, note: str) -> JointSpring:
    """The slider's spring; forces times `factor`, ways as they are."""
    pulled = [(x, -round(factor * force, 2)) for x, force in axial.pulled[1:]]
    pressed = [(-x, round(factor * force, 2)) for x, force in reversed(axial.pressed[1:])]
    return JointSpring(
        "z",
        (*pressed, (0.0, 0.0), *pulled),
        round(factor * axial.damping, 4),
        f"{axial.source}; {note}",
        retention=axial.retention,
    )


def give_neck(model: Model, dummy: Bendings | None = None) -> Model:
    """Cut a figure's neck in two and give its joints their resistance, in place of stops and damping; changes the
    model. dummy: a dummy's own resistance, as it is; a person's follows from the size."""
    bodies = {body.name: body for body in model.bodies}
    joints = {joint.name: joint for joint in model.joints}
    moment, force = size_factors(model.sex, MIDSIZE if model.height is None else model.height)
    note = f"moments x {moment:.3f}, forces x {force:.3f} for the size"
    bend, words = (
        (PERSON_SHARE * moment, f"{note}, x {PERSON_SHARE} for a person") if dummy is None else (1.0, "")
    )
    for name, bending in (dummy or BENDING).items():
        joint = joints[name]
        joint.limits, joint.damping, joint.source = None, 0.0, ""
        joint.springs = bending_springs(bending, bend, words or "this dummy's own test")
    head = joints["headJnt"]
    place = np.array([row[3] for row in head.T1[:3]], dtype=float)
    axis = place / np.linalg.norm(place)
    lower, upper = _halves(bodies[LOWER])
    model.bodies[model.bodies.index(bodies[LOWER]) : model.bodies.index(bodies[LOWER]) + 1] = [lower, upper]
    head.parent = UPPER
    slider = Joint(
        SLIDER,
        "prismatic",
        LOWER,
        UPPER,
        T1=frames.transform(frames.CENTRAL, (0.0, 0.0, 0.0)),
        T2=frames.transform(frames.CENTRAL, (0.0, 0.0, 0.0)),
        axis=tidy_all(axis),
        damping=0.0,
        springs=[axial_spring(DUMMY if dummy else PERSON, force, note)],
    )
    model.joints.insert(model.joints.index(head), slider)
    model.contact_exclude += [("head", LOWER), ("head", "UpperBack")]
    return model


def _halves(neck: Body) -> tuple[Body, Body]:
    """The lower and the upper part of a neck: shares of its mass and inertia at the same centre, so that both together
    are the neck again; the surface stays with the lower."""
    parts = []
    for name, share, words in (
        (LOWER, 1.0 - UPPER_SHARE, "C7 to the occipital condyles, below the neck's slider"),
        (UPPER, UPPER_SHARE, "Upper neck, above the slider"),
    ):
        surface = neck.ellipsoids if name == LOWER else []
        parts.append(make_body(name, body_share(neck, share), np.zeros(3), surface, words, neck.source))
    return parts[0], parts[1]
