"""Riders: a person of any size put on a two-wheeler or into a wheelchair, held by hands, seat and feet that let go.

The posture is solved: trunk leaned until the hands reach the grips, soles on pedals, pegs or floor, pelvis on the seat.
Holds are pins that break (assumed): a hand at half the body weight, each foot at 0.35, the seat at 1.2 of it, pressing
included, and none below 120 N.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from ...engine.errors import EngineError
from ...engine.maths.rotations import matrix_from_zyx
from ...engine.spec import Actor, LightVehicle, Model, Point, Response, Scenario, Weld
from ..parts.placement import Posture, body_transforms, ellipsoid_shapes
from ..people.posture import both, reach, tone_motors
from ..vehicles.light.build import FORK, FRAME, ellipsoid_of
from ..vehicles.light.contact_parts import frame_parts
from ..vehicles.light.kinds import EQUIPMENT
from ..vehicles.light.layout import FLIP, Layout, layout

GRAVITY = 9.81
HAND_HOLD, FOOT_HOLD, SEAT_HOLD = 0.5, 0.35, 1.2
"""Force at which a hand, a foot and the seat let go, over the body weight. Assumed."""
LEAST_HOLD = 120.0
"""N at which a hand or foot lets go at least. Assumed."""
PINS = {"grip": (2.0e4, 100.0), "foot": (3.0e4, 150.0), "seat": (4.0e4, 600.0)}
"""Stiffness (N/m) and damping (N s/m) of the holds. Assumed."""
SEAT_TURN = (600.0, 40.0)
"""N m/rad and N m s/rad by which the seat holds the pelvis level. Assumed."""
SINK = 0.002
"""m by which the pelvis is in the seat at the start."""
ARM_STRETCH = 0.92
"""Largest distance from shoulder to palm over the length of the arm: the trunk leans until it is reached."""
LEANS = {"race_bicycle": 30.0, "motorcycle": 10.0, "scooter": 0.0, "wheelchair": -8.0}
"""Degrees by which a rider leans at least; 4 for all others. Assumed."""
MOST_LEAN = 65.0
PALM_OVER_GRIP = 0.060
"""m from the middle of a grip to that of the palm on it."""
SOLE = {"city_bicycle": "forefoot", "race_bicycle": "forefoot", "child_bicycle": "forefoot"}
"""Part of the foot that stands on a pedal; of all others the middle of the foot on a peg or the floor."""
STRETCHED = 0.985
"""Share of its length to which a limb is stretched at most; what is farther away is not reached."""
REPORTED_MISS = 0.015
"""m from which on the report says that a limb is too short."""
RIDER_TONE = 0.5
"""Muscle tone of a rider over that of `people.posture`. Assumed."""
RANGES = ((-30.0, 125.0), (-30.0, 60.0), (2.0, 135.0))
"""Degrees that riders use, of hip or shoulder forward and sideways and of knee or elbow. Assumed."""
NEEDED = ("pelvis", "HandL", "HandR", "FootL", "FootR", "UpperArmL", "ForearmL")


@dataclass(frozen=True)
class Mounted:
    """A rider on a vehicle: both actors as they start, what holds them together, and what was assumed."""

    rider: Actor
    vehicle: Actor
    welds: list[Weld]
    note: str


def mount(rider: Actor, vehicle: Actor, tone: float = RIDER_TONE) -> Mounted:
    """The rider (model, name, motors) put on the vehicle where it stands and heads. Raises EngineError with the remedy
    for a vehicle nobody rides or a model without hands, feet and pelvis."""
    light = _ridden(vehicle)
    missing = [body for body in NEEDED if body not in {b.name for b in rider.model.bodies}]
    if missing:
        raise EngineError(
            f"actor '{rider.name}' has no body '{missing[0]}' to ride with; use a person or dummy of the library"
        )
    points = layout(light)
    place, lean, posture = ride_posture(rider.model, light, points)
    mass = sum(body.mass for body in rider.model.bodies)
    sunk = deflection(vehicle.model, light, mass)
    frame = matrix_from_zyx((vehicle.orientation[0], 0.0, 0.0))
    origin = np.array([*vehicle.position[:2], vehicle.position[2] - sunk])
    speed = _speed(vehicle, frame)
    seated = replace(
        rider,
        position=tuple(round(float(v), 5) for v in origin + frame @ place),
        orientation=(vehicle.orientation[0], lean, 0.0),
        velocity=speed,
        joint_angles=posture,
        motors={**rider.motors, **tone_motors(rider.model, posture, tone)},
        response=rider.response or Response("tone"),  # nobody who lies goes on holding the bar
    )
    drive = vehicle.drive if vehicle.drive is None else replace(vehicle.drive, load=round(mass, 3))
    ridden = replace(vehicle, position=tuple(round(float(v), 5) for v in origin), drive=drive)
    welds = holds(seated, ridden, points, place, lean, posture, mass)
    return Mounted(
        seated, ridden, welds, _sentence(seated, ridden, mass, light, points, place, lean, posture)
    )


def add_rider(scenario: Scenario, rider: str, vehicle: str, tone: float = RIDER_TONE) -> Scenario:
    """The scenario with one of its actors put on another of them; holds of an earlier ride of the two are replaced."""
    actors = {actor.name: actor for actor in scenario.actors}
    for name in (rider, vehicle):
        if name not in actors:
            raise EngineError(f"no actor is called '{name}'; there are {', '.join(actors)}")
    made = mount(actors[rider], actors[vehicle], tone)
    names = {weld.name for weld in made.welds}
    changed = {rider: made.rider, vehicle: made.vehicle}
    settings = replace(
        scenario.settings, start_overlap_limit=max(OVERLAP, scenario.settings.start_overlap_limit)
    )
    return replace(
        scenario,
        actors=[changed.get(actor.name, actor) for actor in scenario.actors],
        welds=[*(weld for weld in scenario.welds if weld.name not in names), *made.welds],
        notes=[*(note for note in scenario.notes if note != made.note), made.note],
        settings=settings,
    )


OVERLAP = 0.05
"""m by which a rider and a vehicle may overlap at the start: thighs beside a saddle or a tank."""


def _ridden(vehicle: Actor) -> LightVehicle:
    """Kind and dimensions of a vehicle that is ridden upright."""
    light = vehicle.model.light_vehicle
    if light is None or light.kind == "pram":
        raise EngineError(
            f"nobody rides '{vehicle.name}'; choose a two-wheeler or a wheelchair of Add Vehicle"
        )
    if abs(vehicle.orientation[1]) > 0.01 or abs(vehicle.orientation[2]) > 0.01:
        raise EngineError(f"'{vehicle.name}' leans; stand it upright before somebody is put on it")
    return light


def _speed(vehicle: Actor, frame: np.ndarray) -> tuple[float, ...]:
    """Velocity (m/s) at which a vehicle starts."""
    if vehicle.drive is not None and vehicle.drive.speed is not None:
        return tuple(round(float(v), 6) for v in vehicle.drive.speed * frame[:, 0])
    return tuple(vehicle.velocity)


def _hold(share: float, weight: float) -> float:
    """N at which a hold lets go, for a body weight (N)."""
    return max(LEAST_HOLD, share * weight)


def _sentence(
    rider: Actor,
    vehicle: Actor,
    mass: float,
    light: LightVehicle,
    points: Layout,
    place: np.ndarray,
    pitch: float,
    posture: Posture,
) -> str:
    """What was assumed, and which hand or foot is too short for its place."""
    weight = mass * GRAVITY
    hands = f"each hand at {_hold(HAND_HOLD, weight):.0f} N, " if light.is_ridden else ""
    text = (
        f"'{rider.name}' rides '{vehicle.name}' and lets go: {hands}each foot at {_hold(FOOT_HOLD, weight):.0f} N, "
        f"the seat at {_hold(SEAT_HOLD, weight):.0f} N (assumed)"
    )
    at = body_transforms(rider.model, posture, place, (0.0, pitch, 0.0))
    for side, grip, foot in sides(points):
        ends = [(f"Foot{side}", sole_point(rider.model, light, side, at[f"Foot{side}"]), foot)]
        if light.is_ridden:
            ends.append((f"Hand{side}", palm_point(rider.model, side), grip + (0.0, 0.0, PALM_OVER_GRIP)))
        for body, point, target in ends:
            miss = float(np.linalg.norm((at[body] @ np.array([*point, 1.0]))[:3] - target))
            if miss > REPORTED_MISS:
                text += f"; {body} is {miss * 100.0:.0f} cm short of its place and held where it is"
    return text


def deflection(model: Model, vehicle: LightVehicle, rider: float) -> float:
    """m by which the tyres give under the vehicle and a rider of this mass (kg), the mean of all wheels."""
    load = (sum(body.mass for body in model.bodies) + rider) * GRAVITY / max(1, len(model.wheels))
    return load / EQUIPMENT[vehicle.kind].tyre_stiffness


def ride_posture(model: Model, vehicle: LightVehicle, points: Layout) -> tuple[np.ndarray, float, Posture]:
    """(place (3,) of the actor, its pitch in degrees, joint angles) of a person on a vehicle, in the frame of that."""
    lean = LEANS.get(vehicle.kind, 4.0)
    while True:
        pitch, posture = _start(vehicle, lean)
        place = seated_at(model, vehicle, points, pitch, posture)
        if vehicle.kind == "wheelchair" or lean >= MOST_LEAN:
            break
        if arm_stretch(model, points, place, pitch, posture) <= ARM_STRETCH:
            break
        lean += 3.0
    for _ in range(3):
        posture = legs(model, vehicle, points, place, pitch, posture)
        place = seated_at(model, vehicle, points, pitch, posture)
    posture = legs(model, vehicle, points, place, pitch, posture)
    if vehicle.kind != "wheelchair":
        posture = arms(model, points, place, pitch, posture)
    return place, pitch, posture


def _start(vehicle: LightVehicle, lean: float) -> tuple[float, Posture]:
    """Pitch of the pelvis and a posture to begin from: the trunk leans by `lean` degrees, more in the back than below,
    and the head looks ahead."""
    hip = {"wheelchair": 80.0, "scooter": 78.0, "motorcycle": 70.0}.get(vehicle.kind, 60.0)
    pitch = round(0.55 * lean, 1)
    posture = both({"hip": (0.0, hip + pitch, 0.0), "knee": (0.0, 70.0, 0.0), "elbow": (0.0, 25.0, 0.0)})
    posture |= both({"shoulder": (0.0, 55.0 + 0.6 * lean, 12.0)})
    posture |= {
        "lowerbackJnt": (0.0, round(0.30 * lean, 1), 0.0),
        "upperbackJnt": (0.0, round(0.15 * lean, 1), 0.0),
        "neckJnt": (0.0, round(-0.35 * lean, 1), 0.0),
        "headJnt": (0.0, round(-0.40 * lean, 1), 0.0),
    }
    return pitch, posture


def seated_at(
    model: Model, vehicle: LightVehicle, points: Layout, pitch: float, posture: Posture
) -> np.ndarray:
    """Place (3,) of the actor at which pelvis and thighs touch the seat: the hips over it, lowered until they are in it
    by `SINK`. Beside the saddle of a bicycle the thighs hang down and do not count."""
    transforms = body_transforms(model, posture, (0.0, 0.0, 0.0), (0.0, pitch, 0.0))
    hip = transforms["pelvis"][:3, 3]
    place = np.array([points.seat[0] + 0.02 - hip[0], -hip[1], 0.0])
    shapes = [
        (centre + place, half)
        for body, _, centre, half in ellipsoid_shapes(model, transforms)
        if body == "pelvis" or (body.startswith("Thigh") and vehicle.kind not in SOLE)
    ]
    place[2] = -clearance(shapes, *saddle_top(vehicle, points)) - SINK
    return place


def saddle_top(vehicle: LightVehicle, points: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 2) of the seat from above and the heights (n,) of its contact part there."""
    saddle = next(part for part in frame_parts(vehicle, points) if part.name == "saddle")
    centre, size = np.array(saddle.position), np.array(saddle.semi_axes)
    x, y = np.meshgrid(np.linspace(-0.95, 0.95, 25), np.linspace(-0.95, 0.95, 25))
    inside = x**2 + y**2 < 0.95
    x, y = x[inside], y[inside]
    flat = centre[:2] + np.stack([x, y], axis=1) * size[:2]
    return flat, centre[2] + size[2] * np.sqrt(1.0 - x**2 - y**2)


