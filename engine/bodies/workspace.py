"""Scratch arrays of one simulation, allocated once so that the step loop allocates nothing.

Rows 0 to n-1 are moving bodies; row n is the world. World axes; a body's reference point is its joint centre.
"""

from collections import namedtuple

import numpy as np

from .tree import Tree, coordinate_counts

DAMPING, LIMITS, PASSIVE, ACTUATION = 0, 1, 2, 3
"""Categories of joint torque, kept apart for the energy ledger."""
CATEGORIES = 4

MASS, CENTRE, LINEAR, ANGULAR, TURN = 0, 1, 4, 7, 10
BALANCE_WIDTH = 13
"""Columns of `balance`, in the row of an actor's root: mass (kg; 0 where nothing is expected), centre of mass (m),
linear momentum (kg m/s), angular momentum about the centre of mass (kg m2/s), turn that the drift needs (rad)."""

Workspace = namedtuple(
    "Workspace",
    [
        "rotation",  # (n+1, 9) moving frame to world
        "position",  # (n+1, 3) reference point
        "velocity",  # (n+1, 3) of the reference point
        "omega",  # (n+1, 3) angular velocity
        "arm",  # (n, 3) from the parent's reference point to this one
        "omega_joint",  # (n, 3) angular velocity relative to the parent
        "gyro",  # (n, 3) omega_parent x omega_joint: part of the angular acceleration known from the speeds
        "slide_velocity",  # (n, 3) of the reference point against the parent, where `Tree.slide` is not zero; else zero
        "centripetal",  # (n, 3) omega_parent x (omega_parent x arm + 2 slide_velocity): same, linear
        "coordinate",  # (n, 2) coordinate and speed of a joint that has one of each
        "column",  # (n, 6) where Tree.slide is not zero: angular, linear velocity against the parent per unit of rate
        "bias",  # (n, 6) CURVE: what the rates of the joint's coordinates add to gyro and centripetal; else zero
        "com",  # (n, 3) from the reference point to the centre of mass
        "inertia",  # (n, 6) of the body alone about its reference point
        "swing",  # (n, 3) omega x (omega x com): what turning adds to the acceleration of the centre of mass
        "spin",  # (n, 3) omega x (inertia omega): the torque about the reference point that turning asks for
        "balance",  # (n, BALANCE_WIDTH) momenta that the last step must have led to (`momentum`)
        # articulated inertia: torque = J alpha + H a + n, force = H' alpha + M a + f; by lanes (`maths.rows`), four
        # numbers for three: matrices row by row, symmetric ones (xx, yy, zz, -, xy, xz, yz, -)
        "art_J",  # (n+1, 8)
        "art_H",  # (n+1, 12)
        "art_M",  # (n+1, 8)
        "art_n",  # (n+1, 3)
        "art_f",  # (n+1, 3)
        # what the outward pass needs from the inward one, by lanes too
        "joint_D",  # (n, 8) BALL: inverse of (J + impedance); AXIS, CURVE: motion about and along, in world axes
        "joint_K",  # (n, 12) BALL: D H; AXIS, CURVE: U, V, 1/d
        "joint_B",  # (n, 8) BALL: impedance in world axes
        "joint_y",  # (n, 4) D (torque - n); AXIS, CURVE: first slot
        "alpha",  # (n+1, 3) angular acceleration
        "acceleration",  # (n+1, 3) of the reference point minus gravity (what an accelerometer there would show)
        "u_dot",  # (nu,)
        "aim",  # (n, 4) where a joint has a motor: what `aim_motors` finds
        "torque",  # (n, CATEGORIES, 3) joint torques on the child in its moving frame; AXIS: first slot, N m or N
        "impedance",  # (n, CATEGORIES, 6) what a joint acceleration takes off the torque: h D + h^2 K
        "active",  # (n, CATEGORIES) 1 where torque and impedance are to be read
        "prescribed_rate",  # (n, 6) prescribed u_dot, where Tree.prescribed and not released
        "pulse_force",  # (m, 3) force pulses: world force
        "pulse_arm",  # (m, 3) and its point from the body's reference point
    ],
)


LINE = 64
"""Bytes of a line of the cache."""


def aligned_zeros(shapes: dict[str, tuple[int, int]]) -> dict[str, np.ndarray]:
    """Arrays that each begin with a line of the cache, so that lanes, of half a line, never lie across two, and with
    room for one more number behind each, which lanes may read. All in one block: thirty cost as much as three."""
    per_line = LINE // 8
    starts, end = {}, 0
    for name, (rows, width) in shapes.items():
        starts[name] = end
        end += (rows * width // per_line + 1) * per_line
    block = np.zeros(end + per_line)
    block = block[-block.ctypes.data % LINE // 8 :]
    return {
        name: block[starts[name] : starts[name] + rows * width].reshape(rows, width)
        for name, (rows, width) in shapes.items()
    }


def new_workspace(tree: Tree, pulses: int = 0) -> Workspace:
    """Allocate for a tree and a number of force pulses; the world row is set here once and for all."""
    n = len(tree.mass)
    _, nu = coordinate_counts(tree)
    world_row = {"rotation": 9, "position": 3, "velocity": 3, "omega": 3, "alpha": 3, "acceleration": 3}
    world_row |= {"art_J": 8, "art_H": 12, "art_M": 8, "art_n": 3, "art_f": 3}
    body_row = {"arm": 3, "omega_joint": 3, "gyro": 3, "slide_velocity": 3, "centripetal": 3}
    body_row |= {"coordinate": 2, "column": 6, "bias": 6, "com": 3, "inertia": 6, "swing": 3, "spin": 3}
    body_row |= {"balance": BALANCE_WIDTH}
    body_row |= {"joint_D": 8, "joint_K": 12, "joint_B": 8, "joint_y": 4, "aim": 4, "prescribed_rate": 6}
    shapes = {name: (n + 1, width) for name, width in world_row.items()}
    shapes |= {name: (n, width) for name, width in body_row.items()}
    category_row = {"torque": 3, "impedance": 6}
    shapes |= {name: (n * CATEGORIES, width) for name, width in category_row.items()}
    arrays = aligned_zeros(shapes)
    arrays |= {name: arrays[name].reshape(n, CATEGORIES, width) for name, width in category_row.items()}
    arrays["u_dot"] = np.zeros(nu)
    arrays["active"] = np.zeros((n, CATEGORIES), dtype=np.int64)
    arrays["pulse_force"] = np.zeros((pulses, 3))
    arrays["pulse_arm"] = np.zeros((pulses, 3))
    arrays["rotation"][n] = np.eye(3).ravel()
    return Workspace(**arrays)
