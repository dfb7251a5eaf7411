"""Falls from standing of dummies and people."""

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario, Settings
from ..editing.holding import set_to_hold
from ..library import load_model
from ..people.posture import both
from ..scenarios.falls import FRICTION, stand
from .experiment import Experiment, experiment
from .row import GRAVITY, Row
from .running import AS_GIVEN, Runner

DIRECTIONS = {"forward": (0.0, 1.0, 0.0), "backward": (0.0, -1.0, 0.0), "sideways": (0.0, 0.0, 1.0)}
TONES = (None, 0.5, 1.0)


def fall_scenario(model_name: str, direction: str, lean: float, tone: float | None) -> Scenario:
    """A person or dummy leaning by `lean` degrees falls from standing, with joint friction (dummy) or muscle tone."""
    posture = both({"knee": (0.0, 2.0, 0.0)})
    turn = tuple(lean * part + 0.0 for part in DIRECTIONS[direction])
    person = stand("person", model_name, posture, lean=turn, tone=tone)
    settings = Settings(duration=3.0, friction=FRICTION, ground_friction=0.7)
    return Scenario(f"fall_{model_name}_{direction}", [person], settings=settings)


def ground_impact(recording: Recording, actor: str, body: str) -> tuple[float, float] | None:
    """(time s, vertical speed m/s of the body's centre) when the body first touches the ground; None where it never
    does."""
    index = recording.body_index(actor, body)
    for event in recording.contacts:
        if event["body_a"] == index and event["obstacle_b"] >= 0:
            frame = max(int(np.searchsorted(recording.times, event["start"])) - 1, 0)
            return float(event["start"]), float(-recording.velocity[frame, index, 2])
    return None


def dummy_fall(model_name: str, direction: str, lean: float) -> Scenario:
    """A dummy with all joints set to hold one g (49 CFR Part 572), leaning by `lean` degrees, falls from standing."""
    scenario = fall_scenario(model_name, direction, lean, None)
    person = scenario.actors[0]
    person.model, person.model_reference = load_model(model_name), ""
    set_to_hold(person.model, joints="*[lr]Jnt")
    return scenario


SMOOTHED = 3.0e-4
"""s over which the head's turn rate is averaged before it is differentiated: falls off about where class 1000 of SAE
J211, that of the head, does."""


def head_quantities(recording: Recording) -> dict[str, float] | None:
    """Speed (m/s), acceleration (g), angular acceleration (krad/s2), force (kN) and turn rate (rad/s) of a faller's
    head at its first impact on the ground; None where it does not strike."""
    impact = ground_impact(recording, "person", "head")
    if impact is None:
        return None
    time, speed = impact
    size = {}
    for quantity in ("acceleration", "turn_rate", "contact_force"):
        channel = recording.channel("person head", quantity)
        near = (channel.times > time - 0.002) & (channel.times < time + 0.03)
        size[quantity] = np.asarray(channel.data, dtype=float)[near]
        times = channel.times[near]
    width = max(1, round(SMOOTHED / float(times[1] - times[0])))
    box = np.ones(width) / width
    rates = np.stack([np.convolve(column, box, "valid") for column in size["turn_rate"].T], axis=1)
    turning = np.linalg.norm(np.gradient(rates, times[1] - times[0], axis=0), axis=1)
    return {
        "head speed": speed,
        "head acceleration": float(np.linalg.norm(size["acceleration"], axis=1).max()) / GRAVITY,
        "angular acceleration": 1e-3 * float(turning.max()),
        "head force": 1e-3 * float(np.linalg.norm(size["contact_force"], axis=1).max()),
        "turn rate": float(np.linalg.norm(size["turn_rate"], axis=1).max()),
    }


def dummy_falls(run: Runner = AS_GIVEN) -> list[Row]:
    """Falls from standing of the mid-size man's and the small woman's dummy, joints set to hold one g: all five
    quantities that were published."""
    rows, test = [], experiment("dummy_falls")
    for name in test.set_up["models"]:
        for lean in test.set_up["leans"]:
            for direction in DIRECTIONS:
                fall = test.of(model=name, direction=direction, lean=lean)
                found = head_quantities(run(dummy_fall(name, direction, lean)))
                for quantity in test.quantities:
                    if found is None:
                        rows.append(fall.did_not_happen(quantity, "head does not strike"))
                    else:
                        rows.append(fall.row(quantity, found[quantity]))
    return rows


def standing_falls(run: Runner = AS_GIVEN) -> list[Row]:
    """Head and pelvis speeds of people at the ground; every lean and tone."""
    rows, test = [], experiment("real_falls")
    for name in test.set_up["models"]:
        for tone in TONES:
            who = f"{name}, {'passive' if tone is None else f'tone {tone:g}'}"
            for lean in test.set_up["leans"]:
                for direction in DIRECTIONS:
                    scenario = fall_scenario(name, direction, lean, tone)
                    rows += _fall_rows(test.of(who=who, direction=direction, lean=lean), run(scenario))
    return rows


def _fall_rows(fall: Experiment, recording: Recording) -> list[Row]:
    rows = []
    for body in ("head", "pelvis"):
        impact = ground_impact(recording, "person", body)
        quantity = f"{body} speed"
        if impact is None:
            held = "the arms or the trunk hold it off the ground"
            rows.append(fall.did_not_happen(quantity, f"{body} does not strike", held))
            continue
        low, high = fall.band(quantity)
        remark = f"at {impact[0]:.2f} s"
        if impact[1] > high:
            remark += (
                "; probably because nobody steps, squats or reaches out: "
                "passive models are about 30 % too fast (Choi 2015)"
            )
        elif impact[1] < low:
            remark += "; probably because knees, or arm and trunk, land 0.07 to 0.6 s before (seen in two such falls)"
        rows.append(fall.row(quantity, impact[1], remark))
    return rows