def clearance(shapes: list[tuple[np.ndarray, np.ndarray]], flat: np.ndarray, top: np.ndarray) -> float:
    """Least height (m) of ellipsoids (centre, half axes as columns) above a surface of heights over points (n, 2);
    infinite where none is above it."""
    least = math.inf
    for centre, half in shapes:
        inverse = np.linalg.inv(half @ half.T)
        offset = flat - centre[:2]
        a = inverse[2, 2]
        b = offset @ inverse[:2, 2]
        c = np.einsum("ni,ij,nj->n", offset, inverse[:2, :2], offset) - 1.0
        root = b * b - a * c
        over = root > 0.0
        if over.any():
            low = centre[2] + (-b[over] - np.sqrt(root[over])) / a
            least = min(least, float((low - top[over]).min()))
    return least


def arm_stretch(model: Model, points: Layout, place: np.ndarray, pitch: float, posture: Posture) -> float:
    """Distance from the left shoulder to the grip over the length of the arm to the palm."""
    at = body_transforms(model, posture, place, (0.0, pitch, 0.0))
    palm = (at["HandL"] @ np.array([*palm_point(model, "L"), 1.0]))[:3]
    shoulder, elbow, wrist = (at[body][:3, 3] for body in ("UpperArmL", "ForearmL", "HandL"))
    length = sum(np.linalg.norm(b - a) for a, b in ((shoulder, elbow), (elbow, wrist), (wrist, palm)))
    return float(np.linalg.norm(points.grip + (0.0, 0.0, PALM_OVER_GRIP) - shoulder) / length)


