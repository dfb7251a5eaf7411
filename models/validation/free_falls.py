"""Falls with a closed form or a published trend: a rod that topples, a jump from a height, pushes at the edge, a child
that rolls off a bed."""

from __future__ import annotations

import math

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import (
    Actor,
    Body,
    ForcePulse,
    Joint,
    Model,
    Obstacle,
    Response,
    Scenario,
    Settings,
)
from ..library import load_model
from ..parts import frames
from ..parts.placement import lowest_point
from ..people.posture import both
from ..scenarios.falls import FRICTION, stand
from .row import ARITHMETIC, READ, Comparison, Row, Source
from .running import AS_GIVEN, Runner

ROD = Source(
    "A rod that topples about its foot from rest: root of 3 g L at its tip, h / L of it at a height h",
    ARITHMETIC,
)
CROSS = Source("Cross 2008, doi 10.1119/1.2919736: 30 m high and 9 m out", READ)
EDGE = Source("Ten people pushed off a platform of 3.65 m, doi 10.1007/s00414-009-0371-6", READ)
BED = Source(
    "Bertocci et al. 2003, Arch Pediatr 157:480, three-year-old dummy rolls off a bed of 0.68 m", READ
)
GRAVITY = 9.81


def toppled_rod(length: float = 1.75, run: Runner = AS_GIVEN) -> float:
    """m/s of the tip of a rod (m) when it has fallen from upright to level."""
    mass, half = 70.0, 0.5 * length
    across = mass * length**2 / 12.0
    rod = Body("rod", mass, (across, across, 1e-3, 0.0, 0.0, 0.0), (0.0, 0.0, half))
    foot = Joint(
        "foot",
        "revolute",
        None,
        "rod",
        axis=(0.0, 1.0, 0.0),
        damping=0.0,
        T1=frames.transform(frames.CENTRAL, (0.0, 0.0, 0.0)),
    )
    lean = 5.0
    actor = Actor("rod", Model("rod", [rod], [foot]), joint_angles={"foot": (lean, 0.0, 0.0)})
    settings = Settings(duration=2.5, output_step=2.0e-4, ground=False, gravity=(0.0, 0.0, -GRAVITY))
    recording = run(Scenario("rod", [actor], settings=settings))
    level = int(np.flatnonzero(recording.position[:, 0, 2] <= 0.0)[0])
    speed = 2.0 * float(np.linalg.norm(recording.velocity[level, 0]))
    # the start is not quite upright: what it lacks is known
    return speed / math.sqrt(math.cos(math.radians(lean)))


