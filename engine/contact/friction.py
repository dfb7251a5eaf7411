"""Friction force of one contact: Coulomb, Stribeck, Hollars or viscous, and bristles that hold a body at rest.

Velocity-only laws creep: on a slope a body slides at the share of `friction_velocity` at which the ramp carries its
weight. With stiction (the default of coulomb and stribeck) a contact has a bristle: a tangential spring with deflection
z, in parallel with the ramp's damper,

    f = -clip(k_t z + c_t v, mu N),      dz/dt = v while |k_t z| < mu N, else z keeps that length

clip shortens a vector to the given length. Sliding, |f| = mu N exactly. At rest the spring takes the load over from the
damper and the creep ends after a displacement of at most load / k_t (docs/derivations.md,
Bristles).

Passive: k_t is constant for a pair of surfaces (`table.BRISTLE_STIFFNESS`), so no energy enters the spring but by
sliding. Writing P for the clip, a projection onto a ball that holds s = k_t z, the power lost is
(P(s + c v) - s) . v = (P(q) - s) . (q - s) / c >= 0 with q = s + c v. Shortening z, by a falling normal force or by
projection on a turned tangent plane, loses spring energy.

Bristle stiffness: 2/3 of the steepest normal stiffness of the pair (Mindlin: 2 (1 - nu) / (2 - nu), 2/3 at nu = 0.5),
at least LEAST_BRISTLE_STIFFNESS. Damper: the slope of the linear ramp mu N / friction_velocity, at most a time of
relaxation times k_t: long where the step treats friction implicitly (against something rigid), so that a body comes to
rest without ringing; short where it is explicit, so that a light body in a hard blow does not chatter.
"""

from math import exp, sqrt

from ..jit.decorators import compiled, inlined
from ..maths.vector import add_scaled, dot, scale
from .table import (
    BRISTLE_DAMPING,
    BRISTLE_STIFFNESS,
    DYNAMIC_FRICTION,
    FRICTION_LAW,
    FRICTION_VELOCITY,
    FRICTION_VISCOSITY,
    STATIC_FRICTION,
    VISCOUS_FRICTION,
)

COULOMB, STRIBECK, HOLLARS, VISCOUS = 0, 1, 2, 3
"""Friction laws, in the order of `spec.FRICTION_LAWS`."""
STRIBECK_SPEED_RATIO = 10.0
"""Stribeck speed over friction_velocity: the static coefficient is reached (to 1 %) where the ramp ends."""
MINDLIN_RATIO = 2.0 / 3.0
LEAST_BRISTLE_STIFFNESS = 2.0e6
"""N/m: under a man's weight, on a slope at the friction angle (mu = 0.4), a deflection of 0.15 mm."""
IMPLICIT_RELAXATION = 2.0e-2
"""s: largest c_t / k_t where friction is stepped implicitly. A man at rest is critically damped below this."""
EXPLICIT_RELAXATION = 1.5e-3
"""s: largest c_t / k_t where it is not, so that steps of 1e-4 s follow a body of 0.15 kg or more without ringing."""


@compiled
def stribeck_coefficient(static, dynamic, speed_ratio):
    """mu_d + (mu_s - mu_d) exp(-(v / v_s)^2) at v / v_s (docs/derivations.md, Friction laws)."""
    return dynamic + (static - dynamic) * exp(-speed_ratio * speed_ratio)


@compiled
def smooth_ramp(speed, transition):
    """(r, r / speed) with r = s (2 - s) below s = speed / transition = 1 and 1 above.

    Reaches 1 where a linear ramp does, without a kink there (docs/derivations.md, Friction laws).
    """
    s = speed / transition
    if s >= 1.0:
        return 1.0, 1.0 / speed
    return s * (2.0 - s), (2.0 - s) / transition


@compiled
def hollars_coefficient(static, dynamic, viscous, speed, transition):
    """(mu, mu / speed) of Simbody's form: min(s, 1) (mu_d + 2 (mu_s - mu_d) / (1 + s^2)) + mu_v v, s = v / v_t.

    Equal to mu_s at the transition speed v_t (docs/derivations.md, Friction laws).
    """
    s = speed / transition
    dry = dynamic + 2.0 * (static - dynamic) / (1.0 + s * s)
    secant = dry / max(speed, transition) + viscous
    return secant * speed, secant


@compiled
def viscous_secant(limit, viscosity, speed):
    """|force| / speed (N s/m) of force = min(viscosity speed, limit): Hyfydy 3.2.3.1 (docs/derivations.md, Friction
    laws)."""
    return viscosity if viscosity * speed <= limit else limit / speed


