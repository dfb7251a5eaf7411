"""The error to expect of a measure by kind of case, as the validation against published tests found it.

The file beside this module is written by `python -m mannequin models validation` and never by hand; docs/validation.md
says what is in it. A measure that is not in it was never compared with a published number that had not set the model.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...engine.spec import Scenario
from ...engine.spec.default_sensors import head_body

FILE = Path(__file__).with_name("expected_errors.json")
NONE = "not known: no published prediction"


@dataclass(frozen=True)
class ExpectedError:
    """Mean and standard deviation of what the simulation was off from published values, in % of them."""

    kind: str
    """Of case: falls, pedestrians, occupants, tackles, tests of parts"""
    bias: float
    scatter: float
    band: float
    """Half width of the published bands, %: nothing is known better than that"""
    comparisons: int
    numbers: int
    """Published numbers with which was compared"""
    sure: int
    """Comparisons with numbers that were read or are known for certain"""

    @property
    def text(self) -> str:
        """Such as "+12 +- 30 % (falls)": the bias, and the larger of the scatter and the published spread."""
        return f"{self.bias:+.0f} +- {max(self.scatter, self.band):.0f} % ({self.kind})"

    @property
    def sentence(self) -> str:
        """For a definition, without its full stop."""
        way = "high" if self.bias >= 0.0 else "low"
        return (
            f"{self.kind}: {abs(self.bias):.0f} % too {way} on average, scattering by {self.scatter:.0f} %, "
            f"published values by {self.band:.0f} % "
            f"({self.comparisons} comparisons with {self.numbers} published numbers{self._unsure})"
        )

    @property
    def _unsure(self) -> str:
        return "" if self.sure else ", none of which was read in its source"


@cache
def _table() -> dict[str, list[ExpectedError]]:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        measure: [
            ExpectedError(
                kind,
                one["bias"],
                one["scatter"],
                one["band"],
                int(one["comparisons"]),
                int(one["numbers"]),
                int(one["sure"]),
            )
            for kind, one in kinds.items()
        ]
        for measure, kinds in data["measures"].items()
    }


def kind_of_case(scenario: Scenario) -> str:
    """What a run is, as the validation divides cases."""
    people = [actor for actor in scenario.actors if head_body(scenario, actor) is not None]
    if scenario.belts:
        return "occupants"
    if len(people) < len(scenario.actors):
        return "pedestrians"
    return "tackles" if len(people) > 1 else "falls"


def expected_errors(name: str) -> list[ExpectedError]:
    """All that is known of a measure, by its name; "impact ..." of one impact is as that of the whole run."""
    return _table().get(name, _table().get(name.removeprefix("impact "), []))


def expected_error(name: str, kind: str) -> ExpectedError | None:
    """The error to expect of a measure in a kind of case: that of the kind, else of tests of parts, else none."""
    found = {error.kind: error for error in expected_errors(name)}
    return found.get(kind, found.get("tests of parts"))
