"""Which bodies and joints of a run are plotted where none are named."""

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ..files.csv_files import joint_angles_zyx, slides_along_axis
from ..measures.head import HeadError, find_heads
from ..subjects import joint_specs

PLOTTED_BODIES = 3
"""Besides the heads."""
PLOTTED_JOINTS = 4


def plotted_bodies(scenario: Scenario, recording: Recording) -> list[int]:
    """The heads, and the body parts with the largest contact forces."""
    try:
        chosen = [head.body_index for head in find_heads(scenario, recording)]
    except HeadError:
        chosen = []
    force = np.max(np.linalg.norm(recording.contact_force, axis=-1), axis=0)
    order = [int(body) for body in np.argsort(-force, kind="stable") if force[body] > 0.0]
    others = [body for body in order if body not in chosen][:PLOTTED_BODIES]
    return (chosen + others) or [0]


def plotted_joints(scenario: Scenario, recording: Recording) -> list[int]:
    """The joints with limits that came closest to them or went furthest past."""
    scores = {}
    for joint, spec in enumerate(joint_specs(scenario, recording)):
        if spec.limits is None:
            continue
        lower, upper = (
            np.asarray(limit, dtype=float)[::-1] for limit in (spec.limits.lower, spec.limits.upper)
        )
        angle = np.degrees(recording.joint_angle[:, joint])
        if spec.kind.has_axis and not spec.kind.turns:
            # a millimetre counts as a degree
            angle = 1000.0 * slides_along_axis(spec, recording, joint)
            lower, upper = 1000.0 * lower[2], 1000.0 * upper[2]
        elif spec.kind.has_axis:
            axis = np.asarray(spec.axis, dtype=float)
            angle = angle @ (axis / np.linalg.norm(axis))
            lower, upper = lower[2], upper[2]
        elif spec.kind.by_functions:
            angle = joint_angles_zyx(scenario, recording)[:, joint]
            lower, upper = lower[::-1], upper[::-1]
        scores[joint] = float(np.max(np.maximum(angle - upper, lower - angle)))
    return sorted(sorted(scores, key=lambda joint: -scores[joint])[:PLOTTED_JOINTS])
