"""The phases of muscles in a step: tensions and loads of an evaluation, their power, and the step of their state.

An evaluation at time t brings activation and fibre length from the time of the state to t, implicitly and without
changing the state, and applies the tensions there; so every integrator may ask for trial states. `commit_muscles` takes
the last evaluation over as the new state. Steps of the state are first order, whatever the integrator.
"""

from math import isnan, sqrt

from ..bodies.kinematics import point_acceleration
from ..jit.decorators import compiled, inlined
from ..jit.late import late
from ..maths.vector import add3, add_scaled, dot, load3, scale
from .activation import activation_after, base_excitation, excitation_of, remember
from .arrays import (
    ACTIVATION,
    AS_TORQUES,
    CONTRACTILE,
    DAMPING,
    DISSIPATED,
    EXCITATION,
    FASTEST,
    FIBRE_LENGTH,
    FIBRE_VELOCITY,
    FORM,
    LAG,
    LEAST,
    LENGTH,
    MAX_FORCE,
    OPTIMAL,
    PARALLEL_STORE,
    RIGID,
    SLACK,
    START,
    STIFFNESS,
    TENDON_STORE,
    TENSION,
    VELOCITY,
    WIDTH,
)
from .curves import contractile_force, elastic_force, parallel_energy, tendon_energy, tendon_force
from .fibre import SHORTEST, solve_along
from .paths import place_surfaces, project_on_joints, pull, trace_path

RUNNING, STARTING = 0.0, 1.0
"""Modes of `muscle_forces`: from the state, or in static equilibrium at the start."""


@inlined
def fibre_length(unit, along):
    """Fibre length of a fibre that reaches this far along the tendon, m."""
    width = float(unit[WIDTH])
    return sqrt(along * along + width * width)


@compiled
def starting_activation(m, i, t):
    """Given, or the excitation without reflex."""
    given = float(m.unit[i, START])
    if isnan(given):
        given = base_excitation(m, i, t)
    return max(float(m.unit[i, LEAST]), given)


@compiled
def rigid_tension(m, s, i, a, length, rate, step):
    """Tension (max forces) of a muscle whose tendon keeps its length; the fibre takes every change of the path.

    The velocity that counts is averaged over a lag of a few steps, chosen where the muscle is compiled so that the
    damping it brings to light bodies is stable.
    """
    unit = m.unit[i]
    form = m.kind[i, FORM]
    lag = float(unit[LAG])
    speed = float(s.speed[i])
    if step > 0.0:
        speed = (speed + step / lag * rate) / (1.0 + step / lag)
    x = max(length - float(unit[SLACK]), SHORTEST * float(unit[OPTIMAL]))
    fibre = fibre_length(unit, x)
    v = speed * x / fibre / float(unit[FASTEST])
    stiffness = float(unit[STIFFNESS])
    active, _, _ = contractile_force(form, a, fibre / float(unit[OPTIMAL]), v, stiffness)
    elastic, _ = elastic_force(form, fibre / float(unit[OPTIMAL]), stiffness)
    s.new_along[i] = x
    s.new_speed[i] = speed
    return max(0.0, active + elastic + float(unit[DAMPING]) * v) * x / fibre


@compiled
def elastic_tension(m, s, i, a, length, step, mode):
    """Tension (max forces) of a muscle with an elastic tendon, its fibre brought to the end of the step."""
    unit = m.unit[i]
    form = m.kind[i, FORM]
    before = float(s.along[i])
    x = before
    if mode == STARTING:
        x = solve_along(form, unit, a, length - float(unit[SLACK]), length, 0.0, 0.0)
        s.new_speed[i] = 0.0
    elif step > 0.0:
        guess = before + step * float(s.speed[i])
        x = solve_along(form, unit, a, guess, length, fibre_length(unit, before), 1.0 / step)
        s.new_speed[i] = (x - before) / step
    else:
        s.new_speed[i] = s.speed[i]
    s.new_along[i] = x
    slack = float(unit[SLACK])
    tension, _ = tendon_force(form, (length - x - slack) / slack)
    return float(unit[STIFFNESS]) * tension


@compiled
def report_muscle(m, s, i, u, a, length, rate, tension):
    """Output channels of muscle i, and the parts of its fibre force for the energy."""
    unit = m.unit[i]
    x = float(s.new_along[i])
    fibre = fibre_length(unit, x)
    velocity = float(s.new_speed[i]) * x / fibre
    row = s.output[i]
    row[EXCITATION] = u
    row[ACTIVATION] = a
    row[LENGTH] = length
    row[VELOCITY] = rate
    row[FIBRE_LENGTH] = fibre
    row[FIBRE_VELOCITY] = velocity
    row[TENSION] = tension
    # the fibre carries the tension: what is neither elastic nor damping is the contractile element's
    largest = float(unit[MAX_FORCE])
    damping = largest * float(unit[DAMPING]) * velocity / float(unit[FASTEST])
    elastic, _ = elastic_force(m.kind[i, FORM], fibre / float(unit[OPTIMAL]), float(unit[STIFFNESS]))
    s.new_fibre_force[i, 0] = tension * fibre / x - largest * elastic - damping
    s.new_fibre_force[i, 1] = damping


