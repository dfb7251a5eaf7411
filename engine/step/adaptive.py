"""Adaptive steps: whole multiples of the time step, long where nothing stiff happens, taken back if they were too long.

The time step is the *tick*; time is counted in ticks, and a step is some of them. A step of one tick is that of the
fixed step, and is never taken back. A longer one is a trial: the state before it is kept, and what the evaluation at
its end shows decides. It is taken back, and a shorter one tried, where a touch has begun within it or its error is
above the tolerance. Between two changes of size this is the default integrator; at a change speeds advance by the mean
of the steps before and after, so that they stay half a step behind the places (docs/derivations.md, Adaptive steps).

Nothing but the state decides, so the same scenario always takes the same steps.
"""

from collections import namedtuple
from math import ceil, inf

import numpy as np

from ..bodies.coordinates import copy_to
from ..contact.arrays import (
    ACTIVE,
    AHEAD,
    COUNT,
    EVENT_WIDTH,
    EVENTS,
    MARK_EVENT,
    NEAR_OBSTACLES,
    NEAR_PAIRS,
    SLOT_WIDTH,
    STEP,
    WHICH,
)
from ..jit.decorators import compiled, spliced
from ..maths.vector import load3, norm, sub
from .arrays import State
from .integrators.variable_step import SPEED_TIME

PLANNED, LAST, BOUND, TOUCH, STAGE, STOP, TAKEN_BACK = range(7)
"""Slots of `Steps.choice`: ticks of the step to come and of the last one, most ticks that the error allows, tick at
which a touch has begun at the latest, stage of the present state, number of the next stop, steps that were taken
back."""
SETTLED, MOVED, TRIED, AGAIN = range(4)
"""Stages of a state: nothing is to be judged; reached by one tick; reached by a trial; gone back to, and recorded."""

GROWTH = 8.0
"""How far below the tolerance an error must be for the next step to be twice as long: that makes it four times."""
LARGEST_TRAVEL = 0.01
"""m: no surface point moves further in one step while anything is near. What grazes another surface of radius r unseen
between the ends of a step then reaches d^2 / 8 r into it at most: 0.25 mm of a ball of 50 mm."""
ENDLESS = 1_000_000_000
"""Ticks: more than any step has."""

Steps = namedtuple(
    "Steps",
    [
        "choice",  # (7,) slots above
        "tally",  # (most + 1,) steps taken, by their ticks
        "stops",  # (k,) ticks that no step passes: rows of tables, beginnings and ends of pulses; then a last one
        "turn_step",  # (2,) s: step for which the turn in `Workspace.balance` was found, now and before the step
        "sample",  # (channels, 3) what the sensors measured last
        "acceleration",  # (n, 3) of the reference points in the last state that was kept, m/s2
        "alpha",  # (n, 3) rad/s2
        "q",  # (nq,) from here on: the state before the step
        "u",  # (nu,)
        "clock",  # (4,)
        "elapsed",  # (1,)
        "work",  # (TERMS,)
        "balance",  # (n, BALANCE_WIDTH)
        "released",  # (n,)
        "touched",  # (actors,)
        "friction",  # (n, FRICTION_STATE_SIZE) and so on: as in JointState
        "deepest",
        "hold",
        "broken",
        "joint_event",
        "parted",  # as in ConnectionState
        "parted_time",
        "taken",
        "deflection",  # (tyres, 2)
        "last",  # (1,) ticks of the step before
        "counter",  # (4,) active slots, contact events and commits before the step, rows that follow
        "which",  # (r,) slots of open events and of present contacts
        "mark",  # (r, 2) their marks
        "slot",  # (r, SLOT_WIDTH) what they remember
        "event",  # (r, EVENT_WIDTH) their open events
    ],
)
"""What the choice of the step needs, and the state before a trial."""


def new_steps(state: State, balance: np.ndarray, most: int, stops: np.ndarray, channels: int) -> Steps:
    """For a run whose steps have at most so many ticks, from its state at the start; with 1 nothing is kept.

    stops: ticks, in order. Of contacts as many can be kept as there is room for in the state when that has doubled.
    """
    rows = 4 * len(state.contact.who) if most > 1 else 0
    choice = np.zeros(7, dtype=np.int64)
    choice[[PLANNED, LAST, BOUND]] = 1
    joints, connections = state.joints, state.connections
    return Steps(
        choice=choice,
        tally=np.zeros(most + 1, dtype=np.int64),
        stops=np.append(stops.astype(np.int64), np.iinfo(np.int64).max),
        turn_step=np.ones(2),
        sample=np.zeros((channels, 3), dtype=np.float32),
        acceleration=np.zeros((len(state.released), 3)),
        alpha=np.zeros((len(state.released), 3)),
        q=state.q.copy(),
        u=state.u.copy(),
        clock=state.clock.copy(),
        elapsed=state.elapsed.copy(),
        work=state.work.copy(),
        balance=balance.copy(),
        released=state.released.copy(),
        touched=state.touched.copy(),
        friction=joints.friction.copy(),
        deepest=joints.deepest.copy(),
        hold=joints.hold.copy(),
        broken=joints.broken.copy(),
        joint_event=joints.event.copy(),
        parted=connections.parted.copy(),
        parted_time=connections.parted_time.copy(),
        taken=connections.taken.copy(),
        deflection=state.tyres.deflection.copy(),
        last=np.ones(1, dtype=np.int64),
        counter=np.zeros(4, dtype=np.int64),
        which=np.zeros(rows, dtype=np.int64),
        mark=np.zeros((rows, 2), dtype=np.int64),
        slot=np.zeros((rows, SLOT_WIDTH)),
        event=np.zeros((rows, EVENT_WIDTH)),
    )


