"""The course of a joint by functions of its coordinates: its pose, and how that changes with each coordinate.

docs/derivations.md, Joints by functions of coordinates. Such a joint has a CURVE moving body for each coordinate. All
have the pose of the last, and each carries the motion that its own coordinate makes there.
"""

from collections import namedtuple

import numpy as np

from ..jit.decorators import compiled
from ..maths.packing import floats, integers
from ..maths.piecewise import Piece, piece_table, piecewise, value_of
from ..maths.rotations import quaternion_from_matrix
from ..maths.vector import (
    add,
    add_scaled,
    axis_angle_matrix,
    cross,
    load3,
    mat_mul,
    mat_vec,
    put3,
    quat_log,
    scale,
    slice3,
)
from ..spec import Joint
from ..spec.joint_functions import SHIFT, TURN, coordinate_names
from ..spec.joint_types import CURVE, Motion

NEWTON_STEPS, DIFFERENCE = 30, 1e-7
"""Steps, and the difference in rad or m from which slopes are taken, where coordinates are looked for."""
AXES = 6
"""Rows of a joint: three turns, three shifts."""
IDENTITY9 = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ZERO3 = (0.0, 0.0, 0.0)

Courses = namedtuple(
    "Courses",
    [
        "row",  # (n,) first of the six rows of its joint, of a CURVE body; else -1
        "count",  # (n,) coordinates of its joint, of a CURVE body that is the first of its joint; else 0
        "radii",  # (n, 3) ellipsoid over which the child slides; zero where there is none
        "direction",  # (r, 3) unit axis in the joint frame
        "coordinate",  # (r,) place of its coordinate among those of its joint, or -1 where it stays
        "function",  # PieceTable, a function for each row
    ],
)


