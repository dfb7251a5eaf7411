"""Response of necks in the rigs of `scenarios.rigs`: bending under the pendulum, compression in the inverted drop."""

from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Channel, Recording
from ...engine.spec import Scenario
from ...engine.spec.values import STANDARD_GRAVITY
from ..scenarios.rigs import PENDULUM_LENGTH
from .running import AS_GIVEN, Runner


@dataclass(frozen=True)
class Swing:
    """A neck under the pendulum: degrees, N m at the occipital condyles, ms after the pulse begins."""

    angle: float
    angle_time: float
    angle_zero: float
    """When it is back to zero; nan where it is not within the run."""
    moment: float
    moment_time: float
    moment_zero: float
    angle_curve: tuple[np.ndarray, np.ndarray]
    """ms, degrees"""
    moment_curve: tuple[np.ndarray, np.ndarray]
    """ms, N m"""
    speed_curve: tuple[np.ndarray, np.ndarray]
    """ms, m/s of the pendulum at its accelerometer"""

    def back_to(self, moment: float) -> float:
        """ms at which the moment has fallen to a size (N m) after its peak; nan where it does not."""
        times, values = self.moment_curve
        top = int(values.argmax())
        after = np.flatnonzero(values[top:] <= moment)
        return float(times[top + after[0]]) if len(after) else float("nan")

    @property
    def speed_lost(self) -> tuple[np.ndarray, np.ndarray]:
        """ms, m/s that the pendulum has lost."""
        times, speeds = self.speed_curve
        return times, speeds[0] - speeds

    @property
    def deceleration(self) -> tuple[np.ndarray, np.ndarray]:
        """ms, g of the pendulum."""
        times, speeds = self.speed_curve
        return times, -np.gradient(speeds, 1e-3 * times) / STANDARD_GRAVITY


@dataclass(frozen=True)
class Compression:
    """Largest forces (N) of a head-first drop, and the largest way (mm) that the neck's slider goes."""

    upper: float
    lower: float
    way: float


def neck_swing(scenario: Scenario, way: int, run: Runner = AS_GIVEN) -> Swing:
    """Run a neck pendulum. `way` +1 reads flexion, -1 extension; both come out positive.

    The angle is that of head against pendulum, the sum of both joints' turns about the lateral axis. The moment is that
    of the neck on the head, positive where it turns the head back (SAE J211).
    """
    recording = run(scenario)
    angles = sum(
        recording.joint_angle[:, recording.joint_names.index(name), 1] for name in ("neckJnt", "headJnt")
    )
    channel = sensor_channel(recording, "neck upper neck", "joint_moment")
    moment = -way * np.asarray(channel.data, float)[:, 1]
    angle = way * np.degrees(angles)
    turning = recording.angular_velocity[:, recording.body_index("neck", "pendulum"), 1]
    return Swing(
        *_peak_and_zero(recording.times, angle),
        *_peak_and_zero(channel.times, moment),
        (1e3 * recording.times, angle),
        (1e3 * np.asarray(channel.times, float), moment),
        (1e3 * recording.times, -way * PENDULUM_LENGTH * turning),
    )


def neck_compression(scenario: Scenario, run: Runner = AS_GIVEN) -> Compression:
    """Run an inverted drop: resultant forces at the occipital condyles and at C7."""
    recording = run(scenario)
    sizes = [
        np.linalg.norm(sensor_channel(recording, f"neck {place} neck", "joint_force").data, axis=1).max()
        for place in ("upper", "lower")
    ]
    slide = recording.joint_slide[:, recording.joint_names.index("neckSlideJnt")]
    return Compression(*(float(size) for size in sizes), 1000.0 * float(np.linalg.norm(slide, axis=1).max()))


def sensor_channel(recording: Recording, sensor: str, quantity: str) -> Channel:
    """What a sensor measured at every step. Raises ValueError where it measured nothing: frames would alias a blow."""
    channel = recording.channel(sensor, quantity)
    if channel is None:
        raise ValueError(
            f"the run has no channel {quantity} of the sensor '{sensor}': leave default sensors on"
        )
    return channel


def _peak_and_zero(times: np.ndarray, values: np.ndarray) -> tuple[float, float, float]:
    """(largest value, its time in ms, time in ms of the next fall through zero)."""
    top = int(values.argmax())
    after = np.flatnonzero(values[top:] <= 0.0)
    zero = 1000.0 * float(times[top + after[0]]) if len(after) else float("nan")
    return float(values[top]), 1000.0 * float(times[top]), zero
