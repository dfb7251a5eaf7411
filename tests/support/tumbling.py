"""A man who tumbles through free space, nothing damped."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from mechanisms import free_space, scenario_of

from mannequin.engine import Scenario
from mannequin.engine.runs.recording import Recording
from mannequin.io_json.model_json import read_model

MALE = Path(__file__).parents[2] / "models" / "male.json"


def tumbling(**settings) -> Scenario:
    """The man turning head over heels and twisting, every limb on the move, without the springs and sliders of his
    neck and chest: their energy is in the ledger, not in the sum of kinetic and potential energy that is held here."""
    man = read_model(MALE)
    rigid = [replace(joint, type="fixed") if joint.type == "prismatic" else joint for joint in man.joints]
    man = replace(man, joints=[replace(joint, springs=[]) for joint in rigid])
    rng = np.random.default_rng(7)
    moving = [joint.name for joint in man.joints if joint.type == "spherical"]
    return scenario_of(
        replace(man, couplers=[]),
        free_space(duration=0.5, output_step=1e-2, **settings),
        position=(0.0, 0.0, 20.0),
        orientation=(20.0, 40.0, -10.0),
        velocity=(2.0, -1.0, 3.0),
        angular_velocity=(2.0, 6.0, -3.0),
        joint_angles={name: tuple(rng.uniform(-25, 25, 3)) for name in moving},
        joint_velocities={name: tuple(rng.uniform(-5, 5, 3)) for name in moving},
    )


def trunk_turns(recording: Recording) -> float:
    """Largest angular speed of the pelvis, rad/s: times the step it is the size of a first-order error."""
    pelvis = recording.body_index(recording.actor_names[0], "pelvis")
    return float(np.linalg.norm(recording.angular_velocity[:, pelvis], axis=1).max())
