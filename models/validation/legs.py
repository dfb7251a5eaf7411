"""Legs bent and struck to failure, and the legform."""

from ..scenarios.leg_rigs import knee_blow, leg_bending, leg_cart, legform_car, legform_certification
from .experiment import experiment
from .leg_response import bending_failure, cart_failure, knee_swings, legform_response
from .row import Row
from .running import AS_GIVEN, Runner, force_on

BENT, STRUCK = ("tibia", "femur", "knee"), ("tibia", "femur")
"""What is bent and struck to failure; their experiments are named so."""


def leg_failures(run: Runner = AS_GIVEN) -> list[Row]:
    """Tibia, femur and knee bent to failure on two supports; a leg struck at tibia and femur by a cart."""
    rows = []
    for what in BENT:
        found = bending_failure(leg_bending(what), what, run)
        remark = f"bent by {found.angle:.1f} degrees when it failed"
        rows.append(experiment(f"bending_{what}").row("moment by statics", found.moment, remark))
    for what in STRUCK:
        force, time = cart_failure(leg_cart(what), what, run)
        remark = f"fails {1000 * time:.1f} ms after the start; strength from another source"
        rows.append(experiment(f"cart_{what}").row("failure force", 1e-3 * force, remark))
    return rows


def knee(run: Runner = AS_GIVEN) -> list[Row]:
    """49 CFR 572.35: the dummy's knee struck by 5 kg at 2.1 m/s."""
    force = force_on(run(knee_blow()), "probe", "impactor")
    return [experiment("knee_dummy").row("peak force", 1e-3 * float(force.max()), "the leg is held")]


def relaxed_leg(run: Runner = AS_GIVEN) -> list[Row]:
    """The lower leg of a relaxed man, let go about his knee: what the joint's damping does."""
    count, first = knee_swings("male", run=run)
    measured = f"{count} swings, {first:.2f} s" if count else "0 swings, it creeps down"
    remark = "the damping is from the decrement of the first swings of this record (`people.joint_damping`)"
    return [experiment("relaxed_leg").words("swings, and the first of them", measured, remark)]


def legform(run: Runner = AS_GIVEN) -> list[Row]:
    """The rigid legform in its dynamic certification, and into the front of the saloon at 40 km/h."""
    test, found = experiment("legform_certification"), legform_response(legform_certification(), run)
    static = "100 J to 15 degrees, as static certification asks, without the rate effect of steel"
    rows = [
        test.row("upper tibia", found.acceleration),
        test.row("shear", found.shear),
        test.row("bending", found.bending, static),
    ]
    test, found = experiment("legform_car"), legform_response(legform_car(), run)
    measured = {"upper tibia": found.acceleration, "bending": found.bending, "shear": found.shear}
    return rows + [
        test.words(name, f"{measured[name]:.1f} {known.unit}", "the saloon's bumper is assumed")
        for name, known in test.quantities.items()
    ]
