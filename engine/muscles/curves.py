"""Force over length, velocity and strain of the four forms, normalized, each with its slope; and elastic energies.

Lengths are in optimal fibre lengths, velocities in max contraction velocities (lengthening positive), tendon strain is
(length - slack length) / slack length, forces are in max isometric forces.

Formulas and sources: docs/derivations.md, Muscle-tendon units. In short: millard is Hyfydy's muscle_force_m2012fast
with the misprint of its passive curve put right; geyer_herr is F = (a f_L + f_P) f_V - f_B with the buffer f_B that
keeps a slack fibre from collapsing, f_V going on along its hyperbola past the greatest velocity; thelen has the
constants of OpenSim's Thelen2003Muscle, f_V solved for the force and its velocity scaled by 0.25 + 0.75 a; actuator has
the force of its activation at every length and velocity.
"""

from math import exp

from ..jit.decorators import compiled, inlined
from .arrays import ACTUATOR, GEYER_HERR, MILLARD

# millard
L1, L2, L_LOW, L_HIGH = 1.5, -2.75, 0.46899, 1.80528
P1, P2 = 1.08027, 1.27368
T1, T2 = 260.972, 7.9706
# geyer_herr
W, LOG_C = 0.56, -2.995732273553991  # ln 0.05
T_STRAIN = 0.04
# thelen
GAMMA = 0.45
KPE, EPS_M = 4.0, 0.6
PE_SCALE = 1.0 / (exp(KPE) - 1.0)
EPS_T = 0.033
F_TOE, K_TOE = 0.33, 3.0
EPS_TOE = 0.609 * EPS_T
K_LIN = 1.712 / EPS_T
TOE_SCALE = F_TOE / (exp(K_TOE) - 1.0)

VELOCITY_LAW = (
    (1.0 / 0.227, 1.6 / 0.110, 1.0 / 0.110),
    (5.0, 7.56 * 5.0 * 1.5 + 0.5, 7.56 * 5.0),
    (1.0 / 0.3, 1.4 * (2.0 + 2.0 / 0.3) / 0.4, (2.0 + 2.0 / 0.3) / 0.4),
    (0.0, 0.0, 0.0),
)
"""Per form (k, p, q): f_V = (1 + v) / (1 - k v) while shortening, (1 + p v) / (1 + q v) while lengthening; of an
actuator, whose f_V is 1, p = q is all that counts."""


@inlined
def active_length(form, length):
    """(f_L, slope): active force over fibre length."""
    if form == ACTUATOR:
        return 1.0, 0.0
    d = length - 1.0
    if form == MILLARD:
        if length <= L_LOW or length >= L_HIGH:
            return 0.0, 0.0
        return (L1 * d + L2) * d * d + 1.0, (3.0 * L1 * d + 2.0 * L2) * d
    if form == GEYER_HERR:
        size = abs(d) / W
        value = exp(LOG_C * size * size * size)
        slope = 3.0 * LOG_C * size * size / W * value
        return value, slope if d > 0.0 else -slope
    value = exp(-d * d / GAMMA)
    return value, -2.0 * d / GAMMA * value


@inlined
def passive_length(form, length):
    """(f_P, slope) of the parallel element."""
    d = length - 1.0
    if d <= 0.0 or form == ACTUATOR:
        return 0.0, 0.0
    if form == MILLARD:
        return (P1 * d + P2) * d * d, (3.0 * P1 * d + 2.0 * P2) * d
    if form == GEYER_HERR:
        return d * d / (W * W), 2.0 * d / (W * W)
    value = exp(KPE * d / EPS_M)
    return PE_SCALE * (value - 1.0), PE_SCALE * KPE / EPS_M * value


@inlined
def buffer_length(form, length):
    """(f_B, slope): push of a fibre that is far too short; geyer_herr only."""
    d = (1.0 - W - length) / (0.5 * W)
    if form != GEYER_HERR or d <= 0.0:
        return 0.0, 0.0
    return d * d, -2.0 * d / (0.5 * W)


