"""Shipped scenarios with vehicles or two people."""

import math
from collections.abc import Mapping

import numpy as np

from ...engine.spec import (
    Actor,
    Belt,
    Model,
    Motor,
    Point,
    PrescribedMotion,
    Response,
    Scenario,
    Settings,
    Vector,
    Weld,
)
from ..library import load_model
from ..parts.placement import body_transforms, ellipsoid_shapes, lowest_point
from ..people.posture import both, flexed, reach, tone_motors
from ..people.shipped import shipped_person
from ..vehicles import bicycle
from ..vehicles.car import brake_motors
from ..vehicles.road_vehicle import build_vehicle, rolling_wheels
from ..vehicles.seat import BUCKLE, LAP_ANCHOR, SHOULDER_ANCHOR, build_seat
from .falls import FRICTION, stand

FORTY = round(40.0 / 3.6, 4)
TWENTY = round(20.0 / 3.6, 4)
HIPS_OVER_SADDLE = (0.10, 0.0, 0.12)
"""m from the middle of the bicycle's saddle, whose top is 35 mm above it: buttocks are behind the hips and below
them."""
Posture = dict[str, Vector]
"""Joint to its angles, degrees."""
Worn = tuple[str, str, Vector]
"""(body, ellipsoid, direction in the ellipsoid's axes) of a place on somebody's surface."""


def _braking_saloon(speed: float, brake_from: float) -> Actor:
    """A saloon rolling along +x at `speed` (m/s), braked from a time (s) with a ramp of 0.15 s."""
    model = build_vehicle("saloon")
    assert model.vehicle is not None
    motors = brake_motors()
    for motor in motors.values():
        motor.gain_over_time = ((0.0, 0.0), (brake_from, 0.0), (round(brake_from + 0.15, 3), 1.0))
    return Actor(
        "car",
        model,
        model_reference="saloon",
        velocity=(speed, 0.0, 0.0),
        joint_velocities=rolling_wheels(model.vehicle, speed),
        motors=motors,
    )


def car_pedestrian() -> Scenario:
    """A saloon at 40 km/h strikes a man who walks across."""
    posture = both({"elbow": (0.0, 20.0, 0.0)})
    posture |= flexed(hipl=-12.0, kneel=10.0, anklel=-8.0, hipr=20.0, kneer=12.0)
    man = stand(
        "man",
        "male_legs",
        posture,
        lean=(90.0, 0.0, 0.0),
        place=(3.05, -0.1),
        tone=0.3,
        velocity=(0.0, 1.0, 0.0),
    )
    return Scenario(
        "car_pedestrian",
        [_braking_saloon(FORTY, 0.05), man],
        settings=Settings(duration=3.0, friction=FRICTION, ground_friction=0.7),
        description="A saloon at 40 km/h, braking, strikes a man crossing from its right, on his left side.",
        sources={
            "actors.car.velocity": "40 km/h, the speed of pedestrian tests (Euro NCAP)",
            "actors.man.velocity": "Walking across at 1.0 m/s; assumed",
            "actors.man.model": "Knees, femurs and tibias break: means of cadavers (Kerrigan et al. 2003)",
            "settings.friction": "Clothing 0.5, road 0.7: 0.59 together; assumed",
        },
    )