@compiled
def sliding_friction(table, row, normal_force, v_t):
    """(force N, |force| / |v_t| N s/m) from the sliding velocity v_t (m/s, tangential) alone, without stiction."""
    laws = table.laws
    speed = sqrt(dot(v_t, v_t))
    transition = float(laws[row, FRICTION_VELOCITY])
    static = float(laws[row, STATIC_FRICTION])
    dynamic = float(laws[row, DYNAMIC_FRICTION])
    law = int(table.ids[row, FRICTION_LAW])
    if law == VISCOUS:
        secant = viscous_secant(static * normal_force, float(laws[row, FRICTION_VISCOSITY]), speed)
        return scale(-secant, v_t), secant
    if law == HOLLARS:
        _, secant = hollars_coefficient(
            static, dynamic, float(laws[row, VISCOUS_FRICTION]), speed, transition
        )
    else:
        mu = dynamic
        if law == STRIBECK:
            mu = stribeck_coefficient(static, dynamic, speed / (STRIBECK_SPEED_RATIO * transition))
        secant = mu * smooth_ramp(speed, transition)[1]
    secant *= normal_force
    return scale(-secant, v_t), secant


@compiled
def clipped(a, limit):
    """The vector a shortened to the length `limit` where it is longer."""
    length = sqrt(dot(a, a))
    if length <= limit:
        return a
    return scale(limit / length, a)


@inlined
def friction_limit(table, row, normal_force, v_t):
    """mu N (N) of a contact with stiction at the sliding velocity v_t (m/s)."""
    laws = table.laws
    mu = float(laws[row, DYNAMIC_FRICTION])
    if table.ids[row, FRICTION_LAW] == STRIBECK:
        static = float(laws[row, STATIC_FRICTION])
        speed = sqrt(dot(v_t, v_t))
        mu = stribeck_coefficient(
            static, mu, speed / (STRIBECK_SPEED_RATIO * float(laws[row, FRICTION_VELOCITY]))
        )
    return mu * normal_force


@inlined
def stretched(z, normal, v_t, dt, longest):
    """Bristle deflection z (m) in the tangent plane, after sliding at v_t (m/s) for dt (s); not above `longest` (m)."""
    z = add_scaled(z, -dot(z, normal), normal)
    return clipped(add_scaled(z, dt, v_t), longest)


@compiled
def friction_force(table, row, normal_force, v_t, z, normal, dt):
    """(force N, damping N s/m, new z) of one contact; pure: the caller keeps the new z in its commit phase.

    normal_force: N, >= 0. v_t: sliding velocity of the body that gets the force relative to the other, m/s,
    perpendicular to the unit vector `normal`. z: bristle deflection (m, world) at the start of the step, zero at first
    touch. dt: s from then to the time of this evaluation (0 evaluates at the stored z). damping: isotropic bound on
    -df/dv for a linearly implicit step: c_t + k_t dt while sticking, |f| / |v| while sliding. Without stiction, and for
    the Hollars and viscous laws, z stays zero and the damping is the secant |f| / |v|.
    """
    zero = (0.0, 0.0, 0.0)
    if normal_force <= 0.0:
        return zero, 0.0, zero
    laws = table.laws
    stiffness = float(laws[row, BRISTLE_STIFFNESS])
    if stiffness <= 0.0:
        force, secant = sliding_friction(table, row, normal_force, v_t)
        return force, secant, zero
    limit = friction_limit(table, row, normal_force, v_t)
    damper = min(limit / float(laws[row, FRICTION_VELOCITY]), float(laws[row, BRISTLE_DAMPING]))
    z = stretched(z, normal, v_t, dt, limit / stiffness)
    pull = add_scaled(scale(stiffness, z), damper, v_t)
    force = scale(-1.0, clipped(pull, limit))
    damping = damper + stiffness * dt
    speed = sqrt(dot(v_t, v_t))
    if damping * speed > limit:
        damping = limit / speed
    return force, damping, z


@compiled
def advance_bristle(table, row, normal_force, v_t, z, normal, dt):
    """New bristle deflection (m) after a step of dt (s) at the sliding velocity v_t (m/s) found for that step."""
    stiffness = float(table.laws[row, BRISTLE_STIFFNESS])
    if normal_force <= 0.0 or stiffness <= 0.0:
        return 0.0, 0.0, 0.0
    return stretched(z, normal, v_t, dt, friction_limit(table, row, normal_force, v_t) / stiffness)
