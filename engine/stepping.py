"""The whole loop inside compiled code: steps until the next frames are written, or until something needs attention.

One loop per integrator, so that only what is used is compiled. Each returns (status, frames written). The state is never
evaluated twice at one time, so results do not depend on how many frames are asked for at once.
"""

from .contact.arrays import COUNT
from .contact.near import prepare_contacts
from .energy import GRAVITY, KINETIC, RESIDUAL, gravity_energy, kinetic_energy
from .forces import evaluate
from .frames import write_frame
from .integrators.euler import forward_euler, symplectic_euler
from .integrators.implicit import implicit_step
from .integrators.runge_kutta import MIDPOINT_A, MIDPOINT_B, RK4_A, RK4_B, runge_kutta_step
from .integrators.variable_step import variable_step
from .jit import compiled, spliced

GO_ON, FINISHED, PAUSED, PROBED, GROW, TOO_FAST, NOT_FINITE, ENERGY_GREW = 0, 1, 2, 3, 4, 5, 6, 7
"""Status of a run: all is well; last frame written; buffer full; contacts found and nothing else done; arrays too small;
a body over the speed bound; NaN or infinity; energy from nowhere."""

FRAME, STEP_IN_FRAME, STEPS, IS_PROBE = 0, 1, 2, 3
"""Slots of `State.clock`: output times passed, steps since the last of them, steps in all, 1 to only look at contacts."""

UNEXPLAINED_SHARE = 0.25
"""Energy that appears from nowhere, as a share of all energy that moved, above which a run has diverged."""
UNEXPLAINED_FLOOR = 1.0
"""J"""


@spliced
def fastest_body(k, w, culprit):
    """Largest speed of any moving body (sum of components, m/s); NaN where a speed is not finite.

    culprit[0] becomes the body.
    """
    fastest = 0.0
    for i in range(len(k.tree.mass)):
        speed = abs(w.velocity[i, 0]) + abs(w.velocity[i, 1]) + abs(w.velocity[i, 2])
        turn = abs(w.omega[i, 0]) + abs(w.omega[i, 1]) + abs(w.omega[i, 2])
        if not speed + turn < 1e300:
            culprit[0] = i
            return float("nan")
        if speed > fastest:
            fastest = speed
            culprit[0] = i
    return fastest


@spliced
def energy_is_unexplained(s, out, f):
    """True where the residual of frame f is positive and large against the energy that moved."""
    moved = abs(out.energy[f, KINETIC]) + abs(out.energy[f, GRAVITY] - s.energy_start[1])
    for term in range(GRAVITY + 1, RESIDUAL):
        moved += abs(out.energy[f, term])
    return out.energy[f, RESIDUAL] > UNEXPLAINED_SHARE * moved + UNEXPLAINED_FLOOR


@spliced
def begin_step(k, s, w, out, written, t, h):
    """Evaluate the state at t, check it, and write it where an output time is due: (status, frames written).

    h: step of the linearly implicit terms, 0 for none.
    """
    params = k.params
    if not prepare_contacts(k.surfaces, s.contact, k.tree, w, s.q, s.u, t, 4.0 * s.longest_step[0]):
        return GROW, written
    evaluate(k, s, w, s.q, s.u, t, h)
    if s.clock[IS_PROBE] != 0:
        return PROBED, written
    if 2 * s.contact.counter[COUNT] > len(s.contact.who):
        return GROW, written
    speed = fastest_body(k, w, s.culprit)
    if not speed <= params.max_speed:
        return (TOO_FAST if speed == speed else NOT_FINITE), written
    if s.clock[STEPS] == 0:
        s.energy_start[1] = gravity_energy(k.tree, w, params.gravity)
        s.energy_start[0] = kinetic_energy(k.tree, w) + s.energy_start[1]
    if s.clock[STEP_IN_FRAME] == 0:
        write_frame(k, s, w, out, written, t)
        written += 1
        if energy_is_unexplained(s, out, written - 1):
            return ENERGY_GREW, written
        if s.clock[FRAME] >= params.last_frame:
            return FINISHED, written
    return GO_ON, written


