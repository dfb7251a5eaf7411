"""Contacts of the same two bodies on one patch share one force (mode `patches`, the default). Bodies of an actor that
are one flesh (`Body.flesh`) count as one body here.

Ellipsoids of one body that overlap describe the same material more than once. Where another surface presses on several
of them at one place, their forces must not add up. Of contact i of two moving bodies (or of one and the world) let
W_i be the work of its loading curve up to the present depth x_i, and a_i the radius of its patch (`patch_radius`). With
s_ij in [0, 1] how much two patches are one (`likeness`) and r_ij = (W_j / W_i)^p,

    f_i = F_i T_i^(-(p - 1) / p)          T_i = 1 + sum_j s_ij r_ij / (1 + (1 - s_ij) r_ij)

The factor holds for normal force, friction and impedance and for both bodies, so Newton's third law is exact. Where all
s = 1 the forces are the gradient of the p-norm of the W_j: conservative in loading, and their sum is between the
largest F and n^(1/p) times that. Where all s = 0 contacts add up. Derivation and bounds: docs/derivations.md, Patches.
"""

from math import sqrt

from ..jit.decorators import compiled, inlined
from ..maths.vector import add, add_scaled, dot, load6, scale, slice3, sub, sym_vec
from .arrays import (
    COUNT,
    ELLIPSOID_A,
    ELLIPSOID_B,
    GROUP_A,
    GROUP_B,
    HOST_A,
    HOST_B,
    KIN,
    LAST_KIN,
    LAW,
    NEXT_FIRST,
    NEXT_KIN,
    NORMAL,
    OWNER_FLESH,
    PATCH,
    PENETRATION,
    POINT,
    SCALE,
    TOUCH_RATE,
    WEIGHT,
    WORK,
)
from .normal_force import loading_work

DOUBLINGS = 4
"""p = 2^DOUBLINGS = 16, so that powers and roots are squarings and square roots. n contacts at one place carry at most
n^(1/16) times what one does: 4 % more for two, 7 % for three."""
LEAST_WORK = 1.0e-12
"""J: of a contact that has only just begun."""
MOST_RATIO = 1.0e12
"""Of two works: its power p is still a finite number."""
APART, ALIKE = 0.5, 0.8660254037844386
"""Cosines of the angle between two normals: from 60 degrees on contacts add up, up to 30 degrees they are alike."""


@inlined
def curvature(shape, normal):
    """1/m: square root of the Gaussian curvature of the ellipsoid x' A^-1 x = 1 where its unit normal is `normal`.

    n' A n / sqrt(det A), shape being A (m2) in world axes (docs/derivations.md, Patches).
    """
    xx, yy, zz, xy, xz, yz = shape
    det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    return dot(normal, sym_vec(shape, normal)) / sqrt(det)


@inlined
def patch_radius(c, j):
    """m: radius of the circle in which the undeformed surfaces of contact j overlap; an obstacle counts as flat."""
    row = c.contact[j]
    normal = slice3(row, NORMAL)
    bend = curvature(load6(c.shape, c.who[j, ELLIPSOID_A]), normal)
    if c.who[j, ELLIPSOID_B] >= 0:
        bend += curvature(load6(c.shape, c.who[j, ELLIPSOID_B]), normal)
    return sqrt(2.0 * float(row[PENETRATION]) / bend)


@inlined
def smooth_step(x):
    """0 below 0, 1 above 1, x^2 (3 - 2 x) between."""
    x = min(1.0, max(0.0, x))
    return x * x * (3.0 - 2.0 * x)


@inlined
def same_bodies(who, i, j):
    """1 where contacts i and j are of the same two bodies, -1 where these have changed sides, else 0."""
    if who[i, HOST_A] == who[j, HOST_A] and who[i, HOST_B] == who[j, HOST_B]:
        return 1.0
    if who[i, HOST_A] == who[j, HOST_B] and who[i, HOST_B] == who[j, HOST_A]:
        return -1.0
    return 0.0


@inlined
def same_flesh(who, i, j):
    """`same_bodies` of what counts as one body here (`name_flesh`)."""
    if who[i, GROUP_A] == who[j, GROUP_A] and who[i, GROUP_B] == who[j, GROUP_B]:
        return 1.0
    if who[i, GROUP_A] == who[j, GROUP_B] and who[i, GROUP_B] == who[j, GROUP_A]:
        return -1.0
    return 0.0