def _rider(position) -> tuple[Actor, list[Weld]]:
    """A man on the bicycle: pelvis on the saddle, feet on the pedals, hands welded to the grips by weak pins."""
    model, bike = load_model("male"), load_model("bicycle")
    at = body_transforms(bike)
    shapes = {
        e.name: (at[b.name] @ np.array([*e.position, 1.0]))[:3] for b in bike.bodies for e in b.ellipsoids
    }
    hip_height = next(j for j in model.joints if j.parent is None).T1[2][3]
    lean = (0.0, 22.0, 0.0)
    # The root turns about the actor's origin at the feet; put the hips before the middle of the saddle and over it.
    saddle = shapes["saddle"]
    hip = saddle + HIPS_OVER_SADDLE
    turn = math.radians(lean[1])
    base = hip - hip_height * np.array([math.sin(turn), 0.0, math.cos(turn)])
    legs = {"hip": (0.0, 60.0, 0.0), "knee": (0.0, 60.0, 0.0)}
    posture = both(legs | {"shoulder": (0.0, 65.0, 10.0), "elbow": (0.0, 15.0, 0.0)})
    posture |= {"lowerbackJnt": (0.0, 10.0, 0.0), "neckJnt": (0.0, -12.0, 0.0), "headJnt": (0.0, -8.0, 0.0)}
    for side in "lr":
        pedal = shapes[f"pedal_{side}"]
        leg = [(f"hip{side}Jnt", 1), (f"hip{side}Jnt", 2), (f"knee{side}Jnt", 1)]
        sole = (0.12, 0.0, -0.095)
        posture = reach(model, posture, leg, f"Foot{side.upper()}", sole, pedal, base, lean)
        grip = shapes[f"grip_{side}"] + np.array([0.0, 0.0, 0.05])
        arm = [(f"shoulder{side}Jnt", 1), (f"shoulder{side}Jnt", 2), (f"elbow{side}Jnt", 1)]
        posture = reach(model, posture, arm, f"Hand{side.upper()}", (0.0, 0.0, -0.06), grip, base, lean)
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    place = quarter @ base + np.asarray(position, float)
    actor = Actor(
        "rider",
        model,
        model_reference="male",
        position=tuple(round(float(v), 5) for v in place),
        orientation=(90.0, lean[1], 0.0),
        joint_angles=posture,
        motors=tone_motors(model, posture, 0.5),
        person=shipped_person("male"),
    )
    rest = body_transforms(model, posture, base, lean)
    welds = []
    for side in "lr":
        hand = f"Hand{side.upper()}"
        grip_body = next(b for b in bike.bodies if any(e.name == f"grip_{side}" for e in b.ellipsoids))
        in_fork = np.linalg.inv(at[grip_body.name]) @ rest[hand] @ np.array([0.0, 0.0, -0.06, 1.0])
        welds.append(
            Weld(
                f"grip_{side}",
                Point((0.0, 0.0, -0.06), hand, "rider"),
                Point(tuple(round(float(v), 5) for v in in_fork[:3]), grip_body.name, "bicycle"),
                stiffness=2.0e4,
                damping=100.0,
                break_force=400.0,
                source="Grip of a hand, lets go at 400 N; assumed",
            )
        )
    return actor, welds


def car_bicycle() -> Scenario:
    """A saloon at 40 km/h strikes a cyclist who crosses at 4 m/s."""
    speed, place = 4.0, (3.6, -1.05, 0.0)
    rider, welds = _rider(place)
    rider.velocity = (0.0, speed, 0.0)
    bike = Actor(
        "bicycle",
        load_model("bicycle"),
        model_reference="bicycle",
        position=place,
        orientation=(90.0, 0.0, 0.0),
        velocity=(0.0, speed, 0.0),
        joint_velocities=bicycle.rolling(speed),
    )
    return Scenario(
        "car_bicycle",
        [_braking_saloon(FORTY, 0.1), bike, rider],
        welds=welds,
        settings=Settings(duration=2.5, friction=FRICTION, ground_friction=0.7, start_overlap_limit=0.08),
        description="A saloon at 40 km/h, braking, strikes a cyclist crossing from its right at 4 m/s.",
        sources={
            "actors.car.velocity": "40 km/h; assumed",
            "actors.bicycle.velocity": "4 m/s; assumed",
            "settings.start_overlap_limit": "Rider and saddle, pedals and grips overlap where flesh yields",
        },
    )


def rugby_tackle() -> Scenario:
    """A player running at 4 m/s is tackled from the front at the hips."""
    running = both({"elbow": (0.0, 70.0, 0.0)})
    running |= flexed(hipl=35.0, kneel=40.0, hipr=-10.0, kneer=20.0, ankler=-15.0)
    carrier = stand("carrier", "male", running, lean=(0.0, 6.0, 0.0), tone=0.5, velocity=(4.0, 0.0, 0.0))
    diving = both(
        {
            "shoulder": (0.0, 80.0, 20.0),
            "elbow": (0.0, 25.0, 0.0),
            "lowerbackJnt": (0.0, 20.0, 0.0),
            "upperbackJnt": (0.0, 10.0, 0.0),
            "neckJnt": (0.0, -20.0, 0.0),
            "headJnt": (0.0, -10.0, 0.0),
        }
    )
    diving |= flexed(hipl=60.0, kneel=60.0, hipr=10.0, kneer=35.0, ankler=-15.0)
    tackler = stand(
        "tackler",
        "male",
        diving,
        lean=(180.0, 35.0, 0.0),
        tone=0.8,
        velocity=(-4.0, 0.0, 0.0),
        place=(2.4, 0.22),
    )
    for player in (carrier, tackler):
        player.response = Response("tone")
    return Scenario(
        "rugby_tackle",
        [carrier, tackler],
        settings=Settings(duration=1.5, friction=FRICTION, ground_friction=0.8),
        description="A ball carrier at 4 m/s is tackled from the front at hip height by a player at 4 m/s.",
        sources={
            "actors.*.velocity": "4 m/s each; assumed",
            "actors.*.response": "Tone that fades once somebody lies; assumed",
            "settings.ground_friction": "Grass and studs; assumed",
        },
    )


