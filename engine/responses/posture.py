"""The protective posture: where each joint is to turn, from the direction of the fall and where the ground is.

Equations and the choice of angles: docs/derivations.md, Responses. All angles are assumed (chosen by eye from pictures
of falls); hands are aimed where the shoulders will meet the ground.
"""

from math import atan2, pi, sqrt

from ..jit.decorators import compiled
from ..joints.motors import shorter_turn
from ..maths.vector import (
    add,
    cross,
    load3,
    load4,
    mat_mul,
    mat_t_vec,
    norm,
    quat_conj,
    quat_exp,
    quat_matrix,
    quat_mul,
    scale,
)
from .arrays import (
    ANKLE,
    ARMS,
    ELBOW,
    ELBOW_JOINT,
    HEAD,
    HIP,
    KNEE,
    LEGS,
    LOWER_BACK,
    NECK,
    SHOULDER,
    TRUNK,
    UPPER_BACK,
    WAY,
    WORLD_WAY,
)
from .notice import body_axes

DEGREE = pi / 180.0
RIGHTING_AHEAD = 0.15
"""s for which the turn of the trunk is foreseen in righting the head."""
UPRIGHT_LEAN = 0.35
"""Sine of the trunk's lean below which the head is carried away from the fall, and above which it is righted."""
ARM_HEIGHT = 0.6
"""m of a mid-size man's shoulder above the ground when the hand meets it."""
FALLING = 5.0
"""m/s2 with which a shoulder is taken to fall on: half of gravity, as the feet still bear."""
FARTHEST_AHEAD = 0.45
"""s"""
LEAD, LEAD_BACK, OUTWARD, ACROSS = 0.25, 0.35, 0.25, 0.6
"""Of the direction down: the hand ahead along the fall, the same backward, outward, and the far arm across."""
FARTHEST_BACK = 0.75
"""Sine of the angle to which an arm goes back: 49 degrees."""
FOREARM_TURN = 75.0 * DEGREE
WRIST_EXTENSION = -45.0


@compiled
def zyx_turn(z, y, x):
    """Quaternion of angles about Z, Y, X, degrees."""
    turned = quat_mul(quat_exp((0.0, 0.0, z * DEGREE)), quat_exp((0.0, y * DEGREE, 0.0)))
    return quat_mul(turned, quat_exp((x * DEGREE, 0.0, 0.0)))


@compiled
def head_way(responses, state, r, w):
    """(x, y) in trunk axes: where the head is to bend, at most of size 1.

    Towards "up" as the trunk will see it; away from the fall while it still stands upright.
    """
    i = responses.body[r, TRUNK]
    then = mat_mul(
        quat_matrix(quat_exp(scale(RIGHTING_AHEAD, load3(w.omega, i)))), body_axes(responses, w, r, TRUNK)
    )
    x = then[6]
    y = then[7]
    upright = max(0.0, 1.0 - sqrt(x * x + y * y) / UPRIGHT_LEAN)
    x -= 0.5 * state.way[r, WAY] * upright
    y -= 0.5 * state.way[r, WAY + 1] * upright
    size = max(sqrt(x * x + y * y), 0.5)
    return x / size, y / size


