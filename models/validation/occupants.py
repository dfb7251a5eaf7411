"""Belted people on a sled: Ambrosio's driver, volunteers at low speed, a child on a booster, the pulse of FMVSS 208."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ..people.posture import neck_motors
from ..scenarios.impacts import TWENTY, ambrosio_occupant, seated_crash
from .neck_response import sensor_channel
from .row import ARITHMETIC, READ, Comparison, Row, Source
from .running import AS_GIVEN, Runner

DRIVER = Source("Ambrosio, driver in a car that strikes a wall at 20 km/h: what the text says of it", READ)
VOLUNTEERS = Source(
    "Volunteers on a sled, doi 10.3389/fbioe.2021.682974, 9 young people: mean +- 2 sd; its 9 km/h from memory",
    READ,
)
SLED = Source("FMVSS 208 S13, half sine of 17.2 g and 125 ms: 2/pi of peak times length", ARITHMETIC)
NECK_LOADS = {
    "shear Fx": (116.0, 332.0, "N"),
    "axial Fz": (94.0, 234.0, "N"),
    "moment My": (11.4, 15.8, "N m"),
}
"""At the occipital condyles: 224 +- 54 N, 164 +- 35 N, 13.6 +- 1.1 N m."""
PEAK, LENGTH = 17.2, 0.125
"""g and s"""
NECK_STOP = 60.0
"""Degrees forward at which the paper's neck joint has its stop"""
TURNED, FOLDED = 5.0, 10.0
"""Degrees of the chest against the pelvis about its long axis and forward that count as turned and bent; chosen."""


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
    test = Comparison("occupant", "Belted driver, 20 km/h into a wall", DRIVER)
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
        test.trend("torso", "turns about the spine while it bends", f"turned {about:.0f}, bent {forward:.0f} degrees",
                   about > TURNED and forward > FOLDED, f"holds from {TURNED:g} and {FOLDED:g} degrees on, chosen"),
        test.trend("head", "touches nothing", f"{len(touched)} contacts", not touched),
        test.trend("neck", "reaches its stop", f"{bent:.0f} degrees forward, stop at {NECK_STOP:g}", bent >= NECK_STOP),
        test.trend("end", "seated", f"pelvis {100.0 * off:.0f} cm from where it sat", off < 0.15,
                   "holds below 15 cm, chosen"),
    ]  # fmt: skip


def volunteers(run: Runner = AS_GIVEN) -> list[Row]:
    """Loads at the occipital condyles of a man who holds his head, 9 km/h."""
    scenario = at_speed(seated_crash("male"), 2.5, True)
    recording = run(scenario)
    force = np.abs(np.asarray(sensor_channel(recording, "driver upper neck", "joint_force").data, float))
    moment = np.abs(np.asarray(sensor_channel(recording, "driver upper neck", "joint_moment").data, float))
    found = (force[:, 0].max(), force[:, 2].max(), moment[:, 1].max())
    test = Comparison("occupant", "Volunteer on a sled, 9 km/h", VOLUNTEERS)
    remark = "pulse of the shipped sled scaled; the paper's is not known"
    return [
        test.row(name, float(value), unit, (low, high), remark, 1)
        for (name, (low, high, unit)), value in zip(NECK_LOADS.items(), found, strict=True)
    ]


def sled_pulse(run: Runner = AS_GIVEN) -> list[Row]:
    """The sled of FMVSS 208 with the dummy: change of speed by the seat's own motion, and of the dummy's chest."""
    change = 2.0 / math.pi * PEAK * 9.80665 * LENGTH
    scenario = seated_crash()
    times = np.linspace(0.0, LENGTH, 51)
    speeds = 0.5 * change * (1.0 + np.cos(math.pi * times / LENGTH))
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
    peak = float(-np.gradient(recording.velocity[:, index, 0], recording.times).min()) / 9.80665
    test = Comparison("occupant", "Sled of FMVSS 208", SLED)
    return [
        test.row("change of speed", lost, "m/s", (0.99 * 13.43, 1.01 * 13.43), "to 1 %"),
        test.row("peak deceleration", peak, "g", (0.98 * PEAK, 1.02 * PEAK), "to 2 %, by frames of 1 ms"),
    ]
