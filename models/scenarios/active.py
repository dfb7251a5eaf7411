"""Shipped scenarios with people who respond: a shove on a stair, a trip, a pedestrian who is struck."""

import math

from ...engine.spec import ForcePulse, Response, Scenario, Settings
from ..people.posture import both
from .falls import FRICTION, stand, trip
from .impacts import car_pedestrian
from .obstacles import stair

SHOVE, SHOVE_TIME = 60.0, 0.2
"""N s and s of a two-handed push; assumed."""
PRESET = "Preset of an assumed behaviour; docs/responses.md"


def shove_stairs() -> Scenario:
    """A woman who stands at the top of a stair is pushed in the back, loses balance and falls down it, reaching."""
    posture = both({"elbow": (0.0, 20.0, 0.0), "knee": (0.0, 3.0, 0.0)})
    woman = stand("woman", "female", posture, floor=12 * 0.17, place=(-0.2, 0.0))
    woman.response = Response("adult", balance=True)
    peak = round(SHOVE * math.pi / 2.0 / SHOVE_TIME, 1)
    woman.force_pulses = [ForcePulse("UpperBack", (peak, 0.0, 0.0), 0.5, SHOVE_TIME)]
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