def palm_point(model: Model, side: str) -> np.ndarray:
    """Middle of the palm in the frame of a hand."""
    return np.array(ellipsoid_of(model, f"palm_{side.lower()}")[1].position)


def sole_point(model: Model, vehicle: LightVehicle, side: str, foot: np.ndarray) -> np.ndarray:
    """Lowest point of the part of the sole that stands on the vehicle, in the frame of a foot. foot: (4, 4) of it."""
    part = SOLE.get(vehicle.kind, "midfoot")
    ellipsoid = ellipsoid_of(model, f"{part}_{side.lower()}")[1]
    axes = np.array(ellipsoid.orientation) * np.array(ellipsoid.semi_axes)
    down = axes.T @ (foot[:3, :3].T @ np.array([0.0, 0.0, -1.0]))
    return np.array(ellipsoid.position) + axes @ down / np.linalg.norm(down)


def sides(points: Layout) -> tuple[tuple[str, np.ndarray, np.ndarray], ...]:
    """Side of the body, its grip and where its foot stands."""
    return (("L", points.grip, points.foot), ("R", points.grip * FLIP, points.other_foot))


def legs(
    model: Model, vehicle: LightVehicle, points: Layout, place: np.ndarray, pitch: float, posture: Posture
) -> Posture:
    """Posture with the soles where the feet stand, as level as ankles allow."""
    for side, _, foot in sides(points):
        small = side.lower()
        free = [(f"hip{small}Jnt", 1), (f"hip{small}Jnt", 2), (f"knee{small}Jnt", 1)]
        chain = (f"Thigh{side}", f"Shank{side}", f"Foot{side}")
        turn = body_transforms(model, posture, place, (0.0, pitch, 0.0))[f"Foot{side}"]
        for _ in range(3):
            point = sole_point(model, vehicle, side, turn)
            goal = reachable(model, posture, place, pitch, chain, point, foot)
            posture = _reached(model, posture, free, f"Foot{side}", point, goal, place, pitch)
            turn = body_transforms(model, posture, place, (0.0, pitch, 0.0))[f"Foot{side}"]
            tip = math.degrees(math.asin(max(-1.0, min(1.0, float(turn[2, 0])))))
            ankle = posture.get(f"ankle{small}Jnt", (0.0, 0.0, 0.0))
            level = max(-30.0, min(18.0, round(ankle[1] - tip, 1)))
            posture = {**posture, f"ankle{small}Jnt": (ankle[0], level, ankle[2])}
            turn = body_transforms(model, posture, place, (0.0, pitch, 0.0))[f"Foot{side}"]
        point = sole_point(model, vehicle, side, turn)
        goal = reachable(model, posture, place, pitch, chain, point, foot)
        posture = _reached(model, posture, free, f"Foot{side}", point, goal, place, pitch)
    return posture


