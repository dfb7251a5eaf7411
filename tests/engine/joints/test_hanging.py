"""A limp person hanging by one wrist comes to rest inside the range of motion of every joint.

Why that asks for stiff limits: docs/derivations.md, Range of motion.
"""

from pathlib import Path

import numpy as np
import pytest

from mannequin.engine.bodies.posture import actor_poses
from mannequin.engine.jit import decorators as jit
from mannequin.engine.joints.arrays import JointEntry
from mannequin.engine.joints.compile import compile_joint_forces
from mannequin.engine.joints.cone import cone_excess
from mannequin.engine.runs.simulation import run
from mannequin.engine.spec import Actor, Point, Scenario, Settings, Weld
from mannequin.io_json.any_file import read_any

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not jit.IS_COMPILED, reason="80,000 steps: minutes when interpreted"),
]


@pytest.fixture(scope="module")
def hanging(root: Path):
    """(model, recording) of eight seconds from the standing posture, the right hand pinned where it is."""
    _, model = read_any(root / "models" / "male.json")
    actor = Actor("man", model, position=(0.0, 0.0, 2.0))
    hand = next(joint.child for joint in model.joints if joint.name == "wristrJnt")
    pin = Weld("grip", Point(tuple(actor_poses(actor)[hand][:3, 3])), Point((0.0, 0.0, 0.0), hand, "man"))
    settings = Settings(duration=8.0, output_step=0.02, ground=False, joint_damping=2.0)
    return model, run(Scenario("hang", [actor], welds=[pin], settings=settings))


def test_the_run_is_sound(hanging):
    _, recording = hanging
    assert recording.status == "completed"
    energy = recording.energy[-1]
    lost = recording.energy[0, :2].sum() - energy[:2].sum()
    assert lost > 100.0
    assert abs(energy[-1]) < 0.01 * lost, "the ledger closes within 1 %"


def test_every_joint_is_held(hanging):
    """At the end, and on average over the last second, no joint is more than 5 degrees past its range."""
    model, recording = hanging
    joints = {joint.name: joint for joint in model.joints}
    held = 0
    for k, name in enumerate(recording.joint_names):
        joint, turned = joints[name], recording.joint_angle[-50:, k]
        if joint.limits is not None:
            zyx = np.degrees(turned)[:, ::-1]
            past = np.maximum(zyx - joint.limits.upper, np.array(joint.limits.lower) - zyx).max(axis=1)
        elif joint.cone is not None:
            cones = compile_joint_forces([JointEntry(joint)], Settings()).cones
            past = np.degrees([cone_excess(cones, 0, quaternion(phi))[0] for phi in turned])
        else:
            continue
        held += 1
        assert past[-1] < 5.0, name
        assert past.mean() < 5.0, name
    assert held == 14  # all but the neck's two, which have curves without an end


def test_the_limits_took_energy(hanging):
    _, recording = hanging
    terms = dict(zip(("damping", "limits"), recording.energy[-1, 4:6], strict=True))
    assert terms["damping"] < 0.0
    assert terms["limits"] < 0.0


def quaternion(phi):
    """(w, x, y, z) of a rotation vector, its sign kept past half a turn."""
    half = 0.5 * np.linalg.norm(phi)
    return tuple(float(x) for x in (np.cos(half), *(np.sinc(half / np.pi) * phi / 2)))
