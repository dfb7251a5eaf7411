"""A man struck by the shipped car at 40 km/h and by fronts of four classes from 20 to 80 km/h: how far he is thrown,
how fast he leaves, when and how fast his head strikes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Model, Scenario
from ..scenarios.impacts import car_pedestrian
from ..scenarios.library import SCENARIOS
from ..vehicles.car import brake_motors
from ..vehicles.road_vehicle import build_vehicle, rolling_wheels
from .row import MEMORY_HIGH, MEMORY_MEDIUM, READ, Comparison, Row, Source
from .running import AS_GIVEN, Runner

STRUCK_AT_40 = "Car 40 km/h, pedestrian"
HEAD_TIMES = Source("100 to 150 ms for saloons; Euro NCAP's example plot has 98 to 138 ms", MEMORY_MEDIUM)
SEARLE = Source("Searle 1983/1993 with the centre of mass at a height", MEMORY_HIGH)
WRAP = Source(
    "Toor and Araszewski 2003, SAE 2003-01-0883; Batista 2008: such regressions are good to 10 km/h",
    MEMORY_MEDIUM,
)
HAPPER = Source("Happer et al. 2000, SAE 2000-01-0846; good to 10 km/h as others", MEMORY_MEDIUM)
HYBRID = Source("Wood and Simms, hybrid model: V from 2.5 to 4.5 times the root of S", MEMORY_MEDIUM)
TRENDS = Source("Simms and Wood, IRCOBI 2005 and later: trends of head impacts of struck pedestrians", READ)
CLASSES = ("hatchback", "saloon", "suv", "van")
SPEEDS = (20.0, 40.0, 60.0, 80.0)
"""km/h"""
WRAPPED = ("hatchback", "saloon")
"""Fronts below the centre of mass, over which people are wrapped; by the others they are pushed forward."""
AHEAD = 0.30
"""m from the front to the man's middle at the start"""
STEP = 5.0e-5
THROWS: dict[float, dict[tuple[str, float], Throw]] = {}
"""Throws of the last run of `fronts` by share of the step, for the picture"""


@dataclass(frozen=True)
class Throw:
    """What happened to a struck man."""

    speed: float
    """km/h of the vehicle"""
    head_time: float
    """ms from the first touch to the head's; nan where it does not strike the vehicle"""
    head_speed: float
    """m/s of the head against the surface it strikes"""
    head_place: str
    across: float
    """m along the man's walk between first touch and the head's strike"""
    ground_head: float
    """m/s of the head at its first touch of the ground; nan where there is none"""
    launch: float
    """m/s of the centre of mass when the vehicle is touched last"""
    angle: float
    """Degrees of the launch above level"""
    distance: float
    """m from the first touch to rest"""
    bounds: tuple[float, float]
    """Searle's bounds of the launch (m/s) by the way after the last touch"""
    fastest: float
    """m/s, largest level speed from the first touch on"""
    whole_bounds: tuple[float, float]
    """Searle's bounds by the whole throw"""
    by_angle: float
    """m/s of the launch by Searle's formula with its angle"""
    friction: float
    slide: float
    rest: float
    """m/s at the end of the run"""


def searle(distance: float, height: float, friction: float) -> tuple[float, float]:
    """(lowest, highest) launch speed in m/s for a distance slid and flown (m) from a height above rest (m)."""
    high = math.sqrt(2 * friction * 9.81 * max(distance - friction * height, 0.0))
    return high / math.sqrt(1 + friction**2), high


