"""Ambrosio's tackle, and random rugby tackles."""

from dataclasses import replace

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Body, Joint, Scenario
from ..library import load_model
from ..people.ambrosio import RADII
from ..people.ambrosio_joints import AMBROSIO_TABLE_2
from ..scenarios.impacts import ambrosio_tackle, rugby_tackle
from ..scenarios.library import SCENARIOS
from .experiment import experiment
from .falls import ground_impact
from .neck_response import sensor_channel
from .row import GRAVITY, Row
from .running import AS_GIVEN, Runner

TABLE_2 = {
    "back": "back",
    "torso-neck": "torso_neck",
    "head-neck": "head_neck",
    "shoulder": "shoulder",
    "elbow": "elbow",
    "hip": "hip",
    "knee": "knee",
}
"""Beginning of a joint's name to its row of the paper's table 2."""


def to_ground(recording: Recording, body: str) -> float | None:
    """s from the players' first touch until the standing player's body meets the ground; None where it does not."""
    first = min(e["start"] for e in recording.contacts if e["body_b"] >= 0)
    found = ground_impact(recording, "player", body)
    return None if found is None else found[0] - first


def tackle(run: Runner = AS_GIVEN) -> list[Row]:
    """Ambrosio's tackle: the shipped posture of the incoming player, and eighteen others, as the paper gives none; his
    model."""
    quantity, test = "head to ground", experiment("tackle_time")
    recording = run(SCENARIOS["ambrosio_tackle"]())
    shipped = to_ground(recording, "head")
    if shipped is None:
        rows = [test.did_not_happen(quantity, "head does not strike", inside=False)]
    else:
        rows = [test.row(quantity, shipped, "shipped posture"), *_printed(recording, shipped)]
    return [*rows, _other_postures(run), *_structure()]


def _other_postures(run: Runner) -> Row:
    test = experiment("tackle_time")
    low, high = test.band("head to ground")
    grid = [(a, y, h) for a in (40.0, 50.0, 60.0) for y in (0.0, 0.12, 0.2) for h in (25.0, 45.0)]
    times = [to_ground(run(ambrosio_tackle(*posture)), "head") for posture in grid]
    struck = [time for time in times if time is not None]
    within = sum(low <= time <= high for time in struck)
    measured = f"{min(struck):.2f} to {max(struck):.2f} s" if struck else "head never strikes"
    remark = (
        f"the posture is not published; leaning 40 to 60 degrees, 0 to 0.2 m off centre: {within} of {len(grid)} "
        f"inside, in {len(grid) - len(struck)} the head does not strike"
    )
    return test.words("head to ground, 18 other postures", measured, remark)


def _printed(recording: Recording, head: float) -> list[Row]:
    """Shoulders that touch with the head, and the head's acceleration."""
    test = experiment("tackle_printed")
    together, published = test.set_up["together"], test.set_up["acceleration"]
    trunk = to_ground(recording, "UpperTorso")
    gap = float("inf") if trunk is None else head - trunk
    channel = sensor_channel(recording, "player head", "acceleration")
    peak = float(np.linalg.norm(np.asarray(channel.data, float), axis=1).max()) / GRAVITY
    printed = f"holds within {1000 * together:.0f} ms, to which times are printed"
    chosen = "holds within a factor of two, chosen"
    return [
        test.words("shoulders", f"{1000 * gap:.0f} ms before it", printed, abs(gap) < together),
        test.words("head acceleration", f"{peak:.0f} g", chosen, peak < 2.0 * published),
    ]


def _structure() -> list[Row]:
    model = load_model("ambrosio")
    freedom = sum(6 if j.kind.is_free else 3 if j.kind.is_ball else 1 for j in model.joints)
    test = experiment("ambrosio_model")
    found = f"{len(model.bodies)} and {freedom}"
    joints = sum(_is_of_table_2(joint) for joint in model.joints if joint.parent is not None)
    bodies = sum(_has_radius(body) for body in model.bodies)
    return [
        test.words("bodies and degrees of freedom", found, inside=found == "12 and 29"),
        test.words("torque and damping of table 2", f"{joints} joints", inside=joints == 11),
        test.words("radii of table 3, human", f"{bodies} bodies", inside=bodies == 12),
    ]


