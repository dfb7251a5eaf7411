"""Legs bent and struck to failure, and the legform."""

import numpy as np

from ..scenarios.leg_rigs import knee_blow, leg_bending, leg_cart, legform_car, legform_certification
from .leg_response import bending_failure, cart_failure, knee_swings, legform_response
from .row import MEMORY_HIGH, READ, Comparison, Row, Source
from .running import AS_GIVEN, Runner

CADAVER_LEGS = Source(
    "Kerrigan et al. 2003, SAE 2003-01-0895, 8 tibias, 8 femurs, 3 knees: mean +- sd; knees: to earlier tests",
    READ,
)
CARTS = Source("Kress and Porta, ESV paper 443, 604 legs struck by a cart: averages of series", READ)
LEGFORM_BANDS = Source("EEVC WG17 and UN GTR 9", MEMORY_HIGH)
BENDING_BANDS = {"tibia": (222.0, 360.0), "femur": (279.0, 485.0), "knee": (127.0, 351.0)}
CART_BANDS = {"tibia": (1190.0, 7070.0), "femur": (1310.0, 8370.0)}


def leg_failures(run: Runner = AS_GIVEN) -> list[Row]:
    """Tibia, femur and knee bent to failure on two supports; a leg struck at tibia and femur by a cart."""
    rows = []
    for what, band in BENDING_BANDS.items():
        found = bending_failure(leg_bending(what), what, run)
        test = Comparison(
            "legs", f"Bending to failure, {what}", CADAVER_LEGS, fitted=f"strength of the {what}"
        )
        remark = f"bent by {found.angle:.1f} degrees when it failed"
        rows.append(test.row("moment by statics", found.moment, "N m", band, remark, 0))
    for what, band in CART_BANDS.items():
        force, time = cart_failure(leg_cart(what), what, run)
        remark = f"fails {1000 * time:.1f} ms after the start; strength from another source"
        test = Comparison("legs", f"Cart 50 kg at 7.5 m/s, {what}", CARTS)
        rows.append(test.row("failure force", 1e-3 * force, "kN", (1e-3 * band[0], 1e-3 * band[1]), remark))
    return rows


def knee(run: Runner = AS_GIVEN) -> list[Row]:
    """49 CFR 572.35: the dummy's knee struck by 5 kg at 2.1 m/s."""
    recording = run(knee_blow())
    force = np.linalg.norm(recording.contact_force[:, recording.body_index("probe", "impactor")], axis=1)
    test = Comparison(
        "legs",
        "Knee, 5 kg at 2.1 m/s",
        Source("49 CFR 572.35", MEMORY_HIGH),
        fitted="force curve of the knee",
    )
    return [test.row("peak force", 1e-3 * float(force.max()), "kN", (4.715, 5.782), "the leg is held")]


SWINGS = Source(
    "J Sports Med Doping Stud S6:001, figure 1: a typical record of the pendulum test of the knee", READ
)


def relaxed_leg(run: Runner = AS_GIVEN) -> list[Row]:
    """The lower leg of a relaxed man, let go about his knee: what the joint's damping does."""
    count, first = knee_swings("male", run=run)
    test = Comparison("legs", "Relaxed leg let go about the knee", SWINGS, fitted="damping of people's knees")
    measured = f"{count} swings, {first:.2f} s" if count else "0 swings, it creeps down"
    remark = "the damping is from the decrement of the first swings of this record (`people.joint_damping`)"
    return [test.words("swings, and the first of them", "8 swings, 1.10 s", measured, remark)]


def legform(run: Runner = AS_GIVEN) -> list[Row]:
    """The rigid legform in its dynamic certification, and into the front of the shipped car at 40 km/h."""
    found = legform_response(legform_certification(), run)
    foam, shear, bending = (
        Comparison("legs", "Legform certification", LEGFORM_BANDS, fitted=part)
        for part in ("foam of the legform", "shear spring of the legform", "")
    )
    static = "100 J to 15 degrees, as static certification asks, without the rate effect of steel"
    rows = [
        foam.row("upper tibia", found.acceleration, "g", (120.0, 250.0), digits=0),
        shear.row("shear", found.shear, "mm", (3.5, 6.0), digits=1),
        bending.row("bending", found.bending, "degrees", (6.2, 8.2), static, 1),
    ]
    found = legform_response(legform_car(), run)
    limits = (("upper tibia", found.acceleration, "g", 170), ("bending", found.bending, "degrees", 19))
    limits += (("shear", found.shear, "mm", 6),)
    shipped = Comparison("legs", "Legform, shipped car 40 km/h", LEGFORM_BANDS)
    for quantity, value, unit, limit in limits:
        words = f"limit of UN GTR 9: {limit} {unit}"
        remark = "the shipped car's bumper is assumed"
        rows.append(shipped.words(quantity, words, f"{value:.1f} {unit}", remark))
    return rows
