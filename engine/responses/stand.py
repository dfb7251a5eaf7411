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
NARROWEST = 0.05
"""m between the ankles, at least, over which the weight is shared out."""


@compiled
def ankle_places(responses, w, r, x, y):
    """(left, right) places of the ankles along the direction (x, y), m."""
    left = 0.0
    right = 0.0
    for j in range(responses.joint_first[r], responses.joint_first[r + 1]):
        if responses.joint[j, 0] == ANKLE:
            at = load3(w.position, responses.joint[j, 3])
            if responses.joint[j, 1] > 0:
                left = x * at[0] + y * at[1]
            else:
                right = x * at[0] + y * at[1]
    return left, right


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
def beyond(goal, at, low, high):
    """Place of the centre of pressure that brings the extrapolated centre of mass from `at` to `goal`, within the
    soles, m."""
    return min(high - MARGIN, max(low + MARGIN, goal + GAIN * (at - goal)))


@compiled
def keep_balance(responses, state, tree, w, r):
    """Moments of the ankles (sagittal) and hips (frontal) of both sides together into state.aim, N m, and the left
    side's share of them: a foot that does not bear has nothing to press on.

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
    left, right = ankle_places(responses, w, r, -y, x)
    middle = 0.5 * (left + right)
    share = (x * place[1] - y * place[0] - right) / max(left - right, NARROWEST)
    share = min(1.0, max(0.0, share))
    left, right = ankle_places(responses, w, r, x, y)
    ankle = share * left + (1.0 - share) * right
    low, high = sole_span(responses, state, r, lowest, x, y)
    pressure = beyond(ankle + AHEAD * float(responses.height[r]), x * at_x + y * at_y, low, high)
    state.aim[r, 0] = weight * (pressure - ankle)
    low, high = sole_span(responses, state, r, lowest, -y, x)
    state.aim[r, 1] = weight * (beyond(middle, x * at_y - y * at_x, low, high) - middle)
    state.aim[r, 2] = share


@compiled
def balance_moment(responses, state, r, j):
    """(x, y) base torque of joint row j, N m, in child joint axes."""
    role = responses.joint[j, 0]
    side = float(responses.joint[j, 1])
    share = float(state.aim[r, 2]) if side > 0.0 else 1.0 - float(state.aim[r, 2])
    if role == ANKLE:
        return 0.0, -share * float(state.aim[r, 0])
    if role == HIP:
        return share * float(state.aim[r, 1]) * side, 0.0
    return 0.0, 0.0
