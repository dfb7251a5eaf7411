"""The whole loop inside compiled code: steps until the next frames are written, or until something needs attention."""

from math import sqrt

from ..contact.arrays import COUNT, TICK
from ..contact.near import prepare_contacts
from ..jit.decorators import compiled, spliced
from ..jit.lanes import lanes_at
from ..jit.late import late
from ..maths.rows import cross, dot
from ..spec import INTEGRATORS
from .adaptive import (
    AGAIN,
    BOUND,
    LAST,
    MOVED,
    PLANNED,
    SETTLED,
    STAGE,
    TRIED,
    fill_samples,
    is_accepted,
    keep_accelerations,
    keep_state,
    planned_ticks,
    take_back,
)
from .control import call_controllers
from .energy import GRAVITY, KINETIC, RESIDUAL, accumulate_work, gravity_energy, kinetic_energy
from .forces import commit, evaluate_from
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

KEPT, BACK, NO_ROOM = range(3)
"""What `settle` says of a step: it is kept; the present state is to be evaluated (again); arrays are too small."""

UNEXPLAINED_SHARE = 0.25
"""Energy that no force explains, as a share of all energy that moved, above which a run has diverged."""
UNEXPLAINED_FLOOR = 1.0
"""J"""
CONTROL_MARGIN = 1e-3
"""Of a step: how much earlier than its time a call may come, against rounding."""


@compiled
def fastest_body(w, mass, found):
    """Largest speed of the centre of mass of any moving body, m/s; NaN where a speed or turn rate is not finite.

    mass (n,): kg. The massless links inside a joint that slides turn with its parent, at any distance: their speed is
    no body's, and only that it is finite counts. found (1,): the body is written here.
    """
    fastest = 0.0
    for i in range(len(mass)):
        omega = lanes_at(w.omega, i, 0)
        v = lanes_at(w.velocity, i, 0) + cross(omega, lanes_at(w.com, i, 0))
        square = dot(v, v)
        if not square + dot(omega, omega) < 1e300:
            found[0] = i
            return float("nan")
        if square > fastest and mass[i] > 0.0:
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
def finish_step(clock, elapsed, advanced, ticks, reached):
    """Count a step of so many time steps; `reached`: it ended at the next output time."""
    clock[STEPS] += ticks
    clock[STEP_IN_FRAME] += ticks
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


@spliced
def plan(k, s, x, t):
    """Choose the step from the present state, where steps adapt, and see how far ahead the near lists must hold."""
    steps = x.steps
    h = k.params.time_step
    ahead = 4.0 * s.longest_step[0]
    steps.choice[PLANNED] = planned_ticks(
        k.params,
        steps,
        s.control,
        s.contact,
        s.clock[STEPS],
        s.clock[STEP_IN_FRAME],
        t,
        ahead,
        CONTROL_MARGIN * h,
    )
    if steps.choice[STAGE] != TRIED:
        s.longest_step[0] = steps.choice[PLANNED] * h


@spliced
def settle(k, s, w, x, speed, t):
    """Judge the step that led to the present state, whose evaluation is in the workspace, where steps adapt: KEPT, BACK
    or NO_ROOM.

    The lists of near surfaces are only renewed once a trial is accepted, since this gives slots new places.
    """
    c = s.contact
    steps = x.steps
    stage = steps.choice[STAGE]
    verdict = KEPT
    if stage == MOVED or stage == TRIED:
        is_sound = speed <= k.params.max_speed and 2 * c.counter[COUNT] <= len(c.who)
        accepted = is_accepted(k.params, steps, c, w, k.surfaces.host_reach, s.clock[STEPS])
        if stage == TRIED and not (accepted and is_sound):
            if accepted:
                steps.choice[BOUND] = 1
            take_back(s, w, steps)
            verdict = BACK
        else:
            keep_accelerations(w, steps)
            steps.choice[STAGE] = SETTLED
            if stage == TRIED:
                s.longest_step[0] = steps.choice[PLANNED] * k.params.time_step
                looked = c.counter[TICK]
                if not prepare_contacts(k.surfaces, c, k.tree, w, s.q, s.u, t, 4.0 * s.longest_step[0]):
                    verdict = NO_ROOM
                elif c.counter[TICK] != looked:
                    verdict = BACK
    return verdict


