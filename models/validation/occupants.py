"""Belted people on a sled: Ambrosio's driver, volunteers at low speed, a child on a booster, the pulse of FMVSS 208."""

import math
from dataclasses import replace

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ...engine.spec.values import STANDARD_GRAVITY
from ..people.posture import neck_motors
from ..scenarios.impacts import TWENTY, ambrosio_occupant, seated_crash
from .experiment import experiment
from .neck_response import sensor_channel
from .row import Row
from .running import AS_GIVEN, Runner


def at_speed(scenario: Scenario, speed: float, model_motors: bool = False) -> Scenario:
    """The shipped sled with all speeds scaled to `speed` (m/s) at the start; where asked, with a living neck."""
    share = speed / TWENTY
    seat, driver = scenario.actors
    tables = [
        replace(motion, table=tuple((t, *(round(share * v, 6) for v in rest)) for t, *rest in motion.table))
        for motion in seat.prescribed
    ]
    start = (round(speed, 6), 0.0, 0.0)
    seat = replace(seat, velocity=start, prescribed=tables)
    motors = neck_motors(driver.model, driver.joint_angles) if model_motors else driver.motors
    driver = replace(driver, velocity=start, motors=motors)
    return replace(scenario, actors=[seat, driver])


def _between(recording: Recording, upper: str, lower: str) -> np.ndarray:
    """(N, 3, 3) turn of one body of the driver in another's frame."""
    a, b = (recording.rotation(recording.body_index("driver", name)) for name in (upper, lower))
    return np.einsum("nji,njk->nik", b, a)


def ambrosio_driver(run: Runner = AS_GIVEN) -> list[Row]:
    """The four things that are printed of the belted driver, with the paper's man."""
    recording = run(ambrosio_occupant())
    test = experiment("ambrosio_driver")
    how = test.set_up
    turn = _between(recording, "UpperTorso", "LowerTorso")
    turn = np.einsum("ji,njk->nik", turn[0], turn)
    about = np.degrees(np.abs(np.arctan2(turn[:, 1, 0], turn[:, 0, 0]))).max()
    forward = np.degrees(np.arctan2(turn[:, 0, 2], turn[:, 2, 2])).max()
    head = recording.body_index("driver", "head")
    touched = [e for e in recording.contacts if head in (e["body_a"], e["body_b"])]
    neck = _between(recording, "Neck", "UpperTorso")
    bent = float(np.degrees(np.arctan2(neck[:, 0, 2], neck[:, 2, 2])).max())
    pelvis, seat = recording.body_index("driver", "LowerTorso"), recording.body_index("seat", "seat")
    rest = recording.position[:, pelvis] - recording.position[:, seat]
    off = float(np.linalg.norm(rest[-1] - rest[0]))
    return [
        test.words("torso", f"turned {about:.0f}, bent {forward:.0f} degrees",
                   f"holds from {how['turned']:g} and {how['folded']:g} degrees on, chosen",
                   bool(about > how["turned"] and forward > how["folded"])),
        test.words("head", f"{len(touched)} contacts", inside=not touched),
        test.words("neck", f"{bent:.0f} degrees forward, stop at {how['neck_stop']:g}",
                   inside=bent >= how["neck_stop"]),
        test.words("end", f"pelvis {100.0 * off:.0f} cm from where it sat",
                   f"holds below {100.0 * how['seated']:.0f} cm, chosen", off < how["seated"]),
    ]  # fmt: skip


def volunteers(run: Runner = AS_GIVEN) -> list[Row]:
    """Loads at the occipital condyles of a man who holds his head, 9 km/h."""
    test = experiment("volunteers")
    recording = run(at_speed(seated_crash(test.set_up["model"]), test.set_up["speed"], True))
    force = np.abs(np.asarray(sensor_channel(recording, "driver upper neck", "joint_force").data, float))
    moment = np.abs(np.asarray(sensor_channel(recording, "driver upper neck", "joint_moment").data, float))
    found = {
        "shear Fx": force[:, 0].max(),
        "axial Fz": force[:, 2].max(),
        "moment My": moment[:, 1].max(),
    }
    remark = "pulse of the shipped sled scaled; the paper's is not known"
    return [test.row(name, float(value), remark) for name, value in found.items()]


def sled_pulse(run: Runner = AS_GIVEN) -> list[Row]:
    """The sled of FMVSS 208 with the dummy: change of speed by the seat's own motion, and of the dummy's chest."""
    test = experiment("sled_pulse")
    largest, length = test.set_up["peak"], test.set_up["length"]
    change = 2.0 / math.pi * largest * STANDARD_GRAVITY * length
    scenario = seated_crash()
    times = np.linspace(0.0, length, 51)
    speeds = 0.5 * change * (1.0 + np.cos(math.pi * times / length))
    table = [(0.0, change, 0.0, 0.0), (0.05, change, 0.0, 0.0)]
    table += [
        (round(0.05 + float(t), 6), round(float(v), 6), 0.0, 0.0)
        for t, v in zip(times[1:], speeds[1:], strict=True)
    ]
    table.append((1.5, 0.0, 0.0, 0.0))
    seat, driver = scenario.actors
    start = (round(change, 6), 0.0, 0.0)
    seat = replace(seat, velocity=start, prescribed=[replace(seat.prescribed[0], table=tuple(table))])
    scenario = replace(scenario, actors=[seat, replace(driver, velocity=start)])
    recording = run(scenario)
    index = recording.body_index("seat", "seat")
    lost = float(recording.velocity[0, index, 0] - recording.velocity[-1, index, 0])
    peak = float(-np.gradient(recording.velocity[:, index, 0], recording.times).min()) / STANDARD_GRAVITY
    return [
        test.row("change of speed", lost, "to 1 %"),
        test.row("peak deceleration", peak, "to 2 %, by frames of 1 ms"),
    ]
