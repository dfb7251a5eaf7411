"""The whole loop inside compiled code: steps until the next frames are written, or until something needs attention."""

from math import sqrt

from ..bodies.kinematics import point_velocity
from ..contact.arrays import COUNT
from ..contact.near import prepare_contacts
from ..jit.decorators import compiled
from ..jit.late import late
from ..maths.vector import dot, load3
from ..spec import INTEGRATORS
from .control import call_controllers
from .energy import GRAVITY, KINETIC, RESIDUAL, accumulate_work, gravity_energy, kinetic_energy
from .forces import commit, evaluate
from .frames import has_history_room, has_sample_room, write_frame
from .integrators.euler import forward_euler, symplectic_euler
from .integrators.implicit import implicit_step
from .integrators.momentum import expect_momenta, turn_drifted
from .integrators.runge_kutta import BOGACKI_SHAMPINE, MIDPOINT, RUNGE_KUTTA_4
from .integrators.variable_step import explicit_step
from .sensors import write_sensors

SYMPLECTIC = INTEGRATORS.index("symplectic_euler")
FORWARD = INTEGRATORS.index("forward_euler")
VARIABLE = INTEGRATORS.index("variable_step")
IMPLICIT = INTEGRATORS.index("implicit")
TABLEAU = {"midpoint": MIDPOINT, "runge_kutta_4": RUNGE_KUTTA_4, "variable_step": BOGACKI_SHAMPINE}
"""Of the Runge-Kutta methods."""

FINISHED, PAUSED, PROBED, GROW, TOO_FAST, NOT_FINITE, ENERGY_GREW = range(7)
"""Status of a run: last frame written; buffer full, or Python is asked; contacts found and nothing else done; arrays
too small; a body over the speed bound; NaN or infinity; energy that no force explains."""

FRAME, STEP_IN_FRAME, STEPS, IS_PROBE = 0, 1, 2, 3
"""Slots of `State.clock`: output times passed, steps since the last of them, steps in all, 1 to only find contacts."""

UNEXPLAINED_SHARE = 0.25
"""Energy that no force explains, as a share of all energy that moved, above which a run has diverged."""
UNEXPLAINED_FLOOR = 1.0
"""J"""
CONTROL_MARGIN = 1e-3
"""Of a step: how much earlier than its time a call may come, against rounding."""


@compiled
def fastest_body(w, bodies, found):
    """Largest speed of the centre of mass of any moving body, m/s; NaN where a speed or turn rate is not finite.

    found (1,): the body is written here.
    """
    fastest = 0.0
    for i in range(bodies):
        omega = load3(w.omega, i)
        v = point_velocity(w, i, load3(w.com, i))
        square = dot(v, v)
        if not square + dot(omega, omega) < 1e300:
            found[0] = i
            return float("nan")
        if square > fastest:
            fastest = square
            found[0] = i
    return sqrt(fastest)


@compiled
def energy_is_unexplained(energy, gravity_start):
    """True where the residual of a frame's energy row is positive and large against the energy that moved."""
    moved = abs(energy[KINETIC]) + abs(energy[GRAVITY] - gravity_start)
    for term in range(GRAVITY + 1, RESIDUAL):
        moved += abs(energy[term])
    return energy[RESIDUAL] > UNEXPLAINED_SHARE * moved + UNEXPLAINED_FLOOR


@compiled
def finish_step(clock, elapsed, advanced, reached):
    """Count a step; `reached`: it ended at the next output time."""
    clock[STEPS] += 1
    clock[STEP_IN_FRAME] += 1
    elapsed[0] += advanced
    if reached:
        clock[FRAME] += 1
        clock[STEP_IN_FRAME] = 0
        elapsed[0] = 0.0


@late(bundles=5, floats=0)
def advance(k, s, w, x, out):
    """Step and write output times until the buffer is full or something happens.

    Frames.ended (2,): the status and the number of frames written are put here.
    """
    out.ended[0], out.ended[1] = step_on(k, s, w, x, out)


