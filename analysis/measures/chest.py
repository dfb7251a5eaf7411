"""Chest deflection, compression and the viscous criterion, from the sternum's slide towards the spine.

VC = S D / depth * dD/dt with S = 1.3 (UN R94; Lau and Viano 1986, SAE 861882), D the deflection and depth that of the
uncompressed chest. A model has them where a body called Sternum stands on a prismatic joint whose axis points out of
the chest.
"""

from __future__ import annotations

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Actor, Joint, Scenario
from .impact import body_label
from .measure import Measure
from .neck import INTERCEPTS

STERNUM = "sternum"
SCALE = 1.3
"""S of the viscous criterion for dummies (UN R94)."""
DEPTHS = dict(zip(INTERCEPTS, (0.229, 0.187, 0.187, 0.143, 0.122), strict=True))
"""m, depth of the chest of the Hybrid III of each size that `outputs.neck_size` may name."""
VALIDITY = (
    "Of one slider: the whole front of the chest moves as one, straight back. At the output times, not filtered. The "
    "dummy's spring is fitted to its certification at 6.71 m/s, a person's is that of a published lumped model; blows "
    "from the side and the back do not move it."
)


def viscous(deflection: np.ndarray, rate: np.ndarray, depth: float) -> np.ndarray:
    """(F,) m/s from the deflection (F,) in m, its rate (F,) in m/s and the chest's depth in m."""
    return SCALE * deflection / depth * rate


def chest_measures(scenario: Scenario, recording: Recording) -> list[Measure]:
    """Deflection, compression and viscous criterion of every actor with a sternum."""
    measures: list[Measure] = []
    for actor in scenario.actors:
        joint = _sternum_joint(actor)
        if joint is not None and recording.joint_slide.size:
            measures += _of_sternum(scenario, recording, actor, joint)
    return measures


def _sternum_joint(actor: Actor) -> Joint | None:
    return next(
        (j for j in actor.model.joints if j.child.lower() == STERNUM and j.kind.slides and not j.kind.turns),
        None,
    )


def _of_sternum(scenario: Scenario, recording: Recording, actor: Actor, joint: Joint) -> list[Measure]:
    body = recording.body_index(actor.name, joint.child)
    number = int(np.flatnonzero(recording.joint_child == body)[0])
    axis = np.array(joint.axis, dtype=float)
    inward = -recording.joint_slide[:, number] @ axis
    rate = -recording.joint_slide_rate[:, number] @ axis
    size = scenario.outputs.get("neck_size")
    depth = DEPTHS.get(size, DEPTHS["50th male"])
    histories = (
        ("chest deflection", 1000.0 * inward, "mm", "Largest way of the sternum towards the spine."),
        (
            "chest compression",
            100.0 * inward / depth,
            "%",
            f"Largest deflection over the depth of {1000.0 * depth:g} mm.",
        ),
        (
            "viscous criterion",
            viscous(np.maximum(inward, 0.0), rate, depth),
            "m/s",
            f"Largest of 1.3 D / depth dD/dt with a depth of {1000.0 * depth:g} mm (UN R94).",
        ),
    )
    return [
        Measure(
            name,
            body_label(recording, body),
            max(float(history.max()), 0.0),
            unit,
            definition,
            VALIDITY,
            (),
            {"time_s": float(recording.times[int(history.argmax())]), "joint": joint.name},
        )
        for name, history, unit, definition in histories
    ]