@inlined
def velocity_factor(form, v):
    """(f_V, slope): factor on the active force over fibre velocity."""
    if form == ACTUATOR:
        return 1.0, 0.0
    law = VELOCITY_LAW[0]
    if form == GEYER_HERR:
        law = VELOCITY_LAW[1]
    elif form != MILLARD:
        law = VELOCITY_LAW[2]
    if v <= -1.0:
        return 0.0, 0.0
    if v < 0.0:
        below = 1.0 / (1.0 - law[0] * v)
        return (1.0 + v) * below, (1.0 + law[0]) * below * below
    below = 1.0 / (1.0 + law[2] * v)
    return (1.0 + law[1] * v) * below, (law[1] - law[2]) * below * below


@inlined
def tendon_force(form, strain):
    """(f_T, slope): tendon force over strain."""
    if strain <= 0.0:
        return 0.0, 0.0
    if form == MILLARD:
        return (T1 * strain + T2) * strain, 2.0 * T1 * strain + T2
    if form == GEYER_HERR:
        return strain * strain / (T_STRAIN * T_STRAIN), 2.0 * strain / (T_STRAIN * T_STRAIN)
    if strain <= EPS_TOE:
        value = exp(K_TOE * strain / EPS_TOE)
        return TOE_SCALE * (value - 1.0), TOE_SCALE * K_TOE / EPS_TOE * value
    return K_LIN * (strain - EPS_TOE) + F_TOE, K_LIN


@compiled
def tendon_energy(form, strain):
    """Integral of f_T from zero strain."""
    if strain <= 0.0:
        return 0.0
    if form == MILLARD:
        return (T1 / 3.0 * strain + 0.5 * T2) * strain * strain
    if form == GEYER_HERR:
        return strain * strain * strain / (3.0 * T_STRAIN * T_STRAIN)
    toe = min(strain, EPS_TOE)
    value = TOE_SCALE * (EPS_TOE / K_TOE * (exp(K_TOE * toe / EPS_TOE) - 1.0) - toe)
    past = strain - toe
    return value + (0.5 * K_LIN * past + F_TOE) * past


@compiled
def parallel_energy(form, length):
    """Integral of f_P from optimal length. geyer_herr: f_P and f_B are not elastic (f_V, the contractile element's)."""
    d = length - 1.0
    if d <= 0.0 or form == GEYER_HERR or form == ACTUATOR:
        return 0.0
    if form == MILLARD:
        return (P1 / 4.0 * d + P2 / 3.0) * d * d * d
    return PE_SCALE * (EPS_M / KPE * (exp(KPE * d / EPS_M) - 1.0) - d)


@inlined
def contractile_force(form, a, length, v, stiffness):
    """(force along the fibre without damping and without elastic parts, its slope in length, its slope in v).

    The elastic part is that of `elastic_force`. geyer_herr: everything, because its f_P acts through f_V.
    """
    f_l, f_l_slope = active_length(form, length)
    if form == GEYER_HERR:
        f_v, f_v_slope = velocity_factor(form, v)
        f_p, f_p_slope = passive_length(form, length)
        f_b, f_b_slope = buffer_length(form, length)
        pull = a * f_l + stiffness * f_p
        slope = (a * f_l_slope + stiffness * f_p_slope) * f_v - f_b_slope
        return pull * f_v - f_b, slope, pull * f_v_slope
    if form == MILLARD:
        f_v, f_v_slope = velocity_factor(form, v)
        return a * f_l * f_v, a * f_l_slope * f_v, a * f_l * f_v_slope
    quicker = 1.0 / (0.25 + 0.75 * a)
    f_v, f_v_slope = velocity_factor(form, v * quicker)
    return a * f_l * f_v, a * f_l_slope * f_v, a * f_l * f_v_slope * quicker


@inlined
def elastic_force(form, length, stiffness):
    """(force, slope) of the parallel element, where it is purely elastic."""
    if form == GEYER_HERR:
        return 0.0, 0.0
    f_p, f_p_slope = passive_length(form, length)
    return stiffness * f_p, stiffness * f_p_slope