@compiled
def arm_aim(responses, state, r, w, shoulder, height, left):
    """Unit direction of an arm in trunk axes, to where its shoulder will be over the ground.

    shoulder: moving body of the upper arm. height: of the person against a mid-size man. left: 1 left, -1 right.
    """
    i = responses.body[r, TRUNK]
    drop = max(w.position[shoulder, 2] - state.floor[r] - ARM_HEIGHT * height, 0.0)
    speed = max(-w.velocity[i, 2], 0.0)
    ahead = min((sqrt(speed * speed + 2.0 * FALLING * drop) - speed) / FALLING, FARTHEST_AHEAD)
    then = mat_mul(quat_matrix(quat_exp(scale(ahead, load3(w.omega, i)))), body_axes(responses, w, r, TRUNK))
    lead = LEAD if state.way[r, WAY] > -0.5 else LEAD_BACK
    down = (lead * float(state.way[r, WORLD_WAY]), lead * float(state.way[r, WORLD_WAY + 1]), -1.0)
    across = ACROSS if left * state.way[r, WAY + 1] < -0.5 else 0.0
    aim = add(mat_t_vec(then, down), (across, left * OUTWARD, 0.0))
    aim = scale(1.0 / max(norm(aim), 1e-9), aim)
    if aim[0] < -FARTHEST_BACK:
        side = sqrt(1.0 - FARTHEST_BACK * FARTHEST_BACK) / max(sqrt(aim[1] * aim[1] + aim[2] * aim[2]), 1e-6)
        aim = (-FARTHEST_BACK, side * aim[1], side * aim[2])
    return aim


@compiled
def shoulder_turn(aim, bend, axes):
    """Orientation of the shoulder in its joint frame that points a hanging arm along `aim` (trunk axes).

    The elbow bends forward by `bend` (rad): the upper arm is carried back by half of it. axes: joint frame in the
    trunk.
    """
    axis = cross((0.0, 0.0, -1.0), aim)
    size = norm(axis)
    angle = atan2(size, -aim[2])
    arm = quat_exp(scale(angle / max(size, 1e-9), axis))
    arm = quat_mul(arm, quat_exp((0.0, 0.5 * bend, 0.0)))
    return quat_mul(quat_mul(quat_conj(axes), arm), axes)


@compiled
def wanted(responses, state, numbers, w, r, j, height, x, y, bends):
    """(1 where the response moves joint row j, its orientation). x, y: `head_way`; bends: hips and knees too."""
    role = responses.joint[j, 0]
    left = float(responses.joint[j, 1])
    ahead = float(state.way[r, WAY])
    aside = float(state.way[r, WAY + 1])
    fore = max(ahead, 0.0)
    back = max(-ahead, 0.0)
    side = abs(aside)
    curl = max(back, x)
    legs = float(numbers[LEGS]) if bends else 0.0
    stay = (False, load4(responses.stand, j))
    if role == NECK:
        return True, zyx_turn(0.0, 28.0 * x, -30.0 * y)
    if role == HEAD:
        return True, zyx_turn(0.0, 14.0 * x, -9.0 * y)
    if role == LOWER_BACK:
        return True, zyx_turn(8.0 * aside, 10.0 * fore + 30.0 * curl + 10.0 * side, 14.0 * aside)
    if role == UPPER_BACK:
        return True, zyx_turn(25.0 * aside, 5.0 * fore + 20.0 * curl + 5.0 * side, 12.0 * aside)
    if role == HIP or role == KNEE or role == ANKLE:
        if legs == 0.0:
            return stay
        if role == HIP:
            return True, zyx_turn(0.0, legs * (35.0 * fore + 95.0 * back + 45.0 * side), 0.0)
        if role == KNEE:
            return True, zyx_turn(0.0, legs * (70.0 * fore + 85.0 * back + 60.0 * side), 0.0)
        return True, zyx_turn(0.0, legs * (-20.0 * fore + 18.0 * back + 5.0 * side), 0.0)
    share = float(numbers[ARMS])
    if share == 0.0:
        return stay
    bend = float(numbers[ELBOW])
    goal = zyx_turn(0.0, WRIST_EXTENSION, 0.0)
    if role == SHOULDER:
        aim = arm_aim(responses, state, r, w, responses.joint[j, 3], height, left)
        goal = shoulder_turn(aim, bend, load4(responses.axes, j))
    elif role == ELBOW_JOINT:
        goal = quat_mul(quat_exp((0.0, bend, 0.0)), quat_exp((0.0, 0.0, FOREARM_TURN)))
    if share == 1.0:
        return True, goal
    turn = shorter_turn(quat_mul(quat_conj(stay[1]), goal))
    return True, quat_mul(stay[1], quat_exp(scale(share, turn)))
