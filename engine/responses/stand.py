"""Keeping balance on two feet: moments of ankles and hips that hold the extrapolated centre of mass over the feet.

docs/derivations.md, Standing. The person is a pendulum over the ankles; the centre of pressure is put beyond the
extrapolated centre of mass, which brings it back, as far as the soles reach.
"""

from math import sqrt

from ..jit.decorators import compiled
from ..maths.vector import load3
from .arrays import ANKLE, HIP
from .notice import GRAVITY, LOWEST_PENDULUM, SOLE_DEPTH, heading, mass_centre, weight_of

GAIN = 2.0
"""Centre of pressure over extrapolated centre of mass, both from the place aimed at: above 1 it comes back."""
AHEAD = 0.05
"""m in front of the ankles where people hold their centre of mass (general knowledge), of a mid-size man."""
MARGIN = 0.01
"""m from the edge of the soles that the centre of pressure keeps."""
SIDE_GAIN = 1.0
"""Of the hips in the frontal plane. Assumed."""


@compiled
def ankle_place(responses, w, r, x, y):
    """Mean place of the ankles along the direction (x, y), m."""
    total = 0.0
    count = 0
    for j in range(responses.joint_first[r], responses.joint_first[r + 1]):
        if responses.joint[j, 0] == ANKLE:
            at = load3(w.position, responses.joint[j, 3])
            total += x * at[0] + y * at[1]
            count += 1
    return total / count


@compiled
def sole_span(responses, state, r, lowest, x, y):
    """(least, largest) place of the bearing corners of the soles along the direction (x, y), m."""
    low = 1e9
    high = -1e9
    for p in range(responses.sole_first[r], responses.sole_first[r + 1]):
        if state.sole[p, 2] < lowest + SOLE_DEPTH:
            along = x * state.sole[p, 0] + y * state.sole[p, 1]
            low = min(low, along)
            high = max(high, along)
    return low, high


@compiled
def keep_balance(responses, state, tree, w, r):
    """Moments of the ankles (sagittal) and hips (frontal) of both sides together into state.aim, N m.

    Sagittal: plantar flexion is positive. Frontal: positive pushes the pelvis to the right.
    """
    weight = weight_of(responses, tree, r)
    place, v = mass_centre(tree, w, responses.moving[r, 0], responses.moving[r, 1])
    lowest = 1e9
    for p in range(responses.sole_first[r], responses.sole_first[r + 1]):
        lowest = min(lowest, float(state.sole[p, 2]))
    pendulum = sqrt(max(place[2] - lowest, LOWEST_PENDULUM) / GRAVITY)
    x, y = heading(responses, w, r)
    at_x = place[0] + pendulum * v[0]
    at_y = place[1] + pendulum * v[1]
    ankle = ankle_place(responses, w, r, x, y)
    goal = ankle + AHEAD * float(responses.height[r])
    low, high = sole_span(responses, state, r, lowest, x, y)
    pressure = goal + GAIN * (x * at_x + y * at_y - goal)
    pressure = min(high - MARGIN, max(low + MARGIN, pressure))
    state.aim[r, 0] = weight * (pressure - ankle)
    low, high = sole_span(responses, state, r, lowest, -y, x)
    state.aim[r, 1] = SIDE_GAIN * weight * (x * at_y - y * at_x - 0.5 * (low + high))


@compiled
def balance_moment(responses, state, r, j):
    """(x, y) base torque of joint row j, N m, in child joint axes."""
    role = responses.joint[j, 0]
    if role == ANKLE:
        return 0.0, -0.5 * float(state.aim[r, 0])
    if role == HIP:
        return 0.5 * float(state.aim[r, 1]) * responses.joint[j, 1], 0.0
    return 0.0, 0.0
