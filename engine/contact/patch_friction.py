"""Friction torques of a contact from the radius of its patch: against drilling about the normal, against rolling.

A contact is a patch of radius a, not a point. Pressed by N and turning at w about the normal it resists with

    T = 2/3 mu N a  a |w| / sqrt((a w)^2 + (8/3 v)^2)

(uniform pressure; v is the sliding velocity, which leaves friction less to do across it). Rolling at w across the
normal loads the surface ahead and unloads it behind, which loses its share of energy l:

    T = 3/16 l N a  min(1, s / a)

which it does in full once the patch has rolled the way s = a over the surface: a blow in which a body turns by a few
degrees has hardly rolled, and what it loses is in its normal force. Both rise linearly up to the rim speed
`friction_velocity`. Sources and bounds: docs/derivations.md, Patch friction.

Against an obstacle the torque is linearly implicit like the force in `respond`: of the slope T / w only what the step
could not carry, that above I / h with I the contact's share of the least inertia of its body. Between two bodies it is
explicit, and its slope is at most I over a time of relaxation.
"""

from math import sqrt

from ..jit.decorators import compiled, inlined
from ..maths.vector import ZERO6, add_scaled, dot, put3, scale, slice3, sub, sym_vec
from .arrays import (
    DRILL_IMPEDANCE,
    NORMAL,
    PATCH,
    PENETRATION,
    ROLL_IMPEDANCE,
    ROLL_SPEED,
    SLIP,
    TORQUE,
)
from .friction import EXPLICIT_RELAXATION
from .normal_force import lost_share
from .table import DRILLING, FRICTION_VELOCITY, ROLLING

DRILLING_ARM = 2.0 / 3.0
"""Mean distance of the patch's elements from its centre over its radius: their arm, under uniform pressure."""
ROLLING_ARM = 3.0 / 16.0
"""How far ahead of the centre the force acts, over the radius, on a surface that gives nothing back."""
SLIDING_SHARE = 8.0 / 3.0
"""k of a w / sqrt((a w)^2 + (k v)^2): the small torque of a patch that slides fast, mu N a^2 w / (4 v), is exact."""


@inlined
def has_patch_friction(table, law):
    """Whether contacts of this row resist drilling or rolling."""
    return table.laws[law, DRILLING] > 0.0 or table.laws[law, ROLLING] > 0.0


@compiled
def patch_friction(table, law, row, turning, rolled, push, inertia, h):
    """Explicit torque on a and its two impedances, written to the contact's row.

    turning: rad/s, of a relative to b. rolled: m, since first touch. push: N, normal force after any multi-contact
    factor. inertia: kg m2, this contact's share of the least inertia of its bodies. h: s where the torque is linearly
    implicit, else 0.
    """
    laws = table.laws
    normal = slice3(row, NORMAL)
    slip = slice3(row, SLIP)
    radius = float(row[PATCH])
    ramp = float(laws[law, FRICTION_VELOCITY])
    about = dot(turning, normal)
    across = add_scaled(turning, -about, normal)
    rolling = sqrt(dot(across, across))
    rim = sqrt(radius * radius * about * about + SLIDING_SHARE * SLIDING_SHARE * dot(slip, slip))
    drill = float(laws[law, DRILLING]) * push * radius * radius / max(ramp, rim)
    depth = float(row[PENETRATION])
    # 2 depth / radius^2 is the sum of the curvatures, by which a turn becomes a way
    row[ROLL_SPEED] = 0.5 * rolling * radius * radius / depth
    lost = lost_share(table, law, depth) * min(1.0, rolled / radius)
    roll = float(laws[law, ROLLING]) * lost * push * radius * radius / max(ramp, radius * rolling)
    if h > 0.0:
        row[DRILL_IMPEDANCE] = max(0.0, h * drill - inertia)
        row[ROLL_IMPEDANCE] = max(0.0, h * roll - inertia)
    else:
        most = inertia / EXPLICIT_RELAXATION
        drill = min(drill, most)
        roll = min(roll, most)
        row[DRILL_IMPEDANCE] = 0.0
        row[ROLL_IMPEDANCE] = 0.0
    put3(row, TORQUE, add_scaled(scale(-roll, across), -drill * about, normal))


@inlined
def no_patch_friction(row):
    """Write that a contact has no torque."""
    for k in range(TORQUE, ROLL_SPEED + 1):
        row[k] = 0.0


@inlined
def turn_impedance(row):
    """Symmetric matrix (kg m2): times the angular acceleration of a, it is what that takes off the torque on a."""
    along = float(row[DRILL_IMPEDANCE])
    across = float(row[ROLL_IMPEDANCE])
    if along == 0.0 and across == 0.0:
        return ZERO6
    x, y, z = slice3(row, NORMAL)
    k = along - across
    return across + k * x * x, across + k * y * y, across + k * z * z, k * x * y, k * x * z, k * y * z


@inlined
def effective_torque(row, alpha):
    """Torque on a that acts (N m), its body having the angular acceleration alpha (rad/s2)."""
    return sub(slice3(row, TORQUE), sym_vec(turn_impedance(row), alpha))