@spliced
def now(k, s):
    """Time of the state, from whole frames and the time since, so that it gathers no rounding error."""
    return s.clock[FRAME] * k.params.output_step + s.elapsed[0]


@spliced
def finish_step(k, s, advanced, reached):
    """Count a step; `reached`: it ended at the next output time."""
    s.clock[STEPS] += 1
    s.clock[STEP_IN_FRAME] += 1
    s.elapsed[0] += advanced
    if reached:
        s.clock[FRAME] += 1
        s.clock[STEP_IN_FRAME] = 0
        s.elapsed[0] = 0.0


@spliced
def is_frame_next(k, s):
    """Whether the fixed step that comes ends at an output time."""
    return s.clock[STEP_IN_FRAME] + 1 == k.params.steps_per_frame


@compiled
def advance_symplectic(k, s, w, x, out):
    """Symplectic Euler."""
    h = k.params.time_step
    written = 0
    while True:
        t = now(k, s)
        status, written = begin_step(k, s, w, out, written, t, h)
        if status != GO_ON:
            return status, written
        symplectic_euler(k, s, w, x, t, h)
        reached = is_frame_next(k, s)
        finish_step(k, s, h, reached)
        if reached and written == len(out.times):
            return PAUSED, written


@compiled
def advance_forward(k, s, w, x, out):
    """Forward Euler."""
    h = k.params.time_step
    written = 0
    while True:
        t = now(k, s)
        status, written = begin_step(k, s, w, out, written, t, 0.0)
        if status != GO_ON:
            return status, written
        forward_euler(k, s, w, x, t, h)
        reached = is_frame_next(k, s)
        finish_step(k, s, h, reached)
        if reached and written == len(out.times):
            return PAUSED, written


@compiled
def advance_runge_kutta(k, s, w, x, out):
    """The explicit Runge-Kutta method of the tableau in x (midpoint, classical order 4)."""
    h = k.params.time_step
    written = 0
    while True:
        t = now(k, s)
        status, written = begin_step(k, s, w, out, written, t, 0.0)
        if status != GO_ON:
            return status, written
        runge_kutta_step(k, s, w, x, x.tableau_a, x.tableau_b, t, h)
        reached = is_frame_next(k, s)
        finish_step(k, s, h, reached)
        if reached and written == len(out.times):
            return PAUSED, written


@compiled
def advance_implicit(k, s, w, x, out):
    """Linearly implicit ROS2."""
    h = k.params.time_step
    written = 0
    while True:
        t = now(k, s)
        status, written = begin_step(k, s, w, out, written, t, 0.0)
        if status != GO_ON:
            return status, written
        implicit_step(k, s, w, x, t, h)
        reached = is_frame_next(k, s)
        finish_step(k, s, h, reached)
        if reached and written == len(out.times):
            return PAUSED, written


@compiled
def advance_variable(k, s, w, x, out):
    """Error-controlled steps that end at output times."""
    written = 0
    while True:
        t = now(k, s)
        status, written = begin_step(k, s, w, out, written, t, 0.0)
        if status != GO_ON:
            return status, written
        left = k.params.output_step - s.elapsed[0]
        taken = variable_step(k, s, w, x, t, left)
        reached = left - taken < 1e-12 * k.params.output_step
        finish_step(k, s, taken, reached)
        if reached and written == len(out.times):
            return PAUSED, written


ADVANCE = {
    "symplectic_euler": advance_symplectic,
    "forward_euler": advance_forward,
    "midpoint": advance_runge_kutta,
    "runge_kutta_4": advance_runge_kutta,
    "variable_step": advance_variable,
    "implicit": advance_implicit,
}
TABLEAU = {"midpoint": (MIDPOINT_A, MIDPOINT_B), "runge_kutta_4": (RK4_A, RK4_B)}
"""Of the Runge-Kutta methods with fixed steps."""
