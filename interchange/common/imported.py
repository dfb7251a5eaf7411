"""What a file of another program becomes: an actor with its start, the surroundings, and what was not carried over."""

from dataclasses import dataclass, field

from ...engine.spec import Actor, Model, Obstacle, PairMaterial, Scenario, Settings
from .findings import Finding, Findings


@dataclass
class Imported:
    """A file's content in our terms. A model alone leaves out the start, the surroundings and gravity."""

    actor: Actor
    obstacles: list[Obstacle] = field(default_factory=list)
    settings: Settings = field(default_factory=lambda: Settings(ground=False))
    """Gravity, and how surfaces rub; there is no ground but what the file has."""
    findings: Findings = field(default_factory=Findings)
    """What holds for the model and for the scenario."""
    outside: Findings = field(default_factory=Findings)
    """What a model alone leaves out and a scenario keeps."""
    pairs: list[PairMaterial] = field(default_factory=list)
    """Contact laws of pairs of materials."""

    def as_model(self) -> tuple[Model, list[Finding]]:
        """The model, and everything that it leaves out."""
        return self.actor.model, [*self.findings.list(), *self.outside.list()]

    def as_scenario(self) -> tuple[Scenario, list[Finding]]:
        """One actor in the file's own surroundings."""
        scenario = Scenario(self.actor.name, [self.actor], self.obstacles, self.pairs, settings=self.settings)
        return scenario, self.findings.list()
