"""Backs: a trunk that is pushed and shaken, pulled to the side slowly, a dummy's torso that is bent forward."""

from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import ForcePulse, Scenario
from ..scenarios.back_rigs import (
    LUMBAR,
    RIBS,
    SETTLING,
    rib_point,
    torso_flexion,
    trunk_pulled_aside,
    trunk_pushed,
)
from ..scenarios.rigs import CERTIFICATIONS, integral
from .experiment import experiment
from .neck_response import sensor_channel
from .row import Row
from .running import AS_GIVEN, Runner

QUARTERS = ("first", "second", "third", "last")


@dataclass(frozen=True)
class Driven:
    """What a trunk is like where it is pushed: mass, damper and spring that go the same way under the same force."""

    mass: float
    """kg"""
    damping: float
    """N s/m"""
    stiffness: float
    """N/m"""
    followed: float
    """Share of the variance of the force's impulse that they account for"""


def driven(force: np.ndarray, way: np.ndarray, step: float) -> Driven:
    """The mass, damper and spring, at rest at the first sample, whose impulse follows that of the force (N) best when
    they go the way (m), in the sense of least squares; sampled every `step` (s). The force itself would give the fast
    pushes, under which a trunk is more than one mass, too much weight (docs/derivations.md, Trunks that are pushed)."""
    gone = way - way[0]
    columns = np.column_stack([np.gradient(gone, step), gone, integral(gone, step)])
    impulse = integral(force, step)
    found, *_ = np.linalg.lstsq(columns, impulse, rcond=None)
    left = impulse - columns @ found
    return Driven(*(float(x) for x in found), 1.0 - float(left.var() / impulse.var()))


def _pull(pulse: ForcePulse, times: np.ndarray) -> np.ndarray:
    """(N,) N of a half sine along its first axis."""
    return pulse.peak[0] * np.sin(np.pi * np.clip((times - pulse.start) / pulse.duration, 0.0, 1.0))


def trunk_driven(scenario: Scenario, run: Runner = AS_GIVEN) -> Driven:
    """Run a trunk that is pushed (`scenarios.back_rigs.trunk_pushed`)."""
    recording = run(scenario)
    (actor,) = scenario.actors
    shaken = recording.times >= SETTLING - 0.1
    way = _point(recording, np.asarray(rib_point(actor.model)))[:, 0]
    force = sum(_pull(pulse, recording.times[shaken]) for pulse in actor.force_pulses)
    return driven(force, way[shaken], scenario.settings.output_step)


def _point(recording: Recording, point: np.ndarray) -> np.ndarray:
    """(F, 3) m of a point (3,) of the ribs' body."""
    index = recording.body_index("trunk", RIBS)
    return recording.position[:, index] + recording.rotation(index) @ (point - recording.body_com[index])


def side_stiffness(model_name: str, run: Runner = AS_GIVEN) -> list[float]:
    """N m/degree of the lumbar joint to the side in the four quarters of its range, from a slow pull."""
    scenario = trunk_pulled_aside(model_name)
    recording = run(scenario)
    limits = next(joint for joint in scenario.actors[0].model.joints if joint.name == LUMBAR).limits
    angle = np.degrees(recording.joint_angle[:, recording.joint_index("trunk", LUMBAR), 0])
    channel = sensor_channel(recording, "lumbar", "joint_moment")
    moment = np.interp(recording.times, channel.times, np.abs(np.asarray(channel.data, float)[:, 0]))
    ends = np.interp(np.linspace(0.0, limits.upper[0], 5), np.abs(angle), moment)
    return [float(x) for x in np.diff(ends) / (0.25 * limits.upper[0])]


def flexion_force(scenario: Scenario, degrees: float, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(N that bend a torso forward by so many degrees, degrees at which it stays when it is let go); no force where
    it sinks so far by its own weight."""
    recording = run(scenario)
    (pull,) = scenario.actors[0].force_pulses
    upright = recording.rotation(recording.body_index("trunk", RIBS))[:, :, 2]
    lean = np.degrees(np.arctan2(upright[:, 0], upright[:, 2]))
    there = np.flatnonzero(lean >= degrees)
    if not len(there):
        return float("nan"), float(lean[-1])
    return float(_pull(pull, recording.times)[there[0]]), float(lean[-1])


def backs(run: Runner = AS_GIVEN) -> list[Row]:
    """A man's trunk pushed, man's and woman's pulled to the side, torsos of dummies bent forward."""
    rows = _pushed_trunks(run)
    test = experiment("trunk_pulled_aside")
    for name in test.set_up["models"]:
        for quarter, value in zip(QUARTERS, side_stiffness(name, run), strict=True):
            rows.append(test.of(model=name).row(f"{quarter} quarter of the range", value))
    for name in CERTIFICATIONS:
        test = experiment(f"torso_{name}")
        force, stays = flexion_force(
            torso_flexion(name, 1.2 * test.band("force at 45 degrees")[1]), 45.0, run
        )
        rows += [test.row("force at 45 degrees", force), test.row("stays bent by", stays)]
    return rows


def _pushed_trunks(run: Runner) -> list[Row]:
    test, limp = experiment("trunk_pushed"), experiment("trunk_pushed_limp")
    held = trunk_driven(trunk_pushed(test.set_up["model"], test.set_up["tone"]), run)
    tissue = trunk_driven(trunk_pushed(limp.set_up["model"]), run)
    return [
        test.row("stiffness", 1e-3 * held.stiffness),
        test.row("damping", held.damping),
        test.row("mass", held.mass),
        limp.row("damping", tissue.damping),
    ]
