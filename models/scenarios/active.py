"""Shipped scenarios with people who respond: shoves, a trip, steps that regain balance or do not, pedestrians who are
struck, a driver who braces."""

import math
from dataclasses import replace

import numpy as np

from ...engine.spec import Actor, Ellipsoid, ForcePulse, Gait, Point, Response, Scenario, Settings, Weld
from ..parts.placement import body_transforms
from ..people.gait import SOURCE, walking
from ..people.posture import both, reach
from .falls import FRICTION, stand, trip
from .impacts import car_pedestrian, seated_crash
from .obstacles import stair

SHOVE, SHOVE_TIME = 60.0, 0.2
"""N s and s of a two-handed push; assumed."""
PRESET = "Preset of an assumed behaviour; docs/responses.md"


def shove(
    impulse: float, start: float = 0.5, contact: float = SHOVE_TIME, body: str = "UpperBack"
) -> ForcePulse:
    """A push forward of an impulse (N s) that two hands give within a contact time (s): a half sine, whose mean is 2/pi
    of its peak."""
    return ForcePulse(body, (round(impulse * math.pi / 2.0 / contact, 1), 0.0, 0.0), start, contact)


def grip(
    name: str,
    hand: tuple[Actor, str],
    held: tuple[Actor, str],
    force: float,
    point: tuple[float, float, float] = (0.0, 0.0, -0.06),
) -> Weld:
    """A hand that holds what is where its palm is at the start, a wrist or a bar, and lets go at a force (N).

    hand, held: actor and body. point: of the palm in the hand's frame, m. The pull of one hand is of the order of 400 N
    (assumed; a child's hand or a wet bar is held by less)."""
    palm = _poses(hand[0])[hand[1]] @ np.array([*point, 1.0])
    there = np.linalg.inv(_poses(held[0])[held[1]]) @ palm
    return Weld(
        name,
        Point(point, hand[1], hand[0].name),
        Point(tuple(round(float(v), 5) for v in there[:3]), held[1], held[0].name),
        stiffness=2.0e4,
        damping=100.0,
        break_force=force,
        source=f"Grip of a hand, lets go at {force:g} N; assumed",
    )


def _poses(actor: Actor) -> dict[str, np.ndarray]:
    """Body to its world transform at the start."""
    return body_transforms(actor.model, actor.joint_angles, actor.position, actor.orientation)


def shove_stairs() -> Scenario:
    """A woman who stands at the top of a stair is pushed in the back, loses balance and falls down it, reaching."""
    posture = both({"elbow": (0.0, 20.0, 0.0), "knee": (0.0, 3.0, 0.0)})
    woman = stand("woman", "female", posture, floor=12 * 0.17, place=(-0.2, 0.0))
    woman.response = Response("adult", balance=True)
    woman.force_pulses = [shove(SHOVE)]
    return Scenario(
        "shove_stairs",
        [woman],
        obstacles=stair(12, 0.17, 0.28, 1.2),
        settings=Settings(duration=4.0, friction=FRICTION, ground_friction=0.5),
        description="A woman stands at the top of a stair, is pushed in the back and falls down it, reaching out.",
        sources={
            "actors.woman.force_pulses": f"A push of {SHOVE:g} N s in {SHOVE_TIME:g} s; assumed",
            "actors.woman.response": PRESET,
            "obstacles.stair": "12 steps of 17/28 cm, Blondel's rule; assumed",
        },
    )


def trip_reach() -> Scenario:
    """The trip over a kerb of somebody who reaches for the ground."""
    scenario = trip()
    (man,) = scenario.actors
    man.motors = {}
    man.response = Response("adult", arming="touch")
    scenario.name, scenario.settings.duration = "trip_reach", 2.2
    scenario.description += " He reaches for the ground."
    scenario.sources["actors.man.response"] = PRESET
    return scenario


