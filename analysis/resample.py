"""A recording, and obstacles that move, at times between their samples. Plain arithmetic, without Blender.

Cubic Hermite interpolation of place and quaternion with the recorded velocities: exact at the samples, error of fourth
order in the output step between them. Quaternions are interpolated by component, with dq/dt = (0, w) q / 2 (w in the
world), and normalised.
"""

from dataclasses import dataclass

import numpy as np

from ..engine.contact.compile import motion_rows
from ..engine.maths.rotations import matrix_from_quaternion
from ..engine.runs.recording import Recording
from ..engine.spec import Obstacle


@dataclass(frozen=True)
class Motion:
    """Bodies of a recording at chosen times."""

    times: np.ndarray
    """(K,) s"""
    origin: np.ndarray
    """(K, B, 3) of the authored body frames, m"""
    quaternion: np.ndarray
    """(K, B, 4) unit, body to world, neighbours on one side of the sphere"""


def resample(recording: Recording, times: np.ndarray) -> Motion:
    """Bodies at the given times (s); times outside the recording show its first or last sample."""
    times = np.asarray(times, dtype=float)
    origin = np.stack([recording.origin(body) for body in range(len(recording.body_names))], axis=1)
    spin = recording.angular_velocity
    drift = recording.velocity + np.cross(spin, origin - recording.position)
    turn = 0.5 * quaternion_product(
        np.concatenate([np.zeros_like(spin[..., :1]), spin], axis=-1), recording.quaternion
    )
    quaternion = hermite(recording.times, recording.quaternion, turn, times)
    quaternion /= np.linalg.norm(quaternion, axis=-1, keepdims=True)
    return Motion(times, hermite(recording.times, origin, drift, times), continuous(quaternion))


def last_pose(recording: Recording) -> Motion:
    """Bodies in the last sample of a recording."""
    q = np.array(recording.quaternion[-1])
    arm = np.einsum("bij,bj->bi", matrix_from_quaternion(q), recording.body_com)
    return Motion(np.array(recording.times[-1:]), (recording.position[-1] - arm)[None], q[None])


def obstacle_motion(obstacle: Obstacle, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(K, 3) position, m, and (K, 4) quaternion of an obstacle at times (s); held before the first row and after the
    last."""
    rows = motion_rows(obstacle)
    if len(rows) == 1:
        return np.repeat(rows[:, 1:4], len(times), axis=0), np.repeat(rows[:, 4:], len(times), axis=0)
    first = np.clip(np.searchsorted(rows[:, 0], times, side="right") - 1, 0, len(rows) - 2)
    before, after = rows[first], rows[first + 1]
    part = np.clip((times - before[:, 0]) / (after[:, 0] - before[:, 0]), 0.0, 1.0)[:, None]
    turn = quaternion_product(after[:, 4:], conjugate(before[:, 4:]))
    turn = np.where(turn[:, :1] < 0.0, -turn, turn)
    sine = np.linalg.norm(turn[:, 1:], axis=1, keepdims=True)
    half = part * np.arctan2(sine, turn[:, :1])
    axis = turn[:, 1:] / np.where(sine > 0.0, sine, 1.0)
    partial = np.concatenate([np.cos(half), np.sin(half) * axis], axis=1)
    return before[:, 1:4] + part * (after[:, 1:4] - before[:, 1:4]), quaternion_product(
        partial, before[:, 4:]
    )


def hermite(known: np.ndarray, values: np.ndarray, slopes: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(K, ...) cubic Hermite interpolation of (F, ...) values with slopes at (F,) times."""
    if len(known) == 1:
        return np.repeat(values[:1], len(times), axis=0).astype(float)
    if np.array_equal(times, known):
        return np.array(values, dtype=float)
    times = np.clip(times, known[0], known[-1])
    right = np.clip(np.searchsorted(known, times, side="right"), 1, len(known) - 1)
    shape = (len(times),) + (1,) * (values.ndim - 1)
    step = (known[right] - known[right - 1]).reshape(shape)
    s = ((times - known[right - 1]) / (known[right] - known[right - 1])).reshape(shape)
    # a time that is a sample within round-off is that sample: 0.1 + 0.2 must not miss a state by 1e-17 s
    s = np.where(np.abs(s) < 1e-9, 0.0, np.where(np.abs(s - 1.0) < 1e-9, 1.0, s))
    r = 1.0 - s
    return (
        (1.0 + 2.0 * s) * r * r * values[right - 1]
        + s * r * r * step * slopes[right - 1]
        + s * s * (3.0 - 2.0 * s) * values[right]
        - s * s * r * step * slopes[right]
    )


def quaternion_product(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
    """(..., 4) Hamilton product of (..., 4) quaternions (w, x, y, z), whose components lie along `axis`."""
    aw, ax, ay, az = np.moveaxis(np.asarray(a, dtype=float), axis, 0)
    bw, bx, by, bz = np.moveaxis(np.asarray(b, dtype=float), axis, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=axis,
    )


def conjugate(q: np.ndarray) -> np.ndarray:
    """(..., 4) inverse of unit quaternions."""
    return np.asarray(q, dtype=float) * np.array([1.0, -1.0, -1.0, -1.0])


def continuous(quaternions: np.ndarray) -> np.ndarray:
    """(K, ..., 4) the same rotations without sign flips from one time to the next."""
    dots = np.sum(quaternions[1:] * quaternions[:-1], axis=-1)
    signs = np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)
    return np.concatenate([quaternions[:1], quaternions[1:] * signs[..., None]])
