"""Response of legs in the rigs of `scenarios.leg_rigs`: moments and angles at failure, forces of the cart, legform."""

from dataclasses import dataclass

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Actor, Model, Scenario, Settings
from ..library import load_model
from ..scenarios.leg_rigs import BENT, STRUCK
from .row import GRAVITY
from .running import AS_GIVEN, Runner, force_on


@dataclass(frozen=True)
class Failure:
    """A bone or knee bent to failure."""

    moment: float
    """N m by statics: the largest force of a support times half the span"""
    inside: float
    """N m in the joint when it gave way"""
    angle: float
    """Degrees bent when it gave way"""


@dataclass(frozen=True)
class Legform:
    """What a legform measures: g at the upper tibia, degrees of bending, mm of shear."""

    acceleration: float
    bending: float
    shear: float


def bending_failure(scenario: Scenario, what: str, run: Runner = AS_GIVEN) -> Failure:
    """Run a bending test of `scenarios.leg_rigs.leg_bending`. ValueError where nothing gave way."""
    recording = run(scenario)
    event = _break(recording, BENT[what].joint)
    support = np.asarray(recording.channel("support", "joint_force").data, dtype=float)[:, 1]
    angle = np.degrees(recording.joint_angle[:, recording.joint_names.index(BENT[what].joint), 0])
    frame = int(np.searchsorted(recording.times, event["time"])) - 1
    return Failure(
        float(np.abs(support).max()) * half_span(scenario), float(event["load"]), float(np.abs(angle[frame]))
    )


def half_span(scenario: Scenario) -> float:
    """m from the pin to the joint that is bent."""
    pin = next(j for j in scenario.actors[0].model.joints if j.name == "support")
    bone = next(j for j in scenario.actors[0].model.joints if j.name != "support")
    return abs(pin.T2[2][3] - bone.T1[2][3])


def _break(recording: Recording, joint: str) -> np.void:
    number = recording.joint_names.index(joint)
    for event in recording.breaks:
        if event["joint"] == number:
            return event
    raise ValueError(f"joint '{joint}' did not give way in this run: press further or take another model")


def cart_failure(scenario: Scenario, what: str, run: Runner = AS_GIVEN) -> tuple[float, float]:
    """(largest force of the cart until the bone gives way N, time of that s)."""
    recording = run(scenario)
    event = _break(recording, STRUCK[what][1])
    force = force_on(recording, "cart", "cart")
    return float(force[recording.times <= event["time"]].max()), float(event["time"])


def legform_response(scenario: Scenario, run: Runner = AS_GIVEN) -> Legform:
    """Run a legform test. The acceleration is that of every step, not filtered: a bound from above."""
    recording = run(scenario)
    size = (
        np.abs(np.asarray(recording.channel("upper tibia", "acceleration").data, dtype=float)[:, 1]) / GRAVITY
    )
    knee = recording.joint_names.index("knee")
    bending = np.abs(np.degrees(recording.joint_angle[:, knee, 0])).max()
    shear = 1000.0 * np.abs(recording.joint_slide[:, knee, 1]).max()
    return Legform(float(size.max()), float(bending), float(shear))


SWING_START, LEAST_SWING = 61.0, 1.0
"""Degrees from hanging at which a relaxed leg is let go, and below which a swing is not counted."""


def knee_swings(model_name: str, damping: float | None = None, run: Runner = AS_GIVEN) -> tuple[int, float]:
    """(number, s of the first; nan where there is none) of the swings of a relaxed lower leg that is let go about a
    held knee, as in Wartenberg's pendulum test. damping: of the knee, N m s/rad, in place of the model's.

    The thigh stands and gravity is turned instead, so that the leg hangs when the knee is bent by 90 degrees."""
    model = load_model(model_name)
    parts = ("ShankL", "FootL")
    joints = [joint for joint in model.joints if joint.child in parts]
    knee, ankle = joints
    knee.parent, ankle.type, ankle.limits, ankle.damping = None, "fixed", None, None
    knee.damping = knee.damping if damping is None else damping
    leg = Model("leg", [body for body in model.bodies if body.name in parts], joints, model.materials)
    settings = Settings(duration=12.0, output_step=0.01, gravity=(-GRAVITY, 0.0, 0.0), ground=False)
    start = {knee.name: (0.0, 90.0 - SWING_START, 0.0)}
    recording = run(Scenario("swing", [Actor("leg", leg, joint_angles=start)], settings=settings))
    angle = np.degrees(recording.joint_angle[:, recording.joint_names.index(knee.name), 1])
    turns = np.flatnonzero(np.diff(np.sign(np.diff(angle)))) + 1
    back = [k for k in turns if angle[k] < angle[-1] - LEAST_SWING]
    return len(back), float(recording.times[back[0]]) if back else float("nan")
