"""Shipped scenarios with one person: falls, a slip, a trip, stairs, a ladder, and a chain for teaching."""

import math

from ...engine.spec import (
    Actor,
    Body,
    Ellipsoid,
    Joint,
    Material,
    Model,
    Obstacle,
    Response,
    Scenario,
    Settings,
)
from ..library import load_model
from ..parts import frames
from ..parts.bodies import tidy
from ..parts.placement import Posture, lowest_point
from ..people.posture import both, flexed, tone_motors
from ..people.shipped import shipped_person
from .obstacles import kerb, moved, stair

FRICTION = 0.5
"""Clothing and shoes where a material gives no friction; assumed."""


def stand(
    name: str,
    model_name: str,
    posture: Posture,
    lean: tuple[float, float, float] = (0.0, 0.0, 0.0),
    floor: float = 0.0,
    tone: float | None = None,
    **start,
) -> Actor:
    """An actor in a posture, lowered or raised so that its lowest point is on `floor` (m). `tone` adds muscle tone."""
    model = load_model(model_name)
    low = lowest_point(model, joint_angles=posture, orientation=lean)
    x, y = start.pop("place", (0.0, 0.0))
    return Actor(
        name,
        model,
        model_reference=model_name,
        position=(x, y, math.ceil((floor - low) * 1e5) / 1e5),
        orientation=lean,
        joint_angles=posture,
        motors={} if tone is None else tone_motors(model, posture, tone),
        person=shipped_person(model_name),
        **start,
    )


def fall_standing() -> Scenario:
    """An older woman falls sideways and backward from standing."""
    posture = both({"knee": (0.0, 10.0, 0.0), "hip": (0.0, 10.0, 0.0), "elbow": (0.0, 20.0, 0.0)})
    woman = stand("woman", "female", posture, lean=(0.0, -4.0, 5.0), tone=0.5)
    return Scenario(
        "fall_standing",
        [woman],
        settings=Settings(duration=2.0, friction=FRICTION, ground_friction=0.6),
        description="An older adult loses balance while standing and falls to the side and back onto a hard floor.",
        sources={
            "actors.woman.orientation": "Loss of balance of 6 degrees; assumed",
            "actors.woman.motors": "Half of the assumed muscle tone (older adult)",
            "actors.woman.person": "The library's woman, who is 40, stands for an older one; assumed",
            "settings.friction": "Assumed",
        },
    )


def slip() -> Scenario:
    """A walking man's leading foot slides away on a wet floor; he falls backward."""
    posture = both({"elbow": (0.0, 25.0, 0.0)})
    posture |= flexed(hipl=24.0, kneel=2.0, hipr=8.0, kneer=18.0)
    man = stand("man", "male", posture, lean=(0.0, -9.0, 0.0), tone=0.6, velocity=(1.4, 0.0, 0.0))
    man.angular_velocity = (0.0, -1.0, 0.0)
    return Scenario(
        "slip",
        [man],
        settings=Settings(duration=2.0, friction=FRICTION, ground_friction=0.02),
        description="Heel strike on a wet floor at walking speed: the leading foot slides and the man falls backward.",
        sources={
            "actors.man.velocity": "Walking speed 1.4 m/s, general knowledge",
            "settings.ground_friction": "0.02, so that shoe on wet floor has the square root of 0.5 x 0.02 = 0.10;"
            " assumed",
        },
    )


def trip() -> Scenario:
    """A walking man catches his swinging foot on a kerb and falls forward."""
    posture = both({"elbow": (0.0, 30.0, 0.0), "shoulder": (0.0, 10.0, 0.0)})
    posture |= flexed(hipl=22.0, kneel=42.0, anklel=12.0, hipr=-8.0, kneer=2.0, ankler=4.0)
    man = stand("man", "male", posture, lean=(0.0, 4.0, 0.0), tone=0.5, velocity=(1.4, 0.0, 0.0))
    man.angular_velocity = (0.0, 0.4, 0.0)
    man.joint_velocities = {"hiplJnt": (0.0, 3.0, 0.0), "kneelJnt": (0.0, -2.0, 0.0)}
    step = moved(kerb(0.12, depth=3.0), x=0.42)
    return Scenario(
        "trip",
        [man],
        obstacles=step,
        settings=Settings(duration=1.8, friction=FRICTION, ground_friction=0.7),
        description="A man walking at 1.4 m/s strikes a kerb of 12 cm with his swinging foot and falls on the road.",
        sources={
            "actors.man.velocity": "Walking speed 1.4 m/s, general knowledge",
            "obstacles.kerb": "Assumed height",
        },
    )


