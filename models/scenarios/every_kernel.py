"""Scenarios that between them need every kernel that is compiled by itself: muscles, responses, tyres, drivers."""

from ...engine.runs.warmup import muscle_scenario
from ...engine.spec import Actor, Response, Scenario
from ..library import load_model
from .library import SCENARIOS


def kernel_scenarios() -> list[Scenario]:
    """One for each kind of kernel."""
    somebody = Actor("somebody", load_model("male"), position=(0.0, 0.0, 2.0), response=Response())
    return [muscle_scenario(), Scenario("response", [somebody]), SCENARIOS["saloon_braking"]()]
