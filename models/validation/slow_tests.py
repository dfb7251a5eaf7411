"""Slow tests of parts of people: chest and pelvis pressed in, the neck bent."""

from __future__ import annotations

import numpy as np

from ...engine.spec import Actor, Joint, Model, PrescribedMotion, Scenario, Settings
from ..library import load_model
from ..parts import frames
from ..parts.placement import body_transforms, ellipsoid_shapes
from ..scenarios.rigs import single_body
from ..scenarios.trunk_rigs import PENDULUM_RADIUS, disc
from .row import READ, Comparison, Row, Source
from .running import AS_GIVEN, Runner

CHESTS = Source("Cavanaugh 1988, chests pressed slowly by 25.4 mm at the sternum: ranges", READ)
STROKE, PRESS_SPEED = 0.0254, 0.02
"""m and m/s (assumed: slow)"""
NECKS = Source("Clin Biomech 9:193 (1994), 40 men and 19 women who let their necks be bent slowly", READ)
BENT = {
    "flexion": ((1.0, 0.0, 0.0), 1),
    "extension": ((-1.0, 0.0, 0.0), 1),
    "lateral": ((0.0, 1.0, 0.0), 0),
}
"""Way to (side to which the head is pulled, axis of the joints)."""
PELVES = Source(
    "Choi et al. 2023, J Biomech 162:111885, 12 young adults let fall on the hip: 848 to 998 N, secant stiffness",
    READ,
)
HIP_FORCE = 923.0
"""N at which the stiffness of the pelvis is read: the middle of the forces measured."""
BEND_MOMENT = 5.0
"""N m: half of what volunteers bore at most, chosen."""


def chest_stiffness(model_name: str, run: Runner = AS_GIVEN) -> float:
    """N/mm of the sternum, the spine held, when a disc has gone 25.4 mm inward."""
    model = load_model(model_name)
    slider = next(joint for joint in model.joints if joint.child == "Sternum")
    bodies = [body for body in model.bodies if body.name in (slider.parent, "Sternum")]
    held = Joint("held", "fixed", None, slider.parent)
    chest = Model(
        "chest", bodies, [held, slider], model.materials, contact_exclude=[(slider.parent, "Sternum")]
    )
    shapes = ellipsoid_shapes(chest, body_transforms(chest))
    centre, half = next((c, h) for name, _, c, h in shapes if name == "Sternum")
    front = float(centre[0] + np.linalg.norm(half[0]))
    tool = disc(10.0, PENDULUM_RADIUS)
    table = ((0.0, -PRESS_SPEED, 0.0, 0.0), (5.0, -PRESS_SPEED, 0.0, 0.0))
    probe = Actor(
        "probe",
        tool,
        position=(round(front + 0.05 + 1e-4, 6), round(float(centre[1]), 6), round(float(centre[2]), 6)),
        velocity=table[0][1:],
        prescribed=[PrescribedMotion(None, table, source="Constant speed")],
    )
    settings = Settings(
        duration=round(1.1 * STROKE / PRESS_SPEED, 3),
        time_step=5e-5,
        output_step=1e-3,
        gravity=(0.0, 0.0, 0.0),
        ground=False,
    )
    recording = run(Scenario("chest", [Actor("chest", chest), probe], settings=settings))
    index = recording.body_index("probe", "impactor")
    force = np.linalg.norm(recording.contact_force[:, index], axis=1)
    first = int(np.flatnonzero(force > 0.0)[0])
    way = recording.position[first, index, 0] - recording.position[:, index, 0]
    return 1e-3 * float(np.interp(STROKE, way[first:], force[first:])) / STROKE