def stairs_fall() -> Scenario:
    """A woman falls forward down a stair of twelve steps."""
    posture = both({"elbow": (0.0, 30.0, 0.0), "knee": (0.0, 15.0, 0.0), "hip": (0.0, 15.0, 0.0)})
    woman = stand(
        "woman",
        "female",
        posture,
        lean=(0.0, 14.0, 0.0),
        floor=12 * 0.17,
        tone=0.4,
        velocity=(1.0, 0.0, 0.0),
        place=(-0.25, 0.0),
    )
    woman.angular_velocity = (0.0, 0.8, 0.0)
    return Scenario(
        "stairs_fall",
        [woman],
        obstacles=stair(12, 0.17, 0.28, 1.2),
        settings=Settings(duration=3.0, friction=FRICTION, ground_friction=0.5),
        description="A woman loses her footing at the top of a stair and falls down it, forward.",
        sources={
            "actors.woman.velocity": "Walking off the landing at 1.0 m/s; assumed",
            "obstacles.stair": "12 steps of 17/28 cm, Blondel's rule; assumed",
        },
    )


def _ladder(top: float) -> list[Obstacle]:
    """A leaning ladder as scenery with contact: two rails."""
    angle = 15.0
    length = 1.25 * top
    shapes = []
    for side, y in (("l", 0.19), ("r", -0.19)):
        reach = 0.5 * length
        tilt = math.radians(angle)
        centre = (0.50 + reach * math.sin(tilt), y, reach * math.cos(tilt) + 0.03)
        shapes.append(
            Obstacle(
                f"ladder_rail_{side}",
                "box",
                position=tuple(tidy(round(v, 4)) for v in centre),
                orientation=(0.0, angle, 0.0),
                half_size=(0.03, 0.015, round(0.5 * length, 4)),
                source="Ladder at 75 degrees; assumed",
            )
        )
    return shapes


def ladder_fall() -> Scenario:
    """A man falls backward from a ladder, feet at two metres."""
    bent = {"knee": (0.0, 15.0, 0.0), "hip": (0.0, 15.0, 0.0)}
    posture = both(bent | {"elbow": (0.0, 60.0, 0.0), "shoulder": (0.0, 50.0, 0.0)})
    man = stand("man", "male", posture, lean=(0.0, -8.0, 0.0), floor=2.0, tone=0.4)
    man.angular_velocity = (0.0, -0.9, 0.0)
    man.response = Response("tone")
    return Scenario(
        "ladder_fall",
        [man],
        obstacles=_ladder(3.0),
        settings=Settings(duration=1.6, friction=FRICTION, ground_friction=0.7),
        description="A man falls backward from a ladder with his feet 2.0 m above hard ground.",
        sources={
            "actors.man.position": "Feet at 2.0 m; assumed",
            "actors.man.angular_velocity": "Topples backward at 0.9 rad/s; assumed",
        },
    )


def chain_model(links: int = 5, length: float = 0.3, mass: float = 1.0) -> Model:
    """A chain of equal slender links on hinges about y, hanging from a point 1.8 m high."""
    half = length / 2.0
    bodies, joints = [], []
    for i in range(1, links + 1):
        across = tidy(mass * length**2 / 12.0)
        shape = Ellipsoid(f"rod_{i}", (0.02, 0.02, tidy(half)), (0.0, 0.0, -half), material="steel")
        bodies.append(
            Body(f"link_{i}", mass, (across, across, 1e-4, 0.0, 0.0, 0.0), (0.0, 0.0, -half), [shape])
        )
        at = (0.0, 0.0, 1.8) if i == 1 else (0.0, 0.0, -length)
        joints.append(
            Joint(
                f"hinge_{i}",
                "revolute",
                None if i == 1 else f"link_{i - 1}",
                f"link_{i}",
                T1=frames.transform(frames.CENTRAL, at),
                axis=(0.0, 1.0, 0.0),
                damping=0.0,
            )
        )
    steel = Material(
        "steel", loading=((0.0, 0.0), (0.001, 10000.0)), source="Assumed; links do not touch anything"
    )
    return Model(
        "chain",
        bodies,
        joints,
        [steel],
        description=f"{links} slender links of {length} m and {mass} kg on frictionless hinges.",
        version="1",
        sources=["Exercise of mechanics: slender rods, I = m l^2 / 12"],
    )


def pendulum_chain() -> Scenario:
    """A chain let go from the horizontal: chaotic, energy kept."""
    return Scenario(
        "pendulum_chain",
        [Actor("chain", chain_model(), joint_angles={"hinge_1": (-90.0, 0.0, 0.0)})],
        settings=Settings(duration=3.0, ground=False, output_step=0.005),
        description="A chain of five rods swings from the horizontal, without friction: energy must stay what it was.",
        sources={"actors.chain.joint_angles": "Exercise"},
    )