@compiled
def step_on(k, s, w, x, out):
    """Steps and output times of `advance`: (status, frames written).

    A step: renew the lists of near surfaces if needed, evaluate, sample the sensors, write the frame if one is due,
    call whoever controls, advance the history, and move. The state is never evaluated twice at one time, so results do
    not depend on the size of the buffer: after Python was asked, the step goes on from its evaluation. Time is counted
    in whole steps, or frames and the time since where steps vary, so it gathers no rounding error over a run, and with
    a fixed step does not depend on the output step.
    """
    params = k.params
    clock = s.clock
    method = params.integrator
    h = params.time_step
    h_implicit = h if method == SYMPLECTIC else 0.0
    written = 0
    out.history_count[0] = 0
    out.sample_count[0] = 0
    while True:
        t = clock[STEPS] * h
        if method == VARIABLE:
            t = clock[FRAME] * params.output_step + s.elapsed[0]
        if s.control.asked[0] == 0:
            if not prepare_contacts(k.surfaces, s.contact, k.tree, w, s.q, s.u, t, 4.0 * s.longest_step[0]):
                return GROW, written
            evaluate(k, s, w, s.q, s.u, t, h_implicit)
            if clock[IS_PROBE] != 0:
                return PROBED, written
            if 2 * s.contact.counter[COUNT] > len(s.contact.who):
                return GROW, written
            speed = fastest_body(w, len(k.tree.mass), s.fastest)
            if not speed <= params.max_speed:
                return (TOO_FAST if speed == speed else NOT_FINITE), written
            if clock[STEPS] == 0:
                s.energy_start[1] = gravity_energy(k.tree, w, params.gravity)
                s.energy_start[0] = kinetic_energy(k.tree, w) + s.energy_start[1]
            if method == IMPLICIT and clock[STEPS] > 0:
                accumulate_work(k, s, w, 0.5 * h, 0.0)  # trapezoidal rule: the second half of the last step
            if len(out.samples) > 0:
                write_sensors(k.sensors, k.surfaces.owner, s.contact, w, out, t)
            if clock[STEP_IN_FRAME] == 0:
                write_frame(k, s, w, out, written, clock[FRAME] * params.output_step)
                written += 1
                # the implicit method steps over stiff transients, whose work cannot be found by quadrature on its steps
                if method != IMPLICIT and energy_is_unexplained(out.energy[written - 1], s.energy_start[1]):
                    return ENERGY_GREW, written
                if clock[FRAME] >= params.last_frame:
                    return FINISHED, written
            if s.control.due[0] <= t + CONTROL_MARGIN * h:
                call_controllers(k, s, w, t, CONTROL_MARGIN * h)
                if s.control.asked[0] != 0:
                    return PAUSED, written
        s.control.asked[0] = 0
        advanced = h
        commit(k, s, w, t, float(x.step[1]))
        if method == IMPLICIT:
            accumulate_work(k, s, w, 0.5 * h, 0.0)
        elif method == SYMPLECTIC or method == FORWARD:
            accumulate_work(k, s, w, h, 0.5 * h)
        if method == SYMPLECTIC:
            expect_momenta(k.tree, s.released, w, params.gravity, h)
            symplectic_euler(k.tree, s.q, s.u, w.u_dot, x.delta, h)
            turn_drifted(k.tree, w, s.q)
        elif method == FORWARD:
            forward_euler(k.tree, s.q, s.u, w.u_dot, x.delta, h)
        elif method == IMPLICIT:
            implicit_step(k, s, w, x, t, h)
        else:
            left = min(params.output_step - s.elapsed[0], s.control.due[0] - t) if method == VARIABLE else h
            if len(k.muscles.kind) > 0 or len(k.tyres.body) > 0:
                left = min(left, h)  # the error control does not see activation, fibre length and treads
            advanced = explicit_step(k, s, w, x, t, left, method == VARIABLE)
        if method == VARIABLE:
            reached = params.output_step - s.elapsed[0] - advanced < 1e-12 * params.output_step
        else:
            reached = clock[STEP_IN_FRAME] + 1 == params.steps_per_frame
        finish_step(clock, s.elapsed, advanced, reached)
        if reached and (written == len(out.times) or not has_history_room(s.contact, out)):
            return PAUSED, written
        if not has_sample_room(out):
            return PAUSED, written
