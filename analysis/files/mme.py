"""Channels of sensors as ISO/TS 13499 (MME): the folder that crash-test programs read.

A folder of plain text: `<test>.mme` about the test, `Channel/<test>.chn` with the list of channels, and one numbered
file for each component of each channel, `Channel/<test>.001` and so on: a header, then one sample per line. Samples
are those of every time step, not filtered; a reader filters them by the class that the measure asks for.

A channel's code has 16 characters: test object, position, main location (4), three fine locations (2 each), physical
dimension (2), direction, filter class ("0": unfiltered). Axes and signs are those of SAE J211-1: x forward, y right, z
down, tension positive. Body axes are taken as x forward and z up, as in the shipped models; the head's as the
scenario's outputs state them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from ...engine.runs.recording import Channel, Recording
from ...engine.spec import Actor, Scenario
from ...engine.spec.default_sensors import DEFAULT_SET, LEGS, UPPER_NECK, head_body, sensor_name
from ..measures.head import head_axes
from ..measures.signals import resample

EDITION = "1.6"
LOCATIONS = {
    "head": "HEAD0000",
    "upper neck": "NECKUP00",
    "lower neck": "NECKLO00",
    "chest": "CHST0000",
    "pelvis": "PELV0000",
    "left femur": "FEMRLE00",
    "right femur": "FEMRRI00",
    "left tibia": "TIBILEUP",
    "right tibia": "TIBIRIUP",
}
"""Place of a default sensor to main location and the first two fine locations."""
DIMENSIONS = {
    "acceleration": ("AC", "m/(s*s)"),
    "turn_rate": ("AV", "rad/s"),
    "joint_force": ("FO", "N"),
    "joint_moment": ("MO", "Nm"),
    "contact_force": ("FO", "N"),
}
"""Quantity to physical dimension and unit."""
UNFILTERED = "0"
TO_J211 = np.diag([1.0, -1.0, -1.0])
"""From x forward, y left, z up to x forward, y right, z down."""
DUMMIES = {"hybrid3_50th": "H3"}
"""Model to the third fine location, which names the dummy; "00" for any other."""
KEY_WIDTH = 28


@dataclass(frozen=True)
class Component:
    """One component of a channel, as a file of its own."""

    code: str
    name: str
    unit: str
    first: float
    """s, of the first sample"""
    interval: float
    """s"""
    samples: np.ndarray
    """(n,)"""


def mme_files(scenario: Scenario, recording: Recording, test: str, started: datetime) -> dict[str, str]:
    """Path inside the folder to text. `test` is the name of the test and of its files."""
    components = list(channel_components(scenario, recording))
    files = {f"{test}.mme": _test_text(scenario, recording, test, started)}
    files[f"Channel/{test}.chn"] = _list_text(components)
    for number, component in enumerate(components, start=1):
        files[f"Channel/{test}.{number:03d}"] = _channel_text(component)
    return files


def channel_components(scenario: Scenario, recording: Recording) -> Iterator[Component]:
    """x, y, z of every channel in the axes and with the signs of SAE J211; world axes stay as they are."""
    others = 0
    for channel in recording.channels.values():
        actor, number = _actor_of(scenario, recording, channel)
        place = _place(actor, channel)
        if place is None:
            others += 1
        location = LOCATIONS[place] if place else f"0000{min(others, 99):02d}00"
        contact = channel.quantity == "contact_force"
        stem = f"{number}0{location[:6] + 'CG' if contact else location}{DUMMIES.get(actor.model.name, '00')}"
        dimension, unit = DIMENSIONS[channel.quantity]
        times, values = resample(channel.times, np.asarray(channel.data, dtype=float))
        values = values @ _axes(scenario, actor, channel, place).T
        interval = float(times[1] - times[0]) if len(times) > 1 else 0.0
        first = float(times[0]) if len(times) else 0.0
        for k, axis in enumerate("XYZ"):
            yield Component(
                f"{stem}{dimension}{axis}{UNFILTERED}",
                f"{channel.sensor} {channel.quantity.replace('_', ' ')} {axis.lower()}",
                unit,
                first,
                interval,
                values[:, k],
            )


def _actor_of(scenario: Scenario, recording: Recording, channel: Channel) -> tuple[Actor, int]:
    """The actor that carries a channel's sensor, and its number as a test object, 0 beyond the ninth."""
    name = recording.actor_names[recording.body_actor[channel.body]]
    names = [actor.name for actor in scenario.actors]
    number = names.index(name) + 1
    return scenario.actors[number - 1], number if number <= 9 else 0


def _place(actor: Actor, channel: Channel) -> str | None:
    """Place of a default sensor; None for any other."""
    return next((place for place in DEFAULT_SET if channel.sensor == sensor_name(actor.name, place)), None)


def _axes(scenario: Scenario, actor: Actor, channel: Channel, place: str | None) -> np.ndarray:
    """(3, 3) rows: axes of the file in those of the channel, with the sign of loads."""
    if channel.axes == "world":
        return np.eye(3)
    is_head = place in ("head", UPPER_NECK) and head_body(scenario, actor) is not None
    axes = head_axes(scenario) if is_head else TO_J211
    # the load is that of the parent on the body: above a joint (head, neck) tension pulls the body down, below it up
    is_leg_load = place in LEGS and channel.quantity in ("joint_force", "joint_moment")
    return -axes if is_leg_load else axes


def _lines(pairs: dict[str, object]) -> str:
    return "".join(f"{key:<{KEY_WIDTH}}:{value}\n" for key, value in pairs.items())


def _plain(text: str) -> str:
    """One line, without the sign that ends a key."""
    return " ".join(text.replace(":", " ").split()) or "NOVALUE"


def _test_text(scenario: Scenario, recording: Recording, test: str, started: datetime) -> str:
    names = {
        f"Name of test object {number}": _plain(actor.name)
        for number, actor in enumerate(scenario.actors, start=1)
    }
    return _lines(
        {
            "Data format edition number": EDITION,
            "Laboratory name": "NOVALUE",
            "Customer name": "NOVALUE",
            "Title": _plain(scenario.name),
            "Timestamp": f"{started:%Y-%m-%d %H:%M:%S}",
            "Type of the test": "Simulation",
            "Laboratory test ref. number": _plain(test),
            "Date of the test": f"{started:%Y-%m-%d}",
            "Comments": "Computed by Mannequin, not measured",
            "Number of test objects": len(scenario.actors),
            **names,
        }
    )


def _list_text(components: list[Component]) -> str:
    names = {
        f"Name of channel {number:03d}": f"{component.code} / {_plain(component.name)}"
        for number, component in enumerate(components, start=1)
    }
    return _lines({"Instrumentation standard": "SAE J211", "Number of channels": len(components), **names})


def _channel_text(component: Component) -> str:
    samples = component.samples
    header = _lines(
        {
            "Test object number": component.code[0],
            "Name of the channel": _plain(component.name),
            "Laboratory channel code": "NOVALUE",
            "Customer channel code": "NOVALUE",
            "Channel code": component.code,
            "Unit": component.unit,
            "Reference system": "local",
            "Pre-filter type": "none",
            "Cut off frequency": "NOVALUE",
            "Channel amplitude class": "NOVALUE",
            "Reference channel": "implicit",
            "Reference channel name": "NOVALUE",
            "Data source": "calculation",
            "Data status": "ok",
            "Sampling interval": repr(component.interval),
            "Bit resolution": "NOVALUE",
            "Time of first sample": repr(component.first),
            "Number of samples": len(samples),
        }
    )
    return header + "\n".join([f"{value:.9g}" for value in samples.tolist()]) + "\n"
