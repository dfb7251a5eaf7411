"""Time to an answer: CPU seconds against error, over integrators and steps, for the fall from standing.

The reference is the fourth-order Runge-Kutta run at the smallest step. Two answers: the peak acceleration of the head,
and where the pelvis lies at the end.
"""

from dataclasses import replace

import numpy as np

from ..engine import Recording, Scenario, compile_system
from .cases import fall
from .timing import engine_seconds

REFERENCE = ("runge_kutta_4", 5.0e-6)
TRIALS = (
    ("symplectic_euler", (1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5)),
    ("forward_euler", (1e-4, 5e-5, 2e-5)),
    ("midpoint", (2e-4, 1e-4, 5e-5)),
    ("runge_kutta_4", (5e-4, 2e-4, 1e-4)),
    ("variable_step", (1e-3,)),
    ("implicit", (1e-3, 5e-4, 2e-4)),
)


def answers(recording: Recording) -> tuple[float, np.ndarray]:
    """(peak acceleration of the head in m/s2, (3,) end position of the root body)."""
    head = next(k for k, name in enumerate(recording.body_names) if "head" in name.lower())
    felt = recording.acceleration[:, head] + np.array([0.0, 0.0, 9.81])
    return float(np.linalg.norm(felt, axis=1).max()), recording.position[-1, 0]


def run_with(scenario: Scenario, integrator: str, time_step: float) -> tuple[float | None, Recording | None]:
    """(CPU seconds, recording); both None where the run diverged."""
    output_step = max(1.0e-3, time_step)
    settings = replace(
        scenario.settings,
        integrator=integrator,
        time_step=time_step,
        output_step=output_step,
        reactions=False,
    )
    try:
        seconds, _, recording = engine_seconds(compile_system(replace(scenario, settings=settings)))
    except RuntimeError:
        return None, None
    return seconds, recording


def measure(duration: float, trials=TRIALS, reference=REFERENCE) -> list[dict]:
    """One entry per integrator and step."""
    scenario = fall(duration).scenario
    _, exact = run_with(scenario, *reference)
    peak, place = answers(exact)
    found = []
    for integrator, steps in trials:
        for time_step in steps:
            seconds, recording = run_with(scenario, integrator, time_step)
            entry = {
                "integrator": integrator,
                "time_step": time_step,
                "seconds": seconds,
                "status": "diverged",
            }
            entry |= {"peak_error": None, "position_error": None}
            if recording is not None:
                own_peak, own_place = answers(recording)
                entry["status"] = "completed"
                entry["peak_error"] = own_peak / peak - 1.0
                entry["position_error"] = float(np.linalg.norm(own_place - place))
            found.append(entry)
    return found
