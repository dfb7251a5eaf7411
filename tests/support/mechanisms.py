"""Small mechanisms with closed solutions, and what can be computed of a recording without the engine."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from mannequin.engine import Actor, Body, Joint, Model, Recording, Scenario, Settings

POINT_INERTIA = (1e-9, 1e-9, 1e-9, 0.0, 0.0, 0.0)
"""kg m2: as good as a point mass, yet a rigid body."""


def free_space(**changes) -> Settings:
    """Settings without ground, damping and limits."""
    return Settings(**({"ground": False, "joint_damping": 0.0, "joint_limits": False} | changes))


def shifted(x: float, y: float, z: float, rotation: np.ndarray | None = None) -> tuple:
    """A transform of spec: rotation (identity if absent) and translation in metres."""
    m = np.eye(4)
    m[:3, 3] = x, y, z
    if rotation is not None:
        m[:3, :3] = rotation
    return tuple(tuple(float(v) for v in row) for row in m)


def scenario_of(model: Model, settings: Settings | None = None, **start) -> Scenario:
    """A scenario with one actor."""
    return Scenario("case", [Actor("actor", model, **start)], settings=settings or free_space())


def single_body(
    mass: float = 1.0, inertia: Sequence[float] = (1.0, 2.0, 3.0, 0, 0, 0), joint: Joint | None = None, **body
) -> Model:
    """One body, free unless a joint to the ground is given."""
    return Model(
        "single",
        [Body("body", mass, tuple(inertia), **body)],
        [joint or Joint("root", "free", None, "body")],
    )


def point_pendulum(joint_type: str, length: float = 1.0, count: int = 1) -> Model:
    """Point masses of 1 kg on massless rods hanging along -z, hinged about y (or by ball joints) to the ground."""
    bodies, joints = [], []
    for i in range(count):
        bodies.append(Body(f"link {i}", 1.0, POINT_INERTIA, center_of_mass=(0.0, 0.0, -length)))
        joints.append(
            Joint(
                f"joint {i}",
                joint_type,
                f"link {i - 1}" if i else None,
                f"link {i}",
                T1=shifted(0.0, 0.0, -length if i else 0.0),
                axis=(0.0, 1.0, 0.0),
            )
        )
    return Model("pendulum", bodies, joints)


def inertias(scenario: Scenario) -> np.ndarray:
    """(B, 3, 3) inertia of every authored body about its centre of mass, body axes (minus the products)."""
    matrices = []
    for actor in scenario.actors:
        for body in actor.model.bodies:
            xx, yy, zz, xy, yz, xz = body.inertia
            matrices.append([[xx, -xy, -xz], [-xy, yy, -yz], [-xz, -yz, zz]])
    return np.array(matrices, dtype=float)


def world_inertias(scenario: Scenario, recording: Recording) -> np.ndarray:
    """(F, B, 3, 3) the same in world axes, the rotations made from quaternions by SciPy."""
    frames, bodies = recording.quaternion.shape[:2]
    quaternions = recording.quaternion.reshape(-1, 4)[:, [1, 2, 3, 0]]
    R = Rotation.from_quat(quaternions).as_matrix().reshape(frames, bodies, 3, 3)
    return R @ inertias(scenario) @ np.swapaxes(R, -1, -2)


def momenta(scenario: Scenario, recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """(F, 3) linear momentum and (F, 3) angular momentum about the common centre of mass, from the recorded bodies."""
    mass = recording.body_mass[None, :, None]
    linear = (mass * recording.velocity).sum(axis=1)
    centre = (mass * recording.position).sum(axis=1) / mass.sum()
    spin = np.einsum("fbij,fbj->fbi", world_inertias(scenario, recording), recording.angular_velocity)
    orbit = np.cross(recording.position - centre[:, None], mass * recording.velocity)
    return linear, (spin + orbit).sum(axis=1)


def energies(scenario: Scenario, recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """(F,) kinetic and (F,) gravity energy, from the recorded bodies."""
    mass, omega = recording.body_mass, recording.angular_velocity
    spin = np.einsum("fbi,fbij,fbj->f", omega, world_inertias(scenario, recording), omega)
    kinetic = 0.5 * (mass * (recording.velocity**2).sum(-1)).sum(1) + 0.5 * spin
    gravity = np.array(scenario.settings.gravity)
    return kinetic, -(mass * (recording.position @ gravity)).sum(1)


def with_settings(scenario: Scenario, **changes) -> Scenario:
    """The scenario with some settings changed."""
    return replace(scenario, settings=replace(scenario.settings, **changes))
