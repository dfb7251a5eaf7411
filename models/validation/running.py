"""How checks run their scenarios: at the step of the scenario, or at a share of it, which shows the numerical error;
and what many of them read from a run."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from ...engine.runs.batch import run_many
from ...engine.runs.recording import Recording
from ...engine.runs.simulation import run
from ...engine.spec import Scenario

HALF = 0.5
"""Share of the step of the second run of every row."""


class Runner:
    """Runs scenarios at a share of their time step; a check gets one and asks it for all that it simulates."""

    def __init__(self, share: float = 1.0) -> None:
        self.share = share

    def __call__(self, scenario: Scenario) -> Recording:
        """Run one scenario."""
        return run(self.stepped(scenario))

    def many(self, scenarios: Iterable[Scenario], reduce: Callable[[int, Recording], object]) -> list[object]:
        """Run scenarios on all cores; what `reduce` makes of (place among them, recording), in their order."""
        chosen = list(scenarios)
        found: dict[int, object] = {}
        for outcome in run_many(self.stepped(scenario) for scenario in chosen):
            if outcome.error is not None:
                raise outcome.error
            found[outcome.index] = reduce(outcome.index, outcome.result)
        return [found[index] for index in range(len(chosen))]

    def stepped(self, scenario: Scenario) -> Scenario:
        """The scenario with this runner's share of its step."""
        settings = scenario.settings
        return replace(scenario, settings=replace(settings, time_step=self.share * settings.time_step))


AS_GIVEN = Runner()
"""At the step of each scenario."""


def force_on(recording: Recording, actor: str, *bodies: str) -> np.ndarray:
    """(N,) size of the contact force on bodies of an actor together, N."""
    forces = (recording.contact_force[:, recording.body_index(actor, body)] for body in bodies)
    return np.linalg.norm(sum(forces), axis=1)
