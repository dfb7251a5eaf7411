"""Falls with a closed form or a published trend: a rod that topples, a jump from a height, pushes at the edge, a child
that rolls off a bed."""

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
from ...engine.spec.values import STANDARD_GRAVITY
from ..library import load_model
from ..parts import frames
from ..parts.placement import lowest_point
from ..people.posture import both
from ..scenarios.falls import FRICTION, stand
from .experiment import Experiment, experiment
from .row import Row
from .running import AS_GIVEN, Runner, force_on

GRAVITY = 9.81


def toppled_rod(length: float, run: Runner = AS_GIVEN) -> float:
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


def jump(height: float, speed: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(s, m) until the centre of mass of a limp man who leaves level at a speed (m/s) has fallen a height (m)."""
    man = stand("man", "male", both({"knee": (0.0, 5.0, 0.0)}), floor=height, velocity=(speed, 0.0, 0.0))
    man.angular_velocity = (0.0, 1.0, 0.0)
    settings = Settings(duration=2.6, ground=False, gravity=(0.0, 0.0, -GRAVITY))
    recording = run(Scenario("jump", [man], settings=settings, default_sensors=False))
    centre = _centre(recording)
    # the turn about the feet gives the centre of mass a speed of its own, which is taken off
    own = centre[1] - centre[0] - np.array([speed, 0.0, 0.0]) * (recording.times[1] - recording.times[0])
    rate = own / (recording.times[1] - recording.times[0])
    fallen = centre[0, 2] - centre[:, 2] + rate[2] * recording.times
    time = float(np.interp(height, fallen, recording.times))
    return time, float(
        np.interp(time, recording.times, centre[:, 0] - centre[0, 0] - rate[0] * recording.times)
    )


def _centre(recording: Recording) -> np.ndarray:
    mass = recording.body_mass / recording.body_mass.sum()
    return np.einsum("b,fbi->fi", mass, recording.position)


def pushed(body: str, way: float, test: Experiment, run: Runner = AS_GIVEN) -> float:
    """m from the edge at which a man lands who stands at the edge of `edge_push` and is pushed at a body, `way` +1
    forward, -1 backward."""
    height, impulse = test.set_up["height"], test.set_up["impulse"]
    posture = both({"knee": (0.0, 3.0, 0.0), "elbow": (0.0, 15.0, 0.0)})
    man = stand("man", "male", posture, floor=height)
    man.response = Response("adult")
    man.force_pulses = [ForcePulse(body, (round(way * impulse * math.pi / 2.0 / 0.2, 1), 0.0, 0.0), 0.2, 0.2)]
    # the platform ends 0.05 m before the toes or behind the heels
    edge = 0.20 if way > 0 else -0.08
    centre = edge - way * 1.0
    slab = Obstacle(
        "platform", "box", position=(centre, 0.0, height - 0.5), half_size=(1.0, 2.0, 0.5), source="Assumed"
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


def rolled_off(height: float, run: Runner = AS_GIVEN) -> tuple[list[str], float, float]:
    """(bodies in the order in which they land, largest g of the head, largest force N in a thigh) of a three-year-old's
    dummy that lies on its side at the edge of a bed of a height (m) and rolls off, face first."""
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
        position=(0.02, 0.0, round(height - low + 1e-4, 5)),
        angular_velocity=(0.0, 0.5, 0.0),
    )
    bed = Obstacle(
        "bed", "box", position=(-1.0, 0.0, height - 0.2), half_size=(1.0, 2.0, 0.2), source="Assumed"
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
    thigh = max(float(force_on(recording, "child", f"Shank{side}").max()) for side in "LR")
    return order, float(np.linalg.norm(acceleration, axis=1).max()) / STANDARD_GRAVITY, thigh


FIRST = ("pelvis", "Thigh", "Shank", "Foot")
"""Beginnings of the names of pelvis and legs."""


def free_falls(run: Runner = AS_GIVEN) -> list[Row]:
    """Closed forms and trends."""
    test = experiment("rod")
    exact = math.sqrt(3.0 * GRAVITY * test.set_up["length"])
    tip = toppled_rod(test.set_up["length"], run)
    rows = [test.row("speed of the tip", tip, "to 1 %", (0.99 * exact, 1.01 * exact))]
    test = experiment("jump")
    time, way = jump(test.set_up["height"], test.set_up["speed"], run)
    rows += [
        test.row(quantity, value, "printed value to 1 %")
        for quantity, value in (("time of the fall", time), ("distance", way))
    ]
    test = experiment("edge_push")
    back, front = (pushed(body, way, test, run) for body, way in (("UpperBack", 1.0), ("LowerBack", -1.0)))
    found = f"{front:.2f} m and {back:.2f} m from the edge"
    rows.append(test.words("where he lands", found, "the push is assumed", front < back))
    test = experiment("bed_roll")
    order, head, thigh = rolled_off(test.set_up["height"], run)
    remark = f"head {head:.0f} g, knee {thigh:.0f} N; posture and edge assumed"
    rows.append(test.words("lands first", " then ".join(order[:3]), remark, order[0].startswith(FIRST)))
    return rows
