"""The state that a run starts from."""

import numpy as np

from ..bodies.kinematics import forward_kinematics
from ..bodies.workspace import new_workspace
from ..connections.state import new_connection_state
from ..contact.state import new_contact_state
from ..driving.arrays import new_driver_state, new_tyre_state
from ..driving.compile import PERIOD as DRIVING_PERIOD
from ..joints.arrays import new_joint_state
from ..joints.commands import new_commands
from ..joints.passive import start_friction
from ..muscles.state import new_muscle_state
from ..responses.arrays import new_response_state
from ..responses.compile import PERIOD
from ..step.arrays import NOBODY, Control, State, SystemArrays
from ..step.energy import TERMS


def new_state(arrays: SystemArrays, q: np.ndarray, u: np.ndarray, longest_step: float, actors: int) -> State:
    """The state at the start, from its coordinates and speeds."""
    tree = arrays.tree
    bodies = len(tree.mass)
    joints = new_joint_state(arrays.joints)
    if (arrays.joints.friction[:, 0] > 0.0).any():
        start_friction(arrays.joints, tree.group, tree.q_address, q, joints.friction)
    w = new_workspace(tree)
    if len(arrays.connections.point_body) > 0 or len(arrays.muscles.kind) > 0:
        forward_kinematics(tree, q, u, w)
    muscles = new_muscle_state(arrays.muscles, tree, arrays.authored, w)
    return State(
        q=q.copy(),
        u=u.copy(),
        contact=new_contact_state(arrays.surfaces, bodies),
        connections=new_connection_state(arrays.connections, w),
        muscles=muscles,
        joints=joints,
        released=np.zeros(bodies, dtype=np.int64),
        touched=np.zeros(actors, dtype=np.int64),
        work=np.zeros(TERMS),
        work_kept=np.zeros(TERMS),
        energy_start=np.zeros(2),
        last_quaternion=np.tile([1.0, 0.0, 0.0, 0.0], (len(arrays.authored.mass), 1)),
        clock=np.zeros(4, dtype=np.int64),
        elapsed=np.zeros(1),
        longest_step=np.full(1, longest_step),
        fastest=np.zeros(1, dtype=np.int64),
        commands=new_commands(arrays.joints, len(arrays.authored.mass), muscles.commanded),
        control=_new_control(len(arrays.responses.actor) > 0, len(arrays.drivers.actor) > 0),
        responses=new_response_state(arrays.responses),
        tyres=new_tyre_state(arrays.tyres),
        drivers=new_driver_state(arrays.drivers),
    )


def _new_control(responds: bool, drives: bool) -> Control:
    """Nobody is called but the responses and the drivers, where there are any, from the start on."""
    return Control(
        due=np.array([0.0 if responds or drives else np.inf]),
        period=np.array([PERIOD if responds else np.inf, np.inf, DRIVING_PERIOD if drives else np.inf]),
        calls=np.zeros(3, dtype=np.int64),
        address=np.array([NOBODY], dtype=np.int64),
        asked=np.zeros(1, dtype=np.int64),
    )