class CoursesBuilder:
    """Collects the functions of the joints into `Courses`."""

    def __init__(self) -> None:
        self._row: list[int] = []
        self._count: list[int] = []
        self._radii: list[tuple[float, ...]] = []
        self._direction: list[np.ndarray] = []
        self._coordinate: list[int] = []
        self._pieces: list[list[Piece]] = []

    def add(self, joint: Joint, motion: Motion) -> None:
        """Enter the next moving body, which makes this motion of a joint."""
        is_first = motion.group == CURVE and motion == joint.kind.motions[0]
        if is_first:
            self._row.append(len(self._direction))
            self._add_rows(joint)
        else:
            self._row.append(self._row[-1] if motion.group == CURVE else -1)
        self._count.append(len(joint.kind.motions) if is_first else 0)
        self._radii.append(tuple(joint.ellipsoid or ZERO3) if is_first else ZERO3)

    def _add_rows(self, joint: Joint) -> None:
        names = coordinate_names(joint.functions)
        for kind in (TURN, SHIFT):
            own = [function for function in joint.functions if function.motion == kind]
            for function in own:
                direction = np.array(function.direction, dtype=float)
                self._direction.append(direction / np.linalg.norm(direction))
                self._coordinate.append(-1 if function.is_constant else names.index(function.coordinate))
                self._pieces.append(function.pieces)
            for _ in range(AXES // 2 - len(own)):
                self._direction.append(np.array([0.0, 0.0, 1.0]))
                self._coordinate.append(-1)
                self._pieces.append([(0.0, (0.0,))])

    def finish(self) -> Courses:
        """What was entered, as compiled code takes it."""
        return Courses(
            row=integers(self._row),
            count=integers(self._count),
            radii=floats(self._radii, 3),
            direction=floats(self._direction, 3),
            coordinate=integers(self._coordinate),
            function=piece_table(self._pieces),
        )


@compiled
def add_column(column, i, at, part):
    """Add a (3,) tuple to three columns of row i from `at` on."""
    column[i, at] += part[0]
    column[i, at + 1] += part[1]
    column[i, at + 2] += part[2]


@compiled
def follow_course(c, i, q_address, u_address, q, u, frame, column, bias):
    """Pose and motion of the joint whose first moving body is i.

    frame: joint frame T1 in world axes. Fills `column`, per moving body of the joint the angular and the linear
    velocity of the child against the parent per unit of its coordinate's rate, in world axes at the child's reference
    point; and `bias` of the last one: what of the child's acceleration against the parent the rates alone make, less
    the part that a chain of moving bodies adds by itself. Returns (rotation of the child in the frame, shift in it).
    """
    k = c.row[i]
    count = c.count[i]
    for j in range(count):
        for n in range(6):
            column[i + j, n] = 0.0
            bias[i + j, n] = 0.0
    rotation = IDENTITY9
    omega = ZERO3
    turning = ZERO3
    for row in range(k, k + 3):
        axis = mat_vec(rotation, load3(c.direction, row))
        j = c.coordinate[row]
        place = 0.0
        if j >= 0:
            place = float(q[q_address + j])
        value, slope, bend = piecewise(c.function, row, place)
        if j >= 0:
            rate = float(u[u_address + j])
            add_column(column, i + j, 0, scale(slope, axis))
            turning = add(
                turning, add_scaled(scale(bend * rate * rate, axis), slope * rate, cross(omega, axis))
            )
            omega = add_scaled(omega, slope * rate, axis)
        if value != 0.0:
            rotation = mat_mul(rotation, axis_angle_matrix(load3(c.direction, row), value))
    shift = ZERO3
    moving = ZERO3
    for row in range(k + 3, k + 6):
        axis = load3(c.direction, row)
        j = c.coordinate[row]
        place = 0.0
        if j >= 0:
            place = float(q[q_address + j])
        value, slope, bend = piecewise(c.function, row, place)
        if j >= 0:
            rate = float(u[u_address + j])
            add_column(column, i + j, 3, scale(slope, axis))
            moving = add_scaled(moving, bend * rate * rate, axis)
        shift = add_scaled(shift, value, axis)
    radii = load3(c.radii, i)
    if radii[0] > 0.0:
        normal = (rotation[2], rotation[5], rotation[8])
        shift = add(shift, stretched(radii, normal))
        for j in range(count):
            add_column(column, i + j, 3, stretched(radii, cross(slice3(column[i + j], 0), normal)))
        swing = add(cross(turning, normal), cross(omega, cross(omega, normal)))
        moving = add(moving, stretched(radii, swing))
    # what the chain adds: each body's own rate in the turning frame of those before it
    before = ZERO3
    for j in range(count):
        rate = float(u[u_address + j])
        own = scale(rate, slice3(column[i + j], 0))
        turning = add_scaled(turning, -1.0, cross(before, own))
        moving = add_scaled(moving, -2.0, cross(before, scale(rate, slice3(column[i + j], 3))))
        before = add(before, own)
    for j in range(count):
        put3(column[i + j], 0, mat_vec(frame, slice3(column[i + j], 0)))
        put3(column[i + j], 3, mat_vec(frame, slice3(column[i + j], 3)))
    put3(bias[i + count - 1], 0, mat_vec(frame, turning))
    put3(bias[i + count - 1], 3, mat_vec(frame, moving))
    return rotation, shift


@compiled
def stretched(radii, vector):
    """A vector with each component times the radius along it."""
    return radii[0] * vector[0], radii[1] * vector[1], radii[2] * vector[2]


def find_coordinates(
    joint: Joint, rotation: np.ndarray, shift: np.ndarray, near: dict[str, float] | None = None
) -> dict[str, float]:
    """Coordinates (rad, m) at which a joint by functions comes closest to a pose in its frame T1 ((3, 3), (3,) m).

    Gauss-Newton from several starts, in which a metre counts as a radian.
    """
    names = coordinate_names(joint.functions)
    best, least = dict.fromkeys(names, 0.0), np.inf
    starts_ = [near or best, *(dict.fromkeys(names, angle) for angle in (0.0, -1.0, 1.0, -2.0, 2.0))]
    for start in starts_:
        found = dict(start)
        for _ in range(NEWTON_STEPS):
            miss = _miss(joint, found, rotation, shift)
            slopes = [
                (_miss(joint, found | {n: found[n] + DIFFERENCE}, rotation, shift) - miss) / DIFFERENCE
                for n in names
            ]
            step = np.linalg.lstsq(np.array(slopes).T, -miss, rcond=None)[0]
            found = {n: found[n] + float(np.clip(s, -1.0, 1.0)) for n, s in zip(names, step, strict=True)}
            if np.abs(step).max() < 1e-12:
                break
        left = float(np.linalg.norm(_miss(joint, found, rotation, shift)))
        if left < least - 1e-9:
            best, least = found, left
        if least < 1e-9:
            break
    return best


def _miss(joint: Joint, at: dict[str, float], rotation: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """(6,) turn (rad) and way (m) by which a joint misses a pose."""
    turned, shifted = joint_course(joint, at)
    turn = quat_log(tuple(quaternion_from_matrix(rotation.T @ turned)))
    return np.concatenate([turn, shifted - shift])


def joint_course(joint: Joint, coordinates: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """((3, 3) rotation, (3,) shift in m) of a joint by functions, in its frame T1, at coordinates in rad and m."""
    rotation, shift = np.eye(3), np.zeros(3)
    for function in joint.functions:
        value = value_of(function.pieces, coordinates.get(function.coordinate, 0.0))
        axis = np.array(function.direction, dtype=float)
        axis /= np.linalg.norm(axis)
        if function.motion == TURN:
            rotation = rotation @ np.array(axis_angle_matrix(tuple(axis.tolist()), value)).reshape(3, 3)
        else:
            shift += value * axis
    if joint.ellipsoid is not None:
        shift += np.array(joint.ellipsoid, dtype=float) * rotation[:, 2]
    return rotation, shift
