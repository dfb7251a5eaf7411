"""The shipped car: a pedestrian struck at 40 km/h, and braking."""

import math

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.runs.simulation import run
from ...engine.spec import Actor, Scenario, Settings
from ..library import load_model
from ..scenarios.falls import FRICTION
from ..scenarios.library import SCENARIOS
from ..vehicles import car
from .row import ARITHMETIC, MEMORY_HIGH, MEMORY_MEDIUM, Comparison, Row, Source

STRUCK_AT_40 = "Car 40 km/h, pedestrian"
HEAD_TIMES = Source("100 to 150 ms for saloons; Euro NCAP's example plot has 98 to 138 ms", MEMORY_MEDIUM)
SEARLE = Source("Searle 1983/1993 with the centre of mass at a height", MEMORY_HIGH)
WRAP = Source("Regression for wrap trajectories of Toor and Araszewski 2003", MEMORY_MEDIUM)


def pedestrian(recording: Recording | None = None) -> list[Row]:
    """Head impact time and throw distance of the shipped 40 km/h scenario."""
    scenario = SCENARIOS["car_pedestrian"]()
    recording = recording or run(scenario)
    car_index, man = recording.actor_names.index("car"), recording.actor_names.index("man")
    between = [
        e
        for e in recording.contacts
        if e["body_b"] >= 0
        and {int(recording.body_actor[e["body_a"]]), int(recording.body_actor[e["body_b"]])}
        == {car_index, man}
    ]
    first = min(e["start"] for e in between)
    head = recording.body_index("man", "head")
    strikes = [e for e in between if head in (e["body_a"], e["body_b"])]
    rows = []
    test = Comparison("pedestrian", STRUCK_AT_40, HEAD_TIMES)
    if strikes:
        strike = strikes[0]
        part = strike["ellipsoid_a"] if strike["body_b"] == head else strike["ellipsoid_b"]
        time = 1000.0 * (strike["start"] - first)
        where = f"head strikes {recording.ellipsoid_names[part]} at {strike['approach_speed']:.1f} m/s"
        rows.append(test.row("head impact time", time, "ms", (100.0, 150.0), where, 0))
    else:
        missed = "head does not strike the car"
        rows.append(test.words("head impact time", "100 to 150 ms", missed, inside=False))
    rows += _throw(recording, scenario, between)
    return rows


def _searle(distance: float, height: float, friction: float) -> tuple[float, float]:
    """(lowest, highest) launch speed in m/s for a distance slid and flown (m) from a height above rest (m)."""
    high = math.sqrt(2 * friction * 9.81 * max(distance - friction * height, 0.0))
    return high / math.sqrt(1 + friction**2), high


def _throw(recording: Recording, scenario: Scenario, between: list) -> list[Row]:
    """Searle's bounds from the distance slid and flown after the last touch of the car, with the friction used.

    The centre of mass leaves the car with speed v at a height h above where it comes to rest and stops a distance s
    further on: v lies between sqrt(2 mu g (s - mu h) / (1 + mu^2)) and sqrt(2 mu g (s - mu h)) whatever the launch
    angle upward.
    """
    friction = math.sqrt(scenario.settings.friction * scenario.settings.ground_friction)
    bodies = [i for i, a in enumerate(recording.body_actor) if recording.actor_names[a] == "man"]
    masses = recording.body_mass[bodies]
    centre = np.tensordot(recording.position[:, bodies], masses, (1, 0)) / masses.sum()
    velocity = np.tensordot(recording.velocity[:, bodies], masses, (1, 0)) / masses.sum()
    first, leave = (
        int(np.searchsorted(recording.times, t))
        for t in (min(e["start"] for e in between), max(e["end"] for e in between))
    )
    thrown = float(np.hypot(*(centre[-1, :2] - centre[first, :2])))
    slide = float(np.hypot(*(centre[-1, :2] - centre[leave, :2])))
    speed = float(np.linalg.norm(velocity[leave]))
    angle = math.degrees(math.asin(velocity[leave, 2] / speed))
    rest = float(np.linalg.norm(velocity[-1]))
    where = (
        f"leaves the car {angle:.0f} degrees from the horizontal, comes to rest {slide:.1f} m further "
        f"({thrown:.1f} m from the first touch, wrap regression at 40 km/h 11.7 m) with friction {friction:.2f}; "
        f"{rest:.2f} m/s at the end"
    )
    band = _searle(slide, float(centre[leave, 2] - centre[-1, 2]), friction)
    whole = _searle(thrown, float(centre[first, 2] - centre[-1, 2]), friction)
    fastest = float(np.hypot(*velocity[first:, :2].T).max())
    bounds, regression = (Comparison("pedestrian", STRUCK_AT_40, source) for source in (SEARLE, WRAP))
    if speed < band[0]:
        where += "; probably because a tumbling body drags less than a sliding one (not examined)"
    carried = "the same bounds with the whole throw, which counts the way carried on the car as slid"
    return [
        bounds.row("speed on leaving the car", speed, "m/s", band, where),
        bounds.row("largest speed, throw from the first touch", fastest, "m/s", whole, carried),
        regression.row("throw distance", thrown, "m", (0.7 * 11.7, 1.3 * 11.7), "regression +- 30 %", 1),
    ]


def braking() -> list[Row]:
    """The car braked from 40 km/h with locked wheels stops in v^2 / (2 mu g)."""
    speed = 40.0 / 3.6
    actor = Actor(
        "car",
        load_model("car"),
        velocity=(speed, 0.0, 0.0),
        joint_velocities=car.rolling(speed),
        motors=car.brake_motors(),
    )
    settings = Settings(duration=2.2, friction=FRICTION, ground_friction=0.8, output_step=0.005)
    recording = run(Scenario("braking", [actor], settings=settings))
    index = recording.body_index("car", "car_body")
    path = float(recording.position[-1, index, 0] - recording.position[0, index, 0])
    expected = speed**2 / (2 * 0.8 * 9.81)
    band = (0.9 * expected, 1.1 * expected)
    test = Comparison("vehicle", "Braking from 40 km/h", Source("v^2 / (2 mu g), mu 0.8, 10 %", ARITHMETIC))
    return [test.row("stopping distance", path, "m", band)]
