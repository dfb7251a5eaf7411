"""Necks thrown to the side as scenarios: the pendulum of side-impact dummies and the sled of volunteers.

No dummy of the library is a side-impact dummy. The pendulum's bands are of *their* necks: rubber columns made to bend
to the side, with a symmetric headform of their own in place of a head. A Hybrid III neck is certified forward and
backward only, so what it does here says how far its assumed resistance to the side is from that of necks that were
built for it.
"""

from dataclasses import dataclass

import numpy as np

from ...engine.spec import Actor, Body, Joint, PrescribedMotion, Scenario, Settings
from ..library import load_model
from ..people.posture import neck_motors
from .rigs import G, changing_speeds, ending, mounted_neck, neck_pendulum

TO_THE_SIDE = 0
"""Axis of the pendulum's pivot: along the face."""


@dataclass(frozen=True)
class SidePendulum:
    """Neck pendulum of a side-impact dummy."""

    surrogate: str
    """Whose neck the bands are of"""
    speeds: tuple[tuple[float, float], ...]
    """(ms, m/s) of the pendulum: its speed at the start, then what it has lost, the middle of the bands"""
    source: str


SIDE_PENDULUMS = {
    "hybrid3_50th": SidePendulum(
        "EUROSID-1 and ES-2re",
        ((0.0, 3.4), (1.0, 0.09), (3.0, 0.39), (13.5, 3.38)),
        "49 CFR 572.183, read: 3.4 m/s, at least 0.25 m/s lost at 3 ms and 3.20 at 14 ms, at most 0.375 at 2.5 ms and "
        "3.7 at 13.5 ms",
    ),
    "hybrid3_5th": SidePendulum(
        "SID-IIs",
        ((0.0, 5.57), (10.0, 2.5), (15.0, 3.7), (20.0, 4.9)),
        "49 CFR 572.193, read: 2.2 to 2.8 m/s lost at 10 ms, 3.3 to 4.1 at 15 ms, 4.4 to 5.4 at 20 ms, 5.4 to 6.1 at "
        "25 ms; 5.57 m/s at the start: general knowledge",
    ),
}
"""By the dummy of the library that has the size."""


def neck_lateral(model_name: str = "hybrid3_50th") -> Scenario:
    """A dummy's neck thrown to its side under a stopped pendulum, as the side-impact dummy of its size is certified.
    It keeps its own head, where those have a headform."""
    test = SIDE_PENDULUMS[model_name]
    name, source = f"neck_lateral{ending(model_name)}", f"{test.source}; neck of {test.surrogate}"
    scenario = neck_pendulum(model_name, changing_speeds(test.speeds), 1, name, source, axis=TO_THE_SIDE)
    scenario.settings.time_step = 2.0e-5
    return scenario


T1_PEAK, SLED_CHANGE = 15.0, 6.9
"""g and m/s of the first thoracic vertebra of volunteers whose sled was stopped sideways with 7.2 g: the middle of
the band of 12 to 18 g, and the sled's change of speed (ISO/TR 9790, neck test 1, general knowledge of medium
confidence)."""
CARRIAGE_MASS = 16.0
"""kg: a label, as its motion is prescribed."""


def side_pulse_length() -> float:
    """s of the half sine of `T1_PEAK` that changes the speed by `SLED_CHANGE` (its form is assumed)."""
    return 0.5 * np.pi * SLED_CHANGE / (T1_PEAK * G)


def neck_sled(model_name: str = "male", tone: float | None = None) -> Scenario:
    """Head and neck of a person, upright, on a base that is pushed to the person's left as the first thoracic
    vertebra of volunteers was; the head lags to the right. tone: share of the neck's strength with which the head is
    held; none: tissue alone. The base does not turn."""
    model = load_model(model_name)
    base = Body("carriage", CARRIAGE_MASS, (0.2, 0.2, 0.2, 0.0, 0.0, 0.0))
    standing = mounted_neck(
        model, base, Joint("root", "free", None, "carriage"), (0.0, 0.0, 0.0), upright=True
    )
    length = side_pulse_length()
    times = np.append(np.arange(0.0, length, 5.0e-4), (length, 1.0))
    speeds = 0.5 * SLED_CHANGE * (1.0 - np.cos(np.pi * np.minimum(times / length, 1.0)))
    table = tuple(
        (round(float(t), 6), 0.0, round(float(v), 6), 0.0, 0.0, 0.0, 0.0)
        for t, v in zip(times, speeds, strict=True)
    )
    actor = Actor(
        "neck",
        standing,
        position=(0.0, 0.0, 1.5),
        motors={} if tone is None else neck_motors(model, {}, tone),
        prescribed=[PrescribedMotion(None, table, source="Half sine, ISO/TR 9790, neck test 1")],
    )
    return Scenario(
        "neck_sled",
        [actor],
        settings=Settings(duration=0.3, time_step=5.0e-5, output_step=5.0e-4, ground=False),
        description=f"Head and neck of the model {model_name} on a base pushed to the left by {SLED_CHANGE:g} m/s.",
        sources={"actors.neck.prescribed": "ISO/TR 9790, neck test 1: general knowledge; form assumed"},
    )
