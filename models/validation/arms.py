"""Hands that meet the ground: an arrest from one metre of shoulder height, and forward falls from standing."""

from __future__ import annotations

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Actor, Response, Scenario, Settings
from ..parts.placement import body_transforms
from ..people.posture import both
from ..scenarios.falls import FRICTION, stand
from .experiment import experiment
from .row import GRAVITY, Row
from .running import AS_GIVEN, Runner


def hand_force(recording: Recording) -> float:
    """Largest force of the ground on one hand, N."""
    hands = [recording.body_index("man", name) for name in ("HandL", "HandR")]
    return float(np.linalg.norm(recording.contact_force[:, hands], axis=2).max())


def arrest(elbow: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(largest force of one hand N, in body weights) of a man who is let go with his shoulders 1 m above the ground,
    the body straight, arms out with elbows bent by so much, and who responds."""
    posture = both({"shoulder": (0.0, 75.0, 0.0), "elbow": (0.0, elbow, 0.0)})
    man = stand("man", "male", posture, lean=(0.0, _lean_for(posture), 0.0))
    man.response = Response("adult", latency=0.0)
    return _landed(man, run)


def _landed(man: Actor, run: Runner) -> tuple[float, float]:
    settings = Settings(
        duration=0.9, time_step=2e-5, output_step=2e-4, friction=FRICTION, ground_friction=0.7
    )
    force = hand_force(run(Scenario("arrest", [man], settings=settings, default_sensors=False)))
    return force, force / (GRAVITY * sum(body.mass for body in man.model.bodies))


def stiff_arrest(elbow: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """The same with nearly straight arms that nobody gives way with: held by twice the assumed tone."""
    posture = both({"shoulder": (0.0, 75.0, 0.0), "elbow": (0.0, elbow, 0.0)})
    man = stand("man", "male", posture, lean=(0.0, _lean_for(posture), 0.0), tone=2.0)
    return _landed(man, run)


def _lean_for(posture: dict) -> float:
    """Degrees forward at which the shoulders of the man stand 1 m above the ground."""
    for lean in range(20, 80):
        man = stand("man", "male", posture, lean=(0.0, float(lean), 0.0))
        at = body_transforms(man.model, man.joint_angles, man.position, man.orientation)
        if at["UpperArmL"][2, 3] <= experiment("arrest").set_up["shoulder_height"]:
            return float(lean)
    raise ValueError("the shoulders of the man 'male' are above 1 m at every lean: take another posture")


def forward_fall(response: Response, lean: float, run: Runner = AS_GIVEN) -> float:
    """N on a hand of a man who falls forward from standing and reaches for the ground."""
    man = stand("man", "male", both({"knee": (0.0, 2.0, 0.0)}), lean=(0.0, lean, 0.0))
    man.response = response
    settings = Settings(
        duration=1.8, time_step=5e-5, output_step=5e-4, friction=FRICTION, ground_friction=0.7
    )
    return hand_force(run(Scenario("forward", [man], settings=settings, default_sensors=False)))


def arms(run: Runner = AS_GIVEN) -> list[Row]:
    """Forces of hands that break a fall."""
    rows, means = [], {}
    for name, let_go, floor in (
        ("arrest", arrest, "adult response, rigid floor"),
        ("arrest_stiff", stiff_arrest, "rigid floor"),
    ):
        test = experiment(name)
        for elbow in test.set_up["elbows"]:
            force, weights = let_go(elbow, run)
            rows.append(test.of(elbow=elbow).row("force of one hand", weights, f"{force:.0f} N; {floor}"))
        means[name] = np.mean([row.value for row in rows if row.experiment == name])
    less = 100.0 * (1.0 - means["arrest"] / means["arrest_stiff"])
    rows.append(experiment("arms_natural_and_stiff").words("force of one hand", f"{less:.0f} % less"))
    test = experiment("wrist_fall")
    for lean in test.set_up["leans"]:
        force = forward_fall(Response("adult"), lean, run)
        rows.append(test.of(lean=lean).row("force of one wrist", 1e-3 * force))
    return rows
