"""Fibre and tendon in series: the length of the fibre at the end of a step, implicitly.

The state is x, the fibre length *along the tendon*: the fibre is l = sqrt(x^2 + w^2) long with w the constant thickness
of the muscle, so cos(pennation) = x / l and nothing is singular. The tendon takes the rest of the path, and its force
must equal the fibre's, damping included. Over a step the fibre velocity is (l - l0) / step (backward Euler), and the
balance is solved for x by Newton's method within a bracket. So a stiff tendon or a fibre without activation bounds no
step size. Without a step (rate = 0) the same balance is the static equilibrium. Derivation: docs/derivations.md,
Muscle-tendon units.
"""

from math import sqrt

from ..jit.decorators import compiled, inlined
from .arrays import DAMPING, FASTEST, OPTIMAL, SLACK, STIFFNESS, WIDTH
from .curves import contractile_force, elastic_force, tendon_force

SHORTEST = 1e-3
"""Optimal lengths: least fibre length along the tendon."""
CLOSE = 1e-7
"""Optimal lengths: a Newton step this short leaves an error of its square."""
MOST_STEPS = 60


@inlined
def balance(form, unit, a, x, length, l_before, rate):
    """(fibre force along the tendon - tendon force, its slope in x), in max forces; rate is 1 / step."""
    optimal = float(unit[OPTIMAL])
    width = float(unit[WIDTH])
    fibre = sqrt(x * x + width * width)
    cosine = x / fibre
    per_length = 1.0 / optimal
    v_rate = rate / float(unit[FASTEST])
    v = (fibre - l_before) * v_rate
    stiffness = float(unit[STIFFNESS])
    active, by_length, by_velocity = contractile_force(form, a, fibre * per_length, v, stiffness)
    elastic, elastic_slope = elastic_force(form, fibre * per_length, stiffness)
    damping = float(unit[DAMPING])
    along = active + elastic + damping * v
    slope = (by_length + elastic_slope) * per_length + (by_velocity + damping) * v_rate
    slack = float(unit[SLACK])
    tendon, tendon_slope = tendon_force(form, (length - x - slack) / slack)
    gap = along * cosine - stiffness * tendon
    return gap, slope * cosine * cosine + along * width * width / (
        fibre * fibre * fibre
    ) + stiffness * tendon_slope / slack


@compiled
def solve_along(form, unit, a, guess, length, l_before, rate):
    """x at which fibre and tendon are in balance; `guess` is where the search starts.

    At the lower end the tendon is tightest, at the upper end slack: the balance rises from minus to plus between them.
    Where neither pulls (an idle fibre below its optimal length) every length is in balance, and the guess is kept.
    """
    optimal = float(unit[OPTIMAL])
    low = SHORTEST * optimal
    high = max(max(length - float(unit[SLACK]), l_before), low) + optimal
    x = min(max(guess, low), high)
    for _ in range(MOST_STEPS):
        gap, slope = balance(form, unit, a, x, length, l_before, rate)
        if gap == 0.0:
            return x
        if gap > 0.0:
            high = x
        else:
            low = x
        following = x - gap / slope if slope > 0.0 else low - 1.0
        if not low < following < high:
            if abs(following - x) < CLOSE * optimal:
                return x
            following = 0.5 * (low + high)
        step = abs(following - x)
        x = following
        if step < CLOSE * optimal:
            break
    return x
