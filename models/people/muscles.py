"""Muscles for the adult models: published parameters transferred to our segment frames by one documented rule.

Points: each is taken relative to the joint centre that is the origin of our body, its axes turned (x forward, y up, z
right becomes x forward, y left, z up), and multiplied by the ratio of segment lengths: thigh and shank by their own,
the foot by the shank's, the pelvis by the distance of the hips, head and thorax by stature relative to the mean man.
Lengths: optimal fibre and tendon slack length are multiplied by the ratio of the whole path's length to the source's in
the upright posture, as OpenSim's scaling does. The source's posture of the neck is not ours: there the fibre is taken
to be at its optimal length upright. Forces: by (mass / source's mass)^(2/3), as cross-sections go.
"""

from dataclasses import replace
from math import cos, radians, sin

import numpy as np

from ...engine.spec import Model
from ...engine.spec.muscles import Muscle, PathPoint
from ..parts.bodies import tidy
from . import anthropometry
from .muscle_data import (
    CLAVICLE,
    CLAVICLE_TURN,
    LEG,
    LEG_JOINTS,
    LEG_LENGTHS,
    LEG_MASS,
    NECK,
    THORAX_JOINT,
    PublishedMuscle,
)

LEG_BODIES = {"pelvis": "pelvis", "femur": "Thigh", "tibia": "Shank", "calcn": "Foot"}
NOTE = (
    "Muscles: main muscles of legs and neck, transferred from published models by segment lengths (docs/muscles.md); "
    "at rest until a scenario excites them."
)


def with_muscles(model: Model) -> Model:
    """A copy of an adult's model with its muscles, forces by mass alone (`person_model.person_with_muscles`: by lean
    mass and age)."""
    muscles = [_leg_muscle(model, muscle, side) for side in "lr" for muscle in LEG]
    muscles += [_neck_muscle(model, muscle, side) for side in "lr" for muscle in NECK]
    sources = list(dict.fromkeys(f"{muscle.source} (muscles)" for muscle in muscles))
    return replace(model, muscles=muscles, sources=[*model.sources, *sources], notes=[*model.notes, NOTE])


def turned(point: np.ndarray, side: str) -> np.ndarray:
    """x forward, y up, z right (of a right side) to x forward, y left, z up of the named side."""
    x, y, z = point
    return np.array([x, z if side == "l" else -z, y])


def _origins(model: Model) -> dict[str, np.ndarray]:
    """Body to the place of its frame in the standing model."""
    places: dict[str | None, np.ndarray] = {None: np.zeros(3)}
    waiting = list(model.joints)
    while waiting:
        joint = waiting.pop(0)
        if joint.parent not in places:
            waiting.append(joint)
            continue
        places[joint.child] = places[joint.parent] + [row[3] for row in joint.T1[:3]]
    return places


def _path_length(points: list[np.ndarray]) -> float:
    return float(sum(np.linalg.norm(b - a) for a, b in zip(points, points[1:], strict=False)))


def _leg_muscle(model: Model, published: PublishedMuscle, side: str) -> Muscle:
    places = _origins(model)
    hip, knee = places[f"Thigh{side.upper()}"], places[f"Shank{side.upper()}"]
    ankle = places[f"Foot{side.upper()}"]
    ratios = {
        "pelvis": abs(hip[1]) / LEG_LENGTHS["hip_half_width"],
        "femur": (hip[2] - knee[2]) / LEG_LENGTHS["thigh"],
        "tibia": (knee[2] - ankle[2]) / LEG_LENGTHS["shank"],
    }
    ratios["calcn"] = ratios["tibia"]
    source_centres = {
        "pelvis": np.zeros(3),
        "femur": np.zeros(3),
        "tibia": np.array([0.0, -LEG_LENGTHS["thigh"], 0.0]),
        "calcn": np.array([0.0, -LEG_LENGTHS["thigh"] - LEG_LENGTHS["shank"], 0.0]),
    }
    path, ours, theirs = [], [], []
    for body, position in published.path:
        relative = np.subtract(position, LEG_JOINTS[body])
        name = LEG_BODIES[body] + (side.upper() if body != "pelvis" else "")
        # our pelvis has its origin between the hips
        centre = hip - places["pelvis"] if body == "pelvis" else np.zeros(3)
        local = centre + ratios[body] * turned(relative, side)
        path.append((name, local))
        ours.append(places[name] + local)
        theirs.append(source_centres[body] + relative)
    stretch = _path_length(ours) / _path_length(theirs)
    return _muscle(model, published, side, path, stretch, LEG_MASS)


def _neck_muscle(model: Model, published: PublishedMuscle, side: str) -> Muscle:
    places = _origins(model)
    mean_height, mean_mass = anthropometry.POPULATION_MEAN["male"]
    ratio = model.height / mean_height
    path, ours = [], []
    for body, position in published.path:
        point = np.array(position)
        if body == "clavicle":
            c, s = cos(radians(CLAVICLE_TURN)), sin(radians(CLAVICLE_TURN))
            x, y, z = point
            point = np.array(CLAVICLE) + [c * x + s * z, y, -s * x + c * z]
        if body == "skull":
            name, local = "head", ratio * turned(point, side)
        else:
            name = "UpperBack"
            local = places["Neck"] - places[name] + ratio * turned(point - THORAX_JOINT, side)
        path.append((name, local))
        ours.append(places[name] + local)
    upright = published.fibre * cos(radians(published.pennation)) + published.tendon
    return _muscle(model, published, side, path, _path_length(ours) / upright, mean_mass)


def _muscle(
    model: Model,
    published: PublishedMuscle,
    side: str,
    path: list[tuple[str, np.ndarray]],
    stretch: float,
    source_mass: float,
) -> Muscle:
    mass = sum(body.mass for body in model.bodies)
    return Muscle(
        f"{published.name}_{side}",
        tuple(PathPoint(body, tuple(tidy(float(c)) for c in local)) for body, local in path),
        max_isometric_force=tidy(published.force * (mass / source_mass) ** (2.0 / 3.0)),
        optimal_fibre_length=tidy(published.fibre * stretch),
        tendon_slack_length=tidy(published.tendon * stretch),
        pennation=published.pennation,
        source=published.source,
    )