def pelvis_stiffness(model_name: str, run: Runner = AS_GIVEN) -> float:
    """kN/m of the side of a held pelvis, force over way of a disc at 923 N."""
    model = load_model(model_name)
    pelvis = single_body(model, "pelvis")
    pelvis.joints[0] = Joint("held", "fixed", None, "pelvis")
    shapes = ellipsoid_shapes(pelvis, body_transforms(pelvis))
    _, _, centre, half = max(shapes, key=lambda s: s[2][1] + float(np.linalg.norm(s[3][1])))
    side = float(centre[1] + np.linalg.norm(half[1]))
    table = ((0.0, 0.0, -PRESS_SPEED, 0.0), (5.0, 0.0, -PRESS_SPEED, 0.0))
    probe = Actor(
        "probe",
        disc(10.0, PENDULUM_RADIUS),
        position=(round(float(centre[0]), 6), round(side + 0.05 + 1e-4, 6), round(float(centre[2]), 6)),
        orientation=(90.0, 0.0, 0.0),
        velocity=table[0][1:],
        prescribed=[PrescribedMotion(None, table, source="Constant speed")],
    )
    settings = Settings(duration=2.5, time_step=1e-4, output_step=1e-3, gravity=(0.0, 0.0, 0.0), ground=False)
    recording = run(Scenario("pelvis", [Actor("pelvis", pelvis), probe], settings=settings))
    index = recording.body_index("probe", "impactor")
    force = np.linalg.norm(recording.contact_force[:, index], axis=1)
    first, at = int(np.flatnonzero(force > 0.0)[0]), int(np.flatnonzero(force >= HIP_FORCE)[0])
    way = float(recording.position[first, index, 1] - recording.position[at, index, 1])
    return 1e-3 * HIP_FORCE / way


def neck_bend(model_name: str, way: str, run: Runner = AS_GIVEN) -> float:
    """Degrees between head and trunk, the base of a passive neck held, under 5 N m at its base.

    Gravity is turned to the side of the bend and sized so that head and neck make the moment when they are upright; the
    angle is the mean of the second half of the run, as a passive neck swings."""
    model = load_model(model_name)
    chain = ("Neck", "NeckUpper", "head")
    bodies = [body for body in model.bodies if body.name in chain]
    joints = [joint for joint in model.joints if joint.child in chain]
    for joint in joints:
        if joint.parent not in chain:
            joint.parent, joint.T1 = None, frames.transform(frames.CENTRAL, (0.0, 0.0, 1.0))
    neck = Model("neck", bodies, joints, model.materials, contact_exclude=model.contact_exclude)
    neck.contact_exclude = [pair for pair in model.contact_exclude if set(pair) <= set(chain)]
    at = body_transforms(neck)
    lever = sum(
        body.mass * float((at[body.name] @ np.array([*body.center_of_mass, 1.0]))[2] - 1.0) for body in bodies
    )
    pull = BEND_MOMENT / lever
    side, axis = BENT[way]
    gravity = tuple(round(pull * part, 6) + 0.0 for part in side)
    settings = Settings(duration=4.0, output_step=1e-2, gravity=gravity, ground=False)
    recording = run(Scenario("slow_neck", [Actor("neck", neck)], settings=settings))
    numbers = [recording.joint_names.index(name) for name in ("neckJnt", "headJnt")]
    angle = np.degrees(sum(recording.joint_angle[:, number, axis] for number in numbers))
    return float(np.abs(angle[len(angle) // 2 :].mean()))


def slow_tests(run: Runner = AS_GIVEN) -> list[Row]:
    """Chests of man and dummy and pelves of man and woman pressed, necks of man and woman bent."""
    rows = []
    for name, band, part in (
        ("male", (6.0, 10.0), ""),
        ("hybrid3_50th", (26.0, 44.0), "rate factor of the thorax at rest, sternum's spring"),
    ):
        test = Comparison("torso", f"Chest pressed slowly by 25.4 mm, {name}", CHESTS, fitted=part)
        rows.append(test.row("stiffness of the sternum", chest_stiffness(name, run), "N/mm", band, digits=1))
    for name in ("male", "female"):
        test = Comparison(
            "torso",
            f"Pelvis pressed from the side, {name}",
            PELVES,
            fitted="force curve of the pelvis to 30 mm",
        )
        rows.append(test.row("secant stiffness", pelvis_stiffness(name, run), "kN/m", (24.6, 35.6), digits=1))
    found = {(name, way): neck_bend(name, way, run) for name in ("male", "female") for way in BENT}
    test = Comparison("neck", f"Passive neck under {BEND_MOMENT:g} N m", NECKS)
    shown = "; ".join(
        f"{name} " + ", ".join(f"{way} {found[name, way]:.0f}" for way in BENT) for name in ("male", "female")
    )
    men = all(found["male", way] < found["female", way] for way in BENT)
    rows.append(test.trend("sex", "stiffer in men, in all ways", f"degrees: {shown}", men))
    # what volunteers bore is no stiffness, and the model's necks bear anything
    rows.append(
        test.words(
            "way",
            "more moment and energy borne in flexion than in extension and to the side",
            f"degrees: {shown}",
            "what people bear is not in the model; to the side it has the resistance of flexion, assumed",
        )
    )
    return rows
