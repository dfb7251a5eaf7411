"""Joints set to hold one g, as a dummy's are before a test: by simulation."""

import numpy as np
import pytest

from mannequin.__main__ import main
from mannequin.engine import Actor, Body, Joint, JointSpring, Model, Scenario, Settings, run
from mannequin.io_json.model_json import read_model
from mannequin.models.editing.errors import EditError
from mannequin.models.editing.holding import holding_load, set_to_hold
from mannequin.models.library import load_model

ROD = (0.02, 0.02, 0.001, 0.0, 0.0, 0.0)


def arm(kind: str = "spherical", extra: float = 0.0) -> Model:
    """A stand fixed to the ground and an arm of two rods, 1.5 and 1 kg, 0.3 m each, that reaches down along -z."""
    down = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, -0.3), (0, 0, 0, 1))
    bodies = [
        Body("stand", 10.0, (1.0, 1.0, 1.0, 0, 0, 0)),
        Body("upper", 1.5, ROD, center_of_mass=(0, 0, -0.15)),
        Body("lower", 1.0 + extra, ROD, center_of_mass=(0, 0, -0.15)),
    ]
    joints = [
        Joint("base", "fixed", None, "stand"),
        Joint("shoulder", kind, "stand", "upper", axis=(0, 1, 0), damping=0.0),
        Joint("elbow", kind, "upper", "lower", T1=down, axis=(0, 1, 0), damping=0.0),
    ]
    return Model("arm", bodies, joints)


def held_out(model: Model) -> np.ndarray:
    """Degrees that shoulder and elbow turn in a second, the arm starting level and at rest."""
    angles = {"shoulder": (90.0, 0, 0) if model.joints[1].kind.has_axis else (0, 90.0, 0)}
    settings = Settings(duration=1.0, ground=False, output_step=0.01)
    scenario = Scenario("held", [Actor("arm", model, joint_angles=angles)], settings=settings)
    recording = run(scenario)
    turned = np.degrees(np.linalg.norm(recording.joint_angle - recording.joint_angle[0], axis=-1))
    return turned[:, 1:].max(axis=0)


def test_load_is_the_moment_of_the_stretched_limb():
    model = arm()
    assert holding_load(model, model.joints[2]) == pytest.approx(9.81 * 0.15)
    assert holding_load(model, model.joints[1]) == pytest.approx(9.81 * (1.5 * 0.15 + 1.0 * 0.45))
    model.joints[1].type, model.joints[1].axis = "revolute", (0.0, 0.6, 0.8)
    assert holding_load(model, model.joints[1]) == pytest.approx(0.6 * 9.81 * (1.5 * 0.15 + 1.0 * 0.45))
    model.joints[1].type = "prismatic"
    assert holding_load(model, model.joints[1]) == pytest.approx(9.81 * 2.5)


@pytest.mark.parametrize("kind", ["spherical", "revolute", "bushing"])
def test_an_arm_held_out_stays_and_sinks_under_a_tenth_more(kind):
    model = arm(kind)
    set_to_hold(model)
    if kind == "bushing":
        hold_centres(model)
    assert held_out(model).max() < 1.0
    heavier = arm(kind, extra=0.1 * 2.5 * 0.27 / 0.45)  # a tenth more moment about the shoulder
    for joint, given in zip(heavier.joints, model.joints, strict=True):
        joint.friction, joint.springs = given.friction, given.springs
    assert held_out(heavier).max() > 10.0


def hold_centres(model: Model) -> None:
    """Stiff springs along the axes of bushings."""
    for joint in model.joints[1:]:
        joint.springs = [JointSpring(f"along_{a}", ((-1.0, 1e6), (1.0, -1e6)), 1e3) for a in "xyz"]


def test_the_command_sets_the_joints_of_a_dummy(tmp_path, capsys):
    path = tmp_path / "held.json"
    assert main(["models", "hold", "hybrid3_50th", "--joints", "elbow*", "--out", str(path)]) == 0
    before, after = load_model("hybrid3_50th"), read_model(path)
    changed = [
        j.name for j, old in zip(after.joints, before.joints, strict=True) if j.friction != old.friction
    ]
    assert sorted(changed) == ["elbowlJnt", "elbowrJnt"]
    assert "elbowlJnt holds" in capsys.readouterr().out
    assert main(["models", "hold", "hybrid3_50th", "--joints", "tail", "--out", str(path)]) == 2
    assert "tail" in capsys.readouterr().err


def test_nonsense_is_refused():
    with pytest.raises(EditError, match="share"):
        set_to_hold(arm(), share=-1.0)
