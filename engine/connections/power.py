"""Power of the connections on the bodies, for the energy ledger."""

from ..bodies.kinematics import point_acceleration
from ..jit.decorators import compiled
from ..maths.vector import add_scaled, dot, load3, sub


@compiled
def connection_power(cn, state, w, shift, gravity):
    """W: all loads of the last evaluation on their bodies, with velocities `shift` seconds on."""
    power = 0.0
    for j in range(len(cn.point_body)):
        body = cn.point_body[j]
        if body < len(w.com):
            arm = sub(load3(state.load_point, j), load3(w.position, body))
            v = add_scaled(load3(state.load_velocity, j), shift, point_acceleration(w, body, arm, gravity))
            omega = add_scaled(load3(w.omega, body), shift, load3(w.alpha, body))
            power += dot(load3(state.load_force, j), v) + dot(load3(state.load_torque, j), omega)
    return power
