"""Forces in joints: range of motion, resistance, springs, motors, torque pulses, couplers.

`compile_joint_forces` turns specs into arrays, `joint_forces` evaluates them, `start_friction` and `commit_friction`
keep the only history there is. `range_of_motion` and `presets` hold published ranges as data.
"""

from .arrays import FRICTION_STATE_SIZE, JointEntry, JointForces
from .compile import compile_joint_forces
from .forces import joint_forces
from .passive import commit_friction, start_friction

__all__ = [
    "FRICTION_STATE_SIZE",
    "JointEntry",
    "JointForces",
    "commit_friction",
    "compile_joint_forces",
    "joint_forces",
    "start_friction",
]
