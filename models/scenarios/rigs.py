"""Test rigs as scenarios: neck pendulum and head drop of 49 CFR Part 572 and the inverted drop of head and neck."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...engine.spec import Actor, Body, Joint, Model, PrescribedMotion, Scenario, Settings
from ..library import load_model
from ..parts import frames
from ..parts.placement import body_transforms, ellipsoid_shapes, lowest_point
from ..parts.tables import read_table

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


@dataclass(frozen=True)
class Certification:
    """How a dummy is tested (49 CFR Part 572): neck pendulum, head drop, thorax pendulum."""

    model: str
    section: str
    """Subpart or section, for sources"""
    flexion: tuple[tuple[float, float], ...]
    """(ms, m/s) of the pendulum: its speed at the start, then what it has lost, the middle of the bands"""
    extension: tuple[tuple[float, float], ...]
    probe: tuple[float, float, float]
    """kg, m (radius of the face) and m/s of the thorax pendulum"""
    confidence: str = "quoted from general knowledge of medium confidence"


CERTIFICATIONS = {
    test.model: test for test in read_table(Path(__file__).with_name("certifications.csv"), Certification)
}
"""Dummies whose pulses are given as changes of speed."""
DROP_HEIGHT = 0.376
"""m, head drop of all sizes (14.8 inches)."""
CARRIAGE_MASS = 16.0
"""kg of the carriage that stands for the trunk (Nightingale et al. 1997, SAE 973344)."""
DROP_SPEED = 3.2
"""m/s, from 0.53 m (the same)."""


def mounted_neck(
    model: Model, base: Body, base_joint: Joint, place: Sequence[float], upright: bool = False
) -> Model:
    """Head and neck of a figure, upside down (or upright) on `base` at `place` in its frame."""
    turn, stands = (frames.CENTRAL, "upright") if upright else (UPSIDE_DOWN, "upside down")
    words = f"Head and neck of the model {model.name}, {stands} on a {base.name}."
    mounted = described_part(model, NECK_CHAIN, f"{model.name}_{base.name}", words)
    for joint in mounted.joints:
        if joint.parent not in NECK_CHAIN:
            joint.parent, joint.T1 = base.name, frames.transform(turn, place)
    mounted.bodies.insert(0, base)
    mounted.joints.insert(0, base_joint)
    return mounted


def integral(values: np.ndarray, step: float) -> np.ndarray:
    """(n,) sums of trapezoids from the first of (n,) values on, which are a step apart."""
    return step * np.concatenate(([0.0], np.cumsum(0.5 * (values[1:] + values[:-1]))))


def pendulum_speeds(speed: float, pulse: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """(s, m/s) of the pendulum's accelerometer every half millisecond: the speed less the pulse's integral."""
    times = np.arange(0.0, pulse[-1][0] + 0.25, 0.5)
    size = np.interp(times, [t for t, _ in pulse], [g for _, g in pulse])
    lost = integral(size, 0.5e-3) * G
    return tuple((round(t * 1e-3, 6), round(speed - dv, 6)) for t, dv in zip(times, lost, strict=True))


def changing_speeds(changes: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """(s, m/s) every half millisecond of a pendulum that has lost `changes` (`Certification.flexion`), and then the
    rest at the last rate, until it stands."""
    start = changes[0][1]
    points = [(0.0, start), *((t, start - lost) for t, lost in changes[1:])]
    (t1, v1), (t2, v2) = points[-2:]
    stop = t2 + v2 * (t2 - t1) / (v1 - v2)
    times = np.arange(0.0, stop + 5.0, 0.5)
    speeds = np.interp(times, [t for t, _ in points] + [stop], [v for _, v in points] + [0.0])
    return tuple((round(t * 1e-3, 6), round(float(v), 6)) for t, v in zip(times, speeds, strict=True))


def neck_pendulum(
    model_name: str, rows: Sequence[tuple[float, float]], way: int, name: str, source: str, axis: int = 1
) -> Scenario:
    """Head and neck under a pendulum that is stopped; `rows` (s, m/s) are the speeds of its accelerometer, `way` +1
    goes face first (flexion), -1 backward (extension). axis: of the pivot, 1 across the face, 0 along it (to the side).
    """
    arm_inertia = PENDULUM_INERTIA - PENDULUM_MASS * (0.5 * PENDULUM_LENGTH) ** 2
    arm = Body(
        "pendulum",
        PENDULUM_MASS,
        (arm_inertia, arm_inertia, 0.1, 0.0, 0.0, 0.0),
        (0.0, 0.0, -0.5 * PENDULUM_LENGTH),
    )
    root = Joint("pivot", "free", None, "pendulum")
    model = mounted_neck(load_model(model_name), arm, root, (0.0, 0.0, -PENDULUM_LENGTH))
    turns = [round(-way * v / PENDULUM_LENGTH, 8) for _, v in rows]
    table = tuple(
        (t, 0.0, 0.0, 0.0, *(turn if k == axis else 0.0 for k in range(3)))
        for (t, _), turn in zip(rows, turns, strict=True)
    )
    actor = Actor(
        "neck",
        model,
        position=(0.0, 0.0, 3.0),
        angular_velocity=table[0][4:],
        prescribed=[PrescribedMotion(None, table, source=f"Middle of the pulse of {source}")],
    )
    return Scenario(
        name,
        [actor],
        settings=Settings(duration=0.2, output_step=5.0e-4, ground=False),
        description=f"Neck pendulum of {source} with head and neck of the model {model_name}, {rows[0][1]:g} m/s.",
        sources={"actors.neck.prescribed": f"{source}, middle of the bands of the pendulum's deceleration"},
    )


MAN_PENDULUM = "49 CFR 572.33"


def neck_flexion(model_name: str = "hybrid3_50th") -> Scenario:
    """A dummy's neck thrown forward under a stopped pendulum, by its own certification."""
    return _neck_certification(model_name, "flexion", 1, pendulum_speeds(FLEXION_SPEED, FLEXION_PULSE))


