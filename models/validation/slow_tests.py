"""Slow tests of parts of people: chest and pelvis pressed in, the neck bent."""

import numpy as np

from ...engine.spec import Actor, Joint, Model, PrescribedMotion, Scenario, Settings
from ..library import load_model
from ..parts import frames
from ..parts.placement import body_transforms, ellipsoid_shapes
from ..scenarios.rigs import part_of, single_body
from ..scenarios.trunk_rigs import PENDULUM_RADIUS, disc
from .experiment import Experiment, experiment
from .row import Row
from .running import AS_GIVEN, Runner

BENT = {
    "flexion": ((1.0, 0.0, 0.0), 1),
    "extension": ((-1.0, 0.0, 0.0), 1),
    "lateral": ((0.0, 1.0, 0.0), 0),
}
"""Way to (side to which the head is pulled, axis of the joints)."""
PRESS_SPEED = 0.02
"""m/s of the disc on the pelvis (assumed: slow)"""


def chest_stiffness(test: Experiment, run: Runner = AS_GIVEN) -> float:
    """N/mm of the sternum, the spine held, when a disc has gone the way of the test inward."""
    model, stroke, speed = (test.set_up[key] for key in ("model", "stroke", "speed"))
    model = load_model(model)
    slider = next(joint for joint in model.joints if joint.child == "Sternum")
    bodies = [body for body in model.bodies if body.name in (slider.parent, "Sternum")]
    held = Joint("held", "fixed", None, slider.parent)
    chest = Model(
        "chest", bodies, [held, slider], model.materials, contact_exclude=[(slider.parent, "Sternum")]
    )
    shapes = ellipsoid_shapes(chest, body_transforms(chest))
    fronts = [(c, h) for name, _, c, h in shapes if name == "Sternum"]
    centre = fronts[0][0]
    front = max(float(c[0] + np.linalg.norm(h[0])) for c, h in fronts)
    tool = disc(10.0, PENDULUM_RADIUS)
    table = ((0.0, -speed, 0.0, 0.0), (5.0, -speed, 0.0, 0.0))
    probe = Actor(
        "probe",
        tool,
        position=(round(front + 0.05 + 1e-4, 6), round(float(centre[1]), 6), round(float(centre[2]), 6)),
        velocity=table[0][1:],
        prescribed=[PrescribedMotion(None, table, source="Constant speed")],
    )
    settings = Settings(
        duration=round(1.1 * stroke / speed, 3),
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
    return 1e-3 * float(np.interp(stroke, way[first:], force[first:])) / stroke


def pelvis_stiffness(model_name: str, at_force: float, run: Runner = AS_GIVEN) -> float:
    """kN/m of the side of a held pelvis, force over way of a disc when it presses with `at_force` (N)."""
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
    first, at = int(np.flatnonzero(force > 0.0)[0]), int(np.flatnonzero(force >= at_force)[0])
    way = float(recording.position[first, index, 1] - recording.position[at, index, 1])
    return 1e-3 * at_force / way


def neck_bend(model_name: str, way: str, moment: float, run: Runner = AS_GIVEN) -> float:
    """Degrees between head and trunk, the base of a passive neck held, under a moment (N m) at its base.

    Gravity is turned to the side of the bend and sized so that head and neck make the moment when they are upright; the
    angle is the mean of the second half of the run, as a passive neck swings."""
    model = load_model(model_name)
    chain = ("Neck", "NeckUpper", "head")
    neck = part_of(model, chain, "neck")
    for joint in neck.joints:
        if joint.parent not in chain:
            joint.parent, joint.T1 = None, frames.transform(frames.CENTRAL, (0.0, 0.0, 1.0))
    at = body_transforms(neck)
    lever = sum(
        body.mass * float((at[body.name] @ np.array([*body.center_of_mass, 1.0]))[2] - 1.0)
        for body in neck.bodies
    )
    pull = moment / lever
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
    for test in (experiment("chest_slow_man"), experiment("chest_slow_dummy")):
        rows.append(test.row("stiffness of the sternum", chest_stiffness(test, run)))
    test = experiment("pelvis_side")
    for name in test.set_up["models"]:
        found = pelvis_stiffness(name, test.set_up["force"], run)
        rows.append(test.of(model=name).row("secant stiffness", found))
    return rows + _bent_necks(run)


def _bent_necks(run: Runner) -> list[Row]:
    test = experiment("neck_bent_slowly")
    people = test.set_up["models"]
    found = {(name, way): neck_bend(name, way, test.set_up["moment"], run) for name in people for way in BENT}
    shown = "; ".join(
        f"{name} " + ", ".join(f"{way} {found[name, way]:.0f}" for way in BENT) for name in people
    )
    men = all(found["male", way] < found["female", way] for way in BENT)
    # what volunteers bore is no stiffness, and the model's necks bear anything
    borne = "what people bear is not in the model; to the side it has the resistance of flexion, assumed"
    return [
        test.words("sex", f"degrees: {shown}", inside=men),
        test.words("way", f"degrees: {shown}", borne),
    ]
