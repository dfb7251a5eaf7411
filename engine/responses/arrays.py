"""Responses of all actors as flat arrays, and what they remember. Equations: docs/derivations.md, Responses."""

from collections import namedtuple

import numpy as np

(
    LATENCY,
    NECK_LATENCY,
    RISE,
    STRENGTH,
    QUICKNESS,
    TONE,
    ELBOW,
    LEGS,
    ARMS,
    FADE,
    REST,
    ASYMMETRY,
    START,
    ARMED_BY,
    KNOCK_OUT,
    STIFFEN,
    STARTLE,
    BRACE,
    BALANCE,
    MOST_STEPS,
    SOFT_LANDING,
    KEEPS_MOTORS,
    BY_MUSCLES,
    WALKS,
) = range(24)
"""Columns of `Responses.numbers`: s, s, s, 1, 1, 1, rad, 1, 1, s, 1, 1, s, index into ARMING, m/s2, 0 or 1, s, s,
0 or 1, count, 0 or 1, 0 or 1, 0 or 1, 0 or 1."""
NUMBERS = 24

HIP, KNEE, ANKLE, LOWER_BACK, UPPER_BACK, NECK, HEAD, SHOULDER, ELBOW_JOINT, WRIST = range(10)
"""Roles of joints."""
PELVIS, TRUNK, SKULL = 0, 1, 2
"""Columns of `Responses.body`."""

PHASES = (
    "is touched",
    "is startled",
    "braces",
    "loses balance",
    "responds",
    "bends the legs",
    "lands",
    "is knocked out",
    "steps",
    "regains balance",
    "lands on the feet",
)
"""What is noted of a response, each at most once. Recordings keep their numbers: new ones go to the end."""
TOUCHED, STARTLED, BRACED, OFF_BALANCE, RESPONDS, COMMITS, LANDS, KNOCKED_OUT, STEPS, RECOVERS, ON_FEET = (
    range(11)
)

WAY, WORLD_WAY = 0, 2
"""Columns of `ResponseState.way`: direction of the fall ahead and to the left of the pelvis, and along world x, y."""

STEP_SIDE, STEP_BEGAN, STEP_DOWN, STEP_COUNT, STEP_FAILED, STEP_CALM, STEP_HEIGHT, FLIES, STEP_GATHERS = (
    range(9)
)
STEP_FROM, STEP_TO = 9, 12
"""Columns of `ResponseState.step`: side of the foot that steps or stepped last (1 left, -1 right, 0 before any);
times (s) at which it left the ground and came down; steps so far; times at which steps failed and at which the person
was last not calm; height of the centre of mass at the first step (m); 1 in free flight, upright; 1 once a foot is put
beside the other; and the places (world, m) of the ankle from which and to which it goes."""

Responses = namedtuple(
    "Responses",
    [
        "address",  # of the late kernel `respond`
        "actor",  # (r,)
        "numbers",  # (r, NUMBERS)
        "height",  # (r,) of the person against a mid-size man
        "moving",  # (r, 2) first moving body of the actor, and one past the last
        "body",  # (r, 3) moving bodies of pelvis, trunk and head
        "frame",  # (r, 3, 9) their authored frames in the moving frames
        "trunk",  # (b,) response to which a body of the trunk or head belongs, or -1
        "sole_first",  # (r + 1,)
        "sole_body",  # (p,) moving body
        "sole",  # (p, 3) corners under the feet, in the moving frame, m
        "joint_first",  # (r + 1,)
        "joint",  # (j, 5) role, side (1 left, -1 right, 0), row of the motors, moving body, 1: its motor is authored
        "gains",  # (j, 4) stiffness, damping, largest torque, quickest turn of the target (rad/s)
        "stand",  # (j, 4) orientation of somebody who stands: at the start, or upright after a motion
        "axes",  # (j, 4) joint frame (T1) in the parent, as a quaternion
        "sideways",  # (r,) 1: muscles hold the hips to the side too
        "effort_first",  # (r + 1,)
        "effort",  # (e, 4) muscle of a leg, and rows of the leg's hip, knee and ankle; of who balances by muscles
    ],
)

ResponseState = namedtuple(
    "ResponseState",
    [
        "time",  # (r, len(PHASES)) s at which a phase began, NaN until then
        "way",  # (r, 4)
        "floor",  # (r,) lowest place of the soles so far, m
        "skull",  # (r, 3) velocity of the head at the last call, m/s
        "sole",  # (p, 3) corners under the feet in the world, m
        "taken",  # (j,) 1 once the response drives the joint
        "step",  # (r, 15)
        "wanted",  # (j, 2) moments that muscles are to give about the joint's x and y axes, less what they do, N m
        "reach",  # (e, 4) moments of a muscle at full activation about hip, knee and ankle, and about the hip's x, N m
        "effort",  # (e,) excitation that was set last, NaN: none
        "aim",  # (r, 3) moments that keep balance, of both ankles, sagittal, and of both hips, frontal, N m; left share
    ],
)


def new_response_state(responses: Responses) -> ResponseState:
    """Nothing has happened."""
    count = len(responses.actor)
    return ResponseState(
        time=np.full((count, len(PHASES)), np.nan),
        way=np.zeros((count, 4)),
        floor=np.full(count, np.inf),
        skull=np.full((count, 3), np.nan),
        sole=np.zeros((len(responses.sole_body), 3)),
        taken=np.zeros(len(responses.joint), dtype=np.int64),
        step=_new_steps(count),
        wanted=np.zeros((len(responses.joint), 2)),
        reach=np.zeros((len(responses.effort), 4)),
        effort=np.full(len(responses.effort), np.nan),
        aim=np.zeros((count, 3)),
    )


def _new_steps(count: int) -> np.ndarray:
    """`ResponseState.step` of people who have not stepped."""
    steps = np.zeros((count, 15))
    steps[:, [STEP_DOWN, STEP_FAILED]] = np.nan
    return steps