def neck_extension(model_name: str = "hybrid3_50th") -> Scenario:
    """A dummy's neck thrown backward under a stopped pendulum, by its own certification."""
    return _neck_certification(model_name, "extension", -1, pendulum_speeds(EXTENSION_SPEED, EXTENSION_PULSE))


def _neck_certification(
    model_name: str, motion: str, way: int, usual: Sequence[tuple[float, float]]
) -> Scenario:
    """usual: speeds of the pendulum for the mid-size man and whoever has no certification of his own."""
    test = CERTIFICATIONS.get(model_name)
    if test is None:
        return neck_pendulum(model_name, usual, way, f"neck_{motion}", MAN_PENDULUM)
    rows, source = changing_speeds(getattr(test, motion)), f"{test.section}, {test.confidence}"
    return neck_pendulum(model_name, rows, way, f"neck_{motion}{ending(model_name)}", source)


def head_drop(model_name: str = "hybrid3_50th", height: float = DROP_HEIGHT) -> Scenario:
    """A dummy's head dropped on its forehead from `height` (m) onto a rigid plate."""
    model = single_body(load_model(model_name), "head")
    lean = forehead_down(model)
    low = lowest_point(model, orientation=lean)
    actor = Actor("head", model, position=(0.0, 0.0, round(height - low, 6)), orientation=lean)
    settings = Settings(duration=0.32, time_step=2.0e-5, output_step=2.0e-5, friction=0.3)
    return Scenario(
        "head_drop" + ending(model_name),
        [actor],
        settings=settings,
        description=f"The head of the model {model_name}, dropped by {1000 * height:g} mm on its forehead onto steel.",
        sources={
            "actors.head.position": "49 CFR Part 572, head drop of 14.8 inches",
            "settings.friction": "Assumed",
        },
    )


def ending(model_name: str) -> str:
    """What the name of a rig with another dummy than the mid-size man's ends with."""
    return "" if model_name == "hybrid3_50th" else f"_{model_name.removeprefix('hybrid3_')}"


def part_of(model: Model, kept: Collection[str], name: str) -> Model:
    """A model of the bodies of a figure that `kept` names, their joints, and which of them never touch, without muscles
    and connections. Bodies and joints are those of the figure, not copies."""
    return Model(
        name,
        [body for body in model.bodies if body.name in kept],
        [joint for joint in model.joints if joint.child in kept],
        model.materials,
        contact_exclude=[pair for pair in model.contact_exclude if set(pair) <= set(kept)],
    )


def described_part(model: Model, kept: Collection[str], name: str, description: str) -> Model:
    """The same with what it is, and the sex, height and sources of the figure."""
    return replace(
        part_of(model, kept, name),
        description=description,
        version="1",
        sex=model.sex,
        height=model.height,
        sources=list(model.sources),
    )


def single_body(model: Model, name: str) -> Model:
    """A model of one body of another model, free, its frame's origin at the actor's origin."""
    body = next(b for b in model.bodies if b.name == name)
    return Model(f"{model.name}_{name}", [body], [Joint("root", "free", None, name)], model.materials)


def forehead_down(model: Model) -> tuple[float, float, float]:
    """The least turn face down at which the skull hangs 12.7 mm below the face, as 49 CFR 572.32 asks."""
    for degrees in range(60, 150):
        shapes = ellipsoid_shapes(model, body_transforms(model, orientation=(0.0, float(degrees), 0.0)))
        low = {e.name: c[2] - float(np.linalg.norm(h[2])) for _, e, c, h in shapes}
        if low["forehead"] <= min(low["face"], low["mandible"]) - 0.0127:
            return (0.0, float(degrees), 0.0)
    raise ValueError(f"model '{model.name}': the face is always below the skull")


def neck_drop(model_name: str = "male", speed: float = DROP_SPEED) -> Scenario:
    """Head and neck under a guided mass, dropped on the crown of the head."""
    carriage = Body("carriage", CARRIAGE_MASS, (0.2, 0.2, 0.2, 0.0, 0.0, 0.0))
    guide = Joint("guide", "prismatic", None, "carriage", axis=(0.0, 0.0, 1.0), damping=0.0)
    model = mounted_neck(load_model(model_name), carriage, guide, (0.0, 0.0, 0.0))
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