def pedestrian_response() -> Scenario:
    """The struck pedestrian, who responds once the car has touched him."""
    scenario = car_pedestrian()
    man = next(actor for actor in scenario.actors if actor.name == "man")
    man.motors = {}
    man.response = Response("adult", arming="touch")
    scenario.name = "pedestrian_response"
    scenario.description += " From the first touch on he responds."
    scenario.sources["actors.man.response"] = PRESET
    return scenario


def _stumble(name: str, impulse: float, ending: str, duration: float = 4.0) -> Scenario:
    """A man who stands is jostled from behind and may take up to four steps. duration: s."""
    man = stand("man", "male", both({"knee": (0.0, 2.0, 0.0), "elbow": (0.0, 15.0, 0.0)}))
    man.response = Response("adult", balance=True, steps=4)
    man.force_pulses = [shove(impulse)]
    return Scenario(
        name,
        [man],
        settings=Settings(duration=duration, friction=FRICTION, ground_friction=0.7),
        description=f"A man who stands is jostled from behind by {impulse:g} N s, steps forward and {ending}",
        sources={
            "actors.man.force_pulses": f"A push of {impulse:g} N s in {SHOVE_TIME:g} s; assumed",
            "actors.man.response": PRESET,
        },
    )


def stumble_recovered() -> Scenario:
    """Steps that regain balance."""
    return _stumble("stumble_recovered", 38.0, "regains balance.")


def stumble_fallen() -> Scenario:
    """Steps that do not; he comes down late, by knees and hands, and lies for a second before the end."""
    return _stumble("stumble_fallen", 60.0, "falls.", 5.0)


WALK = Gait(speed=1.4, phase=0.6, heading=90.0)


def pedestrian_walking() -> Scenario:
    """A man walks in front of the car: his start is a moment of a stride, and he walks on until he is struck."""
    scenario = car_pedestrian()
    man = next(actor for actor in scenario.actors if actor.name == "man")
    walker = replace(
        man,
        position=(6.4, -0.75, 0.0),
        joint_angles={},
        motors={},
        gait=WALK,
        response=Response("adult", arming="touch"),
    )
    scenario.actors = [walking(walker) if actor is man else actor for actor in scenario.actors]
    scenario.name = "pedestrian_walking"
    scenario.description = (
        "A mid-size car at 40 km/h, braking, strikes a man who walks across at 1.4 m/s; struck, he responds."
    )
    scenario.sources |= {
        "actors.man.velocity": "Walking across at 1.4 m/s; assumed",
        "actors.man.gait": SOURCE,
        "actors.man.response": PRESET,
    }
    return scenario


WHEEL = (0.36, 0.0, 0.62)
"""m: middle of the steering wheel in the frame of the seat; assumed."""


def driver_braces() -> Scenario:
    """The belted driver of `seated_crash`, a man who sees it coming and braces against wheel and floor."""
    scenario = seated_crash("male")
    seat, driver = scenario.actors
    tilt = math.radians(-25.0)
    c, s = round(math.cos(tilt), 9), round(math.sin(tilt), 9)
    rim = Ellipsoid(
        "wheel", (0.015, 0.19, 0.19), WHEEL, ((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)), material="panel"
    )
    seat.model.bodies[0].ellipsoids.append(rim)
    posture = dict(driver.joint_angles)
    for side, y in (("l", 0.18), ("r", -0.18)):
        arm = [(f"shoulder{side}Jnt", 1), (f"shoulder{side}Jnt", 2), (f"elbow{side}Jnt", 1)]
        place = (WHEEL[0] - 0.03, y, WHEEL[2])
        hand = f"Hand{side.upper()}"
        posture = reach(
            driver.model, posture, arm, hand, (0.0, 0.0, -0.06), place, driver.position, driver.orientation
        )
        leg = [(f"hip{side}Jnt", 1), (f"knee{side}Jnt", 1)]
        foot, heel, floor = f"Foot{side.upper()}", (-0.02, 0.0, -0.068), (0.72, 0.6 * y, 0.01)
        posture = reach(driver.model, posture, leg, foot, heel, floor, driver.position, driver.orientation)
    driver.joint_angles = posture
    driver.response = Response("adult", brace=0.0, arming="release")
    scenario.welds = [
        grip(f"grip_{side.lower()}", (driver, f"Hand{side}"), (seat, "seat"), 400.0) for side in "LR"
    ]
    scenario.name = "driver_braces"
    scenario.description = "A belted driver sees it coming and braces against wheel and floor at 20 km/h."
    scenario.sources |= {"actors.driver.response": PRESET, "welds": "Hands on the rim, assumed"}
    return scenario


