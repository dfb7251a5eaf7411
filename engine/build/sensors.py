"""Sensors as the arrays that the loop reads, and the channels that they fill."""

import numpy as np

from ..bodies.tree import Authored
from ..spec import SENSOR_QUANTITIES, Scenario, Sensor
from ..spec.default_sensors import scenario_sensors
from ..step.arrays import Sensors
from .placed import Resolver

CLASS_OF_QUANTITY = {"turn_rate": 60, "joint_moment": 600}
"""Filter class of SAE J211-1 of a sensor that states none; else 1000."""


def compile_sensors(
    scenario: Scenario, resolver: Resolver, authored: Authored
) -> tuple[Sensors, tuple[Sensor, ...]]:
    """(arrays, the sensors in their order). Channels are numbered by sensor, then by quantity."""
    sensors = scenario_sensors(scenario)
    actors = {actor.name: index for index, actor in enumerate(scenario.actors)}
    count = len(sensors)
    arrays = Sensors(
        host=np.zeros(count, dtype=np.int64),
        body=np.zeros(count, dtype=np.int64),
        point=np.zeros((count, 3)),
        rotation=np.zeros((count, 9)),
        in_world=np.zeros(count, dtype=np.int64),
        channel=np.full((count, len(SENSOR_QUANTITIES)), -1, dtype=np.int64),
    )
    channels = 0
    for j, sensor in enumerate(sensors):
        host, b, _ = resolver.on_body(actors[sensor.actor], sensor.body, np.zeros(3))
        arrays.host[j], arrays.body[j] = host, b
        if sensor.point is None:
            arrays.point[j] = authored.com[b]
        else:
            arrays.point[j] = resolver.on_body(
                actors[sensor.actor], sensor.body, np.array(sensor.point, float)
            )[2]
        arrays.in_world[j] = sensor.axes == "world"
        arrays.rotation[j] = np.eye(3).ravel() if sensor.axes == "world" else authored.rotation[b]
        for quantity in sensor.quantities:
            arrays.channel[j, SENSOR_QUANTITIES.index(quantity)] = channels
            channels += 1
    return arrays, tuple(sensors)


def filter_class(sensor: Sensor, quantity: str) -> int:
    """Channel frequency class by which a channel is filtered unless a measure says otherwise."""
    return sensor.cfc if sensor.cfc is not None else CLASS_OF_QUANTITY.get(quantity, 1000)
