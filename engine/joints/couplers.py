"""Couplers: one joint's coordinate follows another's in proportion, by a spring-damper on the mismatch.

c = follower - ratio * leader - offset costs the energy k c^2 / 2. Its gradient gives the follower the torque -f along
its coordinate and the leader ratio * f along its own (f = k c + d c_dot), so power in equals power out plus what the
damper takes, and no energy is made (docs/derivations.md, Couplers).
"""

from ..bodies.coordinates import joint_coordinates, joint_quaternion, joint_velocity, row
from ..bodies.workspace import ACTUATION
from ..jit.decorators import compiled
from ..maths.vector import dot
from .rows import add_along


@compiled
def add_coupler(couplers, e, group, q_address, u_address, q, u, h, torque, impedance, active):
    """Add coupler e to its two joints, category ACTUATION.

    Joints take impedance one by one, not crosswise: the two blocks are doubled, which bounds the coupled matrix from
    above, (x - y)^2 <= 2 x^2 + 2 y^2, and keeps the step stable for any stiffness.
    """
    leader = couplers.pair[e, 0]
    follower = couplers.pair[e, 1]
    phi_l, J_l = joint_coordinates(group[leader], joint_quaternion(group[leader], q_address[leader], q))
    phi_f, J_f = joint_coordinates(group[follower], joint_quaternion(group[follower], q_address[follower], q))
    a_l = row(J_l, couplers.axis[e, 0])
    a_f = row(J_f, couplers.axis[e, 1])
    ratio = float(couplers.gains[e, 0])
    stiffness = float(couplers.gains[e, 2])
    damping = float(couplers.gains[e, 3])
    rate = dot(a_f, joint_velocity(group[follower], u_address[follower], u)) - ratio * dot(
        a_l, joint_velocity(group[leader], u_address[leader], u)
    )
    mismatch = phi_f[couplers.axis[e, 1]] - ratio * phi_l[couplers.axis[e, 0]] - float(couplers.gains[e, 1])
    force = stiffness * (mismatch + h * rate) + damping * rate
    gain = 2.0 * (h * damping + h * h * stiffness)
    add_along(torque, impedance, active, follower, ACTUATION, a_f, force, gain)
    add_along(torque, impedance, active, leader, ACTUATION, a_l, -ratio * force, gain * ratio * ratio)
