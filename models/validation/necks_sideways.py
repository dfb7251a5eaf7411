"""Necks bent to the side: dummies under the pendulum of side-impact dummies, a man on the sled of volunteers."""

from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ..people.posture import CONSCIOUS
from ..scenarios.side_rigs import neck_lateral, neck_sled
from .experiment import Experiment, experiment
from .neck_response import sensor_channel
from .row import GRAVITY, Row
from .running import AS_GIVEN, Runner

DUMMIES = {
    "hybrid3_50th": ("neck_lateral_eurosid", "neck_lateral_es2re"),
    "hybrid3_5th": ("neck_lateral_sid2s",),
}
"""Dummy to the experiments whose bands its swing is held against."""
HELD = {"tissue alone": None, "held": CONSCIOUS}
"""How a man holds his head on the sled, to his share of the neck's strength."""


@dataclass(frozen=True)
class SideSwing:
    """A head that is thrown to the side, against the base of its neck: degrees, mm, N m, g, ms."""

    angle: tuple[np.ndarray, np.ndarray]
    """ms, degrees of the head's long axis in the plane of the bend, positive to the side to which it bends most"""
    twist: np.ndarray
    """degrees, at the same times, of the turn about the head's long axis"""
    aside: np.ndarray
    """mm that the head's centre has gone to the side"""
    along: np.ndarray
    """mm that it has come nearer to the neck's base"""
    moment: tuple[np.ndarray, np.ndarray]
    """ms, N m of the neck on the head at the condyles about the axis of the bend, positive against the bend"""
    acceleration: float
    """g of the head's centre to the side at most, in the head's own axes"""

    @property
    def peak(self) -> tuple[float, float]:
        """(largest angle, its time)."""
        times, angles = self.angle
        top = int(angles.argmax())
        return float(angles[top]), float(times[top])

    @property
    def return_time(self) -> float:
        """ms from the largest angle until the head is back at none; nan where it does not come back."""
        times, angles = self.angle
        top = int(angles.argmax())
        back = np.flatnonzero(angles[top:] <= 0.0)
        return float(times[top + back[0]] - times[top]) if len(back) else float("nan")


def side_swing(scenario: Scenario, base: str, run: Runner = AS_GIVEN) -> SideSwing:
    """Run a neck of `scenarios.side_rigs`; `base` carries it."""
    recording = run(scenario)
    turned, moved = _relative(recording, base)
    axis = turned[:, :, 2]
    start = axis[0]
    angle = np.degrees(
        np.arctan2(
            start[1] * axis[:, 2] - start[2] * axis[:, 1], start[1] * axis[:, 1] + start[2] * axis[:, 2]
        )
    )
    side = float(np.sign(angle[np.abs(angle).argmax()]))
    channel = sensor_channel(recording, "neck upper neck", "joint_moment")
    upright = float(np.sign(start[2]))
    shown = sensor_channel(recording, "neck head", "acceleration")
    ms = 1000.0 * recording.times
    return SideSwing(
        (ms, side * angle),
        _twist(turned),
        1000.0 * np.abs(moved[:, 1]),
        -1000.0 * upright * moved[:, 2],
        (1000.0 * np.asarray(channel.times, float), -side * np.asarray(channel.data, float)[:, 0]),
        float(np.abs(np.asarray(shown.data, float)[:, 1]).max()) / GRAVITY,
    )


def _relative(recording: Recording, base: str) -> tuple[np.ndarray, np.ndarray]:
    """((F, 3, 3) of the head's frame, (F, 3) m that its centre has gone) in the frame of the base."""
    head, held = (recording.body_index("neck", body) for body in ("head", base))
    frames = recording.rotation(held)
    place = np.einsum("fji,fj->fi", frames, recording.position[:, head] - recording.position[:, held])
    turned = np.einsum("fji,fjk->fik", frames, recording.rotation(head))
    return turned, place - place[0]


def _twist(turned: np.ndarray) -> np.ndarray:
    """Degrees about the head's long axis since the start, size: twist of swing times twist (docs/derivations.md, Cone
    of motion). (F, 3, 3) rotations."""
    since = np.einsum("ji,fjk->fik", turned[0], turned)
    return np.degrees(np.abs(np.arctan2(since[:, 1, 0] - since[:, 0, 1], since[:, 0, 0] + since[:, 1, 1])))


def necks_sideways(run: Runner = AS_GIVEN) -> list[Row]:
    """Dummies' necks under the pendulum of side-impact dummies of their size, a man's on the sled of volunteers."""
    rows = []
    for name, tests in DUMMIES.items():
        swing = side_swing(neck_lateral(name), "pendulum", run)
        for test in tests:
            rows += _rows(experiment(test), _under_the_pendulum(swing))
    test = experiment("neck_sled_volunteers")
    for how, tone in HELD.items():
        swing = side_swing(neck_sled(test.set_up["model"], tone), "carriage", run)
        rows += _rows(test.of(how=how), _on_the_sled(swing))
    return rows


def _rows(test: Experiment, found: dict[str, float]) -> list[Row]:
    return [test.row(quantity, found[quantity]) for quantity in test.quantities]


def _under_the_pendulum(swing: SideSwing) -> dict[str, float]:
    angle, time = swing.peak
    return {
        "rotation of the head": angle,
        "time of the largest rotation": time,
        "rotation back to zero, after its peak": swing.return_time,
        "centre of the head, to the side": float(swing.aside.max()),
        "centre of the head, along the neck": float(swing.along.max()),
        "moment at the condyles": float(swing.moment[1].max()),
    }


def _on_the_sled(swing: SideSwing) -> dict[str, float]:
    angle, _ = swing.peak
    return {
        "rotation of the head": angle,
        "twist of the head": float(swing.twist.max()),
        "centre of the head, to the side": float(swing.aside.max()),
        "centre of the head, along the neck": float(swing.along.max()),
        "acceleration of the head to the side": swing.acceleration,
    }
