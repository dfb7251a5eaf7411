"""Sensors: chosen quantities of chosen bodies, written at every step from what its evaluation left in the workspace.

The load through the joint of a moving body is known without a pass over the tree: with the articulated inertia, bias
and accelerations that the solver holds, force = H' alpha + M a + f and moment = J alpha + H a + n (docs/derivations.md,
Joint loads at every step).
"""

from ..bodies.dynamics import joint_force, joint_moment
from ..contact.arrays import COUNT, EFFECTIVE, ELLIPSOID_A, ELLIPSOID_B, OWNER_BODY
from ..jit.decorators import compiled, inlined
from ..jit.lanes import lanes, lanes_at, three_at
from ..maths.rows import cross, mat_mul, mat_t_vec, mat_vec, numbers, packed_rows, wide_rows
from ..maths.vector import add, put3, slice3, sub
from ..spec import SENSOR_QUANTITIES

ACCELERATION, TURN_RATE, JOINT_FORCE, JOINT_MOMENT, CONTACT_FORCE = range(len(SENSOR_QUANTITIES))
"""Columns of `Sensors.channel`."""


@inlined
def point_acceleration(w, i, R, arm):
    """World acceleration less gravity of the point at `arm` (moving frame) from the reference point of body i, m/s2."""
    omega = lanes_at(w.omega, i, 0)
    r = mat_vec(R, arm)
    return lanes_at(w.acceleration, i, 0) + (
        cross(lanes_at(w.alpha, i, 0), r) + cross(omega, cross(omega, r))
    )


@inlined
def contact_sum(owner, c, body):
    """Sum of the contact forces on an authored body, world axes, N."""
    total = (0.0, 0.0, 0.0)
    for j in range(c.counter[COUNT]):
        if owner[c.who[j, ELLIPSOID_A], OWNER_BODY] == body:
            total = add(total, slice3(c.contact[j], EFFECTIVE))
        elif c.who[j, ELLIPSOID_B] >= 0 and owner[c.who[j, ELLIPSOID_B], OWNER_BODY] == body:
            total = sub(total, slice3(c.contact[j], EFFECTIVE))
    return total


@compiled
def write_sensors(sensors, owner, c, w, out, t):
    """Write one row of samples: (channels, 3) in the axes of each sensor, and its time t (s)."""
    row = out.sample_count[0]
    out.sample_count[0] = row + 1
    out.sample_times[row] = t
    for j in range(len(sensors.host)):
        i = sensors.host[j]
        R = wide_rows(w.rotation, i)
        axes = packed_rows(sensors.rotation, j)
        if sensors.in_world[j] == 0:
            axes = mat_mul(R, axes)
        channel = sensors.channel[j]
        sample = out.samples[row]
        if channel[ACCELERATION] >= 0:
            a = point_acceleration(w, i, R, three_at(sensors.point, j, 0))
            put3(sample[channel[ACCELERATION]], 0, numbers(mat_t_vec(axes, a)))
        if channel[TURN_RATE] >= 0:
            put3(sample[channel[TURN_RATE]], 0, numbers(mat_t_vec(axes, lanes_at(w.omega, i, 0))))
        if channel[JOINT_FORCE] >= 0:
            put3(sample[channel[JOINT_FORCE]], 0, numbers(mat_t_vec(axes, joint_force(w, i))))
        if channel[JOINT_MOMENT] >= 0:
            put3(sample[channel[JOINT_MOMENT]], 0, numbers(mat_t_vec(axes, joint_moment(w, i))))
        if channel[CONTACT_FORCE] >= 0:
            fx, fy, fz = contact_sum(owner, c, sensors.body[j])
            put3(sample[channel[CONTACT_FORCE]], 0, numbers(mat_t_vec(axes, lanes(fx, fy, fz))))