def _is_of_table_2(joint: Joint) -> bool:
    """Whether a joint's damping and the torque of its stop are those that are printed."""
    printed = AMBROSIO_TABLE_2[next(row for start, row in TABLE_2.items() if joint.name.startswith(start))]
    stop = joint.cone.torque if joint.cone is not None else joint.limits.stiffness * np.radians(printed.width)
    return bool(np.allclose((joint.damping, stop), (printed.damping, printed.torque), rtol=1e-6))


def _has_radius(body: Body) -> bool:
    """Whether a surface of a body has the radius that is printed."""
    printed = next(radius for start, radius in RADII.items() if body.name.startswith(start))
    return any(np.isclose(shape.semi_axes[0], printed, atol=1e-6) for shape in body.ellipsoids)


def random_tackles(count: int, seed: int = 3) -> list[Scenario]:
    """Shipped tackles with random speeds and places. Carriers 5.1 +- 1.5 m/s (momenta of 563 and 438 kg m/s,
    PMC4126292, over 100 kg; spread narrowed so that all run), tacklers 3 +- 1 m/s, 0.22 +- 0.08 m off, leaning
    35 +- 8 degrees: assumed."""
    rng = np.random.default_rng(seed)
    scenarios = []
    for _ in range(count):
        scenario = rugby_tackle()
        carrier, tackler = scenario.actors
        speeds = np.clip(rng.normal((5.1, 3.0), (1.5, 1.0)), 1.0, 8.0).round(3)
        carrier.velocity, tackler.velocity = (float(speeds[0]), 0.0, 0.0), (-float(speeds[1]), 0.0, 0.0)
        x, _, z = tackler.position
        tackler.position = (x, round(float(rng.normal(0.22, 0.08)), 4), z)
        yaw, lean, roll = tackler.orientation
        tackler.orientation = (yaw, round(lean + float(rng.normal(0.0, 8.0)), 3), roll)
        settings = replace(scenario.settings, time_step=5.0e-5, start_overlap_limit=0.2)
        scenarios.append(replace(scenario, settings=settings))
    return scenarios


def smoothed_peak(recording: Recording, actor: str) -> float:
    """g of an actor's head, averaged over 2 ms."""
    channel = sensor_channel(recording, f"{actor} head", "acceleration")
    size = np.linalg.norm(np.asarray(channel.data, float), axis=1)
    smoothed = experiment("mouthguards").set_up["smoothed"]
    width = max(1, round(smoothed / float(channel.times[1] - channel.times[0])))
    return float(np.convolve(size, np.ones(width) / width, "valid").max()) / GRAVITY


def rugby(run: Runner = AS_GIVEN) -> list[Row]:
    """Shares of random tackles in which a head has more than 15 and 45 g."""
    test = experiment("mouthguards")
    count, shares = test.set_up["count"], test.set_up["shares"]
    peaks = run.many(
        random_tackles(count),
        lambda k, recording: {actor: smoothed_peak(recording, actor) for actor in shares},
    )
    rows = []
    for limit in (0, 1):
        for actor, published in shares.items():
            size, share = published[limit]
            found = 100.0 * float(np.mean([peak[actor] > size for peak in peaks]))
            scatter = 200.0 * float(np.sqrt(0.01 * share * (1.0 - 0.01 * share) / count))
            band = (round(max(share - scatter, 0.0), 1), round(min(share + scatter, 100.0), 1))
            remark = "band: twice the scatter of a share of so few; hard ground, players of 90 kg"
            rows.append(test.of(count=count, actor=actor).row(f"head beyond {size:g} g", found, remark, band))
    return rows