@compiled
def step_on(k, s, w, x, out):
    """Steps and output times of `advance`: (status, frames written).

    A step: renew the lists of near surfaces if needed, evaluate, sample the sensors, write the frame if one is due,
    call whoever controls, advance the history, and move. The state is never recorded twice at one time, so results do
    not depend on the size of the buffer: after Python was asked, the step goes on from its evaluation. Time is counted
    in whole time steps, or frames and the time since where steps vary freely, so it gathers no rounding error over a
    run, and with a fixed step does not depend on the output step. Adaptive steps: see `adaptive`.
    """
    params = k.params
    clock = s.clock
    choice = x.steps.choice
    method = params.integrator
    h = params.time_step
    adapts = params.most_ticks > 1
    written = 0
    out.history_count[0] = 0
    out.sample_count[0] = 0
    while True:
        t = clock[STEPS] * h
        if method == VARIABLE:
            t = clock[FRAME] * params.output_step + s.elapsed[0]
        if s.control.asked[0] == 0:
            if adapts:
                plan(k, s, x, t)
            if choice[STAGE] != TRIED:
                if not prepare_contacts(
                    k.surfaces, s.contact, k.tree, w, s.q, s.u, t, 4.0 * s.longest_step[0]
                ):
                    return GROW, written
            kick = 0.5 * (choice[LAST] + choice[PLANNED]) * h if method == SYMPLECTIC else 0.0
            evaluate_from(k, s, w, s.q, s.u, t, t - 0.5 * (choice[LAST] - 1) * h, kick)
            if clock[IS_PROBE] != 0:
                return PROBED, written
            speed = fastest_body(w, k.tree.mass, s.fastest)
            again = choice[STAGE] == AGAIN
            if adapts:
                if choice[STAGE] == MOVED or choice[STAGE] == TRIED:
                    x.steps.turn_step[0] = kick
                verdict = settle(k, s, w, x, speed, t)
                if verdict == NO_ROOM:
                    return GROW, written
                if verdict == BACK:
                    continue
            if 2 * s.contact.counter[COUNT] > len(s.contact.who):
                return GROW, written
            if not speed <= params.max_speed:
                return (TOO_FAST if speed == speed else NOT_FINITE), written
            if not again:
                if clock[STEPS] == 0:
                    s.energy_start[1] = gravity_energy(k.tree, w, params.gravity)
                    s.energy_start[0] = kinetic_energy(k.tree, w) + s.energy_start[1]
                if method == IMPLICIT and clock[STEPS] > 0:
                    accumulate_work(
                        k, s, w, 0.5 * h, 0.0
                    )  # trapezoidal rule: the second half of the last step
                if len(out.samples) > 0:
                    write_sensors(k.sensors, k.surfaces.owner, s.contact, w, out, t)
                    if adapts:
                        fill_samples(x.steps, out, clock[STEPS], h)
                if clock[STEP_IN_FRAME] == 0:
                    write_frame(k, s, w, out, written, clock[FRAME] * params.output_step)
                    written += 1
                    # the implicit method steps over stiff transients, whose work no quadrature on its steps can find
                    if method != IMPLICIT and energy_is_unexplained(
                        out.energy[written - 1], s.energy_start[1]
                    ):
                        return ENERGY_GREW, written
                    if clock[FRAME] >= params.last_frame:
                        return FINISHED, written
                if s.control.due[0] <= t + CONTROL_MARGIN * h:
                    call_controllers(k, s, w, t, CONTROL_MARGIN * h)
                    if s.control.asked[0] != 0:
                        return PAUSED, written
        s.control.asked[0] = 0
        ticks = choice[PLANNED]
        advanced = ticks * h
        if method == SYMPLECTIC:
            kick = 0.5 * (choice[LAST] + ticks) * h
            if ticks > 1:
                keep_state(s, w, x.steps)
            commit(k, s, w, t, choice[LAST] * h, kick, advanced)
            accumulate_work(k, s, w, kick, 0.5 * kick)
            expect_momenta(k.tree, s.released, w, params.gravity, kick, advanced)
            symplectic_euler(k.tree, s.q, s.u, w.u_dot, x.delta, kick, advanced)
            turn_step = float(x.steps.turn_step[0]) if adapts else h
            turn_drifted(k.tree, w, s.q, advanced * (2.0 * kick - advanced) / (turn_step * turn_step))
        else:
            commit(k, s, w, t, float(x.step[1]), float(x.step[1]), float(x.step[1]))
            if method == IMPLICIT:
                accumulate_work(k, s, w, 0.5 * h, 0.0)
                implicit_step(k, s, w, x, t, h)
            elif method == FORWARD:
                accumulate_work(k, s, w, h, 0.5 * h)
                forward_euler(k.tree, s.q, s.u, w.u_dot, x.delta, h)
            else:
                left = (
                    min(params.output_step - s.elapsed[0], s.control.due[0] - t) if method == VARIABLE else h
                )
                if len(k.muscles.kind) > 0 or len(k.tyres.body) > 0:
                    left = min(left, h)  # the error control does not see activation, fibre length and treads
                advanced = explicit_step(k, s, w, x, t, left, method == VARIABLE)
        if method == VARIABLE:
            reached = params.output_step - s.elapsed[0] - advanced < 1e-12 * params.output_step
        else:
            reached = clock[STEP_IN_FRAME] + ticks == params.steps_per_frame
        finish_step(clock, s.elapsed, advanced, ticks, reached)
        if adapts:
            choice[STAGE] = TRIED if ticks > 1 else MOVED
            choice[LAST] = ticks
            x.steps.tally[ticks] += 1
        if reached and (written == len(out.times) or not has_history_room(s.contact, out)):
            return PAUSED, written
        if not has_sample_room(out, ticks):
            return PAUSED, written