def _reached(
    model: Model,
    posture: Posture,
    free: list[tuple[str, int]],
    body: str,
    point: np.ndarray,
    goal: np.ndarray,
    place: np.ndarray,
    pitch: float,
) -> Posture:
    """Posture with a point of a hand or foot at its goal, each angle of `free` within its range."""
    ranges = dict(zip(free, RANGES, strict=True))
    return reach(model, posture, free, body, point, goal, place, (0.0, pitch, 0.0), ranges)


def reachable(
    model: Model,
    posture: Posture,
    place: np.ndarray,
    pitch: float,
    chain: tuple[str, str, str],
    point: np.ndarray,
    target: np.ndarray,
) -> np.ndarray:
    """The target (3,) of a point of the last of three bodies, or what of the way to it the limb can reach."""
    at = body_transforms(model, posture, place, (0.0, pitch, 0.0))
    first, second, third = (at[body][:3, 3] for body in chain)
    tip = (at[chain[2]] @ np.array([*point, 1.0]))[:3]
    beyond = tip - third
    longest = STRETCHED * (np.linalg.norm(second - first) + np.linalg.norm(third - second))
    way = target - beyond - first
    size = float(np.linalg.norm(way))
    return target if size <= longest else first + beyond + way * longest / size


def arms(model: Model, points: Layout, place: np.ndarray, pitch: float, posture: Posture) -> Posture:
    """Posture with the palms on the grips."""
    for side, grip, _ in sides(points):
        small = side.lower()
        free = [(f"shoulder{small}Jnt", 1), (f"shoulder{small}Jnt", 2), (f"elbow{small}Jnt", 1)]
        point, chain = palm_point(model, side), (f"UpperArm{side}", f"Forearm{side}", f"Hand{side}")
        for _ in range(2):
            goal = grip + np.array([0.0, 0.0, PALM_OVER_GRIP])
            goal = reachable(model, posture, place, pitch, chain, point, goal)
            posture = _reached(model, posture, free, f"Hand{side}", point, goal, place, pitch)
    return posture