def throw_of(scenario: Scenario, recording: Recording, speed: float) -> Throw:
    """Measure a struck man ("man") and his vehicle ("car")."""
    car, man = recording.actor_names.index("car"), recording.actor_names.index("man")
    actors = recording.body_actor
    between = [
        e
        for e in recording.contacts
        if e["body_b"] >= 0 and {int(actors[e["body_a"]]), int(actors[e["body_b"]])} == {car, man}
    ]
    first, last = min(e["start"] for e in between), max(e["end"] for e in between)
    head = recording.body_index("man", "head")
    strike = next((e for e in between if head in (e["body_a"], e["body_b"])), None)
    ground = next((e for e in recording.contacts if e["body_a"] == head and e["obstacle_b"] >= 0), None)
    bodies = np.flatnonzero(actors == man)
    mass = recording.body_mass[bodies] / recording.body_mass[bodies].sum()
    centre = np.tensordot(recording.position[:, bodies], mass, (1, 0))
    velocity = np.tensordot(recording.velocity[:, bodies], mass, (1, 0))
    begin, leave = (int(np.searchsorted(recording.times, t)) for t in (first, last))
    friction = math.sqrt(scenario.settings.friction * scenario.settings.ground_friction)
    thrown = float(np.hypot(*(centre[-1, :2] - centre[begin, :2])))
    slide = float(np.hypot(*(centre[-1, :2] - centre[leave, :2])))
    launch = float(np.linalg.norm(velocity[leave]))
    across, place = float("nan"), ""
    if strike is not None:
        at = int(np.searchsorted(recording.times, strike["start"]))
        across = float(recording.position[at, head, 1] - recording.position[begin, head, 1])
        place = recording.ellipsoid_names[
            strike["ellipsoid_a" if strike["body_b"] == head else "ellipsoid_b"]
        ]
    angle = math.asin(velocity[leave, 2] / launch)
    bounds = searle(slide, float(centre[leave, 2] - centre[-1, 2]), friction)
    return Throw(
        speed,
        float("nan") if strike is None else 1000.0 * float(strike["start"] - first),
        float("nan")
        if strike is None
        else float(np.hypot(strike["approach_speed"], strike["sliding_speed"])),
        place,
        across,
        float("nan") if ground is None else float(ground["approach_speed"]),
        launch,
        math.degrees(angle),
        thrown,
        bounds,
        float(np.hypot(*velocity[begin:, :2].T).max()),
        searle(thrown, float(centre[begin, 2] - centre[-1, 2]), friction),
        bounds[1] / (math.cos(angle) + friction * math.sin(angle)),
        friction,
        slide,
        float(np.linalg.norm(velocity[-1])),
    )


def pedestrian(run: Runner = AS_GIVEN) -> list[Row]:
    """Head impact time and throw distance of the shipped 40 km/h scenario."""
    scenario = SCENARIOS["car_pedestrian"]()
    return throw_rows(STRUCK_AT_40, "shipped car", throw_of(scenario, run(scenario), 40.0), True)


def throw_rows(check: str, front: str, throw: Throw, is_wrapped: bool) -> list[Row]:
    """Rows of one throw."""
    rows = []
    timed = Comparison("pedestrian", check, HEAD_TIMES)
    if throw.speed == 40.0 and is_wrapped:
        where = f"head strikes {throw.head_place} at {throw.head_speed:.1f} m/s"
        if math.isnan(throw.head_time):
            missed = "head does not strike the car"
            rows.append(timed.words("head impact time", "100 to 150 ms", missed, inside=False))
        else:
            rows.append(timed.row("head impact time", throw.head_time, "ms", (100.0, 150.0), where, 0))
    bounds = Comparison("pedestrian", check, SEARLE)
    where = (
        f"leaves the front {throw.angle:.0f} degrees from level (Searle with that angle: "
        f"{throw.by_angle:.2f} m/s), rests {throw.slide:.1f} m further "
        f"({throw.distance:.1f} m from the first touch), friction {throw.friction:.2f}, {throw.rest:.2f} m/s at the end"
    )
    rows.append(
        bounds.row("speed on leaving", throw.launch, "m/s", throw.bounds, where, number=f"bounds, {front}")
    )
    carried = "the same bounds with the whole throw, which counts the way carried on the front as slid"
    whole = "largest speed, throw from the first touch"
    rows.append(
        bounds.row(whole, throw.fastest, "m/s", throw.whole_bounds, carried, number=f"bounds, {front}")
    )
    return rows + regression_rows(check, throw, is_wrapped)


def regression_rows(check: str, throw: Throw, is_wrapped: bool) -> list[Row]:
    """The vehicle's speed by regressions from the distance thrown, against what it was."""
    root = math.sqrt(throw.distance)
    toor = 9.84 * throw.distance**0.57 if is_wrapped else 8.25 * throw.distance**0.61
    happer = 13.3 * root - 4.6 if is_wrapped else 11.4 * root - 0.4
    name = "wrap" if is_wrapped else "forward projection"
    rows = []
    for source, estimate in ((WRAP, toor), (HAPPER, happer)):
        band = (throw.speed - 10.0, throw.speed + 10.0)
        quantity = f"vehicle's speed by the throw, {name}"
        rows.append(
            Comparison("pedestrian", check, source).row(
                quantity, estimate, "km/h", band, f"thrown {throw.distance:.1f} m", 1
            )
        )
    speed = throw.speed / 3.6
    hybrid = Comparison("pedestrian", check, HYBRID)
    band = ((speed / 4.5) ** 2, (speed / 2.5) ** 2)
    return [*rows, hybrid.row("throw distance", throw.distance, "m", band, digits=1)]


