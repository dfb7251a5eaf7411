"""The lightest bodies of the shipped models, a small child's hands, with every limit and motor at the default step."""

import numpy as np
import pytest
from impacts import term

from mannequin.engine import (
    Actor,
    AxisLimits,
    ConeLimits,
    JointFriction,
    Motor,
    PrescribedMotion,
    Scenario,
    Settings,
    run,
)
from mannequin.models.library import load_model

STILL = PrescribedMotion(None, ((0.0, *(0.0,) * 6), (9.0, *(0.0,) * 6)))
BOX = ((-10.0, -30.0, -20.0), (15.0, 40.0, 25.0))
RESTRAINTS = {
    "shipped": {},
    "stiff box": {"limits": AxisLimits(*BOX, stiffness=2000.0, damping=50.0), "cone": None},
    "undamped box": {"limits": AxisLimits(*BOX, stiffness=2000.0, damping=0.0), "cone": None},
    "cone": {"cone": ConeLimits((30.0, 20.0, 40.0, 15.0), twist=(-20.0, 20.0)), "limits": None},
    "friction": {"friction": JointFriction(5.0)},
    "firm motor": {"motor": Motor(stiffness=500.0, damping=5.0, target=(5.0, 10.0, 5.0))},
    "stiff motor": {"motor": Motor(stiffness=5000.0, damping=0.0, target=(0.0, 2.0, 0.0))},
    "capped motor": {"motor": Motor(stiffness=5000.0, damping=1.0, target=(5.0, 10.0, 5.0), max_torque=5.0)},
    "overdamped motor": {"motor": Motor(stiffness=100.0, damping=100.0)},
}


@pytest.mark.parametrize("kind", RESTRAINTS)
def test_hands_of_a_child_are_stable(kind):
    """Root held, both wrists thrown at 40 rad/s: no blow-up, energy accounted for, the hands stay on the arms."""
    model = load_model("child_3")
    bodies = {body.name: body for body in model.bodies}
    wrists = [joint for joint in model.joints if "wrist" in joint.name.lower()]
    assert len(wrists) == 2 and all(bodies[wrist.child].mass < 0.2 for wrist in wrists)
    for wrist in wrists:
        for name, value in RESTRAINTS[kind].items():
            setattr(wrist, name, value)
    turning = {wrist.name: (20.0, -30.0, 15.0) for wrist in wrists}
    actor = Actor("child", model, position=(0, 0, 2), joint_velocities=turning, prescribed=[STILL])
    recording = run(Scenario("hands", [actor], settings=Settings(duration=1.0, ground=False)))
    assert recording.status == "completed", recording.message
    start = term(recording, "kinetic")[0] + np.ptp(term(recording, "gravity"))
    given = np.maximum(term(recording, "actuators"), 0.0).max()
    assert term(recording, "kinetic").max() < 1.01 * (start + given) + 0.05
    residual = np.abs(term(recording, "residual")).max()
    exchanged = start + np.abs(np.diff(term(recording, "actuators"))).sum()
    assert residual < 0.05 * exchanged
    hands = [recording.body_index("child", wrist.child) for wrist in wrists]
    assert np.linalg.norm(recording.angular_velocity[-100:, hands], axis=2).max() < 20.0
