"""A man struck by the saloon of the shipped scenario at 40 km/h and by fronts of four classes from 20 to 80 km/h: how
far he is thrown, how fast he leaves, when and how fast his head strikes."""

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
from .experiment import experiment
from .row import Row
from .running import AS_GIVEN, Runner

STRUCK_AT_40 = "Car 40 km/h, pedestrian"
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
    return throw_rows(STRUCK_AT_40, "shipped scenario", throw_of(scenario, run(scenario), 40.0), True)


def throw_rows(check: str, front: str, throw: Throw, is_wrapped: bool) -> list[Row]:
    """Rows of one throw."""
    rows = []
    if throw.speed == 40.0 and is_wrapped:
        rows.append(_head_time(check, throw))
    where = (
        f"leaves the front {throw.angle:.0f} degrees from level (Searle with that angle: "
        f"{throw.by_angle:.2f} m/s), rests {throw.slide:.1f} m further "
        f"({throw.distance:.1f} m from the first touch), friction {throw.friction:.2f}, {throw.rest:.2f} m/s at the end"
    )
    carried = "the same bounds with the whole throw, which counts the way carried on the front as slid"
    bounds, number = experiment("searle").of(check=check), f"bounds, {front}"
    whole = "largest speed, throw from the first touch"
    return [
        *rows,
        bounds.row("speed on leaving", throw.launch, where, throw.bounds, number),
        bounds.row(whole, throw.fastest, carried, throw.whole_bounds, number),
        *regression_rows(check, throw, is_wrapped),
    ]


def _head_time(check: str, throw: Throw) -> Row:
    timed = experiment("head_impact_time").of(check=check)
    if math.isnan(throw.head_time):
        return timed.did_not_happen("head impact time", "head does not strike the car", inside=False)
    where = f"head strikes {throw.head_place} at {throw.head_speed:.1f} m/s"
    return timed.row("head impact time", throw.head_time, where)


def toor(distance: float, is_wrapped: bool) -> float:
    """km/h of the vehicle by the distance thrown (m), Toor and Araszewski 2003."""
    return 9.84 * distance**0.57 if is_wrapped else 8.25 * distance**0.61


def happer(distance: float, is_wrapped: bool) -> float:
    """km/h of the vehicle by the distance thrown (m), Happer et al. 2000."""
    return 13.3 * np.sqrt(distance) - 4.6 if is_wrapped else 11.4 * np.sqrt(distance) - 0.4


def regression_rows(check: str, throw: Throw, is_wrapped: bool) -> list[Row]:
    """The vehicle's speed by regressions from the distance thrown, against what it was."""
    quantity = f"vehicle's speed by the throw, {'wrap' if is_wrapped else 'forward projection'}"
    rows = []
    for name, law in (("throw_toor", toor), ("throw_happer", happer)):
        test = experiment(name).of(check=check)
        accuracy = test.set_up["accuracy"]
        band = (throw.speed - accuracy, throw.speed + accuracy)
        estimate = float(law(throw.distance, is_wrapped))
        rows.append(test.row(quantity, estimate, f"thrown {throw.distance:.1f} m", band))
    speed, hybrid = throw.speed / 3.6, experiment("throw_hybrid").of(check=check)
    ends = tuple((speed / hybrid.set_up[key]) ** 2 for key in ("fastest", "slowest"))
    return [*rows, hybrid.row("throw distance", throw.distance, band=ends)]


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
        scenario.settings, duration=duration or round(2.5 + pace / 5.0, 1), time_step=STEP, output_step=2.0e-3
    )
    return replace(scenario, name=f"{kind}_{speed:g}", actors=[car, man], settings=settings)


def fronts(run: Runner = AS_GIVEN) -> list[Row]:
    """Four classes of fronts at four speeds."""
    how = experiment("searle").set_up
    cases = [(kind, speed) for kind in how["classes"] for speed in how["speeds"]]
    scenarios = [struck(*case) for case in cases]
    throws = run.many(scenarios, lambda k, recording: throw_of(scenarios[k], recording, cases[k][1]))
    THROWS[run.share] = dict(zip(cases, throws, strict=True))
    rows = []
    for (kind, speed), throw in zip(cases, throws, strict=True):
        rows += throw_rows(f"{kind} {speed:g} km/h, man", kind, throw, kind in WRAPPED)
    return rows


def head_trends(run: Runner = AS_GIVEN) -> list[Row]:
    """A saloon at several speeds, and at 40 km/h men who walk at several speeds: how head impacts go with them."""
    test = experiment("head_trends")
    speeds, walks = test.set_up["speeds"], test.set_up["walks"]
    by_speed = [struck("saloon", speed, 1.0, 2.5) for speed in speeds]
    by_walk = [struck("saloon", 40.0, walk, 2.5) for walk in walks]
    scenarios, given = by_speed + by_walk, [*speeds, *[40.0] * len(walks)]
    throws = run.many(scenarios, lambda k, recording: throw_of(scenarios[k], recording, given[k]))
    fast, walking = throws[: len(speeds)], throws[len(speeds) :]
    heads = np.array([throw.head_speed for throw in fast])
    slow = np.array([throw.head_speed for throw in walking])
    offsets = np.array([throw.across for throw in walking])
    on_car = np.array([throw.head_speed / throw.speed for throw in throws])
    on_ground = np.array([throw.ground_head / throw.speed for throw in throws])
    spread = float(np.ptp(slow) / slow.mean())
    linear, sideways = _correlation(speeds, heads), _correlation(walks, offsets)
    scatter = [float(np.nanstd(values) / np.nanmean(values)) for values in (on_car, on_ground)]
    return [
        test.words("head speed over car speed", f"correlation {linear:.3f}", "holds above 0.9, chosen", linear > 0.9),
        test.words("head speed over walking speed", f"changes by {100 * spread:.0f} %",
                   "0 to 2 m/s; holds below 20 %, chosen", spread < 0.2),
        test.words("way of the head across over walking speed", f"correlation {sideways:.3f}",
                   "holds above 0.9, chosen", sideways > 0.9),
        test.words("scatter on the ground and on the car", f"{100 * scatter[1]:.0f} % and {100 * scatter[0]:.0f} %",
                   "of the head's speed over the car's; holds from one and a half times on, chosen",
                   scatter[1] > 1.5 * scatter[0]),
    ]  # fmt: skip


def _correlation(a, b) -> float:
    return float(np.corrcoef(np.asarray(a, float), b)[0, 1])
