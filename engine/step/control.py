"""When responses, drivers and controllers are called, and what they command as forces on bodies."""

from math import inf

from ..bodies.dynamics import add_force_at
from ..bodies.kinematics import point_acceleration, point_velocity
from ..jit.decorators import compiled, spliced
from ..jit.late import call_late
from ..maths.vector import add3, add_scaled, dot, load3, load9, mat_vec, put3, scale, slice3
from .arrays import CONTROLLER, DRIVERS, NOBODY, RESPONSES


@compiled
def is_due(control, who, t, margin):
    """Whether it is time for a call: the number of calls so far times the period has been reached."""
    return control.calls[who] * control.period[who] <= t + margin if control.period[who] < inf else False


@compiled
def set_due(control):
    """Time of the next call of anybody."""
    due = inf
    for who in range(len(control.calls)):
        if control.period[who] < inf:
            due = min(due, control.calls[who] * control.period[who])
    control.due[0] = due


@spliced
def call_controllers(k, s, w, t, margin):
    """Call whoever is due at time t, whose evaluation is in the workspace; what they command acts from the next step.

    Python cannot be called from here: `asked` is set, and the loop returns to it.
    """
    control = s.control
    if is_due(control, RESPONSES, t, margin):
        control.calls[RESPONSES] += 1
        call_late(k.responses.address, k, s, w, t, float(control.period[RESPONSES]))
    if is_due(control, DRIVERS, t, margin):
        control.calls[DRIVERS] += 1
        call_late(k.drivers.address, k, s, w, t, float(control.period[DRIVERS]))
    if is_due(control, CONTROLLER, t, margin):
        control.calls[CONTROLLER] += 1
        if control.address[0] == NOBODY:
            control.asked[0] = 1
        else:
            call_late(control.address[0], k, s, w, t, float(control.period[CONTROLLER]))
    set_due(control)


@compiled
def apply_commanded_forces(commands, authored, w):
    """Forces and moments that are commanded, on the centres of mass of authored bodies."""
    for b in range(len(authored.host)):
        force = load3(commands.force, b)
        moment = load3(commands.moment, b)
        put3(commands.acted[b], 0, force)
        put3(commands.acted[b], 3, moment)
        host = authored.host[b]
        add_force_at(w, host, force, mat_vec(load9(w.rotation, host), load3(authored.com, b)))
        add3(w.art_n, host, scale(-1.0, moment))


@compiled
def commanded_power(commands, authored, w, shift, gravity):
    """Power (W) of the forces and moments of the last evaluation, with velocities `shift` seconds on."""
    power = 0.0
    for b in range(len(authored.host)):
        host = authored.host[b]
        arm = mat_vec(load9(w.rotation, host), load3(authored.com, b))
        v = add_scaled(point_velocity(w, host, arm), shift, point_acceleration(w, host, arm, gravity))
        omega = add_scaled(load3(w.omega, host), shift, load3(w.alpha, host))
        power += dot(slice3(commands.acted[b], 0), v) + dot(slice3(commands.acted[b], 3), omega)
    return power
