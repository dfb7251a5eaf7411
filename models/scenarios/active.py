"""Shipped scenarios with people who respond: shoves, a trip, steps that regain balance or do not, pedestrians who are
struck, a driver who braces."""

import math
from dataclasses import replace

from ...engine.spec import Actor, Ellipsoid, Gait, Response, Scenario, Settings
from ..library import load_model
from ..people.acts import SHOVE, SHOVE_TIME, grip, palm_place, shove
from ..people.gait import SOURCE, walking
from ..people.posture import both, reach
from ..people.shipped import shipped_person
from .falls import FRICTION, stand, trip
from .impacts import car_pedestrian, seated_crash
from .obstacles import kerb, moved, stair

PRESET = "Preset of an assumed behaviour; docs/responses.md"


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


def _stumble(name: str, impulse: float, ending: str) -> Scenario:
    """A man who stands is jostled from behind and may take up to four steps."""
    man = stand("man", "male", both({"knee": (0.0, 2.0, 0.0), "elbow": (0.0, 15.0, 0.0)}))
    man.response = Response("adult", balance=True, steps=4)
    man.force_pulses = [shove(impulse)]
    return Scenario(
        name,
        [man],
        settings=Settings(duration=4.0, friction=FRICTION, ground_friction=0.7),
        description=f"A man who stands is jostled from behind by {impulse:g} N s, steps forward and {ending}",
        sources={
            "actors.man.force_pulses": f"A push of {impulse:g} N s in {SHOVE_TIME:g} s; assumed",
            "actors.man.response": PRESET,
        },
    )


def stumble_recovered() -> Scenario:
    """Steps that regain balance."""
    return _stumble("stumble_recovered", 35.0, "regains balance.")


def stumble_fallen() -> Scenario:
    """Steps that do not; he comes down by knees and hands, and lies for two seconds before the end."""
    return _stumble("stumble_fallen", 80.0, "falls.")


BAR = 0.03
"""m: height and depth of what a foot is caught on; assumed."""


def trip_recovered() -> Scenario:
    """A walker who catches the toes of his swinging foot on a bar, lifts it over and regains balance."""
    gait = Gait(speed=0.96, phase=0.39, heading=0.0)
    man = Actor(
        "man",
        load_model("male"),
        model_reference="male",
        person=shipped_person("male"),
        gait=gait,
        response=Response("adult", arming="touch", steps=6),
    )
    (bar,) = moved(kerb(BAR, depth=BAR, width=2.0), x=0.76)
    return Scenario(
        "trip_recovered",
        [walking(man)],
        obstacles=[replace(bar, name="bar", source="A bar of 3 cm; assumed")],
        settings=Settings(duration=4.0, friction=FRICTION, ground_friction=0.7),
        description=f"A man who walks at {gait.speed:g} m/s catches a foot on a bar, steps on and regains balance.",
        sources={
            "actors.man.velocity": f"Walking at {gait.speed:g} m/s; assumed",
            "actors.man.gait": SOURCE,
            "actors.man.response": PRESET,
            "obstacles.bar": "Assumed",
        },
    )


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
        "A saloon at 40 km/h, braking, strikes a man who walks across at 1.4 m/s; struck, he responds."
    )
    scenario.sources |= {
        "actors.man.velocity": "Walking across at 1.4 m/s; assumed",
        "actors.man.gait": SOURCE,
        "actors.man.response": PRESET,
    }
    return scenario


WHEEL = (0.36, 0.0, 0.62)
"""m: middle of the steering wheel in the frame of the seat; assumed."""
PALM_BEFORE_RIM = 0.06
"""m from the middle of the rim to that of the palm on it: half the depths of both."""


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
        place = (WHEEL[0] - PALM_BEFORE_RIM, y, WHEEL[2])
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
    palm = palm_place((woman, "HandR"))
    child = stand("child", "child_6", {}, lean=(0.0, 9.0, 0.0), place=(-0.05, -0.55))
    arm = [("shoulderlJnt", 1), ("shoulderlJnt", 2), ("elbowlJnt", 1)]
    below = palm - (0.0, 0.0, 0.12)
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
