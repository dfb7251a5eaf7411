"""Range of motion, damping, friction and tissue of a figure's joints, put into the model as data.

Ranges are those of `range_of_motion` (AAOS), turned there into each joint's own axes and scaled to the person; damping
is that of `joint_damping`, a relaxed person's or a dummy's. The wrist is given here: its table means palms to the
front, while these figures hang their palms to the thighs.
"""

from dataclasses import dataclass

from ...engine.spec import AxisLimits, Joint, JointFriction, Model
from .chest import Ribs, give_chest
from .joint_damping import DUMMY, RELAXED, apply_joint_damping
from .neck import Bendings, give_neck
from .range_of_motion import RANGES, RELAXATION, apply_range_of_motion, size_factor
from .trunk import give_trunk


@dataclass(frozen=True)
class DummyTissue:
    """What of a dummy is fitted to its own certification."""

    neck: Bendings
    ribs: Ribs


DUMMY_FRICTION = {"shoulder": 30.0, "elbow": 8.0, "hip": 60.0, "knee": 20.0, "ankle": 8.0, "wrist": 2.0}
"""N m. Joints of a dummy are set to just hold the limb against 1 g to 2 g (49 CFR 572); sizes assumed, near the moment
of the stretched limb's weight of the mid-size man; others by mass times height."""
MAN_FACTOR = 78.15 / 75.0 * 1.753 / 1.75
"""`size_factor` of the mid-size man's dummy."""


def _limit_wrist(joint: Joint, factor: float) -> None:
    """Wrist in the frame of `frames`: Y flexion, X radial deviation, Z turn."""
    data = RANGES["wrist"]
    stiffness = round(data.stiffness * factor, 3)
    joint.limits = AxisLimits(
        lower=(-float(data.turn_out), -float(data.rear), -float(data.inward)),
        upper=(float(data.turn_in), float(data.front), float(data.outward)),
        stiffness=stiffness,
        damping=round(RELAXATION * stiffness, 5),
        source=data.source,
    )


def attach_joint_data(model: Model, dummy: DummyTissue | None = None) -> Model:
    """Put range of motion and damping on a figure's joints, a neck, chest and trunk that give, and a dummy's joint
    friction, neck and chest where asked for."""
    factor = size_factor(model)
    for joint in model.joints:
        if joint.name in ("wristlJnt", "wristrJnt"):
            _limit_wrist(joint, factor)
    missing = [note for note in apply_range_of_motion(model) if "no range of motion" in note]
    if missing:
        raise ValueError("; ".join(missing))
    apply_joint_damping(model, table=RELAXED if dummy is None else DUMMY)
    for joint in model.joints:
        part = joint.name.removesuffix("Jnt")[:-1]
        if dummy is not None and joint.kind.is_ball and part in DUMMY_FRICTION:
            joint.friction = JointFriction(
                round(DUMMY_FRICTION[part] * factor / MAN_FACTOR, 3),
                source="Dummy joints set to hold the limb (49 CFR 572); size assumed",
            )
    if dummy is not None:
        return give_chest(give_neck(model, dummy.neck), dummy.ribs)
    return give_trunk(give_chest(give_neck(model)), factor)