@inlined
def name_flesh(owner, c, j):
    """Write what the two sides of contact j share patches with; the world's is its moving body."""
    who = c.who[j]
    who[GROUP_A] = owner[who[ELLIPSOID_A], OWNER_FLESH]
    who[GROUP_B] = owner[who[ELLIPSOID_B], OWNER_FLESH] if who[ELLIPSOID_B] >= 0 else who[HOST_B]


@inlined
def note_kin(owner, c):
    """Write for every contact what its sides share patches with, and which is the first with the same two; and chain
    the contacts of the same two in their order, so that each is compared with these only."""
    who = c.who
    newest = -1
    for i in range(c.counter[COUNT]):
        name_flesh(owner, c, i)
        first = 0 if i > 0 else -1
        while first >= 0 and same_flesh(who, i, first) == 0.0:
            first = who[first, NEXT_FIRST]
        who[i, NEXT_KIN] = -1
        if first >= 0:
            who[i, KIN] = first
            who[who[first, LAST_KIN], NEXT_KIN] = i
            who[first, LAST_KIN] = i
            continue
        who[i, KIN] = i
        who[i, LAST_KIN] = i
        who[i, NEXT_FIRST] = -1
        if newest >= 0:
            who[newest, NEXT_FIRST] = i
        newest = i


@inlined
def likeness(one, other, sign):
    """How much the patches of two contacts (rows of `contact`) are one, 0 to 1; sign: see `same_flesh`.

    1 where the normals are alike and the centre of each patch lies within the other, 0 from where they only touch.
    """
    n = slice3(one, NORMAL)
    m = scale(sign, slice3(other, NORMAL))
    alike = dot(n, m)
    if alike <= APART:
        return 0.0
    mean = add(n, m)
    d = sub(slice3(one, POINT), slice3(other, POINT))
    d = add_scaled(d, -dot(d, mean) / dot(mean, mean), mean)
    reach = float(one[PATCH]) + float(other[PATCH])
    square = dot(d, d)
    if square >= reach * reach:
        return 0.0
    return smooth_step(2.0 - 2.0 * sqrt(square) / reach) * smooth_step((alike - APART) / (ALIKE - APART))


@inlined
def raised(x):
    """x to the power p, by squaring."""
    for _ in range(DOUBLINGS):
        x = x * x
    return x


@inlined
def lowered(x):
    """The pth root of x, by square roots."""
    for _ in range(DOUBLINGS):
        x = sqrt(x)
    return x


@inlined
def is_same_touch(c, i, j):
    """Whether two contacts are shares of one touch: zones of a mesh that blend at one place."""
    one = c.contact[i]
    other = c.contact[j]
    return (
        one[WEIGHT] < 1.0
        and other[WEIGHT] < 1.0
        and c.who[i, ELLIPSOID_A] == c.who[j, ELLIPSOID_A]
        and one[POINT] == other[POINT]
        and one[POINT + 1] == other[POINT + 1]
        and one[POINT + 2] == other[POINT + 2]
    )


@inlined
def share_of(c, i):
    """Factor on the force of contact i."""
    total = 1.0
    row = c.contact[i]
    j = c.who[i, KIN]
    while j >= 0:
        if j != i and not is_same_touch(c, i, j):
            other = c.contact[j]
            s = likeness(row, other, same_flesh(c.who, i, j))
            if s > 0.0:
                r = raised(min(MOST_RATIO, float(other[WORK]) / float(row[WORK])))
                total += float(other[WEIGHT]) * s * r / (1.0 + (1.0 - s) * r)
        j = c.who[j, NEXT_KIN]
    return lowered(total) / total


@compiled
def share_patches(table, c):
    """Write the factors of all contacts; their patch radii and kin are known. They depend on depths and places only."""
    count = c.counter[COUNT]
    several = False
    for i in range(count):
        c.contact[i, WORK] = 0.0
        first = c.who[i, KIN]
        if first != i:
            c.contact[i, WORK] = 1.0
            c.contact[first, WORK] = 1.0
            several = True
    if not several:
        return
    for i in range(count):
        row = c.contact[i]
        if row[WORK] != 0.0:
            work = loading_work(table, c.who[i, LAW], float(row[PENETRATION]), float(row[TOUCH_RATE]))
            row[WORK] = max(LEAST_WORK, work)
    for i in range(count):
        row = c.contact[i]
        if row[WORK] != 0.0:
            row[SCALE] *= share_of(c, i)
