"""What happened in a run: NumPy arrays over output times, and the contact events.

Shapes: F output times, B authored bodies of all actors (merged ones included), J joints, C contact events, M muscles,
K channels of sensors, N time steps at which these were sampled.
World frame, SI units. Bodies stand in the order of the scenario's actors and of each model's body list. Every body is
carried by exactly one joint (the root by its joint to the ground), so J = B: joint j is the one whose child is body j.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ..maths.rotations import matrix_from_quaternion
from ..muscles.arrays import MUSCLE_CHANNELS, MUSCLE_ENERGIES
from ..step.frames import FRAME_SHAPES
from .break_event import BREAK_EVENT
from .response_event import RESPONSE_EVENT

COMPLETED, CANCELLED, DIVERGED, STOPPED = "completed", "cancelled", "diverged", "stopped"
"""How a run ended: at its end; by the user; by the engine; for lack of room for its frames."""
PARTIAL = (CANCELLED, STOPPED)
"""Of these the frames up to some output time are kept, and those are right."""
FRAME_ARRAYS = ("times", *FRAME_SHAPES, "energy", "muscle_energy")
"""Arrays of a recording whose first axis are the output times."""

CHANNEL_UNITS = {
    "acceleration": "m/s²",
    "turn_rate": "rad/s",
    "joint_force": "N",
    "joint_moment": "N m",
    "contact_force": "N",
}
"""Quantity of a sensor to the unit of its samples."""


@dataclass(frozen=True)
class Channel:
    """A vector quantity that a sensor measured at every time step, as it was: not filtered."""

    sensor: str
    quantity: str
    axes: str
    """"body" or "world\""""
    body: int
    """Index into body_names"""
    cfc: int
    """Channel frequency class of SAE J211 for plots and tables"""
    times: np.ndarray
    """(N,) s"""
    data: np.ndarray
    """(N, 3) float32"""

    @property
    def unit(self) -> str:
        """Of the samples."""
        return CHANNEL_UNITS[self.quantity]


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
    contact_curve_end: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """(C,) penetration at which the force curve of the two surfaces ends, m; infinite where there is no curve. Of no
    length in recordings of earlier versions"""
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

    joint_slide: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3)))
    """(F, J, 3) how far the child's joint frame has slid from the parent's, in the parent's joint frame (x, y, z), m;
    zero for joints that only turn (zero length in recordings of before joints could slide)"""
    joint_slide_rate: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3)))
    """(F, J, 3) rate of the slide, in the same axes, m/s"""

    breaks: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=BREAK_EVENT))
    """(D,) of BREAK_EVENT, by time: joints that gave way, springs, belts and welds that broke"""
    responses: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=RESPONSE_EVENT))
    """(P,) of RESPONSE_EVENT, by time: phases of people's responses"""
    connection_names: tuple[str, ...] = ()
    """Springs, then belts, then welds of the scenario and of all actors"""

    channel_sensor: tuple[str, ...] = ()
    """(K,) name of the sensor of each channel"""
    channel_quantity: tuple[str, ...] = ()
    """(K,) of SENSOR_QUANTITIES"""
    channel_axes: tuple[str, ...] = ()
    """(K,) "body" (the authored frame of the body) or "world\""""
    channel_body: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """(K,) index into body_names"""
    channel_cfc: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """(K,) channel frequency class of SAE J211 for plots and tables; the samples are not filtered"""
    channel_times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """(N,) s: every time step, the first and the last state included"""
    channel_data: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3), dtype=np.float32))
    """(N, K, 3) samples, SI units, float32"""

    status: str = COMPLETED
    """One of those above; or what was found out about a completed run afterwards"""
    message: str = ""
    warnings: list[str] = field(default_factory=list)
    steps: int = 0
    step_tally: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    """(S, 2) sizes of adaptive steps (s), from short to long, and how many of each were taken; of no length where every
    step was the time step"""

    def __repr__(self) -> str:
        who = f"{', '.join(self.actor_names)}: {len(self.body_names)} bodies"
        end = f" to {self.times[-1]:.4g} s" if self.frames else ""
        what = f"{self.frames} output times{end}, {len(self.contacts)} contacts, {self.status}"
        return f"<Recording of {who}, {what}>"

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

    @property
    def channels(self) -> dict[str, Channel]:
        """What the sensors measured at every step, by "sensor / quantity"."""
        return {f"{channel.sensor} / {channel.quantity}": channel for channel in self._each_channel()}

    def channel(self, sensor: str, quantity: str) -> Channel | None:
        """What a sensor measured; None where there is no such channel."""
        return next((c for c in self._each_channel() if (c.sensor, c.quantity) == (sensor, quantity)), None)

    def _each_channel(self) -> Iterator[Channel]:
        for k, (sensor, quantity) in enumerate(zip(self.channel_sensor, self.channel_quantity, strict=True)):
            yield Channel(
                sensor,
                quantity,
                self.channel_axes[k],
                int(self.channel_body[k]),
                int(self.channel_cfc[k]),
                self.channel_times,
                self.channel_data[:, k],
            )

    def muscle_channel(self, name: str) -> np.ndarray:
        """(F, M) one of MUSCLE_CHANNELS."""
        return self.muscle[:, :, MUSCLE_CHANNELS.index(name)]

    def rotation(self, body: int) -> np.ndarray:
        """(F, 3, 3) authored body frame to world."""
        return matrix_from_quaternion(self.quaternion[:, body])

    def origin(self, body: int) -> np.ndarray:
        """(F, 3) world position of the authored body frame's origin, m."""
        return self.position[:, body] - self.rotation(body) @ self.body_com[body]


def first_frames(recording: Recording, count: int) -> Recording:
    """The first `count` output times of a recording, the samples up to the last of them, and the contacts and
    breaks until then."""
    arrays = {name: getattr(recording, name)[:count] for name in FRAME_ARRAYS}
    contacts, history = recording.contacts, recording.contact_history
    end = arrays["times"][-1] if count else -np.inf
    if history is not None:
        history = history[history["time"] <= end]
    begun, ends = contacts["start"] <= end, recording.contact_curve_end
    sampled = recording.channel_times <= end
    return dataclasses.replace(
        recording,
        **arrays,
        contacts=contacts[begun],
        contact_curve_end=ends[begun] if len(ends) == len(contacts) else ends,
        contact_history=history,
        breaks=recording.breaks[recording.breaks["time"] <= end],
        responses=recording.responses[recording.responses["time"] <= end],
        channel_times=recording.channel_times[sampled],
        channel_data=recording.channel_data[sampled],
    )
