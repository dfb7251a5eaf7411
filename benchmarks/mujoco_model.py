"""A scenario in MuJoCo, from the product's own export (`interchange/mujoco`): same bodies, joints, joint damping and
ellipsoids, and the same start. Limits and other forces are left out, so that both compute the same."""

import mujoco

from ..engine import Scenario
from ..interchange.mujoco import mjcf


def build(scenario: Scenario, fuse: bool = True) -> mujoco.MjModel:
    """The compiled MuJoCo model. fuse: bodies on fixed joints become part of their parent, as in this engine."""
    text, _ = mjcf(scenario, fuse, forces=False)
    return mujoco.MjModel.from_xml_string(text)


def start(model: mujoco.MjModel, scenario: Scenario) -> mujoco.MjData:
    """The state at the start of the scenario."""
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    mujoco.mj_forward(model, data)
    return data