def ambrosio_tackle(lean: float = 66.0, offset: float = 0.0, hip: float = 45.0) -> Scenario:
    """Ambrosio's tackle: a player of 75 kg at 3 m/s into the lower torso of a standing one.

    The paper does not give the incoming player's posture: `lean` (degrees forward), `offset` (m to the side) and
    `hip` (degrees of flexion of the leading leg). He starts 2 cm short of the depth of the other's chest.
    """
    model = load_model("ambrosio")
    low = {"hiplJnt": (0.0, -hip, 0.0), "hiprJnt": (0.0, 15.0 - hip, 0.0)}
    low |= {"kneelJnt": (30.0, 0.0, 0.0), "kneerJnt": (25.0, 0.0, 0.0)}
    turn = (180.0, lean, 0.0)
    height = lowest_point(model, joint_angles=low, orientation=turn)
    shapes = ellipsoid_shapes(model, body_transforms(model, low, orientation=turn))
    front = min(centre[0] - float(np.linalg.norm(half[0])) for _, _, centre, half in shapes)
    player = Actor("player", model, model_reference="ambrosio")
    incoming = Actor(
        "incoming",
        model,
        model_reference="ambrosio",
        position=(round(0.17 - front, 4), offset, math.ceil(-height * 1e5) / 1e5),
        orientation=turn,
        joint_angles=low,
        velocity=(-3.0, 0.0, 0.0),
        motors={
            joint.name: Motor(
                300.0, 20.0, low.get(joint.name, (0.0, 0.0, 0.0)), max_torque=150.0, source="Held"
            )
            for joint in model.joints
            if joint.kind.turns
        },
    )
    return Scenario(
        "ambrosio_tackle",
        [player, incoming],
        settings=Settings(duration=1.4, friction=FRICTION, ground_friction=0.6),
        description="Frontal tackle of a standing player at the lower torso by a player of 75 kg at 3 m/s.",
        sources={
            "actors.incoming.velocity": "Ambrosio, frontal tackle of an athlete: 75 kg, 3 m/s, lower torso",
            "actors.incoming.joint_angles": "Assumed; the paper does not give the incoming player's posture",
        },
    )


def _crash_pulse(speed: float, start: float, length: float) -> tuple[tuple[float, float, float, float], ...]:
    """Rows (time, vx, vy, vz) of a vehicle that stops from `speed` by a half-sine deceleration."""
    rows = [(0.0, speed, 0.0, 0.0), (start, speed, 0.0, 0.0)]
    for i in range(1, 41):
        share = 0.5 * (1.0 + math.cos(math.pi * i / 40))
        rows.append((round(start + length * i / 40, 6), round(speed * share, 6), 0.0, 0.0))
    rows.append((round(start + length + 1.0, 6), 0.0, 0.0, 0.0))
    return tuple(rows)


def seated_crash(model_name: str = "hybrid3_50th") -> Scenario:
    """A belted driver in a car that stops from 20 km/h in 0.1 s."""
    legs = {"hip": (0.0, 80.0, 4.0), "knee": (0.0, 64.0, 0.0)}
    posture = both(legs | {"shoulder": (0.0, 35.0, 0.0), "elbow": (0.0, 60.0, 0.0)})
    posture |= {"neckJnt": (0.0, 10.0, 0.0), "headJnt": (0.0, 5.0, 0.0)}
    worn = {
        "shoulder": ("ClavicleL", "shoulder_l", (0.5, -0.3, 0.8)),
        "chest": ("Sternum", "sternum", (0.9, -0.05, 0.1)),
        "right": ("pelvis", "pelvis", (0.72, -0.66, 0.1)),
        "left": ("pelvis", "pelvis", (0.72, 0.66, 0.1)),
    }
    return _belted("seated_crash", model_name, posture, worn)


