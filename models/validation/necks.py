"""The dummy's neck under the pendulum, people's necks in the drop on the head."""

from ..scenarios.rigs import neck_drop, neck_extension, neck_flexion
from .experiment import experiment
from .neck_response import neck_compression, neck_swing
from .row import Row
from .running import AS_GIVEN, Runner

SWING_QUANTITIES = {
    "angle": "rotation of the head",
    "angle_time": "time of the largest rotation",
    "angle_zero": "rotation back to zero",
    "moment": "moment at the condyles",
    "moment_time": "time of the largest moment",
    "moment_zero": "moment back to zero",
}
"""Member of `Swing` to the quantity of the experiments."""


def neck_pendulum(run: Runner = AS_GIVEN) -> list[Row]:
    """49 CFR 572.33: the dummy's head and neck under a stopped pendulum, flexion at 7.01 and extension at 6.07 m/s."""
    rows = []
    for name, scenario, way in (
        ("neck_flexion", neck_flexion(), 1),
        ("neck_extension", neck_extension(), -1),
    ):
        swing, test = neck_swing(scenario, way, run), experiment(name)
        rows += [test.row(quantity, getattr(swing, key)) for key, quantity in SWING_QUANTITIES.items()]
        rows.append(test.curve("deceleration of the pendulum", *swing.deceleration))
    return rows


def neck_drops(run: Runner = AS_GIVEN) -> list[Row]:
    """Head and neck of man and woman under 16 kg, dropped on the crown at 3.2 m/s."""
    rows = []
    for sex in ("male", "female"):
        found = neck_compression(neck_drop(sex), run)
        remark = f"{found.upper:.0f} N at the condyles, element shortened by {found.way:.0f} mm"
        rows.append(experiment(f"neck_drop_{sex}").row("force at C7", found.lower, remark))
    return rows
