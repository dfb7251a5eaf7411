"""What happened in a run: NumPy arrays over output times, and the contact events.

Shapes: F output times, B authored bodies of all actors (merged ones included), J joints, C contact events, M muscles.
World frame, SI units. Bodies stand in the order of the scenario's actors and of each model's body list. Every body is
carried by exactly one joint (the root by its joint to the ground), so J = B: joint j is the one whose child is body j.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .muscles.arrays import MUSCLE_CHANNELS, MUSCLE_ENERGIES
from .rotations import matrix_from_quaternion

ENERGY_TERMS = (
    "kinetic",
    "gravity",
    "contact",
    "friction",
    "joint_damping",
    "joint_limits",
    "joint_passive",
    "actuators",
    "connections",
    "muscles",
    "prescribed",
    "residual",
)
"""Columns of `Recording.energy`, joules. kinetic and gravity are energies; contact to prescribed are the *work done on
the bodies* since the start by these forces (negative where they take energy out); residual is the numerical error:
(kinetic + gravity now) - (kinetic + gravity at the start) - (sum of the works)."""

CONTACT_EVENT = np.dtype(
    [
        ("ellipsoid_a", "i4"),  # index into Recording.ellipsoid_names
        ("ellipsoid_b", "i4"),  # same; -1 where the other side is an obstacle
        ("obstacle_b", "i4"),  # index into Recording.obstacle_names; -1 where the other side is an ellipsoid
        ("body_a", "i4"),  # index into Recording.body_names
        ("body_b", "i4"),  # -1 for an obstacle
        ("start", "f8"),  # s, first touch
        ("end", "f8"),  # s, last touch; NaN while still touching at the end of the run
        ("peak_time", "f8"),
        ("peak_force", "f8"),  # N, size of the normal force
        ("peak_penetration", "f8"),  # m
        ("impulse", "f8", (3,)),  # N s on a
        ("energy", "f8"),  # J taken out of the bodies by this contact, friction included
        ("approach_speed", "f8"),  # m/s along the normal at first touch
        ("sliding_speed", "f8"),  # m/s in the tangent plane at first touch
        ("point_first", "f8", (3,)),  # world, at first touch
        ("point", "f8", (3,)),  # world, at the peak
        ("normal", "f8", (3,)),  # world, at the peak, from b into a
        ("point_a", "f8", (3,)),  # the peak's point in the authored frame of body a
        ("normal_a", "f8", (3,)),
        ("point_b", "f8", (3,)),  # in the authored frame of body b (of the obstacle)
    ]
)
"""One record per contact event: two surfaces from first touch to separation."""

CONTACT_INSTANT = np.dtype(
    [
        ("time", "f8"),
        ("ellipsoid_a", "i4"),  # as in CONTACT_EVENT
        ("ellipsoid_b", "i4"),
        ("obstacle_b", "i4"),
        ("body_a", "i4"),
        ("body_b", "i4"),
        ("point", "f8", (3,)),  # world, m
        ("normal", "f8", (3,)),  # world, from b into a
        ("force", "f8", (3,)),  # N on a, friction included
        ("normal_force", "f8"),  # N
        ("penetration", "f8"),  # m, less the overlap at the start where that is subtracted
        ("penetration_rate", "f8"),  # m/s
        ("sliding_speed", "f8"),  # m/s in the tangent plane
    ]
)
"""One record per contact and output time."""


@dataclass
class Recording:
    """A run's results. `frames` counts the valid output times; arrays hold exactly that many."""

    times: np.ndarray
    """(F,) s"""

    actor_names: tuple[str, ...]
    body_names: tuple[str, ...]
    body_actor: np.ndarray
    """(B,) index into actor_names"""
    body_mass: np.ndarray
    """(B,) kg"""
    body_com: np.ndarray
    """(B, 3) centre of mass in the authored body frame, m"""
    joint_names: tuple[str, ...]
    joint_actor: np.ndarray
    """(J,)"""
    joint_child: np.ndarray
    """(J,) index of the child body"""
    joint_types: tuple[str, ...]
    ellipsoid_names: tuple[str, ...]
    ellipsoid_body: np.ndarray
    obstacle_names: tuple[str, ...]

    position: np.ndarray
    """(F, B, 3) centre of mass, m"""
    quaternion: np.ndarray
    """(F, B, 4) (w, x, y, z), authored body frame to world, continuous in sign over time"""
    velocity: np.ndarray
    """(F, B, 3) of the centre of mass, m/s"""
    angular_velocity: np.ndarray
    """(F, B, 3) rad/s"""
    acceleration: np.ndarray
    """(F, B, 3) of the centre of mass, m/s2, velocity-product terms included; minus gravity it is what an
    accelerometer shows"""
    angular_acceleration: np.ndarray
    """(F, B, 3) rad/s2"""
    contact_force: np.ndarray
    """(F, B, 3) sum over the body's contacts, N"""
    contact_torque: np.ndarray
    """(F, B, 3) about the centre of mass, N m"""

    joint_angle: np.ndarray
    """(F, J, 3) rotation vector of the joint in its frame (x, y, z), rad; revolute: angle times axis; free: of the
    root's joint frame (T2) in the world"""
    joint_rate: np.ndarray
    """(F, J, 3) angular velocity of the child relative to the parent in the child joint frame, rad/s"""
    reaction_force: np.ndarray
    """(F, J, 3) force of the parent on the child at the joint centre, world, N (zero length when not recorded)"""
    reaction_moment: np.ndarray
    """(F, J, 3) moment of the parent on the child at the joint centre, actuation included, world, N m"""

    energy: np.ndarray
    """(F, len(ENERGY_TERMS)) J"""

    contacts: np.ndarray
    """(C,) of CONTACT_EVENT, by start time"""
    contact_history: np.ndarray | None = None
    """Array of CONTACT_INSTANT: every contact at every output time, where asked for (`Settings.contact_history`)"""

    muscle_names: tuple[str, ...] = ()
    """Muscles of all actors, in the order of the actors and of each model's list"""
    muscle_actor: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """(M,) index into actor_names"""
    muscle: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, len(MUSCLE_CHANNELS))))
    """(F, M, len(MUSCLE_CHANNELS))"""
    muscle_energy: np.ndarray = field(default_factory=lambda: np.zeros((0, len(MUSCLE_ENERGIES))))
    """(F, len(MUSCLE_ENERGIES)) J, sums over all muscles"""

    status: str = "completed"
    """"completed", "cancelled" or "diverged\""""
    message: str = ""
    warnings: list[str] = field(default_factory=list)
    steps: int = 0

    @property
    def frames(self) -> int:
        """Number of output times."""
        return len(self.times)

    def body_index(self, actor: str, body: str) -> int:
        """Index of a body by actor and body name; KeyError names both."""
        for index, name in enumerate(self.body_names):
            if name == body and self.actor_names[self.body_actor[index]] == actor:
                return index
        raise KeyError(f"actor '{actor}' has no body '{body}'")

    def joint_index(self, actor: str, joint: str) -> int:
        """Index of a joint by actor and joint name; KeyError names both."""
        for index, name in enumerate(self.joint_names):
            if name == joint and self.actor_names[self.joint_actor[index]] == actor:
                return index
        raise KeyError(f"actor '{actor}' has no joint '{joint}'")

    def muscle_channel(self, name: str) -> np.ndarray:
        """(F, M) one of MUSCLE_CHANNELS."""
        return self.muscle[:, :, MUSCLE_CHANNELS.index(name)]

    def rotation(self, body: int) -> np.ndarray:
        """(F, 3, 3) authored body frame to world."""
        return matrix_from_quaternion(self.quaternion[:, body])

    def origin(self, body: int) -> np.ndarray:
        """(F, 3) world position of the authored body frame's origin, m."""
        return self.position[:, body] - self.rotation(body) @ self.body_com[body]
