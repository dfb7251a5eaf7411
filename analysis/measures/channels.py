"""Channels of sensors, filtered by SAE J211 before anything is measured on them.

A channel has a sample for every time step. It is filtered at that rate, forward and backward (`filters`), and only then
decimated where fewer samples do: output frames, taken one in ten steps or so and not filtered before, alias an impact.
"""

from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Channel, Recording
from ...engine.spec import Scenario, Sensor
from ...engine.spec.default_sensors import scenario_sensors
from .filters import filter_channel
from .impact import body_label
from .signals import G0, accelerometer, resultant

NO_CHANNELS = (
    "nothing was measured at every time step, and output frames alias an impact: simulate again with sensors (they are "
    "switched off, or the run is of an earlier version)"
)
WORDS = {
    "acceleration": "acceleration",
    "turn_rate": "turn rate",
    "joint_force": "joint force",
    "joint_moment": "joint moment",
    "contact_force": "contact force",
}


class NotMeasured(LookupError):
    """No channel has what a measure needs; the text says why, for the reader of the report."""


@dataclass(frozen=True)
class Signal:
    """A filtered channel."""

    times: np.ndarray
    """(n,) s, evenly spaced"""
    values: np.ndarray
    """(n, 3) in the channel's unit"""
    filter: str
    """"CFC 1000", or "none" where the step was too long for the class"""
    warnings: tuple[str, ...] = ()


def body_sensor(scenario: Scenario, recording: Recording, body: int, quantity: str) -> Sensor:
    """The sensor in body axes, at the centre of mass, that measures a quantity of a body. Raises NotMeasured."""
    label = body_label(recording, body)
    if not recording.channel_sensor:
        raise NotMeasured(NO_CHANNELS)
    place = recording.actor_names[recording.body_actor[body]], recording.body_names[body]
    for sensor in scenario_sensors(scenario):
        # where a sensor sits matters for accelerations only
        is_there = quantity != "acceleration" or sensor.point is None
        if (sensor.actor, sensor.body) == place and quantity in sensor.quantities and is_there:
            if sensor.axes == "body":
                return sensor
    raise NotMeasured(
        f"no sensor measures the {WORDS[quantity]} of {label} at its centre of mass in body axes: add one"
    )


def body_channel(scenario: Scenario, recording: Recording, body: int, quantity: str) -> Channel:
    """What such a sensor measured. Raises NotMeasured."""
    sensor = body_sensor(scenario, recording, body, quantity)
    channel = recording.channel(sensor.name, quantity)
    if channel is None or len(channel.times) < 2:
        raise NotMeasured(f"the recording has no samples of the sensor '{sensor.name}'")
    if not all(np.isfinite(column).all() for column in channel.data.T):
        raise NotMeasured(f"what the sensor '{sensor.name}' measured is not finite: the run diverged")
    return channel


def _in_double(data: np.ndarray) -> np.ndarray:
    """(n, 3) samples of one of many channels as double numbers: by columns, as their rows are short and far apart."""
    values = np.empty(data.shape)
    for into, column in zip(values.T, data.T, strict=True):
        into[:] = column
    return values


def filtered(channel: Channel, cfc: int | None = None) -> Signal:
    """A channel through its own class, or another one."""
    chosen = channel.cfc if cfc is None else cfc
    times, values, warnings = filter_channel(channel.times, _in_double(channel.data), chosen)
    is_raw = any(warning.startswith("not filtered") for warning in warnings)
    return Signal(times, values, "none" if is_raw else f"CFC {chosen}", warnings)


def decimated(channel: Channel, times: np.ndarray) -> np.ndarray:
    """(F, 3) a channel, filtered by its class, at other times: for plots and time series."""
    signal = filtered(channel)
    return np.stack([np.interp(times, signal.times, column) for column in signal.values.T], axis=-1)


def accelerometer_size(scenario: Scenario, recording: Recording, body: int) -> np.ndarray:
    """(F,) accelerometer of a body in g at the output times, for curves, not for measures: its channel, filtered by its
    class, where it has a sensor; else its frames."""
    try:
        channel = body_channel(scenario, recording, body, "acceleration")
    except NotMeasured:
        return resultant(accelerometer(scenario, recording, body))
    return resultant(decimated(channel, recording.times)) / G0
