"""Deflection, compression and the viscous criterion of chest and abdomen, from the slide of their fronts to the spine.

VC = S D / depth * dD/dt with S = 1.3 (UN R94; Lau and Viano 1986, SAE 861882), D the deflection and depth that of the
uncompressed part. A model has them where a body called Sternum or AbdomenFront stands on a prismatic joint whose axis
points out of the body.
"""

from dataclasses import dataclass

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

ABDOMEN_VALIDITY = (
    "Of one slider: the whole front of the abdomen moves as one, straight back. At the output times, not filtered. Its "
    "spring and damper are chosen for published stiffness at two speeds; single organs are no part of it."
)


def viscous(deflection: np.ndarray, rate: np.ndarray, depth: float) -> np.ndarray:
    """(F,) m/s from the deflection (F,) in m, its rate (F,) in m/s and the chest's depth in m."""
    return SCALE * deflection / depth * rate


@dataclass(frozen=True)
class Part:
    """A front that slides inward: the name of its measures, its body's name and what may be said of it."""

    word: str
    body: str
    way: str
    criterion: str
    validity: str


PARTS = (
    Part("chest", STERNUM, "sternum", "viscous criterion", VALIDITY),
    Part("abdomen", "abdomenfront", "abdomen's front", "abdomen viscous criterion", ABDOMEN_VALIDITY),
)


def chest_measures(scenario: Scenario, recording: Recording) -> list[Measure]:
    """Deflection, compression and viscous criterion of every actor with a sternum, and of its abdomen."""
    measures: list[Measure] = []
    for actor in scenario.actors:
        for part in PARTS:
            joint = _slider(actor, part)
            if joint is not None and recording.joint_slide.size:
                measures += _of_part(scenario, recording, actor, joint, part)
    return measures


def _slider(actor: Actor, part: Part) -> Joint | None:
    return next(
        (
            j
            for j in actor.model.joints
            if j.child.lower() == part.body and j.kind.slides and not j.kind.turns
        ),
        None,
    )


def _depth(scenario: Scenario, actor: Actor, joint: Joint, part: Part) -> float:
    """Depth of the uncompressed part, m: a chest's by the size stated, an abdomen's by its surface and that of the back
    behind it."""
    if part.body == STERNUM:
        return DEPTHS.get(scenario.outputs.get("neck_size"), DEPTHS["50th male"])
    shapes = [
        (shape.position[0], shape.half_extent(0))
        for body in actor.model.bodies
        if body.name in (joint.child, joint.parent)
        for shape in body.ellipsoids
    ]
    return max(x + half for x, half in shapes) - min(x - half for x, half in shapes)


def _of_part(
    scenario: Scenario, recording: Recording, actor: Actor, joint: Joint, part: Part
) -> list[Measure]:
    body = recording.body_index(actor.name, joint.child)
    number = int(np.flatnonzero(recording.joint_child == body)[0])
    axis = np.array(joint.axis, dtype=float)
    inward = -recording.joint_slide[:, number] @ axis
    rate = -recording.joint_slide_rate[:, number] @ axis
    depth = _depth(scenario, actor, joint, part)
    histories = (
        (
            f"{part.word} deflection",
            1000.0 * inward,
            "mm",
            f"Largest way of the {part.way} towards the spine.",
        ),
        (
            f"{part.word} compression",
            100.0 * inward / depth,
            "%",
            f"Largest deflection over the depth of {1000.0 * depth:.0f} mm.",
        ),
        (
            part.criterion,
            viscous(np.maximum(inward, 0.0), rate, depth),
            "m/s",
            f"Largest of 1.3 D / depth dD/dt with a depth of {1000.0 * depth:.0f} mm (UN R94).",
        ),
    )
    return [
        Measure(
            name,
            body_label(recording, body),
            max(float(history.max()), 0.0),
            unit,
            definition,
            part.validity,
            (),
            {"time_s": float(recording.times[int(history.argmax())]), "joint": joint.name},
        )
        for name, history, unit, definition in histories
    ]