def hand_in_hand() -> Scenario:
    """A woman holds a child of six by the hand; the child stumbles forward and hangs on it."""
    woman = stand("woman", "female", {"shoulderrJnt": (0.0, 5.0, 15.0), "elbowrJnt": (0.0, 15.0, 0.0)})
    woman.response = Response("adult", balance=True)
    palm = (_poses(woman)["HandR"] @ np.array([0.0, 0.0, -0.06, 1.0]))[:3]
    child = stand("child", "child_6", {}, lean=(0.0, 9.0, 0.0), place=(-0.05, -0.55))
    arm = [("shoulderlJnt", 1), ("shoulderlJnt", 2), ("elbowlJnt", 1)]
    below = palm - (0.0, 0.0, 0.14)
    child.joint_angles = reach(
        child.model, {}, arm, "HandL", (0.0, 0.0, -0.04), below, child.position, child.orientation
    )
    child.response = Response("child", arms=0.6)
    return Scenario(
        "hand_in_hand",
        [woman, child],
        welds=[grip("grip", (woman, "HandR"), (child, "HandL"), 200.0)],
        settings=Settings(duration=2.5, friction=FRICTION, ground_friction=0.7),
        description="A child of six who is held by the hand stumbles forward; the hand lets go at 200 N.",
        sources={
            "actors.child.orientation": "Loss of balance of 9 degrees; assumed",
            "actors.*.response": PRESET,
            "welds": "A hand in a hand, lets go at 200 N; assumed",
        },
    )


def carried_child() -> Scenario:
    """A woman who carries a child of three before her is pushed in the back and falls with it."""
    arms = both({"shoulder": (0.0, 35.0, 4.0), "elbow": (0.0, 75.0, 0.0), "knee": (0.0, 3.0, 0.0)})
    woman = stand("woman", "female", arms)
    woman.response = Response("adult", tone=1.0, arms=0.0, balance=True)
    woman.force_pulses = [shove(SHOVE)]
    legs = both({"hip": (0.0, 75.0, 25.0), "knee": (0.0, 70.0, 0.0), "shoulder": (0.0, 50.0, 20.0)})
    child = stand("child", "child_3", legs, lean=(180.0, 0.0, 0.0), place=(0.27, 0.0), floor=0.62)
    child.response = Response("tone")
    return Scenario(
        "carried_child",
        [woman, child],
        welds=[
            grip("arm_l", (woman, "HandL"), (child, "pelvis"), 350.0),
            grip("arm_r", (woman, "HandR"), (child, "pelvis"), 350.0),
            grip("chest", (woman, "ForearmL"), (child, "UpperBack"), 350.0, (0.0, 0.0, -0.1)),
        ],
        settings=Settings(duration=2.5, friction=FRICTION, ground_friction=0.7, start_overlap_limit=0.08),
        description="A woman who carries a child of three is pushed in the back and falls; her arms let go at 350 N.",
        sources={
            "actors.woman.force_pulses": f"A push of {SHOVE:g} N s in {SHOVE_TIME:g} s; assumed",
            "actors.*.response": PRESET,
            "welds": "Arms that hold a child, let go at 350 N each; assumed",
        },
    )
