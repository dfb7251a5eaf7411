"""Normal force of one contact: elastic part, rate amplification, damping; never pulling.

    F = max(0, E g (1 + (c + y / v0) v) + d v)

E     elastic force: a curve with hysteresis, or k x^n
g     1 + C2 (v+ / C3)^C4 with v+ = max(0, v): rate amplification; C1 is part of E
c     dissipation, s/m: Hunt-Crossley 1.5 c of the material, or the curve law's own c
y/v0  Lankarani-Nikravesh with y from the true restitution map, v0 the approach speed at first touch
d     N s/m: Kelvin-Voigt ("linear"), or OpenMBD's constant contact damping
v     rate of penetration, positive while approaching, m/s

Every term but d v vanishes with the penetration, so the force is continuous at touch. Sources: docs/derivations.md,
Power laws; docs/derivations.md, Restitution; docs/derivations.md, Rate amplification.
"""

from ..jit.decorators import compiled, inlined
from ..maths.hysteresis import loading_force, loading_work_to, retention_at, segment_at, unloading_force
from .table import (
    AMPLIFICATION,
    CURVE_END,
    CURVE_START,
    DISSIPATION,
    EXPONENT,
    FASTER,
    KIND,
    POWER,
    RESTITUTION,
    RESTITUTION_GAIN,
    STIFFNESS,
    TOUCH_SPEED,
    VISCOSITY,
)

SLOWEST_TOUCH = 0.01
"""m/s: lower bound of v0. Below it a Lankarani-Nikravesh contact is at rest rather than an impact, and y / v0 would
grow without bound."""


@inlined
def bracket(table, row, touch_speed):
    """(slower row, faster row or -1, weight of the faster) of the curves between which a touch speed (m/s) lies."""
    faster = int(table.ids[row, FASTER])
    while faster >= 0 and table.laws[faster, TOUCH_SPEED] <= touch_speed:
        row = faster
        faster = int(table.ids[row, FASTER])
    low = float(table.laws[row, TOUCH_SPEED])
    if faster < 0 or touch_speed <= low:
        return row, -1, 0.0
    return row, faster, (touch_speed - low) / (float(table.laws[faster, TOUCH_SPEED]) - low)


@compiled
def curve_force(table, row, penetration, penetration_max, v_n):
    """`elastic_force` of the curve of one row."""
    start = int(table.ids[row, CURVE_START])
    end = int(table.ids[row, CURVE_END])
    if penetration >= penetration_max:
        force, slope = loading_force(table.points, start, end, penetration)
        if v_n >= 0.0:
            return force, max(0.0, slope)
        slope = unloading_force(table.points, start, end, penetration, penetration)[1]
        return force, max(0.0, slope)
    return unloading_force(table.points, start, end, penetration, penetration_max)


@compiled
def elastic_force(table, row, penetration, penetration_max, touch_speed, v_n):
    """Force (N) without damping and its slope (N/m, >= 0) at a penetration > 0 (m); pure.

    penetration_max: deepest penetration of this contact before this evaluation. At or past it the slope is that of the
    loading curve while approaching and that of the unloading path while separating. touch_speed: m/s when this contact
    began, between whose curves is blended; it does not change while the contact lasts.
    """
    if table.ids[row, KIND] == POWER:
        n = float(table.laws[row, EXPONENT])
        k = float(table.laws[row, STIFFNESS])
        if n == 1.0:
            return k * penetration, k
        slope = n * k * penetration ** (n - 1.0)
        return slope * penetration / n, slope
    if table.ids[row, FASTER] < 0:
        return curve_force(table, row, penetration, penetration_max, v_n)
    slower, faster, share = bracket(table, row, touch_speed)
    force, slope = curve_force(table, slower, penetration, penetration_max, v_n)
    if faster >= 0:
        more, steeper = curve_force(table, faster, penetration, penetration_max, v_n)
        force += share * (more - force)
        slope += share * (steeper - slope)
    return force, slope


@inlined
def curve_work(table, row, penetration):
    """J: area under the loading curve of one row up to a penetration (m)."""
    start = int(table.ids[row, CURVE_START])
    return loading_work_to(table.points, start, int(table.ids[row, CURVE_END]), penetration)


@compiled
def loading_work(table, row, penetration, touch_speed):
    """J: work of the loading force without damping up to a penetration (m), for a touch speed (m/s)."""
    if table.ids[row, KIND] == POWER:
        n = float(table.laws[row, EXPONENT]) + 1.0
        return float(table.laws[row, STIFFNESS]) * penetration**n / n
    if table.ids[row, FASTER] < 0:
        return curve_work(table, row, penetration)
    slower, faster, share = bracket(table, row, touch_speed)
    work = curve_work(table, slower, penetration)
    return work + share * (curve_work(table, faster, penetration) - work) if faster >= 0 else work


@compiled
def lost_share(table, row, penetration):
    """Share of the loading energy that the surface does not give back from a penetration (m), whatever its speed.

    Of a curve from its unloading; of Lankarani-Nikravesh 1 - e^2. The other laws lose by their dampers only: 0.
    """
    if table.ids[row, KIND] == POWER:
        e = float(table.laws[row, RESTITUTION])
        return 1.0 - e * e if e == e else 0.0
    points = table.points
    i = segment_at(points, int(table.ids[row, CURVE_START]), int(table.ids[row, CURVE_END]), penetration)
    return 1.0 - retention_at(points, i, penetration)


@compiled
def amplification(laws, row, v_n):
    """Rate amplification g and dg/dv (s/m) at the rate of penetration v_n (m/s); 1 and 0 while separating."""
    c2 = float(laws[row, AMPLIFICATION])
    if c2 == 0.0 or v_n <= 0.0:
        return 1.0, 0.0
    c3 = float(laws[row, AMPLIFICATION + 1])
    c4 = float(laws[row, AMPLIFICATION + 2])
    growth = c2 * (v_n / c3) ** c4
    return 1.0 + growth, growth * c4 / v_n


@compiled
def normal_force(table, row, penetration, penetration_max, approach_speed_at_touch, v_n):
    """(force N, elastic force N, stiffness dF/dpenetration N/m, damping dF/dv N s/m) of one contact; pure.

    penetration: m. penetration_max: deepest of this contact before this evaluation, m. approach_speed_at_touch: m/s
    when this contact began. v_n: rate of penetration, m/s, positive while approaching. Stiffness and damping are the
    derivatives, never negative (zero along a falling curve and where the force is clamped to zero), as a linearly
    implicit step wants them. The elastic force is without amplification and damping.
    """
    if penetration <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    laws = table.laws
    elastic, slope = elastic_force(table, row, penetration, penetration_max, approach_speed_at_touch, v_n)
    gain, gain_rate = amplification(laws, row, v_n)
    touch = max(SLOWEST_TOUCH, approach_speed_at_touch)
    rate = float(laws[row, DISSIPATION]) + float(laws[row, RESTITUTION_GAIN]) / touch
    viscosity = float(laws[row, VISCOSITY])
    factor = 1.0 + rate * v_n
    force = elastic * gain * factor + viscosity * v_n
    if force <= 0.0:
        return 0.0, elastic, 0.0, 0.0
    stiffness = max(0.0, slope * gain * factor)
    return force, elastic, stiffness, elastic * (gain_rate * factor + gain * rate) + viscosity