def holds(
    rider: Actor,
    vehicle: Actor,
    points: Layout,
    place: np.ndarray,
    pitch: float,
    posture: Posture,
    mass: float,
) -> list[Weld]:
    """Pins between rider and vehicle: seat, feet and, where there is a bar to hold, hands."""
    light = vehicle.model.light_vehicle
    at = body_transforms(rider.model, posture, place, (0.0, pitch, 0.0))
    below = body_transforms(vehicle.model)
    weight = mass * GRAVITY
    hip = at["pelvis"][:3, 3]
    sit = np.array([hip[0], 0.0, points.seat[2]])
    found = [_pin(rider, vehicle, "seat", "", at, below, ("pelvis", FRAME), sit, _hold(SEAT_HOLD, weight))]
    found[0].rotational_stiffness, found[0].rotational_damping = SEAT_TURN
    for side, _, _ in sides(points):
        sole = (
            at[f"Foot{side}"] @ np.array([*sole_point(rider.model, light, side, at[f"Foot{side}"]), 1.0])
        )[:3]
        pair = (f"Foot{side}", FRAME)
        found.append(_pin(rider, vehicle, "foot", side, at, below, pair, sole, _hold(FOOT_HOLD, weight)))
    for side, _, _ in sides(points) if light.is_ridden else ():
        palm = (at[f"Hand{side}"] @ np.array([*palm_point(rider.model, side), 1.0]))[:3]
        pair = (f"Hand{side}", FORK)
        found.append(_pin(rider, vehicle, "grip", side, at, below, pair, palm, _hold(HAND_HOLD, weight)))
    return found


def _pin(
    rider: Actor,
    vehicle: Actor,
    kind: str,
    side: str,
    at: dict[str, np.ndarray],
    below: dict[str, np.ndarray],
    bodies: tuple[str, str],
    place: np.ndarray,
    force: float,
) -> Weld:
    """A pin at a place (3,) of the vehicle's frame between a body of the rider and one of the vehicle."""
    ends = []
    for actor, frames, body in ((rider, at, bodies[0]), (vehicle, below, bodies[1])):
        local = np.linalg.inv(frames[body]) @ np.array([*place, 1.0])
        ends.append(Point(tuple(round(float(v), 5) for v in local[:3]), body, actor.name))
    stiffness, damping = PINS[kind]
    return Weld(
        f"{rider.name}_{kind}{'_' + side.lower() if side else ''}",
        ends[0],
        ends[1],
        stiffness=stiffness,
        damping=damping,
        break_force=round(force, 1),
        source=f"{kind.title()} of a rider, lets go at {force:.0f} N; assumed",
    )
