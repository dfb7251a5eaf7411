"""All torques in the joints of one state: damping, limits, passive and actuation, kept apart for the energy ledger."""

from ..bodies.coordinates import joint_quaternion, joint_velocity
from ..bodies.workspace import CATEGORIES, DAMPING, PASSIVE
from ..jit.decorators import compiled, inlined
from ..spec.joint_types import AXIS, FREE
from .arrays import WHOLE
from .commands import TORQUES, add_commanded_torque
from .cone import add_cone, add_twist
from .couplers import add_coupler
from .limits import add_axis_limits
from .motors import add_motor, aim_motors
from .passive import add_friction, add_springs
from .pulses import add_pulses
from .rows import open_category


@compiled
def add_damping(damping, i, group, omega, h, hold, torque, impedance, active):
    """Add joint i's viscous damping: what is left about every axis to category DAMPING, which is isotropic, and what
    single axes have beyond that, where another gave way, to category PASSIVE. hold: (n, 4) share that is left."""
    least = float(hold[i, 0])
    if group < AXIS:
        least = min(least, float(hold[i, 1]), float(hold[i, 2]))
    active[i, DAMPING] = 1
    impedance[i, DAMPING, 0] = h * least * damping
    for k in range(3):
        torque[i, DAMPING, k] = -least * damping * omega[k]
        more = (float(hold[i, k]) - least) * damping
        if more > 0.0 and group < AXIS:
            open_category(torque, impedance, active, i, PASSIVE)
            torque[i, PASSIVE, k] -= more * omega[k]
            impedance[i, PASSIVE, k] += h * more


@inlined
def add_resistance(jf, i, kind, quaternion, omega, h, state, torque, impedance, active):
    """Add what joint i resists with beside damping: limits, friction and springs."""
    if jf.boxes.used[i] == 1:
        add_axis_limits(jf.boxes, i, kind, quaternion, omega, h, state.hold, torque, impedance, active)
    if jf.cones.row[i] >= 0:
        held = float(state.hold[i, WHOLE])
        add_cone(jf.cones, i, quaternion, omega, h, held, torque, impedance, active)
        add_twist(jf.cones, i, quaternion, omega, h, held, torque, impedance, active)
    if float(jf.friction[i, 0]) > 0.0:
        add_friction(jf.friction, i, kind, quaternion, omega, h, state, torque, impedance, active)
    if jf.springs.first[i + 1] > jf.springs.first[i]:
        add_springs(jf.springs, i, kind, quaternion, omega, h, state, torque, impedance, active)


@compiled
def joint_forces(
    jf, group, q_address, u_address, q, u, t, h, state, commands, aim, torque, impedance, active
):  # fmt: skip
    """Fill torque (n, 4, 3) and impedance (n, 4, 6) where active (n, 4) is set to 1.

    Torques act on the child, in child joint axes (AXIS: first slot). h > 0: linearly implicit, torque(t + h) =
    torque - impedance omega_dot. h = 0: the torque of this instant, impedance 0. Category DAMPING is isotropic: only
    the first impedance slot is written. state: `JointState`; commands: `Commands`; aim (n, 4): scratch of the motors.
    """
    aim_motors(jf.motors, commands, group, q_address, u_address, q, u, t, h, aim)
    for i in range(len(group)):
        kind = group[i]
        omega = joint_velocity(kind, u_address[i], u)
        for c in range(CATEGORIES):
            active[i, c] = 0
        if kind != FREE and float(jf.damping[i]) > 0.0:
            add_damping(float(jf.damping[i]), i, kind, omega, h, state.hold, torque, impedance, active)
        if jf.has[i] != 0:
            quaternion = joint_quaternion(kind, q_address[i], q)
            if kind != FREE:
                add_resistance(jf, i, kind, quaternion, omega, h, state, torque, impedance, active)
            if jf.motors.row[i] >= 0:
                add_motor(
                    jf.motors, commands, i, kind, omega, t, h, state.hold, aim, torque, impedance, active
                )
        if commands.used[TORQUES] != 0:
            add_commanded_torque(commands, i, torque, impedance, active)
        if len(jf.pulses.rows) > 0:
            add_pulses(jf.pulses, i, t, h, torque, impedance, active)
    for e in range(len(jf.couplers.pair)):
        add_coupler(jf.couplers, e, group, q_address, u_address, q, u, h, torque, impedance, active)
