"""A child's hand on a ball joint, stepped as the engine steps: stable at dt = 1e-4 with every limit and motor.

0.1 kg and 5e-5 kg m2 is the lightest body that carries a joint; on a stiffness of 2000 N m/rad it swings at 6300 rad/s,
a tenth of a period in a step of 1e-4 s, and the dampers are far beyond what explicit stepping can take.
"""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mannequin.engine.joints.compile import SLIP_ANGLE
from mannequin.engine.joints.passive import RELAXATION
from mannequin.engine.spec import AxisLimits, ConeLimits, JointFriction, Motor

H = 1e-4
INERTIA = np.diag([5e-5, 4e-5, 2e-5])
WEIGHT = 0.1 * 9.81
ARM = np.array([0.0, 0.0, -0.05])
"""Centre of mass in the hand's frame, m; the joint centre is at rest."""


def turned(q: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """A quaternion (w, x, y, z) after a turn (rotation vector) about the body's own axes."""
    half = 0.5 * math.sqrt(turn @ turn)
    a, b, c = ((0.5 if half < 1e-9 else 0.5 * math.sin(half) / half) * turn).tolist()
    d, (w, x, y, z) = math.cos(half), q.tolist()
    return np.array(
        [
            w * d - x * a - y * b - z * c,
            w * a + x * d + y * c - z * b,
            w * b - x * c + y * d + z * a,
            w * c + x * b - y * a + z * d,
        ]
    )


class Limb:
    """A rigid body on a ball joint, linearly implicit in its joint torques, explicit in the rest."""

    def __init__(self, joint, rotation_vector, omega, gravity=1.0) -> None:
        self.joint, self.gravity = joint, gravity
        self.q = np.roll(Rotation.from_rotvec(rotation_vector).as_quat(), 1)
        self.omega = np.array(omega, dtype=float)
        self.joint.start(self.q)

    def step(self) -> None:
        """One step of H; in numbers one by one, because a hundred thousand of them are made here."""
        result = self.joint(self.q, self.omega, h=H)
        w, x, y, z = self.q.tolist()
        # the world's z axis in the hand's frame, and the moment of a weight against it at the end of the arm
        up = (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y))
        pull = self.gravity * WEIGHT * ARM[2]
        (a, b, c), (p, q, r) = INERTIA.diagonal().tolist(), self.omega.tolist()
        torque = result.total() - np.array(
            [(c - b) * q * r - pull * up[1], (a - c) * r * p + pull * up[0], (b - a) * p * q]
        )
        self.omega = self.omega + H * np.linalg.solve(INERTIA + result.total_impedance(), torque)
        self.q = turned(self.q, H * self.omega)
        self.joint.commit(self.q)

    @property
    def rotation_vector(self) -> np.ndarray:
        return Rotation.from_quat(np.roll(self.q, -1)).as_rotvec()

    @property
    def kinetic(self) -> float:
        return 0.5 * self.omega @ INERTIA @ self.omega


BOX = {"lower": (-10.0, -30.0, -20.0), "upper": (15.0, 40.0, 25.0)}
RESTRAINTS = {
    "default box": {"limits": AxisLimits(**BOX)},
    "stiff box": {"limits": AxisLimits(**BOX, stiffness=2000.0, damping=50.0)},
    "box without damper": {"limits": AxisLimits(**BOX, stiffness=2000.0, damping=0.0)},
    "cone": {"cone": ConeLimits((30.0, 20.0, 40.0, 15.0), twist=(-20.0, 20.0))},
}


@pytest.mark.parametrize("restraint", RESTRAINTS)
@pytest.mark.parametrize("seed", range(4))
def test_limits_take_energy_and_hold(bench, restraint, seed):
    """Thrown at 40 rad/s without any other resistance: never faster than at the start, held close to the range."""
    rng = np.random.default_rng(seed)
    direction = rng.normal(size=3)
    limb = Limb(
        bench(**RESTRAINTS[restraint]), [0, 0, 0], 40.0 * direction / np.linalg.norm(direction), gravity=0.0
    )
    start = limb.kinetic
    for _ in range(3000):
        limb.step()
        assert limb.kinetic <= start * 1.001
        assert np.degrees(np.linalg.norm(limb.rotation_vector)) < 75.0


@pytest.mark.parametrize("restraint", ["default box", "stiff box"])
def test_hand_comes_to_rest_on_its_limit(bench, restraint):
    """Standing upside down it falls over, and rests less than 5 degrees past its range."""
    limb = Limb(bench(**RESTRAINTS[restraint], damping=1e-3), [0.0, 0.3, 0.1], [0.0, 0.0, 0.0], gravity=-1.0)
    for _ in range(8000):
        limb.step()
    assert np.linalg.norm(limb.omega) < 0.1
    turned = np.degrees(limb.rotation_vector)[::-1]
    violation = np.maximum(turned - BOX["upper"], np.array(BOX["lower"]) - turned)
    assert 0.0 < violation.max() < 5.0


@pytest.mark.parametrize(
    "motor",
    [
        Motor(stiffness=500.0, damping=5.0, target=(20.0, 40.0, -30.0)),
        Motor(stiffness=5000.0, damping=0.0, target=(0.0, 2.0, 0.0)),
        Motor(stiffness=500.0, damping=20.0, target=(20.0, 40.0, -30.0), max_torque=20.0),
        Motor(stiffness=5000.0, damping=1.0, target=(20.0, 40.0, -30.0), max_torque=5.0),
    ],
    ids=["firm", "undamped", "capped", "stiff and capped"],
)
def test_motors_reach_their_target(bench, motor):
    limb = Limb(bench(motor=motor), [0.0, 0.0, 0.0], [10.0, -20.0, 5.0])
    target = Rotation.from_euler("ZYX", motor.target, degrees=True).as_rotvec()
    for _ in range(8000):
        limb.step()
    assert np.linalg.norm(limb.omega) < 0.05
    assert np.degrees(np.linalg.norm(limb.rotation_vector - target)) < 0.5


def test_friction_stops_the_hand_without_chatter(bench):
    """It stops within a millisecond, and creeps back by what the joint gives before it slips, ever more slowly."""
    limb = Limb(bench(friction=JointFriction(torque=5.0)), [0.0, 0.4, 0.0], [30.0, 0.0, 0.0])
    for _ in range(10):
        limb.step()
    stopped, speed = limb.rotation_vector, np.linalg.norm(limb.omega)
    assert speed < 1.1 * SLIP_ANGLE / RELAXATION
    for _ in range(2000):
        limb.step()
        before, speed = speed, np.linalg.norm(limb.omega)
        assert speed <= before + 1e-9
    assert speed < 1e-3
    assert np.linalg.norm(limb.rotation_vector - stopped) < 1.1 * SLIP_ANGLE


def test_turning_is_that_of_scipy():
    rng = np.random.default_rng(3)
    for turn in (*rng.normal(size=(20, 3)), np.zeros(3), np.array([0.0, 0.0, 1e-12])):
        start = Rotation.random(random_state=rng)
        expected = (start * Rotation.from_rotvec(turn)).as_matrix()
        found = Rotation.from_quat(np.roll(turned(np.roll(start.as_quat(), 1), turn), -1)).as_matrix()
        assert np.allclose(found, expected, atol=1e-14)
