"""Test rigs as scenarios: the neck pendulum of 49 CFR 572.33 and the inverted drop of head and neck."""

import math
from collections.abc import Sequence

import numpy as np

from ...engine.spec import Actor, Body, Joint, Model, PrescribedMotion, Scenario, Settings
from ..library import load_model
from ..parts import frames
from ..parts.placement import lowest_point

UPSIDE_DOWN: frames.Rotation = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
"""Half a turn about x: what stood up hangs down, and faces where it faced."""
NECK_CHAIN = ("Neck", "NeckUpper", "head")
PENDULUM_LENGTH = 1.657
"""m, pivot to accelerometer and here to the neck's base (49 CFR 572.33, figure 22; quoted from general knowledge)."""
PENDULUM_MASS, PENDULUM_INERTIA = 29.57, 33.2
"""kg and kg m2 about the pivot, from the same figure. The arm's motion is prescribed, so both only label it."""
G = 9.80665
"""m/s2 of one g."""
FLEXION_SPEED, EXTENSION_SPEED = 7.01, 6.07
"""m/s at the accelerometer (49 CFR 572.33)."""
FLEXION_PULSE = ((0.0, 0.0), (4.0, 25.0), (10.0, 25.0), (20.0, 20.1), (30.0, 15.5), (38.0, 5.0), (50.0, 0.0))
EXTENSION_PULSE = (
    (0.0, 0.0),
    (4.0, 19.2),
    (10.0, 19.2),
    (20.0, 16.5),
    (30.0, 13.5),
    (42.0, 5.0),
    (54.0, 0.0),
)
"""Deceleration of the pendulum, g over ms: the middle of the bands of 49 CFR 572.33 at 10, 20 and 30 ms and where it
falls through 5 g. Rise and tail are chosen so that the pendulum nearly stops."""
CARRIAGE_MASS = 16.0
"""kg of the carriage that stands for the trunk (Nightingale et al. 1997, SAE 973344)."""
DROP_SPEED = 3.2
"""m/s, from 0.53 m (the same)."""


def hanging_neck(model: Model, base: Body, base_joint: Joint, place: Sequence[float]) -> Model:
    """Head and neck of a figure, upside down on `base` at `place` in its frame."""
    bodies = [body for body in model.bodies if body.name in NECK_CHAIN]
    joints = [joint for joint in model.joints if joint.child in NECK_CHAIN]
    for joint in joints:
        if joint.parent not in NECK_CHAIN:
            joint.parent, joint.T1 = base.name, frames.transform(UPSIDE_DOWN, place)
    return Model(
        f"{model.name}_{base.name}",
        [base, *bodies],
        [base_joint, *joints],
        model.materials,
        contact_exclude=[pair for pair in model.contact_exclude if set(pair) <= set(NECK_CHAIN)],
        description=f"Head and neck of the model {model.name}, upside down on a {base.name}.",
        version="1",
        sex=model.sex,
        height=model.height,
        sources=list(model.sources),
    )


def pendulum_speeds(speed: float, pulse: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """(s, m/s) of the pendulum's accelerometer every half millisecond: the speed less the pulse's integral."""
    times = np.arange(0.0, pulse[-1][0] + 0.25, 0.5)
    size = np.interp(times, [t for t, _ in pulse], [g for _, g in pulse])
    lost = np.concatenate(([0.0], np.cumsum(0.5 * (size[1:] + size[:-1])))) * 0.5e-3 * G
    return tuple((round(t * 1e-3, 6), round(speed - dv, 6)) for t, dv in zip(times, lost, strict=True))


def neck_pendulum(
    model_name: str, speed: float, pulse: Sequence[tuple[float, float]], way: int, name: str
) -> Scenario:
    """Head and neck under a pendulum that is stopped; `way` +1 goes face first (flexion), -1 backward (extension)."""
    arm_inertia = PENDULUM_INERTIA - PENDULUM_MASS * (0.5 * PENDULUM_LENGTH) ** 2
    arm = Body(
        "pendulum",
        PENDULUM_MASS,
        (arm_inertia, arm_inertia, 0.1, 0.0, 0.0, 0.0),
        (0.0, 0.0, -0.5 * PENDULUM_LENGTH),
    )
    root = Joint("pivot", "free", None, "pendulum")
    model = hanging_neck(load_model(model_name), arm, root, (0.0, 0.0, -PENDULUM_LENGTH))
    rows = pendulum_speeds(speed, pulse)
    table = tuple((t, 0.0, 0.0, 0.0, 0.0, round(-way * v / PENDULUM_LENGTH, 8), 0.0) for t, v in rows)
    actor = Actor(
        "neck",
        model,
        position=(0.0, 0.0, 3.0),
        angular_velocity=table[0][4:],
        prescribed=[PrescribedMotion(None, table, source="Middle of the pulse of 49 CFR 572.33")],
    )
    return Scenario(
        name,
        [actor],
        settings=Settings(duration=0.2, output_step=5.0e-4, ground=False),
        description=f"Neck pendulum of 49 CFR 572.33 with the head and neck of the model {model_name}, {speed:g} m/s.",
        sources={
            "actors.neck.prescribed": "49 CFR 572.33, middle of the bands of the pendulum's deceleration"
        },
    )


def neck_flexion(model_name: str = "hybrid3_50th") -> Scenario:
    """The dummy's neck thrown forward under a stopped pendulum."""
    return neck_pendulum(model_name, FLEXION_SPEED, FLEXION_PULSE, 1, "neck_flexion")


def neck_extension(model_name: str = "hybrid3_50th") -> Scenario:
    """The dummy's neck thrown backward under a stopped pendulum."""
    return neck_pendulum(model_name, EXTENSION_SPEED, EXTENSION_PULSE, -1, "neck_extension")


def neck_drop(model_name: str = "male", speed: float = DROP_SPEED) -> Scenario:
    """Head and neck under a guided mass, dropped on the crown of the head."""
    carriage = Body("carriage", CARRIAGE_MASS, (0.2, 0.2, 0.2, 0.0, 0.0, 0.0))
    guide = Joint("guide", "prismatic", None, "carriage", axis=(0.0, 0.0, 1.0), damping=0.0)
    model = hanging_neck(load_model(model_name), carriage, guide, (0.0, 0.0, 0.0))
    low = lowest_point(model)
    actor = Actor(
        "neck",
        model,
        position=(0.0, 0.0, math.ceil(-low * 1e5) / 1e5),
        joint_velocities={"guide": (-speed, 0.0, 0.0)},
    )
    return Scenario(
        "neck_drop",
        [actor],
        settings=Settings(duration=0.08, time_step=5.0e-5, output_step=5.0e-4, friction=0.3),
        description="Head and neck of a person under a guided mass of 16 kg, dropped on the crown onto a rigid plate.",
        sources={
            "actors.neck.joint_velocities": "0.53 m, 3.2 m/s: Nightingale et al. 1997, SAE 973344",
            "settings.friction": "Assumed",
        },
    )