@compiled
def ticks_to_call(control, t, h, margin):
    """Ticks of h from time t until somebody is called; 0 where that is now."""
    due = control.due[0]
    if due <= t + margin:
        return 0
    return ENDLESS if due == inf else int(ceil((due - t - margin) / h))


@compiled
def ticks_to_stop(choice, stops, tick):
    """Ticks until the next stop after `tick`."""
    while choice[STOP] > 0 and stops[choice[STOP] - 1] > tick:
        choice[STOP] -= 1
    while stops[choice[STOP]] <= tick:
        choice[STOP] += 1
    return stops[choice[STOP]] - tick


@compiled
def ticks_in_travel(c, ahead, h):
    """Ticks in which no surface point moves further than LARGEST_TRAVEL, by the bound found for `ahead` seconds."""
    way = c.reserve[AHEAD] / ahead * h
    if c.counter[NEAR_OBSTACLES] + c.counter[NEAR_PAIRS] == 0 or way * ENDLESS <= LARGEST_TRAVEL:
        return ENDLESS
    return int(LARGEST_TRAVEL / way)


@compiled
def planned_ticks(params, steps, control, c, tick, tick_in_frame, t, ahead, margin):
    """Ticks of the step that starts at t: as many as the error, a touch ahead and the travel allow, in even shares up
    to the next output time, call or stop. Where somebody is called at t it is one, and so is never taken back."""
    choice = steps.choice
    h = params.time_step
    call = ticks_to_call(control, t, h, margin)
    if call == 0 or 2 * len(c.who) > len(steps.which):
        return 1
    room = min(call, params.steps_per_frame - tick_in_frame)
    room = min(room, ticks_to_stop(choice, steps.stops, tick))
    most = min(choice[BOUND], ticks_in_travel(c, ahead, h))
    if tick < choice[TOUCH]:
        most = min(most, (choice[TOUCH] - tick) // 2)
    most = max(1, min(most, room))
    shares = (room + most - 1) // most
    return (room + shares - 1) // shares


@compiled
def step_error(w, steps, reach, h):
    """Error (m) of a step of h seconds, from the change of the accelerations over it, of any moving body.

    To first order a step misses h / 2 times the change of the acceleration in the speed. A speed error counts as what
    it makes in SPEED_TIME, a turn rate error with the reach of the body.
    """
    largest = 0.0
    for i in range(len(steps.alpha)):
        change = norm(sub(load3(w.acceleration, i), load3(steps.acceleration, i)))
        change += reach[i] * norm(sub(load3(w.alpha, i), load3(steps.alpha, i)))
        if not change <= largest:
            largest = change
    return 0.5 * h * SPEED_TIME * largest


@compiled
def keep_accelerations(w, steps):
    """Keep what `step_error` compares with."""
    for i in range(len(steps.alpha)):
        for j in range(3):
            steps.acceleration[i, j] = w.acceleration[i, j]
            steps.alpha[i, j] = w.alpha[i, j]


@compiled
def has_new_touch(c):
    """Whether a contact of the last evaluation has no event yet."""
    for j in range(c.counter[COUNT]):
        if c.mark[c.who[j, WHICH], MARK_EVENT] < 0:
            return True
    return False


@compiled
def is_accepted(params, steps, c, w, reach, tick):
    """Judge the step that led to `tick` by the evaluation at its end, and set what the next ones may be.

    One tick is always accepted. A touch within a longer step is approached by halves, until one tick meets it.
    """
    choice = steps.choice
    ticks = choice[LAST]
    error = step_error(w, steps, reach, ticks * params.time_step)
    if has_new_touch(c):
        if ticks > 1:
            choice[TOUCH] = tick
            return False
        choice[BOUND] = 1
    elif not error <= params.tolerance:
        choice[BOUND] = max(1, ticks // 2)
        return ticks == 1
    elif 2 * ticks > choice[BOUND] and GROWTH * error <= params.tolerance:
        choice[BOUND] = min(2 * choice[BOUND], params.most_ticks)
    return True


@compiled
def keep_contacts(c, steps):
    """Keep what `commit_contacts` may change: the slots with an open event and those of present contacts."""
    steps.counter[0] = c.counter[ACTIVE]
    steps.counter[1] = c.counter[EVENTS]
    steps.counter[2] = c.counter[STEP]
    active = c.counter[ACTIVE]
    for i in range(active + c.counter[COUNT]):
        which = c.active[i] if i < active else c.who[i - active, WHICH]
        steps.which[i] = which
        copy_to(steps.mark[i], c.mark[which])
        copy_to(steps.slot[i], c.slot[which])
        if c.mark[which, MARK_EVENT] >= 0:
            copy_to(steps.event[i], c.event[c.mark[which, MARK_EVENT]])
    steps.counter[3] = active + c.counter[COUNT]


@compiled
def put_contacts_back(c, steps):
    """Contacts as they were kept."""
    c.counter[ACTIVE] = steps.counter[0]
    c.counter[EVENTS] = steps.counter[1]
    c.counter[STEP] = steps.counter[2]
    for i in range(steps.counter[3]):
        which = steps.which[i]
        if i < steps.counter[0]:
            c.active[i] = which
        copy_to(c.mark[which], steps.mark[i])
        copy_to(c.slot[which], steps.slot[i])
        if c.mark[which, MARK_EVENT] >= 0:
            copy_to(c.event[c.mark[which, MARK_EVENT]], steps.event[i])


@compiled
def copy_rows(to, source):
    """Copy a table."""
    for i in range(len(source)):
        copy_to(to[i], source[i])


@spliced
def keep_state(s, w, steps):
    """Keep the state before a trial."""
    copy_to(steps.q, s.q)
    copy_to(steps.u, s.u)
    copy_to(steps.clock, s.clock)
    copy_to(steps.elapsed, s.elapsed)
    copy_to(steps.work, s.work)
    copy_rows(steps.balance, w.balance)
    copy_to(steps.released, s.released)
    copy_to(steps.touched, s.touched)
    copy_rows(steps.friction, s.joints.friction)
    copy_rows(steps.deepest, s.joints.deepest)
    copy_rows(steps.hold, s.joints.hold)
    copy_to(steps.broken, s.joints.broken)
    copy_rows(steps.joint_event, s.joints.event)
    copy_to(steps.parted, s.connections.parted)
    copy_to(steps.parted_time, s.connections.parted_time)
    copy_rows(steps.taken, s.connections.taken)
    copy_rows(steps.deflection, s.tyres.deflection)
    steps.last[0] = steps.choice[LAST]
    steps.turn_step[1] = steps.turn_step[0]
    keep_contacts(s.contact, steps)


@spliced
def take_back(s, w, steps):
    """Go back to the state before a trial, which is evaluated once more for a shorter step and not recorded again."""
    copy_to(s.q, steps.q)
    copy_to(s.u, steps.u)
    copy_to(s.clock, steps.clock)
    copy_to(s.elapsed, steps.elapsed)
    copy_to(s.work, steps.work)
    copy_rows(w.balance, steps.balance)
    copy_to(s.released, steps.released)
    copy_to(s.touched, steps.touched)
    copy_rows(s.joints.friction, steps.friction)
    copy_rows(s.joints.deepest, steps.deepest)
    copy_rows(s.joints.hold, steps.hold)
    copy_to(s.joints.broken, steps.broken)
    copy_rows(s.joints.event, steps.joint_event)
    copy_to(s.connections.parted, steps.parted)
    copy_to(s.connections.parted_time, steps.parted_time)
    copy_rows(s.connections.taken, steps.taken)
    copy_rows(s.tyres.deflection, steps.deflection)
    steps.tally[steps.choice[LAST]] -= 1
    steps.choice[LAST] = steps.last[0]
    steps.turn_step[0] = steps.turn_step[1]
    steps.choice[TAKEN_BACK] += 1
    steps.choice[STAGE] = AGAIN
    put_contacts_back(s.contact, steps)


@compiled
def fill_samples(steps, out, tick, h):
    """Put the samples at `tick`, just written as one row, where they belong after a step of several ticks, and between
    them and those before what lies on a straight line.

    Within an accepted step accelerations change by so little that this is exact to the order of the step; so channels
    have a sample at every tick, as filters want them.
    """
    ticks = steps.choice[LAST]
    first = out.sample_count[0] - 1
    end = first + ticks - 1
    for k in range(len(steps.sample)):
        for j in range(3):
            now = out.samples[first, k, j]
            before = steps.sample[k, j]
            for i in range(ticks):
                share = (i + 1) / ticks
                out.samples[first + i, k, j] = before + share * (now - before)
            out.samples[end, k, j] = now
            steps.sample[k, j] = now
    for i in range(ticks):
        out.sample_times[first + i] = (tick - ticks + 1 + i) * h
    out.sample_count[0] = end + 1