def jump(run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(s, m) until the centre of mass of a limp man who leaves level at 3.64 m/s has fallen 30 m."""
    man = stand("man", "male", both({"knee": (0.0, 5.0, 0.0)}), floor=30.0, velocity=(3.64, 0.0, 0.0))
    man.angular_velocity = (0.0, 1.0, 0.0)
    settings = Settings(duration=2.6, ground=False, gravity=(0.0, 0.0, -GRAVITY))
    recording = run(Scenario("jump", [man], settings=settings, default_sensors=False))
    centre = _centre(recording)
    # the turn about the feet gives the centre of mass a speed of its own, which is taken off
    own = centre[1] - centre[0] - np.array([3.64, 0.0, 0.0]) * (recording.times[1] - recording.times[0])
    rate = own / (recording.times[1] - recording.times[0])
    fallen = centre[0, 2] - centre[:, 2] + rate[2] * recording.times
    time = float(np.interp(30.0, fallen, recording.times))
    return time, float(
        np.interp(time, recording.times, centre[:, 0] - centre[0, 0] - rate[0] * recording.times)
    )


def _centre(recording: Recording) -> np.ndarray:
    mass = recording.body_mass / recording.body_mass.sum()
    return np.einsum("b,fbi->fi", mass, recording.position)


def pushed(body: str, way: float, run: Runner = AS_GIVEN) -> float:
    """m from the edge at which a man lands who stands at the edge of 3.65 m and is pushed at a body by 60 N s, `way` +1
    forward, -1 backward."""
    posture = both({"knee": (0.0, 3.0, 0.0), "elbow": (0.0, 15.0, 0.0)})
    man = stand("man", "male", posture, floor=3.65)
    man.response = Response("adult")
    man.force_pulses = [ForcePulse(body, (round(way * 60.0 * math.pi / 2.0 / 0.2, 1), 0.0, 0.0), 0.2, 0.2)]
    # the platform ends 0.05 m before the toes or behind the heels
    edge = 0.20 if way > 0 else -0.08
    centre = edge - way * 1.0
    slab = Obstacle(
        "platform", "box", position=(centre, 0.0, 3.15), half_size=(1.0, 2.0, 0.5), source="Assumed"
    )
    settings = Settings(duration=3.2, friction=FRICTION, ground_friction=0.7)
    recording = run(Scenario("edge", [man], obstacles=[slab], settings=settings, default_sensors=False))
    centre_path = _centre(recording)
    landed = next(e for e in recording.contacts if e["obstacle_b"] >= 0 and _low(recording, e))
    frame = int(np.searchsorted(recording.times, landed["start"]))
    return float(way * (centre_path[frame, 0] - edge))


def _low(recording: Recording, event: np.void) -> bool:
    """Whether a touch is with the ground far below the platform."""
    frame = min(int(np.searchsorted(recording.times, event["start"])), len(recording.times) - 1)
    return bool(recording.position[frame, event["body_a"], 2] < 1.5)


def rolled_off(run: Runner = AS_GIVEN) -> tuple[list[str], float, float]:
    """(bodies in the order in which they land, largest g of the head, largest force N in a thigh) of a three-year-old's
    dummy that lies on its side at the edge of a bed and rolls off, face first."""
    model = load_model("hybrid3_3")
    posture = both({"hip": (0.0, 30.0, 0.0), "knee": (0.0, 30.0, 0.0)})
    turn = (0.0, 0.0, 90.0)
    low = lowest_point(model, joint_angles=posture, orientation=turn)
    child = Actor(
        "child",
        model,
        model_reference="hybrid3_3",
        joint_angles=posture,
        orientation=turn,
        position=(0.02, 0.0, round(BED_HEIGHT - low + 1e-4, 5)),
        angular_velocity=(0.0, 0.5, 0.0),
    )
    bed = Obstacle(
        "bed", "box", position=(-1.0, 0.0, BED_HEIGHT - 0.2), half_size=(1.0, 2.0, 0.2), source="Assumed"
    )
    settings = Settings(duration=1.6, time_step=2.0e-5, friction=FRICTION, ground_friction=0.5)
    recording = run(Scenario("bed", [child], obstacles=[bed], settings=settings))
    order: list[str] = []
    for event in recording.contacts:
        frame = min(int(np.searchsorted(recording.times, event["start"])), len(recording.times) - 1)
        name = recording.body_names[event["body_a"]]
        on_floor = event["obstacle_b"] >= 0 and recording.position[frame, event["body_a"], 2] < 0.3
        if on_floor and name not in order:
            order.append(name)
    acceleration = np.asarray(recording.channel("child head", "acceleration").data, float)
    thigh = max(
        float(
            np.linalg.norm(
                recording.contact_force[:, recording.body_index("child", f"Shank{side}")], axis=1
            ).max()
        )
        for side in "LR"
    )
    return order, float(np.linalg.norm(acceleration, axis=1).max()) / G0, thigh


BED_HEIGHT = 0.68
G0 = 9.80665
FIRST = ("pelvis", "Thigh", "Shank", "Foot")
"""Beginnings of the names of pelvis and legs."""


def free_falls(run: Runner = AS_GIVEN) -> list[Row]:
    """Closed forms and trends."""
    tip = toppled_rod(run=run)
    exact = math.sqrt(3.0 * GRAVITY * 1.75)
    rod = Comparison("falls", "Rod of 1.75 m topples", ROD)
    rows = [rod.row("speed of the tip", tip, "m/s", (0.99 * exact, 1.01 * exact), "to 1 %", 3)]
    time, way = jump(run)
    fall = Comparison("falls", "Jump from 30 m at 3.64 m/s", CROSS)
    rows.append(
        fall.row("time of the fall", time, "s", (0.99 * 2.474, 1.01 * 2.474), "printed value to 1 %", 3)
    )
    rows.append(fall.row("distance", way, "m", (0.99 * 9.0, 1.01 * 9.0), "printed value to 1 %", 3))
    back, front = pushed("UpperBack", 1.0, run), pushed("LowerBack", -1.0, run)
    edge = Comparison("falls", "Pushed off an edge of 3.65 m by 60 N s", EDGE)
    rows.append(
        edge.trend("where he lands", "nearer when pushed at the abdomen than at the back",
                   f"{front:.2f} m and {back:.2f} m from the edge", front < back, "the push is assumed")
    )  # fmt: skip
    order, head, thigh = rolled_off(run)
    bed = Comparison("falls", "Rolls off a bed of 0.68 m, hybrid3_3", BED)
    rows.append(
        bed.trend("lands first", "pelvis and legs", " then ".join(order[:3]), order[0].startswith(FIRST),
                  f"head {head:.0f} g, knee {thigh:.0f} N; posture and edge assumed")
    )  # fmt: skip
    return rows
