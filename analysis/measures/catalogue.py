"""All measures of a run, in the order of the report."""

from collections.abc import Callable, Collection, Mapping

import numpy as np

from ...engine.runs.recording import Recording
from ...engine.spec import Scenario
from ..plausibility import is_person
from .chest import chest_measures
from .criteria import head_measures, peak_accelerations, trunk_and_leg_measures
from .impact import absorbed_energy, contact_durations, contact_forces, impact_speeds
from .impacts import impact_measures
from .measure import Measure
from .risk import CURVES
from .throw import throw_measures
from .trust import flagged
from .vehicle_contacts import vehicle_measures


def evaluate(scenario: Scenario, recording: Recording, risk_curves: bool = False) -> list[Measure]:
    """Every measure of a run. Risk curves only when asked for."""
    return in_order(evaluate_families(scenario, recording, risk_curves))


def in_order(families: Mapping[str, list[Measure]]) -> list[Measure]:
    """The measures of all families, one after the other."""
    return [measure for family in families.values() for measure in family]


def evaluate_families(
    scenario: Scenario, recording: Recording, risk_curves: bool = False
) -> dict[str, list[Measure]]:
    """The measures by family, each with its flags, in the order of the report; empty families are left out."""
    if recording.frames == 0:
        return {}
    families = {name: family(scenario, recording) for name, family in FAMILIES.items()}
    if risk_curves:
        families = _with_risk(families)
    return {name: flagged(scenario, recording, measures) for name, measures in families.items() if measures}


def family_of(name: str, scenario: Scenario, recording: Recording, wanted: Collection[str]) -> list[Measure]:
    """Measures of a family without flags; of the head, whose criteria take long, only those of the names wanted."""
    if name == HEAD_FAMILY:
        return head_measures(scenario, recording, wanted)
    return FAMILIES[name](scenario, recording)


def shown_families(scenario: Scenario, families: dict[str, list[Measure]]) -> dict[str, list[Measure]]:
    """The families as people read them: where people take part, only they are thrown, and no vehicle is."""
    people = {actor.name for actor in scenario.actors if is_person(actor)}
    if not people or THROW_FAMILY not in families:
        return families
    thrown = [measure for measure in families[THROW_FAMILY] if measure.subject in people]
    return {**families, THROW_FAMILY: thrown}


def _with_risk(families: dict[str, list[Measure]]) -> dict[str, list[Measure]]:
    """The families with that of the risk curves after the criteria they are for."""
    head = families.pop(HEAD_FAMILY)
    return {HEAD_FAMILY: head, "Risk curves": risk_measures(head), **families}


def risk_measures(measures: list[Measure]) -> list[Measure]:
    """Every risk curve applied to the measures it is for."""
    return [
        Measure(
            f"risk of {curve.severity} ({curve.name})",
            measure.subject,
            curve.probability(measure.value),
            "",
            f"Curve '{curve.name}' applied to {measure.name} = {measure.value:.4g}.",
            "Share of a tested population, not the probability of injury of a particular person. Curves for the same "
            "criterion differ by a factor of two and more.",
        )
        for curve in CURVES
        for measure in measures
        if measure.name == curve.criterion and not np.isnan(measure.value)
    ]


HEAD_FAMILY = "Head and neck"
IMPACT_FAMILY = "Head by impact"
THROW_FAMILY = "Throw distance and rest position"
FAMILIES: dict[str, Callable[[Scenario, Recording], list[Measure]]] = {
    HEAD_FAMILY: head_measures,
    IMPACT_FAMILY: impact_measures,
    "Trunk and legs": trunk_and_leg_measures,
    "Chest": chest_measures,
    "Impact speed at first touch": lambda scenario, recording: impact_speeds(recording),
    "Contact forces": lambda scenario, recording: contact_forces(recording),
    "Contact durations": lambda scenario, recording: contact_durations(recording),
    "Energy absorbed": lambda scenario, recording: absorbed_energy(recording),
    "Vehicle": vehicle_measures,
    THROW_FAMILY: lambda scenario, recording: throw_measures(recording),
    "Peak accelerations": peak_accelerations,
}
"""Family of measures to the function that takes them, in the order of the report."""
WITHOUT_SENSORS = (
    "chest deflection",
    "chest compression",
    "viscous criterion",
    "abdomen deflection",
    "abdomen compression",
    "abdomen viscous criterion",
    "impact speed",
    "peak contact force",
    "contact duration",
    "energy absorbed",
    "head impact time",
    "head impact speed",
    "head wrap-around distance",
    "wrap-around distance",
    "zone peak force",
    "throw distance",
)
"""Measures of the other families."""
