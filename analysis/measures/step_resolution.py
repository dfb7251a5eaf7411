"""Whether the time step was short enough for the impacts of a run: how many steps each hard contact lasted.

A contact of stiffness k on a mass m is half a period of an oscillation, T = pi sqrt(m / k). With N steps of h = T / N
the product of angular frequency and step is w h = pi / N. The integrators of first order (symplectic Euler among them)
are off by w h / 2 = pi / (2 N) of the amplitude of the velocity, and a peak between two steps is missed by up to
1 - cos(w h / 2), about (pi / N)^2 / 8 (Hairer, Lubich and Wanner, Geometric Numerical Integration, 2nd ed. 2006,
section I.1, for the harmonic oscillator):

    N = 20: 8 % of the amplitude, 0.3 % of the peak. Below that the step matters for what is concluded: a warning.
    N = 4: 39 % of the amplitude, 7.7 % of the peak. Below that the result has no meaning: the run counts as failed.

At N = pi / 2 an explicit method is not even stable. N is counted from the contact log of the run itself. Only hard
impacts count: grazing touches last a few steps in any run and change nothing.
"""

import dataclasses

import numpy as np

from ...engine.runs.recording import COMPLETED, Recording
from ...engine.spec import Scenario
from .impact import surface_label

UNRESOLVED = "unresolved"
"""Status of a run that came to its end but whose impacts lasted so few steps that it cannot be right."""
ENOUGH_STEPS = 20.0
TOO_FEW_STEPS = 4.0
SLOWEST_IMPACT = 0.5
"""m/s of approach from which a touch is an impact; assumed."""
HARD_SHARE = 0.25
"""Share of the run's largest contact force from which an impact is hard; assumed."""
ADAPTIVE = ("variable_step",)
"""Integrators that choose their step by an error estimate."""


def fewest_steps(scenario: Scenario, recording: Recording) -> tuple[float, np.void] | None:
    """Steps that the shortest hard impact lasted, and its event; None where there is none, or the step is adaptive."""
    contacts = recording.contacts
    if not len(contacts) or scenario.settings.integrator in ADAPTIVE:
        return None
    lasted = contacts["end"] - contacts["start"]
    is_hard = contacts["peak_force"] >= HARD_SHARE * np.max(contacts["peak_force"])
    hard = np.flatnonzero(is_hard & (contacts["approach_speed"] > SLOWEST_IMPACT) & np.isfinite(lasted))
    if not len(hard):
        return None
    shortest = hard[np.argmin(lasted[hard])]
    return float(lasted[shortest] / scenario.settings.time_step), contacts[shortest]


def is_unusable(scenario: Scenario, recording: Recording) -> bool:
    """Whether an impact lasted so few steps that the result cannot be right."""
    found = fewest_steps(scenario, recording)
    return found is not None and found[0] < TOO_FEW_STEPS


def judged(scenario: Scenario, recording: Recording) -> Recording:
    """The recording; one that completed and cannot be right has the status that tells."""
    if recording.status != COMPLETED or not is_unusable(scenario, recording):
        return recording
    message = (
        f"An impact lasted fewer than {TOO_FEW_STEPS:.0f} time steps: forces and injury measures cannot be right. "
        "Use a shorter time step."
    )
    return dataclasses.replace(recording, status=UNRESOLVED, message=message)


def step_warnings(scenario: Scenario, recording: Recording) -> list[str]:
    """One sentence where a hard impact lasted too few steps, else nothing."""
    found = fewest_steps(scenario, recording)
    if found is None or found[0] >= ENOUGH_STEPS:
        return []
    steps, event = found
    where = f"{surface_label(recording, event, 'a')} on {surface_label(recording, event, 'b')}"
    verdict = (
        "forces and injury measures cannot be right" if steps < TOO_FEW_STEPS else "peaks may be far off"
    )
    finer = scenario.settings.time_step * max(steps, 1.0) / (2.0 * ENOUGH_STEPS)
    return [
        f"the time step is too long for the impacts: {where} at {event['start']:.4f} s lasted {steps:.1f} steps, fewer "
        f"than {TOO_FEW_STEPS if steps < TOO_FEW_STEPS else ENOUGH_STEPS:.0f}; {verdict}. Use a time step of "
        f"{finer:.1g} s or less"
    ]


def all_warnings(scenario: Scenario, recording: Recording) -> list[str]:
    """What the engine warned of, and what the contact log shows."""
    return [*recording.warnings, *step_warnings(scenario, recording)]
