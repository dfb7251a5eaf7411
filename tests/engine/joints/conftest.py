"""A bench for joints without an engine: specs in, torques out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine.joints.arrays import JointEntry, new_joint_state
from mannequin.engine.joints.commands import new_commands
from mannequin.engine.joints.compile import compile_joint_forces
from mannequin.engine.joints.forces import joint_forces
from mannequin.engine.joints.passive import commit_passive, start_friction
from mannequin.engine.spec import Joint, Settings
from mannequin.engine.spec.joint_types import group_sizes


@dataclass
class Torques:
    """What the kernel filled, zero where a category is not active."""

    torque: np.ndarray
    """(n, 4, 3)"""
    impedance: np.ndarray
    """(n, 4, 3, 3)"""

    def total(self, joint: int = 0) -> np.ndarray:
        return self.torque[joint].sum(axis=0)

    def total_impedance(self, joint: int = 0) -> np.ndarray:
        return self.impedance[joint].sum(axis=0)


class Bench:
    """Moving joints side by side, all hanging from the world."""

    def __init__(self, *entries: JointEntry, settings: Settings | None = None) -> None:
        self.jf = compile_joint_forces(entries, settings or Settings(default_joint_damping=0.0))
        self.types = np.array([entry.motion.group for entry in entries], dtype=np.int64)
        sizes = np.array([group_sizes(k) for k in self.types])
        self.q_address, self.u_address = (np.cumsum(sizes, axis=0) - sizes).T.astype(np.int64).copy()
        self.state = new_joint_state(self.jf)
        self.commands = new_commands(self.jf, 0, np.zeros(0))

    def start(self, q) -> None:
        start_friction(self.jf, self.types, self.q_address, np.asarray(q, dtype=float), self.state.friction)

    def commit(self, q) -> None:
        commit_passive(self.jf, self.types, self.q_address, np.asarray(q, dtype=float), self.state)

    def __call__(self, q, u, t: float = 0.0, h: float = 0.0) -> Torques:
        n = len(self.types)
        # what the kernel does not write must not be read: start from nonsense
        torque, impedance = np.full((n, 4, 3), np.nan), np.full((n, 4, 6), np.nan)
        active, aim = np.zeros((n, 4), dtype=np.int64), np.full((n, 4), np.nan)
        q, u = np.array(q, dtype=float), np.array(u, dtype=float)
        joint_forces(
            self.jf, self.types, self.q_address, self.u_address, q, u, float(t), float(h),
            self.state, self.commands, aim, torque, impedance, active,
        )  # fmt: skip
        return Torques(
            np.where(active[..., None] == 1, torque, 0.0),
            self._full(impedance, active),
        )

    @staticmethod
    def _full(six: np.ndarray, active: np.ndarray) -> np.ndarray:
        """(n, 4, 3, 3) from symmetric six-tuples; the damping category holds one number for all axes."""
        full = six[..., [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
        full[:, 0] = six[:, 0, 0, None, None] * np.eye(3)
        return np.where(active[..., None, None] == 1, full, 0.0)


@pytest.fixture
def bench():
    """bench(joint_type, Joint fields..., entry={...}) makes a one-joint bench; bench.of(*entries) a larger one."""

    def make(
        joint_type: str = "spherical", settings: Settings | None = None, entry: dict | None = None, **fields
    ) -> Bench:
        joint = Joint(name="joint", type=joint_type, parent=None, child="child", **fields)
        return Bench(JointEntry(joint, **(entry or {})), settings=settings)

    make.of = Bench
    return make


def quaternion(rotation: Rotation) -> np.ndarray:
    """(w, x, y, z) with w >= 0."""
    q = np.roll(rotation.as_quat(), 1)
    return -q if q[0] < 0.0 else q


def gradient(energy, q: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """Central difference of energy(q) over small turns about the child axes."""
    base = Rotation.from_quat(np.roll(q, -1))
    result = np.zeros(3)
    for k in range(3):
        turn = np.zeros(3)
        turn[k] = step
        ahead, behind = (
            _same_side(q, np.roll((base * Rotation.from_rotvec(s * turn)).as_quat(), 1)) for s in (1.0, -1.0)
        )
        result[k] = (energy(ahead) - energy(behind)) / (2.0 * step)
    return result


def _same_side(reference: np.ndarray, q: np.ndarray) -> np.ndarray:
    return q if q @ reference > 0.0 else -q


@pytest.fixture
def rotations():
    """Helpers over SciPy's rotations: quaternion(Rotation), gradient(energy, q)."""

    class Helpers:
        pass

    Helpers.quaternion = staticmethod(quaternion)
    Helpers.gradient = staticmethod(gradient)
    return Helpers
