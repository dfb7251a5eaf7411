"""Time-step check: the run repeated at half the step, and what that changes.

A result that moves little when the step is halved does not depend on the step. For the variable-step integrator the
tolerance is divided by ten instead.
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

COMPARED = (
    "HIC15",
    "HIC36",
    "3 ms clip, contiguous",
    "BrIC",
    "Nij",
    "impact speed",
    "peak contact force",
    "throw distance",
)


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
        """Difference as a share of the larger value; zero where both are zero."""
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
        finer = dataclasses.replace(settings, tolerance=settings.tolerance / 10.0)
        change = f"tolerance {settings.tolerance:g} against {finer.tolerance:g}"
    else:
        finer = dataclasses.replace(settings, time_step=settings.time_step / 2.0)
        change = f"time step {settings.time_step:g} s against {finer.time_step:g} s"
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
    """Values of the run beside those of the finer one, up to the last output time both have."""
    frames = min(recording.frames, refined.frames)
    differences = [
        *_positions(recording, refined, frames),
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
        twin = other.get(_key(measure))
        if measure.name in COMPARED and not np.isnan(measure.value):
            value = float("nan") if twin is None else twin.value
            differences.append(Difference(measure.name, measure.subject, measure.unit, measure.value, value))
    return differences


def _key(measure: Measure) -> tuple[str, str]:
    return measure.name, measure.subject


def _positions(recording: Recording, refined: Recording, frames: int) -> list[Difference]:
    """Where each actor's centre of mass is at the end of both runs."""
    differences = []
    for actor, name in enumerate(recording.actor_names):
        one, two = (actor_centre(run, actor)[frames - 1] for run in (recording, refined))
        differences += [
            Difference(f"centre of mass at the end, {axis}", name, "m", float(a), float(b))
            for axis, a, b in zip("xyz", one, two, strict=True)
        ]
    return differences
