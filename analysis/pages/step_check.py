"""Time-step check: the run repeated at half the step and half the sampling interval, and what that changes.

A result that moves little when both are halved does not depend on them. Sensors sample at every step, so halving the
step halves their interval; output times are halved with it. Adaptive steps are halved throughout: the largest step too,
and their tolerance is a quarter, as an error goes with the square of the step. For the variable-step integrator the
tolerance is divided by ten instead. Every measure of the run is compared: the difference is the error that is stated
beside it.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ..files.summary import residual_share
from ..measures import Measure, evaluate
from ..measures.throw import actor_centre


@dataclass(frozen=True)
class Difference:
    """One value at the run's step and at half of it."""

    name: str
    subject: str
    unit: str
    value: float
    refined: float

    @property
    def relative(self) -> float:
        """Difference as a share of the larger value; zero where both are zero, NaN where the finer run has no value."""
        scale = max(abs(self.value), abs(self.refined))
        return abs(self.value - self.refined) / scale if scale > 0.0 else 0.0


@dataclass(frozen=True)
class StepCheck:
    """What a finer run changes."""

    change: str
    """Description of what was made finer."""
    differences: tuple[Difference, ...]
    refined_status: str


def refined_scenario(scenario: Scenario) -> tuple[Scenario, str]:
    """The scenario to be computed more finely, and what was changed."""
    settings = scenario.settings
    if settings.integrator == "variable_step":
        finer = dataclasses.replace(
            settings, tolerance=settings.tolerance / 10.0, output_step=settings.output_step / 2.0
        )
        change = f"tolerance {settings.tolerance:g} against {finer.tolerance:g}"
    else:
        finer = dataclasses.replace(
            settings, time_step=settings.time_step / 2.0, output_step=settings.output_step / 2.0
        )
        change = f"time step and sampling interval {settings.time_step:g} s against {finer.time_step:g} s"
        if settings.largest_step is not None:
            finer = dataclasses.replace(
                finer, largest_step=settings.largest_step / 2.0, tolerance=settings.tolerance / 4.0
            )
            change += f", largest step {settings.largest_step:g} s against {finer.largest_step:g} s"
    return dataclasses.replace(scenario, settings=finer), change


def check_step(
    scenario: Scenario, recording: Recording, progress: Callable[[Any], None] | None = None
) -> StepCheck:
    """Run the finer scenario and list the differences."""
    from ...engine.runs.simulation import run

    finer, change = refined_scenario(scenario)
    refined = run(finer, progress=progress)
    return StepCheck(change, tuple(compare(scenario, recording, refined)), refined.status)


def compare(scenario: Scenario, recording: Recording, refined: Recording) -> list[Difference]:
    """Values of the run beside those of the finer one."""
    differences = [
        *_positions(recording, refined),
        Difference(
            "numerical energy error",
            "run",
            "%",
            100 * residual_share(recording),
            100 * residual_share(refined),
        ),
    ]
    other = {_key(measure): measure for measure in evaluate(scenario, refined)}
    for measure in evaluate(scenario, recording):
        if not np.isnan(measure.value):
            twin = other.get(_key(measure))
            value = float("nan") if twin is None else twin.value
            differences.append(Difference(measure.name, measure.subject, measure.unit, measure.value, value))
    return differences


def _key(measure: Measure) -> tuple[str, str]:
    return measure.name, measure.subject


def _positions(recording: Recording, refined: Recording) -> list[Difference]:
    """Where each actor's centre of mass is at the last output time that both runs have."""
    differences = []
    last = min(float(recording.times[-1]), float(refined.times[-1]))
    frames = [int(np.argmin(np.abs(run.times - last))) for run in (recording, refined)]
    for actor, name in enumerate(recording.actor_names):
        one, two = (
            actor_centre(run, actor)[frame] for run, frame in zip((recording, refined), frames, strict=True)
        )
        differences += [
            Difference(f"centre of mass at the end, {axis}", name, "m", float(a), float(b))
            for axis, a, b in zip("xyz", one, two, strict=True)
        ]
    return differences
