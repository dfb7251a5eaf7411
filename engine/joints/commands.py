"""What a controller may set while a run goes on: motors, joint torques, muscle excitations, forces on bodies.

Commands are part of the `State`, so runs of one `System` share nothing. They hold until they are changed; what nobody
sets is as the scenario says.
"""

from collections import namedtuple

import numpy as np

from ..bodies.workspace import ACTUATION
from ..jit.decorators import compiled
from .arrays import JointForces
from .rows import open_category

Commands = namedtuple(
    "Commands",
    [
        "gains",  # (k, 3) of motor k: stiffness, damping, largest torque
        "base",  # (k, 3) base torque, N m
        "velocity",  # (k, 3) target velocity, rad/s in child joint axes
        "target",  # (k, 4) orientation; AXIS: coordinate in the first slot. Counts where `held`
        "held",  # (k,) 1: gains and target of motor k are these, whatever its tables say
        "torque",  # (n, 3) added in moving joint n, child joint axes, N m; AXIS: first slot
        "force",  # (b, 3) on the centre of mass of authored body b, world, N
        "moment",  # (b, 3) on authored body b, world, N m
        "acted",  # (b, 6) force and moment of the last evaluation, for the ledger
        "excitation",  # (m,) of muscle m; NaN: its own
        "used",  # (2,) 1 where `torque` counts, 1 where `force` and `moment` count
    ],
)
TORQUES, FORCES = 0, 1
"""Slots of `Commands.used`."""


def new_commands(jf: JointForces, bodies: int, excitation: np.ndarray) -> Commands:
    """Commands that change nothing. excitation (m,): shared with the state of the muscles."""
    motors = jf.motors
    joints, count = len(jf.damping), len(motors.gains)
    return Commands(
        gains=motors.gains.copy(),
        base=motors.base.copy(),
        velocity=motors.velocity.copy(),
        target=motors.target[motors.target_first[:-1]].copy().reshape(count, 4),
        held=np.zeros(count, dtype=np.int64),
        torque=np.zeros((joints, 3)),
        force=np.zeros((bodies, 3)),
        moment=np.zeros((bodies, 3)),
        acted=np.zeros((bodies, 6)),
        excitation=excitation,
        used=np.zeros(2, dtype=np.int64),
    )


@compiled
def add_commanded_torque(commands, i, torque, impedance, active):
    """Add the torque commanded for joint i to category ACTUATION."""
    open_category(torque, impedance, active, i, ACTUATION)
    for k in range(3):
        torque[i, ACTUATION, k] += commands.torque[i, k]
