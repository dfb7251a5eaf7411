"""Viscous damping of human joints as data with sources, and how it is put into a model that has none.

A relaxed person's limbs swing. In a pendulum test of the knee the angle falls from one swing to the next by `DECREMENT`
(docs/derivations.md, Damping of relaxed limbs), which gives the knee's damping; hip, shoulder and elbow have so much
that their limbs, hanging, swing down as the lower leg does (assumed), ankle and wrist a share of the knee's and the
elbow's. Muscles that are tensed add to it: that is in motors (`posture.tone_motors`, responses), not in the tissue.
A dummy's joints, and people's backs, have the damping of Ambrosio's table 2 (necks until they get their own).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from ...engine.spec import Model
from .ambrosio_joints import AMBROSIO_TABLE_2
from .range_of_motion import AMBROSIO, OPENMBD_JOINTS, size_factor

SWING_PEAKS, SWING_REST = (0.94, 0.60, 0.38, 0.26), 0.009
"""rad: the first four peaks of flexion and the angle at rest in a typical record of the pendulum test of the knee
(J Sports Med Doping Stud S6:001, figure 1)."""
DECREMENT = 0.437
"""Mean natural logarithm of a peak over the next one, from `SWING_PEAKS` above `SWING_REST`."""
RECORD = "pendulum test of the knee, J Sports Med Doping Stud S6:001, figure 1"
AS_KNEE = f"assumed: the hanging limb swings down as the lower leg in a {RECORD}"


@dataclass(frozen=True)
class Damping:
    """Of one joint of the adult of `range_of_motion`."""

    value: float
    """N m s/rad, about every axis"""
    source: str = AMBROSIO


def _table(name: str) -> Damping:
    return Damping(AMBROSIO_TABLE_2[name].damping)


DUMMY: dict[str, Damping] = {
    **{name: _table(name) for name in ("hip", "knee", "shoulder", "elbow")},
    "ankle": Damping(
        0.62, "knee of Ambrosio table 2, in proportion to the moment of weight beyond the joint (0.11)"
    ),
    "wrist": Damping(
        0.34, "elbow of Ambrosio table 2, in proportion to the moment of weight beyond the joint (0.10)"
    ),
    "lower_back": _table("back"),
    "upper_back": _table("back"),
    "neck": _table("torso_neck"),
    "head": _table("head_neck"),
}
"""Damping of a dummy, by the keys of `RANGES`."""
RELAXED: dict[str, Damping] = {
    **DUMMY,
    "hip": Damping(1.55, f"{AS_KNEE} (walkers who swing a leg have 1.9 to 4.6, arXiv 2112.05564)"),
    "knee": Damping(0.29, f"fitted to a {RECORD}"),
    "ankle": Damping(0.032, "0.11 of the knee, as of dummies; assumed"),
    "shoulder": Damping(0.31, AS_KNEE),
    "elbow": Damping(0.068, AS_KNEE),
    "wrist": Damping(0.007, "0.10 of the elbow, as of dummies; assumed"),
}
"""Damping of a person whose muscles are relaxed, by the keys of `RANGES`."""


def apply_joint_damping(
    model: Model,
    mapping: Mapping[str, tuple[str, str]] | None = None,
    table: Mapping[str, Damping] = RELAXED,
) -> list[str]:
    """Give the model's mapped joints the viscous damping of a table where they have none; return notes."""
    mapping = OPENMBD_JOINTS if mapping is None else mapping
    notes = []
    for joint in model.joints:
        if not joint.kind.turns or joint.damping is not None:
            continue
        if joint.name not in mapping:
            notes.append(f"joint '{joint.name}': default damping, because the mapping does not name it")
            continue
        data = table[mapping[joint.name][0]]
        joint.damping = round(data.value * size_factor(model), 4)
        joint.source = joint.source or f"Damping: {data.source}, scaled to the person"
        notes.append(f"joint '{joint.name}': damping {joint.damping:g} N m s/rad ({data.source})")
    return notes