def ambrosio_occupant() -> Scenario:
    """Ambrosio's car occupant: the same seat, belt and stop as in `seated_crash`, with the paper's man."""
    posture = {"torso-neckJnt": (0.0, 10.0, 0.0), "head-neckJnt": (5.0, 0.0, 0.0)}
    for side in "lr":
        posture[f"hip{side}Jnt"] = (0.0, -80.0, 0.0)
        posture[f"knee{side}Jnt"] = (64.0, 0.0, 0.0)
        posture[f"shoulder{side}Jnt"] = (0.0, -35.0, 0.0)
        posture[f"elbow{side}Jnt"] = (60.0, 0.0, 0.0)
    worn = {
        "shoulder": ("UpperTorso", "shoulders", (0.5, 0.5, 0.8)),
        "chest": ("UpperTorso", "chest", (0.9, -0.05, 0.1)),
        "right": ("LowerTorso", "pelvis", (0.72, -0.66, 0.1)),
        "left": ("LowerTorso", "pelvis", (0.72, 0.66, 0.1)),
    }
    return _belted("ambrosio_occupant", "ambrosio", posture, worn)


def _belted(name: str, model_name: str, posture: Posture, worn: Mapping[str, Worn]) -> Scenario:
    """The driver on the sled. worn: where the belt lies, as (body, ellipsoid, direction in its axes)."""
    model = load_model(model_name)
    lean = (0.0, -20.0, 0.0)
    hip_height = next(j for j in model.joints if j.parent is None).T1[2][3]
    hip = np.array([0.0, 0.0, 0.37])
    turn = math.radians(lean[1])
    base = hip - hip_height * np.array([math.sin(turn), 0.0, math.cos(turn)])
    driver = Actor(
        "driver",
        model,
        model_reference=model_name,
        position=tuple(round(float(v), 5) for v in base),
        orientation=lean,
        joint_angles=posture,
        velocity=(TWENTY, 0.0, 0.0),
        person=shipped_person(model_name),
    )
    table = _crash_pulse(TWENTY, 0.1, 0.1)
    seat = Actor(
        "seat",
        build_seat(),
        velocity=(TWENTY, 0.0, 0.0),
        prescribed=[
            PrescribedMotion(None, table, source="Half-sine stop from 20 km/h in 0.1 s (peak 8.9 g); assumed")
        ],
    )
    return Scenario(
        name,
        [seat, driver],
        belts=_three_point_belt(model, worn),
        settings=Settings(duration=0.6, friction=FRICTION, ground=False, start_overlap_limit=0.08),
        description="A belted driver in a car that strikes a rigid barrier at 20 km/h.",
        sources={
            "actors.seat.prescribed": "20 km/h: Ambrosio, car occupant during a crash; pulse shape and length assumed",
            "belts": "Webbing: 7 % strain at 10 kN, EA 143 kN; assumed. Anchors typical, assumed.",
        },
    )


def _three_point_belt(model: Model, worn: Mapping[str, Worn]) -> list[Belt]:
    """Shoulder belt from the pillar over chest to the buckle, lap belt from there over the pelvis to its anchor: one
    band."""
    on = {part: Point(_surface(model, *place), place[0], "driver") for part, place in worn.items()}
    points = [
        Point(SHOULDER_ANCHOR, "seat", "seat"),
        on["shoulder"],
        on["chest"],
        Point(BUCKLE, "seat", "seat"),
        on["right"],
        on["left"],
        Point(LAP_ANCHOR, "seat", "seat"),
    ]
    slip = [False, True, True, True, True, True, False]
    source = "Webbing: 7 % strain at 10 kN; assumed"
    return [Belt("belt", points, slip, stiffness=143000.0, damping=500.0, slack=0.02, source=source)]


def _surface(model, body: str, ellipsoid: str, direction) -> tuple[float, float, float]:
    """Point on an ellipsoid's surface in the direction given (in its own axes), in the body frame."""
    part = next(b for b in model.bodies if b.name == body)
    shape = next(e for e in part.ellipsoids if e.name == ellipsoid)
    unit = np.array(direction) / np.linalg.norm(direction)
    point = np.array(shape.position) + np.array(shape.orientation) @ (np.array(shape.semi_axes) * unit)
    return tuple(round(float(v), 5) for v in point)