@cache
def _front(kind: str) -> Model:
    return build_vehicle(kind)


def struck(kind: str, speed: float, walk: float = 1.0, duration: float = 0.0) -> Scenario:
    """A man who walks across at `walk` (m/s) before a vehicle of a class at `speed` (km/h) that brakes."""
    scenario = car_pedestrian()
    model, pace = _front(kind), speed / 3.6
    assert model.vehicle is not None
    front = model.vehicle.axles[0] + model.vehicle.front_overhang
    car, man = scenario.actors
    motors = brake_motors(5000.0)
    for motor in motors.values():
        motor.gain_over_time = ((0.0, 0.0), (0.02, 0.0), (0.17, 1.0))
    car = replace(
        car,
        model=model,
        model_reference="",
        velocity=(pace, 0.0, 0.0),
        joint_velocities=rolling_wheels(model.vehicle, pace),
        motors=motors,
    )
    place = (round(front + AHEAD, 4), round(-0.08 * walk, 4), man.position[2])
    man = replace(man, position=place, velocity=(0.0, walk, 0.0))
    settings = replace(
        scenario.settings, duration=duration or round(1.5 + pace / 5.0, 1), time_step=STEP, output_step=2.0e-3
    )
    return replace(scenario, name=f"{kind}_{speed:g}", actors=[car, man], settings=settings)


def fronts(run: Runner = AS_GIVEN) -> list[Row]:
    """Four classes of fronts at four speeds."""
    cases = [(kind, speed) for kind in CLASSES for speed in SPEEDS]
    scenarios = [struck(*case) for case in cases]
    throws = run.many(scenarios, lambda k, recording: throw_of(scenarios[k], recording, cases[k][1]))
    THROWS[run.share] = dict(zip(cases, throws, strict=True))
    rows = []
    for (kind, speed), throw in zip(cases, throws, strict=True):
        rows += throw_rows(f"{kind} {speed:g} km/h, man", kind, throw, kind in WRAPPED)
    return rows


def head_trends(run: Runner = AS_GIVEN) -> list[Row]:
    """A saloon at five speeds, and at 40 km/h men who walk at several speeds: how head impacts go with them."""
    speeds = (25.0, 30.0, 35.0, 40.0, 45.0, 50.0)
    by_speed = [struck("saloon", speed, 1.0, 2.5) for speed in speeds]
    walks = (0.0, 0.5, 1.0, 1.5, 2.0)
    by_walk = [struck("saloon", 40.0, walk, 2.5) for walk in walks]
    scenarios, given = by_speed + by_walk, [*speeds, *[40.0] * len(walks)]
    throws = run.many(scenarios, lambda k, recording: throw_of(scenarios[k], recording, given[k]))
    fast, walking = throws[: len(speeds)], throws[len(speeds) :]
    test = Comparison("pedestrian", "saloon, man, trends", TRENDS)
    heads = np.array([throw.head_speed for throw in fast])
    slow = np.array([throw.head_speed for throw in walking])
    offsets = np.array([throw.across for throw in walking])
    on_car = np.array([throw.head_speed / throw.speed for throw in throws])
    on_ground = np.array([throw.ground_head / throw.speed for throw in throws])
    spread = float(np.ptp(slow) / slow.mean())
    linear, sideways = _correlation(speeds, heads), _correlation(walks, offsets)
    scatter = [float(np.nanstd(values) / np.nanmean(values)) for values in (on_car, on_ground)]
    return [
        test.trend("head speed over car speed", "linear", f"correlation {linear:.3f}", linear > 0.9,
                   "holds above 0.9, chosen"),
        test.trend("head speed over walking speed", "nearly independent", f"changes by {100 * spread:.0f} %",
                   spread < 0.2, "0 to 2 m/s; holds below 20 %, chosen"),
        test.trend("way of the head across over walking speed", "linear", f"correlation {sideways:.3f}",
                   sideways > 0.9, "holds above 0.9, chosen"),
        test.trend("scatter on the ground and on the car", "head to ground much more variable",
                   f"{100 * scatter[1]:.0f} % and {100 * scatter[0]:.0f} %", scatter[1] > 1.5 * scatter[0],
                   "of the head's speed over the car's; holds from one and a half times on, chosen"),
    ]  # fmt: skip


def _correlation(a, b) -> float:
    return float(np.corrcoef(np.asarray(a, float), b)[0, 1])