@compiled
def clear_loads(s):
    """Set all loads to zero."""
    for b in range(s.load_force.shape[0]):
        for c in range(3):
            s.load_force[b, c] = 0.0
            s.load_torque[b, c] = 0.0
    for i in range(s.applied_force.shape[0]):
        for c in range(3):
            s.applied_force[i, c] = 0.0
            s.applied_torque[i, c] = 0.0
            s.subtree_force[i, c] = 0.0
            s.subtree_torque[i, c] = 0.0


@late(5, 2)
def muscle_forces(m, s, tree, authored, w, t, mode):
    """Tensions at time t for the kinematics in the workspace, as loads on the bodies (added to their bias forces)."""
    step = t - float(s.time[0])
    clear_loads(s)
    place_surfaces(m, s, w)
    for i in range(len(m.kind)):
        length, rate = trace_path(m, s, w, i)
        u = excitation_of(m, s, i, t - 0.5 * step)
        a = activation_after(m, i, float(s.activation[i]), u, step)
        if mode == STARTING:
            a = starting_activation(m, i, t)
        if m.kind[i, RIGID] != 0:
            tension = rigid_tension(m, s, i, a, length, rate, step)
        else:
            tension = elastic_tension(m, s, i, a, length, step, mode)
        tension *= float(m.unit[i, MAX_FORCE])
        s.new_activation[i] = a
        report_muscle(m, s, i, u, a, length, rate, tension)
        pull(m, s, tree, w, i, tension, m.kind[i, AS_TORQUES] != 0)
    if m.any_torques[0] != 0:
        project_on_joints(s, tree, w)
    for b in range(len(authored.host)):
        host = authored.host[b]
        add3(s.applied_force, host, load3(s.load_force, b))
        add3(s.applied_torque, host, load3(s.load_torque, b))
    for i in range(len(tree.mass)):
        add3(w.art_f, i, scale(-1.0, load3(s.applied_force, i)))
        add3(w.art_n, i, scale(-1.0, load3(s.applied_torque, i)))


@inlined
def fibre_work(s, i, lengthened):
    """(work of the contractile element, energy taken by damping) over the step to the last evaluation, J.

    Trapezoidal rule over the step, in which the fibre has become longer by `lengthened`.
    """
    work = -0.5 * (s.fibre_force[i, 0] + s.new_fibre_force[i, 0]) * lengthened
    return work, 0.5 * (s.fibre_force[i, 1] + s.new_fibre_force[i, 1]) * lengthened


@late(2, 2)
def commit_muscles(m, s, t, mode):
    """Take the last evaluation, at time t, over as the state; energies and the reflexes' history go along."""
    before = float(s.time[0])
    for i in range(len(m.kind)):
        fibre = float(s.output[i, FIBRE_LENGTH])
        l_before = fibre if mode == STARTING else fibre_length(m.unit[i], float(s.along[i]))
        work, loss = fibre_work(s, i, fibre - l_before)
        s.energy[CONTRACTILE] += work
        s.energy[DISSIPATED] += loss
        remember(m, s, i, before, l_before, t, fibre, float(s.output[i, FIBRE_VELOCITY]))
        s.activation[i] = s.new_activation[i]
        s.along[i] = s.new_along[i]
        s.speed[i] = s.new_speed[i]
        s.fibre_force[i, 0] = s.new_fibre_force[i, 0]
        s.fibre_force[i, 1] = s.new_fibre_force[i, 1]
    step = float(m.sample_time[0])
    while s.samples[0] * step <= t:
        s.samples[0] += 1
    s.time[0] = t


@late(2, 0)
def muscle_energies(m, s):
    """Energies at the last evaluation into s.energy_now; the part of a step that is not yet committed included."""
    contractile = float(s.energy[CONTRACTILE])
    dissipated = float(s.energy[DISSIPATED])
    tendon = 0.0
    parallel = 0.0
    for i in range(len(m.kind)):
        unit = m.unit[i]
        form = m.kind[i, FORM]
        size = float(unit[MAX_FORCE]) * float(unit[STIFFNESS])
        slack = float(unit[SLACK])
        optimal = float(unit[OPTIMAL])
        fibre = float(s.output[i, FIBRE_LENGTH])
        work, loss = fibre_work(s, i, fibre - fibre_length(unit, float(s.along[i])))
        contractile += work
        dissipated += loss
        parallel += size * optimal * parallel_energy(form, fibre / optimal)
        if m.kind[i, RIGID] == 0:
            strain = (float(s.output[i, LENGTH]) - float(s.new_along[i]) - slack) / slack
            tendon += size * slack * tendon_energy(form, strain)
    s.energy_now[CONTRACTILE] = contractile
    s.energy_now[TENDON_STORE] = tendon
    s.energy_now[PARALLEL_STORE] = parallel
    s.energy_now[DISSIPATED] = dissipated


@late(2, 4)
def muscle_power(s, w, shift, gx, gy, gz):
    """Power (W) of the last evaluation's loads on the bodies, with velocities `shift` seconds on, into s.power."""
    gravity = (gx, gy, gz)
    power = 0.0
    for i in range(s.applied_force.shape[0] - 1):
        v = load3(w.velocity, i)
        omega = load3(w.omega, i)
        if shift != 0.0:
            v = add_scaled(v, shift, point_acceleration(w, i, (0.0, 0.0, 0.0), gravity))
            omega = add_scaled(omega, shift, load3(w.alpha, i))
        power += dot(load3(s.applied_force, i), v) + dot(load3(s.applied_torque, i), omega)
    s.power[0] = power
